"""Limits on a comparison, for use as a gate: ``noise>+10%`` fails when B loses over a tenth more time to noise than A."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from cmtnoise.comparison import METRICS, Comparison, Effect

_LIMIT = re.compile(r"([a-z][a-z0-9]*)([<>])([+-]?)([0-9]+(?:\.[0-9]+)?)(%?)")


@dataclass(frozen=True)
class Limit:
    """``metric`` in B against a number, above or below: a change as a share of A (``+10%``), a change in the metric's unit
    (``+0.5``), or the value itself (``2``; for noise, in per cent)."""

    text: str
    metric: str
    above: bool
    kind: str
    number: float

    def value(self, effect: Effect) -> float | None:
        if self.kind == "relative":
            return None if effect.relative is None else 100 * effect.relative
        return effect.change.value if self.kind == "change" else effect.b.value

    def broken(self, effect: Effect) -> bool:
        """Whether the limit is passed. A change also has to be shown: an interval that holds no change at all breaks none, but
        for a limit that wants a change (``noise>-10%``: B has to lose a tenth less)."""
        value = self.value(effect)
        if value is None:  # A is 0: any growth that is shown is more than any share
            return self.above and effect.shown and effect.change.value > 0
        passed = value > self.number if self.above else value < self.number
        wanted = self.number < 0 if self.above else self.number > 0
        return passed and (self.kind == "value" or wanted or effect.shown)


def parse_limit(text: str, metrics: Collection[str] = METRICS, example: str = "noise>+10%") -> Limit:
    """A limit such as ``noise>+10%``, ``cost>+2``, ``noise>1.5``; ValueError says what is wrong with it."""
    match = _LIMIT.fullmatch(text.replace(" ", ""))
    if not match:
        raise ValueError(f"{text!r} is no limit: write METRIC>+N% (a change), METRIC>+N or METRIC>N, such as {example!r}")
    metric, sign, plus, number, percent = match.groups()
    if metric not in metrics:
        raise ValueError(f"{text!r}: there is no metric {metric!r}; there are {', '.join(metrics)}")
    if percent and not plus:
        raise ValueError(f"{text!r}: a limit in % is a change: write {metric}{sign}+{number}% or {metric}{sign}-{number}%")
    kind = "relative" if percent else "change" if plus else "value"
    return Limit(text, metric, sign == ">", kind, float(f"{plus}{number}"))


def judge(limit: Limit, comparison: Comparison) -> str | None:
    """Why the limit is broken, None where it is not; ValueError where these runs do not have the metric."""
    effect = comparison.overall(limit.metric)
    if effect is None:
        raise ValueError(f"{limit.text!r} cannot be judged: these runs cannot be compared by {limit.metric}")
    if not limit.broken(effect):
        return None
    metric = METRICS[limit.metric]
    return (
        f"{limit.text}: {metric.title} is {effect.b.value:.4g} {metric.unit} in {comparison.b.path}, "
        f"{effect.a.value:.4g} {metric.unit} in {comparison.a.path}"
    )
