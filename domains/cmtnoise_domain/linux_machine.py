"""The machines that a Linux guest can run on: what QEMU is started with, and where console and channel are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cmtnoise_domain import qemu


@dataclass(frozen=True)
class Machine:
    """One machine. ``arch`` is what Linux's build calls its instruction set, ``isa`` the folder of its kernels in asm/. ``ports``
    makes QEMU's arguments for the console and the channel, each a file. ``compiler`` builds the guest's programs, into a folder
    of build/ named ``build``."""

    name: str
    arch: str
    isa: str
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


def _serial_and_card(console: Path, channel: Path) -> list[str]:
    """The firmware tells of one serial port alone, so the other is a card's. Bus A has no free place."""
    return [*qemu.serial("console", console), *qemu.chardev("channel", channel), "-device", "pci-serial,chardev=channel,bus=pciB"]


_PARAMETERS = "console=ttyS0 quiet loglevel=3"
# Else a large record makes PREEMPT_RT take the channel's interrupt for a broken one, switch it off, and poll from then on.
_TRUSTED = " noirqdebug"
_RESTART = " panic=-1"  # ends QEMU on a PC; a sun4u's firmware panics again, without end

MACHINES = {
    machine.name: machine
    for machine in (
        Machine("pc", "x86_64", "x86_64", "q35", "Haswell", 64, _PARAMETERS + _TRUSTED + _RESTART, "gcc", "guest", _two_serial),
        Machine(
            "sun4u", "sparc64", "sparcv9", "sun4u", "", 1, _PARAMETERS, "sparc64-linux-gnu-gcc", "guest-sparcv9", _serial_and_card
        ),
    )
}
