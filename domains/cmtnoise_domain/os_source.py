"""An OS kernel built from Debian's package of Linux's source, and kept: a second call builds nothing, and needs neither the
network nor the source.

What is kept is found twice over. ``asked`` has a file for what was asked for (options, source version, compiler), which names the
folder in ``built``; that is named by the configuration that Kconfig made of it, so that two ways to ask for one and the same OS
kernel build it once."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cmtnoise.cli import printable
from cmtnoise.files import write_whole

from cmtnoise_domain import os_config, os_tree
from cmtnoise_domain.build import MAKES_OWN, locked
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.os_kernel import OsKernel
from cmtnoise_domain.os_tree import need
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.step import room, step

BUILD_BYTES = 200_000_000
KEPT_FORMAT = 1
# Variables by which whoever starts this could change what is built, which is kept under the name of what was asked for.
KBUILDS_OWN = ("KBUILD", "KCONFIG", "KCFLAGS", "KCPPFLAGS", "KAFLAGS", "HOST", "LLVM")
# Linux, Documentation/kbuild/reproducible-builds.rst.
FIXED = {"KBUILD_BUILD_TIMESTAMP": "2024-01-01", "KBUILD_BUILD_USER": "cmtnoise", "KBUILD_BUILD_HOST": "build", "LC_ALL": "C"}


@dataclass(frozen=True)
class Target:
    """How Linux is built for an instruction set: what is made, and with which compiler."""

    goal: str
    image: str
    folder: str  # in arch/
    prefix: str
    package: str
    headers: Mapping[str, str]  # the build's own tools want them -> Debian package


TARGETS = {
    "x86_64": Target("bzImage", "arch/x86/boot/bzImage", "x86", "", "gcc", {"gelf.h": "libelf-dev"}),
    "sparc64": Target("vmlinux", "vmlinux", "sparc", "sparc64-linux-gnu-", "gcc-sparc64-linux-gnu", {}),
}
TOOLS = {"make": "make", "gcc": "gcc", "ld": "binutils", "flex": "flex", "bison": "bison", "bc": "bc"}


@dataclass(frozen=True)
class Recipe:
    """An OS kernel to build: ``arch`` is what Linux calls the instruction set, ``options`` come on top of what every guest needs,
    ARCH.config in the folder ``fragments``; ``asker`` is told in faults, and where else there is an OS kernel with an option that
    this one cannot have, in words, if ``elsewhere`` knows."""

    arch: str
    package: str
    options: Mapping[str, str]
    asker: str
    fragments: Path
    elsewhere: Callable[[str], str] = lambda option: ""

    def all_options(self) -> dict[str, str]:
        return os_config.merged([os_config.fragment(self.fragments / f"{self.arch}.config"), self.options])


def _compiler(target: Target) -> str:
    """The first line that the compiler says of itself."""
    program = need(f"{target.prefix}gcc", target.package)
    done = subprocess.run([program, "--version"], capture_output=True, text=True, errors="replace", timeout=60)
    return done.stdout.partition("\n")[0]


def _find_tools(target: Target) -> None:
    for program, package in TOOLS.items():
        need(program, package)
    for header, package in target.headers.items():
        done = subprocess.run(["gcc", "-E", "-include", header, "-x", "c", os.devnull], capture_output=True, timeout=60)
        if done.returncode:
            raise DomainError(f"the header {header} is needed to build an OS kernel: install the package {package}")


def _asked(recipe: Recipe, options: Mapping[str, str], version: str, compiler: str) -> str:
    content = f"{KEPT_FORMAT}\n{recipe.arch}\n{version}\n{compiler}\n{os_config.text(options)}"
    return f"{recipe.arch}-{version}-{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def _kept(kept: Path, asked: str, recipe: Recipe, version: str) -> OsKernel | None:
    pointer = kept / "asked" / asked
    folder = kept / "built" / pointer.read_text().strip() if pointer.is_file() else None
    if folder is None or not (folder / "image").is_file():
        return None
    name = f"{recipe.package.partition('=')[0]} {version}, {folder.name.rpartition('-')[2]}"
    return OsKernel(folder / "image", printable(name), folder / "config", (folder / "release").read_text().strip())


class _Build:
    """One build in a folder of its own, which is gone afterwards whatever became of it."""

    def __init__(self, recipe: Recipe, version: str, kept: Path, out: Path, progress: Progress) -> None:
        self.recipe, self.version, self.kept, self.out, self.progress = recipe, version, kept, out, progress
        self.target = TARGETS[recipe.arch]
        self.tree = os_tree.place(kept, version)

    def make(self, goal: str, what: str) -> str:
        env = {key: value for key, value in os.environ.items() if key not in MAKES_OWN and not key.startswith(KBUILDS_OWN)}
        tools = [f"ARCH={self.recipe.arch}", f"CROSS_COMPILE={self.target.prefix}", "LOCALVERSION="]
        command = ["make", "-C", str(self.tree), f"O={self.out}", *tools, f"-j{os.cpu_count() or 1}", goal]
        failure = f"{self.recipe.asker}: the OS kernel could not be built"
        return step(command, failure, env=env | FIXED, progress=self.progress, what=what)

    def configure(self, options: Mapping[str, str]) -> str:
        """Makes the .config; its hash."""
        self.make("tinyconfig", "configuring Linux")
        config = self.out / ".config"
        with config.open("a") as file:
            file.write(os_config.text(options))
        self.make("olddefconfig", "configuring Linux")
        made = config.read_text()
        for name, became in os_config.broken(options, made).items():
            why = os_config.conditions(self.tree, self.target.folder, name)
            asked = f"{name}={options[name]}"
            advice = self.recipe.elsewhere(name)
            raise DomainError(
                f"{self.recipe.asker}: the OS kernel cannot be built with {asked}: Kconfig made {name}={became} of it; {why}"
                + (f": {advice}" if advice else "")
            )
        return hashlib.sha256(made.encode()).hexdigest()[:16]

    def build(self, final: Path, compiler: str) -> None:
        self.make(self.target.goal, f"building Linux {self.version} for {self.recipe.arch}")
        release = (self.out / "include/config/kernel.release").read_text().strip()
        new = self.out / "new"
        new.mkdir()
        shutil.copyfile(self.out / self.target.image, new / "image")
        shutil.copyfile(self.out / ".config", new / "config")
        for name, content in (("version", self.version), ("compiler", compiler), ("release", release)):
            (new / name).write_text(f"{content}\n")
        final.parent.mkdir(exist_ok=True)
        try:
            new.rename(final)
        except OSError:  # another launcher was asked for the same in other words, and was first
            if not (final / "image").is_file():
                raise


def find(recipe: Recipe, kept: Path) -> OsKernel | None:
    """The OS kernel, if it is kept."""
    version = os_tree.version(recipe.package, kept)
    return _kept(kept, _asked(recipe, recipe.all_options(), version, _compiler(TARGETS[recipe.arch])), recipe, version)


def of_source(recipe: Recipe, kept: Path, progress: Progress) -> OsKernel:
    """The OS kernel, built if it is not kept."""
    target = TARGETS[recipe.arch]
    options = recipe.all_options()
    compiler = _compiler(target)
    version = os_tree.version(recipe.package, kept) or os_tree.fetch(recipe.package, kept, progress)
    asked = _asked(recipe, options, version, compiler)
    found = _kept(kept, asked, recipe, version)
    if found:
        return found
    _find_tools(target)
    progress.show("waiting until another launcher has built this OS kernel")  # replaced at once where none does
    with locked(kept / "building" / asked):
        found = _kept(kept, asked, recipe, version)  # while this launcher waited
        if found:
            return found
        os_tree.fetch(recipe.package, kept, progress)
        out = kept / "building" / asked / "out"
        shutil.rmtree(out, ignore_errors=True)  # of a launcher that was killed
        room(kept, BUILD_BYTES, "the build of an OS kernel")
        try:
            out.mkdir()
            build = _Build(recipe, version, kept, out, progress)
            final = kept / "built" / f"{recipe.arch}-{version}-{build.configure(options)}"
            if not (final / "image").is_file():
                build.build(final, compiler)
            (kept / "asked").mkdir(exist_ok=True)
            write_whole(kept / "asked" / asked, final.name.encode() + b"\n")
        finally:
            shutil.rmtree(out, ignore_errors=True)
        made = _kept(kept, asked, recipe, version)
        if made is None:
            raise DomainError(f"{kept / 'built'}: the OS kernel that was just built is not there: is something else cleaning up?")
        return made
