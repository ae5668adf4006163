"""Domains of kind bare: the static-thread runtime on a machine of its own. Another kind is another module with the same
functions, named in KINDS of main.py."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

from cmtnoise.files import why_no_file

from cmtnoise_domain import accel, qemu
from cmtnoise_domain.build import build as build_images
from cmtnoise_domain.build import tool_prefix
from cmtnoise_domain.collect import Collector, say
from cmtnoise_domain.console import Reader
from cmtnoise_domain.errors import DomainError, UsageError
from cmtnoise_domain.process import Stopped
from cmtnoise_domain.profile import Profile
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.request import Request
from cmtnoise_domain.run_folder import RunFolder, check_output
from cmtnoise_domain.shape import Changes, Shape, shape_of
from cmtnoise_domain.symbols import place_of


def describe(profile: Profile) -> dict[str, Any]:
    """The profile in a table's line; DomainError for what is wrong with it."""
    shape = shape_of(profile)
    return {"machine": shape.machine, "strands": len(shape.strand_ids), "tick_hz": shape.tick_hz, "accel": shape.accel}


def check(profile: Profile, changes: Changes) -> None:
    """Refuses what can be told to be wrong before anything is built: which kernels there are, the build knows."""
    changes.apply(shape_of(profile))


def with_os_kernel(profile: Profile, file: Path) -> Profile:
    raise UsageError(f"--os-kernel {file}: {profile.name} is a bare machine, which has no OS: it is for Linux guests")


def build(profile: Profile, request: Request) -> Path:
    """The folder with the images."""
    return build_images(request.changes.apply(shape_of(profile))).folder


def _about(shape: Shape) -> dict[str, Any]:
    """The run's ``domain`` as far as the profile tells it."""
    profile = shape.profile
    return {"profile": profile.name, "kind": profile.kind, "machine": shape.machine, "threads": list(shape.items)}


def run(profile: Profile, request: Request) -> int:
    """Builds the image, runs it, and makes the run folder; the exit code."""
    shape = request.changes.apply(shape_of(profile))
    check_output(request.output)
    progress = Progress(request.quiet)
    program = qemu.find(shape.machine)
    progress.show(f"building the image for {shape.machine}")
    try:
        images = build_images(shape)
        chosen, remark = accel.choose(shape, request.accel or shape.accel, program)
    finally:
        progress.end()
    if remark and not request.quiet:
        say(remark)
    with tempfile.TemporaryDirectory(prefix="cmtnoise-domain-") as name:
        console = Path(name) / "console.txt"
        line = qemu.command(program, shape, chosen, images, console)
        about = _about(shape) | {
            "accel": chosen,
            "icount_shift": shape.icount_shift if chosen == "icount" else None,
            "cpu": None if shape.machine == "niagara" else qemu.KVM_CPU if chosen == "kvm" else shape.cpu,
            "qemu": program.version,
            "qemu_command": qemu.shown(line, [Path(name), images.folder]),
        }
        reader = Reader(console.name)
        prefix = tool_prefix(shape.machine)
        collector = Collector(
            reader=reader,
            folder=RunFolder(request.output, request.command, about, reader.console),
            progress=progress,
            place_of=lambda pc: place_of(images.elf, pc, prefix),
            label="virtualised" if chosen == "kvm" else "emulated",
        )
        return _follow(collector, line, console, request.timeout_s or shape.timeout_s, shape.machine == "pc")


def _follow(collector: Collector, line: list[str], console: Path, timeout_s: float, powers_off: bool) -> int:
    try:
        ended = qemu.run(line, console, timeout_s, collector.feed, powers_off)
    except Stopped as stopped:
        if collector.folder.path is not None:
            collector.conclude(str(stopped), console, stopped=True)
        raise
    except OSError as error:  # a full disk: run.json may still find a place, the console will not
        with contextlib.suppress(OSError):
            collector.folder.break_off(f"{error.filename or 'output'}: {error.strerror}")
        raise
    finally:
        collector.progress.end()
    advice = "; give it more time with --timeout, or less to do with -- --reps" if ended.timed_out else ""
    return collector.conclude(ended.why + advice, console)


def read(profile: Profile, file: Path, request: Request) -> int:
    """Makes a run folder of a console that was captured elsewhere; the exit code."""
    shape = shape_of(profile)
    check_output(request.output)
    unknown = dict.fromkeys(("accel", "icount_shift", "cpu", "qemu", "qemu_command"))
    reader = Reader(file.name)
    folder = RunFolder(request.output, request.command, _about(shape) | unknown, reader.console)
    collector = Collector(reader=reader, folder=folder, progress=Progress(True), place_of=lambda pc: "")
    if not file.is_file():
        raise DomainError(f"{file}: {why_no_file(file)}: name one that holds what came from the console")
    with file.open("rb") as content:
        while data := content.read(1 << 20):
            if collector.feed(data):
                break
    machine = reader.console.facts.get("machine", shape.machine)
    if machine != shape.machine:
        say(f"this console is of machine {machine}, profile {profile.name} is of machine {shape.machine}")
    return collector.conclude("the console was cut", file)
