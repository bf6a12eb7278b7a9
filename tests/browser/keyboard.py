"""What a reader without a mouse does: where the focus is, and how it gets somewhere."""

from __future__ import annotations

import re

from playwright.sync_api import Page


def focused(page: Page) -> str:
    """What the focus is on, as a screen reader would name it."""
    return str(
        page.evaluate(
            """() => {
                let e = document.activeElement;
                while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
                return e ? (e.getAttribute('aria-label') || e.innerText || e.tagName) : '';
            }"""
        )
    )


def tab_to(page: Page, wanted: str, *, most: int = 60) -> None:
    """Press Tab until the focus is on something of that name."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if re.search(wanted, focused(page)):
            return
    raise AssertionError(f"{wanted!r} is not reached with {most} tabs; the focus is on {focused(page)!r}")
