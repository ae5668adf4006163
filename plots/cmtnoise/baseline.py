"""The undisturbed duration of each repetition, and which repetitions are peaks. Counts in, counts out.

The baseline may move during a record (a clock frequency that changes, a neighbour that presses on the core), so it is found for
blocks of BLOCK repetitions and followed between them. What lasts shorter than a quarter of a block is a disturbance, what lasts
longer is a change of speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BLOCK = 64
CHUNK = BLOCK << 12  # repetitions handled at once: bounds the memory that a long record takes
TIMER_STEPS = 3
WIDTHS, FAINT_WIDTHS = 5, 2.5
FLOOR = 5e-4  # of the baseline: a timer that advances in uneven steps shows scatter on one side only
STEP_WIDTHS, STEP_SHARE = 12, 5e-3  # neighbouring blocks that differ by more have a step between them, not a slope
NORMAL = 1.4826  # makes a median distance a standard deviation where the scatter is normal


@dataclass(frozen=True)
class Peaks:
    """The baseline and the peaks of one record, in counts.

    ``levels`` has shape (blocks,): the baseline in the middle of each block of ``block`` repetitions. ``at``, ``start`` and
    ``excess`` have shape (found,): repetitions, ascending, when each began, and how far each lies above the baseline. They hold
    all above ``faint``, a threshold that scatter passes now and then; those above ``threshold`` are the peaks, ``is_peak``.
    ``lost`` has shape (blocks,): the time above the baseline. ``span`` is the whole record's time.
    """

    baseline: float
    width: float
    threshold: float
    faint: float
    repetitions: int
    span: float
    block: int
    levels: Floats
    at: NDArray[np.intp]
    start: Floats
    excess: Floats
    lost: Floats

    @property
    def is_peak(self) -> NDArray[np.bool_]:
        return self.excess > self.threshold


def densest(ordered: Floats) -> Floats:
    """The mode of each row of sorted values: the middle of the shortest interval that holds a quarter of them.

    The undisturbed repetitions are the densest part, and lie low; up to three in four may be disturbed, as long as the
    disturbances differ from each other. Of several equally short intervals the lowest counts. (Shorth with a fraction of
    1/4: Andrews et al., Robust Estimates of Location, 1972.)
    """
    size = ordered.shape[1]
    held = max(1, (size + 3) // 4)
    at = np.argmin(ordered[:, held - 1 :] - ordered[:, : size - held + 1], axis=1)
    rows = np.arange(ordered.shape[0])
    middle: Floats = (ordered[rows, at + (held - 1) // 2] + ordered[rows, at + held // 2]) / 2
    return middle


def baseline_counts(durations: NDArray[np.uint64]) -> float:
    """The mode of all durations, in counts, as if the baseline did not move."""
    return float(densest(np.sort(durations).astype(np.float64)[None, :])[0])


class _Blocks:
    """Blocks of a record: BLOCK repetitions each, the last one up to the end; a short record is one block."""

    def __init__(self, durations: NDArray[np.uint64]) -> None:
        self.durations = durations
        self.size = min(BLOCK, durations.size)
        self.count = durations.size // self.size
        self.middles = (np.arange(self.count) + 0.5) * self.size

    def chunks(self) -> Iterator[tuple[int, int]]:
        """First and last-but-one repetition of pieces that hold whole blocks."""
        end = self.count * self.size
        for first in range(0, end, CHUNK):
            yield first, min(first + CHUNK, end)

    def modes(self) -> Floats:
        out = np.empty(self.count)
        for first, last in self.chunks():
            ordered = np.sort(self.durations[first:last].reshape(-1, self.size), axis=1)
            out[first // self.size : last // self.size] = densest(ordered.astype(np.float64))
        return out

    def excess(self, levels: Floats, step: float, first: int, last: int) -> Floats:
        """Duration less baseline of the repetitions first to last. Between the middles of two blocks the baseline is a
        straight line; beyond the outermost ones it goes on as it was. Across a step it is the level that fits better."""
        values: Floats = self.durations[first:last].astype(np.float64)
        if self.count == 1:
            values -= levels[0]
            return values
        size, half = self.size, self.size / 2
        # Piece j lies between the middles of blocks j and j + 1; the outermost pieces reach to the ends of the record.
        edges = np.diff(levels)
        steep = np.abs(edges) > step
        slope = np.where(steep, 0.0, edges / size)
        place = np.arange(first, last) + 0.5
        piece = np.clip(((place - half) // size).astype(np.intp), 0, self.count - 2)
        out: Floats = values - (levels[piece] + slope[piece] * (place - self.middles[piece]))
        if steep[piece[0] : piece[-1] + 1].any():
            across = np.flatnonzero(steep[piece])
            other = values[across] - levels[piece[across] + 1]
            out[across] = np.where(np.abs(other) < np.abs(out[across]), other, out[across])
        return out


def _scatter(residuals: Floats, size: int) -> tuple[Floats, Floats]:
    """Of each block: the median distance below the baseline, and the median of what lies within 4 widths of it."""
    ordered = np.sort(residuals.reshape(-1, size), axis=1)
    rows = np.arange(ordered.shape[0])
    below = np.maximum(np.count_nonzero(ordered <= 0, axis=1), 1)
    widths = NORMAL * np.abs(np.minimum(ordered[rows, below // 2], 0))
    near = 4 * np.maximum(widths, np.median(widths))[:, None]
    low = np.count_nonzero(ordered < -near, axis=1)
    high = np.maximum(np.count_nonzero(ordered <= near, axis=1), low + 1)
    return widths, ordered[rows, np.minimum((low + high) // 2, size - 1)]


def timer_step_counts(durations: NDArray[np.uint64]) -> float:
    """The timer's granularity as the record shows it: the greatest common divisor of the durations (of the first ones)."""
    return float(np.gcd.reduce(durations[:CHUNK]))


def find_peaks(durations: NDArray[np.uint64]) -> Peaks:
    """Baseline, scatter and peaks of a record; durations in counts, shape (repetitions,), at least one."""
    blocks = _Blocks(durations)
    levels = blocks.modes()
    baseline = float(np.median(levels))
    step = STEP_SHARE * baseline
    widths, offsets = np.empty(blocks.count), np.empty(blocks.count)
    for _ in range(2):
        for first, last in blocks.chunks():
            part = slice(first // blocks.size, last // blocks.size)
            widths[part], offsets[part] = _scatter(blocks.excess(levels, step, first, last), blocks.size)
        levels = levels + offsets
        width = float(np.median(widths))
        step = max(STEP_WIDTHS * width, STEP_SHARE * baseline)
    baseline = float(np.median(levels))
    least = max(TIMER_STEPS * timer_step_counts(durations), FLOOR * baseline)
    return _collect(blocks, levels, step, baseline, width, least)


def _collect(blocks: _Blocks, levels: Floats, step: float, baseline: float, width: float, least: float) -> Peaks:
    threshold, faint = max(WIDTHS * width, least), max(FAINT_WIDTHS * width, least * FAINT_WIDTHS / WIDTHS)
    found: list[tuple[NDArray[np.intp], Floats, Floats, Floats]] = []
    begin = 0
    for first, last in blocks.chunks():
        end = last if last < blocks.count * blocks.size else blocks.durations.size
        excess = blocks.excess(levels, step, first, end)
        ends = np.cumsum(blocks.durations[first:end])
        above = np.flatnonzero(excess > faint)
        starts = (begin + ends[above] - blocks.durations[first:end][above]).astype(np.float64)
        found.append((above + first, starts, excess[above], np.add.reduceat(excess, np.arange(0, last - first, blocks.size))))
        begin += int(ends[-1])
    at, start, excess, lost = (np.concatenate(column) for column in zip(*found, strict=True))
    return Peaks(
        baseline=baseline,
        width=width,
        threshold=threshold,
        faint=faint,
        repetitions=blocks.durations.size,
        span=float(begin),
        block=blocks.size,
        levels=levels,
        at=at,
        start=start,
        excess=excess,
        lost=lost,
    )
