"""What the command-line tools share: how they end, and text that is safe to show."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence

from cmtnoise.record import RecordError
from cmtnoise.run import RunError
from cmtnoise.tick import TickError


def printable(text: str) -> str:
    """The text with everything that would move a cursor or end a line replaced: a record is untrusted input."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _drop_output() -> None:
    """What could not be written is not tried again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main_of(tool: Callable[[Sequence[str]], None]) -> None:
    """Runs a tool: 0 fine, 1 failed with a sentence on standard error, 2 (argparse) wrong usage."""
    if sys.stdout is None:
        sys.exit("cmtnoise: standard output is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):  # a folder's name may be no text, a terminal may not know µ
        sys.stdout.reconfigure(errors="surrogateescape" if sys.stdout.encoding.lower() == "utf-8" else "backslashreplace")
    try:
        try:
            tool(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except (RecordError, RunError, TickError) as error:
        sys.exit(printable(f"cmtnoise: {error}"))
    except BrokenPipeError:
        _drop_output()
        sys.exit(1)
    except OSError as error:
        if not error.filename:  # standard output: a full disk
            _drop_output()
        sys.exit(printable(f"cmtnoise: {error.filename or 'output'}: {error.strerror}"))
    except KeyboardInterrupt:
        sys.exit(130)
