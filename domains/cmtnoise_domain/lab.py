"""`cmtnoise lab`: configurations of an OS's tick beside each other, each booted and swept in a domain."""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from cmtnoise.cli import main_of, printable
from cmtnoise.files import write_whole
from cmtnoise.gate import Limit
from cmtnoise.lab import limits
from cmtnoise.lab.folder import is_lab, load_lab
from cmtnoise.lab.show import FORMATS
from cmtnoise.lab.table import METRICS, Table, table_of

from cmtnoise_domain import lab_asked, process
from cmtnoise_domain.arguments import folder as folder_name
from cmtnoise_domain.arguments import seconds, whole
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.lab_asked import Asked
from cmtnoise_domain.lab_cells import Work, cores, printable_lines, run_cells
from cmtnoise_domain.lab_folder import LabFolder, default_folder
from cmtnoise_domain.progress import Progress

PAGE = "lab.html"
EPILOG = """examples:
  cmtnoise lab x86-debian-cloud x86-debian-cloud+periodic+highres-off -o results/ticks --page
  cmtnoise lab debian -o results/debian             # a lab that comes along: its configurations and options
  cmtnoise lab results/debian --format md           # the table again; nothing is run
  cmtnoise lab x86-debian-cloud --os-kernel before/bzImage --os-kernel after/bzImage --fail-if 'instructions>+5%'"""


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not 0 < rate < 1e15:
        raise argparse.ArgumentTypeError(f"wants instructions a second, such as 1e9; got {text!r}")
    return rate


def _kernels(text: str) -> str:
    if not re.fullmatch("[a-z0-9_]+(,[a-z0-9_]+)*", text):
        raise argparse.ArgumentTypeError(f"wants kernels such as add,load_l1; got {text!r}")
    return text


class _Neither(argparse.Action):
    """A word that could mean either of two options."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error("--kernel is no option of a lab: --os-kernel FILE is what guests boot, --kernels NAMES what they measure")


def _limit(text: str) -> str:
    try:
        limits.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _add_output(parser: argparse.ArgumentParser) -> None:
    """The options that are only of the table."""
    parser.add_argument("--rate", metavar="N", type=_rate, help="instructions a second that shares of time are told for")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument("--page", action="store_true", help=f"also write the table and figures as a page, FOLDER/{PAGE}")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    parser.add_argument(
        "--fail-if",
        metavar="LIMIT",
        type=_limit,
        action="append",
        default=[],
        help="exit 1 when it holds for a configuration: METRIC>+N%% or METRIC>+N against the first, METRIC>N; "
        f"metrics: {', '.join(METRICS)}",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cmtnoise lab",
        description="Boots each configuration in a domain, sweeps there, and sets the cost of the tick in each beside the "
        "others: in instructions, the same again each time.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "configurations",
        metavar="CONFIGURATION",
        nargs="+",
        help="PROFILE[+TICK...]: a profile of 'cmtnoise domain list' or a file such as ./mine.toml, with tick configurations on "
        f"top; or a lab: one that comes along ({', '.join(lab_asked.names())}), a file, or the folder of one, to print it again",
    )
    parser.add_argument("-k", "--kernels", metavar="KERNELS", type=_kernels, help="measure these (default: as each profile says)")
    parser.add_argument(
        "--os-kernel",
        metavar="FILE",
        action="append",
        help="the OS kernel that each Linux guest boots, such as arch/x86/boot/bzImage, instead of its profile's; given several "
        "times, each configuration with each of them",
    )
    parser.add_argument("--kernel", action=_Neither, help=argparse.SUPPRESS)
    parser.add_argument("-r", "--reps", metavar="N", type=whole(1, 10**7), help="repetitions of each record")
    parser.add_argument(
        "--repeat",
        metavar="N",
        type=whole(1, lab_asked.ROUNDS_MOST),
        help="boot and measure each N times, and say whether they agree",
    )
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", type=folder_name, help="the lab's folder; what is finished there is not run again"
    )
    parser.add_argument(
        "-j", "--jobs", metavar="N", type=whole(1, 4096), help=f"cells at once (default: {cores()}, a strand each)"
    )
    parser.add_argument("--timeout", metavar="S", type=seconds, help="seconds until a cell's machine is ended")
    _add_output(parser)
    return parser


def _said(text: str) -> None:
    print(printable_lines(f"cmtnoise: {text}"), file=sys.stderr, flush=True)


def _judge(table: Table, every: Sequence[Limit]) -> bool:
    """Whether all limits hold; those that do not are told."""
    held = True
    for limit in every:
        told, beside = limits.broken(table, limit)
        for line in told:
            _said(f"limit broken: {line}")
        for line in beside:
            _said(line)
        held = held and not told
    return held


def _print(folder: Path, options: argparse.Namespace, asked: Asked) -> bool:
    """Prints the table; whether it tells of every cell and its limits hold."""
    table = table_of(load_lab(folder), asked.rate)
    print(FORMATS[options.format](table), end="", flush=True)
    if options.page:
        from cmtnoise.lab.page import as_html

        write_whole(folder / PAGE, as_html(table).encode("utf-8", "replace"))
        print(printable(str(folder / PAGE)), file=sys.stderr)
    return _judge(table, [limits.parse(text) for text in asked.limits]) and not table.missing


def _given(options: argparse.Namespace) -> dict[str, object]:
    return {
        "kernels": options.kernels,
        "repetitions": options.reps,
        "rounds": options.repeat,
        "rate": options.rate,
        "limits": tuple(options.fail_if),
        "os_kernels": tuple(options.os_kernel or ()),
    }


def _show(folder: Path, options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """A lab that is there."""
    for name in ("kernels", "reps", "repeat", "os_kernel", "output", "jobs", "timeout"):
        if getattr(options, name) is not None:
            parser.error(
                f"--{name.replace('_', '-')} has no place with a lab's folder, of which nothing is run: name its configurations"
            )
    table_holds = _print(folder, options, lab_asked.changed(Asked(()), _given(options)))
    return 0 if table_holds and load_lab(folder).status == "complete" else 1


def _run(options: argparse.Namespace, words: Sequence[str]) -> int:
    asked = lab_asked.changed(lab_asked.read(options.configurations), _given(options))
    for text in asked.limits:
        try:
            limits.parse(text)
        except ValueError as error:
            raise DomainError(f"fail_if: {error}") from None
    found = lab_asked.configurations(asked)
    given = options.configurations[0] if len(options.configurations) == 1 else ""
    path = options.output or default_folder(given if given in lab_asked.names() else "")
    folder = LabFolder(path, asked, found, ["cmtnoise", "lab", *words])
    if not options.output:
        _said(f"the lab's folder is {path}")
    work = Work(asked, found, options.jobs or cores(), options.timeout, Progress(options.quiet), _said)
    with folder.opened():
        try:
            whole = run_cells(work, folder)
        except process.Stopped:
            done = sum(cell.status == "complete" for cell in folder.cells)
            _said(f"{done} of {len(folder.cells)} cells are finished and stay; the same command with --output {path} goes on")
            raise
        holds = _print(path, options, asked)
    if not whole:
        failed = sum(cell.status == "failed" for cell in folder.cells)
        _said(f"{failed} of {len(folder.cells)} cells failed; the same command with --output {path} tries them again")
    return 0 if whole and holds else 1


def _folder(words: Sequence[str], parser: argparse.ArgumentParser) -> Path | None:
    """The folder of a lab that is to be printed again, None where configurations are named."""
    folders = [Path(word) for word in words if Path(word).is_dir() and ("/" in word or is_lab(Path(word)))]
    if folders and len(words) > 1:
        parser.error(f"{folders[0]} is a folder: that of a lab is named alone, to print it again; a configuration is none")
    return folders[0] if folders else None


def lab(arguments: Sequence[str]) -> None:
    parser = _parser()
    options = parser.parse_args(arguments)
    folder = _folder(options.configurations, parser)
    process.catch_signals()
    try:
        sys.exit(_show(folder, options, parser) if folder else _run(options, arguments))
    except DomainError as error:
        _said(str(error))
        sys.exit(error.exit_status)
    except process.Stopped as stopped:
        print(f"cmtnoise: broken off by {stopped}", file=sys.stderr)
        sys.exit(stopped.code)


if __name__ == "__main__":
    main_of(lab)
