"""A folder of the study's runs, made for tests: emulated Linux with a tick, and machines without an OS."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from made import record_text
from numpy.typing import NDArray

TIMER_HZ = 100_000_000
QUANTUM = TIMER_HZ // 10_000
KERNELS = ("add", "nop")  # the study has more; two are enough to differ
SHIFTS = {"linux": 4, "bare": 0}


def counts(hz: float, path_counts: int, repetitions: int = 1000, seed: int = 1) -> NDArray[np.int64]:
    """Repetitions of 100 µs as an emulator gives them: all alike but for the ticks, every ``1 / hz`` seconds."""
    random = np.random.default_rng(seed)
    out = QUANTUM + random.integers(0, 2, repetitions)
    if hz:
        due = (random.random() + np.arange(0, repetitions)) * TIMER_HZ / hz
        worked = np.maximum(due - path_counts * np.arange(due.size), 0)  # its own work stands still during a tick
        at = np.searchsorted(np.cumsum(out), worked)
        np.add.at(out, at[at < repetitions], path_counts)
    return out


def ticks(hz: float, durations: NDArray[np.int64]) -> int:
    """What the OS would count meanwhile."""
    return round(float(durations.sum()) / TIMER_HZ * hz)


def write(
    folder: Path,
    os: str = "linux",
    hz: float = 250,
    path_counts: int = 3100,
    strands: tuple[tuple[int, int, float, int, bool], ...] = (),
    kernels: tuple[str, ...] = KERNELS,
    said_hz: int | None = None,
    label: str = "emulated",
    **changed: object,
) -> Path:
    """One run. ``strands`` holds (strand, core, hz, path_counts, whether the OS counts the ticks) of each, where there are
    several. ``said_hz`` is what run.json says where that is another rate; ``changed`` replaces members of run.json."""
    (folder / "records").mkdir(parents=True)
    plan: list[dict[str, object]] = []
    for strand, core, rate, path, counts_them in strands or ((0, 0, hz, path_counts, True),):
        for kernel in kernels:
            durations = counts(rate, path, seed=len(plan) + 1)
            file = f"records/strand{strand}-{len(plan)}.tsv"
            counted = ticks(rate, durations) if counts_them else 0
            facts = {"timer_hz": str(TIMER_HZ), "label": label, "os": os, "counter.timer_interrupts": f"7 {7 + counted}"}
            facts |= {"counters_before_counts": "0 0", "counters_after_counts": "0 0"}
            (folder / file).write_text(record_text(durations, strand, kernel, core, **facts))
            plan.append({"strand": strand, "kernel": kernel, "file": file})
    info = {
        "run_version": 1,
        "status": "complete",
        "status_detail": None,
        "label": label,
        "started": "2026-11-21T05:30:12.123456Z",
        "finished": "2026-11-21T05:30:14.123456Z",
        "tool": {"name": "cmtnoise", "version": "0.1.0"},
        "command": ["cmtnoise", "domain", "run", folder.name],
        "options": {"repetitions": 1000, "quantum_ns": 100_000},
        "host": {"name": folder.name, "os": os, "os_release": "6.1" if os == "linux" else None, "cpu": "a made CPU"},
        "tick": {"hz": int(hz) if said_hz is None else said_hz, "mode": "periodic"},
        "domain": {"accel": "icount", "icount_shift": SHIFTS.get(os, 0)},
        "skipped": [],
        "plan": plan,
        "warnings": [],
    } | changed
    (folder / "run.json").write_text(json.dumps(info))
    return folder


def write_study(folder: Path, without: str = "") -> Path:
    """All emulated runs as the study would have them, but the one named."""
    made = {
        "sparc-linux+hz250": ("linux", 250, 3100),
        "sparc-linux+hz100": ("linux", 100, 3100),
        "t1-bare": ("bare", 0, 0),
        "t1-bare-tick250": ("bare", 250, 802),
        "t1-bare-tick100": ("bare", 100, 802),
    }
    for name, (os, hz, path) in made.items():
        if name != without:
            write(folder / name, os, hz, path)
    return folder
