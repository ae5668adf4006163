"""Periodic sources of a strand over all its records: the same source shows in each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cmtnoise.analysis import Analysis, PeriodicSource
from cmtnoise.causes import Causes, causes_of
from cmtnoise.record import RecordError

SAME_RATE = 0.01


@dataclass(frozen=True)
class Family:
    """One periodic source in several records of a strand. ``timer_share`` is the share of its occurrences that hold a timer
    interrupt of the OS, None where no events were traced."""

    sources: tuple[PeriodicSource, ...]
    timer_share: float | None

    @property
    def rate_hz(self) -> float:
        weights = [source.rate_se_hz**-2 for source in self.sources]
        return float(np.average([source.rate_hz for source in self.sources], weights=weights))

    @property
    def rate_se_hz(self) -> float:
        return float(sum(source.rate_se_hz**-2 for source in self.sources) ** -0.5)

    @property
    def cost_us(self) -> float:
        return float(np.median([source.cost_us.value for source in self.sources]))

    @property
    def share(self) -> float:
        return float(np.median([source.share for source in self.sources]))

    @property
    def expected(self) -> int:
        return sum(source.expected for source in self.sources)

    @property
    def found(self) -> int:
        return sum(source.found for source in self.sources)

    def same_rate(self, rate_hz: float) -> bool:
        return abs(self.rate_hz / rate_hz - 1) < SAME_RATE

    def words(self) -> str:
        cost = f"{_short(self.cost_us)} µs each ({_short(100 * self.share)} %)"
        return f"at {self.rate_hz:.1f} Hz, {cost}, {self.found} of {self.expected} found"


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= 100 else f"{number:.2g}" if number < 10 else f"{number:.3g}"


@dataclass
class _Group:
    members: list[PeriodicSource]
    records: set[int]
    shares: list[float]

    def takes(self, source: PeriodicSource, record: int) -> bool:
        return record not in self.records and abs(source.rate_hz / self.members[0].rate_hz - 1) < SAME_RATE


def _causes(analysis: Analysis) -> Causes | None:
    """What explains the peaks, where the trace tells of timer interrupts: it holds at least half of those that the OS counted.
    A damaged event file is as good as none here, the report tells it."""
    try:
        causes = causes_of(analysis)
    except RecordError:
        return None
    counted = analysis.record.counted("timer_interrupts")
    if causes is None or 2 * causes.timer_events < (1 if counted is None else counted):
        return None
    return causes


def families_of(analyses: Iterable[Analysis]) -> tuple[Family, ...]:
    """The families of one strand; the one that took most time first. Two sources of one record are never the same family."""
    groups: list[_Group] = []
    for number, analysis in enumerate(analyses):
        causes = _causes(analysis)
        shares = causes.timer_share if causes else (-1.0,) * len(analysis.sources)
        costly = sorted(zip(analysis.sources, shares, strict=True), key=lambda pair: -pair[0].cost_us.value)
        for source, share in costly:
            group = next((group for group in groups if group.takes(source, number)), None)
            if group is None:
                group = _Group([], set(), [])
                groups.append(group)
            group.members.append(source)
            group.records.add(number)
            if share >= 0:
                group.shares.append(share)
    groups.sort(key=lambda group: -sum(source.cost_us.value * source.found for source in group.members))
    return tuple(Family(tuple(g.members), float(np.mean(g.shares)) if g.shares else None) for g in groups)
