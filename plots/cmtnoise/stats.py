"""Figures of one record: baseline, peaks, noise share. Pure numpy; counts in, microseconds and shares out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmtnoise.record import Record

TIMER_STEPS = 3
WIDTHS = 5
FLOOR = 5e-4  # of the baseline: a timer that advances in uneven steps shows scatter on one side only


@dataclass(frozen=True)
class Summary:
    """Times in microseconds, ``noise_share`` a share of the record's time (0 to 1)."""

    baseline_us: float
    width_us: float
    p25_us: float
    median_us: float
    p99_us: float
    max_us: float
    noise_share: float
    peaks: int
    threshold_us: float


def baseline_counts(durations: NDArray[np.uint64]) -> float:
    """The mode of the durations, in counts: middle of the shortest interval that holds a quarter of them.

    The undisturbed repetitions are the densest part of a record, and lie low; up to three in four may be disturbed, as long as
    the disturbances differ from each other. Of several equally short intervals the lowest counts. (Shorth with a fraction
    of 1/4: Andrews et al., Robust Estimates of Location, 1972.)
    """
    ordered = np.sort(durations)
    held = max(1, (ordered.size + 3) // 4)
    widths = ordered[held - 1 :] - ordered[: ordered.size - held + 1]
    at = int(np.argmin(widths))
    return float(np.median(ordered[at : at + held]))


def width_counts(durations: NDArray[np.uint64], baseline: float) -> float:
    """Robust width of the undisturbed part, in counts: the scaled median distance below the baseline.

    Disturbances only lengthen a repetition, so what lies below the baseline is the timer's and the core's own scatter.
    1.4826 makes it a standard deviation where the scatter is normal.
    """
    below = baseline - durations[durations <= baseline].astype(np.float64)
    return 1.4826 * float(np.median(below)) if below.size else 0.0


def timer_step_counts(durations: NDArray[np.uint64]) -> float:
    """The timer's granularity as the record shows it: the greatest common divisor of the durations."""
    return float(np.gcd.reduce(durations))


def threshold_counts(durations: NDArray[np.uint64]) -> tuple[float, float, float]:
    """Baseline, width, and the duration above which a repetition is a peak, all in counts."""
    baseline = baseline_counts(durations)
    width = width_counts(durations, baseline)
    return baseline, width, baseline + max(TIMER_STEPS * timer_step_counts(durations), WIDTHS * width, FLOOR * baseline)


def summarise(record: Record) -> Summary:
    """The record's figures."""
    durations = record.duration_counts
    baseline, width, threshold = threshold_counts(durations)
    excess = durations.astype(np.float64) - baseline
    p25, median, p99 = np.quantile(durations, (0.25, 0.5, 0.99))
    us = 1e6 / record.timer_hz
    return Summary(
        baseline_us=baseline * us,
        width_us=width * us,
        p25_us=float(p25) * us,
        median_us=float(median) * us,
        p99_us=float(p99) * us,
        max_us=float(durations.max()) * us,
        noise_share=float(np.clip(excess, 0, None).sum() / durations.sum(dtype=np.float64)),
        peaks=int(np.count_nonzero(durations > threshold)),
        threshold_us=threshold * us,
    )
