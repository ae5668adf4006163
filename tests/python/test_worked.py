"""Whether the tick configurations of a run did what they are for, held against a run without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cmtnoise.comparison import compare
from cmtnoise.run import Run, load
from cmtnoise.worked import Worked, worked
from made_ticks import FULL, FULL_BOOT, changed_info, ticking_run
from program import succeeds

STOPPED: dict[str, Any] = {"tick_hz": (250, 0), "interrupts": (100, 1), "seed": 2}
HALF = {"mode": "nohz-full", "nohz_full": "1"}


def told(a: Run, b: Run) -> dict[str, Worked]:
    return {one.subject: one for one in worked(compare(a, b))}


def test_nohz_full_that_worked(tmp_path: Path) -> None:
    a = ticking_run(tmp_path / "a")
    b = ticking_run(tmp_path / "b", FULL_BOOT, FULL, **STOPPED)
    (one,) = worked(compare(a, b))
    assert (one.subject, one.verdict, one.shortfall) == ("nohz-full on strand 1", "worked", "")
    assert one.words().startswith("nohz-full on strand 1: worked; in force; strand 1: timer interrupts 24")
    assert "(100 in 0.4" in one.effect and one.effect.endswith("(1 in 0.4 s) in B: its tick is stopped")
    assert worked(compare(b, b)) == [] == worked(compare(a, a))
    assert [other.subject for other in worked(compare(b, a))] == ["nohz-idle"]


def test_nohz_full_that_does_not_stop_the_tick(tmp_path: Path) -> None:
    b = ticking_run(tmp_path / "b", FULL_BOOT, FULL, seed=2)
    (one,) = worked(compare(ticking_run(tmp_path / "a"), b))
    assert one.verdict == "did not work" and one.shortfall == ""
    assert one.words().startswith("nohz-full on strand 1: DID NOT WORK; in force;") and one.effect.endswith("it still ticks")


@pytest.mark.parametrize(("interrupts", "verdict"), [(100, "did not work"), (1, "worked in part")])
def test_nohz_full_without_the_isolation_it_needs(tmp_path: Path, interrupts: int, verdict: str) -> None:
    b = ticking_run(tmp_path / "b", "nohz_full=1", HALF, **STOPPED | {"interrupts": (100, interrupts)})
    (one,) = worked(compare(ticking_run(tmp_path / "a"), b))
    assert one.verdict == verdict
    assert one.shortfall == (
        "nohz_full without the isolation that it needs: isolated is not told, not 1; rcu_nocbs is not told, not 1; "
        "irq_affinity is 0-1, not 0; missing boot parameters: isolcpus=managed_irq,domain,1 rcu_nocbs=1 irqaffinity=0"
    )
    assert f"nohz-full on strand 1: {verdict.upper()}; not in force: nohz_full without" in one.words()


def test_parameters_that_the_os_did_not_take(tmp_path: Path) -> None:
    """An OS kernel that was built without."""
    b = ticking_run(tmp_path / "b", FULL_BOOT, {"irq_affinity": "0"}, seed=2)
    (one,) = worked(compare(ticking_run(tmp_path / "a"), b))
    assert one.verdict == "did not work"
    assert one.shortfall.startswith("mode is nohz-idle, not nohz-full; nohz_full is not told, not 1")
    assert "isolation that it needs" not in one.shortfall and "missing boot parameters" not in one.shortfall


def test_what_was_mended_since_a(tmp_path: Path) -> None:
    a = ticking_run(tmp_path / "a", "nohz_full=1", HALF)
    b = ticking_run(tmp_path / "b", FULL_BOOT, FULL, **STOPPED)
    assert told(a, b)["nohz-full on strand 1"].verdict == "worked"


def test_the_rate(tmp_path: Path) -> None:
    a = ticking_run(tmp_path / "a")
    b = ticking_run(tmp_path / "b", tick={"hz": 100}, tick_hz=(100, 100), interrupts=(40, 40), seed=2)
    (one,) = worked(compare(a, b))
    assert (one.subject, one.verdict) == ("hz100", "worked")
    assert one.effect == "ticks: 249.5 Hz found in A, 99.9 Hz found in B, 100 wanted"  # what they cost is in between
    still = ticking_run(tmp_path / "c", tick={"hz": 100}, seed=3)
    assert told(a, still)["hz100"].verdict == "did not work"
    silent = ticking_run(tmp_path / "d", tick={"hz": 100}, tick_hz=(0, 0), interrupts=(0, 0), seed=3)
    assert told(a, silent)["hz100"].verdict == "cannot be told"


@pytest.mark.parametrize(
    ("boot", "tick", "subject"),
    [
        ("highres=off", {"high_resolution": False}, "highres-off"),
        ("nohz=off", {"mode": "periodic"}, "periodic"),
        ("threadirqs", {"threadirqs": True}, "threadirqs"),
        ("skew_tick=1", {"skew_tick": True}, "skew-tick"),
        ("preempt=full", {"preemption": "full"}, "preempt-full"),
        ("quiet", {"preemption": "rt"}, "rt"),
    ],
)
def test_of_the_others_the_cost_of_a_tick_is_told(tmp_path: Path, boot: str, tick: dict[str, Any], subject: str) -> None:
    b = ticking_run(tmp_path / "b", boot, tick, tick_us=7.0, seed=2)
    (one,) = worked(compare(ticking_run(tmp_path / "a"), b))
    assert (one.subject, one.verdict) == (subject, "in force")
    assert one.effect == "a tick costs +2 µs (median 4.999 µs in A, 7 µs in B; 95 %: +2 to +2)"
    assert one.words().startswith(f"{subject}: in force; a tick costs")


def test_a_cost_that_does_not_change(tmp_path: Path) -> None:
    b = ticking_run(tmp_path / "b", "skew_tick=1", {"skew_tick": True}, seed=1)
    (one,) = worked(compare(ticking_run(tmp_path / "a"), b))
    assert one.effect.startswith("what a tick costs shows no difference (")
    quiet = ticking_run(tmp_path / "c", "skew_tick=1", {"skew_tick": True}, tick_hz=(0, 0), interrupts=(0, 0))
    assert "cannot be told: not every record" in told(ticking_run(tmp_path / "d"), quiet)["skew-tick"].effect


def test_a_parameter_that_is_not_obeyed(tmp_path: Path) -> None:
    b = ticking_run(tmp_path / "b", "highres=off", seed=2)
    (one,) = worked(compare(ticking_run(tmp_path / "a"), b))
    assert one.words().startswith("highres-off: DID NOT WORK; not in force: high_resolution is true, not false; ")


def test_what_a_domain_was_asked_for(tmp_path: Path) -> None:
    """A configuration of the OS kernel's build shows in no boot parameter."""
    b = ticking_run(tmp_path / "b", domain={"tick": ["hz100", "nohz-full", 7]}, seed=2)
    (one,) = worked(compare(ticking_run(tmp_path / "a"), b))
    assert one.words().startswith("hz100: DID NOT WORK; not in force: hz is 250, not 100; ")


def test_times_of_an_emulator_without_counting_are_not_used(tmp_path: Path) -> None:
    tcg: dict[str, Any] = {"label": "emulated", "domain": {"accel": "tcg", "tick": []}}
    a = ticking_run(tmp_path / "a", **tcg)
    b = ticking_run(tmp_path / "b", FULL_BOOT + " skew_tick=1", FULL | {"skew_tick": True}, **STOPPED, **tcg)
    found = told(a, b)
    assert found["nohz-full on strand 1"].verdict == "worked"
    assert found["skew-tick"].effect == "what a tick costs cannot be told: times are the emulator's own"


def test_nothing_is_said_of_what_an_older_run_did_not_tell(tmp_path: Path) -> None:
    a = changed_info(ticking_run(tmp_path / "a"), tick={"hz": 250, "mode": "nohz-idle"})
    b = ticking_run(tmp_path / "b", tick={"high_resolution": False, "preemption": "full"}, seed=2)
    assert worked(compare(a, b)) == []
    silent = ticking_run(tmp_path / "d", tick={"preemption": None})
    assert worked(compare(silent, b)) and "preempt-full" not in told(silent, b)
    other = changed_info(b, host=dict(b.info["host"]) | {"os_version": "#2 SMP PREEMPT"})
    assert "preempt-full" in told(silent, other)
    bare = changed_info(ticking_run(tmp_path / "c"), host={"os": "bare"}, tick={"hz": 100, "mode": "periodic (own)"})
    assert worked(compare(a, bare)) == []


def test_strands_that_were_not_measured(tmp_path: Path) -> None:
    a, b = ticking_run(tmp_path / "a"), ticking_run(tmp_path / "b", FULL_BOOT, FULL, **STOPPED)
    (b.path / "records/strand1-add.tsv").unlink()
    (one,) = worked(compare(a, load(b.path)))
    assert (one.verdict, one.effect) == ("cannot be told", "none of these strands was measured in both runs")


def test_all_formats_have_it(tmp_path: Path) -> None:
    ticking_run(tmp_path / "a")
    ticking_run(tmp_path / "b", FULL_BOOT, FULL, **STOPPED)
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    text = succeeds("compare", a, b)
    assert "\ntick configurations that are new in B:\n  nohz-full on strand 1: worked; in force; strand 1: " in text
    assert "- nohz-full on strand 1: worked; in force; " in succeeds("compare", a, b, "--format", "md")
    (one,) = json.loads(succeeds("compare", a, b, "--format", "json"))["comparisons"][0]["tick_configurations"]
    assert (one["subject"], one["verdict"], one["shortfall"]) == ("nohz-full on strand 1", "worked", "")
    assert "new in B" not in succeeds("compare", a, a)
