"""How well the analysis finds noise that is known: a table of cases, each over many seeded records.

usage: known_noise.py [--records N]     (N records a case; tick-free cases take ten times as many)
Everything is modelled and seeded: the same version prints the same table. Columns: records in which the tick was found, at which
the strongest source near the true rate counts and any other rate is wrong; the largest and the median rate error; repetitions
with a tick found (recall) and right (precision) over all records; the same for peaks, all noise above 5 widths; the median
relative error of the median cost. A limit that is not held is marked with an exclamation mark.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plots"))

from cmtnoise.analysis import Analysis, PeriodicSource, analyse  # noqa: E402
from cmtnoise.synthetic import Bursts, Recipe, Tick, Truth, make  # noqa: E402

RATE_LIMIT = {1000: 1e-3, 10000: 1e-4}
SHARE_LIMIT = 0.995
NEAR = 0.01


@dataclass
class Score:
    """What came of the records of one case."""

    records: int = 0
    found: int = 0
    wrong: int = 0
    rate_errors: list[float] = field(default_factory=list)
    cost_errors: list[float] = field(default_factory=list)
    ticks: list[int] = field(default_factory=lambda: [0, 0, 0])  # right, true, claimed
    peaks: list[int] = field(default_factory=lambda: [0, 0, 0])


def count(score: list[int], claimed: np.ndarray, true: np.ndarray, allowed: np.ndarray) -> None:
    """``true`` repetitions ought to be claimed, ``allowed`` ones may be."""
    score[0] += int(np.isin(claimed, allowed).sum())
    score[1] += int(np.isin(true, claimed).sum())
    score[2] += claimed.size


def nearest(analysis: Analysis, rate_hz: float) -> PeriodicSource | None:
    return min(analysis.sources, key=lambda source: abs(source.rate_hz / rate_hz - 1), default=None)


def score_peaks(score: Score, recipe: Recipe, analysis: Analysis, truth: Truth) -> int:
    stolen = np.bincount(truth.repetition, truth.cost_us, recipe.repetitions)
    clear = np.flatnonzero(stolen > 5 * recipe.width * recipe.quantum_ns / 1000)
    count(score.peaks, analysis.peaks, clear, np.flatnonzero(stolen > 0))
    return clear.size


def evaluate(recipe: Recipe, records: int) -> tuple[Score, int, int]:
    """The score, and how many ticks and clear peaks there were."""
    score, true_ticks, true_peaks = Score(records), 0, 0
    for seed in range(records):
        record, truth = make(recipe, seed)
        analysis = analyse(record)
        true_peaks += score_peaks(score, recipe, analysis, truth)
        if not recipe.ticks:
            score.wrong += bool(analysis.sources)
            continue
        tick = recipe.ticks[-1]
        source = nearest(analysis, tick.rate_hz)
        if source is None:
            continue
        if abs(source.rate_hz / tick.rate_hz - 1) > NEAR:
            score.wrong += 1
            continue
        score.found += 1
        score.rate_errors.append(abs(source.rate_hz / tick.rate_hz - 1))
        hit = truth.source == len(recipe.ticks) - 1
        mine = np.unique(truth.repetition[hit])
        true_ticks += mine.size
        count(score.ticks, source.peaks, mine, mine)
        cost = float(np.median(truth.cost_us[hit]))
        score.cost_errors.append(abs(source.cost_us.value / cost - 1))
    return score, true_ticks, true_peaks


def cases() -> Iterator[tuple[str, Recipe]]:
    for repetitions in (1000, 10000):
        for rate in (100, 250, 300, 1000, 1024):
            for cost in (0.002, 0.003, 0.01, 0.05, 0.3):
                recipe = Recipe(repetitions, (Tick(rate, cost, lost=0.1),), (Bursts(rate / 2, cost),), drift=0.05)
                yield f"{rate} Hz, cost {100 * cost:g} %, 10 % lost, bursts, drift", recipe
        for rate in (20, 5000):
            if rate * repetitions >= 20 * 10000:
                yield f"{rate} Hz, cost 2 %", Recipe(repetitions, (Tick(rate, 0.02),), (Bursts(50, 0.02),))
        yield "250 Hz, no other noise", Recipe(repetitions, (Tick(250, 0.02),))
        yield "250 Hz, jitter 20 µs", Recipe(repetitions, (Tick(250, 0.02, jitter_s=2e-5),), (Bursts(125, 0.02),))
        yield "250 Hz, cost spread 0.5", Recipe(repetitions, (Tick(250, 0.05, cost_spread=0.5),), (Bursts(125, 0.05),))
        yield "250 Hz, timer step 0.1 µs", Recipe(repetitions, (Tick(250, 0.02),), (Bursts(125, 0.02),), timer_step=250)
        yield "250 Hz, baseline jumps", Recipe(repetitions, (Tick(250, 0.02),), (Bursts(125, 0.02),), steps=4, step=0.05)
        for times in (5, 10):
            hard = (Tick(250, 0.15, cost_spread=0.3, delayed=0.1, delay_s=3e-4),)
            recipe = Recipe(repetitions, hard, (Bursts(250 * times, 0.1, 0.9),), width=1e-3, steps=3, step=0.03)
            yield f"hard: 250 Hz, {times} x random, 10 % delayed", recipe
        host = Recipe(repetitions, (Tick(100, 0.4, 0.1), Tick(100, 0.03), Tick(250, 0.25, 0.2)), (Bursts(800, 0.01, 1.0),))
        yield "250 Hz and a hypervisor's two of 100 Hz", host
    yield "10 Hz beside 250 Hz", Recipe(10000, (Tick(250, 0.03), Tick(10, 0.1)), (Bursts(100, 0.03),))


def tick_free() -> Iterator[tuple[str, Recipe]]:
    yield "no tick: 200 random a second", Recipe(1000, (), (Bursts(200, 0.05),))
    yield "no tick: 2000 random a second", Recipe(1000, (), (Bursts(2000, 0.05),))
    yield "no tick: groups of 6", Recipe(1000, (), (Bursts(500, 0.05, size=6),))
    yield "no tick: heavy tails", Recipe(1000, (), (Bursts(300, 0.003, tail=1.1),))
    yield "no tick: drift and jumps", Recipe(1000, (), (Bursts(50, 0.02),), drift=0.05, steps=4, step=0.05)
    yield "no tick: nothing", Recipe(1000)
    yield "no tick: coarse timer", Recipe(1000, (), (Bursts(100, 0.02),), timer_step=250)


def percent(part: int, whole: int, limit: float | None) -> str:
    if not whole:
        return "-"
    return f"{100 * part / whole:.2f}" + ("!" if limit and part / whole < limit else "")


def line(name: str, recipe: Recipe, records: int) -> str:
    score, true_ticks, true_peaks = evaluate(recipe, records)
    if not recipe.ticks:
        mark = "!" if score.wrong * 1000 > score.records else ""
        peaks = f"{percent(score.peaks[1], true_peaks, None):>7} {percent(score.peaks[0], score.peaks[2], None):>7}"
        return f"{recipe.repetitions:6d} {name:46s} false ticks: {score.wrong} of {score.records}{mark:1s}{'':24s} {peaks}"
    clear = recipe.ticks[-1].cost > 5 * recipe.width
    limit = SHARE_LIMIT if clear and not name.startswith("hard") else None
    worst = max(score.rate_errors, default=1.0)
    rate = f"{100 * worst:.4f}" + ("!" if worst > RATE_LIMIT[recipe.repetitions] else "")
    found = f"{score.found}/{score.records}" + ("!" if score.found < score.records else "")
    median = 100 * np.median(score.rate_errors or [1])
    return (
        f"{recipe.repetitions:6d} {name:46s} {found:>8} {score.wrong:5d} {rate:>8} {median:8.4f} "
        f"{percent(score.ticks[1], true_ticks, limit):>7} {percent(score.ticks[0], score.ticks[2], limit):>7} "
        f"{100 * np.median(score.cost_errors or [1]):6.2f} "
        f"{percent(score.peaks[1], true_peaks, limit):>7} {percent(score.peaks[0], score.peaks[2], None):>7}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=20, help="a case (default: 20)")
    records = parser.parse_args().records
    print("known noise (modelled); % unless told")
    print(
        f"{'reps':>6} {'case':46s} {'found':>8} {'wrong':>5} {'rate err':>8} {'median':>8} {'recall':>7} {'precis.':>7} "
        f"{'cost':>6} {'pk rec.':>7} {'pk prec':>7}"
    )
    for name, recipe in cases():
        print(
            line(name, recipe, max(4, records // (recipe.repetitions // 1000)) if recipe.repetitions > 1000 else records),
            flush=True,
        )
    for name, recipe in tick_free():
        print(line(name, recipe, 50 * records), flush=True)


if __name__ == "__main__":
    main()
