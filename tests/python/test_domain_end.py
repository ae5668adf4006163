"""The launcher of domains is ended, or killed, while something runs: nothing of it stays."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from bare_console import WHOLE, Bench, announced, gone, info_of, records_of, told, whole
from program import PROGRAM
from terminal import Terminal


@pytest.mark.parametrize(("number", "end"), [(signal.SIGINT, "runs"), (signal.SIGTERM, "stubborn"), (signal.SIGHUP, "runs")])
def test_a_launcher_that_is_told_to_end_ends_the_machine(bench: Bench, number: signal.Signals, end: str) -> None:
    content = whole()
    bench.play(content[: content.index(b"@begin: 0 mul")], end)
    process = bench.start("run", "./t1.toml", "-o", "run")
    pid, _ = bench.machine()
    wait_for(bench.folder / "run/records/strand0-add.tsv")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number and out == "run\n", err
    assert f"broken off by {number.name}" in err
    assert gone(pid, 0.5)
    info = info_of(bench.folder / "run")
    assert info["status"] == "interrupted" and info["status_detail"] == number.name
    assert records_of(bench.folder / "run") == {"strand0-add.tsv": WHOLE["strand0-add.tsv"]}


def test_a_launcher_that_is_killed_takes_the_machine_with_it(bench: Bench) -> None:
    bench.play(told() + announced(0, "add"), "stubborn")
    process = bench.start("run", "./t1.toml", "-o", "run")
    pid, _ = bench.machine()
    wait_for(bench.folder / "run/records/strand0-add.tsv")
    process.kill()
    process.communicate(timeout=60)
    assert gone(pid)
    assert info_of(bench.folder / "run")["status"] == "running"
    assert records_of(bench.folder / "run") == {"strand0-add.tsv": WHOLE["strand0-add.tsv"]}


def test_ctrl_c_at_a_terminal(bench: Bench) -> None:
    """The terminal's signal goes to its foreground group: the launcher, and not the machine."""
    bench.play(told() + announced(0, "add"), "runs")
    terminal = Terminal([PROGRAM, "domain", "run", "./t1.toml", "-o", "run"], bench.folder, bench.env)
    pid, _ = bench.machine()
    wait_for(bench.folder / "run/records/strand0-add.tsv")
    code, shown = terminal.ctrl_c()
    assert code == 130
    assert b"building the image" in shown and b"broken off by SIGINT" in shown
    assert gone(pid, 0.5)


def test_a_launcher_that_is_ended_while_it_builds(bench: Bench) -> None:
    bench.env["FAKE_MAKE"] = "sleep 600"
    process = bench.start("run", "./t1.toml", "-o", "run")
    mine = wait_for_sleepers(bench.folder / "tree")
    process.terminate()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM and "broken off by SIGTERM" in err
    assert all(gone(pid, 5) for pid in mine)


def test_builds_take_turns(bench: Bench) -> None:
    bench.env["FAKE_MAKE"] = "mkdir alone && sleep 0.3 && rmdir alone"
    building = [bench.start("build", "./t1.toml", "--", "-r", str(number)) for number in (1, 2, 3)]
    assert [process.communicate(timeout=60)[1] for process in building] == [""] * 3


def wait_for(path: Path) -> None:
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until, f"{path} did not come"
        time.sleep(0.02)


def wait_for_sleepers(folder: Path) -> list[int]:
    """Processes that run `sleep 600` in this folder, once there are any."""
    until = time.monotonic() + 60
    while True:
        sleeping = [path for path in Path("/proc").glob("[0-9]*") if command_of(path) == b"sleep\x00600\x00"]
        if mine := [int(path.name) for path in sleeping if (path / "cwd").resolve() == folder]:
            return mine
        assert time.monotonic() < until, f"nothing sleeps in {folder}"
        time.sleep(0.02)


def command_of(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""
