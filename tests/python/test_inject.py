"""`inject`: the noise it makes is the noise it logs, whatever ends it."""

from __future__ import annotations

import signal
import statistics
import subprocess
import time
from pathlib import Path

import pytest
from program import AS_ROOT, FIRST, PROGRAM, STRANDS, cmtnoise, fails, header, succeeds


def stolen(log: str) -> list[tuple[int, int]]:
    """The slices of a log: start and duration in counts."""
    body = [line for line in log.splitlines() if not line.startswith("#")]
    assert body[0] == "start_counts\tduration_counts"
    return [(int(start), int(duration)) for start, duration in (line.split("\t") for line in body[1:])]


def assert_sound(log: str, period_us: float, slice_us: float) -> dict[str, str]:
    head, slices = header(log), stolen(log)
    assert log.startswith("# injection_version: 1\n") and log.endswith("\n")
    counts_a_us = int(head["timer_hz"]) * 1e-6
    assert len(slices) == int(head["slices"]) and float(head["period_ns"]) == period_us * 1000
    assert all(duration >= slice_us * counts_a_us - 1 for _, duration in slices)
    assert all(a + duration <= b for (a, duration), (b, _) in zip(slices[:-1], slices[1:], strict=True))
    gaps = [b[0] - a[0] for a, b in zip(slices[:-1], slices[1:], strict=True)]
    if AS_ROOT:
        assert statistics.median(gaps) == pytest.approx(period_us * counts_a_us, rel=0.005)
    # Without real-time scheduling slices come as late as other work has it, at most until the slot is missed.
    slots = sum(gaps) / (period_us * counts_a_us)
    assert len(gaps) - 1 < slots < len(gaps) + int(head["missed"]) + 1
    return head


def test_slices_come_as_asked() -> None:
    log = succeeds("inject", "--strand", FIRST, "--period", "4ms", "--slice", "20us", "--duration", "1s", "--quiet")
    head = assert_sound(log, 4000, 20)
    assert int(head["slices"]) + int(head["missed"]) == 250 and int(head["slices"]) > (220 if AS_ROOT else 25)
    assert head["strand"] == FIRST and head["status"] == "complete" and head["slice_ns"] == "20000"
    assert head["realtime"] == ("fifo 80" if AS_ROOT else "no") or any("real-time" in line for line in log.splitlines())


def test_a_log_file_is_whole_and_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "log.tsv"
    arguments = ("inject", "-p", "1ms", "--slice", "5us", "-d", "100ms", "--quiet", "-o", str(out))
    assert succeeds(*arguments) == "" and list(tmp_path.iterdir()) == [out]
    assert_sound(out.read_text(), 1000, 5)
    assert "exists already" in fails(1, *arguments)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--slice", "2ms"], "is half of --period 4000000ns or more"),
        (["--duration", "3ms"], "nothing would be stolen"),
        (["--duration", "10000000000s"], "--duration is too long"),
        (["--period", "1us", "--slice", "100ns", "--duration", "100000000s"], "use a shorter --duration"),
        (["--period", "0ms"], "--period wants a time above 0"),
        (["--slice", "20"], "--slice wants a time above 0 with its unit"),
        (["--strand", "99999"], "there is no strand 99999"),
        (["--strand", "0," + ",".join(map(str, STRANDS))] if len(STRANDS) > 1 else ["--strand", "x"], "strand"),
        (["--label", "guessed"], "--label is measured, virtualised, emulated or modelled"),
        (["--reps", "5"], "unknown option '--reps'"),
    ],
)
def test_wrong_usage(arguments: list[str], says: str) -> None:
    done = cmtnoise("inject", *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr and done.stdout == ""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_keeps_what_was_stolen(tmp_path: Path, number: signal.Signals, code: int) -> None:
    out = tmp_path / "log.tsv"
    command = [PROGRAM, "inject", "-d", "60s", "-p", "2ms", "--slice", "10us", "--quiet", "-o", str(out)]
    began = time.monotonic()
    with subprocess.Popen(command) as process:
        while not (tmp_path / "log.tsv.part").exists() and time.monotonic() < began + 60:
            time.sleep(0.01)
        time.sleep(1.0)
        process.send_signal(number)
        assert process.wait(60) == code
    slots = (time.monotonic() - began) / 2e-3
    head = assert_sound(out.read_text(), 2000, 10)
    assert head["status"] == "interrupted" and (100 if AS_ROOT else 10) < int(head["slices"]) < slots
    assert list(tmp_path.iterdir()) == [out]


def test_what_is_injected_is_found_in_a_record() -> None:
    """A record of the same strand and time: nearly every slice lies in a repetition that took longer by as much."""
    command = [PROGRAM, "inject", "--strand", FIRST, "-p", "7ms", "--slice", "80us", "-d", "60s", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        time.sleep(0.5)
        record = succeeds("run", "--strand", FIRST, "--reps", "10000")
        process.send_signal(signal.SIGINT)
        log, _ = process.communicate(timeout=10)
    head = header(record)
    first, hz = int(head["first_stamp_counts"]), int(head["timer_hz"])
    repetitions = [(first + start, duration) for start, duration in stolen(record)]
    end = sum(repetitions[-1])
    inside = [s for s in stolen(log) if s[0] > first and sum(s) < end]
    assert len(inside) > 100
    long = [(start, start + duration) for start, duration in repetitions if duration > 1.7e-4 * hz]
    found = sum(any(a <= start < b for a, b in long) for start, _ in inside)
    assert found >= 0.95 * len(inside)
