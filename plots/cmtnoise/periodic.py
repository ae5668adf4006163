"""Periodic sources among the slow repetitions of a record: period and phase with no prior on the rate.

What gives a timer tick away is not that most slow repetitions are ticks, but that nearly every predicted position is slow. So
candidates come from the harmonic sum of the spectrum of the slow repetitions (an impulse train has all its harmonics, noise has
none), and each is judged in time: of the positions that it predicts, how many are slow, against how many would be by chance (the
logarithm of the likelihood ratio). Chance must not explain it even for the best of all periods and phases that were tried. All
times are in units of the baseline (about the quantum), from the record's first stamp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cmtnoise.baseline import Peaks

Floats = NDArray[np.float64]

RATE_MOST_HZ = 5000.0
RATE_MOST = 0.52  # a repetition: at one occurrence in two, every repetition may be hit
SOURCES_MOST = 6
EXPECTED_LEAST = 5  # fewer occurrences in a record show no period
SEGMENT = 1 << 14  # repetitions searched at once
LONG_STALL, SEARCHED_MOST = 1000, 4 * SEGMENT  # in repetitions: the search reaches beyond such stalls, up to so much time
HIT_LEAST = 0.6  # of the predicted positions that must be slow
FOUND_LEAST = 0.5  # of them that must be found in the whole record
FALSE_ALARM = 2e-4  # a record, over everything that was tried
HARMONICS_MOST = 32
CANDIDATES = 3
WINDOW = 1.2  # an occurrence lies anywhere within its repetition
STALL = 0.5  # excess, in repetitions, from which on a repetition hides what else is due in it
LEEWAY_MOST = 0.1  # of a repetition, for the error of the fit
SHARP, OUTSIDE_MOST = 0.05, 4.0  # of a repetition; in units of it
UNIFORM_MOST, SHARPEN_MOST = 0.36, 300  # scatter of occurrences within their repetitions is 0.29; more is jitter
REACH_MOST = 20  # repetitions by which an occurrence may be late
MULTIPLES = (1.0, 2.0, 3.0, 4.0, 5.0, 0.5, 1 / 3, 0.25, 0.2, 1.5, 2 / 3)


@dataclass(frozen=True)
class Train:
    """Occurrences ``phase + k * period`` in units of the baseline. ``expected`` of them are due in the record while the strand
    does not stand still for long.

    ``members`` are indices into the slow repetitions that were searched, ``turns`` the k of each.
    """

    period: float
    phase: float
    period_se: float
    phase_se: float
    expected: int
    members: NDArray[np.intp]
    turns: NDArray[np.intp]


@dataclass(frozen=True)
class _Slow:
    """Slow repetitions: the middle of each, its excess, and the time and the number of repetitions they come from."""

    middle: Floats
    excess: Floats
    span: float
    repetitions: float
    per_count: float

    def only(self, keep: NDArray[np.intp] | NDArray[np.bool_]) -> _Slow:
        return _Slow(self.middle[keep], self.excess[keep], self.span, self.repetitions, self.per_count)

    def above(self, least: float) -> _Slow:
        return self.only(self.excess > least)

    def until(self, span: float) -> _Slow:
        count = int(np.searchsorted(self.middle, span))
        part = _Slow(self.middle[:count], self.excess[:count], span, self.repetitions, self.per_count)
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


def _levels(slow: _Slow, threshold: float) -> list[_Slow]:
    """The slow repetitions from several thresholds up: occurrences may cost more, or less, than most other noise."""
    peaks = slow.above(threshold)
    chosen = [slow, peaks]
    if peaks.middle.size:
        chosen += [slow.above(float(cut)) for cut in np.quantile(peaks.excess, (0.5, 0.75, 0.9))]
    sizes: dict[int, _Slow] = {level.middle.size: level for level in chosen}
    return [level for size, level in sizes.items() if size >= EXPECTED_LEAST - 1 and level.chance < 0.6]


def _spectrum(slow: _Slow) -> Floats:
    """Power of the slow repetitions at rates from 0 to 1; chance has mean 1."""
    bins = max(2, math.ceil(2 * slow.span))
    series = np.bincount(np.minimum((2 * slow.middle).astype(np.intp), bins - 1), minlength=bins).astype(np.float64)
    series -= series.mean()
    size = 1 << (2 * bins - 1).bit_length()
    power: Floats = np.abs(np.fft.rfft(series, size)) ** 2
    return power / max(float(power[1:].mean()), 1e-300)


class _Trials:
    """Rates to try, ascending, so dense that a rate in between loses none of the harmonics that are summed."""

    def __init__(self, span: float, rate_most: float, power_size: int) -> None:
        least, bend = EXPECTED_LEAST / span, RATE_MOST / HARMONICS_MOST
        fine = np.arange(least, min(bend, rate_most), 0.5 / (HARMONICS_MOST * span))
        turn = max(bend, least)
        coarse = turn * np.exp(np.arange(0, max(0.0, math.log(rate_most / turn)), 1 / span))
        self.rates = np.concatenate((fine, coarse))
        self.apart = 2 / span
        self.places: list[NDArray[np.intp]] = []  # of each harmonic in the spectrum, for the rates that have it below RATE_MOST
        self.count = np.zeros(self.rates.size)
        for harmonic in range(1, HARMONICS_MOST + 1):
            some = int(np.searchsorted(self.rates, RATE_MOST / harmonic, side="right"))
            place = np.rint(harmonic * (power_size - 1) * self.rates[:some]).astype(np.intp)
            self.places.append(np.minimum(place, power_size - 1))
            self.count[:some] += 1

    def strongest(self, power: Floats) -> list[float]:
        """The rates whose harmonics stand out most."""
        total = np.zeros(self.rates.size)
        for place in self.places:
            total[: place.size] += power[place]
        strength = (total - self.count) / np.sqrt(self.count)
        found: list[float] = []
        for _ in range(CANDIDATES):
            # Multiples of a low rate have as many of its harmonics as are summed: the lowest of the strong ones is the rate.
            best = int(np.argmax(strength >= 0.8 * strength.max()))
            best += int(np.argmax(strength[best : best + 64] * (self.rates[best : best + 64] < self.rates[best] + self.apart)))
            if strength[best] < 4:
                break
            found.append(float(self.rates[best]))
            strength[np.abs(self.rates - self.rates[best]) < self.apart] = 0
        return found


def _densest_phase(slow: _Slow, period: float, width: float) -> tuple[float, int]:
    """The phase at which most slow repetitions lie within ``width``, and how many those are."""
    folded = np.sort(np.mod(slow.middle, period))
    wrapped = np.concatenate((folded, folded + period))
    ends = np.searchsorted(wrapped, folded + width, side="right")
    at = int(np.argmax(ends - np.arange(folded.size)))
    return float(wrapped[at] + wrapped[ends[at] - 1]) / 2, int(ends[at] - at)


def _line(turns: Floats, times: Floats) -> tuple[float, float]:
    """Slope and value at 0 of the least-squares line."""
    mean_turn, mean_time = turns.sum() / turns.size, times.sum() / times.size
    apart = turns - mean_turn
    slope = float(apart @ (times - mean_time) / (apart @ apart))
    return slope, float(mean_time - slope * mean_turn)


def _settle(slow: _Slow, period: float) -> tuple[float, float] | None:
    """Period and phase that fit the slow repetitions near the densest phase best, None where too few lie there."""
    reach = max(2.0, period / 64)
    phase, there = _densest_phase(slow, period, min(2 * reach, period / 2))
    if there < HIT_LEAST * (slow.seen / period - 1):
        return None
    for narrower in (1.0, 0.7, 0.5, 0.35, 0.25):
        near = max(0.7, reach * narrower)
        turns = np.rint((slow.middle - phase) / period)
        keep = np.abs(slow.middle - phase - turns * period) < min(near, period / 2)
        if np.count_nonzero(keep) < EXPECTED_LEAST - 1 or np.ptp(turns[keep]) < EXPECTED_LEAST - 1:
            return None
        period, phase = _line(turns[keep], slow.middle[keep])
        if period < 1.5:
            return None
    return period, phase % period


def _stalled(slow: _Slow, period: float, phase: float, expected: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and last (not included) of the turns that are due while the strand stands still for long, of each such time:
    whether they came cannot be seen."""
    stalls = np.flatnonzero(slow.excess_share > STALL)
    begins = slow.middle[stalls] - 0.5
    firsts = np.clip(np.ceil((begins - phase) / period), 0, expected).astype(np.intp)
    lasts = np.clip(np.ceil((begins + 1 + slow.excess_share[stalls] - phase) / period), 0, expected).astype(np.intp)
    return firsts, lasts


def _hidden(slow: _Slow, period: float, phase: float, expected: int) -> NDArray[np.bool_]:
    """Which turns are stalled."""
    firsts, lasts = _stalled(slow, period, phase, expected)
    change = np.bincount(firsts, minlength=expected + 1) - np.bincount(lasts, minlength=expected + 1)
    hidden: NDArray[np.bool_] = np.cumsum(change)[:expected] > 0
    return hidden


def _hidden_count(slow: _Slow, period: float, phase: float, expected: int, found: NDArray[np.intp]) -> int:
    """How many turns are stalled and not among those found. A stall may hold more turns than memory has room for."""
    firsts, lasts = _stalled(slow, period, phase, expected)
    if not firsts.size:
        return 0
    stall = np.searchsorted(firsts, found, side="right") - 1
    seen = np.count_nonzero((stall >= 0) & (found < lasts[stall]))
    return int((lasts - firsts).sum()) - int(seen)


def _evidence(slow: _Slow, period: float, phase: float) -> float:
    """Logarithm of how much likelier the train makes its positions than chance does; -inf where they are not slow throughout."""
    turns = max(1, math.ceil((slow.span - phase) / period))
    nearest = np.rint((slow.middle - phase) / period).astype(np.intp)
    near = np.abs(slow.middle - phase - nearest * period) <= min(WINDOW / 2, period / 2)
    hit, due = np.zeros(turns, np.bool_), np.ones(turns, np.bool_)
    hit[nearest[near & (nearest >= 0) & (nearest < turns)]] = True
    due[_hidden(slow, period, phase, turns) & ~hit] = False
    hits, expected = int(np.count_nonzero(hit)), int(np.count_nonzero(due))
    rate, chance = hits / max(expected, 1), 1 - (1 - slow.chance) ** WINDOW
    if expected < EXPECTED_LEAST or rate < HIT_LEAST or rate <= chance:
        return -math.inf
    firsts = np.arange(4 if expected >= 16 else 2) * turns // (4 if expected >= 16 else 2)
    dues, likely = np.add.reduceat(due, firsts, dtype=np.intp), min(rate, 0.9)
    if (np.add.reduceat(hit, firsts, dtype=np.intp) < rate * dues - 5 * np.sqrt(dues * likely * (1 - likely))).any():
        return -math.inf  # a burst, not a source that goes on
    missed = expected - hits
    gain = hits * math.log(rate / chance)
    return gain + (missed * math.log((1 - rate) / (1 - chance)) if missed else 0.0)


def _surprise(slow: _Slow, period: float) -> float:
    """The evidence that the best of all trains tried reaches by chance once in 1 / FALSE_ALARM records."""
    return math.log(20 * slow.span * period / FALSE_ALARM)


def _search(slow: _Slow, threshold: float, trials: _Trials) -> tuple[float, float, _Slow] | None:
    """The train with most evidence: period, phase and the level at which it shows."""
    best: tuple[float, float, float, _Slow] | None = None
    for level in _levels(slow, threshold):
        for rate in trials.strongest(_spectrum(level)):
            found = _judge(level, 1 / rate)
            if found and (best is None or found[0] > best[0]):
                best = (*found, level)
    if best is None:
        return None
    base = best[1]
    for multiple in MULTIPLES[1:]:
        if 1 / trials.rates[-1] <= base * multiple <= slow.span / EXPECTED_LEAST:
            found = _judge(best[3], base * multiple)
            if found and found[0] > best[0]:
                best = (*found, best[3])
    return None if best[0] < _surprise(slow, best[1]) else best[1:]


def _judge(level: _Slow, period: float) -> tuple[float, float, float] | None:
    """Evidence, period and phase of the best train near a period, None where there is none."""
    settled = _settle(level, period)
    if settled is None:
        return None
    evidence = _evidence(level, *settled)
    return None if evidence == -math.inf else (evidence, *settled)


def _extend(slow: _Slow, period: float, phase: float, span: float) -> tuple[float, float]:
    """The train followed from the searched part to the whole record, each time twice as far."""
    while True:
        part = slow.until(min(span, slow.span))
        for _ in range(2):
            turns = np.rint((part.middle - phase) / period)
            keep = np.abs(part.middle - phase - turns * period) < min(0.7, period / 2)
            if np.unique(turns[keep]).size >= EXPECTED_LEAST - 1:
                period, phase = _line(turns[keep], part.middle[keep])
        if span >= slow.span:
            return period, phase % period
        span *= 2


def _tolerance(beyond: Floats, chance: float, expected: int, leeway: float) -> float:
    """How far outside a repetition its occurrence may still be due: as long as more are there than chance brings."""
    reach, step = leeway, 0.25
    while reach < REACH_MOST:
        there = np.count_nonzero((beyond > reach) & (beyond <= reach + step))
        if there < max(1, 0.01 * expected, 4 * chance * step * expected):
            break
        reach += step
    return reach


def _likely(costs: Floats, others: Floats, missing: float) -> NDArray[np.bool_]:
    """Which of the costs found at the positions speak for an occurrence. ``others`` are costs that chance brings, ``missing``
    how many of them are to be expected at positions whose occurrence was lost: where a cost is no commoner at the positions
    than that, it says nothing for an occurrence."""
    if not others.size or missing <= 0 or costs.size < 2 * EXPECTED_LEAST:
        return np.ones(costs.size, np.bool_)
    core = np.quantile(costs, np.linspace(0.05, 0.95, min(20, costs.size // 5) + 1))
    above = core[-1] * np.array([1.25, 2, 4])
    edges = np.unique(np.concatenate(([-np.inf, core[0] / 1.25], core, above, [np.inf])))
    by_chance = np.histogram(others, edges)[0] * (missing / others.size)
    place = np.clip(np.searchsorted(edges, costs, side="right") - 1, 0, edges.size - 2)
    there = np.bincount(place, minlength=edges.size - 1)
    keep: NDArray[np.bool_] = (there > 2 * (by_chance + np.sqrt(by_chance)))[place]
    return keep


def _members(slow: _Slow, period: float, phase: float, threshold: float) -> tuple[NDArray[np.intp], NDArray[np.intp], int]:
    """For each position the slow repetition that holds it, or the nearest within tolerance: indices, their turns, expected."""
    expected = max(1, math.ceil((slow.span - phase) / period))
    turns = np.rint((slow.middle - phase) / period).astype(np.intp)
    due = phase + turns * period - (slow.middle - 0.5)  # from the repetition's begin; it lasts 1 + excess
    early, late = -due, due - 1 - slow.excess_share
    beyond = np.maximum(np.maximum(early, late), 0)
    valid = (turns >= 0) & (turns < expected)
    leeway = min(LEEWAY_MOST, 0.01 + 2 / math.sqrt(expected * 12))
    inside = valid & (beyond < leeway)
    if not inside.any():
        return np.empty(0, np.intp), np.empty(0, np.intp), expected
    strong = valid & (slow.excess > min(threshold, 0.5 * float(np.median(slow.excess[inside]))))
    chance = np.count_nonzero(strong & ~inside) / slow.repetitions
    after, before = (_tolerance(side[strong], chance, expected, leeway) for side in (early, late))
    near = np.flatnonzero(strong & (early <= after) & (late <= before))
    order = near[np.lexsort((-slow.excess[near], beyond[near], turns[near]))]
    members = order[np.unique(turns[order], return_index=True)[1]]
    by_chance = min(1.0, chance * (1 + after + before))
    missing = (expected - members.size) / max(1 - by_chance, 0.1) * by_chance
    members = members[_likely(slow.excess[members], slow.excess[strong & (beyond > max(after, before))], missing)]
    return members, turns[members], expected


def _sharpen(turns: Floats, begins: Floats, period: float, phase: float) -> tuple[float, float, float, float]:
    """Period, phase and their standard errors from what is certain: each occurrence lies within its repetition.

    The mean over all trains near the least-squares one, each weighted by how many occurrences it puts into their
    repetitions; an occurrence outside counts little against a train, so that a wrong one cannot move it far. Sharper than least
    squares, and honest where the period is close to a whole number of repetitions, so that the errors do not average out.
    """
    first, last = turns[0], turns[-1]
    offsets = np.linspace(-1, 1, 49)
    along = ((turns - first) / (last - first))[:, None]
    at = (phase + turns * period - begins)[:, None]
    weights = np.empty((offsets.size, offsets.size))
    for row, offset in enumerate(offsets):
        place = at + offset * (1 - along) + offsets[None, :] * along
        beyond = np.maximum(np.maximum(-place, place - 1), 0)
        weights[row] = -np.minimum(beyond / SHARP, OUTSIDE_MOST).sum(axis=0)
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    begin, end = weights.sum(axis=1), weights.sum(axis=0)
    shift = offsets @ begin, offsets @ end
    slope = (offsets[None, :] - offsets[:, None]) / (last - first)
    start = offsets[:, None] - slope * first
    period_shift = (shift[1] - shift[0]) / (last - first)
    phase_shift = shift[0] - period_shift * first
    grid = (offsets[1] - offsets[0]) / math.sqrt(6)
    period_se = math.hypot(math.sqrt(float((weights * (slope - period_shift) ** 2).sum())), grid / float(last - first))
    phase_se = math.hypot(math.sqrt(float((weights * (start - phase_shift) ** 2).sum())), grid)
    return period + float(period_shift), phase + float(phase_shift), period_se, phase_se


def _finish(slow: _Slow, period: float, phase: float, threshold: float) -> Train | None:
    for _ in range(2):
        members, turns, expected = _members(slow, period, phase, threshold)
        times = slow.middle[members]
        on_time = np.abs(times - phase - turns * period) < 0.75
        if np.count_nonzero(on_time) < EXPECTED_LEAST - 1:
            return None
        k = turns[on_time].astype(np.float64)
        period, phase = _line(k, times[on_time])
        spread = math.sqrt(float(np.mean((times[on_time] - phase - k * period) ** 2)))
        apart = k - k.mean()
        period_se = max(spread, 0.29) / math.sqrt(float(apart @ apart))
        phase_se = max(spread, 0.29) / math.sqrt(k.size) + period_se * float(k.mean())
        if spread < UNIFORM_MOST and k.size <= SHARPEN_MOST:
            period, phase, period_se, phase_se = _sharpen(k, times[on_time] - 0.5, period, phase)
        phase %= period
    expected -= _hidden_count(slow, period, phase, expected, turns)
    if members.size < FOUND_LEAST * expected:
        return None
    return Train(period, phase, period_se, phase_se, expected, members, turns)


def _searched(slow: _Slow) -> float:
    """How far the search goes: SEGMENT repetitions, and the long stalls among them (of a halted machine) if it can."""
    stalls = slow.excess_share[slow.excess_share > LONG_STALL]
    lost = np.cumsum(stalls)
    count = int(np.searchsorted(slow.middle[slow.excess_share > LONG_STALL] - lost + stalls, SEGMENT))
    reach = SEGMENT + (float(lost[count - 1]) if count else 0.0)
    return min(slow.span, reach if reach <= SEARCHED_MOST else float(SEGMENT))


def find_trains(peaks: Peaks, timer_hz: float) -> list[Train]:
    """Periodic sources, the one with most evidence first; members index ``peaks.at``."""
    unit = peaks.baseline
    slow = _Slow(peaks.start / unit + 0.5, peaks.excess, peaks.span / unit, float(peaks.repetitions), 1 / unit)
    part = slow.until(_searched(slow))
    trials = _Trials(part.span, min(RATE_MOST, RATE_MOST_HZ * 1.01 * unit / timer_hz), _spectrum(part).size)
    left = np.arange(slow.middle.size)
    trains: list[Train] = []
    while len(trains) < SOURCES_MOST and left.size >= EXPECTED_LEAST - 1 and trials.rates.size:
        train = _next_train(slow.only(left), peaks.threshold, trials, part.span)
        if train is None:
            break
        trains.append(replace(train, members=left[train.members]))
        left = np.delete(left, train.members)
    return trains


def _next_train(slow: _Slow, threshold: float, trials: _Trials, span: float) -> Train | None:
    found = _search(slow.until(span), threshold, trials)
    if found is None:
        return None
    period, phase, level = found
    least = float(level.excess.min()) * 0.999
    return _finish(slow, *_extend(slow.above(least), period, phase, span), threshold)
