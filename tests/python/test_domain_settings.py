"""Settings of a Linux guest's tick configuration: what the guest tells of them, and what becomes of that."""

from __future__ import annotations

import random
from pathlib import Path

import cmtnoise
import pytest
from cmtnoise_domain.settings import in_force, judged
from program import succeeds
from test_domain_linux import PROFILE, Bench, read, sent

STAT_INTERVAL = "/proc/sys/vm/stat_interval"  # the setting of nohz-full
TWO_STRANDS = PROFILE + 'strands = 2\naccel = "tcg"\n'


@pytest.mark.parametrize(
    ("wanted", "reads"),
    [
        ("120", "120"),
        ("-1", "-1"),
        ("0x10", "16"),
        ("always", "[always] madvise never"),
        ("never", "always madvise [never]"),
        ("0", "[off] on"),
        ("1", "Y"),
        ("on", "1"),
        ("N", "0"),
        ("Enabled", "enabled"),
        ("3", "00000003"),
        ("ff", "00000000,000000ff"),
        ("0xff", "FF"),
        ("1-3", "1,2,3"),
        ("0,1,2,5", "0-2,5"),
        ("3", "3 4 1 7"),
    ],
)
def test_a_file_may_read_otherwise_than_it_was_written(wanted: str, reads: str) -> None:
    assert in_force(wanted, reads)


@pytest.mark.parametrize(
    ("wanted", "reads"),
    [
        ("120", "1"),
        ("120", ""),
        ("1", "0"),
        ("1", "N"),
        ("always", "always madvise [never]"),
        ("always", "always madvise never"),
        ("12", "1,2"),
        ("1-3", "1,3"),
        ("10", "16"),
        ("100000", "200000"),
        ("100000-100001", "200000-200001"),
        ("ff", "00000001,000000ff"),
        ("4", "3 4 1 7"),
        ("3", "3 volumes"),
        ("5", "9" * 5000),
        ("1", "[" * 400),
    ],
)
def test_another_value_is_another_value(wanted: str, reads: str) -> None:
    assert not in_force(wanted, reads)


def test_what_took_and_what_did_not_are_told_apart() -> None:
    asked = {"/a": "1", "/b": "2", "/c": "3", "/d": "4", "/e": "5", "/f": "6"}
    told = {1: ("reads", "Y"), 2: ("refused", "Permission denied"), 3: ("unread", "Input/output error"), 4: ("reads", "7")}
    took, wrong = judged(asked, told | {6: ("reads", ""), 9: ("reads", "1")})
    assert took == [{"file": "/a", "value": "1", "reads": "Y"}, {"file": "/c", "value": "3", "reads": None}]
    assert wrong == [
        "setting /b 2: refused: Permission denied",
        "setting /d 4: reads back as 7",
        "setting /e 5: the guest does not say whether it took",
        "setting /f 6: reads back as nothing",
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"@setting: 1 reads 120\n", None),
        (b"@setting: 1 refused Permission denied\n", "refused: Permission denied"),
        (b"@setting: 1 reads 1\x1b[2J\xff\n", "reads back as 1?[2J\N{REPLACEMENT CHARACTER}"),
        (b"", "the guest does not say whether it took"),
    ],
)
def test_a_setting_is_told_in_the_run_and_its_report(tmp_path: Path, line: bytes, says: str | None) -> None:
    bench = Bench(tmp_path)
    (tmp_path / "guest.toml").write_text(TWO_STRANDS)
    bench.play(sent(settings=line))
    done = bench.run(profile="./guest.toml+nohz-full")
    run = cmtnoise.load(tmp_path / "run")
    assert done.returncode == 0 and run.status == "complete"
    warning = f"setting {STAT_INTERVAL} 120: {says}"
    report = succeeds("report", str(tmp_path / "run"), "--format", "text")
    assert [text for text in run.info["warnings"] if text.startswith("setting ")] == ([warning] if says else [])
    assert (f"cmtnoise: {warning}\n" in done.stderr, warning in report) == (bool(says), bool(says))
    took = [] if says else [{"file": STAT_INTERVAL, "value": "120", "reads": "120"}]
    assert run.info["domain"]["settings"] == took


def test_a_guest_without_settings_has_none(tmp_path: Path) -> None:
    assert Bench(tmp_path).run().returncode == 0
    run = cmtnoise.load(tmp_path / "run")
    assert run.info["domain"]["settings"] == [] and run.info["warnings"] == []


@pytest.mark.parametrize(
    "line", [b"@setting: 0 reads 1", b"@setting: 1000 reads 1", b"@setting: 1 took it", b"@setting: 1 reads"]
)
def test_a_line_that_tells_of_no_setting_is_a_fault(line: bytes) -> None:
    channel, files = read(sent(settings=line + b"\n"), 7)
    assert channel.settings == {} and len(files) == 2 and "which is no line of its channel" in channel.faults[0]


def test_nothing_that_is_told_of_a_setting_breaks_its_reader() -> None:
    draw = random.Random(2)
    letters = b"0123456789abcxyYN,-[] \xff"
    for _ in range(300):
        wanted, reads = (bytes(draw.choices(letters, k=draw.randrange(1, 5000 if n else 40))) for n in range(2))
        channel, _ = read(sent(settings=b"@setting: 1 reads " + reads + b"\n@setting: 2 reads 0-3,5\n"), 4096)
        took, wrong = judged({"/a": wanted.decode("latin-1"), "/b": "0,1,2,3,5"}, channel.settings)
        assert (len(took) + len(wrong), took[-1]["file"]) == (2, "/b") and all(len(text) < 600 for text in wrong)
