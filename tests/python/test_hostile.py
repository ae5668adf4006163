"""Runs that are odd or damaged, driven through every tool: an answer or a sentence, never a traceback, and JSON that is JSON."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from cmtnoise import cli, compare, export, plot, report
from made import QUANTUM, durations, events_text, record_text, write_run
from program import PROGRAM

Tool = Callable[[Sequence[str]], None]


def drive(monkeypatch: pytest.MonkeyPatch, tool: Tool, *arguments: object) -> tuple[int, str]:
    """Runs a tool as its command does; its exit code and standard output. Anything but an answer or a sentence fails."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["tool", *map(str, arguments)])
    code: int | str | None = 0
    try:
        cli.main_of(tool)
    except SystemExit as end:
        code = end.code
    finally:
        monkeypatch.undo()
    if isinstance(code, str):
        assert code.startswith("cmtnoise: ") and "\n" not in code and len(code) > 20
        code = 1
    assert code in (0, 1, 2)
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    return int(code or 0), out.buffer.getvalue().decode("utf-8", "surrogateescape")


def no_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} is no JSON")


def drive_all(monkeypatch: pytest.MonkeyPatch, run: Path, figures: bool = True) -> None:
    for form in ("text", "md", "csv", "json", "html")[: 5 if figures else 4]:
        code, out = drive(monkeypatch, report.report, run, "--format", form)
        assert out.isprintable() or all(c.isprintable() or c == "\n" for c in out), out
        if form == "json" and not code:
            json.loads(out, parse_constant=no_constant)
    code, out = drive(monkeypatch, compare.tool, run, run, "--format", "json", "--fail-if", "noise>+10%")
    if not code:
        json.loads(out, parse_constant=no_constant)
    code, _ = drive(monkeypatch, export.export, "--perfetto", run)
    if not code:
        json.loads((run / "trace.json").read_text(), parse_constant=no_constant)
    if figures:
        drive(monkeypatch, plot.plot, run, "--figure", "ccdf")
        drive(monkeypatch, compare.tool, run, run, "--figure", run / "figure.png")


ODD = {
    "one": [QUANTUM],
    "three": [QUANTUM, QUANTUM + 5, QUANTUM + 9000],
    "equal": [QUANTUM] * 1000,
    "zeros": [0] * 100,
    "huge": [2**62, QUANTUM, QUANTUM],
    "stall": [*durations(500, tick_us=20).tolist(), 2**62, *durations(99).tolist()],
}


@pytest.mark.parametrize("name", ODD)
def test_odd_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = write_run(tmp_path / "run", strands=1, kernels=("add",))
    (folder / "records/strand0-add.tsv").write_text(record_text(np.array(ODD[name])))
    drive_all(monkeypatch, folder)


@pytest.mark.parametrize("kernel", ["a\0b", "$\\frac{", "../../x", "\x1b]0;owned\x07", "x" * 300, ""])
def test_hostile_kernel_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: str) -> None:
    folder = write_run(tmp_path / "run", strands=1, kernels=("add",))
    (folder / "records/strand0-add.tsv").write_text(record_text(durations(), kernel=kernel))
    drive_all(monkeypatch, folder)
    assert {path.name for path in tmp_path.iterdir()} == {"run"}


WRONG: tuple[object, ...] = (None, True, -1, 10**30, 1.5, "", "abc", "\ud800\x1b[2J", [], [5], {}, {"a": [1]}, [{"strand": "x"}])


def test_damaged_run_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every member, and every member of a member, replaced or left out."""
    random = np.random.default_rng(3)
    folder = write_run(
        tmp_path / "run",
        strands=1,
        kernels=("add",),
        topology={"source": "flat", "strands": [{"strand": 0, "core": 0, "package": 0, "state": "online"}], "hwloc_xml": None},
        causes={"source": "counters", "clock": None, "events": [], "reason": "x"},
        timer={"name": "tsc", "hz": 2_500_000_000},
    )
    whole = json.loads((folder / "run.json").read_text())
    for number in range(80):
        info = json.loads(json.dumps(whole))
        group: dict[str, object] = info
        key = str(random.choice(list(info)))
        inner = info[key]
        if isinstance(inner, dict) and random.random() < 0.7:
            group, key = inner, str(random.choice(list(inner)))
        if random.random() < 0.1:
            del group[key]
        else:
            group[key] = WRONG[number % len(WRONG)]
        (folder / "run.json").write_text(json.dumps(info))
        drive_all(monkeypatch, folder, figures=False)
        if number % 20 == 0:
            drive(monkeypatch, report.report, folder, "--format", "html")


def test_damaged_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes of a run's files replaced, lines left out, files cut."""
    random = np.random.default_rng(5)
    folder = write_run(tmp_path / "run", strands=1, kernels=("add",))
    counts = durations(300, tick_hz=1000)
    (folder / "records/strand0-add.tsv").write_text(record_text(counts))
    causes = {13: ("vector", "local_timer"), 23: ("thread", "x"), 33: ("softirq", "RCU")}
    (folder / "records/strand0-add.events.tsv").write_text(events_text(counts, causes))
    files = [path for path in folder.rglob("*") if path.is_file()]
    for number in range(80):
        path = files[number % len(files)]
        whole = path.read_bytes()
        if number % 4 == 0:
            damaged = whole[: random.integers(0, len(whole))]
        elif number % 4 == 1:
            lines = whole.splitlines(keepends=True)
            del lines[random.integers(0, len(lines))]
            damaged = b"".join(lines)
        else:
            at = random.integers(0, min(len(whole), 900), 2)
            changed = bytearray(whole)
            for place in at:
                changed[place] = int(random.choice(list(b'\x00\n\t 09-.#:x\xff"{')))
            damaged = bytes(changed)
        path.write_bytes(damaged)
        drive_all(monkeypatch, folder, figures=False)
        path.write_bytes(whole)


def test_streams_that_are_closed_full_or_no_utf8(tmp_path: Path) -> None:
    folder = str(write_run(tmp_path / "run"))
    for shell, code in ((">&-", 1), (">/dev/full", 1), ("| true", 0), ("| exec 0<&-", 0)):
        done = subprocess.run(
            ["sh", "-c", f'"$0" report "$1" {shell}', PROGRAM, folder], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == code and "Traceback" not in done.stderr and "ignored" not in done.stderr
    for encoding in ("ascii", "latin-1", "utf-8:strict"):
        environment = {"PYTHONIOENCODING": encoding, "PATH": "/usr/bin:/bin"}
        for words in (["report", folder], ["export", "--perfetto", folder]):
            told = subprocess.run([PROGRAM, *words], env=environment, capture_output=True, timeout=60, check=False)
            assert told.returncode == 0, told.stderr
