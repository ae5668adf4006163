"""Machines for the fake Solaris (tests/ports/solaris/fake): what `kstat -p` would print there.

Nothing of this was recorded: names, types and states are those of illumos' common/os/cpu.c (cpu_info_template,
cpu_sys_stats_ks_data_template) and of cpu_create_intrstat; implementation is as a T1's console has it, "UltraSPARC-T1 (chipid 0,
clock 1000 MHz)". What a real machine prints can be put in the place of it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Cpu:
    number: int
    chip: int | None
    core: int | None
    state: str = "on-line"


@dataclass
class Machine:
    cpus: list[Cpu]
    clock_mhz: int
    brand: str
    implementation: str
    lines: list[str] = field(default_factory=list)  # of the file `machine`; the first of a key counts
    told: Callable[[str], bool] = lambda statistic: True  # which statistics this release has

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine").write_text("\n".join(self.lines) + "\n")
        (folder / "kstat").write_text("".join(self._kstat()))
        return folder

    def _kstat(self) -> Iterable[str]:
        for cpu in (cpu for cpu in self.cpus if cpu.state in ("on-line", "no-intr")):  # cpu_offline() removes those of others
            yield from self._named("cpu", cpu.number, "intrstat", {"level-10-count": 1000, "level-14-count": 3000})
            yield from self._named(
                "cpu", cpu.number, "sys", {"intr": 5000, "inv_swtch": 17, "pswitch": 400, "syscall": 9000, "xcalls": 66}
            )
            yield from self._named("cpu", cpu.number, "vm", {"as_fault": 12, "maj_fault": 1})
        for cpu in reversed(self.cpus):  # in no order that anybody may count on
            yield from self._named("cpu_info", cpu.number, f"cpu_info{cpu.number}", self._cpu_info(cpu))

    def _cpu_info(self, cpu: Cpu) -> dict[str, object]:
        return {
            "brand": self.brand,
            "chip_id": cpu.chip,
            "clock_MHz": self.clock_mhz,
            "core_id": cpu.core,
            "cpu_type": "sparcv9",
            "current_clock_Hz": self.clock_mhz * 1_000_000,
            "fpu_type": "sparcv9",
            "implementation": self.implementation,
            "state": cpu.state,
            "state_begin": 1_195_000_000,
        }

    def _named(self, module: str, instance: int, name: str, statistics: dict[str, object]) -> Iterable[str]:
        for statistic, value in statistics.items():
            if value is not None and self.told(statistic):
                yield f"{module}:{instance}:{name}:{statistic}\t{value}\n"


def t1(*lines: str) -> Machine:
    """An UltraSPARC T1 of the study: 8 cores of 4 strands, one chip, Solaris 10."""
    cpus = [Cpu(number, 0, number // 4) for number in range(32)]
    facts = [*lines, "release 5.10", "machine sun4v", "isax 0xe0", "clock 0", "hz 100", "version Generic_120011-14"]
    return Machine(cpus, 1000, "UltraSPARC-T1", "UltraSPARC-T1 (chipid 0, clock 1000 MHz)", facts)


def t2(*lines: str) -> Machine:
    """An UltraSPARC T2: 8 cores of 8 strands; core ids that begin anywhere."""
    cpus = [Cpu(number, 1, 514 + number // 8 * 7) for number in range(64)]
    facts = [*lines, "release 5.10", "machine sun4v", "isax 0xff0", "clock 0"]
    return Machine(cpus, 1415, "UltraSPARC-T2", "UltraSPARC-T2 (chipid 1, clock 1415 MHz)", facts)


def x86(*lines: str) -> Machine:
    """Two chips of two cores of two strands, numbered as x86 often is: first one strand of each core, then the other."""
    cpus = [Cpu(number, number % 2, number % 4 // 2 + 10 * (number % 2)) for number in range(8)]
    brand = "Intel(r) Xeon(r) CPU           E5520  @ 2.27GHz"
    facts = [*lines, "release 5.11", "machine i86pc", "version omnios-r151046", "clock 0"]
    return Machine(cpus, 2267, brand, "x86 (chipid 0x0 GenuineIntel family 6 model 26 step 5 clock 2267 MHz)", facts)
