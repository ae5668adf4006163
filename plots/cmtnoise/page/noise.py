"""Tables over all records: noise of every kernel on every strand, and every record in a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cmtnoise.page.records import CAUSE_HEADS, EVENT_HEADS, SOURCE_HEADS, Analysed
from cmtnoise.page.text import hertz, microseconds, name, percent
from cmtnoise.run import Run
from cmtnoise.verdict import Verdict

RECORD_HEADS = (
    "strand",
    "core",
    "kernel",
    "baseline µs",
    "max µs",
    "noise %",
    "95 % interval",
    "peaks",
    "first source Hz",
    "cost µs",
)


def _first(run: Run, cells: list[list[int | None]], strongest: Sequence[Verdict]) -> dict[str, int]:
    """What the page shows first: the strand of the strongest verdict, under add where it has that."""
    strand = run.strands.index(strongest[0].strand) if strongest and strongest[0].strand in run.strands else 0
    having = [kernel for kernel, row in enumerate(cells) if row[strand] is not None]
    named = [kernel for kernel in having if run.kernels[kernel] == "add"]
    return {"strand": strand, "kernel": (named + having + [0])[0]}


def overview(run: Run, analysed: Sequence[Analysed], strongest: Sequence[Verdict]) -> dict[str, Any]:
    """Kernels, strands, and for each pair the record's number in ``analysed`` and its noise in percent; None without one."""
    place = {(one.record.kernel, one.record.strand): number for number, one in enumerate(analysed)}
    cells = [[place.get((kernel, strand)) for strand in run.strands] for kernel in run.kernels]
    return {
        "label": name(run.label),
        "heads": {"sources": SOURCE_HEADS, "causes": CAUSE_HEADS, "events": EVENT_HEADS},
        "kernels": [name(kernel) for kernel in run.kernels],
        "strands": [str(strand) for strand in run.strands],
        "records": cells,
        "percent": [
            [None if cell is None else round(100 * analysed[cell].analysis.noise_share.value, 4) for cell in row] for row in cells
        ],
        "first": _first(run, cells, strongest),
    }


def record_row(one: Analysed) -> list[str]:
    record, analysis = one.record, one.analysis
    noise, strongest = analysis.noise_share, next(iter(analysis.sources), None)
    longest_us = float(record.duration_counts.max()) * 1e6 / record.timer_hz
    return [
        str(record.strand),
        str(record.core),
        name(record.kernel),
        microseconds(analysis.baseline_us),
        microseconds(longest_us),
        percent(noise.value),
        f"{percent(noise.low)} to {percent(noise.high)}",
        f"{analysis.peaks.size:,}",
        hertz(strongest.rate_hz) if strongest else "none",
        microseconds(strongest.cost_us.value) if strongest else "",
    ]


def record_rows(run: Run, analysed: Sequence[Analysed]) -> list[list[str]]:
    """A line a record, by kernel in the plan's order, then by strand."""
    order = {kernel: rank for rank, kernel in enumerate(run.kernels)}
    return [record_row(one) for one in sorted(analysed, key=lambda one: (order[one.record.kernel], one.record.strand))]
