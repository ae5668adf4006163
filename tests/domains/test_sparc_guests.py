"""Linux built from source: on SPARC at the study's tick rates, on x86-64 at three."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cmtnoise
import numpy as np
import pytest
from os_kernels import judge_fetch, need_kept
from own_profile import with_parameters
from program import PROGRAM
from test_linux_guests import BUILD_S, check_counted, run_profile


def check_ticks(run: cmtnoise.Run, hz: int) -> cmtnoise.PeriodicSource:
    """Every tick is found, at its rate, and nothing else."""
    (record,) = run.records
    analysis = cmtnoise.analyse(record)
    (found,) = analysis.sources
    assert found.found == found.expected and analysis.extra == 0
    assert abs(found.expected - record.span_s() * hz) < 1  # which of two whole numbers depends on when the first one comes
    assert abs(found.rate_hz / hz - 1) < 1e-3
    gaps = np.diff(record.start_ms()[found.peaks]) * hz / 1000
    assert np.all(np.abs(gaps - 1) < 0.15 * hz / 1000)  # a repetition begins up to one of them after the tick before
    check_counted(record, found)
    assert run.fact("tick", "hz") == str(hz) and run.fact("tick", "mode") == "nohz-idle"
    assert not run.info["warnings"]
    return found


@pytest.fixture(scope="module")
def sparc(tmp_path_factory: pytest.TempPathFactory) -> cmtnoise.Run:
    return run_profile(tmp_path_factory.mktemp("sparc") / "run", "sparc-linux")


def test_linux_on_sparc_ticks_at_250_hz(sparc: cmtnoise.Run) -> None:
    found = check_ticks(sparc, 250)
    assert found.share > 0.2  # a slow strand's peaks are high: the study's were more than 20 %
    assert sparc.info["host"]["machine"] == "sparc64" and sparc.records[0].header["isa"] == "sparcv9"


def test_linux_on_sparc_ticks_at_100_hz_by_a_tick_configuration(tmp_path: Path) -> None:
    run = run_profile(tmp_path / "run", "sparc-linux+hz100")
    assert check_ticks(run, 100).share > 0.2 and run.info["domain"]["tick"] == ["hz250", "hz100"]


def test_a_second_run_on_sparc_is_the_same_to_the_bit(sparc: cmtnoise.Run, tmp_path: Path) -> None:
    again = run_profile(tmp_path / "run", "sparc-linux")
    assert again.records[0].path.read_bytes() == sparc.records[0].path.read_bytes()


def test_a_panic_on_sparc_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "panics.toml").write_text(with_parameters("sparc-linux", "rdinit=/none-such root=none"))
    command = [PROGRAM, "domain", "run", str(tmp_path / "panics.toml"), "-o", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S)
    judge_fetch(done.stderr)
    assert done.returncode == 1 and "its OS kernel panicked" in done.stderr and "Kernel panic - not syncing" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("hz", [100, 250, 1000])
def test_linux_on_x86_64_ticks_at_the_rate_that_it_was_built_with(tmp_path: Path, hz: int) -> None:
    name = f"x86-linux+hz{hz}"
    need_kept(name)
    runs = [run_profile(tmp_path / folder, name) for folder in ("first", "second")]
    check_ticks(runs[0], hz)
    assert runs[0].records[0].path.read_bytes() == runs[1].records[0].path.read_bytes()
