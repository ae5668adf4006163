"""Lists of strands as an OS writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable


def strand_set(text: str) -> set[int]:
    """The strands of an OS list such as ``1-3,5``; nothing for text that is no such list."""
    found: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part.strip())
        if ends:
            found.update(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    return found


def strand_words(strands: Iterable[int]) -> str:
    """Strands as such a list, ascending, those in a row as a range."""
    runs: list[list[int]] = []
    for strand in sorted(set(strands)):
        if runs and strand == runs[-1][-1] + 1:
            runs[-1].append(strand)
        else:
            runs.append([strand])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
