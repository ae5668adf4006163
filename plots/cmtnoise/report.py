"""The report of a run: its table as text, Markdown, JSON or CSV, or the page."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from cmtnoise.causes import UNEXPLAINED, Causes, causes_of
from cmtnoise.cli import main_of, printable
from cmtnoise.counted import FIGURES, WHY, by_counts
from cmtnoise.files import write_whole
from cmtnoise.quieting import misconfigured, quieting, shortfalls
from cmtnoise.record import Record, RecordError
from cmtnoise.run import Run, RunError, load
from cmtnoise.stats import summarise
from cmtnoise.verdict import verdicts

COLUMNS = (
    "strand",
    "core",
    "kernel",
    "baseline_us",
    "median_us",
    "p99_us",
    "max_us",
    "noise_percent",
    "peaks",
    "timer",
    "timer_hz",
)
HEADS = ("strand", "core", "kernel", "baseline µs", "median µs", "p99 µs", "max µs", "noise %", "peaks", "timer irqs", "per s")
NAMED_MOST = 6  # records that a remark names, and causes that are listed
Row = dict[str, object]


def _name(record: Record) -> str:
    return record.kernel if record.round == 1 else f"{record.kernel} round {record.round}"


def row_of(record: Record) -> Row:
    """One line of the table. ``timer`` is the timer interrupts that the OS counted, ``timer_hz`` that in a second."""
    s = summarise(record)
    timer = record.counted("timer_interrupts")
    return {
        "strand": record.strand,
        "core": record.core,
        "kernel": printable(_name(record)),
        "baseline_us": round(s.baseline_us, 3),
        "median_us": round(s.median_us, 3),
        "p99_us": round(s.p99_us, 3),
        "max_us": round(s.max_us, 3),
        "noise_percent": round(100 * s.noise_share, 3),
        "peaks": s.peaks,
        "timer": timer,
        "timer_hz": None if timer is None else round(timer / record.counted_s(), 1),
    }


def rows_of(run: Run) -> list[Row]:
    order = {kernel: number for number, kernel in enumerate(run.kernels)}
    return [row_of(record) for record in sorted(run.records, key=lambda r: (order[r.kernel], r.strand, r.round))]


def strand_rows_of(run: Run) -> list[Row]:
    """One line a strand over all its kernels: the worst, the share of all time lost, and all timer interrupts."""
    rows: list[Row] = []
    for strand in run.strands:
        records = [record for record in run.records if record.strand == strand]
        summaries = [summarise(record) for record in records]
        span_s = sum(record.span_s() for record in records)
        lost_s = sum(s.noise_share * record.span_s() for s, record in zip(summaries, records, strict=True))
        counted = [record.counted("timer_interrupts") for record in records]
        timer = None if None in counted else sum(number for number in counted if number is not None)
        rows.append(
            {key: None for key in COLUMNS}
            | {
                "strand": strand,
                "core": records[0].core,
                "kernel": "all",
                "max_us": round(max(s.max_us for s in summaries), 3),
                "noise_percent": round(100 * lost_s / span_s, 3),
                "peaks": sum(s.peaks for s in summaries),
                "timer": timer,
                "timer_hz": None if timer is None else round(timer / sum(record.counted_s() for record in records), 1),
            }
        )
    return rows


def title(run: Run) -> str:
    parts = [f"{run.label}: {run.fact('host', 'name')}", run.fact("host", "cpu"), run.system()]
    return printable(", ".join(part for part in parts if part))


def remarks(run: Run) -> list[str]:
    """What a reader has to know besides the table: status, problems, warnings (one on many records told once)."""
    lines = []
    if run.status != "complete":
        detail = run.info.get("status_detail")
        lines.append(f"this run is {run.status}" + (f": {detail}" if detail else ""))
    lines += run.problems
    lines += [f"{step.get('kernel')} was skipped: {step.get('reason')}" for step in run.info.get("skipped", ())]
    lines += [FIGURES] if by_counts(run) else []
    lines += [str(warning) for warning in run.info.get("warnings", ())]
    where: dict[str, list[str]] = {}
    for record in run.records:
        for warning in record.warnings:
            where.setdefault(warning.partition(":")[0], []).append(f"strand {record.strand} {record.kernel}")
    for kind, records in where.items():
        rest = f" and {len(records) - NAMED_MOST} more" if len(records) > NAMED_MOST else ""
        lines.append(f"{kind}: {', '.join(records[:NAMED_MOST])}{rest}")
    return [printable(line) for line in lines]


def verdict_lines(run: Run) -> list[str]:
    """The verdict on each strand, what the OS says otherwise, and what its tick configuration lacks."""
    lines = [f"{WHY}:"] if by_counts(run) else []
    for verdict in verdicts(run):
        lines.append(f"strand {verdict.strand}{':' if verdict.judged_by == 'counts' else ''} {verdict.words}")
        lines += [f"DISAGREEMENT: {said}" for said in verdict.disagreements]
    return lines + [f"MISCONFIGURED: {said}" for said in misconfigured(run)]


def quieting_lines(run: Run) -> list[str]:
    """What would quiet the strands that tick, once for all of them; and what was asked for and is not in force."""
    return [*shortfalls(run), *(one.words() for one in quieting(run, verdicts(run)))]


def causes_of_records(run: Run) -> tuple[list[tuple[Record, Causes]], list[str]]:
    """The records whose events were traced, with what explains their peaks; and what is wrong with damaged event files."""
    found, problems = [], []
    for record in run.records:
        try:
            causes = causes_of(record)
        except RecordError as error:
            problems.append(printable(str(error)))
            continue
        if causes:
            found.append((record, causes))
    return found, problems


def _strand_causes(strand: int, traced: list[Causes]) -> str:
    """One sentence over all records of a strand."""
    peaks = sum(len(causes.cause_of) for causes in traced)
    unexplained = sum(causes.cause_of.count(UNEXPLAINED) for causes in traced)
    by_cause: dict[str, tuple[int, float]] = {}
    for cause in (cause for causes in traced for cause in causes.by_cause):
        count, total = by_cause.get(cause.name, (0, 0.0))
        by_cause[cause.name] = count + cause.count, total + cause.total_us
    lost = sum(total for _, total in by_cause.values())
    taken = sum(causes.coverage_time * sum(cause.total_us for cause in causes.by_cause) for causes in traced)
    if not peaks or not lost:
        return f"strand {strand}: no peaks to explain"
    ordered = sorted(by_cause.items(), key=lambda item: -item[1][1])
    parts = [f"{name} {100 * total / lost:.0f} % ({count})" for name, (count, total) in ordered[:NAMED_MOST]]
    rest = sum(total for _, (_, total) in ordered[NAMED_MOST:])
    parts += [f"{len(ordered) - NAMED_MOST} others {100 * rest / lost:.0f} %"] if rest else []
    held, hit = (sum(getattr(causes, key) for causes in traced) for key in ("timer_repetitions", "timer_found"))
    dropped = sum(causes.lost for causes in traced)
    share = 100 * (1 - unexplained / peaks)
    said = (
        f"strand {strand}: OS events explain {peaks - unexplained} of {peaks} peaks ({share:.0f} %), and by their own clock "
        f"{100 * taken / lost:.0f} % of the peaks' time; {hit} of {held} repetitions with a timer interrupt are ticks of the "
        f"fit; the peaks' time by cause: {', '.join(parts)}"
    )
    return printable(said + (f"; the OS dropped {dropped} events" if dropped else ""))


def cause_lines(run: Run) -> list[str]:
    """What explains the peaks of each strand; a damaged event file is told, not fatal."""
    found, problems = causes_of_records(run)
    lines = []
    for strand in run.strands:
        traced = [causes for record, causes in found if record.strand == strand]
        lines += [_strand_causes(strand, traced)] if traced else []
    return lines + problems


def cause_rows(run: Run) -> list[Row]:
    """What explains the peaks of each record, for JSON."""
    keys = ("source", "coverage_count", "coverage_time", "timer_events", "timer_repetitions", "timer_found", "lost")
    return [
        {"strand": record.strand, "kernel": printable(record.kernel), "round": record.round}
        | {key: getattr(causes, key) for key in keys}
        | {key: [asdict(cause) for cause in getattr(causes, key)] for key in ("by_cause", "by_event")}
        for record, causes in causes_of_records(run)[0]
    ]


def _cell(key: str, value: object) -> str:
    if value is None:
        return "-"
    if key.endswith("_us") or key == "noise_percent":
        return f"{value:.2f}"
    return str(value)


def _cells(rows: list[Row]) -> list[list[str]]:
    return [[_cell(key, row[key]) for key in COLUMNS] for row in rows]


def as_text(run: Run) -> str:
    strands = _cells(strand_rows_of(run)) if len(run.kernels) > 1 else []
    records = _cells(rows_of(run))
    widths = [max(len(line[i]) for line in [list(HEADS), *strands, *records]) for i in range(len(HEADS))]
    lines = [title(run), ""]
    for line in [list(HEADS), *strands, *([[""] * len(HEADS)] if strands else []), *records]:
        cells = [c.ljust(w) if HEADS[i] == "kernel" else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
    lines += ["", *verdict_lines(run)]
    causes, notes = cause_lines(run), remarks(run)
    lines += ["", *causes] if causes else []
    quiet = quieting_lines(run)
    lines += ["", *quiet] if quiet else []
    return "\n".join(lines + ([""] + [f"note: {note}" for note in notes] if notes else [])) + "\n"


def as_markdown(run: Run) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = ["---" if head == "kernel" else "---:" for head in HEADS]
    lines = [title(run), "", line(HEADS), line(rule), *map(line, _cells(strand_rows_of(run) + rows_of(run)))]
    told = [*verdict_lines(run), *cause_lines(run), *quieting_lines(run), *remarks(run)]
    return "\n".join(lines + [""] + [f"- {note}" for note in told]) + "\n"


def as_json(run: Run) -> str:
    facts = {"label": run.label, "status": run.status, "host": run.info["host"], "tick": run.info["tick"]}
    found = verdicts(run)
    parts = {
        "strands": strand_rows_of(run),
        "records": rows_of(run),
        "judged": WHY if by_counts(run) else None,
        "verdicts": [verdict.as_dict() for verdict in found],
        "quieting": [one.as_dict() for one in quieting(run, found)],
        "not_in_force": shortfalls(run),
        "misconfigured": misconfigured(run),
        "causes": cause_rows(run),
        "remarks": remarks(run),
    }
    return json.dumps({**facts, **parts}, indent=2) + "\n"


def as_csv(run: Run) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, ("label", *COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows({"label": printable(run.label), **row} for row in rows_of(run))
    return out.getvalue()


FORMATS: dict[str, Callable[[Run], str]] = {"text": as_text, "md": as_markdown, "json": as_json, "csv": as_csv}


def write_page(run: Run, output: Path | None) -> Path:
    """Writes the page, by default into the run's folder, and returns its path."""
    try:
        from cmtnoise.page import as_html  # only the page needs these packages
    except ModuleNotFoundError as error:
        if error.name not in ("jinja2", "markupsafe", "plotly"):
            raise
        raise RunError("the page needs Python with jinja2 and plotly: run 'make deps', or pip install jinja2 plotly") from None
    path = output or run.path / "report.html"
    write_whole(path, as_html(run).encode())
    return path


def report(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="cmtnoise report",
        description="Says why each strand of a run is noisy. Prints a table (for each strand and kernel how long a repetition "
        "takes undisturbed, what disturbed ones take, the share of time lost to noise, the timer interrupts the OS counted), the "
        "verdict on each strand and what explains its peaks; and writes the same with figures as a page, RUN/report.html.",
        epilog="example: cmtnoise report results/20261121T053012Z-host-measured",
    )
    parser.add_argument("run", metavar="RUN", help="a run folder")
    parser.add_argument(
        "--format", choices=(*FORMATS, "html"), help="only this: text, md, json, csv on standard output, or the page"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="where to write the page (default: RUN/report.html)")
    options = parser.parse_args(arguments)
    if options.output and options.format not in (None, "html"):
        parser.error(f"-o is for the page; --format {options.format} is printed")
    run = load(options.run)
    if options.format != "html":
        print(FORMATS[options.format or "text"](run), end="", flush=True)
    if options.format == "html":
        print(write_page(run, options.output))
    elif options.format is None:
        print(f"\ncmtnoise: the same with figures: {printable(str(write_page(run, options.output)))}", file=sys.stderr)


if __name__ == "__main__":
    main_of(report)
