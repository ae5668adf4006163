"""Processes that never outlive the launcher, and the signals that end it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO

GRACE_S = 3.0
POLL_S = 0.02
_PR_SET_PDEATHSIG = 1
_caught: list[int] = []


class Stopped(Exception):
    """A signal asked the launcher to end."""

    def __init__(self) -> None:
        super().__init__(signal.Signals(caught()).name)
        self.code = 128 + caught()


def _catch(number: int, _frame: FrameType | None) -> None:
    _caught.append(number)


def catch_signals() -> None:
    """From here on a signal is only noted, so that nothing is left half done; whoever waits asks caught()."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _catch)


def caught() -> int:
    """The first signal that was caught, 0 for none."""
    return _caught[0] if _caught else 0


def check() -> None:
    """Raises Stopped once a signal was caught."""
    if caught():
        raise Stopped


def pause() -> None:
    """Waits a moment; raises Stopped once a signal was caught."""
    check()
    time.sleep(POLL_S)


def _tied_to(parent: int, libc: ctypes.CDLL | None) -> None:
    """In the child, before the program: it dies when its parent does, whatever ends that, and leaves no core."""
    if libc is not None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the line above
        os._exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Child:
    """A process in a session of its own, so that a terminal's Ctrl-C reaches the launcher alone, which then ends it. When the
    block is left it is gone, with its process group. ``grace_s``: how long it may take to end when it is asked to."""

    def __init__(
        self,
        command: Sequence[str],
        output: IO[bytes],
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        grace_s: float = GRACE_S,
    ) -> None:
        self.grace_s = grace_s
        libc = ctypes.CDLL(None) if sys.platform == "linux" else None  # not in the child: loading takes locks
        parent = os.getpid()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=env,
            start_new_session=True,
            preexec_fn=lambda: _tied_to(parent, libc),
        )

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def ended(self) -> bool:
        return self.process.poll() is not None

    def wait(self, seconds: float) -> bool:
        """Whether it ended by itself within this time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.ended()

    def ask(self) -> None:
        """Asks it to end, and does not wait."""
        if not self.ended():
            self._signal(signal.SIGTERM)

    def end(self) -> None:
        if self.ended():
            return
        self.ask()
        self.wait(self.grace_s)
        self._signal(signal.SIGKILL)
        self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def how(self) -> str:
        """How it ended, in words."""
        code = self.process.returncode
        return f"signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"exit status {code}"
