"""Builds the image of a bare domain with `make bare` in the source tree, and keeps it."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cmtnoise.files import write_whole

from cmtnoise_domain.errors import DomainError, UsageError
from cmtnoise_domain.process import Child, pause
from cmtnoise_domain.shape import Shape

# Machine -> the compiler that its machine.mk takes where BARE_CC is not set, and the Debian package it is in.
COMPILERS = {"niagara": ("sparc64-linux-gnu-gcc", "gcc-sparc64-linux-gnu"), "pc": ("gcc", "gcc")}
# Machine -> what QEMU is started with, of what make leaves. The niagara machine stops where a file of the firmware is missing.
FIRMWARE = tuple(f"firmware/{name}" for name in ("nvram1", "1up-md.bin", "1up-hv.bin", "reset.bin", "q.bin", "openboot.bin"))
IMAGES = {"niagara": ("cmtnoise.elf", *FIRMWARE), "pc": ("cmtnoise.elf", "cmtnoise32.elf")}
MAKES_OWN = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MAKEFILES", "WERROR", "V")
_MAP_FAULT = re.compile(r"^thread map: ?(?:([0-9]+): )?(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Images:
    """A folder with what was built for one machine."""

    folder: Path
    machine: str

    @property
    def elf(self) -> Path:
        return self.folder / "cmtnoise.elf"


def source() -> Path:
    """The source tree: CMTNOISE_SOURCE, or the one that the launcher lies in."""
    told = os.environ.get("CMTNOISE_SOURCE")
    folder = Path(told) if told else Path(__file__).resolve().parents[2]
    if not (folder / "Makefile").is_file() or not (folder / "domains").is_dir():
        wrong = f"CMTNOISE_SOURCE is {told}, which is not" if told else "this cmtnoise is installed without"
        raise DomainError(
            f"{wrong} its source tree, from which the image of a domain is built: "
            "set CMTNOISE_SOURCE to a folder with cmtnoise's sources"
        )
    return folder.resolve()


def tool_prefix(machine: str) -> str:
    """What the names of the machine's binary tools begin with."""
    return re.sub(r"(gcc|clang|cc)[0-9.-]*$", "", os.environ.get("BARE_CC") or COMPILERS[machine][0])


def _find_tools(machine: str) -> None:
    compiler = os.environ.get("BARE_CC") or COMPILERS[machine][0]
    for program, package in ((compiler, COMPILERS[machine][1]), ("make", "make")):
        if not shutil.which(program):
            raise DomainError(
                f"{program} is needed to build for {machine} and is not there: install the Debian or Ubuntu package {package} "
                f"(apt-get install {package})"
            )


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Builds of several launchers go one after the other: they share make's output folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                pause()
        yield


def _fault(shape: Shape, said: str) -> DomainError:
    """What make said, in the words of who wrote the profile."""
    faults = []
    for number, words in _MAP_FAULT.findall(said):
        item = int(number) - 1 if number else -1
        if not shape.item_lines:
            faults.append(f"--strands, --kernels: {words}")
        elif 0 <= item < len(shape.item_lines):
            faults.append(f"{shape.profile.path}:{shape.item_lines[item]}: {words}")
        else:
            faults.append(f"{shape.profile.path}:{shape.profile.line_of('threads')}: {words}")
    if faults:
        fault = DomainError if shape.item_lines else UsageError
        return fault("\ncmtnoise: ".join(faults))
    shown = "\n".join(line for line in said.splitlines() if line.isprintable())
    return DomainError(f"the image for {shape.profile.name} could not be built; make said:\n{shown}")


def make(target: str, arguments: list[str], tree: Path) -> str:
    """Makes a target in the source tree; what make said where it failed, else ""."""
    command = ["make", "-s", "--no-print-directory", f"-j{os.cpu_count() or 1}", target, *arguments]
    # Neither the variables of a make that runs this nor those of the hosted build.
    env = {key: value for key, value in os.environ.items() if key not in MAKES_OWN}
    with tempfile.TemporaryFile() as output:
        with Child(command, output, cwd=tree, env=env) as process:
            while not process.ended():
                pause()
        if not process.process.returncode:
            return ""
        output.seek(0)
        return output.read().decode("utf-8", "replace") or "nothing"


def _make(shape: Shape, tree: Path) -> Path:
    """The folder that make leaves the images in."""
    said = make("bare", ["BUILD=build", *(f"{key}={value}" for key, value in shape.variables().items())], tree)
    if said:
        raise _fault(shape, said)
    return tree / "build" / "bare" / shape.machine


def _keep(made: Path, images: Images) -> None:
    """Each file whole or not at all: another launcher may be about to start the one that is there."""
    for name in IMAGES[images.machine]:
        if not (made / name).is_file():
            raise DomainError(f"make left no {made / name}: is {source()} a source tree of this version?")
        (images.folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(images.folder / name, (made / name).read_bytes())


def build(shape: Shape) -> Images:
    """Builds the image, or finds that it is built: make knows what changed."""
    tree = source()
    _find_tools(shape.machine)
    domains = tree / "build" / "domains"
    images = Images(domains / f"{shape.profile.name}-{shape.digest()}", shape.machine)
    with locked(domains):
        _keep(_make(shape, tree), images)
    return images
