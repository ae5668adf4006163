"""Draws the figures of a run into its folder."""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from cmtnoise.cli import main_of, printable
from cmtnoise.figures import modules
from cmtnoise.files import write_whole
from cmtnoise.run import Run, RunError, load

# No dates in the files: the same run gives the same bytes.
METADATA = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
ENDINGS = ("png", "svg")


def encoded(figure: Figure, ending: str) -> bytes:
    """The figure as the content of a file with that ending, one of METADATA's."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format=ending, dpi=150, metadata=METADATA[ending])
    return drawn.getvalue()


def save(figure: Figure, folder: Path, stem: str) -> list[Path]:
    """Writes the figure in every format, each whole or not at all."""
    written = []
    for ending in ENDINGS:
        path = folder / f"{stem}.{ending}"
        write_whole(path, encoded(figure, ending))
        written.append(path)
    return written


def choose_kernel(run: Run, wanted: str | None) -> str:
    """The kernel that figures of one kernel show: the one wanted, else add, else the first."""
    if not run.records:
        raise RunError(f"{run.path}: has no records that could be drawn: " + "; ".join(run.problems[:2]))
    if wanted is None:
        return "add" if "add" in run.kernels else run.kernels[0]
    if wanted not in run.kernels:
        raise RunError(f"{run.path}: has no records of kernel '{wanted}'; it has {', '.join(run.kernels)}")
    return wanted


def plot(arguments: Sequence[str]) -> None:
    figures = modules()
    parser = argparse.ArgumentParser(
        prog="cmtnoise plot",
        description="Draws the figures of a run folder, as PNG and SVG, and prints their names.",
        epilog="example: cmtnoise plot results/20261121T053012Z-host-measured --kernel load_l2",
    )
    parser.add_argument("run", metavar="RUN", help="a run folder")
    parser.add_argument("--kernel", metavar="NAME", help="the kernel to show (default: add)")
    parser.add_argument("--figure", choices=figures, help="only this figure (default: all)")
    parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, help="default: RUN/figures")
    options = parser.parse_args(arguments)
    run = load(options.run)
    kernel = choose_kernel(run, options.kernel)
    folder: Path = options.output or run.path / "figures"
    folder.mkdir(exist_ok=True)
    for name, module in figures.items():
        if options.figure in (None, name):
            for stem, figure in module.draw(run, kernel):
                for path in save(figure, folder, printable(stem).replace(os.sep, "_")):
                    print(path)


if __name__ == "__main__":
    main_of(plot)
