"""The baseline follows what changes slowly and jumps, and peaks stand out from it."""

from __future__ import annotations

import numpy as np
import pytest
from cmtnoise.baseline import BLOCK, find_peaks
from cmtnoise.synthetic import Bursts, Recipe, Tick, make
from numpy.typing import NDArray

QUANTUM = 250_000


def scattered(repetitions: int, seed: int = 1) -> NDArray[np.float64]:
    return QUANTUM * (1 + 5e-4 * np.random.default_rng(seed).standard_normal(repetitions))


def peaks_in(durations: NDArray[np.float64]) -> NDArray[np.intp]:
    peaks = find_peaks(durations.astype(np.uint64))
    return peaks.at[peaks.is_peak]


@pytest.mark.parametrize("repetitions", [1, 2, 7, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 1000, 10_001])
def test_records_of_any_length_have_a_baseline(repetitions: int) -> None:
    peaks = find_peaks(scattered(repetitions).astype(np.uint64))
    assert peaks.baseline == pytest.approx(QUANTUM, rel=2e-3)
    assert peaks.levels.size == peaks.lost.size == -(-repetitions // min(BLOCK, repetitions))
    assert peaks.span == scattered(repetitions).astype(np.uint64).sum()


@pytest.mark.parametrize(("repetitions", "drift"), [(1000, -0.05), (1000, 0.05), (1024, 0.05), (5000, 0.05), (5000, 0.2)])
def test_a_slow_drift_makes_no_peaks_and_hides_none(repetitions: int, drift: float) -> None:
    durations = scattered(repetitions) * (1 + drift * np.linspace(0, 1, repetitions))
    assert peaks_in(durations).size <= repetitions * 2e-3
    ticks = np.arange(13, repetitions, 40)
    durations[ticks] += 0.01 * QUANTUM
    found = peaks_in(durations)
    assert np.isin(ticks, found).mean() > 0.995
    assert np.isin(found, ticks).mean() > 0.95


@pytest.mark.parametrize("at", [100, 128, 150, 500, 700])
@pytest.mark.parametrize("step", [-0.3, -0.02, 0.01, 0.03, 0.3])
def test_a_jump_of_the_clock_frequency_makes_no_peaks(at: int, step: float) -> None:
    durations = scattered(1000)
    durations[at:] *= 1 + step
    assert peaks_in(durations).size <= 2


def test_a_baseline_of_two_levels_follows_the_lower_one() -> None:
    durations = scattered(2000)
    durations[::2] += 0.02 * QUANTUM
    assert np.isin(np.arange(0, 2000, 2), peaks_in(durations)).mean() > 0.9


def test_the_time_lost_is_what_was_stolen() -> None:
    recipe = Recipe(5000, (Tick(250, 0.05),), (Bursts(300, 0.02),))
    record, truth = make(recipe, 1)
    peaks = find_peaks(record.duration_counts)
    stolen = truth.cost_us.sum() * record.timer_hz / 1e6
    assert peaks.lost.sum() == pytest.approx(stolen, rel=0.03)


def test_pieces_of_a_long_record_agree_with_it_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    record, _ = make(Recipe(20_000, (Tick(250, 0.05),), (Bursts(300, 0.02),), drift=0.03, steps=3, step=0.04), 4)
    whole = find_peaks(record.duration_counts)
    monkeypatch.setattr("cmtnoise.baseline.CHUNK", 7)
    pieces = find_peaks(record.duration_counts)
    assert (whole.at == pieces.at).all() and (whole.start == pieces.start).all() and whole.span == pieces.span
    assert np.allclose(whole.excess, pieces.excess) and np.allclose(whole.lost, pieces.lost)
    assert (whole.start == record.start_counts[whole.at]).all()


def test_an_emulators_two_durations_are_baseline_and_peak() -> None:
    """Under instruction counting all undisturbed repetitions are equal, and so are the ticks."""
    durations = np.full(1000, 100_000.0)
    durations[::40] += 5000
    assert (peaks_in(durations) == np.arange(0, 1000, 40)).all()
