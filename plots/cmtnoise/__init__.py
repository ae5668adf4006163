"""Reads cmtnoise runs and records (results/FORMAT.md); analyses, draws and compares them.

import cmtnoise
run = cmtnoise.load("results/20261121T053012Z-host-measured")
for record in run.records:
    analysis = cmtnoise.analyse(record)
    print(record.strand, record.kernel, analysis.noise_share, [source.rate_hz for source in analysis.sources])
"""

from cmtnoise.analysis import Analysis, Interval, PeriodicSource, analyse
from cmtnoise.causes import Cause, Causes, causes_of
from cmtnoise.record import Record, RecordError, read_record
from cmtnoise.run import Run, RunError, load
from cmtnoise.stats import Summary, summarise
from cmtnoise.verdict import Verdict, verdicts

__all__ = [
    "Analysis",
    "Cause",
    "Causes",
    "Interval",
    "PeriodicSource",
    "Record",
    "RecordError",
    "Run",
    "RunError",
    "Summary",
    "Verdict",
    "analyse",
    "causes_of",
    "load",
    "read_record",
    "summarise",
    "verdicts",
]
