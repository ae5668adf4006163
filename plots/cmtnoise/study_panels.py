"""The panels of the study's figures: which records stand below each other, and what each is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cmtnoise.analysis import analyse
from cmtnoise.cli import printable
from cmtnoise.record import Record
from cmtnoise.run import Run
from cmtnoise.stats import summarise
from cmtnoise.study_evidence import cost_of, first_of
from cmtnoise.study_runs import ROLE_OF, ROLES, Runs, nanoseconds_an_instruction

MAIN = ("sparc-linux+hz250", "sparc-linux+hz100", "t1-bare")
CONTROLS = ("t1-bare", "t1-bare-tick250", "t1-bare-tick100")
SILICON = tuple(role.name for role in ROLES if not role.emulated)


@dataclass(frozen=True)
class Panel:
    """One record: ``title`` says what was run, ``says`` what its peaks are."""

    role: str
    run: Run
    record: Record
    title: str
    says: str


def _says(run: Run, record: Record) -> str:
    """What the record's own peaks are, in a few words."""
    analysis, rate = analyse(record), first_of(run).verdict.rate_hz
    cost = cost_of(record, rate) if rate else None
    if not rate or cost is None:
        peaks = int(analysis.peaks.size)
        return "no peaks" if not peaks else f"{peaks} peaks, not periodic"
    step = nanoseconds_an_instruction(run)
    path = f", {1e3 * cost / step:,.0f} instructions" if step else ""
    return f"a peak each {1e3 / rate:.2f} ms{path}, +{100 * cost / analysis.baseline_us:.1f} %"


def _panel(role: str, run: Run, kernel: str) -> Panel | None:
    record = next((record for record in run.of_kernel(kernel)), None)
    if record is None:
        return None
    strand = f", strand {record.strand}" if len(run.strands) > 1 else ""
    return Panel(role, run, record, printable(ROLE_OF[role].words + strand), _says(run, record))


def panels(runs: Runs, names: Sequence[str], kernel: str) -> list[Panel]:
    """The panels of that kernel, in the order of the names; runs and records that are not there are left out."""
    made = (_panel(name, runs.found[name], kernel) for name in names if name in runs.found)
    return [panel for panel in made if panel is not None]


def kernels(runs: Runs) -> list[str]:
    """Every kernel that some run has, the study's own first."""
    found = dict.fromkeys(kernel for run in runs.found.values() for kernel in run.kernels)
    return sorted(found, key=lambda kernel: kernel != "add")


def speed(run: Run) -> str:
    """How the run's clock goes, in words."""
    step = nanoseconds_an_instruction(run)
    return f"{1e3 / step:,.4g} million instructions a second" if step else "its clock's own time"


def top_us(shown: Sequence[Panel]) -> float:
    """Upper end of their common duration axis: what the ticks cost is seen, and one stall does not flatten it."""
    tops = []
    for panel in shown:
        summary, rate = summarise(panel.record), first_of(panel.run).verdict.rate_hz
        cost = (cost_of(panel.record, rate) if rate else None) or 0.0
        reach = min(summary.max_us - summary.baseline_us, 2 * cost)
        tops.append(summary.baseline_us + max(1.1 * reach, 0.04 * summary.baseline_us))
    return max(tops)
