"""Tick configurations, the files of domains/tick."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cmtnoise import tick
from cmtnoise.strands import strand_set, strand_words
from cmtnoise.tick import Tick, TickError

NAMES = (
    "hz100 hz250 hz1000 periodic nohz-idle nohz-full highres-off preempt-none preempt-voluntary preempt-full rt threadirqs "
    "skew-tick"
)
IN_FORCE: dict[str, Any] = {"mode": "nohz-full", "nohz_full": "1", "isolated": "1-3", "rcu_nocbs": "1", "irq_affinity": "0"}


@pytest.mark.parametrize("name", NAMES.split())
def test_each_tick_configuration_is_a_file(name: str) -> None:
    found = tick.load(name)
    assert found.name == name and found.description and found.expect


def test_strands_are_filled_in() -> None:
    found = tick.load("nohz-full")
    assert found.of_strands and not tick.load("periodic").of_strands
    parameters = ("nohz_full=1-3", "isolcpus=managed_irq,domain,1-3", "rcu_nocbs=1-3", "irqaffinity=0")
    assert found.filled("1-3", "0").parameters == parameters


@pytest.mark.parametrize(
    "facts, unmet",
    [
        ({}, []),
        ({"isolated": None}, ["isolated is not told, not 1"]),
        ({"irq_affinity": "0-1", "mode": "nohz-idle"}, ["mode is nohz-idle, not nohz-full", "irq_affinity is 0-1, not 0"]),
    ],
)
def test_what_is_not_in_force_is_told(facts: dict[str, Any], unmet: list[str]) -> None:
    assert tick.load("nohz-full").filled("1", "0").unmet(IN_FORCE | facts) == unmet


def test_truths_are_compared_as_json_has_them() -> None:
    assert tick.load("highres-off").unmet({"high_resolution": False}) == []
    assert tick.load("highres-off").unmet({"high_resolution": True}) == ["high_resolution is true, not false"]
    assert tick.load("hz100").unmet({"hz": 100}) == []


def test_of_two_that_set_the_same_the_later_wins() -> None:
    both = tick.merged([tick.load("hz250"), tick.load("threadirqs"), tick.load("hz100")])
    assert both.name == "hz250+threadirqs+hz100" and both.parameters == ("threadirqs",)
    assert {key for key, value in both.config.items() if value == "y"} == {"HZ_100", "IRQ_FORCED_THREADING"}
    assert both.expect == {"hz": "100", "threadirqs": "true"}


@pytest.mark.parametrize(
    "text, says",
    [
        ('description = "x"', "at least one of"),
        ('config = "A=y"', "has a description"),
        ('description = "x"\nconfig = "A"', "'A' is no NAME=VALUE"),
        ('description = "x"\nconfigs = "A=y"', "configs: keys are description"),
        ('description = "x"\nconfig = 3', "config: keys are"),
        ("description", "is no TOML"),
    ],
)
def test_a_file_that_is_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str) -> None:
    (tmp_path / "broken-one.toml").write_text(text)
    monkeypatch.setattr(tick, "FOLDERS", (tmp_path,))
    with pytest.raises(TickError, match=f"broken-one.toml: .*{says}"):
        tick.load("broken-one")


def test_a_new_one_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "added-today.toml").write_text('description = "x"\nsettings = "/proc/sys/kernel/timer_migration=0"')
    monkeypatch.setattr(tick, "FOLDERS", (tmp_path,))
    assert tick.names() == ["added-today"]
    assert tick.load("added-today") == Tick("added-today", "x", settings={"/proc/sys/kernel/timer_migration": "0"})


@pytest.mark.parametrize("name", ["none-such", "../tick", "", "hz100 ", "HZ100"])
def test_a_name_that_there_is_none_of_is_told(name: str) -> None:
    with pytest.raises(TickError, match="there is no tick configuration .*hz100"):
        tick.load(name)


@pytest.mark.parametrize("words", ["", "0", "0-3", "1,3-5,9"])
def test_lists_of_strands_are_read_as_they_are_written(words: str) -> None:
    assert strand_words(strand_set(words)) == words
