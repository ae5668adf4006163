"""Records whose noise is known: made from a recipe, with the truth beside them. What they hold is ``modelled``, never measured.

Work of one quantum a repetition is done on a strand; occurrences of each source arrive at their times and steal their costs. An
occurrence that arrives while another is served waits for it, as interrupts do.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cmtnoise.record import Record

Floats = NDArray[np.float64]

OCCURRENCES_MOST = 10**8
ZEROS_MOST = 0.1  # as the reader of records has it
BURST = -1  # what Truth.source says of an occurrence that belongs to no periodic source


@dataclass(frozen=True)
class Tick:
    """A periodic source. ``cost`` is a share of the quantum, ``cost_spread`` the sigma of a log-normal factor on it.

    ``jitter_s`` is the sigma of each occurrence's time; a share ``delayed`` of them comes later, by ``delay_s`` on average
    (exponential); a share ``lost`` does not come.
    """

    rate_hz: float
    cost: float
    cost_spread: float = 0.0
    jitter_s: float = 0.0
    lost: float = 0.0
    delayed: float = 0.0
    delay_s: float = 0.0


@dataclass(frozen=True)
class Bursts:
    """Random occurrences, ``rate_hz`` on average, in groups of ``size`` on average; ``cost`` (share of the quantum) is the
    median of a log-normal with sigma ``cost_spread``, or with ``tail`` the least of a Pareto with that exponent."""

    rate_hz: float
    cost: float
    cost_spread: float = 0.7
    size: float = 1.0
    tail: float = 0.0


@dataclass(frozen=True)
class Recipe:
    """What a record is made of. ``width`` is the sigma of the undisturbed repetitions as a share of the quantum, ``drift`` how
    much the baseline rises over the record, ``steps`` how many times it jumps by up to ``step``; stamps are multiples of
    ``timer_step`` counts."""

    repetitions: int = 1000
    ticks: tuple[Tick, ...] = ()
    bursts: tuple[Bursts, ...] = ()
    width: float = 5e-4
    drift: float = 0.0
    steps: int = 0
    step: float = 0.0
    timer_step: int = 1
    quantum_ns: int = 100_000
    timer_hz: int = 2_500_000_000


@dataclass(frozen=True)
class Truth:
    """What was put into a record. Arrays have shape (occurrences,): ``source`` is the index of the recipe's tick or BURST,
    ``repetition`` the one that was hit, ``at_s`` the time from the first stamp at which it began, ``cost_us``."""

    source: NDArray[np.intp]
    repetition: NDArray[np.intp]
    at_s: Floats
    cost_us: Floats


@dataclass
class _Arrivals:
    times: list[Floats] = field(default_factory=list)
    costs: list[Floats] = field(default_factory=list)
    sources: list[NDArray[np.intp]] = field(default_factory=list)

    def add(self, times: Floats, costs: Floats, source: int) -> None:
        self.times.append(times)
        self.costs.append(costs)
        self.sources.append(np.full(times.size, source, np.intp))


def _tick_arrivals(tick: Tick, span_s: float, random: np.random.Generator) -> tuple[Floats, Floats]:
    times = np.arange(random.random() / tick.rate_hz, span_s, 1 / tick.rate_hz)
    times = times[random.random(times.size) >= tick.lost]
    late = (random.random(times.size) < tick.delayed) * random.exponential(1.0, times.size) * tick.delay_s
    costs = tick.cost * np.exp(tick.cost_spread * random.standard_normal(times.size))
    return times + tick.jitter_s * random.standard_normal(times.size) + late, costs


def _burst_arrivals(bursts: Bursts, span_s: float, random: np.random.Generator) -> tuple[Floats, Floats]:
    groups = random.random(random.poisson(bursts.rate_hz * span_s / bursts.size)) * span_s
    sizes = random.geometric(1 / bursts.size, groups.size)
    times = np.repeat(groups, sizes) + random.exponential(2e-4, int(sizes.sum())) * (np.repeat(sizes, sizes) > 1)
    if bursts.tail:
        costs = bursts.cost * (1 + random.pareto(bursts.tail, times.size))
    else:
        costs = bursts.cost * np.exp(bursts.cost_spread * random.standard_normal(times.size))
    return times, costs


def _work(recipe: Recipe, random: np.random.Generator) -> Floats:
    """Undisturbed durations in counts."""
    along = np.linspace(0, 1, recipe.repetitions)
    speed = 1 + recipe.drift * along
    for at in random.random(recipe.steps):
        speed = speed + np.where(along > at, recipe.step * random.uniform(-1, 1), 0)
    quantum = recipe.quantum_ns * 1e-9 * recipe.timer_hz
    work: Floats = quantum * speed * (1 + recipe.width * random.standard_normal(recipe.repetitions))
    return work


def _check(stamps: Floats, costs: Floats) -> None:
    durations = np.diff(stamps, prepend=0)
    if not np.isfinite(costs).all() or not stamps[-1] < 1 << 63:
        raise ValueError("its repetitions last longer than 63 bits of the timer can count")
    if durations.min() < 0:
        raise ValueError("its repetitions scatter so much that some last less than nothing")
    if np.count_nonzero(durations) < (1 - ZEROS_MOST) * durations.size:
        raise ValueError("its timer is too coarse for its repetitions")


@np.errstate(over="ignore", invalid="ignore")
def make(recipe: Recipe, seed: int, strand: int = 0) -> tuple[Record, Truth]:
    """A record of the recipe and its truth; the same seed gives the same record. ValueError for a recipe of no record."""
    random = np.random.default_rng(seed)
    work = _work(recipe, random)
    ends = np.cumsum(work)
    span_s = 2 * float(ends[-1]) / recipe.timer_hz
    arrivals = _Arrivals()
    if not span_s * (sum(t.rate_hz for t in recipe.ticks) + sum(b.rate_hz for b in recipe.bursts)) <= OCCURRENCES_MOST:
        raise ValueError(f"it has more than {OCCURRENCES_MOST} occurrences")
    for number, tick in enumerate(recipe.ticks):
        arrivals.add(*_tick_arrivals(tick, span_s, random), number)
    for bursts in recipe.bursts:
        arrivals.add(*_burst_arrivals(bursts, span_s, random), BURST)
    if arrivals.times:
        times, costs = np.concatenate(arrivals.times) * recipe.timer_hz, np.concatenate(arrivals.costs)
        order = np.argsort(times, kind="stable")
        times, costs = times[order], costs[order] * recipe.quantum_ns * 1e-9 * recipe.timer_hz
        sources = np.concatenate(arrivals.sources)[order]
    else:
        times, costs, sources = np.empty(0), np.empty(0), np.empty(0, np.intp)
    # When its own work had got how far: arrivals while another is served wait.
    worked = np.maximum.accumulate(times - (np.cumsum(costs) - costs)) if times.size else times
    hit = np.searchsorted(ends, np.maximum(worked, 0), side="right")
    inside = (hit < recipe.repetitions) & (worked >= 0)
    stolen = np.bincount(hit[inside], costs[inside], recipe.repetitions)
    stamps = np.floor(np.cumsum(work + stolen) / recipe.timer_step) * recipe.timer_step
    _check(stamps, costs)
    durations = np.diff(stamps, prepend=0).astype(np.uint64)
    us = 1e6 / recipe.timer_hz
    began = (worked + np.cumsum(costs) - costs)[inside] / recipe.timer_hz
    return _record(recipe, durations, strand), Truth(sources[inside], hit[inside], began, costs[inside] * us)


def _record(recipe: Recipe, durations: NDArray[np.uint64], strand: int) -> Record:
    header = {
        "record_version": "1",
        "tool": "cmtnoise synth",
        "kernel": "add",
        "instruction": "none: modelled",
        "isa": "none",
        "os": "none",
        "host": "modelled",
        "strand": str(strand),
        "core": str(strand),
        "package": "0",
        "iterations": "1000",
        "ops_per_iteration": "1",
        "quantum_ns": str(recipe.quantum_ns),
        "repetitions": str(recipe.repetitions),
        "timer": "modelled",
        "timer_hz": str(recipe.timer_hz),
        "first_stamp_counts": "0",
        "start_time": "2026-01-01T00:00:00.000000Z",
        "label": "modelled",
        "realtime": "no",
    }
    return Record(
        path=Path(f"strand{strand}-add.tsv"),
        header=header,
        counters={},
        warnings=(),
        duration_counts=durations,
        strand=strand,
        core=strand,
        package=0,
        iterations=1000,
        ops_per_iteration=1,
        quantum_ns=recipe.quantum_ns,
        timer_hz=recipe.timer_hz,
        first_stamp_counts=0,
    )


def placed(record: Record, core: int, host: str, os: str) -> Record:
    """The record as of a strand of that core, on that host."""
    header = {**record.header, "core": str(core), "host": host, "os": os}
    return replace(record, core=core, header=header)


def record_text(record: Record) -> str:
    """The record as the harness would write it (results/FORMAT.md)."""
    header = "".join(f"# {key}: {value}\n" for key, value in record.header.items())
    rows = "".join(f"{a}\t{b}\n" for a, b in zip(record.start_counts.tolist(), record.duration_counts.tolist(), strict=True))
    return f"{header}start_counts\tduration_counts\n{rows}"


def truth_text(recipe: Recipe, truth: Truth) -> str:
    """The truth as tab-separated text: a line an occurrence, ``source`` being ``tick0``, ``tick1`` ... or ``burst``."""
    lines = [f"# tick{number}: {tick.rate_hz} Hz, cost {tick.cost} of the quantum\n" for number, tick in enumerate(recipe.ticks)]
    lines.append("source\trepetition\tat_s\tcost_us\n")
    for source, repetition, at, cost in zip(truth.source, truth.repetition, truth.at_s, truth.cost_us, strict=True):
        name = "burst" if source == BURST else f"tick{source}"
        lines.append(f"{name}\t{repetition}\t{at:.9f}\t{cost:.4f}\n")
    return "".join(lines)
