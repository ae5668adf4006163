"""Puts the page together: analyses every record once, fills the template, and says in a policy what may run."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import jinja2
import plotly.offline
from markupsafe import Markup

from cmtnoise.analysis import analyse
from cmtnoise.causes import causes_of
from cmtnoise.counted import WHY, by_counts
from cmtnoise.misconfigured import misconfigured
from cmtnoise.page import facts, machine, noise
from cmtnoise.page.colours import cause_slots, rate_slots
from cmtnoise.page.records import Analysed, Colours, data_of
from cmtnoise.page.sample import Budget
from cmtnoise.page.text import island, name, shown
from cmtnoise.quieting import quieting, shortfalls
from cmtnoise.record import RecordError
from cmtnoise.run import Run
from cmtnoise.verdict import Verdict, verdicts

HERE = Path(__file__).parent
FIGURE_SCRIPTS = ("decode.js", "figures.js", "report.js")  # in the order in which they need each other


def _own(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def _scripts(figures: bool) -> list[Markup]:
    """The page's scripts in their order; without records there is nothing to draw."""
    drawing = [Markup(plotly.offline.get_plotlyjs()), Markup("".join(map(_own, FIGURE_SCRIPTS)))]
    return [Markup(_own("theme.js")), *(drawing if figures else [])]


def _analysed(run: Run) -> tuple[list[Analysed], list[str]]:
    """Every record once, though a plan may name one twice; and what is wrong with event files."""
    found, problems = [], []
    for record in {record.path: record for record in run.records}.values():
        analysis = analyse(record)
        try:
            causes = causes_of(analysis)
        except (RecordError, OSError) as error:
            causes = None
            problems.append(str(error))
        found.append(Analysed(record, analysis, causes))
    return found, problems


def _policy(scripts: list[Markup]) -> str:
    """The content security policy: no network at all, and no script but these, whatever a record brings into the page."""
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{one}'" for one in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _shown(value: Any) -> Any:
    """Applied to everything that the template shows."""
    return value if isinstance(value, Markup) else shown(str(value))


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        finalize=_shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")


def _sections(run: Run, analysed: list[Analysed], found: list[Verdict]) -> dict[str, Any]:
    """What the template shows as text."""
    return {
        "heading": facts.heading(run),
        "label": name(run.label),
        "label_words": facts.label_words(run),
        "where": facts.where(run),
        "counts": facts.counts_in_words(found),
        "judged": WHY if by_counts(run) else "",
        "misconfigured": misconfigured(run),
        "strongest": facts.strongest(found),
        "verdicts": found,
        "quieting": quieting(run, found),
        "shortfalls": shortfalls(run),
        "packages": machine.packages(run, found),
        "unplaced": machine.unplaced(run),
        "levels": machine.legend(),
        "record_heads": noise.RECORD_HEADS,
        "record_rows": noise.record_rows(run, analysed),
        "tick_rows": facts.tick_rows(run),
        "provenance_rows": facts.provenance_rows(run),
    }


def as_html(run: Run) -> str:
    """The whole page. Raises OSError where the package's own files cannot be read."""
    analysed, problems = _analysed(run)
    causes, sources = cause_slots(one.causes for one in analysed), rate_slots([one.analysis for one in analysed])
    budget = Budget.of(len(analysed))
    found = verdicts(run)
    scripts = _scripts(figures=bool(analysed))
    return _template().render(
        _sections(run, analysed, found),
        remarks=facts.said(run, problems),
        policy=_policy(scripts),
        style=Markup(_own("report.css")),
        scripts=scripts,
        overview=island(noise.overview(run, analysed, facts.strongest(found))),
        records=[island(data_of(one, Colours(causes, own), budget)) for one, own in zip(analysed, sources, strict=True)],
    )
