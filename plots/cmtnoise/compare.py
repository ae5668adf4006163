"""Compares runs: the effect on each strand with its interval, the configuration beside it, and a gate for scripts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from cmtnoise.cli import main_of, printable
from cmtnoise.comparison import METRICS, Comparison, Effect, compare
from cmtnoise.files import write_whole
from cmtnoise.gate import Limit, judge, parse_limit
from cmtnoise.run import load
from cmtnoise.worked import worked

EXACT = (
    "both runs counted instructions: every difference between them is real, and comes again each time. The intervals tell how "
    "much stretches of a run differ among themselves; 'cmtnoise lab' tells what a tick costs, to the instruction"
)


def sentence(effect: Effect, exact: bool = False) -> str:
    """What the data say of one metric over all strands. ``exact``: instructions were counted, so that nothing is chance."""
    metric = METRICS[effect.metric]
    values = f"{effect.a.value:.4g} {metric.unit} in A, {effect.b.value:.4g} {metric.unit} in B"
    interval = f"95 %: {effect.change.low:+.3g} to {effect.change.high:+.3g}"
    if exact and not effect.change.value:
        return f"{metric.title}: no difference ({values})"
    if exact and not effect.shown:
        change = f"B less A is {effect.change.value:+.3g} {metric.unit}"
        return f"{metric.title}: {change} ({values}; stretches of a run differ by as much, {interval})"
    if not effect.shown:
        return f"{metric.title}: no difference that these data can show ({values}; {interval})"
    relative = "" if effect.relative is None else f", {100 * effect.relative:+.1f} %"
    word = "more" if effect.change.value > 0 else "less"
    return f"{metric.title}: B has {word} than A, {effect.change.value:+.3g} {metric.unit}{relative} ({values}; {interval})"


def notes(c: Comparison) -> list[str]:
    lines = [*([EXACT] if c.exact else []), *c.caveats]
    if c.by_placement:
        lines.append("the machines differ: strands were matched by their place (package, core, strand of the core)")
    lines += c.unmatched[:8]
    lines += [f"and {len(c.unmatched) - 8} more without a match"] if len(c.unmatched) > 8 else []
    for run in (c.a, c.b):
        lines += [f"{run.path}: this run is {run.status}"] if run.status != "complete" else []
        lines += run.problems[:3]
    return [printable(line) for line in lines]


def worked_lines(c: Comparison) -> list[str]:
    """Whether the tick configurations of B worked, a sentence each."""
    return [printable(one.words()) for one in worked(c)]


HEADS = ("strand", "metric", "A", "B", "change", "95 %", "change %", "")


def _cells(effect: Effect, exact: bool) -> list[str]:
    return [
        effect.strand,
        f"{effect.metric} {METRICS[effect.metric].unit}",
        f"{effect.a.value:.4g}",
        f"{effect.b.value:.4g}",
        f"{effect.change.value:+.3g}",
        f"{effect.change.low:+.3g} .. {effect.change.high:+.3g}",
        "-" if effect.relative is None else f"{100 * effect.relative:+.1f}",
        "" if effect.shown or not effect.change.value and exact else "as stretches do" if exact else "not shown",
    ]


def as_text(c: Comparison) -> str:
    rows = [list(HEADS), *(_cells(effect, c.exact) for effect in c.effects)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADS))]
    lines = [printable(f"A: {c.a.path} ({c.a.label})"), printable(f"B: {c.b.path} ({c.b.label})"), ""]
    lines += [sentence(effect, c.exact) for effect in c.effects if effect.strand == "all"]
    lines += ["", *("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)]
    if c.differences:
        lines += ["", "configured otherwise:"]
        lines += [printable(f"  {what}: {first or '-'} -> {second or '-'}") for what, first, second in c.differences]
    else:
        lines += ["", "configured otherwise: nothing that the runs tell"]
    told = worked_lines(c)
    lines += ["", "tick configurations that are new in B:", *(f"  {line}" for line in told)] if told else []
    return "\n".join([*lines, *(f"note: {note}" for note in notes(c))]) + "\n"


def as_markdown(c: Comparison) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(printable(cell).replace("|", "\\|") for cell in cells) + " |"

    lines = [printable(f"A: {c.a.path} ({c.a.label}), B: {c.b.path} ({c.b.label})"), ""]
    lines += [f"- {sentence(effect, c.exact)}" for effect in c.effects if effect.strand == "all"]
    lines += ["", line(HEADS), line(["---"] * len(HEADS)), *(line(_cells(effect, c.exact)) for effect in c.effects)]
    lines += ["", line(("configured otherwise", "A", "B")), line(["---"] * 3), *map(line, c.differences)]
    return "\n".join([*lines, "", *(f"- {note}" for note in [*worked_lines(c), *notes(c)])]) + "\n"


def _as_dict(c: Comparison) -> dict[str, object]:
    return {
        "a": {"path": str(c.a.path), "label": c.a.label},
        "b": {"path": str(c.b.path), "label": c.b.label},
        "by_placement": c.by_placement,
        "exact": c.exact,
        "effects": [{**asdict(effect), "unit": METRICS[effect.metric].unit, "shown": effect.shown} for effect in c.effects],
        "differences": [{"what": what, "a": first, "b": second} for what, first, second in c.differences],
        "tick_configurations": [one.as_dict() for one in worked(c)],
        "notes": notes(c),
    }


FORMATS: dict[str, Callable[[list[Comparison]], str]] = {
    "text": lambda all_of: "\n".join(map(as_text, all_of)),
    "md": lambda all_of: "\n".join(map(as_markdown, all_of)),
    "json": lambda all_of: json.dumps({"comparisons": [_as_dict(c) for c in all_of]}, indent=2) + "\n",
}


def _limit(text: str) -> Limit:
    try:
        return parse_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _figure(path: Path, comparisons: list[Comparison]) -> None:
    from cmtnoise.figures import _comparison
    from cmtnoise.plot import encoded

    write_whole(path, encoded(_comparison.draw(comparisons), path.suffix.removeprefix(".")))
    print(path, file=sys.stderr)


def tool(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="cmtnoise compare",
        description="Holds runs against the first one: the same kernels on the same strands, the effect with its 95 % interval, "
        "what was configured otherwise, and whether the tick configurations that are new did what they are for.",
        epilog="example: cmtnoise compare results/before results/after --fail-if 'noise>+10%'",
    )
    parser.add_argument("a", metavar="A", help="the run that the others are held against")
    parser.add_argument("others", metavar="B", nargs="+", help="runs to hold against it")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument(
        "--figure", metavar="FILE", type=Path, help="also draw the runs over each other: a .png, .svg or .pdf file"
    )
    parser.add_argument(
        "--fail-if",
        metavar="LIMIT",
        type=_limit,
        action="append",
        default=[],
        help=f"exit 1 when it holds over all strands: METRIC>+N%% (change), METRIC>+N, METRIC>N; metrics: {', '.join(METRICS)}",
    )
    options = parser.parse_args(arguments)
    if options.figure and options.figure.suffix not in (".png", ".svg", ".pdf"):
        parser.error(f"--figure: the name must end in .png, .svg or .pdf; got {str(options.figure)!r}")
    first = load(options.a)
    comparisons = [compare(first, load(other)) for other in options.others]
    try:
        broken = [said for limit in options.fail_if for c in comparisons if (said := judge(limit, c))]
    except ValueError as error:
        sys.exit(printable(f"cmtnoise: --fail-if: {error}"))
    print(FORMATS[options.format](comparisons), end="")
    if options.figure:
        _figure(options.figure, comparisons)
    for said in broken:
        print(printable(f"cmtnoise: limit broken: {said}"), file=sys.stderr)
    if broken:
        sys.exit(1)


if __name__ == "__main__":
    main_of(tool)
