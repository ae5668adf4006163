"""The initramfs of a Linux guest: a cpio archive in the format "newc" (Linux, Documentation/driver-api/early-userspace/
buffer-format.rst). The same content gives the same bytes."""

from __future__ import annotations

import gzip
from collections.abc import Mapping

_FOLDER, _DEVICE, _PROGRAM, _FILE = 0o40755, 0o20600, 0o100755, 0o100644


def _padded(content: bytes) -> bytes:
    return content + b"\0" * (-len(content) % 4)


def _entry(name: str, mode: int, number: int, content: bytes = b"", device: tuple[int, int] = (0, 0)) -> bytes:
    path = name.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(path), 0)
    return _padded(b"070701" + b"".join(b"%08X" % field for field in fields) + path) + _padded(content)


def make(programs: Mapping[str, bytes], files: Mapping[str, bytes]) -> bytes:
    """The archive, compressed: programs and files, and the console that the OS kernel opens for the first program."""
    folders = sorted({"dev", *(name.rpartition("/")[0] for name in (*programs, *files) if "/" in name)})
    entries = [_entry(name, _FOLDER, number) for number, name in enumerate(folders, 1)]
    entries.append(_entry("dev/console", _DEVICE, len(entries) + 1, device=(5, 1)))
    for mode, group in ((_PROGRAM, programs), (_FILE, files)):
        entries += [_entry(name, mode, len(entries) + 1 + at, group[name]) for at, name in enumerate(sorted(group))]
    return gzip.compress(b"".join([*entries, _entry("TRAILER!!!", 0, 0)]), 6, mtime=0)
