"""What projectors show of each activity, small and large ones: all of it in sight, in type to be read from afar."""

from __future__ import annotations

import re
from functools import reduce
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.answered_room import ASKED, answered
from tests.browser.conftest import OpenPage, at_rest, resting_boxes, shown, violations
from tests.browser.keyboard import unreached_when_zoomed
from tests.browser.trees import approved_tree, assert_heard_first, drawn, tree_of
from tests.each import each
from ui.rooms.codes import wall_key
from ui.rooms.meeting import Phase
from ui.rooms.store import store

SIZES = ((1280, 720), (1920, 1080))
SMALLEST, ANSWER, IN_PICTURES = 1 / 45, 1 / 29, 1 / 60
"""Heights of type as shares of the wall's: of whatever is read, of the answer, and at an axis.

A picture is drawn with letters of one height, which a browser's zoom makes larger.
"""
WRITTEN = """() => [...document.querySelectorAll('.st-key-riskline-wall *')]
    .filter(node => [...node.childNodes].some(one => one.nodeType === 3 && one.data.trim()))
    .map(node => ({node, box: node.getBoundingClientRect()}))
    .filter(({node, box}) => box.width > 1 && box.height > 1 && box.top < innerHeight && box.bottom > 0
        && getComputedStyle(node).visibility !== 'hidden' && !node.closest('style'))
    .map(({node, box}) => {
        const size = parseFloat(getComputedStyle(node).fontSize);
        const whole = box.left >= 0 && box.right <= innerWidth + 1
            && (node instanceof SVGElement || node.scrollWidth <= node.clientWidth + 1);
        const drawn = node instanceof SVGElement;
        return {words: node.textContent.trim(), share: size / innerHeight, drawn, whole};
    })
    .filter(({share}) => share > 0)"""
"""Every text in sight with the height of its type as a share of the window's, and whether its line is whole."""


def whole_and_large(wall: Page, width: int, height: int, parts: tuple[str, ...]) -> None:
    """At this size each part is in sight as a whole, no line is cut, and all type is large enough."""
    wall.set_viewport_size({"width": width, "height": height})
    at_rest(wall)
    together = reduce(Locator.or_, [wall.locator(part).first for part in parts])  # what is waited for rests at once
    found = resting_boxes(together)
    assert len(found) == len(parts)
    for box in found:
        assert box["x"] >= 0, parts
        assert box["x"] + box["width"] <= width + 1, parts
        assert box["y"] >= 0, parts
        assert box["y"] + box["height"] <= height, (parts, found)
    written: list[dict[str, Any]] = wall.evaluate(WRITTEN)
    assert [text["words"] for text in written if not text["whole"]] == []
    assert [text for text in written if text["share"] < (IN_PICTURES if text["drawn"] else SMALLEST)] == []
    answer = " ".join(wall.locator(".riskline-answer").inner_text().split())
    assert max(text["share"] for text in written if text["words"] in (answer, answer.split(".")[0])) >= ANSWER, answer
    rows = wall.locator(".ytick text")
    boxes = sorted(resting_boxes(rows), key=lambda box: box["y"]) if rows.count() else []
    assert all(upper["y"] + upper["height"] <= lower["y"] + 3 for upper, lower in pairwise(boxes))


@pytest.mark.tree
@each("kind", ASKED)
def test_a_projector_of_720_or_1080_lines_shows_question_then_result_whole_and_large(
    kind: str, open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, key, _ = answered(kind, monkeypatch)
    wall = open_page(f"{app}/room?code={code}&wall={wall_key(key)}&type=large", width=1280, height=720)
    for width, height in SIZES:
        whole_and_large(wall, width, height, (".riskline-question", ".riskline-answer", ".riskline-code strong"))
    store().set_phase(code, key, 1, Phase.SHOWN)
    expect(wall.get_by_role("figure").first).to_be_visible()
    joining = shown(wall, re.compile("^Join at"))
    tables = () if kind in ("prediction", "proof") else (".riskline-table",)
    for width, height in SIZES[::-1]:
        whole_and_large(wall, width, height, (".riskline-answer", "[role=figure]", "[role=figure] svg", *tables))
        expect(joining).to_be_in_viewport(ratio=1)
    assert violations(wall) == []
    drawn(wall)
    heard = tree_of(wall.locator("#stMain"))
    said = " ".join(wall.locator(".riskline-answer").inner_text().split())
    assert heard[2].startswith(f"paragraph: {said[:40]}"), "heard first: where one is, what was asked, what came of it"
    if kind == "vote":  # with the longest words
        assert unreached_when_zoomed(wall) == []
    wall.close()
    approved_tree(f"room_{kind}_wall", heard, "room")


@pytest.mark.tree
@each("kind", ASKED)
def test_a_phone_is_told_what_is_asked_before_what_to_press(
    kind: str, open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, last = answered(kind, monkeypatch)
    phone = open_page(f"{app}/join?code={code}&me={last}", width=360, height=740)
    assert violations(phone) == []
    drawn(phone)
    heard = tree_of(phone.locator("#stMain"))
    question, answer = (phone.locator(f".riskline-{part}").first.inner_text() for part in ("page", "answer"))
    phone.close()
    assert_heard_first(heard, question, answer, presses="button")
    approved_tree(f"room_{kind}_phone", heard, "room")
