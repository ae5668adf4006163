"""The statements and what became of them, as text and JSON."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from cmtnoise.cli import printable
from cmtnoise.report import remarks
from cmtnoise.study.finding import AGREES, DIFFERS, NO_RUN, UNSHOWN
from cmtnoise.study.runs import Runs
from cmtnoise.study.statements import Judged

VERDICTS = (AGREES, DIFFERS, UNSHOWN, NO_RUN)
WIDTH = 118
JSON_VERSION = 1


def counts(judged: Sequence[Judged]) -> str:
    """How many statements came out how, in words."""
    number = Counter(one.finding.verdict for one in judged)
    words = {AGREES: "agree", DIFFERS: "differ", UNSHOWN: "cannot be shown here", NO_RUN: "wait for a run"}
    return f"{len(judged)} statements: " + ", ".join(
        f"{number[verdict]} {words[verdict]}" for verdict in VERDICTS if number[verdict]
    )


def notes(runs: Runs) -> list[str]:
    """What a reader has to know besides: runs that cannot be used, records that are missing, warnings."""
    lines = [f"{name}: {said}" for name, said in runs.problems.items()]
    for name, run in runs.found.items():
        lines += [f"{name}: {said}" for said in remarks(run)]
    return [printable(line) for line in lines]


def as_text(runs: Runs, judged: Sequence[Judged]) -> str:
    lines = [counts(judged), ""]
    for one in judged:
        finding = one.finding
        label = f" ({finding.label})" if finding.label else ""
        parts = [
            (0, f"{finding.verdict}{label}: {one.statement.says} [{one.statement.where}]"),
            (4, finding.found),
            (4, finding.why),
        ]
        for indent, part in parts:
            lines += textwrap.wrap(printable(part), WIDTH, initial_indent=" " * indent, subsequent_indent="    ")
        for before, command in one.commands:
            lines += [printable(f"    run: {command}")] + ([f"         ({before})"] if before else [])
        lines.append("")
    return "\n".join(lines + [f"note: {note}" for note in notes(runs)]).rstrip() + "\n"


def as_json(runs: Runs, judged: Sequence[Judged]) -> str:
    rows = [
        {"name": one.statement.name, "where": one.statement.where, "says": one.statement.says, **asdict(one.finding)}
        | {"commands": [command for _, command in one.commands]}
        for one in judged
    ]
    told = {"study_version": JSON_VERSION, "statements": rows, "runs": sorted(runs.found), "notes": notes(runs)}
    return json.dumps(told, indent=2) + "\n"
