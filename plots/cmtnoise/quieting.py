"""What would quiet the strands that tick: the tick configurations that help them and are not in force; and what was asked for and
is not in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from cmtnoise import tick
from cmtnoise.asked import asked, everyone, facts_of, filled, in_nohz_full
from cmtnoise.cli import printable
from cmtnoise.run import Run
from cmtnoise.strands import strand_words, strands_named
from cmtnoise.tick import Tick, TickError
from cmtnoise.verdict import Verdict

FULL = "nohz-full"
BOOT_STRAND = 0  # it keeps the time, so it cannot be in nohz_full


@dataclass(frozen=True)
class Quieting:
    """One tick configuration for ``strands``: ``parameters`` of the boot for just these, ``settings`` at run time, and what the
    OS kernel must be built with (``config``). ``now`` says what is not in force."""

    name: str
    advice: str
    strands: str
    parameters: str
    settings: tuple[str, ...]
    config: str
    now: tuple[str, ...]
    note: str

    def how(self) -> str:
        """How to get it, in words."""
        build = "an OS kernel with" if self.parameters else "build the OS kernel with"
        parts = [f"boot with {self.parameters}"] if self.parameters else []
        parts += [f"then {'; '.join(self.settings)}"] if self.settings else []
        parts += [f"{'it takes ' if self.parameters else ''}{build} {self.config}"] if self.config else []
        return "; ".join([*parts, self.note] if self.note else parts)

    def words(self) -> str:
        several = "s" if any(mark in self.strands for mark in ",-") else ""
        return printable(f"to quiet strand{several} {self.strands}, {self.name}: {self.advice}: {self.how()}")

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def _quieting(one: Tick, ticking: set[int], run: Run) -> Quieting | None:
    stops = any(word.startswith("nohz_full=") for word in one.parameters)
    strands = ticking - {BOOT_STRAND} if stops else ticking
    if not one.advice or not strands or (one.of_strands and (not run.places() or strands >= everyone(run))):
        return None
    if "skew_tick" in one.expect and len(everyone(run)) < 2:  # none ticks beside it
        return None
    own = filled(one, strands, run)
    unmet = own.unmet(facts_of(run))
    if own.expect and not unmet:
        return None
    built = [f"CONFIG_{key}={value}" for key, value in own.config.items() if value != "n" or not own.parameters]
    return Quieting(
        name=own.name,
        advice=own.advice,
        strands=strand_words(strands),
        parameters=" ".join(own.parameters),
        settings=tuple(f"echo {value} > {path}" for path, value in own.settings.items()),
        config=" ".join(built),
        now=tuple(unmet),
        note=f"strand {BOOT_STRAND} is the boot strand and cannot be in nohz_full" if strands != ticking else "",
    )


def quieting(run: Run, verdicts: Sequence[Verdict]) -> list[Quieting]:
    """What would quiet the strands whose verdict is that they tick; nothing where none does, or the OS is not Linux."""
    ticking = {verdict.strand for verdict in verdicts if verdict.kind == "ticks"}
    if not ticking or run.fact("host", "os") != "linux":
        return []
    return [found for name in tick.names() if (found := _quieting(tick.load(name), ticking, run))]


def shortfalls(run: Run) -> list[str]:
    """The tick configurations that the run was booted for and that are not in force: but for nohz-full, which ``misconfigured``
    tells of, and those that its domain asked for, which the run itself warns of."""
    domain = run.info.get("domain")
    told = domain.get("tick") if isinstance(domain, dict) else None
    known = [*(told if isinstance(told, list) else []), FULL]
    wanting = [one for one in asked(run) if one.unmet and one.tick.name not in known]
    return [printable(f"{one.subject} was asked for and is not in force: {one.shortfall()}") for one in wanting]


def misconfigured(run: Run) -> list[str]:
    """What strands in nohz_full lack of the tick configuration for it, in at most one sentence."""
    strands = in_nohz_full(run)
    if not strands:
        return []
    try:
        wanted = filled(tick.load(FULL), strands, run)
    except TickError as error:
        return [f"what nohz_full needs cannot be told: {error}"]
    unmet = wanted.unmet(facts_of(run))
    if not unmet:
        return []
    lacking = f"{strands_named(strands)} in nohz_full {'lacks' if len(strands) == 1 else 'lack'} what that needs"
    return [printable(f"{lacking}: {'; '.join(unmet)}. Tick configuration {FULL} boots with {' '.join(wanted.parameters)}")]
