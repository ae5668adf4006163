"""Tick configurations: what decides when and where an OS ticks, one file each in domains/tick (docs/tick.md).

A file sets some of: options of the OS kernel's build, boot parameters, settings at run time. It says how run.json's ``tick``
shows that it is in force. ``{strands}`` in it stands for the strands that are to be quiet, ``{others}`` for the rest.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cmtnoise.strands import strand_set

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_HERE = Path(__file__).resolve()
FOLDERS = (_HERE.parents[2] / "domains" / "tick", _HERE.parents[1] / "tick")  # of the source tree, of what is installed
_KEYS = ("description", "config", "parameters", "settings", "expect", "advice")
_WITHIN = ("nohz_full", "isolated", "rcu_nocbs")  # lists that must have the strands, and may have more


class TickError(Exception):
    """A file that is no tick configuration, or a name that has none; the text says which and what to do."""


@dataclass(frozen=True)
class Tick:
    """One tick configuration, or several of which the later wins. ``config`` maps options to values, without ``CONFIG_``;
    ``settings`` maps files below /proc and /sys to what is written there; ``expect`` maps keys of run.json's ``tick``."""

    name: str
    description: str
    config: Mapping[str, str] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    expect: Mapping[str, str] = field(default_factory=dict)
    advice: str = ""

    @property
    def of_strands(self) -> bool:
        """Whether it is for some strands alone."""
        return any("{strands}" in text for text in (*self.parameters, *self.settings.values(), *self.expect.values()))

    def filled(self, strands: str, others: str) -> Tick:
        """The same for these strands, both lists as the OS writes them."""

        def fill(text: str) -> str:
            return text.replace("{strands}", strands).replace("{others}", others)

        return replace(
            self,
            parameters=tuple(map(fill, self.parameters)),
            settings={key: fill(value) for key, value in self.settings.items()},
            expect={key: fill(value) for key, value in self.expect.items()},
        )

    def unmet(self, facts: Mapping[str, Any]) -> list[str]:
        """What of a filled one is not in force, a sentence each, by the ``tick`` of a run.json."""
        return [
            f"{key} is {_word(facts.get(key))}, not {want}" for key, want in self.expect.items() if not _holds(facts, key, want)
        ]


def _word(value: object) -> str:
    if value is None or value == "":
        return "not told"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _holds(facts: Mapping[str, Any], key: str, want: str) -> bool:
    value = _word(facts.get(key))
    if key in _WITHIN:
        return strand_set(want) <= strand_set(value)
    if key == "irq_affinity":
        return bool(strand_set(value)) and strand_set(value) <= strand_set(want)
    return value == want


def _pairs(path: Path, key: str, text: str) -> dict[str, str]:
    pairs = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not name or not equals or not value:
            raise TickError(f"{path}: {key}: {word!r} is no NAME=VALUE")
        pairs[name] = value
    return pairs


def _read(path: Path) -> Tick:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TickError(f"{path}: is no TOML: {error}") from None
    for key, value in values.items():
        if key not in _KEYS or not isinstance(value, str) or not value.isprintable():
            raise TickError(f"{path}: {key}: keys are {', '.join(_KEYS)}, each a line of text")
    if not values.get("description") or not any(values.get(key) for key in ("config", "parameters", "settings")):
        raise TickError(f"{path}: a tick configuration has a description and at least one of config, parameters, settings")
    maps = {key: _pairs(path, key, values.get(key, "")) for key in ("config", "settings", "expect")}
    parameters = tuple(values.get("parameters", "").split())
    return Tick(path.stem, values["description"], parameters=parameters, advice=values.get("advice", ""), **maps)


def folder() -> Path:
    return next((place for place in FOLDERS if place.is_dir()), FOLDERS[0])


def names() -> list[str]:
    """The tick configurations there are."""
    return sorted(path.stem for path in folder().glob("*.toml"))


def load(name: str) -> Tick:
    """The tick configuration of that name; TickError where there is none, or none that can be read."""
    if not re.fullmatch(r"[a-z0-9-]{1,40}", name) or name not in names():
        raise TickError(f"there is no tick configuration {name!r}; those of {folder()} are {', '.join(names()) or 'none'}")
    return _read(folder() / f"{name}.toml")


def merged(ticks: Iterable[Tick]) -> Tick:
    """All of them as one: where two set the same, the later."""
    chosen = list(ticks)
    config: dict[str, str] = {}
    settings: dict[str, str] = {}
    expect: dict[str, str] = {}
    for tick in chosen:
        config |= tick.config
        settings |= tick.settings
        expect |= tick.expect
    return Tick(
        "+".join(tick.name for tick in chosen),
        ", ".join(tick.description for tick in chosen),
        parameters=tuple(word for tick in chosen for word in tick.parameters),
        config=config,
        settings=settings,
        expect=expect,
    )
