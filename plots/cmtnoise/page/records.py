"""What the page holds of one record: its repetitions, peaks, periodic sources and causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cmtnoise.analysis import Analysis, PeriodicSource
from cmtnoise.causes import Cause, Causes
from cmtnoise.page.colours import NONE, OTHER
from cmtnoise.page.sample import Budget, Sample, packed, packed_places, packed_steps, sample
from cmtnoise.page.text import hertz, microseconds, name, percent, sentence
from cmtnoise.record import Record

GROUPS_MOST = 200  # causes or sources of one record that are told apart
BASELINE_POINTS_MOST = 500
WARNINGS_MOST = 20
CCDF_POINTS = 80
DRIFT_TOLD = 0.001
SOURCE_HEADS = (
    "rate Hz",
    "found",
    "expected",
    "missed",
    "cost µs, median",
    "95 % interval",
    "cost µs, p95",
    "% of baseline",
)
CAUSE_HEADS = ("cause of peaks", "peaks", "excess µs, total", "median", "p95")
EVENT_HEADS = ("event of the OS", "events", "own time µs, total", "median", "p95")


@dataclass(frozen=True)
class Analysed:
    """A record with all that is known of it; ``causes`` is None where no OS events were traced."""

    record: Record
    analysis: Analysis
    causes: Causes | None

    @property
    def round(self) -> int:
        """Which of the sweep's rounds it belongs to (``sweep --repeat``)."""
        return self.record.round


@dataclass(frozen=True)
class Colours:
    """Slots of the causes by name, and of the record's sources."""

    causes: dict[str, int]
    sources: list[int]


def caption(analysed: Analysed) -> str:
    """One line that says where the figures of this record are from, and its main figures."""
    record, analysis = analysed.record, analysed.analysis
    noise = analysis.noise_share
    quantum = f"of {record.quantum_ns / 1000:g} µs" if record.quantum_ns else f"of {record.iterations:,} iterations"
    return (
        f"{record.label}: strand {record.strand} (core {record.core}, package {record.package}), kernel {name(record.kernel)}, "
        f"{f'round {analysed.round}, ' if analysed.round > 1 else ''}"
        f"{record.duration_counts.size:,} repetitions {quantum}; baseline {microseconds(analysis.baseline_us)} µs, "
        f"noise {percent(noise.value)} % (95 % interval {percent(noise.low)} to {percent(noise.high)})"
        + (f", baseline drifted by {percent(analysis.drift_share)} %" if analysis.drift_share > DRIFT_TOLD else "")
        + f". A peak stands out by more than {microseconds(analysis.threshold_us)} µs."
    )


def source_row(source: PeriodicSource) -> list[str]:
    cost = source.cost_us
    return [
        f"{hertz(source.rate_hz)} ± {source.rate_se_hz:.2g}",
        f"{source.found:,}",
        f"{source.expected:,}",
        f"{source.missed:,}",
        microseconds(cost.value),
        f"{microseconds(cost.low)} to {microseconds(cost.high)}",
        microseconds(source.cost_p95_us),
        percent(source.share),
    ]


def _sources(analysed: Analysed, colours: Colours) -> dict[str, Any]:
    analysis = analysed.analysis
    shown = analysis.sources[:GROUPS_MOST]
    told = (
        f"{analysis.peaks.size:,} peaks, {analysis.extra:,} of them of no periodic source."
        if shown
        else f"No periodic source was found in {analysis.peaks.size:,} peaks."
    )
    return {
        "note": told,
        "rows": [source_row(source) for source in shown],
        "folds": [{"rate_hz": round(s.rate_hz, 6), "phase_ms": round(1e3 * s.phase_s, 6)} for s in shown],
        "groups": [{"name": f"{hertz(s.rate_hz)} Hz", "slot": slot} for s, slot in zip(shown, colours.sources, strict=False)]
        + [{"name": "no periodic source", "slot": NONE}],
    }


def _causes_note(record: Record, causes: Causes) -> str:
    counted = record.counted("timer_interrupts")
    parts = [
        f"Events from {name(causes.source)} explain {percent(causes.coverage_count)} % of the peaks "
        f"and {percent(causes.coverage_time)} % of the time they cost.",
        f"Timer interrupts inside repetitions: {causes.timer_events:,}, in {causes.timer_repetitions:,} repetitions"
        + (f"; {causes.timer_found:,} of these belong to one periodic source" if causes.timer_share else "")
        + (f"; the OS counted {counted:,} meanwhile." if counted is not None else "."),
        f"The OS dropped {causes.lost:,} events: some peaks lack their cause." if causes.lost else "",
    ]
    return " ".join(filter(None, parts))


def _cause_rows(causes: Sequence[Cause]) -> list[list[str]]:
    return [[name(c.name), f"{c.count:,}", *map(microseconds, (c.total_us, c.median_us, c.p95_us))] for c in causes[:GROUPS_MOST]]


def _causes(analysed: Analysed, colours: Colours) -> dict[str, Any] | None:
    causes = analysed.causes
    if causes is None:
        return None
    return {
        "note": _causes_note(analysed.record, causes),
        "rows": _cause_rows(causes.by_cause),
        "event_rows": _cause_rows(causes.by_event),
        "groups": [{"name": name(c.name), "slot": colours.causes[c.name]} for c in causes.by_cause[:GROUPS_MOST]]
        + [{"name": "other causes", "slot": OTHER}],
    }


def _peaks(analysed: Analysed, held: Sample) -> dict[str, Any]:
    """Per peak held: its position among the repetitions held, excess, and its groups' numbers."""
    analysis, causes = analysed.analysis, analysed.causes
    kept = held.peaks
    last = min(len(analysis.sources), GROUPS_MOST)
    sources = analysis.source_of[kept]
    data: dict[str, Any] = {
        "at": packed(np.searchsorted(held.at, analysis.peaks[kept]), "u2"),
        "excess": packed_steps(analysis.excess_us[kept], 1e6 / analysis.record.timer_hz),
        "source": packed(np.where((sources < 0) | (sources >= last), last, sources), "u1"),
    }
    if causes is not None:
        number = {cause.name: i for i, cause in enumerate(causes.by_cause[:GROUPS_MOST])}
        data["cause"] = packed([number.get(causes.cause_of[i], len(number)) for i in kept], "u1")
        excess = np.maximum(analysis.excess_us[kept], 1e-9)
        data["explained_percent"] = packed(np.rint(np.clip(100 * causes.explained_us[kept] / excess, 0, 100)), "u1")
    return data


def _baseline(analysis: Analysis) -> dict[str, Any]:
    """The local baseline as a line: its points stand in the middle of each block."""
    starts, levels = analysis.record.start_counts, analysis.block_baseline_us
    every = -(-levels.size // BASELINE_POINTS_MOST)
    middles = np.minimum(np.arange(levels.size) * analysis.block + analysis.block // 2, starts.size - 1)[::every]
    return {"at_ms": packed(starts[middles] * (1e3 / analysis.record.timer_hz), "f4"), "us": packed(levels[::every], "f4")}


def _ccdf(analysis: Analysis) -> dict[str, Any]:
    """Excess over the baseline, descending, and the share of repetitions that reach it, at ranks that are even on its axis."""
    excess = np.sort(analysis.record.duration_us() - analysis.baseline_us)[::-1]
    ranks = np.unique(np.geomspace(1, excess.size, CCDF_POINTS).astype(np.intp))
    ranks = ranks[excess[ranks - 1] > 1e6 / analysis.record.timer_hz]  # below one count there is nothing to see
    return {"excess_us": packed(excess[ranks - 1], "f4"), "share": packed(ranks / excess.size, "f4")}


def _view_top_us(analysis: Analysis) -> float:
    """Upper end of the duration axis that shows all but the rarest: as high as the matplotlib figures' (_style.view_top)."""
    durations = analysis.record.duration_us()
    high, longest = float(np.quantile(durations, 0.98)), float(durations.max())
    reach = analysis.baseline_us + 2 * max(high - analysis.baseline_us, 0.02 * analysis.baseline_us)
    return min(reach, longest + 0.05 * (longest - analysis.baseline_us))


def data_of(analysed: Analysed, colours: Colours, budget: Budget) -> dict[str, Any]:
    """The record as its island holds it: times in ms and µs, texts ready to be shown."""
    record, analysis = analysed.record, analysed.analysis
    held = sample(analysis, budget)
    return {
        "strand": str(record.strand),
        "kernel": name(record.kernel),
        "label": record.label,
        "caption": caption(analysed),
        "drawn": held.note,
        "warnings": [sentence(warning) for warning in record.warnings[:WARNINGS_MOST]],
        "span_ms": round(1e3 * record.span_s(), 4),
        "view_top_us": round(_view_top_us(analysis), 3),
        "durations": packed_steps(record.duration_us()[held.at], 1e6 / record.timer_hz),
        "places": packed_places(record, held.at),
        "baseline": _baseline(analysis),
        "peaks": _peaks(analysed, held),
        "sources": _sources(analysed, colours),
        "causes": _causes(analysed, colours),
        "ccdf": _ccdf(analysis),
    }
