"""Whether the tick configurations of a run did what they are for, held against a run without them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from cmtnoise.analysis import analyse, median_interval, peaks_of
from cmtnoise.asked import Asked, new_in
from cmtnoise.comparison import Comparison, Pair
from cmtnoise.counted import Counted, by_counts, judged
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.verdict import LEAST_HZ, Verdict, verdicts

RATE_OFF = 0.02  # of a rate that was found in the times
COUNTED_OFF = 0.1  # of one that was counted: interrupts for other timers are among them
WORKED, IN_FORCE, PARTLY, FAILED, UNTOLD = "worked", "in force", "worked in part", "did not work", "cannot be told"


@dataclass(frozen=True)
class Worked:
    """One tick configuration that run B has and run A has not. ``verdict`` is ``worked``, ``in force`` (the effect is told, and
    has no right value), ``worked in part`` (the effect is there, and not all is in force), ``did not work`` or
    ``cannot be told``."""

    subject: str
    verdict: str
    shortfall: str
    effect: str

    def words(self) -> str:
        force = f"not in force: {self.shortfall}" if self.shortfall else "in force"
        judged = self.verdict.upper() if self.verdict in (PARTLY, FAILED) else self.verdict
        parts = [force] if self.verdict == IN_FORCE else [judged, force]
        return f"{self.subject}: {'; '.join(parts)}; {self.effect}"

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def _per_second(counted: Counted) -> str:
    if counted.interrupts is None:
        return "not counted"
    return f"{counted.interrupts / counted.span_s:.1f} a second ({counted.interrupts} in {counted.span_s:.3g} s)"


def _records_of(pairs: Sequence[Pair], run_hz: float, side: str) -> Counted:
    return judged([record for pair in pairs for record in getattr(pair, side)], run_hz)


def _hz(run: Run) -> float:
    hz = run.fact("tick", "hz")
    return float(hz) if hz.isdecimal() and 0 < int(hz) < 10**6 else LEAST_HZ


def _stopped(c: Comparison, strands: frozenset[int]) -> tuple[bool | None, str]:
    """Timer interrupts of the strands, by the OS's own count: those are true where times are not."""
    said, stopped = [], []
    for strand in sorted(strands):
        pairs = [pair for pair in c.pairs if pair.strand_b == strand]
        if not pairs:
            continue
        a, b = _records_of(pairs, _hz(c.a), "a"), _records_of(pairs, _hz(c.b), "b")
        stopped.append({"stopped": True, "ticks": False}.get(b.kind))
        ending = {"stopped": "its tick is stopped", "ticks": "it still ticks"}.get(b.kind, b.words)
        said.append(f"strand {strand}: timer interrupts {_per_second(a)} in A, {_per_second(b)} in B: {ending}")
    if not said:
        return None, "none of these strands was measured in both runs"
    told = None if None in stopped else all(stopped)
    return (False if False in stopped else told), "; ".join(said)


def _rate(found: Sequence[Verdict]) -> tuple[float | None, bool]:
    """The median rate of ticks of a run's strands, and whether it was found in the times; else it was counted."""
    for rates, timed in (
        ([v.rate_hz for v in found if v.kind == "ticks" and v.rate_hz], True),
        ([v.counted_hz for v in found if v.kind == "ticks" and v.counted_hz], False),
    ):
        if rates:
            return sorted(rates)[len(rates) // 2], timed
    return None, False


def _at_rate(c: Comparison, wanted_hz: float) -> tuple[bool | None, str]:
    words = []
    for name, run in (("A", c.a), ("B", c.b)):
        rate, timed = _rate(verdicts(run))
        told = "no tick was found" if rate is None else f"{rate:.1f} Hz {'found' if timed else 'counted'}"
        words.append(f"{told} in {name}")
    effect = f"ticks: {', '.join(words)}, {wanted_hz:g} wanted"
    if rate is None or (by_counts(c.b) and not timed):  # an emulated strand that its host keeps waiting loses ticks
        return None, effect
    return abs(rate / wanted_hz - 1) < (RATE_OFF if timed else COUNTED_OFF), effect


def _costs(records: Sequence[Record], hz: float) -> NDArray[np.float64] | None:
    """What each tick found cost, µs: of the source at the OS's rate, else of each record's main one; None where one has none."""
    found = []
    for record in records:
        sources = analyse(record).sources
        if not sources:
            return None
        source = next((one for one in sources if abs(one.rate_hz / hz - 1) < RATE_OFF), sources[0])
        peaks = peaks_of(record)
        found.append(peaks.excess[np.isin(peaks.at, source.peaks)] * (1e6 / record.timer_hz))
    return np.concatenate(found)


def _cost(c: Comparison) -> str:
    """The median, which the few first ticks after a boot do not move as they do the mean."""
    if by_counts(c.a) or by_counts(c.b):
        return "what a tick costs cannot be told: times are the emulator's own"
    costs_a = _costs([record for pair in c.pairs for record in pair.a], _hz(c.a))
    costs_b = _costs([record for pair in c.pairs for record in pair.b], _hz(c.b))
    if costs_a is None or costs_b is None:
        return "what a tick costs cannot be told: not every record of both runs has a periodic source"
    a, b = median_interval(costs_a), median_interval(costs_b)
    change = b.value - a.value
    # Of a difference, from the intervals of both (Zou and Donner, Statistics in Medicine 27, 2008).
    low = change - math.hypot(b.value - b.low, a.high - a.value)
    high = change + math.hypot(b.high - b.value, a.value - a.low)
    values = f"median {a.value:.4g} µs in A, {b.value:.4g} µs in B; 95 %: {low:+.3g} to {high:+.3g}"
    if low <= 0 <= high:
        return f"what a tick costs shows no difference ({values})"
    return f"a tick costs {change:+.3g} µs ({values})"


def _worked(c: Comparison, one: Asked) -> Worked:
    effect: tuple[bool | None, str]
    hz = one.tick.expect.get("hz", "")
    if "nohz_full" in one.tick.expect:
        effect = _stopped(c, one.strands)
    elif hz.isdecimal() and int(hz):
        effect = _at_rate(c, float(hz))
    else:
        verdict = FAILED if one.unmet else IN_FORCE if one.tick.expect else UNTOLD
        return Worked(one.subject, verdict, one.shortfall(), _cost(c))
    did, words = effect
    in_force = {True: WORKED, False: FAILED, None: UNTOLD}[did]
    in_part = PARTLY if did else FAILED
    return Worked(one.subject, in_part if one.unmet else in_force, one.shortfall(), words)


def worked(c: Comparison) -> list[Worked]:
    """For each tick configuration that B was asked for or has in force, and A has not: whether it worked."""
    return [_worked(c, one) for one in new_in(c.b, c.a)]
