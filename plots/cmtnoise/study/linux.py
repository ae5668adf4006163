"""What the study says of Linux, held against runs."""

from __future__ import annotations

import numpy as np

from cmtnoise.rates import instruction_hz
from cmtnoise.readings import in_words
from cmtnoise.run import Run
from cmtnoise.study.evidence import Ticks, cost_of, first_of, near, strands_of
from cmtnoise.study.finding import MODELLED, Finding, judged, labels, unshown

STUDY_HZ, OTHER_HZ = 250, 100
SLOWDOWN, MOST = 0.2, 0.3  # of a repetition's time: what the study says of ticks at least and at most
TICKS_LEAST = 0.9  # of all peaks that have to be ticks, if the ticks are to be what disturbs
EDGE = 2  # interrupts a record that may come between the OS's counter and the first or last stamp, where it does not tell when
SAME_COST = 0.05  # what ticks under two kernels may differ and be called the same
EXACT = "The emulator counts instructions, so when a tick comes is exact, and the same each time."


def same_under_all(run: Run) -> Finding:
    """Whether each kernel shows the same ticks."""
    tick = first_of(run)
    rate, strand = tick.verdict.rate_hz, tick.verdict.strand
    costs = {r.kernel: cost_of(r, rate) if rate else None for r in run.records if r.strand == strand}
    if len(costs) < 2:
        return unshown("The run has one kernel; it takes two.", label=run.label)
    hz = instruction_hz(run)
    unit = "instructions" if hz else "µs"
    told = {kernel: "none" if cost is None else _number(1e-6 * cost * hz if hz else cost) for kernel, cost in costs.items()}
    known = [cost for cost in costs.values() if cost is not None]
    same = len(known) == len(costs) and max(known) <= (1 + SAME_COST) * min(known)
    found = f"{unit} a tick (median): " + ", ".join(f"{kernel} {cost}" for kernel, cost in told.items())
    return judged(
        same,
        found,
        run.label,
        "The path of the tick does not depend on what it interrupts. What it costs a loop that lives off a cache cannot be shown "
        "without a cache.",
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def peaks_at_250(run: Run) -> Finding:
    tick = first_of(run)
    return judged(tick.good(STUDY_HZ), tick.words(), run.label, EXACT)


def peaks_at_both(fast: Run, slow: Run) -> Finding:
    ticks = {STUDY_HZ: first_of(fast), OTHER_HZ: first_of(slow)}
    found = "; ".join(f"built for {hz} Hz: {tick.words()}" for hz, tick in ticks.items())
    return judged(
        all(tick.good(hz) for hz, tick in ticks.items()),
        found,
        labels(fast, slow),
        "The study says it of Solaris, whose clock ticks 100 times a second. Here it is the same Linux, built twice: only the "
        "rate of its clock differs.",
    )


def _counted(tick: Ticks) -> tuple[bool, str]:
    counted, found = tick.counted, tick.verdict.found
    told = f"strand {tick.verdict.strand}: the OS counted {'no' if counted is None else counted} timer interrupts"
    told += f", {in_words(tick.countable)} ticks were due meanwhile" if tick.countable else ""
    told += f", {found} of {tick.peaks} peaks are ticks"
    enough = found >= TICKS_LEAST * tick.peaks > 0 and tick.verdict.kind == "ticks"
    least, most = tick.countable or (found - EDGE * tick.records, found + EDGE * tick.records)
    return counted is not None and enough and least <= counted <= most, told


def peaks_are_interrupts(fast: Run, slow: Run) -> Finding:
    results = {STUDY_HZ: _counted(first_of(fast)), OTHER_HZ: _counted(first_of(slow))}
    return judged(
        all(good for good, _ in results.values()),
        "; ".join(f"{hz} Hz, {told}" for hz, (_, told) in results.items()),
        labels(fast, slow),
        "The OS counts around each record. An interrupt between its counter's reading and the first or last repetition has no "
        "peak.",
    )


def slowdown_emulated(run: Run) -> Finding:
    """The tick's path at the instruction rate that the emulator was set to."""
    tick, hz = first_of(run), instruction_hz(run)
    if hz is None:
        return unshown("The run did not count instructions, and an emulator's clock says nothing.", tick.words(), run.label)
    if not tick.share.size:
        return judged(False, tick.words(), MODELLED, "There is no tick that could cost anything.")
    path = 1e-6 * float(np.median(tick.cost_us)) * hz
    quantum_us = float(np.median(tick.cost_us / tick.share))
    share, most = float(np.median(tick.share)), float(tick.share.max())
    found = (
        f"{path:,.0f} instructions a tick (median): at {1e-6 * hz:,.4g} million instructions a second that is "
        f"{100 * share:.1f} % of a repetition, {100 * most:.1f} % at most"
    )
    why = (
        "The path is counted, the rate of instructions is assumed. Such a tick costs over "
        f"{100 * SLOWDOWN:.0f} % below {path / SLOWDOWN / quantum_us:,.0f} million instructions a second, and no more than the "
        f"abstract's {100 * MOST:.0f} % from {path / MOST / quantum_us:,.0f} million on. Which rate a T1's strand reaches "
        "there only a T1 can tell; and the study's Linux was another one."
    )
    return judged(share > SLOWDOWN, found, MODELLED, why)


def slowdown_on_silicon(run: Run) -> Finding:
    ticking = [tick for tick in strands_of(run) if tick.share.size and tick.verdict.kind == "ticks"]
    if not ticking:
        return judged(False, first_of(run).words(), run.label, "No strand has a tick.")
    worst = max(ticking, key=lambda tick: float(tick.share.max()))
    most, usual = float(worst.share.max()), float(np.median(worst.share))
    found = (
        f"strand {worst.verdict.strand}: a tick costs {100 * usual:.1f} % of a repetition (median), {100 * most:.1f} % at most"
    )
    return judged(most > SLOWDOWN, found, run.label, "Times of this machine and this Linux.")


def every_strand(run: Run) -> Finding:
    strands = strands_of(run)
    if len(strands) < 2:
        return unshown("The run has one strand; it takes several.", strands[0].words(), run.label)
    rate = max((tick.verdict.rate_hz or 0.0) for tick in strands)
    lacking = [tick for tick in strands if tick.verdict.kind != "ticks" or not near(tick.verdict.rate_hz, rate)]
    found = f"{len(strands) - len(lacking)} of {len(strands)} strands tick, at {rate:.1f} Hz"
    found += "".join(f"; {tick.words()}" for tick in lacking[:3])
    return judged(not lacking, found, run.label, "Each strand was measured in its turn.")
