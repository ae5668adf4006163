"""From a bare machine's console to a run folder, and what is to be said about it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cmtnoise.cli import printable

from cmtnoise_domain.console import Reader, Trap
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.run_folder import RunFolder

TAIL_LINES = 5
NAMED_MOST = 4


def say(text: str) -> None:
    print(printable(f"cmtnoise: {text}"), file=sys.stderr)


@dataclass
class Collector:
    """Takes the console in pieces. ``place_of`` names the function of an address; ``label`` is what the run must be labelled, ""
    where that is not known."""

    reader: Reader
    folder: RunFolder
    progress: Progress
    place_of: Callable[[int], str]
    label: str = ""
    total: int = 0  # records in the plan

    def feed(self, data: bytes) -> bool:
        """Whether the runtime said that it is done."""
        for whole in self.reader.feed(data):
            self._begin()
            self.folder.keep(whole)
        if self.reader.plan_told:
            self._begin()
        self._show()
        return self.reader.done

    def _begin(self) -> None:
        console = self.reader.console
        if self.folder.path is not None:
            return
        if console.missing() and console.end:
            raise DomainError(f"the runtime could not begin: {console.end}")
        told = console.facts.get("label", "")
        if self.label and told and told != self.label:
            raise DomainError(f"the runtime labels its records {told}, and what it runs on makes them {self.label}")
        self.folder.begin()
        self.total = len(self.folder.plan())

    def _show(self) -> None:
        begun = self.reader.console.begun
        if begun and self.progress.on:
            strand, kernel = begun[-1]
            self.progress.show(f"[{len(self.folder.kept) + 1}/{self.total}] {kernel} on strand {strand}")

    def _trap(self, trap: Trap) -> str:
        where = self.place_of(trap.pc)
        what = f" ({trap.what})" if trap.what else ""
        return f"trap on strand {trap.strand}: type {trap.type:#x}{what} at pc {trap.pc:#x}" + (f", in {where}" if where else "")

    def _verdict(self, why: str) -> tuple[str, str]:
        """Status and detail of the run; ``why`` says why nothing more came."""
        console, lacking = self.reader.console, self.folder.lacking()
        said = [*(self._trap(trap) for trap in console.traps), *console.failures, *console.faults, *self.folder.faults]
        if console.end is None:
            return ("failed" if console.traps else "interrupted"), "; ".join([*said, why])
        if console.end and not said:
            said = [console.end]
        if lacking and not said:
            named = ", ".join(f"strand {strand} {kernel}" for strand, kernel in lacking[:NAMED_MOST])
            said = [f"the runtime ended without the record of {named}"]
        return ("failed", "; ".join(said)) if said else ("complete", "")

    def conclude(self, why: str, raw: Path, stopped: bool = False) -> int:
        """Ends the run and says how it ended; the exit code. ``raw`` is the console as it came; the caller says that it
        was ``stopped`` by a signal."""
        self.reader.finish()
        self.progress.end()
        if self.folder.path is None:
            began = "the runtime told only a part of its plan" if self.reader.begun else "the runtime did not begin"
            raise DomainError(f"{began}: {why}{tail(raw)}")
        status, detail = self._verdict(why)
        plan, kept = self.folder.plan(), self.folder.kept
        self.folder.end(status, detail, raw.read_bytes())
        print(self.folder.path, flush=True)
        if status == "complete":
            return 0
        if detail != why or not stopped:
            say(detail)
        say(f"the run is {status}: {len(kept)} of {len(plan)} records are in {self.folder.path}; console.txt there is what came")
        return 1


def tail(raw: Path, last: str = "") -> str:
    """The console's last lines, to follow a sentence; none after the first that holds ``last``."""
    said = raw.read_bytes().decode("utf-8", "replace")
    if last and last in said:
        before, _, after = said.partition(last)
        said = before + last + after.partition("\n")[0]
    lines = [printable(line) for line in said[-2000:].splitlines() if line.strip()]
    return "\nthe console ends:\n  " + "\n  ".join(lines[-TAIL_LINES:]) if lines else "; its console is empty"
