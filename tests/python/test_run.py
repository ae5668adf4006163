"""Loading runs, whole and damaged, and the report of them."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import cmtnoise
import pytest
from made import write_run

BUILD = Path(os.environ.get("CMTNOISE_BUILD", "build")).resolve()


def report(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([BUILD / "cmtnoise", "report", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_a_run_is_loaded(tmp_path: Path) -> None:
    run = cmtnoise.load(write_run(tmp_path / "run", strands=3))
    assert run.kernels == ["add", "nop"] and run.strands == [0, 1, 2] and not run.problems
    found = run.find(2, "nop")
    assert found is not None and found.strand == 2
    assert run.fact("host", "cpu") == "A CPU" and run.fact("host", "missing") == ""


def test_an_interrupted_run_gives_what_is_there(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", status="interrupted", status_detail="SIGINT")
    (folder / "records/strand1-nop.tsv").unlink()
    damaged = folder / "records/strand0-nop.tsv"
    damaged.write_bytes(damaged.read_bytes()[:-30])
    run = cmtnoise.load(folder)
    assert len(run.records) == 2
    assert any("strand0-nop.tsv" in problem and "cut" in problem for problem in run.problems)
    assert any("1 of 4 planned records are not there" in problem for problem in run.problems)
    text = report(str(folder)).stdout
    assert "this run is interrupted: SIGINT" in text and "strand0-nop.tsv" in text


def test_a_run_of_which_nothing_can_be_read_is_a_failure_in_every_format(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", strands=1, kernels=("add",))
    record = folder / "records/strand0-add.tsv"
    record.write_bytes(record.read_bytes()[:-30])
    for form in ("text", "md", "json", "csv", "html"):
        said = report(str(folder), "--format", form, code=1).stderr
        assert "run: no record of this run can be read: " in said and "strand0-add.tsv" in said
    record.unlink()
    done = report(str(folder), code=1)
    assert "1 of 1 planned records are not there, though the run says that it is complete" in done.stderr
    assert "the same with figures" in done.stderr and (folder / "report.html").is_file()  # what is known of the run stays told
    empty = write_run(tmp_path / "empty", strands=0)
    assert "no record of this run can be read, as none is in its plan" in report(str(empty), code=1).stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "is no JSON"),
        ("[]", "expected a JSON object"),
        ('{"run_version": 9}', "run_version is 9"),
        ('{"run_version": 1, "status": 5}', "'status' is missing or no str"),
        ("[" * 100000, "is no JSON"),
        ('{"run_version": NaN}', "is no JSON: NaN is no number"),
        ('{"run_version": 1e999}', "is no JSON: 1e999 is no number"),
    ],
)
def test_what_is_no_run_is_told_with_its_file(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(cmtnoise.RunError, match="run.json") as caught:
        cmtnoise.load(tmp_path)
    assert says in str(caught.value)
    assert says in report(str(tmp_path), code=1).stderr


@pytest.mark.parametrize("changed", [{"skipped": 5}, {"skipped": [5]}, {"warnings": "x"}, {"plan": [5]}, {"tick": []}])
def test_members_of_the_wrong_kind_are_told(tmp_path: Path, changed: dict[str, object]) -> None:
    folder = write_run(tmp_path / "run")
    info = json.loads((folder / "run.json").read_text()) | changed
    (folder / "run.json").write_text(json.dumps(info))
    assert "run.json: " in report(str(folder), code=1).stderr


def test_a_run_cannot_name_files_outside_itself(tmp_path: Path) -> None:
    for number, name in enumerate(("../secret", "/etc/passwd", 5, "records/\0.tsv", "records/\ud800.tsv")):
        folder = write_run(tmp_path / f"run-{number}", plan=[{"strand": 0, "kernel": "add", "file": name}])
        with pytest.raises(cmtnoise.RunError, match="names no file of this run"):
            cmtnoise.load(folder)


def test_a_record_that_is_planned_twice_is_not_counted_twice(tmp_path: Path) -> None:
    step = {"strand": 0, "kernel": "add", "file": "records/strand0-add.tsv"}
    folder = write_run(tmp_path / "run", plan=[step, step | {"file": "records/../records/strand0-add.tsv"}])
    with pytest.raises(cmtnoise.RunError, match="names no file"):
        cmtnoise.load(folder)
    folder = write_run(tmp_path / "again", plan=[step, step | {"file": "./records/strand0-add.tsv"}])
    with pytest.raises(cmtnoise.RunError, match=r"plan\[1\] names the same file as plan\[0\]"):
        cmtnoise.load(folder)


def test_the_text_report(tmp_path: Path) -> None:
    text = report(str(write_run(tmp_path / "run"))).stdout
    lines = text.splitlines()
    assert lines[0] == "modelled: made, A CPU, linux 6.1, OS tick 250 Hz periodic"
    assert " ".join(lines[2].split()) == "strand core kernel baseline µs median µs p99 µs max µs noise % peaks timer irqs per s"
    assert [line.split()[:3] for line in lines[3:5]] == [["0", "0", "all"], ["1", "1", "all"]]
    assert [line.split()[-2:] for line in lines[3:5]] == [["50", "249.5"], ["50", "249.4"]]  # 25 in each of two records
    assert [line.split()[:3] for line in lines[6:10]] == [
        ["0", "0", "add"],
        ["1", "1", "add"],
        ["0", "0", "nop"],
        ["1", "1", "nop"],
    ]
    assert all(len(line) <= 100 for line in lines[:10])  # the table; sentences below it are as long as they are


def test_the_other_formats_hold_the_same(tmp_path: Path) -> None:
    folder = str(write_run(tmp_path / "run"))
    rows = json.loads(report(folder, "--format", "json").stdout)["records"]
    table = list(csv.DictReader(io.StringIO(report(folder, "--format", "csv").stdout)))
    assert len(rows) == len(table) == 4
    assert all(float(line["baseline_us"]) == row["baseline_us"] for line, row in zip(table, rows, strict=True))
    assert {line["label"] for line in table} == {"modelled"}
    markdown = report(folder, "--format", "md").stdout
    assert markdown.count("\n| ") == 8 and "modelled" in markdown


def test_warnings_are_told_once(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    for file in (folder / "records").iterdir():
        file.write_text(file.read_text().replace("start_counts\t", "# warning: it drifted: by 3 %\nstart_counts\t"))
    text = report(str(folder)).stdout
    assert text.count("it drifted") == 1
    assert "note: it drifted: strand 0 add, strand 1 add, strand 0 nop, strand 1 nop" in text


def test_text_from_a_run_cannot_steer_the_terminal(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", host={"name": "\x1b]0;owned\x07", "os": "l\nx", "cpu": "c"})
    out = report(str(folder)).stdout
    assert "\x1b" not in out and "\x07" not in out


def test_report_usage() -> None:
    report(code=2)
    report("/nonexistent", "--format", "pdf", code=2)
    assert "is no cmtnoise run" in report("/nonexistent", code=1).stderr
    report("--help")
