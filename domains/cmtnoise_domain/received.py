"""What came of a Linux guest: its run folder, how the run ended, and what is to be said where there is none."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmtnoise.cli import printable
from cmtnoise.files import write_whole
from cmtnoise.record import RecordError, read_record
from cmtnoise.run import RunError, load
from cmtnoise.tick import Tick

from cmtnoise_domain import os_needs, settings
from cmtnoise_domain.channel import Channel
from cmtnoise_domain.collect import say, tail
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import Guest
from cmtnoise_domain.process import Stopped
from cmtnoise_domain.request import Request
from cmtnoise_domain.run_folder import make_folder
from cmtnoise_domain.watch import PANIC

LABEL = "emulated"  # whichever way QEMU runs it
DAMAGED = "Initramfs unpacking failed"  # the OS kernel goes on with what it could unpack


@dataclass(frozen=True)
class Received:
    """What came of a guest: its files, why nothing more came ("" once it said that it is done), the signal that ended it, and the
    commit that its cmtnoise was built of, which it does not know itself; "" outside a git checkout."""

    channel: Channel
    files: list[tuple[str, bytes]]
    why: str
    stopped: Stopped | None
    commit: str = ""


class _Run:
    """The run folder while its files arrive. ``info`` is the guest's run.json, once it came, with the commit."""

    def __init__(self, folder: Path, commit: str) -> None:
        self.folder, self.commit = folder, commit
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
        if not isinstance(info, dict):
            self.faults.append("the guest's run.json is no JSON object")
            return
        self.info = info
        if isinstance(info.get("tool"), dict):
            info["tool"]["commit"] = self.commit or None

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


def _verdict(channel: Channel, run: _Run, why: str, console: str) -> tuple[str, str]:
    """Status and detail of the run."""
    cut = channel.unfinished()
    damaged = [line for line in console.splitlines() if DAMAGED in line]
    said = [*damaged, *channel.faults, *run.faults, *([channel.end] if channel.end else []), *([f"{cut} was cut"] if cut else [])]
    if channel.end is None:
        return "interrupted", printable("; ".join([*said, why]))
    return ("failed", printable("; ".join(said))) if said else ("complete", "")


def _not_whole(folder: Path) -> str:
    """Why a run of which everything seems to have come is none all the same, "" where it is one: what a guest says is not
    believed."""
    try:
        run = load(folder)
    except RunError as error:
        return str(error).replace(f"{folder}/", "")
    other = {run.label, *(record.label for record in run.records)} - {LABEL}
    if other:
        return f"the guest labels its run {min(other)}, and it is {LABEL}: a cpu that hides the hypervisor misleads it"
    return run.problems[0] if run.problems else ""


@dataclass(frozen=True)
class _Outcome:
    """How a run ended, and what of its tick configuration was not in force, settings among it."""

    status: str
    detail: str
    unmet: list[str]


def _nothing(received: Received, console: Path, machine: str) -> DomainError:
    """Why there is no run at all."""
    channel, said = received.channel, console.read_text(errors="replace")
    began = "the guest began, and sent no run" if channel.begun else "the guest did not reach its first program"
    means = "" if channel.begun and channel.end else os_needs.hint(said, machine)
    return DomainError(
        f"{began}: {channel.end or received.why or 'its sweep failed'}{printable(means)}{tail(console, PANIC.decode())}"
    )


def _keep(run: _Run, received: Received, console: Path, guest: Guest, domain: dict[str, Any], request: Request) -> _Outcome:
    """Writes everything into the run folder. What has no room left there makes the run an interrupted one."""
    try:
        for name, content in received.files:
            run.keep(name, content)
        status, detail = _verdict(received.channel, run, received.why, console.read_text(errors="replace"))
        took, refused = settings.judged(guest.tick.settings, received.channel.settings)
        unmet, domain = [*run.unmet(guest.tick), *map(printable, refused)], domain | {"settings": took}
        run.end(status, detail, unmet, domain, request.command)
        if status == "complete" and (wrong := printable(_not_whole(run.folder))):
            status, detail = "failed", wrong
            run.end(status, detail, unmet, domain, request.command)
        if status != "complete":
            write_whole(run.folder / "console.txt", console.read_bytes())
    except OSError as error:
        with contextlib.suppress(OSError):
            run.end("interrupted", f"{error.filename or run.folder}: {error.strerror}", [], domain, request.command)
        raise
    return _Outcome(status, detail, unmet)


def conclude(received: Received, console: Path, guest: Guest, domain: dict[str, Any], request: Request) -> int:
    """Makes the run folder and says how the run ended; the exit code."""
    if not any(name == "run.json" for name, _ in received.files):
        if received.stopped:
            raise received.stopped
        raise _nothing(received, console, guest.machine.name)
    run = _Run(make_folder(request.output, domain["profile"], LABEL), received.commit)
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
