"""The options that an OS kernel's image carries (CONFIG_IKCONFIG), however the image is compressed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import subprocess
import zlib
from pathlib import Path

IMAGE_MOST = 1 << 28
_BEGIN, _END = b"IKCFG_ST", b"IKCFG_ED"
_SETUP = 0x1F1  # of a bzImage (Linux, Documentation/arch/x86/boot.rst): sectors before the rest, of which the payload is a part
_PAYLOAD = 0x248
_UNPACK = {b"\x1f\x8b": "gzip", b"\xfd7": "xz", b"]\x00": "lzma", b"BZ": "bzip2"}
# What Python's library does not know is left to the program that Linux's build packs with. Each has a package of its name.
_PROGRAMS = {b"\x28\xb5\x2f\xfd": "zstd", b"\x02\x21\x4c\x18": "lz4", b"\x89LZO": "lzop"}


def _unpacked(payload: bytes) -> bytes:
    """The OS kernel itself, b"" where it is damaged, or compressed in a way that is not known."""
    kind = _UNPACK.get(payload[:2])
    try:
        if kind == "gzip":
            return zlib.decompressobj(31).decompress(payload, IMAGE_MOST)
        if kind == "bzip2":
            return bz2.BZ2Decompressor().decompress(payload, IMAGE_MOST)
        if kind:
            return lzma.LZMADecompressor().decompress(payload, IMAGE_MOST)
    except (zlib.error, lzma.LZMAError, OSError, EOFError):
        pass
    return b""


def _unpacked_by(program: str, file: Path, begin: int) -> bytes:
    """The same of a payload that begins there. The program is right to fail at what follows the payload: all of it came then."""
    with file.open("rb", buffering=0) as packed:
        packed.seek(begin)
        with subprocess.Popen([program, "-dc"], stdin=packed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
            assert child.stdout
            image = child.stdout.read(IMAGE_MOST)
            child.kill()
    return image


def options(file: Path) -> tuple[str, str]:
    """The lines of the .config in it, "" for none or none that can be read, and the program that is missing to unpack it."""
    with file.open("rb") as opened:
        image = opened.read(IMAGE_MOST)
    if image[0x202:0x206] == b"HdrS":
        begin = ((image[_SETUP] or 4) + 1) * 512 + int.from_bytes(image[_PAYLOAD : _PAYLOAD + 4], "little")
        payload = image[begin : begin + int.from_bytes(image[_PAYLOAD + 4 : _PAYLOAD + 8], "little")]
        program = _PROGRAMS.get(payload[:4], "")
        if program and not shutil.which(program):
            return "", program
        image = _unpacked_by(program, file, begin) if program else _unpacked(payload)
    begin, end = image.find(_BEGIN), image.find(_END)
    if begin < 0 or end < begin:
        return "", ""
    try:
        return gzip.decompress(image[begin + len(_BEGIN) : end]).decode("utf-8", "replace"), ""
    except (OSError, EOFError, zlib.error):
        return "", ""
