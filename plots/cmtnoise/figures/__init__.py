"""Figures of a run. A figure is one module here: NAME, a docstring whose first line is its title, and draw()."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Protocol, cast

from matplotlib.figure import Figure

from cmtnoise.run import Run


class FigureModule(Protocol):
    """What a figure's module offers."""

    NAME: str

    def draw(self, run: Run, kernel: str) -> Iterator[tuple[str, Figure]]:
        """Yields (file name without ending, figure); ``kernel`` is the one to show where a figure shows one."""


def modules() -> dict[str, FigureModule]:
    """Every figure there is, by its NAME."""
    found = [
        cast(FigureModule, importlib.import_module(f"{__name__}.{module.name}"))
        for module in pkgutil.iter_modules(__path__)
        if not module.name.startswith("_")
    ]
    return {module.NAME: module for module in found}
