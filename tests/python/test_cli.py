"""The other commands, plans for other machines, help and installation."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from program import FIRST, PROGRAM, STRANDS, cmtnoise, fails, header, succeeds

# --- planning for other machines --------------------------------------------------------------------------------------


def test_the_plan_of_a_t1(tmp_path: Path) -> None:
    t1 = ("--topology", "pack:1 core:8 pu:4")
    plan = succeeds("sweep", "--dry-run", *t1, "--strands", "core:1", "--kernels", "add,nop")
    assert plan.splitlines() == [f"{s}\t{k}" for k in ("add", "nop") for s in (4, 5, 6, 7)]
    firsts = json.loads(succeeds("sweep", "--dry-run", "--json", *t1, "--strands", "first", "--kernels", "add"))
    assert [step["strand"] for step in firsts["plan"]] == list(range(0, 32, 4))
    assert "--dry-run" in fails(2, "sweep", *t1, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_plan_of_several_rounds() -> None:
    plan = ("sweep", "--dry-run", "--topology", "pack:1 core:2 pu:1", "--kernels", "add,nop", "--repeat", "2")
    once = [(strand, kernel) for kernel in ("add", "nop") for strand in (0, 1)]
    assert succeeds(*plan).splitlines() == [f"{s}\t{k}\t{r}" for r in (1, 2) for s, k in once]
    steps = json.loads(succeeds(*plan, "--json"))["plan"]
    assert [(step["strand"], step["kernel"]) for step in steps] == once * 2
    assert [step["round"] for step in steps] == [1] * 4 + [2] * 4
    assert steps[4] == {"strand": 0, "kernel": "add", "round": 2, "file": "records/strand0-add.2.tsv"}


def test_4096_strands_are_planned_in_a_second() -> None:
    began = time.monotonic()
    plan = succeeds("sweep", "--dry-run", "--topology", "pack:8 core:64 pu:8", "--kernels", "add")
    assert plan.splitlines()[-1] == "4095\tadd"
    assert time.monotonic() - began < 5  # a loaded machine; `make bench` has the figure


def test_a_topology_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "t.xml").write_text("<topology")
    assert "t.xml" in fails(2, "topology", "--topology", str(tmp_path / "t.xml"))
    fails(2, "topology", "--topology", "pack:one")


# --- the other commands ---------------------------------------------------------------------------------------------------


def test_kernels() -> None:
    table = succeeds("kernels")
    listed = json.loads(succeeds("kernels", "--json"))["kernels"]
    files = {path.stem for path in Path(f"asm/{json.loads(succeeds('kernels', '--json'))['isa']}").glob("*.S")}
    assert {kernel["name"] for kernel in listed} == files - {"timer_read"}
    assert all(kernel["name"] in table and kernel["instruction"] in table for kernel in listed)


def test_topology_shows_every_strand() -> None:
    shown = json.loads(succeeds("topology", "--json"))
    assert shown["this_host"] and {s["strand"] for s in shown["strands"]} >= set(STRANDS)
    assert f"{len(shown['strands'])} strands" in succeeds("topology")


def test_a_strand_left_out_by_taskset_is_told() -> None:
    if len(STRANDS) < 2:
        pytest.skip("needs two strands")
    only = ["taskset", "-c", FIRST, PROGRAM]
    listed = subprocess.run([*only, "topology", "--json"], capture_output=True, text=True, check=True).stdout
    states = {s["strand"]: s["state"] for s in json.loads(listed)["strands"]}
    assert states[STRANDS[0]] in ("usable", "isolated") and states[STRANDS[1]] == "masked"
    plan = subprocess.run([*only, "sweep", "--dry-run", "--kernels", "add"], capture_output=True, text=True, check=True)
    assert plan.stdout == f"{FIRST}\tadd\n"
    chosen = subprocess.run([*only, "run", "-r", "20", "--strand", str(STRANDS[1])], capture_output=True, text=True, check=True)
    assert header(chosen.stdout)["strand"] == str(STRANDS[1])


@pytest.fixture
def cpuset_of_the_first(tmp_path: Path) -> Iterator[Path]:
    """A cpuset that holds the first strand alone; processes join it through its cgroup.procs."""
    if len(STRANDS) < 2 or subprocess.run(["mount", "-t", "cgroup", "-o", "cpuset", "none", tmp_path]).returncode:
        pytest.skip("needs two strands and the right to mount a cpuset")
    folder = tmp_path / "cmtnoise-test"
    folder.mkdir()
    (folder / "cpuset.cpus").write_text(FIRST)
    (folder / "cpuset.mems").write_text("0")
    yield folder
    folder.rmdir()
    subprocess.run(["umount", tmp_path], check=True)


def test_a_strand_outside_the_cpuset_is_told(cpuset_of_the_first: Path) -> None:
    def confined(*arguments: str) -> subprocess.CompletedProcess[str]:
        script = f'echo $$ > "{cpuset_of_the_first}/cgroup.procs" && exec "$@"'
        return subprocess.run(["sh", "-c", script, "sh", PROGRAM, *arguments], capture_output=True, text=True, timeout=60)

    states = {s["strand"]: s["state"] for s in json.loads(confined("topology", "--json").stdout)["strands"]}
    assert states[STRANDS[0]] == "usable" and states[STRANDS[1]] == "excluded"
    refused = confined("run", "--strand", str(STRANDS[1]))
    assert refused.returncode == 2
    assert f"strand {STRANDS[1]} is excluded (the cgroup's cpuset leaves it out" in refused.stderr
    assert f"strands that can be used: {FIRST}" in refused.stderr
    assert confined("sweep", "--dry-run", "--kernels", "add").stdout == f"{FIRST}\tadd\n"


def test_doctor_finds_and_mends() -> None:
    done = cmtnoise("doctor", "--json")
    assert done.returncode in (0, 1), done.stderr
    findings = json.loads(done.stdout)["findings"]
    assert len(findings) > 10
    assert {f["level"] for f in findings} <= {"ok", "note", "disturbs", "prevents"}
    assert (done.returncode == 1) == any(f["level"] == "prevents" for f in findings)
    assert all(f["effect"] for f in findings if f["level"] in ("disturbs", "prevents"))


def test_help_has_every_option_of_the_command() -> None:
    assert "sweep" in succeeds("--help")
    for command in ("run", "sweep", "inject", "kernels", "topology", "doctor"):
        text = succeeds(command, "--help")
        assert "examples:" in text and "--help" in text
        assert all(len(line) <= 110 for line in text.splitlines())
    assert "--together" in succeeds("sweep", "--help") and "--together" not in succeeds("run", "--help")


def test_the_manual_page_is_sound() -> None:
    manual = succeeds("--manual")
    assert ".TH CMTNOISE 1" in manual and "\\-\\-together" in manual
    if shutil.which("man"):
        shown = subprocess.run(["man", "--warnings", "-l", "-"], input=manual, capture_output=True, text=True)
        assert shown.returncode == 0 and shown.stderr == ""


def test_an_unknown_command_names_the_known_ones() -> None:
    assert "there is no command 'frob'" in fails(2, "frob")
    assert "sweep" in fails(2, "../../bin/sh")


def test_a_program_beside_it_is_a_command(tmp_path: Path) -> None:
    tool = tmp_path / "cmtnoise-hello"
    tool.write_text('#!/bin/sh\necho "hello $1"\n')
    tool.chmod(0o755)
    done = cmtnoise("hello", "there", env={**os.environ, "CMTNOISE_EXEC_PATH": str(tmp_path)})
    assert done.stdout == "hello there\n"


def test_an_installed_program_finds_its_tools(tmp_path: Path) -> None:
    build = Path(PROGRAM).parent
    command = ["make", "-s", "install", f"BUILD={build}", f"DESTDIR={tmp_path}", "PREFIX=/usr"]
    # An object already built with other flags is not to be built again here: only copying is tested.
    subprocess.run([*command, "-o", "all"], check=True, capture_output=True)
    installed = tmp_path / "usr/bin/cmtnoise"
    subprocess.run([installed, "run", "-r", "50", "-o", tmp_path / "r.tsv"], check=True)
    python = os.environ | {"CMTNOISE_PYTHON": sys.executable}
    shown = subprocess.run([installed, "plot", tmp_path / "r.tsv"], capture_output=True, text=True, env=python)
    assert "kernel add on strand" in shown.stdout, shown.stderr
    subprocess.run([installed, "sweep", "--quiet", "-r", "50", "--kernels", "add", "-o", tmp_path / "run"], check=True)
    table = subprocess.run([installed, "report", tmp_path / "run"], capture_output=True, text=True, env=python)
    assert table.returncode == 0 and "baseline" in table.stdout, table.stderr
    words = subprocess.run([installed, "lab", "--help"], capture_output=True, text=True, env=python)
    assert words.returncode == 0 and "comes along (debian)" in " ".join(words.stdout.split()), words.stderr
    again = subprocess.run([installed, "lab", tmp_path / "run"], capture_output=True, text=True, env=python)
    assert again.returncode == 1 and "is no folder of cmtnoise lab" in again.stderr
    assert (tmp_path / "usr/share/man/man1/cmtnoise.1").read_text().startswith(".TH CMTNOISE 1")
