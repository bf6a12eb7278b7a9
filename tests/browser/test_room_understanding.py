"""Whether a room understood, in a browser: two phones see their own way, the projector view the halves at the end."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOMS_FOLDER, OpenPage, at_rest, pick, settled, shown, violations
from ui.rooms.codes import new_key, wall_key
from ui.rooms.store import store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import values_of
from ui.views.room.understanding import questions_of

WORDS, PICTURE = "Suppose somebody thinks it", "Before the release"


def test_two_halves_see_two_ways_and_the_room_sees_the_difference(
    open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    wall = open_page(f"{app}/room", width=1280, height=720)
    wall.get_by_role("button", name="Open a room").click()
    expect(shown(wall, "Another activity", exact=True).first).to_be_visible()
    at_rest(wall)
    code, key = (parse_qs(urlsplit(wall.url).query)[name][0] for name in ("code", "key"))
    others = [new_key() for _ in range(20)]
    for other in others:
        store().join(code, other)
    phones: list[Page] = []
    for _ in range(2):
        phone = open_page(f"{app}/join?code={code}", width=360, height=740)
        phone.get_by_role("button", name="Join", exact=True).click()
        expect(shown(phone, "Questions appear here by themselves").first).to_be_visible()
        phones.append(phone)
    pick(wall, "What happens next", ACTIVITIES["understanding"].title)
    at_rest(wall)
    expect(shown(wall, re.compile("22 people and one question show no smaller difference")).first).to_be_visible()
    wall.get_by_role("button", name="Start", exact=True).click()
    expect(shown(wall, "Close answers").first).to_be_visible()
    started = store().room(code).activity
    assert started is not None
    settings = values_of(ACTIVITIES["understanding"].settings, started.settings)
    questions = questions_of(settings)
    right = "".join(str(question.right) for question in questions)
    for phone in phones:
        me = parse_qs(urlsplit(phone.url).query)["me"][0]
        own = store().on_a_phone(code, me).participant
        assert own is not None
        seen, unseen = (PICTURE, WORDS) if own.own % 2 else (WORDS, PICTURE)
        expect(shown(phone, seen).first).to_be_in_viewport()
        assert shown(phone, unseen).count() == 0
        assert violations(phone) == []
        for place, question in enumerate(questions):
            expect(shown(phone, f"{place + 1} of 3: {question.words}").first).to_be_visible()
            phone.get_by_role("button", name=question.options[question.right], exact=True).click()
            if place == 0:  # the same half, and the question that comes next
                expect(shown(phone, f"2 of 3: {questions[1].words}").first).to_be_visible()
                phone.reload()
                settled(phone)
                expect(shown(phone, seen).first).to_be_visible()
        expect(shown(phone, "Your answer stays").first).to_be_visible()
        assert store().own_answer(code, me, 1) == f"understanding_said={right}"
    expect(wall.locator(".riskline-answer")).to_have_text("2 of 22 finished.")
    for other in others:
        person = store().on_a_phone(code, other).participant
        assert person is not None
        wrong = "".join(str((question.right + 1) % len(question.options)) for question in questions)
        store().answer(code, other, 1, f"understanding_said={wrong if person.own % 2 else right}")
    wall.get_by_role("button", name="Show the result").click()
    answer = wall.locator(".riskline-answer")
    told = re.compile(r"^\d+ in 100 more had everything right with “Words”\. Had all seen it: \d+ to \d+ more")
    expect(answer).to_contain_text(told)
    expect(shown(wall, re.compile("The way shown made a difference here")).first).to_be_visible()
    assert violations(wall) == []
    projected = open_page(f"{app}/room?code={code}&wall={wall_key(key)}&type=large", width=1280, height=720)
    expect(projected.locator(".riskline-answer")).to_have_text(answer.inner_text())
    expect(projected.get_by_role("figure").first).to_be_in_viewport()
    for phone in phones:
        expect(phone.locator(".riskline-answer")).to_have_text(answer.inner_text())
    assert violations(phones[0]) == []
    store().end(code, key)
