"""The folder of a lab while its cells are run: lab.json, and what becomes of each cell's run folder."""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cmtnoise import tick
from cmtnoise.cli import printable
from cmtnoise.files import write_whole
from cmtnoise.lab.folder import FILE, VERSION, is_lab, load_lab
from cmtnoise.run import RunError, load

from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.lab_asked import Asked, Configuration
from cmtnoise_domain.profile import Profile
from cmtnoise_domain.run_folder import now

PART = ".part"  # of a cell that is under way
FAILED = ".failed"  # what a failed cell left, beside the place of a finished one
LOCK = ".lock"


@dataclass
class Cell:
    """One boot of a configuration. A folder under its own name is a finished cell."""

    configuration: str
    round: int
    folder: str
    status: str = "pending"
    reason: str | None = None
    seconds: float | None = None


def cells_of(found: Mapping[str, Configuration], rounds: int) -> list[Cell]:
    """Round by round, so that of a lab that is broken off early each configuration has something."""
    return [
        Cell(one.name, number, one.folder + ("" if number == 1 else f".{number}"))
        for number in range(1, rounds + 1)
        for one in found.values()
    ]


def _image(found: Profile) -> bytes:
    """The OS kernel, where the profile names a file: that may be built anew under the same name."""
    file = found.path.parent / str(found.values.get("kernel") or "")
    return file.read_bytes() if file.is_file() else b""


def _digest(found: Profile) -> str:
    """Of all that a configuration is: cells of a profile or an OS kernel that has changed since are of another lab."""
    names = [*(found.values.get("tick") or ()), *found.ticks]
    text = json.dumps(dict(found.values), sort_keys=True, default=str) + "".join(repr(tick.load(name)) for name in names)
    return hashlib.sha256(text.encode() + _image(found)).hexdigest()[:16]


def _asked(asked: Asked, found: Mapping[str, Configuration]) -> dict[str, Any]:
    return {
        "configurations": [{"name": one.name, "digest": _digest(one.profile)} for one in found.values()],
        "kernels": asked.kernels or None,
        "repetitions": asked.repetitions or None,
        "repeat": asked.rounds,
    }


def _difference(before: Mapping[str, Any], here: dict[str, Any], finished: Collection[str]) -> str:
    """What another lab asked for, in words; "" where it asked for the same. Of a configuration that has no cell which is
    ``finished`` nothing has to be the same."""
    for key in ("kernels", "repetitions", "repeat"):
        if before.get(key) != here[key]:
            return f"its {key} is {before.get(key) or 'as the profiles say'}, here it is {here[key] or 'as the profiles say'}"
    told = before.get("configurations")
    pairs = [(c.get("name"), c.get("digest")) for c in told if isinstance(c, dict)] if isinstance(told, list) else []
    names = [name for name, _ in pairs]
    if names != [c["name"] for c in here["configurations"]]:
        return f"its configurations are {', '.join(map(str, names))}"
    digests = dict(pairs)
    changed = [c["name"] for c in here["configurations"] if c["digest"] != digests[c["name"]] and c["name"] in finished]
    return f"{changed[0]}, or its OS kernel, is another now than when its cells were run" if changed else ""


class LabFolder:
    """A lab's folder, which is this process's alone while it is open."""

    def __init__(self, path: Path, asked: Asked, found: Mapping[str, Configuration], command: list[str]) -> None:
        self.path, self.command = path, command
        self.asked = _asked(asked, found)
        self.cells = cells_of(found, asked.rounds)
        self.started = now()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Makes the folder, or takes up the one that is there; DomainError where it is another lab's, or no lab's."""
        if self.path.is_dir() and not is_lab(self.path) and any(entry.name != LOCK for entry in self.path.iterdir()):
            raise DomainError(f"{self.path} is there and is no lab: name another folder with --output, or remove it first")
        if is_lab(self.path):
            self._check()
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DomainError(f"another cmtnoise lab is at work in {self.path}") from None
            self._take_up()
            yield

    def _check(self) -> None:
        finished = {cell.configuration for cell in self.cells if (self.path / cell.folder).exists()}
        different = _difference(load_lab(self.path).info["asked"], self.asked, finished)
        if different:
            raise DomainError(
                f"{self.path} holds another lab: {different}. Name another folder with --output; "
                f"'cmtnoise lab {self.path}' prints what this one holds"
            )

    def _take_up(self) -> None:
        """Cells that are finished stay; what was left of others is removed when they are run."""
        before = {cell.folder: cell for cell in load_lab(self.path).cells} if is_lab(self.path) else {}
        seconds = {} if not before else _seconds(self.path)
        for cell in self.cells:
            self._remove(self.part(cell))
            if self._finished(cell):
                cell.status, cell.seconds = "complete", seconds.get(cell.folder)
        self.write("running")

    def _finished(self, cell: Cell) -> bool:
        place = self.path / cell.folder
        if not place.exists():
            return False
        try:
            run = load(place)
        except RunError as error:
            raise DomainError(f"{place} is no run of this lab ({error}): remove it, and it is measured again") from None
        if run.status != "complete" or run.problems:
            why = run.problems[0] if run.problems else f"it is {run.status}"
            raise DomainError(f"{place} is no whole run ({why}): remove it, and it is measured again")
        return True

    def part(self, cell: Cell) -> Path:
        """Where the cell's run is made."""
        return self.path / f"{cell.folder}{PART}"

    def failed(self, cell: Cell) -> Path:
        """Where what a failed cell left is kept."""
        return self.path / f"{cell.folder}{FAILED}"

    @staticmethod
    def _remove(folder: Path) -> None:
        if folder.exists():
            shutil.rmtree(folder)

    def begin(self, cell: Cell) -> None:
        self._remove(self.part(cell))
        cell.status, cell.reason = "running", None
        self.write("running")

    def keep(self, cell: Cell, seconds: float) -> None:
        """The cell's run takes its place; what an earlier failure left goes."""
        self._remove(self.failed(cell))
        self.part(cell).rename(self.path / cell.folder)
        cell.status, cell.seconds = "complete", round(seconds, 1)
        self.write("running")

    def fail(self, cell: Cell, reason: str) -> None:
        if self.part(cell).exists():
            self._remove(self.failed(cell))
            self.part(cell).rename(self.failed(cell))
        cell.status, cell.reason = "failed", reason
        self.write("running")

    def break_off(self) -> None:
        """Cells that were under way begin anew next time."""
        for cell in self.cells:
            if cell.status == "running":
                self._remove(self.part(cell))
                cell.status = "pending"
        self.write("interrupted")

    def end(self) -> bool:
        """The last word; whether every cell is complete."""
        whole = all(cell.status == "complete" for cell in self.cells)
        self.write("complete" if whole else "failed")
        return whole

    def write(self, status: str) -> None:
        info = {
            "lab_version": VERSION,
            "status": status,
            "started": self.started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "written": now().strftime("%Y-%m-%dT%H:%M:%SZ"),
            "command": self.command,
            "asked": self.asked,
            "cells": [asdict(cell) for cell in self.cells],
        }
        write_whole(self.path / FILE, (json.dumps(info, indent=2) + "\n").encode())


def _seconds(path: Path) -> dict[str, float]:
    """What each finished cell took, as it was told before."""
    cells = load_lab(path).info["cells"]
    return {cell["folder"]: cell["seconds"] for cell in cells if isinstance(cell.get("seconds"), int | float)}


def default_folder(asked_for: str) -> Path:
    """results/UTC-lab, as sweeps name theirs."""
    base = f"{now().strftime('%Y%m%dT%H%M%SZ')}-lab" + (f"-{asked_for}" if asked_for else "")
    return Path("results") / printable(base)
