"""Building images of the static-thread runtime, and reading what a machine wrote to its console."""

from __future__ import annotations

import os
import re
import subprocess
import zlib
from pathlib import Path


def run(*command: str | Path) -> str:
    # What a make around this test was told is not for this one.
    told = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD", "CC")
    environment = {key: value for key, value in os.environ.items() if key not in told}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def records(console: str) -> dict[tuple[int, str], list[tuple[int, int]]]:
    """Start and duration of every repetition, by strand and kernel. Records that are cut or damaged are a failure."""
    found = {}
    for announced in re.finditer(r"^@record: (\d+) (\w+) (\d+) ([0-9a-f]{8})\n", console, re.MULTILINE):
        text = console[announced.end() : announced.end() + int(announced[3])]
        assert zlib.crc32(text.encode()) == int(announced[4], 16)
        rows = [line.split("\t") for line in text.splitlines() if line[0].isdigit()]
        found[int(announced[1]), announced[2]] = [(int(start), int(duration)) for start, duration in rows]
    return found


def interrupts(console: str) -> list[int]:
    """Timer interrupts of each record, by the runtime's own count."""
    counters = re.findall(r"^# counter.timer_interrupts: (\d+) (\d+)$", console, re.MULTILINE)
    return [int(after) - int(before) for before, after in counters]


def facts(console: str) -> dict[str, str]:
    return dict(re.findall(r"^@(\w+): (.*)$", console, re.MULTILINE))


def ticks_found(repetitions: list[tuple[int, int]], period: int) -> tuple[int, range]:
    """How many repetitions are peaks, and when the first tick may have come if all came at multiples of the period."""
    least = min(duration for _, duration in repetitions)
    peaks = [(start, start + duration) for start, duration in repetitions if duration > 1.005 * least]
    numbers = [round((start - peaks[0][0]) / period) for start, _ in peaks]
    assert numbers == list(range(len(peaks)))
    first = max(start - number * period for number, (start, _) in enumerate(peaks))
    last = min(end - number * period for number, (_, end) in enumerate(peaks))
    return len(peaks), range(first, last)
