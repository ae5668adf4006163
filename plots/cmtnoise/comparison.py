"""Runs held against each other: the same kernels on the same strands, effects with intervals, and what was configured otherwise.

A figure's 95 % interval comes from a seeded bootstrap. Where a run measured everything in three rounds or more (sweep --repeat),
whole rounds are resampled, so that slow changes of the machine between them are in the interval; else pieces of each record,
and such changes are not. A bootstrap over few rounds or pieces is too narrow, so it is widened as Student's t is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmtnoise.analysis import GROUPS, SEED, Interval, analyse, in_pieces, peaks_of
from cmtnoise.baseline import BLOCK
from cmtnoise.family import SAME_RATE
from cmtnoise.rates import instruction_hz
from cmtnoise.record import Record
from cmtnoise.run import Run, RunError

Floats = NDArray[np.float64]

RESAMPLES = 500
ROUNDS_LEAST = 3
SECONDS_LEAST = 60.0  # of a run in rounds, below which they say little of slow changes
PIECES_LEAST = 8  # of a record: fewer do not show how much it scatters
NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Metric:
    """Something that is compared. ``of`` gives a record's pieces: two arrays, the value is the ratio of their sums."""

    name: str
    title: str
    unit: str
    scale: float
    of: Callable[[Record], tuple[Floats, Floats] | None]


def _grouped(values: Floats) -> Floats:
    return in_pieces(values, GROUPS // 2)


def _spans(record: Record) -> Floats:
    """Time of each piece, in counts; pieces are those of ``_grouped`` for the record's blocks."""
    firsts = np.arange(0, record.duration_counts.size, peaks_of(record).block)
    return _grouped(np.add.reduceat(record.duration_counts, firsts).astype(np.float64))


def _noise(record: Record) -> tuple[Floats, Floats]:
    return _grouped(peaks_of(record).lost), _spans(record)


def _peaks(record: Record) -> tuple[Floats, Floats]:
    peaks = peaks_of(record)
    counts = np.bincount(peaks.at[peaks.is_peak] // peaks.block, minlength=peaks.lost.size).astype(np.float64)
    return _grouped(counts[: peaks.lost.size]), _spans(record) / record.timer_hz


def _baseline(record: Record) -> tuple[Floats, Floats]:
    levels = _grouped(peaks_of(record).levels) * (1e6 / record.timer_hz)
    return levels, _grouped(np.ones(peaks_of(record).levels.size))


def _cost(record: Record) -> tuple[Floats, Floats] | None:
    sources = analyse(record).sources
    if not sources:
        return None
    peaks = peaks_of(record)
    costs = peaks.excess[np.isin(peaks.at, sources[0].peaks)] * (1e6 / record.timer_hz)
    return _grouped(costs), _grouped(np.ones(costs.size))


METRICS = {
    metric.name: metric
    for metric in (
        Metric("noise", "time lost to noise", "%", 100.0, _noise),
        Metric("peaks", "peaks a second", "/s", 1.0, _peaks),
        Metric("baseline", "undisturbed repetition", "µs", 1.0, _baseline),
        Metric("cost", "mean cost of the main periodic source", "µs", 1.0, _cost),
    )
}


@dataclass(frozen=True)
class Effect:
    """One metric of one strand, or of all: its value in A and in B, and B less A. ``relative`` is the change as a share of A,
    None where A is 0. ``shown`` tells whether the interval excludes that nothing changed."""

    metric: str
    strand: str
    a: Interval
    b: Interval
    change: Interval
    relative: float | None

    @property
    def shown(self) -> bool:
        return self.change.low > 0 or self.change.high < 0


@dataclass(frozen=True)
class Pair:
    """The records of one strand and kernel in two runs; one a round."""

    strand_a: int
    strand_b: int
    kernel: str
    a: tuple[Record, ...]
    b: tuple[Record, ...]


@dataclass(frozen=True)
class Comparison:
    """Run ``b`` against run ``a``. ``by_placement`` tells that the machines differ, so that strands were matched by place."""

    a: Run
    b: Run
    pairs: tuple[Pair, ...]
    by_placement: bool
    unmatched: tuple[str, ...]
    effects: tuple[Effect, ...]
    differences: tuple[tuple[str, str, str], ...]
    caveats: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether both runs counted instructions, so that their times are exact and the same again each time."""
        return _counted(self.a, self.b)

    def overall(self, metric: str) -> Effect | None:
        return next((effect for effect in self.effects if effect.metric == metric and effect.strand == "all"), None)


def _counted(a: Run, b: Run) -> bool:
    return all(instruction_hz(run) is not None for run in (a, b))


def _places(run: Run) -> dict[int, tuple[int, int, int]]:
    """Each strand's place: which package, which core of it, which strand of that, each counted from 0. Nothing where the run
    does not tell of the whole machine: the strands that were measured do not say what is between them."""
    tree: dict[int, dict[int, list[int]]] = {}
    for package, core, strand in sorted(set(run.places())):
        tree.setdefault(package, {}).setdefault(core, []).append(strand)
    return {
        strand: (p, c, s)
        for p, cores in enumerate(tree.values())
        for c, strands in enumerate(cores.values())
        for s, strand in enumerate(strands)
    }


def _match(a: Run, b: Run) -> tuple[tuple[Pair, ...], bool, tuple[str, ...]]:
    places_a, places_b = _places(a), _places(b)
    by_placement = bool(places_a and places_b) and places_a != places_b
    at_b = {place: strand for strand, place in places_b.items()}

    def partner(strand: int) -> int | None:
        return at_b.get(places_a[strand]) if by_placement and strand in places_a else strand

    pairs, left = [], []
    for kernel in a.kernels:
        for strand in a.strands:
            mine = tuple(record for record in a.records if (record.strand, record.kernel) == (strand, kernel))
            other = partner(strand)
            theirs = tuple(record for record in b.records if (record.strand, record.kernel) == (other, kernel))
            if mine and theirs and other is not None:
                pairs.append(Pair(strand, other, kernel, mine, theirs))
            elif mine:
                left.append(f"strand {strand} {kernel} is only in {a.path}")
    used = {(pair.strand_b, pair.kernel) for pair in pairs}
    missing = dict.fromkeys((r.strand, r.kernel) for r in b.records if (r.strand, r.kernel) not in used)
    left += [f"strand {strand} {kernel} is only in {b.path}" for strand, kernel in missing]
    return tuple(pairs), by_placement, tuple(left)


def _units(found: list[tuple[Floats, Floats]]) -> list[tuple[Floats, Floats]] | None:
    """What is resampled of the records of one strand and kernel: their rounds, else the pieces of each, None where those are too
    few."""
    if len(found) >= ROUNDS_LEAST:
        return [(np.array([top.sum() for top, _ in found]), np.array([bottom.sum() for _, bottom in found]))]
    return found if all(top.size >= PIECES_LEAST for top, _ in found) else None


def _draw(top: Floats, bottom: Floats, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Resampled sums of both; element 0 is the sum itself."""
    drawn = random.integers(0, top.size, (RESAMPLES, top.size))
    return np.concatenate(([top.sum()], top[drawn].sum(axis=1))), np.concatenate(([bottom.sum()], bottom[drawn].sum(axis=1)))


def student_95(freedom: int) -> float:
    """The 97.5 % quantile of Student's t from 2 degrees of freedom up, within 4 % (Abramowitz and Stegun, 26.7.5)."""
    x = NORMAL_95
    first, second = (x**3 + x) / 4, (5 * x**5 + 16 * x**3 + 3 * x) / 96
    third = (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384
    return float(x + first / freedom + second / freedom**2 + third / freedom**3)


@dataclass
class _Side:
    """Resampled sums of one run; ``freedom`` and ``fewest`` tell of how many units."""

    tops: Floats
    bottoms: Floats
    freedom: int = 0
    fewest: int = 1 << 62

    def add(self, units: list[tuple[Floats, Floats]], random: np.random.Generator) -> None:
        for top, bottom in units:
            tops, bottoms = _draw(top, bottom, random)
            self.tops += tops
            self.bottoms += bottoms
            self.freedom += top.size - 1
            self.fewest = min(self.fewest, top.size)

    def values(self, scale: float) -> Floats:
        """The metric, element 0 as it is, none negative: a baseline that lies a little high gives less than no noise."""
        values: Floats = np.maximum(scale * self.tops / self.bottoms, 0)
        widened: Floats = values[0] + math.sqrt(self.fewest / (self.fewest - 1)) * (values - values[0])
        return widened


def _interval(values: Floats, freedom: int, least: float = 0.0) -> Interval:
    value = float(values[0])
    low, high = value + student_95(freedom) / NORMAL_95 * (np.quantile(values[1:], (0.025, 0.975)) - value)
    return Interval(value, max(float(low), least), float(high))


def _effect(metric: Metric, strand: str, pairs: Iterable[Pair]) -> Effect | None:
    """The metric over the pairs, or None where a record does not have it, or is too short for an interval."""
    random = np.random.default_rng(SEED)
    sides = [_Side(np.zeros(RESAMPLES + 1), np.zeros(RESAMPLES + 1)) for _ in range(2)]
    for pair in pairs:
        for side, records in zip(sides, (pair.a, pair.b), strict=True):
            found = [pieces for pieces in map(metric.of, records) if pieces is not None]
            units = _units(found) if len(found) == len(records) else None
            if units is None:
                return None
            side.add(units, random)
    a, b = (side.values(metric.scale) for side in sides)
    free_a, free_b = (side.freedom for side in sides)
    change = _interval(b - a, free_a + free_b, -math.inf)
    relative = float(b[0] / a[0] - 1) if a[0] else None
    return Effect(metric.name, strand, _interval(a, free_a), _interval(b, free_b), change, relative)


def _effects(pairs: tuple[Pair, ...]) -> tuple[Effect, ...]:
    found = []
    for metric in METRICS.values():
        usable = [pair for pair in pairs if metric.name != "baseline" or _same_work(pair)]
        if len(usable) < len(pairs):
            continue
        found.append(_effect(metric, "all", usable))
        for strand in dict.fromkeys(pair.strand_a for pair in usable):
            found.append(_effect(metric, str(strand), [pair for pair in usable if pair.strand_a == strand]))
    return tuple(effect for effect in found if effect is not None)


def _same_work(pair: Pair) -> bool:
    return len({record.iterations for record in (*pair.a, *pair.b)}) == 1


def _other_source(pair: Pair) -> bool:
    rates = [analyse(record).sources[0].rate_hz for record in (*pair.a, *pair.b) if analyse(record).sources]
    return bool(rates) and max(rates) > (1 + SAME_RATE) * min(rates)


def _caveats(a: Run, b: Run, pairs: tuple[Pair, ...]) -> list[str]:
    said = []
    if a.label != b.label:
        said.append(f"{a.path} is {a.label}, {b.path} is {b.label}: their times are not of one kind")
    if not all(_same_work(pair) for pair in pairs):
        said.append(
            "the runs were calibrated each on its own, so that their baselines cannot be compared; "
            "sweep --iterations N gives both the same work"
        )
    if any(_other_source(pair) for pair in pairs):
        said.append("the main periodic source has not one rate in all records: their costs are of different sources")
    few = [records for pair in pairs for records in (pair.a, pair.b) if len(records) < ROUNDS_LEAST]
    if any(peaks_of(record).levels.size < PIECES_LEAST for records in few for record in records):
        said.append(
            f"records of fewer than {(PIECES_LEAST - 1) * BLOCK + 1} repetitions in fewer than {ROUNDS_LEAST} rounds do not show "
            "how much they scatter: nothing is said of them, nor of all strands together"
        )
    if few and not _counted(a, b):
        said.append(
            f"fewer than {ROUNDS_LEAST} rounds a run: slow changes of the machine between the runs are not in the intervals; "
            "sweep --repeat 5 measures interleaved rounds"
        )
    took_s = [sum(record.span_s() for record in run.records) for run in (a, b) if run.label in ("measured", "virtualised")]
    if not few and took_s and min(took_s) < SECONDS_LEAST:
        said.append(
            f"a run measured only {min(took_s):.1f} s: what changes more slowly on the machine is not in the intervals; "
            "compare two runs of the same configuration as well, or measure longer (--reps, --repeat)"
        )
    return said


GROUPS_COMPARED = ("host", "tick", "timer", "options", "tool", "causes")
NOT_COMPARED = {"host.boot_parameters", *(f"timer.{key}" for key in ("rate_error_ppm", "skew_ns", "cost_counts", "hz"))}


def _members(run: Run, group: str) -> dict[str, Any]:
    members = run.info.get(group)
    return members if isinstance(members, dict) else {}


def _differences(a: Run, b: Run) -> list[tuple[str, str, str]]:
    """What run.json says otherwise: (what, in A, in B). Boot parameters word by word."""
    found = []
    for group in GROUPS_COMPARED:
        first, second = _members(a, group), _members(b, group)
        told = dict.fromkeys([*first, *second])
        if group == "tick":  # an older program told less, which is no difference
            told = dict.fromkeys(key for key in told if key in first and key in second)
        for key in told:
            if f"{group}.{key}" not in NOT_COMPARED and first.get(key) != second.get(key):
                found.append((f"{group}.{key}", a.fact(group, key), b.fact(group, key)))
    words_a, words_b = (run.fact("host", "boot_parameters").split() for run in (a, b))
    found += [("boot parameter", word, "") for word in words_a if word not in words_b]
    found += [("boot parameter", "", word) for word in words_b if word not in words_a]
    return found


def compare(a: Run, b: Run) -> Comparison:
    """Holds run b against run a; RunError where they have no kernel on any strand in common."""
    pairs, by_placement, left = _match(a, b)
    if not pairs:
        raise RunError(
            f"{a.path} and {b.path} have no kernel on any strand in common: {'; '.join(left[:2]) or 'neither has a record'}"
        )
    return Comparison(
        a=a,
        b=b,
        pairs=pairs,
        by_placement=by_placement,
        unmatched=left,
        effects=_effects(pairs),
        differences=tuple(_differences(a, b)),
        caveats=tuple(_caveats(a, b, pairs)),
    )
