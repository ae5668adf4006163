"""Domains of kind linux: Linux on an emulated machine, started for one sweep. The guest's own cmtnoise makes the run folder, and
its first program (domains/linux/init.c) sends it out."""

from __future__ import annotations

import shutil
import tempfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cmtnoise import tick
from cmtnoise.files import write_whole

from cmtnoise_domain import initramfs, os_config, os_kernel, os_needs, os_source, qemu
from cmtnoise_domain.build import locked, make, source
from cmtnoise_domain.channel import Channel
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import ACCELS, Guest, changed, check_strands, guest_of
from cmtnoise_domain.os_kernel import OsKernel
from cmtnoise_domain.os_source import Recipe
from cmtnoise_domain.process import Stopped
from cmtnoise_domain.profile import Profile
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.received import Received, conclude
from cmtnoise_domain.request import Request
from cmtnoise_domain.run_folder import check_output
from cmtnoise_domain.watch import Watch

HOST_NAME_MOST = 64  # Linux refuses a longer one
DISK_LEAST = 1 << 16  # bytes, below which a disk is full


def describe(profile: Profile) -> dict[str, Any]:
    """The profile in a table's line; DomainError for what is wrong with it."""
    guest = guest_of(profile)
    return {"machine": guest.machine.name, "strands": guest.strands, "tick_hz": None, "accel": guest.accel}


def _check_built(guest: Guest, kernel: OsKernel) -> None:
    """Refuses a tick configuration that only a build could bring about, where this OS kernel was built otherwise."""
    built = kernel.config.read_text(errors="replace") if kernel.config else ""
    for name in guest.ticks if built else ():
        wanted = tick.load(name)
        broken = os_config.broken(wanted.config, built)
        if broken and not wanted.parameters and not wanted.settings:
            has = ", ".join(f"{option}={value}" for option, value in broken.items())
            raise DomainError(
                f"{guest.profile.name}: {name} is decided when an OS kernel is built, and {kernel.name} was built with {has}: "
                "take a profile whose OS kernel is built from source, such as x86-linux"
            )


def _kernel(guest: Guest, progress: Progress) -> OsKernel:
    kept = source() / "build" / "domains" / "os"
    if guest.package:
        with locked(kept):
            kernel = os_kernel.of_package(guest.package, kept)
        _check_built(guest, kernel)
        return kernel
    if guest.source:
        return os_source.of_source(recipe(guest), kept, progress)
    file = Path(guest.kernel)
    kernel = os_kernel.of_file(file if file.is_absolute() else guest.profile.path.parent / file, guest.machine.arch)
    os_needs.check(kernel.image, guest.machine.name)
    return kernel


def recipe(guest: Guest) -> Recipe:
    """What to build for a guest whose OS kernel comes from source."""
    profile = guest.profile
    own = os_config.options(guest.config, f"{profile.path}:{profile.line_of('config')}")
    options = os_config.merged([guest.tick.config, own])
    return Recipe(guest.machine.arch, guest.source, options, profile.name, source() / "domains" / "linux")


@dataclass(frozen=True)
class _Initramfs:
    """An initramfs, and the commit that its programs are of, "" outside a git checkout."""

    content: bytes
    commit: str


def _initramfs(guest: Guest, kernel: OsKernel) -> _Initramfs:
    """The same bytes wherever and at whatever commit the same sources are built: the guest's instructions depend on them."""
    tree, machine = source(), guest.machine
    with locked(tree / "build" / "domains"):
        # Stripped (-s) of symbols and debugging information, which name the source tree's folder.
        options = ["LDFLAGS=-static -s", "HWLOC=0", "TRACEFS=0", "EMBED_COMMIT=0"]
        made = make("guest", [*options, f"CC={machine.compiler}", f"BUILD=build/{machine.build}"], tree)
        if made:
            raise DomainError(f"the programs of a Linux guest could not be built; make said:\n{made}")
        built = {name: (tree / "build" / machine.build / name).read_bytes() for name in ("init", "cmtnoise", "commit")}
    commit = built.pop("commit").decode().strip()
    settings = [f"{file} {value}" for file, value in guest.tick.settings.items()]
    lines = {"arguments": guest.arguments(), "settings": settings, "hostname": [guest.profile.name[:HOST_NAME_MOST]]}
    files = {name: "\n".join(of).encode() for name, of in lines.items()}
    if kernel.config:  # where the guest's cmtnoise looks for it
        files[f"boot/config-{kernel.release}"] = kernel.config.read_bytes()
    packed = built | files
    files["sums"] = "".join(f"/{name} {zlib.crc32(packed[name]):x}\n" for name in sorted(packed)).encode()
    return _Initramfs(initramfs.make(built, files), commit)


def build(profile: Profile, request: Request) -> Path:
    """The folder with the guest's kernel and initramfs."""
    guest = changed(guest_of(profile), request.changes)
    folder = source() / "build" / "domains" / f"{profile.name}-linux"
    progress = Progress(request.quiet)
    try:
        kernel = _kernel(guest, progress)
    finally:
        progress.end()
    content = _initramfs(guest, kernel).content
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "initramfs.gz", content)
    write_whole(folder / "vmlinuz", kernel.image.read_bytes())
    return folder


def _about(guest: Guest, kernel: OsKernel, accel: str) -> dict[str, Any]:
    """The run's ``domain`` as far as the profile tells it."""
    return {
        "profile": guest.profile.name,
        "kind": "linux",
        "machine": guest.machine.name,
        "os_kernel": kernel.name,
        "parameters": guest.command_line(),
        "accel": accel,
        "icount_shift": guest.icount_shift if accel == "icount" else None,
        "cpu": guest.cpu or None,
        "tick": list(guest.ticks),
    }


def _command(guest: Guest, program: qemu.Qemu, accel: str, place: Path) -> list[str]:
    """The command line; the kernel and the initramfs lie in ``place``, where the console and the channel will."""
    boot = ["-kernel", str(place / "vmlinuz"), "-initrd", str(place / "initramfs.gz"), "-append", guest.command_line()]
    machine = [*guest.machine.options(guest.cpu, guest.strands), "-m", guest.memory, *boot, "-no-reboot", *qemu.NOTHING_ELSE]
    ports = guest.machine.ports(place / "console.txt", place / "channel")
    return [program.program, *machine, *qemu.clock(accel, guest.icount_shift), *ports]


def run(profile: Profile, request: Request) -> int:
    """Boots the guest, waits for its run, and makes the run folder; the exit code."""
    guest = changed(guest_of(profile), request.changes)
    accel = request.accel or guest.accel
    if accel not in ACCELS:
        raise DomainError(f"--accel {accel}: a Linux guest runs with {' or '.join(ACCELS)}")
    check_strands(guest, accel)
    guest = replace(guest, accel=accel)
    check_output(request.output)
    progress = Progress(request.quiet)
    program = qemu.find(guest.machine.name)
    progress.show(f"building the guest {profile.name}")
    try:
        kernel = _kernel(guest, progress)
        packed = _initramfs(guest, kernel)
    finally:
        progress.end()
    with tempfile.TemporaryDirectory(prefix="cmtnoise-domain-") as name:
        place = Path(name)
        write_whole(place / "initramfs.gz", packed.content)
        write_whole(place / "vmlinuz", kernel.image.read_bytes())
        line = _command(guest, program, accel, place)
        domain = _about(guest, kernel, accel) | {"qemu": program.version, "qemu_command": qemu.shown(line, [place])}
        progress.show(f"{profile.name} runs")
        try:
            received = _receive(line, place, request.timeout_s or guest.timeout_s)
        finally:
            progress.end()
        received = replace(received, commit=packed.commit)
        return conclude(received, place / "console.txt", guest, domain, request)


def _receive(line: list[str], place: Path, timeout_s: float) -> Received:
    channel = Channel()
    files: list[tuple[str, bytes]] = []

    def feed(data: bytes) -> bool:
        files.extend(channel.feed(data))
        return channel.end is not None or watch.look()

    (place / "console.txt").touch()
    watch = Watch(place / "console.txt")
    try:
        # All is here once the channel says so. How a machine powers off, and whether its OS kernel can, does not matter then.
        ended = qemu.run(line, place / "channel", timeout_s, feed, powers_off=False)
    except Stopped as stopped:
        return Received(channel, files, str(stopped), stopped)
    if channel.end is None and watch.panicked:
        return Received(channel, files, "its OS kernel panicked", None)
    advice = "; give it more time with --timeout, or less to do with -- --reps" if ended.timed_out else ""
    full = f"; the disk of {place} is full" if shutil.disk_usage(place).free < DISK_LEAST else ""  # QEMU drops what has no room
    return Received(channel, files, ended.why + (full or advice), None)


def read(profile: Profile, file: Path, request: Request) -> int:
    raise DomainError("read is for consoles of bare machines: a Linux machine runs cmtnoise sweep itself")
