"""Figures without Python: the folded view, its search for the period, and records side by side."""

from __future__ import annotations

import os
import subprocess
import xml.etree.ElementTree
from pathlib import Path

import numpy as np
import pytest
from made import HZ, QUANTUM, record_text
from numpy.typing import NDArray
from program import cmtnoise, fails, succeeds

PNG = b"\x89PNG\r\n\x1a\n"
SCRIPTS = Path("plots/gnuplot").resolve()


def ticking(repetitions: int, rate_hz: float, random_share: float = 0.02, seed: int = 1) -> NDArray[np.int64]:
    """Durations with a tick of 5 µs at times (not at repetitions) and random events of up to 8 µs in a share of them."""
    random = np.random.default_rng(seed)
    out = QUANTUM + random.integers(0, 40, repetitions)
    hit = random.random(repetitions) < random_share
    out[hit] += random.integers(1000, 20000, int(hit.sum()))
    now, due = 0, 0.0013 * HZ
    for i in range(repetitions if rate_hz else 0):
        while due < now + out[i]:
            out[i] += int(5e-6 * HZ)
            due += HZ / rate_hz
        now += int(out[i])
    return out


def search(counts: NDArray[np.int64]) -> subprocess.CompletedProcess[str]:
    command = [os.environ.get("AWK", "awk"), "-f", str(SCRIPTS / "period.awk")]
    return subprocess.run(command, input=record_text(counts), capture_output=True, text=True, timeout=60)


def texts(svg: Path) -> str:
    """What can be read in an SVG, which must be well-formed."""
    found = xml.etree.ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text")
    return "\n".join("".join(text.itertext()).strip() for text in found)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "r.tsv"
    path.write_text(record_text(ticking(1000, 250)))
    return path


# --- the search -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate_hz", [100, 250, 300, 1000, 1024])
@pytest.mark.parametrize(("repetitions", "random_share", "error"), [(1000, 0.02, 2e-3), (4000, 0.15, 1e-3)])
def test_the_search_finds_the_fundamental(rate_hz: float, repetitions: int, random_share: float, error: float) -> None:
    done = search(ticking(repetitions, rate_hz, random_share))
    rate, found, expected = map(float, done.stdout.split())
    assert rate == pytest.approx(rate_hz, rel=error)
    assert expected == pytest.approx(repetitions * 1e-4 * rate_hz, rel=0.02, abs=1)
    assert 0.85 * expected <= found <= expected


def test_the_dearest_of_two_periods_is_found() -> None:
    """A tick of 5 µs is rarer than another source of 0.5 µs, and is the one to show."""
    counts = ticking(2000, 250)
    counts[::13] += int(0.5e-6 * HZ)
    assert float(search(counts).stdout.split()[0]) == pytest.approx(250, rel=2e-3)


@pytest.mark.parametrize("random_share", [0.0, 0.02, 0.2])
def test_the_search_finds_nothing_where_nothing_is(random_share: float) -> None:
    for seed in range(5):
        done = search(ticking(1000, 0, random_share, seed))
        assert done.returncode == 1 and done.stdout == ""
        assert "no period stands out of" in done.stderr and "--rate" in done.stderr


def test_a_record_of_few_repetitions_is_searched() -> None:
    assert search(np.array([QUANTUM] * 3)).returncode == 1
    assert search(np.array([QUANTUM])).returncode == 1


# --- folded -----------------------------------------------------------------------------------------------------------


def test_folded_at_the_rate_found(record: Path) -> None:
    out = record.with_suffix(".svg")
    assert cmtnoise("plot", str(record), "--folded", "-o", str(out)).stderr == ""
    shown = texts(out)
    assert "kernel add on strand 0 (core 0) of made, modelled" in shown
    assert "folded at 2" in shown and "Hz, found by search: 2" in shown and "positions are peaks" in shown
    assert "modulo the period of 4.0" in shown and "duration, us" in shown


@pytest.mark.parametrize("order", [["--rate", "1000", "--folded"], ["--folded", "--rate=1000.0"]])
def test_folded_at_the_rate_asked_for(record: Path, order: list[str]) -> None:
    for arguments in ([str(record), *order], [*order, str(record)]):
        shown = succeeds("plot", *arguments)
        assert "folded at 1000 Hz, as asked" in shown and "modulo the period of 1 ms" in shown


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_folded_in_a_file(record: Path, ending: str) -> None:
    out = record.with_suffix(f".{ending}")
    assert succeeds("plot", "--folded", str(record), "-o", str(out)) == ""
    assert out.read_bytes().startswith(PNG if ending == "png" else b"%PDF") and out.stat().st_size > 5000


def test_folded_without_a_period_asks_for_the_rate(tmp_path: Path) -> None:
    quiet = tmp_path / "quiet.tsv"
    quiet.write_text(record_text(ticking(1000, 0)))
    out = tmp_path / "out.png"
    message = fails(1, "plot", str(quiet), "--folded", "-o", str(out))
    assert f"{quiet}: no period stands out of" in message and "name the rate with --rate" in message
    assert not out.exists()
    assert "folded at 250 Hz" in succeeds("plot", str(quiet), "--folded", "--rate", "250")


@pytest.mark.parametrize("rate", ["0", "0.0", "-5", "1e3", "fast", ".", "1.2.3", '250"; system("touch ran")'])
def test_a_rate_that_is_none(record: Path, rate: str) -> None:
    assert "--rate wants a number of Hz above 0" in fails(2, "plot", str(record), "--folded", f"--rate={rate}")


# --- side by side -----------------------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Records of the same name in two runs."""
    paths = tmp_path / "a/records/strand0-add.tsv", tmp_path / "b/records/strand0-add.tsv"
    for seed, path in enumerate(paths):
        path.parent.mkdir(parents=True)
        path.write_text(record_text(ticking(1000, 250 * seed, seed=seed), seed, host=f"machine{seed}"))
    return paths


def test_two_records_in_one_figure(two: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out.svg"
    assert cmtnoise("plot", *map(str, two), "-o", str(out)).stderr == ""
    shown = texts(out)
    for name, strand in (("a", 0), ("b", 1)):
        title = f"{name}/records/strand0-add.tsv: add on strand {strand} of machine{strand}, modelled"
        assert shown.count(title) == 2  # its panel, and its line
    assert "CCDF: share of repetitions that took longer" in shown and shown.count("duration, us") == 3
    assert list(tmp_path.glob("out*")) == [out]


@pytest.mark.parametrize("count", [2, 3, 6])
@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_up_to_six_records(record: Path, tmp_path: Path, count: int, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    assert cmtnoise("plot", *[str(record)] * count, "-o", str(out)).stderr == ""
    assert out.read_bytes().startswith(PNG if ending == "png" else b"%PDF") and out.stat().st_size > 10000


def test_records_in_the_terminal(two: tuple[Path, Path]) -> None:
    shown = succeeds("plot", *map(str, two))
    assert "a/records/strand0-add.tsv: add on strand 0" in shown and "CCDF" in shown
    assert "\033" not in shown


def test_one_stall_does_not_flatten_the_others(two: tuple[Path, Path], tmp_path: Path) -> None:
    counts = ticking(1000, 250)
    counts[500] = 80 * QUANTUM
    two[0].write_text(record_text(counts))
    succeeds("plot", *map(str, two), "-o", str(tmp_path / "out.svg"))
    assert "some above, up to 8000 us" in texts(tmp_path / "out.svg")


def test_hostile_names_and_headers_are_text(tmp_path: Path) -> None:
    hostile = "'; system('touch ran') # $(touch ran) @ARG1 {/Bold x} `touch ran` <script>&amp;"
    names = ["<touch ran", "|touch ran", 'a`touch ran`".tsv', "b\n$(touch ran)'.tsv", "c " + "x" * 90 + "é.tsv"]
    for name in names:
        text = record_text(ticking(200, 250), 0, hostile, '"; system("touch ran")', host="h" * 100_000, label=hostile)
        (tmp_path / name).write_text(text)
    succeeds("plot", *names, "-o", "out.svg", cwd=tmp_path)
    shown = texts(tmp_path / "out.svg")
    assert "<touch ran: " in shown and "b?$(touch ran)'.tsv" in shown and "@ARG1 {/Bold x}" in shown
    assert "system(" in succeeds("plot", *names, cwd=tmp_path)
    assert "system(" in succeeds("plot", names[0], "--folded", "--rate", "250", cwd=tmp_path)
    succeeds("plot", names[1], "--folded", "--rate", "250", "-o", "|touch ran.png", cwd=tmp_path)
    assert not (tmp_path / "ran").exists()


def test_what_is_no_record_is_told(two: tuple[Path, Path], tmp_path: Path) -> None:
    out, bad = tmp_path / "out.png", tmp_path / "bad.tsv"
    bad.write_text("hello\n")
    good = str(two[0])
    assert f"{bad}:1: expected '# record_version: 1'" in fails(1, "plot", good, str(bad), "-o", str(out))
    assert f"{bad}:1: expected '# record_version: 1'" in fails(1, "plot", "--folded", str(bad), "-o", str(out))
    bad.write_text(two[0].read_text().replace("# host: machine0", "# host: \x01\x1b[2J"))
    assert "a control character in the header" in fails(1, "plot", good, str(bad), "-o", str(out))
    assert "there is no such record" in fails(1, "plot", good, str(bad) + ".not", "-o", str(out))
    assert "is no file that can be read" in fails(1, "plot", good, str(tmp_path), "-o", str(out))
    assert not out.exists() and not list(tmp_path.glob("*.part*"))


def test_usage_of_several(record: Path) -> None:
    name = str(record)
    assert "compares up to 6 records; got 7" in fails(2, "plot", *[name] * 7)
    assert "--folded draws one record; got 2" in fails(2, "plot", name, name, "--folded")
    assert "--rate goes with --folded" in fails(2, "plot", name, "--rate", "250")
    assert "names no record" in fails(2, "plot", "--folded")
    assert "-o wants a value" in fails(2, "plot", name, "-o")
    assert "unexpected '--frob'" in fails(2, "plot", name, "--frob")


def test_gnuplot_alone_is_enough(two: tuple[Path, Path], tmp_path: Path) -> None:
    compared, folded = tmp_path / "compared.png", tmp_path / "folded.png"
    names = "first\nsecond"
    subprocess.run(["gnuplot", "-c", SCRIPTS / "compare.gp", compared, "100", names, *two], check=True, timeout=60)
    subprocess.run(["gnuplot", "-c", SCRIPTS / "folded.gp", two[1], folded, "100", "250"], check=True, timeout=60)
    assert compared.read_bytes().startswith(PNG) and folded.read_bytes().startswith(PNG)
