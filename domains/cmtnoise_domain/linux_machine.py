"""The machines that a Linux guest can run on: what QEMU is started with, and where console and channel are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cmtnoise_domain import qemu


@dataclass(frozen=True)
class Machine:
    """One machine. ``arch`` is what Linux's build calls its instruction set. ``ports`` makes QEMU's arguments for the console and
    the channel, each a file. ``compiler`` builds the guest's programs, into a folder of build/ named ``build``."""

    name: str
    arch: str
    qemu_machine: str
    cpu: str
    strands_most: int
    parameters: str
    compiler: str
    build: str
    ports: Callable[[Path, Path], list[str]]

    def options(self, cpu: str, strands: int) -> list[str]:
        """QEMU's options for the machine, its CPU and its strands."""
        chosen = ["-cpu", cpu] if cpu else []
        return ["-M", self.qemu_machine, *chosen, *(["-smp", str(strands)] if strands > 1 else [])]


def _two_serial(console: Path, channel: Path) -> list[str]:
    return [*qemu.serial("console", console), *qemu.serial("channel", channel)]


def _serial_and_virtio(console: Path, channel: Path) -> list[str]:
    """The machine has one serial port for its guest; the other one is a port of a virtio console."""
    port = ["-device", "virtio-serial-pci", *qemu.chardev("channel", channel), "-device", "virtserialport,chardev=channel"]
    return [*qemu.serial("console", console), *port]


_PARAMETERS = "console=ttyS0 quiet loglevel=3 panic=-1"

MACHINES = {
    machine.name: machine
    for machine in (
        Machine("pc", "x86_64", "q35", "Haswell", 64, _PARAMETERS, "gcc", "guest", _two_serial),
        Machine("sun4u", "sparc64", "sun4u", "", 1, _PARAMETERS, "sparc64-linux-gnu-gcc", "guest-sparcv9", _serial_and_virtio),
    )
}
