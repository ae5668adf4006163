"""Whole runs of the bare profiles on emulated machines. Instruction counting is deterministic, so everything is exact here,
whatever else this machine does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cmtnoise
import numpy as np
import pytest
from cmtnoise.readings import due_while_counted
from cmtnoise.verdict import verdicts
from program import PROGRAM

PATIENCE_S = 900


def start(folder: Path, profile: str, *options: str) -> subprocess.Popen[str]:
    command = [PROGRAM, "domain", "run", profile, "--quiet", "-o", str(folder), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str], folder: Path) -> cmtnoise.Run:
    out, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    assert out.strip() == str(folder)
    run = cmtnoise.load(folder)
    assert (run.status, run.label, run.problems) == ("complete", "emulated", ())
    return run


def run_profile(folder: Path, profile: str, *options: str) -> cmtnoise.Run:
    return finish(start(folder, profile, *options), folder)


def twice(folder: Path, profile: str) -> tuple[cmtnoise.Run, cmtnoise.Run]:
    """Two runs at once, so that each disturbs the other on the host."""
    processes = [start(folder / name, profile) for name in "ab"]
    a, b = (finish(process, folder / name) for process, name in zip(processes, "ab", strict=True))
    return a, b


@pytest.fixture(scope="module")
def t1(tmp_path_factory: pytest.TempPathFactory) -> tuple[cmtnoise.Run, cmtnoise.Run]:
    return twice(tmp_path_factory.mktemp("t1"), "t1-bare")


@pytest.fixture(scope="module")
def pc(tmp_path_factory: pytest.TempPathFactory) -> tuple[cmtnoise.Run, cmtnoise.Run]:
    return twice(tmp_path_factory.mktemp("pc"), "x86-bare")


def kernels(isa: str) -> set[str]:
    return {path.stem for path in Path("asm", isa).glob("*.S")} - {"timer_read"}


def check_nothing_disturbs(run: cmtnoise.Run) -> None:
    step_counts = run.info["timer"]["step_counts"]
    for record in run.records:
        assert len(record.duration_counts) == 1000
        assert np.ptp(record.duration_counts) <= step_counts, (record.strand, record.kernel)
        analysis = cmtnoise.analyse(record)
        assert not analysis.sources and not analysis.peaks.size, (record.strand, record.kernel)
        assert record.counted("timer_interrupts") == 0
        quantum_counts = record.timer_hz * record.quantum_ns / 1e9
        half_a_turn = 0.5 / record.iterations
        assert abs(float(np.median(record.duration_counts)) / quantum_counts - 1) <= half_a_turn + 0.001
    assert {verdict.kind for verdict in verdicts(run)} == {"quiet"}


def check_identical(a: cmtnoise.Run, b: cmtnoise.Run) -> None:
    for record in a.records:
        assert record.path.read_bytes() == (b.path / "records" / record.path.name).read_bytes(), record.path.name
    assert len(a.records) == len(b.records)


def test_nothing_disturbs_any_kernel_on_the_bare_t1(t1: tuple[cmtnoise.Run, cmtnoise.Run]) -> None:
    assert {record.kernel for record in t1[0].records} == kernels("sparcv9") - {"fsqrt", "vfma"}  # no T1 has these
    check_nothing_disturbs(t1[0])


def test_two_runs_of_the_bare_t1_are_the_same_to_the_bit(t1: tuple[cmtnoise.Run, cmtnoise.Run]) -> None:
    check_identical(*t1)


def test_nothing_disturbs_any_of_eight_strands_of_the_bare_pc(pc: tuple[cmtnoise.Run, cmtnoise.Run]) -> None:
    beyond_l1 = {"load_l2", "load_l3", "load_mem"}  # on strand 0 alone: see the profile
    for strand in range(8):
        measured = {record.kernel for record in pc[0].records if record.strand == strand}
        assert measured == kernels("x86_64") - (beyond_l1 if strand else set())
    assert sorted(set(pc[0].places())) == [(0, strand // 2, strand) for strand in range(8)]
    check_nothing_disturbs(pc[0])


def test_two_runs_of_the_bare_pc_are_the_same_to_the_bit(pc: tuple[cmtnoise.Run, cmtnoise.Run]) -> None:
    check_identical(*pc)


@pytest.mark.parametrize(
    ("profile", "hz", "strands"), [("t1-bare-tick250", 250, 1), ("t1-bare-tick100", 100, 1), ("x86-bare-tick250", 250, 8)]
)
def test_every_tick_of_its_own_is_found(profile: str, hz: int, strands: int, tmp_path: Path) -> None:
    run = run_profile(tmp_path / "run", profile)
    assert len(run.strands) == strands
    for record in run.records:
        analysis = cmtnoise.analyse(record)
        assert len(analysis.sources) == 1, (record.strand, record.kernel)
        source = analysis.sources[0]
        ticks, countable = record.counted("timer_interrupts"), due_while_counted(record, source)
        assert ticks is not None and abs(source.found - record.span_s() * hz) < 1
        # As many peaks as ticks, all of them found; one that falls between the counter's read and the stamps is in no repetition.
        assert (source.found, source.expected) == (analysis.peaks.size,) * 2
        assert countable is not None and countable[0] <= ticks <= countable[1] <= countable[0] + 1
        assert abs(source.rate_hz / hz - 1) < 1e-3  # of few ticks, each known to within a repetition
        starts_ms = record.start_ms()[analysis.peaks]
        # A tick's repetition begins up to a quantum before it.
        assert np.all(np.abs(np.diff(starts_ms) - 1000 / hz) <= 0.11)


def test_a_bare_run_stands_beside_a_linux_run(t1: tuple[cmtnoise.Run, cmtnoise.Run], tmp_path: Path) -> None:
    linux = "results/reference/zen3-vm"
    compared = subprocess.run([PROGRAM, "compare", linux, t1[0].path], capture_output=True, text=True, timeout=120)
    assert compared.returncode == 0
    assert "host.os: linux -> bare" in compared.stdout
    assert "peaks a second: B has less than A" in compared.stdout
    assert "their times are not of one kind" in compared.stdout
    reported = subprocess.run([PROGRAM, "report", t1[0].path], capture_output=True, text=True, timeout=120)
    assert "emulated: t1-bare, QEMU Sun-UltraSparc-T1, no OS, no tick" in reported.stdout
    assert "strand 0 no tick; quiet" in reported.stdout
    assert (t1[0].path / "report.html").exists()


def test_a_quantum_in_which_no_turn_of_a_loop_fits_is_an_error(tmp_path: Path) -> None:
    process = start(tmp_path / "run", "t1-bare", "--", "-k", "add", "-q", "200ns")
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert "--quantum 200ns is too short for the timer" in said
    run = cmtnoise.load(tmp_path / "run")
    assert run.status == "failed" and not run.records
