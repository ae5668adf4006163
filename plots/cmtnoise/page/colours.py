"""One colour for one thing, on the whole page: causes by what they cost the run, periodic sources by their rate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cmtnoise.analysis import Analysis
from cmtnoise.causes import UNEXPLAINED, Causes
from cmtnoise.family import SAME_RATE

# Numbers of the page's colours (report.css: --slot-0 ...). Each has its own mark too, in figures.js.
SLOTS = 6
OTHER = 6
NONE = 7


def cause_slots(all_causes: Iterable[Causes | None]) -> dict[str, int]:
    """Slot of each cause; the costliest have their own, the rest share one."""
    totals: dict[str, float] = {}
    for causes in all_causes:
        for cause in causes.by_cause if causes else ():
            totals[cause.name] = totals.get(cause.name, 0.0) + cause.total_us
    known = sorted((n for n in totals if n != UNEXPLAINED), key=lambda n: (-totals[n], n))
    slots = {cause: min(rank, OTHER) for rank, cause in enumerate(known)}
    return slots | {UNEXPLAINED: NONE}


@dataclass
class _Rate:
    """Sources of one rate, at most one of a record."""

    rate_hz: float
    members: dict[int, int]
    total_us: float = 0.0


def rate_slots(analyses: Sequence[Analysis]) -> list[list[int]]:
    """Slot of each source of each analysis, by rate: what took most time over all records comes first."""
    rates: list[_Rate] = []
    for record, analysis in enumerate(analyses):
        for number, source in enumerate(analysis.sources):
            near = (r for r in rates if record not in r.members and abs(source.rate_hz / r.rate_hz - 1) < SAME_RATE)
            rate = min(near, key=lambda r: abs(r.rate_hz - source.rate_hz), default=None)
            if rate is None:
                rate = _Rate(source.rate_hz, {})
                rates.append(rate)
            rate.members[record] = number
            rate.total_us += source.cost_us.value * source.found
    slots = [[OTHER] * len(analysis.sources) for analysis in analyses]
    for rank, rate in enumerate(sorted(rates, key=lambda r: -r.total_us)[:SLOTS]):
        for record, number in rate.members.items():
            slots[record][number] = rank
    return slots
