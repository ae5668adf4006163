"""Checks of what stands on a command line, for argparse."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from cmtnoise_domain.profile import duration_ns


def whole(least: int, most: int) -> Callable[[str], int]:
    """A check for a whole number within limits."""

    def check(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"wants a whole number from {least} to {most}; got {text!r}")
        return int(text)

    return check


def count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text) or not int(text):
        raise argparse.ArgumentTypeError(f"wants a whole number from 1, such as 1000; got {text!r}")
    return int(text)


def time_ns(text: str) -> int:
    """A time as `cmtnoise sweep` takes it, in nanoseconds."""
    try:
        return duration_ns(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("wants the name of a folder; got nothing")
    return Path(text)


def seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,3})?", text) or not float(text):
        raise argparse.ArgumentTypeError(f"wants seconds, such as 60; got {text!r}")
    return float(text)
