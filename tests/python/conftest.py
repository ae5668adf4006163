"""Fixtures that several test modules share."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from bare_console import Bench
from ldom_host import Host
from made_study import write_study


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 160 KB."""
    folder = tmp_path / "small-disk"
    folder.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "small", folder]).returncode:
        pytest.skip("needs the right to mount a tmpfs")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path)
    yield host
    host.ldm.end()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of the study's runs; not to be changed."""
    return write_study(tmp_path_factory.mktemp("whole") / "study")


@pytest.fixture
def study(tmp_path: Path, whole: Path) -> Path:
    """A copy of them."""
    return shutil.copytree(whole, tmp_path / "study")
