"""The kernels that an instruction set has, by the line that each one's source declares it with (asm/registry.awk)."""

from __future__ import annotations

import re
from pathlib import Path

from cmtnoise_domain.build import source

_DECLARED = re.compile(r"^(?://|!|#)@ kernel: ([a-z0-9_]+);", re.MULTILINE)


def there(isa: str) -> list[str]:
    """``isa`` is a folder of asm/."""
    files: list[Path] = sorted((source() / "asm" / isa).glob("*.S"))
    return [found[1] for file in files if (found := _DECLARED.search(file.read_text(errors="replace")))]


def fault(asked: str, isa: str) -> str:
    """What is wrong with the kernels that a sweep is asked for, "" for nothing: a guest takes a while to boot and say so."""
    known = there(isa)
    wrong = [name for name in asked.split(",") if name not in known] if asked not in ("all", "default") else []
    return f"there is no kernel {wrong[0]!r}; kernels are {', '.join(known)}" if wrong else ""
