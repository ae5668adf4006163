"""OS events joined to repetitions: made event files, whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from cmtnoise.analysis import analyse
from cmtnoise.causes import UNEXPLAINED, causes_of
from cmtnoise.events import _Nesting, read_events
from cmtnoise.record import Record, RecordError, read_record
from cmtnoise.run import load
from cmtnoise.verdict import verdicts
from made import HZ, QUANTUM, record_text, write_run
from program import fails, succeeds

FIRST = 12345  # the first stamp of made records
US = HZ // 1_000_000


def event_text(rows: list[tuple[int, str, str, str]], **changed: str) -> str:
    header = {
        "events_version": "1",
        "source": "tracefs",
        "clock": "x86-tsc",
        "strand": "0",
        "timer_hz": str(HZ),
        "first_stamp_counts": str(FIRST),
        "lost": "0",
        "error_counts": "0",
    } | changed
    lines = [f"# {key}: {value}\n" for key, value in header.items()]
    return "".join([*lines, "at_counts\tmark\tclass\tname\n", *("\t".join(map(str, row)) + "\n" for row in rows)])


def made_record(tmp_path: Path, stolen_us: dict[int, float], rows: list[tuple[int, str, str, str]], **changed: str) -> Record:
    """200 quiet repetitions from which the given ones lost time, and their events."""
    counts = np.full(200, QUANTUM)
    for repetition, us in stolen_us.items():
        counts[repetition] += int(us * US)
    (tmp_path / "r.tsv").write_text(record_text(counts))
    (tmp_path / "r.events.tsv").write_text(event_text(rows, **changed))
    return read_record(tmp_path / "r.tsv")


def in_repetition(record_us: dict[int, float], repetition: int, us: float) -> int:
    """Counts from the first stamp of a moment in a repetition."""
    return repetition * QUANTUM + int(us * US) + sum(int(lost * US) for r, lost in record_us.items() if r < repetition)


def test_each_peak_gets_its_cause_and_the_rest_is_not_explained(tmp_path: Path) -> None:
    stolen = {10: 6.0, 50: 8.0, 90: 20.0, 130: 5.0}
    at = {r: in_repetition(stolen, r, 30) for r in stolen}
    record = made_record(
        tmp_path,
        stolen,
        [
            (at[10], "+", "vector", "local_timer"),
            (at[10] + 5 * US, "-", "vector", "local_timer"),
            (at[50], "+", "vector", "local_timer"),
            (at[50] + 3 * US, "-", "vector", "local_timer"),
            (at[50] + 3 * US + 100, "+", "softirq", "RCU"),
            (at[50] + 7 * US, "-", "softirq", "RCU"),
            (at[90], "=", "thread", "kworker/0:1"),
            (at[90] + 18 * US, "=", "thread", "measured"),
        ],
    )
    causes = causes_of(analyse(record))
    assert causes
    assert causes.cause_of == ("timer interrupt", "timer interrupt", "thread kworker/0:1", UNEXPLAINED)
    assert causes.explained_us == pytest.approx([5, 7 - 0.04, 18, 0], abs=0.01)
    assert causes.coverage_count == 0.75
    assert causes.coverage_time == pytest.approx((5 + 7 + 18) / 39, abs=0.01)
    assert {cause.name: cause.count for cause in causes.by_event} == {
        "timer interrupt": 2,
        "softirq RCU": 1,
        "thread kworker/0:1": 1,
    }
    assert causes.timer_events == causes.timer_repetitions == 2


def test_nested_events_are_not_counted_twice(tmp_path: Path) -> None:
    stolen = {10: 40.0}
    at = in_repetition(stolen, 10, 30)
    record = made_record(
        tmp_path,
        stolen,
        [
            (at, "=", "thread", "kworker/0:1"),
            (at + 5 * US, "+", "vector", "local_timer"),
            (at + 8 * US, "+", "irq", "virtio0"),
            (at + 10 * US, "-", "irq", "virtio0"),
            (at + 12 * US, "-", "vector", "local_timer"),
            (at + 38 * US, "=", "thread", "measured"),
        ],
    )
    causes = causes_of(record)
    assert causes and causes.explained_us == pytest.approx([38])
    net = {cause.name: cause.total_us for cause in causes.by_event}
    assert net == pytest.approx({"thread kworker/0:1": 31, "timer interrupt": 5, "irq virtio0": 2})
    assert causes.cause_of == ("thread kworker/0:1",)


def test_a_small_event_does_not_explain_a_large_peak(tmp_path: Path) -> None:
    stolen = {10: 300.0}
    at = in_repetition(stolen, 10, 30)
    rows = [(at, "+", "vector", "local_timer"), (at + 3 * US, "-", "vector", "local_timer")]
    causes = causes_of(made_record(tmp_path, stolen, rows))
    assert causes and causes.cause_of == (UNEXPLAINED,) and causes.coverage_time == pytest.approx(0.01, abs=1e-3)


def test_events_cut_at_the_ends_and_without_partner_do_no_harm(tmp_path: Path) -> None:
    rows = [
        (-500, "-", "vector", "local_timer"),
        (-100, "+", "softirq", "TIMER"),
        (50, "=", "thread", "measured"),
        (1000, "-", "irq", "never entered"),
        (199 * QUANTUM, "+", "vector", "reschedule"),
    ]
    record = made_record(tmp_path, {10: 5.0}, rows)
    events = read_events(record)
    assert events and all(span.end >= span.start and span.net >= 0 for span in events.spans)
    assert causes_of(record)


def test_a_thread_that_the_os_does_not_see_leave_is_gone_at_the_next_stamp(tmp_path: Path) -> None:
    stolen = {10: 40.0}
    at = in_repetition(stolen, 10, 30)
    later = in_repetition(stolen, 60, 30)
    rows = [
        (at, "=", "thread", "kworker/0:1"),
        (later, "+", "vector", "local_timer"),
        (later + 3 * US, "-", "vector", "local_timer"),
    ]
    causes = causes_of(made_record(tmp_path, stolen, rows))
    assert causes and {cause.name: cause.total_us for cause in causes.by_event} == pytest.approx(
        {"thread kworker/0:1": 100 + 40 - 30, "timer interrupt": 3}
    )


def test_no_event_file_is_no_causes(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text(record_text(np.full(10, QUANTUM)))
    assert causes_of(read_record(tmp_path / "r.tsv")) is None


GOOD = [(5, "+", "vector", "local_timer"), (900, "-", "vector", "local_timer")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "ends before the column names"),
        (event_text(GOOD).replace("events_version: 1", "events_version: 2"), "expected '# events_version: 1'"),
        (event_text(GOOD, strand="1"), "belong to another record"),
        (event_text(GOOD, first_stamp_counts="99"), "belong to another record"),
        (event_text(GOOD, lost="many"), "lost must be a whole number"),
        (event_text(GOOD)[:-1], "was cut"),
        (event_text(GOOD).replace("\t+\t", "\t?\t"), "a mark that is not"),
        (event_text(GOOD).replace("900", "9x"), "no event"),
        (event_text(GOOD[::-1]), "not in order of time"),
        (event_text(GOOD) + "1000\t+\tvector\n", "lacks a value"),
        ("\x00\xff\n", "is not UTF-8"),
    ],
)
def test_what_is_no_event_file_is_told(tmp_path: Path, text: str, says: str) -> None:
    record = made_record(tmp_path, {10: 5.0}, GOOD)
    record.events_path.write_bytes(text.encode("latin-1"))
    with pytest.raises(RecordError, match=r"r\.events\.tsv:\d+: ") as caught:
        read_events(record)
    assert says in str(caught.value)


def test_damage_is_an_error_or_harmless(tmp_path: Path) -> None:
    record = made_record(tmp_path, {10: 5.0}, GOOD * 1)
    whole = np.frombuffer(event_text(GOOD).encode(), np.uint8)
    random = np.random.default_rng(5)
    for _ in range(600):
        damaged = whole[: random.integers(0, whole.size)].copy() if random.random() < 0.3 else whole.copy()
        at = random.integers(0, max(damaged.size, 1), 2 if damaged.size else 0)
        damaged[at] = random.choice(np.frombuffer(b'\x00\n\t"09-+=#\xff', np.uint8), at.size)
        record.events_path.write_bytes(damaged.tobytes())
        try:
            events = read_events(record)
        except RecordError:
            continue
        assert events and all(span.net >= 0 for span in events.spans)


def with_events(tmp_path: Path, rows: list[tuple[int, str, str, str]]) -> Path:
    run = write_run(tmp_path / "run", strands=1, kernels=("add",))
    (run / "records" / "strand0-add.events.tsv").write_text(event_text(rows))
    return run


def test_the_report_tells_causes_and_coverage(tmp_path: Path) -> None:
    run = str(with_events(tmp_path, GOOD))
    assert "OS events explain" in succeeds("report", run)
    found = json.loads(succeeds("report", run, "--format", "json"))["causes"]
    assert len(found) == 1 and found[0]["timer_events"] == 1 and found[0]["by_event"][0]["name"] == "timer interrupt"


def test_a_damaged_event_file_does_not_stop_the_report(tmp_path: Path) -> None:
    run = with_events(tmp_path, GOOD)
    (run / "records" / "strand0-add.events.tsv").write_text("# events_version: 1\nnonsense\n")
    out = succeeds("report", str(run))
    assert "strand0-add.events.tsv:2: expected" in out and "strand 0 " in out


def test_export_holds_records_peaks_and_events(tmp_path: Path) -> None:
    run = with_events(tmp_path, GOOD)
    path = succeeds("export", "--perfetto", str(run)).strip()
    trace = json.loads(Path(path).read_text())["traceEvents"]
    slices = [event for event in trace if event["ph"] == "X"]
    peaks = analyse(load(run).records[0]).peaks
    assert {(event["pid"], event["tid"]) for event in slices} == {(0, 1), (0, 2), (0, 3)}
    assert sum(event["tid"] == 2 for event in slices) == peaks.size
    assert [event["name"] for event in slices if event["tid"] == 3] == ["timer interrupt"]
    assert all(event["dur"] > 0 for event in slices)
    assert "report.html" not in fails(1, "export", "--perfetto", str(tmp_path / "none"))


def test_a_trace_without_the_timer_does_not_speak_against_the_tick(tmp_path: Path) -> None:
    """The OS counted 25 timer interrupts, the trace was lost or has no vectors: then the count decides."""
    run = write_run(tmp_path / "run", strands=1, kernels=("add",))
    (run / "records/strand0-add.events.tsv").write_text(event_text([(500, "+", "softirq", "RCU"), (900, "-", "softirq", "RCU")]))
    assert verdicts(load(run))[0].kind == "ticks"
    record = run / "records/strand0-add.tsv"
    record.write_text(record.read_text().replace("counter.timer_interrupts: 100 125", "counter.timer_interrupts: 100 100"))
    assert verdicts(load(run))[0].kind == "periodic"


def test_where_a_thread_ends_is_exact_beyond_53_bits() -> None:
    nesting = _Nesting(0, np.array([2**54 + 1, 2**55], np.uint64))
    nesting.switch(2**54, "x")
    assert nesting.until == 2**54 + 1
