"""The attendants' page in the machine's own Chromium: what a person sees, and what the browser complains of."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
DESKTOP, PHONE = (1280, 800), (390, 844)
TIMEOUT_MS = 30_000


@dataclass  # without slots: the driver leaves a mark on whatever it calls
class Opened:
    """A page, and what its console said that no user should meet."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


def executable() -> str:
    """Debian's, or whatever the variable CHROMIUM names."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.fail("no Chromium here: apt-get install chromium-headless-shell, or name one in CHROMIUM", pytrace=False)
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Closed at the end. As root, as in CI, its own sandbox cannot be."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=arguments)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, address: str, *, size: tuple[int, int] = DESKTOP, dark: bool = False) -> Iterator[Opened]:
    """The address in a browser profile of its own, as in São Paulo."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        locale="pt-BR",
        timezone_id="America/Sao_Paulo",
    )
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    shown = Opened(page)
    page.on("console", shown.note)
    page.on("pageerror", lambda error: shown.complaints.append(str(error)))
    page.goto(address)
    yield shown
    context.close()
