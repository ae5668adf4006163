"""The page of a lab."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Scheme, chromium, opened
from cmtnoise.lab import load_lab, table_of
from cmtnoise.lab.page import as_html
from lab_bench import cell, counted, record, write_lab
from playwright.sync_api import Browser
from program import succeeds


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    smp = {
        "records": {(0, "add"): record(counted(), irqs=25), (1, "add"): record(counted(path=0), strand=1, irqs=1)},
        "domain": {"accel": "tcg", "icount_shift": None, "qemu": "7.2"},
    }
    made = {
        "x86-debian-cloud": [cell(counted(first=20000))],
        "x86-debian-cloud+periodic+highres-off": [cell(counted(path=2062))],
        "<b>bold</b>": [cell(counted(path=0), irqs=0, tick={"hz": 0, "mode": "none"})],
        "x86-smp": [smp],
        "x86-broken": [{"reason": "the guest </style><script>alert(1)</script> panicked"}],
    }
    names = {name: rounds for name, rounds in made.items() if "<" not in name}
    lab = write_lab(folder / "lab", names | {"bold": made["<b>bold</b>"]})
    info = json.loads((lab / "lab.json").read_text())
    info["cells"][-1]["configuration"] = "<b>bold</b>"
    (lab / "lab.json").write_text(json.dumps(info))
    file = folder / "lab.html"
    file.write_text(as_html(table_of(load_lab(lab))), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_comes_up(browser: Browser, page: Path, width: int, scheme: Scheme) -> None:
    with opened(browser, page, width, scheme) as shown:
        assert shown.complaints == []
        assert not shown.overflows()
        colour = shown.value("getComputedStyle(document.body).backgroundColor")
        assert colour == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 29)")
        assert shown.page.locator(".strip svg").count() == 3
        # 25 ticks: 23 of one length and two beyond the scale; as they came, each is a stem.
        assert shown.page.locator(".strip svg").nth(0).locator("line").count() == 1
        assert shown.page.locator(".course svg").nth(0).locator("line").count() == 25
        assert shown.page.locator(".course svg").nth(0).locator("line.beyond").count() == 2
        assert shown.page.locator(".course svg").nth(1).locator("line").count() == 25  # folded


def test_what_the_page_says(browser: Browser, page: Path) -> None:
    with opened(browser, page) as shown:
        assert shown.text("h1") == "5 tick configurations" and "emulated" in shown.text("header")
        assert "2,635 2 of 25 longer, up to 22,635" in shown.text(".strips")
        assert "no tick" in shown.text(".strips")
        assert "x86-smp, add, strand 1" in shown.text(".bars") and "accel tcg" in shown.text("#counts + p")
        assert "<b>bold</b>" in shown.text("table") and shown.page.locator("table b").count() == 0
        assert "<script>alert(1)</script>" in shown.text(".remarks")
        assert "-573 (-21.7 %)" in shown.text("table")


def test_the_page_is_one_small_file(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text) < 200_000 and "http" not in text.replace("http-equiv", "") and "<script" not in text
    assert "default-src &#39;none&#39;" in text


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    folder = write_lab(tmp_path / "lab", {"cloud": [cell()]})
    succeeds("lab", str(folder), "--page")
    assert "<h1>1 tick configuration</h1>" in (folder / "lab.html").read_text()
    assert "cloud" in (folder / "lab.html").read_text()
