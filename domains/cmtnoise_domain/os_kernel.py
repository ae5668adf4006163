"""The OS kernel of a Linux guest: a Debian package, fetched once and kept, or a file of the user's."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cmtnoise.files import why_no_file, write_whole

from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.step import step

PACKAGE = "linux-image-[0-9a-z][0-9a-z.+-]{1,80}"
FETCH_S = 600
RELEASE_MOST = 80
SETUP_MOST = 64 * 512  # bytes of a bzImage before the OS kernel itself


@dataclass(frozen=True)
class OsKernel:
    """A bootable image, and what to call it in the run: a package's name and version, or a file's name. Of a package, and of one
    that was built here, also the options that it was built with, and the release that it says it is."""

    image: Path
    name: str
    config: Path | None = None
    release: str = ""


def _release(head: bytes) -> str:
    """The release that a bzImage says it is, "" for none (Linux, Documentation/arch/x86/boot.rst: kernel_version)."""
    begin = int.from_bytes(head[0x20E:0x210], "little")
    words = head[0x200 + begin : 0x200 + begin + RELEASE_MOST].partition(b"\0")[0] if begin else b""
    return re.sub(r"[^!-~]", "?", words.partition(b" ")[0].decode("ascii", "replace"))


def of_file(file: Path, arch: str) -> OsKernel:
    """``arch`` is what Linux calls the machine's instruction set."""
    if not file.is_file():
        raise DomainError(f"{file}: {why_no_file(file)}: kernel names a bootable image such as arch/x86/boot/bzImage")
    with file.open("rb") as content:
        head = content.read(SETUP_MOST)
    if arch == "sparc64" and (head[:6] != b"\x7fELF\x02\x02" or head[0x12:0x14] != b"\x00\x2b"):
        raise DomainError(f"{file} is no OS kernel for 64-bit SPARC: name vmlinux of a build")
    if arch == "x86_64" and (head[0x1FE:0x200] != b"\x55\xaa" or head[0x202:0x206] != b"HdrS"):
        raise DomainError(f"{file} is no bzImage of Linux: name arch/x86/boot/bzImage of a build, or /boot/vmlinuz-...")
    return OsKernel(file, f"{file.name} {_release(head)}".strip() if arch == "x86_64" else file.name)


def _run(command: list[str], cwd: Path, failure: str) -> None:
    if not shutil.which(command[0]):
        raise DomainError(
            f"{command[0]} is not there: packages are fetched on Debian and Ubuntu; elsewhere name a file: kernel = ..."
        )
    step(command, failure, cwd=cwd, timeout_s=FETCH_S)


def _fetch(package: str, folder: Path) -> None:
    """Unpacks the package's image into the folder; the package itself is not installed."""
    failure = (
        f"the package {package} cannot be fetched, and none is kept in {folder}. Is the network there, and the list of packages "
        "new (apt-get update)? Debian drops old versions: those that a profile's package can name are found by "
        "'apt-cache search --names-only linux-image-6'"
    )
    with tempfile.TemporaryDirectory(prefix="cmtnoise-kernel-") as name:
        place = Path(name)
        place.chmod(0o755)  # apt fetches as a user of its own
        _run(["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", package], place, failure)
        found = sorted(place.glob("*.deb"))
        if not found:
            raise DomainError(failure)
        _run(["dpkg-deb", "-x", str(found[0]), "unpacked"], place, f"{found[0].name} cannot be unpacked")
        images = sorted((place / "unpacked/boot").glob("vmlinuz-*"))
        if len(images) != 1:
            raise DomainError(f"{package} holds {len(images)} OS kernels: name a package such as linux-image-VERSION-cloud-amd64")
        version = found[0].name.split("_")[1].replace("%3a", ":")
        folder.mkdir(parents=True, exist_ok=True)
        release = images[0].name.removeprefix("vmlinuz-")
        config = images[0].with_name(f"config-{release}")
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "version", version.encode())
        write_whole(folder / "release", release.encode())
        write_whole(folder / "config", config.read_bytes() if config.is_file() else b"")
        write_whole(folder / "vmlinuz", images[0].read_bytes())


def of_package(package: str, kept: Path) -> OsKernel:
    """The package's kernel from the folder ``kept``, fetched if it is not there yet."""
    folder = kept / package
    if not all((folder / name).is_file() for name in ("version", "release", "config", "vmlinuz")):
        _fetch(package, folder)
    found = of_file(folder / "vmlinuz", "x86_64")
    version, release = (
        re.sub(r"[^ -~]", "?", (folder / name).read_text(errors="replace"))[:80] for name in ("version", "release")
    )
    return OsKernel(found.image, f"{package} {version}", folder / "config", release)
