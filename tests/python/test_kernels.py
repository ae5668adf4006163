"""Proof of the kernels by disassembly of the objects: this machine's in the build folder ($CMTNOISE_BUILD, "build"), another
instruction set's in a folder of its name there."""

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

    loop: tuple[str, str]  # the loop's own two instructions behind the body; group 1 is where the branch goes
    out: tuple[str, str]  # the two between the blocks of a kernel in blocks
    branches: str  # the mnemonics that may be padded, or that have a delay slot
    padding: str  # traps, so it stands only where no execution comes: behind a branch; "" for none
    delay_slot: str  # stands once behind each branch, and belongs to the loop's own; "" for none
    ret: str
    slow: dict[str, str]  # kernels of longer than a cycle each, so that a few fill a turn; every other one holds 128 or more
    tools: str = ""  # what the names of the cross tools begin with
    assembler: tuple[str, ...] = ()


ISAS = {
    "x86_64": Isa(
        loop=(r"dec %rdi", r"jne ([0-9a-f]+)"),
        out=(r"dec %rdi", r"je ([0-9a-f]+)"),
        branches=r"jmp|jne",
        padding="int3",
        delay_slot="",
        ret="ret",
        slow={
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
        },
    ),
    "sparcv9": Isa(
        loop=(r"brnz %o0, ([0-9a-f]+)", r"dec %o0"),
        out=(r"brz,pn %o0, ([0-9a-f]+)", r"dec %o0"),
        branches=r"b|bne|be,pn|call",
        padding="",
        delay_slot="nop",
        ret="retl",
        slow={  # on a T1, modelled
            "atomic": "26 cycles and more",
            "branch_not_taken": "3 cycles and a delay slot",
            "branch_taken": "3 cycles and a delay slot",
            "btb": "3 cycles, a delay slot and the fetch from L2",
            "call": "6 cycles and two delay slots",
            "div": "72 cycles",
            "fadd": "26 cycles",
            "fdiv": "83 cycles",
            "fence": "as long as a store takes to L2",
            "fmul": "29 cycles",
            "fsqrt": "not on a T1",
            "load_l1": "3 cycles",
            "load_l2": "26 cycles",
            "load_l3": "not on a T1",
            "load_mem": "about 100 ns",
            "mul": "5 or 11 cycles",
            "timer": "not known",
            "vadd": "10 cycles",
            "vfma": "not on a T1",
            "window": "4 cycles",
        },
        tools="sparc64-linux-gnu-",
        assembler=("-Wa,-Av9d",),
    ),
}

# Types that are two mnemonics in turn.
PAIRS = {"window": ["save", "restore"]}


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
        match = re.fullmatch(r"\S+ (?:%\w+, )?([0-9a-f]+)", self.at.get(address, ""))
        return int(match[1], 16) if match else -1


def disassembled(binary: Path, name: str, isa: Isa) -> Code:
    symbols = {}
    for line in subprocess.check_output([f"{isa.tools}nm", "--defined-only", binary], text=True).splitlines():
        address, _, symbol = line.split()
        symbols[symbol] = int(address, 16)
    lines = {}
    for line in subprocess.check_output([f"{isa.tools}objdump", "-d", "--no-show-raw-insn", binary], text=True).splitlines():
        if match := re.match(r"\s+([0-9a-f]+):\s+(.*)", line):
            lines[int(match[1], 16)] = re.sub(r"\s+", " ", re.sub(r"\s*<.*", "", match[2])).strip()
    return Code(lines, symbols[f"kernel_{name}_body"], symbols[f"kernel_{name}_body_end"])


def loop_faults(code: Code, isa: Isa) -> tuple[list[str], int]:
    """What is wrong with the loop's own decrement and branch; and the address behind them."""
    behind = [address for address in sorted(code.at) if address >= code.end][:3]
    texts = [code.at[address] for address in behind]
    if len(texts) < 3 or not all(re.fullmatch(wanted, text) for wanted, text in zip(isa.loop, texts, strict=False)):
        return [f"the loop's decrement and branch do not follow the body: {texts}"], -1
    if code.begin not in (code.target(behind[0]), code.target(behind[1])):
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
            re.fullmatch(isa.out[0], code.at[address])
            and re.fullmatch(isa.out[1], code.at[following])
            and leave in (code.target(address), code.target(following))
        ):
            blocks.append([])
            skip = True
        else:
            blocks[-1].append(address)
    return blocks


def without_delay_slots(code: Code, isa: Isa, kernel: Declared, block: list[int]) -> tuple[list[int], list[str]]:
    """The block's other addresses; and what is wrong with its delay slots."""
    kept, found, expected = [], [], False
    for address in block:
        text = code.at[address]
        if expected and text != isa.delay_slot:
            found.append(f"'{text}' stands in a delay slot")
        if not expected:
            kept.append(address)
        operation = re.fullmatch(kernel.body, text) is not None
        expected = not expected and bool(isa.delay_slot) and operation and re.fullmatch(isa.branches, text.split()[0]) is not None
    if expected:
        found.append("the last branch has no delay slot of its own")
    return kept, found


def block_faults(code: Code, isa: Isa, kernel: Declared, block: list[int]) -> list[str]:
    operations, may_pad = [], False
    block, found = without_delay_slots(code, isa, kernel, block)
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
    mnemonics = [code.at[address].split()[0] for address in operations]
    pair = PAIRS.get(kernel.name, mnemonics[:1])
    if mnemonics and mnemonics != pair * (len(mnemonics) // len(pair)):
        found.append(f"more than one instruction: {sorted(set(mnemonics))}")
    return found


def faults(binary: Path, kernel: Declared) -> list[str]:
    """Everything that keeps the body from being `ops` instructions of one type a turn; empty when it is proved."""
    isa = ISAS[kernel.isa]
    code = disassembled(binary, kernel.name, isa)
    found, leave = loop_faults(code, isa)
    for block in split_blocks(code, isa, leave):
        found += block_faults(code, isa, kernel, block)
    if kernel.ops < 128 and kernel.name not in isa.slow:
        found.append(f"{kernel.ops} fast instructions are too few: the loop's own take more than 1 %")
    return found


def binary_of(kernel: Declared) -> Path:
    for build in (BUILD, BUILD / kernel.isa):
        binary = build / "obj/asm" / kernel.isa / f"{kernel.name}.o"
        if binary.exists():
            return binary
    cross = ISAS[kernel.isa].tools
    pytest.fail(
        f"{kernel.name} was not built for {kernel.isa}: make CC={cross}gcc BUILD={BUILD.name}/{kernel.isa} LDFLAGS=-static"
    )


EVERY_KERNEL = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: f"{kernel.isa}-{kernel.name}")


@EVERY_KERNEL
def test_a_body_holds_one_type_of_instruction(kernel: Declared) -> None:
    assert faults(binary_of(kernel), kernel) == []


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k.name == "btb"], ids=lambda kernel: kernel.isa)
def test_every_branch_of_btb_is_executed_once_a_block(kernel: Declared) -> None:
    isa = ISAS[kernel.isa]
    code = disassembled(binary_of(kernel), kernel.name, isa)
    _, leave = loop_faults(code, isa)
    for block in split_blocks(code, isa, leave):
        visited, at = [], block[0]
        while at in block and at not in visited:
            visited.append(at)
            at = code.target(at)
        assert len(visited) == kernel.ops
        assert at not in block and re.fullmatch(f"{isa.out[0]}|{isa.loop[0]}", code.at[at])


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k.name == "call"], ids=lambda kernel: kernel.isa)
def test_what_call_calls_only_returns(kernel: Declared) -> None:
    code = disassembled(binary_of(kernel), kernel.name, ISAS[kernel.isa])
    called = {code.target(address) for address in code.at if code.begin <= address < code.end} - {-1}
    assert {code.at[address] for address in called} == {ISAS[kernel.isa].ret}


@pytest.mark.parametrize(("isa", "besides"), [("x86_64", ""), ("sparcv9", "window")])
def test_the_kernels_asked_for_are_there(isa: str, besides: str) -> None:
    asked = """
        nop add add_wide xor shift mul div branch_taken branch_not_taken call load_l1 load_l2 load_l3 load_mem store_l1
        atomic fence fadd fmul fdiv fsqrt vadd vfma ifetch btb timer
    """
    assert {kernel.name for kernel in KERNELS if kernel.isa == isa} >= {*asked.split(), *besides.split()}


def test_the_table_of_t1_cycles_says_what_the_kernels_say() -> None:
    table: dict[str, str] = {}
    for line in Path("docs/sparc.md").read_text().splitlines():
        if match := re.match(r"\| ((?:`\w+` ?)+) \|[^|]*\| (\d*)", line):
            table |= dict.fromkeys(re.findall(r"\w+", match[1]), match[2])
    said = {}
    for kernel in (k for k in KERNELS if k.isa == "sparcv9"):
        match = re.search(r"T1 \(modelled\):[^.]*?(\d+) cycle", Path(f"asm/sparcv9/{kernel.name}.S").read_text())
        said[kernel.name] = match[1] if match else ""
    assert table == said


LOOP_ADD = "\tLOOP\tadd"
# Each spoils a kernel's source: instruction set and kernel, what is replaced, by what, and the fault that must be found.
SPOILT = {
    "another instruction": ("x86_64/add", LOOP_ADD, "\tsub\t%rcx, %rax\n" + LOOP_ADD, "'sub %rcx,%rax' is not of"),
    "another operand": ("x86_64/add", "add\t%rcx, %rax", "add\t%rcx, %rdx", "'add %rcx,%rdx' is not of the declared"),
    "too few": ("x86_64/add", "256\n", "255\n", "255 instructions where 256 are declared"),
    "padding in the way": ("x86_64/add", LOOP_ADD, "\tint3\n" + LOOP_ADD, "'int3' stands where execution comes by"),
    "the loop's own inside": ("x86_64/add", LOOP_ADD, "\tdec\t%rdi\n" + LOOP_ADD, "'dec %rdi' is not of the declared"),
    "the loop is not behind": ("x86_64/add", LOOP_ADD, "kernel_add_body_end:\n\tnop\n\tdec %rdi\n", "do not follow"),
    "the loop goes elsewhere": ("x86_64/add", LOOP_ADD, "kernel_add_body_end:\ndec %rdi\njnz kernel_add\n", "not go back"),
    "a branch elsewhere": ("x86_64/ifetch", "NEXT\tifetch", "dec\t%rdi\n\tjz\tkernel_ifetch", "is not of the declared"),
    "a short block": ("x86_64/ifetch", "191\n\t.rept\t128", "191\n\t.rept\t127", "127 instructions where 128 are declared"),
    "a store in a delay slot": ("sparcv9/branch_taken", "\t nop\n1:", "\t mov 1, %g1\n1:", "'mov 1, %g1' stands in a delay slot"),
    "no delay slot": ("sparcv9/btb", "\t nop\n", "", "stands in a delay slot"),
    "another one for SPARC": ("sparcv9/add", LOOP_ADD, "\tsub\t%g1, %g4, %g1\n" + LOOP_ADD, "'sub %g1, %g4, %g1' is not of"),
    "a nop too many": ("sparcv9/branch_taken", "\t nop\n1:", "\t nop\n\tnop\n1:", "'nop' is not of the declared type"),
    "half a pair": ("sparcv9/window", "\trestore\n", "\trestore\n\trestore\n", "more than one instruction"),
    "the loop elsewhere": ("sparcv9/add", LOOP_ADD, "kernel_add_body_end:\nbrnz,pt %o0, kernel_add\n dec %o0\n", "not go back"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_body_is_seen(what: str, tmp_path: Path) -> None:
    name, old, new, says = SPOILT[what]
    path = Path(f"asm/{name}.S")
    source, kernel = path.read_text(), declared(path)
    assert kernel and old in source
    (tmp_path / path.name).write_text(source.replace(old, new))
    binary, isa = tmp_path / "spoilt.o", ISAS[kernel.isa]
    compiler = [f"{isa.tools}gcc"] if isa.tools else COMPILER.split()
    subprocess.run([*compiler, *isa.assembler, "-I.", "-c", tmp_path / path.name, "-o", binary], check=True)
    assert any(says in fault for fault in faults(binary, kernel)), faults(binary, kernel)
