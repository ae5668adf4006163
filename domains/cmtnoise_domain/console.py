"""Reads the console of a bare machine (results/FORMAT.md, "The console of a bare machine"). It is untrusted: a serial line loses
and changes bytes, and a file may hold anything."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from cmtnoise.cli import printable
from cmtnoise.record import LABELS

from cmtnoise_domain.errors import DomainError

VERSION = "1"
LINE_BYTES_MOST = 1 << 16
STEPS_MOST = 1 << 16
FAULTS_MOST = 20
_BEGIN = re.compile(rb"@cmtnoise-bare: ([0-9A-Za-z.]{1,20})$")
_STEP = r"([0-9]{1,5}) ([a-z0-9_]{1,32})"
_NUMBERS = (
    "timer_hz",
    "timer_step_counts",
    "timer_cost_counts",
    "repetitions",
    "quantum_ns",
    "iterations",
    "tick_hz",
    "tick_path",
)
_TEXTS = ("tool", "machine", "isa", "label", "host", "timer", "order", "entered")
FACTS = {*_NUMBERS, *_TEXTS, "commit", "compiler", "cflags", "cpu", "hypervisor", "memory_bytes", "timer_hz_from"} | {
    f"{cache}_bytes" for cache in ("l1i", "l1d", "l2", "l3")
}
Step = tuple[int, str]


@dataclass(frozen=True)
class Kernel:
    name: str
    instruction: str
    resource: str
    sharing: str
    ops_per_iteration: int


@dataclass(frozen=True)
class Trap:
    strand: int
    type: int
    pc: int
    what: str


@dataclass(frozen=True)
class Whole:
    """A record of which every byte arrived."""

    step: Step
    content: bytes


@dataclass
class Console:
    """What was told so far. ``end`` is None until the runtime said that it is done, then "" or what failed."""

    facts: dict[str, str] = field(default_factory=dict)
    kernels: dict[str, Kernel] = field(default_factory=dict)
    strands: dict[int, tuple[int, int]] = field(default_factory=dict)
    threads: dict[int, tuple[str, ...]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    begun: list[Step] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    traps: list[Trap] = field(default_factory=list)
    end: str | None = None
    faults: list[str] = field(default_factory=list)
    noise_lines: int = 0

    def number(self, key: str) -> int | None:
        """A fact as a number; None where it is not known."""
        value = self.facts.get(key, "")
        return int(value) if re.fullmatch(r"[0-9]{1,19}", value) else None

    def missing(self) -> str:
        """What of the facts is not there or cannot be right, "" for nothing: without them there is no run."""
        absent = [key for key in _TEXTS if not self.facts.get(key)] + [key for key in _NUMBERS if self.number(key) is None]
        if absent:
            return f"its console does not tell {', '.join(absent)}"
        if self.facts["label"] not in LABELS:
            return f"its console tells the label {self.facts['label']!r}; labels are {', '.join(LABELS)}"
        if not self.number("timer_hz") or self.facts["order"] not in ("turns", "together"):
            return "its console tells a timer without a rate, or an order that there is none"
        return "" if self.threads else "its console tells of no thread"

    def plan(self) -> list[Step]:
        """Every (strand, kernel), in the order in which they were begun; those that were not yet follow in the order due."""
        due = [(strand, kernel) for strand, kernels in self.threads.items() for kernel in kernels]
        if self.facts.get("order") == "together":  # all strands go from kernel to kernel in step; the sort is stable
            due.sort(key=lambda step: self.threads[step[0]].index(step[1]))
        return list(dict.fromkeys([*self.begun, *due]))


def _parts(pattern: str, text: str) -> tuple[str, ...]:
    found = re.fullmatch(pattern, text)
    if not found:
        raise ValueError("cannot be read")
    return found.groups()


class Reader:
    """Takes the console in pieces of any size; gives the records that became whole by each."""

    def __init__(self, name: str) -> None:
        self.console = Console()
        self.name = name  # of the file, for faults
        self.begun = False
        self.plan_told = False  # facts and plan are over: something was begun, or it is the end
        self._line = 1
        self._buffer = b""
        self._at = 0  # in the buffer: what stands before is dealt with
        self._skipping = False  # the rest of a line that is too long
        self._record: tuple[Step, int, int] | None = None  # step, bytes announced, sum announced
        self._body = bytearray()
        self._handlers = {
            "kernel": self._kernel,
            "strand": self._strand,
            "thread": self._thread,
            "skipped": self._skip,
            "begin": self._begin,
            "record": self._announce,
            "failed": self._failed,
            "trap": self._trap,
            "end": self._end,
        }

    @property
    def done(self) -> bool:
        return self.console.end is not None

    def feed(self, data: bytes) -> Iterator[Whole]:
        self._buffer = self._buffer[self._at :] + data.replace(b"\r", b"")
        self._at = 0
        while not self.done:
            if self._record:
                if not self._take():
                    return
                whole = self._check()
                if whole:
                    yield whole
            elif not self._next_line():
                return

    def finish(self) -> None:
        """No more comes."""
        if self.done:
            return
        if self._record:
            (strand, kernel), size, _ = self._record
            have = len(self._body)
            self.console.faults.append(f"cut in the record of strand {strand} {kernel}: {have} of {size} bytes are there")
            self._record = None

    def _fault(self, text: str, line: int | None = None) -> None:
        if len(self.console.faults) < FAULTS_MOST:
            self.console.faults.append(f"{self.name}:{line or self._line}: {text}")

    def _take(self) -> bool:
        """Moves bytes of the record at hand to it; whether it is over. A line that begins with @ is no part of one."""
        assert self._record
        wanted = self._record[1] - len(self._body)
        piece = self._buffer[self._at : self._at + wanted]
        at_line_start = not self._body or self._body.endswith(b"\n")
        mark = 0 if at_line_start and piece.startswith(b"@") else piece.find(b"\n@") + 1 or -1
        if mark >= 0:
            piece = piece[:mark]
        self._body += piece
        self._at += len(piece)
        self._line += piece.count(b"\n")
        return mark >= 0 or len(self._body) == self._record[1]

    def _check(self) -> Whole | None:
        assert self._record
        (step, size, total), body = self._record, bytes(self._body)
        self._record, self._body = None, bytearray()
        if len(body) == size and zlib.crc32(body) == total:
            return Whole(step, body)
        why = f"{len(body)} of {size} bytes are there" if len(body) < size else "its sum differs"
        self._fault(f"the record of strand {step[0]} {step[1]} was garbled on the way: {why}")
        return None

    def _next_line(self) -> bool:
        end = self._buffer.find(b"\n", self._at)
        if end < 0:
            if len(self._buffer) - self._at > LINE_BYTES_MOST:
                self._skipping, self._at = True, len(self._buffer) - 100  # the runtime's first line may follow firmware's noise
            return False
        raw = self._buffer[self._at : end]
        self._at = end + 1
        if self._skipping or len(raw) > LINE_BYTES_MOST:
            self._skipping = False
            raw = raw[-100:] if not self.begun else b"?"
        self._take_line(raw)
        self._line += 1
        return True

    def _take_line(self, raw: bytes) -> None:
        begin = _BEGIN.search(raw)
        if begin and self.begun:
            self._fault("the machine began anew: what follows is another run")
            self.console.end = "the machine began anew"
        elif begin:
            if begin[1].decode() != VERSION:
                raise DomainError(
                    f"{self.name}:{self._line}: console_version is {begin[1].decode()}; this reader knows {VERSION}"
                )
            self.begun = True
        elif self.begun:
            self._told(raw.decode("utf-8", "replace"))

    def _told(self, line: str) -> None:
        key, colon, value = line[1:].partition(":")
        if not line.startswith("@") or not colon:
            self.console.noise_lines += bool(line)
            return
        value = value.removeprefix(" ")
        handler = self._handlers.get(key)
        if key in FACTS and not self.plan_told:
            if key in self.console.facts:
                self._fault(f"{key!r} stands twice")
            self.console.facts.setdefault(key, printable(value))
        elif handler:
            try:
                handler(value)
            except ValueError as error:
                self._fault(f"@{key} {error}: {printable(value[:80])!r}")
        # Else: a fact that a later runtime tells.

    def _kernel(self, value: str) -> None:
        name, instruction, resource, sharing, ops = _parts(
            r"([a-z0-9_]{1,32})\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([0-9]{1,9})", value
        )
        self.console.kernels[name] = Kernel(name, printable(instruction), printable(resource), printable(sharing), int(ops))

    def _strand(self, value: str) -> None:
        strand, core, package = map(int, _parts(r"([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5})", value))
        self.console.strands[strand] = (core, package)

    def _thread(self, value: str) -> None:
        strand, kernels = _parts(r"([0-9]{1,5})((?: [a-z0-9_]{1,32})*)", value)
        names = tuple(kernels.split())
        if int(strand) in self.console.threads or len(set(names)) < len(names):
            raise ValueError("stands twice")
        if sum(map(len, self.console.threads.values())) + len(names) > STEPS_MOST:
            raise ValueError("is more than a plan may hold")
        self.console.threads[int(strand)] = names

    def _skip(self, value: str) -> None:
        kernel, reason = _parts(r"([a-z0-9_]{1,32}) (.*)", value)
        self.console.skipped[kernel] = printable(reason)

    def _begin(self, value: str) -> None:
        self.plan_told = True
        strand, kernel = _parts(_STEP, value)
        if kernel not in self.console.threads.get(int(strand), ()):
            raise ValueError("is not of the plan")
        self.console.begun.append((int(strand), kernel))

    def _announce(self, value: str) -> None:
        self.plan_told = True
        strand, kernel, size, total = _parts(_STEP + " ([0-9]{1,12}) ([0-9a-fA-F]{8})", value)
        self._record = ((int(strand), kernel), int(size), int(total, 16))

    def _failed(self, value: str) -> None:
        self.plan_told = True
        strand, kernel, words = _parts(r"([0-9]{1,5}) ([a-z0-9_]{1,32}|-) (.*)", value)
        if len(self.console.failures) < FAULTS_MOST:
            self.console.failures.append(f"strand {strand}{'' if kernel == '-' else f' {kernel}'}: {printable(words)}")

    def _trap(self, value: str) -> None:
        self.plan_told = True
        strand, kind, pc, what = _parts(r"([0-9]{1,5}) 0x([0-9a-f]{1,16}) 0x([0-9a-f]{1,16}) ?(.*)", value)
        if len(self.console.traps) < FAULTS_MOST:
            self.console.traps.append(Trap(int(strand), int(kind, 16), int(pc, 16), printable(what)))

    def _end(self, value: str) -> None:
        self.plan_told = True
        words = _parts(r"(?:ok|failed ?(.*))", value)[0]
        self.console.end = "" if words is None else printable(words) or "no reason told"
