"""What an OS kernel has to have to be a guest's: by the options that it was built with, where those can be read before it boots,
and by what its console said where it came to nothing."""

from __future__ import annotations

import re
from pathlib import Path

from cmtnoise_domain import os_config, os_image
from cmtnoise_domain.collect import say
from cmtnoise_domain.errors import DomainError

_COMMON = {
    "BLK_DEV_INITRD": "an initramfs",
    "RD_GZIP": "an initramfs that is compressed with gzip",
    "BINFMT_ELF": "the programs in it",
    "DEVTMPFS": "/dev",
    "PROC_FS": "/proc",
    "SYSFS": "/sys",
    "TMPFS": "a place for the run",
    "PRINTK": "what the OS kernel says",
    "TTY": "the console",
}
NEEDS = {
    "pc": _COMMON | {"SERIAL_8250": "the channel", "SERIAL_8250_CONSOLE": "the console"},
    "sun4u": _COMMON | {"SERIAL_SUNSU": "the console", "SERIAL_SUNSU_CONSOLE": "the console", "SERIAL_8250_PCI": "the channel"},
}

# What a console says, and what that means.
_SAID = (
    (
        r"Initramfs unpacking failed: ([^\n]*)",
        "the initramfs came damaged, or this OS kernel lacks CONFIG_RD_GZIP, or memory is short",
    ),
    (
        r"Failed to execute /init \(error -8\)",
        "the OS kernel lacks CONFIG_BINFMT_ELF, or is for another instruction set than its programs",
    ),
    (
        r"Unable to mount root fs|Cannot open root device|No root device",
        "the OS kernel found no first program: it lacks CONFIG_BLK_DEV_INITRD or CONFIG_RD_GZIP, or rdinit= names another",
    ),
    (
        r"No working init found|Requested init [^\n]* failed",
        "the OS kernel could not start the first program: it lacks CONFIG_BINFMT_ELF",
    ),
    (r"Attempted to kill init", "the first program ended, which it must not"),
    (r"deadlocked on memory|Out of memory", "the guest has too little memory: set memory in its profile"),
    (r"has no port to send", "the OS kernel lacks CONFIG_SERIAL_8250, or SERIAL_8250_RUNTIME_UARTS is below 2"),
    (r"init: /dev: ", "the OS kernel lacks CONFIG_DEVTMPFS"),
)


def _beside(file: Path) -> list[Path]:
    """Where an OS kernel's options may lie: beside it, by its release, and at the top of the tree that it was built in."""
    named = file.with_name(re.sub(r"^(vmlinu[xz]|bzImage)-", "config-", file.name))
    top = file.resolve().parents[3:4] if file.resolve().parts[-4:-1][:1] == ("arch",) else []
    return [
        *([named] if named != file else []),
        file.with_name("config"),
        file.with_name(".config"),
        *(p / ".config" for p in top),
    ]


def _known(file: Path) -> tuple[str, str]:
    """The lines of the OS kernel's .config and where they are from; both "" where they cannot be found."""
    inside, program = os_image.options(file)
    if inside:
        return inside, "by the options that it carries"
    for place in _beside(file):
        if place.is_file():
            return place.read_text(errors="replace"), f"by {place}"
    if program:
        how = f"without {program}: install the package {program}"
        say(f"{file} is started without a look at the options that it may carry: they cannot be read {how}")
    return "", ""


def check(file: Path, machine: str) -> None:
    """Refuses an OS kernel that was built without what a guest needs, where that can be told before it boots."""
    config, where = _known(file)
    if "CONFIG_" not in config:
        return
    lacking = os_config.broken(dict.fromkeys(NEEDS[machine], "y"), config)
    if lacking:
        words = ", ".join(f"CONFIG_{name} ({NEEDS[machine][name]})" for name in lacking)
        raise DomainError(f"{file} cannot be the OS kernel of a guest: {where}, it was built without {words}; build it with =y")


def hint(said: str, machine: str) -> str:
    """What a console means of a guest that came to nothing, to follow a sentence; "" where it says nothing that is known."""
    for pattern, words in _SAID:
        found = re.search(pattern, said)
        if found:
            return f": {found[0].strip()}: {words}"
    if said.strip():
        return ""
    needed = ", ".join(f"CONFIG_{name}" for name in NEEDS[machine])
    return f". It said nothing: if this OS kernel is your own, it needs {needed}"
