"""Runs held against each other: the same kernels on the same strands, effects with intervals, and what was configured otherwise.

A figure's 95 % interval comes from a seeded bootstrap. Where a run measured everything in three rounds or more (sweep --repeat),
whole rounds are resampled, so that slow changes of the machine between them are in the interval; else pieces of each record,
and such changes are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmtnoise.analysis import GROUPS, SEED, Interval, analyse, peaks_of
from cmtnoise.record import Record
from cmtnoise.run import Run, RunError

Floats = NDArray[np.float64]

RESAMPLES = 500
ROUNDS_LEAST = 3


@dataclass(frozen=True)
class Metric:
    """Something that is compared. ``of`` gives a record's pieces: two arrays, the value is the ratio of their sums."""

    name: str
    title: str
    unit: str
    scale: float
    of: Callable[[Record], tuple[Floats, Floats] | None]


def _grouped(values: Floats) -> Floats:
    return np.array([piece.sum() for piece in np.array_split(values, min(GROUPS // 2, values.size))])


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

    def overall(self, metric: str) -> Effect | None:
        return next((effect for effect in self.effects if effect.metric == metric and effect.strand == "all"), None)


def _places(run: Run) -> dict[int, tuple[int, int, int]]:
    """Each strand's place: which package, which core of it, which strand of that, each counted from 0."""
    known = run.places() or [(record.package, record.core, record.strand) for record in run.records]
    tree: dict[int, dict[int, list[int]]] = {}
    for package, core, strand in sorted(set(known)):
        tree.setdefault(package, {}).setdefault(core, []).append(strand)
    return {
        strand: (p, c, s)
        for p, cores in enumerate(tree.values())
        for c, strands in enumerate(cores.values())
        for s, strand in enumerate(strands)
    }


def _match(a: Run, b: Run) -> tuple[tuple[Pair, ...], bool, tuple[str, ...]]:
    places_a, places_b = _places(a), _places(b)
    by_placement = places_a != places_b
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


def _draw(pieces: list[tuple[Floats, Floats]], random: np.random.Generator) -> tuple[Floats, Floats]:
    """Resampled sums of both arrays over the records of one strand and kernel; element 0 is the sum itself."""
    if len(pieces) >= ROUNDS_LEAST:
        pieces = [(np.array([top.sum() for top, _ in pieces]), np.array([bottom.sum() for _, bottom in pieces]))]
    tops, bottoms = np.zeros(RESAMPLES + 1), np.zeros(RESAMPLES + 1)
    for top, bottom in pieces:
        drawn = random.integers(0, top.size, (RESAMPLES, top.size))
        tops += np.concatenate(([top.sum()], top[drawn].sum(axis=1)))
        bottoms += np.concatenate(([bottom.sum()], bottom[drawn].sum(axis=1)))
    return tops, bottoms


def _interval(values: Floats) -> Interval:
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return Interval(float(values[0]), float(low), float(high))


def _effect(metric: Metric, strand: str, pairs: Iterable[Pair]) -> Effect | None:
    """The metric over the pairs, or None where a record does not have it."""
    random = np.random.default_rng(SEED)
    sums = [(np.zeros(RESAMPLES + 1), np.zeros(RESAMPLES + 1)) for _ in range(2)]
    for pair in pairs:
        for (tops, bottoms), records in zip(sums, (pair.a, pair.b), strict=True):
            pieces = [found for found in map(metric.of, records) if found is not None]
            if len(pieces) != len(records):
                return None
            top, bottom = _draw(pieces, random)
            tops += top
            bottoms += bottom
    values = [metric.scale * tops / bottoms for tops, bottoms in sums]
    a, b = values
    return Effect(metric.name, strand, _interval(a), _interval(b), _interval(b - a), float(b[0] / a[0] - 1) if a[0] else None)


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


def _caveats(a: Run, b: Run, pairs: tuple[Pair, ...]) -> list[str]:
    said = []
    if a.label != b.label:
        said.append(f"{a.path} is {a.label}, {b.path} is {b.label}: their times are not of one kind")
    if not all(_same_work(pair) for pair in pairs):
        said.append(
            "the runs were calibrated each on its own, so that their baselines cannot be compared; "
            "sweep --iterations N gives both the same work"
        )
    if any(min(len(pair.a), len(pair.b)) < ROUNDS_LEAST for pair in pairs):
        said.append(
            f"fewer than {ROUNDS_LEAST} rounds a run: slow changes of the machine between the runs are not in the intervals; "
            "sweep --repeat 5 measures interleaved rounds"
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
        for key in dict.fromkeys([*first, *second]):
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
        raise RunError(f"{a.path} and {b.path} have no kernel on any strand in common: {'; '.join(left[:2])}")
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
