"""A place to try `cmtnoise lab` in: guests that only play a channel, each by its own profile; and folders of labs."""

from __future__ import annotations

import json
import os
import subprocess
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from made import record_text
from numpy.typing import NDArray
from program import PROGRAM

PROFILE = """kind = "linux"
description = "made for tests"
machine = "pc"
kernel = "bzImage"
kernels = "add"
parameters = "play={name}"
timeout = 60
"""
# Plays NAME.sent and NAME.said of the profile's parameter play=NAME, and counts it; hangs while NAME.hangs is there.
FAKE_QEMU = """#!/usr/bin/env python3
import os, pathlib, signal, sys, time
if "--version" in sys.argv:
    print("QEMU emulator version 7.2.99 (made)")
    sys.exit(0)
here = pathlib.Path(os.environ["FAKE_PLAYS"])
name = next(word for word in sys.argv[sys.argv.index("-append") + 1].split() if word.startswith("play="))[5:]
with (here / f"{name}.pids").open("a") as file:
    file.write(f"{os.getpid()}\\n")
if (here / f"{name}.hangs").exists():
    if (here / f"{name}.hangs").read_text() == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while (here / f"{name}.hangs").exists():
        time.sleep(0.02)
for of, end in (("console", "said"), ("channel", "sent")):
    path = next(word for word in sys.argv if word.startswith(f"file,id={of},path=")).partition("path=")[2].replace(",,", ",")
    open(path, "wb").write((here / f"{name}.{end}").read_bytes())
"""
FAKE_MAKEFILE = """guest:
	@mkdir -p $(BUILD) && cd $(BUILD) && echo init > init && echo cmtnoise > cmtnoise && echo 0123456789ab > commit
"""
BZIMAGE = bytes(0x1FE) + b"\x55\xaa\xeb\x6aHdrS" + bytes(64)
QUANTUM = 100_126  # instructions of a repetition without a tick
PANIC = b"Booting\nKernel panic - not syncing: VFS: Unable to mount root fs\n"


def counted(
    path: int = 2635, repetitions: int = 1000, hz: float = 250, first: int = 0, lost: tuple[int, ...] = (), divide: int = 1
) -> NDArray[np.int64]:
    """Durations under instruction counting, in counts of ``divide`` instructions: ticks of so many, the first ones longer by
    ``first``, without those whose turns are ``lost``."""
    stamps, now, turn = [0], 0, 0
    due = 0.37e9 / hz
    for _ in range(repetitions):
        now += QUANTUM
        while now > due:
            now += 0 if turn in lost else path + (first if turn < 2 else 0)
            turn += 1
            due += 1e9 / hz
        stamps.append(now // divide)
    return np.diff(np.array(stamps))


def outside(hz: int) -> dict[str, str]:
    """The OS's counters, read 0.5 to 0.3 ms before the first stamp and until 0.15 ms after the last."""
    return {"counters_before_counts": f"{hz // 2000} {3 * hz // 10000}", "counters_after_counts": f"0 {15 * hz // 100000}"}


def record(counts: NDArray[np.int64], kernel: str = "add", strand: int = 0, irqs: int = 0, hz: int = 10**9) -> str:
    counter = {"counter.timer_interrupts": f"300 {300 + irqs}"} | outside(hz)
    return record_text(counts, strand, kernel, label="emulated", timer_hz=str(hz), **counter)


def run_info(plan: list[tuple[int, str]], hz: int | None = 250, **changed: Any) -> dict[str, Any]:
    steps = [{"strand": s, "kernel": k, "round": 1, "file": f"records/strand{s}-{k}.tsv"} for s, k in plan]
    return {
        "run_version": 1,
        "status": "complete",
        "status_detail": None,
        "label": "emulated",
        "command": ["cmtnoise", "sweep"],
        "host": {"name": "guest", "os": "linux", "os_release": "6.1"},
        "tool": {"name": "cmtnoise", "version": "0.1.0", "commit": "abc"},
        "tick": {"hz": hz, "mode": "nohz-idle"},
        "domain": {"accel": "icount", "icount_shift": 0, "qemu": "7.2"},
        "plan": steps,
    } | changed


def write_cell(folder: Path, records: dict[tuple[int, str], str], **changed: Any) -> None:
    (folder / "records").mkdir(parents=True)
    for (strand, kernel), text in records.items():
        (folder / f"records/strand{strand}-{kernel}.tsv").write_text(text)
    (folder / "run.json").write_text(json.dumps(run_info(list(records), **changed)))


def cell(*given: NDArray[np.int64], irqs: int = 25, hz: int = 10**9, kernel: str = "add", **changed: Any) -> dict[str, Any]:
    counts = given[0] if given else counted()
    return {"records": {(0, kernel): record(counts, kernel, irqs=irqs, hz=hz)}} | changed


def write_lab(folder: Path, cells: dict[str, list[dict[str, Any]]]) -> Path:
    """A lab's folder: of each configuration its rounds, each what ``write_cell`` takes, or a ``reason`` of failure."""
    told = []
    for name, rounds in cells.items():
        for number, cell in enumerate(rounds, 1):
            place = name if number == 1 else f"{name}.{number}"
            reason = cell.get("reason")
            if not reason:
                write_cell(folder / place, **cell)
            status = "failed" if reason else "complete"
            told.append({"configuration": name, "round": number, "folder": place, "status": status, "reason": reason})
    folder.mkdir(exist_ok=True)
    status = "failed" if any(cell["reason"] for cell in told) else "complete"
    (folder / "lab.json").write_text(json.dumps({"lab_version": 1, "status": status, "asked": {}, "cells": told}))
    return folder


def framed(name: str, content: bytes) -> bytes:
    return f"@file: {name} {len(content)} {zlib.crc32(content):08x}\n".encode() + content


def sent(content: str | None = None, end: str = "ok") -> bytes:
    text = content or record(counted(), irqs=25)
    info = json.dumps(run_info([(0, "add")])).encode()
    files = framed("run.json", info) + framed("records/strand0-add.tsv", text.encode())
    return b"@cmtnoise-guest: 1\n" + files + f"@end: {end}\n".encode()


class LabBench:
    """Programs that the launcher finds, a source tree, and a profile for each name that is played."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder
        programs, tree = folder / "bin", folder / "tree"
        programs.mkdir()
        (tree / "domains").mkdir(parents=True)
        (tree / "asm").symlink_to(Path("asm").resolve())
        (tree / "Makefile").write_text(FAKE_MAKEFILE)
        self.qemu = programs / "qemu-system-x86_64"
        self.qemu.write_text(FAKE_QEMU)
        self.qemu.chmod(0o755)
        (folder / "bzImage").write_bytes(BZIMAGE)
        places = {"FAKE_PLAYS": str(folder), "CMTNOISE_SOURCE": str(tree), "PATH": f"{programs}:{os.environ['PATH']}"}
        self.env = os.environ | places
        for name in names:
            (folder / f"{name}.toml").write_text(PROFILE.format(name=name))
            self.play(name)

    def play(self, name: str, channel: bytes | None = None, console: bytes = b"") -> None:
        (self.folder / f"{name}.sent").write_bytes(sent() if channel is None else channel)
        (self.folder / f"{name}.said").write_bytes(console)

    def hang(self, name: str, how: str = "gently") -> None:
        (self.folder / f"{name}.hangs").write_text(how)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        # Whoever started the tests may have had signals ignored (nohup, a shell's &).
        command = ["/usr/bin/env", "--default-signal=HUP,INT,TERM", PROGRAM, "lab", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=pipe, stderr=pipe, text=True)

    def lab(self, *arguments: str) -> tuple[int, str, str]:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def machines(self, name: str) -> list[int]:
        """Processes of the fake that have been started for this name."""
        file = self.folder / f"{name}.pids"
        return [int(line) for line in file.read_text().split()] if file.exists() else []

    def wait_for(self, name: str) -> int:
        until = time.monotonic() + 60
        while not self.machines(name):
            assert time.monotonic() < until, f"{name} was not started"
            time.sleep(0.02)
        return self.machines(name)[-1]

    def told(self, folder: str = "lab") -> dict[str, Any]:
        info = json.loads((self.folder / folder / "lab.json").read_text())
        assert isinstance(info, dict)
        return info

    def states(self, folder: str = "lab") -> dict[str, str]:
        return {cell["folder"]: cell["status"] for cell in self.told(folder)["cells"]}
