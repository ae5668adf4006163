"""The harness for SPARC Linux under QEMU's user emulation: everything it does, on a big-endian machine; no times."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import cmtnoise
import pytest
from program import header

PROGRAM = (Path(os.environ.get("CMTNOISE_BUILD", "build")) / "sparcv9/cmtnoise").resolve()


@pytest.fixture(autouse=True, scope="module")
def can_be_run() -> None:
    if not shutil.which("qemu-sparc64"):
        pytest.skip("there is no qemu-sparc64: apt-get install qemu-user")
    if not PROGRAM.exists():
        pytest.fail(f"{PROGRAM} is not there: ci/sparc.sh {PROGRAM.parent}")


def emulated(*arguments: str, cwd: Path | None = None, code: int = 0) -> str:
    done = subprocess.run(["qemu-sparc64", PROGRAM, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.parametrize(
    "arguments", [["topology"], ["topology", "--json"], ["kernels"], ["--help"], ["--manual"], ["--version"]]
)
def test_commands_that_measure_nothing(arguments: list[str]) -> None:
    assert emulated(*arguments)


def test_doctor_sees_the_emulator() -> None:
    done = subprocess.run(["qemu-sparc64", PROGRAM, "doctor", "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1)
    found = {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert found["hypervisor"]["found"] == "QEMU TCG"


def test_kernels_are_those_of_the_folder() -> None:
    names = [kernel["name"] for kernel in json.loads(emulated("kernels", "--json"))["kernels"]]
    assert names == sorted(path.stem for path in Path("asm/sparcv9").glob("*.S") if path.stem != "timer_read")


def test_a_record_says_what_it_was_measured_on() -> None:
    record = header(emulated("run", "--reps", "20", "--kernel", "mul"))
    assert (record["isa"], record["os"], record["label"]) == ("sparcv9", "linux", "emulated")
    assert record["timer"] == "tick (membar;rd %tick;membar)"
    assert record["repetitions"] == "20" and int(record["iterations"]) > 0


def test_a_sweep_is_read_by_the_ordinary_tools(tmp_path: Path) -> None:
    emulated("sweep", "--quiet", "--kernels", "all", "--strands", "0", "-r", "20", "-o", "run", cwd=tmp_path)
    run = cmtnoise.load(tmp_path / "run")
    assert run.problems == () and run.status == "complete"
    assert {record.header["label"] for record in run.records} == {"emulated"}  # it sees the emulator by itself
    assert run.info["host"]["hypervisor"] == "QEMU TCG"
    skipped = {step["kernel"] for step in run.info["skipped"]}
    assert len(run.records) == len(list(Path("asm/sparcv9").glob("*.S"))) - 1 - len(skipped)
    assert skipped <= {"vadd", "vfma"}  # the emulator does not tell of the one and does not have the other


def test_fixed_iterations_are_the_same_work_as_anywhere() -> None:
    record = header(emulated("run", "--reps", "5", "--iterations", "37"))
    assert (record["iterations"], record["quantum_ns"]) == ("37", "0")


def test_wrong_usage_is_refused() -> None:
    done = subprocess.run(["qemu-sparc64", PROGRAM, "run", "--kernel", "sub"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "there is no kernel 'sub'; kernels are add" in done.stderr
