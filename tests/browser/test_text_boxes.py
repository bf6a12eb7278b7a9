"""The finder of unreadable labels finds each kind of fault that is planted, and nothing on a page without one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.text_boxes import Fault, faults_of_text

SHEET = "<svg width='200' height='60'>{}</svg>"
PLANTED = {
    "lies on": SHEET.format("<text x='10' y='30'>first</text><text x='20' y='33'>second</text>"),
    "sticks out of its picture": SHEET.format("<text x='170' y='30'>much too long</text>"),
    "is cut": "<p style='width: 4rem; overflow: hidden; white-space: nowrap'>much too long for this</p>",
    "is shortened": "<input style='width: 4rem' value='much too long for this'>",
    "sticks out of its place": "<button style='width: 3rem; white-space: nowrap'>much too long</button>",
    "sticks out of the window": "<p style='position: absolute; left: -1rem'>begins outside</p>",
    "scrolls sideways": "<p style='width: 50rem'>wider than the page</p>",
    "is broken inside a word": "<p style='width: 3rem; overflow-wrap: anywhere'>incomprehensibly</p>",
    "stands in a narrow column": "<div data-testid='stColumn' style='width: 60px'>12</div>",
    "is behind a scroll bar that no key reaches": "<div style='width: 4rem; overflow: auto'><p style='width: 9rem'>"
    "one after the other</p></div>",
}
SOUND = (
    SHEET.format("<text x='10' y='20'>first</text><text x='10' y='40'>second</text>")
    + "<p style='width: 6rem'>several lines of words one after the other</p><input value='short'><button>Do it</button>"
    "<div tabindex='0' role='region' aria-label='Table' style='width: 6rem; overflow: auto'><p style='width: 9rem'>"
    "one after the other</p></div>"
    "<details><summary>Fold</summary>"
    "<p style='width: 1rem; overflow: hidden; white-space: nowrap'>not to be seen</p></details>"
)


def found_on(browser: Browser, content: str) -> list[Fault]:
    page = browser.new_page(viewport={"width": 360, "height": 400})
    try:
        main = f"<div data-testid='stMain' style='overflow: auto; height: 400px'>{content}</div>"
        page.set_content(f"<body style='margin: 0'>{main}</body>")
        return faults_of_text(page)
    finally:
        page.close()


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_fault_is_found(browser: Browser, kind: str) -> None:
    assert kind in [fault.kind for fault in found_on(browser, SOUND + PLANTED[kind])]


def test_a_fault_below_the_fold_is_found(browser: Browser) -> None:
    below = "<div style='height: 60rem'></div>" + PLANTED["lies on"]
    assert [fault.kind for fault in found_on(browser, below)] == ["lies on"]


def test_nothing_is_found_where_all_can_be_read(browser: Browser) -> None:
    assert found_on(browser, SOUND) == []
