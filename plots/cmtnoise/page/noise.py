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
    "round",
    "baseline µs",
    "max µs",
    "noise %",
    "95 % interval",
    "peaks",
    "first source Hz",
    "cost µs",
)


Cells = list[list[list[int | None]]]  # by kernel, strand and round: the record's number, None without one


def _first(run: Run, cells: Cells, strongest: Sequence[Verdict]) -> dict[str, int]:
    """What the page shows first: the strand of the strongest verdict, under add where it has that."""
    strand = run.strands.index(strongest[0].strand) if strongest and strongest[0].strand in run.strands else 0
    having = [kernel for kernel, row in enumerate(cells) if row[strand][0] is not None]
    named = [kernel for kernel in having if run.kernels[kernel] == "add"]
    return {"strand": strand, "kernel": (named + having + [0])[0]}


def _percent(records: Sequence[Analysed]) -> float | None:
    """Noise of the rounds of one kernel on one strand, in percent."""
    shares = [one.analysis.noise_share.value for one in records]
    return round(100 * sum(shares) / len(shares), 4) if shares else None


def overview(run: Run, analysed: Sequence[Analysed], strongest: Sequence[Verdict]) -> dict[str, Any]:
    """Kernels, strands, rounds; for each of these the record's number in ``analysed``, and for each pair its noise."""
    rounds = sorted({one.round for one in analysed})
    number = {(one.record.kernel, one.record.strand, one.round): number for number, one in enumerate(analysed)}
    cells = [[[number.get((kernel, strand, turn)) for turn in rounds] for strand in run.strands] for kernel in run.kernels]
    return {
        "label": name(run.label),
        "heads": {"sources": SOURCE_HEADS, "causes": CAUSE_HEADS, "events": EVENT_HEADS},
        "kernels": [name(kernel) for kernel in run.kernels],
        "strands": [str(strand) for strand in run.strands],
        "rounds": [str(turn) for turn in rounds],
        "records": cells,
        "percent": [[_percent([analysed[n] for n in cell if n is not None]) for cell in row] for row in cells],
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
        str(one.round),
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
    return [record_row(one) for one in sorted(analysed, key=lambda one: (order[one.record.kernel], one.record.strand, one.round))]
