"""`cmtnoise domain`: lists, builds and runs domains, and reads what a domain wrote."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from cmtnoise.cli import main_of, printable

from cmtnoise_domain import bare, linux, process, profile
from cmtnoise_domain.arguments import count, folder, seconds, time_ns
from cmtnoise_domain.errors import DomainError
from cmtnoise_domain.profile import Profile
from cmtnoise_domain.request import Request
from cmtnoise_domain.shape import ACCELS, Changes

KINDS: dict[str, ModuleType] = {"bare": bare, "linux": linux}
EPILOG = """examples:
  cmtnoise domain list
  cmtnoise domain run t1-bare
  cmtnoise domain run t1-bare-tick250 -o results/ticking -- --kernels add,mul --reps 5000
  cmtnoise domain run x86-debian-cloud --os-kernel arch/x86/boot/bzImage
  cmtnoise domain run ./mine.toml --accel auto
  cmtnoise domain read x86-bare serial.log"""


def _sweep_parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"{prog} PROFILE --", add_help=False, allow_abbrev=False)
    parser.add_argument("-r", "--reps", type=count)
    parser.add_argument("-q", "--quantum", type=time_ns)
    parser.add_argument("-n", "--iterations", type=count)
    parser.add_argument("-k", "--kernels")
    parser.add_argument("-s", "--strands")
    parser.add_argument("--together", action="store_true")
    return parser


def _changes(prog: str, words: Sequence[str]) -> Changes:
    parser = _sweep_parser(prog)
    options, others = parser.parse_known_args(words)
    if others:
        parser.error(
            f"{others[0]} is no option of a sweep in a domain; those are --reps, --quantum, --iterations, --kernels, "
            "--strands and --together"
        )
    return Changes(
        repetitions=options.reps,
        quantum_ns=options.quantum,
        iterations=options.iterations,
        kernels=options.kernels,
        strands=options.strands,
        together=options.together,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cmtnoise domain",
        description="Runs a sweep in a domain: a place other than this host, such as the static-thread runtime on an emulated "
        "machine. A profile says what the domain is; the result is an ordinary run folder.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="the profiles there are")
    listing.add_argument("--json", action="store_true", help="print the table as JSON")
    after = (
        "After --, options of `cmtnoise sweep` that change the profile: -r N, -q TIME, -n N, -k KERNELS, -s STRANDS, --together."
    )
    for name, words in (("build", "build what a profile needs, and print its folder"), ("run", "run a sweep, print the folder")):
        action = actions.add_parser(name, help=words, epilog=after)
        action.add_argument("profile", metavar="PROFILE", help="a name of the list, or a file such as ./mine.toml")
        action.add_argument(
            "--os-kernel",
            "--kernel",
            metavar="FILE",
            type=Path,
            help="the OS kernel of a Linux guest, such as arch/x86/boot/bzImage, instead of the profile's",
        )
        if name == "run":
            action.add_argument("--accel", choices=ACCELS, help="how QEMU runs the machine (default: as the profile says)")
            action.add_argument("-o", "--output", metavar="FOLDER", type=folder, help="the run folder to make")
            action.add_argument("--timeout", metavar="S", type=seconds, help="seconds until the machine is ended")
            action.add_argument("--quiet", action="store_true", help="no progress and no remarks on standard error")
    reading = actions.add_parser("read", help="make a run folder of a captured console, such as of a serial line")
    reading.add_argument("profile", metavar="PROFILE", help="what was run")
    reading.add_argument("console", metavar="CONSOLE-FILE", type=Path, help="what came from the console")
    reading.add_argument("-o", "--output", metavar="FOLDER", type=folder, help="the run folder to make")
    return parser


def kind_of(found: Profile) -> ModuleType:
    if found.kind not in KINDS:
        raise found.fault(f"there is no kind {found.kind!r}; kinds are {', '.join(KINDS)}", "kind")
    return KINDS[found.kind]


def describe(name: str) -> dict[str, Any]:
    """A profile, checked by its kind, as a line of the table."""
    found = profile.load(name)
    return {"name": found.name, "kind": found.kind, **kind_of(found).describe(found), "description": found.description}


def _list(as_json: bool) -> int:
    """A profile that is wrong is told and left out."""
    rows, code = [], 0
    for name in profile.names():
        try:
            rows.append(describe(name))
        except DomainError as error:
            print(printable(f"cmtnoise: {error}"), file=sys.stderr)
            code = 1
    if as_json:
        print(json.dumps({"profiles": rows}, indent=2))
        return code
    heads = ["name", "kind", "machine", "strands", "tick", "description"]
    table = [heads]
    for row in rows:
        hz = row["tick_hz"]
        tick = "the OS's" if hz is None else f"{hz} Hz" if hz else "none"
        table.append([str({**row, "tick": tick}[head]) for head in heads])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        print("  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip())
    return code


def domain(arguments: Sequence[str]) -> None:
    words = list(arguments)
    cut = words.index("--") if "--" in words else len(words)
    parser = _parser()
    options = parser.parse_args(words[:cut])
    if words[cut:] and options.action not in ("build", "run"):
        parser.error(f"{options.action} takes no options of a sweep")
    if options.action == "list":
        sys.exit(_list(options.json))
    changes = _changes(f"cmtnoise domain {options.action}", words[cut + 1 :])
    request = Request(
        command=["cmtnoise", "domain", *words],
        output=getattr(options, "output", None),
        accel=getattr(options, "accel", None),
        timeout_s=getattr(options, "timeout", None),
        quiet=getattr(options, "quiet", False),
        changes=changes,
    )
    process.catch_signals()
    try:
        found = profile.load(options.profile)
        kind = kind_of(found)
        if getattr(options, "os_kernel", None):
            found = kind.with_os_kernel(found, options.os_kernel)
        if options.action == "build":
            print(kind.build(found, request))
            return
        sys.exit(kind.read(found, options.console, request) if options.action == "read" else kind.run(found, request))
    except DomainError as error:  # of several lines: what make said
        print("\n".join(map(printable, f"cmtnoise: {error}".split("\n"))), file=sys.stderr)
        sys.exit(error.exit_status)
    except process.Stopped as stopped:
        print(f"cmtnoise: broken off by {stopped}", file=sys.stderr)
        sys.exit(stopped.code)


if __name__ == "__main__":
    main_of(domain)
