"""Names of places in an image."""

from __future__ import annotations

import subprocess
from pathlib import Path


def place_of(elf: Path, pc: int, tool_prefix: str) -> str:
    """Function and line of an address, by addr2line; "" where it cannot tell."""
    try:
        done = subprocess.run(
            [f"{tool_prefix}addr2line", "-f", "-s", "-e", str(elf), hex(pc)], capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    function, _, line = done.stdout.strip().partition("\n")
    if done.returncode or function in ("", "??"):
        return ""
    return function if line.startswith("??") else f"{function} ({line.split(' ')[0]})"
