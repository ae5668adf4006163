"""The thread map as far as the launcher has to know it: what a machine may run is decided where the image is built
(domains/bare/threads.awk)."""

from __future__ import annotations

import re

from cmtnoise.strands import strand_words

from cmtnoise_domain.errors import UsageError

DEFAULT_KERNELS = "nop,add,mul,fadd,branch_taken,load_l1,load_l2,load_mem"  # as of `cmtnoise sweep`
STRANDS_MOST = 4096
_ITEM = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?:([a-z0-9_]+(?:\+[a-z0-9_]+)*)")
_RANGE = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")
# What an item is made of: it becomes a variable of make.
ITEM_LETTERS = re.compile(r"[A-Za-z0-9_:+-]+")


def expand(items: list[str]) -> dict[int, str]:
    """Strand -> kernels as the map writes them; idle strands are left out. ValueError for what is no map."""
    found: dict[int, str] = {}
    for item in items:
        parts = _ITEM.fullmatch(item)
        if not parts:
            raise ValueError(f"{item!r} is no STRAND:KERNEL")
        strands = range(int(parts[1]), int(parts[2] or parts[1]) + 1)
        if not strands or len(strands) > STRANDS_MOST:
            raise ValueError(f"{item!r} is no range of strands")
        found.update({strand: parts[3] for strand in strands if parts[3] != "idle"})
    return found


def collapse(threads: dict[int, str]) -> list[str]:
    """The map's items, strands in a row with the same kernels as a range."""
    items: list[str] = []
    first = last = -1
    for strand in sorted(threads):
        if items and strand == last + 1 and threads[strand] == threads[first]:
            items[-1] = f"{first}-{strand}:{threads[strand]}"
        else:
            first = strand
            items.append(f"{strand}:{threads[strand]}")
        last = strand
    return items


def strand_list(text: str, there: list[int]) -> list[int]:
    """The strands of ``--strands``: all, or numbers and ranges with commas."""
    if text == "all":
        return there
    found: set[int] = set()
    for part in text.split(","):
        ends = _RANGE.fullmatch(part)
        strands = range(int(ends[1]), int(ends[2] or ends[1]) + 1) if ends else range(0)
        if not strands or len(strands) > STRANDS_MOST:
            raise UsageError(f"--strands {text}: in a domain strands are all, or numbers such as 0,4-7")
        found.update(strands)
    missing = sorted(found - set(there))
    if missing:
        raise UsageError(f"--strands {text}: strand {missing[0]} is not there: this domain has {strand_words(there)}")
    return sorted(found)


def kernel_list(text: str) -> str:
    """The kernels of ``--kernels`` as the map writes them."""
    names = DEFAULT_KERNELS if text == "default" else text
    if not re.fullmatch(r"[a-z0-9_]+(,[a-z0-9_]+)*", names):
        raise UsageError(f"--kernels {text}: kernels are names with commas, default, or all")
    return "+".join(dict.fromkeys(names.split(",")))  # one named twice is measured once, as in a sweep


def chosen(threads: dict[int, str], strands: list[int] | None, kernels: str | None) -> dict[int, str]:
    """The map with other strands, other kernels, or both. A strand without a thread gets what all the others run."""
    if strands is None:
        strands = sorted(threads)
    if kernels is not None:
        return {strand: kernels for strand in strands}
    everywhere = set(threads.values())
    chosen: dict[int, str] = {}
    for strand in strands:
        if strand not in threads and len(everywhere) != 1:
            raise UsageError(f"the profile has no kernels for strand {strand}: name some with --kernels")
        chosen[strand] = threads.get(strand) or min(everywhere)
    return chosen
