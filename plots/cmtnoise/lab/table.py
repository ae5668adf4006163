"""A lab as a table: a row for each configuration, kernel and strand, held against the first configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from cmtnoise.cli import printable
from cmtnoise.counted import FIGURES, WHY, by_counts
from cmtnoise.lab.cost import TickCost, tick_cost
from cmtnoise.lab.folder import Lab
from cmtnoise.rates import instruction_hz, os_hz
from cmtnoise.readings import in_words, together
from cmtnoise.report import remarks
from cmtnoise.run import Run
from cmtnoise.verdict import verdicts

PERCENT = 100.0


@dataclass(frozen=True)
class Metric:
    """Something that two rows are held against each other by; ``scale`` makes of the row's value the unit's."""

    name: str
    title: str
    unit: str
    scale: float = 1.0


METRICS = {
    metric.name: metric
    for metric in (
        Metric("ticks", "ticks a second", "/s"),
        Metric("instructions", "median instructions per tick", "instructions"),
        Metric("p95", "95th percentile of instructions per tick", "instructions"),
        Metric("share", "share of the time", "%", PERCENT),
        Metric("missed", "ticks missed", "ticks"),
    )
}


@dataclass(frozen=True)
class Row:
    """One configuration, kernel and strand over all its rounds.

    ``exact`` tells that instructions were counted; where not, ``instructions``, ``p95``, ``most`` and ``share`` are None, and the
    first three also where no tick was found. ``ticks_hz`` is that of the ticks found, of the OS's count where times tell nothing.
    ``share`` is all instructions of ticks, the longest included, as a share of those that the strand runs at the lab's rate.
    ``due``, ``found``, ``counted`` are sums over the rounds, ``countable`` those of the least and the most ticks that the OS can
    have counted, None where that is not known; ``gaps`` holds the periods that passed each time that one or more
    ticks were left out.
    ``identical`` tells whether the records of all rounds are the same byte for byte, None of one round.
    """

    configuration: str
    kernel: str
    strand: int
    label: str
    exact: bool
    rounds: int
    identical: bool | None
    os_hz: int
    ticks_hz: float | None
    counted_hz: float | None
    instructions: float | None
    p95: float | None
    most: float | None
    step: float
    share: float | None
    due: int
    found: int
    counted: int | None
    countable: tuple[int, int] | None
    gaps: tuple[int, ...]
    costs: tuple[TickCost, ...] = field(repr=False, compare=False)

    @property
    def missed(self) -> int:
        return self.due - self.found

    @property
    def tickless(self) -> bool:
        """No tick was found, and none was due or counted."""
        return not self.found and not self.due and not self.counted

    def value(self, metric: str) -> float | None:
        """The metric's value in its unit, None where this row has none."""
        if metric == "ticks":
            return 0.0 if self.tickless else self.ticks_hz
        if metric == "missed":
            return float(self.missed) if self.exact else None
        told: float | None = getattr(self, metric)
        return None if told is None else told * METRICS[metric].scale


@dataclass(frozen=True)
class Table:
    """``rate`` is the instructions a second that shares are of, None: those of each run's own machine. ``missing`` tells of cells
    without a whole run, ``notes`` what else a reader has to know."""

    lab: Lab
    rate: float | None
    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]

    def first(self, row: Row) -> Row | None:
        """The first configuration's row of the same kernel and strand; None for that itself, or where it has none."""
        name = self.lab.configurations[0]
        if row.configuration == name:
            return None
        return next((r for r in self.rows if (r.configuration, r.kernel, r.strand) == (name, row.kernel, row.strand)), None)


def _quantile(values: Sequence[float], q: float) -> float:
    """One of the values, so that it is a number of instructions that a tick took, and the same for a round and its copies."""
    return float(np.quantile(np.asarray(values), q, method="inverted_cdf"))


def _shares(costs: Sequence[TickCost], speed: float, rate: float | None) -> float:
    instructions = sum(float(c.instructions.sum()) for c in costs if c.instructions is not None)
    return instructions / sum(c.record.span_s() for c in costs) / (rate or speed)


def _row(configuration: str, runs: Sequence[Run], key: tuple[str, int], rate: float | None, identical: bool | None) -> Row:
    kernel, strand = key
    of_key = [(run, r) for run in runs for r in run.records if (r.kernel, r.strand) == key]
    costs = [tick_cost(run, record) for run, record in of_key]
    run, record = of_key[0]
    speed = instruction_hz(run)
    paths = [float(path) for cost in costs if cost.instructions is not None for path in cost.instructions]
    rates = [cost.rate_hz for cost in costs if cost.rate_hz is not None]
    counts = [cost.counted for cost in costs]
    counted = None if None in counts else sum(count for count in counts if count is not None)
    counted_hz = None if counted is None else counted / sum(cost.record.counted_s() for cost in costs)
    found_hz = float(np.mean(rates)) if rates else None
    return Row(
        configuration=configuration,
        kernel=kernel,
        strand=strand,
        label=record.label,
        exact=speed is not None,
        rounds=len({run.path for run, _ in of_key}),
        identical=identical,
        os_hz=os_hz(run),
        ticks_hz=found_hz if speed is not None else counted_hz,
        counted_hz=counted_hz,
        instructions=float(np.median(paths)) if paths else None,
        p95=_quantile(paths, 0.95) if paths else None,
        most=max(paths, default=None),
        step=max(cost.step for cost in costs),
        share=_shares(costs, speed, rate) if speed is not None else None,
        due=sum(cost.due for cost in costs),
        found=sum(cost.found for cost in costs),
        counted=counted,
        countable=together([cost.countable for cost in costs]),
        gaps=tuple(gap for cost in costs for gap in cost.gaps) if speed is not None else (),
        costs=tuple(costs),
    )


def _keys(runs: Iterable[Run]) -> list[tuple[str, int]]:
    return list(dict.fromkeys((record.kernel, record.strand) for run in runs for record in run.records))


def _differ(runs: Sequence[Run], key: tuple[str, int]) -> str | None:
    """Where a round's record is not the first's, byte for byte; None where all are."""
    paths: list[tuple[int, Path]] = []
    for number, run in enumerate(runs, 1):
        paths += [(number, record.path) for record in run.records if (record.kernel, record.strand) == key]
    first = paths[0][1].read_bytes().split(b"\n")
    for number, path in paths[1:]:
        other = path.read_bytes().split(b"\n")
        if other == first:
            continue
        at = next(
            (line for line, (a, b) in enumerate(zip(first, other, strict=False), 1) if a != b), min(len(first), len(other)) + 1
        )
        return f"{path.name}: round {number} is not what round 1 is, from line {at} on"
    return None


def _run_notes(name: str, runs: Sequence[Run]) -> list[str]:
    said: list[str] = []
    for run in runs:
        exact = instruction_hz(run) is not None
        told = run if exact else replace(run, records=())  # what is to be said of records is of their times
        said += [f"{name}: {remark}" for remark in remarks(told) if remark != FIGURES]
        for verdict in verdicts(run):
            said += [f"{name}: strand {verdict.strand}: {verdict.words}"] if by_counts(run) else []
            said += [f"{name}: {disagreement}" for disagreement in verdict.disagreements]
    return list(dict.fromkeys(said))


def _row_notes(row: Row) -> list[str]:
    said = []
    if row.exact and row.found and row.step != 1:
        said.append(f"{row.configuration}: a count of its timer is {row.step:g} instructions, so a tick's path is known to that")
    if row.gaps:
        times, longest = len(row.gaps), max(row.gaps)
        said.append(f"{row.configuration} {row.kernel}: ticks were left out {times} times; the longest gap is {longest} periods")
    if row.exact and row.counted is not None and row.countable is not None:
        least, most = row.countable
        due = f"the OS counted {row.counted} timer interrupts, and {in_words(row.countable)} ticks were due meanwhile"
        if row.counted > most:
            said.append(f"{row.configuration} {row.kernel}: {due}: others came between")
        elif row.counted < least and not row.gaps:
            said.append(f"{row.configuration} {row.kernel}: {due}: some were taken together, or not counted")
    if row.exact and not row.found and not row.tickless:
        said.append(f"{row.configuration} {row.kernel}: no tick was found, though {row.counted or row.due} were counted or due")
    return said


def _of_configuration(name: str, runs: Sequence[Run], rate: float | None) -> tuple[list[Row], list[str]]:
    rows, notes = [], []
    for key in _keys(runs):
        rounds = sum(1 for run in runs if any((r.kernel, r.strand) == key for r in run.records))
        exact = all(instruction_hz(run) is not None for run in runs)
        different = _differ(runs, key) if rounds > 1 and exact else None
        row = _row(name, runs, key, rate, different is None if rounds > 1 and exact else None)
        rows.append(row)
        notes += _row_notes(row) + ([f"{name}: {different}"] if different else [])
    return rows, notes


def _why_counts(rows: Sequence[Row]) -> list[str]:
    """Said once of all configurations that it is true of."""
    names = list(dict.fromkeys(row.configuration for row in rows if not row.exact))
    return [f"{', '.join(names)}: {WHY}"] if names else []


def _builds(runs: Sequence[Run]) -> list[str]:
    builds = sorted({f"{run.fact('tool', 'version')} {run.fact('tool', 'commit')}".strip() for run in runs})
    qemus = sorted({run.fact("domain", "qemu") for run in runs})
    return [
        f"the cells were made by different {what}: {', '.join(found)}"
        for what, found in (("builds of cmtnoise", builds), ("versions of QEMU", qemus))
        if len(found) > 1
    ]


def table_of(lab: Lab, rate: float | None = None) -> Table:
    """The lab's table, of the cells that are finished; shares are of ``rate`` instructions a second."""
    rows: list[Row] = []
    missing: list[str] = []
    notes: list[str] = []
    every: list[Run] = []
    for name in lab.configurations:
        runs, problems = lab.runs(name)
        missing += problems
        every += runs
        found, said = _of_configuration(name, runs, rate)
        rows += found
        notes += said + _run_notes(name, runs)
    notes += _why_counts(rows) + _builds(every)
    return Table(lab, rate, tuple(rows), tuple(map(printable, missing)), tuple(map(printable, dict.fromkeys(notes))))
