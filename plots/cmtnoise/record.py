"""The record: the repetitions of one kernel on one strand (results/FORMAT.md, record_version 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

VERSION = "1"
COLUMNS = b"start_counts\tduration_counts"
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
_EMPTY_OR_LONG = re.compile(rb"\n\t|\t\n|[0-9]{20}")  # a number that is missing, or may not fit 64 bits


class RecordError(Exception):
    """A file that is no whole record; the text is ``FILE:LINE: what is wrong``."""


@dataclass(frozen=True)
class Record:
    """One record. Arrays have shape (repetitions,), dtype uint64, in counts of the timer from the first stamp."""

    path: Path
    header: Mapping[str, str]
    counters: Mapping[str, tuple[int, int]]
    warnings: tuple[str, ...]
    start_counts: NDArray[np.uint64]
    duration_counts: NDArray[np.uint64]
    strand: int
    core: int
    package: int
    iterations: int
    ops_per_iteration: int
    quantum_ns: int
    timer_hz: int

    @property
    def kernel(self) -> str:
        return self.header["kernel"]

    @property
    def label(self) -> str:
        return self.header["label"]

    def start_ms(self) -> NDArray[np.float64]:
        """Begin of each repetition in milliseconds from the first stamp."""
        return self.start_counts.astype(np.float64) * (1e3 / self.timer_hz)

    def duration_us(self) -> NDArray[np.float64]:
        """Duration of each repetition in microseconds."""
        return self.duration_counts.astype(np.float64) * (1e6 / self.timer_hz)

    def span_s(self) -> float:
        """Time from the first stamp to the last, in seconds."""
        return float(self.start_counts[-1] + self.duration_counts[-1]) / self.timer_hz

    def counted(self, name: str) -> int | None:
        """What the OS counted during the record, or None where it did not say."""
        pair = self.counters.get(name)
        return None if pair is None else pair[1] - pair[0]


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


def _read_header(path: Path, data: bytes) -> tuple[_Header, int]:
    """The header, and where the rows begin."""
    header, at = _Header(path), 0
    while True:
        end = data.find(b"\n", at, at + HEADER_BYTES_MOST)
        if end < 0:
            header.line += 1
            raise header.error("the file ends, or the line does not, before the column names: cut, or no cmtnoise record")
        raw = data[at:end]
        at = end + 1
        if not raw.startswith(b"#") and header.line:
            header.line += 1
            if raw != COLUMNS:
                raise header.error("expected the column names 'start_counts<TAB>duration_counts'")
            return header, at
        header.add(raw)


def _bad_row(path: Path, first_line: int, body: bytes) -> RecordError:
    """Names the first row that is not two numbers; called once something is known to be wrong."""
    rows = body.split(b"\n")
    for number, row in enumerate(rows[:-1], first_line):
        if not re.fullmatch(rb"[0-9]{1,20}\t[0-9]{1,20}", row) or any(int(v) >= 1 << 64 for v in row.split(b"\t")):
            shown = row[:60].decode("utf-8", "replace")
            return RecordError(f"{path}:{number}: expected two whole numbers below 2^64 and a tab; got {shown!r}")
    return RecordError(f"{path}:{first_line + len(rows) - 1}: the last line has no end: the file was cut")


def _read_rows(path: Path, first_line: int, body: bytes, repetitions: int) -> NDArray[np.uint64]:
    """Rows as an array of shape (repetitions, 2)."""
    if body and not body.endswith(b"\n"):
        raise _bad_row(path, first_line, body)
    rows = body.count(b"\n")
    if rows != repetitions:
        raise RecordError(
            f"{path}:{first_line + rows}: the header promises {repetitions} repetitions, the file has {rows}: "
            + ("it was cut" if rows < repetitions else "rows were added")
        )
    # Every byte a digit or a separator in its place: then numpy's lenient parser cannot read anything else into it.
    if body.translate(None, b"0123456789") != b"\t\n" * rows:
        raise _bad_row(path, first_line, body)
    if _EMPTY_OR_LONG.search(b"\n" + body):
        error = _bad_row(path, first_line, body)
        if "was cut" not in str(error):
            raise error
    return np.fromstring(body.decode("ascii"), dtype=np.uint64, sep="\t").reshape(rows, 2)


def _check_contiguous(path: Path, first_line: int, rows: NDArray[np.uint64]) -> None:
    """Each repetition begins where the one before ended, and the first at 0."""
    expected = np.concatenate((np.zeros(1, np.uint64), rows[:-1, 0] + rows[:-1, 1]))
    wrong = np.flatnonzero(rows[:, 0] != expected)
    if wrong.size:
        at = int(wrong[0])
        raise RecordError(
            f"{path}:{first_line + at}: start_counts is {rows[at, 0]}, but the repetition before ended at {expected[at]}"
        )


def read_record(path: str | Path) -> Record:
    """Reads one record; raises RecordError for anything that is not a whole one, OSError where it cannot be read."""
    path = Path(path)
    data = path.read_bytes()
    if not data:
        raise RecordError(f"{path}:1: the file is empty: this is no cmtnoise record")
    header, at = _read_header(path, data)
    numbers = {key: header.integer(key) for key in _INTEGERS}
    for key in _TEXTS:
        if key not in header.values:
            raise header.error(f"the header has no {key!r}")
    if not numbers["timer_hz"] or not numbers["repetitions"]:
        raise header.error("timer_hz and repetitions must not be 0")
    if header.values["label"] not in LABELS:
        raise header.error(f"label must be one of {', '.join(LABELS)}", header.line_of["label"])
    first_line = header.line + 1
    rows = _read_rows(path, first_line, data[at:], numbers["repetitions"])
    _check_contiguous(path, first_line, rows)
    return Record(
        path=path,
        header=header.values,
        counters=header.counters(),
        warnings=tuple(header.warnings),
        start_counts=np.ascontiguousarray(rows[:, 0]),
        duration_counts=np.ascontiguousarray(rows[:, 1]),
        **{key: numbers[key] for key in Record.__dataclass_fields__ if key in numbers},
    )
