"""The folder of a lab (results/FORMAT.md, lab_version 1): cells, each an ordinary run folder, and lab.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmtnoise.run import Run, RunError, load

VERSION = 1
FILE = "lab.json"
STATES = ("pending", "running", "complete", "failed")
BYTES_MOST = 1 << 24


class LabError(RunError):
    """A folder that is no lab; the text names the file and what is wrong with it."""


@dataclass(frozen=True)
class Cell:
    """One boot of one configuration. ``folder`` is the run's, in the lab's; ``reason`` says why a cell failed, its console's last
    lines below."""

    configuration: str
    round: int
    folder: str
    status: str
    reason: str


@dataclass(frozen=True)
class Lab:
    """A lab as it stands; ``asked`` is what was asked for."""

    path: Path
    info: Mapping[str, Any]
    cells: tuple[Cell, ...]

    @property
    def status(self) -> str:
        return str(self.info["status"])

    @property
    def configurations(self) -> list[str]:
        """In the order in which they were asked for; the others are held against the first."""
        return list(dict.fromkeys(cell.configuration for cell in self.cells))

    def of(self, configuration: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.configuration == configuration]

    def runs(self, configuration: str) -> tuple[list[Run], list[str]]:
        """The runs of a configuration's finished cells, by round, and why a cell has none."""
        runs, problems = [], []
        for cell in self.of(configuration):
            if cell.status != "complete":
                words = cell.reason.partition("\n")[0] or f"this cell is {cell.status}"
                problems.append(f"{_name(cell)}: {words}")
                continue
            try:
                runs.append(load(self.path / cell.folder))
            except (RunError, OSError) as error:
                problems.append(f"{_name(cell)}: {error}")
        return runs, problems


def _name(cell: Cell) -> str:
    return cell.configuration if cell.round == 1 else f"{cell.configuration} round {cell.round}"


def _cell(file: Path, number: int, told: object) -> Cell:
    texts = [told.get(key) for key in ("configuration", "folder", "status")] if isinstance(told, dict) else []
    if not isinstance(told, dict) or not all(isinstance(text, str) and text and text.isprintable() for text in texts):
        raise LabError(f"{file}: cells[{number}] names no configuration, folder and status")
    if "/" in told["folder"] or told["folder"] in (".", ".."):
        raise LabError(f"{file}: cells[{number}] names no folder of this lab")
    if told["status"] not in STATES:
        raise LabError(f"{file}: cells[{number}]: status is {told['status'][:40]!r}; it is one of {', '.join(STATES)}")
    if not isinstance(told.get("round"), int) or told["round"] < 1:
        raise LabError(f"{file}: cells[{number}] has no round from 1")
    return Cell(told["configuration"], told["round"], told["folder"], told["status"], str(told.get("reason") or ""))


def is_lab(path: Path) -> bool:
    return (path / FILE).is_file()


def load_lab(path: str | Path) -> Lab:
    """Loads a lab's folder; LabError for what is none."""
    path = Path(path)
    file = path / FILE
    try:
        with file.open("rb") as opened:
            info = json.loads(opened.read(BYTES_MOST))
    except FileNotFoundError:
        raise LabError(f"{file}: not there: {path} is no folder of cmtnoise lab") from None
    except (ValueError, RecursionError) as error:
        raise LabError(f"{file}: is no JSON: {error}") from None
    if not isinstance(info, dict) or info.get("lab_version") != VERSION:
        version = info.get("lab_version") if isinstance(info, dict) else None
        raise LabError(f"{file}: lab_version is {version!r}; this reader knows {VERSION}")
    for key, kind in (("status", str), ("asked", dict), ("cells", list)):
        if not isinstance(info.get(key), kind):
            raise LabError(f"{file}: '{key}' is missing or no {kind.__name__}")
    cells = tuple(_cell(file, number, told) for number, told in enumerate(info["cells"]))
    if not cells:
        raise LabError(f"{file}: the lab has no cells")
    return Lab(path, info, cells)
