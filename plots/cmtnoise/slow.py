"""Slow repetitions of a record, and trains of occurrences laid over them.

All times are in units of the baseline (about the quantum), from the record's first stamp. A train has its occurrences at
``phase + turn * period``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EXPECTED_LEAST = 5  # fewer occurrences in a record show no period
STALL = 0.5  # excess, in repetitions, from which on a repetition hides what else is due in it


@dataclass(frozen=True)
class Slow:
    """Slow repetitions: the middle of each, its excess, and the time and the number of repetitions they come from."""

    middle: Floats
    excess: Floats
    span: float
    repetitions: float
    per_count: float

    def only(self, keep: NDArray[np.intp] | NDArray[np.bool_]) -> Slow:
        return Slow(self.middle[keep], self.excess[keep], self.span, self.repetitions, self.per_count)

    def above(self, least: float) -> Slow:
        return self.only(self.excess > least)

    def until(self, span: float) -> Slow:
        count = int(np.searchsorted(self.middle, span))
        part = Slow(self.middle[:count], self.excess[:count], span, self.repetitions, self.per_count)
        return replace(part, repetitions=max(1.0, self.repetitions * part.seen / self.seen))

    @cached_property
    def excess_share(self) -> Floats:
        """Excess in units of the baseline."""
        return self.excess * self.per_count

    @cached_property
    def seen(self) -> float:
        """The time less that of stalls, in which nothing else can be seen."""
        stalls = self.excess_share > STALL
        left = self.span - (self.middle[stalls] - 0.5)  # the last one may go on beyond
        return self.span - float(np.minimum(self.excess_share[stalls], left).sum())

    @property
    def chance(self) -> float:
        """Of a repetition to be slow."""
        return min(self.middle.size / self.repetitions, 0.999)


def line(turns: Floats, times: Floats) -> tuple[float, float]:
    """Slope and value at 0 of the least-squares line."""
    mean_turn, mean_time = turns.sum() / turns.size, times.sum() / times.size
    apart = turns - mean_turn
    slope = float((apart * (times - mean_time)).sum() / (apart * apart).sum())  # no BLAS: its threads cost more than they save
    return slope, float(mean_time - slope * mean_turn)


def _stalled(slow: Slow, period: float, phase: float, expected: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and last (not included) of the turns that are due while the strand stands still for long, of each such time:
    whether they came cannot be seen."""
    stalls = np.flatnonzero(slow.excess_share > STALL)
    begins = slow.middle[stalls] - 0.5
    firsts = np.clip(np.ceil((begins - phase) / period), 0, expected).astype(np.intp)
    lasts = np.clip(np.ceil((begins + 1 + slow.excess_share[stalls] - phase) / period), 0, expected).astype(np.intp)
    return firsts, lasts


def hidden(slow: Slow, period: float, phase: float, expected: int) -> NDArray[np.bool_]:
    """Which turns are stalled."""
    firsts, lasts = _stalled(slow, period, phase, expected)
    change = np.bincount(firsts, minlength=expected + 1) - np.bincount(lasts, minlength=expected + 1)
    unseen: NDArray[np.bool_] = np.cumsum(change)[:expected] > 0
    return unseen


def hidden_count(slow: Slow, period: float, phase: float, expected: int, found: NDArray[np.intp]) -> int:
    """How many turns are stalled and not among those found. A stall may hold more turns than memory has room for."""
    firsts, lasts = _stalled(slow, period, phase, expected)
    if not firsts.size:
        return 0
    stall = np.searchsorted(firsts, found, side="right") - 1
    seen = np.count_nonzero((stall >= 0) & (found < lasts[stall]))
    return int((lasts - firsts).sum()) - int(seen)
