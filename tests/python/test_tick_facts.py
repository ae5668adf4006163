"""What a run tells of its tick configuration."""

from __future__ import annotations

import json
from pathlib import Path

from cmtnoise.comparison import compare
from cmtnoise.page.facts import TICK_WORDS
from cmtnoise.run import TICK_KEYS, load
from made import write_run
from program import FIRST, succeeds


def test_every_run_tells_the_same_keys(tmp_path: Path) -> None:
    """The program, the page and runs that are made agree on them; results/FORMAT.md names each."""
    succeeds("sweep", "--strands", FIRST, "--kernels", "nop", "--reps", "5", "--causes", "counters", "-o", str(tmp_path / "a"))
    succeeds("synth", "-o", str(tmp_path / "b"))
    for run in "ab":
        assert tuple(json.loads((tmp_path / run / "run.json").read_text())["tick"]) == TICK_KEYS
    assert tuple(TICK_WORDS) == TICK_KEYS
    row = next(line for line in Path("results/FORMAT.md").read_text().splitlines() if line.startswith("| `tick` |"))
    assert all(f"`{key}`" in row for key in TICK_KEYS)


def test_what_an_older_run_did_not_tell_is_no_difference(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", tick={"hz": 250, "mode": "periodic"})
    b = write_run(tmp_path / "b", tick={"hz": 250, "mode": "nohz-idle", "skew_tick": True})
    assert compare(load(a), load(b)).differences == (("tick.mode", "periodic", "nohz-idle"),)
