"""The table as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from cmtnoise.cli import printable
from cmtnoise.lab.table import METRICS, Row, Table
from cmtnoise.readings import in_words

JSON_VERSION = 1


def number(value: float | None, digits: int = 0) -> str:
    """Whole instructions where they are whole; "-" for none."""
    if value is None:
        return "-"
    return f"{value:,.{digits}f}" if digits or not float(value).is_integer() else f"{value:,.0f}"


def per_tick(value: float | None, step: float) -> str:
    """Instructions, to what the timer can tell apart."""
    return "-" if value is None else f"{round(value):,}" if step != 1 or value == round(value) else f"{value:,.1f}"


def change(row: Row, first: Row | None, metric: str) -> tuple[float, float | None] | None:
    """The metric's value less that in the first configuration, and as a share of that; None where either has none."""
    here, there = row.value(metric), first.value(metric) if first else None
    if here is None or there is None:
        return None
    return here - there, (here - there) / there if there else None


def _signed(value: float, step: float) -> str:
    return "0" if value == 0 else f"{'+' if value > 0 else '-'}{per_tick(abs(value), step)}"


def against(table: Table, row: Row) -> str:
    """The change in instructions per tick, in words."""
    found = change(row, table.first(row), "instructions")
    if found is None:
        return "-"
    absolute, relative = found
    return _signed(absolute, row.step) + ("" if relative is None else f" ({100 * relative:+.1f} %)")


def rounds(row: Row) -> str:
    if row.identical is None:
        return "-"
    return f"{row.rounds} of {row.rounds}" if row.identical else "NO"


def counted(row: Row) -> str:
    """What the OS counted, and of how many ticks, where that is known."""
    if row.counted is None or row.countable is None:
        return "-" if row.counted is None else str(row.counted)
    return f"{row.counted} of {in_words(row.countable)}"


def _strands_shown(table: Table) -> bool:
    return any(row.strand for row in table.rows)


def heads(table: Table) -> list[str]:
    return [
        "configuration",
        "kernel",
        *(["strand"] if _strands_shown(table) else []),
        "ticks/s",
        "OS says",
        "instr/tick",
        "against the first",
        "p95",
        "most",
        "share %",
        "due",
        "found",
        "OS counted",
        "gaps",
        "same",
    ]


def cells(table: Table, row: Row) -> list[str]:
    return [
        printable(row.configuration),
        printable(row.kernel),
        *([str(row.strand)] if _strands_shown(table) else []),
        number(row.value("ticks"), 1),
        str(row.os_hz) if row.os_hz else "-",
        per_tick(row.instructions, row.step),
        against(table, row),
        *(per_tick(value, row.step) for value in (row.p95, row.most)),
        number(row.value("share"), 4),
        str(row.due) if row.exact else "-",
        str(row.found) if row.exact else "-",
        counted(row),
        str(len(row.gaps)) if row.exact else "-",
        rounds(row),
    ]


def _rate(table: Table) -> str:
    """What shares are of, in words."""
    own = sorted({cost.speed_hz for row in table.rows for cost in row.costs if cost.speed_hz})
    if table.rate:
        return f"{table.rate:g} instructions a second"
    return f"{own[0]:g} instructions a second, the runs' own rate" if len(own) == 1 else "each run's own rate"


def about(table: Table) -> str:
    """What the figures are, "" where nothing is told in instructions."""
    if not any(row.exact for row in table.rows):
        return ""
    return f"a tick's path in instructions, not its time; share of the time at {_rate(table)}"


def configurations(table: Table) -> str:
    count = len(table.lab.configurations)
    return f"{count} configuration{'' if count == 1 else 's'}"


def title(table: Table) -> str:
    """The line above the table: label, what was run, what a share is of."""
    labels = " and ".join(dict.fromkeys(row.label for row in table.rows)) or "nothing finished yet"
    return f"{labels}: {', '.join(filter(None, [configurations(table), about(table)]))}"


def remarks(table: Table, first_told: bool = False) -> list[str]:
    """What stands below the table; ``first_told`` where it is said elsewhere what the others are held against."""
    first = table.lab.configurations[0]
    said = [f"the first is {first}"] if len(table.lab.configurations) > 1 and not first_told else []
    return list(dict.fromkeys(printable(line) for line in (*said, *table.missing, *table.notes)))


LEFT = ("configuration", "kernel")


def as_text(table: Table) -> str:
    names = heads(table)
    rows = [names, *(cells(table, row) for row in table.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(names))]
    lines = [title(table), ""]
    for row in rows:
        words = [
            cell.ljust(width) if name in LEFT else cell.rjust(width) for cell, width, name in zip(row, widths, names, strict=True)
        ]
        lines.append("  ".join(words).rstrip())
    lines += ["", *(f"note: {note}" for note in remarks(table))]
    return "\n".join(lines).rstrip() + "\n"


def as_markdown(table: Table) -> str:
    def line(words: Sequence[str]) -> str:
        return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |"

    names = heads(table)
    rule = ["---" if name in LEFT else "---:" for name in names]
    lines = [title(table), "", line(names), line(rule), *(line(cells(table, row)) for row in table.rows)]
    return "\n".join([*lines, "", *(f"- {note}" for note in remarks(table))]).rstrip() + "\n"


def _changes(table: Table, row: Row) -> dict[str, object] | None:
    first = table.first(row)
    if first is None:
        return None
    found = {name: change(row, first, name) for name in METRICS}
    return {name: None if pair is None else {"absolute": pair[0], "relative": pair[1]} for name, pair in found.items()}


def _row(table: Table, row: Row) -> dict[str, object]:
    return {
        "configuration": row.configuration,
        "kernel": row.kernel,
        "strand": row.strand,
        "label": row.label,
        "method": "instructions" if row.exact else "counts",
        "rounds": row.rounds,
        "identical": row.identical,
        "os_hz": row.os_hz or None,
        "ticks_hz": row.value("ticks"),
        "counted_hz": row.counted_hz,
        "instructions_median": row.instructions,
        "instructions_p95": row.p95,
        "instructions_most": row.most,
        "instructions_step": row.step if row.exact else None,
        "share_percent": row.value("share"),
        "due": row.due if row.exact else None,
        "found": row.found if row.exact else None,
        "missed": row.missed if row.exact else None,
        "counted": row.counted,
        "counted_due": list(row.countable) if row.countable else None,
        "gap_periods": list(row.gaps),
        "against_first": _changes(table, row),
    }


def as_json(table: Table) -> str:
    told = [
        {"configuration": c.configuration, "round": c.round, "folder": c.folder, "status": c.status, "reason": c.reason or None}
        for c in table.lab.cells
    ]
    out = {
        "lab_table_version": JSON_VERSION,
        "lab": str(table.lab.path),
        "status": table.lab.status,
        "first": table.lab.configurations[0],
        "rate": table.rate,
        "rows": [_row(table, row) for row in table.rows],
        "cells": told,
        "notes": remarks(table),
    }
    return json.dumps(out, indent=2) + "\n"


FORMATS: dict[str, Callable[[Table], str]] = {"text": as_text, "md": as_markdown, "json": as_json}
