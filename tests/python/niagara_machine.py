"""The UltraSPARC T1 that QEMU emulates: images of the static-thread runtime for it, booted with firmware of the tests' own."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from bare_machine import run

PREFIX = "sparc64-linux-gnu-"
SECONDS = 120  # that an emulated machine may live
MACHINE = ["qemu-system-sparc64", "-nodefaults", "-display", "none", "-monitor", "none"]
COUNTED = ["-icount", "shift=3,sleep=off", "-rtc", "base=2024-01-01,clock=vm", "-seed", "1"]
UNUSED = ("nvram1", "1up-md.bin", "1up-hv.bin", "q.bin", "openboot.bin")
EXIT = r"^\[hypervisor\] MACH_EXIT 0{15}[0-2]\n"


def watch(folder: Path, until: str, *machine: str) -> str:
    """What an emulated machine writes to its serial line, up to a line; it is ended then, or after SECONDS."""
    console = folder / "console"
    console.unlink(missing_ok=True)
    command = ["timeout", "-k", "1", str(SECONDS), *MACHINE, "-serial", f"file:{console}", *machine]
    emulator = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = ""
    try:
        while emulator.poll() is None and not re.search(until, said, re.MULTILINE):
            time.sleep(0.02)
            said = console.read_text() if console.exists() else ""
    finally:
        emulator.terminate()
        complaint = emulator.communicate()[1].decode()
    if not re.search(until, said, re.MULTILINE):
        pytest.fail(f"no {until!r}: {complaint}{said[-2000:]}")
    return console.read_text()


class Niagara:
    """Images in a build folder of their own."""

    def __init__(self, name: str) -> None:
        self.build = Path(os.environ.get("CMTNOISE_BUILD", "build")).resolve() / name
        self.objects = self.build / "bare/niagara"

    def make(self, *settings: str) -> None:
        """An image and its firmware, in objects; linked anew, as BARE_EXTRA is no file that make could look at."""
        (self.objects / "cmtnoise.elf").unlink(missing_ok=True)
        run("make", "-s", "bare", "BARE=niagara", f"BUILD={self.build}", "WERROR=-Werror", *settings)

    def symbols(self) -> dict[str, int]:
        return symbols(self.objects / "cmtnoise.elf")

    def boot(self, folder: Path, *more: str, firmware: Path | None = None, until: str = r"^@end: .*\n") -> str:
        """What the image writes, up to a line."""
        firmware = firmware or self.objects / "firmware"
        image = ["-device", f"loader,file={self.objects / 'cmtnoise.elf'}"]
        return watch(folder, until, "-M", "niagara", "-L", str(firmware), *image, *more, *COUNTED)

    def hypervisor(self, folder: Path, *defines: str) -> list[str]:
        """QEMU's arguments for the tests' hypervisor; its firmware, which begins there, goes to the folder."""
        for unused in UNUSED:
            (folder / unused).touch()
        link = [f"{PREFIX}gcc", "-I.", "-mcpu=niagara", "-fno-pic", "-nostdlib", "-static", "-Wl,--build-id=none"]
        elf = folder / "hypervisor.elf"
        source = "tests/bare/niagara/hypervisor.S"
        run(*link, *defines, "-Wl,-Ttext=0x100000,-e,niagara_start", "-o", elf, source)
        reset = folder / "reset.elf"
        stub = self.objects / "obj/domains/bare/niagara/firmware/reset.o"
        run(*link, "-Wl,-Ttext=0xfff0000000,-e,0xfff0000020", f"-Wl,-R,{elf}", "-o", reset, stub)
        run(f"{PREFIX}objcopy", "-O", "binary", "-j", ".text", reset, folder / "reset.bin")
        return ["-device", f"loader,file={elf}"]


def symbols(program: Path) -> dict[str, int]:
    lines = run(f"{PREFIX}nm", program).splitlines()
    return {line.split()[2]: int(line.split()[0], 16) for line in lines if len(line.split()) == 3}
