"""`sweep` with the OS's events traced: what the event files hold, and that nothing stays behind however the sweep ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from program import AS_ROOT, FIRST, PROGRAM, STRANDS, cmtnoise, fails, header, open_to_others, succeeds

TRACER = Path(PROGRAM).parent / "cmtnoise-trace"
INSTANCES = Path("/sys/kernel/tracing/instances")

Row = tuple[int, str, str, str]


def why_not() -> str:
    """Why events cannot be traced here; "" where they can."""
    if not TRACER.exists():
        return "cmtnoise-trace was not built: libtracefs is missing"
    checked = subprocess.run([TRACER, "--check"], capture_output=True, text=True)
    return checked.stdout.removeprefix("failed ").strip() if checked.returncode else ""


traced = pytest.mark.skipif(bool(why_not()), reason=why_not())


def sweep(folder: Path, *options: str, **environment: str) -> dict[str, Any]:
    done = cmtnoise("sweep", "--quiet", "-o", str(folder), *options, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    run: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return run


def events(folder: Path, strand: int, kernel: str = "add") -> tuple[dict[str, str], list[Row]]:
    text = (folder / f"records/strand{strand}-{kernel}.events.tsv").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert text.startswith("# events_version: 1\n") and text.endswith("\n")
    assert lines[0] == "at_counts\tmark\tclass\tname"
    rows = [line.split("\t") for line in lines[1:]]
    return header(text), [(int(at), mark, kind, name) for at, mark, kind, name in rows]


def record(folder: Path, strand: int, kernel: str = "add") -> tuple[dict[str, str], int]:
    """A record's header, and the last stamp in counts from the first."""
    text = (folder / f"records/strand{strand}-{kernel}.tsv").read_text()
    start, duration = text.splitlines()[-1].split("\t")
    return header(text), int(start) + int(duration)


def left_behind() -> list[Path]:
    """Instances whose maker is no more; another sweep on this machine may have its own."""
    return [path for path in INSTANCES.glob("cmtnoise-*") if not Path("/proc", path.name.removeprefix("cmtnoise-")).exists()]


def gone(pid: int) -> bool:
    """Whether the instance of the sweep's tracer goes within a few seconds."""
    deadline = time.monotonic() + 5
    while (INSTANCES / f"cmtnoise-{pid}").exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def start_long_sweep(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """A sweep in the middle of a long record, and the process that traces for it."""
    command = [PROGRAM, "sweep", "--causes", "trace", "--kernels", "add", "-r", "200000", "-o", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and process.poll() is None:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for child in children:
            switch = INSTANCES / f"cmtnoise-{child}" / "tracing_on"
            if (folder / "run.json").exists() and switch.exists() and switch.read_text() == "1\n":
                return process, int(child)
        time.sleep(0.01)
    raise AssertionError(f"tracing did not begin: {process.communicate(timeout=5)}")


# --- what is written ------------------------------------------------------------------------------------------------


def check_timer_interrupts(of_record: dict[str, str], rows: list[Row], span: int, error: int) -> None:
    """As many were traced as the OS counted, between the readings of its counters: one may come while these are read."""
    before, after = map(int, of_record["counter.timer_interrupts"].split())
    first_began, first_ended = map(int, of_record["counters_before_counts"].split())
    second_began, second_ended = map(int, of_record["counters_after_counts"].split())
    timers = [row[0] for row in rows if row[1:] == ("+", "vector", "local_timer")]
    surely = sum(-first_ended + error <= at < span + second_began - error for at in timers)
    perhaps = sum(-first_began - error <= at < span + second_ended + error for at in timers)
    assert surely <= after - before <= perhaps


@traced
@pytest.mark.parametrize("clock", ["", "mono"])
def test_events_tell_what_the_counters_counted(tmp_path: Path, clock: str) -> None:
    folder = tmp_path / "run"
    run = sweep(folder, "--kernels", "add,nop", "-r", "3000", **({"CMTNOISE_TRACE_CLOCK": clock} if clock else {}))
    causes = run["causes"]
    assert causes["source"] == "tracefs" and causes["reason"] is None and run["warnings"] == []
    assert causes["clock"] == (clock or causes["clock"]) and {"softirq", "sched_switch"} <= set(causes["events"])
    assert not left_behind()
    for strand in STRANDS:
        for kernel in ("add", "nop"):
            head, rows = events(folder, strand, kernel)
            of_record, span = record(folder, strand, kernel)
            assert head["source"] == "tracefs" and head["clock"] == causes["clock"] and head["lost"] == "0"
            assert all(head[key] == of_record[key] for key in ("strand", "timer_hz", "first_stamp_counts"))
            second = int(head["timer_hz"])
            assert (int(head["error_counts"]) < second // 10**6) if clock else head["error_counts"] == "0"
            assert -second < rows[0][0] < span and 0 < rows[-1][0] < span + second
            if "irq_vectors" in causes["events"]:
                check_timer_interrupts(of_record, rows, span, int(head["error_counts"]))


@traced
def test_events_are_sorted_and_paired(tmp_path: Path) -> None:
    sweep(tmp_path / "run", "--kernels", "add", "-r", "5000", "--strands", FIRST)
    _, rows = events(tmp_path / "run", int(FIRST))
    assert rows == sorted(rows, key=lambda row: row[0])
    open_entries: Counter[tuple[str, str]] = Counter()
    for _, mark, kind, name in rows:
        assert mark in ("=" if kind == "thread" else "+-") and name
        assert kind in ("vector", "irq", "softirq", "nmi", "thread")
        open_entries[kind, name] += {"+": 1, "-": -1, "=": 0}[mark]
        assert open_entries[kind, name] >= 0
    assert not any(open_entries.values())


@traced
def test_slow_repetitions_hold_the_events_that_slowed_them(tmp_path: Path) -> None:
    """The clocks agree: timer interrupts fall into repetitions that took longer than the one before them."""
    sweep(tmp_path / "run", "--kernels", "add", "-r", "5000", "--strands", FIRST)
    _, rows = events(tmp_path / "run", int(FIRST))
    text = (tmp_path / f"run/records/strand{FIRST}-add.tsv").read_text().splitlines()
    lines = [tuple(map(int, line.split("\t"))) for line in text if line[0].isdigit()]
    quiet = sorted(duration for _, duration in lines)[len(lines) // 4]
    took, all_of_them = 0, 0
    for at, mark, kind, name in rows:
        hit = [duration for start, duration in lines if start <= at < start + duration]
        if (mark, kind, name) == ("+", "vector", "local_timer") and hit:
            all_of_them += 1
            took += hit[0] > 1.01 * quiet
    assert all_of_them and took >= 0.95 * all_of_them


@traced
def test_a_thread_that_takes_the_strand_is_named(tmp_path: Path) -> None:
    other = shutil.copy("/bin/bash", tmp_path / "busy\tthread")
    busy = subprocess.Popen(["taskset", "-c", FIRST, other, "-c", "while :; do :; done"])
    try:
        sweep(tmp_path / "run", "--kernels", "add", "-r", "5000", "--strands", FIRST)
    finally:
        busy.kill()
        busy.wait()
    _, rows = events(tmp_path / "run", int(FIRST))
    threads = {name for _, mark, _, name in rows if mark == "="}
    assert {"measured", "busy?thread"} <= threads


@traced
def test_together_each_strand_has_its_events(tmp_path: Path) -> None:
    run = sweep(tmp_path / "run", "--kernels", "add", "-r", "2000", "--together")
    assert run["causes"]["source"] == "tracefs" and not left_behind()
    for strand in STRANDS:
        head, rows = events(tmp_path / "run", strand)
        assert head["strand"] == str(strand) and any(kind != "thread" for _, _, kind, _ in rows)
        assert head["first_stamp_counts"] == record(tmp_path / "run", strand)[0]["first_stamp_counts"]


# --- where it is not possible, or ends ----------------------------------------------------------------------------------


def test_counters_write_no_events(tmp_path: Path) -> None:
    run = sweep(tmp_path / "run", "--kernels", "add", "-r", "50", "--causes", "counters")
    assert run["causes"] == {"source": "counters", "clock": None, "events": [], "reason": "--causes counters was given"}
    assert run["options"]["causes"] == "counters"
    assert not list((tmp_path / "run/records").glob("*.events.tsv"))


def test_an_unknown_source_is_wrong_usage(tmp_path: Path) -> None:
    assert "--causes is auto, trace or counters; got 'magic'" in fails(2, "sweep", "--causes", "magic", cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_the_program_it_says_why(tmp_path: Path) -> None:
    program = shutil.copy(PROGRAM, tmp_path / "cmtnoise")
    command = [program, "sweep", "--quiet", "--kernels", "add", "-r", "20", "--strands", FIRST, "-o", str(tmp_path / "run")]
    without = {**os.environ, "PATH": "/nowhere"}
    refused = subprocess.run([*command, "--causes", "trace"], env=without, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "there is no program cmtnoise-trace here" in refused.stderr
    assert not (tmp_path / "run").exists()
    subprocess.run(command, env=without, check=True, capture_output=True, timeout=60)
    causes = json.loads((tmp_path / "run/run.json").read_text())["causes"]
    assert causes["source"] == "counters" and "there is no program cmtnoise-trace here" in causes["reason"]


@pytest.mark.skipif(not AS_ROOT or not TRACER.exists(), reason="needs root, to become somebody else, and cmtnoise-trace")
def test_without_rights_it_says_why(tmp_path: Path) -> None:
    open_to_others(tmp_path)
    for file in (PROGRAM, TRACER):  # the build folder may be closed to others
        shutil.copy(file, tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o777)

    def drop() -> None:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)

    command = [str(tmp_path / "cmtnoise"), "sweep", "--quiet", "--kernels", "add", "-r", "20", "--strands", FIRST]
    command += ["-o", str(out / "run")]
    subprocess.run(command, preexec_fn=drop, check=True, capture_output=True, timeout=60)
    causes = json.loads((out / "run/run.json").read_text())["causes"]
    assert causes["source"] == "counters" and "run as root" in causes["reason"]


def fake_tracer(folder: Path, script: str) -> dict[str, str]:
    """An environment in which a shell script stands in for cmtnoise-trace."""
    program = folder / "cmtnoise-trace"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"CMTNOISE_EXEC_PATH": str(folder)}


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("read l; echo started; read l; echo failed the disk is on fire", "the disk is on fire"),
        ("read l; echo nonsense", "answered 'nonsense'"),
        ("read l; echo started; read l; echo stopped; read l; echo events 0 0; echo cut", "has ended"),
        ("exit 0", "has ended"),
    ],
)
def test_a_tracer_that_fails_does_not_stop_the_sweep(tmp_path: Path, script: str, says: str) -> None:
    environment = fake_tracer(tmp_path, f"[ $# = 0 ] || exit\nprintf 'ready mono\\tirq\\n'\n{script}")
    run = sweep(tmp_path / "run", "--kernels", "add,nop", "-r", "50", "--strands", FIRST, **environment)
    assert run["status"] == "complete" and len(list((tmp_path / "run/records").iterdir())) == 2
    assert says in run["causes"]["reason"] and says in run["warnings"][0]


# --- nothing stays behind -----------------------------------------------------------------------------------------------


@traced
def test_a_sweep_that_is_killed_leaves_no_instance(tmp_path: Path) -> None:
    process, tracer = start_long_sweep(tmp_path / "run")
    process.kill()
    process.communicate(timeout=20)
    assert gone(tracer) and not list((tmp_path / "run/records").iterdir())


@traced
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_whole_terminal_leaves_no_instance(tmp_path: Path, number: signal.Signals) -> None:
    process, tracer = start_long_sweep(tmp_path / "run")
    os.killpg(process.pid, number)
    process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert not (INSTANCES / f"cmtnoise-{tracer}").exists()  # at once: the sweep has waited for it
    assert json.loads((tmp_path / "run/run.json").read_text())["causes"]["source"] == "tracefs"


@traced
def test_a_tracer_that_is_killed_leaves_no_instance(tmp_path: Path) -> None:
    process, tracer = start_long_sweep(tmp_path / "run")
    os.kill(tracer, signal.SIGKILL)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert not (INSTANCES / f"cmtnoise-{tracer}").exists()


@traced
def test_what_both_left_behind_is_removed_later(tmp_path: Path) -> None:
    process, tracer = start_long_sweep(tmp_path / "run")
    stranger = INSTANCES / "cmtnoise-stranger"
    stranger.mkdir()
    try:
        os.kill(tracer, signal.SIGSTOP)  # so that it does not see the end of the sweep first
        process.kill()
        os.kill(tracer, signal.SIGKILL)
        process.communicate(timeout=20)
        assert (INSTANCES / f"cmtnoise-{tracer}").exists()
        succeeds("trace", "--clean")
        assert not (INSTANCES / f"cmtnoise-{tracer}").exists() and stranger.exists()
    finally:
        stranger.rmdir()


@traced
def test_a_running_tracer_is_left_alone(tmp_path: Path) -> None:
    process, tracer = start_long_sweep(tmp_path / "run")
    try:
        succeeds("trace", "--clean")
        sweep(tmp_path / "other", "--kernels", "nop", "-r", "50", "--strands", FIRST)
        assert (INSTANCES / f"cmtnoise-{tracer}").exists()
    finally:
        process.kill()
        process.communicate(timeout=20)
    assert gone(tracer)


def test_the_program_explains_itself() -> None:
    if not TRACER.exists():
        pytest.skip(why_not())
    done = subprocess.run([TRACER, "--frob"], capture_output=True, text=True)
    assert done.returncode == 2 and "usage: cmtnoise-trace" in done.stderr
