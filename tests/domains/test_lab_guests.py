"""A real lab: two tick configurations of one OS kernel, and a machine with no OS, twice each."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from os_kernels import judge_fetch
from program import PROGRAM

CLOUD, PERIODIC, BARE = "x86-debian-cloud", "x86-debian-cloud+periodic+highres-off", "t1-bare"


def lab(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    words = [CLOUD, PERIODIC, BARE, "-k", "add", "-r", "1000", "--repeat", "2", "-o", str(folder), "--format", "json", "--quiet"]
    return subprocess.run([PROGRAM, "lab", *words, *options], capture_output=True, text=True, timeout=900)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    done = lab(folder)
    judge_fetch(done.stderr)
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    return folder, {row["configuration"]: row for row in table["rows"]}


def test_paths_are_whole_numbers_of_instructions_and_the_same_again(made: tuple[Path, dict[str, Any]]) -> None:
    for name, row in made[1].items():
        assert row["identical"] is True and row["rounds"] == 2, name
    for name in (CLOUD, PERIODIC):
        row = made[1][name]
        assert row["found"] == row["due"] and row["missed"] == 0
        assert row["due"] in (50, 52)  # of two rounds, 25.05 periods each: it depends on when the first one comes
        assert row["counted_due"][0] <= row["counted"] <= row["counted_due"][1] <= row["counted_due"][0] + 4
        assert row["instructions_median"] == round(row["instructions_median"]) and row["instructions_step"] == 1
        assert abs(row["ticks_hz"] / 250 - 1) < 1e-3 and row["os_hz"] == 250
        assert 500 < row["instructions_median"] <= row["instructions_p95"] <= row["instructions_most"]


def test_a_periodic_tick_is_shorter_and_the_machine_with_no_os_has_none(made: tuple[Path, dict[str, Any]]) -> None:
    rows = made[1]
    change = rows[PERIODIC]["against_first"]["instructions"]
    assert change["absolute"] == rows[PERIODIC]["instructions_median"] - rows[CLOUD]["instructions_median"] < 0
    bare = rows[BARE]
    assert (bare["found"], bare["due"], bare["counted"], bare["ticks_hz"], bare["instructions_median"]) == (0, 0, 0, 0, None)


def test_nothing_is_run_again_and_a_limit_is_a_gate(made: tuple[Path, dict[str, Any]]) -> None:
    before = {path: path.stat().st_mtime_ns for path in made[0].glob("*/run.json")}
    done = lab(made[0], "--fail-if", "instructions<-5%", "--fail-if", "missed>0")
    assert done.returncode == 1 and done.stderr.count("limit broken") == 1 and "it has no tick" in done.stderr
    assert {path: path.stat().st_mtime_ns for path in made[0].glob("*/run.json")} == before and len(before) == 6
