"""The machine as a map: packages, their cores, and the strands of each, coloured by noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cmtnoise.page.text import name, percent
from cmtnoise.run import Run
from cmtnoise.verdict import Verdict

LEVELS = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)  # shares that part the map's colours (report.css: .level-0 ...)
COUNTED_LEVELS = {"ticks": 4}  # the colour of a strand that is judged by counts; else the first


def level(share: float) -> int:
    return sum(share >= edge for edge in LEVELS)


def legend() -> list[dict[str, Any]]:
    edges = [f"{100 * edge:g}" for edge in LEVELS]
    words = [f"below {edges[0]} %", *(f"{a} to {b} %" for a, b in zip(edges, edges[1:], strict=False)), f"{edges[-1]} % or more"]
    return [{"level": number, "words": text} for number, text in enumerate(words)]


def _states(run: Run) -> dict[int, str]:
    """What run.json says of a strand's state; the values may be anything."""
    topology = run.info.get("topology")
    strands = topology.get("strands") if isinstance(topology, dict) else None
    found = {}
    for place in strands if isinstance(strands, list) else ():
        if isinstance(place, dict) and isinstance(place.get("strand"), int):
            found[place["strand"]] = str(place.get("state") or "")
    return found


def _strand(strand: int, verdict: Verdict | None, state: str) -> dict[str, Any]:
    if verdict is None:
        told = "not measured" + (f", {name(state)}" if state and state != "usable" else "")
        return {"strand": strand, "level": None, "words": told}
    if verdict.judged_by == "counts":
        words = "not counted" if verdict.timer_interrupts is None else f"{verdict.timer_interrupts:,} timer irqs"
        return {"strand": strand, "level": COUNTED_LEVELS.get(verdict.kind, 0), "words": words, "kind": verdict.kind}
    share = verdict.noise_share
    return {"strand": strand, "level": level(share), "words": f"{percent(share)} %", "kind": verdict.kind}


def packages(run: Run, found: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Packages with their cores with their strands, each in ascending order; strands without a verdict were not measured."""
    verdict_of, states = {verdict.strand: verdict for verdict in found}, _states(run)
    place_of = {strand: (package, core) for package, core, strand in run.places()}
    place_of |= {verdict.strand: (verdict.package, verdict.core) for verdict in found}
    cores: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for strand in sorted(place_of):
        shown = _strand(strand, verdict_of.get(strand), states.get(strand, ""))
        cores.setdefault(place_of[strand], []).append(shown)
    by_package: dict[int, list[dict[str, Any]]] = {}
    for package, core in sorted(cores):
        by_package.setdefault(package, []).append({"core": core, "strands": cores[package, core]})
    return [{"package": package, "cores": cores_found} for package, cores_found in by_package.items()]


def unplaced(run: Run) -> list[str]:
    """Strands whose place the operating system does not tell, such as those that are offline."""
    placed = {strand for _, _, strand in run.places()} | set(run.strands)
    states = sorted((strand, state) for strand, state in _states(run).items() if strand not in placed)
    return [f"{strand} ({name(state)})" if state else str(strand) for strand, state in states]
