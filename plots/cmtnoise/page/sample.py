"""Which repetitions of a record the page holds, and how they are packed.

A record that is short enough is held whole; its begins follow from its durations. Of a longer one the page holds peaks, up
to a number, and the shortest and longest of the other repetitions in each of many spans, so that the band keeps its shape.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cmtnoise.analysis import Analysis
from cmtnoise.page.text import Packed
from cmtnoise.record import Record

REPETITIONS_MOST = 4000  # of one record: what a browser draws at once without delay
WHOLE_REPETITIONS = 1_200_000  # of all records of a page; 2.7 bytes each
CUT_REPETITIONS = 400_000  # of all records too long to be held whole; 13 bytes each
LEAST = 300  # of a record, however many there are
LONGEST_PEAKS = 1 / 8  # share of a cut record's places that the longest peaks take
STEPS = 0xFFFF


@dataclass(frozen=True)
class Budget:
    """Repetitions that a record may have to be held whole, and that are held of a longer one."""

    whole: int
    cut: int

    @classmethod
    def of(cls, records: int) -> Budget:
        def share(total: int) -> int:
            return max(LEAST, min(REPETITIONS_MOST, total // max(1, records)))

        return cls(share(WHOLE_REPETITIONS), share(CUT_REPETITIONS))


@dataclass(frozen=True)
class Sample:
    """``at``: the repetitions held, ascending. ``peaks``: positions in the analysis' peaks of those held, ascending."""

    at: NDArray[np.intp]
    peaks: NDArray[np.intp]
    note: str


def _some_peaks(excess_us: NDArray[np.float64], most: int) -> tuple[NDArray[np.intp], str]:
    """Positions of the longest peaks and of an even sample of the rest."""
    if excess_us.size <= most:
        return np.arange(excess_us.size), f"all {excess_us.size:,} peaks"
    longest = np.argsort(-excess_us, kind="stable")[: int(most * LONGEST_PEAKS)]
    rest = np.setdiff1d(np.arange(excess_us.size), longest)
    even = rest[np.linspace(0, rest.size - 1, most - longest.size).astype(np.intp)]
    kept = np.union1d(longest, even)
    return kept, f"{kept.size:,} of {excess_us.size:,} peaks (the {longest.size:,} longest and an even sample of the others)"


def _envelope(durations: NDArray[np.uint64], others: NDArray[np.intp], spans: int) -> NDArray[np.intp]:
    """The shortest and the longest of the given repetitions in each span of them."""
    edges = np.unique(np.linspace(0, others.size, spans + 1).astype(np.intp))
    found = []
    for first, end in zip(edges[:-1], edges[1:], strict=True):
        part = durations[others[first:end]]
        found += [first + int(part.argmin()), first + int(part.argmax())]
    return others[np.unique(np.array(found, np.intp))]


def sample(analysis: Analysis, budget: Budget) -> Sample:
    durations = analysis.record.duration_counts
    if durations.size <= budget.whole:
        return Sample(np.arange(durations.size), np.arange(analysis.peaks.size), "")
    kept, told = _some_peaks(analysis.excess_us, budget.cut * 3 // 4)
    quiet = np.ones(durations.size, bool)
    quiet[analysis.peaks] = False
    spans = max(1, (budget.cut - kept.size) // 2)
    band = _envelope(durations, np.flatnonzero(quiet), spans)
    note = (
        f"Drawn of {durations.size:,} repetitions: {told}, and the shortest and the longest of the others "
        f"in each of {spans:,} spans."
    )
    return Sample(np.union1d(analysis.peaks[kept], band), kept, note)


def packed(values: ArrayLike, dtype: str) -> Packed:
    """The values, little-endian, as base64: a third of what decimal numbers would take."""
    return Packed(base64.b64encode(np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("<")).tobytes()).decode())


def packed_steps(values: NDArray[np.float64], finest: float) -> dict[str, Any]:
    """Values in steps above the least, of the finest width that reaches nearly all of them; the few beyond as numbers."""
    if not values.size:
        return {"least": 0, "step": finest, "steps": "", "far": []}
    least = float(values.min())
    above = values - least
    reach = float(above.max()) if above.max() <= STEPS * finest else float(np.quantile(above, 0.99))
    step = finest * max(1.0, float(np.ceil(reach / finest / STEPS)))
    steps = np.rint(above / step)
    far = np.flatnonzero(steps > STEPS)
    return {
        "least": least,
        "step": step,
        "steps": packed(np.minimum(steps, STEPS), "u2"),
        "far": [[int(i), round(float(values[i]), 3)] for i in far],
    }


def packed_places(record: Record, at: NDArray[np.intp]) -> dict[str, Any]:
    """Index and begin of each repetition held; empty where all are held, for then they follow from the durations."""
    if at.size == record.start_counts.size:
        return {}
    step = max(float(record.start_counts[-1]) / 0xFFFFFFFF, 1e-9)
    starts = np.rint(record.start_counts[at].astype(np.float64) / step)
    return {"index": packed(at, "u4"), "start_steps": packed(starts, "u4"), "start_step_ms": step * 1e3 / record.timer_hz}
