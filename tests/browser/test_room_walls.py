"""What projectors show of each activity, small and large ones: all of it in sight, in type to be read from afar."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOMS_FOLDER, OpenPage, at_rest, resting_boxes, shown, violations
from tests.browser.keyboard import unreached_when_zoomed
from tests.each import each
from ui.rooms.codes import new_key, wall_key
from ui.rooms.meeting import Phase
from ui.rooms.store import store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import text_of, values_of

PEOPLE = 24
GROUPS = ("agency", "advocates", "clerks")
SIZES = ((1280, 720), (1920, 1080))
SMALLEST, ANSWER, IN_PICTURES = 1 / 45, 1 / 29, 1 / 60
"""Heights of type as shares of the wall's: of whatever is read, of the answer, and at an axis.

A picture is drawn with letters of one height, which a browser's zoom makes larger.
"""
OPTIONS = [
    f"At most {after} in 100 (ε = {epsilon})" for after, epsilon in ((22, 0.81), (34, 1.39), (37, 1.55), (52, 2.15))
]
ASKED = {
    "line": ("", [f"line_points=0.1~{share}" for share in ("0.2", "0.25", "0.3", "0.35", "0.4", "0.5")]),
    "prediction": ("prediction_lesson=45_1", ["number=1", "number=8", "number=50"]),
    "coin_survey": ("coin_survey_statement=I+copied+a+sheet.", ["coin_survey_said=yes", "coin_survey_said=no"]),
    "attack": ("attack_seed=3", ["attack_bets=" + "1n2f3c1n2f3c1n2f3c1n", "attack_bets=" + "3c" * 10]),
    "proof": ("", ["proof_guesses=" + guesses for guesses in ("ioioi", "iiooi", "oo")]),
    "understanding": ("", ["understanding_said=010", "understanding_said=101"]),
    "vote": (urlencode({"vote_options": "; ".join(OPTIONS)}), [urlencode({"vote_choice": one}) for one in OPTIONS]),
}
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
    for part in parts:
        for box in resting_boxes(wall.locator(part).first):
            assert box["x"] >= 0, part
            assert box["x"] + box["width"] <= width + 1, part
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= height, (part, box)
    written: list[dict[str, Any]] = wall.evaluate(WRITTEN)
    assert [text["words"] for text in written if not text["whole"]] == []
    assert [text for text in written if text["share"] < (IN_PICTURES if text["drawn"] else SMALLEST)] == []
    answer = " ".join(wall.locator(".riskline-answer").inner_text().split())
    assert max(text["share"] for text in written if text["words"] in (answer, answer.split(".")[0])) >= ANSWER, answer
    rows = wall.locator(".ytick text")
    boxes = sorted(resting_boxes(rows), key=lambda box: box["y"]) if rows.count() else []
    assert all(upper["y"] + upper["height"] <= lower["y"] + 3 for upper, lower in pairwise(boxes))


def answered(kind: str) -> tuple[str, str]:
    """A room whose people, of three groups, have answered one activity: its code and its moderator's key."""
    rooms = store()
    opened = rooms.open_room(list(GROUPS))
    code, key = opened.code, opened.moderator_key
    activity, (typed, answers) = ACTIVITIES[kind], ASKED[kind]
    settings = values_of(activity.settings, typed)
    people = [new_key() for _ in range(PEOPLE)]
    for place, one in enumerate(people):
        rooms.join(code, one, "", GROUPS[place % len(GROUPS)])
    rooms.start(code, key, kind, text_of(activity.settings, settings), **activity.kept(settings))
    for place, one in enumerate(people):
        rooms.answer(code, one, 1, answers[place % len(answers)])
    return code, key


@each("kind", ASKED)
def test_a_projector_of_720_or_1080_lines_shows_question_then_result_whole_and_large(
    kind: str, open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    code, key = answered(kind)
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
    if kind == "vote":  # with the longest words
        assert unreached_when_zoomed(wall) == []
    wall.close()
