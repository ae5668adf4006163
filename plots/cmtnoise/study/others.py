"""What the study says of Solaris and of no operating system, held against runs."""

from __future__ import annotations

from cmtnoise.analysis import analyse
from cmtnoise.run import Run
from cmtnoise.study.evidence import Ticks, first_of, longest_excess, near, strands_of
from cmtnoise.study.finding import Finding, judged, labels, unshown

SOLARIS_HZ = 100
# What the study says a tick costs at most, on its strand and on others of the core: 30 % and 10 %. It tells whole per cents.
STRAND_MOST, CORE_MOST = 0.305, 0.105
STEADY = 0.01  # of a repetition: more than that and it is not uniform, or has a peak
UNSTEADY_BASELINE = 0.01  # of the quantum that was asked for


def uniform(run: Run) -> Finding:
    """Whether undisturbed repetitions last what they should, all alike."""
    off = {record.kernel: abs(analyse(record).baseline_us * 1e3 / record.quantum_ns - 1) for record in run.records}
    longer = {record.kernel: longest_excess(record) for record in run.records}
    worst = max(longer, key=lambda kernel: longer[kernel])
    repetitions = sum(record.duration_counts.size for record in run.records)
    found = (
        f"{repetitions:,} repetitions of {len(run.kernels)} kernels: baselines at most {100 * max(off.values()):.2f} % from the "
        f"{run.records[0].quantum_ns / 1e3:g} µs asked for; the longest repetition, of {worst}, "
        f"{100 * longer[worst]:.3f} % above its baseline"
    )
    good = max(off.values()) <= UNSTEADY_BASELINE and max(longer.values()) <= STEADY
    return judged(
        good,
        found,
        run.label,
        "It shows the loop and the runtime below it. An emulator's instructions all take the same time; a T1's do not.",
    )


def _blind(control: Run, hz: int) -> str:
    tick = first_of(control)
    return "" if tick.good(hz) else f"the control of {hz} Hz does not show its own ticks ({tick.words()})"


def _quiet(tick: Ticks, run: Run) -> bool:
    longest = max(longest_excess(record) for record in run.records if record.strand == tick.verdict.strand)
    return tick.verdict.kind == "quiet" and longest <= STEADY


def quiet_without_os(run: Run, control250: Run, control100: Run) -> Finding:
    strands = strands_of(run)
    found = "; ".join(f"strand {tick.verdict.strand}: {tick.verdict.words}" for tick in strands[:3])
    if not all(_quiet(tick, run) for tick in strands):
        return judged(False, found, run.label, "Something disturbs, where nothing should run.")
    blind = [said for said in (_blind(control250, 250), _blind(control100, 100)) if said]
    if blind:
        return unshown(f"No peaks may be blindness: {'; '.join(blind)}.", found, labels(run, control250, control100))
    shown = ", ".join(f"{t.verdict.found} of {t.verdict.expected} at {hz} Hz" for hz, t in _controls(control250, control100))
    return judged(
        True,
        f"{found}. The controls show their ticks: {shown}",
        labels(run, control250, control100),
        "It is this project's runtime, made as Netra DPS is said to be: threads fixed to strands when it is built, no scheduler. "
        "The controls are the same with a tick, so that no peaks is no blindness.",
    )


def _controls(control250: Run, control100: Run) -> list[tuple[int, Ticks]]:
    return [(250, first_of(control250)), (100, first_of(control100))]


def quiet_everywhere(run: Run) -> Finding:
    strands = strands_of(run)
    if len(strands) < 2:
        return unshown("The run has one strand; it takes several.", strands[0].words(), run.label)
    loud = [tick for tick in strands if not _quiet(tick, run)]
    found = f"{len(strands) - len(loud)} of {len(strands)} strands are quiet"
    found += "".join(f"; strand {tick.verdict.strand}: {tick.verdict.words}" for tick in loud[:3])
    return judged(not loud, found, run.label, "No strand has an OS.")


def _ticking(run: Run) -> list[Ticks]:
    return [tick for tick in strands_of(run) if tick.verdict.kind == "ticks" and near(tick.verdict.rate_hz, SOLARIS_HZ)]


def solaris_strand(run: Run) -> Finding:
    ticking = _ticking(run)
    if len(ticking) != 1:
        return judged(False, f"{len(ticking)} strands tick at {SOLARIS_HZ} Hz", run.label, "The study has one, strand 0.")
    (tick,) = ticking
    share = tick.verdict.cost_share or 0.0
    return judged(
        share <= STRAND_MOST, f"{tick.words()}; {100 * share:.1f} % of a repetition each", run.label, "Times of this machine."
    )


def solaris_core(run: Run) -> Finding:
    ticking = _ticking(run)
    places = {(tick.verdict.package, tick.verdict.core) for tick in ticking}
    mates = [t for t in strands_of(run) if (t.verdict.package, t.verdict.core) in places and t.verdict.kind != "ticks"]
    if not mates:
        return unshown("No strand was measured that shares the core of a ticking one.", label=run.label)
    found = "; ".join(f"strand {tick.verdict.strand}: {tick.verdict.words}" for tick in mates[:4])
    good = all(tick.verdict.kind == "slowed" and (tick.verdict.cost_share or 1.0) <= CORE_MOST for tick in mates)
    return judged(good, found, run.label, "These strands take no timer interrupt: what they lose, they lose to the core.")


def solaris_elsewhere(run: Run) -> Finding:
    ticking = _ticking(run)
    places = {(tick.verdict.package, tick.verdict.core) for tick in ticking}
    others = [tick for tick in strands_of(run) if (tick.verdict.package, tick.verdict.core) not in places]
    if not ticking or not others:
        return unshown("No strand was measured on another core than a ticking one.", label=run.label)
    hit = [tick for tick in others if near(tick.verdict.rate_hz, SOLARIS_HZ)]
    found = f"{len(others) - len(hit)} of {len(others)} strands of other cores have no peaks at {SOLARIS_HZ} Hz"
    found += "".join(f"; strand {tick.verdict.strand}: {tick.verdict.words}" for tick in hit[:3])
    return judged(not hit, found, run.label, "What cores share (the second-level cache, the memory) is not enough for a peak.")
