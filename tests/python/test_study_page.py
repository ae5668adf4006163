"""The page of the study: what it shows, in a browser too, and what comes from elsewhere stays text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Scheme, chromium, opened
from cmtnoise.study.page import as_html
from cmtnoise.study.runs import Runs, load_runs
from cmtnoise.study.statements import STATEMENTS, judge_all
from made import record_text
from made_study import KERNELS, TIMER_HZ, counts
from playwright.sync_api import Browser
from program import cmtnoise

HOSTILE = '<script>alert(1)</script>"\x1b[2J'


def test_hostile_names_stay_text(study: Path) -> None:
    file = study / "t1-bare/run.json"
    info = json.loads(file.read_text())
    info["host"] |= {"cpu": HOSTILE, "os_release": HOSTILE}
    file.write_text(json.dumps(info | {"warnings": [HOSTILE], "command": [HOSTILE]}))
    record = study / "t1-bare/records/strand0-1.tsv"
    record.write_text(record.read_text().replace("# kernel: nop", "# kernel: ../../<b>nop"))
    done = cmtnoise("study", str(study))
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    page = (study / "study.html").read_text()
    assert "<script>alert" not in page and "<b>nop" not in page and "\x1b" not in page and "&lt;script&gt;alert" in page
    assert {path.parent.name for path in study.parent.rglob("study-*")} == {"figures"}


def test_long_records_are_drawn_in_part(study: Path) -> None:
    durations = counts(250, 3100, 20_000)
    facts = {"timer_hz": str(TIMER_HZ), "label": "emulated", "repetitions": "20000", "counter.timer_interrupts": "0 513"}
    (study / "sparc-linux+hz250/records/strand0-0.tsv").write_text(record_text(durations, 0, "add", 0, **facts))
    runs = load_runs(study)
    page = as_html(runs, judge_all(runs))
    assert "of 20,000 are left out of the drawing" in page and len(page) < 1_000_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, whole: Path) -> Path:
    runs: Runs = load_runs(whole)
    file = tmp_path_factory.mktemp("page") / "study.html"
    file.write_text(as_html(runs, judge_all(runs)))
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_comes_up(browser: Browser, page: Path, width: int, scheme: Scheme) -> None:
    with opened(browser, page, width, scheme) as shown:
        assert not shown.overflows() and shown.complaints == []
        assert shown.text(".counts") == "12 statements: 7 agree, 5 cannot be shown here"
        assert shown.value("document.querySelectorAll('.statements tbody')[0].rows.length") == len(STATEMENTS)
        assert shown.value("document.querySelectorAll('svg[role=img]').length") == 6 * len(KERNELS)
        shown.page.click("#theme")
        assert not shown.overflows()


def test_axis_labels_do_not_touch(browser: Browser, page: Path) -> None:
    script = """[...document.querySelectorAll('.ups, .acrosses')].filter(e => e.offsetParent).some(axis => {
        const boxes = [...axis.children].map(e => e.getBoundingClientRect());
        return boxes.some((a, i) => boxes.some((b, j) =>
            i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
    })"""
    for width in (1280, 390):
        with opened(browser, page, width) as shown:
            assert shown.value(script) is False
