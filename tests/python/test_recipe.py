"""Recipes: a modelled machine whose strands suffer each in its own way, and the study's Solaris domain made from one."""

from __future__ import annotations

import re
import shutil
from dataclasses import fields
from pathlib import Path

import pytest
from cmtnoise import recipe
from cmtnoise.run import RunError, load
from cmtnoise.synthetic import Bursts, Tick
from cmtnoise.verdict import verdicts
from program import cmtnoise, fails, succeeds

STUDY = Path("results/reference/solaris-t1-modelled")


def test_the_reference_run_is_what_its_recipe_makes(tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert succeeds("synth", "--recipe", str(STUDY / "recipe.toml"), "-o", str(again)).strip() == str(again)
    made = {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()}
    kept = {path.relative_to(STUDY): path.read_bytes() for path in STUDY.rglob("*") if path.is_file()}
    assert made == {name: content for name, content in kept.items() if name.suffix != ".png"}
    assert len(made) == 2 * 8 + 2


def test_the_studys_verdict_on_each_strand(tmp_path: Path) -> None:
    run = load(STUDY)
    assert run.label == "modelled" and run.system() == "solaris 5.10, OS tick 100 Hz periodic, one strand"
    found = verdicts(run)
    assert [verdict.kind for verdict in found] == ["ticks", *["slowed"] * 3, *["quiet"] * 4]
    assert [verdict.core for verdict in found] == [0] * 4 + [1] * 4
    assert found[0].words.startswith("ticks at 100.0 Hz, 30 µs each (30 %), ") and found[0].placement == ""
    for verdict in found[1:4]:
        assert re.match(r"slowed, not stopped, at (100\.0|99\.9) Hz, 10 µs each \(10 %\), ", verdict.words)
        assert verdict.words.endswith("; same core as the ticking strand 0")
    for verdict in found[4:]:
        assert verdict.words.startswith("no tick; quiet (") and verdict.noise_share < 1e-4
        assert verdict.words.endswith("; same package as the ticking strand 0, another core")
    assert not any(verdict.disagreements for verdict in found)


def test_without_its_tick_the_verdict_is_another_one(tmp_path: Path) -> None:
    """Strands that show 10 % with no ticking mate are not slowed by one: the verdict is by what the record holds."""
    text = (STUDY / "recipe.toml").read_text().replace("cost = 0.3", "cost = 0.0")
    (tmp_path / "recipe.toml").write_text(text)
    succeeds("synth", "--recipe", str(tmp_path / "recipe.toml"), "-o", str(tmp_path / "run"))
    kinds = [verdict.kind for verdict in verdicts(load(tmp_path / "run"))]
    assert kinds[0] == "quiet" and "slowed" not in kinds


def test_the_figure_can_be_drawn_and_says_modelled(tmp_path: Path) -> None:
    if not shutil.which("gnuplot"):
        pytest.skip("needs gnuplot")
    records = [str(STUDY / f"records/strand{strand}-add.tsv") for strand in (0, 1, 4)]
    succeeds("plot", *records, "-o", str(tmp_path / "figure.svg"))
    assert (tmp_path / "figure.svg").read_text().count("solaris-t1, modelled") >= 3


def test_a_truth_stands_beside_each_record() -> None:
    for strand, rows in ((0, 11), (1, 10), (4, 0)):
        truth = (STUDY / f"records/strand{strand}-add.truth.tsv").read_text().splitlines()
        assert len([line for line in truth if line.startswith("tick0\t")]) == rows


def read(tmp_path: Path, text: str) -> recipe.Machine:
    (tmp_path / "recipe.toml").write_text(text)
    return recipe.read_recipe(tmp_path / "recipe.toml")


def test_what_a_recipe_can_say(tmp_path: Path) -> None:
    machine = read(
        tmp_path,
        'cores = 2\nwidth = 1e-3\nrepetitions = 50\n[[strands]]\nstrands = "1"\nwidth = 0\ndrift = 0.1\n'
        "ticks = [{ rate_hz = 250, cost = 0.1, jitter_s = 1e-5 }]\nbursts = [{ rate_hz = 10, cost = 0.2, size = 3 }]\n",
    )
    quiet, noisy = machine.recipes
    assert (quiet.width, quiet.repetitions, quiet.ticks) == (1e-3, 50, ())
    assert (noisy.width, noisy.drift, noisy.repetitions) == (0, 0.1, 50)
    assert noisy.ticks == (Tick(250, 0.1, jitter_s=1e-5),) and noisy.bursts == (Bursts(10, 0.2, size=3),)
    assert machine.tick == {"hz": None, "mode": None} and machine.host["name"] == "modelled"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cores = 0\n", "cores: wants a whole number from 1"),
        ("cores = true\n", "cores: wants a whole number"),
        ("cores = 1024\nstrands_a_core = 4\n", "are more than 1024"),
        ("corse = 2\n", "corse: is no key of a recipe"),
        ("cores = \n", "is no TOML"),
        ('[host]\nos = "a\\nb"\n', "host.os: wants a line of text"),
        ('host = "me"\n', "host: wants a table"),
        ("strands = 3\n", "strands: wants a list of tables"),
        ('[[strands]]\nstrands = "1"\n', "strands[0].strands: wants strands from 0 to 0"),
        ('[[strands]]\nstrands = "first"\n', "strands[0].strands: wants strands"),
        ('cores=2\n[[strands]]\nstrands="0-1"\n[[strands]]\nstrands="1"\n', "strands[1].strands: strand 1 has a recipe already"),
        ('[[strands]]\nstrands="0"\nticks=[{rate_hz=9}]\n', "strands[0].ticks[0].cost: is missing"),
        ('[[strands]]\nstrands="0"\nticks=[{rate_hz=0,cost=1}]\n', "ticks[0].rate_hz: is above 0"),
        ('[[strands]]\nstrands="0"\nticks=[{rate_hz=9,cost=-1}]\n', "ticks[0].cost: wants a number, not negative"),
        ('[[strands]]\nstrands="0"\nticks=[{rate_hz=9,cost=1,colour=2}]\n', "ticks[0].colour: is no key"),
        ('[[strands]]\nstrands="0"\nbursts=[{rate_hz=9,cost=1,size=0.5}]\n', "bursts[0].size: "),
    ],
)
def test_faults_of_a_recipe(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(RunError, match=re.escape(says)):
        read(tmp_path, text)
    error = fails(1, "synth", "--recipe", str(tmp_path / "recipe.toml"), "-o", str(tmp_path / "run"))
    assert says in error and error.count("\n") <= 2 and not (tmp_path / "run").exists()


def test_a_recipe_that_is_not_there_or_not_alone(tmp_path: Path) -> None:
    assert "cannot be read" in fails(1, "synth", "--recipe", str(tmp_path / "none"), "-o", str(tmp_path / "run"))
    done = cmtnoise("synth", "--recipe", str(STUDY / "recipe.toml"), "--tick", "100:0.1", "-o", str(tmp_path / "run"))
    assert done.returncode == 2 and "leave out --tick" in done.stderr and not (tmp_path / "run").exists()


def test_every_key_of_a_recipe_is_documented() -> None:
    text = Path("docs/known-noise.md").read_text()
    keys = {field.name for kind in (Tick, Bursts) for field in fields(kind)}
    keys |= {"cores", "strands_a_core", "repetitions", "quantum_ns", "timer_hz", "timer_step", "seed", "width", "drift"}
    missing = [key for key in sorted(keys | {"strands", "ticks", "bursts", "hz", "mode"}) if f"`{key}`" not in text]
    assert not missing
