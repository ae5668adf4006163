"""The tick configurations that a run was asked for, by its boot parameters or its domain, and what of them is in force."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cmtnoise import tick
from cmtnoise.run import Run
from cmtnoise.strands import strand_set, strand_words, strands_named
from cmtnoise.tick import Tick

_LISTED = ("nohz_full", "isolated", "rcu_nocbs", "irq_affinity")  # keys that are null where no strand is in them


@dataclass(frozen=True)
class Asked:
    """One tick configuration of a run. ``tick`` is filled in for ``strands``, those that are to be quiet (none where it is of no
    strands). ``unmet`` says what of it is not in force, ``absent`` are its boot parameters that the run was booted without."""

    tick: Tick
    strands: frozenset[int]
    unmet: tuple[str, ...]
    absent: tuple[str, ...]

    @property
    def subject(self) -> str:
        """The configuration and its strands, for a sentence."""
        return f"{self.tick.name} on {strands_named(self.strands)}" if self.strands else self.tick.name

    def shortfall(self) -> str:
        """What is not in force and what is missing; "" where all is in force."""
        if not self.unmet:
            return ""
        isolated = [text for text in self.unmet if text.startswith("isolated ")]
        bare = isolated and not any(text.startswith("nohz_full ") for text in self.unmet)
        said = "nohz_full without the isolation that it needs: " if bare else ""
        missing = f"; missing boot parameters: {' '.join(self.absent)}" if self.absent else ""
        return f"{said}{'; '.join(self.unmet)}{missing}"


def facts_of(run: Run) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = run.info["tick"]
    return facts


def everyone(run: Run) -> set[int]:
    """All strands of the machine; those with records where the run does not say."""
    return {strand for _, _, strand in run.places()} or set(run.strands)


def filled(one: Tick, strands: set[int], run: Run) -> Tick:
    return one.filled(strand_words(strands), strand_words(everyone(run) - strands))


def _booted(run: Run) -> dict[str, str]:
    """Boot parameters by name; the last one counts."""
    return {word.partition("=")[0]: word for word in run.fact("host", "boot_parameters").split()}


def _strands_booted(one: Tick, booted: Mapping[str, str]) -> set[int] | None:
    """The strands for which the run was booted with the configuration's first parameter, which is what makes it what it is;
    none for one of the whole machine, None where that parameter is not there."""
    if not one.parameters:
        return None
    first = one.parameters[0]
    pattern = re.escape(first).replace(re.escape("{strands}"), "([0-9,-]+)").replace(re.escape("{others}"), "[0-9,-]+")
    match = re.fullmatch(pattern, booted.get(first.partition("=")[0], ""))
    if not match:
        return None
    return strand_set(match[1]) if match.groups() else set()


def _names_of_domain(run: Run) -> list[str]:
    domain = run.info.get("domain")
    names = domain.get("tick") if isinstance(domain, dict) else None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _asked(one: Tick, run: Run) -> Asked | None:
    booted = _booted(run)
    strands = _strands_booted(one, booted)
    if strands is None and one.name in _names_of_domain(run) and not one.of_strands:
        strands = set()
    if strands is None or (one.of_strands and not strands):
        return None
    own = filled(one, strands, run)
    absent = [word for word in own.parameters if booted.get(word.partition("=")[0]) != word]
    return Asked(own, frozenset(strands), tuple(own.unmet(facts_of(run))), tuple(absent))


def in_nohz_full(run: Run) -> set[int]:
    """The strands that the boot parameters or the OS itself name for nohz_full."""
    booted = re.findall(r"(?:^| )nohz_full=([0-9,-]+)(?= |$)", run.fact("host", "boot_parameters"))
    return strand_set(run.fact("tick", "nohz_full")) | (strand_set(booted[-1]) if booted else set())


def asked(run: Run) -> list[Asked]:
    """The tick configurations that the run was asked for."""
    if run.fact("host", "os") != "linux":
        return []
    return [found for name in tick.names() if (found := _asked(tick.load(name), run))]


def _told(one: Tick, a: Run, b: Run) -> bool:
    """Whether run ``a`` tells what the configuration shows in, so that what it does not have in force is new. An older program
    told less; and what the same OS kernel does not always tell may have been so all along."""
    facts = facts_of(a)
    other_kernel = any(a.fact("host", key) != b.fact("host", key) for key in ("os_release", "os_version"))
    silent = [key for key in one.expect if key not in _LISTED and facts.get(key) is None]
    return all(key in facts for key in silent) and (other_kernel or not silent)


def new_in(b: Run, a: Run) -> list[Asked]:
    """The tick configurations that run ``b`` was asked for or has in force, without those that run ``a`` has just so."""
    if {run.fact("host", "os") for run in (a, b)} != {"linux"}:
        return []
    found = []
    for name in tick.names():
        one = tick.load(name)
        wanted = _asked(one, b)
        strands = set(wanted.strands) if wanted else in_nohz_full(b) if one.of_strands else set()
        own = filled(one, strands, b)
        in_a, in_b = (bool(own.expect) and not own.unmet(facts_of(run)) for run in (a, b))
        if wanted and not (in_a and in_b):
            found.append(wanted)
        elif not wanted and in_b and not in_a and (strands or not one.of_strands) and _told(own, a, b):
            found.append(Asked(own, frozenset(strands), (), ()))
    return found
