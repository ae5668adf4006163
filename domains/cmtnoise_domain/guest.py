"""The guest of a Linux domain: a profile's values with defaults, its tick configuration, and what the command line changes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from cmtnoise import tick
from cmtnoise.strands import strand_set, strand_words
from cmtnoise.tick import Tick, TickError

from cmtnoise_domain import kernel_names, os_config, os_kernel, os_tree, threads
from cmtnoise_domain.errors import DomainError, UsageError
from cmtnoise_domain.linux_machine import MACHINES, Machine
from cmtnoise_domain.profile import Check, Profile, checked, duration_ns, one_of, text, texts, whole
from cmtnoise_domain.shape import Changes

ACCELS = ("icount", "tcg")
SOURCES = ("package", "kernel", "source")

CHECKS: dict[str, Check] = {
    "machine": one_of(*MACHINES),
    "package": text(os_kernel.PACKAGE, "linux-image-6.1.0-56-cloud-amd64"),
    "kernel": text(r"[^\x00-\x1f\x7f]{1,4096}", "arch/x86/boot/bzImage"),
    "source": text(os_tree.PACKAGE, "linux-source-6.1"),
    "config": text(os_config.OPTIONS, "SCHED_DEBUG=y KALLSYMS=y"),
    "tick": texts("[a-z0-9-]{1,40}", '["hz250"]'),
    "parameters": text("[ -~]{0,400}", "nohz=off highres=off"),
    "strands": whole(1, 64),
    "quiet_strands": text("[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*", "1-3"),
    "memory": text("[1-9][0-9]{0,5}[MG]", "256M"),
    "cpu": text("[A-Za-z0-9_.,+=-]{1,200}", "Haswell"),
    "kernels": text("[a-z0-9_]+(,[a-z0-9_]+)*", "add,load_l1"),
    "repetitions": whole(1, 10**7),
    "quantum": duration_ns,
    "iterations": whole(0, 10**15),
    "accel": one_of(*ACCELS),
    "icount_shift": whole(0, 10),
    "timeout": whole(1, 10**6),
}


@dataclass(frozen=True)
class Guest:
    """Everything that decides what is booted and what it measures. Of ``package``, ``kernel`` and ``source`` one is given.
    ``ticks`` names the guest's tick configurations, the later the stronger; ``tick`` is all of them as one, for its strands."""

    profile: Profile
    machine: Machine
    package: str = ""
    kernel: str = ""
    source: str = ""
    config: str = ""
    ticks: tuple[str, ...] = ()
    tick: Tick = field(default_factory=lambda: tick.merged([]))
    parameters: str = ""
    strands: int = 1
    measured: str = "all"
    memory: str = "256M"
    cpu: str = ""
    kernels: str = "default"
    repetitions: int = 1000
    quantum_ns: int = 100_000
    iterations: int = 0
    together: bool = False
    accel: str = "icount"
    icount_shift: int = 0
    timeout_s: int = 300

    def arguments(self) -> list[str]:
        """The sweep's, in the guest."""
        work = ["--iterations", str(self.iterations)] if self.iterations else ["--quantum", f"{self.quantum_ns}ns"]
        order = ["--together"] if self.together else []
        # Where instructions are not counted the host decides when time passes: the timer may fail its test. Records say so.
        timer = ["--accept-timer"] if self.accel == "tcg" else []
        what = ["--kernels", self.kernels, "--strands", self.measured, "--reps", str(self.repetitions)]
        return ["--quiet", *what, "--causes", "counters", *work, *order, *timer]

    def command_line(self) -> str:
        """The boot parameters: the machine's, then the tick configuration's, then the profile's, as the last of two wins."""
        return " ".join(filter(None, [self.machine.parameters, *self.tick.parameters, self.parameters]))


def _ticks(profile: Profile, own: list[str], quiet: str | None, strands: int) -> dict[str, Any]:
    """The values ``ticks`` and ``tick`` of the guest."""
    named = (*own, *profile.ticks)
    names = tuple(name for at, name in enumerate(named) if name not in named[at + 1 :])
    there = set(range(strands))
    wanted = set(range(1, strands)) if quiet is None else strand_set(quiet)
    try:
        found = tick.merged([tick.load(name) for name in names])
    except TickError as error:
        raise profile.fault(str(error), "tick") if set(own) - set(tick.names()) else UsageError(str(error)) from None
    if not wanted <= there:
        raise profile.fault(f"quiet_strands {quiet}: the guest has {strand_words(there)}", "quiet_strands")
    if found.of_strands and (not wanted or wanted == there):
        raise DomainError(
            f"{profile.name}: {found.name} is for some of a guest's strands, the others taking the work: the profile needs "
            'strands = 2 or more (and accel = "tcg")'
        )
    return {"ticks": names, "tick": found.filled(strand_words(wanted), strand_words(there - wanted))}


def guest_of(profile: Profile) -> Guest:
    """The profile's guest; DomainError names file and line of what is wrong with it."""
    values = checked(profile, CHECKS, ("machine",))
    if sum(key in values for key in SOURCES) != 1:
        raise profile.fault(
            "the OS kernel is a Debian package (package), a file (kernel), or built from a Debian package with Linux's source "
            "(source): the profile needs one of them",
            next((key for key in SOURCES if key in values), None),
        )
    if "config" in values and "source" not in values:
        raise profile.fault(
            "config is of a build: an OS kernel that is built already, by package or kernel, is what it is", "config"
        )
    for key, name in (("quantum", "quantum_ns"), ("timeout", "timeout_s")):
        if key in values:
            values[name] = values.pop(key)
    values["machine"] = machine = MACHINES[values["machine"]]
    strands = values.get("strands", 1)
    if strands > machine.strands_most:
        raise profile.fault(f"strands is at most {machine.strands_most} on {machine.name}, not {strands}", "strands")
    values |= _ticks(profile, values.pop("tick", []), values.pop("quiet_strands", None), strands)
    values.setdefault("cpu", machine.cpu)
    guest = Guest(profile=profile, **values)
    check_strands(guest, guest.accel)
    return guest


def check_strands(guest: Guest, accel: str) -> None:
    """Linux waits forever for a second strand where instructions are counted."""
    if guest.strands > 1 and accel == "icount":
        raise guest.profile.fault(f'{guest.strands} strands need accel = "tcg": with icount Linux boots on one alone', "accel")


def _number(option: str, key: str, value: int | None) -> None:
    """Refuses a number that a profile may not have either."""
    try:
        CHECKS[key](1 if value is None else value)
    except ValueError as error:
        raise UsageError(f"{option} {error}") from None


def _check_kernels(guest: Guest, on_command_line: bool) -> None:
    wrong = kernel_names.fault(guest.kernels, guest.machine.isa)
    if wrong:
        raise UsageError(f"--kernels: {wrong}") if on_command_line else guest.profile.fault(f"kernels: {wrong}", "kernels")


def changed(guest: Guest, changes: Changes) -> Guest:
    """The guest with what the command line asks for, checked: what its own sweep would refuse takes a boot to be told."""
    _number("--reps", "repetitions", changes.repetitions)
    _number("--iterations", "iterations", changes.iterations)
    given: dict[str, Any] = {key: getattr(changes, key) for key in ("repetitions", "quantum_ns", "iterations")}
    if changes.quantum_ns is not None and changes.iterations is None:
        given["iterations"] = 0  # a time that is asked for is stronger than the profile's count
    if changes.strands is not None:
        given["measured"] = strand_words(threads.strand_list(changes.strands, list(range(guest.strands))))
    if changes.kernels is not None:
        given["kernels"] = threads.kernel_list(changes.kernels).replace("+", ",")
    given["together"] = changes.together or None
    guest = replace(guest, **{key: value for key, value in given.items() if value is not None})
    _check_kernels(guest, changes.kernels is not None)
    return guest
