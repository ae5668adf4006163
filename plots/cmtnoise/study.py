"""Holds the statements of the study that this project began with against runs: a table, figures, and a page."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from cmtnoise.cli import main_of, printable
from cmtnoise.files import write_whole
from cmtnoise.report import remarks
from cmtnoise.run import RunError
from cmtnoise.study_finding import AGREES, DIFFERS, NO_RUN, UNSHOWN
from cmtnoise.study_panels import CONTROLS, MAIN, SILICON, kernels, panels
from cmtnoise.study_runs import Runs, load_runs
from cmtnoise.study_statements import Judged, judge_all

VERDICTS = (AGREES, DIFFERS, UNSHOWN, NO_RUN)
WIDTH = 118


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
    return json.dumps({"statements": rows, "runs": sorted(runs.found), "notes": notes(runs)}, indent=2) + "\n"


def write_figures(runs: Runs, folder: Path) -> list[Path]:
    """Draws each kernel, its positive controls and what there is from silicon; PNG and SVG."""
    from cmtnoise.figures import _study
    from cmtnoise.plot import save

    written = []
    folder.mkdir(exist_ok=True)
    for kernel in kernels(runs):
        for stem, names in (("study", MAIN), ("study-controls", CONTROLS), ("study-silicon", SILICON)):
            shown = panels(runs, names, kernel)
            if shown:
                written += save(_study.draw(shown, kernel), folder, printable(f"{stem}-{kernel}").replace("/", "_"))
    return written


def write_page(runs: Runs, judged: Sequence[Judged], path: Path) -> None:
    try:
        from cmtnoise.page.study import as_html
    except ModuleNotFoundError as error:
        if error.name not in ("jinja2", "markupsafe"):
            raise
        raise RunError("the page needs Python with jinja2: run 'make deps', or pip install jinja2") from None
    write_whole(path, as_html(runs, judged).encode())


def study(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="cmtnoise study",
        description="Holds the statements of the study that this project began with against the runs in a folder, and says of "
        "each: agrees, differs, or cannot be shown here. Writes FOLDER/study.html and the figures, FOLDER/figures. 'make study' "
        "makes the runs; those of silicon go beside them, under the names that the page tells. Exits 1 where a statement "
        "differs, or an emulated run is missing or damaged.",
        epilog="example: cmtnoise study results/reference --format text",
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="holds the runs, such as FOLDER/t1-bare")
    parser.add_argument("--format", choices=("text", "json"), help="only print this, and write nothing")
    parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, help="where page and figures go (default: FOLDER)")
    options = parser.parse_args(arguments)
    if options.format and options.output:
        parser.error(f"-o is for the page and the figures; --format {options.format} is printed")
    runs = load_runs(options.folder)
    judged = judge_all(runs)
    print((as_json if options.format == "json" else as_text)(runs, judged), end="", flush=True)
    if options.format is None:
        output: Path = options.output or runs.folder
        output.mkdir(parents=True, exist_ok=True)
        figures = write_figures(runs, output / "figures")
        write_page(runs, judged, output / "study.html")
        place = printable(str(output))
        print(f"cmtnoise: the page: {place}/study.html; {len(figures)} figures: {place}/figures", file=sys.stderr)
    _end(runs, judged)


def _end(runs: Runs, judged: Sequence[Judged]) -> None:
    """Fails where the runs contradict the study, or where some are not there."""
    missing = [f"cmtnoise: {role.name} is missing; make it: {role.make(runs.folder)}" for role in runs.missing()]
    differing = [f"cmtnoise: differs: {one.statement.says}" for one in judged if one.finding.verdict == DIFFERS]
    for line in (*missing, *differing):
        print(printable(line), file=sys.stderr)
    if missing or differing:
        sys.exit(1)


if __name__ == "__main__":
    main_of(study)
