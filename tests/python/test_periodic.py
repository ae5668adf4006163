"""The tick fit on known noise. Everything is seeded, so limits are held exactly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cmtnoise.analysis import Analysis, PeriodicSource, analyse
from cmtnoise.record import read_record
from cmtnoise.synthetic import Bursts, Recipe, Tick, Truth, make
from made import HZ, record_text


def run(recipe: Recipe, seed: int) -> tuple[Analysis, Truth]:
    record, truth = make(recipe, seed)
    return analyse(record), truth


def near(analysis: Analysis, rate_hz: float) -> PeriodicSource:
    found = [source for source in analysis.sources if abs(source.rate_hz / rate_hz - 1) < 0.01]
    assert found, [source.rate_hz for source in analysis.sources]
    return found[0]


def ticking(phase: int, period: int, quantum: int, cost: int, repetitions: int) -> tuple[list[int], int]:
    """Durations of repetitions of so many counts of work, and how many ticks came in them; nothing scatters."""
    durations, now, due, ticks = [], 0, phase, 0
    for _ in range(repetitions):
        end = now + quantum
        while due < end:
            end, due, ticks = end + cost, due + period, ticks + 1
        durations.append(end - now)
        now = end
    return durations, ticks


@pytest.mark.parametrize("rate", [100, 250, 300, 1000, 1024])
@pytest.mark.parametrize(("repetitions", "limit"), [(1000, 1e-3), (10_000, 1e-4)])
def test_the_rate_is_exact(rate: float, repetitions: int, limit: float) -> None:
    for seed, cost in enumerate((0.003, 0.01, 0.05, 0.3)):
        recipe = Recipe(repetitions, (Tick(rate, cost, lost=0.1),), (Bursts(rate / 2, cost),), drift=0.05)
        analysis, truth = run(recipe, seed)
        source = near(analysis, rate)
        assert abs(source.rate_hz / rate - 1) < limit
        assert abs(source.rate_hz - rate) < 5 * source.rate_se_hz
        assert source.cost_us.value == pytest.approx(np.median(truth.cost_us[truth.source == 0]), rel=0.12)
        assert source.expected == source.found + source.missed
        assert (np.diff(source.peaks) > 0).all() and source.peaks.size == source.found


@pytest.mark.parametrize("rate", [100, 250, 300])
def test_found_ticks_are_the_true_ones(rate: float) -> None:
    right = true = claimed = 0
    for seed in range(6):
        analysis, truth = run(Recipe(10_000, (Tick(rate, 0.02, lost=0.1),), (Bursts(rate / 2, 0.02),), drift=0.05), seed)
        mine, found = np.unique(truth.repetition[truth.source == 0]), near(analysis, rate).peaks
        both = np.isin(found, mine).sum()
        right, true, claimed = right + both, true + mine.size, claimed + found.size
    assert right / true > 0.995 and right / claimed > 0.995


@pytest.mark.parametrize("times", [5, 10])
def test_ticks_among_many_more_random_events_are_found_at_their_fundamental(times: int) -> None:
    tick = Tick(250, 0.15, cost_spread=0.3, delayed=0.1, delay_s=3e-4)
    for seed in range(4):
        analysis, _ = run(Recipe(10_000, (tick,), (Bursts(250 * times, 0.1, 0.9),), width=1e-3, steps=3, step=0.03), seed)
        assert analysis.sources[0].rate_hz == pytest.approx(250, rel=1e-4)
        assert analysis.extra > 3 * analysis.sources[0].found


@pytest.mark.parametrize("length", [0.99871, 1.0, 1.0018])
def test_a_tick_that_beats_with_the_repetitions_is_found_to_the_last(length: float, tmp_path: Path) -> None:
    """As on a machine that counts instructions: nothing scatters, and a train of whole repetitions fits most of a record."""
    baseline, cost = round(length * HZ / 10_000), HZ // 125_000
    for begin in range(0, HZ // 250, HZ // 250 // 40):
        counts, ticks = ticking(begin, HZ // 250, baseline, cost, 1000)
        path = tmp_path / "record.tsv"
        path.write_text(record_text(np.array(counts)))
        source = near(analyse(read_record(path)), 250)
        assert (source.found, source.expected) == (ticks, ticks), begin
        assert abs(source.rate_hz / 250 - 1) < 1e-3


@pytest.mark.parametrize(
    ("period", "quantum", "cost", "repetitions"),
    [(4_000_000, 100_126, 2_635, 3000), (10_000_000, 99_997, 33_800, 1000), (1_000_000, 99_997, 2_635, 1000)],
)
def test_a_tick_at_the_edge_of_a_record_is_due_where_it_shows(
    period: int, quantum: int, cost: int, repetitions: int, tmp_path: Path
) -> None:
    """A few microseconds decide on which side of the first or the last stamp a tick falls; the fit is not as sure of it."""
    end = sum(ticking(period // 2, period, quantum, cost, repetitions)[0]) % period
    for near_edge in range(-15_000, 15_000, 997):
        for phase in (near_edge % period, (end + near_edge) % period):
            durations, ticks = ticking(phase, period, quantum, cost, repetitions)
            (tmp_path / "r.tsv").write_text(record_text(np.array(durations), timer_hz=str(10**9)))
            analysis = analyse(read_record(tmp_path / "r.tsv"))
            (source,) = analysis.sources
            assert (source.found, source.expected, analysis.extra) == (ticks, ticks, 0), phase


def test_several_sources_at_once() -> None:
    for seed in range(4):
        analysis, _ = run(Recipe(10_000, (Tick(250, 0.03), Tick(10, 0.1)), (Bursts(100, 0.03),)), seed)
        assert near(analysis, 250).rate_hz == pytest.approx(250, rel=1e-4)
        assert near(analysis, 10).rate_hz == pytest.approx(10, rel=1e-3)
        assert len(analysis.sources) == 2


@pytest.mark.parametrize(
    ("bursts", "more"),
    [
        (Bursts(200, 0.05), {}),
        (Bursts(2000, 0.05), {}),
        (Bursts(500, 0.05, size=6), {}),
        (Bursts(300, 0.003, tail=1.1), {}),
        (Bursts(50, 0.02), {"drift": 0.05, "steps": 4, "step": 0.05}),
        (Bursts(100, 0.02), {"timer_step": 250}),
    ],
)
def test_noise_without_a_tick_has_none(bursts: Bursts, more: dict[str, float]) -> None:
    recipe = Recipe(1000, (), (bursts,), **more)  # type: ignore[arg-type]
    assert sum(bool(run(recipe, seed)[0].sources) for seed in range(300)) == 0


def test_a_quiet_record_has_neither_peaks_nor_sources() -> None:
    analysis, _ = run(Recipe(1000, width=0), 1)
    assert analysis.sources == () and analysis.peaks.size == 0 and analysis.noise_share.value == 0


def test_a_source_that_stops_is_no_tick_of_the_record() -> None:
    record, _ = make(Recipe(1000), 3)
    record.duration_counts[np.arange(20, 300, 10)] += np.uint64(20_000)
    assert analyse(record).sources == ()


def test_the_same_record_gives_the_same_figures() -> None:
    recipe = Recipe(2000, (Tick(250, 0.05),), (Bursts(300, 0.02),))
    first, second = run(recipe, 1)[0], run(recipe, 1)[0]
    assert first.noise_share == second.noise_share and first.sources[0].cost_us == second.sources[0].cost_us
    assert first.noise_share.low <= first.noise_share.value <= first.noise_share.high


def test_intervals_hold_the_truth() -> None:
    held = 0
    for seed in range(40):
        analysis, truth = run(Recipe(4000, (Tick(250, 0.05),), (Bursts(300, 0.02),)), seed)
        share = truth.cost_us.sum() / (analysis.record.span_s() * 1e6)
        held += analysis.noise_share.low <= share <= analysis.noise_share.high
    assert held >= 30


def test_a_coarse_timer_makes_no_tick() -> None:
    """Repetitions of 100.3 counts last 101 in three of ten: that beats at 2991 Hz, and is nothing but the timer."""
    for quantum_ns in (100_300, 100_020, 10_020, 10_004):
        for seed in range(5):
            recipe = Recipe(1000, width=1e-4, quantum_ns=quantum_ns, timer_hz=1_000_000)
            found = analyse(make(recipe, seed)[0])
            assert not found.sources and not found.peaks.size
    found = analyse(make(Recipe(1000, (Tick(250, 0.02),), quantum_ns=100_300, timer_hz=1_000_000), 1)[0])
    assert [source.rate_hz for source in found.sources] == pytest.approx([250], rel=2e-3)


@pytest.mark.parametrize(("repetition", "stalled_s"), [(10, 2), (5000, 5), (9000, 5)])
def test_ticks_are_found_on_both_sides_of_a_halt(repetition: int, stalled_s: float) -> None:
    """A virtual machine that was paused for seconds still ticks: the pause is no time without ticks, and takes no memory."""
    record, _ = make(Recipe(10_000, (Tick(250, 0.05),)), 1)
    record.duration_counts[repetition] += np.uint64(stalled_s * record.timer_hz)
    source = near(analyse(record), 250)
    assert source.rate_hz == pytest.approx(250, rel=1e-4) and source.found == source.expected


def test_a_halt_of_years_takes_no_memory() -> None:
    record, _ = make(Recipe(10_000, (Tick(250, 0.05),)), 1)
    record.duration_counts[9000] += np.uint64(1 << 60)
    assert analyse(record).noise_share.value > 0.99
