"""Linux guests under instruction counting: what a tick costs is exact, and the same again."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import cmtnoise
import numpy as np
import pytest
from cmtnoise.readings import due_while_counted
from cmtnoise_domain.build import source
from os_kernels import judge_fetch
from own_profile import with_parameters
from program import PROGRAM

BUILD_S = 1800  # an OS kernel, on a host that does other things too


def run_profile(folder: Path, profile: str, *options: str) -> cmtnoise.Run:
    command = [PROGRAM, "domain", "run", profile, "--quiet", "-o", str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S)
    judge_fetch(done.stderr)
    assert done.returncode == 0, done.stderr
    run = cmtnoise.load(folder)
    assert (run.status, run.label, run.problems) == ("complete", "emulated", ())
    return run


def check_counted(record: cmtnoise.Record, source: cmtnoise.PeriodicSource) -> None:
    """Every interrupt that the OS counted is a tick that was due. Its counters are read a little before the first stamp and
    after the last: whether a tick falls in between depends on when the first one comes, which moves with each build."""
    counted, countable = record.counted("timer_interrupts"), due_while_counted(record, source)
    assert counted is not None and countable is not None
    assert countable[0] <= counted <= countable[1], (counted, countable, record.readings)
    assert countable[1] <= countable[0] + 2  # a reading takes a period at most, and one more may be due in each


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> cmtnoise.Run:
    return run_profile(tmp_path_factory.mktemp("cloud") / "run", "x86-debian-cloud")


def test_every_tick_of_debian_s_kernel_is_found(cloud: cmtnoise.Run) -> None:
    (record,) = cloud.records
    analysis = cmtnoise.analyse(record)
    (source,) = analysis.sources
    assert source.found in (75, 76)  # 75.1 periods
    assert (source.found, analysis.peaks.size, analysis.extra) == (source.expected, source.expected, 0)
    check_counted(record, source)
    assert abs(source.rate_hz / 250 - 1) < 1e-4
    assert np.all(np.abs(np.diff(record.start_ms()[analysis.peaks]) - 4) <= 0.11)
    assert cloud.fact("tick", "hz") == "250" and cloud.fact("host", "os_release").endswith("-cloud-amd64")


def test_a_second_run_is_the_same_to_the_bit(cloud: cmtnoise.Run, tmp_path: Path) -> None:
    again = run_profile(tmp_path / "run", "x86-debian-cloud")
    assert again.records[0].path.read_bytes() == cloud.records[0].path.read_bytes()


def test_other_checkouts_of_the_same_sources_boot_the_same_bytes(cloud: cmtnoise.Run, tmp_path: Path) -> None:
    """Wherever they lie, and whatever their commit: what a guest unpacks moves the time of its ticks."""
    tree = tmp_path / "elsewhere"
    shutil.copytree(source(), tree, ignore=shutil.ignore_patterns("build", ".git", "results", "report"))
    (tree / "build/domains").mkdir(parents=True)
    (tree / "build/domains/os").symlink_to(source() / "build/domains/os")
    environment = os.environ | {"CMTNOISE_SOURCE": str(tree)}
    subprocess.run(
        [PROGRAM, "domain", "build", "x86-debian-cloud"], env=environment, check=True, capture_output=True, timeout=BUILD_S
    )
    made = Path("build/domains/x86-debian-cloud-linux/initramfs.gz")
    subprocess.run([PROGRAM, "domain", "build", "x86-debian-cloud"], check=True, capture_output=True, timeout=BUILD_S)
    assert (tree / made).read_bytes() == (source() / made).read_bytes()


def test_a_periodic_tick_is_shorter_than_one_of_high_resolution(cloud: cmtnoise.Run, tmp_path: Path) -> None:
    (tmp_path / "periodic.toml").write_text(with_parameters("x86-debian-cloud", "nohz=off highres=off"))
    periodic = run_profile(tmp_path / "run", str(tmp_path / "periodic.toml"))
    assert periodic.fact("host", "boot_parameters").endswith("nohz=off highres=off")
    costs = [cmtnoise.analyse(run.records[0]).sources[0].cost_us.value for run in (cloud, periodic)]
    assert costs[1] < costs[0]
