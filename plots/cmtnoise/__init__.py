"""Reads cmtnoise runs and records (results/FORMAT.md); draws and summarises them.

import cmtnoise
run = cmtnoise.load("results/20261121T053012Z-host-measured")
for record in run.records:
    print(record.strand, record.kernel, cmtnoise.summarise(record).noise_share)
"""

from cmtnoise.record import Record, RecordError, read_record
from cmtnoise.run import Run, RunError, load
from cmtnoise.stats import Summary, summarise

__all__ = ["Record", "RecordError", "Run", "RunError", "Summary", "load", "read_record", "summarise"]
