"""What `cmtnoise lab` keeps, read again: the tick's cost in each configuration, as a table, a gate and a page.

from cmtnoise.lab import load_lab, table_of
table = table_of(load_lab("results/ticks"))
for row in table.rows:
    print(row.configuration, row.kernel, row.instructions, row.p95)
"""

from cmtnoise.lab.cost import TickCost, tick_cost
from cmtnoise.lab.folder import Cell, Lab, LabError, load_lab
from cmtnoise.lab.table import Row, Table, table_of

__all__ = ["Cell", "Lab", "LabError", "Row", "Table", "TickCost", "load_lab", "table_of", "tick_cost"]
