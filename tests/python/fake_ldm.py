"""An ldm that plays a machine, for the tests of domains/ldom.

No Logical Domains run here. What it prints follows the manuals: ``ldm list -l -p`` is as in example 9-17 of the Logical Domains
1.2 Administration Guide (820-7253), ``ldm list-devices -a -p`` as in "List Power-Managed CPUs" of the 1.3 guide (821-0406),
``ldm -V`` and ``ldm list-config`` as in their examples, the core of a strand (cid) as Oracle VM Server for SPARC 3 has it. What
ldm says when it refuses was not looked up: it is only played that it refuses.

``ldm`` on PATH is a few lines of shell that hand their arguments to a thread of the test: a program in Python would take most of
the tests' time to start.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fake_ldm_lists import SYSTEM, Machine, devices, domains, free_strands

GB = 1 << 30


def new_machine(version: str = "1.2", strands: int = 32, core: int = 4, memory: int = 16 * GB) -> Machine:
    primary = {
        "state": "active",
        "pids": list(range(strands)),
        "ncpu": strands,
        "mem": memory - SYSTEM,
        "mac": "00:14:4f:00:00:01",
    }
    return {
        "version": version,
        "strands": strands,
        "core": core,
        "memory": memory,
        "order": list(range(strands)),  # in which free strands are given out
        "domains": {"primary": primary},
        "vcc": {},
        "vds": {},
        "vsw": {},
        "volumes": {},
        "configs": ["factory-default"],
        "pending": None,  # what primary is to be after the next reset
        "fail": "",  # a command that begins so fails
        "die": "",  # ldom.sh gets a signal right after such a command
        "os": [],  # domains in which something runs that shuts down when asked
        "log": [],
        "made": 1,
    }


def reset(machine: Machine) -> None:
    """The machine is reset: primary becomes what it was set to."""
    if machine["pending"]:
        primary = machine["domains"]["primary"]
        primary.update(machine["pending"])
        primary["pids"] = list(range(primary["ncpu"]))
        machine["pending"] = None


class Refused(Exception):
    pass


def _need(holds: object, text: str) -> None:
    if not holds:
        raise Refused(text)


def _size(text: str) -> int:
    return int(text[:-1]) * (GB if text[-1] in "Gg" else 1 << 20)


def _domain(machine: Machine, name: str, *states: str) -> dict[str, Any]:
    _need(name in machine["domains"], f"LDom {name} not found")
    domain: dict[str, Any] = machine["domains"][name]
    _need(not states or domain["state"] in states, f"LDom {name} is {domain['state']}")
    return domain


def _change_primary(machine: Machine, **values: int) -> None:
    machine["pending"] = {**(machine["pending"] or {}), **values}


def _strands(machine: Machine, count: str, name: str, whole: bool) -> None:
    number = int(count) * (machine["core"] if whole else 1)
    if name == "primary":
        _change_primary(machine, ncpu=number)
    else:
        _domain(machine, name, "inactive")["ncpu"] += number


def _memory(machine: Machine, size: str, name: str) -> None:
    if name == "primary":
        _change_primary(machine, mem=_size(size))
    else:
        _domain(machine, name, "inactive")["mem"] += _size(size)


def _add_domain(machine: Machine, name: str) -> None:
    _need(name not in machine["domains"], f"LDom {name} already exists")
    machine["made"] += 1
    mac = f"00:14:4f:00:00:{machine['made']:02x}"
    machine["domains"][name] = {"state": "inactive", "pids": [], "ncpu": 0, "mem": 0, "mac": mac, "vdisks": []}


def _bind(machine: Machine, name: str) -> None:
    domain = _domain(machine, name, "inactive")
    held = sum(other["mem"] for other in machine["domains"].values() if other["state"] != "inactive")
    free = free_strands(machine)
    _need(domain["ncpu"] and len(free) >= domain["ncpu"], "Not enough free CPUs")
    _need(held + domain["mem"] <= machine["memory"] - SYSTEM, "Not enough free memory")
    domain.update(state="bound", pids=sorted(free[: domain["ncpu"]]))


def _remove_domain(machine: Machine, name: str) -> None:
    _domain(machine, name, "inactive")
    del machine["domains"][name]


def _stop(machine: Machine, *words: str) -> None:
    domain = _domain(machine, words[-1], "active")
    _need("-f" in words or words[-1] in machine["os"], f"LDom {words[-1]} stop notification failed")
    domain["state"] = "bound"


def _add_service(kind: str) -> Callable[..., None]:
    def add(machine: Machine, *words: str) -> None:
        value, name = (words[0].split("=")[1], words[1]) if kind != "vds" else ("", words[0])
        _need(words[-1] == "primary" and name not in machine[kind], f"{name} exists or is not primary's")
        machine[kind][name] = value

    return add


def _remove_service(kind: str) -> Callable[..., None]:
    def remove(machine: Machine, name: str) -> None:
        used = any(volume.endswith("@" + name) for volume in machine["volumes"])
        _need(name in machine[kind] and not used, f"{name} is not there or in use")
        del machine[kind][name]

    return remove


def _add_volume(machine: Machine, disk: str, volume: str) -> None:
    _need(volume.split("@")[1] in machine["vds"] and volume not in machine["volumes"], f"{volume} cannot be added")
    machine["volumes"][volume] = disk


def _remove_volume(machine: Machine, volume: str) -> None:
    users = [name for name, domain in machine["domains"].items() if volume in domain.get("vdisks", [])]
    _need(volume in machine["volumes"] and not users, f"{volume} is not there or used by {users}")
    del machine["volumes"][volume]


def _add_disk(machine: Machine, _name: str, volume: str, domain: str) -> None:
    _need(volume in machine["volumes"], f"there is no {volume}")
    _domain(machine, domain, "inactive")["vdisks"].append(volume)


def _add_net(machine: Machine, _name: str, switch: str, domain: str) -> None:
    _need(switch in machine["vsw"], f"there is no {switch}")
    _domain(machine, domain, "inactive")


def _console(machine: Machine, port: str, domain: str) -> None:
    _domain(machine, domain)["console"] = port.split("=")[1]


def _add_config(machine: Machine, name: str) -> None:
    _need(name not in machine["configs"] and len(machine["configs"]) < 8, f"{name} exists")
    machine["configs"].append(name)


def _set_state(state: str, *before: str) -> Callable[..., None]:
    def change(machine: Machine, name: str) -> None:
        domain = _domain(machine, name, *before)
        domain["state"] = state
        if state == "inactive":
            domain["pids"] = []

    return change


CHANGES: dict[str, Callable[..., None]] = {
    "add-vcc": _add_service("vcc"),
    "add-vds": _add_service("vds"),
    "add-vsw": _add_service("vsw"),
    "remove-vcc": _remove_service("vcc"),
    "remove-vds": _remove_service("vds"),
    "remove-vsw": _remove_service("vsw"),
    "set-mau": lambda machine, count, name: _change_primary(machine),
    "set-crypto": lambda machine, count, name: _change_primary(machine),
    "start-reconf": lambda machine, name: _change_primary(machine),
    "set-vcpu": lambda machine, *words: _strands(machine, words[-2], words[-1], words[0] == "-c"),
    "add-vcpu": lambda machine, *words: _strands(machine, words[-2], words[-1], words[0] == "-c"),
    "set-core": lambda machine, *words: _strands(machine, words[0], words[1], True),
    "add-core": lambda machine, *words: _strands(machine, words[0], words[1], True),
    "set-memory": _memory,
    "add-memory": _memory,
    "add-domain": _add_domain,
    "remove-domain": _remove_domain,
    "add-vdsdev": _add_volume,
    "remove-vdsdev": _remove_volume,
    "add-vdisk": _add_disk,
    "add-vnet": _add_net,
    "set-vcons": _console,
    "set-variable": lambda machine, setting, name: _need(setting == "auto-boot?=false", "no such variable"),
    "bind-domain": _bind,
    "unbind-domain": _set_state("inactive", "bound"),
    "start-domain": _set_state("active", "bound"),
    "stop-domain": _stop,
    "add-config": _add_config,
    "remove-config": lambda machine, name: machine["configs"].remove(name),
}
SINCE = {"add-core": 2.2, "set-core": 2.2, "start-reconf": 2.0, "set-crypto": 1.1}


def _ask(machine: Machine, words: list[str]) -> list[str] | None:
    """The lines of the answer; None for what is no question."""
    if words == ["-V"] and machine["version"]:
        return ["", f"Logical Domain Manager (v {machine['version']})", "   Hypervisor control protocol v 1.3"]
    if words == ["-V"]:
        return ["The Logical Domains Manager does not answer"]
    if words == ["list", "-l", "-p"]:
        return list(domains(machine))
    if words == ["list-devices", "-a", "-p"]:
        return list(devices(machine))
    if words == ["list-config"]:
        *others, last = machine["configs"]
        return [*others, f"{last} [next poweron]"]
    return None


def _change(machine: Machine, words: list[str]) -> tuple[int, list[str]]:
    machine["log"].append(" ".join(words))
    try:
        _need(not machine["fail"] or not " ".join(words).startswith(machine["fail"]), "Failed to do what was asked")
        _need(words[0] in CHANGES and SINCE.get(words[0], 0) <= float(machine["version"]), f"Invalid subcommand {words[0]}")
        _need(words[0] not in ("add-vcpu", "set-vcpu") or words[1] != "-c" or machine["version"][0] != "1", "Invalid option -c")
        CHANGES[words[0]](machine, *words[1:])
    except Refused as error:
        return 1, [str(error)]
    return 0, []


class Ldm:
    """``ldm`` as a program in a folder, answered from ``machine`` until ``end``."""

    def __init__(self, folder: Path, machine: Machine) -> None:
        self.machine = machine
        self.signal = signal.SIGKILL  # what `die` does
        self._ask, self._answer = folder / "ldm.ask", folder / "ldm.answer"
        os.mkfifo(self._ask)
        os.mkfifo(self._answer)
        program = folder / "ldm"
        program.write_text(
            f"#!/bin/sh\nprintf '%s\\n' $PPID \"$@\" >'{self._ask}'\n{{\n\tread -r status\n"
            f"\tif [ $status = 0 ]; then cat; else cat >&2; fi\n}} <'{self._answer}'\nexit $status\n"
        )
        program.chmod(0o755)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            caller, *words = self._ask.read_text().splitlines()
            if not words:
                return
            lines = _ask(self.machine, words)
            status, lines = (0, lines) if lines is not None else _change(self.machine, words)
            if self.machine["die"] and " ".join(words).startswith(self.machine["die"]):
                os.kill(int(caller), self.signal)
            self._answer.write_text("\n".join([str(status), *lines, ""]))

    def end(self) -> None:
        self._ask.write_text("0\n")
        self._thread.join(10)
