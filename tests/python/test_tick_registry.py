"""The table of tick configurations that is generated from their files for the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cmtnoise import tick
from program import PROGRAM, fails, succeeds

REGISTRY = Path("domains/tick/registry.awk").resolve()
BUILD = Path(PROGRAM).parent


def registry(folder: Path) -> subprocess.CompletedProcess[str]:
    files = sorted(path.name for path in folder.glob("*.toml"))
    return subprocess.run(["awk", "-f", REGISTRY, *files], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in Path("domains/tick").glob("*.toml"):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_the_table_says_what_the_files_say(folder: Path) -> None:
    """The other reader is the analysis's, which knows TOML."""
    done = registry(folder)
    assert (done.returncode, done.stderr) == (0, "")
    for name in tick.names():
        known = tick.load(name)
        config = " ".join(f"{key}={value}" for key, value in known.config.items())
        settings = " ".join(f"{key}={value}" for key, value in known.settings.items())
        expect = " ".join(f"{key}={value}" for key, value in known.expect.items())
        texts = (name, known.description, config, " ".join(known.parameters), settings, expect, known.advice)
        assert "\t{" + ",\n\t ".join(f'"{text}"' for text in texts) + "}," in done.stdout
    assert f"tick_file_count = {len(tick.names())};" in done.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "bad.toml:1: 'description' is missing"),
        ('description = "x"\n', "bad.toml:1: it sets nothing: give it one of config, parameters, settings"),
        ('# why\n\nparameters = "x"\n', "bad.toml:1: 'description' is missing"),
        ('description = "x"\nparameter = "y"\n', "bad.toml:2: 'parameter' is no key"),
        ('description = "x"\nparameters = "y"\n\nparameters = "z"\n', "bad.toml:4: 'parameters' stands twice"),
        ('description = "x"\nconfig = "HZ"\n', "bad.toml:2: 'HZ' is no NAME=VALUE"),
        ('description = "x"\nparameters = "y"\nexpect = "mode=a nohz"\n', "bad.toml:3: 'nohz' is no NAME=VALUE"),
        ('description = "a \\"b\\""\nparameters = "y"\n', "bad.toml:1: a line is a key and one line of text without escapes"),
        ('description = "x"\nparameters = ["y"]\n', "bad.toml:2: a line is a key"),
        ('description = "x"\nparameters = "y" z\n', "bad.toml:2: a line is a key"),
        ('[tick]\ndescription = "x"\nparameters = "y"\n', "bad.toml:1: a line is a key"),
        ("description = 'x'\nparameters = \"y\"\n", "bad.toml:1: a line is a key"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(folder: Path, text: str, says: str) -> None:
    (folder / "bad.toml").write_text(text)
    done = registry(folder)
    assert done.returncode == 1 and done.stdout == ""
    assert says in done.stderr
    assert all(line.startswith("bad.toml:") for line in done.stderr.splitlines())


def test_a_wrong_name_is_told(folder: Path) -> None:
    (folder / "Bad_one.toml").write_text('description = "x"\nparameters = "y"\n')
    done = registry(folder)
    assert done.returncode == 1 and "Bad_one.toml:1: 'Bad_one' is no name" in done.stderr


def test_a_new_tick_configuration_is_one_file(tmp_path: Path) -> None:
    """It appears in the doctor and in Python, and goes with its file; a broken one ends the build."""
    tree = tmp_path / "tree"
    shutil.copytree(".", tree, ignore=shutil.ignore_patterns("build", ".git", "results", ".*_cache", "__pycache__"))
    # What is built already need not be built again; the copies are as old as what they are made from.
    shutil.copytree(BUILD / "obj", tree / "build/obj", ignore=shutil.ignore_patterns("tests"))
    for path in BUILD.iterdir():
        if path.is_file() and not path.is_symlink():
            shutil.copy2(path, tree / "build")
    told = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD")
    environment = {key: value for key, value in os.environ.items() if key not in told}
    added = tree / "domains/tick/fewer-timers.toml"
    text = 'description = "x"\nparameters = "fewer={strands}"\nexpect = "mode=fewer"\nadvice = "it helps"\n'
    doctor = ["build/cmtnoise", "doctor", "--json", "--quiet-strands", "all"]
    python = [sys.executable, "-c", "from cmtnoise import tick; print(*tick.names())"]
    for content in (text, text.replace('"x"', "x"), None):
        added.write_text(content) if content else added.unlink()
        made = subprocess.run(["make", "build/cmtnoise"], cwd=tree, env=environment, capture_output=True, text=True)
        if content and content != text:
            assert made.returncode and "domains/tick/fewer-timers.toml:1: a line is a key" in made.stderr
            continue
        assert made.returncode == 0, made.stderr
        told_of = json.loads(subprocess.run(doctor, cwd=tree, capture_output=True, text=True).stdout)["quiet_strands"]
        names = [one["name"] for one in told_of["tick_configurations"]]
        listed = subprocess.check_output(python, cwd=tree, env=environment | {"PYTHONPATH": str(tree / "plots")}, text=True)
        assert ("fewer-timers" in names, "fewer-timers" in listed.split()) == (bool(content),) * 2


def test_the_doctor_advises_strands_that_are_to_be_quiet() -> None:
    said = json.loads(succeeds_or_prevented("doctor", "--json", "--quiet-strands", "all"))["quiet_strands"]
    advised = {one["name"]: one for one in said["tick_configurations"]}
    assert set(advised) == {name for name in tick.names() if tick.load(name).advice}
    assert {one["state"] for one in advised.values()} <= {"in force", "advice", "not here"}
    text = succeeds_or_prevented("doctor", "--quiet-strands", "all")
    assert f"for quiet strands {said['strands']}:\n" in text
    for name, one in advised.items():
        assert f"{one['state']:<8}  {name}: {one['advice']}\n" in text
        if one["parameters"]:
            assert f"          boot with: {one['parameters']}\n" in text
    assert json.loads(succeeds_or_prevented("doctor", "--json"))["quiet_strands"] is None


def succeeds_or_prevented(*arguments: str) -> str:
    """The doctor ends with 1 where a measurement cannot be made here, which is not what this is about."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1) and not done.stderr
    return done.stdout


def test_strands_that_are_not_there_are_told() -> None:
    assert "there is no strand 9999 here" in fails(2, "doctor", "--quiet-strands", "9999")
    assert "--quiet-strands SELECTOR" in succeeds("doctor", "--help")
    assert "unknown option '--quiet-strands'" in fails(2, "sweep", "--quiet-strands", "0")
