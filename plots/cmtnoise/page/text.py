"""Text and data that are safe to stand in the page: a record and run.json are untrusted input."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from cmtnoise.cli import printable

LONGEST = 4000  # characters of one text; boot parameters are the longest that are meant to be read
SENTENCE_LONGEST = 500  # of a warning or a remark
NAME_LONGEST = 60  # of a name that stands in a table, a legend or a list
# What could end a script element or begin another; JSON allows its escapes wherever these may stand.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


class Packed(str):
    """Base64 that this package wrote itself: not text to be cut."""


def shown(text: str, most: int = LONGEST) -> str:
    """The text without control characters, cut where it is too long to be shown."""
    if len(text) > most:
        return f"{printable(text[:most])}… ({len(text):,} characters)"
    return printable(text)


def name(text: str) -> str:
    return shown(text, NAME_LONGEST)


def sentence(text: str) -> str:
    return shown(text, SENTENCE_LONGEST)


def clean(data: Any) -> Any:
    """The data as JSON can hold it: texts as ``shown`` has them, a number that is none as null."""
    if isinstance(data, Packed):
        return data
    if isinstance(data, str):
        return shown(data)
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {shown(str(key)): clean(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [clean(value) for value in data]
    return data


def island(data: Any) -> Markup:
    """The data as JSON that can stand inside a script element of type application/json."""
    return Markup(json.dumps(clean(data), allow_nan=False, separators=(",", ":")).translate(_ESCAPES))


def microseconds(value: float) -> str:
    if not math.isfinite(value):
        return "-"
    return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.0f}"


def percent(share: float) -> str:
    if not math.isfinite(share):
        return "-"
    return "< 0.01" if 0 < share < 5e-5 else f"{100 * share:.2f}"


def hertz(value: float) -> str:
    return f"{value:,.2f}" if math.isfinite(value) else "-"
