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
    """The archive, compressed: programs and files at its root, and the console that the OS kernel opens for the first program."""
    entries = [_entry("dev", _FOLDER, 1), _entry("dev/console", _DEVICE, 2, device=(5, 1))]
    for mode, group in ((_PROGRAM, programs), (_FILE, files)):
        entries += [_entry(name, mode, len(entries) + 1 + at, group[name]) for at, name in enumerate(sorted(group))]
    return gzip.compress(b"".join([*entries, _entry("TRAILER!!!", 0, 0)]), 6, mtime=0)
