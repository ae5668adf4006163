"""What tracing the OS's events adds to what is measured: the same sweep with and without, interleaved.

usage: tracing.py BUILD     (also part of bench.py)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PAIRS = 12
REPETITIONS = 5000
PHASES = 400  # tried in a period of the tick


@dataclass(frozen=True)
class Cost:
    """Of one record, in microseconds: its baseline and the median excess of the repetitions at the tick's best phase."""

    baseline_us: float
    tick_us: float
    noise_share: float


def read_columns(record: Path) -> tuple[int, NDArray[np.float64]]:
    """The timer's rate, and start and duration of each repetition in counts."""
    lines = record.read_text().splitlines()
    hz = next(int(line.split(": ")[1]) for line in lines if line.startswith("# timer_hz: "))
    return hz, np.array([line.split("\t") for line in lines if line[0].isdigit()], dtype=np.float64).T


def cost_of(record: Path, tick_hz: float) -> Cost:
    hz, (start, duration) = read_columns(record)
    baseline = float(np.median(np.sort(duration)[: duration.size // 2]))
    period = hz / tick_hz
    ticks = np.arange(int(start[-1] / period)) * period
    phases = np.arange(PHASES) / PHASES * period
    hit = np.searchsorted(start, phases[:, None] + ticks[None, :], side="right") - 1
    excess = np.median(duration[hit], axis=1) - baseline
    noise = np.clip(duration - baseline, 0, None).sum() / duration.sum()
    return Cost(baseline * 1e6 / hz, float(excess.max()) * 1e6 / hz, float(noise))


def sweep(build: Path, causes: str) -> tuple[list[Cost], int, float]:
    """One sweep: what its records show, how many events were traced, and its time beyond the records' own in ms."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        options = ["--quiet", "--kernels", "add", "-r", str(REPETITIONS), "--causes", causes, "-o", str(out)]
        began = time.monotonic()
        subprocess.run([build / "cmtnoise", "sweep", *options], check=True, stdout=subprocess.DEVNULL)
        wall_ms = (time.monotonic() - began) * 1000
        run = json.loads((out / "run.json").read_text())
        rows = [line for file in out.glob("records/*.events.tsv") for line in file.open() if line[0] in "-0123456789"]
        costs = [cost_of(out / step["file"], float(run["tick"]["hz"])) for step in run["plan"]]
        return costs, len(rows), wall_ms - run["spent"]["measured_ms"]


def ratio_row(what: str, unit: str, with_it: NDArray[np.float64], bare: NDArray[np.float64]) -> tuple[str, str, str]:
    """The median ratio of the pairs, with the 95 % interval that resampling them gives."""
    ratios = with_it / bare
    drawn = np.random.default_rng(1).choice(ratios, (2000, ratios.size))
    low, high = np.quantile(np.median(drawn, axis=1), (0.025, 0.975))
    absolute = f"{np.median(with_it):.4g} / {np.median(bare):.4g}{unit}"
    return f"  {what}, traced / not", f"{np.median(ratios):.3f}", f"{low:.3f} to {high:.3f}; {absolute}"


def rows(build: Path) -> list[tuple[str, str, str]]:
    """Rows of the table: what, the figure, a remark."""
    tracer = build / "cmtnoise-trace"
    if not tracer.exists() or subprocess.run([tracer, "--check"], capture_output=True).returncode:
        return [("tracing of the OS's events", "-", "cannot be had here: see cmtnoise doctor")]
    costs: dict[str, list[Cost]] = {"counters": [], "trace": []}
    beyond_ms: dict[str, list[float]] = {"counters": [], "trace": []}
    events = 0
    for pair in range(PAIRS):
        # Each comes first as often as the other, so that neither gains from what changes meanwhile.
        for causes in sorted(costs, reverse=pair % 2 == 1):
            found, seen, beyond = sweep(build, causes)
            costs[causes] += found
            beyond_ms[causes].append(beyond)
            events += seen
    records = len(costs["trace"])
    table = [(f"tracing: {records} pairs of records, events in one", f"{events / records:.0f}", "")]
    for member, what, unit in (
        ("baseline_us", "baseline", " us"),
        ("tick_us", "median excess of a ticked repetition", " us"),
        ("noise_share", "noise share", ""),
    ):
        with_it, bare = (np.array([getattr(cost, member) for cost in costs[causes]]) for causes in ("trace", "counters"))
        table.append(ratio_row(what, unit, with_it, bare))
    traced_ms, bare_ms = (float(np.median(beyond_ms[causes])) for causes in ("trace", "counters"))
    remark = f"traced {traced_ms:.0f}, not {bare_ms:.0f}; {records // PAIRS} records a sweep"
    return [*table, ("  added to a sweep's time beyond the records', ms", f"{traced_ms - bare_ms:.0f}", remark)]


if __name__ == "__main__":
    for what, figure, remark in rows(Path(sys.argv[1])):
        print(f"{what:<58} {figure:>9}   {remark}")
