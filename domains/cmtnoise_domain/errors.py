"""What goes wrong with a domain."""

from __future__ import annotations

from cmtnoise.run import RunError


class DomainError(RunError):
    """A domain that cannot be built, run or read; the text says what to do."""

    exit_status = 1


class UsageError(DomainError):
    """Words on the command line that name what there is not: a profile, a tick configuration, a kernel, a strand."""

    exit_status = 2
