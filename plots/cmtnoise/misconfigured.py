"""Strands that are to have no tick (nohz_full), and lack what that needs: by what the tick configuration nohz-full expects."""

from __future__ import annotations

import re

from cmtnoise import tick
from cmtnoise.cli import printable
from cmtnoise.run import Run
from cmtnoise.strands import strand_set, strand_words

NAME = "nohz-full"


def _asked(run: Run) -> set[int]:
    """The strands that the boot parameters or the OS itself name for nohz_full."""
    booted = re.findall(r"(?:^| )nohz_full=([0-9,-]+)(?= |$)", run.fact("host", "boot_parameters"))
    return strand_set(run.fact("tick", "nohz_full")) | (strand_set(booted[-1]) if booted else set())


def misconfigured(run: Run) -> list[str]:
    """What strands in nohz_full lack, in at most one sentence."""
    asked = _asked(run)
    if not asked:
        return []
    others = ({strand for _, _, strand in run.places()} | set(run.strands)) - asked
    try:
        wanted = tick.load(NAME).filled(strand_words(asked), strand_words(others))
    except tick.TickError as error:
        return [f"what nohz_full needs cannot be told: {error}"]
    unmet = wanted.unmet(run.info["tick"])
    if not unmet:
        return []
    which = (
        f"strand {strand_words(asked)} in nohz_full lacks"
        if len(asked) == 1
        else f"strands {strand_words(asked)} in nohz_full lack"
    )
    boots = " ".join(wanted.parameters)
    return [printable(f"{which} what that needs: {'; '.join(unmet)}. Tick configuration {NAME} boots with {boots}")]
