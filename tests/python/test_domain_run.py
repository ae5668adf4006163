"""`cmtnoise domain run` and `read`, on machines that only play a console: whole, cut, trapped, and without end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from bare_console import NOISE, WHOLE, Bench, announced, gone, info_of, records_of, told, whole
from program import cmtnoise

PC = """kind = "bare"
description = "made"
machine = "pc"
strands = 4
topology = { cores = 2, threads = 2 }
memory = "64M"
cpu = "Haswell"
threads = ["0:add+mul"]
icount_shift = 3
"""


def test_a_whole_run(bench: Bench) -> None:
    code, out, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert (code, out, err) == (0, "run\n", "")
    folder = bench.folder / "run"
    info = info_of(folder)
    assert info["status"] == "complete" and info["status_detail"] is None and info["label"] == "emulated"
    assert info["command"] == ["cmtnoise", "domain", "run", "./t1.toml", "-o", "run"]
    assert info["started"] < info["finished"]
    assert info["tool"] == {
        "name": "cmtnoise",
        "version": "0.1.0",
        "commit": "0123456789ab",
        "compiler": "cc 12.2.0",
        "cflags": "-O2 -g",
    }
    assert [step["file"] for step in info["plan"]] == ["records/strand0-add.tsv", "records/strand0-mul.tsv"]
    assert info["host"]["os"] == "bare" and info["host"]["machine"] == "niagara" and info["host"]["hypervisor"] is None
    assert info["tick"]["hz"] == 0 and info["tick"]["mode"] == "none"
    assert info["timer"]["hz"] == 100_000_000 and info["topology"]["source"] == "bare runtime"
    assert info["topology"]["strands"] == [{"strand": 0, "core": 0, "package": 0, "state": "usable"}]
    assert info["kernels"][0]["ops_per_iteration"] == 256
    assert info["skipped"] == [{"kernel": "vadd", "reason": "this CPU has no vis1"}]
    assert info["options"]["kernels"] == "add,mul" and info["options"]["repetitions"] == 200
    assert info["spent"]["measured_ms"] == 40 and info["causes"]["source"] == "counters" and not info["warnings"]
    domain = info["domain"]
    assert domain["profile"] == "t1" and domain["accel"] == "icount" and domain["icount_shift"] == 0
    assert domain["qemu"] == "7.2.99" and domain["threads"] == ["0:add+mul"] and domain["entered"] == "reset"
    assert records_of(folder) == WHOLE
    assert sorted(path.name for path in folder.iterdir()) == ["records", "run.json"]


def test_its_keys_are_those_of_a_sweep(bench: Bench) -> None:
    assert bench.domain("run", "./t1.toml", "-o", "run")[0] == 0
    assert cmtnoise("sweep", "--quiet", "-r", "20", "-k", "nop", "-o", str(bench.folder / "sweep")).returncode == 0
    run, sweep = info_of(bench.folder / "run"), info_of(bench.folder / "sweep")
    assert set(run) == {*sweep, "domain"}
    for group in ("tool", "options", "host", "tick", "timer", "topology", "causes", "spent"):
        assert set(run[group]) == set(sweep[group]), group
    for group in ("plan", "kernels"):
        assert set(run[group][0]) == set(sweep[group][0]), group


def test_the_tools_read_it(bench: Bench) -> None:
    assert bench.domain("run", "./t1.toml", "-o", "run")[0] == 0
    folder = str(bench.folder / "run")
    table = cmtnoise("report", folder, "--format", "text")
    assert table.returncode == 0 and table.stdout.startswith("emulated: made-bare, a made T1, no OS, no tick"), table.stderr
    for command in (("report", "--format", "html"), ("export", "--perfetto")):
        done = cmtnoise(*command, folder)
        assert done.returncode == 0, done.stderr
    assert cmtnoise("compare", folder, "results/reference/zen3-vm").returncode == 0


def test_two_runs_are_the_same(bench: Bench) -> None:
    for name in ("a", "b"):
        assert bench.domain("run", "./t1.toml", "-o", name)[0] == 0
    a, b = (info_of(bench.folder / name) for name in ("a", "b"))
    assert records_of(bench.folder / "a") == records_of(bench.folder / "b")
    assert {key for key in a if a[key] != b[key]} == {"command", "started", "finished"}


def test_folders_that_are_not_named(bench: Bench) -> None:
    folders = [bench.domain("run", "./t1.toml", "--quiet")[1].strip() for _ in range(2)]
    assert len(set(folders)) == 2
    assert all(folder.startswith("results/2") and "-made-bare-emulated" in folder for folder in folders)
    (bench.folder / "there").mkdir()
    code, out, err = bench.domain("run", "./t1.toml", "-o", "there")
    assert code == 1 and not out and "there exists already" in err and not list((bench.folder / "there").iterdir())


def test_the_command_line_of_a_t1(bench: Bench) -> None:
    assert bench.domain("run", "./t1.toml", "-o", "run")[0] == 0
    line = " ".join(bench.machine()[1])
    assert "-M niagara" in line and "-icount shift=0,sleep=off -rtc base=2024-01-01,clock=vm -seed 1" in line
    assert "-display none" in line and "-nodefaults" in line and "-chardev file,id=console,path=/" in line
    command = info_of(bench.folder / "run")["domain"]["qemu_command"]
    assert command[0] == "qemu-system-sparc64" and not any("/tmp" in word or str(bench.folder) in word for word in command)
    assert "loader,file=cmtnoise.elf" in command and "file,id=console,path=console.txt" in command
    assert bench.domain("run", "./t1.toml", "--accel", "tcg", "-o", "run2")[0] == 0
    assert "-icount" not in info_of(bench.folder / "run2")["domain"]["qemu_command"]


def test_the_command_line_of_a_pc(bench: Bench) -> None:
    (bench.folder / "pc.toml").write_text(PC)
    bench.play(whole(machine="pc", isa="x86_64"))
    assert bench.domain("run", "./pc.toml", "-o", "run")[0] == 0
    line = " ".join(bench.machine()[1])
    assert "-M q35 -cpu Haswell -smp 4,sockets=1,cores=2,threads=2 -m 64M -kernel /" in line
    assert "-icount shift=3,sleep=off" in line and "-device isa-debug-exit,iobase=0xf4,iosize=0x04 -no-reboot" in line


def test_folders_with_commas_in_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "a,b c"
    folder.mkdir()
    bench = Bench(folder)
    bench.env["TMPDIR"] = str(folder)
    assert bench.domain("run", "./t1.toml", "-o", "run")[0] == 0
    assert not [path for path in folder.iterdir() if path.name.startswith("cmtnoise-")]  # nothing is left behind


# --- what goes wrong --------------------------------------------------------------------------------------------------------


def test_a_machine_that_ends_early(bench: Bench) -> None:
    content = whole()
    bench.play(content[: content.index(b"@begin: 0 mul") + 900])
    code, out, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert code == 1 and out == "run\n"
    assert "QEMU ended by itself (exit status 33)" in err and "the run is interrupted: 1 of 2 records" in err
    info = info_of(bench.folder / "run")
    assert info["status"] == "interrupted" and "cut in the record of strand 0 mul" in info["status_detail"]
    assert records_of(bench.folder / "run") == {"strand0-add.tsv": WHOLE["strand0-add.tsv"]}
    assert (bench.folder / "run/console.txt").read_bytes() == (bench.folder / "console").read_bytes()
    table = cmtnoise("report", str(bench.folder / "run"), "--format", "text")
    assert table.returncode == 0 and "this run is interrupted" in table.stdout


def test_a_trap(bench: Bench) -> None:
    trap = b"@trap: 0 0x34 0x80001234 memory address not aligned\n@end: failed trapped\n"
    bench.play(told() + announced(0, "add") + b"@begin: 0 mul\n" + trap, "runs")
    code, out, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert code == 1 and out == "run\n"
    assert "trap on strand 0: type 0x34 (memory address not aligned) at pc 0x80001234" in err
    info = info_of(bench.folder / "run")
    assert info["status"] == "failed" and "trap on strand 0" in info["status_detail"]
    assert list(records_of(bench.folder / "run")) == ["strand0-add.tsv"]
    assert gone(bench.machine()[0])


def test_the_function_of_a_trap_is_told(bench: Bench) -> None:
    source, program = bench.folder / "made.c", bench.folder / "made"
    source.write_text("int kernel_made(int a) { return a * 3; }\nint main(void) { return kernel_made(0); }\n")
    subprocess.run(["cc", "-g", "-O0", "-no-pie", "-o", program, source], check=True)
    symbols = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines()
    address = int(next(line.split()[0] for line in symbols if line.endswith(" kernel_made")), 16)
    bench.env["FAKE_MAKE"] = "true"
    makefile = bench.folder / "tree/Makefile"
    makefile.write_text(makefile.read_text() + f"\t@cp {program} build/bare/$(BARE)/cmtnoise.elf\n")
    bench.play(told() + f"@trap: 0 0x10 {address:#x} \n@end: failed trapped\n".encode(), "runs")
    _, _, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert f"type 0x10 at pc {address:#x}, in kernel_made (made.c:1)" in err, err


def test_a_runtime_that_fails(bench: Bench) -> None:
    bench.play(
        told() + b"@begin: 0 add\n@failed: 0 add no memory for it\n" + announced(0, "mul") + b"@end: failed not all\n", "runs"
    )
    code, _, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert code == 1 and "strand 0 add: no memory for it" in err
    assert info_of(bench.folder / "run")["status"] == "failed"
    bench.play(told() + b"@end: failed the timer stands still\n", "runs")
    code, _, err = bench.domain("run", "./t1.toml", "-o", "run2")
    assert code == 1 and "the timer stands still" in err
    bench.play(b"@cmtnoise-bare: 1\n@end: failed there is no clock\n", "runs")
    code, out, err = bench.domain("run", "./t1.toml", "-o", "run3")
    assert code == 1 and not out and "the runtime could not begin: there is no clock" in err
    assert not (bench.folder / "run3").exists()


def test_a_garbled_record_fails_the_run(bench: Bench) -> None:
    bench.play(whole().replace(b"\r\n10000\t", b"\r\n10001\t", 1))
    code, _, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert code == 1 and "strand 0 add was garbled on the way" in err
    assert info_of(bench.folder / "run")["status"] == "failed"
    assert list(records_of(bench.folder / "run")) == ["strand0-mul.tsv"]


def test_a_label_that_cannot_be(bench: Bench) -> None:
    bench.play(whole().replace(b"label: emulated", b"label: measured"), "runs")
    code, out, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert code == 1 and not out and "labels its records measured" in err
    assert gone(bench.machine()[0]) and not (bench.folder / "run").exists()


@pytest.mark.parametrize("end", ["runs", "stubborn"])
def test_a_machine_without_end(bench: Bench, end: str) -> None:
    content = whole()
    bench.play(content[: content.index(b"@end")], end)
    code, out, err = bench.domain("run", "./t1.toml", "--timeout", "3", "-o", "run")
    assert code == 1 and out == "run\n" and "not done after 3 s" in err and "--timeout" in err
    info = info_of(bench.folder / "run")
    assert info["status"] == "interrupted" and len(records_of(bench.folder / "run")) == 2
    assert gone(bench.machine()[0], 0.5)


def test_a_machine_that_says_nothing(bench: Bench) -> None:
    bench.play(NOISE, "runs")
    code, out, err = bench.domain("run", "./t1.toml", "--timeout", "1", "-o", "run")
    assert code == 1 and not out and "did not begin" in err and "no boot device" in err
    bench.play(NOISE, "hangs")
    code, out, err = bench.domain("run", "./t1.toml", "--timeout", "1", "-o", "run")
    assert (
        code == 1
        and "not done after 1 s; it said: KVM internal error; give it more time with --timeout" in err
        and "odd" not in err
    )
    bench.play(b"", "fault")
    code, out, err = bench.domain("run", "./t1.toml", "-o", "run")
    assert code == 1 and not out and "exit status 1); it said: qemu: this cannot be emulated" in err
    assert "its console is empty" in err and not (bench.folder / "run").exists()


def test_the_end_is_the_end_whatever_the_machine_does(bench: Bench) -> None:
    """A T1 has no power-off: it is ended once it has said so, and what it does not heed is ended all the same."""
    bench.play(whole(), "stubborn")
    assert bench.domain("run", "./t1.toml", "-o", "run")[0] == 0
    assert gone(bench.machine()[0], 0.5)


# --- how instructions are run ------------------------------------------------------------------------------------------------


def test_kvm_is_for_pcs(bench: Bench) -> None:
    code, _, err = bench.domain("run", "./t1.toml", "--accel", "kvm", "-o", "run")
    assert code == 2 and "--accel kvm is for x86-64 machines" in err
    assert bench.domain("run", "./t1.toml", "--accel", "auto", "-o", "run")[0] == 0
    assert info_of(bench.folder / "run")["domain"]["accel"] == "icount"


def has_kvm() -> bool:
    return os.access("/dev/kvm", os.R_OK | os.W_OK) and os.uname().machine == "x86_64"


def test_auto_boots_the_image_to_see_whether_kvm_works(bench: Bench) -> None:
    """The device proves nothing: this one is there, and the machine that is played ends with a fault."""
    (bench.folder / "pc.toml").write_text(PC)
    bench.play(NOISE)
    code, _, err = bench.domain("run", "./pc.toml", "--accel", "kvm", "-o", "run")
    assert code == 1 and "KVM does not work here: " in err and "use --accel icount" in err
    if not has_kvm():
        pytest.skip("there is no /dev/kvm that could be tried")
    assert "the bare image did not run: QEMU ended by itself" in err
    assert bench.asked()["REPS"] == "10" and bench.asked()["THREADS"] == "0:add"
    assert "-accel kvm" in " ".join(bench.machine()[1]) and "-cpu host,-arch-capabilities" in " ".join(bench.machine()[1])
    bench.play(whole(label="virtualised", machine="pc").replace(b"# label: emulated", b"# label: virtualised"))
    # Sums are of the records as they were: these count as garbled, which says enough of which way was taken.
    code, _, err = bench.domain("run", "./pc.toml", "--accel", "auto", "-o", "run")
    assert code == 1 and info_of(bench.folder / "run")["domain"]["accel"] == "kvm"


# --- consoles captured elsewhere ------------------------------------------------------------------------------------------------


def test_reading_a_console(bench: Bench) -> None:
    (bench.folder / "serial.log").write_bytes(whole())
    code, out, err = bench.domain("read", "./t1.toml", "serial.log", "-o", "run")
    assert (code, out, err) == (0, "run\n", "")
    info = info_of(bench.folder / "run")
    assert info["status"] == "complete" and info["domain"]["accel"] is None and info["domain"]["qemu_command"] is None
    assert records_of(bench.folder / "run") == WHOLE


def test_reading_what_is_cut_or_none(bench: Bench) -> None:
    (bench.folder / "cut.log").write_bytes(whole()[:-3000])
    code, out, err = bench.domain("read", "./t1.toml", "cut.log", "-o", "cut")
    assert code == 1 and out == "cut\n" and "the console was cut" in err
    assert info_of(bench.folder / "cut")["status"] == "interrupted"
    (bench.folder / "none.log").write_bytes(b"login: \x1b]0;evil\x07\n")
    code, out, err = bench.domain("read", "./t1.toml", "none.log", "-o", "none")
    assert code == 1 and not out and "the runtime did not begin" in err and "\x1b" not in err
    assert not (bench.folder / "none").exists()
    code, _, err = bench.domain("read", "./t1.toml", "missing.log")
    assert code == 1 and "missing.log: no such file" in err
    (bench.folder / "pc.toml").write_text(PC)
    code, _, err = bench.domain("read", "./pc.toml", "cut.log", "-o", "pc")
    assert "this console is of machine niagara, profile pc is of machine pc" in err
