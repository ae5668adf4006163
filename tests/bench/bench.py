"""What the harness itself costs, each figure a ratio of two things measured in one run.

usage: bench.py BUILD

Prints a table: the cost of a boundary between repetitions over a bare timer read, the wall time of a sweep over the time it
measured, the sweep's peak memory, what tracing the OS's events adds, and how fast the analysis is. The figures are of the machine
it runs on; nothing is asserted.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import analysis
import tracing

MEMORY_KERNELS = ("load_l1", "load_l2", "load_l3", "load_mem")
REPETITIONS = 1000


def sweep(build: Path, kernels: list[str]) -> tuple[dict[str, Any], float, int]:
    """One sweep: its run.json, its wall time in seconds, its peak resident memory in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        options = ["--quiet", "--kernels", ",".join(kernels), "-r", str(REPETITIONS), "-o", str(out)]
        command = [str(build / "tests/bench_run"), str(build / "cmtnoise"), "sweep", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"bench: {' '.join(command)} failed: {done.stderr}")
        wall, memory = done.stdout.split()
        run = json.loads((out / "run.json").read_text())
        run["calibration_ms"] = sorted(calibration_ms(out / step["file"]) for step in run["plan"])
        return run, float(wall), int(memory)


def calibration_ms(record: Path) -> float:
    key = "# calibration_ns: "
    return next(int(line[len(key) :]) / 1e6 for line in record.open() if line.startswith(key))


def row(what: str, figure: str, limit: str) -> None:
    print(f"{what:<58} {figure:>9}   {limit}")


def main() -> None:
    build = Path(sys.argv[1])
    program = (build / "cmtnoise").resolve()
    listed = json.loads(subprocess.check_output([program, "kernels", "--json"]))
    isa, runnable = listed["isa"], [kernel["name"] for kernel in listed["kernels"] if not kernel["missing"]]

    read, boundary = map(float, subprocess.check_output([build / "tests/bench_boundary"]).split())
    ways = build / f"tests/bench_timer_{isa}"
    timers = subprocess.check_output([ways], text=True).splitlines() if ways.exists() else []
    run, wall, _ = sweep(build, runnable)
    _, _, memory = sweep(build, [name for name in runnable if name not in MEMORY_KERNELS])
    hz = run["timer"]["hz"]
    spent = {key: value / 1000 for key, value in run["spent"].items()}
    allowed = 8 * 2**20 + 16 * REPETITIONS
    strands = len({step["strand"] for step in run["plan"]})

    print(f"{run['label']}: {run['host']['cpu']}, {strands} strands, {len(runnable)} kernels, {REPETITIONS} repetitions\n")
    for line in timers:
        way, counts = line.split("\t")
        row(f"a read by {way}, counts", counts, "")
    row("bare timer read, ns", f"{read / hz * 1e9:.2f}", "")
    row("boundary: stamp, store, call of the kernel, ns", f"{boundary / hz * 1e9:.2f}", "")
    row("boundary / bare read", f"{boundary / read:.3f}", "at most 1.5, aim 1.2")
    row("sweep of all kernels and strands, s", f"{wall:.2f}", "")
    row("  building the memory kernels' operands, s", f"{spent['operands_ms']:.2f}", "once a sweep")
    row("  measured, s", f"{spent['measured_ms']:.2f}", "")
    ratio = (wall - spent["operands_ms"]) / spent["measured_ms"]
    row("(wall time - operands) / measured time", f"{ratio:.3f}", "at most 1.15, aim 1.05")
    calibration = run["calibration_ms"]
    row("calibration and warm-up of a record, median, ms", f"{calibration[len(calibration) // 2]:.2f}", "at most 10 where quiet")
    row("  most, ms", f"{calibration[-1]:.2f}", "")
    row("peak memory without the memory kernels, MB", f"{memory / 2**20:.2f}", f"at most {allowed / 2**20:.2f}")
    for what, figure, remark in (*tracing.rows(build), *analysis.rows(large=False)):
        row(what, figure, remark)


if __name__ == "__main__":
    main()
