"""Domains of kind linux: Linux on an emulated machine, started for one sweep. The guest's own cmtnoise makes the run folder, and
its first program (domains/linux/init.c) sends it out."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cmtnoise import tick
from cmtnoise.cli import printable
from cmtnoise.files import write_whole
from cmtnoise.record import RecordError, read_record
from cmtnoise.tick import Tick

from cmtnoise_domain import initramfs, os_config, os_kernel, os_needs, os_source, qemu
from cmtnoise_domain.build import locked, make, source
from cmtnoise_domain.channel import Channel
from cmtnoise_domain.collect import say, tail
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import ACCELS, Guest, changed, check_strands, guest_of
from cmtnoise_domain.os_kernel import OsKernel
from cmtnoise_domain.os_source import Recipe
from cmtnoise_domain.process import Stopped
from cmtnoise_domain.profile import Profile
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.request import Request
from cmtnoise_domain.run_folder import check_output, make_folder
from cmtnoise_domain.watch import Watch

DISK_LEAST = 1 << 16  # bytes, below which a disk is full
DAMAGED = "Initramfs unpacking failed"  # the OS kernel goes on with what it could unpack
LABEL = "emulated"  # whichever way QEMU runs it


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
        return _built(guest, kept, progress)
    file = Path(guest.kernel)
    kernel = os_kernel.of_file(file if file.is_absolute() else guest.profile.path.parent / file, guest.machine.arch)
    os_needs.check(kernel.image, guest.machine.name)
    return kernel


def _built(guest: Guest, kept: Path, progress: Progress) -> OsKernel:
    profile = guest.profile
    own = os_config.options(guest.config, f"{profile.path}:{profile.line_of('config')}")
    recipe = Recipe(guest.machine.arch, guest.source, os_config.merged([guest.tick.config, own]), profile.name)
    return os_source.of_source(recipe, source() / "domains" / "linux", kept, progress)


def _initramfs(guest: Guest, kernel: OsKernel) -> bytes:
    tree, machine = source(), guest.machine
    with locked(tree / "build" / "domains"):
        options = ["LDFLAGS=-static", "HWLOC=0", "TRACEFS=0", f"CC={machine.compiler}", f"BUILD=build/{machine.build}"]
        made = make("guest", options, tree)
        if made:
            raise DomainError(f"the programs of a Linux guest could not be built; make said:\n{made}")
        programs = {name: (tree / "build" / machine.build / name).read_bytes() for name in ("init", "cmtnoise")}
    settings = [f"{file} {value}" for file, value in guest.tick.settings.items()]
    lines = {"arguments": guest.arguments(), "settings": settings, "hostname": [guest.profile.name]}
    files = {name: "\n".join(of).encode() for name, of in lines.items()}
    if kernel.config:  # where the guest's cmtnoise looks for it
        files[f"boot/config-{kernel.release}"] = kernel.config.read_bytes()
    packed = programs | files
    files["sums"] = "".join(f"/{name} {zlib.crc32(packed[name]):x}\n" for name in sorted(packed)).encode()
    return initramfs.make(programs, files)


def build(profile: Profile, request: Request) -> Path:
    """The folder with the guest's kernel and initramfs."""
    guest = changed(guest_of(profile), request.changes)
    folder = source() / "build" / "domains" / f"{profile.name}-linux"
    progress = Progress(request.quiet)
    try:
        kernel = _kernel(guest, progress)
    finally:
        progress.end()
    content = _initramfs(guest, kernel)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "initramfs.gz", content)
    write_whole(folder / "vmlinuz", kernel.image.read_bytes())
    return folder


class _Run:
    """The run folder while its files arrive. ``info`` is the guest's run.json, once it came."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.info: dict[str, Any] = {}
        self.faults: list[str] = []
        (folder / "records").mkdir()

    def keep(self, name: str, content: bytes) -> None:
        if name == "run.json":
            self._read(content)
            return
        file = self.folder / name
        write_whole(file, content)
        try:
            read_record(file)
        except RecordError as error:
            file.unlink()
            self.faults.append(str(error).replace(f"{self.folder}/", ""))

    def _read(self, content: bytes) -> None:
        try:
            info = json.loads(content)
        except (ValueError, RecursionError) as error:
            self.faults.append(f"the guest's run.json is no JSON: {error}")
            return
        if isinstance(info, dict):
            self.info = info
        else:
            self.faults.append("the guest's run.json is no JSON object")

    def unmet(self, wanted: Tick) -> list[str]:
        """What of a tick configuration is not in force in the guest."""
        facts = self.info.get("tick")
        told = wanted.unmet(facts) if isinstance(facts, dict) else []
        return [f"the tick configuration {wanted.name} is not in force: {printable(text)}" for text in told]

    def end(self, status: str, detail: str, unmet: list[str], domain: dict[str, Any], command: list[str]) -> None:
        told = domain | {"guest_command": self.info.get("command")}
        warnings = self.info.get("warnings")
        info = self.info | {"status": status, "status_detail": detail or None, "command": command, "domain": told}
        info["warnings"] = [*(warnings if isinstance(warnings, list) else []), *unmet]
        write_whole(self.folder / "run.json", json.dumps(info, indent=2).encode() + b"\n")


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
        content = _initramfs(guest, kernel)
    finally:
        progress.end()
    with tempfile.TemporaryDirectory(prefix="cmtnoise-domain-") as name:
        place = Path(name)
        write_whole(place / "initramfs.gz", content)
        write_whole(place / "vmlinuz", kernel.image.read_bytes())
        line = _command(guest, program, accel, place)
        domain = _about(guest, kernel, accel) | {"qemu": program.version, "qemu_command": qemu.shown(line, [place])}
        progress.show(f"{profile.name} runs")
        try:
            received = _receive(line, place, request.timeout_s or guest.timeout_s)
        finally:
            progress.end()
        return _conclude(received, place / "console.txt", guest, domain, request)


@dataclass(frozen=True)
class _Received:
    """What came of a guest: its files, why nothing more came ("" once it said that it is done), and the signal that ended it."""

    channel: Channel
    files: list[tuple[str, bytes]]
    why: str
    stopped: Stopped | None


def _receive(line: list[str], place: Path, timeout_s: float) -> _Received:
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
        return _Received(channel, files, str(stopped), stopped)
    if channel.end is None and watch.panicked:
        return _Received(channel, files, "its OS kernel panicked", None)
    advice = "; give it more time with --timeout, or less to do with -- --reps" if ended.timed_out else ""
    full = f"; the disk of {place} is full" if shutil.disk_usage(place).free < DISK_LEAST else ""  # QEMU drops what has no room
    return _Received(channel, files, ended.why + (full or advice), None)


def _verdict(channel: Channel, run: _Run, why: str, console: str) -> tuple[str, str]:
    """Status and detail of the run."""
    cut = channel.unfinished()
    damaged = [line for line in console.splitlines() if DAMAGED in line]
    said = [*damaged, *channel.faults, *run.faults, *([channel.end] if channel.end else []), *([f"{cut} was cut"] if cut else [])]
    if channel.end is None:
        return "interrupted", printable("; ".join([*said, why]))
    return ("failed", printable("; ".join(said))) if said else ("complete", "")


@dataclass(frozen=True)
class _Outcome:
    """How a run ended, and what of its tick configuration was not in force."""

    status: str
    detail: str
    unmet: list[str]


def _nothing(received: _Received, console: Path, machine: str) -> DomainError:
    """Why there is no run at all."""
    channel, said = received.channel, console.read_text(errors="replace")
    began = "the guest began, and sent no run" if channel.begun else "the guest did not reach its first program"
    means = "" if channel.begun and channel.end else os_needs.hint(said, machine)
    return DomainError(f"{began}: {channel.end or received.why or 'its sweep failed'}{printable(means)}{tail(console)}")


def _keep(run: _Run, received: _Received, console: Path, guest: Guest, domain: dict[str, Any], request: Request) -> _Outcome:
    """Writes everything into the run folder. What has no room left there makes the run an interrupted one."""
    try:
        for name, content in received.files:
            run.keep(name, content)
        status, detail = _verdict(received.channel, run, received.why, console.read_text(errors="replace"))
        unmet = run.unmet(guest.tick)
        if status != "complete":
            write_whole(run.folder / "console.txt", console.read_bytes())
        run.end(status, detail, unmet, domain, request.command)
    except OSError as error:
        with contextlib.suppress(OSError):
            run.end("interrupted", f"{error.filename or run.folder}: {error.strerror}", [], domain, request.command)
        raise
    return _Outcome(status, detail, unmet)


def _conclude(received: _Received, console: Path, guest: Guest, domain: dict[str, Any], request: Request) -> int:
    """Makes the run folder and says how the run ended; the exit code."""
    if not any(name == "run.json" for name, _ in received.files):
        if received.stopped:
            raise received.stopped
        raise _nothing(received, console, guest.machine.name)
    run = _Run(make_folder(request.output, domain["profile"], LABEL))
    outcome = _keep(run, received, console, guest, domain, request)
    print(run.folder, flush=True)
    if received.stopped:
        raise received.stopped
    for text in outcome.unmet:
        say(text)
    if outcome.status == "complete":
        return 0
    say(outcome.detail)
    say(f"the run is {outcome.status}; console.txt in {run.folder} is what the OS said")
    return 1


def read(profile: Profile, file: Path, request: Request) -> int:
    raise DomainError("read is for consoles of bare machines: a Linux machine runs cmtnoise sweep itself")
