"""Runs the cells of a lab side by side, each as a `cmtnoise domain run` of its own, which ends its machine whenever it ends."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import cmtnoise
from cmtnoise.cli import printable
from cmtnoise.run import RunError, load

import cmtnoise_domain
from cmtnoise_domain import main, process, qemu
from cmtnoise_domain.collect import tail
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.lab_asked import Asked, Configuration
from cmtnoise_domain.lab_folder import Cell, LabFolder
from cmtnoise_domain.process import Child
from cmtnoise_domain.profile import Profile
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.request import Request

GRACE_S = 10.0  # for a cell to end its machine, which it gives some seconds itself
REASON_MOST = 4000
NAMED_MOST = 3
# Not -m: that would look for modules in the current folder first.
START = """import runpy, sys
sys.path[0:1] = [sys.argv.pop(1), sys.argv.pop(1)]
runpy.run_module("cmtnoise_domain.main", run_name="__main__")"""


@dataclass(frozen=True)
class Work:
    """What is the same for all cells. ``jobs`` strands of this host are used at once."""

    asked: Asked
    configurations: Mapping[str, Configuration]
    jobs: int
    timeout_s: float | None
    progress: Progress
    said: Callable[[str], None]

    def profile(self, configuration: str) -> Profile:
        return self.configurations[configuration].profile


@dataclass
class _Running:
    cell: Cell
    child: Child
    log: IO[bytes]
    weight: int
    started: float


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _weight(found: Profile) -> int:
    """Strands of this host that a machine keeps busy: one under instruction counting, else one for each of its own."""
    about = main.kind_of(found).describe(found)
    return int(about["strands"]) if about.get("accel", "icount") != "icount" else 1


def _command(work: Work, folder: LabFolder, cell: Cell) -> list[str]:
    packages = [str(Path(package.__file__ or "").resolve().parents[1]) for package in (cmtnoise_domain, cmtnoise)]
    options = ["--output", str(folder.part(cell)), "--quiet"]
    options += ["--timeout", f"{work.timeout_s:g}"] if work.timeout_s else []
    asked = work.configurations[cell.configuration].asked
    return [sys.executable, "-c", START, *packages, "run", *asked, *options, "--", *work.asked.sweep()]


def _reason(running: _Running, part: Path) -> str:
    """What the cell said of its failure, and the last lines of its console where it said none."""
    running.log.seek(0)
    said = running.log.read().decode("utf-8", "replace").splitlines()
    lines = [printable(line.removeprefix("cmtnoise: ")) for line in said if line.strip() and line.strip() != str(part)]
    text = "\n".join(lines) or f"it ended with {running.child.how()} and said nothing"
    console = part / "console.txt"
    if console.is_file() and "the console ends:" not in text:
        text += tail(console)
    return text[-REASON_MOST:]


def _whole(part: Path) -> str:
    """Why what a cell left is no finished run, "" if it is one."""
    try:
        run = load(part)
    except RunError as error:
        return str(error)
    if run.problems:
        return run.problems[0]
    return "" if run.status == "complete" else f"the run is {run.status}"


class _Cells:
    """The cells that are to be run, and those that run."""

    def __init__(self, work: Work, folder: LabFolder) -> None:
        self.work, self.folder = work, folder
        self.pending = [cell for cell in folder.cells if cell.status == "pending"]
        self.running: list[_Running] = []

    def prepare(self) -> None:
        """Fetches and builds what the guests need, once, one after the other: the cells find it made. A configuration that cannot
        be built has failed, the others go on."""
        for name in {cell.configuration for cell in self.pending}:
            found = self.work.profile(name)
            qemu.find(main.kind_of(found).describe(found)["machine"])
        for name in dict.fromkeys(cell.configuration for cell in self.pending):
            self.work.progress.show(f"building what {name} needs")
            found = self.work.profile(name)
            request = Request(command=[], quiet=not self.work.progress.on, changes=self.work.asked.changes())
            try:
                main.kind_of(found).build(found, request)
            except DomainError as error:
                process.check()  # what was built may have been ended by the same signal
                self._fail([cell for cell in self.pending if cell.configuration == name], printable_lines(str(error)))
        self.pending = [cell for cell in self.pending if cell.status == "pending"]

    def _start(self, cell: Cell) -> None:
        self.folder.begin(cell)
        log = tempfile.TemporaryFile()  # noqa: SIM115 (closed once the cell has ended)
        child = Child(_command(self.work, self.folder, cell), log, grace_s=GRACE_S)
        weight = _weight(self.work.profile(cell.configuration))
        self.running.append(_Running(cell, child, log, weight, time.monotonic()))

    def _fill(self) -> None:
        """Starts cells while there are strands for them; one that wants more than there are runs alone."""
        while self.pending:
            weight = _weight(self.work.profile(self.pending[0].configuration))
            if self.running and sum(r.weight for r in self.running) + weight > self.work.jobs:
                return
            self._start(self.pending.pop(0))

    def _fail(self, cells: Sequence[Cell], reason: str) -> None:
        for cell in cells:
            self.folder.fail(cell, reason)
        self.work.progress.end()
        number = f" round {cells[0].round}" if cells[0].round > 1 else ""
        self.work.said(f"{cells[0].configuration}{number} failed: {reason}")

    def _finish(self, one: _Running) -> None:
        self.running.remove(one)
        part = self.folder.part(one.cell)
        failed = one.child.process.returncode != 0
        reason = _reason(one, part) if failed else _whole(part)
        one.log.close()
        if reason:
            self._fail([one.cell], reason)
        else:
            self.folder.keep(one.cell, time.monotonic() - one.started)

    def _show(self) -> None:
        cells = self.folder.cells
        done = sum(cell.status in ("complete", "failed") for cell in cells)
        named = ", ".join(one.cell.configuration for one in self.running[:NAMED_MOST])
        rest = f" and {len(self.running) - NAMED_MOST} more" if len(self.running) > NAMED_MOST else ""
        self.work.progress.show(f"[{done}/{len(cells)}] {named}{rest}")

    def run(self) -> None:
        try:
            self.prepare()
            while self.pending or self.running:
                self._fill()
                self._show()
                for one in [one for one in self.running if one.child.ended()]:
                    self._finish(one)
                process.pause()
        finally:
            self.work.progress.end()
            for one in self.running:  # all at once: each may take a while
                one.child.ask()
            for one in self.running:
                one.child.end()
                one.log.close()


def printable_lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def run_cells(work: Work, folder: LabFolder) -> bool:
    """Runs what is not finished; whether every cell of the lab is complete now. Whatever ends it, nothing that it started
    stays, and what is finished does."""
    cells = _Cells(work, folder)
    try:
        cells.run()
    except (process.Stopped, DomainError, OSError):
        with contextlib.suppress(OSError):  # of a full disk, whose error is under way already
            folder.break_off()
        raise
    return folder.end()
