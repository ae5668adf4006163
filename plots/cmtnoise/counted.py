"""Strands judged by the timer interrupts that the OS counted: for runs in which times say nothing of a tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cmtnoise.record import Record
from cmtnoise.run import Run

WHY = (
    "judged by the timer interrupts that the OS counted on each strand, not by times: QEMU ran this machine without counting "
    "instructions (accel tcg), so its times are the emulator's, with whatever else the host did"
)
FIGURES = "the times in the table and the figures are the emulator's: noise and peaks there are not this OS's"
TOLD_LEAST = 10  # ticks that the watched time must have room for: in less, a few interrupts and a tick look alike
STOPPED_MOST = 3  # timer interrupts of a strand without a tick: what the OS has to do there is left, once in a while
STOPPED_SHARE = 0.02  # the same for long records, as a share of the ticks at the OS's rate
OFTEN = 0.1  # of the OS's rate: a strand that its host keeps waiting loses ticks, but hardly more of them


@dataclass(frozen=True)
class Counted:
    """The timer interrupts of one strand over its records, and for how long the OS counted them. ``interrupts`` is None where it
    did not. ``kind`` is ``ticks``, ``stopped`` or ``untold``."""

    interrupts: int | None
    span_s: float
    kind: str
    words: str


def by_counts(run: Run) -> bool:
    """Whether times say nothing in this run, so that counts have to."""
    return run.label == "emulated" and run.fact("domain", "accel") == "tcg"


def _times(span_s: float) -> str:
    return f"{1e3 * span_s:.0f} ms" if span_s < 10 else f"{span_s:.0f} s"


def _kind(interrupts: int, ticks: float) -> tuple[str, str]:
    """Kind and its words, of so many interrupts where the OS's rate would give so many ticks."""
    if ticks < TOLD_LEAST:
        return "untold", "too short to tell a tick"
    if interrupts <= max(STOPPED_MOST, STOPPED_SHARE * ticks):
        return "stopped", "the tick is stopped"
    return "ticks", "ticks" if interrupts >= OFTEN * ticks else "ticks at times"


def judged(records: Sequence[Record], tick_hz: float) -> Counted:
    """The judgement on one strand's records, none of them empty; ``tick_hz`` is the rate at which the OS would tick."""
    span_s = sum(record.counted_s() for record in records)
    counts = [count for record in records if (count := record.counted("timer_interrupts")) is not None]
    if len(counts) < len(records):
        return Counted(None, span_s, "untold", "the OS counted no timer interrupts: nothing can be told of a tick")
    number = sum(counts)
    kind, words = _kind(number, tick_hz * span_s)
    rate = "" if kind == "stopped" else f" ({number / span_s:.0f} a second)"
    return Counted(
        number, span_s, kind, f"{number} timer interrupt{'' if number == 1 else 's'} in {_times(span_s)}{rate}: {words}"
    )
