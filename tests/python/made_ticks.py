"""Runs of a host of two strands whose tick configuration is known, for the tests of what is told about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cmtnoise.run import Run, load
from made import durations, record_text, write_run

DEFAULT: dict[str, Any] = {
    "hz": 250,
    "mode": "nohz-idle",
    "preemption": "voluntary",
    "nohz_full": None,
    "isolated": None,
    "rcu_nocbs": None,
    "irq_affinity": "0-1",
    "workqueue_affinity": "0-1",
    "clocksource": "tsc",
    "tuned_profile": None,
    "timer_migration": True,
    "high_resolution": True,
    "threadirqs": False,
    "skew_tick": False,
}
FULL = {"mode": "nohz-full", "nohz_full": "1", "isolated": "1", "rcu_nocbs": "1", "irq_affinity": "0"}
FULL_BOOT = "nohz_full=1 isolcpus=managed_irq,domain,1 rcu_nocbs=1 irqaffinity=0"
PLACES = [{"strand": strand, "core": strand, "package": 0, "state": "usable"} for strand in (0, 1)]


def ticking_run(
    folder: Path,
    boot: str = "quiet",
    tick: dict[str, Any] | None = None,
    interrupts: tuple[int, int] = (100, 100),
    tick_hz: tuple[float, float] = (250, 250),
    tick_us: float = 5.0,
    seed: int = 1,
    **changed: object,
) -> Run:
    """A run of 0.4 s a strand, on strands 0 and 1: the timer interrupts counted, the rate of ticks in the times, their cost."""
    told: dict[str, Any] = {"tick": DEFAULT | (tick or {}), "topology": {"strands": PLACES}} | changed
    host = {"name": "made", "os": "linux", "os_release": "6.1", "cpu": "A CPU", "boot_parameters": boot}
    write_run(folder, strands=2, kernels=("add",), host=host, **told)
    for strand in (0, 1):
        counts = durations(4000, seed=10 * seed + strand, tick_hz=tick_hz[strand], tick_us=tick_us)
        count = {"counter.timer_interrupts": f"7 {7 + interrupts[strand]}", "label": str(changed.get("label", "modelled"))}
        (folder / f"records/strand{strand}-add.tsv").write_text(record_text(counts, strand, **count))
    return load(folder)


def changed_info(run: Run, **members: object) -> Run:
    """The same run with other members of run.json."""
    file = run.path / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | members))
    return load(run.path)
