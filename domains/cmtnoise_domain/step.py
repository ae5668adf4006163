"""Programs that a build needs, run one after the other: told while they run, ended with the launcher."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from cmtnoise.cli import printable

from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.process import Child, pause
from cmtnoise_domain.progress import Progress

FULL = "No space left on device"
PIECE = 1 << 16
WORDS_MOST = 400


class _Lines:
    """Counts the lines of a file that another process is writing. Read by position: the two share one offset."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read = 0
        self.count = 0

    def look(self) -> int:
        while piece := os.pread(self._descriptor, PIECE, self._read):
            self._read += len(piece)
            self.count += piece.count(b"\n")
        return self.count


def room(folder: Path, needed: int, what: str) -> None:
    """Fails where the folder's disk has not so many bytes left."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise DomainError(
            f"{what} takes {needed / 1e9:.1f} GB below {folder}, and {free / 1e9:.1f} GB are free there: "
            "free some, or make build/domains/os a link to a folder on another disk"
        )


def _failure(failure: str, command: Sequence[str], how: str, said: str) -> DomainError:
    if FULL in said:
        return DomainError(f"{failure}: the disk is full")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    # Of a compiler, the first line that is an error; of others the last line, which says why they end.
    errors = [line for line in lines if "error:" in line or line.startswith("E: ")]
    words = printable((errors or lines[-1:] or ["nothing"])[0])[:WORDS_MOST]
    return DomainError(f"{failure}; {Path(command[0]).name} ({how}) said: {words}")


def step(
    command: Sequence[str],
    failure: str,
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    what: str = "",
    timeout_s: float | None = None,
) -> str:
    """Runs a program to its end; what it said. ``failure`` begins the sentence of a DomainError if it fails."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        lines = _Lines(output.fileno())
        with Child(command, output, cwd=cwd, env=env) as child:
            while not child.ended():
                elapsed = time.monotonic() - began
                if timeout_s and elapsed > timeout_s:
                    raise DomainError(f"{failure}: {' '.join(command)[:WORDS_MOST]} took longer than {timeout_s:g} s")
                if progress and progress.on and what:
                    progress.show(f"{what}: {lines.look()} steps, {elapsed:.0f} s")
                pause()
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
        if child.process.returncode:
            raise _failure(failure, command, child.how(), said)
        return said
