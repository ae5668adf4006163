"""Options of an OS kernel's build: as they are asked for, and as Linux's Kconfig lets them be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from cmtnoise_domain.errors import DomainError

OPTIONS = r"[A-Z0-9][A-Z0-9_]*=[A-Za-z0-9_./,-]*(?: +[A-Z0-9][A-Z0-9_]*=[A-Za-z0-9_./,-]*)*"
_ASKED = re.compile(r"(?:CONFIG_)?([A-Z0-9][A-Z0-9_]*)=([A-Za-z0-9_./,-]*)")
_MADE = re.compile(r'^CONFIG_([A-Z0-9_]+)=("?)(.*)\2$', re.MULTILINE)
_PLAIN = re.compile(r"y|n|-?[0-9]+|0x[0-9a-fA-F]+")

Options = Mapping[str, str]


def options(text: str, where: str) -> dict[str, str]:
    """NAME=value, one a word; ``#`` begins a comment."""
    asked = {}
    for word in " ".join(line.partition("#")[0] for line in text.splitlines()).split():
        found = _ASKED.fullmatch(word)
        if not found:
            raise DomainError(f"{where}: {word[:60]!r} is no option of an OS kernel's build, such as HZ_250=y or PREEMPT=n")
        if found[2] == "m":
            raise DomainError(f"{where}: {word}: the OS kernels of guests have no modules: y or n")
        asked[found[1]] = found[2]
    return asked


def fragment(file: Path) -> dict[str, str]:
    return options(file.read_text(), str(file))


def merged(parts: Iterable[Options]) -> dict[str, str]:
    """Of an option that several parts ask for, the last holds."""
    out: dict[str, str] = {}
    for part in parts:
        out |= part
    return out


def text(asked: Options) -> str:
    """As lines of a .config."""
    quoted = {name: value if _PLAIN.fullmatch(value) else f'"{value}"' for name, value in asked.items()}
    return "".join(f"CONFIG_{name}={quoted[name]}\n" for name in sorted(quoted))


def broken(asked: Options, config: str) -> dict[str, str]:
    """The options that a .config does not have as they were asked for, with what they became there."""
    made = {found[1]: found[3] for found in _MADE.finditer(config)}
    return {name: made.get(name, "n") for name, value in asked.items() if made.get(name, "n") != value}


def conditions(tree: Path, arch: str, name: str) -> str:
    """What Kconfig wants for an option, in words."""
    entry = re.compile(rf"^[ \t]*(?:menu)?config {re.escape(name)}\n((?:[ \t]+.*\n|\n)*)", re.MULTILINE)
    skipped = {folder for folder in (tree / "arch").iterdir() if folder.name != arch} if (tree / "arch").is_dir() else set()
    for file in sorted(tree.rglob("Kconfig*")):
        if not skipped.intersection(file.parents) and file.is_file():
            for found in entry.finditer(file.read_text(errors="replace")):
                wants = re.findall(r"^[ \t]+depends on (.*)", found[1], re.MULTILINE)
                return f"it depends on {' and on '.join(wants)}" if wants else "another option decides it"
    return "this version of Linux has no such option"
