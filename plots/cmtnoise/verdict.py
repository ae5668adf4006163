"""The verdict on each strand: what was measured, in words, by where the strand sits, held against what the OS says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from cmtnoise import rates
from cmtnoise.analysis import analyse
from cmtnoise.counted import by_counts, judged
from cmtnoise.family import Family, families_of
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.search import RATE_MOST
from cmtnoise.slow import EXPECTED_LEAST
from cmtnoise.stats import summarise
from cmtnoise.strands import strand_set

QUIET_SHARE = 1e-3  # of the time: a strand that loses less, with nothing periodic, is quiet
SLOWED_SHARE = 0.6  # of a core mate's cost: a strand whose peaks at the same rate cost less is slowed, not stopped
COUNTED_LEAST = 0.5  # timer interrupts an occurrence, below which it is no tick of this strand
HZ_OFF = 0.02
MANY_HZ = 2.0
LEAST_HZ = 100  # the slowest tick in use, where the OS does not say
COUNTED_CLEARLY = 2 * EXPECTED_LEAST  # timer interrupts in a record from which on it would show them as a tick
ELSEWHERE = "no timer interrupt of this OS (neighbour, device, hypervisor or firmware)"


@dataclass(frozen=True)
class Verdict:
    """The verdict on one strand.

    ``kind`` is ``ticks``, ``slowed``, ``periodic`` (something periodic that is no timer interrupt of this strand), ``noisy``
    or ``quiet``. ``rate_hz`` to ``found`` belong to the tick, else to the costliest periodic source, None and 0 without one;
    ``counted_hz`` is what the OS counted of timer interrupts, None where it did not say, ``timer_interrupts`` their number in
    ``watched_s`` seconds. ``noise_share`` is over all records.

    ``judged_by`` is ``times``, or ``counts`` where times say nothing (``counted.by_counts``): there ``kind`` is ``ticks``,
    ``stopped`` or ``untold``, ``rate_hz`` to ``found`` are None and 0, and ``noise_share`` is not of the strand's OS.
    """

    strand: int
    core: int
    package: int
    kind: str
    words: str
    placement: str
    disagreements: tuple[str, ...]
    rate_hz: float | None
    rate_se_hz: float | None
    cost_us: float | None
    cost_share: float | None
    expected: int
    found: int
    counted_hz: float | None
    noise_share: float
    judged_by: str
    timer_interrupts: int | None
    watched_s: float

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True)
class _Strand:
    """What is known of one strand before it is judged; ``tick`` is the family that is its own timer interrupt."""

    records: tuple[Record, ...]
    families: tuple[Family, ...]
    noise_share: float
    counted_hz: float | None
    timer_interrupts: int | None
    tick: Family | None

    @property
    def number(self) -> int:
        return self.records[0].strand

    @property
    def span_s(self) -> float:
        return sum(record.span_s() for record in self.records)

    @property
    def place(self) -> tuple[int, int]:
        return self.records[0].package, self.records[0].core

    @property
    def first(self) -> Family | None:
        return self.tick or (self.families[0] if self.families else None)


def tick_of(families: tuple[Family, ...], counted_hz: float | None, os_hz: int) -> Family | None:
    """The family that is the strand's own timer interrupt: traced events decide, then the OS's count, then its word. Where
    the OS says nothing, the costliest family may be it."""
    traced = [family for family in families if family.timer_share is not None]
    if traced:
        most = max(traced, key=lambda family: (family.timer_share or 0) * family.found)
        return most if (most.timer_share or 0) >= COUNTED_LEAST else None
    possible = [family for family in families if counted_hz is None or counted_hz >= COUNTED_LEAST * family.rate_hz]
    for family in possible:
        if os_hz and abs(family.rate_hz / os_hz - 1) < HZ_OFF:
            return family
    return possible[0] if possible else None


def _strand(records: list[Record], os_hz: int) -> _Strand:
    analyses = [analyse(record) for record in records]
    spans = [record.span_s() for record in records]
    counts = [record.counted("timer_interrupts") for record in records]
    known = [count for count in counts if count is not None]
    counted_hz = sum(known) / sum(record.counted_s() for record in records) if len(known) == len(records) else None
    families = families_of(analyses)
    return _Strand(
        records=tuple(records),
        families=families,
        noise_share=float(np.average([analysis.noise_share.value for analysis in analyses], weights=spans)),
        counted_hz=counted_hz,
        timer_interrupts=sum(known) if len(known) == len(records) else None,
        tick=tick_of(families, counted_hz, os_hz),
    )


def _slowed_by(strand: _Strand, mates: list[_Strand]) -> bool:
    """Whether a core mate's ticks explain the strand's periodic peaks: same rate, and either the OS counted none here or they
    cost clearly less than there."""
    if strand.first is None:
        return False
    rate, cost = strand.first.rate_hz, strand.first.cost_us
    ticks = [mate.tick for mate in mates if mate.tick and mate.tick.same_rate(rate)]
    if strand.counted_hz is not None:
        return strand.tick is None and bool(ticks)
    return any(cost <= SLOWED_SHARE * tick.cost_us for tick in ticks)


def _kind(strand: _Strand, mates: list[_Strand]) -> str:
    if _slowed_by(strand, mates):
        return "slowed"
    if strand.tick:
        return "ticks"
    if strand.first:
        return "periodic"
    return "quiet" if strand.noise_share < QUIET_SHARE else "noisy"


def _placement(strand: _Strand, ticking: list[_Strand]) -> str:
    """Where the strand sits by the nearest ticking one; "" for one that ticks itself, or where none does."""
    if not ticking or strand in ticking:
        return ""
    mates = [other for other in ticking if other.place == strand.place]
    same = [other for other in ticking if other.place[0] == strand.place[0]]
    if mates:
        return f"same core as the ticking strand {mates[0].number}"
    if same:
        return f"same package as the ticking strand {same[0].number}, another core"
    return f"another package than the ticking strand {ticking[0].number}"


def _too_long(strand: _Strand, hz: float) -> str:
    """Says so where every repetition of the strand holds ticks at that rate, or every second one: nothing is left undisturbed,
    and what shows is their beat with the repetitions. "" where not."""
    baseline_ms = min(analyse(record).baseline_us for record in strand.records) * 1e-3
    too_long = hz * baseline_ms * 1e-3 > RATE_MOST
    return f"repetitions of {baseline_ms:.3g} ms are too long to tell ticks at {hz:.0f} Hz apart" if too_long else ""


def _unseen(strand: _Strand, hz: float) -> str:
    """Why no record of the strand can show ticks at that rate, "" where one can."""
    span_s = max(record.span_s() for record in strand.records)
    too_short = hz * span_s < EXPECTED_LEAST
    return _too_long(strand, hz) or (
        f"records of {1e3 * span_s:.2g} ms are too short to show ticks at {hz:.0f} Hz" if too_short else ""
    )


def _words(strand: _Strand, kind: str, placement: str, tick_hz: float) -> str:
    first = strand.first.words() if strand.first else ""
    lost = f"{100 * strand.noise_share:.2g} % of the time lost"
    unseen, beating = _unseen(strand, tick_hz), _too_long(strand, tick_hz)
    none = f"no tick can be seen: {unseen}" if unseen else "no tick"
    words = {
        "ticks": f"ticks {first}",
        "slowed": f"slowed, not stopped, {first}",
        "periodic": f"disturbed {first}, by {ELSEWHERE}",
        "noisy": f"{none}; {lost} to what is not periodic",
        "quiet": f"{none}; quiet ({lost})",
    }[kind]
    parts = [words]
    others = [family.words() for family in strand.families if family is not strand.first]
    if others:
        parts.append(f"also disturbed {', and '.join(others)}" + (f", by {ELSEWHERE}" if kind == "ticks" else ""))
    parts += [f"{lost} in all"] if first else []
    parts += [f"{beating}: what is periodic may be their beat"] if first and beating else []
    return "; ".join([*parts, placement] if placement else parts)


def _set_apart(run: Run, records: Sequence[Record], ticked_hz: float) -> list[str]:
    """Where a strand that the OS sets apart was disturbed all the same; ``ticked_hz`` is 0 for one that did not tick."""
    said: list[str] = []
    number = records[0].strand
    if ticked_hz and number in strand_set(run.fact("tick", "nohz_full")):
        said.append(f"strand {number} is in nohz_full yet ticked {ticked_hz:.0f} times a second")
    switches = sum(record.counted("involuntary_switches") or 0 for record in records)
    if switches and number in strand_set(run.fact("tick", "isolated")):
        said.append(f"strand {number} is isolated, yet other threads took it {switches} times from the measuring one")
    return said


def _disagreements(run: Run, strand: _Strand, kind: str, os_hz: int) -> list[str]:
    """Where the OS's word and the measurement differ; what no record can show is no difference."""
    said: list[str] = []
    number, counted, first = strand.number, strand.counted_hz, strand.first
    ticked = strand.tick.rate_hz if strand.tick and kind == "ticks" else None
    if ticked and os_hz and not _too_long(strand, os_hz) and abs(ticked / os_hz - 1) > HZ_OFF:
        said.append(f"strand {number} ticks at {ticked:.1f} Hz, the OS says {os_hz} Hz")
    often = counted if counted is not None else ticked
    said += _set_apart(run, strand.records, often if often and often > MANY_HZ else 0)
    shown = max(record.counted("timer_interrupts") or 0 for record in strand.records) >= COUNTED_CLEARLY
    if first is None and counted is not None and counted > 20 and shown and not _unseen(strand, counted):
        said.append(f"the OS counted {counted:.0f} timer interrupts a second on strand {number}, and the times show no tick")
    return said


def verdicts(run: Run) -> list[Verdict]:
    """The verdict on each strand that has records, by strand."""
    os_hz = rates.os_hz(run)
    if by_counts(run):
        return [_by_counts(run, [record for record in run.records if record.strand == strand], os_hz) for strand in run.strands]
    strands = [_strand([record for record in run.records if record.strand == number], os_hz) for number in run.strands]
    mates = {
        strand.number: [other for other in strands if other is not strand and other.place == strand.place] for strand in strands
    }
    kinds = {strand.number: _kind(strand, mates[strand.number]) for strand in strands}
    ticking = [strand for strand in strands if kinds[strand.number] == "ticks"]
    return [_verdict(run, strand, kinds[strand.number], _placement(strand, ticking), os_hz) for strand in strands]


def _verdict(run: Run, strand: _Strand, kind: str, placement: str, os_hz: int) -> Verdict:
    family = strand.first
    return Verdict(
        strand=strand.number,
        core=strand.place[1],
        package=strand.place[0],
        kind=kind,
        words=_words(strand, kind, placement, os_hz or LEAST_HZ),
        placement=placement,
        disagreements=tuple(_disagreements(run, strand, kind, os_hz)),
        rate_hz=family.rate_hz if family else None,
        rate_se_hz=family.rate_se_hz if family else None,
        cost_us=family.cost_us if family else None,
        cost_share=family.share if family else None,
        expected=family.expected if family else 0,
        found=family.found if family else 0,
        counted_hz=strand.counted_hz,
        noise_share=strand.noise_share,
        judged_by="times",
        timer_interrupts=strand.timer_interrupts,
        watched_s=strand.span_s,
    )


def _by_counts(run: Run, records: list[Record], os_hz: int) -> Verdict:
    """The verdict where times say nothing: no fit, no cost, no placement."""
    found = judged(records, os_hz or LEAST_HZ)
    hz = None if found.interrupts is None else found.interrupts / found.span_s
    lost = [summarise(record).noise_share * record.span_s() for record in records]
    return Verdict(
        strand=records[0].strand,
        core=records[0].core,
        package=records[0].package,
        kind=found.kind,
        words=found.words,
        placement="",
        disagreements=tuple(_set_apart(run, records, hz if hz and found.kind == "ticks" else 0)),
        rate_hz=None,
        rate_se_hz=None,
        cost_us=None,
        cost_share=None,
        expected=0,
        found=0,
        counted_hz=hz,
        noise_share=sum(lost) / sum(record.span_s() for record in records),
        judged_by="counts",
        timer_interrupts=found.interrupts,
        watched_s=found.span_s,
    )
