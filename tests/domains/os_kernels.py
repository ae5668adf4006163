"""OS kernels of the tests' guests: what becomes of a test whose own is not to be had."""

from __future__ import annotations

import os
import re

import pytest
from cmtnoise_domain import linux, os_source, profile
from cmtnoise_domain.build import source
from cmtnoise_domain.guest import guest_of

KEPT = source() / "build/domains/os"
OFFLINE, BUILD_ALL = "CMTNOISE_OFFLINE", "CMTNOISE_BUILD_ALL"


def judge_fetch(said: str) -> None:
    """Fails a test of whose guest the launcher said that its OS kernel cannot be fetched: without guests nothing is tested. Where
    that is allowed, the test is skipped."""
    found = re.search("the package [^ ,]+(?=[^.]* cannot be fetched)", said)
    if found is None:
        return
    if os.environ.get(OFFLINE):
        pytest.skip(f"{OFFLINE} is set, and {found[0]} is not kept and cannot be fetched")
    pytest.fail(f"{said}\nWithout network, {OFFLINE}=1 leaves out the tests whose OS kernels are not kept yet", pytrace=False)


def need_kept(name: str) -> None:
    """Skips where the OS kernel would have to be built first, which takes minutes, unless that is wanted."""
    if not os.environ.get(BUILD_ALL) and os_source.find(linux.recipe(guest_of(profile.load(name))), KEPT) is None:
        pytest.skip(f"the OS kernel of {name} is not built yet: {BUILD_ALL}=1 builds it, for some minutes")
