"""The machine: a row for each core, a column for each of its strands

Small multiples of the study's figure, on common axes. On a machine with SMT a row shows what the strands of a core take
from each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.figure import Figure

from cmtnoise.figures import _style
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.stats import summarise

NAME = "machine"
PLACES_MOST = 256  # more cannot be told apart on one page


def layout(run: Run, records: list[Record]) -> list[list[Record | None]]:
    """Rows of places: a core's strands, None where one has no record; without SMT about as many columns as rows."""
    by_strand = {record.strand: record for record in records}
    cores: dict[tuple[int, int], set[int]] = {(r.package, r.core): set() for r in records}
    for record in records:
        cores[record.package, record.core].add(record.strand)
    for package, core, strand in run.places():
        if (package, core) in cores:
            cores[package, core].add(strand)
    if max(map(len, cores.values())) > 1:
        return [[by_strand.get(strand) for strand in sorted(cores[key])] for key in sorted(cores)]
    flat: list[Record | None] = [by_strand[min(cores[key])] for key in sorted(cores)]
    columns = len(flat) if len(flat) <= 4 else min(8, round(len(flat) ** 0.5))
    return [flat[i : i + columns] for i in range(0, len(flat), columns)]


def draw(run: Run, kernel: str) -> Iterator[tuple[str, Figure]]:
    """One figure; strands beyond PLACES_MOST are left out, and the title says so."""
    records = run.of_kernel(kernel)
    rows = layout(run, records[:PLACES_MOST])
    columns = max(map(len, rows))
    drawn = {record.strand: (record, summarise(record)) for row in rows for record in row if record}
    top = _style.view_top(drawn.values())
    figure = _style.new_figure(run, kernel, max(5.0, 1.0 + 2.6 * columns), 1.3 + 1.25 * len(rows))
    grid = figure.subplots(len(rows), columns, sharex=True, sharey=True, squeeze=False)
    smt = any(len({record.core for record in row if record}) < len(row) for row in rows)
    for line, row in zip(grid, rows, strict=True):
        for axes, record in zip(line, [*row, *[None] * (columns - len(row))], strict=True):
            if record is None:
                axes.set_axis_off()
                continue
            _style.scatter_durations(axes, *drawn[record.strand], top, small=True)
            place = f"strand {record.strand}" if smt else f"strand {record.strand}, core {record.core}"
            axes.set_title(place, fontsize=8, loc="left", pad=2)
            axes.tick_params(labelsize=7)
        core = next((record.core for record in row if record), None)
        line[0].set_ylabel(f"core {core}\nµs" if smt else "µs", fontsize=8)
    for axes in grid[-1]:
        axes.set_xlabel("ms", fontsize=8)
    left_out = f" (the first {PLACES_MOST} of {len(records)} strands)" if len(records) > PLACES_MOST else ""
    figure.suptitle(
        ("Rows are cores, columns their strands" if smt else "One strand a core") + left_out + ": duration over time",
        fontsize=10,
    )
    yield f"machine-{kernel}", figure
