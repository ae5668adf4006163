"""The run: a folder of records with everything needed to read them (results/FORMAT.md, run_version 1)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cmtnoise.record import Record, RecordError, read_record

VERSION = 1

# What run.json's "tick" tells (results/FORMAT.md).
TICK_KEYS = (
    *("hz", "mode", "preemption", "nohz_full", "isolated", "rcu_nocbs", "irq_affinity", "workqueue_affinity", "clocksource"),
    *("tuned_profile", "timer_migration", "high_resolution", "threadirqs", "skew_tick"),
)


class RunError(Exception):
    """A folder that is no run; the text names the file and what is wrong with it."""


@dataclass(frozen=True)
class Run:
    """One run. ``problems`` says of each record in the plan that could not be used why not."""

    path: Path
    info: Mapping[str, Any]
    records: tuple[Record, ...]
    problems: tuple[str, ...]

    @property
    def status(self) -> str:
        return str(self.info["status"])

    @property
    def label(self) -> str:
        return str(self.info["label"])

    @cached_property
    def kernels(self) -> list[str]:
        """Kernels that have records, in the plan's order."""
        return list(dict.fromkeys(record.kernel for record in self.records))

    @cached_property
    def strands(self) -> list[int]:
        """Strands that have records, ascending."""
        return sorted({record.strand for record in self.records})

    def of_kernel(self, kernel: str) -> list[Record]:
        """The kernel's records by strand, one a strand: those of the first round."""
        first: dict[int, Record] = {}
        for record in sorted(self.records, key=lambda record: (record.strand, record.round)):
            if record.kernel == kernel:
                first.setdefault(record.strand, record)
        return list(first.values())

    def find(self, strand: int, kernel: str) -> Record | None:
        return next((r for r in self.records if r.strand == strand and r.kernel == kernel), None)

    def places(self) -> list[tuple[int, int, int]]:
        """(package, core, strand) of every strand of the machine, as far as the run says."""
        topology = self.info.get("topology")
        strands = topology.get("strands") if isinstance(topology, dict) else None
        found = []
        for place in strands if isinstance(strands, list) else ():
            values = [place.get(key) for key in ("package", "core", "strand")] if isinstance(place, dict) else []
            numbers = [value for value in values if isinstance(value, int)]
            if len(numbers) == 3:
                found.append((numbers[0], numbers[1], numbers[2]))
        return found

    def fact(self, group: str, key: str) -> str:
        """A value of run.json such as ``fact("host", "cpu")`` as text, "" where the run does not say."""
        members = self.info.get(group)
        value = members.get(key) if isinstance(members, dict) else None
        return "" if value is None else str(value)

    def system(self) -> str:
        """What ran besides the program, in words: the OS and its tick, as far as the run says."""
        os, hz, mode = self.fact("host", "os"), self.fact("tick", "hz"), self.fact("tick", "mode")
        if os == "bare":
            return "no OS, no tick" if hz in ("", "0") else f"no OS, a tick of its own at {hz} Hz"
        tick = f"OS tick {hz} Hz {mode}".strip() if hz else "OS tick unknown"
        return ", ".join(filter(None, [f"{os} {self.fact('host', 'os_release')}".strip(), tick]))


def _finite(text: str) -> float:
    """A number of run.json; ValueError for what is none in JSON (NaN, Infinity) or too large to be one here."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is no number that can be used")
    return number


def _read_info(path: Path) -> dict[str, Any]:
    file = path / "run.json"
    try:
        info = json.loads(file.read_text(encoding="utf-8"), parse_float=_finite, parse_constant=_finite)
    except FileNotFoundError:
        raise RunError(f"{file}: not there: {path} is no cmtnoise run") from None
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise RunError(f"{file}: is no JSON: {error}") from None
    if not isinstance(info, dict):
        raise RunError(f"{file}: expected a JSON object")
    if info.get("run_version") != VERSION:
        raise RunError(f"{file}: run_version is {info.get('run_version')!r}; this reader knows {VERSION}")
    for key, kind in (("status", str), ("label", str), ("plan", list), ("host", dict), ("tick", dict)):
        if not isinstance(info.get(key), kind):
            raise RunError(f"{file}: '{key}' is missing or no {kind.__name__}")
    for key in ("skipped", "warnings"):
        if not isinstance(info.setdefault(key, []), list):
            raise RunError(f"{file}: '{key}' is no list")
    if not all(isinstance(step, dict) for step in info["skipped"]):
        raise RunError(f"{file}: 'skipped' holds what is no object")
    return info


def _planned_files(path: Path, plan: list[Any]) -> list[Path]:
    """Record files of the plan, none outside the run's folder: a run may come from anywhere."""
    files: dict[Path, int] = {}
    for number, step in enumerate(plan):
        name = step.get("file") if isinstance(step, dict) else None
        if not isinstance(name, str) or not name.isprintable() or Path(name).is_absolute() or ".." in Path(name).parts:
            raise RunError(f"{path / 'run.json'}: plan[{number}] names no file of this run")
        first = files.setdefault(path / name, number)
        if first != number:  # it would count as two records
            raise RunError(f"{path / 'run.json'}: plan[{number}] names the same file as plan[{first}]")
    return list(files)


def load(path: str | Path) -> Run:
    """Loads a run folder. Records that are missing or damaged are told in ``problems``; RunError if run.json is none."""
    path = Path(path)
    info = _read_info(path)
    records, problems, missing = [], [], 0
    for file in _planned_files(path, info["plan"]):
        try:
            records.append(read_record(file))
        except FileNotFoundError:
            missing += 1
        except (RecordError, OSError) as error:
            problems.append(str(error))
    if missing:
        though = ", though the run says that it is complete" if info["status"] == "complete" else f": the run is {info['status']}"
        problems.append(f"{missing} of {len(info['plan'])} planned records are not there{though}")
    return Run(path, info, tuple(records), tuple(problems))
