"""Rates that a run tells: of its OS's tick, by the OS's own word, and of instructions, where an emulator counted them."""

from __future__ import annotations

from cmtnoise.run import Run

SHIFT_MOST = 10  # of instruction counting: about a microsecond an instruction


def os_hz(run: Run) -> int:
    """The tick's rate by the OS's own word, 0 where it does not say or there is none."""
    told = run.fact("tick", "hz")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 9 else 0


def instruction_hz(run: Run) -> float | None:
    """Instructions in a second of the machine's own time, None where they were not counted."""
    domain = run.info.get("domain")
    shift = domain.get("icount_shift") if isinstance(domain, dict) and domain.get("accel") == "icount" else None
    counted = run.label == "emulated" and isinstance(shift, int) and 0 <= shift <= SHIFT_MOST
    return 1e9 / 2**shift if counted and isinstance(shift, int) else None
