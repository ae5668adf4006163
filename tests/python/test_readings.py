"""How many ticks the OS should have counted: those due between two readings of its counters, which lie outside the record."""

from __future__ import annotations

from pathlib import Path

import cmtnoise
import numpy as np
import pytest
from cmtnoise.readings import due_while_counted
from made import HZ, record_text

PERIOD, QUANTUM, COST, REPETITIONS = HZ // 250, HZ // 10000, HZ // 400000, 1003
FIRST_BEGAN, FIRST_ENDED, SECOND_BEGAN, SECOND_ENDED = HZ // 2000, 3 * HZ // 10000, HZ // 10**6, 15 * HZ // 100000
SURE = QUANTUM  # as well as a tick's time is known whose period is a whole number of repetitions


def record(folder: Path, phase: int) -> tuple[cmtnoise.Record, list[int]]:
    """A record in which a tick comes each 4 ms, and all ticks that came near it, in counts from its first stamp."""
    stamps, now, due = [0], 0, phase % PERIOD
    for _ in range(REPETITIONS):
        now += QUANTUM
        while now > due:
            now += COST
            due += PERIOD
        stamps.append(now)
    before, after = f"{FIRST_BEGAN} {FIRST_ENDED}", f"{SECOND_BEGAN} {SECOND_ENDED}"
    text = record_text(np.diff(np.array(stamps)), counters_before_counts=before, counters_after_counts=after)
    (folder / "r.tsv").write_text(text)
    return cmtnoise.read_record(folder / "r.tsv"), list(range(phase % PERIOD - PERIOD, now + PERIOD, PERIOD))


@pytest.mark.parametrize("phase_us", [*range(50, 4000, 130), -10, -290, -310, -490, -510])
def test_every_tick_is_accounted_for_wherever_the_first_one_falls(tmp_path: Path, phase_us: int) -> None:
    made, ticks = record(tmp_path, phase_us * HZ // 10**6)
    (source,) = cmtnoise.analyse(made).sources
    told = due_while_counted(made, source)
    assert told is not None
    end = int(made.duration_counts.sum())
    surely = sum(-FIRST_ENDED + SURE <= tick < end + SECOND_BEGAN - SURE for tick in ticks)
    perhaps = sum(-FIRST_BEGAN - SURE <= tick < end + SECOND_ENDED + SURE for tick in ticks)
    counted = sum(-FIRST_ENDED <= tick < end + SECOND_BEGAN for tick in ticks)
    assert surely <= told[0] <= counted <= told[1] <= perhaps
    assert told[0] >= source.found


def test_without_the_time_of_the_readings_nothing_is_known(tmp_path: Path) -> None:
    made, _ = record(tmp_path, 1000)
    text = made.path.read_text().replace("counters_", "others_")
    made.path.write_text(text)
    old = cmtnoise.read_record(made.path)
    assert due_while_counted(old, cmtnoise.analyse(old).sources[0]) is None
