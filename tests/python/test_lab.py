"""What a lab tells of the runs in its folder: the table, its formats, limits."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from cmtnoise.lab import LabError, Row, Table, load_lab, table_of
from cmtnoise.lab import limits as gate
from cmtnoise.lab.show import as_json, as_markdown, as_text, cells, heads
from lab_bench import cell, counted, record, write_lab
from program import cmtnoise, fails, succeeds

ADD = (0, "add")


def rows(folder: Path, **cells_of: list[dict[str, Any]]) -> Table:
    return table_of(load_lab(write_lab(folder / "lab", {name.replace("_", "-"): made for name, made in cells_of.items()})))


def row_of(folder: Path, **made: Any) -> Row:
    (row,) = rows(folder, one=[cell(**made) if "counts" not in made else cell(made.pop("counts"), **made)]).rows
    return row


# --- the figures ------------------------------------------------------------------------------------------------------


def test_a_tick_s_path_is_what_was_put_in_to_the_instruction(tmp_path: Path) -> None:
    row = row_of(tmp_path, counts=counted(path=2635, first=20000))
    assert (row.instructions, row.p95, row.most) == (2635, 22635, 22635)
    assert (row.due, row.found, row.counted, row.gaps, row.missed) == (25, 25, 25, (), 0)
    assert row.ticks_hz is not None and abs(row.ticks_hz / 250 - 1) < 1e-3
    assert row.step == 1 and row.exact and row.identical is None


def test_the_share_holds_every_tick_and_follows_the_rate(tmp_path: Path) -> None:
    lab = load_lab(write_lab(tmp_path / "lab", {"one": [cell(counted(path=5000, first=40000))]}))
    (row,) = table_of(lab).rows
    total, span = 25 * 5000 + 2 * 40000, row.costs[0].record.span_s()
    assert row.share is not None and abs(row.share - total / (span * 1e9)) < 1e-9
    (slow,) = table_of(lab, 62.5e6).rows
    assert slow.share is not None and abs(slow.share / row.share - 16) < 1e-9


@pytest.mark.parametrize("off", [0, 993, -7])
def test_a_rate_that_the_guest_measured_a_little_wrong_does_no_harm(tmp_path: Path, off: int) -> None:
    assert row_of(tmp_path, hz=10**9 + off).instructions == 2635


def test_a_machine_of_slower_instructions(tmp_path: Path) -> None:
    """At shift 4 an instruction takes 16 counts of a timer at 1 GHz."""
    domain = {"accel": "icount", "icount_shift": 4, "qemu": "7.2"}
    row = row_of(tmp_path, counts=counted(path=16 * 1900), domain=domain)
    assert row.instructions == 1900 and row.step == 1


def test_a_coarse_timer_is_known_to_one_count_and_says_so(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell(counted(path=1903, divide=10), hz=10**8)])
    (row,) = table.rows
    assert row.step == 10 and row.instructions is not None and abs(row.instructions - 1903) <= 10
    assert any("a count of its timer is 10 instructions" in note for note in table.notes)


def test_counts_that_are_no_whole_instructions_are_told_too(tmp_path: Path) -> None:
    """SPARC's %tick at shift 4: an instruction takes 16 ns, a count 10."""
    domain = {"accel": "icount", "icount_shift": 4, "qemu": "7.2"}
    table = rows(tmp_path, one=[cell(counted(path=16 * 1900, divide=10), hz=10**8, domain=domain)])
    (row,) = table.rows
    assert row.step == 0.625 and row.instructions is not None and abs(row.instructions - 1900) <= 1
    assert any("a count of its timer is 0.625 instructions" in note for note in table.notes)


def test_ticks_that_were_left_out_are_told(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell(counted(lost=(7, 8, 15)), irqs=22)])
    (row,) = table.rows
    assert (row.due, row.found, row.missed, row.counted, row.gaps) == (25, 22, 3, 22, (3, 2))
    assert any("ticks were left out 2 times; the longest gap is 3 periods" in note for note in table.notes)


def test_interrupts_beside_the_ticks_are_told(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell(irqs=60)])
    assert any("counted 60 timer interrupts, and 25 ticks were due meanwhile: others came" in note for note in table.notes)


def test_ticks_that_the_os_did_not_count_are_told(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell(irqs=24)])
    assert any("counted 24 timer interrupts, and 25 ticks were due meanwhile: some were taken" in note for note in table.notes)


def test_a_tick_beside_the_repetitions_is_accounted_for(tmp_path: Path) -> None:
    """Ticks at 1.48 ms and each 4 ms: of a record of 101.39 ms the 26th is due behind it, while the counters are read."""
    table = rows(tmp_path, one=[cell(counted(repetitions=1012), irqs=26)])
    (row,) = table.rows
    assert (row.due, row.found, row.counted, row.countable) == (25, 25, 26, (25, 26))
    assert cells(table, row)[heads(table).index("OS counted")] == "26 of 25 to 26"
    assert json.loads(as_json(table))["rows"][0]["counted_due"] == [25, 26]
    assert not table.notes


def test_a_tick_that_the_times_do_not_show_is_told(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell(counted(path=0))])
    (row,) = table.rows
    assert (row.instructions, row.found, row.due, row.tickless) == (None, 0, 25, False)
    assert any("no tick was found, though 25 were counted or due" in note for note in table.notes)


def test_a_machine_without_a_tick(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell()], bare=[cell(counted(path=0), irqs=0, tick={"hz": 0, "mode": "none"})])
    assert table.rows[1].tickless and table.rows[1].value("ticks") == 0 and table.rows[1].share == 0
    words = dict(zip(heads(table), cells(table, table.rows[1]), strict=True))
    assert (words["ticks/s"], words["instr/tick"], words["due"], words["against the first"]) == ("0.0", "-", "0", "-")


def test_rounds_are_the_same_to_the_byte_or_are_told(tmp_path: Path) -> None:
    same = rows(tmp_path / "a", one=[cell(), cell()])
    assert same.rows[0].identical is True and same.rows[0].rounds == 2 and (same.rows[0].due, same.rows[0].found) == (50, 50)
    assert same.rows[0].p95 == 2635
    other = rows(tmp_path / "b", one=[cell(), cell(counted(path=2636))])
    assert other.rows[0].identical is False and "NO" in cells(other, other.rows[0])
    assert any("round 2 is not what round 1 is, from line" in note for note in other.notes)


def test_strands_that_run_by_the_host_s_clock_are_judged_by_counts(tmp_path: Path) -> None:
    records = {(0, "add"): record(counted(), irqs=25), (1, "add"): record(counted(path=0), strand=1, irqs=1)}
    smp = {"records": records, "domain": {"accel": "tcg", "icount_shift": None, "qemu": "7.2"}}
    table = rows(tmp_path, one=[cell()], smp=[smp, smp])
    _, first, second = table.rows
    assert [row.exact for row in table.rows] == [True, False, False]
    assert (first.instructions, first.share, first.identical) == (None, None, None)
    assert first.ticks_hz is not None and second.ticks_hz is not None and first.ticks_hz > 200 and second.ticks_hz < 20
    assert sum("without counting instructions (accel tcg)" in note for note in table.notes) == 1
    assert any(note.startswith("smp: strand 1: 1 timer interrupt") for note in table.notes)
    assert "strand" in heads(table)


def test_what_the_runs_warn_of_stands_below(tmp_path: Path) -> None:
    table = rows(
        tmp_path, one=[cell(warnings=["the tick configuration hz100 is not in force"])], two=[{"reason": "it panicked\nmore"}]
    )
    assert "one: the tick configuration hz100 is not in force" in table.notes
    assert table.missing == ("two: it panicked",)
    assert "note: two: it panicked" in as_text(table)


def test_cells_of_different_builds_are_told(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell()], two=[cell(tool={"name": "cmtnoise", "version": "0.1.0", "commit": "def"})])
    assert any("different builds of cmtnoise: 0.1.0 abc, 0.1.0 def" in note for note in table.notes)


# --- formats ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def three(tmp_path: Path) -> Path:
    made = {"cloud": [cell()], "short": [cell(counted(path=2062))], "broken": [{"reason": "the guest panicked"}]}
    return write_lab(tmp_path / "lab", made)


def test_the_table_as_text(three: Path) -> None:
    text = as_text(table_of(load_lab(three)))
    assert text.startswith("emulated: 3 configurations, a tick's path in instructions, not its time; ")
    assert "at 1e+09 instructions a second, the runs' own rate" in text.splitlines()[0]
    (line,) = [line for line in text.splitlines() if line.startswith("short")]
    assert " -573 (-21.7 %) " in line and " 2,062 " in line and " 249.9 " in line


def test_the_table_as_markdown(three: Path) -> None:
    lines = as_markdown(table_of(load_lab(three))).splitlines()
    assert lines[2].count("|") == lines[3].count("|") == lines[4].count("|") == 15
    assert "- broken: the guest panicked" in lines


def test_the_table_as_json(three: Path) -> None:
    told = json.loads(as_json(table_of(load_lab(three))))
    first, second = told["rows"]
    assert (first["instructions_median"], first["against_first"], first["method"]) == (2635, None, "instructions")
    assert second["against_first"]["instructions"] == {"absolute": -573, "relative": pytest.approx(-573 / 2635)}
    assert told["cells"][2] | {"folder": ""} == {
        "configuration": "broken",
        "round": 1,
        "folder": "",
        "status": "failed",
        "reason": "the guest panicked",
    }


def keys_told(heading: str) -> set[str]:
    """Keys that a section of FORMAT.md has in the first column of its tables."""
    section = Path("results/FORMAT.md").read_text().partition(f"## {heading}")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    return {key for cell in cells for key in re.findall("`([a-z0-9_]+)`", cell)}


def test_the_json_is_what_the_formats_tell(three: Path, whole: Path) -> None:
    table = json.loads(as_json(table_of(load_lab(three))))
    assert table["lab_table_version"] == 1
    told = keys_told("The lab's table as JSON (`lab_table_version: 1`)")
    assert told | {"instructions_step"} == set(table) | set(table["rows"][0])
    study = json.loads(succeeds("study", str(whole), "--format", "json"))
    assert study["study_version"] == 1 and set(study) == keys_told("The study's statements as JSON (`study_version: 1`)")


def test_a_lab_s_folder_is_printed_again(three: Path) -> None:
    done = fails_with_table(three)
    assert "short" in done and "broken: the guest panicked" in done


def test_a_finished_cell_that_was_lost_or_damaged_since_is_a_failure(tmp_path: Path) -> None:
    lab = write_lab(tmp_path / "lab", {"cloud": [cell()], "short": [cell()], "gone": [cell()]})
    assert cmtnoise("lab", str(lab)).returncode == 0
    (lab / "short/records/strand0-add.tsv").unlink()
    shutil.rmtree(lab / "gone")
    told = fails_with_table(lab)
    assert "note: gone: " in told and told.count("note: short: ") == 1
    (line, *more) = [word for word in cmtnoise("lab", str(lab), "--fail-if", "p95>+5%").stderr.splitlines() if "short" in word]
    assert "cannot be judged for short: it has no record of add on strand 0" in line and not more


def fails_with_table(folder: Path) -> str:
    """A lab that is not complete: the table, and exit status 1."""
    done = cmtnoise("lab", str(folder))
    assert done.returncode == 1, done.stderr
    return done.stdout


def test_nothing_can_be_asked_of_a_folder_that_is_printed(three: Path) -> None:
    assert "--reps has no place with a lab's folder" in fails_usage("lab", str(three), "-r", "5")


def test_a_lab_s_folder_is_named_alone(three: Path) -> None:
    assert "wants the name of a folder; got nothing" in fails_usage("lab", "x86-debian-cloud", "-o", "")
    assert "that of a lab is named alone" in fails_usage("lab", str(three), "x86-debian-cloud")


def fails_usage(*arguments: str) -> str:
    done = cmtnoise(*arguments)
    assert done.returncode == 2
    return done.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is no JSON"),
        ('{"lab_version": 2}', "lab_version is 2; this reader knows 1"),
        ('{"lab_version": 1, "status": "x", "asked": {}}', "'cells' is missing"),
        ('{"lab_version": 1, "status": "x", "asked": {}, "cells": []}', "the lab has no cells"),
        ('{"lab_version": 1, "status": "x", "asked": {}, "cells": [{}]}', "cells\\[0\\] names no configuration"),
    ],
)
def test_a_file_that_is_no_lab_is_told(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "lab.json").write_text(text)
    with pytest.raises(LabError, match=f"lab.json: {says}"):
        load_lab(tmp_path)


@pytest.mark.parametrize("folder", ["../other", "/etc", "..", "a/b"])
def test_a_cell_outside_the_lab_is_refused(three: Path, folder: str) -> None:
    info = json.loads((three / "lab.json").read_text())
    info["cells"][0]["folder"] = folder
    (three / "lab.json").write_text(json.dumps(info))
    with pytest.raises(LabError, match="names no folder of this lab"):
        load_lab(three)


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "broken"),
    [
        ("instructions>+5%", {"long"}),
        ("instructions>+10%", set()),
        ("instructions>+0%", {"long"}),
        ("instructions<-5%", {"short"}),
        ("instructions>2634", {"cloud", "long", "lossy"}),
        ("p95>+100", {"long"}),
        ("share>+5%", {"long"}),
        ("missed>0", {"lossy"}),
        ("missed>+0", {"lossy"}),
        ("ticks<249", set()),
        ("ticks>200", {"cloud", "long", "short", "lossy"}),
    ],
)
def test_limits(tmp_path: Path, limit: str, broken: set[str]) -> None:
    paths = {"cloud": 2635, "long": 2800, "short": 2062}
    named = {name: [cell(counted(path=path))] for name, path in paths.items()} | {"lossy": [cell(counted(lost=(9,)), irqs=24)]}
    table = table_of(load_lab(write_lab(tmp_path / "lab", named)))
    told, beside = gate.broken(table, gate.parse(limit))
    assert {next(name for name in named if f" in {name} add" in line.partition(",")[0]) for line in told} == broken
    assert len(told) == len(broken) and beside == []


def test_a_tick_that_was_lost_does_not_open_the_gate(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell()], lost=[cell(counted(path=0))])
    told, _ = gate.broken(table, gate.parse("instructions>+5%"))
    assert told == ["instructions>+5% cannot be judged for lost add: no tick was found there"]


def test_a_limit_says_nothing_of_what_has_no_tick(tmp_path: Path) -> None:
    table = rows(tmp_path, one=[cell()], bare=[cell(counted(path=0), irqs=0, tick={"hz": 0, "mode": "none"})])
    told, beside = gate.broken(table, gate.parse("instructions>+5%"))
    assert told == [] and beside == ["instructions>+5% says nothing of bare add: it has no tick"]


def test_a_limit_that_is_broken_fails_the_command(tmp_path: Path) -> None:
    folder = write_lab(tmp_path / "lab", {"cloud": [cell()], "long": [cell(counted(path=2800))]})
    assert "long" in succeeds("lab", str(folder), "--fail-if", "instructions>+10%")
    said = fails(1, "lab", str(folder), "--fail-if", "instructions>+5%")
    assert "limit broken: instructions>+5%: median instructions per tick is 2800 instructions in long add, 2635 in cloud" in said


@pytest.mark.parametrize(
    ("limit", "says"),
    [("noise>+5%", "there is no metric 'noise'"), ("p95", "is no limit"), ("p95>5%", "a limit in % is a change")],
)
def test_a_limit_that_is_none_is_wrong_usage(limit: str, says: str) -> None:
    assert says in fails_usage("lab", "x86-debian-cloud", "--fail-if", limit)
