"""What the ldm of fake_ldm.py lists of its machine: ``ldm list -l -p`` and ``ldm list-devices -a -p``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

SYSTEM = 128 << 20  # what the hypervisor keeps

Machine = dict[str, Any]


def free_strands(machine: Machine) -> list[int]:
    held = {pid for domain in machine["domains"].values() for pid in domain["pids"]}
    return [pid for pid in machine["order"] if pid not in held]


def _flags(domain: dict[str, Any], name: str) -> str:
    return "normal,control,vio-service" if name == "primary" else "transition" if domain["state"] == "bound" else "normal"


def domains(machine: Machine) -> Iterator[str]:
    later = float(machine["version"]) >= 2
    yield ("VERSION 1.6" if later else "VERSION 1.0")
    for name, domain in machine["domains"].items():
        shown = {**domain, **(machine["pending"] or {})} if name == "primary" else domain
        console = "SP" if name == "primary" else domain.get("console") or ""
        yield (
            f"DOMAIN|name={name}|state={domain['state']}|flags={_flags(domain, name)}|cons={console}|ncpu={shown['ncpu']}"
            f"|mem={shown['mem']}|util=0.6|uptime=64801|softstate=Solaris running"
        )
        yield (f"MAC\n|mac-addr={domain['mac']}")
        yield ("VCPU")
        for vid, pid in enumerate(domain["pids"]):
            yield (f"|vid={vid}|pid={pid}|util=0.9|strand=100" + (f"|cid={pid // machine['core']}" if later else ""))
        yield (f"MEMORY\n|ra=0x8000000|pa=0x8000000|size={shown['mem']}")
        if name == "primary":
            yield ("IO\n|dev=pci@780|alias=bus_a\n|dev=pci@7c0|alias=bus_b")
            for vds in machine["vds"]:
                yield (f"VDS|name={vds}|nclients=2")
                for volume, disk in machine["volumes"].items():
                    if volume.endswith("@" + vds):
                        yield (f"|vol={volume.split('@')[0]}|opts=|dev={disk}")
            for vcc, ports in machine["vcc"].items():
                yield (f"VCC|name={vcc}|nclients=2|port-range={ports}")
            for vsw, device in machine["vsw"].items():
                yield (f"VSW|name={vsw}|nclients=2|mac-addr=00:14:4f:fb:42:5c|net-dev={device}|dev=switch@0|mode=prog,promisc")
            yield ("VCONS|type=SP")


def devices(machine: Machine) -> Iterator[str]:
    yield ("VERSION 1.4\nVCPU")
    free = free_strands(machine)
    for pid in range(machine["strands"]):
        yield (f"|pid={pid}|free={100 if pid in free else 0}|pm={'' if pid in free else 'no'}")
    yield ("MAU\n|id=0|free=0|bound=primary\nMEMORY")
    yield (f"|pa=0x0|size={SYSTEM}|bound=_sys_")
    held = 0
    for name, domain in machine["domains"].items():
        if domain["state"] != "inactive":
            yield (f"|pa=0x{SYSTEM + held:x}|size={domain['mem']}|bound={name}")
            held += domain["mem"]
    if machine["memory"] - SYSTEM > held:
        yield (f"|pa=0x{SYSTEM + held:x}|size={machine['memory'] - SYSTEM - held}")
    yield ("IO\n|dev=pci@780|alias=bus_a|bound=yes")
