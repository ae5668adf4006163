"""What `make study` runs: each run once, again only what is not whole, and nothing left running when it is broken off."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from cmtnoise.study_runs import ROLES

NAMES = [role.name for role in ROLES if role.emulated]
# Plays cmtnoise: writes what it was asked for to the log, and makes a run folder unless the name is in fail or sleep.
FAKE = """#!/bin/sh
echo "$*" >>"$LOG"
[ "$1" = domain ] || exit 7
case " $SLEEP " in *" $3 "*) sleep 20 & trap "kill $!; echo ended $3 >>\"$LOG\"; exit 143" TERM; mkdir "$6"; wait;; esac
case " $FAIL " in *" $3 "*) exit 1;; esac
mkdir "$6" && printf '{\\n  "status": "complete",\\n}\\n' >"$6/run.json"
"""


class Made:
    """A build folder whose cmtnoise is played, and a folder for the runs."""

    def __init__(self, folder: Path) -> None:
        self.study, self.log = folder / "a study", folder / "log"
        self.build = folder / "build"
        self.build.mkdir()
        (self.build / "cmtnoise").write_text(FAKE)
        (self.build / "cmtnoise").chmod(0o755)

    def start(self, fail: str = "", sleep: str = "") -> subprocess.Popen[str]:
        self.log.write_text("")
        known = {"STUDY": str(self.study), "LOG": str(self.log), "FAIL": fail, "SLEEP": sleep}
        command = ["ci/study.sh", str(self.build)]
        return subprocess.Popen(
            command, env=os.environ | known, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def make(self, fail: str = "") -> tuple[int, str]:
        started = self.start(fail)
        _, told = started.communicate(timeout=60)
        return started.returncode, told

    def asked(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def test_every_run_is_made_by_the_command_that_the_page_tells(made: Made) -> None:
    code, _ = made.make()
    assert code == 7, "it ends as 'cmtnoise study' ends"
    *runs, last = made.asked()
    assert last == f"study {made.study}"
    told = {role.make(made.study).replace("'", "").replace("cmtnoise ", "") for role in ROLES if role.emulated}
    assert {run.replace("--quiet ", "") for run in runs} == told and len(runs) == len(told)


def test_what_is_whole_stays(made: Made) -> None:
    made.make()
    _, told = made.make()
    assert made.asked() == [f"study {made.study}"]
    assert all(f"study: {name}: is there" in told for name in NAMES)


def test_what_is_not_whole_is_made_again_and_nothing_is_lost(made: Made) -> None:
    made.make()
    for text in ("first", "second"):
        run = made.study / "t1-bare"
        (run / "run.json").write_text(f'{{\n  "status": "interrupted",\n  "text": "{text}"\n}}\n')
        _, told = made.make()
        assert len(made.asked()) == 2 and "t1-bare: was not finished" in told
        assert '"complete"' in (run / "run.json").read_text()
        assert text in (made.study / "t1-bare.unfinished/run.json").read_text()


def test_one_that_fails_does_not_stop_the_others(made: Made) -> None:
    code, told = made.make(fail="sparc-linux+hz250 t1-bare")
    assert code == 7 and "sparc-linux+hz250: failed" in told and "t1-bare: failed" in told
    assert sorted(path.name for path in made.study.iterdir()) == sorted(set(NAMES) - {"sparc-linux+hz250", "t1-bare"})


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_broken_off_it_ends_what_it_runs(made: Made, sent: signal.Signals) -> None:
    running = made.start(sleep="sparc-linux+hz250 t1-bare-tick250")
    for _ in range(300):
        if (made.study / "sparc-linux+hz250").exists() and (made.study / "t1-bare-tick250").exists():
            break
        time.sleep(0.05)
    running.send_signal(sent)
    _, told = running.communicate(timeout=15)
    assert running.returncode == 130 and "broken off; the same command takes it up again" in told
    assert {"ended sparc-linux+hz250", "ended t1-bare-tick250"} < set(made.asked())
    assert not any("t1-bare-tick100" in line or "hz100" in line or line.startswith("study") for line in made.asked())
    assert (made.study / "t1-bare/run.json").is_file()
    code, told = made.make()
    assert code == 7 and "t1-bare: is there" in told and len(made.asked()) == 5
