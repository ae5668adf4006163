"""Lists of strands as an OS writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable


def strand_set(text: str) -> set[int]:
    """The strands of an OS list such as ``1-3,5``; nothing for text that is no such list."""
    parts = (re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part.strip()) for part in text.split(","))
    found: set[int] = set()
    beyond = 0
    # In order, so that none is gone through twice: a list may come from anywhere, and be nothing but overlaps.
    for first, last in sorted((int(ends[1]), int(ends[2] or ends[1])) for ends in parts if ends):
        found.update(range(max(first, beyond), last + 1))
        beyond = max(beyond, last + 1)
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


def strands_named(strands: Iterable[int]) -> str:
    """The same, for a sentence: ``strand 1``, ``strands 1-3``."""
    chosen = set(strands)
    return f"strand{'' if len(chosen) == 1 else 's'} {strand_words(chosen)}"
