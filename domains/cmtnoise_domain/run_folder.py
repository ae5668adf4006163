"""Makes an ordinary run folder (results/FORMAT.md) of what a bare machine wrote to its console."""

from __future__ import annotations

import json
import os
import re
import tempfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cmtnoise.files import write_whole
from cmtnoise.record import RecordError, read_record
from cmtnoise.run import TICK_KEYS
from cmtnoise.strands import strand_words

from cmtnoise_domain.console import Console, Step, Whole
from cmtnoise_domain.errors import DomainError


def now() -> datetime:
    return datetime.now(timezone.utc)


def _utc(moment: datetime | None) -> str | None:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if moment else None


def file_of(step: Step) -> str:
    return f"records/strand{step[0]}-{step[1]}.tsv"


def check_output(output: Path | None) -> None:
    """A folder that exists is an error at once, not once all is measured."""
    if output is not None and os.path.lexists(output):
        raise DomainError(f"{output} exists already: name another folder with --output, or remove it first")


def make_folder(output: Path | None, host: str, label: str) -> Path:
    """The run's folder: the one that was asked for, else results/UTC-HOST-LABEL, as a sweep names it."""
    if output is not None:
        check_output(output)
        output.mkdir()
        return output
    base = f"{now().strftime('%Y%m%dT%H%M%SZ')}-{re.sub(r'[^A-Za-z0-9.+-]', '_', host)[:63]}-{label}"
    Path("results").mkdir(exist_ok=True)
    for number in range(1, 100):
        path = Path("results") / (base if number == 1 else f"{base}-{number}")
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return path
    raise DomainError(f"results/{base} exists already: name another folder with --output")


def _check(whole: Whole, label: str) -> tuple[int, int]:
    """Counts of the record's time and their rate; RecordError for what is no whole record of that step."""
    strand, kernel = whole.step
    with tempfile.TemporaryDirectory(prefix="cmtnoise-record-") as folder:
        path = Path(folder) / Path(file_of(whole.step)).name
        path.write_bytes(whole.content)
        try:
            record = read_record(path)
        except RecordError as error:
            raise RecordError(str(error).replace(f"{folder}/", "")) from None
    if (record.strand, record.kernel, record.label) != (strand, kernel, label):
        raise RecordError(
            f"strand {strand} {kernel}: the record is of strand {record.strand}, kernel {record.kernel}, label {record.label}"
        )
    return int(record.duration_counts.sum()), record.timer_hz


class RunFolder:
    """A run while it is written. It is made when the runtime has told its plan; each record is kept as it arrives."""

    def __init__(self, output: Path | None, command: list[str], domain: dict[str, Any], console: Console) -> None:
        self.output, self.command, self.domain, self.console = output, command, domain, console
        self.started = now()
        self.path: Path | None = None
        self.kept: set[Step] = set()
        self.faults: list[str] = []
        self._measured_ms = 0.0

    def begin(self) -> None:
        """Makes the folder; DomainError where the console does not tell what a run must say."""
        missing = self.console.missing()
        if missing:
            raise DomainError(f"the runtime began, but {missing}: there is no run to keep")
        self.path = make_folder(self.output, self.console.facts["host"], self.console.facts["label"])
        (self.path / "records").mkdir()
        self._write("running", None, None)

    def keep(self, whole: Whole) -> None:
        assert self.path
        if whole.step in self.kept:
            self.faults.append(f"strand {whole.step[0]} {whole.step[1]}: a second record came; the first was kept")
            return
        try:
            counts, hz = _check(whole, self.console.facts["label"])
        except RecordError as error:
            self.faults.append(str(error))
            return
        if whole.step[1] not in self.console.threads.get(whole.step[0], ()):
            self.faults.append(f"strand {whole.step[0]} {whole.step[1]}: a record came that is not in the plan")
        write_whole(self.path / file_of(whole.step), whole.content)
        self.kept.add(whole.step)
        self._measured_ms += counts * 1000 / hz

    def plan(self) -> list[Step]:
        """The console's plan, and what came besides."""
        return list(dict.fromkeys([*self.console.plan(), *sorted(self.kept)]))

    def lacking(self) -> list[Step]:
        return [step for step in self.plan() if step not in self.kept]

    def end(self, status: str, detail: str, raw: bytes) -> None:
        """The last word on the run. Of one that is not complete, the console is kept as it came."""
        assert self.path
        if status != "complete":
            write_whole(self.path / "console.txt", raw)
        self._write(status, detail or None, now())

    def break_off(self, detail: str) -> None:
        """The last word where nothing more can be written, if there is a run yet."""
        if self.path is not None:
            self._write("interrupted", detail, now())

    def _write(self, status: str, detail: str | None, finished: datetime | None) -> None:
        assert self.path
        info = {
            "run_version": 1,
            "status": status,
            "status_detail": detail,
            "label": self.console.facts["label"],
            "started": _utc(self.started),
            "finished": _utc(finished),
            "tool": self._tool(),
            "command": self.command,
            **self._about(),
            "plan": [{"strand": s, "kernel": k, "round": 1, "file": file_of((s, k))} for s, k in self.plan()],
            "causes": {
                "source": "counters",
                "clock": None,
                "events": [],
                "reason": "there is no OS whose events could be traced",
            },
            "spent": {"operands_ms": None, "measured_ms": round(self._measured_ms)},
            "domain": {**self.domain, **self._domain_facts()},
            "warnings": self._warnings(),
        }
        write_whole(self.path / "run.json", (json.dumps(info, indent=2) + "\n").encode())

    def _tool(self) -> dict[str, str | None]:
        name, _, version = self.console.facts["tool"].partition(" ")
        told = {key: self.console.facts.get(key) or None for key in ("commit", "compiler", "cflags")}
        return {"name": name, "version": version, **told}

    def _about(self) -> dict[str, Any]:
        """What the facts tell, in the words of run.json."""
        c, facts = self.console, self.console.facts
        hz = c.number("tick_hz")
        names = list(dict.fromkeys(kernel for _, kernel in self.plan()))
        return {
            "options": {
                "kernels": ",".join(names),
                "strands": strand_words(sorted({strand for strand, _ in self.plan()})),
                **{key: c.number(key) for key in ("repetitions", "quantum_ns", "iterations")},
                "repeat": 1,
                "realtime": False,
                "together": facts["order"] == "together",
                "causes": "counters",
            },
            "host": {
                "name": facts["host"],
                "os": "bare",
                "os_release": None,
                "os_version": None,
                "machine": facts["machine"],
                "cpu": facts.get("cpu") or None,
                "hypervisor": facts.get("hypervisor") or None,
                "memory_bytes": c.number("memory_bytes"),
                "boot_parameters": None,
            },
            "tick": dict.fromkeys(TICK_KEYS) | {"hz": hz, "mode": "periodic (own)" if hz else "none"},
            "timer": {
                "name": facts["timer"],
                "hz": c.number("timer_hz"),
                "step_counts": c.number("timer_step_counts"),
                "cost_counts": c.number("timer_cost_counts"),
                "rate_error_ppm": None,
                "skew_ns": None,
            },
            "topology": {
                "source": "bare runtime",
                "strands": [{"strand": s, "core": at[0], "package": at[1], "state": "usable"} for s, at in c.strands.items()],
                "hwloc_xml": None,
            },
            "kernels": [vars(c.kernels[name]) for name in names if name in c.kernels],
            "skipped": [{"kernel": kernel, "reason": reason} for kernel, reason in c.skipped.items()],
        }

    def _domain_facts(self) -> dict[str, Any]:
        facts = self.console.facts
        numbers = {key: self.console.number(key) for key in ("tick_hz", "tick_path")}
        return {
            "entered": facts["entered"],
            "timer_hz_from": facts.get("timer_hz_from") or None,
            "order": facts["order"],
            **numbers,
        }

    def _warnings(self) -> list[str]:
        noise = self.console.noise_lines
        return [f"{noise} lines on the console were not the runtime's"] if noise else []
