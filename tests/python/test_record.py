"""The record reader: what is whole is read exactly, and everything else is a clear error."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from cmtnoise.record import RecordError, read_record
from made import durations, record_text


def reading(tmp_path: Path, text: str | bytes) -> str:
    """The error that reading gives, as FILE-less text."""
    path = tmp_path / "r.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RecordError) as caught:
        read_record(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    return message.removeprefix(f"{path}:")


def test_a_whole_record_is_read_exactly(tmp_path: Path) -> None:
    counts = durations()
    path = tmp_path / "r.tsv"
    path.write_text(record_text(counts, strand=3, core=1, extra="# warning: one\n# warning: two: three\n"))
    record = read_record(path)
    assert (record.strand, record.core, record.kernel, record.label) == (3, 1, "add", "modelled")
    assert record.warnings == ("one", "two: three")
    assert record.counted("timer_interrupts") == 25 and record.counted("steal_ms") is None
    assert record.duration_counts.dtype == np.uint64 and (record.duration_counts == counts).all()
    assert (record.start_counts[1:] == np.cumsum(counts)[:-1]).all()
    assert abs(record.span_s() - counts.sum() / record.timer_hz) < 1e-12


def test_when_the_counters_were_read_is_known_from_the_first_stamp_on(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text(OUTSIDE)
    record = read_record(tmp_path / "r.tsv")
    assert record.readings == (-7, -3, 3003 + 2, 3003 + 5)
    assert record.counted_s() == (3003 + 3.5 + 5) / record.timer_hz
    (tmp_path / "r.tsv").write_text(GOOD)
    record = read_record(tmp_path / "r.tsv")
    assert record.readings is None and record.counted_s() == record.span_s()


def test_numbers_of_64_bits_are_kept(tmp_path: Path) -> None:
    text = record_text(np.array([5])).replace("0\t5\n", "0\t18446744073709551615\n")
    (tmp_path / "r.tsv").write_text(text)
    assert read_record(tmp_path / "r.tsv").duration_counts[0] == np.uint64(2**64 - 1)


GOOD = record_text(np.array([1000, 1001, 1002]))
HEADER_LINES = GOOD.count("\n#") + 1
FIRST_ROW = HEADER_LINES + 2
OUTSIDE = record_text(np.array([1000, 1001, 1002]), counters_before_counts="7 3", counters_after_counts="2 5")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "empty"),
        ("\x7fELF\x02\x01", 1, "no cmtnoise record"),
        ("hello\nworld\n", 1, "expected '# record_version: 1'"),
        (b"\xff\xfe\n", 1, "is not UTF-8"),
        (GOOD.replace("record_version: 1", "record_version: 2"), 1, "record_version is '2'"),
        (GOOD.replace("# kernel: add\n", ""), HEADER_LINES, "no 'kernel'"),
        (GOOD.replace("# strand: 0\n", ""), HEADER_LINES, "no 'strand'"),
        (GOOD.replace("strand: 0", "strand: 0\n# strand: 0"), 9, "'strand' stands twice"),
        (GOOD.replace("strand: 0", "strand: -1"), 8, "strand must be a whole number"),
        (GOOD.replace("timer_hz: 2500000000", "timer_hz: 2.5e9"), 16, "timer_hz must be a whole number"),
        (GOOD.replace("timer_hz: 2500000000", "timer_hz: 0"), HEADER_LINES + 1, "must not be 0"),
        (GOOD.replace("label: modelled", "label: guessed"), 19, "label must be one of"),
        (GOOD.replace("100 125", "100"), 21, "two whole numbers"),
        (GOOD.replace("start_counts\t", "start\t"), HEADER_LINES + 1, "expected the column names"),
        (GOOD.replace("1000\t1001", "1000\t-1001"), FIRST_ROW + 1, "got '1000\\t-1001'"),
        (GOOD.replace("1000\t1001", "1000\t"), FIRST_ROW + 1, "expected two whole numbers"),
        (GOOD.replace("1000\t1001", "1000 1001"), FIRST_ROW + 1, "expected two whole numbers"),
        (GOOD.replace("1000\t1001", "1000\t1e3"), FIRST_ROW + 1, "expected two whole numbers"),
        (GOOD.replace("1000\t1001", "1000\t1001\t7"), FIRST_ROW + 1, "expected two whole numbers"),
        (GOOD.replace("\t1002", "\t18446744073709551616"), FIRST_ROW + 2, "below 2^64"),
        (GOOD.replace("1000\t1001", "1001\t1001"), FIRST_ROW + 1, "the repetition before ended at 1000"),
        (GOOD + "3003\t1000\n", FIRST_ROW + 3, "promises 3 repetitions, the file has more: rows were added"),
        (GOOD.replace("1002\n", "18446744073709550000\n"), FIRST_ROW, "longer together than 64 bits"),
        (OUTSIDE.replace("7 3", "7"), FIRST_ROW - 1, "counters_before_counts must be two whole numbers"),
        (OUTSIDE.replace("2 5", "2 18446744073709551616"), FIRST_ROW, "counters_after_counts must be two whole numbers below"),
        (GOOD[:-1], FIRST_ROW + 2, "the file was cut"),
        (GOOD[: GOOD.rindex("2001")], FIRST_ROW + 2, "promises 3 repetitions, the file has 2: it was cut"),
        (GOOD[:200], GOOD[:200].count("\n") + 1, "the file ends"),
    ],
)
def test_what_is_no_record_is_told_with_its_line(tmp_path: Path, text: str | bytes, line: int, says: str) -> None:
    message = reading(tmp_path, text)
    assert says in message
    assert message.startswith(f"{line}:"), message


def test_a_timer_too_coarse_for_the_repetitions_is_told(tmp_path: Path) -> None:
    for counts in ([0], [0] * 1000, [0, 5] * 500):
        assert "the timer is too coarse" in reading(tmp_path, record_text(np.array(counts)))
    (tmp_path / "r.tsv").write_text(record_text(np.repeat([0, 5], (5, 95))))
    assert read_record(tmp_path / "r.tsv").duration_counts.size == 100


def test_a_counter_that_went_back_counted_nothing_that_is_known(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text(GOOD.replace("100 125", "4294967290 19"))
    assert read_record(tmp_path / "r.tsv").counted("timer_interrupts") is None


def test_every_cut_is_seen(tmp_path: Path) -> None:
    whole = GOOD.encode()
    for end in range(len(whole)):
        reading(tmp_path, whole[:end])


def test_damage_is_an_error_or_harmless_but_never_a_traceback(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    whole = np.frombuffer(record_text(durations(40)).encode(), np.uint8)
    path = tmp_path / "r.tsv"
    refused = 0
    for _ in range(1500):
        damaged = whole.copy()
        at = random.integers(0, whole.size, random.integers(1, 4))
        damaged[at] = random.choice(np.frombuffer(b"\x00\n\t 09-.#:x\xff", np.uint8), at.size)
        path.write_bytes(damaged.tobytes())
        try:
            record = read_record(path)
        except RecordError:
            refused += 1
        else:  # a header text that changed, or a number that still fits: the rows agree with each other
            assert (record.start_counts[1:] == record.start_counts[:-1] + record.duration_counts[:-1]).all()
    assert refused > 1000


def test_a_pipe_or_a_folder_is_no_record(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(RecordError, match="is no file"):
            read_record(tmp_path / name)
