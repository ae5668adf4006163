"""Limits on a lab, for use as a gate: ``instructions>+5%`` fails when a configuration's tick is over a twentieth longer than the
first one's. Under instruction counting every difference is real, however small."""

from __future__ import annotations

from cmtnoise.analysis import Interval
from cmtnoise.comparison import Effect
from cmtnoise.gate import Limit, parse_limit
from cmtnoise.lab.table import METRICS, Row, Table


def parse(text: str) -> Limit:
    """A limit on one of METRICS; ValueError says what is wrong with it."""
    return parse_limit(text, METRICS, "instructions>+5%")


def _exactly(value: float) -> Interval:
    return Interval(value, value, value)


def _effect(metric: str, row: Row, here: float, there: float) -> Effect:
    relative = (here - there) / there if there else None
    return Effect(metric, str(row.strand), _exactly(there), _exactly(here), _exactly(here - there), relative)


def _name(row: Row) -> str:
    return f"{row.configuration} {row.kernel}" + (f" on strand {row.strand}" if row.strand else "")


def _judged(table: Table, limit: Limit) -> list[Row]:
    """Rows that a limit is of: a change is held against the first configuration, a value is anybody's."""
    first = table.lab.configurations[0]
    return [row for row in table.rows if limit.kind == "value" or row.configuration != first]


def broken(table: Table, limit: Limit) -> tuple[list[str], list[str]]:
    """What breaks the limit, and rows that it says nothing of. A row that ought to have the metric and has none breaks it: a gate
    must not open because a tick was lost."""
    metric, told, beside = METRICS[limit.metric], [], []
    for row in _judged(table, limit):
        first = table.first(row) or row
        here, there = row.value(limit.metric), first.value(limit.metric)
        if here is None and (row.tickless or not row.exact):
            why = "it has no tick" if row.tickless else "its instructions were not counted"
            beside.append(f"{limit.text} says nothing of {_name(row)}: {why}")
        elif here is None:
            told.append(f"{limit.text} cannot be judged for {_name(row)}: no tick was found there")
        elif limit.kind != "value" and (there is None or table.first(row) is None):
            told.append(f"{limit.text} cannot be judged for {_name(row)}: {table.lab.configurations[0]} has no such figure")
        elif limit.broken(_effect(limit.metric, row, here, here if there is None else there)):
            against = "" if there is None or row is first else f", {there:.6g} in {first.configuration}"
            told.append(f"{limit.text}: {metric.title} is {here:.6g} {metric.unit} in {_name(row)}{against}")
    return told, beside
