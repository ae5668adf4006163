"""The shape of a bare domain: a profile's values with defaults, and what the command line changes in them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace

from cmtnoise_domain import threads
from cmtnoise_domain.errors import UsageError
from cmtnoise_domain.profile import Check, Profile, checked, duration_ns, one_of, text, whole

ACCELS = ("icount", "tcg", "kvm", "auto")
ORDERS = ("turns", "together")
_STRANDS_MOST = {"niagara": 32, "pc": 255}  # the runtime takes 256 of a PC; QEMU has 255 without KVM's own interrupt controller
# The image of a T1 is linked for as much; below the other, a PC's firmware has no place for one.
_MEMORY_LEAST_MB = {"niagara": 128, "pc": 16}
_U63 = (1 << 63) - 1


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(item, str) and item.strip() for item in value):
        raise ValueError('is a list of strings such as ["0:all"]')
    return value


def _sizes(value: object) -> dict[str, int]:
    names = ("sockets", "cores", "threads")
    if not isinstance(value, dict) or not value or any(key not in names for key in value):
        raise ValueError(f"has the keys {', '.join(names)}")
    return {name: whole(1, 256)(value.get(name, 1)) for name in names}


CHECKS: dict[str, Check] = {
    "machine": one_of(*_STRANDS_MOST),
    "strands": whole(1, 255),
    "topology": _sizes,
    "memory": text("[1-9][0-9]{0,5}[MG]", "256M"),
    "threads": _strings,
    "repetitions": whole(1, 10**9),
    "quantum": duration_ns,
    "iterations": whole(0, _U63),
    "order": one_of(*ORDERS),
    "tick_hz": whole(0, 100_000),
    "tick_path": whole(0, 10**9),
    "timer_hz": whole(0, 10**10),
    "cpu": text("[A-Za-z0-9_.,+=-]{1,200}", "Haswell"),
    "accel": one_of(*ACCELS),
    "icount_shift": whole(0, 10),
    "timeout": whole(1, 10**6),
}


def _width(count: int) -> int:
    return (count - 1).bit_length()


@dataclass(frozen=True)
class Shape:
    """Everything that decides what image is built and how it is run. ``items`` is the thread map; ``item_lines`` tells where in
    the profile each stands, and is empty once the command line has changed the map."""

    profile: Profile
    machine: str
    sockets: int
    cores: int
    cpu_threads: int
    memory: str
    items: tuple[str, ...]
    item_lines: tuple[int, ...] = field(compare=False)
    repetitions: int = 1000
    quantum_ns: int = 100_000
    iterations: int = 0
    order: str = "turns"
    tick_hz: int = 0
    tick_path: int = 1000
    timer_hz: int = 0
    cpu: str = "Haswell"
    accel: str = "icount"
    icount_shift: int = 0
    timeout_s: int = 120

    @property
    def strand_ids(self) -> list[int]:
        """What the machine calls its strands: on a PC the APIC ids, which leave gaps where a count is no power of two."""
        if self.machine == "niagara":
            return list(range(self.sockets * self.cores * self.cpu_threads))
        core_shift = _width(self.cpu_threads)
        socket_shift = core_shift + _width(self.cores)
        return sorted(
            socket << socket_shift | core << core_shift | thread
            for socket in range(self.sockets)
            for core in range(self.cores)
            for thread in range(self.cpu_threads)
        )

    def variables(self) -> dict[str, str]:
        """The variables of `make bare`."""
        return {
            "BARE": self.machine,
            "THREADS": " ".join(self.items),
            "STRANDS": str(self.strand_ids[-1] + 1),
            "REPS": str(self.repetitions),
            "QUANTUM_NS": str(self.quantum_ns),
            "ITERATIONS": str(self.iterations),
            "TICK_HZ": str(self.tick_hz),
            "TICK_PATH": str(self.tick_path),
            "ORDER": self.order,
            "TIMER_HZ": str(self.timer_hz),
            "HOST": self.profile.name,
        }

    def digest(self) -> str:
        """Tells images of one profile apart."""
        return hashlib.sha256(json.dumps(self.variables(), sort_keys=True).encode()).hexdigest()[:8]

    def probe(self) -> Shape:
        """The least that shows whether the machine runs at all."""
        return replace(self, items=(f"{self.strand_ids[0]}:add",), item_lines=(), repetitions=10, tick_hz=0, order="turns")


@dataclass(frozen=True)
class Changes:
    """What the command line asks for besides the profile; None where it does not say."""

    repetitions: int | None = None
    quantum_ns: int | None = None
    iterations: int | None = None
    kernels: str | None = None
    strands: str | None = None
    together: bool = False

    def apply(self, shape: Shape) -> Shape:
        given = {key: getattr(self, key) for key in ("repetitions", "quantum_ns", "iterations")}
        shape = replace(shape, **{key: value for key, value in given.items() if value is not None})
        if self.together:
            shape = replace(shape, order="together")
        if self.kernels is None and self.strands is None:
            return shape
        try:
            before = threads.expand(list(shape.items))
        except ValueError as error:
            raise shape.profile.fault(f"thread map: {error}", "threads") from None
        strands = None if self.strands is None else threads.strand_list(self.strands, shape.strand_ids)
        kernels = None if self.kernels is None else threads.kernel_list(self.kernels)
        items = threads.collapse(threads.chosen(before, strands, kernels))
        if not items:
            raise UsageError("nothing is left to measure: name strands and kernels with --strands and --kernels")
        return replace(shape, items=tuple(items), item_lines=())


def _items(profile: Profile, strings: list[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The thread map's items and their lines. An item becomes part of a command of make: what could be more is refused."""
    items: list[str] = []
    lines: list[int] = []
    for number, string in enumerate(strings):
        line = profile.line_of_text(string, strings[:number].count(string), "threads")
        for item in string.split():
            if not threads.ITEM_LETTERS.fullmatch(item):
                raise profile.fault(f"{item!r} is no STRAND:KERNEL; write 0:add, 4-7:mul+fadd, 1:all or 2:idle", line=line)
            items.append(item)
            lines.append(line)
    return tuple(items), tuple(lines)


def _places(profile: Profile, values: dict[str, object]) -> dict[str, int]:
    """Sockets, cores and threads; the profile's ``strands`` must be their product."""
    strands, sizes = values.pop("strands"), values.pop("topology", None)
    assert isinstance(strands, int)
    machine = str(values["machine"])
    if strands > _STRANDS_MOST[machine]:
        raise profile.fault(f"strands is at most {_STRANDS_MOST[machine]} on {machine}, not {strands}", "strands")
    if sizes is None:
        return {"sockets": 1, "cores": strands, "cpu_threads": 1}
    assert isinstance(sizes, dict)
    if machine != "pc":
        raise profile.fault(f"topology is for machine pc: that of {machine} is fixed", "topology")
    product = sizes["sockets"] * sizes["cores"] * sizes["threads"]
    if product != strands:
        raise profile.fault(f"topology has {product} strands, and strands says {strands}", "topology")
    return {"sockets": sizes["sockets"], "cores": sizes["cores"], "cpu_threads": sizes["threads"]}


def shape_of(profile: Profile) -> Shape:
    """The profile's shape; DomainError names file and line of what is wrong with it."""
    if profile.ticks:
        raise UsageError(f"{profile.name}: tick configurations are an OS's; a bare machine's own tick is the profile's tick_hz")
    values = checked(profile, CHECKS, ("machine", "strands", "threads"))
    values.update(_places(profile, values))
    items, lines = _items(profile, values.pop("threads"))
    for key, name in (("quantum", "quantum_ns"), ("timeout", "timeout_s")):
        if key in values:
            values[name] = values.pop(key)
    values.setdefault("memory", "256M")
    shape = Shape(profile=profile, items=items, item_lines=lines, **values)
    least_mb = _MEMORY_LEAST_MB[shape.machine]
    if int(shape.memory[:-1]) * (1024 if shape.memory.endswith("G") else 1) < least_mb:
        raise profile.fault(f"memory is at least {least_mb}M on {shape.machine}, not {shape.memory}", "memory")
    if shape.machine == "niagara" and shape.accel == "kvm":
        raise profile.fault("accel kvm is for machine pc", "accel")
    if shape.strand_ids[-1] >= _STRANDS_MOST[shape.machine]:
        raise profile.fault(f"this topology numbers strands up to {shape.strand_ids[-1]}; 255 is the most", "topology")
    return shape
