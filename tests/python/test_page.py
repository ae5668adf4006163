"""The report's page, in a browser: it comes up without complaint, can be used by keyboard, and shows text as text."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import Opened, Scheme, chromium, opened
from cmtnoise import RunError, load
from cmtnoise.page import as_html
from cmtnoise.report import write_page
from made import QUANTUM, durations, events_text, record_text, write_run
from playwright.sync_api import Browser
from program import PROGRAM, cmtnoise, fails, succeeds

PLOTS = ["plot-time", "plot-fold", "plot-ccdf", "plot-heatmap"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def page_of(folder: Path) -> Path:
    return write_page(load(folder), None)


def with_causes(folder: Path, strand: int = 0, kernel: str = "add", thread: str = "kworker/0:1", source: str = "tracefs") -> None:
    """Gives a record of a made run ticks by the timer, and some peaks of a thread."""
    counts = durations(seed=strand)
    ticks = {int(at * 1e4) for at in np.arange(0.0013, 0.1, 1 / 250)}
    others = [int(i) for i in np.flatnonzero(counts > QUANTUM + 900) if i not in ticks]
    causes = dict.fromkeys(ticks, ("vector", "local_timer")) | dict.fromkeys(others[::2], ("thread", thread))
    stem = folder / f"records/strand{strand}-{kernel}"
    stem.with_suffix(".tsv").write_text(record_text(counts, strand, kernel))
    stem.with_suffix(".events.tsv").write_text(events_text(counts, causes, strand, source))


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of four strands on two cores, one with traced causes, and a fifth without a record."""
    strands = [{"strand": s, "core": s // 2, "package": 0, "state": "usable"} for s in range(5)]
    folder = write_run(tmp_path_factory.mktemp("usual") / "run", 4, 2, topology={"source": "made", "strands": strands})
    with_causes(folder)
    return page_of(folder)


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_comes_up(browser: Browser, usual: Path, width: int, scheme: Scheme) -> None:
    with opened(browser, usual, width, scheme) as page:
        assert page.complaints == []
        assert list(page.traces()) == PLOTS and all(page.traces().values())
        assert not page.overflows()
        page.page.click("summary")
        page.page.click("[data-range=closer]")
        assert not page.overflows()
        assert page.value("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 29)"
        )
        assert page.complaints == []


def test_what_the_page_says(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as page:
        assert page.text("h1") == "OS noise on made"
        assert "modelled" in page.text("header") and "OS tick 250 Hz periodic" in page.text(".where")
        assert "Of 4 strands:" in page.text(".counts")
        assert "ticks at 249." in page.text("#verdicts")  # a made tick falls behind by what its record's bursts take
        assert page.page.locator("button[data-strand]").count() == 4
        assert "not measured" in page.text(".unmeasured")
        assert "249." in page.text("#sources")
        assert "timer interrupt" in page.text("#causes") and "kworker/0:1" in page.text("#events")
        assert "mode" in page.text(".facts >> nth=0") and "A CPU" in page.text(".facts >> nth=1")
        assert all("modelled" in page.drawn(f"#{plot} .gtitle") for plot in PLOTS)
        assert all(page.text(f"#caption-{name}").startswith("modelled") for name in ("time", "fold", "ccdf", "heatmap"))


def test_the_keyboard_reaches_everything(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as page:
        reached = []
        for _ in range(60):
            page.page.keyboard.press("Tab")
            reached.append(page.value("document.activeElement.id || document.activeElement.dataset.strand || ''"))
            outline = page.value("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none" or reached[-1] == ""
        assert page.value("document.querySelector('a').className") == "skip"
        assert {"theme", "0", "3", "strand", "kernel", "colour", "fold"} <= set(reached)


def test_another_strand_by_keyboard(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as page:
        page.page.focus("#strand")
        page.page.keyboard.press("ArrowDown")
        chosen = page.value("document.getElementById('strand').selectedOptions[0].textContent")
        assert chosen != "0" and f"strand {chosen} (" in page.text("#told")
        assert f"strand {chosen}, add" in page.drawn("#plot-time .gtitle")
        assert page.value("document.querySelector('[aria-pressed=true][data-strand]').dataset.strand") == chosen
        page.page.focus("button[data-strand='3']")
        page.page.keyboard.press("Enter")
        assert "strand 3 (" in page.text("#told") and page.value("document.activeElement.id") == "strand"
        page.page.select_option("#kernel", label="nop")
        assert "strand 3, nop" in page.drawn("#plot-fold .gtitle") and "nop" in page.drawn("#plot-ccdf .gtitle")
        assert page.complaints == []


def test_peaks_are_coloured_by_cause_or_source(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as page:
        page.page.select_option("#strand", label="0")
        assert "timer interrupt: 25" in page.text("#legend") and "not explained by this OS" in page.text("#legend")
        page.page.select_option("#colour", "source")
        assert "249." in page.text("#legend") and "no periodic source" in page.text("#legend")
        button = page.page.locator("#legend button").first
        button.press("Enter")
        assert button.get_attribute("aria-pressed") == "false"
        assert page.value("document.getElementById('plot-time').data[1].visible") is False
        page.page.select_option("#strand", label="1")
        assert page.page.locator("#colour option").count() == 1 and "No OS events were traced" in page.text("#causes-note")


def test_the_range_by_buttons(browser: Browser, usual: Path) -> None:
    def reach(page: Opened, axis: str) -> float:
        low, high = page.value(f"document.getElementById('plot-time').layout.{axis}.range.map(Number)")
        return float(high - low)

    with opened(browser, usual) as page:
        whole = reach(page, "xaxis")
        page.page.press("[data-range=closer]", "Enter")
        page.page.press("[data-range=later]", "Enter")
        assert reach(page, "xaxis") == pytest.approx(whole / 2)
        page.page.press("[data-range=usual]", "Enter")
        usual_height = reach(page, "yaxis")
        assert reach(page, "xaxis") == pytest.approx(whole)
        page.page.press("[data-range=whole]", "Enter")
        assert reach(page, "yaxis") >= usual_height - 1e-6


def test_dark_and_light_by_button(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as page:
        before = page.value("document.getElementById('plot-time').layout.font.color")
        page.page.press("#theme", "Enter")
        assert page.text("#theme") == "Light colours"
        assert page.value("document.getElementById('plot-time').layout.font.color") != before
        page.page.emulate_media(color_scheme="dark")
        page.page.press("#theme", "Enter")
        assert page.value("document.getElementById('plot-time').layout.font.color") == before


def test_the_figure_holds_every_repetition(browser: Browser, usual: Path) -> None:
    record = load(usual.parent).find(1, "add")
    assert record is not None
    with opened(browser, usual) as page:
        number = page.value("overview.records[0][1][0]")
        drawn = np.array(page.value(f"[...recordOf({number}).durations]"))
        begins = np.array(page.value(f"[...recordOf({number}).starts]"))
    np.testing.assert_allclose(drawn, record.duration_us(), atol=0.003)
    np.testing.assert_allclose(begins, record.start_ms(), atol=0.001)


# --- a record is untrusted --------------------------------------------------------------------------------------------

HOSTILE = '<script>window.hit=1</script><img src=x onerror=window.hit=1>"\'</script>{{7*7}}<a href="javascript:window.hit=1"><b>x'
LONG = "L" * 1_000_000


def hostile_run(folder: Path) -> Path:
    place = {"strand": 0, "core": 0, "package": 0, "state": HOSTILE}
    write_run(
        folder,
        1,
        kernels=("add",),
        label=HOSTILE,
        started=HOSTILE,
        host=dict.fromkeys(("name", "os", "os_release", "cpu", "boot_parameters", HOSTILE), HOSTILE) | {"hypervisor": LONG},
        tick={"hz": HOSTILE, HOSTILE: HOSTILE, "mode": [HOSTILE], "nohz_full": {HOSTILE: HOSTILE}},
        tool={"name": HOSTILE, "version": HOSTILE},
        options={HOSTILE: HOSTILE},
        command=[HOSTILE, LONG, 7],
        warnings=[HOSTILE, LONG, 7],
        skipped=[{"kernel": HOSTILE, "reason": HOSTILE}],
        topology={"source": HOSTILE, "strands": [place, place | {"strand": 1, "core": 1}, place | {"strand": 2, "core": None}]},
        causes={"source": HOSTILE, "clock": LONG, "reason": HOSTILE},
    )
    with_causes(folder, thread=HOSTILE, source=HOSTILE)
    changed = dict.fromkeys(("host", "instruction", "timer", "tool", "os"), HOSTILE) | {"realtime": LONG}
    extra = f"# warning: {HOSTILE}\n# warning: {LONG}\n"
    text = record_text(durations(seed=0), 0, HOSTILE, extra=extra, **changed)
    (folder / "records/strand0-add.tsv").write_text(text)
    return folder


def test_a_hostile_run_shows_as_text(browser: Browser, tmp_path: Path) -> None:
    file = page_of(hostile_run(tmp_path / "run"))
    assert HOSTILE not in file.read_text() and file.stat().st_size < 6_000_000
    with opened(browser, file, 390) as page:
        assert list(page.traces()) == PLOTS and all(page.traces().values())
        assert HOSTILE in page.text(".facts >> nth=0") and HOSTILE in page.text(".warnings >> nth=-1")
        assert "(1,000,000 characters)" in page.text(".facts >> nth=1")
        assert "<script>window.hit=1" in page.drawn("#plot-time .gtitle") + page.text("#told")
        assert "thread <script>" in page.text("#causes") and "<script>" in page.text("#legend")
        page.value("Plotly.Fx.hover('plot-time', [{curveNumber: 2, pointNumber: 0}])")
        assert "cause: thread <script>" in page.drawn("#plot-time .hoverlayer")
        assert "<script>window.hit=1" in page.drawn("#plot-heatmap")
        assert page.page.locator("img, iframe, a[href^='javascript'], .plot b").count() == 0
        assert page.value("window.hit") is None and "{{7*7}}" in page.text("header")
        assert not page.overflows()
        assert page.complaints == []


def test_the_policy_lets_nothing_else_run(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as page:
        page.value("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.hit = 1'}))")
        page.value(
            "document.body.insertAdjacentHTML('beforeend', '<img src=\"http://127.0.0.1:9/x\" onerror=\"window.hit = 1\">')"
        )
        refused = page.value("fetch('http://127.0.0.1:9/').then(() => 'reached', () => 'refused')")
        assert refused == "refused" and page.value("window.hit") is None
        assert sum("Content Security Policy" in complaint for complaint in page.complaints) >= 3


# --- runs of every kind -----------------------------------------------------------------------------------------------


def test_a_long_record_is_drawn_in_part(browser: Browser, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", 1, kernels=("add",))
    counts = durations(60_000, tick_us=8)
    counts[30_000] = 90 * QUANTUM
    (folder / "records/strand0-add.tsv").write_text(record_text(counts))
    file = page_of(folder)
    with opened(browser, file) as page:
        assert "Drawn of 60,000 repetitions" in page.text("#caption-time")
        assert 2000 < page.value("recordOf(0).durations.length") <= 4000
        assert page.value("Math.max(...recordOf(0).durations)") == pytest.approx(9000, rel=0.01)
        assert page.value("recordOf(0).index.indexOf(30000)") > 0
        at = page.value("recordOf(0).starts[recordOf(0).index.indexOf(30000)]")
        assert at == pytest.approx(counts[:30_000].sum() / 2.5e6, abs=0.01)
        assert "lie above the usual range, up to 9000 µs" in page.text("#caption-time")
        assert page.complaints == []


def test_a_run_without_records(browser: Browser, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    shutil.rmtree(folder / "records")
    with opened(browser, page_of(folder)) as page:
        assert "There are no records to judge" in page.text(".counts")
        assert "4 of 4 planned records are not there" in page.text("main")
        page.page.click("#theme")
        assert page.complaints == []


def test_a_pair_without_a_record_is_told(browser: Browser, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    (folder / "records/strand1-nop.tsv").unlink()
    with opened(browser, page_of(folder)) as page:
        page.page.select_option("#kernel", label="nop")
        page.page.select_option("#strand", label="1")
        assert "There is no record of this kernel on this strand" in page.text("#told")
        assert not page.page.is_visible("#plot-time") and page.page.is_visible("#plot-ccdf")
        page.page.select_option("#strand", label="0")
        assert page.page.is_visible("#plot-time") and page.complaints == []


def test_rounds_are_chosen(browser: Browser, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", 1, kernels=("add",))
    info = json.loads((folder / "run.json").read_text())
    info["plan"].append(info["plan"][0] | {"round": 2, "file": "records/strand0-add.2.tsv"})
    (folder / "run.json").write_text(json.dumps(info))
    (folder / "records/strand0-add.2.tsv").write_text(record_text(durations(500, seed=5), round="2"))
    with opened(browser, page_of(folder)) as page:
        assert "1,000 repetitions" in page.text("#told") and "round" not in page.text("#told")
        page.page.select_option("#round", label="2")
        assert "round 2, 500 repetitions" in page.text("#told") and page.complaints == []


def test_a_strand_without_noise(browser: Browser, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", 1, kernels=("add",))
    (folder / "records/strand0-add.tsv").write_text(record_text(np.full(100, QUANTUM)))
    with opened(browser, page_of(folder)) as page:
        assert "No periodic source was found in 0 peaks" in page.text("#sources-note")
        assert not page.page.is_visible("#plot-fold") and page.complaints == []


def test_emulated_figures_are_no_time(tmp_path: Path) -> None:
    page = as_html(load(write_run(tmp_path / "run", 1, kernels=("add",), label="emulated")))
    assert "Emulated: an emulator: the figures are instruction counts, not time" in page


def test_a_damaged_event_file_costs_only_the_causes(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", 1, kernels=("add",))
    (folder / "records/strand0-add.events.tsv").write_text("hello\n")
    page = as_html(load(folder))
    assert "strand0-add.events.tsv:1: expected" in page and "ticks at 249." in page


def test_many_records_stay_small(tmp_path: Path) -> None:
    kernels = tuple(f"k{i}" for i in range(24))
    folder = write_run(tmp_path / "run", 32, 4, kernels=kernels)
    assert page_of(folder).stat().st_size < 10_000_000


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_where_the_page_is(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    assert succeeds("report", str(folder), "--format", "html") == f"{folder}/report.html\n"
    first = (folder / "report.html").read_bytes()
    assert succeeds("report", str(folder), "--format", "html", "-o", str(tmp_path / "p.html")) == f"{tmp_path}/p.html\n"
    assert (tmp_path / "p.html").read_bytes() == first and first.startswith(b"<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.html", "run"]
    assert "-o is for the page" in cmtnoise("report", str(folder), "--format", "md", "-o", "x").stderr


def test_without_a_format_it_prints_the_table_and_writes_the_page(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    done = cmtnoise("report", str(folder))
    assert done.returncode == 0 and "baseline µs" in done.stdout and "report.html" not in done.stdout
    assert done.stderr.endswith(f"the same with figures: {folder}/report.html\n")
    assert (folder / "report.html").read_bytes().startswith(b"<!DOCTYPE html>")


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    assert "/no/such/place.html: No such file" in fails(1, "report", str(folder), "--format", "html", "-o", "/no/such/place.html")


def test_a_full_disk_leaves_no_half_page(tmp_path: Path, small_disk: Path) -> None:
    folder = write_run(tmp_path / "run", 1, kernels=("add",))
    out = small_disk / "report.html"
    assert "No space left" in fails(1, "report", str(folder), "--format", "html", "-o", str(out))
    assert list(small_disk.iterdir()) == []


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = load(write_run(tmp_path / "run", 1, kernels=("add",)))
    for module in [name for name in sys.modules if name.startswith("cmtnoise.page")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(RunError, match="jinja2 and plotly: run 'make deps'"):
        write_page(run, None)


def test_an_installed_program_has_the_whole_package(tmp_path: Path) -> None:
    command = ["make", "-s", "install", f"BUILD={Path(PROGRAM).parent}", f"DESTDIR={tmp_path}", "PREFIX=/usr", "-o", "all"]
    subprocess.run(command, check=True, capture_output=True)
    installed = {path.name for path in (tmp_path / "usr/share/cmtnoise/cmtnoise/page").iterdir()}
    assert installed == {path.name for path in Path("plots/cmtnoise/page").iterdir() if path.is_file()}
