"""Figures of one record that need no search: baseline, quantiles, peaks, noise share. Microseconds and shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cmtnoise.analysis import peaks_of
from cmtnoise.record import Record


@dataclass(frozen=True)
class Summary:
    """Times in microseconds, ``noise_share`` a share of the record's time (0 to 1). ``threshold_us`` is the duration above which
    a repetition is a peak where the baseline is at its median."""

    baseline_us: float
    width_us: float
    p25_us: float
    median_us: float
    p99_us: float
    max_us: float
    noise_share: float
    peaks: int
    threshold_us: float


def summarise(record: Record) -> Summary:
    """The record's figures."""
    durations, peaks = record.duration_counts, peaks_of(record)
    p25, median, p99 = np.quantile(durations, (0.25, 0.5, 0.99))
    us = 1e6 / record.timer_hz
    return Summary(
        baseline_us=peaks.baseline * us,
        width_us=peaks.width * us,
        p25_us=float(p25) * us,
        median_us=float(median) * us,
        p99_us=float(p99) * us,
        max_us=float(durations.max()) * us,
        noise_share=max(0.0, float(peaks.lost.sum()) / peaks.span),
        peaks=int(np.count_nonzero(peaks.is_peak)),
        threshold_us=(peaks.baseline + peaks.threshold) * us,
    )
