"""What a lab is asked for: configurations, by name or in a lab file, each checked before anything runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cmtnoise.cli import printable

from cmtnoise_domain import main, profile
from cmtnoise_domain.errors import DomainError, UsageError
from cmtnoise_domain.profile import Profile
from cmtnoise_domain.shape import Changes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).resolve().parent.parent / "labs"
BYTES_MOST = 1 << 20
CONFIGURATIONS_MOST = 200
ROUNDS_MOST = 99
FILE_SHOWN = 60  # the last letters of an OS kernel's path, in the name of a folder


@dataclass(frozen=True)
class Asked:
    """A lab as it is asked for. ``kernels`` "" and ``repetitions`` 0: as each profile says. ``rate`` and ``limits`` are only of
    the table: they may differ from one time to the next."""

    configurations: tuple[str, ...]
    kernels: str = ""
    repetitions: int = 0
    rounds: int = 1
    rate: float | None = None
    limits: tuple[str, ...] = ()
    os_kernels: tuple[str, ...] = ()  # files: each Linux guest boots each, instead of its profile's

    def sweep(self) -> list[str]:
        """The options of each cell's sweep."""
        words = ["--kernels", self.kernels] if self.kernels else []
        return words + (["--reps", str(self.repetitions)] if self.repetitions else [])

    def changes(self) -> Changes:
        """The same, for what is built."""
        return Changes(kernels=self.kernels or None, repetitions=self.repetitions or None)


@dataclass(frozen=True)
class Configuration:
    """One column of a lab: what its table calls it, the folder of its cells, its profile, and how `cmtnoise domain run` is
    ``asked`` for it."""

    name: str
    folder: str
    profile: Profile
    asked: tuple[str, ...]


def names() -> list[str]:
    """The labs that come with cmtnoise."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def _values(path: Path) -> dict[str, Any] | None:
    """What a TOML file says; None where it cannot be read as one."""
    try:
        with path.open("rb") as file:
            return dict(tomllib.loads(file.read(BYTES_MOST).decode("utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def _lab_file(word: str) -> Path | None:
    """The lab file that the word names: one that lists configurations. What is none is taken for a profile."""
    if "/" in word or word.endswith(".toml"):
        values = _values(Path(word))
        return Path(word) if values is not None and "configurations" in values else None
    return FOLDER / f"{word}.toml" if word in names() else None


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(item, str) and item for item in value):
        raise ValueError('is a list of strings such as ["x86-debian-cloud", "x86-debian-cloud+highres-off"]')
    return tuple(value)


def _whole(least: int, most: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        return int(profile.whole(least, most)(value))

    return check


def _rate(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e15:
        raise ValueError(f"is a number of instructions a second such as 1e9, not {value!r}")
    return float(value)


_KEYS: dict[str, tuple[str, Callable[[object], Any]]] = {
    "configurations": ("configurations", _strings),
    "kernels": ("kernels", profile.text("[a-z0-9_]+(,[a-z0-9_]+)*", "add,load_l1")),
    "repetitions": ("repetitions", _whole(1, 10**7)),
    "repeat": ("rounds", _whole(1, ROUNDS_MOST)),
    "rate": ("rate", _rate),
    "fail_if": ("limits", _strings),
}


def _read(path: Path) -> Asked:
    """A lab file; profiles that it names by file are looked for beside it."""
    values = _values(path) or {}
    values.pop("description", None)
    told = {}
    for key, value in values.items():
        if key not in _KEYS:
            raise DomainError(f"{path}: there is no key {key!r} in a lab; keys are description, {', '.join(_KEYS)}")
        name, check = _KEYS[key]
        try:
            told[name] = check(value)
        except ValueError as error:
            raise DomainError(f"{path}: {key} {error}") from None
    told["configurations"] = tuple(_beside(path, name) for name in told["configurations"])
    return Asked(**told)


def _beside(path: Path, name: str) -> str:
    if "/" not in name and ".toml" not in name or name.startswith("/"):
        return name
    return f"./{path.parent / name}" if not path.is_absolute() else str(path.parent / name)


def read(words: Sequence[str]) -> Asked:
    """What the words on the command line name: one lab file, or configurations."""
    files = [(word, file) for word in words if (file := _lab_file(word))]
    if not files:
        return Asked(tuple(words))
    if len(words) > 1:
        raise UsageError(f"{files[0][0]} is a lab: it is named alone, or its configurations are")
    return _read(files[0][1])


def changed(asked: Asked, given: dict[str, Any]) -> Asked:
    """With what the command line says instead."""
    return replace(asked, **{key: value for key, value in given.items() if value})


def folder_name(configuration: str) -> str:
    """What a configuration's cells are called: a file's name without its folder. Without a dot, which begins what is added to it
    (.2, .part, .failed) and what else the lab's folder holds (lab.json)."""
    first, ticks = profile.split(configuration)
    stem = Path(first).stem if "/" in first or first.endswith(".toml") else first
    return re.sub(r"[^A-Za-z0-9+-]", "_", "+".join([stem, *ticks]))[:100]


def _configurations(asked: Asked, word: str) -> list[Configuration]:
    """What a word stands for: itself, or the same with each OS kernel of the user's own."""
    found = profile.load(word)
    kind = main.kind_of(found)
    kind.check(found, asked.changes())
    if not asked.os_kernels or found.kind == "bare":
        return [Configuration(word, folder_name(word), found, (word,))]
    return [
        Configuration(
            f"{word}@{printable(file)}",
            re.sub(r"[^A-Za-z0-9+-]", "_", f"{folder_name(word)}-{file[-FILE_SHOWN:]}"),
            kind.with_os_kernel(found, Path(file)),
            (word, f"--os-kernel={file}"),
        )
        for file in asked.os_kernels
    ]


def configurations(asked: Asked) -> dict[str, Configuration]:
    """The configurations by their names, all checked; DomainError names what is wrong with the first that is."""
    every = [one for word in asked.configurations for one in _configurations(asked, word)]
    if len(every) > CONFIGURATIONS_MOST:
        raise DomainError(f"a lab has {CONFIGURATIONS_MOST} configurations at most; these are {len(every)}")
    if asked.os_kernels and all(one.profile.kind == "bare" for one in every):
        raise UsageError("--os-kernel is for Linux guests, of which none is named")
    found: dict[str, Configuration] = {}
    at: dict[str, str] = {}
    for one in every:
        if one.name in found:
            raise UsageError(
                f"{printable(one.name)} stands twice: each configuration is named once (--repeat measures it several times)"
            )
        other = at.setdefault(one.folder, one.name)
        if other != one.name:
            raise UsageError(
                f"{printable(one.name)} and {printable(other)} would share the folder {one.folder}: rename one's file"
            )
        found[one.name] = one
    return found
