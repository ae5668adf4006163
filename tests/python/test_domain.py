"""`cmtnoise domain`: profiles, options, building. No machine runs here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from bare_console import T1, Bench
from cmtnoise_domain import main, profile, threads
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.shape import CHECKS, Changes, shape_of
from program import PROGRAM, cmtnoise, fails, succeeds

PC = 'kind = "bare"\ndescription = "made"\nmachine = "pc"\nstrands = 8\nthreads = ["0:add", "4-7:mul+add"]\n'


def test_the_list_of_profiles() -> None:
    listed = json.loads(succeeds("domain", "list", "--json"))["profiles"]
    files = {path.stem for path in Path("domains/profiles").glob("*.toml")}
    assert (
        {row["name"] for row in listed}
        == files
        >= {"t1-bare", "t1-bare-tick250", "t1-bare-tick100", "x86-bare", "x86-bare-tick250"}
    )
    table = succeeds("domain", "list").splitlines()
    assert table[0].split() == ["name", "kind", "machine", "strands", "tick", "description"]
    assert len(table) == len(files) + 1
    assert next(line for line in table if line.startswith("t1-bare-tick250")).split()[1:6] == [
        "bare",
        "niagara",
        "1",
        "250",
        "Hz",
    ]
    assert next(line for line in table if line.startswith("x86-bare ")).split()[1:5] == ["bare", "pc", "8", "none"]


def test_every_key_of_the_profiles_is_documented() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", Path("docs/domains.md").read_text(encoding="utf-8"), re.MULTILINE)
    documented = {word for row in rows for word in re.findall(r"`([a-z_]+)`", row)}
    assert {"kind", "description", *CHECKS} <= documented


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('colour = "red"', "there is no key 'colour'"),
        ("strands = 0", "strands is a whole number from 1 to 255, not 0"),
        ("strands = true", "strands is a whole number"),
        ("strands = 33", "strands is at most 32 on niagara"),
        ('machine = "vax"', "machine is one of niagara, pc, not 'vax'"),
        ('quantum = "100"', "quantum is a time with ns, us, ms or s"),
        ('quantum = "0us"', "quantum is a time"),
        ("repetitions = 0", "repetitions is a whole number from 1"),
        ('order = "both"', "order is one of turns, together"),
        ('accel = "fast"', "accel is one of icount, tcg, kvm, auto"),
        ('accel = "kvm"', "accel kvm is for machine pc"),
        ("icount_shift = 11", "icount_shift is a whole number from 0 to 10"),
        ('memory = "much"', "memory is text such as '256M'"),
        ('cpu = "a b"', "cpu is text such as 'Haswell'"),
        ("threads = []", "threads is a list of strings"),
        ('threads = "0:add"', "threads is a list of strings"),
        ('threads = ["0:add", "1:$(shell id)"]', "'1:$(shell' is no STRAND:KERNEL"),
        ('threads = ["0:add\'; id #"]', "is no STRAND:KERNEL"),
        ('memory = "127M"', "memory is at least 128M on niagara, not 127M"),
        ('threads = ["0:add", " "]', "threads is a list of strings"),
        ("timer_hz = 10000000001", "timer_hz is a whole number from 0 to 10000000000"),
        ("topology = { sockets = 1, cores = 1, threads = 1 }", "topology is for machine pc"),
        ('kind = "ldom"', "there is no kind 'ldom'; kinds are bare"),
        ('description = ""\nkind = 3', "the profile needs 'kind', a line of text"),
    ],
)
def test_a_wrong_profile_is_told_with_its_line(tmp_path: Path, line: str, words: str) -> None:
    key = line.split("\n")[-1].split(" ")[0]
    lines = [old for old in T1.splitlines() if not old.startswith(f"{key} ")]
    if line.startswith("description"):
        lines = [old for old in lines if not old.startswith("description")]
    path = tmp_path / "t1.toml"
    path.write_text("\n".join(["# made", *lines, line]) + "\n")
    with pytest.raises(DomainError) as error:
        main.describe(str(path))
    assert str(error.value).startswith(f"{path}:{len(lines) + 2 + line.count(chr(10))}: ") and words in str(error.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"kind = ", "t1.toml:1: is no TOML"),
        (b'kind = "bare"\nkind = "bare"\n', "t1.toml:2: is no TOML"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'kind = "bare"\ndescription = "x"\n', "has no 'machine'"),
        (PC.replace("strands = 8", "strands = 8\ntopology = { cores = 3, threads = 2 }").encode(), "t1.toml:5: topology has 6"),
        (PC.replace("strands = 8", "strands = 8\ntopology = { nodes = 8 }").encode(), "t1.toml:5: topology has the keys sockets"),
        (b"x = " + b"[" * 10000, "is no TOML"),
        (b"# " + b"x" * (1 << 20), "too large"),
    ],
)
def test_other_wrong_profiles(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "t1.toml").write_bytes(content)
    with pytest.raises(DomainError) as error:
        main.describe(str(tmp_path / "t1.toml"))
    assert words in str(error.value)


def test_profiles_that_are_not_there(bench: Bench) -> None:
    assert "no such file" in fails(1, "domain", "run", "./missing.toml")
    assert "/tmp: is a folder, no file: name a profile" in fails(1, "domain", "run", "/tmp")
    assert "/dev/null: is no ordinary file: name one" in fails(1, "domain", "read", "t1-bare", "/dev/null")
    assert "profiles are sparc-linux, t1-bare" in fails(2, "domain", "run", "missing")
    (bench.folder / "t1.toml").write_text(T1 + 'colour = "red"\n')
    code, out, err = bench.domain("run", "./t1.toml")
    assert code == 1 and not out and err.startswith("cmtnoise: t1.toml:7: there is no key 'colour'")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "list x",
        "list -- -r 5",
        "run",
        "run t1-bare --accel magic",
        "run t1-bare --timeout 0",
        "run t1-bare --timeout soon",
        "run t1-bare -- -r 0",
        "run t1-bare -- -r many",
        "run t1-bare -- -q 100",
        "run t1-bare -- -n -1",
        "run t1-bare -- --repeat=2",
        "run t1-bare -- --realtime",
        "run t1-bare -- stray",
        "build t1-bare -o x",
        "run t1-bare -o=",
        "read t1-bare x -o=",
        "read t1-bare",
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: str) -> None:
    with pytest.raises(SystemExit) as left:
        main.domain(arguments.split())
    said = capsys.readouterr()
    assert left.value.code == 2 and not said.out and "usage: cmtnoise domain" in said.err
    if arguments.endswith(("=2", "realtime", "stray")):
        assert "is no option of a sweep in a domain; those are --reps" in said.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("domain run none", "there is no profile 'none'"),
        ("domain run x86-debian-cloud+hz50", "there is no tick configuration 'hz50'"),
        ("domain run t1-bare+hz100", "tick configurations are an OS's"),
        ("domain run x86-debian-cloud --accel kvm", "--accel kvm: a Linux guest runs with icount or tcg"),
        ("domain run x86-debian-cloud -- -s 7", "--strands 7: strand 7 is not there"),
        ("lab none", "there is no profile 'none'"),
        ("lab x86-debian-cloud+hz50", "there is no tick configuration 'hz50'"),
    ],
)
def test_what_there_is_not_is_wrong_usage(words: str, says: str) -> None:
    assert says in fails(2, *words.split())


def test_help() -> None:
    assert "  domain " in succeeds("--help")
    assert "PROFILE" in succeeds("domain", "run", "--help")
    assert fails_with_usage("domain", "run") == 2


def fails_with_usage(*arguments: str) -> int:
    done = cmtnoise(*arguments)
    assert "usage: cmtnoise domain" in done.stderr
    return done.returncode


# --- what is built ----------------------------------------------------------------------------------------------------------


def test_build_asks_make_and_keeps_the_images(bench: Bench) -> None:
    code, out, err = bench.domain("build", "./t1.toml")
    assert code == 0 and not err
    folder = Path(out.strip())
    assert re.fullmatch(r"t1-[0-9a-f]{8}", folder.name) and folder.parent == bench.folder / "tree/build/domains"
    assert (folder / "cmtnoise.elf").is_file() and (folder / "firmware/reset.bin").is_file()
    asked = {"BARE": "niagara", "THREADS": "0:add+mul", "STRANDS": "1", "REPS": "1000", "QUANTUM_NS": "100000", "ITERATIONS": "0"}
    assert bench.asked().items() >= (asked | {"ORDER": "turns", "TICK_HZ": "0", "HOST": "t1"}).items()
    assert bench.domain("build", "./t1.toml")[1] == out  # the same configuration, the same folder
    other = Path(
        bench.domain("build", "./t1.toml", "--", "-r", "7", "-q", "2ms", "-n", "9", "-k", "add", "--together")[1].strip()
    )
    assert other != folder
    asked = {"THREADS": "0:add", "REPS": "7", "QUANTUM_NS": "2000000", "ITERATIONS": "9", "ORDER": "together"}
    assert bench.asked().items() >= asked.items()


def test_a_make_that_runs_the_launcher_does_not_reach_into_the_build(bench: Bench) -> None:
    bench.env |= {"MAKEFLAGS": "n", "MAKELEVEL": "1"}  # as of make -n
    code, _, err = bench.domain("build", "./t1.toml")
    assert code == 0 and bench.asked()["REPS"] == "1000", err


def test_a_fault_of_the_thread_map_is_told_with_its_line(bench: Bench) -> None:
    (bench.folder / "t1.toml").write_text(T1.replace('["0:add+mul"]', '[\n  "0:add",  # fine\n\n  "0:fault",\n]'))
    code, out, err = bench.domain("build", "./t1.toml")
    assert code == 1 and not out
    assert err == "cmtnoise: t1.toml:8: there is no such kernel\n"
    code, _, err = bench.domain("build", "./t1.toml", "--", "-k", "fault")
    assert code == 2 and err == "cmtnoise: --strands, --kernels: there is no such kernel\n"


def test_a_build_that_fails_shows_what_make_said(bench: Bench) -> None:
    bench.env["FAKE_MAKE"] = "echo 'error: no such register' >&2; false"
    code, out, err = bench.domain("build", "./t1.toml")
    assert code == 1 and not out
    assert "could not be built; make said:\nerror: no such register\n" in err
    (bench.folder / "tree/Makefile").write_text("bare:\n\t@true\n")
    code, _, err = bench.domain("build", "./t1.toml")
    assert code == 1 and "make left no" in err


def test_what_is_missing_is_named_with_its_package(bench: Bench) -> None:
    bench.env["BARE_CC"] = "sparc64-linux-gnu-gcc"
    tools = bench.folder / "tools"
    tools.mkdir()
    for tool in ("sh", "make", "readlink", "dirname"):
        path = subprocess.run(["which", tool], capture_output=True, text=True, check=True).stdout.strip()
        (tools / tool).symlink_to(path)
    bench.env |= {"PATH": str(tools), "CMTNOISE_PYTHON": sys.executable}
    code, _, err = bench.domain("build", "./t1.toml")
    assert code == 1 and "apt-get install gcc-sparc64-linux-gnu" in err, err
    for name, package in (("t1.toml", "qemu-system-sparc"), ("pc.toml", "qemu-system-x86")):
        (bench.folder / "pc.toml").write_text(PC)
        code, _, err = bench.domain("run", f"./{name}")
        assert code == 1 and f"apt-get install {package})" in err, err


def test_without_the_source_tree(bench: Bench, tmp_path: Path) -> None:
    bench.env["CMTNOISE_SOURCE"] = str(tmp_path)
    code, _, err = bench.domain("build", "./t1.toml")
    assert code == 1 and f"CMTNOISE_SOURCE is {tmp_path}, which is not" in err
    del bench.env["CMTNOISE_SOURCE"]
    build = Path(PROGRAM).parent
    command = ["make", "-s", "install", f"BUILD={build}", f"DESTDIR={tmp_path / 'root'}", "PREFIX=/usr", "-o", "all"]
    subprocess.run(command, check=True, capture_output=True)
    installed = [str(tmp_path / "root/usr/bin/cmtnoise"), "domain"]
    env = os.environ | {"CMTNOISE_PYTHON": sys.executable}
    table = subprocess.run([*installed, "list"], capture_output=True, text=True, env=env)
    assert table.returncode == 0 and "t1-bare-tick250" in table.stdout, table.stderr
    done = subprocess.run([*installed, "build", "t1-bare"], capture_output=True, text=True, env=env)
    assert done.returncode == 1 and "installed without its source tree" in done.stderr and "CMTNOISE_SOURCE" in done.stderr


# --- the thread map, changed by options -------------------------------------------------------------------------------------


def changed(items: str, **changes: str) -> list[str]:
    values = {"machine": "pc", "strands": 8, "threads": items.split()}
    made = profile.Profile("made", Path("made.toml"), "bare", "made", values, ())
    return list(Changes(**changes).apply(shape_of(made)).items)  # type: ignore[arg-type]


def test_strands_and_kernels_change_the_map() -> None:
    assert changed("0:add 4-7:mul+add 1:idle") == ["0:add", "4-7:mul+add", "1:idle"]
    assert changed("0:add 4-7:mul+add 1:idle", kernels="nop,xor") == ["0:nop+xor", "4-7:nop+xor"]
    assert changed("0:add 4-7:mul+add", kernels="all") == ["0:all", "4-7:all"]
    assert changed("0:add", kernels="default") == ["0:" + threads.DEFAULT_KERNELS.replace(",", "+")]
    assert changed("0:add 4-7:mul+add", strands="5,0") == ["0:add", "5:mul+add"]
    assert changed("0:add", strands="all") == ["0-7:add"]
    assert changed("0-1:add", strands="0-2,7") == ["0-2:add", "7:add"]
    assert changed("0:add 1:mul", strands="all", kernels="nop") == ["0-7:nop"]


@pytest.mark.parametrize("strands", ["8", "0-8", "first", "core:0", "3-1", "", "0,", "-1", "0-99999"])
def test_strands_that_are_not_there(strands: str) -> None:
    with pytest.raises(DomainError, match="--strands"):
        changed("0:add", strands=strands)


def test_what_cannot_be_chosen() -> None:
    with pytest.raises(DomainError, match="no kernels for strand 2"):
        changed("0:add 1:mul", strands="2")
    with pytest.raises(DomainError, match="--kernels"):
        changed("0:add", kernels="add mul")
    with pytest.raises(DomainError, match="nothing is left"):
        changed("0:idle", kernels="add")


def test_the_default_kernels_are_those_of_a_sweep() -> None:
    plan = succeeds("sweep", "--dry-run", "--topology", "pu:1")
    assert [line.split("\t")[1] for line in plan.splitlines()] == threads.DEFAULT_KERNELS.split(",")


def test_apic_ids_leave_gaps() -> None:
    values = {"machine": "pc", "strands": 12, "topology": {"sockets": 2, "cores": 3, "threads": 2}, "threads": ["0:add"]}
    shape = shape_of(profile.Profile("made", Path("made.toml"), "bare", "made", values, ()))
    assert shape.strand_ids == [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13]
    assert shape.variables()["STRANDS"] == "14"
