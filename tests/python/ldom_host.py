"""A control domain for the tests of domains/ldom, with an ldm that the test plays (fake_ldm.py)."""

from __future__ import annotations

import copy
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import fake_ldm
from fake_ldm_lists import Machine

TOOL = Path("domains/ldom/ldom.sh").resolve()
STUDY = Path("domains/profiles/study-t1").resolve()


@dataclass
class Host:
    """A control domain: a folder with ldm and who on PATH, the machine behind them, a profile whose disks are there."""

    folder: Path

    def __post_init__(self) -> None:
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "who").write_text(f"#!/bin/sh\ncat {self.folder / 'boot'}\n")
        (tools / "who").chmod(0o755)
        self.ldm = fake_ldm.Ldm(tools, fake_ldm.new_machine())
        for disk in ("solaris", "linux"):
            (self.folder / f"{disk}.img").touch()
        self.profile = self.folder / "study"
        self.profile.write_text(STUDY.read_text().replace("/ldoms/", f"{self.folder}/"))
        self.state = self.folder / "var" / "state"
        self.boot("14:00")

    def boot(self, time: str) -> None:
        (self.folder / "boot").write_text(f"   .        system boot  Nov 21 {time}\n")

    def save(self, machine: Machine) -> None:
        self.ldm.machine = machine

    @property
    def machine(self) -> Machine:
        return copy.deepcopy(self.ldm.machine)

    def change(self, **values: object) -> None:
        self.save({**self.machine, **values})

    def edit(self, old: str, new: str) -> None:
        text = self.profile.read_text()
        assert old in text
        self.profile.write_text(text.replace(old, new))

    def reset(self) -> None:
        machine = self.machine
        fake_ldm.reset(machine)
        self.save(machine)
        self.boot("15:00")

    def run(self, action: str, *options: str, shell: str = "sh") -> subprocess.CompletedProcess[str]:
        state = [] if action == "plan" else ["--state", str(self.state)]
        return subprocess.run(
            [*shell.split(), str(TOOL), action, *state, *options, str(self.profile)],
            env={**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=120,
        )

    def does(self, action: str, *options: str, shell: str = "sh") -> subprocess.CompletedProcess[str]:
        done = self.run(action, *options, shell=shell)
        assert done.returncode == 0, done.stderr
        return done

    def refuses(self, action: str, *options: str, code: int = 1) -> str:
        """What it says when it refuses; the machine is as it was."""
        before = self.machine
        done = self.run(action, *options)
        assert done.returncode == code, (done.stdout, done.stderr)
        assert self.machine == before
        return done.stderr

    def set_up(self) -> None:
        """The control domain is set up and the machine was reset."""
        assert self.run("apply").returncode == 3
        self.reset()

    def pids(self, name: str) -> list[int]:
        pids: list[int] = self.machine["domains"][name]["pids"]
        return pids


def commands(output: str) -> list[str]:
    return [line.replace("'", "") for line in output.splitlines() if line.startswith("ldm ")]
