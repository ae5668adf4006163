"""The search for a periodic source among slow repetitions: candidates from the spectrum, judged in time.

Candidates come from the harmonic sum of the spectrum of the slow repetitions (an impulse train has all its harmonics, noise has
none), and each is judged in time: of the positions that it predicts, how many are slow, against how many would be by chance (the
logarithm of the likelihood ratio). Chance must not explain it even for the best of all periods and phases that were tried.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from cmtnoise.slow import EXPECTED_LEAST, Floats, Slow, hidden, line

RATE_MOST = 0.52  # a repetition: at one occurrence in two, every repetition may be hit
HIT_LEAST = 0.6  # of the predicted positions that must be slow
FALSE_ALARM = 2e-4  # a record, over everything that was tried
HARMONICS_MOST = 32
CANDIDATES = 3
WINDOW = 1.2  # an occurrence lies anywhere within its repetition
MULTIPLES = (1.0, 2.0, 3.0, 4.0, 5.0, 0.5, 1 / 3, 0.25, 0.2, 1.5, 2 / 3)


def levels(slow: Slow, threshold: float) -> list[Slow]:
    """The slow repetitions from several thresholds up: occurrences may cost more, or less, than most other noise."""
    peaks = slow.above(threshold)
    chosen = [slow, peaks]
    if peaks.middle.size:
        chosen += [slow.above(float(cut)) for cut in np.quantile(peaks.excess, (0.5, 0.75, 0.9))]
    sizes: dict[int, Slow] = {level.middle.size: level for level in chosen}
    return [level for size, level in sizes.items() if size >= EXPECTED_LEAST - 1 and level.chance < 0.6]


def spectrum(slow: Slow) -> Floats:
    """Power of the slow repetitions at rates from 0 to 1; chance has mean 1."""
    bins = max(2, math.ceil(2 * slow.span))
    series = np.bincount(np.minimum((2 * slow.middle).astype(np.intp), bins - 1), minlength=bins).astype(np.float64)
    series -= series.mean()
    size = 1 << (2 * bins - 1).bit_length()
    power: Floats = np.abs(np.fft.rfft(series, size)) ** 2
    return power / max(float(power[1:].mean()), 1e-300)


class Trials:
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


def _densest_phase(slow: Slow, period: float, width: float) -> tuple[float, int]:
    """The phase at which most slow repetitions lie within ``width``, and how many those are."""
    folded = np.sort(np.mod(slow.middle, period))
    wrapped = np.concatenate((folded, folded + period))
    ends = np.searchsorted(wrapped, folded + width, side="right")
    at = int(np.argmax(ends - np.arange(folded.size)))
    return float(wrapped[at] + wrapped[ends[at] - 1]) / 2, int(ends[at] - at)


def settle(slow: Slow, period: float) -> tuple[float, float] | None:
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
        period, phase = line(turns[keep], slow.middle[keep])
        if period < 1.5:
            return None
    return period, phase % period


def _evidence(slow: Slow, period: float, phase: float) -> float:
    """Logarithm of how much likelier the train makes its positions than chance does; -inf where they are not slow throughout."""
    turns = max(1, math.ceil((slow.span - phase) / period))
    nearest = np.rint((slow.middle - phase) / period).astype(np.intp)
    near = np.abs(slow.middle - phase - nearest * period) <= min(WINDOW / 2, period / 2)
    hit, due = np.zeros(turns, np.bool_), np.ones(turns, np.bool_)
    hit[nearest[near & (nearest >= 0) & (nearest < turns)]] = True
    due[hidden(slow, period, phase, turns) & ~hit] = False
    hits, expected = int(np.count_nonzero(hit)), int(np.count_nonzero(due))
    rate, chance = hits / max(expected, 1), 1 - (1 - slow.chance) ** WINDOW
    if expected < EXPECTED_LEAST or rate < HIT_LEAST or rate <= chance:
        return -math.inf
    parts = 4 if expected >= 16 else 2
    firsts = np.arange(parts) * turns // parts
    dues, likely = np.add.reduceat(due, firsts, dtype=np.intp), min(rate, 0.9)
    if (np.add.reduceat(hit, firsts, dtype=np.intp) < rate * dues - 5 * np.sqrt(dues * likely * (1 - likely))).any():
        return -math.inf  # a burst, not a source that goes on
    missed = expected - hits
    gain = hits * math.log(rate / chance)
    return gain + (missed * math.log((1 - rate) / (1 - chance)) if missed else 0.0)


def _surprise(slow: Slow, period: float) -> float:
    """The evidence that the best of all trains tried reaches by chance once in 1 / FALSE_ALARM records."""
    return math.log(20 * slow.span * period / FALSE_ALARM)


def search(slow: Slow, threshold: float, trials: Trials) -> tuple[float, float, Slow] | None:
    """The train with most evidence: period, phase and the level at which it shows."""
    best: tuple[float, float, float, Slow] | None = None
    for level in levels(slow, threshold):
        for rate in trials.strongest(spectrum(level)):
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


def _judge(level: Slow, period: float) -> tuple[float, float, float] | None:
    """Evidence, period and phase of the best train near a period, None where there is none."""
    settled = settle(level, period)
    if settled is None:
        return None
    evidence = _evidence(level, *settled)
    return None if evidence == -math.inf else (evidence, *settled)
