"""Baseline, peaks and noise share on records whose noise is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cmtnoise.baseline import densest
from cmtnoise.record import Record, read_record
from cmtnoise.stats import summarise
from made import HZ, QUANTUM, durations, record_text
from numpy.typing import NDArray


def as_record(tmp_path: Path, counts: NDArray[np.int64]) -> Record:
    (tmp_path / "r.tsv").write_text(record_text(counts))
    return read_record(tmp_path / "r.tsv")


def test_ticks_are_peaks_and_their_cost_is_the_noise(tmp_path: Path) -> None:
    counts = np.full(1000, QUANTUM) + np.random.default_rng(3).integers(-20, 20, 1000)
    ticks = np.arange(13, 1000, 40)
    counts[ticks] += int(5e-6 * HZ)
    summary = summarise(as_record(tmp_path, counts))
    assert summary.peaks == ticks.size
    assert summary.baseline_us == pytest.approx(100, rel=2e-4)
    assert summary.noise_share == pytest.approx(
        ticks.size * 5e-6 / (counts.sum() / HZ), rel=0.06
    )  # half of the scatter lies above the baseline too


@pytest.mark.parametrize("disturbed", [0.1, 0.4, 0.6])
def test_the_baseline_stands_many_disturbed_repetitions(disturbed: float) -> None:
    random = np.random.default_rng(5)
    counts = QUANTUM + random.integers(0, 40, 1000)
    hit = random.random(1000) < disturbed
    counts[hit] += random.integers(2000, 80000, int(hit.sum()))
    assert densest(np.sort(counts).astype(np.float64)[None, :])[0] == pytest.approx(QUANTUM + 20, abs=25)


def test_a_quantised_timer_gives_an_exact_baseline(tmp_path: Path) -> None:
    counts = np.full(1000, 10_000)
    counts[::40] += 190
    summary = summarise(as_record(tmp_path, counts))
    assert summary.baseline_us == 10_000 * 1e6 / HZ
    assert summary.peaks == 25 and summary.width_us == 0


def test_a_quiet_record_has_no_peaks(tmp_path: Path) -> None:
    summary = summarise(as_record(tmp_path, np.full(100, QUANTUM)))
    assert summary.peaks == 0 and summary.noise_share == 0


def test_one_repetition_is_a_record(tmp_path: Path) -> None:
    assert summarise(as_record(tmp_path, durations(1, tick_hz=0))).peaks == 0
