"""Recipes of whole runs: a TOML file that says what each strand of a modelled machine suffers (docs/known-noise.md)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from cmtnoise.run import RunError
from cmtnoise.strands import strand_set
from cmtnoise.synthetic import Bursts, Recipe, Tick

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

STRANDS_MOST = 1024
REPETITIONS_MOST = 10**8
SEED = 1
_SOURCES = {"ticks": Tick, "bursts": Bursts}
_HOST = ("name", "os", "os_release", "cpu")


@dataclass(frozen=True)
class Machine:
    """What is modelled: ``cores`` cores of ``strands_a_core`` strands, strands numbered core by core, a recipe for each.

    ``host`` and ``tick`` are members of run.json; ``text`` is the file as it was read.
    """

    cores: int
    strands_a_core: int
    recipes: tuple[Recipe, ...]
    seed: int
    host: Mapping[str, str]
    tick: Mapping[str, object]
    text: str


class _Reader:
    """Takes keys out of a table, so that what is left at the end is what nobody knows."""

    def __init__(self, path: Path, values: Mapping[str, Any], where: str = "") -> None:
        self.path, self.values, self.where = path, dict(values), where

    def fault(self, key: str, text: str) -> RunError:
        return RunError(f"{self.path}: {self.where}{key}: {text}")

    def count(self, key: str, default: int, most: int = REPETITIONS_MOST) -> int:
        value = self.values.pop(key, default)
        if type(value) is not int or not 1 <= value <= most:
            raise self.fault(key, f"wants a whole number from 1 to {most}; got {value!r}")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self.values.pop(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
            raise self.fault(key, "is missing" if value is None else f"wants a number, not negative; got {value!r}")
        return float(value)

    def text(self, key: str, default: str) -> str:
        value = self.values.pop(key, default)
        if not isinstance(value, str) or not value.isprintable():
            raise self.fault(key, f"wants a line of text; got {value!r}")
        return value

    def table(self, key: str) -> _Reader:
        value = self.values.pop(key, {})
        if not isinstance(value, dict):
            raise self.fault(key, "wants a table")
        return _Reader(self.path, value, f"{self.where}{key}.")

    def tables(self, key: str) -> list[_Reader]:
        value = self.values.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(key, "wants a list of tables")
        return [_Reader(self.path, item, f"{self.where}{key}[{number}].") for number, item in enumerate(value)]

    def end(self) -> None:
        for key in self.values:
            raise self.fault(key, "is no key of a recipe: docs/known-noise.md has them")


def _source(reader: _Reader, kind: type[Tick] | type[Bursts]) -> Any:
    values = {field.name: reader.number(field.name, _default(field)) for field in fields(kind)}
    reader.end()
    if not values["rate_hz"]:
        raise reader.fault("rate_hz", "is above 0")
    if values.get("size", 1) < 1:
        raise reader.fault("size", "the occurrences in a burst, is at least 1")
    return kind(**values)


def _default(field: Any) -> float | None:
    return field.default if isinstance(field.default, float) else None


def _strands(reader: _Reader, recipes: list[Recipe | None], base: Mapping[str, Any]) -> None:
    """One table of ``[[strands]]``: the recipe of the strands it names."""
    text = reader.text("strands", "")
    numbers = strand_set(text)
    if not numbers or max(numbers) >= len(recipes):
        raise reader.fault("strands", f"wants strands from 0 to {len(recipes) - 1}, such as '1-3,5'; got {text!r}")
    sources = {key: tuple(_source(part, kind) for part in reader.tables(key)) for key, kind in _SOURCES.items()}
    scatter = {key: reader.number(key, base[key]) for key in ("width", "drift")}
    reader.end()
    for number in sorted(numbers):
        if recipes[number] is not None:
            raise reader.fault("strands", f"strand {number} has a recipe already")
        recipes[number] = Recipe(**{**base, **sources, **scatter})


def _read(path: Path) -> tuple[str, Mapping[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RunError(f"{path}: is no TOML: {error}") from None


def read_recipe(path: Path) -> Machine:
    """Reads a recipe; RunError that names the key for one that is wrong."""
    text, values = _read(path)
    top = _Reader(path, values)
    default = Recipe()
    base: dict[str, Any] = {
        key: top.count(key, getattr(default, key), 10**12) for key in ("repetitions", "quantum_ns", "timer_hz", "timer_step")
    }
    base |= {key: top.number(key, getattr(default, key)) for key in ("width", "drift")}
    seed = top.count("seed", SEED)
    cores, strands_a_core = top.count("cores", 1, STRANDS_MOST), top.count("strands_a_core", 1, STRANDS_MOST)
    if cores * strands_a_core > STRANDS_MOST:
        raise top.fault("cores", f"{cores} of {strands_a_core} strands are more than {STRANDS_MOST}")
    named, ticking = top.table("host"), top.table("tick")
    host = {key: named.text(key, "modelled" if key == "name" else "none") for key in _HOST}
    hz = ticking.count("hz", 0) if "hz" in ticking.values else None
    tick = {"hz": hz, "mode": ticking.text("mode", "") or None}
    recipes: list[Recipe | None] = [None] * (cores * strands_a_core)
    for part in top.tables("strands"):
        _strands(part, recipes, base)
    for part in (top, named, ticking):
        part.end()
    quiet = Recipe(**base)
    return Machine(cores, strands_a_core, tuple(recipe or quiet for recipe in recipes), seed, host, tick, text)
