"""How QEMU runs the machine's instructions: counted, translated, or by the CPU itself."""

from __future__ import annotations

import os
import platform
import tempfile
from pathlib import Path

from cmtnoise_domain import qemu
from cmtnoise_domain.build import build
from cmtnoise_domain.console import Reader
from cmtnoise_domain.errors import DomainError, UsageError
from cmtnoise_domain.qemu import Qemu
from cmtnoise_domain.shape import Shape

PROBE_S = 20.0
KVM = Path("/dev/kvm")


def kvm_fault(shape: Shape, program: Qemu) -> str:
    """Why KVM does not run the bare image here, "" where it does: a device file alone proves nothing."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return f"this host is {platform.machine()}, no x86-64"
    if not KVM.exists():
        return f"{KVM} is not there: the CPU's virtualisation is off or not passed on, or the module kvm is not loaded"
    if not os.access(KVM, os.R_OK | os.W_OK):
        return f"this user may not open {KVM}: join the group kvm"
    images = build(shape.probe())
    with tempfile.TemporaryDirectory(prefix="cmtnoise-domain-") as folder:
        console = Path(folder) / "console.txt"
        reader = Reader(console.name)

        def feed(data: bytes) -> bool:
            for _ in reader.feed(data):
                pass
            return reader.done

        line = qemu.command(program, shape, "kvm", images, console)
        ended = qemu.run(line, console, PROBE_S, feed, powers_off=True)
    if reader.console.end is None:
        return f"the bare image did not run: {ended.why or 'its console was cut'}"
    return reader.console.end


def choose(shape: Shape, wanted: str, program: Qemu) -> tuple[str, str]:
    """The accelerator to use, and why not a better one, "" for nothing to say."""
    if wanted not in ("kvm", "auto"):
        return wanted, ""
    if shape.machine != "pc":
        if wanted == "kvm":
            raise UsageError("--accel kvm is for x86-64 machines on an x86-64 host: use icount")
        return "icount", ""
    fault = kvm_fault(shape, program)
    if not fault:
        return "kvm", ""
    if wanted == "kvm":
        raise DomainError(f"KVM does not work here: {fault}; use --accel icount")
    return "icount", f"icount is used, since KVM does not work here: {fault}"
