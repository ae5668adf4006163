"""Writes a run in a form that other viewers open."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cmtnoise.cli import main_of
from cmtnoise.files import write_whole
from cmtnoise.perfetto import as_trace
from cmtnoise.run import load


def export(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="cmtnoise export",
        description="Writes the peaks and the OS's events of a run as a trace, and prints its name. The Perfetto viewer opens it "
        "(ui.perfetto.dev, which works on the file locally), and so does chrome://tracing.",
        epilog="example: cmtnoise export --perfetto results/20261121T053012Z-host-measured",
    )
    parser.add_argument("--perfetto", action="store_true", required=True, help="the form: Chrome's JSON trace format")
    parser.add_argument("run", metavar="RUN", help="a run folder")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="default: RUN/trace.json")
    options = parser.parse_args(arguments)
    run = load(options.run)
    path: Path = options.output or run.path / "trace.json"
    write_whole(path, as_trace(run).encode())
    print(path)


if __name__ == "__main__":
    main_of(export)
