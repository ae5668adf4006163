"""What a run says of itself, in words: where it was measured, the tick configuration, provenance."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Sequence
from typing import Any

from cmtnoise.counted import by_counts
from cmtnoise.page.text import name, sentence, shown
from cmtnoise.report import remarks
from cmtnoise.run import Run
from cmtnoise.verdict import Verdict

LABEL_WORDS = {
    "measured": "a real processor under a real operating system",
    "virtualised": "a real processor under a hypervisor, whose own scheduling adds noise that this operating system cannot see",
    "emulated": "an emulator: the figures are instruction counts, not time",
    "modelled": "computed, not measured",
}
UNCOUNTED = "an emulator that did not count instructions: the times are its own, and its host's"
TICK_WORDS = {
    "hz": "rate, Hz",
    "mode": "mode",
    "preemption": "preemption model",
    "nohz_full": "strands without a tick (nohz_full)",
    "isolated": "isolated strands",
    "rcu_nocbs": "strands without RCU callbacks",
    "irq_affinity": "strands that take interrupts by default",
    "workqueue_affinity": "strands that take deferred work (workqueues)",
    "clocksource": "clock source",
    "tuned_profile": "profile of tuned",
    "timer_migration": "timers move from idle strands to busy ones",
    "high_resolution": "high-resolution timers",
    "threadirqs": "interrupt handlers run as threads",
    "skew_tick": "strands tick at different moments",
}
KIND_WORDS = {
    "ticks": ("ticks", "tick"),
    "slowed": ("is slowed, not stopped", "are slowed, not stopped"),
    "periodic": ("is disturbed periodically", "are disturbed periodically"),
    "noisy": ("is noisy", "are noisy"),
    "quiet": ("is quiet", "are quiet"),
    "stopped": ("has its tick stopped", "have their tick stopped"),
    "untold": ("cannot be judged", "cannot be judged"),
}
OS_KEYS = ("os", "os_release", "os_version", "machine")
SAID_MOST = 5  # verdicts in the headline
REMARKS_MOST = 200
UNTOLD = "the OS does not say"


def _text(value: Any) -> str:
    """A value of run.json, whatever its type, as text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str | int | float) else json.dumps(value)


def label_words(run: Run) -> str:
    """What the run's label means, "" for a label that is none."""
    return UNCOUNTED if by_counts(run) else LABEL_WORDS.get(run.label, "")


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def where(run: Run) -> str:
    """The run in one line."""
    parts = [
        run.fact("host", "cpu"),
        run.system(),
        _number(len(run.strands), "strand") + ", " + _number(len(run.kernels), "kernel"),
        str(run.info.get("started", ""))[:19].replace("T", " ") + " UTC",
    ]
    return ", ".join(shown(part, 200) for part in parts if part)


def tick_rows(run: Run) -> list[tuple[str, str]]:
    """The tick configuration, key for key; keys that are not known here are shown as they are."""
    tick = run.info["tick"]
    return [(TICK_WORDS.get(key, key), _text(value) or UNTOLD) for key, value in tick.items()]


def command_of(run: Run) -> str:
    command = run.info.get("command")
    return shlex.join(map(_text, command)) if isinstance(command, list) else _text(command)


def _options(run: Run) -> str:
    options = run.info.get("options")
    return "; ".join(f"{key} {_text(value)}" for key, value in options.items()) if isinstance(options, dict) else ""


def _causes(run: Run) -> str:
    """Where the causes came from, and why from nothing better."""
    source, clock, reason = (run.fact("causes", key) for key in ("source", "clock", "reason"))
    return "; ".join(filter(None, [source, f"clock {clock}" if clock else "", reason]))


def provenance_rows(run: Run) -> list[tuple[str, str]]:
    """Everything that tells where the figures are from; what the run does not say is left out."""
    memory = run.fact("host", "memory_bytes")
    rows = [
        ("label", ": ".join(filter(None, (run.label, label_words(run))))),
        ("host", run.fact("host", "name")),
        ("processor", run.fact("host", "cpu")),
        ("hypervisor", run.fact("host", "hypervisor")),
        ("memory", f"{int(memory) / 2**30:.1f} GiB" if memory.isdecimal() and len(memory) < 20 else memory),
        ("operating system", " ".join(filter(None, (run.fact("host", key) for key in OS_KEYS)))),
        ("boot parameters", run.fact("host", "boot_parameters")),
        ("timer", run.fact("timer", "name")),
        ("timer rate, Hz", run.fact("timer", "hz")),
        ("timer step, counts", run.fact("timer", "step_counts")),
        ("skew between strands, ns", run.fact("timer", "skew_ns")),
        ("topology from", run.fact("topology", "source")),
        ("causes from", _causes(run)),
        ("tool", f"{run.fact('tool', 'name')} {run.fact('tool', 'version')}".strip()),
        ("commit", run.fact("tool", "commit")),
        ("compiler", f"{run.fact('tool', 'compiler')} {run.fact('tool', 'cflags')}".strip()),
        ("command", command_of(run)),
        ("options", _options(run)),
        ("started", _text(run.info.get("started"))),
        ("finished", _text(run.info.get("finished"))),
        ("status", run.status),
    ]
    return [(key, value) for key, value in rows if value]


def counts_in_words(found: Sequence[Verdict]) -> str:
    """How many strands tick, are slowed, noisy, quiet."""
    kinds = Counter(verdict.kind for verdict in found)
    parts = []
    for kind in [*KIND_WORDS, *sorted(set(kinds) - set(KIND_WORDS))]:
        if kinds[kind]:
            one, many = KIND_WORDS.get(kind, (kind, kind))
            parts.append(f"{kinds[kind]} {one if kinds[kind] == 1 else many}")
    return f"Of {_number(len(found), 'strand')}: {', '.join(parts)}." if found else "There are no records to judge."


def strongest(found: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts to read first: where OS and measurement disagree, then what ticks, is slowed, is noisy."""
    order = {kind: rank for rank, kind in enumerate(KIND_WORDS)}
    ranked = sorted(found, key=lambda v: (not v.disagreements, order.get(v.kind, len(order)), v.strand))
    return ranked[:SAID_MOST]


def said(run: Run, problems: Sequence[str]) -> list[str]:
    """Warnings and remarks, as the table of the run has them, and the problems of making the page."""
    lines = [*remarks(run), *problems]
    rest = [f"and {len(lines) - REMARKS_MOST} more"] if len(lines) > REMARKS_MOST else []
    return [sentence(line) for line in lines[:REMARKS_MOST]] + rest


def heading(run: Run) -> str:
    return f"OS noise on {name(run.fact('host', 'name') or 'an unnamed host')}"
