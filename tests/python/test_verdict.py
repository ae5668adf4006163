"""The verdict on each strand: by placement, and against what the OS says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cmtnoise.run import load
from cmtnoise.strands import strand_set
from cmtnoise.synthetic import Bursts, Recipe, Tick, make, record_text
from cmtnoise.verdict import Verdict, verdicts
from made import write_run
from program import succeeds

QUIET = Recipe(2000)


def machine(
    path: Path, recipes: list[Recipe], counted: list[float | None], strands_a_core: int = 4, **changed: object
) -> list[Verdict]:
    """The verdicts on a run with a strand for each recipe, ``counted`` timer interrupts a second as the OS tells them."""
    changed.setdefault("tick", {"hz": None})
    run = write_run(path, len(recipes), strands_a_core, ("add",), **changed)
    for strand, (recipe, hz) in enumerate(zip(recipes, counted, strict=True)):
        record, _ = make(recipe, strand + 1, strand)
        text = record_text(record).replace(f"# core: {strand}\n", f"# core: {strand // strands_a_core}\n")
        if hz is not None:
            text = text.replace("# label:", f"# counter.timer_interrupts: 7 {7 + round(hz * record.span_s())}\n# label:")
        (run / "records" / f"strand{strand}-add.tsv").write_text(text)
    return verdicts(load(run))


def ticking(rate_hz: float, cost: float) -> Recipe:
    return Recipe(2000, (Tick(rate_hz, cost),))


def test_the_studys_solaris_domain(tmp_path: Path) -> None:
    """Strand 0 ticks at 100 Hz with 30 %, strands 1 to 3 of its core show 10 %, those of core 1 nothing; no counters."""
    recipes = [ticking(100, 0.3), *[ticking(100, 0.1)] * 3, *[QUIET] * 4]
    found = machine(tmp_path / "run", recipes, [None] * 8)
    assert [verdict.kind for verdict in found] == ["ticks", *["slowed"] * 3, *["quiet"] * 4]
    assert found[0].rate_hz == pytest.approx(100, rel=1e-3) and found[0].cost_share == pytest.approx(0.3, rel=0.01)
    assert all(verdict.placement == "same core as the ticking strand 0" for verdict in found[1:4])
    assert all(verdict.placement == "same package as the ticking strand 0, another core" for verdict in found[4:])
    assert found[1].words.startswith("slowed, not stopped, at 100.0 Hz, 10 µs each (10 %), 20 of 20 found")


def test_the_studys_linux_domain(tmp_path: Path) -> None:
    found = machine(tmp_path / "run", [ticking(250, 0.2)] * 8, [250.0] * 8, tick={"hz": 250})
    assert {verdict.kind for verdict in found} == {"ticks"} and not any(verdict.disagreements for verdict in found)
    assert found[0].words.startswith("ticks at 250.0 Hz, 20 µs each (20 %), ")


def test_the_bare_runtime(tmp_path: Path) -> None:
    found = machine(tmp_path / "run", [QUIET] * 4, [None] * 4)
    assert {verdict.kind for verdict in found} == {"quiet"} and not any(verdict.placement for verdict in found)


def test_counted_interrupts_tell_slowed_from_ticking(tmp_path: Path) -> None:
    found = machine(tmp_path / "run", [ticking(250, 0.2), ticking(250, 0.19)], [250.0, 0.0])
    assert [verdict.kind for verdict in found] == ["ticks", "slowed"]


def test_what_is_periodic_and_no_timer_interrupt_is_said_so(tmp_path: Path) -> None:
    found = machine(tmp_path / "run", [ticking(100, 0.2)], [0.0])
    assert found[0].kind == "periodic" and "no timer interrupt of this OS" in found[0].words


def test_the_tick_is_told_from_a_hypervisors(tmp_path: Path) -> None:
    both = Recipe(4000, (Tick(250, 0.2), Tick(100, 0.4)))
    found = machine(tmp_path / "run", [both], [251.0], tick={"hz": 250})[0]
    assert found.kind == "ticks" and found.rate_hz == pytest.approx(250, rel=1e-3)
    assert "also disturbed at 100.0 Hz" in found.words and "no timer interrupt of this OS" in found.words


def test_noise_without_a_period(tmp_path: Path) -> None:
    found = machine(tmp_path / "run", [Recipe(2000, (), (Bursts(300, 0.2),))], [0.0])[0]
    assert found.kind == "noisy" and found.words.startswith("no tick; ") and found.rate_hz is None


@pytest.mark.parametrize(
    ("recipe", "counted", "tick", "says"),
    [
        (ticking(1000, 0.05), 1000.0, {"hz": 1000, "nohz_full": "0-3"}, "is in nohz_full yet ticked 1000 times a second"),
        (ticking(1000, 0.05), None, {"hz": 250}, "ticks at 1000.0 Hz, the OS says 250 Hz"),
        (QUIET, 250.0, {"hz": 250}, "counted 250 timer interrupts a second on strand 0, and the times show no tick"),
    ],
)
def test_disagreements_are_told(
    tmp_path: Path, recipe: Recipe, counted: float | None, tick: dict[str, object], says: str
) -> None:
    found = machine(tmp_path / "run", [recipe], [counted], tick=tick)[0]
    assert len(found.disagreements) == 1 and says in found.disagreements[0]
    assert f"DISAGREEMENT: {found.disagreements[0]}" in succeeds("report", str(tmp_path / "run"))


def test_agreement_is_silent(tmp_path: Path) -> None:
    found = machine(tmp_path / "run", [QUIET], [1.0], tick={"hz": 250, "nohz_full": "0", "isolated": "0"})[0]
    assert found.kind == "quiet" and not found.disagreements


def test_verdicts_in_json(tmp_path: Path) -> None:
    machine(tmp_path / "run", [ticking(250, 0.2)], [250.0])
    verdict = json.loads(succeeds("report", str(tmp_path / "run"), "--format", "json"))["verdicts"][0]
    assert verdict["kind"] == "ticks" and verdict["found"] == verdict["expected"] == 50


@pytest.mark.parametrize(
    ("text", "strands"), [("", set()), ("3", {3}), ("1-3,5", {1, 2, 3, 5}), ("none", set()), ("1-99999999", set()), ("x,2", {2})]
)
def test_lists_of_strands(text: str, strands: set[int]) -> None:
    assert strand_set(text) == strands


def test_a_list_of_strands_that_goes_over_and_over_itself_is_read_once() -> None:
    assert strand_set(",".join(["0-99999", "7", "5-6"] * 50_000)) == set(range(100_000))


def test_records_too_short_for_a_tick_do_not_say_that_there_is_none(tmp_path: Path) -> None:
    """1000 repetitions of 10 µs hold two or three ticks: neither a word against the OS nor against a tick."""
    short = Recipe(1000, (Tick(250, 0.2),), quantum_ns=10_000)
    found = machine(tmp_path / "run", [short, Recipe(3)], [250.0, 250.0], tick={"hz": 250})
    assert not any(verdict.disagreements for verdict in found)
    assert found[0].words.startswith("no tick can be seen: records of 10 ms are too short to show ticks at 250 Hz; ")
    assert "too short to show ticks at 250 Hz" in found[1].words


def test_repetitions_longer_than_the_ticks_period_tell_of_a_beat(tmp_path: Path) -> None:
    long = Recipe(1000, (Tick(1000, 0.01),), quantum_ns=1_300_000)
    found = machine(tmp_path / "run", [long], [1000.0], tick={"hz": 1000})[0]
    assert not found.disagreements
    assert "ms are too long to tell ticks at 1000 Hz apart: what is periodic may be their beat" in found.words
