"""Runs over each other: noise of each strand with its interval, and how often a repetition is disturbed that much."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cmtnoise.analysis import peaks_of
from cmtnoise.cli import printable
from cmtnoise.comparison import Comparison, Pair
from cmtnoise.figures import _style
from cmtnoise.record import Record

NAMED_MOST = 24  # strands that are drawn side by side
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _title(letter: str, comparison: Comparison, first: bool) -> str:
    run = comparison.a if first else comparison.b
    name = run.path.resolve().name
    return printable(f"{letter}: {name if len(name) <= 60 else name[:57] + '...'} ({run.label})")


def _draw_noise(axes: Axes, comparisons: Sequence[Comparison]) -> None:
    effects = [[e for e in c.effects if e.metric == "noise"][: NAMED_MOST + 1] for c in comparisons]
    names = list(dict.fromkeys(effect.strand for part in effects for effect in part))  # a strand may be in some of the runs only
    runs = [{e.strand: e.a for part in effects for e in part}, *({e.strand: e.b for e in part} for part in effects)]
    for number, values in enumerate(runs):
        at = np.array([names.index(name) for name in values], np.float64)
        x = at + 0.5 * (number - (len(runs) - 1) / 2) / len(runs)
        y = np.array([value.value for value in values.values()])
        reach = np.array([[max(v.value - v.low, 0), max(v.high - v.value, 0)] for v in values.values()]).reshape(-1, 2).T
        axes.errorbar(x, y, reach, fmt="o", ms=4, capsize=2, lw=1.2, color=_style.COLOURS[number % len(_style.COLOURS)])
    axes.set_xticks(range(len(names)), ["all" if name == "all" else name for name in names])
    axes.set_xlabel("strand")
    axes.set_ylabel("time lost to noise, %, with its 95 % interval")
    axes.set_ylim(bottom=0)
    axes.grid(axis="x", visible=False)
    axes.set_title("Noise of each strand", loc="left")


def _excess(records: Sequence[Record]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    parts = [peaks_of(record).excess * (1e6 / record.timer_hz) for record in records]
    return np.sort(np.concatenate(parts))


def _draw_survival(axes: Axes, groups: Sequence[Sequence[Record]]) -> None:
    disturbed = False
    for number, records in enumerate(groups):
        excess = _excess(records)
        disturbed |= excess.size > 0
        total = sum(record.duration_counts.size for record in records)
        share = (excess.size - np.arange(excess.size)) / total
        colour, dashes = _style.COLOURS[number % len(_style.COLOURS)], ("-", "--", ":")[number % 3]
        axes.step(excess, share, where="post", lw=1.4, color=colour, ls=dashes)
    _style.logarithmic(axes, disturbed)
    axes.set_xlabel("excess over the baseline, µs")
    axes.set_ylabel("share of repetitions that reach it")
    axes.set_title("How often a repetition is disturbed that much", loc="left")


def draw(comparisons: Sequence[Comparison]) -> Figure:
    """One figure for the runs A, B, C ... of comparisons that share their A."""
    figure = Figure(figsize=(10, 4.8))
    noise, survival = figure.subplots(1, 2)
    _draw_noise(noise, comparisons)
    pairs: list[tuple[Pair, ...]] = [comparison.pairs for comparison in comparisons]
    groups = [[r for pair in pairs[0] for r in pair.a], *([r for pair in part for r in pair.b] for part in pairs)]
    _draw_survival(survival, groups)
    titles = [_title("A", comparisons[0], True)]
    titles += [_title(LETTERS[(i + 1) % 26], comparison, False) for i, comparison in enumerate(comparisons)]
    handles = [
        noise.plot([], [], marker="o", color=_style.COLOURS[i % len(_style.COLOURS)], ls=("-", "--", ":")[i % 3])[0]
        for i in range(len(titles))
    ]
    figure.legend(handles, titles, loc="outside lower center", frameon=False, fontsize=8, ncols=1)
    return figure
