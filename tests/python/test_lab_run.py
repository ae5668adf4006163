"""`cmtnoise lab` runs cells, takes up what was broken off, and goes on where one fails. The guests only play a channel."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import cmtnoise
import pytest
from bare_console import gone
from cmtnoise_domain import lab_asked, profile
from lab_bench import BZIMAGE, PANIC, LabBench, counted, record, sent
from program import PROGRAM
from terminal import Terminal


@pytest.fixture
def lab(tmp_path: Path) -> LabBench:
    return LabBench(tmp_path, "a", "b", "c")


def line_of(out: str, name: str) -> str:
    return next(line for line in out.splitlines() if line.startswith(f"{name} "))


# --- running ----------------------------------------------------------------------------------------------------------


def test_each_cell_is_an_ordinary_run(lab: LabBench) -> None:
    lab.play("b", sent(record(counted(path=2062), irqs=25)))
    code, out, err = lab.lab("./a.toml", "./b.toml+periodic", "-o", "lab")
    assert (code, err) == (0, "")
    for name in ("a", "b+periodic"):
        run = cmtnoise.load(lab.folder / "lab" / name)
        assert run.status == "complete" and run.problems == () and run.info["domain"]["profile"] == name
    assert " -573 (-21.7 %) " in line_of(out, "./b.toml+periodic")
    assert lab.told()["status"] == "complete" and set(lab.states().values()) == {"complete"}
    assert sorted(path.name for path in (lab.folder / "lab").iterdir()) == [".lock", "a", "b+periodic", "lab.json"]


def test_kernels_and_repetitions_reach_the_guest(lab: LabBench) -> None:
    assert lab.lab("./a.toml", "-o", "lab", "-k", "mul,add", "-r", "77")[0] == 0
    run = cmtnoise.load(lab.folder / "lab/a")
    assert run.info["command"][-5:] == ["--", "--kernels", "mul,add", "--reps", "77"]


def test_rounds_are_boots_of_their_own(lab: LabBench) -> None:
    code, out, _ = lab.lab("./a.toml", "./b.toml", "-o", "lab", "--repeat", "3", "-j", "1")
    assert code == 0 and len(lab.machines("a")) == len(lab.machines("b")) == 3
    assert line_of(out, "./a.toml").endswith(" 3 of 3")
    assert list(lab.states()) == ["a", "b", "a.2", "b.2", "a.3", "b.3"]


def test_cells_run_side_by_side_and_no_more_than_asked(lab: LabBench) -> None:
    for name in "abc":
        lab.hang(name)
    process = lab.start("./a.toml", "./b.toml", "./c.toml", "-o", "lab", "-j", "2")
    lab.wait_for("a")
    lab.wait_for("b")
    assert not lab.machines("c") and lab.states() == {"a": "running", "b": "running", "c": "pending"}
    (lab.folder / "a.hangs").unlink()
    lab.wait_for("c")
    for name in "bc":
        (lab.folder / f"{name}.hangs").unlink()
    assert process.wait(60) == 0
    process.communicate()


def test_a_guest_of_several_strands_has_so_many_of_the_host(lab: LabBench) -> None:
    text = (lab.folder / "a.toml").read_text()
    (lab.folder / "a.toml").write_text(text + 'accel = "tcg"\nstrands = 2\n')
    for name in "ab":
        lab.hang(name)
    process = lab.start("./a.toml", "./b.toml", "-o", "lab", "-j", "2")
    lab.wait_for("a")
    time.sleep(0.5)
    assert not lab.machines("b")
    for name in "ab":
        (lab.folder / f"{name}.hangs").unlink()
    assert process.wait(60) == 0
    process.communicate()


def test_what_is_finished_is_not_run_again(lab: LabBench) -> None:
    for _ in range(2):
        assert lab.lab("./a.toml", "./b.toml", "-o", "lab")[0] == 0
    assert len(lab.machines("a")) == len(lab.machines("b")) == 1
    (lab.folder / "lab/b").rename(lab.folder / "taken-away")
    assert lab.lab("./a.toml", "./b.toml", "-o", "lab")[0] == 0
    assert len(lab.machines("a")) == 1 and len(lab.machines("b")) == 2


OTHERS = [
    (["./a.toml"], "its configurations are ./a.toml, ./b.toml"),
    (["./b.toml", "./a.toml"], "its configurations are ./a.toml, ./b.toml"),
    (["./a.toml", "./b.toml", "-r", "5"], "its repetitions is as the profiles say, here it is 5"),
    (["./a.toml", "./b.toml", "--repeat", "2"], "its repeat is 1, here it is 2"),
    (["./a.toml", "./b.toml", "-k", "mul"], "its kernels is as the profiles say, here it is mul"),
]


def test_another_lab_s_folder_is_refused(lab: LabBench) -> None:
    assert lab.lab("./a.toml", "./b.toml", "-o", "lab")[0] == 0
    before = (lab.folder / "lab/lab.json").read_bytes()
    for again, says in OTHERS:
        code, out, err = lab.lab(*again, "-o", "lab")
        assert (code, out) == (1, "") and f"lab holds another lab: {says}" in err and "Name another folder with --output" in err
    path = lab.folder / "a.toml"
    path.write_text(path.read_text().replace("timeout = 60", "timeout = 61"))
    code, _, err = lab.lab("./a.toml", "./b.toml", "-o", "lab")
    assert code == 1 and "./a.toml, or its OS kernel, is another now than when its cells were run" in err
    assert (lab.folder / "lab/lab.json").read_bytes() == before


def test_cells_of_an_os_kernel_that_was_built_anew_are_not_taken_for_its_own(lab: LabBench) -> None:
    assert lab.lab("./a.toml", "-o", "lab")[0] == 0
    (lab.folder / "bzImage").write_bytes(BZIMAGE + b"another build")
    code, _, err = lab.lab("./a.toml", "-o", "lab")
    assert code == 1 and "./a.toml, or its OS kernel, is another now than when its cells were run" in err
    assert len(lab.machines("a")) == 1


def test_what_was_mended_after_a_failure_is_run(lab: LabBench) -> None:
    (lab.folder / "bzImage").rename(lab.folder / "elsewhere")
    assert lab.lab("./a.toml", "-o", "lab")[0] == 1
    (lab.folder / "elsewhere").rename(lab.folder / "bzImage")
    code, _, err = lab.lab("./a.toml", "-o", "lab")
    assert (code, err) == (0, "") and lab.states() == {"a": "complete"}


def test_rounds_and_files_never_share_a_cell_s_folder(lab: LabBench) -> None:
    (lab.folder / "a.2.toml").write_bytes((lab.folder / "a.toml").read_bytes())
    assert lab.lab("./a.toml", "./a.2.toml", "-o", "lab", "--repeat", "2")[0] == 0
    assert list(lab.states()) == ["a", "a_2", "a.2", "a_2.2"] and len(lab.machines("a")) == 4


def test_a_folder_s_name_may_have_a_plus(lab: LabBench) -> None:
    (lab.folder / "c++").mkdir()
    (lab.folder / "c++/a.toml").write_bytes((lab.folder / "a.toml").read_bytes())
    (lab.folder / "c++/bzImage").write_bytes(BZIMAGE)
    assert lab.lab("c++/a.toml+periodic", "./b.toml", "-o", "lab")[0] == 0
    assert list(lab.states()) == ["a+periodic", "b"]


def test_a_folder_of_something_else_is_refused(lab: LabBench) -> None:
    (lab.folder / "lab").mkdir()
    (lab.folder / "lab/thesis.txt").write_text("all of it")
    code, _, err = lab.lab("./a.toml", "-o", "lab")
    assert code == 1 and "lab is there and is no lab" in err and not lab.machines("a")
    assert [path.name for path in (lab.folder / "lab").iterdir()] == ["thesis.txt"]


def test_a_folder_has_one_lab_at_a_time(lab: LabBench) -> None:
    lab.hang("a")
    process = lab.start("./a.toml", "-o", "lab")
    lab.wait_for("a")
    code, _, err = lab.lab("./a.toml", "-o", "lab")
    assert code == 1 and "another cmtnoise lab is at work in lab" in err
    (lab.folder / "a.hangs").unlink()
    assert process.wait(60) == 0
    process.communicate()


def own_kernels(lab: LabBench, *names: str) -> list[str]:
    """OS kernels of the user's own, as options."""
    words = []
    for name in names:
        (lab.folder / name).mkdir()
        (lab.folder / name / "bzImage").write_bytes(BZIMAGE + name.encode())
        words += ["--os-kernel", f"{name}/bzImage"]
    return words


def test_os_kernels_are_held_against_each_other_without_a_profile_for_each(lab: LabBench) -> None:
    (lab.folder / "bzImage").unlink()
    options = own_kernels(lab, "before", "after")
    code, out, err = lab.lab("./a.toml", *options, "-o", "lab", "--fail-if", "instructions>+0")
    assert (code, err) == (0, ""), err
    assert line_of(out, "./a.toml@before/bzImage") and " 0 (+0.0 %) " in line_of(out, "./a.toml@after/bzImage")
    assert list(lab.states()) == ["a-before_bzImage", "a-after_bzImage"] and len(lab.machines("a")) == 2
    run = cmtnoise.load(lab.folder / "lab/a-after_bzImage")
    assert "--os-kernel=after/bzImage" in run.info["command"] and run.info["domain"]["os_kernel"] == "bzImage"
    (lab.folder / "after/bzImage").write_bytes(BZIMAGE + b"another build")
    code, _, err = lab.lab("./a.toml", *options, "-o", "lab")
    assert code == 1 and "./a.toml@after/bzImage, or its OS kernel, is another now" in err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["./a.toml", "--os-kernel", "none"], 1, "--os-kernel none: no such file: name a bootable image such as arch/x86/boot"),
        (["./a.toml", "--os-kernel", "."], 1, "--os-kernel .: is a folder, no file: name a bootable image"),
        (["./a.toml", "--os-kernel", "a.toml"], 1, "a.toml is no bzImage of Linux"),
        (["./a.toml", "--os-kernel", "bzImage", "--os-kernel", "bzImage"], 2, "./a.toml@bzImage stands twice"),
        (["t1-bare", "--os-kernel", "bzImage"], 2, "--os-kernel is for Linux guests, of which none is named"),
        (["./a.toml", "--kernel", "bzImage"], 2, "--os-kernel FILE is what guests boot, --kernels NAMES what they measure"),
    ],
)
def test_an_os_kernel_that_cannot_be_taken_is_told_before_anything_runs(
    lab: LabBench, words: list[str], code: int, says: str
) -> None:
    ended, out, err = lab.lab(*words, "-o", "lab")
    assert (ended, out) == (code, "") and says in err, err
    assert not (lab.folder / "lab").exists()


# --- faults -----------------------------------------------------------------------------------------------------------


def test_a_guest_that_panics_is_told_and_the_others_go_on(lab: LabBench) -> None:
    lab.play("a", b"", PANIC)
    code, out, err = lab.lab("./a.toml", "./b.toml", "-o", "lab", "-j", "1")
    assert code == 1 and line_of(out, "./b.toml")
    assert "./a.toml failed: the guest did not reach its first program" in err
    assert "  Kernel panic - not syncing: VFS: Unable to mount root fs" in err
    assert "1 of 2 cells failed; the same command with --output lab tries them again" in err
    assert lab.states() == {"a": "failed", "b": "complete"}
    assert "Kernel panic" in lab.told()["cells"][0]["reason"]
    assert "note: ./a.toml: the guest did not reach its first program" in out
    lab.play("a")
    assert lab.lab("./a.toml", "./b.toml", "-o", "lab")[0] == 0
    assert lab.told()["status"] == "complete" and len(lab.machines("b")) == 1


def test_what_a_failed_cell_left_is_kept_until_it_succeeds(lab: LabBench) -> None:
    lab.play("a", sent(end="failed the sweep's exit status is 1"), b"cmtnoise: no memory\n")
    code, _, err = lab.lab("./a.toml", "-o", "lab")
    assert code == 1 and "the sweep's exit status is 1" in err and "  cmtnoise: no memory" in err
    assert cmtnoise.load(lab.folder / "lab/a.failed").status == "failed" and not (lab.folder / "lab/a").exists()
    lab.play("a")
    assert lab.lab("./a.toml", "-o", "lab")[0] == 0
    assert not (lab.folder / "lab/a.failed").exists() and (lab.folder / "lab/a").exists()


def test_an_os_kernel_that_is_not_there_fails_its_own_cells(lab: LabBench) -> None:
    path = lab.folder / "a.toml"
    path.write_text(path.read_text().replace("bzImage", "elsewhere"))
    code, out, err = lab.lab("./a.toml", "./b.toml", "-o", "lab", "--repeat", "2")
    assert code == 1 and err.count("elsewhere: no such file") == 1 and line_of(out, "./b.toml")
    assert lab.states() == {"a": "failed", "b": "complete", "a.2": "failed", "b.2": "complete"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["./a.toml", "./none.toml"], "none.toml: no such file"),
        (["./a.toml", "x86-none"], "there is no profile 'x86-none'"),
        (["./a.toml", "./a.toml+hz50"], "there is no tick configuration 'hz50'"),
        (["./a.toml", "./b.toml", "./a.toml"], "./a.toml stands twice: each configuration is named once"),
        (["./a.toml", "a.toml"], "a.toml and ./a.toml would share the folder a: rename one's file"),
        (["./a.toml", "-k", "nosuch"], "--kernels: there is no kernel 'nosuch'; kernels are add"),
        (["./a.toml", "debian"], "debian is a lab: it is named alone"),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_runs(lab: LabBench, words: list[str], says: str) -> None:
    code, out, err = lab.lab(*words, "-o", "lab")
    assert (code, out) == (1 if "no such file" in says else 2, "") and says in err, err
    assert not (lab.folder / "lab").exists() and not lab.machines("a")


def test_without_qemu_nothing_runs(lab: LabBench) -> None:
    lab.qemu.unlink()
    tools = lab.folder / "tools"
    tools.mkdir()
    for program in ("sh", "make", "env", "readlink", "dirname", "mkdir"):
        (tools / program).symlink_to(next(p for p in (Path(f"/usr/bin/{program}"), Path(f"/bin/{program}")) if p.exists()))
    lab.env["PATH"] = f"{lab.folder / 'bin'}:{tools}"
    code, out, err = lab.lab("./a.toml", "./b.toml", "-o", "lab")
    assert (code, out) == (1, "") and err.count("qemu-system-x86_64 is needed") == 1 and "apt-get install qemu-system-x86" in err
    assert set(lab.states().values()) == {"pending"}


def test_a_full_disk_ends_the_lab_and_keeps_what_is_finished(lab: LabBench, small_disk: Path) -> None:
    """The cells' records take 17 KB each; there is room for some of twenty."""
    code, _, err = lab.lab("./a.toml", "./b.toml", "--repeat", "10", "-j", "1", "-o", str(small_disk / "lab"))
    assert code == 1 and "No space left on device" in err
    finished = [path for path in (small_disk / "lab").iterdir() if path.is_dir() and path.suffix not in (".part", ".failed")]
    assert 1 <= len(finished) < 20
    for path in finished:
        assert cmtnoise.load(path).status == "complete"
    json.loads((small_disk / "lab/lab.json").read_text())


# --- signals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "how"), [(signal.SIGINT, "gently"), (signal.SIGTERM, "stubborn"), (signal.SIGHUP, "gently")])
def test_a_lab_that_is_told_to_end_keeps_what_is_finished_and_goes_on(lab: LabBench, number: signal.Signals, how: str) -> None:
    lab.hang("b", how)
    lab.hang("c", how)
    process = lab.start("./a.toml", "./b.toml", "./c.toml", "-o", "lab", "-j", "3")
    machines = [lab.wait_for(name) for name in "bc"]
    wait_for(lab, "a", "complete")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (128 + number, "")
    assert "1 of 3 cells are finished and stay; the same command with --output lab goes on" in err
    assert f"broken off by {number.name}" in err
    assert all(gone(pid, 0.5) for pid in machines)
    assert lab.states() == {"a": "complete", "b": "pending", "c": "pending"} and lab.told()["status"] == "interrupted"
    assert {path.name for path in (lab.folder / "lab").iterdir()} == {".lock", "lab.json", "a"}
    for name in "bc":
        (lab.folder / f"{name}.hangs").unlink()
    assert lab.lab("./a.toml", "./b.toml", "./c.toml", "-o", "lab")[0] == 0
    assert len(lab.machines("a")) == 1


def test_a_lab_that_is_killed_takes_its_machines_with_it_and_goes_on(lab: LabBench) -> None:
    lab.hang("b", "stubborn")
    process = lab.start("./a.toml", "./b.toml", "-o", "lab")
    pid = lab.wait_for("b")
    wait_for(lab, "a", "complete")
    process.kill()
    process.communicate(timeout=60)
    assert gone(pid)
    assert lab.states() == {"a": "complete", "b": "running"}
    (lab.folder / "b.hangs").unlink()
    code, out, _ = lab.lab("./a.toml", "./b.toml", "-o", "lab")
    assert code == 0 and line_of(out, "./b.toml") and len(lab.machines("a")) == 1


def test_ctrl_c_at_a_terminal_and_what_it_shows(lab: LabBench) -> None:
    lab.hang("b")
    terminal = Terminal(lab_command("./a.toml", "./b.toml", "-o", "lab"), lab.folder, lab.env)
    pid = lab.wait_for("b")
    terminal.wait_for(b"[1/2] ./b.toml")
    code, shown = terminal.ctrl_c()
    assert code == 130
    assert b"building what ./a.toml needs" in shown and b"broken off by SIGINT" in shown
    assert gone(pid, 0.5)


def lab_command(*words: str) -> list[str]:
    return [PROGRAM, "lab", *words]


def wait_for(lab: LabBench, cell: str, status: str) -> None:
    until = time.monotonic() + 60
    while not (lab.folder / "lab/lab.json").exists() or lab.states()[cell] != status:
        assert time.monotonic() < until, f"{cell} is not {status}"
        time.sleep(0.02)


# --- lab files --------------------------------------------------------------------------------------------------------


def test_a_lab_file(lab: LabBench) -> None:
    (lab.folder / "sub").mkdir()
    (lab.folder / "sub/mine.toml").write_text(
        'description = "mine"\nconfigurations = ["../a.toml", "../b.toml+periodic"]\nrepetitions = 99\nrepeat = 2\n'
        'rate = 62.5e6\nfail_if = ["instructions>9"]\n'
    )
    code, out, err = lab.lab("sub/mine.toml", "-o", "lab", "--repeat", "1")
    assert code == 1 and err.count("limit broken: instructions>9") == 2 and "6.25e+07 instructions a second" in out
    asked = lab.told()["asked"]
    assert (asked["repetitions"], asked["repeat"], asked["kernels"]) == (99, 1, None)
    assert list(lab.states()) == ["a", "b+periodic"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('configurations = "a"', "configurations is a list of strings"),
        ("configurations = []", "configurations is a list of strings"),
        (
            'configurations = ["a.toml"]\nreps = 4',
            "there is no key 'reps' in a lab; keys are description, configurations, kernels",
        ),
        ('configurations = ["a.toml"]\nrepetitions = 0', "repetitions is a whole number from 1"),
        ('configurations = ["a.toml"]\nrate = -1', "rate is a number of instructions a second"),
        ('configurations = ["a.toml"]\nfail_if = ["noise>4"]', "fail_if: 'noise>4': there is no metric 'noise'"),
    ],
)
def test_a_lab_file_that_is_wrong_is_told(lab: LabBench, line: str, says: str) -> None:
    (lab.folder / "mine.toml").write_text(line + "\n")
    code, _, err = lab.lab("./mine.toml", "-o", "lab")
    assert code == 1 and says in err and not (lab.folder / "lab").exists(), err


@pytest.mark.parametrize("name", lab_asked.names())
def test_the_labs_that_come_along_are_right(name: str) -> None:
    asked = lab_asked.read([name])
    assert set(lab_asked.configurations(asked)) == set(asked.configurations) and len(asked.configurations) > 1
    assert name not in profile.names()


def test_there_is_a_lab_that_comes_along() -> None:
    assert "debian" in lab_asked.names()
