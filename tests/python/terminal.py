"""A terminal of a test's own, for what Ctrl-C does and what progress shows."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import termios
from collections.abc import Mapping
from pathlib import Path


class Terminal:
    """A program that has a terminal to itself, as its session's controlling one."""

    def __init__(self, command: list[str], cwd: Path, env: Mapping[str, str]) -> None:
        self._leader, follower = pty.openpty()
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(follower, termios.TIOCSCTTY, 0),
        )
        os.close(follower)

    def ctrl_c(self) -> tuple[int, bytes]:
        """Types it and waits for the end: the exit status, and all that was shown."""
        os.write(self._leader, b"\x03")
        code = self.process.wait(60)
        shown = b""
        try:
            while piece := os.read(self._leader, 4096):
                shown += piece
        except OSError:  # the terminal is gone
            pass
        os.close(self._leader)
        return code, shown
