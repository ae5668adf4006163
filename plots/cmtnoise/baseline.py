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
CHUNK = 1 << 12  # blocks handled at once: bounds the memory that a long record takes
TIMER_STEPS = 3
STEPS_MOST = 0.01  # of the baseline: the durations of an emulator are so few that what they have in common is no timer step
WIDTHS, FAINT_WIDTHS = 5, 2.5
FLOOR = 5e-4  # of the baseline: a timer that advances in uneven steps shows scatter on one side only
STEP_WIDTHS = 8  # neighbouring blocks that differ by more, and by more than a slope would, have a step between them
NEARLY, SEPARATE = 3, 8  # as dense; away, in widths of the interval
NORMAL = 1.4826  # makes a median distance a standard deviation where the scatter is normal


@dataclass(frozen=True)
class Peaks:
    """The baseline and the peaks of one record, in counts.

    ``levels`` has shape (blocks,): the baseline in the middle of each block of ``block`` repetitions. ``at``, ``start`` and
    ``excess`` have shape (found,): repetitions, ascending, when each began, and how far each lies above the baseline. They hold
    also what stands out less, which scatter does now and then; those above ``threshold`` are the peaks, ``is_peak``.
    ``lost`` has shape (blocks,): the time above the baseline. ``span`` is the whole record's time.
    """

    baseline: float
    width: float
    threshold: float
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
    disturbances differ from each other. Where a clearly separate interval further down is nearly as dense, that one counts:
    every second repetition may hold the same tick. (Shorth with a fraction of 1/4: Andrews et al., Robust Estimates of
    Location, 1972.)
    """
    size = ordered.shape[1]
    held = max(1, (size + 3) // 4)
    widths = ordered[:, held - 1 :] - ordered[:, : size - held + 1]
    middles = (ordered[:, (held - 1) // 2 :][:, : widths.shape[1]] + ordered[:, held // 2 :][:, : widths.shape[1]]) / 2
    rows = np.arange(ordered.shape[0])
    at = np.argmin(widths, axis=1)
    dense = widths[rows, at][:, None] * NEARLY
    separate = middles[rows, at][:, None] - middles > np.maximum(SEPARATE * dense, 1)
    at = np.argmax(((widths <= dense) & separate) | (np.arange(widths.shape[1]) == at[:, None]), axis=1)
    found: Floats = middles[rows, at]
    return found


class _Blocks:
    """Blocks of a record: BLOCK repetitions each; the last one overlaps where they do not divide the record, and a short record
    is one block."""

    def __init__(self, durations: NDArray[np.uint64]) -> None:
        self.durations = durations
        self.size = min(BLOCK, durations.size)
        firsts = np.arange(0, durations.size - self.size + 1, self.size)
        if firsts[-1] + self.size < durations.size:
            firsts = np.append(firsts, durations.size - self.size)
        self.count = firsts.size
        self.middles: Floats = (firsts + self.size / 2).astype(np.float64)

    def chunks(self) -> Iterator[tuple[slice, slice]]:
        """Pieces of the record that hold whole blocks: which repetitions, which blocks."""
        whole = self.durations.size // self.size
        for first in range(0, whole, CHUNK):
            last = min(first + CHUNK, whole)
            yield slice(first * self.size, last * self.size), slice(first, last)
        if whole < self.count:
            yield slice(self.durations.size - self.size, self.durations.size), slice(whole, self.count)

    def modes(self) -> Floats:
        out = np.empty(self.count)
        for part, blocks in self.chunks():
            ordered = np.sort(self.durations[part].reshape(-1, self.size), axis=1)
            out[blocks] = densest(ordered.astype(np.float64))
        return out

    def excess(self, levels: Floats, steps: NDArray[np.bool_], part: slice) -> Floats:
        """Duration less baseline of some repetitions, from the begin of a block. Between the middles of two blocks the baseline
        is a straight line; beyond the outermost ones it goes on as it was. Across a step it goes on from either side, whichever
        fits better."""
        values: Floats = self.durations[part].astype(np.float64)
        if self.count == 1:
            values -= levels[0]
            return values
        line = _Line(self.middles, levels, steps)
        first = part.start // self.size
        last = min(first + values.size // self.size, self.durations.size // self.size)
        whole = (last - first) * self.size if part.start == first * self.size else 0
        if whole:
            line.take_blocks(values[:whole].reshape(-1, self.size), first)
        if whole < values.size:
            line.take(values[whole:], np.arange(part.start + whole, part.stop) + 0.5)
        return values


class _Line:
    """The baseline of a whole record. Piece j of it lies between the middles of blocks j and j + 1, the outermost pieces reach
    to the ends. ``before`` and ``after`` are the slopes with which a piece is entered and left: its own, or across a step those
    of the nearest pieces without one."""

    def __init__(self, middles: Floats, levels: Floats, steps: NDArray[np.bool_]) -> None:
        self.middles, self.levels, self.steps = middles, levels, steps
        self.before, self.after = _slopes(np.diff(levels) / np.diff(middles), steps)
        self.near_step = steps.copy()
        self.near_step[1:] |= steps[:-1]
        self.near_step[:-1] |= steps[1:]

    def take_blocks(self, values: Floats, first: int) -> None:
        """Takes the baseline from whole blocks in place, shape (blocks, size); the first one is block ``first``."""
        count, size = values.shape
        pieces = self.before.size
        left = np.clip(np.arange(first - 1, first + count - 1), 0, pieces - 1)  # piece of a block's first half
        right = np.clip(np.arange(first, first + count), 0, pieces - 1)
        values -= self.levels[first : first + count, None]
        places = np.arange(size) + 0.5 - size / 2
        half = size // 2
        crossed = np.flatnonzero(self.near_step[left] | self.near_step[right])
        raw = values[crossed] + self.levels[first + crossed, None]
        values[:, :half] -= self.after[left, None] * places[:half]
        values[:, half:] -= self.before[right, None] * places[half:]
        if crossed.size:
            at = self.middles[first + crossed, None] + places
            self.take(raw.reshape(-1), at.reshape(-1))
            values[crossed] = raw.reshape(-1, size)

    def take(self, values: Floats, places: Floats) -> None:
        """Takes the baseline from any repetitions in place. A block that holds a step has the level of either side, so that
        across a step the level beyond the block counts too."""
        piece = np.clip(np.searchsorted(self.middles, places, side="right") - 1, 0, self.before.size - 1)
        best = values - self._level(piece, self.before[piece], places)
        for to_block, over, slopes in ((1, 0, self.after), (-1, -1, self.before), (2, 1, self.after)):
            across = np.clip(piece + over, 0, self.steps.size - 1)
            block = np.clip(piece + to_block, 0, self.levels.size - 1)
            other = values - self._level(block, slopes[across], places)
            best = np.where(self.steps[across] & (np.abs(other) < np.abs(best)), other, best)
        values[:] = best

    def _level(self, block: NDArray[np.intp], slope: Floats, places: Floats) -> Floats:
        level: Floats = self.levels[block] + slope * (places - self.middles[block])
        return level


def _slopes(slope: Floats, steps: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The slope with which each piece is entered and left: its own, or that of the nearest piece before or after a step."""
    at = np.arange(slope.size)
    if not steps.any():
        return slope, slope
    if steps.all():
        return np.zeros_like(slope), np.zeros_like(slope)
    last = np.maximum.accumulate(np.where(steps, -1, at))
    next_ = np.minimum.accumulate(np.where(steps, slope.size, at)[::-1])[::-1]
    before, after = np.where(last < 0, next_, last), np.where(next_ == slope.size, last, next_)
    return slope[before], slope[after]


def _steps(levels: Floats, width: float) -> NDArray[np.bool_]:
    """Where the baseline jumps from one block to the next: by more than scatter, and unlike the blocks beside."""
    edges = np.diff(levels)
    if edges.size < 2:
        return np.abs(edges) > STEP_WIDTHS * width
    before, after = np.concatenate((edges[1:2], edges[:-1])), np.concatenate((edges[1:], edges[-2:-1]))
    unlike = np.minimum(np.abs(edges - before), np.abs(edges - after))
    found: NDArray[np.bool_] = unlike > np.maximum(STEP_WIDTHS * width, np.abs(edges) / 2)
    return found


def _scatter(residuals: Floats, size: int, width: float) -> tuple[Floats, Floats]:
    """Of each block: the median distance below the baseline, and the median of what lies within 4 widths of it, its own or the
    record's."""
    ordered = np.sort(residuals.reshape(-1, size), axis=1)
    rows = np.arange(ordered.shape[0])
    below = np.maximum(np.count_nonzero(ordered <= 0, axis=1), 1)
    widths = NORMAL * np.abs(np.minimum(ordered[rows, below // 2], 0))
    near = 4 * np.maximum(widths, width)[:, None]
    low = np.count_nonzero(ordered < -near, axis=1)
    high = np.maximum(np.count_nonzero(ordered <= near, axis=1), low + 1)
    return widths, ordered[rows, np.minimum((low + high) // 2, size - 1)]


def timer_step_counts(durations: NDArray[np.uint64]) -> float:
    """The timer's granularity as the record shows it: the greatest common divisor of the durations (of the first ones)."""
    return float(np.gcd.reduce(durations[: CHUNK * BLOCK]))


def find_peaks(durations: NDArray[np.uint64]) -> Peaks:
    """Baseline, scatter and peaks of a record; durations in counts, shape (repetitions,), at least one."""
    blocks = _Blocks(durations)
    levels = blocks.modes()
    baseline = float(np.median(levels))
    widths, offsets = np.empty(blocks.count), np.empty(blocks.count)
    width = FLOOR * baseline
    for _ in range(2):
        steps = _steps(levels, width)
        for part, these in blocks.chunks():
            widths[these], offsets[these] = _scatter(blocks.excess(levels, steps, part), blocks.size, width)
        levels = levels + offsets
        width = float(np.median(widths))
    baseline = float(np.median(levels))
    steps_least = max(TIMER_STEPS, min(TIMER_STEPS * timer_step_counts(durations), STEPS_MOST * baseline))  # a count is a step
    least = max(steps_least, FLOOR * baseline)
    return _collect(blocks, levels, baseline, width, least)


def _collect(blocks: _Blocks, levels: Floats, baseline: float, width: float, least: float) -> Peaks:
    steps = _steps(levels, max(width, least / WIDTHS))
    threshold, faint = max(WIDTHS * width, least), max(FAINT_WIDTHS * width, least * FAINT_WIDTHS / WIDTHS)
    found: list[tuple[NDArray[np.intp], Floats, Floats, Floats]] = []
    begin = 0
    for first in range(0, blocks.durations.size, CHUNK * BLOCK):
        part = slice(first, min(first + CHUNK * BLOCK, blocks.durations.size))
        excess = blocks.excess(levels, steps, part)
        ends = np.cumsum(blocks.durations[part])
        above = np.flatnonzero(excess > faint)
        starts = (begin + ends[above] - blocks.durations[part][above]).astype(np.float64)
        lost = np.add.reduceat(excess, np.arange(0, excess.size, blocks.size))
        found.append((above + first, starts, excess[above], lost))
        begin += int(ends[-1])
    at, start, excess, lost = (np.concatenate(column) for column in zip(*found, strict=True))
    return Peaks(
        baseline=baseline,
        width=width,
        threshold=threshold,
        repetitions=blocks.durations.size,
        span=float(begin),
        block=blocks.size,
        levels=levels,
        at=at,
        start=start,
        excess=excess,
        lost=lost,
    )
