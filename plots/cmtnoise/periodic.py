"""Periodic sources among the slow repetitions of a record: period and phase with no prior on the rate.

What gives a timer tick away is not that most slow repetitions are ticks, but that nearly every predicted position is slow. The
source with most evidence is searched (``search.py``), its occurrences are taken (``occurrences.py``), and the search goes on
among what is left.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cmtnoise.baseline import Peaks
from cmtnoise.occurrences import Train, extend, finish
from cmtnoise.search import RATE_MOST, Trials, search, spectrum
from cmtnoise.slow import EXPECTED_LEAST, Slow

RATE_MOST_HZ = 5000.0
SOURCES_MOST = 6
SEGMENT = 1 << 14  # repetitions searched at once
LONG_STALL, SEARCHED_MOST = 1000, 4 * SEGMENT  # in repetitions: the search reaches beyond such stalls, up to so much time
FOUND_LEAST = 0.62  # of the expected occurrences that must be found in the whole record


def _searched(slow: Slow) -> float:
    """How far the search goes: SEGMENT repetitions, and the long stalls among them (of a halted machine) if it can."""
    stalls = slow.excess_share[slow.excess_share > LONG_STALL]
    lost = np.cumsum(stalls)
    count = int(np.searchsorted(slow.middle[slow.excess_share > LONG_STALL] - lost + stalls, SEGMENT))
    reach = SEGMENT + (float(lost[count - 1]) if count else 0.0)
    return min(slow.span, reach if reach <= SEARCHED_MOST else float(SEGMENT))


def find_trains(peaks: Peaks, timer_hz: float) -> list[Train]:
    """Periodic sources, the one with most evidence first; members index ``peaks.at``."""
    unit = peaks.baseline
    slow = Slow(peaks.start / unit + 0.5, peaks.excess, peaks.span / unit, float(peaks.repetitions), 1 / unit)
    part = slow.until(_searched(slow))
    trials = Trials(part.span, min(RATE_MOST, RATE_MOST_HZ * 1.01 * unit / timer_hz), spectrum(part).size)
    left = np.arange(slow.middle.size)
    trains: list[Train] = []
    for _ in range(SOURCES_MOST):
        if left.size < EXPECTED_LEAST - 1 or not trials.rates.size:
            break
        train = _next_train(slow.only(left), peaks.threshold, trials, part.span)
        if train is None:
            break
        if train.members.size >= FOUND_LEAST * train.expected:
            trains.append(replace(train, members=left[train.members]))
        left = np.delete(left, train.members)
    return trains


def _next_train(slow: Slow, threshold: float, trials: Trials, span: float) -> Train | None:
    found = search(slow.until(span), threshold, trials)
    if found is None:
        return None
    period, phase, level = found
    least = float(level.excess.min()) * 0.999
    return finish(slow, *extend(slow.above(least), period, phase, span), threshold)
