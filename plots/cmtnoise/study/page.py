"""The page of the study: its statements against what the runs show, the figures, and what silicon alone can show."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from cmtnoise.analysis import analyse
from cmtnoise.page.facts import LABEL_WORDS, command_of
from cmtnoise.page.shell import own, policy, style, template
from cmtnoise.page.text import name, sentence
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.study.finding import AGREES, DIFFERS, NO_RUN, UNSHOWN
from cmtnoise.study.panels import CONTROLS, MAIN, SILICON, Panel, kernels, panels, speed, top_us
from cmtnoise.study.runs import Runs
from cmtnoise.study.show import counts, notes
from cmtnoise.study.statements import Judged

HERE = Path(__file__).parent
ACROSS, UP = 10_000, 1_000  # steps of a panel's own coordinates
DOTS_MOST = 4_000  # of a panel
CLASSES = {AGREES: "agrees", DIFFERS: "differs", UNSHOWN: "unshown", NO_RUN: "no-run"}
MARKS = {AGREES: "✓", DIFFERS: "≠", UNSHOWN: "–", NO_RUN: "…"}
BOUNDS = (
    (
        "Times",
        "An emulator counts instructions. What a tick costs in time depends on the pipeline, on caches that the handler finds "
        "cold, and on the other strands of the core.",
    ),
    (
        "Kernels that live off caches and memory",
        "The emulated machines have none: load_l1 and load_mem are loads that all take the same time.",
    ),
    (
        "Strands that share a core",
        "QEMU has no pipeline that strands could share. A run of several strands under it would show nothing of this.",
    ),
    (
        "The study's own systems",
        "Linux 2.6.22, Solaris 10 and Netra DPS 1.1 in logical domains are not run here, but a later Linux, and a runtime of "
        "this project's own.",
    ),
)


def _dots(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> Markup:
    """Points as a path of lines without length: round caps that keep their size at any width."""
    return Markup("".join(f"M{a} {b}h0" for a, b in zip(x.tolist(), y.tolist(), strict=True)))


def _chosen(record: Record, peaks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Repetitions that are drawn: peaks and an even sample of the others, so many that a browser can bear it."""
    keep = np.unique(np.linspace(0, record.duration_counts.size - 1, DOTS_MOST // 2).astype(np.intp))
    shown = peaks if peaks.size <= DOTS_MOST // 2 else peaks[np.linspace(0, peaks.size - 1, DOTS_MOST // 2).astype(np.intp)]
    return np.union1d(np.arange(record.duration_counts.size) if record.duration_counts.size <= DOTS_MOST else keep, shown)


def _panel(panel: Panel, low: float, top: float, span_ms: float) -> dict[str, Any]:
    record, peaks = panel.record, analyse(panel.record).peaks
    drawn = _chosen(record, peaks)
    duration = record.duration_us()[drawn]
    x = np.round(record.start_ms()[drawn] * (ACROSS / span_ms)).astype(int)
    y = np.clip(np.round((top - duration) * (UP / (top - low))), 0, UP).astype(int)
    peak = np.isin(drawn, peaks)
    above = int(np.count_nonzero(record.duration_us() > top))
    left_out = record.duration_counts.size - drawn.size
    return {
        "title": panel.title,
        "says": panel.says,
        "label": name(panel.run.label),
        "quiet": _dots(x[~peak], y[~peak]),
        "peaks": _dots(x[peak], y[peak]),
        "above": f"{above} above the view, up to {record.duration_us().max():,.0f} µs" if above else "",
        "left_out": f"{left_out:,} repetitions of {record.duration_counts.size:,} are left out of the drawing"
        if left_out
        else "",
    }


def _steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers between, at most so many."""
    span = high - low
    size = float(10 ** np.floor(np.log10(span / most)))
    step = next(size * factor for factor in (1, 2, 5, 10, 20) if span / (size * factor) <= most)
    return [float(step * k) for k in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)]


def _figure(shown: Sequence[Panel]) -> dict[str, Any]:
    """Panels on common axes; ``x_marks`` and ``y_marks`` are (text, share of the axis, position in the panel's coordinates)."""
    top = top_us(shown)
    low = min(float(np.quantile(panel.record.duration_us(), 0.001)) for panel in shown)
    low -= 0.08 * (top - low)
    span_ms = max(1e3 * panel.record.span_s() for panel in shown)
    across = [(f"{v:g}", v / span_ms) for v in _steps(0, span_ms, 6)]
    up = [(f"{v:g}", (top - v) / (top - low)) for v in _steps(low, top, 6)]
    return {
        "panels": [_panel(panel, low, top, span_ms) for panel in shown],
        "x_marks": [(text, round(100 * share, 2), round(ACROSS * share)) for text, share in across],
        "y_marks": [(text, round(100 * share, 2), round(UP * share)) for text, share in up],
    }


def _figures(runs: Runs, kernel: str) -> list[tuple[str, dict[str, Any]]]:
    titles = (("Linux, and no operating system", MAIN), ("The positive controls", CONTROLS), ("Silicon", SILICON))
    shown = [(title, panels(runs, names, kernel)) for title, names in titles]
    return [(title, _figure(found)) for title, found in shown if found]


def _row(one: Judged) -> dict[str, Any]:
    finding = one.finding
    return {
        "says": one.statement.says,
        "where": one.statement.where,
        "found": sentence(finding.found),
        "label": name(finding.label),
        "verdict": finding.verdict,
        "class": CLASSES[finding.verdict],
        "mark": MARKS[finding.verdict],
        "why": sentence(finding.why),
        "commands": one.commands,
    }


def _run_row(role: str, run: Run) -> dict[str, str]:
    return {
        "name": role,
        "label": name(run.label),
        "cpu": name(run.fact("host", "cpu")),
        "system": sentence(run.system()),
        "speed": speed(run),
        "command": command_of(run),
    }


def as_html(runs: Runs, judged: Sequence[Judged]) -> str:
    """The whole page: one file that asks for nothing."""
    script = Markup(own("theme.js"))
    used = sorted({label for run in runs.found.values() for label in [run.label]} | {"modelled"})
    return template("page.html.j2", HERE).render(
        policy=policy([script]),
        style=Markup(style(own("report.css"), own("page.css", HERE))),
        script=script,
        counts=counts(judged),
        labels=[(label, LABEL_WORDS.get(label, "")) for label in used],
        rows=[_row(one) for one in judged],
        figures=[(name(kernel), _figures(runs, kernel)) for kernel in kernels(runs)],
        bounds=BOUNDS,
        silicon=_silicon(judged),
        runs=[_run_row(role, run) for role, run in runs.found.items()],
        missing=[(role.words, role.make(runs.folder)) for role in runs.missing()],
        notes=[sentence(note) for note in notes(runs)],
        box=f"0 0 {ACROSS} {UP}",
        across=ACROSS,
        up=UP,
    )


def _silicon(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """What would show the statements that no emulator can: a command, and those that it decides."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in judged:
        for command in one.commands if one.finding.verdict != NO_RUN else ():
            found.setdefault(command, []).append(one.statement.says)
    return [{"before": before, "command": command, "decides": says} for (before, command), says in found.items()]
