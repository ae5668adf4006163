"""The occurrences of a periodic source that was found: followed through the record, a repetition for each, the fit sharpened."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmtnoise.slow import EXPECTED_LEAST, Floats, Slow, hidden_count, line

LEEWAY_MOST = 0.1  # of a repetition, for the error of the fit
EDGE_MOST = 0.5  # the same at the record's edges, where few occurrences leave the phase uncertain
SHARP, OUTSIDE_MOST = 0.05, 4.0  # of a repetition; in units of it
UNIFORM_MOST, SHARPEN_MOST = 0.36, 300  # scatter of occurrences within their repetitions is 0.29; more is jitter
BESIDE = 1.5  # repetitions
REACH_MOST = 20  # repetitions by which an occurrence may be late


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


def extend(slow: Slow, period: float, phase: float, span: float) -> tuple[float, float]:
    """The train followed from the searched part to the whole record, each time twice as far."""
    while True:
        part = slow.until(min(span, slow.span))
        for _ in range(2):
            turns = np.rint((part.middle - phase) / period)
            keep = np.abs(part.middle - phase - turns * period) < min(0.7, period / 2)
            if np.unique(turns[keep]).size >= EXPECTED_LEAST - 1:
                period, phase = line(turns[keep], part.middle[keep])
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


def _first(slow: Slow, period: float, phase: float, leeway: float = LEEWAY_MOST) -> float:
    """The phase of the first occurrence in the record. Where the fit has one so near the first stamp that it may be on either
    side, the first repetition tells: it is slow if the occurrence was in it."""
    phase %= period
    if slow.middle[0] < 1:
        return phase - period if period - phase < leeway else phase
    return phase + period if phase < leeway else phase


def _due(slow: Slow, period: float, phase: float, leeway: float = LEEWAY_MOST) -> int:
    """How many occurrences are due in the record. Of one so near the last stamp that it may be on either side, the last
    repetition tells."""
    slow_at_last = slow.middle[-1] + 0.5 + slow.excess_share[-1] > slow.span - 0.5
    return max(1, math.ceil((slow.span + (leeway if slow_at_last else -leeway) - phase) / period))


def _members(slow: Slow, period: float, phase: float, threshold: float) -> tuple[NDArray[np.intp], NDArray[np.intp], int]:
    """For each position the slow repetition that holds it, or the nearest within tolerance: indices, their turns, expected."""
    expected = _due(slow, period, phase)
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


def _nearest(slow: Slow, period: float, phase: float) -> tuple[Floats, Floats]:
    """The middle of the repetition nearest to each position, and its turn. One beside the position's own may hold the occurrence:
    where the period is close to a whole number of repetitions, a train that is a little off fits most of a record as well."""
    turns = np.rint((slow.middle - phase) / period)
    off = np.abs(slow.middle - phase - turns * period)
    order = np.lexsort((off, turns))
    order = order[off[order] < min(BESIDE, period / 2)]
    chosen = order[np.unique(turns[order], return_index=True)[1]]
    return slow.middle[chosen], turns[chosen]


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


def finish(slow: Slow, period: float, phase: float, threshold: float) -> Train | None:
    for _ in range(2):
        numbered_from = phase = _first(slow, period, phase)
        members, turns, expected = _members(slow, period, phase, threshold)
        times = slow.middle[members]
        on_time = np.abs(times - phase - turns * period) < 0.75
        if np.count_nonzero(on_time) < EXPECTED_LEAST - 1:
            return None
        k = turns[on_time].astype(np.float64)
        period, phase = line(k, times[on_time])
        spread = math.sqrt(float(np.mean((times[on_time] - phase - k * period) ** 2)))
        apart = k - k.mean()
        period_se = max(spread, 0.29) / math.sqrt(float(apart @ apart))
        phase_se = max(spread, 0.29) / math.sqrt(k.size) + period_se * float(k.mean())
        if spread < UNIFORM_MOST and k.size <= SHARPEN_MOST:
            near, k = _nearest(slow.above(0.5 * float(np.median(slow.excess[members]))), period, phase)
            period, phase, period_se, phase_se = _sharpen(k, near - 0.5, period, phase)
    leeway = min(max(LEEWAY_MOST, 3 * phase_se), EDGE_MOST, 0.25 * period)
    phase = _first(slow, period, phase, leeway)
    expected = _due(slow, period, phase, leeway)
    turns = turns + round((numbered_from - phase) / period)
    inside = (turns >= 0) & (turns < expected)
    members, turns = members[inside], turns[inside]
    expected -= hidden_count(slow, period, phase, expected, turns)
    return Train(period, phase, period_se, phase_se, expected, members, turns)
