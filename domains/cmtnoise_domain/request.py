"""What the command line asks of a domain, whatever its kind."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cmtnoise_domain.shape import Changes


@dataclass(frozen=True)
class Request:
    command: list[str]
    output: Path | None = None
    accel: str | None = None
    timeout_s: float | None = None
    quiet: bool = False
    changes: Changes = Changes()
