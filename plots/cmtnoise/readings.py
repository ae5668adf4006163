"""How many ticks the OS should have counted: its counters are read before the first stamp and after the last, and a tick that
falls in between is counted, though it is in no repetition."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cmtnoise.analysis import PeriodicSource
from cmtnoise.record import Record

SURE = 3  # standard errors

Range = tuple[int, int]


def _turns(source: PeriodicSource, at_s: float, unsure: int) -> int:
    """How many of the source's occurrences, from that at its phase on, are due before a time (negative: after it, before the
    phase), which is taken for ``unsure`` standard errors later than it is.

    The phase and the end of the last period that was fitted are known equally well; beyond, the period's error adds up.
    """
    turns = (at_s - source.phase_s) * source.rate_hz
    beyond = max(0.0, -turns, turns - source.expected)
    error = source.phase_se_s * source.rate_hz + beyond * source.rate_se_hz / source.rate_hz
    return math.ceil(turns + unsure * error)


def due_while_counted(record: Record, source: PeriodicSource) -> Range | None:
    """The least and the most of the source's occurrences that the OS can have counted: those due between the two readings, and
    these with those due while they were being read. None where the record does not tell when that was."""
    if record.readings is None:
        return None
    first_began, first_ended, second_began, second_ended = (counts / record.timer_hz for counts in record.readings)
    least = _turns(source, second_began, -SURE) - _turns(source, first_ended, SURE)
    most = _turns(source, second_ended, SURE) - _turns(source, first_began, -SURE)
    return max(source.found, least), most


def together(ranges: Sequence[Range | None]) -> Range | None:
    """The same of several records; None where one does not tell."""
    known = [one for one in ranges if one is not None]
    return (sum(least for least, _ in known), sum(most for _, most in known)) if len(known) == len(ranges) else None


def in_words(one: Range) -> str:
    return str(one[0]) if one[0] == one[1] else f"{one[0]} to {one[1]}"
