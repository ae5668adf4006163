"""The study's statements held against runs: a run that contradicts is told, one that is missing is named, no number is typed."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree
from pathlib import Path

import pytest
from cmtnoise import RunError
from cmtnoise.run import load
from cmtnoise.study import others
from cmtnoise.study.finding import AGREES, DIFFERS, NO_RUN, UNSHOWN
from cmtnoise.study.page import as_html
from cmtnoise.study.runs import ROLES, load_runs
from cmtnoise.study.statements import STATEMENTS, Judged, judge_all
from made import record_text
from made_study import KERNELS, TIMER_HZ, counts, write
from program import cmtnoise, fails, succeeds

EMULATED = [role.name for role in ROLES if role.emulated]
LINUX = ["representative", "linux-peaks", "linux-interrupts", "linux-slowdown", "clock-rate"]
SHOWN = ["uniform", *LINUX, "bare-quiet"]
NOT_SHOWN = ["linux-strands", "solaris-strand", "solaris-core", "solaris-elsewhere", "bare-strands"]
Strands = tuple[tuple[int, int, float, int, bool], ...]


def found(folder: Path) -> dict[str, Judged]:
    return {one.statement.name: one for one in judge_all(load_runs(folder))}


def verdicts(folder: Path) -> dict[str, str]:
    return {name: one.finding.verdict for name, one in found(folder).items()}


def of_verdict(folder: Path, verdict: str) -> list[str]:
    return [name for name, said in verdicts(folder).items() if said == verdict]


def replace(folder: Path, name: str, os: str = "linux", hz: float = 250, path_counts: int = 3100, **changed: object) -> Path:
    shutil.rmtree(folder / name, ignore_errors=True)
    write(folder / name, os, hz, path_counts, **changed)  # type: ignore[arg-type]
    return folder


# --- what agrees, what cannot be shown ------------------------------------------------------------------------------------


def test_runs_as_the_study_has_them_agree(study: Path) -> None:
    assert of_verdict(study, AGREES) == [s.name for s in STATEMENTS if s.name in SHOWN]
    assert of_verdict(study, UNSHOWN) == [s.name for s in STATEMENTS if s.name in NOT_SHOWN]
    labels = {name: one.finding.label for name, one in found(study).items()}
    assert labels["linux-slowdown"] == "modelled", "a path is emulated; times made of it by an assumed rate are not"
    assert {labels[name] for name in SHOWN} == {"emulated", "modelled"} and {labels[name] for name in NOT_SHOWN} == {""}


def test_what_cannot_be_shown_names_what_would_show_it(study: Path) -> None:
    for name in NOT_SHOWN:
        one = found(study)[name]
        assert one.finding.why and one.finding.found == ""
        ((_, command),) = one.commands
        assert f"-o {study}/silicon-" in command


@pytest.mark.parametrize(("path_counts", "instructions"), [(3100, "1,938"), (2500, "1,562"), (6400, "4,000")])
def test_numbers_come_from_the_runs(study: Path, path_counts: int, instructions: str) -> None:
    replace(study, "sparc-linux+hz250", path_counts=path_counts)
    assert instructions in found(study)["linux-slowdown"].finding.found
    assert instructions in found(study)["representative"].finding.found
    page = as_html(load_runs(study), judge_all(load_runs(study)))
    assert f"{instructions} instructions a tick" in page and f"+{path_counts / 100:.1f} %" in page


def test_the_assumed_rate_is_told_with_where_it_would_change_the_verdict(study: Path) -> None:
    finding = found(study)["linux-slowdown"].finding
    assert "at 62.5 million instructions a second that is 31.0 %" in finding.found
    assert "below 97 million" in finding.why and "from 65 million on" in finding.why  # 1938 / 20 µs, 1938 / 30 µs


# --- runs that contradict ----------------------------------------------------------------------------------------------------


def test_no_tick_contradicts(study: Path) -> None:
    replace(study, "sparc-linux+hz250", hz=0, said_hz=250)
    assert of_verdict(study, DIFFERS) == LINUX


def test_another_rate_contradicts(study: Path) -> None:
    replace(study, "sparc-linux+hz250", hz=249, said_hz=250)
    assert of_verdict(study, DIFFERS) == ["linux-peaks", "clock-rate"]
    assert "249.0" in found(study)["linux-peaks"].finding.found


def test_the_rate_does_not_follow_the_clock(study: Path) -> None:
    replace(study, "sparc-linux+hz100", hz=250, said_hz=100)
    assert of_verdict(study, DIFFERS) == ["clock-rate"]


def test_a_short_tick_contradicts_the_slowdown_alone(study: Path) -> None:
    replace(study, "sparc-linux+hz250", path_counts=1900)
    assert of_verdict(study, DIFFERS) == ["linux-slowdown"]


def test_peaks_that_no_interrupt_was_counted_for_contradict(study: Path) -> None:
    replace(study, "sparc-linux+hz100", hz=100, strands=((0, 0, 100, 3100, False),))
    assert of_verdict(study, DIFFERS) == ["linux-interrupts", "clock-rate"], "without interrupts they are no ticks of its own"


def test_more_interrupts_than_peaks_contradict(study: Path) -> None:
    for file in (study / "sparc-linux+hz250/records").iterdir():
        file.write_text(re.sub(r"timer_interrupts: 7 \d+", "timer_interrupts: 7 57", file.read_text()))
    assert of_verdict(study, DIFFERS) == ["linux-interrupts"]
    assert "100 timer interrupts, 50 ticks were due meanwhile" in found(study)["linux-interrupts"].finding.found


def test_a_kernel_with_another_cost_contradicts_that_add_stands_for_all(study: Path) -> None:
    durations = counts(250, 3600, seed=2)
    facts = {"timer_hz": str(TIMER_HZ), "label": "emulated", "counter.timer_interrupts": "7 32"}
    (study / "sparc-linux+hz250/records/strand0-1.tsv").write_text(record_text(durations, 0, KERNELS[1], 0, **facts))
    assert of_verdict(study, DIFFERS) == ["representative"]
    assert "nop 2,250" in found(study)["representative"].finding.found


def test_peaks_without_an_os_contradict(study: Path) -> None:
    replace(study, "t1-bare", "bare", 250, 2000, said_hz=0)
    assert of_verdict(study, DIFFERS) == ["uniform", "bare-quiet"]


def test_a_wrong_baseline_is_not_uniform(study: Path) -> None:
    for number, kernel in enumerate(KERNELS):
        slow = counts(0, 0) * 103 // 100
        facts = {"timer_hz": str(TIMER_HZ), "label": "emulated"}
        (study / f"t1-bare/records/strand0-{number}.tsv").write_text(record_text(slow, 0, kernel, 0, **facts))
    assert of_verdict(study, DIFFERS) == ["uniform"]


def test_no_peaks_are_no_finding_where_a_control_is_blind(study: Path) -> None:
    replace(study, "t1-bare-tick100", "bare", 0, 0, said_hz=100)
    finding = found(study)["bare-quiet"].finding
    assert finding.verdict == UNSHOWN and "the control of 100 Hz does not show its own ticks" in finding.why


def test_one_kernel_stands_for_nothing(study: Path) -> None:
    replace(study, "sparc-linux+hz250", kernels=("add",))
    assert verdicts(study)["representative"] == UNSHOWN


def test_without_instruction_counting_no_path_is_told(study: Path) -> None:
    replace(study, "sparc-linux+hz250", domain={"accel": "tcg", "icount_shift": 4})
    assert verdicts(study)["linux-slowdown"] == UNSHOWN


# --- silicon -----------------------------------------------------------------------------------------------------------------


def on_silicon(folder: Path, name: str, strands: Strands, os: str = "linux", hz: int = 250, label: str = "measured") -> Path:
    write(folder / name, os, hz, strands=strands, label=label, domain={})
    return folder


TICK, NONE = (250.0, 2400, True), (0.0, 0, True)


def test_linux_on_silicon_decides(study: Path) -> None:
    on_silicon(study, "silicon-linux", tuple((strand, strand // 2, *TICK) for strand in range(4)))
    judged = found(study)
    assert judged["linux-strands"].finding.verdict == AGREES and "4 of 4 strands tick" in judged["linux-strands"].finding.found
    slowdown = judged["linux-slowdown"].finding
    assert (slowdown.verdict, slowdown.label) == (AGREES, "measured") and "24.0 %" in slowdown.found


def test_a_strand_without_a_tick_contradicts(study: Path) -> None:
    on_silicon(study, "silicon-linux", ((0, 0, *TICK), (1, 0, *TICK), (2, 1, *NONE)), label="virtualised")
    finding = found(study)["linux-strands"].finding
    assert (finding.verdict, finding.label) == (DIFFERS, "virtualised") and "strand 2: no tick" in finding.found


def test_cheap_ticks_on_silicon_contradict(study: Path) -> None:
    on_silicon(study, "silicon-linux", ((0, 0, 250.0, 500, True), (1, 1, 250.0, 500, True)))
    assert verdicts(study)["linux-slowdown"] == DIFFERS and verdicts(study)["linux-strands"] == AGREES


def test_one_strand_of_silicon_shows_nothing_of_the_others(study: Path) -> None:
    on_silicon(study, "silicon-linux", ((0, 0, *TICK),))
    on_silicon(study, "silicon-bare", ((0, 0, *NONE),), "bare", 0)
    assert {verdicts(study)[name] for name in ("linux-strands", "bare-strands")} == {UNSHOWN}


SOLARIS: Strands = ((0, 0, 100.0, 2700, True), (1, 0, 100.0, 800, False), (2, 0, 100.0, 700, False), (4, 1, *NONE))


@pytest.mark.parametrize(
    ("strands", "expected"),
    [
        (SOLARIS, (AGREES, AGREES, AGREES)),
        (((0, 0, 100.0, 4500, True), *SOLARIS[1:]), (DIFFERS, AGREES, AGREES)),
        ((SOLARIS[0], (1, 0, 100.0, 1500, False), SOLARIS[3]), (AGREES, DIFFERS, AGREES)),
        (((0, 0, 100.0, 3030, True), (1, 0, 100.0, 1030, False), SOLARIS[3]), (AGREES, AGREES, AGREES)),
        (((0, 0, 100.0, 3200, True), (1, 0, 100.0, 1100, False), SOLARIS[3]), (DIFFERS, DIFFERS, AGREES)),
        ((SOLARIS[0], (1, 0, *NONE), SOLARIS[3]), (AGREES, DIFFERS, AGREES)),
        ((*SOLARIS[:3], (4, 1, 100.0, 500, False)), (AGREES, AGREES, DIFFERS)),
        ((SOLARIS[0],), (AGREES, UNSHOWN, UNSHOWN)),
        (((0, 0, *NONE), (4, 1, *NONE)), (DIFFERS, UNSHOWN, UNSHOWN)),
    ],
)
def test_solaris_on_silicon_decides(study: Path, strands: Strands, expected: tuple[str, ...]) -> None:
    on_silicon(study, "silicon-solaris", strands, "solaris", 100)
    said = verdicts(study)
    assert tuple(said[name] for name in ("solaris-strand", "solaris-core", "solaris-elsewhere")) == expected


def test_the_modelled_solaris_is_what_the_study_says_and_no_silicon(study: Path) -> None:
    modelled = load(Path("results/reference/solaris-t1-modelled"))
    checks = (others.solaris_strand, others.solaris_core, others.solaris_elsewhere)
    assert [check(modelled).verdict for check in checks] == [AGREES] * 3
    shutil.copytree(modelled.path, study / "silicon-solaris")
    assert "is labelled modelled, which shows nothing of silicon" in load_runs(study).problems["silicon-solaris"]
    assert of_verdict(study, UNSHOWN) == NOT_SHOWN


def test_another_system_is_no_solaris(study: Path) -> None:
    on_silicon(study, "silicon-solaris", SOLARIS, "linux", 100)
    assert "run.json says host.os linux, where solaris belongs" in load_runs(study).problems["silicon-solaris"]
    assert of_verdict(study, UNSHOWN) == NOT_SHOWN


@pytest.mark.parametrize(("loud", "expected"), [(NONE, AGREES), ((250.0, 900, True), DIFFERS)])
def test_silicon_without_an_os_decides(study: Path, loud: tuple[float, int, bool], expected: str) -> None:
    on_silicon(study, "silicon-bare", ((0, 0, *NONE), (1, 0, *loud), (4, 1, *NONE)), "bare", 0)
    assert verdicts(study)["bare-strands"] == expected


def test_an_emulated_run_is_no_silicon(study: Path) -> None:
    on_silicon(study, "silicon-linux", ((0, 0, *TICK), (1, 1, *TICK)), label="emulated")
    assert verdicts(study)["linux-strands"] == UNSHOWN
    assert "is labelled emulated, which shows nothing of silicon" in load_runs(study).problems["silicon-linux"]


# --- what is missing or wrong ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EMULATED)
def test_a_missing_run_is_named_with_its_command(study: Path, name: str) -> None:
    shutil.rmtree(study / name)
    told = fails(1, "study", str(study), "--format", "text")
    assert f"cmtnoise: {name} is missing; make it: cmtnoise domain run {name} -o {study}/{name} -- --kernels" in told
    waiting = of_verdict(study, NO_RUN)
    assert waiting and all(name in s.needs for s in STATEMENTS if s.name in waiting)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"status": "interrupted"}, "this run is interrupted"),
        ({"tick": {"hz": 100}}, "run.json says tick.hz 100, where 250 belongs"),
        ({"host": {"os": "bare"}}, "run.json says host.os bare, where linux belongs"),
        ({"plan": []}, "has no records"),
        ({"run_version": 9}, "run_version is 9"),
    ],
)
def test_a_run_that_is_not_the_one_is_not_used(study: Path, changed: dict[str, object], said: str) -> None:
    file = study / "sparc-linux+hz250/run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changed))
    assert said in load_runs(study).problems["sparc-linux+hz250"]
    assert of_verdict(study, NO_RUN) == LINUX
    out = cmtnoise("study", str(study), "--format", "text")
    assert out.returncode == 1 and said in out.stdout and "sparc-linux+hz250 is missing" in out.stderr


def test_a_damaged_record_is_told(study: Path) -> None:
    (study / "sparc-linux+hz250/records/strand0-1.tsv").write_text("# record_version: 1\n")
    out = succeeds("study", str(study), "--format", "text")
    assert "note: sparc-linux+hz250: " in out and "strand0-1.tsv" in out


def test_folders_that_hold_no_study(tmp_path: Path) -> None:
    assert "there is no such folder: 'make study' makes the runs" in fails(1, "study", str(tmp_path / "none"))
    assert "holds none of the study's runs" in fails(1, "study", str(tmp_path))
    (tmp_path / "t1-bare").mkdir()
    with pytest.raises(RunError, match="run.json: not there"):
        load_runs(tmp_path)
    assert "unrecognized arguments" in fails_usage("study", str(tmp_path), "more")
    assert "-o is for the page" in fails_usage("study", str(tmp_path), "--format", "json", "-o", "x")


def fails_usage(*arguments: str) -> str:
    done = cmtnoise(*arguments)
    assert done.returncode == 2
    return done.stderr


def test_a_contradiction_fails_and_is_told_last(study: Path) -> None:
    replace(study, "sparc-linux+hz250", path_counts=1900)
    shutil.rmtree(study / "t1-bare-tick250")
    told = fails(1, "study", str(study))
    page = (study / "study.html").read_text()
    assert "≠</span> differs" in page and "Runs are missing" in page
    assert told.rstrip().endswith("cmtnoise: differs: Under Linux, repetitions that are hit take over 20 % longer.")


# --- what it prints and writes -----------------------------------------------------------------------------------------------


def test_json_and_text_hold_every_statement(study: Path) -> None:
    rows = json.loads(succeeds("study", str(study), "--format", "json"))["statements"]
    assert [row["name"] for row in rows] == [s.name for s in STATEMENTS]
    assert all(row["why"] and (row["found"] or row["commands"]) for row in rows)
    text = " ".join(succeeds("study", str(study), "--format", "text").split())
    assert text.startswith("12 statements: 7 agree, 5 cannot be shown here")
    assert all(s.says in text for s in STATEMENTS)
    assert not (study / "study.html").exists() and not (study / "figures").exists()


def test_figures_of_each_kernel_are_written(study: Path, tmp_path: Path) -> None:
    succeeds("study", str(study), "-o", str(tmp_path / "out"))
    names = {path.name for path in (tmp_path / "out/figures").iterdir()}
    stems = [f"{stem}-{kernel}" for stem in ("study", "study-controls") for kernel in KERNELS]
    assert names == {f"{stem}.{ending}" for stem in stems for ending in ("png", "svg")}
    text = "".join(xml.etree.ElementTree.parse(tmp_path / "out/figures/study-add.svg").getroot().itertext())
    for said in (
        "SPARC Linux, 250 Hz: a peak each 4.00 ms, 1,938 instructions, +31.0 %",
        "a peak each 10.00 ms",
        "no peaks",
        "emulated:",
    ):
        assert said in text


def test_a_plus_in_a_folder_s_name_may_be_a_dash(study: Path) -> None:
    (study / "sparc-linux+hz250").rename(study / "sparc-linux-hz250")
    assert of_verdict(study, NO_RUN) == []


def test_the_reference_runs_agree() -> None:
    assert set(of_verdict(Path("results/reference"), AGREES)) == set(SHOWN)
