"""An outside address typed everywhere: no browser of anybody asks it, also where no content policy would stop it."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from riskline.case.fields import Field
from tests.browser.conftest import ROOMS_FOLDER, OpenPage, settled
from ui.link.page_table import PAGES
from ui.rooms.codes import new_key, wall_key
from ui.rooms.meeting import Phase
from ui.rooms.store import store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import text_of
from ui.views.room.attack import Bet

OUTSIDE = "o.example"
TYPED = (f"![x](http://{OUTSIDE}/p)", f"<img src=//{OUTSIDE}/p>", f"[x](//{OUTSIDE}) www.{OUTSIDE}")
"""As a picture and a link in Markdown, as HTML, as a bare address; each short enough for a name."""
FROM_OUTSIDE = f"""() => [...document.querySelectorAll('a, img, iframe, object, embed, link, script, source, video')]
    .filter(one => [one.href, one.src, one.data].some(to => String(to || '').includes('{OUTSIDE}') &&
        !String(to).startsWith(location.origin) && !String(to).startsWith('data:')))
    .map(one => one.outerHTML)"""


pytestmark = pytest.mark.long


@pytest.fixture
def unguarded(open_page: OpenPage, app: str) -> Page:
    """A page on which no content policy stops what goes outside; at the end nothing has."""
    page = open_page(app)
    page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
    return page


def look(page: Page, address: str) -> None:
    page.goto(address)
    settled(page)
    assert page.evaluate(FROM_OUTSIDE) == [], address


def typed_in(field: Field, text: str) -> str:
    """A value of a choice with this text in it where it can hold any: in a name of a plan's row, of a party, alone."""
    return f"d~0.01~12~~{text}" if field.name == "rows" else text


def test_an_outside_address_in_every_choice_and_box_of_a_page_is_asked_by_nobody(unguarded: Page, app: str) -> None:
    page = unguarded
    for turn, entry in enumerate(PAGES):  # what several pages ask has another one on each
        chosen = [field for field in entry.fields if field.in_address]
        text = {one.name: typed_in(one, TYPED[(turn + at) % len(TYPED)]) for at, one in enumerate(chosen)}
        look(page, f"{app}/{entry.address}?{urlencode(text)}")
        boxes = page.locator("[data-testid=stTextInput] input:visible, [data-testid=stTextArea] textarea:visible")
        filled = 0
        for place in range(boxes.count()):
            box = boxes.nth(place)
            if box.is_editable() and OUTSIDE not in box.input_value():  # else the address has typed it
                box.fill(TYPED[place % len(TYPED)])
                box.press("Control+Enter" if box.evaluate("box => box.tagName") == "TEXTAREA" else "Enter")
                filled += 1
        if filled:
            page.wait_for_timeout(300)
            settled(page)
            assert page.evaluate(FROM_OUTSIDE) == [], entry.stem


def test_an_outside_address_as_group_question_option_unit_and_nickname_is_asked_by_no_phone_and_no_wall(
    unguarded: Page, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    rooms = store()
    room = rooms.open_room(TYPED)
    rooms.set_names(room.code, room.moderator_key, typed=True)
    keys = [new_key() for _ in range(3)]
    for key, group, name in zip(keys, TYPED, TYPED, strict=True):
        rooms.join(room.code, key, name, group)
        rooms.show_name(room.code, room.moderator_key, keys.index(key) + 1, name)
    told = {
        "vote": ({"vote_question": TYPED[0], "vote_options": TYPED}, {"vote_choice": TYPED[0]}),
        "prediction": ({"prediction_question": TYPED[0], "prediction_unit": "![](//o.example)"}, {"number": 3.0}),
        "coin_survey": ({"coin_survey_statement": TYPED[0]}, {"coin_survey_said": "yes"}),
        "attack": ({"attack_seed": 1}, {"attack_bets": (Bet(1, "f"),) * 10}),
    }
    phone = f"{app}/join?code={room.code}&me={keys[0]}"
    moderator = f"{app}/room?code={room.code}&key={room.moderator_key}"
    wall = f"{app}/room?code={room.code}&wall={wall_key(room.moderator_key)}"
    look(unguarded, f"{app}/join?code={room.code}")  # before one has joined, it is the same all the time
    for number, (kind, (chosen, answer)) in enumerate(told.items(), start=1):
        activity = ACTIVITIES[kind]
        settings = {field.name: field.default for field in activity.settings} | chosen
        text = text_of(activity.settings, settings)
        rooms.start(room.code, room.moderator_key, kind, text, **activity.kept(settings))
        look(unguarded, phone)
        for key in keys:
            rooms.answer(room.code, key, number, text_of(activity.answers, answer))
        rooms.set_phase(room.code, room.moderator_key, number, Phase.SHOWN)
        for address in (phone, moderator, wall):
            look(unguarded, address)
    rooms.end(room.code, room.moderator_key)
