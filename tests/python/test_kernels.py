"""Proof of the kernels by disassembly of the objects in the build folder ($CMTNOISE_BUILD, "build")."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("CMTNOISE_BUILD", "build")).resolve()
COMPILER = os.environ.get("CC", "cc")


@dataclass(frozen=True)
class Isa:
    """What an instruction set's disassembly is called."""

    decrement: str  # the loop's own, and the branches behind it; group 1 is where they go
    back: str
    out: str  # between the blocks of a kernel in blocks
    padding: str  # traps, so it stands only where no execution comes: behind a branch
    branches: str  # the mnemonics that may be padded
    ret: str


ISAS = {"x86_64": Isa(r"dec %rdi", r"jne ([0-9a-f]+)", r"je ([0-9a-f]+)", "int3", r"jmp|jne", "ret")}

# Longer than a cycle each, so that a few fill a turn. Every other kernel holds 128 or more.
SLOW = {
    "atomic": "8 to 20 cycles",
    "btb": "4 cycles, and many more where the buffers are missed",
    "div": "10 to 90 cycles",
    "fadd": "3 or 4 cycles",
    "fdiv": "13 to 20 cycles",
    "fence": "30 to 80 cycles",
    "fmul": "3 to 5 cycles",
    "fsqrt": "8 to 20 cycles",
    "load_l1": "4 or 5 cycles",
    "load_l2": "12 to 20 cycles",
    "load_l3": "40 cycles and more",
    "load_mem": "about 100 ns",
    "timer": "20 to 40 cycles",
}


@dataclass(frozen=True)
class Declared:
    """A kernel's declaring line."""

    name: str
    isa: str
    ops: int
    body: str


def declared(path: Path) -> Declared | None:
    match = re.search(r"^\s*(?://|!|#) ?@ (kernel: .*)$", path.read_text(), re.MULTILINE)
    if not match:
        return None
    pairs = dict(part.split(": ", 1) for part in re.split(r"; +", match[1]))
    return Declared(pairs["kernel"], path.parent.name, int(pairs["ops"]), pairs["body"])


KERNELS = [kernel for path in sorted(Path("asm").glob("*/*.S")) if (kernel := declared(path))]


# --- the disassembled body --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Code:
    """An object's instructions by address, and the addresses of the body's first and of the first behind it."""

    at: dict[int, str]
    begin: int
    end: int

    def target(self, address: int) -> int:
        """Where the branch at this address goes; -1 for none."""
        match = re.fullmatch(r"\S+ ([0-9a-f]+)", self.at.get(address, ""))
        return int(match[1], 16) if match else -1


def disassembled(binary: Path, name: str) -> Code:
    symbols = {}
    for line in subprocess.check_output(["nm", "--defined-only", binary], text=True).splitlines():
        address, _, symbol = line.split()
        symbols[symbol] = int(address, 16)
    lines = {}
    for line in subprocess.check_output(["objdump", "-d", "--no-show-raw-insn", binary], text=True).splitlines():
        if match := re.match(r"\s+([0-9a-f]+):\s+(.*)", line):
            lines[int(match[1], 16)] = re.sub(r"\s+", " ", re.sub(r"\s*<.*", "", match[2])).strip()
    return Code(lines, symbols[f"kernel_{name}_body"], symbols[f"kernel_{name}_body_end"])


def loop_faults(code: Code, isa: Isa) -> tuple[list[str], int]:
    """What is wrong with the loop's own decrement and branch; and the address behind them."""
    behind = [address for address in sorted(code.at) if address >= code.end][:3]
    texts = [code.at[address] for address in behind]
    if len(texts) < 3 or not re.fullmatch(isa.decrement, texts[0]) or not re.fullmatch(isa.back, texts[1]):
        return [f"the loop's decrement and branch do not follow the body: {texts}"], -1
    if code.target(behind[1]) != code.begin:
        return ["the loop's branch does not go back to the body's begin"], behind[2]
    return [], behind[2]


def split_blocks(code: Code, isa: Isa, leave: int) -> list[list[int]]:
    """The addresses of the body's instructions, cut where a decrement and a branch out of the loop stand."""
    addresses = [address for address in sorted(code.at) if code.begin <= address < code.end]
    blocks: list[list[int]] = [[]]
    skip = False
    for address, following in zip(addresses, [*addresses[1:], code.end], strict=True):
        if skip:
            skip = False
        elif (
            re.fullmatch(isa.decrement, code.at[address])
            and re.fullmatch(isa.out, code.at[following])
            and code.target(following) == leave
        ):
            blocks.append([])
            skip = True
        else:
            blocks[-1].append(address)
    return blocks


def block_faults(code: Code, isa: Isa, kernel: Declared, block: list[int]) -> list[str]:
    found, operations, may_pad = [], [], False
    for address in block:
        text = code.at[address]
        if re.fullmatch(kernel.body, text):
            operations.append(address)
            may_pad = re.fullmatch(isa.branches, text.split()[0]) is not None
        elif text != isa.padding:
            found.append(f"'{text}' is not of the declared type '{kernel.body}'")
            may_pad = False
        elif not may_pad:
            found.append(f"'{text}' stands where execution comes by")
    if len(operations) != kernel.ops:
        found.append(f"{len(operations)} instructions where {kernel.ops} are declared")
    mnemonics = {code.at[address].split()[0] for address in operations}
    if len(mnemonics) != 1:
        found.append(f"more than one instruction: {sorted(mnemonics)}")
    return found


def faults(binary: Path, kernel: Declared) -> list[str]:
    """Everything that keeps the body from being `ops` instructions of one type a turn; empty when it is proved."""
    isa = ISAS[kernel.isa]
    code = disassembled(binary, kernel.name)
    found, leave = loop_faults(code, isa)
    for block in split_blocks(code, isa, leave):
        found += block_faults(code, isa, kernel, block)
    if kernel.ops < 128 and kernel.name not in SLOW:
        found.append(f"{kernel.ops} fast instructions are too few: the loop's own take more than 1 %")
    return found


def binary_of(kernel: Declared) -> Path:
    folder = BUILD / "obj/asm" / kernel.isa
    if not folder.exists() and any(folder.parent.iterdir()):
        pytest.skip(f"built was {[path.name for path in folder.parent.iterdir()]}, not {kernel.isa}")
    return folder / f"{kernel.name}.o"


EVERY_KERNEL = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: f"{kernel.isa}-{kernel.name}")


@EVERY_KERNEL
def test_a_body_holds_one_type_of_instruction(kernel: Declared) -> None:
    assert faults(binary_of(kernel), kernel) == []


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k.name == "btb"], ids=lambda kernel: kernel.isa)
def test_every_branch_of_btb_is_executed_once_a_block(kernel: Declared) -> None:
    code = disassembled(binary_of(kernel), kernel.name)
    _, leave = loop_faults(code, ISAS[kernel.isa])
    for block in split_blocks(code, ISAS[kernel.isa], leave):
        visited, at = [], block[0]
        while at in block and at not in visited:
            visited.append(at)
            at = code.target(at)
        assert len(visited) == kernel.ops
        assert at not in block and re.fullmatch(ISAS[kernel.isa].decrement, code.at[at])


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k.name == "call"], ids=lambda kernel: kernel.isa)
def test_what_call_calls_only_returns(kernel: Declared) -> None:
    code = disassembled(binary_of(kernel), kernel.name)
    called = {code.target(address) for address in code.at if code.begin <= address < code.end}
    assert {code.at[address] for address in called} == {ISAS[kernel.isa].ret}


def test_the_kernels_asked_for_are_there() -> None:
    asked = """
        nop add add_wide xor shift mul div branch_taken branch_not_taken call load_l1 load_l2 load_l3 load_mem store_l1
        atomic fence fadd fmul fdiv fsqrt vadd vfma ifetch btb timer
    """
    assert {kernel.name for kernel in KERNELS if kernel.isa == "x86_64"} >= set(asked.split())


LOOP_ADD = "\tLOOP\tadd"
# Each spoils a kernel's source: kernel, what is replaced, by what, and the fault that must be found.
SPOILT = {
    "another instruction": ("add", LOOP_ADD, "\tsub\t%rcx, %rax\n" + LOOP_ADD, "'sub %rcx,%rax' is not of"),
    "another operand": ("add", "add\t%rcx, %rax", "add\t%rcx, %rdx", "'add %rcx,%rdx' is not of the declared"),
    "too few": ("add", "256\n", "255\n", "255 instructions where 256 are declared"),
    "padding in the way": ("add", LOOP_ADD, "\tint3\n" + LOOP_ADD, "'int3' stands where execution comes by"),
    "the loop's own inside": ("add", LOOP_ADD, "\tdec\t%rdi\n" + LOOP_ADD, "'dec %rdi' is not of the declared"),
    "the loop is not behind": ("add", LOOP_ADD, "kernel_add_body_end:\n\tnop\n\tdec %rdi\n", "do not follow"),
    "the loop goes elsewhere": ("add", LOOP_ADD, "kernel_add_body_end:\ndec %rdi\njnz kernel_add\n", "not go back"),
    "a branch elsewhere": ("ifetch", "NEXT\tifetch", "dec\t%rdi\n\tjz\tkernel_ifetch", "is not of the declared"),
    "a short block": ("ifetch", "191\n\t.rept\t128", "191\n\t.rept\t127", "127 instructions where 128 are declared"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_body_is_seen(what: str, tmp_path: Path) -> None:
    name, old, new, says = SPOILT[what]
    path = Path(f"asm/x86_64/{name}.S")
    source, kernel = path.read_text(), declared(path)
    assert kernel and old in source
    (tmp_path / path.name).write_text(source.replace(old, new))
    binary = tmp_path / f"{name}.o"
    subprocess.run([*COMPILER.split(), "-I.", "-c", tmp_path / path.name, "-o", binary], check=True)
    assert any(says in fault for fault in faults(binary, kernel)), faults(binary, kernel)
