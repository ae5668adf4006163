"""Reads what a Linux guest sends (results/FORMAT.md, "The channel of a Linux guest"). It is untrusted, like a console."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from cmtnoise.cli import printable

LINE_BYTES_MOST = 1 << 12
FILE_BYTES_MOST = 1 << 32
FAULTS_MOST = 20
SAID_MOST = 400
_FILE = re.compile(
    rb"@file: (run\.json|records/strand[0-9]{1,5}-[a-z0-9_]{1,32}(?:\.[0-9]{1,5})?\.tsv) ([0-9]{1,10}) ([0-9a-f]{8})"
)
_SETTING = re.compile(rb"@setting: ([1-9][0-9]{0,2}) (refused|reads|unread) (.*)")
_END = re.compile(rb"@end: (ok|failed)(?: (.*))?")


@dataclass
class Channel:
    """Takes the channel in pieces. ``end`` is None until the guest said that it is done, then "" or what failed. ``settings`` has
    what became of each of the guest's settings by its number from 1: ``refused``, ``reads`` or ``unread``, and why or as what."""

    begun: bool = False
    end: str | None = None
    faults: list[str] = field(default_factory=list)
    settings: dict[int, tuple[str, str]] = field(default_factory=dict)
    _rest: bytes = b""
    _expected: tuple[str, int, int] | None = None  # name, bytes, sum of the file that is under way

    def feed(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """The files that are whole now: name and content."""
        self._rest += data
        while self.end is None:
            if self._expected is not None:
                name, size, wanted = self._expected
                if len(self._rest) < size:
                    return
                content, self._rest, self._expected = self._rest[:size], self._rest[size:], None
                if zlib.crc32(content) == wanted:
                    yield name, content
                else:
                    self._fault(f"{name} came garbled")
                continue
            line, newline, rest = self._rest.partition(b"\n")
            if not newline:
                if len(line) > LINE_BYTES_MOST:
                    self._fault("a line of the channel is too long")
                    self._rest = b""
                return
            self._rest = rest
            self._take(line)

    def _take(self, line: bytes) -> None:
        if line == b"@cmtnoise-guest: 1":
            self.begun = True
        elif (file := _FILE.fullmatch(line)) and int(file[2]) <= FILE_BYTES_MOST:
            self._expected = (file[1].decode(), int(file[2]), int(file[3], 16))
        elif setting := _SETTING.fullmatch(line):
            said = setting[3][:SAID_MOST].decode("utf-8", "replace")
            self.settings[int(setting[1])] = (setting[2].decode(), printable(said))
        elif end := _END.fullmatch(line):
            said = (end[2] or b"").decode("utf-8", "replace")
            self.end = "" if end[1] == b"ok" else printable(said or "the guest failed")
        else:
            self._fault(f"the guest sent {printable(line[:60].decode('utf-8', 'replace'))!r}, which is no line of its channel")

    def _fault(self, text: str) -> None:
        if len(self.faults) < FAULTS_MOST:
            self.faults.append(text)

    def unfinished(self) -> str:
        """The name of a file of which not every byte came, "" for none."""
        return self._expected[0] if self._expected else ""
