"""QEMU: how a bare image is started on an emulated machine."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cmtnoise_domain.build import Images
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.process import Child, pause
from cmtnoise_domain.shape import Shape

# Machine -> QEMU's program and the Debian package it is in.
_SPARC = ("qemu-system-sparc64", "qemu-system-sparc")
PROGRAMS = {"niagara": _SPARC, "sun4u": _SPARC, "pc": ("qemu-system-x86_64", "qemu-system-x86")}
POWER_OFF_S = 10.0
SAID_MOST = 1 << 16
WORDS_MOST = 300
# Without that register's copy: a nested KVM may show it and then refuse to set it, and QEMU aborts.
KVM_CPU = "host,-arch-capabilities"
NOTHING_ELSE = ("-nodefaults", "-display", "none", "-monitor", "none")
# Everything that could differ between two runs is fixed: the clock counts instructions and nothing else.
CLOCK = ("-rtc", "base=2024-01-01,clock=vm", "-seed", "1")


@dataclass(frozen=True)
class Qemu:
    """The program for a machine."""

    program: str
    version: str


def find(machine: str) -> Qemu:
    name, package = PROGRAMS[machine]
    program = shutil.which(name)
    if not program:
        raise DomainError(
            f"{name} is needed to run a domain of machine {machine} and is not there: "
            f"install the Debian or Ubuntu package {package} (apt-get install {package})"
        )
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, errors="replace").stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DomainError(f"{program} --version: {error}") from None
    found = re.search(r"version ([0-9][0-9A-Za-z.+-]*)", said)
    return Qemu(program, found[1] if found else "unknown")


def _file(path: Path) -> str:
    return str(path).replace(",", ",,")  # QEMU ends a value at a single comma


def clock(accel: str, icount_shift: int) -> list[str]:
    """How instructions are run, and what the machine's time is made of."""
    if accel == "kvm":
        return ["-accel", "kvm"]
    if accel == "icount":
        return ["-accel", "tcg", "-icount", f"shift={icount_shift},sleep=off", *CLOCK]
    # A thread a strand, but where the host orders memory too weakly for that (QEMU's own choice).
    return ["-accel", "tcg", *CLOCK]


def chardev(name: str, file: Path) -> list[str]:
    """A file for a device to write to. A pipe can make the device wait for its reader, which costs time."""
    return ["-chardev", f"file,id={name},path={_file(file)}"]


def serial(name: str, file: Path) -> list[str]:
    """A serial port that writes to a file."""
    return [*chardev(name, file), "-serial", f"chardev:{name}"]


def _machine(shape: Shape, accel: str, images: Images) -> list[str]:
    if shape.machine == "niagara":
        boot = ["-L", str(images.folder / "firmware"), "-device", f"loader,file={_file(images.elf)}"]
        return ["-M", "niagara", "-m", shape.memory, *boot]
    smp = f"{len(shape.strand_ids)},sockets={shape.sockets},cores={shape.cores},threads={shape.cpu_threads}"
    cpu = KVM_CPU if accel == "kvm" else shape.cpu
    ending = ["-device", "isa-debug-exit,iobase=0xf4,iosize=0x04", "-no-reboot"]
    return ["-M", "q35", "-cpu", cpu, "-smp", smp, "-m", shape.memory, "-kernel", str(images.folder / "cmtnoise32.elf"), *ending]


def command(qemu: Qemu, shape: Shape, accel: str, images: Images, console: Path) -> list[str]:
    line = [qemu.program, *_machine(shape, accel, images), *clock(accel, shape.icount_shift)]
    return [*line, *NOTHING_ELSE, *serial("console", console)]


def shown(line: list[str], folders: list[Path]) -> list[str]:
    """The command line without the names of folders that are another's next time."""
    out = [Path(line[0]).name]
    for word in line[1:]:
        for folder in folders:
            word = word.replace(f"{_file(folder)}/", "").replace(f"{folder}/", "")
        out.append(word)
    return out


@dataclass(frozen=True)
class Ended:
    """How a machine ended. ``why`` is "" once all was read to its end, else a sentence; ``said``: QEMU ended by itself, and not
    without a word, which is in ``why``."""

    why: str
    timed_out: bool = False
    said: bool = False


def _words(said: IO[bytes]) -> str:
    """What QEMU said, but for its warnings, where it said anything."""
    said.seek(0)
    lines = said.read(SAID_MOST).decode("utf-8", "replace").splitlines()
    words = " ".join(" ".join(line for line in lines if "warning:" not in line).split())
    return f"; it said: {words[:WORDS_MOST]}" if words else ""


def run(command: list[str], console: Path, timeout_s: float, feed: Callable[[bytes], bool], powers_off: bool) -> Ended:
    """Runs the machine and feeds what it writes to the console, until ``feed`` says that it is done, it ends by itself, or time
    is up. It has ended when this returns or raises."""
    deadline = time.monotonic() + timeout_s
    console.touch()
    with tempfile.TemporaryFile() as said, console.open("rb") as file, Child(command, said) as machine:
        while True:
            ended = machine.ended()  # asked before reading: what it wrote until then is read in full
            if feed(file.read()):
                if powers_off:
                    machine.wait(POWER_OFF_S)
                return Ended("")
            if ended:
                words = _words(said)
                return Ended(f"QEMU ended by itself ({machine.how()}){words}", said=bool(words))
            if time.monotonic() > deadline:
                return Ended(f"not done after {timeout_s:g} s{_words(said)}", timed_out=True)
            pause()
