"""Records and runs made for tests, with noise that is known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HZ = 2_500_000_000
QUANTUM = HZ // 10_000


def durations(repetitions: int = 1000, seed: int = 1, tick_hz: float = 250, tick_us: float = 5.0) -> NDArray[np.int64]:
    """Repetitions of 100 µs with a tick of the given rate and cost, a few random bursts, and scatter of a few counts."""
    random = np.random.default_rng(seed)
    out = QUANTUM + random.integers(0, 40, repetitions)
    if tick_hz:
        ticks = np.arange(0.0013, repetitions * 1e-4 * 1.1, 1 / tick_hz)
        at = np.minimum((ticks * 1e4).astype(int), repetitions - 1)
        out[at] += int(tick_us * 1e-6 * HZ)
    bursts = random.integers(0, repetitions, repetitions // 50)
    out[bursts] += random.integers(1000, 20000, bursts.size)
    return out


def record_text(
    counts: NDArray[np.int64],
    strand: int = 0,
    kernel: str = "add",
    core: int | str | None = None,
    extra: str = "",
    **changed: str,
) -> str:
    """A record as the program writes it; ``changed`` replaces header values, ``extra`` adds header lines."""
    header = {
        "record_version": "1",
        "tool": "cmtnoise 0.1.0",
        "kernel": kernel,
        "instruction": "integer add, dependent",
        "isa": "x86_64",
        "os": "linux",
        "host": "made",
        "strand": str(strand),
        "core": str(strand if core is None else core),
        "package": "0",
        "iterations": "1000",
        "ops_per_iteration": "256",
        "quantum_ns": "100000",
        "repetitions": str(len(counts)),
        "timer": "tsc",
        "timer_hz": str(HZ),
        "first_stamp_counts": "12345",
        "start_time": "2026-11-21T05:30:12.123456Z",
        "label": "modelled",
        "realtime": "no",
        "counter.timer_interrupts": "100 125",
    } | changed
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    lines = [f"# {key}: {value}\n" for key, value in header.items()]
    rows = [f"{start}\t{count}\n" for start, count in zip(starts, counts, strict=True)]
    return "".join([*lines, extra, "start_counts\tduration_counts\n", *rows])


def write_run(
    folder: Path, strands: int = 2, strands_a_core: int = 1, kernels: tuple[str, ...] = ("add", "nop"), **changed: object
) -> Path:
    """A run folder; ``changed`` replaces members of run.json."""
    (folder / "records").mkdir(parents=True)
    plan = [{"strand": s, "kernel": k, "file": f"records/strand{s}-{k}.tsv"} for k in kernels for s in range(strands)]
    for number, step in enumerate(plan):
        s, k = int(str(step["strand"])), str(step["kernel"])
        text = record_text(durations(seed=number), s, k, s // strands_a_core)
        (folder / str(step["file"])).write_text(text)
    info = {
        "run_version": 1,
        "status": "complete",
        "status_detail": None,
        "label": "modelled",
        "started": "2026-11-21T05:30:12.123456Z",
        "finished": "2026-11-21T05:30:14.123456Z",
        "tool": {"name": "cmtnoise", "version": "0.1.0"},
        "options": {"repetitions": 1000},
        "host": {"name": "made", "os": "linux", "os_release": "6.1", "cpu": "A CPU"},
        "tick": {"hz": 250, "mode": "periodic"},
        "skipped": [],
        "plan": plan,
        "warnings": [],
    } | changed
    (folder / "run.json").write_text(json.dumps(info))
    return folder


def events_text(counts: NDArray[np.int64], causes: dict[int, tuple[str, str]], strand: int = 0, source: str = "tracefs") -> str:
    """Events of a record: in each repetition named, one of that (class, name) that took what the repetition lasted too long."""
    header = {"events_version": "1", "source": source, "clock": "x86-tsc", "strand": str(strand), "timer_hz": str(HZ)}
    header |= {"first_stamp_counts": "12345", "lost": "0", "error_counts": "0"}
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    rows = []
    for repetition in sorted(causes):
        kind, name = causes[repetition]
        begin, end = int(starts[repetition]) + 100, int(starts[repetition] + max(counts[repetition] - QUANTUM, 1)) + 100
        last = (end, "=", "thread", "measured") if kind == "thread" else (end, "-", kind, name)
        rows += [(begin, "=" if kind == "thread" else "+", kind, name), last]
    lines = [f"# {key}: {value}" for key, value in header.items()] + ["at_counts\tmark\tclass\tname"]
    return "\n".join([*lines, *("\t".join(map(str, row)) for row in rows)]) + "\n"
