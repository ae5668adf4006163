"""The runtime as OpenBoot's `boot` starts it: its two files, loaded and started by OpenBIOS, which is another implementation of
IEEE 1275, on QEMU's sun4u machine, where there is no hypervisor; and the whole way in a guest of the tests' own hypervisor,
where a program of the tests plays OpenBoot (tests/bare/niagara/player.c)."""

from __future__ import annotations

import re
import struct
import subprocess
import time
import zlib
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import cmtnoise
import pytest
from bare_machine import facts, interrupts, records, run, ticks_found
from niagara_machine import COUNTED, EXIT, MACHINE, PREFIX, SECONDS, Niagara, symbols, watch
from program import PROGRAM

IMAGES = Niagara("test-openboot")
OBJECTS = IMAGES.objects
START = 0x80000000
FAULTS = ["", "not sun4v", "no memory", "memory in use", "no map", "maps elsewhere", "no device", "short device", "no claim"]
FAULTS += ["in the way"]
BLOCK = 512


@cache
def built(*settings: str) -> dict[str, bytes]:
    """The two files. An image that was asked for last is there already."""
    IMAGES.make(*settings, "LABEL=emulated")
    return {name: (OBJECTS / f"cmtnoise.{name}").read_bytes() for name in ("aout", "img")}


def files() -> dict[str, bytes]:
    return built("THREADS=0:add+window", "REPS=100")


def image() -> bytes:
    """The runtime, as it has to lie in memory."""
    flat = OBJECTS / "flat.bin"
    run(f"{PREFIX}objcopy", "-O", "binary", OBJECTS / "cmtnoise.elf", flat)
    return flat.read_bytes()


def test_the_files_are_what_openboot_looks_for() -> None:
    aout, disk = files()["aout"], files()["img"]
    magic, text, data, bss, _, entry, *_ = struct.unpack(">8I", aout[:32])
    assert (magic, entry, data, bss) == (0x01030107, 0x4000, 0, 0) and len(aout) == 32 + text
    assert image() in aout and entry + text < 10 << 20  # what OpenBoot maps

    words = struct.unpack(">256H", disk[:BLOCK])
    assert words[254] == 0xDABE and not any_left(words)
    cylinders, spare, heads, sectors = struct.unpack(">4H", disk[432:440])
    assert len(disk) == (cylinders + spare) * heads * sectors * BLOCK
    assert struct.unpack(">2I", disk[444:452]) == struct.unpack(">2I", disk[460:468]) == (0, len(disk) // BLOCK)
    assert struct.unpack(">I", disk[188:192])[0] == 0x600DDEEE
    magic, text, *_ = struct.unpack(">8I", disk[BLOCK : BLOCK + 32])
    assert magic == 0x01030107 and text + 32 == 15 * BLOCK  # the boot block
    assert disk[16 * BLOCK :].startswith(image())


def any_left(words: Sequence[int]) -> int:
    left = 0
    for word in words:
        left ^= word
    return left


def talk_to_openbios(folder: Path, memory: str, *talk: tuple[str, str]) -> str:
    """What OpenBIOS writes on a sun4u machine without a hypervisor; lines are typed at its prompt, each with what to wait
    for. "" if it did not get as far as starting what it was to boot."""
    machine = ["-M", "sun4u", "-m", memory, "-vga", "none", "-net", "none", "-prom-env", "auto-boot?=false", "-serial", "stdio"]
    machine += ["-drive", f"file={folder / 'disk'},format=raw,if=ide,bus=0,unit=0,snapshot=on"]
    machine += ["-drive", f"file={folder / 'cdrom'},format=raw,if=ide,bus=1,unit=0,media=cdrom"]
    with (folder / "console").open("wb") as console:
        emulator = subprocess.Popen(["timeout", str(SECONDS), *MACHINE, *machine], stdin=subprocess.PIPE, stdout=console)
    assert emulator.stdin
    said = ""
    try:
        for line, until in (("", PROMPT), *talk):
            emulator.stdin.write(line.encode())
            emulator.stdin.flush()
            before, patience = len(said), time.monotonic() + PATIENCE_S
            while not re.search(f"{until}|{NO_DRIVE}", said[before:], re.MULTILINE):
                time.sleep(0.02)
                said = (folder / "console").read_text()
                if emulator.poll() is not None or time.monotonic() > patience:
                    assert "entry point" not in said[before:], said
                    return ""
            if NO_DRIVE in said:
                return ""
    finally:
        emulator.terminate()
        emulator.communicate()
    return said


def openbios(folder: Path, memory: str, disk: bytes, cdrom: bytes, *talk: tuple[str, str]) -> str:
    """On a busy host OpenBIOS may not wait long enough for a drive: it does without, or hangs, and is started once more then."""
    (folder / "disk").write_bytes(disk)
    (folder / "cdrom").write_bytes(cdrom)
    for _ in range(5):
        if said := talk_to_openbios(folder, memory, *talk):
            return said
    pytest.fail((folder / "console").read_text())


def with_label(aout: bytes) -> bytes:
    """The file for the network behind a disk's label: OpenBIOS has no network, and loads as many blocks as the header says."""
    return (files()["img"][:BLOCK] + aout).ljust(1 << 20, b"\0")


PROMPT = r"^0 > $"
PATIENCE_S = 40
NO_DRIVE = "No valid state has been set by load"
AGAIN = r"^EXIT\s+^0 > $"
SAYS_SUN4V = 'dev / " sun4v" encode-string " compatible" property device-end '


def test_openbios_loads_and_starts_it_and_every_refusal_ends_at_the_prompt(tmp_path: Path) -> None:
    """The image is read from the disk by the client interface, and summed up, before the machine is looked at."""
    good = image()
    disk = bytearray(files()["img"])
    disk[16 * BLOCK + 100_000] ^= 1
    damaged = bytes(disk[16 * BLOCK :][: len(good)])
    talk = [("boot disk\r", AGAIN), ("boot cdrom\r", AGAIN), (SAYS_SUN4V + "boot cdrom\r", AGAIN)]
    said = openbios(tmp_path, "256", bytes(disk), files()["img"], *talk)
    assert re.findall(r"^cmtnoise: (.*)$", said, re.MULTILINE) == [
        f"the image's checksum is {zlib.crc32(damaged):08x} and not {zlib.crc32(good):08x}, it was damaged on its way: "
        "copy the file again",
        "this machine is no sun4v, it is 'sun4u': there is no hypervisor, which the runtime needs",
        "memory 0x0 to 0x10000000",
        "there is no memory 0x80000000 to 0x88000000, where the runtime has to be: give the domain 4 GB",
    ]


def test_openbios_gives_and_maps_the_memory_when_it_calls_itself_sun4v(tmp_path: Path) -> None:
    """All that is asked of the client interface succeeds, on an implementation that knows nothing of us. Then comes the first
    call of a hypervisor, which is a trap that a sun4u has no use for."""
    talk = ("boot disk\r", AGAIN), (SAYS_SUN4V + "boot disk\r", r"^Stopping execution")
    said = openbios(tmp_path, "3G", with_label(files()["aout"]), b"\0" * 2048, *talk)
    trapped = re.search(r"^Unhandled Exception 0x0*100\s+PC = 0x(\w+)", said, re.MULTILINE)
    call = symbols(OBJECTS / "openboot/aout.elf")["niagara_call"]
    assert trapped and call < int(trapped[1], 16) < call + 0x30, said
    assert len(re.findall("^cmtnoise:", said, re.MULTILINE)) == 1  # the first time: no sun4v


@cache
def player() -> Path:
    flags = ["-I.", "-mcpu=niagara", "-mcmodel=medlow", "-fno-pic", "-O1", "-ffreestanding", "-fno-stack-protector"]
    warnings = ["-Wall", "-Wextra", "-Wmissing-prototypes", "-Wstrict-prototypes", "-Werror"]
    sources = ["tests/bare/niagara/player.S", "tests/bare/niagara/player.c", "domains/bare/niagara/calls.S"]
    sources += ["domains/bare/niagara/traps.S", "domains/bare/libc.c", "domains/bare/printf.c"]
    link = ["-nostdlib", "-static", "-Wl,--build-id=none,-e,player_start,-T,tests/bare/niagara/player.ld"]
    elf, flat = OBJECTS / "player.elf", OBJECTS / "player.bin"
    run(f"{PREFIX}gcc", *flags, *warnings, *link, "-o", elf, *sources)
    run(f"{PREFIX}objcopy", "-O", "binary", elf, flat)
    return flat


def play(folder: Path, file: str, bytes_: bytes, fault: str = "", define: str = "-DKEEPS_MMU=0", until: str = EXIT) -> str:
    """What is written when the player loads one of the files; with a fault it does one thing badly."""
    (folder / "booted").write_bytes(bytes_)
    at = {"reset": 0x88000000, "booted": 0x8B000000, "orders": 0x8C000000}
    firmware = IMAGES.hypervisor(folder, "-DHAS_ALL=1", "-DPLAYER=0x88000000", define)
    memory = ["-device", f"loader,file={player()},addr={at['reset']:#x},force-raw=on"]
    memory += ["-device", f"loader,file={folder / 'booted'},addr={at['booted']:#x},force-raw=on"]
    for place, order in ((0, FAULTS.index(fault)), (8, int(file == "img"))):
        memory += ["-device", f"loader,addr={at['orders'] + place:#x},data={order},data-len=8,data-be=on"]
    machine = ["-M", "niagara", "-m", "256", "-L", str(folder), *firmware, *memory, *COUNTED]
    return watch(folder, until, *machine).replace("\r", "")


@pytest.mark.parametrize("file", ["aout", "img"])
def test_from_openboots_prompt_to_the_records(file: str, tmp_path: Path) -> None:
    console = play(tmp_path, file, files()[file])
    calls = re.findall(r"^\[hypervisor\] (.*)$", console, re.MULTILINE)
    assert calls[:6] == [f"CPU_STOP {strand:016x}" for strand in (1, 2, 3, 4, 6, 7)]  # 5 is stopped, the others are not there
    assert calls[6:10] == [f"CPU_QCONF {queue:016x} {0:016x} {0:016x}" for queue in range(0x3C, 0x40)]
    # %pstate without interrupts, %pil 15, no comparison of %tick and %stick, and no software interrupt that was left over.
    off = [int(word, 16) for word in calls[10].removeprefix("MMU off ").split()]
    assert off == [START, 0x14, 15, 1 << 63, 1 << 63, 0]
    assert f"cmtnoise: {len(image())} bytes are at 0x80000000, with memory up to 0x88000000: leaving OpenBoot\n" in console
    told = facts(console)
    assert (told["entered"], told["hypervisor"]) == ("openboot", "sun4v")
    # What OpenBoot gave, of the two or three sizes of memory that there are: the description has another.
    assert int(told["memory_bytes"]) == 0x88000000 - IMAGES.symbols()["niagara_free"]
    assert calls[-1] == "MACH_EXIT 0000000000000000"

    # A log of the console has all of that in it, and is read as it is.
    shape = tmp_path / "silicon-bare.toml"
    profile = Path("domains/profiles/t1-bare.toml").read_text()
    shape.write_text(profile.replace("strands = 1 ", "strands = 8 ").replace("0:all", "0:add+window"))
    run(PROGRAM, "domain", "read", shape, tmp_path / "console", "-o", tmp_path / "run")
    assert cmtnoise.load(tmp_path / "run").status == "complete"

    # Which way the image was entered makes no difference to what it measures, beyond the counter's rounding.
    plain = tmp_path / "plain"
    plain.mkdir()
    direct = records(IMAGES.boot(plain, *IMAGES.hypervisor(plain, "-DHAS_ALL=1"), firmware=plain, until=EXIT))
    by_openboot = records(console)
    assert list(by_openboot) == list(direct) == [(0, "add"), (0, "window")]
    for which, repetitions in by_openboot.items():
        pairs = zip(repetitions, direct[which], strict=True)
        assert all(abs(a - b) <= 1 for (_, a), (_, b) in pairs)  # a count has 1.25 instructions


def test_the_memory_is_claimed_where_the_image_belongs_as_much_as_there_is(tmp_path: Path) -> None:
    console = play(tmp_path, "aout", files()["aout"])
    claims = [int(size, 16) for size in re.findall(r"^\[openboot\] claim real 0x80000000 0x(\w+)$", console, re.MULTILINE)]
    assert claims[0] == 1 << 30 and claims[-1] == 128 << 20 and all(a == 2 * b for a, b in pairwise(claims))
    mapped = re.findall(r"^\[openboot\] map (\w+) (\w+)$", console, re.MULTILINE)
    assert [int(address, 16) for address, _ in mapped] == [START] and int(mapped[0][1], 16) >= len(image())


def test_its_own_tick_is_the_only_one_after_openboots_clock(tmp_path: Path) -> None:
    ticking = built("THREADS=0:add", "REPS=300", "TICK_HZ=250")
    try:
        console = play(tmp_path, "aout", ticking["aout"])
    finally:
        built.cache_clear()
    (repetitions,) = records(console).values()
    count, phase = ticks_found(repetitions, 400_000)
    assert count in (7, 8) and phase and 0 <= interrupts(console)[0] - count <= 1


@pytest.mark.parametrize(
    ("file", "fault", "sentence"),
    [
        ("aout", "not sun4v", "this machine is no sun4v, it is 'sun4u': there is no hypervisor, which the runtime needs"),
        ("aout", "no memory", "there is no memory 0x80000000 to 0x88000000, where the runtime has to be: give the domain 4 GB"),
        ("aout", "memory in use", "OpenBoot uses some of the memory 0x80000000 to 0x88000000 itself: give the domain 4 GB"),
        ("aout", "no map", "OpenBoot does not map memory 0x80000000"),
        ("aout", "maps elsewhere", "OpenBoot mapped memory 0x80400000, and not 0x80000000"),
        ("aout", "in the way", "OpenBoot loaded this to memory 0x80004000, where the runtime has to be: give the domain 4 GB"),
        ("img", "no device", "the boot device '/virtual-devices@100/channel-devices@200/disk@0' cannot be opened again"),
        ("img", "short device", "gave 91808 of the image's"),
        ("img", "no claim", "KB of memory for the image"),
    ],
)
def test_whatever_is_wrong_is_told_and_ends_at_the_prompt(file: str, fault: str, sentence: str, tmp_path: Path) -> None:
    console = play(tmp_path, file, files()[file], fault)
    said = re.findall(r"^cmtnoise: (.*)$", console, re.MULTILINE)
    assert sentence in said[-1]
    assert "[openboot] Program terminated\n" in console and console.endswith("[hypervisor] MACH_EXIT 0000000000000002\n")
    assert "CPU_STOP" not in console and "MMU off" not in console and "@cmtnoise-bare" not in console


def test_a_file_that_was_damaged_or_cut_on_its_way_is_not_entered(tmp_path: Path) -> None:
    good = files()["aout"]
    damaged = bytearray(good)
    damaged[good.index(image()) + 5] ^= 1
    for bad in (bytes(damaged), good[: len(good) // 2]):
        console = play(tmp_path, "aout", bad)
        assert re.search(
            r"^cmtnoise: the image's checksum is \w{8} and not \w{8}, it was damaged on its way", console, re.MULTILINE
        )
        assert "[openboot] Program terminated\n" in console and "@cmtnoise-bare" not in console


def test_a_hypervisor_that_keeps_translation_on_is_told(tmp_path: Path) -> None:
    console = play(tmp_path, "aout", files()["aout"], define="-DKEEPS_MMU=1")
    assert "cmtnoise: the hypervisor does not turn translation off, status 6: reset-all before the next try\n" in console
    assert "[openboot] Program terminated\n" in console and "@cmtnoise-bare" not in console


def test_a_loader_that_outgrows_a_boot_block_is_no_disk(tmp_path: Path) -> None:
    """OpenBoot would load the first 15 blocks of it and start those."""
    files()
    more = tmp_path / "more.S"
    more.write_text('.section .rodata\n.globl client_exit\n.skip 8192\n.section .note.GNU-stack,"",@progbits\n')
    script = "domains/bare/niagara/openboot/image.ld"
    objects = sorted((OBJECTS / "openboot/obj").rglob("*.o"))
    command = [f"{PREFIX}gcc", "-nostdlib", "-static", f"-Wl,-T,{script},--defsym=ON_DISK=1,--defsym=DISK_BYTES=1048576"]
    done = subprocess.run(
        [*command, "-o", tmp_path / "x", *objects, OBJECTS / "openboot/payload-1.o", more], capture_output=True, text=True
    )
    assert done.returncode != 0 and "the loader does not fit the 15 blocks of a boot block" in done.stderr
