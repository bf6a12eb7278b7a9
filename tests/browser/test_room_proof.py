"""Two phones guess coins that the server tossed for each of them; nothing of a coin arrives before the result."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOMS_FOLDER, OpenPage, at_rest, pick, shown, violations
from ui.rooms.codes import new_key
from ui.rooms.store import store
from ui.views.room import ACTIVITIES, proof

ROUNDS = 2
SETTINGS = {"proof_epsilon": 1.0, "proof_rounds": ROUNDS}


def me_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["me"][0]


def test_two_phones_guess_and_the_wall_shows_what_is_proved(
    open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    wall = open_page(f"{app}/room", width=1280, height=720)
    wall.get_by_role("button", name="Open a room").click()
    expect(shown(wall, "Another activity", exact=True).first).to_be_visible()
    at_rest(wall)
    code = parse_qs(urlsplit(wall.url).query)["code"][0]
    pick(wall, "What happens next", ACTIVITIES["proof"].title)
    wall.get_by_role("textbox", name="Rounds").fill(str(ROUNDS))
    wall.get_by_role("textbox", name="Rounds").press("Enter")
    at_rest(wall)
    wall.get_by_role("button", name="Start", exact=True).click()
    expect(wall.get_by_role("button", name="Show the result")).to_be_visible()  # it has begun
    for key in (others := [new_key() for _ in range(10)]):
        store().join(code, key)
        store().answer(code, key, 1, "proof_guesses=io")
    heard: list[bytes] = []
    phones = []
    for number in range(2):
        phone = open_page(f"{app}/join", width=360, height=740, dark=number == 1)
        phone.on(
            "websocket",
            lambda socket: socket.on(
                "framereceived", lambda said: heard.append(said if isinstance(said, bytes) else b"")
            ),
        )
        phone.goto(f"{app}/join?code={code}")
        phone.get_by_role("button", name="Join", exact=True).click()
        expect(shown(phone, re.compile("Round 1 of 2")).first).to_be_visible()
        own = store().on_a_phone(code, me_of(phone)).participant
        assert own is not None
        for played in range(ROUNDS):
            count = proof.published(SETTINGS, own.own, played)
            told = shown(phone, re.compile(f"Round {played + 1} of 2. Published: {count}."))
            expect(told.first).to_be_visible()
            phone.reload()  # a phone that slept has the same count
            expect(told.first).to_be_visible()
            for press in ("In the table", "Not in it"):
                expect(phone.get_by_role("button", name=press, exact=True)).to_be_in_viewport(ratio=1)
            if number == played == 1:  # in the dark; tests/browser/test_room_walls.py has the others
                assert violations(phone) == []
            phone.get_by_role("button", name=("In the table", "Not in it")[number], exact=True).click()
        expect(shown(phone, "Your answer stays").first).to_be_visible()
        phones.append((phone, own.own, "io"[number] * ROUNDS))
    assert heard
    assert not any(b"Right in" in said for said in heard)
    wall.get_by_role("button", name="Show the result").click()
    own_of = [store().on_a_phone(code, key).participant for key in others]
    right = sum(sum(proof.rounds_right(one.own, "io")) for one in own_of if one is not None)
    right += sum(sum(proof.rounds_right(own, guesses)) for _, own, guesses in phones)
    expect(wall.locator(".riskline-answer")).to_contain_text(f"{right} of 24 guesses right: ")
    expect(wall.locator(".riskline-answer")).to_contain_text("The true ε is 1.")
    expect(shown(wall, "A low one proves no privacy").first).to_be_visible()
    for phone, dealt_to, guesses in phones:
        mine = sum(proof.rounds_right(dealt_to, guesses))
        expect(shown(phone, f"Right in {mine} of 2 rounds.").first).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert any(b"Right in" in said for said in heard)  # the comparison hears what a phone is told
