"""The figures: they come out, of every shape of machine, and text in a record stays text."""

from __future__ import annotations

import os
import shutil
import subprocess
import xml.etree.ElementTree
from pathlib import Path

import numpy as np
import pytest
from cmtnoise import Run, load
from cmtnoise.figures import modules
from cmtnoise.figures.machine import layout
from cmtnoise.plot import save
from made import QUANTUM, durations, record_text, write_run
from program import succeeds

BUILD = Path(os.environ.get("CMTNOISE_BUILD", "build")).resolve()
PNG = b"\x89PNG\r\n\x1a\n"


def plot(*arguments: str, code: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(BUILD / "cmtnoise"), "plot", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_a_figure_is_one_file() -> None:
    files = {path.stem for path in (Path("plots") / "cmtnoise" / "figures").glob("[a-z]*.py")}
    assert set(modules()) == files >= {"strand", "machine", "ccdf", "heatmap"}


@pytest.mark.parametrize(("strands", "strands_a_core"), [(1, 1), (2, 1), (8, 2), (32, 4), (7, 2)])
def test_every_figure_of_every_machine(tmp_path: Path, strands: int, strands_a_core: int) -> None:
    run = load(write_run(tmp_path / "run", strands, strands_a_core, kernels=("add",)))
    for module in modules().values():
        for stem, figure in module.draw(run, "add"):
            png, svg = save(figure, tmp_path, stem)
            assert png.read_bytes().startswith(PNG)
            xml.etree.ElementTree.parse(svg)


def test_rows_are_cores_and_columns_their_strands(tmp_path: Path) -> None:
    run = load(write_run(tmp_path / "run", 8, 4, kernels=("add",)))
    assert places(run) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_a_strand_without_a_record_leaves_its_place_empty(tmp_path: Path) -> None:
    strands = [{"strand": s, "core": s // 4, "package": 0, "state": "usable"} for s in range(8)]
    folder = write_run(tmp_path / "run", 8, 4, kernels=("add",), topology={"strands": strands})
    (folder / "records/strand5-add.tsv").unlink()
    assert places(load(folder)) == [[0, 1, 2, 3], [4, None, 6, 7]]


def places(run: Run) -> list[list[int | None]]:
    return [[record.strand if record else None for record in row] for row in layout(run, list(run.records))]


def test_plot_of_a_run_prints_what_it_wrote(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    written = plot(str(folder)).stdout.split()
    assert len(written) == 8 and all(Path(name).stat().st_size > 1000 for name in written)
    assert {path.name for path in (folder / "figures").iterdir()} == {Path(name).name for name in written}
    first = {name: Path(name).read_bytes() for name in written}
    plot(str(folder))
    assert all(Path(name).read_bytes() == content for name, content in first.items())
    only = plot(str(folder), "--figure", "ccdf", "--kernel", "nop", "-o", str(tmp_path / "out")).stdout.split()
    assert [Path(name).name for name in only] == ["ccdf-nop.png", "ccdf-nop.svg"]
    assert "has no records of kernel 'frob'; it has add, nop" in plot(str(folder), "--kernel", "frob", code=1).stderr


def test_mathematics_in_a_name_is_shown_as_it_is(tmp_path: Path) -> None:
    run = load(write_run(tmp_path / "run", host={"name": r"$\frac{1}$", "cpu": "x_y^z"}, kernels=("add",)))
    for module in modules().values():
        for stem, figure in module.draw(run, "add"):
            svg = save(figure, tmp_path, stem)[1]
            assert r"$\frac{1}$" in svg.read_text()


def test_one_stall_does_not_flatten_the_ticks(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", 1, kernels=("add",))
    counts = durations()
    counts[500] = 80 * QUANTUM
    (folder / "records/strand0-add.tsv").write_text(record_text(counts))
    _, figure = next(iter(modules()["strand"].draw(load(folder), "add")))
    assert figure.axes[0].get_ylim()[1] < 130
    assert any("8,000 µs" in text.get_text() for text in figure.axes[0].texts)


# --- one record, by gnuplot -------------------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "r.tsv"
    path.write_text(record_text(durations()))
    return path


def test_a_record_in_the_terminal(record: Path) -> None:
    out = plot(str(record)).stdout
    assert "kernel add on strand 0 (core 0) of made, modelled" in out
    assert "duration" in out.replace("\n", "") or "begin of the repetition, ms" in out
    rows = [line for line in out.splitlines() if "|" in line]
    assert sum("*" in line for line in rows) >= 3  # the band, and peaks above it


@pytest.mark.parametrize(("ending", "magic"), [("png", PNG), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_a_record_in_a_file(record: Path, ending: str, magic: bytes) -> None:
    out = record.with_suffix(f".{ending}")
    assert plot(str(record), "-o", str(out)).stderr == ""
    assert out.read_bytes().startswith(magic) and out.stat().st_size > 5000


@pytest.mark.parametrize("name", ["<touch ran", "|touch ran", "a`touch ran`.tsv", "b$(touch ran)\"'.tsv", "-o", "c d.tsv"])
def test_nothing_in_a_header_or_a_file_name_is_executed(tmp_path: Path, name: str) -> None:
    hostile = {"host": '"; system("touch ran") # $(touch ran) @ARG1 {/Bold x}', "tool": "$HOME"}
    (tmp_path / name).write_text(record_text(durations(), 0, "`touch ran`", "$HOME", "", **hostile))
    shown = plot(f"./{name}" if name.startswith("-") else name, cwd=tmp_path)
    assert "system(" in shown.stdout or "touch" in shown.stdout
    plot(f"./{name}", "-o", "|touch ran.png", cwd=tmp_path)
    assert (tmp_path / "|touch ran.png").read_bytes().startswith(PNG)
    assert not (tmp_path / "ran").exists()


def test_what_is_no_record_is_told_with_file_and_line(record: Path) -> None:
    whole = record.read_text()
    record.write_text(whole[:-20])
    assert f"{record}:" in plot(str(record), code=1).stderr
    record.write_text("hello\n")
    assert f"{record}:1: expected '# record_version: 1'" in plot(str(record), code=1).stderr
    record.write_text(whole.replace("\t2500", "\tx500", 1))
    assert "expected two whole numbers" in plot(str(record), code=1).stderr
    record.write_text(whole[:-1])
    assert "the last line has no end" in plot(str(record), code=1).stderr
    record.write_text(whole.replace("\n250", "\n251", 1))
    assert "the repetition before ended at" in plot(str(record), code=1).stderr
    assert "is no file" in plot("/dev/null", code=1).stderr
    assert "no such record" in plot(str(record) + ".not", code=1).stderr


def test_no_module_of_the_current_folder_is_run(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", kernels=("add",))
    for name in ("argparse", "numpy", "json"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')")
    plot(str(folder), cwd=tmp_path)
    assert not (tmp_path / "ran").exists()


def test_a_full_disk_is_told(record: Path, small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * 150_000)
    out = small_disk / "r.svg"
    assert "could not be written whole" in plot(str(record), "-o", str(out), code=1).stderr
    assert not list(small_disk.glob("*.svg*"))


def test_plot_usage(record: Path) -> None:
    plot(code=2)
    assert ".png, .pdf or .svg" in plot(str(record), "-o", "x.gif", code=2).stderr
    plot(str(record), "--frob", code=2)
    assert "usage" in plot("--help").stdout


def test_gnuplot_alone_is_enough(record: Path) -> None:
    script = Path("plots/gnuplot/record.gp").resolve()
    out = record.with_suffix(".png")
    subprocess.run([shutil.which("gnuplot") or "gnuplot", "-c", script, record, out], check=True, timeout=60)
    assert out.read_bytes().startswith(PNG)


def test_many_repetitions_are_drawn(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", 1, kernels=("add",))
    counts = QUANTUM + np.random.default_rng(2).integers(0, 40, 100_000)
    (folder / "records/strand0-add.tsv").write_text(record_text(counts))
    for module in modules().values():
        for stem, figure in module.draw(load(folder), "add"):
            assert save(figure, tmp_path, stem)[1].stat().st_size < 3_000_000


def test_a_run_without_any_disturbance_has_figures(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", kernels=("add",))
    for strand in range(2):
        (run / f"records/strand{strand}-add.tsv").write_text(record_text(np.full(300, 250_000), strand))
    assert "ccdf-add.svg" in succeeds("plot", str(run))
    assert "no repetition is disturbed" in (run / "figures/ccdf-add.svg").read_text()
    succeeds("compare", str(run), str(run), "--figure", str(tmp_path / "c.png"))
