"""The study's figure: the duration of each repetition over time, one system below the other, on common axes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cmtnoise.cli import printable
from cmtnoise.figures import _style
from cmtnoise.stats import summarise
from cmtnoise.study_panels import Panel, speed, top_us

WIDTH = 9.0
LINES_MOST = 5


def _foot(shown: Sequence[Panel], kernel: str) -> str:
    """Where the figure's numbers are from: label, loop, and of each machine its CPU and how its clock goes."""
    labels = ", ".join(dict.fromkeys(panel.record.label for panel in shown))
    first = shown[0].record
    text = [f"{labels}: kernel {kernel}, {first.duration_counts.size:,} repetitions of {first.quantum_ns / 1e3:g} µs"]
    machines = dict.fromkeys(f"{p.run.fact('host', 'cpu') or 'CPU unknown'}, {p.run.system()}: {speed(p.run)}" for p in shown)
    width = int(_style.CHARACTERS_AN_INCH * WIDTH)
    lines = [line for part in [*text, *machines] for line in textwrap.wrap(printable(part), width)[:2]]
    return "\n".join(lines[: LINES_MOST + 1])


def draw(shown: Sequence[Panel], kernel: str) -> Figure:
    """One figure of at least one panel."""
    figure = Figure(figsize=(WIDTH, 1.45 + 1.7 * len(shown)))
    figure.supxlabel(_foot(shown, kernel), fontsize=7, color="#555555")
    top = top_us(shown)
    grid = figure.subplots(len(shown), sharex=True, sharey=True, squeeze=False)[:, 0]
    lows = []
    for axes, panel in zip(grid, shown, strict=True):
        _style.scatter_durations(axes, panel.record, summarise(panel.record), top)
        axes.set_title(printable(f"{panel.title}: {panel.says}"), loc="left")
        axes.set_ylabel("duration, µs")
        lows.append(axes.get_ylim()[0])
    grid[0].set_ylim(min(lows), top)
    grid[0].set_xlim(0, max(float(p.record.span_s()) for p in shown) * 1e3)
    grid[-1].set_xlabel("begin of the repetition, ms")
    marks = [Line2D([], [], marker="o", ls="", ms=4, color=c) for c in (_style.QUIET, _style.PEAK)]
    figure.legend(marks, ["undisturbed", "disturbed"], loc="outside upper right", frameon=False, fontsize=8, ncols=2)
    return figure
