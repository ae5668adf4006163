"""The look that figures share: colours, provenance, and a view that one outlier cannot flatten."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cmtnoise.cli import printable
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.stats import Summary

# Okabe and Ito's palette, which colour-blind readers can tell apart, without its yellow.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
CHARACTERS_AN_INCH = 17  # of the provenance, in its size
QUIET, PEAK, GRID = "#0072B2", "#D55E00", "#dddddd"

mpl.use("Agg")
mpl.rcParams.update(
    {
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "text.parse_math": False,  # a record's text is shown, never interpreted
        "svg.hashsalt": "cmtnoise",
        "svg.fonttype": "none",
        "figure.constrained_layout.use": True,
    }
)


def provenance(run: Run, kernel: str | None) -> str:
    """One line that says where a figure's numbers are from."""
    quantum = run.fact("options", "quantum_ns")
    where = [run.label, run.fact("host", "name"), run.fact("host", "cpu"), run.system()]
    how = [
        f"kernel {kernel}" if kernel else "",
        f"{run.fact('options', 'repetitions')} repetitions",
        f"quantum {int(quantum) / 1000:g} µs" if quantum.isdigit() else "",
        str(run.info.get("started", ""))[:19] + " UTC",
        f"cmtnoise {run.fact('tool', 'version')}",
    ]
    return printable(", ".join(filter(None, [*where, *how])))


def new_figure(run: Run, kernel: str | None, width: float, height: float) -> Figure:
    """An empty figure, sizes in inches, with its provenance at the foot."""
    figure = Figure(figsize=(width, height))
    lines = textwrap.wrap(provenance(run, kernel), int(CHARACTERS_AN_INCH * width))
    figure.supxlabel("\n".join(lines), fontsize=7, color="#555555")
    return figure


def view_top(records: Iterable[tuple[Record, Summary]]) -> float:
    """Upper end of a duration axis in µs that shows all but the rarest repetitions.

    One stall of milliseconds would flatten every tick peak. Ticks at 250 Hz hit one repetition in forty: the view reaches twice
    as high above the baseline as the 98th percentile, and to the maximum where that is not far.
    """
    tops = []
    for record, summary in records:
        high = float(np.quantile(record.duration_us(), 0.98))
        reach = summary.baseline_us + 2 * max(high - summary.baseline_us, 0.02 * summary.baseline_us)
        tops.append(min(reach, summary.max_us + 0.05 * (summary.max_us - summary.baseline_us)))
    return max(tops)


def scatter_durations(axes: Axes, record: Record, summary: Summary, top: float, small: bool = False) -> None:
    """The study's figure: x, begin of each repetition in ms; y, its duration in µs; what exceeds the view at its edge."""
    x, y = record.start_ms(), record.duration_us()
    size = 9 if x.size <= 2000 else 4
    above = y > top
    for part, colour in ((~above & (y <= summary.threshold_us), QUIET), (~above & (y > summary.threshold_us), PEAK)):
        axes.scatter(x[part], y[part], s=size, color=colour, linewidths=0, rasterized=x.size > 20000)
    if above.any():
        axes.scatter(x[above], np.full(int(above.sum()), top), s=22, marker="^", color=PEAK, clip_on=False, linewidths=0)
        axes.annotate(
            f"▲ {int(above.sum())}, up to {y.max():,.0f} µs" if small else f"▲ {int(above.sum())} above, up to {y.max():,.0f} µs",
            (1, 1),
            xycoords="axes fraction",
            ha="right",
            va="bottom",
            fontsize=7,
            color=PEAK,
        )
    low = float(np.quantile(y, 0.001))
    axes.set_ylim(low - 0.06 * (top - low), top)
    axes.set_xlim(0, float(x[-1] + y[-1] / 1e3))


def survival(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sorted values, and for each the share of values that reach it or more."""
    ordered = np.sort(values)
    return ordered, 1 - np.arange(ordered.size) / ordered.size


def logarithmic(axes: Axes, drawn: bool) -> None:
    """Both axes logarithmic; where nothing was drawn that is said instead, an empty logarithmic axis is an error."""
    if not drawn:
        axes.text(0.5, 0.5, "no repetition is disturbed", transform=axes.transAxes, ha="center")
        return
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):  # the default labels are mathematics, which is switched off
        axis.set_major_formatter(lambda value, _: f"{value:g}")
