"""The x86-64 machine of the static-thread runtime under QEMU: its ways to begin, its strands, a tick, traps, what is missing.
QEMU counts instructions here (icount) but where it is told not to, so that what is asserted is exact."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from bare_machine import facts, interrupts, records, run, ticks_found

BUILD = Path(os.environ.get("CMTNOISE_BUILD", "build")).resolve() / "test-pc"
IMAGES = BUILD / "bare/pc"
ELF, ELF32, ISO = (IMAGES / name for name in ("cmtnoise.elf", "cmtnoise32.elf", "cmtnoise.iso"))
SECONDS = 120  # that an emulated machine may live
COUNTED = ("-icount", "shift=0,sleep=off", "-rtc", "base=2024-01-01,clock=vm", "-seed", "1")
DONE, FAILED = 33, 35  # QEMU's exit status for what machine_end() writes to isa-debug-exit
KERNEL = str(ELF)


def make(*settings: str, target: str = "bare") -> None:
    """The images; linked anew, as BARE_EXTRA is no file that make could look at."""
    ELF.unlink(missing_ok=True)
    run("make", "-s", target, "BARE=pc", f"BUILD={BUILD}", "WERROR=-Werror", *settings)


def start(folder: Path, *more: str, counted: bool = True, serial: bool = True, status: int = DONE) -> str:
    """What the machine writes until it ends QEMU, with this exit status."""
    console = folder / "console"
    machine = ["qemu-system-x86_64", "-M", "q35", "-m", "256", "-nodefaults", "-display", "none", "-no-reboot"]
    machine += ["-device", "isa-debug-exit,iobase=0xf4,iosize=4", "-serial", f"file:{console}" if serial else "none"]
    machine += [*(COUNTED if counted else ()), *more]
    ended = subprocess.run(
        ["timeout", "-k", "1", str(SECONDS), *machine], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    text = console.read_text(errors="replace") if console.exists() else ""
    assert ended.returncode == status, ended.stderr + text[-2000:]
    return text


def steady(console: str) -> dict[int, list[str]]:
    """The kernels of each strand; every record's repetitions are equal to within one step of the timer."""
    found: dict[int, list[str]] = {}
    step = int(facts(console)["timer_step_counts"])
    for (strand, kernel), repetitions in records(console).items():
        durations = [duration for _, duration in repetitions]
        assert max(durations) - min(durations) <= step, (strand, kernel)
        found.setdefault(strand, []).append(kernel)
    assert set(interrupts(console)) == {0}
    return found


def test_eight_strands_in_turns_are_steady_and_no_two_runs_differ(tmp_path: Path) -> None:
    make("THREADS=0-7:add+atomic", "REPS=80")
    console = start(tmp_path, "-smp", "8", "-kernel", KERNEL)
    assert facts(console)["entered"] == "pvh" and facts(console)["label"] == "emulated"
    assert facts(console)["hypervisor"] == "QEMU TCG"
    assert abs(int(facts(console)["timer_hz"]) - 1_000_000_000) < 10_000 and facts(console)["timer_hz_from"] == "interval timer"
    assert steady(console) == dict.fromkeys(range(8), ["add", "atomic"])
    assert "# start_time: 2024-01-01T00:00:0" in console
    assert start(tmp_path, "-smp", "8", "-kernel", KERNEL) == console


def test_qemu_s_loader_and_grub_begin_by_multiboot(tmp_path: Path) -> None:
    make("THREADS=0-1:add", "REPS=20", "TIMER_HZ=1000000000", target="bare-iso")
    for way in (("-kernel", str(ELF32)), ("-cdrom", str(ISO))):
        console = start(tmp_path, "-smp", "2", *way)
        assert facts(console)["entered"] == "multiboot"
        assert steady(console) == {0: ["add"], 1: ["add"]}


@pytest.mark.parametrize("hz", [250, 1000])
def test_a_tick_is_found_on_every_strand_at_its_rate(hz: int, tmp_path: Path) -> None:
    make("THREADS=0:add 1:idle 2-3:add+fence", "REPS=300", f"TICK_HZ={hz}")
    console = start(tmp_path, "-smp", "4", "-kernel", KERNEL)
    assert {strand for strand, _ in records(console)} == {0, 2, 3}
    for repetitions, taken in zip(records(console).values(), interrupts(console), strict=True):
        count, phase = ticks_found(repetitions, 1_000_000_000 // hz)
        span = repetitions[-1][0] + repetitions[-1][1] - repetitions[0][0]
        assert count in (span * hz // 1_000_000_000, span * hz // 1_000_000_000 + 1)
        assert phase, "no phase explains all the peaks: the ticks drift"
        assert 0 <= taken - count <= 1  # three repetitions before the first stamp are counted too


def test_the_handler_s_path_is_the_peaks_height(tmp_path: Path) -> None:
    heights = []
    for path in (1000, 5000):
        make("THREADS=0:add", "REPS=100", "TICK_HZ=250", f"TICK_PATH={path}", "ITERATIONS=390", "TIMER_HZ=1000000000")
        console = start(tmp_path, "-kernel", KERNEL)
        assert facts(console)["timer_hz_from"] == "built in"
        (repetitions,) = records(console).values()
        durations = [duration for _, duration in repetitions]
        heights.append(max(durations) - min(durations))
    assert abs(heights[1] - heights[0] - 8000) <= 1  # two instructions a turn, of a nanosecond


def places(console: str) -> dict[int, tuple[int, int]]:
    found = re.findall(r"^@strand: (\d+) (\d+) (\d+)$", console, re.MULTILINE)
    return {int(strand): (int(core), int(package)) for strand, core, package in found}


def make_wrapped(source: str, function: str, *settings: str) -> None:
    flags = f"-m64 -no-pie -Wl,-z,max-page-size=4096,-z,noexecstack,--wrap={function}"
    make("REPS=20", "TIMER_HZ=1000000000", f"BARE_EXTRA=tests/bare/pc/{source}.S", f"BARE_LDFLAGS={flags}", *settings)


@pytest.mark.parametrize("listed", [True, False])
def test_ids_have_holes_and_a_missing_strand_is_told(listed: bool, tmp_path: Path) -> None:
    """Where the firmware lists the strands, at once; else after a fifth of a second."""
    threads = "THREADS=0-2:add 3:mul 4-6:add 77:add 255:add"
    if listed:
        make(threads, "REPS=20")
    else:
        make_wrapped("no_list", "acpi_has_strand", threads)
    console = start(tmp_path, "-smp", "6,sockets=2,cores=3,threads=1", "-kernel", KERNEL, status=FAILED)
    for missing in (3, 77, 255):
        assert f"@failed: {missing} - there is no such strand, or it did not start" in console
    assert facts(console)["end"] == "failed not every record could be measured"
    assert list(steady(console)) == [0, 1, 2, 4, 5, 6]
    assert places(console) == {n: (n, n // 4) for n in (0, 1, 2, 3, 4, 5, 6, 77, 255)}
    first = [int(stamp) for stamp in re.findall(r"^# first_stamp_counts: (\d+)$", console, re.MULTILINE)]
    assert (first[3] - first[2] > 200_000_000) != listed


def test_strands_of_a_core_are_told_by_the_cpu(tmp_path: Path) -> None:
    make("THREADS=0-7:add", "REPS=10", "TIMER_HZ=1000000000")
    console = start(tmp_path, "-cpu", "Haswell", "-smp", "8,sockets=1,cores=2,threads=4", "-kernel", KERNEL)
    assert places(console) == {n: (n // 4, 0) for n in range(8)}
    assert facts(console)["l1d_bytes"] == "32768" and int(facts(console)["l3_bytes"]) > 1 << 20
    assert list(steady(console)) == list(range(8))


def test_vectors_and_memory_above_4_gb_are_used(tmp_path: Path) -> None:
    make("THREADS=0:vfma+load_l1 1:vfma", "REPS=20", "TIMER_HZ=1000000000")
    console = start(tmp_path, "-cpu", "max", "-m", "5G", "-smp", "2", "-kernel", str(ELF32))
    assert facts(console)["memory_bytes"] == str(3 << 30)  # the rest lies below
    assert steady(console) == {0: ["vfma", "load_l1"], 1: ["vfma"]}
    console = start(tmp_path, "-cpu", "qemu64", "-smp", "2", "-kernel", KERNEL)
    assert "@skipped: vfma this CPU has no avx2" in console
    assert steady(console) == {0: ["load_l1"]}


def test_all_at_once_they_finish_without_counting(tmp_path: Path) -> None:
    make("THREADS=0-3:add+call", "REPS=50", "ORDER=together")
    console = start(tmp_path, "-smp", "4", "-kernel", KERNEL, counted=False)
    assert facts(console)["end"] == "ok"
    assert sorted(records(console)) == [(strand, kernel) for strand in range(4) for kernel in ("add", "call")]


@pytest.mark.parametrize(
    ("fault", "type_", "what"),
    [
        ("invalid_opcode", 6, "invalid opcode, error 0x0"),
        ("page_fault", 14, "page fault at 0x7f0000001230, error 0x0"),
        ("broken_stack", 8, "double fault, error 0x0"),
    ],
)
def test_a_trap_is_told_with_type_address_and_strand(fault: str, type_: int, what: str, tmp_path: Path) -> None:
    make_wrapped(fault, "bare_strand", "THREADS=0:add 2:add")
    console = start(tmp_path, "-smp", "3", "-kernel", KERNEL, status=FAILED)
    symbol = re.search(r"^(\w+) T trap_here$", run("nm", ELF), re.MULTILINE)
    assert symbol
    at = int(symbol[1], 16)
    assert console.endswith(f"@trap: 2 0x{type_:x} 0x{at:x} {what}\n@end: failed trapped\n")
    assert list(records(console)) == [(0, "add")]


def test_interrupts_that_nobody_asked_for_are_ignored(tmp_path: Path) -> None:
    make_wrapped("interrupts", "bare_strand", "THREADS=1:add", "TICK_HZ=1000")
    console = start(tmp_path, "-smp", "2", "-kernel", KERNEL)
    assert facts(console)["end"] == "ok"
    assert interrupts(console)[0] in (2, 3)


def test_no_serial_port_ends_the_run_at_once(tmp_path: Path) -> None:
    make("THREADS=0:add", "REPS=20")
    assert start(tmp_path, "-kernel", KERNEL, serial=False, status=FAILED) == ""


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        (
            "ISO_TOOLS=no-such-mkrescue",
            "bare-iso: no-such-mkrescue is missing: apt-get install grub-common grub-pc-bin xorriso mtools",
        ),
        ("GRUB_DIR=/nowhere", "bare-iso: there is no GRUB for this disc in /nowhere: apt-get install grub-pc-bin"),
    ],
)
def test_what_a_disc_image_lacks_is_named(setting: str, says: str) -> None:
    make("THREADS=0:add")
    ISO.unlink(missing_ok=True)
    with pytest.raises(AssertionError, match=re.escape(says)):
        make("THREADS=0:add", setting, target="bare-iso")
    assert not ISO.exists()
