"""A terminal of a test's own, for what Ctrl-C does and what progress shows."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import termios
import time
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
        self._shown = b""

    def wait_for(self, text: bytes) -> None:
        """Waits until this has been shown."""
        until = time.monotonic() + 60
        while text not in self._shown:
            assert time.monotonic() < until and self._read(1), f"{text!r} is not shown: {self._shown!r}"

    def _read(self, wait_s: float) -> bool:
        """Takes what is shown by then; False where nothing more can come, as the terminal is gone."""
        if not select.select([self._leader], [], [], wait_s)[0]:
            return True
        try:
            piece = os.read(self._leader, 4096)
        except OSError:
            return False
        self._shown += piece
        return bool(piece)

    def ctrl_c(self) -> tuple[int, bytes]:
        """Types it and waits for the end: the exit status, and all that was shown."""
        os.write(self._leader, b"\x03")
        code = self.process.wait(60)
        until = time.monotonic() + 60
        while self._read(1):
            assert time.monotonic() < until, "something still holds the terminal"
        os.close(self._leader)
        return code, self._shown
