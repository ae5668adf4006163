"""What the report says would quiet the strands that tick, and of what was asked for and is not in force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cmtnoise import tick
from cmtnoise.quieting import quieting, shortfalls
from cmtnoise.report import as_json, as_markdown, as_text
from cmtnoise.run import Run, load
from cmtnoise.tick import TickError
from cmtnoise.verdict import verdicts
from made import write_run
from made_ticks import FULL, FULL_BOOT, PLACES, changed_info, ticking_run


def names(run: Run) -> list[str]:
    return [one.name for one in quieting(run, verdicts(run))]


def test_what_is_not_in_force_is_named_once_for_all_strands_that_tick(tmp_path: Path) -> None:
    run = ticking_run(tmp_path / "a")
    assert [verdict.kind for verdict in verdicts(run)] == ["ticks", "ticks"]
    found = {one.name: one for one in quieting(run, verdicts(run))}
    assert list(found) == [name for name in tick.names() if tick.load(name).advice]
    full = found["nohz-full"]
    assert full.strands == "1" and full.parameters == FULL_BOOT  # the boot strand keeps the time
    assert full.settings == ("echo 120 > /proc/sys/vm/stat_interval",)
    assert full.config == "CONFIG_NO_HZ_FULL=y CONFIG_CPU_ISOLATION=y"
    assert "mode is nohz-idle, not nohz-full" in full.now and "strand 0 is the boot strand" in full.note
    assert found["skew-tick"].strands == "0-1" and found["hz100"].config.startswith("CONFIG_HZ_100=y CONFIG_HZ_250=n")
    text = as_text(run)
    assert text.count("to quiet strands 0-1, skew-tick: ") == 1 == text.count("to quiet strand 1, nohz-full: ")
    assert f"boot with {FULL_BOOT}; then echo 120" in text and f"boot with {FULL_BOOT}" in as_markdown(run)
    told = json.loads(as_json(run))
    assert [one["name"] for one in told["quieting"]] == list(found) and told["not_in_force"] == []
    assert told["quieting"][2]["parameters"] == FULL_BOOT


@pytest.mark.parametrize(
    ("facts", "gone"),
    [
        ({"skew_tick": True}, "skew-tick"),
        ({"hz": 100}, "hz100"),
        ({"high_resolution": False}, "highres-off"),
        (FULL, "nohz-full"),
        (FULL | {"nohz_full": "1-7", "isolated": "1-7"}, "nohz-full"),
    ],
)
def test_what_is_in_force_is_not_named(tmp_path: Path, facts: dict[str, Any], gone: str) -> None:
    said = names(ticking_run(tmp_path / "a", tick=facts))
    assert gone not in said and len(said) == 3


def test_the_others_are_all_strands_that_do_not_tick(tmp_path: Path) -> None:
    """Of eight strands, of which two are measured."""
    places = [{"strand": strand, "core": strand, "package": 0} for strand in range(8)]
    run = ticking_run(tmp_path / "a", tick_hz=(0, 250), interrupts=(0, 100), topology={"strands": places})
    full = next(one for one in quieting(run, verdicts(run)) if one.name == "nohz-full")
    assert (full.strands, full.note) == ("1", "")
    assert full.parameters.endswith("irqaffinity=0,2-7")


def test_nothing_is_said_where_it_cannot_be_had(tmp_path: Path) -> None:
    run = ticking_run(tmp_path / "one", topology={"strands": PLACES[1:]})  # strand 1 is the whole machine
    assert names(changed_info(run, plan=run.info["plan"][1:])) == ["highres-off", "hz100"]
    assert "nohz-full" not in names(ticking_run(tmp_path / "untold", topology=None))  # the others are not known
    quiet = ticking_run(tmp_path / "quiet", tick_hz=(0, 0), interrupts=(0, 0))
    assert names(quiet) == [] and "to quiet" not in as_text(quiet)
    bare = {"name": "made", "os": "bare", "cpu": "A CPU"}
    assert names(changed_info(ticking_run(tmp_path / "bare"), host=bare)) == []
    boot = ticking_run(tmp_path / "boot", tick_hz=(250, 0), interrupts=(100, 0))
    assert "nohz-full" not in names(boot) and "hz100" in names(boot)


def test_a_strand_that_ticks_alone_has_no_ticks_to_meet(tmp_path: Path) -> None:
    alone = ticking_run(tmp_path / "alone", tick_hz=(250, 0), interrupts=(100, 0))
    assert "skew-tick" not in names(alone)
    places = [{"strand": strand, "core": strand, "package": 0} for strand in range(3)]
    third = ticking_run(tmp_path / "third", tick_hz=(250, 0), interrupts=(100, 0), topology={"strands": places})
    assert "skew-tick" in names(third)  # strand 2 was not measured: it may tick
    full = ticking_run(
        tmp_path / "full", tick=FULL | {"nohz_full": "1-2"}, tick_hz=(250, 0), interrupts=(100, 0), topology={"strands": places}
    )
    assert "skew-tick" not in names(full)


def test_what_was_asked_for_and_is_not_in_force_is_told(tmp_path: Path) -> None:
    run = ticking_run(tmp_path / "a", "quiet threadirqs nohz_full=1", {"mode": "nohz-full", "nohz_full": "1"})
    said = "threadirqs was asked for and is not in force: threadirqs is false, not true"
    assert shortfalls(run) == [said]
    assert said in as_text(run) and json.loads(as_json(run))["not_in_force"] == [said]
    assert as_text(run).count("isolated is not told") == 1  # nohz_full without its isolation is told with the verdicts
    assert shortfalls(ticking_run(tmp_path / "b", f"{FULL_BOOT} threadirqs", FULL | {"threadirqs": True})) == []


def test_what_the_domain_asked_for_is_told_once(tmp_path: Path) -> None:
    """There the run's own warnings have it."""
    run = ticking_run(tmp_path / "a", "threadirqs", domain={"tick": ["threadirqs"]})
    assert shortfalls(run) == []


def test_the_last_of_two_parameters_counts(tmp_path: Path) -> None:
    assert shortfalls(ticking_run(tmp_path / "a", "skew_tick=1 skew_tick=0")) == []
    (said,) = shortfalls(ticking_run(tmp_path / "b", "skew_tick=0 skew_tick=1"))
    assert said == "skew-tick was asked for and is not in force: skew_tick is false, not true"


def test_the_page_has_them_too(tmp_path: Path) -> None:
    from cmtnoise.page import as_html

    page = as_html(ticking_run(tmp_path / "a", "threadirqs"))
    section = page[page.index('<section id="quieting"') :].partition("</section>")[0]
    assert f"boot with {FULL_BOOT}" in section and "What would quiet them" in section
    assert "was asked for and is not in force" in section
    quiet = as_html(ticking_run(tmp_path / "b", tick_hz=(0, 0), interrupts=(0, 0)))
    assert '<section id="quieting"' not in quiet


def test_a_run_says_what_it_will(tmp_path: Path) -> None:
    """A run is untrusted input: values of any type, lists that are none."""
    odd = {"hz": [1], "mode": {"a": 1}, "nohz_full": 5, "isolated": "banana", "skew_tick": "\u0007true", "irq_affinity": "9-"}
    run = ticking_run(tmp_path / "a", "nohz_full= nohz_full=x-y isolcpus", odd)
    assert "nohz-full" in names(run) and "\u0007" not in as_text(run)
    assert as_text(load(write_run(tmp_path / "b", tick={}, domain={"tick": 7}, topology={"strands": PLACES})))
    assert as_text(changed_info(run, tick={}, domain={"tick": [1, None]}))


def test_a_broken_file_is_told_not_fatal_to_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.toml").write_text("description")
    run = ticking_run(tmp_path / "run")
    monkeypatch.setattr(tick, "FOLDERS", (tmp_path,))
    with pytest.raises(TickError, match="broken.toml"):
        names(run)
