"""An oracle that is none of ours: the osnoise tracer of Linux's real-time kernel counts what takes its thread's time, and agrees
exactly with what a sweep finds on the same OS kernel, with the same parameters, under instruction counting."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

import cmtnoise
import numpy as np
import pytest
from cmtnoise_domain import initramfs, os_kernel, profile, qemu
from cmtnoise_domain.build import locked
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import guest_of
from numpy.typing import NDArray
from os_kernels import KEPT, judge_fetch
from test_linux_guests import check_counted, run_profile

PROFILE = "x86-debian-rt"
TICK_S, TICKS = 0.004, 250  # of one second
WINDOW = re.compile(r"^@ +osnoise/0-[0-9]+ .* ([0-9]+\.[0-9]+): 1000000 +[0-9]+ +[0-9.]+ +[0-9]+ +0 +0 +([0-9]+) ", re.MULTILINE)
EVENT = re.compile(r"irq_noise: (\S+):[0-9]+ start ([0-9.]+) duration ([0-9]+) ns")


@dataclass(frozen=True)
class Window:
    """One second of the tracer's: interrupts it counted, and how long each took that it traced, shape (interrupts,)."""

    interrupts: int
    duration_ns: NDArray[np.int64]


def windows_of(console: str) -> list[Window]:
    events = [(float(start), int(duration)) for name, start, duration in EVENT.findall(console) if name == "local_timer"]
    starts, durations = np.array([event[0] for event in events]), np.array([event[1] for event in events])
    found = []
    for end, interrupts in WINDOW.findall(console):
        inside = (starts >= float(end) - 1) & (starts < float(end))
        found.append(Window(int(interrupts), durations[inside]))
    return found


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Window:
    place = tmp_path_factory.mktemp("osnoise")
    guest = guest_of(profile.load(PROFILE))
    try:
        with locked(KEPT):
            kernel = os_kernel.of_package(guest.package, KEPT)
    except DomainError as error:
        judge_fetch(str(error))
        raise
    subprocess.run(["gcc", "-O2", "-static", "-o", place / "init", "tests/domains/osnoise.c"], check=True)
    (place / "initramfs.gz").write_bytes(initramfs.make({"init": (place / "init").read_bytes()}, {}))
    boot = ["-kernel", str(kernel.image), "-initrd", str(place / "initramfs.gz"), "-append", guest.command_line()]
    machine = [*guest.machine.options(guest.cpu, guest.strands), "-m", guest.memory, *boot, "-no-reboot", *qemu.NOTHING_ELSE]
    ports = guest.machine.ports(place / "console.txt", place / "channel")
    line = [qemu.find(guest.machine.name).program, *machine, *qemu.clock(guest.accel, guest.icount_shift), *ports]
    subprocess.run(line, check=True, capture_output=True, timeout=600)
    return windows_of((place / "console.txt").read_text())[0]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> cmtnoise.Record:
    """A second of the guest's time, the second one: into the first one falls a last timer of the boot's."""
    run = run_profile(tmp_path_factory.mktemp("rt") / "run", PROFILE, "--", "--reps", "10000", "--kernels", "add,nop")
    found = run.find(0, "nop")
    assert found is not None and found.span_s() > 1
    return found


def test_the_tracer_traces_what_it_counts(window: Window) -> None:
    assert window.interrupts == window.duration_ns.size


def test_a_second_has_as_many_ticks_by_the_tracer_as_by_the_sweep(window: Window, record: cmtnoise.Record) -> None:
    (tick,) = cmtnoise.analyse(record).sources
    starts_s = record.start_ms()[tick.peaks] * 1e-3
    a_second = starts_s < starts_s[0] + 1 - TICK_S / 2
    assert int(np.count_nonzero(a_second)) == TICKS == window.interrupts


def test_every_interrupt_that_the_os_counted_is_found(record: cmtnoise.Record) -> None:
    analysis = cmtnoise.analyse(record)
    (tick,) = analysis.sources
    assert tick.found == tick.expected == analysis.peaks.size
    check_counted(record, tick)


def test_a_tick_takes_what_the_tracer_says_and_its_entry_and_exit(window: Window, record: cmtnoise.Record) -> None:
    """The tracer begins after the interrupt's entry and ends before its exit, and counts its own instructions there."""
    cost_ns = 1000 * cmtnoise.analyse(record).sources[0].cost_us.value
    inside_ns = float(np.median(window.duration_ns))
    assert inside_ns < cost_ns < 1.25 * inside_ns
