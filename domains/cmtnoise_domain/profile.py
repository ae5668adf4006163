"""A profile: the shape of a domain in a small TOML file (docs/domains.md has the keys)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmtnoise.files import why_no_file

from cmtnoise_domain.errors import DomainError, UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).resolve().parent.parent / "profiles"
BYTES_MOST = 1 << 20
_KEY = re.compile(r"^[ \t]*(?:\[[ \t]*)?[\"']?([A-Za-z0-9_-]+)[\"']?[ \t]*(?:=|\])")


@dataclass(frozen=True)
class Profile:
    """A profile as read. ``values`` holds what the file says, unchecked but for ``kind`` and ``description``; ``ticks`` are
    the tick configurations asked for beside it, which are part of the name: x86-debian-cloud+highres-off."""

    name: str
    path: Path
    kind: str
    description: str
    values: Mapping[str, Any]
    lines: tuple[str, ...]
    ticks: tuple[str, ...] = ()

    def line_of(self, key: str) -> int:
        """The line on which a key stands, as far as can be told without a TOML parser that tells; 1 if it cannot."""
        for number, line in enumerate(self.lines, 1):
            found = _KEY.match(line)
            if found and found[1] == key:
                return number
        return 1

    def line_of_text(self, text: str, occurrence: int, key: str) -> int:
        """The line of the ``occurrence``-th string (from 0) with this text at or below the key."""
        first = self.line_of(key)
        for number, line in enumerate(self.lines[first - 1 :], first):
            here = len(re.findall(rf"([\"']){re.escape(text)}\1", line))
            if occurrence < here:
                return number
            occurrence -= here
        return first

    def fault(self, text: str, key: str | None = None, line: int | None = None) -> DomainError:
        return DomainError(f"{self.path}:{line or (self.line_of(key) if key else 1)}: {text}")


Check = Callable[[object], Any]


def whole(least: int, most: int) -> Check:
    """A check for a whole number within limits."""

    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"is a whole number from {least} to {most}, not {value!r}")
        return value

    return check


def text(pattern: str, such_as: str) -> Check:
    """A check for a string that matches in full."""

    def check(value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise ValueError(f"is text such as {such_as!r}, not {value!r}")
        return value

    return check


def texts(pattern: str, such_as: str) -> Check:
    """A check for a list of strings that match in full."""

    def check(value: object) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(item, str) and re.fullmatch(pattern, item) for item in value):
            raise ValueError(f"is a list such as {such_as}, not {value!r}")
        return value

    return check


def one_of(*words: str) -> Check:
    def check(value: object) -> str:
        if value not in words:
            raise ValueError(f"is one of {', '.join(words)}, not {value!r}")
        return str(value)

    return check


_UNITS_NS = {"ns": 1, "us": 1000, "ms": 1000000, "s": 1000000000}


def duration_ns(value: object) -> int:
    """A time as ``cmtnoise sweep`` takes it, in nanoseconds."""
    found = re.fullmatch(r"([0-9]{1,12})(ns|us|ms|s)", value) if isinstance(value, str) else None
    ns = int(found[1]) * _UNITS_NS[found[2]] if found else 0
    if not 1 <= ns <= 10**12:
        raise ValueError(f"is a time with ns, us, ms or s, such as '100us', not {value!r}")
    return ns


def checked(profile: Profile, checks: Mapping[str, Check], needed: tuple[str, ...]) -> dict[str, Any]:
    """The profile's own values, each checked; an error names file and line of a key that is unknown, missing or wrong."""
    known = ["kind", "description", *checks]
    for key in profile.values:
        if key not in known:
            raise profile.fault(f"there is no key {key!r} in a profile of kind {profile.kind}; keys are {', '.join(known)}", key)
    for key in needed:
        if key not in profile.values:
            raise profile.fault(f"the profile has no {key!r}")
    out = {}
    for key, check in checks.items():
        if key in profile.values:
            try:
                out[key] = check(profile.values[key])
            except ValueError as error:
                raise profile.fault(f"{key} {error}", key) from None
    return out


def names() -> list[str]:
    """The profiles that come with cmtnoise."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def _path_of(name: str) -> Path:
    if "/" in name or name.endswith(".toml"):
        return Path(name)
    path = FOLDER / f"{name}.toml"
    if name not in names():
        raise UsageError(
            f"there is no profile {name!r}; profiles are {', '.join(names()) or 'none'}. "
            "One of your own is named by its file: ./NAME.toml"
        )
    return path


def split(name: str) -> tuple[str, list[str]]:
    """NAME+TICK+TICK as the profile's name and the tick configurations'. A file may have a plus in its name, or in a folder's."""
    if Path(name).is_file():
        return name, []
    folder, slash, last = name.rpartition("/")
    first, *ticks = last.split("+")
    return f"{folder}{slash}{first}", ticks


def load(name: str) -> Profile:
    """A profile by its name, or by its file (a name with a slash, or that ends in .toml), with the tick configurations that
    follow it: NAME+TICK+TICK."""
    name, ticks = split(name)
    path = _path_of(name)
    if not path.is_file():
        raise DomainError(f"{path}: {why_no_file(path)}: name a profile of 'cmtnoise domain list', or a file")
    with path.open("rb") as file:
        raw = file.read(BYTES_MOST + 1)
    if len(raw) > BYTES_MOST:
        raise DomainError(f"{path}:1: too large: this is no profile")
    try:
        decoded = raw.decode("utf-8")
        values = tomllib.loads(decoded)
    except UnicodeDecodeError:
        raise DomainError(f"{path}:1: is not UTF-8 text: this is no profile") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"at line ([0-9]+)", str(error))
        raise DomainError(f"{path}:{found[1] if found else 1}: is no TOML: {error}") from None
    return _profile(path, decoded, values, tuple(ticks))


def _profile(path: Path, decoded: str, values: dict[str, Any], ticks: tuple[str, ...]) -> Profile:
    name = "+".join([re.sub(r"[^A-Za-z0-9.-]", "_", path.stem)[:48], *ticks])
    profile = Profile(name, path, str(values.get("kind")), "", values, tuple(decoded.split("\n")))
    for key in ("kind", "description"):
        if not isinstance(values.get(key), str) or not values[key].isprintable():
            raise profile.fault(f"the profile needs {key!r}, a line of text", key)
    return Profile(name, path, values["kind"], values["description"], values, profile.lines, ticks)
