"""A lab as one page that needs nothing else: no network, no script, no other file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from cmtnoise.counted import WHY
from cmtnoise.lab import show
from cmtnoise.lab.strips import scale_of, strip_of
from cmtnoise.lab.table import Row, Table
from cmtnoise.page.shell import own, policy, style, template

HERE = Path(__file__).parent
LEFT = ("configuration", "kernel")


def _counted(rows: list[Row]) -> list[dict[str, Any]]:
    """Strands that are judged by the OS's count, each with a bar."""
    most = max((row.counted_hz or 0 for row in rows), default=0) or 1
    return [
        {
            "name": f"{row.configuration}, {row.kernel}",
            "strand": row.strand,
            "counted": show.number(row.counted_hz, 1),
            "percent": round(100 * (row.counted_hz or 0) / most, 2),
        }
        for row in rows
    ]


def as_html(table: Table) -> str:
    """The whole page. Raises OSError where the package's own files cannot be read."""
    exact = [row for row in table.rows if row.exact]
    scale = scale_of(table)
    one_kernel = len({row.kernel for row in exact}) < 2
    heads = show.heads(table)
    return template("page.html.j2", HERE).render(
        policy=policy(),
        style=Markup(style(own("page.css", HERE))),
        heading=show.configurations(table).replace(" ", " tick ", 1),
        labels=" and ".join(dict.fromkeys(row.label for row in table.rows)),
        about=show.about(table),
        scale=scale,
        strips=[strip_of(row, scale, one_kernel) for row in exact],
        counted=_counted([row for row in table.rows if not row.exact]),
        why_counts=WHY,
        heads=[(head, "left" if head in LEFT else "") for head in heads],
        rows=[
            list(zip(show.cells(table, row), ["left" if head in LEFT else "" for head in heads], strict=True))
            for row in table.rows
        ],
        remarks=show.remarks(table, first_told=True),
        first=table.lab.configurations[0],
        folder=str(table.lab.path),
        written=str(table.lab.info.get("written", "")),
    )
