"""Reading the console of a bare machine: whole, cut, garbled, hostile."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from bare_console import KERNELS, NOISE, announced, record, told, whole
from cmtnoise_domain.collect import Collector
from cmtnoise_domain.console import Console, Reader, Whole
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.run_folder import RunFolder


def read(content: bytes, piece: int = 1 << 30) -> tuple[Console, list[Whole]]:
    reader = Reader("console.txt")
    records: list[Whole] = []
    for at in range(0, len(content), piece):
        records += reader.feed(content[at : at + piece])
    reader.finish()
    return reader.console, records


@pytest.mark.parametrize("piece", [1, 7, 1000, 1 << 30])
def test_a_whole_console_in_pieces_of_any_size(piece: int) -> None:
    console, records = read(whole((0, 5)), piece)
    assert console.end == "" and not console.faults and not console.noise_lines and not console.missing()
    assert [r.step for r in records] == [(s, k) for s in (0, 5) for k in KERNELS] == console.plan()
    assert all(r.content == record(*r.step) for r in records)
    assert console.strands == {0: (0, 0), 5: (1, 0)}
    assert console.skipped == {"vadd": "this CPU has no vis1"}
    assert console.kernels["add"].ops_per_iteration == 256
    assert console.facts["host"] == "made-bare" and console.facts["hypervisor"] == ""


def test_the_plan_together_goes_from_kernel_to_kernel() -> None:
    console, _ = read(told((0, 1), order="together"))
    assert console.plan() == [(0, "add"), (1, "add"), (0, "mul"), (1, "mul")]
    console, _ = read(told((0, 1)))
    assert console.plan() == [(0, "add"), (0, "mul"), (1, "add"), (1, "mul")]
    console, _ = read(told((0, 1)) + b"@begin: 1 add\n@begin: 1 mul\n")
    assert console.plan()[:2] == [(1, "add"), (1, "mul")] and len(console.plan()) == 4


def test_a_cut_at_any_byte_keeps_what_was_whole_before() -> None:
    content = whole()
    ends = [content.index(b"@begin: 0 mul"), content.index(b"@end: ok")]
    for at in range(0, len(content), 37):
        console, records = read(content[:at])
        assert len(records) == sum(at >= end for end in ends), at
        assert all(r.content == record(*r.step) for r in records)
        assert console.end == ("" if at > content.index(b"@end: ok") + len("@end: ok\r") else None), at


def test_a_cut_in_a_record_is_told() -> None:
    content = whole()
    console, records = read(content[: content.index(b"@begin: 0 mul") - 100])
    assert not records
    assert "cut in the record of strand 0 add" in console.faults[0]


@pytest.mark.parametrize(
    "harm",
    [
        lambda body: body.replace(b"10000", b"10010", 1),
        lambda body: body.replace(b"10000", b"1000", 1),
        lambda body: body.replace(b"10000", b"100000", 1),
        lambda body: body[:1000],
        lambda body: body[:1000] + body[1900:],
        lambda body: body[:1000] + b"\0\xff\x1b[2J" + body[1000:],
    ],
)
def test_a_garbled_record_is_left_out_and_the_next_one_read(harm: object) -> None:
    assert callable(harm)
    body = record(0, "add")
    content = told() + announced(0, "add").replace(body, harm(body)) + announced(0, "mul") + b"@end: ok\n"
    console, records = read(content)
    assert [r.step for r in records] == [(0, "mul")]
    assert console.end == "" and "strand 0 add was garbled on the way" in console.faults[0]


def test_a_trap_within_a_record() -> None:
    content = told() + announced(0, "add")[:900] + b"\n@trap: 0 0x34 0x80001234 address not aligned\n@end: failed trapped\n"
    console, records = read(content)
    assert not records and console.end == "trapped"
    trap = console.traps[0]
    assert (trap.strand, trap.type, trap.pc, trap.what) == (0, 0x34, 0x80001234, "address not aligned")


def test_a_failed_record_and_a_failed_thread() -> None:
    said = b"@failed: 0 add no memory for a pointer chase\n@failed: 3 - it did not start\n@end: failed not every record\n"
    console, _ = read(told() + b"@begin: 0 add\n" + said)
    assert console.failures == ["strand 0 add: no memory for a pointer chase", "strand 3: it did not start"]
    assert console.end == "not every record"


def test_another_version_is_refused() -> None:
    with pytest.raises(DomainError, match=r"console.txt:3: console_version is 2; this reader knows 1"):
        read(NOISE + b"@cmtnoise-bare: 2\n")


def test_firmware_that_does_not_end_its_line() -> None:
    console, records = read(b"\x1b[2JLoading..." + told() + announced(0, "add"))
    assert len(records) == 1 and not console.missing()
    console, records = read(b"x" * 200_000 + told() + announced(0, "add"), 1000)
    assert len(records) == 1 and not console.missing()


def test_a_machine_that_begins_anew_is_another_run() -> None:
    console, records = read(told() + announced(0, "add") + whole())
    assert len(records) == 1 and console.end is not None and "anew" in console.faults[0]


@pytest.mark.parametrize(
    "line",
    [
        "@begin: 0 div",
        "@begin: 7 add",
        "@record: 0 add 99999999999999 00000000",
        "@record: 0 ../../x 10 00000000",
        "@record: -1 add 10 00000000",
        "@trap: 0 52 80001234",
        "@trap: 0 0xzz 0x1 x",
        "@strand: 0 0",
        "@thread: 0 add",
        "@kernel: add",
        "@end: perhaps",
        "@failed:",
    ],
)
def test_a_line_that_cannot_be_read_is_a_fault_with_its_line(line: str) -> None:
    before = told()
    console, _ = read(before + line.encode() + b"\n")
    assert console.faults and console.faults[0].startswith(f"console.txt:{before.count(chr(10).encode()) + 1}: @"), console.faults


def test_noise_among_the_lines_is_counted() -> None:
    console, records = read(told() + b"NMI received\n@\n@new_fact: 1\n" + announced(0, "add") + b"9\t9\n")
    assert console.noise_lines == 3 and len(records) == 1 and not console.faults


@pytest.mark.parametrize("key", ["label", "timer_hz", "repetitions", "order", "machine", "tool", "timer"])
def test_a_fact_that_is_missing_is_named(key: str) -> None:
    console, _ = read(told((0,), **{key: None}))
    assert key in console.missing()
    console, _ = read(told((0,), **{key: ""}))
    assert key in console.missing()


def test_facts_that_cannot_be() -> None:
    assert "labels are" in read(told(label="true"))[0].missing()
    assert "rate" in read(told(timer_hz="0"))[0].missing()
    assert "repetitions" in read(told(repetitions="9" * 40))[0].missing()
    assert "thread" in read(told(()))[0].missing()


def collect(content: bytes, folder: Path) -> tuple[RunFolder, int | None]:
    """Through everything, as `cmtnoise domain read` does; None where there was no run to keep."""
    file = folder / "raw"
    file.write_bytes(content)
    reader = Reader("raw")
    run = RunFolder(folder / "run", ["made"], {}, reader.console)
    collector = Collector(reader, run, Progress(True), lambda pc: "")
    try:
        collector.feed(content)
        return run, collector.conclude("the console was cut", file)
    except DomainError:
        return run, None


def test_random_harm_never_leaves_the_folder_nor_a_wrong_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random_of = random.Random(1)
    content = bytearray(whole((0, 1)))
    complete = 0
    for case in range(120):
        harmed = bytearray(content)
        for _ in range(random_of.choice((0, 1, 3, 30))):
            at = random_of.randrange(len(harmed))
            choice = random_of.randrange(3)
            if choice == 0:
                harmed[at] = random_of.randrange(256)
            elif choice == 1:
                del harmed[at : at + random_of.randrange(1, 400)]
            else:
                harmed[at:at] = random_of.randbytes(random_of.randrange(1, 50))
        folder = tmp_path / str(case)
        folder.mkdir()
        run, code = collect(bytes(harmed), folder)
        complete += code == 0
        assert {path.name for path in folder.iterdir()} <= {"raw", "run"}
        for path in folder.glob("run/records/*"):
            strand, kernel = path.stem.removeprefix("strand").split("-")
            assert path.read_bytes() == record(int(strand), kernel), case
        assert code != 0 or len(run.kept) == 4
    capsys.readouterr()
    assert complete >= 20  # what was not harmed, or only outside of what counts


def test_a_megabyte_of_line_ends_takes_no_time() -> None:
    began = time.monotonic()
    assert read(told() + b"\n" * (1 << 20) + b"@end: ok\n", 1 << 20)[0].end == ""
    assert time.monotonic() - began < 20


def test_random_bytes(tmp_path: Path) -> None:
    for case in range(50):
        noise = random.Random(case).randbytes(5000)
        assert read(noise)[1] == []
        assert read(told() + noise + announced(0, "add") + b"@end: ok\n")[0] is not None


def test_records_that_are_no_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that arrived well, and are not what they are announced as."""
    wrong = {
        "other strand": record(1, "add"),
        "other kernel": record(0, "mul"),
        "no record": b"hello\n",
        "cut by who wrote it": record(0, "add")[:-20],
        "other label": record(0, "add").replace(b"# label: emulated", b"# label: measured"),
        "empty": b"",
    }
    for name, body in wrong.items():
        folder = tmp_path / name
        folder.mkdir()
        run, code = collect(told() + announced(0, "add", body) + announced(0, "mul") + b"@end: ok\n", folder)
        assert code == 1 and run.kept == {(0, "mul")}, name
        assert "failed" in (folder / "run/run.json").read_text()
    capsys.readouterr()


def test_a_record_that_comes_twice_or_unplanned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice, unplanned = tmp_path / "twice", tmp_path / "unplanned"
    twice.mkdir()
    unplanned.mkdir()
    _, code = collect(told() + announced(0, "add") * 2 + announced(0, "mul") + b"@end: ok\n", twice)
    assert code == 1 and "second record" in capsys.readouterr().err
    run, code = collect(told() + announced(0, "add") + announced(0, "mul") + announced(2, "add") + b"@end: ok\n", unplanned)
    assert code == 1 and (2, "add") in run.kept
    assert "strand2-add" in (unplanned / "run/run.json").read_text()
