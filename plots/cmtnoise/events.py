"""OS events that were traced during a record (results/FORMAT.md, events_version 1)."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cmtnoise.record import HEADER_BYTES_MOST, Record, RecordError

if TYPE_CHECKING:
    import polars as pl

VERSION = "1"
COLUMNS = "at_counts\tmark\tclass\tname"
MEASURED = "measured"  # the name of the measuring thread
TIMER = ("vector", "local_timer")


@dataclass(frozen=True)
class Span:
    """Time on the strand that was not the measuring thread's. ``root`` is the index of the span it belongs to (itself, or the
    interrupt after which a softirq ran), times in counts from the record's first stamp; ``net`` leaves out what was nested."""

    kind: str
    name: str
    start: int
    end: int
    net: int
    root: int

    def title(self) -> str:
        """Its name as people say it."""
        plain = f"{self.name} interrupt" if self.kind == "vector" else f"{self.kind} {self.name}"
        return TITLES.get((self.kind, self.name), plain)


TITLES = {
    TIMER: "timer interrupt",
    ("vector", "reschedule"): "rescheduling interrupt",
    ("vector", "call_function"): "function-call interrupt",
    ("vector", "call_function_single"): "function-call interrupt",
}


@dataclass(frozen=True)
class Events:
    """All spans of a record, by start; ``lost`` events were dropped by the OS."""

    source: str
    clock: str
    lost: int
    error_counts: int
    spans: tuple[Span, ...]


class _Header:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.values: dict[str, str] = {}

    def error(self, text: str) -> RecordError:
        return RecordError(f"{self.path}:{self.line}: {text}")

    def read(self, data: bytes) -> int:
        """Reads the header; returns where the rows begin."""
        at = 0
        while True:
            self.line += 1
            end = data.find(b"\n", at, at + HEADER_BYTES_MOST)
            if end < 0:
                raise self.error("the file ends before the column names: cut, or no event file")
            try:
                text = data[at:end].decode("utf-8")
            except UnicodeDecodeError:
                raise self.error("is not UTF-8 text: this is no event file") from None
            at = end + 1
            if self.line == 1 and text != f"# events_version: {VERSION}":
                raise self.error(f"expected '# events_version: {VERSION}'")
            if text == COLUMNS:
                return at
            key, colon, value = text[2:].partition(": ")
            if not text.startswith("# ") or not colon:
                raise self.error(f"expected '# key: value' or the column names {COLUMNS!r}")
            self.values[key] = value

    def integer(self, key: str) -> int:
        value = self.values.get(key, "")
        if not value.isascii() or not value.isdigit() or len(value) > 20:
            raise self.error(f"the header's {key} must be a whole number; got {value[:40]!r}")
        return int(value)


def _rows(header: _Header, body: bytes) -> pl.DataFrame:
    import polars as pl  # late: most runs have no events

    schema = {"at": pl.Int64, "mark": pl.String, "class": pl.String, "name": pl.String}
    if body and not body.endswith(b"\n"):
        raise header.error("the last line has no end: the file was cut")
    if not body:
        return pl.DataFrame(schema=schema)
    try:
        frame = pl.read_csv(
            io.BytesIO(body), separator="\t", has_header=False, schema=schema, quote_char=None, truncate_ragged_lines=False
        )
    except pl.exceptions.PolarsError as error:
        raise header.error(f"a row below is no event: {str(error).splitlines()[0][:100]}") from None
    if frame.null_count().sum_horizontal().item() or frame.height != body.count(b"\n"):
        raise header.error("a row below lacks a value")
    if not frame["mark"].is_in(["+", "-", "="]).all():
        raise header.error("a row below has a mark that is not +, - or =")
    if frame.height > 1 and (frame["at"].diff().drop_nulls() < 0).any():
        raise header.error("the rows below are not in order of time")
    return frame


class _Nesting:
    """Follows entries, exits and switches; the innermost open one owns the time.

    ``glue``: a softirq that begins this soon after an interrupt ended is its work. ``stamps``: when the repetitions ended. The
    measuring thread was on the strand then, so that no other thread was on it beyond, even where the OS did not tell the switch.
    """

    def __init__(self, glue: int, stamps: NDArray[np.uint64]) -> None:
        self.glue, self.stamps = glue, stamps
        self.kind: list[str] = []
        self.name: list[str] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.net: list[int] = []
        self.root: list[int] = []
        self.stack: list[int] = []
        self.thread, self.until = -1, 0
        self.last = 0
        self.ended_at, self.ended = -(1 << 62), -1

    def begin(self, at: int, kind: str, name: str, root: int) -> int:
        index = len(self.kind)
        self.kind.append(kind)
        self.name.append(name)
        self.start.append(at)
        self.end.append(at)
        self.net.append(0)
        self.root.append(index if root < 0 else self.root[root])
        return index

    def advance(self, at: int) -> None:
        if self.thread >= 0 and at > self.until:
            self.own(self.until)
            self.end[self.thread], self.thread = self.until, -1
        self.own(at)

    def own(self, at: int) -> None:
        owner = self.stack[-1] if self.stack else self.thread
        if owner >= 0 and at > self.last:
            self.net[owner] += at - self.last
        self.last = max(at, self.last)

    def enter(self, at: int, kind: str, name: str) -> None:
        root = self.stack[-1] if self.stack else -1
        if root < 0 and kind == "softirq" and at - self.ended_at <= self.glue:
            root = self.ended
        self.stack.append(self.begin(at, kind, name, root))

    def leave(self, at: int, kind: str, name: str) -> None:
        for depth in range(len(self.stack) - 1, -1, -1):
            index = self.stack[depth]
            if self.kind[index] == kind and self.name[index] == name:
                for inner in self.stack[depth:]:
                    self.end[inner] = at
                del self.stack[depth:]
                self.ended_at, self.ended = at, index
                return

    def switch(self, at: int, name: str) -> None:
        if self.thread >= 0:
            self.end[self.thread] = at
        self.thread = -1
        if name != MEASURED:
            self.thread = self.begin(at, "thread", name, -1)
            after = int(np.searchsorted(self.stamps, np.uint64(max(at, 0)), side="right"))
            self.until = int(self.stamps[min(after, self.stamps.size - 1)])

    def close(self, at: int) -> None:
        self.advance(at)
        for index in [*self.stack, *([self.thread] if self.thread >= 0 else [])]:
            self.end[index] = at

    def spans(self) -> tuple[Span, ...]:
        columns = zip(self.kind, self.name, self.start, self.end, self.net, self.root, strict=True)
        return tuple(Span(*column) for column in columns)


def read_events(record: Record) -> Events | None:
    """The events of the record, None where none were traced; RecordError for a damaged file, or one of another record."""
    try:
        data = record.events_path.read_bytes()
    except FileNotFoundError:
        return None
    header = _Header(record.events_path)
    body = data[header.read(data) :]
    if header.integer("first_stamp_counts") != record.first_stamp_counts or header.integer("strand") != record.strand:
        raise header.error("these events belong to another record")
    frame = _rows(header, body)
    nesting = _Nesting(record.timer_hz // 200_000, np.cumsum(record.duration_counts))
    first = True
    for at, mark, kind, name in frame.iter_rows():
        if first:
            nesting.last, first = at, False
        nesting.advance(at)
        if mark == "+":
            nesting.enter(at, kind, name)
        elif mark == "-":
            nesting.leave(at, kind, name)
        else:
            nesting.switch(at, name)
    nesting.close(max(nesting.last, int(record.duration_counts.sum(dtype=np.uint64))) if not first else 0)
    return Events(
        source=header.values.get("source", "unknown"),
        clock=header.values.get("clock", "unknown"),
        lost=header.integer("lost"),
        error_counts=header.integer("error_counts"),
        spans=nesting.spans(),
    )


def repetitions_of(starts: NDArray[np.uint64], span: int, times: NDArray[np.int64]) -> NDArray[np.intp]:
    """The repetition in which each time lies, -1 outside the record. ``starts`` as Record.start_counts, ``span`` the record's."""
    found = np.searchsorted(starts.astype(np.int64), times, side="right") - 1
    return np.where((times >= 0) & (times < span), found, -1)
