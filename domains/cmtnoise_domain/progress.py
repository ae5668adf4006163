"""One line on a terminal that says how far it is."""

from __future__ import annotations

import sys


class Progress:
    def __init__(self, quiet: bool) -> None:
        self.on = not quiet and sys.stderr.isatty()
        self._shown = ""

    def show(self, text: str) -> None:
        if self.on and text != self._shown:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()
            self._shown = text

    def end(self) -> None:
        if self._shown:
            self.show("")
