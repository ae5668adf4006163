"""What became of a statement of the study."""

from __future__ import annotations

from dataclasses import dataclass

from cmtnoise.run import Run

AGREES, DIFFERS, UNSHOWN, NO_RUN = "agrees", "differs", "cannot be shown here", "no run"
MODELLED = "modelled"  # emulated path lengths, made times by a rate of instructions that is assumed


@dataclass(frozen=True)
class Finding:
    """``found`` is what the runs show, ``why`` what that is worth; ``label`` is its provenance, "" where nothing was run."""

    verdict: str
    found: str
    label: str
    why: str


def labels(*runs: Run) -> str:
    return ", ".join(dict.fromkeys(run.label for run in runs))


def judged(agrees: bool, found: str, label: str, why: str) -> Finding:
    return Finding(AGREES if agrees else DIFFERS, found, label, why)


def unshown(why: str, found: str = "", label: str = "") -> Finding:
    return Finding(UNSHOWN, found, label, why)
