"""`run` and `sweep`: records and runs, and what becomes of them when something goes wrong."""

from __future__ import annotations

import json
import os
import pty
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from program import AS_ROOT, FIRST, PROGRAM, STRANDS, cmtnoise, fails, header, open_to_others, succeeds

# --- run ------------------------------------------------------------------------------------------------------------


def test_run_writes_one_record_to_standard_output() -> None:
    record = succeeds("run", "--strand", FIRST, "--kernel", "add", "--reps", "200", "-o", "-")
    head, body = header(record), [line for line in record.splitlines() if not line.startswith("#")]
    assert record.startswith("# record_version: 1\n")
    assert head["strand"] == FIRST and head["kernel"] == "add" and head["repetitions"] == "200"
    assert body[0] == "start_counts\tduration_counts"
    rows = [tuple(map(int, line.split("\t"))) for line in body[1:]]
    assert len(rows) == 200 and rows[0][0] == 0
    assert all(start + duration == nxt[0] for (start, duration), nxt in zip(rows[:-1], rows[1:], strict=True))
    before, after = map(int, head["counter.timer_interrupts"].split())
    assert after >= before


def test_a_fixed_number_of_iterations_is_kept() -> None:
    head = header(succeeds("run", "-n", "123", "-r", "50", "--strand", FIRST))
    assert head["iterations"] == "123" and head["quantum_ns"] == "0"


def test_a_record_file_is_whole_and_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "r.tsv"
    assert succeeds("run", "-r", "20", "-o", str(out)) == ""
    first = out.read_text()
    assert list(tmp_path.iterdir()) == [out]
    assert f"{out} exists already" in fails(1, "run", "-r", "20", "-o", str(out))
    assert out.read_text() == first


def test_a_reader_that_goes_away_is_an_error_not_a_signal() -> None:
    with subprocess.Popen([PROGRAM, "run", "-r", "20000", "-q", "10us"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as p:
        assert p.stdout and p.stderr
        p.stdout.close()
        assert p.wait(60) == 1
        assert b"cannot write to standard output" in p.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--kernel", "frob"], "there is no kernel 'frob'; kernels are add"),
        (["--strand", "99999"], "there is no strand 99999"),
        (["--strand", "x"], "'x' names no strands; a selector is made of: all, first"),
        (["--quantum", "0us"], "--quantum wants a time above 0"),
        (["--quantum", "-5us"], "--quantum wants a time above 0"),
        (["--quantum", "10ns"], "too short for the timer"),
        (["--reps", "0"], "--reps wants a whole number from 1"),
        (["--reps", "1000000000000"], "would take 8000.0 GB of memory"),
        (["--label", "guessed"], "--label is measured, virtualised, emulated or modelled"),
        (["--kernel", "add,xor"], "use sweep"),
        (["frob"], "unexpected argument 'frob'"),
    ],
)
def test_wrong_usage(arguments: list[str], says: str) -> None:
    done = cmtnoise("run", *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert done.stdout == ""


def test_an_unwritable_place_is_told_before_measuring(tmp_path: Path) -> None:
    began = time.monotonic()
    message = fails(1, "run", "-r", "50000", "-o", str(tmp_path / "no" / "such" / "folder" / "r.tsv"))
    assert "cannot write" in message and "No such file or directory" in message
    assert time.monotonic() - began < 4


def test_a_binding_that_is_lost_fails_the_record() -> None:
    if len(STRANDS) < 2:
        pytest.skip("needs two strands")
    command = [PROGRAM, "run", "--strand", FIRST, "-r", "30000", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        moved = move_measuring_thread(process.pid, STRANDS[1])
        out, err = process.communicate(timeout=60)
    assert moved
    assert process.returncode == 1 and out == ""
    assert f"strand {FIRST}: the binding was lost" in err and str(STRANDS[1]) in err


def move_measuring_thread(pid: int, strand: int) -> bool:
    """Binds the process's second thread elsewhere once it has been measuring for a while."""
    deadline = time.monotonic() + 20
    time.sleep(0.5)
    while time.monotonic() < deadline:
        for task in Path(f"/proc/{pid}/task").iterdir():
            if int(task.name) != pid:
                os.sched_setaffinity(int(task.name), {strand})
                return True
        time.sleep(0.01)
    return False


def records_among(files: Iterable[Path]) -> list[Path]:
    """Without the event files, which are written just before their records."""
    return [path for path in files if not path.name.endswith(".events.tsv")]


# --- sweep ----------------------------------------------------------------------------------------------------------


def test_sweep_makes_a_run(tmp_path: Path) -> None:
    folder = Path(succeeds("sweep", "--kernels", "add,nop", "-r", "50", "--quiet", cwd=tmp_path).strip())
    run = json.loads((tmp_path / folder / "run.json").read_text())
    assert folder.parts[0] == "results" and run["label"] in folder.name
    assert run["status"] == "complete" and run["status_detail"] is None and run["finished"] >= run["started"]
    assert [(s["strand"], s["kernel"]) for s in run["plan"]] == [(s, k) for k in ("add", "nop") for s in STRANDS]
    for step in run["plan"]:
        record = (tmp_path / folder / step["file"]).read_text()
        assert header(record)["kernel"] == step["kernel"]
        assert record.count("\n") == 50 + 1 + sum(line.startswith("#") for line in record.splitlines())
    assert not list(tmp_path.rglob("*.part"))
    assert run["timer"]["hz"] > 0 and run["host"]["name"] and {"hz", "mode"} <= run["tick"].keys()


def test_together_measures_all_strands_at_the_same_time(tmp_path: Path) -> None:
    succeeds("sweep", "--kernels", "add", "-r", "300", "--together", "--quiet", "-o", "run", cwd=tmp_path)
    heads = [header((tmp_path / f"run/records/strand{s}-add.tsv").read_text()) for s in STRANDS]
    firsts = [int(head["first_stamp_counts"]) for head in heads]
    assert max(firsts) - min(firsts) < int(heads[0]["timer_hz"])  # one after the other, calibrations would lie between


def test_repeat_interleaves_whole_rounds(tmp_path: Path) -> None:
    succeeds("sweep", "--kernels", "add,nop", "--repeat", "3", "-r", "20", "--quiet", "-o", "run", cwd=tmp_path)
    run = json.loads((tmp_path / "run/run.json").read_text())
    once = [(s, k) for k in ("add", "nop") for s in STRANDS]
    assert run["options"]["repeat"] == 3
    assert [(step["strand"], step["kernel"]) for step in run["plan"]] == once * 3
    assert [step["round"] for step in run["plan"]] == [r for r in (1, 2, 3) for _ in once]
    ends = ["" if r == 1 else f".{r}" for r in (1, 2, 3) for _ in once]
    names = [f"records/strand{s}-{k}{end}.tsv" for (s, k), end in zip(once * 3, ends, strict=True)]
    assert [step["file"] for step in run["plan"]] == names
    heads = [header((tmp_path / "run" / name).read_text()) for name in names]
    assert [head["round"] for head in heads] == [str(step["round"]) for step in run["plan"]]
    times = [head["start_time"] for head in heads]
    assert times == sorted(times)
    written = {str(path.relative_to(tmp_path / "run")) for path in (tmp_path / "run/records").iterdir()}
    events = {name.replace(".tsv", ".events.tsv") for name in names}
    assert written == {*names, *events} if run["causes"]["source"] == "tracefs" else written == {*names}


def test_repeat_together(tmp_path: Path) -> None:
    succeeds("sweep", "--kernels", "add", "--repeat", "2", "--together", "-r", "50", "--quiet", "-o", "run", cwd=tmp_path)
    for end in ("", ".2"):
        heads = [header((tmp_path / f"run/records/strand{s}-add{end}.tsv").read_text()) for s in STRANDS]
        firsts = [int(head["first_stamp_counts"]) for head in heads]
        assert max(firsts) - min(firsts) < int(heads[0]["timer_hz"])
        assert {head["round"] for head in heads} == {"2" if end else "1"}


def test_a_sweep_without_repeat_has_one_round(tmp_path: Path) -> None:
    succeeds("sweep", "--kernels", "add", "--strands", FIRST, "-r", "20", "--quiet", "-o", "run", cwd=tmp_path)
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["options"]["repeat"] == 1 and [step["round"] for step in run["plan"]] == [1]
    assert "round" not in header(succeeds("run", "-r", "20"))


def test_an_existing_folder_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "run" / "kept"
    kept.parent.mkdir()
    kept.write_text("mine")
    assert "exists already" in fails(1, "sweep", "-o", "run", cwd=tmp_path)
    assert kept.read_text() == "mine" and len(list(kept.parent.iterdir())) == 1


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_an_unwritable_folder_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "Permission denied" in fails(1, "sweep", "-o", str(tmp_path / "run"))


def test_a_folder_in_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Not a directory" in fails(1, "sweep", "-o", str(tmp_path / "file" / "run"))


def test_a_full_disk_keeps_what_was_complete(small_disk: Path) -> None:
    message = fails(1, "sweep", "--kernels", "all", "-r", "2000", "--quiet", "-o", "run", cwd=small_disk)
    assert "No space left on device" in message and ".tsv" in message
    run = json.loads((small_disk / "run/run.json").read_text())
    assert run["status"] in ("failed", "running")
    files = list((small_disk / "run/records").iterdir())
    assert all(path.suffix == ".tsv" for path in files)
    records = records_among(files)
    assert records
    assert all(path.read_text().endswith("\n") and path.read_text().count("\n") > 2000 for path in records)


def test_repeat_has_a_limit() -> None:
    assert "--repeat is at most 10000" in fails(2, "sweep", "--repeat", "10001", "--dry-run")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_keeps_what_was_complete(tmp_path: Path, number: signal.Signals, code: int) -> None:
    command = [PROGRAM, "sweep", "--kernels", "load_l2,nop,load_mem,mul", "-r", "5000", "-o", "run"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not records_among(tmp_path.glob("run/records/*.tsv")) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == code, err
    assert out == "run\n" and f"broken off by {number.name}" in err
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["status"] == "interrupted" and run["status_detail"] == number.name
    records = records_among((tmp_path / "run/records").iterdir())
    assert 1 <= len(records) < len(run["plan"])
    assert all(record.read_text().count("\n") > 5000 for record in records)


def test_a_signal_leaves_no_part_of_a_record(tmp_path: Path) -> None:
    with subprocess.Popen([PROGRAM, "run", "-r", "100000", "-o", tmp_path / "r.tsv"], stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / "r.tsv.part").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.5)  # into the 10 s of measuring
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143
    assert not list(tmp_path.iterdir())


def unprivileged(command: list[str], **limits: int) -> subprocess.CompletedProcess[str]:
    def drop() -> None:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
        resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
        if AS_ROOT:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

    return subprocess.run(command, preexec_fn=drop, capture_output=True, text=True, timeout=60)


def test_without_rights_it_measures_and_warns(tmp_path: Path) -> None:
    program = tmp_path / "cmtnoise"  # the build folder may be closed to others
    shutil.copy(PROGRAM, program)
    if AS_ROOT:
        open_to_others(tmp_path)
    done = unprivileged([str(program), "run", "--realtime", "-r", "20"])
    assert done.returncode == 0, done.stderr
    assert "memory could not be locked" in done.stderr and "real-time scheduling was refused" in done.stderr
    assert header(done.stdout)["realtime"] == "no"
    assert "real-time scheduling was refused" in done.stdout


def test_realtime_is_recorded() -> None:
    if not AS_ROOT:
        pytest.skip("needs root")
    done = cmtnoise("run", "--realtime", "-r", "20")
    assert done.returncode == 0
    assert header(done.stdout)["realtime"] == "fifo 80"


def test_progress_is_for_terminals_only(tmp_path: Path) -> None:
    command = [PROGRAM, "sweep", "--kernels", "add,nop", "-r", "20"]
    piped = subprocess.run([*command, "-o", "piped"], cwd=tmp_path, capture_output=True, timeout=60)
    assert piped.returncode == 0 and b"[1/" not in piped.stderr
    master, slave = pty.openpty()
    shown = subprocess.Popen([*command, "-o", "shown"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=slave)
    assert shown.wait(60) == 0
    os.close(slave)
    seen = os.read(master, 65536)
    os.close(master)
    assert b"[1/" in seen and b"s left" in seen
