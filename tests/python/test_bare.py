"""The static-thread runtime's thread map and build settings: what is refused, and with which words."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

AWK = Path("domains/bare/threads.awk").resolve()


def table(items: str, strands: int = 32) -> subprocess.CompletedProcess[str]:
    awk = ["awk", "-v", f"strands={strands}", "-v", "kernels=add mul nop", "-f", str(AWK)]
    return subprocess.run(awk, input="".join(f"{item}\n" for item in items.split()), capture_output=True, text=True)


def threads(items: str, strands: int = 32) -> dict[int, list[str]]:
    """The kernels by strand, as the table has them."""
    done = table(items, strands)
    assert (done.returncode, done.stderr) == (0, "")
    kernels = dict(re.findall(r"\bkernels_(\d+)\[\] = \{(.*?)\}", done.stdout))
    rows = re.findall(r"^\t\{(\d+), kernels_(\d+), (\d+), stack_(\d+) \+ BARE_STACK_BYTES\},$", done.stdout, re.MULTILINE)
    assert f"bare_thread_count = {len(rows)};" in done.stdout
    found = {}
    for strand, list_of, count, stack in rows:
        assert strand == list_of == stack
        found[int(strand)] = re.findall(r'"(\w+)"', kernels[strand])
        assert len(found[int(strand)]) == int(count)
    return found


def test_the_table_has_a_thread_a_strand_in_order() -> None:
    assert threads("4:mul 0:add 1:idle 2-3:nop+add") == {0: ["add"], 2: ["nop", "add"], 3: ["nop", "add"], 4: ["mul"]}
    assert list(threads("31:all 0:add")) == [0, 31]


def test_all_are_all_kernels_on_every_strand_of_a_t1() -> None:
    assert threads("0-31:all") == {strand: ["add", "mul", "nop"] for strand in range(32)}


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ("0:add 1:mul 0:nop", "thread map:3: strand 0 has a thread already, by item 1"),
        ("0:idle 0-3:nop", "thread map:2: strand 0 has a thread already, by item 1"),
        ("0:add 32:mul", "thread map:2: strand 32 is not there: this machine has 32, from 0 to 31"),
        ("0-99999999999:mul", "thread map:1: strand 99999999999 is not there"),
        ("0:add 1:sub", "thread map:2: there is no kernel 'sub'; kernels are add mul nop"),
        ("0:add+sub", "thread map:1: there is no kernel 'sub'"),
        ("0:add+add", "thread map:1: 'add' stands twice in 'add+add'"),
        ("0:add+idle", "thread map:1: 'idle' stands alone, not in 'add+idle'"),
        ("0:all+add", "thread map:1: 'all' stands alone, not in 'all+add'"),
        ("3-1:add", "thread map:1: the range 3-1 runs backwards"),
        ("add", "thread map:1: 'add' is no STRAND:KERNEL; write 0:add, 4-7:mul+fadd, 1:all or 2:idle"),
        ("0:", "thread map:1: '0:' is no STRAND:KERNEL"),
        ("-1:add", "thread map:1: '-1:add' is no STRAND:KERNEL"),
        ("0:idle", "thread map: no strand has anything to run: give one a kernel, such as 0:add"),
        ("", "thread map: no strand has anything to run"),
    ],
)
def test_a_fault_of_the_map_is_told_with_its_item(items: str, says: str) -> None:
    done = table(items)
    assert done.returncode == 1 and done.stdout == ""
    assert says in done.stderr


def make_bare(*settings: str) -> subprocess.CompletedProcess[str]:
    # What a make around this test was told is not for this one.
    told = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD", "CC")
    environment = {key: value for key, value in os.environ.items() if key not in told}
    return subprocess.run(["make", "bare", *settings], env=environment, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("THREADS=0:sub", "thread map:1: there is no kernel 'sub'"),
        ("BARE=vax", "there is no bare machine 'vax': BARE is one of"),
        ("REPS=0", "REPS and QUANTUM_NS are at least 1"),
        ("REPS=1000x", "REPS is a whole number, not '1000x'"),
        ("TICK_HZ=-1", "TICK_HZ is a whole number"),
        ("ORDER=random", "ORDER is turns or together, not 'random'"),
        ("STRANDS=257", "STRANDS is at most 256 on pc"),
        ('HOST=a"b', "HOST is a name of letters, digits"),
    ],
)
def test_make_refuses_a_bad_setting_before_it_compiles(setting: str, says: str, tmp_path: Path) -> None:
    done = make_bare(f"BUILD={tmp_path}", setting)
    assert done.returncode != 0
    assert says in done.stderr
    assert not list(tmp_path.rglob("*.o"))


def test_the_bare_runtime_measures_with_the_harness_s_own_source() -> None:
    """One measuring loop, one calibration, one record writer, for every OS and none."""
    sources = [path for folder in ("asm", "bind", "domains", "harness") for path in Path(folder).rglob("*.c")]
    for function in (r"^void measure\(", r"^int calibrate\(", r"^void record_write\(", r"^int job_measure\("):
        assert len([path for path in sources if re.search(function, path.read_text(), re.MULTILINE)]) == 1
    assert shutil.which("make")
    rules = subprocess.run(["make", "-f", "domains/bare/Makefile", "-p", "-n", "BARE=pc"], capture_output=True, text=True)
    parts = re.search(r"^HARNESS := (.*)$", rules.stdout, re.MULTILINE)
    assert parts and {"harness/measure.c", "harness/calibrate.c", "harness/record.c", "harness/job.c"} <= set(parts[1].split())
