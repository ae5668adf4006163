"""Duration of each repetition over time, strand by strand

The study's figure. Strands share one duration axis, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.figure import Figure

from cmtnoise.figures import _style
from cmtnoise.run import Run
from cmtnoise.stats import summarise

NAME = "strand"
ROWS_A_FIGURE = 4


def draw(run: Run, kernel: str) -> Iterator[tuple[str, Figure]]:
    """One figure for each four strands, a row each."""
    drawn = [(record, summarise(record)) for record in run.of_kernel(kernel)]
    top = _style.view_top(drawn)
    for first in range(0, len(drawn), ROWS_A_FIGURE):
        part = drawn[first : first + ROWS_A_FIGURE]
        figure = _style.new_figure(run, kernel, 9, 1.1 + 2.0 * len(part))
        for axes, (record, summary) in zip(figure.subplots(len(part), sharex=True, squeeze=False)[:, 0], part, strict=True):
            _style.scatter_durations(axes, record, summary, top)
            axes.set_title(
                f"strand {record.strand} (core {record.core}): baseline {summary.baseline_us:.1f} µs, "
                f"noise {100 * summary.noise_share:.2f} %",
                loc="left",
            )
            axes.set_ylabel("duration, µs")
        axes.set_xlabel("begin of the repetition, ms")
        strands = f"{part[0][0].strand}" if len(part) == 1 else f"{part[0][0].strand}-{part[-1][0].strand}"
        yield f"strands-{kernel}" if len(drawn) == len(part) else f"strands-{strands}-{kernel}", figure
