"""What all pages of this package share: their own files, what may run in them, and how their templates show text."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from cmtnoise.page.text import shown

HERE = Path(__file__).parent


def own(file: str, folder: Path = HERE) -> str:
    """A file that comes with the package, as text."""
    return (folder / file).read_text(encoding="utf-8")


def style(*sheets: str) -> str:
    """The style sheet of a page: what all share, then its own."""
    return "".join([own("base.css"), *sheets])


def policy(scripts: Iterable[str] = ()) -> str:
    """The content security policy: no network at all, and no script but these, whatever a record brings into the page."""
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{one}'" for one in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _shown(value: Any) -> Any:
    """Applied to everything that a template shows."""
    return value if isinstance(value, Markup) else shown(str(value))


def template(file: str, folder: Path = HERE) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        finalize=_shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(file)
