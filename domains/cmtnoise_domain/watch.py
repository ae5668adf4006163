"""The console of a guest while it runs: an OS kernel that panicked sends nothing more, and not every machine ends with it."""

from __future__ import annotations

from pathlib import Path

PANIC = b"Kernel panic - not syncing"


class Watch:
    def __init__(self, console: Path) -> None:
        self._console = console
        self._read = 0
        self._rest = b""
        self.panicked = False

    def look(self) -> bool:
        """Whether the OS kernel panicked, and its line is there in full."""
        with self._console.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        self._read += len(new)
        said = self._rest + new
        at = said.find(PANIC)
        self.panicked = self.panicked or (at >= 0 and b"\n" in said[at:])
        self._rest = said[at:] if at >= 0 else said[-len(PANIC) :]
        return self.panicked
