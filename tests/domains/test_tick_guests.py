"""Tick configurations that Debian's OS kernels take as boot parameters, several in one boot: in force, by what the guest says."""

from __future__ import annotations

from collections.abc import Callable

import cmtnoise
import pytest
from test_linux_guests import check_counted, run_profile

CLOUD, RT = "x86-debian-cloud", "x86-debian-rt"
SHOWN = {  # periodic comes first, so that nohz-idle has something to undo
    f"{CLOUD}+periodic+nohz-idle+preempt-none": {"mode": "nohz-idle", "preemption": "none", "threadirqs": "false"},
    f"{CLOUD}+preempt-voluntary+threadirqs": {"preemption": "voluntary", "threadirqs": "true", "skew_tick": "false"},
    f"{CLOUD}+preempt-full+skew-tick": {"preemption": "full", "threadirqs": "false", "skew_tick": "true"},
    f"{RT}+rt": {"preemption": "rt", "skew_tick": "false"},
}

Boots = Callable[[str], cmtnoise.Run]


@pytest.fixture(scope="module")
def boots(tmp_path_factory: pytest.TempPathFactory) -> Boots:
    """Runs of 1000 repetitions, 25 ticks, each made once."""
    made: dict[str, cmtnoise.Run] = {}

    def boot(name: str) -> cmtnoise.Run:
        if name not in made:
            made[name] = run_profile(tmp_path_factory.mktemp("tick") / "run", name, "--", "--reps", "1000")
        return made[name]

    return boot


def path_of(run: cmtnoise.Run) -> float:
    """Instructions of the usual tick, of which none is missed."""
    analysis = cmtnoise.analyse(run.records[0])
    (tick,) = analysis.sources
    assert tick.found == tick.expected and abs(tick.rate_hz / 250 - 1) < 1e-3
    check_counted(run.records[0], tick)
    return round(1000 * tick.cost_us.value)


@pytest.mark.parametrize("name", SHOWN)
def test_it_is_in_force(boots: Boots, name: str) -> None:
    run = boots(name)
    assert {key: str(run.fact("tick", key)).lower() for key in SHOWN[name]} == SHOWN[name]
    assert run.info["domain"]["tick"] == name.split("+")[1:] and not run.info["warnings"]


def test_none_of_them_changes_the_usual_tick_but_for_the_real_time_kernel(boots: Boots) -> None:
    paths = {name: path_of(boots(name)) for name in SHOWN}
    real_time = paths.pop(f"{RT}+rt")
    assert len(set(paths.values())) == 1 and set(paths.values()) != {real_time}, (paths, real_time)
