"""Profiles of the tests' own: one that comes along, with more boot parameters."""

from __future__ import annotations

import json
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def with_parameters(name: str, words: str) -> str:
    """The text of the profile of that name, in which these boot parameters come after those that it has."""
    text = Path(f"domains/profiles/{name}.toml").read_text()
    own = str(tomllib.loads(text).get("parameters", ""))
    lines = [line for line in text.splitlines() if line.partition("=")[0].strip() != "parameters"]
    changed = "\n".join([*lines, f"parameters = {json.dumps(f'{own} {words}'.strip())}\n"])
    assert tomllib.loads(changed)["parameters"].split() == [*own.split(), *words.split()]
    return changed
