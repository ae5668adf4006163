"""Linux's source as Debian packages it: fetched once by the package's name, unpacked once, and kept."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from cmtnoise.files import write_whole

from cmtnoise_domain.build import locked
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.step import room, step

# A version after "=" pins it; Debian drops old ones.
PACKAGE = "linux-source-[0-9][0-9.]{0,20}(?:=[0-9][0-9A-Za-z.+:~-]{0,60})?"
FETCH_S = 900
TREE_BYTES = 1_500_000_000  # Linux 6.1 with its package: 1.3 GB
# What no build here reads, which is a third of it: descriptions of graphics cards' registers, and the tests of the tree.
UNREAD = ("*/drivers/gpu/drm/amd/include/asic_reg", "*/tools/testing")


def need(program: str, package: str) -> str:
    found = shutil.which(program)
    if not found:
        raise DomainError(
            f"{program} is needed to build an OS kernel and is not there: install the Debian or Ubuntu package {package} "
            f"(apt-get install {package})"
        )
    return found


def version(package: str, kept: Path) -> str:
    """The version that is kept, or that the name itself says; "" as long as neither is so."""
    if "=" in package:
        return package.partition("=")[2]
    file = kept / package / "version"
    said = file.read_text(errors="replace").strip() if file.is_file() else ""
    return said if re.fullmatch("[0-9][0-9A-Za-z.+:~-]{0,60}", said) else ""


def place(kept: Path, known: str) -> Path:
    return kept / f"source-{known}"


def _placed(name: str, wanted: str, kept: Path) -> Path | None:
    """A package that the user put there."""
    found = [file for file in sorted(kept.glob(f"{name}_*.deb")) if not wanted or f"_{wanted}_" in file.name.replace("%3a", ":")]
    return found[-1] if found else None


def _download(name: str, wanted: str, folder: Path, kept: Path, progress: Progress) -> Path:
    said = f"{name}={wanted}" if wanted else name
    failure = (
        f"the package {said}, the source of this OS kernel, cannot be fetched, and it is not in {kept}. Is the network "
        f"there, and the list of packages new (apt-get update)? Otherwise put {name}_VERSION_all.deb there by hand"
    )
    if wanted:
        failure += f". Debian drops old versions: remove {kept / name} to move on to the one that it has now"
    if not shutil.which("apt-get"):
        raise DomainError(f"{failure}: apt-get is not there, this is no Debian or Ubuntu")
    # As the user that runs it: apt's own may not write here.
    command = ["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", said]
    step(command, failure, cwd=folder, progress=progress, what=f"fetching {said}", timeout_s=FETCH_S)
    found = sorted(folder.glob("*.deb"))
    if len(found) != 1:
        raise DomainError(failure)
    return found[0]


def _unpack(package: Path, folder: Path, kept: Path, progress: Progress) -> str:
    """Unpacks into the folder ``tree`` in the folder; the package's version."""
    for program, of in (("dpkg-deb", "dpkg"), ("tar", "tar"), ("xz", "xz-utils")):
        need(program, of)
    bad = f"{package.name} cannot be unpacked"
    known = step(["dpkg-deb", "-f", str(package), "Version"], bad).strip()
    room(kept, TREE_BYTES, "Linux's source")
    step(["dpkg-deb", "-x", str(package), str(folder / "package")], bad)
    archives = sorted((folder / "package/usr/src").glob("linux-source-*.tar.*"))
    if len(archives) != 1 or not re.fullmatch("[0-9][0-9A-Za-z.+:~-]{0,60}", known):
        raise DomainError(f"{package.name} holds {len(archives)} archives of Linux's source, not one")
    (folder / "tree").mkdir()
    leave = [f"--exclude={pattern}" for pattern in UNREAD]
    command = ["tar", "-C", str(folder / "tree"), "--strip-components=1", *leave, "-xf", str(archives[0])]
    env = os.environ | {"XZ_OPT": "-T0"}
    step(command, bad, env=env, progress=progress, what=f"unpacking {package.name}")
    return known


def fetch(package: str, kept: Path, progress: Progress) -> str:
    """Sees to it that the source is unpacked in place(kept, version); the version."""
    name, _, _ = package.partition("=")
    with locked(kept / package):
        known = version(package, kept)
        if known and place(kept, known).is_dir():
            return known
        folder = kept / package / "unpacking"
        shutil.rmtree(folder, ignore_errors=True)  # of a launcher that was killed
        folder.mkdir()
        try:
            file = _placed(name, known, kept) or _download(name, known, folder, kept, progress)
            got = _unpack(file, folder, kept, progress)
            if not place(kept, got).is_dir():
                (folder / "tree").rename(place(kept, got))
            write_whole(kept / package / "version", got.encode() + b"\n")
            return got
        finally:
            shutil.rmtree(folder, ignore_errors=True)
