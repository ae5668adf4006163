"""Puts the page of a run together: analyses every record once and fills the template."""

from __future__ import annotations

from typing import Any

import plotly.offline
from markupsafe import Markup

from cmtnoise.analysis import analyse
from cmtnoise.causes import causes_of
from cmtnoise.counted import WHY, by_counts
from cmtnoise.page import facts, machine, noise
from cmtnoise.page.colours import cause_slots, rate_slots
from cmtnoise.page.records import Analysed, Colours, data_of
from cmtnoise.page.sample import Budget
from cmtnoise.page.shell import own, policy, style, template
from cmtnoise.page.text import island, name
from cmtnoise.quieting import misconfigured, quieting, shortfalls
from cmtnoise.record import RecordError
from cmtnoise.run import Run
from cmtnoise.verdict import Verdict, verdicts

FIGURE_SCRIPTS = ("decode.js", "figures.js", "report.js")  # in the order in which they need each other


def _scripts(figures: bool) -> list[Markup]:
    """The page's scripts in their order; without records there is nothing to draw."""
    drawing = [Markup(plotly.offline.get_plotlyjs()), Markup("".join(map(own, FIGURE_SCRIPTS)))]
    return [Markup(own("theme.js")), *(drawing if figures else [])]


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
    return template("report.html.j2").render(
        _sections(run, analysed, found),
        remarks=facts.said(run, problems),
        policy=policy(scripts),
        style=Markup(style(own("report.css"))),
        scripts=scripts,
        overview=island(noise.overview(run, analysed, facts.strongest(found))),
        records=[island(data_of(one, Colours(causes, slots), budget)) for one, slots in zip(analysed, sources, strict=True)],
    )
