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


ZOOMED = ((640, 360), (320, 256))
"""A window of 1280 × 720 at 200 %, and one of 1280 × 1024 at 400 %."""

OUT_OF_SIGHT = """() => {
    let e = document.activeElement;
    while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    const {x, y, width, height} = e.getBoundingClientRect(), [left, top] = [x + width / 2, y + height / 2];
    let seen = document.elementFromPoint(left, top);
    while (seen?.shadowRoot?.elementFromPoint(left, top)) seen = seen.shadowRoot.elementFromPoint(left, top);
    return !seen || !(e.contains(seen) || seen.contains(e) || e.closest('label')?.contains(seen));
}"""
"""Whether the middle of what has the focus is out of the window or under something else."""


def out_of_sight(page: Page, *, most: int = 90) -> list[str]:
    """What a walk with Tab through a page has the focus on without showing it; the page itself does not count."""
    missed: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement === document.body"):
            return missed
        if page.evaluate("() => document.activeElement.id !== 'stMain'") and page.evaluate(OUT_OF_SIGHT):
            missed.append(focused(page))
    raise AssertionError(f"a walk through the page is not over after {most} tabs")


def tab_to(page: Page, wanted: str, *, most: int = 60) -> None:
    """Press Tab until the focus is on something of that name."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if re.search(wanted, focused(page)):
            return
    raise AssertionError(f"{wanted!r} is not reached with {most} tabs; the focus is on {focused(page)!r}")
