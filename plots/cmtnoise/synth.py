"""Writes a run whose noise is known, with the truth beside each record: to try the analysis, or another tool, on."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

from cmtnoise.cli import main_of
from cmtnoise.recipe import SEED, Machine, read_recipe
from cmtnoise.run import TICK_KEYS, RunError
from cmtnoise.synthetic import Bursts, Recipe, Tick, make, placed, record_text, truth_text

WITH_RECIPE = ("recipe", "output")


def _numbers(text: str, least: int, most: int) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(":")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"wants numbers with colons between; got {text!r}") from None
    if not least <= len(numbers) <= most or any(not 0 <= number < 1e9 for number in numbers) or numbers[0] == 0:
        raise argparse.ArgumentTypeError(f"wants {least} to {most} numbers, none negative, the first above 0; got {text!r}")
    return numbers


def _tick(text: str) -> Tick:
    return Tick(*_numbers(text, 2, 7))


def _bursts(text: str) -> Bursts:
    bursts = Bursts(*_numbers(text, 2, 5))
    if bursts.size < 1:
        raise argparse.ArgumentTypeError(f"SIZE, the occurrences in a burst, is at least 1; got {text!r}")
    return bursts


def _share(text: str) -> float:
    return _numbers(f"1:{text}", 2, 2)[1]


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 10**8:
        raise argparse.ArgumentTypeError(f"wants a whole number from 1 to 100000000; got {text!r}")
    return int(text)


def _run_json(machine: Machine, plan: list[dict[str, object]]) -> str:
    moment = "2026-01-01T00:00:00.000000Z"
    recipe = machine.recipes[0]
    places = [(strand, strand // machine.strands_a_core) for strand in range(len(machine.recipes))]
    info = {
        "run_version": 1,
        "status": "complete",
        "status_detail": None,
        "label": "modelled",
        "started": moment,
        "finished": moment,
        "tool": {"name": "cmtnoise synth"},
        "options": {"repetitions": recipe.repetitions, "quantum_ns": recipe.quantum_ns, "seed": machine.seed},
        "host": dict(machine.host),
        "tick": dict(machine.tick),
        "topology": {
            "source": "modelled",
            "strands": [{"strand": strand, "core": core, "package": 0, "state": "usable"} for strand, core in places],
            "hwloc_xml": None,
        },
        "skipped": [],
        "plan": plan,
        "warnings": [],
    }
    return json.dumps(info, indent=2) + "\n"


def write_machine(folder: Path, machine: Machine) -> None:
    """Writes the run, run.json last. A folder that exists is an error: nothing is overwritten."""
    if os.path.lexists(folder):
        raise RunError(f"{folder} exists already: name another folder with --output, or remove it first")
    plan: list[dict[str, object]] = []
    for strand, recipe in enumerate(machine.recipes):
        try:
            record, truth = make(recipe, machine.seed + strand, strand)
        except ValueError as error:
            raise RunError(f"this recipe makes no record: {error}") from None
        record = placed(record, strand // machine.strands_a_core, machine.host["name"], machine.host["os"])
        (folder / "records").mkdir(parents=True, exist_ok=bool(strand))
        name = f"records/strand{strand}-add"
        (folder / f"{name}.tsv").write_text(record_text(record), encoding="utf-8")
        (folder / f"{name}.truth.tsv").write_text(truth_text(recipe, truth), encoding="utf-8")
        plan.append({"strand": strand, "kernel": "add", "file": f"{name}.tsv"})
    if machine.text:
        (folder / "recipe.toml").write_text(machine.text, encoding="utf-8")
    (folder / "run.json").write_text(_run_json(machine, plan), encoding="utf-8")


def write(folder: Path, recipe: Recipe, seed: int, strands: int) -> None:
    """Writes a run of strands that all suffer the same, each a core."""
    host = {"name": "modelled", "os": "none", "cpu": "none"}
    write_machine(folder, Machine(strands, 1, (recipe,) * strands, seed, host, dict.fromkeys(TICK_KEYS), ""))


def synth(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="cmtnoise synth",
        description="Writes a run with known noise (label modelled), and the truth of each record as records/NAME.truth.tsv. "
        "Costs are shares of the quantum.",
        epilog="example: cmtnoise synth --tick 250:0.02 --tick 10:0.1 --bursts 125:0.02 --drift 0.05 -o known; "
        "or, each strand in its own way, cmtnoise synth --recipe known/recipe.toml -o known-again",
    )
    parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, required=True, help="the run folder to make")
    parser.add_argument(
        "--recipe", metavar="FILE", type=Path, help="what each strand suffers, in a TOML file, instead of the options below"
    )
    parser.add_argument("-r", "--reps", metavar="N", type=_count, default=1000, help="repetitions (default: 1000)")
    parser.add_argument("--strands", metavar="N", type=_count, default=1, help="records, each with its own seed (default: 1)")
    parser.add_argument(
        "--tick",
        metavar="HZ:COST[:SPREAD[:JITTER_S[:LOST[:DELAYED:DELAY_S]]]]",
        type=_tick,
        action="append",
        default=[],
        help="a periodic source; may be given several times",
    )
    parser.add_argument(
        "--bursts",
        metavar="HZ:COST[:SPREAD[:SIZE[:TAIL]]]",
        type=_bursts,
        action="append",
        default=[],
        help="random noise; may be given several times",
    )
    parser.add_argument("--width", metavar="SHARE", type=_share, default=5e-4, help="scatter of a repetition (default: 0.0005)")
    parser.add_argument("--drift", metavar="SHARE", type=_share, default=0.0, help="rise of the baseline over the record")
    parser.add_argument("--timer-step", metavar="COUNTS", type=_count, default=1, help="the timer advances in such steps")
    parser.add_argument("--seed", metavar="N", type=_count, default=SEED, help="the same seed gives the same run (default: 1)")
    options = parser.parse_args(arguments)
    others = sorted(
        name for name, value in vars(options).items() if value != parser.get_default(name) and name not in WITH_RECIPE
    )
    if options.recipe and others:
        parser.error(f"--recipe says all there is to say; leave out --{others[0].replace('_', '-')}")
    if options.recipe:
        write_machine(options.output, read_recipe(options.recipe))
    else:
        recipe = Recipe(
            repetitions=options.reps,
            ticks=tuple(options.tick),
            bursts=tuple(options.bursts),
            width=options.width,
            drift=options.drift,
            timer_step=options.timer_step,
        )
        write(options.output, recipe, options.seed, options.strands)
    print(options.output)


if __name__ == "__main__":
    main_of(synth)
