"""What the OS did in each peak: the traced events joined to the repetitions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmtnoise.analysis import Analysis, analyse
from cmtnoise.events import TIMER, Events, Span, read_events, repetitions_of
from cmtnoise.record import Record

UNEXPLAINED = "not explained by this OS (hypervisor, firmware or hardware)"
EXPLAINED_LEAST = 0.3  # of a peak's excess: entry, exit and refilled caches are part of an event's cost and not in its span


@dataclass(frozen=True)
class Cause:
    """Peaks of one cause, or spans of one kind of event; times in microseconds."""

    name: str
    count: int
    total_us: float
    median_us: float
    p95_us: float


@dataclass(frozen=True)
class Causes:
    """What explains the peaks of one record.

    ``cause_of``, one a peak, is the event that took most of the peak's time (a softirq counts to the interrupt that raised it),
    or UNEXPLAINED where the events took less than EXPLAINED_LEAST of the excess. ``explained_us``, shape (peaks,), is the net
    time of all events in the peak's repetition. ``coverage_count`` is the share of the peaks that have a cause,
    ``coverage_time`` the share of their excess that events took. ``by_cause`` sums the peaks' excess, ``by_event`` the events'
    own net time inside the record, each with the largest total first. ``timer_events`` timer interrupts fell into
    ``timer_repetitions`` repetitions. ``timer_share``, one a periodic source, is the share of its repetitions that hold a timer
    interrupt, ``timer_found`` how many repetitions with one belong to the source that holds most of them.
    """

    source: str
    clock: str
    lost: int
    cause_of: tuple[str, ...]
    explained_us: NDArray[np.float64]
    coverage_count: float
    coverage_time: float
    by_cause: tuple[Cause, ...]
    by_event: tuple[Cause, ...]
    timer_events: int
    timer_repetitions: int
    timer_share: tuple[float, ...]
    timer_found: int


def _causes(groups: dict[str, list[float]]) -> tuple[Cause, ...]:
    found = [
        Cause(name, len(us), float(np.sum(us)), float(np.median(us)), float(np.quantile(us, 0.95))) for name, us in groups.items()
    ]
    return tuple(sorted(found, key=lambda cause: -cause.total_us))


def _main_causes(spans: tuple[Span, ...], places: NDArray[np.intp], wanted: set[int]) -> tuple[dict[int, str], dict[int, int]]:
    """Of each wanted repetition: the title of the root that took most time there, and the net time of all events, in counts."""
    roots: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for span, place in zip(spans, places.tolist(), strict=True):
        if place in wanted:
            roots[place][span.root] += span.net
    titles, totals = {}, {}
    for place, parts in roots.items():
        titles[place] = spans[max(parts, key=lambda root: parts[root])].title()
        totals[place] = sum(parts.values())
    return titles, totals


def _join(analysis: Analysis, events: Events) -> Causes:
    record, spans = analysis.record, events.spans
    us = 1e6 / record.timer_hz
    starts = np.array([span.start for span in spans], np.int64)
    places = repetitions_of(record.start_counts, int(record.duration_counts.sum()), starts)
    peaks = analysis.peaks.tolist()
    titles, totals = _main_causes(spans, places, set(peaks))
    explained = np.array([totals.get(peak, 0) * us for peak in peaks])
    excess = np.maximum(analysis.excess_us, 0)
    enough = explained >= EXPLAINED_LEAST * excess
    cause_of = tuple(
        titles.get(peak, UNEXPLAINED) if ok else UNEXPLAINED for peak, ok in zip(peaks, enough.tolist(), strict=True)
    )
    by_cause: dict[str, list[float]] = defaultdict(list)
    for name, value in zip(cause_of, excess.tolist(), strict=True):
        by_cause[name].append(value)
    by_event: dict[str, list[float]] = defaultdict(list)
    for span, place in zip(spans, places.tolist(), strict=True):
        if place >= 0:
            by_event[span.title()].append(span.net * us)
    timer = places[[(span.kind, span.name) == TIMER for span in spans]] if spans else places
    timer = timer[timer >= 0]
    held = np.unique(timer)
    of_sources = [int(np.isin(source.peaks, held).sum()) for source in analysis.sources]
    return Causes(
        source=events.source,
        clock=events.clock,
        lost=events.lost,
        cause_of=cause_of,
        explained_us=explained,
        coverage_count=1 - cause_of.count(UNEXPLAINED) / len(peaks) if peaks else 1.0,
        coverage_time=float(np.minimum(explained, excess).sum() / excess.sum()) if excess.sum() else 1.0,
        by_cause=_causes(by_cause),
        by_event=_causes(by_event),
        timer_events=int(timer.size),
        timer_repetitions=int(held.size),
        timer_share=tuple(count / source.found for count, source in zip(of_sources, analysis.sources, strict=True)),
        timer_found=max(of_sources, default=0),
    )


def events_of(record: Record) -> Events | None:
    """The record's events, read once; None where none were traced; RecordError for a damaged file."""
    if "events" not in record.kept:
        record.kept["events"] = read_events(record)
    events = record.kept["events"]
    assert events is None or isinstance(events, Events)
    return events


def causes_of(found: Analysis | Record) -> Causes | None:
    """What explains the peaks; computed once. None where no events were traced; RecordError for a damaged event file."""
    analysis = found if isinstance(found, Analysis) else analyse(found)
    kept = analysis.record.kept
    if "causes" not in kept:
        events = events_of(analysis.record)
        kept["causes"] = None if events is None else _join(analysis, events)
    causes = kept["causes"]
    assert causes is None or isinstance(causes, Causes)
    return causes
