"""Consoles of bare machines made for tests, a QEMU that only plays them, and a source tree that builds nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from made import record_text
from program import PROGRAM

FACTS = {
    "tool": "cmtnoise 0.1.0",
    "commit": "0123456789ab",
    "compiler": "cc 12.2.0",
    "cflags": "-O2 -g",
    "isa": "sparcv9",
    "host": "made-bare",
    "repetitions": "200",
    "quantum_ns": "100000",
    "iterations": "0",
    "order": "turns",
    "tick_hz": "0",
    "tick_path": "1000",
    "machine": "niagara",
    "entered": "reset",
    "cpu": "a made T1",
    "hypervisor": "",
    "label": "emulated",
    "memory_bytes": "1048576",
    "timer": "tick",
    "timer_hz": "100000000",
    "timer_hz_from": "made",
    "l1d_bytes": "",
    "timer_step_counts": "1",
    "timer_cost_counts": "2",
}
KERNELS = ("add", "mul")
NOISE = b"firmware 1.0\r\nno boot device\r\n"


def record(strand: int, kernel: str, repetitions: int = 200) -> bytes:
    counts = np.full(repetitions, 10000) + np.arange(repetitions) % 2
    changed = {"isa": "sparcv9", "os": "bare", "host": "made-bare", "label": "emulated", "timer_hz": "100000000"}
    return record_text(counts, strand, kernel, **changed).encode()


def announced(strand: int, kernel: str, content: bytes | None = None) -> bytes:
    body = record(strand, kernel) if content is None else content
    head = f"@begin: {strand} {kernel}\n@record: {strand} {kernel} {len(body)} {zlib.crc32(body):08x}\n"
    return head.encode() + body


def told(strands: tuple[int, ...] = (0,), **changed: str | None) -> bytes:
    """What stands before the first record; ``changed`` replaces facts, None leaves one out."""
    facts = {**FACTS, **changed}
    lines = [f"@{key}: {value}" for key, value in facts.items() if value is not None]
    lines += [f"@kernel: {kernel}\tinteger {kernel}\tinteger unit\tpipeline\t256" for kernel in KERNELS]
    for strand in strands:
        lines += [f"@strand: {strand} {strand // 4} 0", f"@thread: {strand} {' '.join(KERNELS)}"]
    return "\n".join(["@cmtnoise-bare: 1", *lines, "@skipped: vadd this CPU has no vis1", ""]).encode()


def whole(strands: tuple[int, ...] = (0,), end: bytes = b"@end: ok\n", **changed: str | None) -> bytes:
    """A console from the firmware's first word to what follows the end, with the line ends of a serial line."""
    records = b"".join(announced(strand, kernel) for strand in strands for kernel in KERNELS)
    return NOISE + (told(strands, **changed) + records + end).replace(b"\n", b"\r\n") + b"halted\r\n"


# Plays the file named in FAKE_CONSOLE into the console it is given, in pieces, and ends as FAKE_END says.
FAKE_QEMU = f"""#!{sys.executable}
import os, signal, sys, time
from pathlib import Path

if "--version" in sys.argv:
    print("QEMU emulator version 7.2.99 (made)")
    sys.exit(0)
end = os.environ.get("FAKE_END", "ends")
Path(os.environ["FAKE_PID"]).write_text(f"{{os.getpid()}}\\n" + "\\n".join(sys.argv))
if end == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if end == "hangs":
    print("qemu: warning: odd", "KVM internal error", sep="\\n", file=sys.stderr, flush=True)
if end == "fault":
    sys.exit("qemu: this cannot be emulated")
path = next(word for word in sys.argv if word.startswith("file,id=console,path=")).partition("path=")[2].replace(",,", ",")
content = Path(os.environ["FAKE_CONSOLE"]).read_bytes()
with open(path, "wb", buffering=0) as console:
    step = len(content) // 7 + 1
    for at in range(0, len(content), step):
        console.write(content[at : at + step])
        time.sleep(0.005)
give_up = time.monotonic() + 120  # where a test fails to end it
while end in ("runs", "stubborn", "hangs") and time.monotonic() < give_up:
    time.sleep(0.05)
sys.exit(33)
"""
FAKE_MAKEFILE = """FIRMWARE := $(addprefix firmware/,nvram1 1up-md.bin 1up-hv.bin reset.bin q.bin openboot.bin)
FILES := cmtnoise.elf cmtnoise32.elf $(FIRMWARE)
bare:
	@case "$(THREADS)" in *fault*) echo 'thread map:2: there is no such kernel' >&2; exit 1;; esac
	@$(FAKE_MAKE)
	@mkdir -p build/bare/$(BARE)/firmware && for f in $(FILES); do echo "$$f" > build/bare/$(BARE)/$$f; done
	@printf '%s\\n' "BARE=$(BARE)" "THREADS=$(THREADS)" "STRANDS=$(STRANDS)" "REPS=$(REPS)" "QUANTUM_NS=$(QUANTUM_NS)" \\
		"ITERATIONS=$(ITERATIONS)" "ORDER=$(ORDER)" "TICK_HZ=$(TICK_HZ)" "HOST=$(HOST)" > asked
"""
T1 = """kind = "bare"
description = "made for tests"
machine = "niagara"
strands = 1
threads = ["0:add+mul"]
timeout = 60
"""


@dataclass
class Bench:
    """A place to try the launcher in: programs that it finds, a source tree, a profile, a console to be played."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        programs, tree = self.folder / "bin", self.folder / "tree"
        programs.mkdir()
        (tree / "domains").mkdir(parents=True)
        (tree / "Makefile").write_text(FAKE_MAKEFILE)
        for name in ("qemu-system-sparc64", "qemu-system-x86_64"):
            (programs / name).write_text(FAKE_QEMU)
            (programs / name).chmod(0o755)
        self.play(whole())
        (self.folder / "t1.toml").write_text(T1)
        self.env = os.environ | {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "CMTNOISE_SOURCE": str(tree),
            "BARE_CC": "cc",
            "FAKE_PID": str(self.folder / "pid"),
            "FAKE_CONSOLE": str(self.folder / "console"),
        }

    def play(self, content: bytes, end: str = "ends") -> None:
        (self.folder / "console").write_bytes(content)
        self.env["FAKE_END"] = end

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        # Whoever started the tests may have had signals ignored (nohup, a shell's &).
        command = ["/usr/bin/env", "--default-signal=HUP,INT,TERM", PROGRAM, "domain", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=pipe, stderr=pipe, text=True)

    def domain(self, *arguments: str) -> tuple[int, str, str]:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def asked(self) -> dict[str, str]:
        """The variables that make was called with."""
        return dict(line.split("=", 1) for line in (self.folder / "tree/asked").read_text().splitlines())

    def machine(self) -> tuple[int, list[str]]:
        """The fake's process and its arguments, once it runs."""
        until = time.monotonic() + 60
        while not (self.folder / "pid").exists() or "chardev" not in (self.folder / "pid").read_text():
            assert time.monotonic() < until, "the machine was not started"
            time.sleep(0.02)
        pid, *arguments = (self.folder / "pid").read_text().splitlines()
        return int(pid), arguments


def gone(pid: int, seconds: float = 30) -> bool:
    """Whether the process ends within this time; one that nobody has waited for has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def info_of(folder: Path) -> dict[str, Any]:
    info = json.loads((folder / "run.json").read_text())
    assert isinstance(info, dict)
    return info


def records_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "records").iterdir()}


WHOLE = {f"strand0-{kernel}.tsv": record(0, kernel) for kernel in KERNELS}
