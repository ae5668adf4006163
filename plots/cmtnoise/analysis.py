"""What a record tells: its baseline, its peaks, the share of time lost, and the periodic sources among the peaks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmtnoise.baseline import Peaks, find_peaks
from cmtnoise.occurrences import Train
from cmtnoise.periodic import find_trains
from cmtnoise.record import Record

RESAMPLES, GROUPS = 400, 200
SEED = 20260101


@dataclass(frozen=True)
class Interval:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class PeriodicSource:
    """One periodic source of noise, such as the timer tick. ``se`` is one standard error.

    ``phase_s`` is the time of its first occurrence in the record from the first stamp, by the fit: by its error it may be
    a little below 0, or above 1 / rate. ``expected`` occurrences fall into the record, ``found`` of them show, ``missed`` do not.
    ``cost_us`` is the median cost of those found, ``share`` that cost as a share of the baseline. ``peaks`` holds their
    repetitions, ascending, shape (found,).
    """

    rate_hz: float
    rate_se_hz: float
    phase_s: float
    phase_se_s: float
    expected: int
    found: int
    missed: int
    cost_us: Interval
    cost_p95_us: float
    share: float
    peaks: NDArray[np.intp]


@dataclass(frozen=True)
class Analysis:
    """The analysis of one record; times in microseconds.

    ``threshold_us`` is the excess above which a repetition is a peak. ``block_baseline_us``, shape (blocks,), is the baseline in
    the middle of each block of ``block`` repetitions. ``peaks`` and ``excess_us``, shape (peaks,), are the peak repetitions,
    ascending, and their excess over the baseline there; repetitions in which a periodic source was found count as peaks even
    where they stand out less. ``sources``: the one with most evidence first, none where nothing is periodic. ``source_of``,
    shape (peaks,), is the index into them, -1 for a peak of no source; ``extra`` counts those. ``noise_share`` is the share of
    the record's time above the baseline, ``drift_share`` how much longer it lasted than at its quietest baseline.
    """

    record: Record
    baseline_us: float
    width_us: float
    threshold_us: float
    block: int
    block_baseline_us: NDArray[np.float64]
    peaks: NDArray[np.intp]
    excess_us: NDArray[np.float64]
    noise_share: Interval
    drift_share: float
    sources: tuple[PeriodicSource, ...]
    extra: int
    source_of: NDArray[np.intp]


def peaks_of(record: Record) -> Peaks:
    """Baseline and peaks of the record, in counts; computed once."""
    found = record.kept.get("peaks")
    if found is None:
        found = record.kept["peaks"] = find_peaks(record.duration_counts)
    assert isinstance(found, Peaks)
    return found


def median_interval(values: NDArray[np.float64]) -> Interval:
    """The median and the order statistics that hold it with 95 % (the bootstrap's distribution of a median, in closed form)."""
    ordered = np.sort(values)
    reach = 0.98 * math.sqrt(ordered.size)
    low = max(0, math.floor(ordered.size / 2 - reach))
    high = min(ordered.size - 1, math.ceil(ordered.size / 2 + reach) - 1)
    return Interval(float(np.median(ordered)), float(ordered[low]), float(ordered[max(high, low)]))


def in_pieces(values: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Sums over at most so many pieces of a record, as even as can be."""
    return np.array([piece.sum() for piece in np.array_split(values, min(most, values.size))])


def share_interval(lost: NDArray[np.float64], span: float) -> Interval:
    """The share of the time that was lost, with an interval by bootstrap over pieces of the record (seeded: the same input
    gives the same output)."""
    pieces = in_pieces(lost, GROUPS)
    drawn = np.random.default_rng(SEED).integers(0, pieces.size, (RESAMPLES, pieces.size))
    shares = np.clip(pieces[drawn].sum(axis=1) / span, 0, None)
    low, high = np.quantile(shares, (0.025, 0.975))
    return Interval(max(0.0, float(pieces.sum()) / span), float(low), float(high))


def _source(train: Train, peaks: Peaks, record: Record) -> PeriodicSource:
    unit_s = peaks.baseline / record.timer_hz
    costs = peaks.excess[train.members] * (1e6 / record.timer_hz)
    cost = median_interval(costs)
    rate = 1 / (train.period * unit_s)
    return PeriodicSource(
        rate_hz=rate,
        rate_se_hz=rate * train.period_se / train.period,
        phase_s=train.phase * unit_s,
        phase_se_s=train.phase_se * unit_s,
        expected=train.expected,
        found=train.members.size,
        missed=train.expected - train.members.size,
        cost_us=cost,
        cost_p95_us=float(np.quantile(costs, 0.95)),
        share=cost.value / (unit_s * 1e6),
        peaks=peaks.at[train.members],
    )


def analyse(record: Record) -> Analysis:
    """The record's analysis; computed once for a record."""
    found = record.kept.get("analysis")
    if found is None:
        found = record.kept["analysis"] = _analyse(record)
    assert isinstance(found, Analysis)
    return found


def _analyse(record: Record) -> Analysis:
    peaks = peaks_of(record)
    trains = find_trains(peaks, record.timer_hz)
    owner = np.full(peaks.at.size, -1, np.intp)
    for number, train in enumerate(trains):
        owner[train.members] = number
    chosen = peaks.is_peak | (owner >= 0)
    us = 1e6 / record.timer_hz
    quietest = float(np.quantile(peaks.levels, 0.05))
    return Analysis(
        record=record,
        baseline_us=peaks.baseline * us,
        width_us=peaks.width * us,
        threshold_us=peaks.threshold * us,
        block=peaks.block,
        block_baseline_us=peaks.levels * us,
        peaks=peaks.at[chosen],
        excess_us=peaks.excess[chosen] * us,
        noise_share=share_interval(peaks.lost, peaks.span),
        drift_share=max(0.0, float(np.mean(peaks.levels)) / quietest - 1),
        sources=tuple(_source(train, peaks, record) for train in trains),
        extra=int(np.count_nonzero(owner[chosen] < 0)),
        source_of=owner[chosen],
    )
