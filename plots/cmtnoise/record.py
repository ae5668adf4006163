"""The record: the repetitions of one kernel on one strand (results/FORMAT.md, record_version 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

VERSION = "1"
COLUMNS = b"start_counts\tduration_counts\n"
ROW_BYTES_LEAST = 4
BLOCK_BYTES = 1 << 22  # rows are read in blocks: a record may be larger than memory has room for twice
ZEROS_MOST = 0.1  # of the repetitions: where more last no time there is no baseline to find
LABELS = ("measured", "virtualised", "emulated", "modelled")
HEADER_BYTES_MOST = 1 << 20
_INTEGERS = (
    "strand",
    "core",
    "package",
    "iterations",
    "ops_per_iteration",
    "quantum_ns",
    "repetitions",
    "timer_hz",
    "first_stamp_counts",
)
_TEXTS = ("kernel", "instruction", "isa", "os", "host", "timer", "start_time", "label", "realtime", "tool")
_DIGITS = re.compile(r"[0-9]{1,20}")


class RecordError(Exception):
    """A file that is no whole record; the text is ``FILE:LINE: what is wrong``."""


@dataclass(frozen=True, eq=False)
class Record:
    """One record. ``duration_counts`` has shape (repetitions,), dtype uint64, in counts of the timer.

    ``readings`` tells when the OS's counters were read, in counts from the first stamp: begin and end of the reading before the
    record, and of the one after it; None where the record does not say. ``kept`` holds what was computed from the record, so
    that nothing is computed twice.
    """

    path: Path
    header: Mapping[str, str]
    counters: Mapping[str, tuple[int, int]]
    warnings: tuple[str, ...]
    duration_counts: NDArray[np.uint64]
    strand: int
    core: int
    package: int
    iterations: int
    ops_per_iteration: int
    quantum_ns: int
    timer_hz: int
    first_stamp_counts: int
    readings: tuple[int, int, int, int] | None = None
    kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def start_counts(self) -> NDArray[np.uint64]:
        """Begin of each repetition in counts from the first stamp; shape (repetitions,), dtype uint64, made anew each time."""
        starts = np.zeros_like(self.duration_counts)
        np.cumsum(self.duration_counts[:-1], out=starts[1:])
        return starts

    @property
    def events_path(self) -> Path:
        """Where the OS events that were traced during the record are, if any were."""
        return self.path.with_suffix(".events.tsv")

    @property
    def kernel(self) -> str:
        return self.header["kernel"]

    @property
    def label(self) -> str:
        return self.header["label"]

    @property
    def round(self) -> int:
        """Which round of the sweep it is from (``sweep --repeat``); 1 where it does not say."""
        told = self.header.get("round", "")
        return int(told) if _DIGITS.fullmatch(told) else 1

    def start_ms(self) -> NDArray[np.float64]:
        """Begin of each repetition in milliseconds from the first stamp."""
        return self.start_counts.astype(np.float64) * (1e3 / self.timer_hz)

    def duration_us(self) -> NDArray[np.float64]:
        """Duration of each repetition in microseconds."""
        return self.duration_counts.astype(np.float64) * (1e6 / self.timer_hz)

    def span_s(self) -> float:
        """Time from the first stamp to the last, in seconds."""
        return float(self.duration_counts.sum(dtype=np.float64)) / self.timer_hz

    def counted(self, name: str) -> int | None:
        """What the OS counted during the record; None where it did not say, or its counter went back (32 bits wrap)."""
        before, after = self.counters.get(name, (1, 0))
        return after - before if after >= before else None

    def counted_s(self) -> float:
        """How long the OS's counters counted, in seconds: from the middle of one reading to that of the other. They lie a little
        outside the record, far outside where all strands began together. Where the record does not tell, the record's time."""
        if self.readings is None:
            return self.span_s()
        first_began, first_ended, second_began, second_ended = self.readings
        return (second_began + second_ended - first_began - first_ended) / 2 / self.timer_hz


class _Header:
    """Header lines while they are read; errors name the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.values: dict[str, str] = {}
        self.warnings: list[str] = []
        self.line_of: dict[str, int] = {}

    def error(self, text: str, line: int | None = None) -> RecordError:
        return RecordError(f"{self.path}:{line or self.line}: {text}")

    def add(self, raw: bytes) -> None:
        self.line += 1
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise self.error("is not UTF-8 text: this is no cmtnoise record") from None
        key, colon, value = text[2:].partition(": ")
        if self.line == 1 and text != f"# record_version: {VERSION}":
            if key == "record_version":
                raise self.error(f"record_version is {value[:40]!r}; this reader knows {VERSION}")
            raise self.error(f"expected '# record_version: {VERSION}': this is no cmtnoise record")
        if not text.startswith("# ") or not colon:
            raise self.error("expected '# key: value' or the line of column names")
        if key == "warning":
            self.warnings.append(value)
        elif key in self.values:
            raise self.error(f"{key[:40]!r} stands twice (first in line {self.line_of[key]})")
        else:
            self.values[key] = value
            self.line_of[key] = self.line

    def integer(self, key: str) -> int:
        value = self.values.get(key)
        if value is None:
            raise self.error(f"the header has no {key!r}")
        if not _DIGITS.fullmatch(value) or int(value) >= 1 << 64:
            raise self.error(f"{key} must be a whole number below 2^64; got {value[:40]!r}", self.line_of[key])
        return int(value)

    def counters(self) -> dict[str, tuple[int, int]]:
        counters = {}
        for key, value in self.values.items():
            if not key.startswith("counter."):
                continue
            pair = value.split(" ")
            if len(pair) != 2 or not all(_DIGITS.fullmatch(number) for number in pair):
                raise self.error(f"{key[:60]} must be two whole numbers; got {value[:40]!r}", self.line_of[key])
            counters[key.removeprefix("counter.")] = (int(pair[0]), int(pair[1]))
        return counters

    def outside(self, key: str) -> tuple[int, int] | None:
        value = self.values.get(key)
        if value is None:
            return None
        pair = value.split(" ")
        if len(pair) != 2 or not all(_DIGITS.fullmatch(number) and int(number) < 1 << 64 for number in pair):
            raise self.error(f"{key} must be two whole numbers below 2^64; got {value[:40]!r}", self.line_of[key])
        return int(pair[0]), int(pair[1])


def _read_header(path: Path, file: BinaryIO) -> _Header:
    """The header; the file then stands at the first row."""
    header = _Header(path)
    while True:
        raw = file.readline(HEADER_BYTES_MOST + 1)
        if not raw.endswith(b"\n"):
            header.line += 1
            if not raw and header.line == 1:
                raise header.error("the file is empty: this is no cmtnoise record")
            raise header.error("the file ends, or the line does not, before the column names: cut, or no cmtnoise record")
        if not raw.startswith(b"#") and header.line:
            header.line += 1
            if raw != COLUMNS:
                raise header.error("expected the column names 'start_counts<TAB>duration_counts'")
            return header
        header.add(raw[:-1])


def _bad_row(path: Path, first_line: int, rows: bytes) -> RecordError | None:
    """Names the first row that is not two numbers; called once something is known to be wrong."""
    for number, row in enumerate(rows.split(b"\n")[:-1], first_line):
        if not re.fullmatch(rb"[0-9]{1,20}\t[0-9]{1,20}", row) or any(int(v) >= 1 << 64 for v in row.split(b"\t")):
            shown = row[:60].decode("utf-8", "replace")
            return RecordError(f"{path}:{number}: expected two whole numbers below 2^64 and a tab; got {shown!r}")
    return None


class _Rows:
    """Rows while they are read, a block of whole lines at a time."""

    def __init__(self, path: Path, first_line: int, repetitions: int) -> None:
        self.path, self.first_line, self.repetitions = path, first_line, repetitions
        self.count = 0
        self.end = 0
        self.durations = np.empty(repetitions, np.uint64)

    def error(self, text: str) -> RecordError:
        return RecordError(f"{self.path}:{self.first_line + self.count}: {text}")

    def parse(self, block: bytes, rows: int) -> pl.DataFrame:
        import polars as pl  # late, since it takes longer to load than a small record to read

        columns = {"start": pl.UInt64, "duration": pl.UInt64}
        # Every byte a digit or a separator in its place: then the parser cannot read anything else into it.
        if block.translate(None, b"0123456789") == b"\t\n" * rows:
            try:
                frame = pl.read_csv(block, separator="\t", has_header=False, schema=columns)
            except pl.exceptions.PolarsError:  # a number above 64 bits
                frame = pl.DataFrame(schema=columns)
            if frame.height == rows and not frame["start"].null_count() and not frame["duration"].null_count():
                return frame
        raise _bad_row(self.path, self.first_line + self.count, block) or self.error("rows that cannot be read")

    def add(self, block: bytes) -> None:
        rows = block.count(b"\n")
        if self.count + rows > self.repetitions:
            self.count = self.repetitions
            raise self.error(f"the header promises {self.repetitions} repetitions, the file has more: rows were added")
        frame = self.parse(block, rows)
        starts, durations = frame["start"].to_numpy(), frame["duration"].to_numpy()
        ends = starts + durations
        if int(starts[0]) != self.end or not np.array_equal(starts[1:], ends[:-1]):
            expected = np.concatenate((np.array([self.end], np.uint64), ends[:-1]))
            at = int(np.argmax(starts != expected))
            self.count += at
            raise self.error(f"start_counts is {starts[at]}, but the repetition before ended at {expected[at]}")
        if np.any(ends < starts):
            raise self.error("the repetitions from here on are longer together than 64 bits can count")
        self.end = int(ends[-1])
        self.durations[self.count : self.count + rows] = durations
        self.count += rows


def _read_rows(path: Path, file: BinaryIO, first_line: int, repetitions: int) -> NDArray[np.uint64]:
    """The durations, shape (repetitions,). Each repetition begins where the one before ended, and the first at 0."""
    if repetitions > path.stat().st_size // ROW_BYTES_LEAST + 1:
        raise RecordError(
            f"{path}:{first_line}: the header promises {repetitions} repetitions, the file is too short: it was cut"
        )
    rows, rest = _Rows(path, first_line, repetitions), b""
    while block := file.read(BLOCK_BYTES):
        whole = block.rfind(b"\n") + 1
        if whole:
            rows.add(rest + block[:whole])
            rest = block[whole:]
        else:
            rest += block
            if len(rest) > BLOCK_BYTES:
                raise rows.error("a line without end: this is no cmtnoise record")
    if rest:
        raise rows.error("the last line has no end: the file was cut")
    if rows.count < repetitions:
        raise rows.error(f"the header promises {repetitions} repetitions, the file has {rows.count}: it was cut")
    zeros = repetitions - int(np.count_nonzero(rows.durations))
    if zeros > ZEROS_MOST * repetitions:
        raise RecordError(f"{path}: {zeros} of {repetitions} repetitions last 0 counts: the timer is too coarse for them")
    return rows.durations


def _readings(
    before: tuple[int, int] | None, after: tuple[int, int] | None, durations: NDArray[np.uint64]
) -> tuple[int, int, int, int] | None:
    if before is None or after is None:
        return None
    span = int(durations.sum())
    return -before[0], -before[1], span + after[0], span + after[1]


def read_record(path: str | Path) -> Record:
    """Reads one record; raises RecordError for anything that is not a whole one, OSError where it cannot be read."""
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise RecordError(f"{path}:1: is no file")
    with path.open("rb") as file:
        header = _read_header(path, file)
        numbers: dict[str, Any] = {key: header.integer(key) for key in _INTEGERS}
        for key in _TEXTS:
            if key not in header.values:
                raise header.error(f"the header has no {key!r}")
        if not numbers["timer_hz"] or not numbers["repetitions"]:
            raise header.error("timer_hz and repetitions must not be 0")
        if header.values["label"] not in LABELS:
            raise header.error(f"label must be one of {', '.join(LABELS)}", header.line_of["label"])
        counters = header.counters()
        before, after = header.outside("counters_before_counts"), header.outside("counters_after_counts")
        durations = _read_rows(path, file, header.line + 1, numbers["repetitions"])
    return Record(
        path=path,
        header=header.values,
        counters=counters,
        warnings=tuple(header.warnings),
        duration_counts=durations,
        readings=_readings(before, after, durations),
        **{key: numbers[key] for key in Record.__dataclass_fields__ if key in numbers},
    )
