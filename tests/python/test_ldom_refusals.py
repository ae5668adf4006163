"""domains/ldom: what it refuses, before it changes anything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ldom_host import STUDY, TOOL, Host


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
        ("vcc_ports=5000-5100", "vcc_ports=5100-5000", "the lower one first; got '5100-5000'"),
        ("vcc_ports=5000-5100", "vcc_ports=5000-5100-5200", "the lower one first; got '5000-5100-5200'"),
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
    ("options", "says"),
    [
        ([], "wants one profile"),
        (["apply"], "wants one profile"),
        (["plan", "a", "b"], "wants one profile; got a and b"),
        (["--colour", "a"], "there is no option --colour"),
        (["plan", "a", "--colour"], "there is no option --colour"),
        (["apply", "--ldm", "1.3", "a"], "--ldm is for plan"),
        (["apply", "a", "--ldm", "1.3"], "--ldm is for plan"),
        (["plan", "--ldm"], "--ldm wants a value"),
        (["plan", "a", "--ldm"], "--ldm wants a value"),
        (["frob"], "frob is no command, and there is no such profile"),
        (["frob", str(STUDY)], "frob is no command, and there is no such profile"),
    ],
)
def test_wrong_usage(options: list[str], says: str) -> None:
    done = subprocess.run([TOOL, *options], capture_output=True, text=True)
    assert done.returncode == 2 and f"ldom: {says}" in done.stderr and "usage: ldom.sh" in done.stderr and done.stdout == ""


def test_options_may_come_after_the_profile() -> None:
    plans = [
        subprocess.run([TOOL, "plan", *words], capture_output=True, text=True, check=True).stdout
        for words in (["--ldm", "1.0", STUDY], [STUDY, "--ldm", "1.0"], [STUDY])
    ]
    assert plans[0] == plans[1] and "1.0" in plans[0] and plans[0] != plans[2]


def test_the_script_may_be_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "tool").symlink_to(Path(TOOL).resolve())
    (tmp_path / "ldom").symlink_to("a folder/tool")
    plans = [subprocess.run([program, STUDY], capture_output=True, text=True) for program in (TOOL, tmp_path / "ldom")]
    assert plans[1].returncode == 0, plans[1].stderr
    assert plans[0].stdout == plans[1].stdout


def test_every_key_is_documented() -> None:
    text = Path("docs/ldom.md").read_text()
    keys = [line.split("=")[0] for line in STUDY.read_text().splitlines() if "=" in line and not line.startswith("#")]
    assert not [key for key in keys if f"`{key}`" not in text]
