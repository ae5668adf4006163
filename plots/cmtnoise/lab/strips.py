"""The page's figures: stems in drawings that stretch to any width, with their scales and words beside them as text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from cmtnoise.lab.cost import TickCost, excess_instructions
from cmtnoise.lab.show import per_tick
from cmtnoise.lab.table import Row, Table

Floats = NDArray[np.float64]

WIDTH, HEIGHT = 1000, 100
BINS_MOST = 240  # of a distribution: more stand closer than a screen shows
STEMS_MOST = 1500  # of one panel; the longest are drawn
ROOM = 1.15
NICE = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Strip:
    """One row of the page. ``spread`` is how many ticks took how many instructions, ``course`` what came when, ``folded``
    the same over the time modulo the period; ``beyond`` tells of what the scale does not reach."""

    row: Row
    name: str
    median: str
    spread: Markup
    course: Markup
    folded: Markup
    beyond: str
    span: str
    period: str


@dataclass(frozen=True)
class Scale:
    """From 0 to ``top`` instructions; ``marks`` are places in per cent and their words."""

    top: float
    marks: tuple[tuple[float, str], ...]


def scale_of(table: Table) -> Scale:
    """One scale for all, that shows every configuration's usual ticks: beyond the 95th percentiles, or twice the highest median
    where that is less, there are outliers, which are told."""
    rows = [row for row in table.rows if row.instructions]
    if not rows:
        return Scale(1.0, ())
    usual = max(row.instructions or 0 for row in rows)
    top = ROOM * min(max(row.p95 or 0 for row in rows), 2 * usual)
    rough = top / 5
    size = 10.0 ** np.floor(np.log10(rough))
    step = next(size * nice for nice in NICE if size * nice >= rough)
    marks = [(float(100 * at / top), f"{at:,.0f}") for at in np.arange(0, 0.96 * top, step)]
    return Scale(float(top), tuple(marks))


def _drawing(lines: list[str], words: str) -> Markup:
    body = "".join(lines)
    return Markup(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" aria-label="{{}}">{{}}</svg>'
    ).format(words, Markup(body))


def _stem(x: float, height: float, kind: str, words: str = "") -> str:
    title = f"<title>{words}</title>" if words else ""
    return f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{HEIGHT}" y2="{HEIGHT - height:.1f}">{title}</line>'


def _spread(paths: Floats, top: float) -> list[str]:
    """As high as there are ticks, by the root: one tick still shows beside thousands."""
    inside = paths[paths <= top]
    width = max(1.0, top / BINS_MOST)
    values, counts = np.unique(np.floor(inside / width) * width, return_counts=True)
    most = counts.max() if counts.size else 1
    return [
        _stem(WIDTH * (value + width / 2) / top, HEIGHT * float(np.sqrt(count / most)), "tick", f"{value:,.0f}: {count:,} ticks")
        for value, count in zip(values.tolist(), counts.tolist(), strict=True)
    ]


def _stems(x: Floats, excess: Floats, ticks: NDArray[np.bool_], top: float) -> list[str]:
    """A stem for each repetition that was disturbed; ``x`` from 0 to 1."""
    order = np.argsort(-excess, kind="stable")[:STEMS_MOST]
    kinds = np.where(excess > top, "beyond", np.where(ticks, "tick", "other"))
    return [_stem(WIDTH * float(x[i]), HEIGHT * min(1.0, float(excess[i]) / top), str(kinds[i])) for i in sorted(order.tolist())]


def _panels(cost: TickCost, excess: Floats, top: float) -> tuple[list[str], list[str]]:
    """Along the record, and folded at the tick's period."""
    record = cost.record
    at_s = (record.start_counts + record.duration_counts // 2).astype(np.float64) / record.timer_hz
    disturbed = np.flatnonzero(excess > max(2 * cost.step, 1e-3 * top))
    is_tick = np.isin(disturbed, cost.source.peaks) if cost.source else np.zeros(disturbed.size, bool)
    along = _stems(at_s[disturbed] / record.span_s(), excess[disturbed], is_tick, top)
    if cost.source is None:
        return along, []
    turns = (at_s[disturbed] - cost.source.phase_s) * cost.source.rate_hz + 0.25  # ticks stand at a quarter, clear of the edges
    return along, _stems(turns % 1.0, excess[disturbed], is_tick, top)


def _beyond(row: Row, paths: Floats, top: float) -> str:
    count = int(np.count_nonzero(paths > top))
    return f"{count} of {paths.size} longer, up to {per_tick(row.most, row.step)}" if count else ""


def strip_of(row: Row, scale: Scale, one_kernel: bool) -> Strip:
    """The row's figures; of several rounds the first one's course."""
    cost = row.costs[0]
    paths = np.array([path for c in row.costs if c.instructions is not None for path in c.instructions])
    name = row.configuration + ("" if one_kernel else f", {row.kernel}") + (f", strand {row.strand}" if row.strand else "")
    along, folded = _panels(cost, excess_instructions(cost), scale.top)
    period_s = 1 / cost.rate_hz if cost.rate_hz else 0
    median = per_tick(row.instructions, row.step)
    return Strip(
        row=row,
        name=name,
        median=median if paths.size else "no tick",
        spread=_drawing(_spread(paths, scale.top), f"{name}: instructions of {paths.size} ticks, median {median}"),
        course=_drawing(along, f"{name}: each disturbed repetition along the record"),
        folded=_drawing(folded, f"{name}: the same over one period of the tick"),
        beyond=_beyond(row, paths, scale.top),
        span=f"{1e3 * cost.record.span_s():,.0f} ms",
        period=f"{1e3 * period_s:,.3g} ms" if period_s else "",
    )
