"""The runs that the study's statements are held against: which there are, what makes each, and what is wrong with those there."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cmtnoise.run import Run, RunError, load

KERNELS = "add,nop,mul,load_l1"  # add is the study's own; the others press on something else in a core
REPETITIONS = 1000  # the study's
SILICON = ("measured", "virtualised")
SWEEP = f"cmtnoise sweep --strands core:0,core:1 --kernels {KERNELS} --reps {REPETITIONS}"
THREADS = f"0-7:{KERNELS.replace(',', '+')}"


@dataclass(frozen=True)
class Role:
    """A run that some statement asks for. ``name`` is its folder and, where it is ``emulated``, the domain's. ``os`` and ``hz``
    are what run.json has to say of it, None for anything. ``command`` makes it, with ``{output}`` for its folder; ``before`` says
    where."""

    name: str
    words: str
    emulated: bool
    os: str | None
    hz: int | None
    command: str
    before: str = ""

    def make(self, folder: Path) -> str:
        """The command line that makes it."""
        return self.command.replace("{output}", shlex.quote(str(folder / self.name)))


def _domain(name: str, words: str, os: str, hz: int) -> Role:
    return Role(
        name, words, True, os, hz, f"cmtnoise domain run {name} -o {{output}} -- --kernels {KERNELS} --reps {REPETITIONS}"
    )


ROLES = (
    _domain("sparc-linux+hz250", "SPARC Linux, 250 Hz", "linux", 250),
    _domain("sparc-linux+hz100", "SPARC Linux, 100 Hz", "linux", 100),
    _domain("t1-bare", "T1 without an OS", "bare", 0),
    _domain("t1-bare-tick250", "T1 without an OS, control: a tick of its own, 250 Hz", "bare", 250),
    _domain("t1-bare-tick100", "T1 without an OS, control: a tick of its own, 100 Hz", "bare", 100),
    Role(
        "silicon-linux",
        "Linux on silicon",
        False,
        "linux",
        None,
        f"{SWEEP} -o {{output}}",
        "on a T1 with Linux, or on any host whose cores have several strands",
    ),
    Role(
        "silicon-solaris",
        "Solaris on silicon",
        False,
        "solaris",
        None,
        f"{SWEEP} -o {{output}}",
        "on a T1 with Solaris 10 (docs/repeat-the-study.md); cmtnoise has never run on a real Solaris",
    ),
    Role(
        "silicon-bare",
        "silicon without an OS",
        False,
        "bare",
        0,
        f'make bare BARE=niagara THREADS="{THREADS}" && cmtnoise domain read ./PROFILE.toml CONSOLE -o {{output}}',
        "as a guest of a real T1's hypervisor (docs/bare.md); PROFILE: a copy of t1-bare with these threads, CONSOLE: its output",
    ),
)
ROLE_OF = {role.name: role for role in ROLES}


@dataclass(frozen=True)
class Runs:
    """What a folder holds of them, by the role's name. ``problems`` says of each that is there and cannot be used why not."""

    folder: Path
    found: Mapping[str, Run]
    problems: Mapping[str, str]

    def missing(self) -> list[Role]:
        """The emulated ones that are not there; nobody is asked for silicon."""
        return [role for role in ROLES if role.emulated and role.name not in self.found]


def _fault(run: Run, role: Role) -> str:
    """Why the run is not the one that the role asks for, "" where it is."""
    if run.status != "complete":
        return f"this run is {run.status}"
    if not run.records:
        return "has no records: " + "; ".join(run.problems[:2])
    if not role.emulated and run.label not in SILICON:
        return f"is labelled {run.label}, which shows nothing of silicon"
    for group, key, wanted in (("host", "os", role.os), ("tick", "hz", role.hz)):
        said = run.fact(group, key)
        if wanted is not None and (said or "0") != str(wanted):
            return f"its run.json says {group}.{key} {said or 'unknown'}, where {wanted} belongs"
    return ""


def _place(folder: Path, role: Role) -> Path | None:
    """The run's folder. A name with a plus may stand with a dash, where a plus is a nuisance."""
    places = (folder / role.name, folder / role.name.replace("+", "-"))
    return next((place for place in places if place.is_dir()), None)


def load_runs(folder: Path) -> Runs:
    """Loads the runs that a folder holds; RunError where it holds none that can be used."""
    if not folder.is_dir():
        raise RunError(f"{folder}: there is no such folder: 'make study' makes the runs, or name the folder that holds them")
    found: dict[str, Run] = {}
    problems: dict[str, str] = {}
    for role in ROLES:
        place = _place(folder, role)
        if place is None:
            continue
        try:
            run = load(place)
            fault = _fault(run, role)
        except RunError as error:
            problems[role.name] = str(error)
            continue
        if fault:
            problems[role.name] = f"{place}: {fault}"
        else:
            found[role.name] = run
    if not found:
        told = "; ".join(problems.values()) or f"{folder} holds none of the study's runs"
        raise RunError(f"{told}: 'make study' makes them, or one by one: {ROLES[0].make(folder)}")
    return Runs(folder, found, problems)
