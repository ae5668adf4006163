"""OS kernels built from source, with a package, a source tree and a machine that only play theirs; tests/domains has the real
ones."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import tarfile
import time
from pathlib import Path

import cmtnoise
import pytest
from cmtnoise_domain import os_config, os_source, os_tree, step
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.os_kernel import OsKernel
from cmtnoise_domain.os_source import Recipe
from cmtnoise_domain.progress import Progress
from program import PROGRAM
from test_domain_linux import FAKE_MAKEFILE, FAKE_QEMU, sent

NAME = "linux-source-6.1"
# Stands for Linux's: Kconfig refuses SMP, and says nothing of what it does not know.
TREE = {
    "Makefile": """
goals = $(MAKECMDGOALS)
tinyconfig:
	@mkdir -p $(O) && echo CONFIG_64BIT=y > $(O)/.config
olddefconfig:
	@sed -E -i '/CONFIG_(SMP|PREEMPT_RT)=y|NONE_SUCH/d; s/=n$$/ is not set/' $(O)/.config && sort -u -o $(O)/.config $(O)/.config
bzImage vmlinux:
	@echo "$(ARCH) $(CROSS_COMPILE)$(KCFLAGS)$(HOSTCC)$(LLVM)" >> $$MADE
	@test -z "$$SAYS" || { echo "$$SAYS"; false; }
	@test -z "$$SLOW" || { echo $$$$ > $$SLOW; exec sleep 300; }
	@mkdir -p $(O)/arch/x86/boot $(O)/include/config
	@echo 6.1.99 > $(O)/include/config/kernel.release
	@echo image > $(O)/vmlinux; echo image > $(O)/arch/x86/boot/bzImage
""",
    "init/Kconfig": """config SMP
        bool "Symmetric"
        depends on BRAVERY && !TINY
        help
          More.

config HZ_250
        bool
""",
}
APT_GET = """#!/bin/sh
echo apt-get "$@" >> "$CALLS"
test -z "$NO_NETWORK" || { echo "Reading..."; echo "E: Could not resolve the archive"; exit 100; }
cp "$DEB" linux-source-6.1_6.1.99-1_all.deb
"""
DPKG_DEB = """#!/bin/sh
test "$1" = -f && { echo "${VERSION:-6.1.99-1}"; exit; }
mkdir -p "$3/usr/src" && cp "$2" "$3/usr/src/linux-source-6.1.tar.xz"
"""


def package(path: Path) -> None:
    with tarfile.open(path, "w:xz") as archive:
        for name, content in TREE.items():
            member = tarfile.TarInfo(f"linux-source-6.1/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content.encode()))


class Bench:
    """A folder of programs, and one for OS kernels."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.kept, self.calls, self.made = folder, folder / "os", folder / "calls", folder / "made"
        self.monkeypatch = monkeypatch
        (folder / "bin").mkdir()
        (folder / "x86_64.config").write_text("# A reason.\nCONFIG_PRINTK=y  # another\nCONFIG_HZ_250=y\n")
        (folder / "sparc64.config").write_text("CONFIG_PRINTK=y\n")
        self.program("apt-get", APT_GET)
        self.program("dpkg-deb", DPKG_DEB)
        package(folder / "deb")
        told = {"CALLS": self.calls, "MADE": self.made, "DEB": folder / "deb", "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        for name, value in told.items():
            monkeypatch.setenv(name, str(value))

    def program(self, name: str, text: str) -> None:
        (self.folder / "bin" / name).write_text(text)
        (self.folder / "bin" / name).chmod(0o755)

    def only(self, *names: str) -> None:
        """Leaves these programs alone on the path."""
        place = self.folder / "only"
        place.mkdir()
        for name in names:
            found = shutil.which(name)
            assert found, name
            (place / name).symlink_to(found)
        self.monkeypatch.setenv("PATH", str(place))

    def kernel(self, options: str = "HZ_250=n HZ_100=y", arch: str = "x86_64", package: str = NAME) -> OsKernel:
        recipe = Recipe(arch, package, os_config.options(options, "test"), "mine", self.folder)
        before = os_source.find(recipe, self.kept)
        kernel = os_source.of_source(recipe, self.kept, Progress(True))
        assert before in (None, kernel) and os_source.find(recipe, self.kept) == kernel
        return kernel

    def fault(self, *options: str) -> str:
        with pytest.raises(DomainError) as raised:
            self.kernel(*options)
        return str(raised.value)

    def builds(self) -> int:
        return len(self.made.read_text().splitlines()) if self.made.exists() else 0

    def fetches(self) -> int:
        return len(self.calls.read_text().splitlines()) if self.calls.exists() else 0

    def left(self) -> list[str]:
        """What builds that ended left, but for their locks."""
        places = [*(self.kept / "building").glob("*/*"), *(self.kept / NAME).glob("*")]
        return sorted(file.name for file in places if file.name not in ("lock", "version"))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_the_environment_does_not_change_what_is_built(bench: Bench) -> None:
    for name in ("KCFLAGS", "HOSTCC", "LLVM"):
        bench.monkeypatch.setenv(name, "another")
    bench.kernel()
    assert bench.made.read_text() == "x86_64 \n"


def test_an_os_kernel_is_built_once_and_kept(bench: Bench) -> None:
    kernel = bench.kernel()
    assert kernel.image.read_text() == "image\n" and kernel.release == "6.1.99"
    assert kernel.name.startswith("linux-source-6.1 6.1.99-1, ")
    assert kernel.config and {"CONFIG_HZ_100=y", "CONFIG_PRINTK=y", "CONFIG_64BIT=y"} <= set(
        kernel.config.read_text().split("\n")
    )
    folder = kernel.image.parent
    assert folder.parent == bench.kept / "built" and folder.name.startswith("x86_64-6.1.99-1-")
    assert sorted(file.name for file in folder.iterdir()) == ["compiler", "config", "image", "release", "version"]
    assert "gcc" in (folder / "compiler").read_text() and bench.left() == []
    assert bench.kernel() == kernel and (bench.builds(), bench.fetches()) == (1, 1)


def test_what_is_kept_needs_neither_network_nor_source_nor_tools(bench: Bench) -> None:
    kernel = bench.kernel()
    shutil.rmtree(bench.kept / "source-6.1.99-1")
    bench.only("gcc")
    bench.monkeypatch.setenv("NO_NETWORK", "1")
    assert bench.kernel() == kernel and (bench.builds(), bench.fetches()) == (1, 1)


def test_other_options_or_another_machine_are_another_os_kernel(bench: Bench) -> None:
    first = bench.kernel()
    assert bench.kernel("HZ_250=n HZ_1000=y").image != first.image
    bench.program("sparc64-linux-gnu-gcc", "#!/bin/sh\necho made-gcc 1\n")
    other = bench.kernel(arch="sparc64")
    assert other.image.parent.name.startswith("sparc64-") and (bench.builds(), bench.fetches()) == (3, 1)
    assert bench.made.read_text().splitlines()[-1] == "sparc64 sparc64-linux-gnu-"


def test_another_compiler_builds_anew(bench: Bench) -> None:
    bench.program("sparc64-linux-gnu-gcc", "#!/bin/sh\necho made-gcc 1\n")
    bench.kernel(arch="sparc64")
    bench.program("sparc64-linux-gnu-gcc", "#!/bin/sh\necho made-gcc 2\n")
    bench.kernel(arch="sparc64")
    assert len(list((bench.kept / "asked").iterdir())) == 2


def test_the_same_asked_for_in_other_words_is_built_once(bench: Bench) -> None:
    kernel = bench.kernel("HZ_250=y")
    assert bench.kernel("HZ_250=y 64BIT=y").image == kernel.image and bench.builds() == 1
    assert len(list((bench.kept / "asked").iterdir())) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("SMP=y", "mine: the OS kernel cannot be built with SMP=y: Kconfig made SMP=n of it; it depends on BRAVERY && !TINY"),
        ("NONE_SUCH=y", "with NONE_SUCH=y: Kconfig made NONE_SUCH=n of it; this version of Linux has no such option"),
    ],
)
def test_an_option_that_does_not_hold_is_told(bench: Bench, options: str, says: str) -> None:
    assert says in bench.fault(options)
    assert bench.builds() == 0 and bench.left() == [] and not (bench.kept / "built").exists()


@pytest.mark.parametrize("words", ["HZ", "hz=3", "A=m", "A=`b`", "A=y;B=n"])
def test_what_is_no_option_is_told(words: str) -> None:
    with pytest.raises(DomainError, match=r"^mine\.toml:7: .*(is no option of an OS kernel's build|no modules)"):
        os_config.options(words, "mine.toml:7")


def test_texts_are_quoted_in_a_config() -> None:
    assert os_config.text({"B": "y", "A": "a,b", "C": "0x10"}) == 'CONFIG_A="a,b"\nCONFIG_B=y\nCONFIG_C=0x10\n'
    assert os_config.broken({"A": "a,b", "N": "n", "C": "3"}, 'CONFIG_A="a,b"\nCONFIG_C=4\n') == {"C": "4"}


def test_without_network_it_says_what_is_missing_and_where_to_put_it(bench: Bench) -> None:
    bench.monkeypatch.setenv("NO_NETWORK", "1")
    said = bench.fault()
    assert "put linux-source-6.1_VERSION_all.deb there by hand" in said and str(bench.kept) in said
    assert "E: Could not resolve the archive" in said and bench.left() == []
    package(bench.kept / "linux-source-6.1_6.1.99-1_all.deb")
    assert bench.kernel().image.is_file() and bench.fetches() == 1


def test_without_network_another_os_kernel_is_built_from_the_source_that_is_kept(bench: Bench) -> None:
    bench.kernel()
    bench.monkeypatch.setenv("NO_NETWORK", "1")
    assert bench.kernel("HZ_250=n HZ_1000=y").image.is_file() and bench.fetches() == 1


def test_a_version_is_pinned_by_its_name_or_by_what_is_kept(bench: Bench) -> None:
    kernel = bench.kernel(package=f"{NAME}=6.1.99-1")
    assert kernel.name.startswith("linux-source-6.1 6.1.99-1, ") and bench.calls.read_text().strip().endswith("=6.1.99-1")
    assert bench.kernel().image == kernel.image
    shutil.rmtree(bench.kept / "source-6.1.99-1")
    bench.monkeypatch.setenv("NO_NETWORK", "1")
    assert f"Debian drops old versions: remove {bench.kept / NAME} to move on" in bench.fault("HZ_250=n HZ_1000=y")
    bench.monkeypatch.delenv("NO_NETWORK")
    bench.monkeypatch.setenv("VERSION", "6.1.100-1")
    shutil.rmtree(bench.kept / NAME)
    assert bench.kernel().name.startswith("linux-source-6.1 6.1.100-1, ")


def test_a_package_that_holds_no_source_is_told(bench: Bench) -> None:
    bench.program("dpkg-deb", "#!/bin/sh\necho 6.1.99-1\n")
    assert "holds 0 archives of Linux's source" in bench.fault()
    (bench.folder / "deb").write_bytes(b"no archive")
    bench.program("dpkg-deb", DPKG_DEB)
    assert "cannot be unpacked; tar (exit status 2) said: " in bench.fault()
    assert not list(bench.kept.glob("source-*")) and bench.left() == []


@pytest.mark.parametrize(
    ("missing", "package"),
    [("bc", "bc"), ("flex", "flex"), ("bison", "bison"), ("make", "make"), ("xz", "xz-utils"), ("gcc", "gcc")],
)
def test_a_tool_that_is_missing_is_told_with_its_package(bench: Bench, missing: str, package: str) -> None:
    tools = ["apt-get", "dpkg-deb", "tar", "xz", "make", "gcc", "ld", "flex", "bison", "bc", "cp", "mkdir", "sh", "echo"]
    bench.only(*(name for name in tools if name != missing))
    said = bench.fault()
    assert f"{missing} is needed to build an OS kernel and is not there" in said and f"apt-get install {package})" in said


def test_a_header_that_is_missing_is_told_with_its_package(bench: Bench) -> None:
    bench.program("gcc", '#!/bin/sh\ntest "$1" = --version && echo made-gcc\n')
    assert "the header gelf.h is needed to build an OS kernel: install the package libelf-dev" in bench.fault()


def test_a_build_that_fails_says_why_and_leaves_nothing(bench: Bench) -> None:
    bench.monkeypatch.setenv("SAYS", "kernel/fork.c:7: error: expected ';'")
    assert "mine: the OS kernel could not be built; make (exit status 2) said: kernel/fork.c:7: error: expected" in bench.fault()
    bench.monkeypatch.setenv("SAYS", "cc1: fatal error: out.o: No space left on device")
    assert bench.fault() == "mine: the OS kernel could not be built: the disk is full"
    assert bench.left() == [] and not (bench.kept / "built").exists()


def test_a_disk_without_room_is_told_before(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os_tree, "TREE_BYTES", 1 << 60)
    assert "Linux's source takes 1152921504.6 GB below" in bench.fault()
    with pytest.raises(DomainError, match="free some, or make build/domains/os a link"):
        step.room(bench.folder, 1 << 60, "it")


def test_what_a_launcher_that_was_killed_left_is_not_taken_as_whole(bench: Bench) -> None:
    kernel = bench.kernel()
    asked = next((bench.kept / "asked").iterdir())
    shutil.rmtree(bench.kept / "built")
    (bench.kept / "building" / asked.name / "out").mkdir()
    (bench.kept / "building" / asked.name / "out" / "stale").touch()
    (bench.kept / NAME / "unpacking").mkdir()
    assert bench.kernel() == kernel and bench.builds() == 2 and "stale" not in bench.left()


PROFILE = f"""kind = "linux"
description = "made for tests"
machine = "pc"
source = "{NAME}"
tick = ["hz250"]
config = "PRINTK_TIME=y"
timeout = 60
"""


RUN = [PROGRAM, "domain", "run", "./guest.toml", "-o", "run"]


def whole_tree(bench: Bench) -> None:
    """What the launcher needs besides: a source tree, a profile, and a machine."""
    tree = bench.folder / "tree"
    (tree / "domains/linux").mkdir(parents=True)
    (tree / "asm").symlink_to(Path("asm").resolve())
    (tree / "Makefile").write_text(FAKE_MAKEFILE)
    (tree / "domains/linux/x86_64.config").write_text("CONFIG_PRINTK=y\n")
    bench.program("qemu-system-x86_64", FAKE_QEMU)
    (bench.folder / "guest.toml").write_text(PROFILE)
    for name, content in (("CHANNEL", sent()), ("CONSOLE", b"")):
        (bench.folder / name).write_bytes(content)
        bench.monkeypatch.setenv(f"FAKE_{name}", str(bench.folder / name))
    bench.monkeypatch.setenv("CMTNOISE_SOURCE", str(tree))
    bench.kept = tree / "build/domains/os"


def test_a_guest_runs_what_was_built_for_its_tick_configuration(bench: Bench) -> None:
    whole_tree(bench)
    done = subprocess.run(RUN, cwd=bench.folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert cmtnoise.load(bench.folder / "run").info["domain"]["os_kernel"].startswith("linux-source-6.1 6.1.99-1, ")
    (config,) = (bench.kept / "built").glob("*/config")
    assert {"CONFIG_HZ=250", "CONFIG_HZ_250=y", "CONFIG_PRINTK=y", "CONFIG_PRINTK_TIME=y"} <= set(config.read_text().split("\n"))


def test_a_build_that_is_interrupted_ends_make_and_leaves_nothing(bench: Bench) -> None:
    whole_tree(bench)
    slow = bench.folder / "slow"
    bench.monkeypatch.setenv("SLOW", str(slow))
    with subprocess.Popen(RUN, cwd=bench.folder, stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 60
        while not (slow.exists() and slow.read_text().strip()) and time.monotonic() < deadline:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(slow.read_text()), 0)
    assert bench.left() == [] and not (bench.kept / "built").exists() and not (bench.folder / "run").exists()
    bench.monkeypatch.delenv("SLOW")
    assert subprocess.run(RUN, cwd=bench.folder, timeout=120).returncode == 0


def test_a_tick_configuration_that_the_source_lacks_names_the_profile_that_has_it(bench: Bench) -> None:
    whole_tree(bench)
    done = subprocess.run([*RUN[:3], "./guest.toml+rt"], cwd=bench.folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and bench.builds() == 0
    assert "cannot be built with PREEMPT_RT=y" in done.stderr, done.stderr
    assert "take the profile x86-debian-rt, whose OS kernel is made for rt" in done.stderr
