"""A run as a trace that the Perfetto viewer opens (Chrome's JSON trace format): records, peaks, and the OS's events.

One process a strand; in it one track for the records, one for their peaks, one for what the OS did. Times are the run's own, from
its first stamp; the strands share one counter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cmtnoise.analysis import analyse
from cmtnoise.causes import causes_of, events_of
from cmtnoise.cli import printable
from cmtnoise.record import Record
from cmtnoise.run import Run

Event = dict[str, object]

RECORDS, PEAKS, EVENTS = 1, 2, 3
TRACKS = {RECORDS: "records", PEAKS: "peaks", EVENTS: "OS events"}


def _names(run: Run) -> Iterator[Event]:
    for strand in run.strands:
        yield {"ph": "M", "name": "process_name", "pid": strand, "args": {"name": f"strand {strand}"}}
        for track, name in TRACKS.items():
            yield {"ph": "M", "name": "thread_name", "pid": strand, "tid": track, "args": {"name": name}}


def _slice(record: Record, track: int, name: str, start_us: float, us: float, **more: object) -> Event:
    times = {"ts": round(start_us, 3), "dur": round(max(us, 0.001), 3)}
    return {"ph": "X", "name": printable(name), "pid": record.strand, "tid": track, **times, "args": more}


def _of_record(record: Record, from_us: float) -> Iterator[Event]:
    us = 1e6 / record.timer_hz
    analysis, causes, events = analyse(record), causes_of(record), events_of(record)
    noise = round(100 * analysis.noise_share.value, 3)
    yield _slice(record, RECORDS, record.kernel, from_us, record.span_s() * 1e6, noise_percent=noise, label=record.label)
    starts, durations = record.start_counts[analysis.peaks] * us, record.duration_counts[analysis.peaks] * us
    for number, (start, duration, peak, excess) in enumerate(
        zip(starts.tolist(), durations.tolist(), analysis.peaks.tolist(), analysis.excess_us.tolist(), strict=True)
    ):
        name = causes.cause_of[number] if causes else "peak"
        yield _slice(record, PEAKS, name, from_us + start, duration, repetition=peak, excess_us=round(excess, 3))
    for span in events.spans if events else ():
        net = round(span.net * us, 3)
        yield _slice(record, EVENTS, span.title(), from_us + span.start * us, (span.end - span.start) * us, net_us=net)


def as_trace(run: Run) -> str:
    """The trace as JSON text; RecordError for a damaged event file."""
    first = min((record.first_stamp_counts for record in run.records), default=0)
    found: list[Event] = list(_names(run))
    for record in run.records:
        found += _of_record(record, (record.first_stamp_counts - first) * 1e6 / record.timer_hz)
    about = {"tool": "cmtnoise", "label": run.label, "host": run.fact("host", "name")}
    return json.dumps({"traceEvents": found, "displayTimeUnit": "ns", "otherData": about}, separators=(",", ":")) + "\n"
