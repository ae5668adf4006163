"""Runs held against each other, and the gate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cmtnoise.comparison import METRICS, Pair, compare, student_95
from cmtnoise.comparison import _effect as effect_of
from cmtnoise.gate import judge, parse_limit
from cmtnoise.record import Record
from cmtnoise.run import Run, RunError, load
from cmtnoise.synth import write
from cmtnoise.synthetic import Bursts, Recipe, Tick, make
from made import write_run
from program import cmtnoise, fails, succeeds


def known(path: Path, cost: float, seed: int = 1, repetitions: int = 4000, strands: int = 2) -> Run:
    """A run whose ticks at 250 Hz cost that share of the quantum: the noise share is cost / 40."""
    write(path, Recipe(repetitions, (Tick(250, cost),), (Bursts(100, 0.01),)), seed, strands)
    return load(path)


def test_a_difference_is_measured_and_shown(tmp_path: Path) -> None:
    comparison = compare(known(tmp_path / "a", 0.04), known(tmp_path / "b", 0.08, seed=9))
    noise, cost, peaks = (comparison.overall(metric) for metric in ("noise", "cost", "peaks"))
    assert noise and cost and peaks
    assert noise.shown and noise.change.low <= 0.1 <= noise.change.high  # 4 % of a quantum more, in one of 40 repetitions
    assert cost.shown and cost.change.value == pytest.approx(4, abs=0.1)
    assert not peaks.shown
    assert [effect.strand for effect in comparison.effects if effect.metric == "noise"] == ["all", "0", "1"]


def test_no_difference_is_said_so(tmp_path: Path) -> None:
    comparison = compare(known(tmp_path / "a", 0.04), known(tmp_path / "b", 0.04, seed=9))
    noise = comparison.overall("noise")
    assert noise and not noise.shown and noise.change.low < 0 < noise.change.high
    assert "no difference that these data can show" in succeeds("compare", str(tmp_path / "a"), str(tmp_path / "b"))


def counting(path: Path, cost: float, **domain: object) -> str:
    known(path, cost, repetitions=1000, strands=1)
    info = json.loads((path / "run.json").read_text())
    info |= {"label": "emulated", "domain": {"accel": "icount", "icount_shift": 0} | domain}
    (path / "run.json").write_text(json.dumps(info))
    return str(path)


def test_where_instructions_were_counted_every_difference_is_real(tmp_path: Path) -> None:
    a, same, b = (counting(tmp_path / name, cost) for name, cost in (("a", 0.04), ("same", 0.04), ("b", 0.0401)))
    said = succeeds("compare", a, b)
    assert "every difference between them is real" in said and "'cmtnoise lab' tells what a tick costs" in said
    assert "time lost to noise: B less A is +" in said and "stretches of a run differ by as much" in said
    assert "can show" not in said and "sweep --repeat" not in said and "as stretches do" in said
    assert "time lost to noise: no difference (0.1" in succeeds("compare", a, same)
    assert json.loads(succeeds("compare", a, b, "--format", "json"))["comparisons"][0]["exact"] is True
    by_host = counting(tmp_path / "by-host", 0.0401, accel="tcg", icount_shift=None)
    said = succeeds("compare", a, by_host)
    assert "every difference between them is real" not in said and "no difference that these data can show" in said


def test_intervals_of_no_difference_seldom_exclude_it(tmp_path: Path) -> None:
    runs = [known(tmp_path / str(seed), 0.04, seed=10 * seed, repetitions=2000, strands=1) for seed in range(1, 25)]
    wrong = sum(bool((effect := compare(a, b).overall("noise")) and effect.shown) for a, b in zip(runs, runs[1:], strict=False))
    assert wrong <= 5


def records(seed: int, repetitions: int, rounds: int) -> tuple[Record, ...]:
    recipe = Recipe(repetitions, (Tick(250, 0.04),), (Bursts(100, 0.01),))
    return tuple(make(recipe, 100 * seed + number)[0] for number in range(rounds))


def test_three_rounds_are_not_taken_for_many() -> None:
    """The same strand measured twice, in three rounds each: a bootstrap that is not widened shows a change in one of five."""
    pairs = [Pair(0, 0, "add", records(2 * n, 300, 3), records(2 * n + 1, 300, 3)) for n in range(60)]
    wrong = sum(bool((effect := effect_of(METRICS["noise"], "0", [pair])) and effect.shown) for pair in pairs)
    assert wrong <= 7  # 5 % are 3


def test_the_quantile_of_student() -> None:
    table = {2: 4.303, 3: 3.182, 4: 2.776, 8: 2.306, 30: 2.042, 1000: 1.962}
    for freedom, quantile in table.items():
        assert student_95(freedom) == pytest.approx(quantile, rel=0.04 if freedom < 4 else 0.005)


def test_records_too_short_for_an_interval_show_nothing(tmp_path: Path) -> None:
    for number, name in enumerate("ab", 1):
        known(tmp_path / name, 0.04 * number, seed=number, repetitions=100, strands=1)
    comparison = compare(load(tmp_path / "a"), load(tmp_path / "b"))
    assert comparison.overall("noise") is None
    assert any("fewer than 449 repetitions" in caveat for caveat in comparison.caveats)
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    assert "nothing is said of them" in succeeds("compare", a, b, "--figure", str(tmp_path / "c.png"))
    assert "cannot be judged" in fails(1, "compare", a, b, "--fail-if", "noise>+10%")


def test_less_than_no_noise_is_none(tmp_path: Path) -> None:
    """The share of a quiet run is 0 give or take: below 0 it would turn the sign of every change."""
    write(tmp_path / "a", Recipe(2000), 3, 1)
    b = known(tmp_path / "b", 0.04, strands=1)
    for seed in range(3, 9):
        record, _ = make(Recipe(2000), seed)
        effect = effect_of(METRICS["noise"], "0", [Pair(0, 0, "add", (record,), b.records)])
        assert effect and effect.a.value >= 0 and effect.shown and (effect.relative is None or effect.relative > 0)


def test_sources_of_different_rates_are_told(tmp_path: Path) -> None:
    write(tmp_path / "b", Recipe(4000, (Tick(100, 0.04),)), 1, 2)
    comparison = compare(known(tmp_path / "a", 0.04), load(tmp_path / "b"))
    assert any("costs are of different sources" in caveat for caveat in comparison.caveats)


def test_rounds_widen_the_interval_by_what_changes_between_them(tmp_path: Path) -> None:
    def in_rounds(path: Path, costs: list[float]) -> Run:
        plan = []
        (path / "records").mkdir(parents=True)
        for number, cost in enumerate(costs, 1):
            known(path / f"round{number}", cost, seed=number, strands=1)
            name = "strand0-add.tsv" if number == 1 else f"strand0-add.{number}.tsv"
            (path / f"round{number}" / "records" / "strand0-add.tsv").rename(path / "records" / name)
            plan.append({"strand": 0, "kernel": "add", "file": f"records/{name}"})
        info = json.loads((path / "round1" / "run.json").read_text()) | {"plan": plan}
        (path / "run.json").write_text(json.dumps(info))
        return load(path)

    a, b = in_rounds(tmp_path / "a", [0.02, 0.04, 0.06, 0.03]), in_rounds(tmp_path / "b", [0.04, 0.05, 0.03, 0.06])
    one = compare(known(tmp_path / "c", 0.04), known(tmp_path / "d", 0.045, seed=5)).overall("noise")
    several = compare(a, b).overall("noise")
    assert one and several
    assert several.change.high - several.change.low > 3 * (one.change.high - one.change.low)
    assert not any("rounds" in caveat for caveat in compare(a, b).caveats)


def test_other_machines_are_matched_by_place(tmp_path: Path) -> None:
    def machine(path: Path, numbers: dict[int, tuple[int, int]]) -> Run:
        places = [{"strand": s, "core": c, "package": p} for s, (p, c) in numbers.items()]
        return load(write_run(path, strands=2, kernels=("add",), topology={"strands": places}))

    a = machine(tmp_path / "a", {0: (0, 0), 1: (0, 1), 2: (0, 0), 3: (0, 1)})
    b = machine(tmp_path / "b", {0: (0, 0), 1: (0, 0), 2: (0, 1), 3: (0, 1)})
    comparison = compare(a, b)
    assert comparison.by_placement
    assert [(pair.strand_a, pair.strand_b) for pair in comparison.pairs] == [(0, 0)]  # strand 1 of A sits where 2 of B does
    assert "strand 1 add is only in" in comparison.unmatched[0]


def test_without_a_topology_strands_are_matched_by_number(tmp_path: Path) -> None:
    """A run of strand 1 alone: it is not taken for the machine's first strand."""
    plan = [{"strand": 1, "kernel": "add", "file": "records/strand1-add.tsv"}]
    a, b = (load(write_run(tmp_path / "a", kernels=("add",))), load(write_run(tmp_path / "b", kernels=("add",), plan=plan)))
    comparison = compare(a, b)
    assert not comparison.by_placement
    assert [(pair.strand_a, pair.strand_b) for pair in comparison.pairs] == [(1, 1)]


def test_what_is_configured_otherwise_is_listed(tmp_path: Path) -> None:
    host = {"name": "made", "os": "linux", "cpu": "A CPU"}
    a = write_run(tmp_path / "a", tick={"hz": 250, "mode": "periodic"}, host={**host, "boot_parameters": "quiet nohz=off"})
    b = write_run(tmp_path / "b", tick={"hz": 1000, "mode": "periodic"}, host={**host, "boot_parameters": "quiet isolcpus=1"})
    found = compare(load(a), load(b)).differences
    assert ("tick.hz", "250", "1000") in found
    assert ("boot parameter", "nohz=off", "") in found and ("boot parameter", "", "isolcpus=1") in found
    assert not any("quiet" in part or "mode" in part for difference in found for part in difference)
    out = succeeds("compare", str(a), str(b), "--format", "md")
    assert "| tick.hz | 250 | 1000 |" in out


def test_runs_with_nothing_in_common_are_refused(tmp_path: Path) -> None:
    a, b = write_run(tmp_path / "a", kernels=("add",)), write_run(tmp_path / "b", kernels=("nop",))
    with pytest.raises(RunError, match="no kernel on any strand in common"):
        compare(load(a), load(b))
    assert "in common" in fails(1, "compare", str(a), str(b))
    empty = write_run(tmp_path / "empty", plan=[])
    assert fails(1, "compare", str(empty), str(empty)).endswith("in common: neither has a record\n")


def test_labels_of_two_kinds_are_told(tmp_path: Path) -> None:
    a, b = write_run(tmp_path / "a"), write_run(tmp_path / "b", label="emulated")
    assert any("not of one kind" in caveat for caveat in compare(load(a), load(b)).caveats)


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("noise>+10%", True),
        ("noise > +50%", True),
        ("noise>+300%", False),
        ("noise<-10%", False),
        ("noise>+0.01", True),
        ("noise>0.15", True),
        ("noise>5", False),
        ("cost>+3", True),
        ("cost>+9", False),
        ("peaks>+5%", False),
        ("noise>-10%", True),
        ("peaks>-10%", True),
        ("noise<+20%", False),
        ("peaks<+20%", True),
    ],
)
def test_limits(tmp_path: Path, text: str, broken: bool) -> None:
    comparison = compare(known(tmp_path / "a", 0.04), known(tmp_path / "b", 0.08, seed=9))
    assert bool(judge(parse_limit(text), comparison)) == broken


@pytest.mark.parametrize("text", ["", "noise", "noise>", "noise>10%", "speed>+1%", "noise>+x%", "noise=+1%", "noise>>+1%"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"limit|metric"):
        parse_limit(text)


def test_the_gate_ends_with_1_and_says_why(tmp_path: Path) -> None:
    known(tmp_path / "a", 0.04)
    known(tmp_path / "b", 0.08, seed=9)
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    assert "limit broken: noise>+10%" in fails(1, "compare", a, b, "--fail-if", "noise>+10%")
    succeeds("compare", b, a, "--fail-if", "noise>+10%")
    refused = cmtnoise("compare", a, b, "--fail-if", "speed>+10%")
    assert refused.returncode == 2 and "there is no metric 'speed'" in refused.stderr


def test_a_gate_that_cannot_be_judged_fails(tmp_path: Path) -> None:
    """A limit on the tick's cost is no pass where no tick was found."""
    for name in "ab":
        write(tmp_path / name, Recipe(1000, (), (Bursts(100, 0.02),)), 1, 1)
    assert "cannot be judged" in fails(1, "compare", str(tmp_path / "a"), str(tmp_path / "b"), "--fail-if", "cost>+10%")


def test_several_runs_json_and_figure(tmp_path: Path) -> None:
    for number, name in enumerate("abc", 1):
        known(tmp_path / name, 0.03 * number, seed=number)
    paths = [str(tmp_path / name) for name in "abc"]
    found = json.loads(succeeds("compare", *paths, "--format", "json", "--figure", str(tmp_path / "c.svg")))
    assert [c["b"]["path"] for c in found["comparisons"]] == paths[1:]
    drawn = (tmp_path / "c.svg").read_text()
    assert "A: a (modelled)" in drawn and "C: c (modelled)" in drawn
    refused = cmtnoise("compare", *paths, "--figure", str(tmp_path / "c.xyz"))
    assert refused.returncode == 2 and "must end in .png" in refused.stderr


def test_short_runs_in_rounds_are_told_of(tmp_path: Path) -> None:
    """Rounds of a run of a second say nothing of what changes in a minute; a modelled run has no such changes."""

    def run(name: str, label: str) -> Run:
        folder = write_run(tmp_path / name, kernels=("add",), strands=1, label=label)
        info = json.loads((folder / "run.json").read_text())
        plan = [{"strand": 0, "kernel": "add", "file": f"records/{number}.tsv"} for number in (1, 2, 3)]
        text = (folder / "records/strand0-add.tsv").read_text()
        for number, step in enumerate(plan, 1):
            (folder / str(step["file"])).write_text(text.replace("# label:", f"# round: {number}\n# label:"))
        (folder / "run.json").write_text(json.dumps(info | {"plan": plan}))
        return load(folder)

    assert any("measured only 0.3 s" in c for c in compare(run("a", "measured"), run("b", "measured")).caveats)
    assert not any("measured only" in c for c in compare(run("c", "modelled"), run("d", "modelled")).caveats)
