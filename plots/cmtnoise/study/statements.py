"""The study's statements, in our words, each with where it stands in the study and the check that holds it against runs.

A check turns runs into a finding; no number of a finding is written here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cmtnoise.study import linux, others
from cmtnoise.study.finding import MODELLED, NO_RUN, UNSHOWN, Finding, unshown
from cmtnoise.study.runs import ROLE_OF, Runs

LINUX250, LINUX100 = "sparc-linux+hz250", "sparc-linux+hz100"
BARE, CONTROL250, CONTROL100 = "t1-bare", "t1-bare-tick250", "t1-bare-tick100"
ONE_STRAND = "QEMU's T1 and its sun4u machine have one strand each."
NO_SOLARIS = "It takes a T1 with Solaris. cmtnoise has a back end for Solaris, which has never run on a real one."


@dataclass(frozen=True)
class Statement:
    """``needs`` are the roles of the runs that ``check`` takes, empty where no emulator can show it: ``unshown`` then says why.
    ``silicon`` is the role of a run on silicon that decides by ``check_silicon`` wherever it is there."""

    name: str
    where: str
    says: str
    needs: tuple[str, ...] = ()
    check: Callable[..., Finding] | None = None
    unshown: str = ""
    silicon: str | None = None
    check_silicon: Callable[..., Finding] | None = None


STATEMENTS = (
    Statement(
        "uniform",
        "section 3",
        "Undisturbed, every repetition of the loop takes the same time, 100 µs.",
        (BARE,),
        others.uniform,
    ),
    Statement(
        "representative",
        "section 2",
        "Loops of one instruction type show the same noise; integer add stands for all of them.",
        (LINUX250,),
        linux.same_under_all,
    ),
    Statement(
        "linux-peaks",
        "section 3, figure 1",
        "Under Linux the loop on strand 0 has peaks each 4 ms: 250 a second.",
        (LINUX250,),
        linux.peaks_at_250,
    ),
    Statement(
        "linux-interrupts",
        "section 3",
        "Linux's peaks are the handler of the clock's interrupt.",
        (LINUX250, LINUX100),
        linux.peaks_are_interrupts,
    ),
    Statement(
        "linux-slowdown",
        "section 3, figure 1",
        "Under Linux, repetitions that are hit take over 20 % longer.",
        (LINUX250,),
        linux.slowdown_emulated,
        silicon="silicon-linux",
        check_silicon=linux.slowdown_on_silicon,
    ),
    Statement(
        "linux-strands",
        "sections 3 and 4",
        "Under Linux every strand has such peaks, because each runs the scheduler itself.",
        unshown=ONE_STRAND,
        silicon="silicon-linux",
        check_silicon=linux.every_strand,
    ),
    Statement(
        "clock-rate",
        "section 3, figure 2 (a)",
        "The peaks come at the rate of the OS's clock: where it is 100 Hz they are 10 ms apart.",
        (LINUX250, LINUX100),
        linux.peaks_at_both,
    ),
    Statement(
        "solaris-strand",
        "abstract; section 3, figure 2 (a)",
        "Under Solaris strand 0 takes the clock's interrupt, 100 times a second; a repetition takes up to 30 % longer.",
        unshown=NO_SOLARIS,
        silicon="silicon-solaris",
        check_silicon=others.solaris_strand,
    ),
    Statement(
        "solaris-core",
        "abstract; section 3, figure 2 (b)",
        "Under Solaris other strands of that core have smaller peaks, up to 10 %: they share the core with the handler.",
        unshown=f"{NO_SOLARIS} And no emulator has strands that share a core.",
        silicon="silicon-solaris",
        check_silicon=others.solaris_core,
    ),
    Statement(
        "solaris-elsewhere",
        "abstract; sections 3 and 4",
        "Under Solaris strands of other cores have no peaks, though they share the second-level cache and the memory.",
        unshown=NO_SOLARIS,
        silicon="silicon-solaris",
        check_silicon=others.solaris_elsewhere,
    ),
    Statement(
        "bare-quiet",
        "section 3",
        "In an environment without a scheduler (Netra DPS) there are no peaks.",
        (BARE, CONTROL250, CONTROL100),
        others.quiet_without_os,
    ),
    Statement(
        "bare-strands",
        "section 3",
        "In such an environment no strand has peaks.",
        unshown=ONE_STRAND,
        silicon="silicon-bare",
        check_silicon=others.quiet_everywhere,
    ),
)


@dataclass(frozen=True)
class Judged:
    """A statement and what became of it. ``commands`` make the runs that would decide it, each with what it wants before it."""

    statement: Statement
    finding: Finding
    commands: tuple[tuple[str, str], ...]


def _command(runs: Runs, name: str) -> tuple[str, str]:
    role = ROLE_OF[name]
    return role.before, role.make(runs.folder)


def judge(statement: Statement, runs: Runs) -> Judged:
    """Holds the statement against the runs: silicon decides where it is there."""
    silicon = runs.found.get(statement.silicon or "")
    if silicon is not None and statement.check_silicon:
        return Judged(statement, statement.check_silicon(silicon), ())
    beyond = (_command(runs, statement.silicon),) if statement.silicon else ()
    if statement.check is None:
        return Judged(statement, unshown(statement.unshown), beyond)
    missing = [name for name in statement.needs if name not in runs.found]
    if missing:
        why = "; ".join(runs.problems.get(name, f"{name} was not run yet") for name in missing)
        return Judged(statement, Finding(NO_RUN, "", "", f"{why}."), tuple(_command(runs, name) for name in missing))
    finding = statement.check(*(runs.found[name] for name in statement.needs))
    return Judged(statement, finding, beyond if finding.verdict == UNSHOWN or finding.label == MODELLED else ())


def judge_all(runs: Runs) -> list[Judged]:
    return [judge(statement, runs) for statement in STATEMENTS]
