"""The report as one HTML page that needs nothing else: no network, no other file.

from cmtnoise.page import as_html
page = as_html(cmtnoise.load("results/20261121T053012Z-host-measured"))
"""

from cmtnoise.page.build import as_html

__all__ = ["as_html"]
