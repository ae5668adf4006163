"""Known noise: what is put into a record is in it, and in its truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cmtnoise.record import read_record
from cmtnoise.synthetic import BURST, Bursts, Recipe, Tick, make, record_text
from program import cmtnoise, fails, succeeds


def test_the_truth_is_what_the_record_lost() -> None:
    record, truth = make(Recipe(3000, (Tick(250, 0.05), Tick(60, 0.2)), (Bursts(300, 0.02),), width=0), 3)
    stolen = np.bincount(truth.repetition, truth.cost_us, 3000)
    assert record.duration_us() == pytest.approx(100 + stolen, abs=0.002)
    assert {int(source) for source in truth.source} == {0, 1, BURST}
    starts = record.start_counts[truth.repetition] / record.timer_hz
    ends = starts + record.duration_counts[truth.repetition] / record.timer_hz
    assert (truth.at_s >= starts - 1e-9).all() and (truth.at_s <= ends).all()


def test_rates_losses_and_seeds() -> None:
    recipe = Recipe(20_000, (Tick(250, 0.05, lost=0.1),))
    first, truth = make(recipe, 3)
    assert truth.source.size == pytest.approx(0.9 * 250 * first.span_s(), rel=0.08)
    again, other = make(recipe, 3)[0], make(recipe, 4)[0]
    assert (first.duration_counts == again.duration_counts).all() and (first.duration_counts != other.duration_counts).any()


def test_a_coarse_timer_gives_multiples_of_its_step() -> None:
    record, _ = make(Recipe(500, (Tick(250, 0.05),), timer_step=250), 1)
    assert (record.duration_counts % np.uint64(250) == 0).all()


def test_written_records_read_back(tmp_path: Path) -> None:
    record, _ = make(Recipe(200, (Tick(250, 0.05),)), 1)
    (tmp_path / "r.tsv").write_text(record_text(record))
    assert (read_record(tmp_path / "r.tsv").duration_counts == record.duration_counts).all()


def test_the_tool_writes_a_run_with_its_truth(tmp_path: Path) -> None:
    run = tmp_path / "known"
    options = ["--tick", "250:0.05", "--bursts", "50:0.02", "--reps", "2000", "--strands", "2", "--seed", "7"]
    assert succeeds("synth", *options, "-o", str(run)).strip() == str(run)
    out = succeeds("report", str(run))
    assert out.startswith("modelled: ") and "strand 1 ticks at 250.0 Hz" in out
    truth = (run / "records" / "strand0-add.truth.tsv").read_text().splitlines()
    assert truth[0] == "# tick0: 250.0 Hz, cost 0.05 of the quantum"
    assert truth[1] == "source\trepetition\tat_s\tcost_us"
    assert {line.split("\t")[0] for line in truth[2:]} == {"tick0", "burst"}
    assert "exists already" in fails(1, "synth", *options, "-o", str(run))


@pytest.mark.parametrize(
    "options",
    [
        ["--tick", "250"],
        ["--tick", "0:0.1"],
        ["--tick", "a:b"],
        ["--reps", "0"],
        ["--drift", "-1"],
        ["--bursts", "5:nan"],
        ["--bursts", "5:0.1:0.7:0.5"],
    ],
)
def test_bad_recipes_are_refused(tmp_path: Path, options: list[str]) -> None:
    done = cmtnoise("synth", *options, "-o", str(tmp_path / "run"))
    assert done.returncode == 2 and "cmtnoise synth: error:" in done.stderr and not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--width", "0.5"], "less than nothing"),
        (["--tick", "250:1:1e8"], "63 bits"),
        (["--tick", "2500:1e8:50"], "63 bits"),
        (["--bursts", "500:0.1:0:1:1e-3"], "63 bits"),
        (["--tick", "9e8:1", "--reps", "100000"], "more than 100000000 occurrences"),
        (["--timer-step", "100000000"], "too coarse"),
    ],
)
def test_recipes_of_no_record_are_told(tmp_path: Path, options: list[str], says: str) -> None:
    error = fails(1, "synth", *options, "-o", str(tmp_path / "run"))
    assert says in error and error.count("\n") == 1 and not (tmp_path / "run").exists()
