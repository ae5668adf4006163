"""The table of kernels that is generated from the kernels' files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

REGISTRY = Path("asm/registry.awk").resolve()
LINE = "//@ kernel: bad; instruction: i; resource: r; sharing: core; ops: 8; body: b"


def registry(folder: Path) -> subprocess.CompletedProcess[str]:
    files = sorted(path.name for path in folder.glob("*.S"))
    return subprocess.run(["awk", "-f", REGISTRY, *files], cwd=folder, capture_output=True, text=True)


def table(folder: Path) -> str:
    done = registry(folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in Path("asm/x86_64").glob("*.S"):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_a_kernel_comes_and_goes_with_its_file(folder: Path) -> None:
    before = table(folder)
    count = len(list(folder.glob("*.S"))) - 1
    assert f"kernel_registry_count = {count};" in before
    (folder / "popcnt.S").write_text(LINE.replace("bad", "popcnt") + "; needs: sse2,avx; operand: chase-l2\n")
    added = table(folder)
    assert '\t{"popcnt", "i", "r",\n\t "core", "sse2,avx", OPERAND_CHASE_L2, 8, kernel_popcnt},\n' in added
    assert f"kernel_registry_count = {count + 1};" in added
    (folder / "popcnt.S").unlink()
    assert table(folder) == before
    (folder / "mul.S").unlink()
    assert "kernel_mul" in before and "kernel_mul" not in table(folder)


def test_the_table_is_in_order_of_name_whatever_the_files_are_in(folder: Path) -> None:
    files = sorted((path.name for path in folder.glob("*.S")), reverse=True)
    backwards = subprocess.check_output(["awk", "-f", REGISTRY, *files], cwd=folder, text=True)
    assert backwards == table(folder)
    names = re.findall(r'^\t\{"(\w+)"', backwards, re.MULTILINE)
    assert names == sorted(names) and len(names) == len(files) - 1


@pytest.mark.parametrize("lead", ["//@ ", "! @ ", "!@ ", "# @ ", "  //@ "])
def test_the_line_may_stand_in_any_assembler_s_comment(lead: str, tmp_path: Path) -> None:
    (tmp_path / "bad.S").write_text("\n\n" + LINE.replace("//@ ", lead) + "\n")
    assert '{"bad", "i", "r"' in table(tmp_path)


def test_text_is_escaped_for_c(tmp_path: Path) -> None:
    (tmp_path / "bad.S").write_text(LINE.replace("instruction: i", 'instruction: a "b" \\ & \\n') + "\n")
    source = tmp_path / "show.c"
    source.write_text(table(tmp_path) + "void kernel_bad(uint64_t n, void *o) { (void)n; (void)o; }\n")
    with source.open("a") as f:
        f.write("#include <stdio.h>\nint main(void) { return puts(kernel_registry[0].instruction) < 0; }\n")
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, f"-I{Path.cwd()}", source, "-o", tmp_path / "show"], check=True)
    assert subprocess.check_output([tmp_path / "show"], text=True) == 'a "b" \\ & \\n\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "bad.S:1: no kernel is declared here"),
        ("nothing here\n", "bad.S:1: no kernel is declared here"),
        (LINE.replace("kernel: bad", "kernel: good"), "bad.S:1: kernel 'good' must stand in good.S"),
        (LINE.replace("kernel: bad", "kernel: Bad-1"), "bad.S:1: 'Bad-1' is no name"),
        (LINE.replace("; instruction: i", ""), "bad.S:1: 'instruction' is missing"),
        (LINE.replace("; resource: r", ""), "bad.S:1: 'resource' is missing"),
        (LINE.replace("; sharing: core", ""), "bad.S:1: 'sharing' is missing"),
        (LINE.replace("; ops: 8", ""), "bad.S:1: 'ops' is missing"),
        (LINE.replace("; body: b", ""), "bad.S:1: 'body' is missing"),
        (LINE.replace("ops: 8", "ops: 0"), "bad.S:1: ops is a whole number from 1, not '0'"),
        (LINE.replace("ops: 8", "ops: 8x"), "bad.S:1: ops is a whole number from 1, not '8x'"),
        (LINE.replace("sharing: core", "sharing: all"), "bad.S:1: sharing is pipeline, core or chip, not 'all'"),
        (LINE + "; operand: chase", "bad.S:1: operand is scratch, chase-l1, chase-l2, chase-l3 or chase-mem, not 'cha"),
        (LINE + "; colour: red", "bad.S:1: 'colour: red' is no key and value"),
        (LINE + "; ops: 9", "bad.S:1: 'ops' stands twice"),
        ("\n" + LINE + "\n" + LINE, "bad.S:3: a second kernel in one file"),
    ],
)
def test_a_wrong_declaration_is_told_with_file_and_line(folder: Path, text: str, says: str) -> None:
    (folder / "bad.S").write_text(text)
    done = registry(folder)
    assert done.returncode == 1 and done.stdout == ""
    assert says in done.stderr
    assert all(line.startswith("bad.S:") for line in done.stderr.splitlines())


def test_make_sees_a_new_and_a_deleted_kernel(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    ignored = shutil.ignore_patterns("build", ".git", "results", ".*_cache", "__pycache__")
    shutil.copytree(".", tree, ignore=ignored)
    added = tree / "asm/x86_64/and.S"
    added.write_text((tree / "asm/x86_64/xor.S").read_text().replace("xor", "and"))
    # What a make around this test was told is not for this one.
    told = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD")
    environment = {key: value for key, value in os.environ.items() if key not in told}
    for present in (True, False):
        if not present:
            added.unlink()
        make = ["make", "-s", "CFLAGS=-O0", "build/cmtnoise"]
        subprocess.run(make, cwd=tree, env=environment, check=True, capture_output=True)
        listed = subprocess.check_output(["build/cmtnoise", "kernels"], cwd=tree, text=True)
        assert ("\nand " in f"\n{listed}") == present
