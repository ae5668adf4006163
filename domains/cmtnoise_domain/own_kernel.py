"""An OS kernel of the user's own in the place of the one that a profile names: --os-kernel FILE."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cmtnoise import tick
from cmtnoise.files import why_no_file

from cmtnoise_domain import os_kernel
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.guest import SOURCES, guest_of
from cmtnoise_domain.profile import Profile


def _of_build(name: str) -> bool:
    """Whether a tick configuration is nothing but options of a build."""
    found = tick.load(name)
    return bool(found.config) and not found.parameters and not found.settings


def in_place(profile: Profile, file: Path) -> Profile:
    """The profile with that OS kernel. What the profile asks of a build goes with the OS kernel that is not built: its options,
    and its own tick configurations that are nothing else. Those that follow its name stay."""
    machine = guest_of(profile).machine
    if not file.is_file():
        raise DomainError(
            f"--os-kernel {file}: {why_no_file(file)}: name a bootable image such as arch/x86/boot/bzImage "
            "(the kernels that are measured are those of --kernels)"
        )
    os_kernel.of_file(file, machine.arch)
    values = {key: value for key, value in profile.values.items() if key not in (*SOURCES, "config")}
    if "tick" in values:
        values["tick"] = [name for name in values["tick"] if not _of_build(name)]
    return replace(profile, values=values | {"kernel": str(file.absolute())})
