"""What the OS's tick cost in one record, in instructions where an emulator counted them.

Under QEMU's instruction counting the machine's time is the number of instructions that it ran. A repetition without a tick always
runs the same instructions, so one with a tick lasted longer by the tick's path, exactly: interrupt entry, handler, whatever the
OS did on its way out, and the return. Where an instruction is no whole number of the timer's counts (%tick counts 10 ns), it is
known to one count: ``step``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmtnoise.analysis import PeriodicSource, analyse
from cmtnoise.family import families_of
from cmtnoise.rates import instruction_hz, os_hz
from cmtnoise.readings import due_while_counted
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.verdict import tick_of

Floats = NDArray[np.float64]

WHOLE_MHZ = 1e-5  # a guest measures its counter's rate a few millionths wrong; QEMU's counters run at whole MHz
GAP_LEAST = 1.5  # periods from one tick to the next, from which on one is missing in between


@dataclass(frozen=True)
class TickCost:
    """The tick in one record.

    ``instructions``, shape (found,), is the path of each tick that was found, in the order in which they came, None where
    instructions were not counted. ``step`` is how many instructions a count of the timer is, 1 where an instruction is a whole
    number of counts: then the path is exact. ``speed_hz`` is the number of instructions in a second of the machine's own time;
    ``baseline_counts`` is how long a repetition without a tick takes. ``rate_hz`` is that of the ticks found, ``due`` how many
    were due at that rate (at the OS's own word where none was found), ``counted`` the OS's count of timer interrupts, None where
    it does not say, ``countable`` the least and the most ticks that it can have counted, None where that is not known. ``gaps``
    tells of each time that one or more were left out how many periods passed.
    """

    record: Record
    instructions: Floats | None
    step: float
    speed_hz: float | None
    baseline_counts: float
    instructions_a_count: float
    rate_hz: float | None
    due: int
    found: int
    counted: int | None
    countable: tuple[int, int] | None
    gaps: tuple[int, ...]
    source: PeriodicSource | None

    @property
    def counted_hz(self) -> float | None:
        return None if self.counted is None else self.counted / self.record.counted_s()


def _timer_hz(record: Record) -> float:
    whole = round(record.timer_hz / 1e6) * 1e6
    return whole if whole and abs(record.timer_hz / whole - 1) < WHOLE_MHZ else float(record.timer_hz)


def _baseline_counts(record: Record, step: float) -> float:
    """An undisturbed repetition. It is the same each time; a timer that is coarser shows one of two counts, and their mean is
    it."""
    durations = record.duration_counts
    usual = float(np.median(durations))
    if step == 1:
        return usual
    return float(durations[np.abs(durations.astype(np.float64) - usual) <= 1].mean())


def _gaps(record: Record, source: PeriodicSource) -> tuple[int, ...]:
    middles = (record.start_counts + record.duration_counts // 2)[source.peaks].astype(np.float64) / record.timer_hz
    periods = np.diff(middles) * source.rate_hz
    return tuple(int(round(float(gap))) for gap in periods if gap >= GAP_LEAST)


def _step(a_count: float) -> float:
    counts = 1 / a_count
    return 1.0 if round(counts) and abs(counts - round(counts)) < 1e-6 else a_count


def excess_instructions(cost: TickCost) -> Floats:
    """How much longer each repetition took than one without a tick, shape (repetitions,): in instructions where they were
    counted, else in counts."""
    out: Floats = (cost.record.duration_counts.astype(np.float64) - cost.baseline_counts) * cost.instructions_a_count
    return out


def tick_cost(run: Run, record: Record) -> TickCost:
    """The tick in a record of the run."""
    analysis, hz, counted = analyse(record), os_hz(run), record.counted("timer_interrupts")
    span_s, speed = record.span_s(), instruction_hz(run)
    family = tick_of(families_of([analysis]), None if counted is None else counted / record.counted_s(), hz)
    source = family.sources[0] if family else None
    a_count = speed / _timer_hz(record) if speed else 1.0
    step = _step(a_count)
    baseline = _baseline_counts(record, step)
    excess = record.duration_counts[source.peaks].astype(np.float64) - baseline if source else np.empty(0)
    return TickCost(
        record=record,
        instructions=excess * a_count if speed else None,
        step=step,
        speed_hz=speed,
        baseline_counts=baseline,
        instructions_a_count=a_count,
        rate_hz=source.rate_hz if source else None,
        due=source.expected if source else round(span_s * hz),
        found=source.found if source else 0,
        counted=counted,
        countable=due_while_counted(record, source) if source else None,
        gaps=_gaps(record, source) if source else (),
        source=source,
    )
