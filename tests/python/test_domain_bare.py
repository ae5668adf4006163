"""The static-thread runtime, run for true on emulated machines. Instructions are counted there, so assertions are exact."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cmtnoise
import numpy as np
import pytest
from program import cmtnoise as run_program

# Name -> the arguments of `cmtnoise domain run`. The longest are first: they go side by side.
RUNS: dict[str, tuple[str, ...]] = {
    "x86": ("x86-bare",),
    "t1": ("t1-bare",),
    "t1 again": ("t1-bare",),
    "x86 add": ("x86-bare", "--", "-k", "add", "-s", "all"),
    "x86 add again": ("x86-bare", "--", "-k", "add", "-s", "all"),
    "x86 tick 250": ("x86-bare-tick250",),
    "t1 tick 250": ("t1-bare-tick250",),
    "t1 tick 100": ("t1-bare-tick100",),
}
NEEDED = ("qemu-system-sparc64", "sparc64-linux-gnu-gcc", "qemu-system-x86_64")


class Runs:
    """The runs, which go on while tests look at those that are done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pool = ThreadPoolExecutor(max(2, len(os.sched_getaffinity(0))))
        self.doing: dict[str, Future[None]] = {name: self.pool.submit(self._run, name) for name in RUNS}

    def _run(self, name: str) -> None:
        profile, *rest = RUNS[name]
        done = run_program(
            "domain", "run", profile, "--quiet", "-o", str(self.folder / name), "--timeout", "1500", *rest, timeout=1600
        )
        assert done.returncode == 0, done.stderr

    def folder_of(self, name: str) -> Path:
        self.doing[name].result()
        return self.folder / name

    def load(self, name: str) -> cmtnoise.Run:
        run = cmtnoise.load(self.folder_of(name))
        assert run.status == "complete" and run.label == "emulated" and not run.problems
        assert {record.label for record in run.records} == {"emulated"}
        return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    runs = Runs(tmp_path_factory.mktemp("bare"))
    yield runs
    runs.pool.shutdown(cancel_futures=True)


def kernels_of(isa: str) -> set[str]:
    return {path.stem for path in Path(f"asm/{isa}").glob("*.S")} - {"timer_read"}


def spread(record: cmtnoise.Record) -> int:
    return int(record.duration_counts.max() - record.duration_counts.min())


def step_of(run: cmtnoise.Run) -> int:
    return int(run.info["timer"]["step_counts"])


@pytest.mark.parametrize("name", ["x86", "t1"])
def test_without_a_tick_all_repetitions_are_equal(runs: Runs, name: str) -> None:
    run = runs.load(name)
    step = step_of(run)
    for record in run.records:
        assert len(record.duration_counts) == 1000
        assert spread(record) <= step, (record.strand, record.kernel)
        assert record.counted("timer_interrupts") == 0
        analysis = cmtnoise.analyse(record)
        assert not len(analysis.peaks) and not analysis.sources
    assert [verdict.kind for verdict in cmtnoise.verdicts(run)] == ["quiet"] * len(run.strands)


def test_every_kernel_of_the_t1(runs: Runs) -> None:
    run = runs.load("t1")
    assert run.info["host"]["machine"] == "niagara" and run.strands == [0]
    skipped = {step["kernel"] for step in run.info["skipped"]}
    assert skipped == {"fsqrt", "vfma"}  # what a T1 has not in hardware
    assert set(run.kernels) | skipped == kernels_of("sparcv9")
    assert run.info["domain"]["qemu_command"][0] == "qemu-system-sparc64"


def test_all_strands_of_the_pc(runs: Runs) -> None:
    run = runs.load("x86")
    assert run.strands == list(range(8))
    assert {record.kernel for record in run.records if record.strand == 0} == kernels_of("x86_64")
    assert [(s["strand"], s["core"], s["package"]) for s in run.info["topology"]["strands"]] == [(n, n // 2, 0) for n in range(8)]
    order = [step["strand"] for step in run.info["plan"]]
    assert order == sorted(order)  # one strand after the other
    by_kernel = {kernel: [r for r in run.records if r.kernel == kernel] for kernel in ("add", "nop", "load_l1")}
    for records in by_kernel.values():
        assert len(records) == 8
        assert len({record.iterations for record in records}) == 1


@pytest.mark.parametrize(("one", "other"), [("t1", "t1 again"), ("x86 add", "x86 add again")])
def test_two_runs_are_the_same_to_the_byte(runs: Runs, one: str, other: str) -> None:
    a, b = runs.folder_of(one), runs.folder_of(other)
    files = sorted(path.name for path in (a / "records").iterdir())
    assert files and files == sorted(path.name for path in (b / "records").iterdir())
    for name in files:
        assert (a / "records" / name).read_bytes() == (b / "records" / name).read_bytes(), name
    infos: list[dict[str, Any]] = [json.loads((folder / "run.json").read_text()) for folder in (a, b)]
    assert {key for key in infos[0] if infos[0][key] != infos[1][key]} <= {"started", "finished", "command"}


@pytest.mark.parametrize(("name", "hz", "strands"), [("t1 tick 250", 250, 1), ("t1 tick 100", 100, 1), ("x86 tick 250", 250, 8)])
def test_each_tick_is_a_peak_and_nothing_else_is(runs: Runs, name: str, hz: int, strands: int) -> None:
    run = runs.load(name)
    assert run.strands == list(range(strands))
    for record in run.records:
        analysis = cmtnoise.analyse(record)
        (source,) = analysis.sources
        ticks = record.counted("timer_interrupts")
        at = record.start_counts[analysis.peaks].astype(np.float64) / record.timer_hz
        assert source.expected == source.found == ticks == len(analysis.peaks), (record.strand, record.kernel)
        assert ticks in (round(record.span_s() * hz - 0.5), round(record.span_s() * hz + 0.5))
        assert abs(source.rate_hz / hz - 1) < 1e-3
        # A repetition lasts 100 us: its begin is at most one of them before the tick.
        assert np.all(np.abs(np.diff(at) - 1 / hz) <= 1.1e-4)
        assert analysis.extra == 0
    assert [verdict.kind for verdict in cmtnoise.verdicts(run)] == ["ticks"] * strands


def test_the_tools_take_them(runs: Runs, tmp_path: Path) -> None:
    quiet, ticking = str(runs.folder_of("t1")), str(runs.folder_of("t1 tick 250"))
    table = run_program("report", ticking, "--format", "text")
    assert table.returncode == 0 and "no OS, a tick of its own at 250 Hz" in table.stdout, table.stderr
    assert run_program("plot", ticking).returncode == 0
    held = run_program("compare", ticking, quiet)
    assert held.returncode == 0 and "B has less than A" in held.stdout, held.stderr
    beside_linux = run_program("compare", quiet, "results/reference/zen3-vm")
    assert beside_linux.returncode == 0 and "host.os: bare -> linux" in beside_linux.stdout, beside_linux.stderr
