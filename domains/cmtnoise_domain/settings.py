"""Settings of a Linux guest: whether what was written to a file is in force, by how the file reads afterwards. Not every file
reads as it was written."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cmtnoise.strands import strand_set

_ON = {"1", "y", "yes", "t", "true", "on", "enable", "enabled"}
_OFF = {"0", "n", "no", "f", "false", "off", "disable", "disabled"}
_CHOSEN = re.compile(r"\[([^][ ]+)\]")
_LIST = re.compile(r"[0-9]{1,5}(?:-[0-9]{1,5})?(?:,[0-9]{1,5}(?:-[0-9]{1,5})?)*")
_MASK = re.compile(r"(?:0x)?([0-9a-f]{1,8}(?:,[0-9a-f]{8}){0,255})")
_NUMBER = re.compile(r"-?(?:0x[0-9a-f]{1,16}|[0-9]{1,20})")


def _mask(text: str) -> str:
    """The digits of a mask, whose groups of eight an OS parts by commas, "" for none; leading zeros say nothing."""
    found = _MASK.fullmatch(text)
    return (found[1].replace(",", "").lstrip("0") or "0") if found else ""


def _number(text: str) -> int | None:
    return int(text, 16 if "0x" in text else 10) if _NUMBER.fullmatch(text) else None


def _same(wanted: str, word: str) -> bool:
    """Whether two words say the same: as text, as on and off, or as a number, a mask or a list."""
    if wanted == word or any({wanted, word} <= words for words in (_ON, _OFF)):
        return True
    if _number(wanted) is not None and _number(wanted) == _number(word):
        return True
    if _mask(wanted) and _mask(wanted) == _mask(word):
        return True
    return bool(_LIST.fullmatch(wanted) and _LIST.fullmatch(word)) and strand_set(wanted) == strand_set(word)


def in_force(wanted: str, reads: str) -> bool:
    """Whether a file into which ``wanted`` was written and which now reads so has taken it."""
    if wanted == reads:
        return True
    chosen = _CHOSEN.findall(reads)  # "[always] madvise never"
    words = chosen if len(chosen) == 1 else reads.split()
    # Of a file with several numbers, such as kernel.printk, those that are written are the first.
    numbers = all(_number(word) is not None for word in words)
    return bool(words) and (len(words) == 1 or numbers) and _same(wanted.lower(), words[0].lower())


def judged(asked: Mapping[str, str], told: Mapping[int, tuple[str, str]]) -> tuple[list[dict[str, str | None]], list[str]]:
    """The settings that took, as run.json has them, and a sentence for each that did not. ``told`` is what the guest said of
    them, by number."""
    took: list[dict[str, str | None]] = []
    wrong = []
    for number, (file, value) in enumerate(asked.items(), 1):
        what, said = told.get(number, ("", ""))
        if what == "unread" or (what == "reads" and in_force(value, said)):
            took.append({"file": file, "value": value, "reads": said if what == "reads" else None})
            continue
        how = {"reads": f"reads back as {said or 'nothing'}", "refused": f"refused: {said}"}
        wrong.append(f"setting {file} {value}: {how.get(what, 'the guest does not say whether it took')}")
    return took, wrong
