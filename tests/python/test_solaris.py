"""The program for Solaris, whole, on a fake of Solaris (tests/ports/solaris): what it asks of the OS, and what it makes of the
answers. It measures this machine's CPU all the while, so no time means anything here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path

import cmtnoise
import pytest
from program import header
from solaris_machine import Cpu, Machine, t1, t2, x86

PROGRAM = (Path(os.environ.get("CMTNOISE_BUILD", "build")) / "solaris/cmtnoise").resolve()
EPERM, EINVAL, EIO = 1, 22, 5


@pytest.fixture(autouse=True, scope="module")
def is_built() -> None:
    if not PROGRAM.exists():
        pytest.fail(f"{PROGRAM} is not there: ci/solaris.sh {PROGRAM.parent}")


def run(machine: Machine, folder: Path, *arguments: str, code: int = 0, program: Path = PROGRAM) -> tuple[str, str]:
    """Output and errors of the program on the machine, which is kept in folder/machine."""
    place = machine.write(folder / "machine")
    (place / "log").unlink(missing_ok=True)
    environment = {**os.environ, "FAKE_SOLARIS": str(place)}
    done = subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def calls(folder: Path, name: str) -> list[str]:
    lines = (folder / "machine/log").read_text().splitlines()
    return [line for line in lines if line.startswith(name)]


def strands(machine: Machine, folder: Path, code: int = 0) -> dict[int, tuple[int | None, int | None, str]]:
    topology = json.loads(run(machine, folder, "topology", "--json", code=code)[0])
    return {strand["strand"]: (strand["core"], strand["package"], strand["state"]) for strand in topology["strands"]}


def doctor(machine: Machine, folder: Path, *arguments: str) -> dict[str, dict[str, str]]:
    place = machine.write(folder / "machine")
    environment = {**os.environ, "FAKE_SOLARIS": str(place)}
    command = [str(PROGRAM), "doctor", "--json", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr  # 1: this machine's counter is not invariant
    return {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}


# Sweeps.


def test_a_t1_gives_32_records_in_the_right_places(tmp_path: Path) -> None:
    run(t1(), tmp_path, "sweep", "--quiet", "--kernels", "add", "-r", "30", "-o", "run")
    sweep = cmtnoise.load(tmp_path / "run")
    assert sweep.problems == () and sweep.status == "complete" and len(sweep.records) == 32
    for record in sweep.records:
        strand = int(record.header["strand"])
        assert (record.header["core"], record.header["package"]) == (str(strand // 4), "0")
        assert (record.header["os"], record.header["timer"]) == ("solaris", "tsc (lfence;rdtsc;lfence)")
    assert sorted(int(record.header["strand"]) for record in sweep.records) == list(range(32))
    bound = {int(line.split()[3].rstrip(":")) for line in calls(tmp_path, "processor_bind P_LWPID P_MYID")}
    assert bound == set(range(32)) and all(line.endswith(": 0") for line in calls(tmp_path, "processor_bind"))
    host, tick = sweep.info["host"], sweep.info["tick"]
    assert (host["os"], host["os_release"], host["machine"]) == ("solaris", "5.10", "sun4v")
    assert (tick["hz"], tick["mode"], tick["irq_affinity"]) == (100, "periodic, one strand", "0-31")


def test_the_analysis_reads_it(tmp_path: Path) -> None:
    run(t1(), tmp_path, "sweep", "--quiet", "--kernels", "add", "--strands", "0,1,4", "-r", "30", "-o", "run")
    command = ["plots/cmtnoise-report", str(tmp_path / "run"), "--format", "json"]
    report = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert report.returncode == 0, report.stderr


def test_strands_of_a_t2_and_of_x86(tmp_path: Path) -> None:
    found = strands(t2(), tmp_path / "t2")
    assert {number: place[0] for number, place in found.items()} == {number: number // 8 for number in range(64)}
    found = strands(x86(), tmp_path / "x86")
    cores = {number: place[0] for number, place in found.items()}
    packages = {number: place[1] for number, place in found.items()}
    assert packages == {number: number % 2 for number in range(8)}
    assert all(cores[number] == cores[number + 4] for number in range(4)) and len(set(cores.values())) == 4


def test_strands_measured_at_once(tmp_path: Path) -> None:
    run(t1(), tmp_path, "sweep", "--quiet", "--together", "--kernels", "add", "--strands", "0-3", "-r", "20", "-o", "run")
    sweep = cmtnoise.load(tmp_path / "run")
    assert sweep.problems == () and sorted(int(record.header["strand"]) for record in sweep.records) == [0, 1, 2, 3]


def test_numbers_with_holes(tmp_path: Path) -> None:
    machine = t1()
    machine.cpus = [Cpu(number, 0, number // 4) for number in (0, 1, 2, 3, 8, 9, 64, 500)]
    run(machine, tmp_path, "sweep", "--quiet", "--kernels", "add", "-r", "20", "-o", "run")
    sweep = cmtnoise.load(tmp_path / "run")
    places = {int(record.header["strand"]): int(record.header["core"]) for record in sweep.records}
    assert places == {0: 0, 1: 0, 2: 0, 3: 0, 8: 1, 9: 1, 64: 2, 500: 3}
    assert "there is no strand 4 here" in run(machine, tmp_path, "sweep", "--strands", "4", code=2)[1]


def test_counters_before_and_after(tmp_path: Path) -> None:
    began = time.monotonic()
    text = run(t1("clock 3"), tmp_path, "run", "--strand", "3", "-r", "1500")[0]
    whole, record, rows = time.monotonic() - began, header(text), text.splitlines()
    lasted = sum(int(value) for value in rows[-1].split("\t")) / int(record["timer_hz"])

    def grown(name: str) -> int:
        before, after = record[f"counter.{name}"].split()
        return int(after) - int(before)

    ticks = grown("timer_interrupts")
    assert 100 * lasted - 2 <= ticks <= 100 * whole + 2  # 100 a second; what came before and after is no part of the record
    assert ticks > 10
    assert grown("strand_interrupts") == 2 * ticks == ticks + grown("other_interrupts")
    for name in ("strand_switches", "strand_involuntary_switches", "strand_system_calls", "strand_cross_calls"):
        assert grown(name) > 0
    assert grown("involuntary_switches") == 2 * grown("voluntary_switches") > 0


def test_fixed_work_and_another_timer(tmp_path: Path) -> None:
    record = header(run(t1(), tmp_path, "run", "-r", "5", "--iterations", "500", program=PROGRAM.with_name("cmtnoise-timer"))[0])
    assert (record["timer"], record["iterations"]) == ("os clock (ns)", "500")
    assert abs(int(record["timer_hz"]) - 1_000_000_000) < 1_000_000


# The OS refuses.


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["fault processor_bind 5 1"], r"strand 5: cannot start a thread there: .*\(not permitted to bind threads: run as root"),
        (["fault processor_bind 5 22"], r"strand 5: cannot start a thread there: Invalid argument\n"),
        (["goes_offline 5 0"], r"strand 5: cannot start a thread there: .*\(it is off-line now: psradm -n 5 brings it back\)"),
        (["joins_set 5 0"], r"strand 5: .*\(it is in processor set 7: psrset -e 7 cmtnoise \.\.\. runs there\)"),
    ],
)
def test_a_binding_is_refused(tmp_path: Path, lines: list[str], sentence: str) -> None:
    errors = run(t1(*lines), tmp_path, "run", "--strand", "5", "-r", "5", code=1)[1]
    assert re.search(sentence, errors), errors


def test_a_strand_that_goes_offline_leaves_the_records_before_it(tmp_path: Path) -> None:
    machine = t1("goes_offline 6 1")  # one binding for the timer's test, then no more
    errors = run(machine, tmp_path, "sweep", "--quiet", "--kernels", "add", "--strands", "4-7", "-r", "20", "-o", "run", code=1)[
        1
    ]
    assert "strand 6: cannot start a thread there" in errors and "psradm -n 6" in errors
    sweep = json.loads((tmp_path / "run/run.json").read_text())
    assert sweep["status"] == "failed" and "psradm -n 6" in sweep["status_detail"]
    assert sorted(path.name for path in (tmp_path / "run/records").iterdir()) == ["strand4-add.tsv", "strand5-add.tsv"]


def test_a_binding_that_is_lost_on_the_way(tmp_path: Path) -> None:
    errors = run(t1("unbinds 5 3"), tmp_path, "run", "--strand", "5", "-r", "5", code=1)[1]
    assert "strand 5: the binding was lost" in errors and "did pbind or psrset change it" in errors


def test_processor_sets(tmp_path: Path) -> None:
    sets = [f"set {number} 1" for number in range(8, 12)]
    found = strands(t1(*sets), tmp_path)
    assert {number for number, place in found.items() if place[2] == "excluded"} == {8, 9, 10, 11}
    errors = run(t1(*sets), tmp_path, "run", "--strand", "9", code=2)[1]
    assert "strand 9 is excluded (it is in another processor set: psrset -e SET" in errors
    assert "strands 8-11 are in one" in doctor(t1(*sets), tmp_path)["processor sets"]["found"]
    within = t1(*sets, "own_set 1")
    found = strands(within, tmp_path)
    assert {number for number, place in found.items() if place[2] == "isolated"} == {8, 9, 10, 11}
    assert {place[2] for number, place in found.items() if not 8 <= number < 12} == {"excluded"}
    run(within, tmp_path, "sweep", "--quiet", "--kernels", "add", "-r", "20", "-o", "run")
    sweep = cmtnoise.load(tmp_path / "run")
    assert sorted(int(record.header["strand"]) for record in sweep.records) == [8, 9, 10, 11]
    assert sweep.info["tick"]["isolated"] == "8-11"


def test_strands_off_line_without_interrupts_and_bound(tmp_path: Path) -> None:
    machine = t1("bound 9")
    machine.cpus[7].state = "off-line"
    machine.cpus[8].state = machine.cpus[9].state = "no-intr"
    machine.cpus[31].state = "faulted"
    found = strands(machine, tmp_path)
    assert {number for number, place in found.items() if place[2] == "offline"} == {7, 31}
    assert found[7][0] == 1 and found[31][0] == 7  # Solaris tells their places all the same
    assert found[9][2] == "usable" and found[8][2] == "masked"
    told = doctor(machine, tmp_path)["device interrupts"]
    assert told["found"] == "none on strands 8-9 (no-intr); they may go to the others"
    told = doctor(machine, tmp_path, "--strands", "8-9")["device interrupts"]
    assert told["level"] == "ok" and told["found"].startswith("none on these strands (no-intr)")


# The statistics change, or are not there.


def test_a_chain_that_changes_under_the_reader(tmp_path: Path) -> None:
    assert strands(t1("chain_changes 5"), tmp_path) == strands(t1(), tmp_path)
    assert strands(t1("fault kstat_chain_update EAGAIN 3"), tmp_path) == strands(t1(), tmp_path)
    left = strands(t1("chain_changes 1", "vanishes 31"), tmp_path)
    assert sorted(left) == list(range(31))


def test_a_chain_that_never_stops_changing(tmp_path: Path) -> None:
    errors = run(t1("chain_changes -1"), tmp_path, "topology", code=1)[1]
    assert "the OS does not say which strands there are: Resource temporarily unavailable" in errors


def test_statistics_that_cannot_be_read(tmp_path: Path) -> None:
    assert "Permission denied" in run(t1("fault kstat_open - 13"), tmp_path, "topology", code=1)[1]


def test_a_release_that_tells_no_cores(tmp_path: Path) -> None:
    machine = t1()
    machine.told = lambda statistic: statistic not in ("core_id", "brand", "current_clock_Hz", "state")
    found = strands(machine, tmp_path)
    assert [place[0] for place in found.values()] == list(range(32)) and {place[1] for place in found.values()} == {0}
    told = doctor(machine, tmp_path)
    assert told["cores"]["level"] == "note" and "no core_id" in told["cores"]["found"]
    assert told["clock frequency"]["found"].startswith("not told")
    machine.told = lambda statistic: statistic not in ("chip_id", "core_id")
    assert {place[1] for place in strands(machine, tmp_path).values()} == {0}


def test_a_release_that_counts_no_levels(tmp_path: Path) -> None:
    machine = t1()
    machine.told = lambda statistic: not statistic.startswith("level-")
    record = header(run(machine, tmp_path, "run", "-r", "5")[0])
    assert "counter.timer_interrupts" not in record and "counter.strand_interrupts" in record
    assert "most likely: it is the first that takes interrupts" in doctor(machine, tmp_path)["OS tick"]["found"]


# Scheduling, locking, and what the doctor says.


@pytest.mark.parametrize(
    ("lines", "scheduling", "warning"),
    [
        ([], "rt 0", ""),
        (["fault priocntl RT 1"], "fx 60", "scheduled by class FX, since class RT is refused here"),
        (
            ["fault priocntl RT 1", "fault priocntl FX 1"],
            "no",
            "real-time scheduling was refused, measured without it: class RT: ",
        ),
    ],
)
def test_realtime(tmp_path: Path, lines: list[str], scheduling: str, warning: str) -> None:
    text = run(t1(*lines), tmp_path, "run", "--realtime", "-r", "5")[0]
    assert f"# realtime: {scheduling}\n" in text and (f"# warning: {warning}" in text if warning else "class RT" not in text)
    assert len(calls(tmp_path, "priocntl PC_SETPARMS")) == 1 + bool(lines)


def test_memory_that_may_not_be_locked(tmp_path: Path) -> None:
    machine = t1("fault mlock 1")
    text = run(machine, tmp_path, "run", "-r", "5")[0]
    assert "# warning: memory could not be locked: run as root, or with the privilege proc_lock_memory" in text
    assert doctor(machine, tmp_path)["right to lock memory"]["level"] == "note"


def test_the_doctor_finds_the_strand_that_runs_clock(tmp_path: Path) -> None:
    told = doctor(t1("clock 12"), tmp_path)["OS tick"]
    assert told["found"] == "clock() runs on one strand at a time: strand 12 (it does now, by its interrupts of level 10)"
    assert "::cycinfo -v | mdb -k" in told["effect"] and "fbt::clock:entry" in told["effect"]
    assert "psradm -i 12" in told["mend"] and "psrset -f SET" in told["mend"]
    told = doctor(t1("clock 12"), tmp_path, "--strands", "16-31")["OS tick"]
    assert told["level"] == "ok" and "strand 12 is not among these" in told["found"]
    machine = t1("clock 12")
    machine.cpus[3].state = "off-line"  # has no statistics then
    assert doctor(machine, tmp_path)["OS tick"]["found"].endswith("strand 12 (it does now, by its interrupts of level 10)")


def test_the_doctor_on_rate_zone_rights_speed_and_load(tmp_path: Path) -> None:
    machine = t1("hz 1000", "zone 3", "fault priocntl RT 1", "fault priocntl FX 1", "load 4000")
    told = doctor(machine, tmp_path)
    assert told["tick rate"]["found"].startswith("1000 Hz, not 100") and "/etc/system" in told["tick rate"]["mend"]
    assert told["zone"]["level"] == "note" and told["load"]["level"] == "disturbs"
    assert told["right to --realtime"]["found"].startswith("no: class RT: ")
    assert told["strands that share a core"]["found"].startswith("24 of 32")
    assert told["causes of peaks"]["level"] == "note"
    fine = doctor(x86(), tmp_path)
    assert fine["zone"]["level"] == fine["load"]["level"] == fine["clock frequency"]["level"] == "ok"
    assert fine["right to --realtime"]["found"] == "yes (tried): rt 0"


def test_quiet_strands_have_no_tick_configurations_here(tmp_path: Path) -> None:
    output = run(t1(), tmp_path, "doctor", "--quiet-strands", "4-7", code=int(doctor_prevents(tmp_path)))[0]
    assert "no tick configuration is known by name for this OS" in output and "nohz" not in output


def doctor_prevents(folder: Path) -> bool:
    return any(finding["level"] == "prevents" for finding in doctor(t1(), folder).values())


def test_every_symbol_is_one_of_solaris_10() -> None:
    """ci/solaris.sh holds the objects against the list; the list itself names no version that came later."""
    rows = [line.split() for line in Path("tests/ports/solaris/symbols").read_text().splitlines() if line[0] != "#"]
    assert len(rows) > 80 and all(len(row) == 4 for row in rows)
    later = re.compile(r"SUNW_1\.2[3-9]|ILLUMOS")
    assert not [row for row in rows if row[1] not in ("libc", "librt", "libkstat") or later.match(row[2])]
