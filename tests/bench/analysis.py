"""How fast records are loaded and analysed, and what a large report takes: rows for the table of bench.py.

usage: analysis.py [--large]      (--large: also 10^8 repetitions, which takes 2.2 GB of disk and some minutes)
All records are modelled; nothing is asserted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ["POLARS_MAX_THREADS"] = "1"  # one core

import numpy as np  # noqa: E402
import polars as pl  # noqa: E402

PLOTS = Path(__file__).resolve().parents[2] / "plots"
sys.path.insert(0, str(PLOTS))

from cmtnoise.analysis import analyse  # noqa: E402
from cmtnoise.record import read_record  # noqa: E402
from cmtnoise.synth import write  # noqa: E402
from cmtnoise.synthetic import Bursts, Recipe, Tick, make  # noqa: E402

Row = tuple[str, str, str]

CHUNK = 1_000_000
QUANTUM, TICK_COST = 250_000, 5000
TICK_WORK = 40 * QUANTUM - TICK_COST


def write_large(path: Path, repetitions: int) -> None:
    """A record with a tick every 40 quanta and 1 % of random peaks, written a piece at a time."""
    random = np.random.default_rng(1)
    header = make(Recipe(10), 1)[0].header | {"repetitions": str(repetitions)}
    start = worked = 0
    with path.open("wb") as file:
        head = "".join(f"# {key}: {value}\n" for key, value in header.items()) + "start_counts\tduration_counts\n"
        file.write(head.encode())
        for first in range(0, repetitions, CHUNK):
            durations = QUANTUM + random.integers(-100, 100, min(CHUNK, repetitions - first))
            peaks = random.random(durations.size) < 0.01
            durations[peaks] += random.integers(1000, 20_000, int(peaks.sum()))
            # A tick comes when that much work is done: the time of the ticks before it is no work.
            ends = worked + np.cumsum(durations)
            due = np.arange(-(-worked // TICK_WORK) * TICK_WORK, ends[-1], TICK_WORK)
            worked = int(ends[-1])
            durations[np.searchsorted(ends, due, side="right")] += TICK_COST
            starts = start + np.cumsum(durations) - durations
            rows = pl.DataFrame({"start": starts, "duration": durations})
            rows.write_csv(file, separator="\t", include_header=False)
            start = int(starts[-1] + durations[-1])


def speed(path: Path, times: int) -> tuple[float, float]:
    """The least seconds to load and to analyse the record."""
    loads, analyses = [], []
    for _ in range(times):
        began = time.perf_counter()
        record = read_record(path)
        loaded = time.perf_counter()
        analysis = analyse(record)
        analyses.append(time.perf_counter() - loaded)
        loads.append(loaded - began)
        assert len(analysis.sources) == 1, "the tick was not found"
    return min(loads), min(analyses)


def speed_rows(folder: Path) -> Iterator[Row]:
    for repetitions in (1_000_000, 4_000_000):
        path = folder / "large.tsv"
        write_large(path, repetitions)
        load_s, analyse_s = speed(path, 5)
        rate = repetitions / (load_s + analyse_s) / 1e6
        yield f"load and analyse {repetitions:.0e} repetitions, million a second", f"{rate:.1f}", "at least 5, one core"
        yield "  of that loading, s", f"{load_s:.3f}", ""


def report_rows(folder: Path) -> Iterator[Row]:
    """The page of a run of 32 strands and 24 kernels."""
    run = folder / "run"
    write(run, Recipe(1000, (Tick(250, 0.2, 0.2),), (Bursts(400, 0.02),)), 1, 32)
    info = json.loads((run / "run.json").read_text())
    kernels, plan = [f"kernel{number}" for number in range(24)], []
    for step in info["plan"]:
        text = (run / step["file"]).read_text()
        for kernel in kernels:
            name = f"records/strand{step['strand']}-{kernel}.tsv"
            (run / name).write_text(text.replace("# kernel: add\n", f"# kernel: {kernel}\n"))
            plan.append({"strand": step["strand"], "kernel": kernel, "file": name})
    (run / "run.json").write_text(json.dumps(info | {"plan": plan}))
    began = time.perf_counter()
    code = f"import sys; sys.path.insert(0, {str(PLOTS)!r}); from cmtnoise.report import report; report(sys.argv[1:])"
    subprocess.run([sys.executable, "-c", code, str(run), "--format", "html"], check=True, stdout=subprocess.DEVNULL)
    yield "page of 32 strands x 24 kernels x 1000 repetitions, s", f"{time.perf_counter() - began:.1f}", "at most 15"
    yield "  its size, MB", f"{(run / 'report.html').stat().st_size / 1e6:.1f}", "at most 10"


def memory_rows(folder: Path) -> Iterator[Row]:
    path = folder / "huge.tsv"
    write_large(path, 10**8)
    code = (
        f"import sys, resource; sys.path.insert(0, {str(PLOTS)!r})\n"
        "from cmtnoise import analyse, read_record\n"
        "found = analyse(read_record(sys.argv[1]))\n"
        "assert len(found.sources) == 1\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    began = time.perf_counter()
    kilobytes = int(subprocess.check_output([sys.executable, "-c", code, str(path)]))
    yield "load and analyse 1e+08 repetitions, s", f"{time.perf_counter() - began:.0f}", ""
    yield "  peak memory, GB", f"{kilobytes / 1e6:.2f}", "below 2"


def rows(large: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(dir=".") as folder:
        yield from speed_rows(Path(folder))
        yield from report_rows(Path(folder))
        if large:
            yield from memory_rows(Path(folder))


if __name__ == "__main__":
    for what, figure, limit in rows("--large" in sys.argv[1:]):
        print(f"{what:<62} {figure:>7}   {limit}", flush=True)
