"""The UltraSPARC T1 of the static-thread runtime under QEMU: after a reset, as a guest of the tests' own hypervisor, with a
tick, and when it is trapped. QEMU counts instructions here (icount), so that what is asserted is exact."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bare_machine import facts, interrupts, records, ticks_found
from niagara_machine import EXIT, Niagara

MACHINE = Niagara("test-niagara")
make, symbols, boot = MACHINE.make, MACHINE.symbols, MACHINE.boot


def hypervisor(folder: Path, has_all: int) -> list[str]:
    return MACHINE.hypervisor(folder, f"-DHAS_ALL={has_all}")


def test_a_reset_without_a_tick_has_no_peak_and_no_two_runs_differ(tmp_path: Path) -> None:
    make("THREADS=0:add+window+load_mem", "REPS=300")
    console = boot(tmp_path)
    assert facts(console)["entered"] == "reset" and facts(console)["label"] == "emulated"
    assert facts(console)["timer_hz"] == "100000000" and "QEMU" in facts(console)["timer_hz_from"]
    assert facts(console)["end"] == "ok"
    step = int(facts(console)["timer_step_counts"])
    measured = records(console)
    assert list(measured) == [(0, "add"), (0, "window"), (0, "load_mem")]
    for repetitions in measured.values():
        durations = [duration for _, duration in repetitions]
        assert len(durations) == 300 and max(durations) - min(durations) <= step
    assert interrupts(console) == [0, 0, 0]
    assert boot(tmp_path) == console


@pytest.mark.parametrize("hz", [250, 1000])
def test_a_tick_is_found_at_its_rate_and_does_not_drift(hz: int, tmp_path: Path) -> None:
    make("THREADS=0:add", "REPS=1000", "TICK_HZ=" + str(hz))
    console = boot(tmp_path)
    (repetitions,) = records(console).values()
    count, phase = ticks_found(repetitions, 100_000_000 // hz)
    span = repetitions[-1][0] + repetitions[-1][1] - repetitions[0][0]
    assert count in (span * hz // 100_000_000, span * hz // 100_000_000 + 1)
    assert phase, "no phase explains all the peaks: the ticks drift"
    assert 0 <= interrupts(console)[0] - count <= 1  # three repetitions before the first stamp are counted too


def test_a_tick_that_takes_longer_than_its_period_leaves_some_out(tmp_path: Path) -> None:
    make("THREADS=0:add", "REPS=100", "TICK_HZ=10000", "TICK_PATH=15000", "ITERATIONS=48")
    console = boot(tmp_path)  # 15000 turns of two instructions take 24000 counts, the period is 10000
    (repetitions,) = records(console).values()
    assert facts(console)["end"] == "ok"
    span = repetitions[-1][0] + repetitions[-1][1] - repetitions[0][0]
    counted = span * 103 / 100  # three repetitions before the first stamp are counted too
    assert counted / 30000 - 2 <= interrupts(console)[0] <= counted / 30000 + 2


def test_the_same_image_is_a_guest_of_a_hypervisor(tmp_path: Path) -> None:
    make("THREADS=0:add+window 5-6:mul", "REPS=100", "LABEL=emulated")
    console = boot(tmp_path, *hypervisor(tmp_path, has_all=1), firmware=tmp_path, until=EXIT)
    told = facts(console)
    assert (told["entered"], told["hypervisor"], told["cpu"]) == ("hypervisor", "sun4v", "SUNW,UltraSPARC-T1")
    assert told["timer_hz"] == "100000000" and "clock-frequency" in told["timer_hz_from"]
    at = symbols()
    assert int(told["memory_bytes"]) == 0x84000000 - at["niagara_free"]  # the description's block, not the 128 MB
    assert list(records(console)) == [(0, "add"), (0, "window")]
    assert "# start_time: 2024-01-02T03:04:05" in console
    assert "# label: emulated" in console
    started = re.findall(r"^\[hypervisor\] CPU_START (\w+) (\w+) (\w+) (\w+)$", console, re.MULTILINE)
    wanted = [(n, at["niagara_start_strand"], at["niagara_traps"], at["niagara_strands"] + 64 * n) for n in (5, 6)]
    assert [tuple(int(argument, 16) for argument in call) for call in started] == wanted
    assert "@failed: 5 - there is no such strand, or it did not start" in console
    assert console.endswith("[hypervisor] MACH_EXIT 0000000000000001\n")


def test_a_guest_ticks_too_whatever_the_hypervisor_does_to_trap_globals(tmp_path: Path) -> None:
    make("THREADS=0:add", "REPS=300", "TICK_HZ=250")
    console = boot(tmp_path, *hypervisor(tmp_path, has_all=1), firmware=tmp_path, until=EXIT)
    (repetitions,) = records(console).values()
    count, phase = ticks_found(repetitions, 400_000)
    assert count in (7, 8) and phase
    assert console.endswith("[hypervisor] MACH_EXIT 0000000000000000\n")


def test_a_hypervisor_with_a_console_alone_needs_the_rate_built_in(tmp_path: Path) -> None:
    make("THREADS=0:add", "REPS=20")
    arguments = hypervisor(tmp_path, has_all=0)
    console = boot(tmp_path, *arguments, firmware=tmp_path)
    assert "@end: failed the rate of %tick is not known, since the hypervisor gave no machine description" in console
    make("THREADS=0:add", "REPS=20", "TIMER_HZ=100000000")
    console = boot(tmp_path, *arguments, firmware=tmp_path)
    assert facts(console)["end"] == "ok"
    assert facts(console)["timer_hz_from"] == "fixed when the image was built"
    assert "# start_time: 1970-01-01T00:00:00." in console
    assert list(records(console)) == [(0, "add")]


@pytest.mark.parametrize(
    ("fault", "type_", "name"),
    [
        ("illegal_instruction", 0x10, "illegal_instruction"),
        ("misaligned_load", 0x34, "mem_address_not_aligned"),
        ("broken_stack", 0x34, "mem_address_not_aligned"),
    ],
)
def test_a_trap_is_told_with_type_address_and_strand(fault: str, type_: int, name: str, tmp_path: Path) -> None:
    extra = f"BARE_EXTRA=tests/bare/niagara/{fault}.S"
    make("THREADS=0:add", "REPS=20", extra, "BARE_LDFLAGS=-Wl,--wrap=bare_tell_facts")
    console = boot(tmp_path)
    at = symbols()
    told = re.search(r"^@trap: 0 0x(\w+) 0x(\w+) (.*)\n@end: failed trapped\n", console, re.MULTILINE)
    assert told and int(told[1], 16) == type_ and told[3] == name
    if fault == "broken_stack":  # the spill handler itself
        assert at["niagara_traps"] + 0x80 * 32 <= int(told[2], 16) < at["niagara_traps"] + 0x84 * 32
    else:
        assert int(told[2], 16) == at["trap_here"]
    assert not records(console)


def test_too_little_memory_is_told(tmp_path: Path) -> None:
    make("THREADS=0:load_mem", "REPS=20")
    console = boot(tmp_path, "-m", "16")
    assert re.search(r"^@trap: 0 0x3f 0x\w+ data_real_translation_miss: there is no memory;", console, re.MULTILINE)
    assert "@end: failed trapped" in console


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    assert shutil.which("make")
    missing = ["make", "-s", "bare", "BARE=niagara", f"BUILD={tmp_path}", "BARE_CC=no-such-gcc"]
    done = subprocess.run(missing, capture_output=True, text=True)
    assert done.returncode != 0
    assert "there is no no-such-gcc: install gcc-sparc64-linux-gnu" in done.stderr
