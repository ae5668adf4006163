"""What goes wrong with a Linux guest: its OS kernel, its initramfs, the host's disk, the network. The machine only plays."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import cmtnoise
import pytest
from cmtnoise_domain import linux, os_needs, profile
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import guest_of
from cmtnoise_domain.os_kernel import OsKernel
from made import durations, record_text
from test_domain_linux import BZIMAGE, PROFILE, Bench, entries, sent

RIGHT = "".join(f"CONFIG_{name}=y\n" for name in os_needs.NEEDS["pc"])


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def carrying(options: str, packed: Callable[[bytes], bytes] = gzip.compress) -> bytes:
    """A bzImage that carries its options, as CONFIG_IKCONFIG has it."""
    payload = packed(b"\x7fELF" + bytes(999) + b"IKCFG_ST" + gzip.compress(options.encode()) + b"IKCFG_ED" + bytes(99))
    head = bytearray(BZIMAGE.ljust(1024 + 64, b"\0"))
    head[0x1F1] = 1
    head[0x248:0x250] = (64).to_bytes(4, "little") + len(payload).to_bytes(4, "little")
    return bytes(head) + payload


@pytest.mark.parametrize(
    ("console", "says"),
    [
        (b"Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n", "lacks CONFIG_BLK_DEV_INITRD or"),
        (
            b"Failed to execute /init (error -8)\nKernel panic - not syncing: No working init\n",
            "lacks CONFIG_BINFMT_ELF, or is for",
        ),
        (
            b"Initramfs unpacking failed: junk within compressed archive\nKernel panic - not syncing: VFS\n",
            "the initramfs came damaged",
        ),
        (b"Kernel panic - not syncing: System is deadlocked on memory\n", "too little memory: set memory in its profile"),
        (b"usage: cmtnoise\nKernel panic - not syncing: Attempted to kill init! exitcode=0x200\n", "the first program ended"),
        (
            b"",
            "said nothing: if this OS kernel is your own, it needs CONFIG_BLK_DEV_INITRD, CONFIG_RD_GZIP, CONFIG_BIN",
        ),
        (b"", "CONFIG_SERIAL_8250, CONFIG_SERIAL_8250_CONSOLE"),
    ],
)
def test_a_guest_that_never_begins_says_why(bench: Bench, console: bytes, says: str) -> None:
    bench.play(b"", console)
    done = bench.run()
    assert done.returncode == 1 and "the guest did not reach its first program" in done.stderr
    assert says in done.stderr and not (bench.folder / "run").exists()
    assert all(line.decode() in done.stderr for line in console.splitlines())


def test_what_follows_a_panic_does_not_hide_it(bench: Bench) -> None:
    trace = b"".join(b"[    1.6]  some_function+0x%x/0xd0\n" % number for number in range(40))
    bench.play(b"", b"Loading\n[    1.6] Kernel panic - not syncing: VFS: Unable to mount root fs\n" + trace)
    done = bench.run()
    assert done.returncode == 1 and done.stderr.endswith("  [    1.6] Kernel panic - not syncing: VFS: Unable to mount root fs\n")


def test_an_unknown_end_is_shown_as_it_is(bench: Bench) -> None:
    bench.play(b"", b"BUG: something new\n")
    done = bench.run()
    assert done.returncode == 1 and "  BUG: something new" in done.stderr and "CONFIG_" not in done.stderr


def test_a_guest_that_finds_its_initramfs_damaged_says_what(bench: Bench) -> None:
    bench.play(b"@cmtnoise-guest: 1\n@end: failed the initramfs came damaged: /cmtnoise is not as it was packed\n")
    done = bench.run()
    assert done.returncode == 1 and "the initramfs came damaged: /cmtnoise is not as it was packed" in done.stderr
    assert not (bench.folder / "run").exists()


def test_a_run_from_a_damaged_initramfs_is_no_whole_one(bench: Bench) -> None:
    """The OS kernel goes on with what it could unpack: the sweep may be there all the same."""
    bench.play(sent(), b"[    1.0] Initramfs unpacking failed: crc error\n")
    done = bench.run()
    assert done.returncode == 1 and "Initramfs unpacking failed: crc error" in done.stderr
    assert cmtnoise.load(bench.folder / "run").status == "failed"


def test_every_file_of_the_initramfs_has_its_sum(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMTNOISE_SOURCE", bench.env["CMTNOISE_SOURCE"])
    guest = guest_of(profile.load(str(bench.folder / "guest.toml")))
    found = entries(gzip.decompress(linux._initramfs(guest, OsKernel(bench.folder / "bzImage", "made")).content))
    sums = dict(line.split() for line in found.pop("sums")[1].decode().splitlines())
    assert {"/init", "/cmtnoise", "/arguments"} <= set(sums)
    for name, wanted in sums.items():
        assert zlib.crc32(found[name[1:]][1]) == int(wanted, 16)


def packed_by(*command: str) -> Callable[[bytes], bytes]:
    """As Linux's build packs with this program: the length follows."""

    def packed(content: bytes) -> bytes:
        if not shutil.which(command[0]):
            pytest.skip(f"there is no {command[0]}")
        done = subprocess.run(command, input=content, capture_output=True, check=True)
        return done.stdout + len(content).to_bytes(4, "little")

    return packed


ZSTD, LZ4, LZO = packed_by("zstd", "-22", "--ultra"), packed_by("lz4", "-l", "-9", "-c"), packed_by("lzop", "-9")


def lzma_alone(content: bytes) -> bytes:
    return lzma.compress(content, lzma.FORMAT_ALONE)


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress, lzma_alone, ZSTD, LZ4, LZO])
def test_options_that_an_os_kernel_carries_are_read_before_it_boots(bench: Bench, packed: Callable[[bytes], bytes]) -> None:
    (bench.folder / "bzImage").write_bytes(carrying(RIGHT, packed))
    assert bench.run().returncode == 0
    lacking = RIGHT.replace("CONFIG_SERIAL_8250_CONSOLE=y", "# CONFIG_SERIAL_8250_CONSOLE is not set")
    (bench.folder / "bzImage").write_bytes(carrying(lacking.replace("CONFIG_DEVTMPFS=y", "CONFIG_DEVTMPFS=m"), packed))
    (bench.folder / "run").rename(bench.folder / "before")
    done = bench.run()
    assert done.returncode == 1 and not (bench.folder / "run").exists()
    assert "bzImage cannot be the OS kernel of a guest: by the options that it carries, it was built without" in done.stderr
    assert "CONFIG_SERIAL_8250_CONSOLE (the console)" in done.stderr and "CONFIG_DEVTMPFS (/dev)" in done.stderr
    assert "CONFIG_RD_GZIP" not in done.stderr


@pytest.mark.parametrize("place", ["config", ".config", "config-6.1.0", "arch/x86/boot/../../../.config"])
def test_options_beside_an_os_kernel_are_read_before_it_boots(tmp_path: Path, place: str) -> None:
    image = tmp_path / ("arch/x86/boot/bzImage" if place.startswith("arch") else "vmlinuz-6.1.0")
    image.parent.mkdir(parents=True, exist_ok=True)
    image.write_bytes(BZIMAGE)
    os_needs.check(image, "pc")
    (tmp_path / place).write_text(RIGHT)
    os_needs.check(image, "pc")
    (tmp_path / place).write_text(RIGHT.replace("CONFIG_BLK_DEV_INITRD=y\n", ""))
    with pytest.raises(DomainError, match=r"by .*config.*, it was built without CONFIG_BLK_DEV_INITRD \(an initramfs\)"):
        os_needs.check(image, "pc")


MAGICS = {"zstd": b"\x28\xb5\x2f\xfd", "lz4": b"\x02\x21\x4c\x18", "lzop": b"\x89LZO\0\r\n\x1a\n"}
LACKING = "CONFIG_TTY=n\n"
DAMAGED = [carrying(LACKING), *(carrying(LACKING, magic.__add__) for magic in MAGICS.values())]


@pytest.mark.parametrize("image", [carrying("no options"), BZIMAGE, carrying(LACKING, bytes), *(i[:-200] for i in DAMAGED)])
def test_options_that_cannot_be_read_refuse_nothing(tmp_path: Path, image: bytes) -> None:
    (tmp_path / "bzImage").write_bytes(image)
    os_needs.check(tmp_path / "bzImage", "pc")


@pytest.mark.parametrize("program", MAGICS)
def test_a_program_that_is_missing_to_read_options_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], program: str
) -> None:
    image = tmp_path / "bzImage"
    image.write_bytes(carrying("", MAGICS[program].__add__))
    monkeypatch.setenv("PATH", str(tmp_path))
    os_needs.check(image, "pc")
    said = capsys.readouterr().err
    assert f"{image} is started without a look" in said and f"read without {program}: install the package {program}" in said
    (tmp_path / "config").write_text(RIGHT)
    os_needs.check(image, "pc")
    assert not capsys.readouterr().err


def fill(disk: Path, left: int) -> None:
    """Leaves so many pages of a disk."""
    stat = os.statvfs(disk)
    (disk / "fill").write_bytes(bytes((stat.f_bavail - left) * stat.f_frsize))


@pytest.mark.parametrize(("left", "status"), [(0, None), (1, None), (5, "interrupted")])
def test_a_full_disk_leaves_no_run_that_looks_whole(bench: Bench, small_disk: Path, left: int, status: str | None) -> None:
    fill(small_disk, left)
    bench.play(sent(record=record_text(durations(100 if left == 1 else 4000), label="emulated").encode()))
    run = small_disk / "run"
    done = bench.run("-o", str(run))
    assert done.returncode == 1 and "No space left on device" in done.stderr and str(run) in done.stderr
    assert not [path for path in run.rglob("*") if path.name.endswith(".part")]
    assert [cmtnoise.read_record(path).duration_counts.size for path in run.glob("records/*")] == ([100] if left == 1 else [])
    if status:
        assert cmtnoise.load(run).status == status
    else:
        assert not (run / "run.json").exists()


def test_a_full_temporary_disk_is_told_before_anything_runs(bench: Bench, small_disk: Path) -> None:
    (bench.folder / "bzImage").write_bytes(BZIMAGE + bytes(1 << 20))
    bench.env["TMPDIR"] = str(small_disk)
    done = bench.run()
    assert done.returncode == 1 and "vmlinuz: No space left on device" in done.stderr
    assert not (bench.folder / "run").exists() and not list(small_disk.iterdir())


FILLING = """#!/usr/bin/env python3
import os, sys
if "--version" in sys.argv:
    print("QEMU emulator version 7.2.99 (made)")
    sys.exit(0)
with open(os.path.join(os.environ["TMPDIR"], "fill"), "wb", 0) as file:
    try:
        while file.write(bytes(4096)):
            pass
    except OSError:
        pass
"""


def test_a_temporary_disk_that_fills_while_the_guest_runs_is_told(bench: Bench, small_disk: Path) -> None:
    bench.program("qemu-system-x86_64", FILLING)
    bench.env["TMPDIR"] = str(small_disk)
    done = bench.run()
    assert done.returncode == 1 and f"the disk of {small_disk}/" in done.stderr and " is full" in done.stderr
    assert not (bench.folder / "run").exists()


def test_without_qemu_it_is_named(bench: Bench) -> None:
    (bench.folder / "bin/qemu-system-x86_64").unlink()
    bench.env["PATH"] = str(bench.folder / "bin")
    for name in ("sh", "readlink", "dirname", "env", "make", "mkdir"):
        (bench.folder / "bin" / name).symlink_to(next(p for p in (Path(f"/usr/bin/{name}"), Path(f"/bin/{name}")) if p.exists()))
    done = bench.run()
    assert (
        done.returncode == 1
        and "qemu-system-x86_64 is needed" in done.stderr
        and "apt-get install qemu-system-x86" in done.stderr
    )


def test_a_kept_os_kernel_needs_no_network(bench: Bench) -> None:
    package = "linux-image-6.1.0-1-cloud-amd64"
    (bench.folder / "guest.toml").write_text(PROFILE.replace('kernel = "bzImage"', f'package = "{package}"'))
    bench.program("apt-get", "#!/bin/sh\necho 'E: Could not resolve a name' >&2\nexit 100\n")
    done = bench.run()
    assert done.returncode == 1 and f"the package {package} cannot be fetched" in done.stderr and "resolve a name" in done.stderr
    kept = bench.folder / "tree/build/domains/os" / package
    kept.mkdir(parents=True)
    for name, content in {"vmlinuz": BZIMAGE, "version": b"6.1.1-1", "release": b"6.1.0-1", "config": RIGHT.encode()}.items():
        (kept / name).write_bytes(content)
    done = bench.run()
    assert done.returncode == 0, done.stderr
    assert cmtnoise.load(bench.folder / "run").info["domain"]["os_kernel"] == f"{package} 6.1.1-1"
