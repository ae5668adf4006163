"""What a run shows of its ticks, as the study's statements ask for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmtnoise.analysis import Analysis, analyse
from cmtnoise.family import SAME_RATE
from cmtnoise.readings import Range, due_while_counted, together
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.verdict import Verdict, verdicts

RATE_OFF = 1e-3  # of the rate: what a tick may be off the rate that it should have
FOUND_LEAST = 0.99  # of the ticks that are due


def near(rate_hz: float | None, wanted_hz: float, most: float = SAME_RATE) -> bool:
    return rate_hz is not None and abs(rate_hz / wanted_hz - 1) <= most


@dataclass(frozen=True)
class Ticks:
    """The ticks of one strand over its records. ``cost_us`` and ``share`` (of the baseline) have shape (ticks found,);
    ``peaks`` counts everything that stands out, ``counted`` is what the OS counted of timer interrupts, None where it did not,
    and ``countable`` the least and the most ticks that it can have counted, None where the records do not tell."""

    verdict: Verdict
    cost_us: NDArray[np.float64]
    share: NDArray[np.float64]
    peaks: int
    counted: int | None
    countable: Range | None
    records: int

    @property
    def period_ms(self) -> float:
        return 1e3 / (self.verdict.rate_hz or np.nan)

    def good(self, hz: float) -> bool:
        """Whether the strand ticks at that rate, and next to nothing of that is missing."""
        v = self.verdict
        return v.kind == "ticks" and near(v.rate_hz, hz, RATE_OFF) and v.found >= FOUND_LEAST * v.expected

    def words(self) -> str:
        """What was found, in words."""
        v = self.verdict
        if v.kind != "ticks" or v.rate_hz is None:
            return f"strand {v.strand}: {v.words}"
        rate = f"{v.rate_hz:.2f} peaks a second, {self.period_ms:.3f} ms apart"
        return f"strand {v.strand}: {rate}; {v.found} of {v.expected} due were found"


def _costs(analysis: Analysis, rate_hz: float | None) -> NDArray[np.float64]:
    """The cost of each tick that was found, in microseconds: occurrences of sources of that rate."""
    numbers = [i for i, source in enumerate(analysis.sources) if rate_hz and near(source.rate_hz, rate_hz)]
    return analysis.excess_us[np.isin(analysis.source_of, numbers)]


def _countable(analysis: Analysis, rate_hz: float | None) -> Range | None:
    for source in analysis.sources:
        if rate_hz and near(source.rate_hz, rate_hz):
            return due_while_counted(analysis.record, source)
    return None


def ticks_of(run: Run, verdict: Verdict) -> Ticks:
    """What the run shows of the ticks of the verdict's strand."""
    analyses = [analyse(record) for record in run.records if record.strand == verdict.strand]
    costs = [_costs(analysis, verdict.rate_hz) for analysis in analyses]
    counts = [analysis.record.counted("timer_interrupts") for analysis in analyses]
    known = [count for count in counts if count is not None]
    return Ticks(
        verdict=verdict,
        cost_us=np.concatenate(costs),
        share=np.concatenate([cost / a.baseline_us for cost, a in zip(costs, analyses, strict=True)]),
        peaks=sum(analysis.peaks.size for analysis in analyses),
        counted=sum(known) if len(known) == len(counts) else None,
        countable=together([_countable(analysis, verdict.rate_hz) for analysis in analyses]),
        records=len(analyses),
    )


def strands_of(run: Run) -> list[Ticks]:
    """The ticks of each strand that has records, by strand."""
    return [ticks_of(run, verdict) for verdict in verdicts(run)]


def first_of(run: Run) -> Ticks:
    return strands_of(run)[0]


def cost_of(record: Record, rate_hz: float) -> float | None:
    """The median cost of a tick in that record, microseconds; None where it shows none."""
    costs = _costs(analyse(record), rate_hz)
    return float(np.median(costs)) if costs.size else None


def longest_excess(record: Record) -> float:
    """How much longer the longest repetition of the record lasted than the baseline, as a share of it."""
    baseline = analyse(record).baseline_us
    return float(record.duration_us().max()) / baseline - 1
