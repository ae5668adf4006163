"""What goes wrong with a domain."""

from __future__ import annotations

from cmtnoise.run import RunError


class DomainError(RunError):
    """A domain that cannot be built, run or read; the text says what to do."""
