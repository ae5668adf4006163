"""domains/ldom: the study's Logical Domains, made and removed by an ldm that the test plays (fake_ldm.py)."""

from __future__ import annotations

import copy
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import fake_ldm
import pytest

TOOL = Path("domains/ldom/ldom.sh").resolve()
STUDY = Path("domains/profiles/study-t1").resolve()
SHELLS = [shell for shell in ("dash", "busybox sh", "posh", "ksh", "mksh", "bash") if shutil.which(shell.split()[0])]
AWKS = [awk for awk in ("mawk", "gawk --posix", "busybox awk", "original-awk") if shutil.which(awk.split()[0])]
GUESTS = ("solaris", "linux", "bare")


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

    def save(self, machine: fake_ldm.Machine) -> None:
        self.ldm.machine = machine

    @property
    def machine(self) -> fake_ldm.Machine:
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


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path)
    yield host
    host.ldm.end()


def commands(output: str) -> list[str]:
    return [line.replace("'", "") for line in output.splitlines() if line.startswith("ldm ")]


def test_the_plan_has_four_domains_and_every_command() -> None:
    done = subprocess.run([TOOL, "plan", "--ldm", "1.3", STUDY], capture_output=True, text=True, check=True)
    for line in ("primary 8 2 3G -, -", "solaris 8 2 4G /ldoms/solaris.img, 5001", "linux 8 2 4G /ldoms/linux.img, 5002"):
        assert line in [" ".join(text.lstrip("# ").split()) for text in done.stdout.splitlines()]
    assert "bare 8 2 4G -, 5003" in [" ".join(text.lstrip("# ").split()) for text in done.stdout.splitlines()]
    listed = commands(done.stdout)
    for name in GUESTS:
        verbs = (f"add-domain {name}", f"add-vcpu 8 {name}", f"add-memory 4G {name}", f"bind-domain {name}", f"start-domain {name}")
        places = [listed.index(f"ldm {verb}") for verb in verbs]
        assert places == sorted(places) and listed.index("ldm add-config study-t1-control") < places[0]
    assert listed.index("ldm set-mau 0 primary") < listed.index("ldm set-vcpu 8 primary")  # cores go with their units
    assert "ldm add-vdisk vdisk0 bare-disk@primary-vds0 bare" not in listed and len(listed) == 7 + 9 + 9 + 7 + 1 + 3 + 1
    assert "'auto-boot?=false'" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("awk", AWKS)
def test_any_awk(host: Host, awk: str) -> None:
    plan = host.does("plan").stdout
    (host.folder / "bin" / "nawk").write_text(f'#!/bin/sh\nexec {awk} "$@"\n')
    (host.folder / "bin" / "nawk").chmod(0o755)
    assert host.does("plan").stdout == plan
    assert "Reset the machine now" in host.run("apply").stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_any_shell(host: Host, shell: str) -> None:
    assert host.does("plan", shell=shell).stdout == host.does("plan").stdout
    assert "Reset the machine now" in host.run("apply", shell=shell).stderr


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell in ("dash", "posh", "busybox sh")])
def test_apply_again_and_teardown(host: Host, shell: str) -> None:
    """The whole way, on a machine as it comes from the factory: the commands that run are those of the plan."""
    plan = commands(host.does("plan").stdout)
    first = host.run("apply", shell=shell)
    assert first.returncode == 3 and "shutdown -y -g0 -i6" in first.stderr
    assert host.machine["configs"] == ["factory-default", "study-t1-control"] and list(host.machine["domains"]) == ["primary"]
    assert "has not been reset" in host.refuses("apply", code=3)
    host.reset()
    second = host.does("apply", shell=shell)
    assert commands(first.stdout) + commands(second.stdout) == [line for line in plan if line != "ldm list -l -p"]
    assert [f"ldm {line}" for line in host.machine["log"]] == commands(first.stdout) + commands(second.stdout)
    assert [host.pids(name) for name in ("primary", *GUESTS)] == [list(range(i, i + 8)) for i in (0, 8, 16, 24)]
    assert {domain["state"] for domain in host.machine["domains"].values()} == {"active"}
    assert host.machine["configs"] == ["factory-default", "study-t1-control", "study-t1"]
    assert (
        "linux: active, 4096 MB, physical strands 16,17,18,19,20,21,22,23 (cores 4,5), console: telnet localhost 5002"
        in second.stderr
    )

    again = host.does("apply", shell=shell)
    assert commands(again.stdout) == [] and "bare is there already, active" in again.stderr
    assert "cores 6,7" in host.does("check", shell=shell).stdout

    host.change(os=["solaris", "linux"], log=[])
    gone = host.does("teardown", shell=shell)
    assert list(host.machine["domains"]) == ["primary"] and not host.state.exists()
    assert not any(host.machine[kind] for kind in ("vcc", "vds", "vsw", "volumes"))
    assert host.machine["configs"] == ["factory-default"] and "set-config factory-default" in gone.stderr
    assert (host.folder / "solaris.img").exists()
    assert "nothing was made" in host.does("teardown", shell=shell).stderr


def test_teardown_takes_nothing_else(host: Host) -> None:
    machine = host.machine
    machine["vcc"]["primary-vcc0"] = "5000-5100"  # was there before
    host.save(machine)
    host.set_up()
    host.does("apply")
    machine = host.machine
    machine["domains"]["other"] = {"state": "inactive", "pids": [], "ncpu": 4, "mem": 1 << 30, "mac": "00:14:4f:00:00:77"}
    machine["volumes"]["other-disk@primary-vds0"] = "/other"
    host.save(machine)
    host.change(os=["solaris", "linux"])
    left = host.run("teardown")  # the disk service has another client now, and stays
    assert left.returncode == 1 and "vds primary-vds0 is left" in left.stderr and "Still there: vds primary-vds0" in left.stderr
    assert list(host.machine["domains"]) == ["primary", "other"]
    assert host.machine["vcc"] == {"primary-vcc0": "5000-5100"} and list(host.machine["volumes"]) == ["other-disk@primary-vds0"]
    host.change(volumes={})
    assert "vds primary-vds0" not in host.does("teardown").stderr and host.machine["vds"] == {}


@pytest.mark.parametrize(
    "fails",
    [
        *("add-vds", "set-memory", "add-config study-t1-control", "add-domain linux", "add-vdsdev", "bind-domain linux"),
        *("start-domain linux", "add-config study-t1"),
    ],
)
def test_ldm_fails_half_way(host: Host, fails: str) -> None:
    """It says what was made and how to undo it; the next apply goes on, and what comes out is the same."""
    host.change(fail=fails)
    done = host.run("apply")
    if done.returncode == 3:
        host.reset()
        done = host.run("apply")
    assert done.returncode == 1 and f"this command failed: ldm {fails}" in done.stderr.replace("'", "")
    assert "run apply again: it goes on from here" in done.stderr
    made = "made so far: vcc primary-vcc0"
    assert made in done.stderr and f"or undo it all: ldom.sh teardown --state {host.state} {host.profile}" in done.stderr
    host.change(fail="")
    done = host.run("apply")
    if done.returncode == 3:
        host.reset()
        done = host.run("apply")
    assert done.returncode == 0, done.stderr
    assert [host.pids(name) for name in ("primary", *GUESTS)] == [list(range(i, i + 8)) for i in (0, 8, 16, 24)]
    assert {(domain["state"], domain["ncpu"]) for domain in host.machine["domains"].values()} == {("active", 8)}
    assert host.machine["configs"] == ["factory-default", "study-t1-control", "study-t1"]


@pytest.mark.parametrize("dies", ["set-memory", "add-domain linux", "bind-domain bare"])
def test_killed_half_way(host: Host, dies: str) -> None:
    """Killed right after a command, before it could note that down: nothing is lost, and a teardown removes it all."""
    host.change(die=dies)
    done = host.run("apply")
    if done.returncode == 3:
        host.reset()
        done = host.run("apply")
    assert done.returncode == -9
    host.change(die="")
    done = host.run("apply")
    if done.returncode == 3:
        host.reset()
        done = host.run("apply")
    assert done.returncode == 0, done.stderr
    assert {(domain["state"], domain["ncpu"]) for domain in host.machine["domains"].values()} == {("active", 8)}
    host.does("teardown", "--force")
    assert list(host.machine["domains"]) == ["primary"] and host.machine["configs"] == ["factory-default"]


def test_interrupted_half_way(host: Host) -> None:
    host.set_up()
    host.change(die="add-domain linux")
    host.ldm.signal = signal.SIGTERM
    done = host.run("apply")
    assert done.returncode == 1 and "ldom: interrupted" in done.stderr and "domain solaris, volume" in done.stderr
    host.change(die="")
    host.does("teardown")
    assert list(host.machine["domains"]) == ["primary"]


def test_a_failed_apply_is_undone(host: Host) -> None:
    host.set_up()
    host.change(fail="bind-domain linux")
    assert host.run("apply").returncode == 1
    assert set(host.machine["domains"]) == {"primary", "solaris", "linux"}
    host.change(fail="")
    host.does("teardown")
    assert list(host.machine["domains"]) == ["primary"] and not host.machine["volumes"] and not host.state.exists()


def test_a_teardown_that_fails_goes_on(host: Host) -> None:
    host.set_up()
    host.does("apply")
    host.change(fail="unbind-domain linux", os=["solaris", "linux"])
    done = host.run("teardown")
    assert done.returncode == 1 and "Still there: vcc primary-vcc0" in done.stderr and "domain solaris" in done.stderr
    assert "domain bare" not in done.stderr.splitlines()[-1]
    host.change(fail="")
    host.does("teardown")
    assert list(host.machine["domains"]) == ["primary"]


def test_a_guest_that_does_not_stop_is_not_forced(host: Host) -> None:
    host.set_up()
    host.does("apply")
    done = host.run("teardown")  # linux is the first with a disk; nothing in it answers
    assert done.returncode == 1 and "domain linux still runs" in done.stderr and "--force" in done.stderr
    assert set(host.machine["domains"]) == {"primary", "solaris", "linux"}
    host.does("teardown", "--force")
    assert list(host.machine["domains"]) == ["primary"]


def test_guests_that_were_stopped_are_started(host: Host) -> None:
    host.set_up()
    host.does("apply")
    machine = host.machine
    machine["domains"]["solaris"]["state"] = "bound"
    machine["domains"]["bare"].update(state="inactive", pids=[])
    host.save(machine)
    again = commands(host.does("apply").stdout)
    assert again == [
        *("ldm bind-domain bare", "ldm start-domain solaris", "ldm start-domain bare"),
        *("ldm remove-config study-t1", "ldm add-config study-t1"),
    ]


def test_domains_of_others_are_refused(host: Host) -> None:
    machine = host.machine
    machine["domains"]["linux"] = {"state": "inactive", "pids": [], "ncpu": 4, "mem": 1 << 30, "mac": "00:14:4f:00:00:99"}
    host.save(machine)
    assert "domain linux is there already, and was not made by this tool" in host.refuses("apply")


def test_another_domain_of_the_same_name_is_left_alone(host: Host) -> None:
    host.set_up()
    host.does("apply")
    machine = host.machine
    machine["domains"]["bare"]["mac"] = "00:14:4f:00:00:99"  # removed by hand, and made anew by somebody
    host.save(machine)
    assert "domain bare is not the one that this tool made" in host.refuses("teardown")
    assert "domain bare is not the one that this tool made" in host.refuses("apply")


@pytest.mark.parametrize(
    ("kind", "value", "says"),
    [
        ("volumes", {"linux-disk@primary-vds0": "/else"}, "volume linux-disk@primary-vds0 is there already, and was not made"),
        ("configs", ["factory-default", "study-t1"], "a configuration study-t1 is kept on the service processor already"),
    ],
)
def test_names_of_others_are_refused(host: Host, kind: str, value: object, says: str) -> None:
    host.change(vds={"primary-vds0": ""}, **{kind: value})
    assert says in host.refuses("apply")


def test_cores_that_are_not_whole_after_binding(host: Host) -> None:
    """ldm of a T1 gives out strands one by one: those that it gave are looked at before anything is started."""
    host.set_up()
    order = [8, 9, 10, 11, 12, 13, 14, 16, 15, *range(17, 32)]
    host.change(order=order)
    done = host.run("apply")
    assert done.returncode == 1
    assert "solaris has 3 of the 4 strands of core 3: 12 (solaris) 13 (solaris) 14 (solaris) 15 (linux)" in done.stderr
    assert "linux has 1 of the 4 strands of core 3" in done.stderr and "None was started" in done.stderr
    assert not any(line.startswith("start-domain") for line in host.machine["log"])
    host.does("teardown")
    assert list(host.machine["domains"]) == ["primary"]


def test_whole_cores_that_are_not_free(host: Host) -> None:
    host.set_up()
    machine = host.machine
    machine["domains"]["other"] = {"state": "active", "pids": [8], "ncpu": 1, "mem": 1 << 20, "mac": "00:14:4f:00:00:99"}
    host.save(machine)
    assert "the domains want 32 strands; the machine has 32, of which other domains hold 1" in host.refuses("apply")
    host.edit("domain=bare\nstrands=8", "domain=bare\nstrands=4")
    machine["domains"]["other"].update(pids=[8, 12], ncpu=2)
    host.save(machine)
    assert "the guests want 5 whole cores, and 4 are free" in host.refuses("apply")


def test_memory_that_does_not_fit(host: Host) -> None:
    host.edit("memory=3G", "memory=4G")
    assert "the domains want 16384 MB of memory; the machine has 16256 MB for domains" in host.refuses("apply")


def test_strands_that_do_not_fit(host: Host) -> None:
    host.edit("domain=bare\nstrands=8", "domain=bare\nstrands=12")
    assert "the domains want 36 strands; the machine has 32" in host.refuses("apply")


def test_a_disk_that_is_not_there(host: Host) -> None:
    (host.folder / "linux.img").unlink()
    assert f"'mkfile 16g {host.folder}/linux.img'" in host.refuses("apply")


def test_a_reset_that_brought_something_else(host: Host) -> None:
    assert host.run("apply").returncode == 3
    host.change(pending=None)
    host.boot("15:00")
    assert "was another configuration started" in host.refuses("apply")
    assert host.run("apply").returncode == 3  # and sets it again


def test_a_control_domain_that_is_right_already(host: Host) -> None:
    machine = host.machine
    machine["domains"]["primary"].update(ncpu=8, pids=list(range(8)), mem=3 << 30)
    host.save(machine)
    done = host.does("apply")
    assert "primary has 8 strands and 3G already" in done.stderr and "study-t1-control" not in done.stdout


@pytest.mark.parametrize(
    ("version", "first"), [("2.0", "add-vcpu -c 1 solaris"), ("2.2", "add-core 1 solaris"), ("3.1", "add-core 1 solaris")]
)
def test_later_machines_are_given_cores(host: Host, version: str, first: str) -> None:
    host.save(fake_ldm.new_machine(version, 32, 8))
    host.edit("strands_per_core=4", "strands_per_core=8")
    host.set_up()
    assert host.machine["log"][3] == "start-reconf primary" and host.machine["log"][4] == "set-crypto 0 primary"
    host.does("apply")
    assert first in host.machine["log"] and host.pids("bare") == list(range(24, 32))


@pytest.mark.parametrize(
    ("version", "says"),
    [
        ("0.9", "none that is known"),
        ("4.0", "none that is known"),
        ("3.1", "manages no UltraSPARC T1"),
        ("", "does not tell a version"),
    ],
)
def test_wrong_versions(host: Host, version: str, says: str) -> None:
    host.change(version=version)
    assert says in host.refuses("apply")


def test_a_profile_without_blanks_in_its_commands(host: Host) -> None:
    """A state file and a profile may lie in folders with blanks; what goes into ldm's commands may not have any."""
    host.state = host.folder / "a folder" / "state"
    assert host.run("apply").returncode == 3 and host.state.exists()


def test_without_ldm_only_the_plan(host: Host) -> None:
    (host.folder / "bin" / "ldm").unlink()
    assert "ldm set-vcpu 8 primary" in host.does("plan").stdout
    assert "there is no ldm here" in host.refuses("apply")


def test_a_state_file_that_cannot_be_written(host: Host) -> None:
    (host.folder / "var").write_text("a file")
    done = host.run("apply")
    assert done.returncode == 1 and "--state" in done.stderr and host.machine["log"] == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("domain=linux\nstrands=8", "domain=linux\nstrands=6", "6 strands are no whole cores, a core has 4"),
        ("domain=linux\nstrands=8", "domain=linux\nstrands=three", "strands wants a number; got 'three'"),
        ("domain=linux\nstrands=8", "domain=linux", "domain 'linux' wants strands= and memory="),
        ("domain=linux\nstrands=8", "domain=linux\nstrands=8\nstrands=8", "strands of domain 'linux' is there already"),
        ("domain=linux", "domain=solaris", "there is a domain 'solaris' already, on line"),
        ("domain=linux", "domain=li nux", "domain wants a name"),
        ("domain=linux", "domain=$(reboot)", "domain wants a name"),
        ("domain=primary", "domain=first", "the first domain is primary"),
        ("memory=3G", "memory=3", "memory wants a size such as 4G or 3584M; got '3'"),
        ("memory=3G", "memory=3G\ndisk=/a", "disk is no key of the domain primary"),
        ("console=5002", "console=5001", "console 5001 is that of domain 'solaris'"),
        ("console=5002", "console=4999", "console 4999 is not one of vcc_ports, 5000-5100"),
        ("console=5002", "colour=red", "there is no key 'colour'"),
        ("console=5002", "console", "wants a line such as strands=8; got 'console'"),
        ("console=5002", "crypto=1", "crypto is a key of the domain primary alone"),
        ("console=5002", "vds=other", "vds is about all domains"),
        ("linux.img", "solaris.img", "solaris.img is that of domain 'solaris'"),
        ("/linux.img", "/li;nux.img", "disk wants the absolute path"),
        ("vds=primary-vds0 ", "vdss=x ", "there is no key 'vdss'"),
        ("name=study-t1", "strands=8", "strands is about one domain"),
        ("name=study-t1", "vds=a", "vds is there already"),
        ("vcc_ports=5000-5100", "vcc_ports=all", "vcc_ports wants a range"),
    ],
)
def test_faults_of_a_profile(host: Host, old: str, new: str, says: str) -> None:
    text = host.profile.read_text()
    start = text[: text.index(old)].count("\n") + 1
    host.edit(old, new)
    fault = next(line for line in host.refuses("plan").splitlines() if says in line)
    number = int(fault[len(f"{host.profile}:") :].split(":")[0])
    at = host.profile.read_text().splitlines()[number - 1]
    assert start <= number <= start + new.count("\n") or at.startswith("vds=primary-vds0")


def test_missing_settings_and_profiles(host: Host) -> None:
    host.edit("vsw=primary-vsw0", "#")
    assert f"{host.profile}:" in host.refuses("apply") and "a line vsw=... is missing" in host.refuses("apply")
    host.profile = host.folder / "missing"
    assert "there is no such profile" in host.refuses("plan")


def test_profiles_with_dos_line_ends(host: Host) -> None:
    plan = host.does("plan").stdout
    host.profile.write_bytes(host.profile.read_bytes().replace(b"\n", b"\r\n"))
    assert host.does("plan").stdout == plan


@pytest.mark.parametrize(
    "options", [[], ["apply"], ["plan", "a", "b"], ["--colour", "a"], ["apply", "--ldm", "1.3", "a"], ["plan", "--ldm"]]
)
def test_wrong_usage(options: list[str]) -> None:
    done = subprocess.run([TOOL, *options], capture_output=True, text=True)
    assert done.returncode == 2 and "usage: ldom.sh" in done.stderr


def test_every_key_is_documented() -> None:
    text = Path("docs/ldom.md").read_text()
    keys = [line.split("=")[0] for line in STUDY.read_text().splitlines() if "=" in line and not line.startswith("#")]
    assert not [key for key in keys if f"`{key}`" not in text]
