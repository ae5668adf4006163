"""How often a repetition is disturbed that much

The complementary distribution of the excess over the baseline, on logarithmic axes: rare and long disturbances show as
well as frequent and short ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.figure import Figure

from cmtnoise.figures import _style
from cmtnoise.run import Run
from cmtnoise.stats import summarise

NAME = "ccdf"
NAMED_MOST = 14
DASHES = ("-", "--", ":")


def draw(run: Run, kernel: str) -> Iterator[tuple[str, Figure]]:
    """One figure, a line for each strand; beyond NAMED_MOST only the noisiest are coloured and named."""
    drawn = [(record, summarise(record)) for record in run.of_kernel(kernel)]
    loudest = sorted(drawn, key=lambda pair: pair[1].noise_share, reverse=True)[:NAMED_MOST]
    named = {record.strand for record, _ in loudest}
    figure = _style.new_figure(run, kernel, 7, 4.6)
    axes = figure.subplots()
    number, disturbed = 0, False
    for record, summary in drawn:
        excess, share = _style.survival(record.duration_us() - summary.baseline_us)
        step = 1e6 / record.timer_hz
        shown = excess > step
        disturbed |= bool(shown.any())
        if record.strand not in named:
            axes.step(excess[shown], share[shown], where="post", color="#bbbbbb", lw=0.6, zorder=1)
            continue
        axes.step(
            excess[shown],
            share[shown],
            where="post",
            color=_style.COLOURS[number % len(_style.COLOURS)],
            ls=DASHES[number // len(_style.COLOURS) % len(DASHES)],
            lw=1.4,
            label=f"strand {record.strand}",
        )
        number += 1
    _style.logarithmic(axes, disturbed)
    axes.set_xlabel("excess over the baseline, µs")
    axes.set_ylabel("share of repetitions that reach it")
    axes.set_title("How often a repetition is disturbed that much", loc="left")
    title = f"noisiest {NAMED_MOST} of {len(drawn)}" if len(drawn) > NAMED_MOST else None
    axes.legend(frameon=False, fontsize=8, title=title, loc="center left", bbox_to_anchor=(1, 0.5))
    yield f"ccdf-{kernel}", figure
