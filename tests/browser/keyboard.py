"""What a reader without a mouse does: where the focus is, and how it gets somewhere."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.browser.text_boxes import SCRIPT


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
    e = e.closest('canvas') ?? e; // a cell of a grid is drawn on it
    const {x, y, width, height} = e.getBoundingClientRect(), [left, top] = [x + width / 2, y + height / 2];
    let seen = document.elementFromPoint(left, top);
    while (seen?.shadowRoot?.elementFromPoint(left, top)) seen = seen.shadowRoot.elementFromPoint(left, top);
    const around = e.closest(e.tagName === 'CANVAS' ? '[data-testid="stDataFrame"]' : 'label'); // a layer lies on it
    return !seen || !(e.contains(seen) || seen.contains(e) || around?.contains(seen));
}"""
"""Whether the middle of what has the focus is out of the window or under something else."""


UNREACHED = """() => {
    const roots = [document.body];
    for (const root of roots)
        for (const one of root.querySelectorAll('*')) if (one.shadowRoot) roots.push(one.shadowRoot);
    const CONTROLS = 'button, input, textarea, summary, a[href]:not([href^="#"]), [tabindex="0"]';
    const whole = [...document.querySelectorAll('html, [data-testid="stMain"]')];
    const wide = whole.some(one => one.scrollWidth > one.clientWidth);
    const unreached = one => {
        one.scrollIntoView({block: 'center'});
        const shown = one.closest('label') ?? one, {left, right, top, bottom} = shown.getBoundingClientRect();
        const x = (left + right) / 2, y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
        if (left < -1 || right > innerWidth + 1) return true;
        let seen = document.elementFromPoint(x, y);
        while (seen?.shadowRoot?.elementFromPoint(x, y)) seen = seen.shadowRoot.elementFromPoint(x, y);
        return !seen || !(shown.contains(seen) || seen.contains(shown));
    };
    return [...(wide ? ['the page scrolls sideways'] : []), ...roots
        .flatMap(root => [...root.querySelectorAll(CONTROLS)])
        .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && one.tabIndex >= 0)
        .filter(one => !one.closest('[data-testid="stSidebar"]') && unreached(one))
        .map(one => one.getAttribute('aria-label') || one.textContent.trim() || one.outerHTML)];
}"""
"""Whether a page scrolls sideways as a whole, and the controls on it that scrolling up and down does not bring out."""


def unreached_when_zoomed(page: Page) -> list[str]:
    """What of a page as it stands is out of reach at 200 % and 400 %; afterwards its window is as large as before."""
    before, found = page.viewport_size, []
    for width, height in ZOOMED:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(f"{SCRIPT}.still()")
        found += [f"{width} × {height}: {fault}" for fault in page.evaluate(UNREACHED)]
    assert before is not None
    page.set_viewport_size(before)
    return found


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
