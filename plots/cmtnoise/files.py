"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Writes the file under a temporary name, flushes it to disk and renames it; what is no file (a pipe) is written to."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        part.unlink(missing_ok=True)


def why_no_file(path: Path) -> str:
    """What stands where a file should, for a sentence: nothing, a folder, or what is no ordinary file, such as a device."""
    if path.is_dir():
        return "is a folder, no file"
    return "is no ordinary file" if path.exists() else "no such file"
