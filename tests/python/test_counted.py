"""Strands of a guest that QEMU ran without counting instructions: judged by what their OS counted, never by times."""

from __future__ import annotations

import html
import json
from pathlib import Path

import numpy as np
import pytest
from cmtnoise.counted import WHY
from cmtnoise.run import Run, load
from cmtnoise.verdict import verdicts
from made import QUANTUM, record_text, write_run
from program import succeeds


def guest(path: Path, counted: list[int | None], changed: dict[str, object] | None = None, repetitions: int = 5240) -> Run:
    """A run whose times show a tick on each strand, and on which the OS counted so many timer interrupts."""
    facts: dict[str, object] = {"label": "emulated", "domain": {"accel": "tcg"}, "tick": {"hz": 250}}
    write_run(path, len(counted), 1, ("add",), **(facts | (changed or {})))
    durations = np.full(repetitions, QUANTUM)
    durations[::40] += QUANTUM // 50
    for strand, number in enumerate(counted):
        text = record_text(durations, strand, label="emulated", **{"counter.timer_interrupts": f"7 {7 + (number or 0)}"})
        if number is None:
            text = text.replace("# counter.timer_interrupts: 7 7\n", "")
        (path / "records" / f"strand{strand}-add.tsv").write_text(text)
    return load(path)


def test_a_tick_is_told_by_its_count(tmp_path: Path) -> None:
    ticks, stopped = verdicts(guest(tmp_path / "run", [131, 2]))
    assert ticks.words == "131 timer interrupts in 524 ms (250 a second): ticks" and ticks.kind == "ticks"
    assert stopped.words == "2 timer interrupts in 524 ms: the tick is stopped" and stopped.kind == "stopped"
    assert (stopped.timer_interrupts, round(stopped.watched_s, 3), stopped.judged_by) == (2, 0.524, "counts")


def test_times_decide_nothing(tmp_path: Path) -> None:
    """The same times, with a tick in them, on every strand: no fit, no cost, no peaks in the verdict."""
    for verdict in verdicts(guest(tmp_path / "run", [131, 0])):
        assert (verdict.rate_hz, verdict.cost_us, verdict.cost_share, verdict.expected, verdict.found) == (None, None, None, 0, 0)
        assert verdict.placement == "" and "Hz" not in verdict.words and "lost" not in verdict.words


@pytest.mark.parametrize(
    ("counted", "repetitions", "kind", "says"),
    [
        (1, 5240, "stopped", "1 timer interrupt in 524 ms: the tick is stopped"),
        (3, 5240, "stopped", "3 timer interrupts in 524 ms: the tick is stopped"),
        (4, 5240, "ticks", "4 timer interrupts in 524 ms (8 a second): ticks at times"),
        (13, 5240, "ticks", "13 timer interrupts in 524 ms (25 a second): ticks at times"),
        (14, 5240, "ticks", "14 timer interrupts in 524 ms (27 a second): ticks"),
        (2, 200, "untold", "2 timer interrupts in 20 ms (100 a second): too short to tell a tick"),
        (None, 5240, "untold", "the OS counted no timer interrupts: nothing can be told of a tick"),
    ],
)
def test_what_a_count_says(tmp_path: Path, counted: int | None, repetitions: int, kind: str, says: str) -> None:
    (verdict,) = verdicts(guest(tmp_path / "run", [counted], repetitions=repetitions))
    assert verdict.kind == kind and verdict.words == says


def test_a_strand_that_should_have_no_tick_and_has_one_is_told(tmp_path: Path) -> None:
    tick = {"hz": 250, "nohz_full": "0-1"}
    loud, quiet = verdicts(guest(tmp_path / "run", [131, 2], {"tick": tick}))
    assert loud.disagreements == ("strand 0 is in nohz_full yet ticked 250 times a second",) and not quiet.disagreements


QUIET = {"hz": 250, "mode": "nohz-full", "nohz_full": "1", "isolated": "1", "rcu_nocbs": "1", "irq_affinity": "0"}


@pytest.mark.parametrize(
    ("lacking", "says"),
    [
        (
            {"isolated": None, "rcu_nocbs": None},
            "strand 1 in nohz_full lacks what that needs: isolated is not told, not 1; rcu_nocbs is",
        ),
        (
            {"irq_affinity": "0-1"},
            "strand 1 in nohz_full lacks what that needs: irq_affinity is 0-1, not 0. Tick configuration nohz-full",
        ),
        ({"mode": "nohz-idle", "nohz_full": None}, "mode is nohz-idle, not nohz-full; nohz_full is not told, not 1. "),
    ],
)
def test_nohz_full_without_what_it_needs_is_called_out(tmp_path: Path, lacking: dict[str, object], says: str) -> None:
    host = {"name": "made", "os": "linux", "boot_parameters": "quiet nohz_full=1"}
    guest(tmp_path / "run", [131, 2], {"tick": QUIET | lacking, "host": host})
    text = succeeds("report", str(tmp_path / "run"), "--format", "text")
    (line,) = [line for line in text.splitlines() if line.startswith("MISCONFIGURED: ")]
    assert says in line and "isolcpus=managed_irq,domain,1 rcu_nocbs=1 irqaffinity=0" in line
    assert "Misconfigured: strand 1" in (page := page_of(tmp_path / "run")) and "isolcpus=managed_irq,domain,1" in page


def page_of(run: Path) -> str:
    return Path(succeeds("report", str(run), "--format", "html").strip()).read_text()


@pytest.mark.parametrize("tick", [QUIET, {"hz": 250, "mode": "nohz-idle", "nohz_full": None}, {"hz": 250}])
def test_what_is_configured_right_is_not(tmp_path: Path, tick: dict[str, object]) -> None:
    guest(tmp_path / "run", [131, 2], {"tick": tick})
    assert json.loads(succeeds("report", str(tmp_path / "run"), "--format", "json"))["misconfigured"] == []


@pytest.mark.parametrize("changed", [{"domain": {"accel": "icount"}}, {"label": "virtualised"}, {"domain": {}}])
def test_other_runs_are_judged_by_times(tmp_path: Path, changed: dict[str, object]) -> None:
    (verdict,) = verdicts(guest(tmp_path / "run", [131], changed))
    assert verdict.judged_by == "times" and verdict.words.startswith("ticks at 249.9 Hz, 2 µs each")
    assert verdict.timer_interrupts == 131


@pytest.mark.parametrize("form", ["text", "md", "json", "html"])
def test_each_form_says_it_of_every_strand_and_why(tmp_path: Path, form: str) -> None:
    guest(tmp_path / "run", [131, 2])
    out = succeeds("report", str(tmp_path / "run"), "--format", form)
    said = html.unescape((tmp_path / "run/report.html").read_text()) if form == "html" else out
    assert "131 timer interrupts in 524 ms (250 a second): ticks" in said and WHY in said
    assert "2 timer interrupts in 524 ms: the tick is stopped" in said and "the emulator's: noise and peaks there" in said
    if form == "json":
        assert [verdict["timer_interrupts"] for verdict in json.loads(said)["verdicts"]] == [131, 2]
    if form == "html":
        assert "131 timer irqs" in said and "instruction counts, not time" not in said
