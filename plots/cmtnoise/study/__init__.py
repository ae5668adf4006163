"""The statements of the study that this project began with, held against runs (docs/study.md).

from cmtnoise.study import judge_all, load_runs
for one in judge_all(load_runs("results/reference")):
    print(one.statement.name, one.finding.verdict, one.finding.found)
"""

from cmtnoise.study.finding import AGREES, DIFFERS, NO_RUN, UNSHOWN, Finding
from cmtnoise.study.runs import Runs, load_runs
from cmtnoise.study.statements import STATEMENTS, Judged, Statement, judge_all

__all__ = [
    "AGREES",
    "DIFFERS",
    "NO_RUN",
    "STATEMENTS",
    "UNSHOWN",
    "Finding",
    "Judged",
    "Runs",
    "Statement",
    "judge_all",
    "load_runs",
]
