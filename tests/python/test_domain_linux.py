"""Linux guests of `cmtnoise domain`, with a machine that only plays a channel; tests/domains has the real ones."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import zlib
from pathlib import Path
from typing import Any

import cmtnoise
import pytest
from cmtnoise_domain import initramfs, main, os_kernel, profile
from cmtnoise_domain.channel import Channel
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import guest_of
from made import durations, record_text
from program import PROGRAM

PROFILE = """kind = "linux"
description = "made for tests"
machine = "pc"
kernel = "bzImage"
kernels = "add"
timeout = 60
"""
FAKE_QEMU = """#!/usr/bin/env python3
import os, sys
if "--version" in sys.argv:
    print("QEMU emulator version 7.2.99 (made)")
    sys.exit(0)
for name in ("console", "channel"):
    path = next(word for word in sys.argv if word.startswith(f"file,id={name},path=")).partition("path=")[2].replace(",,", ",")
    open(path, "wb").write(open(os.environ[f"FAKE_{name.upper()}"], "rb").read())
"""
FAKE_MAKEFILE = """guest:
	@mkdir -p build/guest && cd build/guest && echo init > init && echo cmtnoise > cmtnoise && echo 0123456789ab > commit
"""
BZIMAGE = bytes(0x1FE) + b"\x55\xaa\xeb\x6aHdrS" + bytes(64)
RECORD = record_text(durations(100), label="emulated").encode()
RUN: dict[str, Any] = {
    "run_version": 1,
    "status": "complete",
    "status_detail": None,
    "label": "emulated",
    "command": ["cmtnoise", "sweep"],
    "tool": {"name": "cmtnoise", "version": "0.1.0", "commit": None},
    "host": {"name": "guest", "os": "linux"},
    "tick": {"hz": 250},
    "plan": [{"strand": 0, "kernel": "add", "round": 1, "file": "records/strand0-add.tsv"}],
}


def framed(name: str, content: bytes) -> bytes:
    return f"@file: {name} {len(content)} {zlib.crc32(content):08x}\n".encode() + content


def sent(end: str = "ok", record: bytes = RECORD, settings: bytes = b"", **changed: object) -> bytes:
    files = framed("run.json", json.dumps(RUN | changed).encode()) + framed("records/strand0-add.tsv", record)
    return b"@cmtnoise-guest: 1\n" + settings + files + f"@end: {end}\n".encode()


class Bench:
    """Programs that the launcher finds, a source tree, a profile, and what the guest sends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        programs, tree = folder / "bin", folder / "tree"
        programs.mkdir()
        (tree / "domains").mkdir(parents=True)
        (tree / "Makefile").write_text(FAKE_MAKEFILE)
        self.program("qemu-system-x86_64", FAKE_QEMU)
        (folder / "bzImage").write_bytes(BZIMAGE)
        (folder / "guest.toml").write_text(PROFILE)
        places = {"FAKE_CONSOLE": str(folder / "said"), "FAKE_CHANNEL": str(folder / "sent")}
        self.env = os.environ | places | {"PATH": f"{programs}:{os.environ['PATH']}", "CMTNOISE_SOURCE": str(tree)}
        self.play(sent())

    def program(self, name: str, text: str) -> None:
        (self.folder / "bin" / name).write_text(text)
        (self.folder / "bin" / name).chmod(0o755)

    def play(self, channel: bytes, console: bytes = b"") -> None:
        (self.folder / "sent").write_bytes(channel)
        (self.folder / "said").write_bytes(console)

    def run(self, *options: str, profile: str = "./guest.toml") -> subprocess.CompletedProcess[str]:
        command = [PROGRAM, "domain", "run", profile, "-o", "run", *options]
        return subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=120)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_guest_s_run_is_an_ordinary_run(bench: Bench) -> None:
    done = bench.run("--", "-k", "add,mul", "-r", "100", "-n", "7")
    assert (done.returncode, done.stdout) == (0, "run\n"), done.stderr
    run = cmtnoise.load(bench.folder / "run")
    assert run.status == "complete" and run.problems == () and len(run.records) == 1
    assert run.records[0].path.read_bytes() == RECORD
    domain = run.info["domain"]
    assert domain["profile"] == "guest" and domain["kind"] == "linux" and domain["os_kernel"] == "bzImage"
    assert run.info["tool"] == RUN["tool"] | {"commit": "0123456789ab"}  # which the guest's own program does not hold
    assert domain["guest_command"] == ["cmtnoise", "sweep"] and run.info["command"][:3] == ["cmtnoise", "domain", "run"]
    assert "shift=0,sleep=off" in domain["qemu_command"] and str(bench.folder) not in " ".join(domain["qemu_command"])
    assert not (bench.folder / "run/console.txt").exists()


def test_a_sweep_that_fails_in_the_guest_is_told(bench: Bench) -> None:
    bench.play(sent("failed the sweep's exit status is 1"), b"cmtnoise: no memory\n")
    done = bench.run()
    assert done.returncode == 1 and "the sweep's exit status is 1" in done.stderr
    run = cmtnoise.load(bench.folder / "run")
    assert run.status == "failed" and len(run.records) == 1
    assert (bench.folder / "run/console.txt").read_text() == "cmtnoise: no memory\n"


def test_a_channel_that_was_cut_keeps_what_is_whole(bench: Bench) -> None:
    bench.play(sent()[: -len("@end: ok\n")])
    done = bench.run()
    assert done.returncode == 1 and "QEMU ended by itself" in done.stderr
    assert cmtnoise.load(bench.folder / "run").status == "interrupted"
    bench.play(sent()[:-40])
    (bench.folder / "run").rename(bench.folder / "before")
    assert "records/strand0-add.tsv was cut" in bench.run().stderr
    assert not cmtnoise.load(bench.folder / "run").records


UNSENT = {"strand": 0, "kernel": "mul", "round": 1, "file": "records/strand0-mul.tsv"}


@pytest.mark.parametrize(
    ("channel", "says"),
    [
        (sent(plan=[*RUN["plan"], UNSENT]), "1 of 2 planned records are not there"),
        (sent(plan=None), "run.json: 'plan' is missing"),
        (sent(label="measured"), "the guest labels its run measured, and it is emulated"),
        (sent(record=record_text(durations(100), label="measured").encode()), "the guest labels its run measured"),
    ],
)
def test_what_a_guest_says_of_its_run_is_not_believed(bench: Bench, channel: bytes, says: str) -> None:
    bench.play(channel, b"last words\n")
    done = bench.run()
    assert done.returncode == 1 and says in done.stderr, done.stderr
    told = json.loads((bench.folder / "run/run.json").read_text())
    assert told["status"] == "failed" and says in told["status_detail"]
    assert (bench.folder / "run/console.txt").read_text() == "last words\n"


def test_a_record_that_is_none_is_not_kept(bench: Bench) -> None:
    bench.play(sent(record=b"# record_version: 1\nno record\n"))
    done = bench.run()
    assert done.returncode == 1 and "strand0-add.tsv" in done.stderr
    assert not list((bench.folder / "run/records").iterdir())


def test_an_os_kernel_that_never_reaches_the_first_program_shows_its_last_words(bench: Bench) -> None:
    bench.play(b"", b"Booting\nKernel panic - not syncing: VFS: Unable to mount root fs\n")
    done = bench.run()
    assert done.returncode == 1
    assert "the guest did not reach its first program" in done.stderr and "Kernel panic - not syncing" in done.stderr
    assert not (bench.folder / "run").exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('kernel = "none"', "none: no such file: kernel names a bootable image"),
        ('kernel = "guest.toml"', "guest.toml is no bzImage of Linux"),
        ('package = "linux-image-6.1"', "the OS kernel is a Debian package (package), a file (kernel), or built"),
        ('parameters = "a\\nb"', "guest.toml:7: parameters is text such as"),
        ('accel = "kvm"', "accel is one of icount, tcg"),
        ("strands = 2", '2 strands need accel = "tcg"'),
        ('tick = ["hz50"]', "guest.toml:7: there is no tick configuration 'hz50'"),
        ('config = "HZ_100=y"', "guest.toml:7: config is of a build"),
        ('tick = ["nohz-full"]', "nohz-full is for some of a guest's strands"),
        ('quiet_strands = "0-1"', "quiet_strands 0-1: the guest has 0"),
        ('colour = "red"', "there is no key 'colour' in a profile of kind linux"),
    ],
)
def test_a_wrong_profile_is_told(bench: Bench, line: str, says: str) -> None:
    lines = [old for old in PROFILE.splitlines() if old.split(" ")[0] != line.split(" ")[0]]
    path = bench.folder / "guest.toml"
    path.write_text("\n".join([*lines, line, ""]))
    done = bench.run()
    assert done.returncode == 1 and says in done.stderr.replace("guest.toml:6", "guest.toml:7"), done.stderr


def test_strands_that_a_guest_lacks_are_refused(bench: Bench) -> None:
    done = bench.run("--", "-s", "1")
    assert done.returncode == 1 and "--strands 1: strand 1 is not there: this domain has 0" in done.stderr


def test_tick_configurations_follow_the_name_of_a_profile(bench: Bench) -> None:
    (bench.folder / "guest.toml").write_text(PROFILE + 'tick = ["periodic"]\nparameters = "threadirqs"\n')
    bench.play(sent())
    done = bench.run(profile="./guest.toml+hz100+hz100+nohz-idle")
    assert done.returncode == 0, done.stderr
    run = cmtnoise.load(bench.folder / "run")
    domain = run.info["domain"]
    assert (domain["profile"], domain["tick"]) == ("guest+hz100+hz100+nohz-idle", ["periodic", "hz100", "nohz-idle"])
    assert domain["parameters"].endswith("nohz=off nohz=on threadirqs")
    assert "not in force: hz is 250, not 100" in done.stderr
    assert "the tick configuration periodic+hz100+nohz-idle is not in force: hz is 250, not 100" in run.info["warnings"]


@pytest.mark.parametrize("ticks, says", [("+hz50", "there is no tick configuration 'hz50'"), ("+", "no tick configuration ''")])
def test_a_tick_configuration_that_there_is_none_of_is_told(bench: Bench, ticks: str, says: str) -> None:
    done = bench.run(profile=f"./guest.toml{ticks}")
    assert done.returncode == 1 and says in done.stderr


def test_what_a_package_was_built_without_is_refused_before_it_boots(bench: Bench) -> None:
    kept = bench.folder / "tree/build/domains/os/linux-image-6.1-test"
    kept.mkdir(parents=True)
    options = "CONFIG_HZ_250=y\nCONFIG_HZ=250\nCONFIG_NO_HZ_FULL=y\n"
    for name, content in {"version": b"6.1.2", "release": b"6.1", "config": options.encode(), "vmlinuz": BZIMAGE}.items():
        (kept / name).write_bytes(content)
    (bench.folder / "guest.toml").write_text(PROFILE.replace('kernel = "bzImage"', 'package = "linux-image-6.1-test"'))
    done = bench.run(profile="./guest.toml+periodic+hz100")
    assert done.returncode == 1 and not (bench.folder / "run").exists()
    assert "guest+periodic+hz100: hz100 is decided when" in done.stderr and "HZ_100=n" in done.stderr
    assert bench.run(profile="./guest.toml+periodic+hz250").returncode == 0


def test_a_guest_s_strands_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(PROFILE + 'strands = 4\nquiet_strands = "2-3"\naccel = "tcg"\n')
    guest = guest_of(profile.load(f"{path}+nohz-full"))
    assert guest.command_line().endswith("nohz_full=2-3 isolcpus=managed_irq,domain,2-3 rcu_nocbs=2-3 irqaffinity=0-1")
    assert guest.machine.options(guest.cpu, guest.strands)[-2:] == ["-smp", "4"]


def test_a_timer_that_fails_is_a_warning_where_time_is_the_host_s(bench: Bench) -> None:
    path = bench.folder / "guest.toml"
    assert "--accept-timer" not in guest_of(profile.load(str(path))).arguments()
    path.write_text(PROFILE + 'accel = "tcg"\n')
    assert "--accept-timer" in guest_of(profile.load(str(path))).arguments()


def test_a_package_is_fetched_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.program("apt-get", '#!/bin/sh\necho "$@" >> "$FETCHED"\nfor last; do :; done\n: > "${last}_6.1.2-3_amd64.deb"\n')
    unpack = 'mkdir -p "$3/boot" && cp "$BZIMAGE" "$3/boot/vmlinuz-6.1" && echo CONFIG_HZ=250 > "$3/boot/config-6.1"'
    bench.program("dpkg-deb", f"#!/bin/sh\n{unpack}\n")
    for key, value in {"FETCHED": str(bench.folder / "fetched"), "BZIMAGE": str(bench.folder / "bzImage"), **bench.env}.items():
        monkeypatch.setenv(key, value)
    for _ in range(2):
        found = os_kernel.of_package("linux-image-6.1-test", bench.folder / "kept")
        assert (found.name, found.release) == ("linux-image-6.1-test 6.1.2-3", "6.1")
        assert found.image.read_bytes() == BZIMAGE and found.config and found.config.read_text() == "CONFIG_HZ=250\n"
    assert len((bench.folder / "fetched").read_text().splitlines()) == 1


def test_a_package_that_cannot_be_fetched_says_what_to_do(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.program("apt-get", "#!/bin/sh\necho 'E: Unable to locate package' >&2\nexit 100\n")
    monkeypatch.setenv("PATH", bench.env["PATH"])
    with pytest.raises(DomainError, match="cannot be fetched.*apt-get update.*E: Unable to locate package"):
        os_kernel.of_package("linux-image-6.1-test", bench.folder / "kept")
    assert not (bench.folder / "kept").exists()


@pytest.mark.parametrize(
    "name", ["x86-debian-cloud", "x86-debian-standard", "x86-debian-rt", "x86-debian-smp", "x86-debian-smp+nohz-full"]
)
def test_the_profiles_that_come_along_are_right(name: str) -> None:
    assert main.describe(name)["kind"] == "linux"


def entries(archive: bytes) -> dict[str, tuple[int, bytes]]:
    """Mode and content by name, of an archive in the format newc."""
    found: dict[str, tuple[int, bytes]] = {}
    at = 0
    while True:
        assert archive[at : at + 6] == b"070701"
        fields = [int(archive[at + 6 + 8 * k : at + 14 + 8 * k], 16) for k in range(13)]
        name_end = at + 110 + fields[11]
        name = archive[at + 110 : name_end - 1].decode()
        begin = name_end + -name_end % 4
        if name == "TRAILER!!!":
            return found
        found[name] = fields[1], archive[begin : begin + fields[6]]
        at = begin + fields[6] + -(begin + fields[6]) % 4


def test_an_initramfs_holds_what_it_is_given_and_is_the_same_each_time() -> None:
    made = initramfs.make({"init": b"12345", "cmtnoise": b"x"}, {"arguments": b"-k\nadd"})
    assert made == initramfs.make({"cmtnoise": b"x", "init": b"12345"}, {"arguments": b"-k\nadd"})
    found = entries(gzip.decompress(made))
    assert found["init"] == (0o100755, b"12345") and found["arguments"] == (0o100644, b"-k\nadd")
    assert found["dev/console"][0] == 0o20600 and list(found)[0] == "dev"


def read(content: bytes, step: int) -> tuple[Channel, dict[str, bytes]]:
    channel = Channel()
    files: dict[str, bytes] = {}
    for at in range(0, len(content), step):
        files.update(channel.feed(content[at : at + step]))
    return channel, files


@pytest.mark.parametrize("step", [1, 7, 100000])
def test_a_channel_is_read_in_any_pieces(step: int) -> None:
    channel, files = read(sent(), step)
    assert (channel.begun, channel.end, channel.faults) == (True, "", [])
    assert files["records/strand0-add.tsv"] == RECORD and list(files) == ["run.json", "records/strand0-add.tsv"]


@pytest.mark.parametrize("name", ["../run.json", "/etc/passwd", "records/../x.tsv", "records/a.tsv", "figures/x"])
def test_a_file_with_no_place_in_a_run_is_refused(name: str) -> None:
    channel, files = read(b"@cmtnoise-guest: 1\n" + framed(name, b"x"), 100)
    assert not files and "which is no line of its channel" in channel.faults[0]


def test_a_garbled_file_is_not_kept() -> None:
    at = sent().index(b"duration_counts") + 30
    channel, files = read(sent()[:at] + b"#" + sent()[at + 1 :], 1000)
    assert channel.faults == ["records/strand0-add.tsv came garbled"] and list(files) == ["run.json"]


def test_nothing_that_comes_breaks_the_reader() -> None:
    draw = random.Random(1)
    whole = sent(settings=b"@setting: 1 reads 0-3,5\n@setting: 2 refused Permission denied\n")
    for _ in range(200):
        harmed = bytearray(whole)
        for _ in range(draw.randrange(1, 8)):
            harmed[draw.randrange(len(harmed))] = draw.randrange(256)
        channel, files = read(bytes(harmed[: draw.randrange(len(harmed))]), 999)
        assert set(files) <= {"run.json", "records/strand0-add.tsv"}
