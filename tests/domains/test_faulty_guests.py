"""Linux guests that come to nothing: what the launcher says of real OS kernels' last words."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from cmtnoise_domain import linux, profile
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import guest_of
from cmtnoise_domain.progress import Progress
from cmtnoise_domain.request import Request
from os_kernels import judge_fetch
from own_profile import with_parameters

PROFILE = "x86-debian-cloud"


def refused(place: Path, parameters: str = "", seconds: float = 200) -> str:
    """What is said of a guest with these boot parameters, of which there is no run."""
    (place / "guest.toml").write_text(with_parameters(PROFILE, parameters))
    request = Request(command=[], output=place / "run", quiet=True, timeout_s=seconds)
    with pytest.raises(DomainError) as caught:
        linux.run(profile.load(str(place / "guest.toml")), request)
    judge_fetch(str(caught.value))
    assert not (place / "run").exists()
    return str(caught.value)


def play(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(linux, "_initramfs", lambda *_: linux._Initramfs(content, ""))


def made() -> bytes:
    """The initramfs that the profile's guest is started with."""
    guest = guest_of(profile.load(PROFILE))
    try:
        kernel = linux._kernel(guest, Progress(True))
    except DomainError as error:
        judge_fetch(str(error))
        raise
    return linux._initramfs(guest, kernel).content


def test_an_os_kernel_that_panics_says_its_last_words(tmp_path: Path) -> None:
    said = refused(tmp_path, "rdinit=/none root=/dev/none")
    assert "the guest did not reach its first program: its OS kernel panicked" in said
    assert "lacks CONFIG_BLK_DEV_INITRD or CONFIG_RD_GZIP, or rdinit= names another" in said
    assert "Kernel panic - not syncing: VFS: Unable to mount root fs" in said.partition("the console ends:")[2]


def test_a_first_program_that_ends_is_told(tmp_path: Path) -> None:
    said = refused(tmp_path, "rdinit=/cmtnoise")
    assert "the first program ended" in said and "Attempted to kill init" in said.partition("the console ends:")[2]


def test_an_os_kernel_that_never_gets_there_is_ended(tmp_path: Path) -> None:
    said = refused(tmp_path, seconds=1)
    assert "the guest did not reach its first program: not done after 1 s; give it more time with --timeout" in said


def test_an_initramfs_that_cannot_be_unpacked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = made()
    play(monkeypatch, whole[: len(whole) // 3] + bytes(1000) + whole[len(whole) // 3 + 1000 :])
    said = refused(tmp_path)
    assert "Initramfs unpacking failed" in said and "the initramfs came damaged" in said


def test_a_file_of_the_initramfs_that_is_not_as_it_was_packed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(gzip.decompress(made()))
    content[content.index(b"--reps\n3000")] = ord("+")
    play(monkeypatch, gzip.compress(bytes(content)))
    said = refused(tmp_path)
    assert "the guest began, and sent no run: the initramfs came damaged: /arguments is not as it was packed" in said
