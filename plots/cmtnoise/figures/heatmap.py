"""Noise of every kernel on every strand

Share of time above the baseline: a kernel that suffers more than the others presses on something that is shared.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from cmtnoise.cli import printable
from cmtnoise.figures import _style
from cmtnoise.run import Run
from cmtnoise.stats import summarise

NAME = "heatmap"
LEAST = 0.01  # percent; less is drawn like it
NUMBERED_MOST = 24  # strands up to which the cells hold numbers


def draw(run: Run, kernel: str) -> Iterator[tuple[str, Figure]]:
    """One figure over all kernels; a cell without a record stays empty."""
    percent = np.full((len(run.kernels), len(run.strands)), np.nan)
    row = {name: i for i, name in enumerate(run.kernels)}
    column = {strand: i for i, strand in enumerate(run.strands)}
    for record in run.records:
        percent[row[record.kernel], column[record.strand]] = 100 * summarise(record).noise_share
    numbered = len(run.strands) <= NUMBERED_MOST
    width = 2.6 + (0.62 * len(run.strands) if numbered else min(10, 0.12 * len(run.strands)))
    figure = _style.new_figure(run, None, max(5.2, width), 1.7 + 0.27 * len(run.kernels))
    axes = figure.subplots()
    # Noise spans orders of magnitude between a quiet strand and a busy one.
    top = max(float(np.nanmax(percent)), 10 * LEAST)
    scale = LogNorm(LEAST, top, clip=True)
    image = axes.imshow(percent, cmap="cividis", norm=scale, aspect="auto", interpolation="nearest")
    axes.grid(False)
    axes.set_yticks(range(len(run.kernels)), [printable(name) for name in run.kernels])
    every = -(-len(run.strands) // 20)  # labels that do not touch
    axes.set_xticks(range(0, len(run.strands), every), [str(strand) for strand in run.strands[::every]])
    axes.set_xlabel("strand")
    axes.set_title("Noise of every kernel on every strand", loc="left")
    if numbered:
        for (i, k), value in np.ndenumerate(percent):
            if not np.isnan(value):
                colour = "black" if scale(value) > 0.55 else "white"
                axes.text(k, i, f"{value:.2f}", ha="center", va="center", fontsize=7, color=colour)
    bar = figure.colorbar(image, ax=axes, extend="min", pad=0.02, format=lambda value, _: f"{value:g}")
    bar.ax.minorticks_off()
    bar.set_label("time above the baseline, %")
    yield "heatmap", figure
