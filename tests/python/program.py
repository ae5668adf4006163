"""Running the program as users do, for the tests of its command line."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

PROGRAM = str((Path(os.environ.get("CMTNOISE_BUILD", "build")) / "cmtnoise").resolve())
STRANDS = sorted(os.sched_getaffinity(0))
FIRST = str(STRANDS[0])
AS_ROOT = os.geteuid() == 0


def cmtnoise(*arguments: str, cwd: Path | None = None, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [PROGRAM, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, **options
    )


def succeeds(*arguments: str, cwd: Path | None = None) -> str:
    done = cmtnoise(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fails(code: int, *arguments: str, cwd: Path | None = None, **options: object) -> str:
    done = cmtnoise(*arguments, cwd=cwd, **options)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert done.stderr.startswith("cmtnoise")
    return done.stderr


def open_to_others(folder: Path) -> None:
    """Lets anybody into a test's folder. Those that pytest makes above it are closed; what lies above these, such as /tmp, is no
    business of a test."""
    for one in (folder, *folder.parents[:2]):
        one.chmod(stat.S_IMODE(one.stat().st_mode) | 0o055)


def header(record: str) -> dict[str, str]:
    lines = [line[2:].split(": ", 1) for line in record.splitlines() if line.startswith("# ")]
    return {line[0]: line[1] for line in lines}
