"""The report's page in headless Chromium, for its tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, sync_playwright

Scheme = Literal["light", "dark"]


class Opened:
    """A page that is open. ``complaints``: what it wrote to the console, its errors, and every request but for itself."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def _dialog(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("data:", "blob:")) and not request.is_navigation_request():
            self.complaints.append(f"request: {request.url[:200]}")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def drawn(self, selector: str) -> str:
        """Text in a figure, where ``text`` knows only what is laid out as HTML."""
        return self.page.text_content(selector) or ""

    def value(self, script: str) -> Any:
        return self.page.evaluate(script)

    def traces(self) -> dict[str, int]:
        """Number of traces of each figure that is shown."""
        script = "Object.fromEntries([...document.querySelectorAll('.plot')].map(p => [p.id, p.data ? p.data.length : 0]))"
        return dict(self.value(script))

    def overflows(self) -> bool:
        return bool(self.value("document.documentElement.scrollWidth > window.innerWidth"))


@contextmanager
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        pytest.skip("there is no browser: install chromium or google-chrome")
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not start as root; the pages are this project's own.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, file: Path, width: int = 1280, scheme: Scheme = "light") -> Iterator[Opened]:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = Opened(context.new_page())
    page.page.goto(file.resolve().as_uri())
    yield page
    context.close()
