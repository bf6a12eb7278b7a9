"""The main ways in a second engine, Firefox, in the dark: a line becomes a budget, a phone answers, a memo is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.browser.conftest import READY, ROOMS_FOLDER
from tests.browser.firefox import Firefox, Tab, waited
from tests.stored_answers import stored_answers
from ui.rooms.codes import new_key
from ui.rooms.meeting import Phase
from ui.rooms.store import store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import text_of, values_of

OpenTab = Callable[..., Tab]
ANSWER = "document.querySelector('.riskline-answer')?.innerText.trim()"
BUDGET = "document.querySelector('.riskline-number')?.innerText"
SIDEWAYS = "[...document.querySelectorAll('html, [data-testid=stMain]')].some(one => one.scrollWidth > one.clientWidth)"
GROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One for all tests of this file, as it takes seconds to start; its system asks for dark pages."""
    running = Firefox(tmp_path_factory.mktemp("firefox"), **{"ui.systemUsesDarkTheme": 1})
    yield running
    running.close()


@pytest.fixture
def open_tab(firefox: Firefox) -> Iterator[OpenTab]:
    """Open an address in a tab; at the end no request left this computer and no script failed."""
    firefox.told.clear()
    tabs: list[Tab] = []

    def opened(address: str, width: int = 1280, height: int = 720) -> Tab:
        tabs.append(firefox.opened(address, width, height))
        tabs[-1].wait_for(f"!!document.querySelector({READY!r}) && !!({ANSWER})", seconds=60)
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.close()
    asked = [told["params"]["request"]["url"] for told in firefox.told if told["method"].startswith("network.")]
    here = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "file:", "about:")
    assert asked
    assert [url for url in asked if not url.startswith(here)] == []
    logged = [told["params"] for told in firefox.told if told["method"] == "log.entryAdded"]
    errors = [one["text"] for one in logged if one["level"] == "error"]
    assert [text for text in errors if "blocked WebAssembly" not in text] == []  # without it protobuf counts in script


def button(words: str) -> str:
    """The button that says so."""
    return f"deep('button').find(one => one.checkVisibility() && one.innerText.trim() === {words!r})"


def labelled(words: str) -> str:
    """The box or point whose name begins so."""
    return f"deep(`[aria-label^='{words}']`)[0]"


def test_a_point_moved_by_keys_and_by_the_mouse_changes_the_budget_beside_its_picture(
    open_tab: OpenTab, app: str
) -> None:
    page = open_tab(f"{app}/choose")
    assert page.evaluate(ANSWER).startswith("At most 25 in 100.")
    page.wait_for(f"({BUDGET}).includes('ε = 1.29')")
    point = labelled("Control point 2 of")
    page.wait_for(f"!!{point}")
    page.evaluate(f"{point}.focus()")
    page.press("ArrowDown", "ArrowDown", "ArrowDown")
    page.wait_for(f"!({BUDGET}).includes('ε = 1.29')")
    by_keys = page.evaluate(BUDGET)
    x, y = page.box(point)
    page.drag((x, y), (x, y + 10), (x, y + 20))
    page.wait_for(f"({BUDGET}) !== {by_keys!r}")
    assert page.evaluate("new URL(location).searchParams.get('line')") == "drawn"
    line = "document.querySelector('.js-plotly-plot .scatterlayer path.js-line')"
    assert page.wait_for(f"{line}?.getTotalLength()") > 100
    assert page.evaluate(GROUND) == "rgb(16, 20, 24)"
    assert not page.evaluate(SIDEWAYS)


def test_a_phone_joins_a_room_by_its_link_answers_and_sees_the_result(
    open_tab: OpenTab, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    rooms = store()
    opened = rooms.open_room()
    activity = ACTIVITIES["prediction"]
    settings = values_of(activity.settings, "prediction_question=How+many+of+us%3F")
    rooms.start(
        opened.code, opened.moderator_key, "prediction", text_of(activity.settings, settings), **activity.kept(settings)
    )
    for number in (35, 40):
        rooms.join(opened.code, other := new_key())
        rooms.answer(opened.code, other, 1, f"number={number}")
    phone = open_tab(f"{app}/join?code={opened.code}", 360, 740)
    phone.click(button("Join"))
    phone.wait_for(f"!!{labelled('Your guess')}")
    phone.click(labelled("Your guess"))
    phone.press("2", "8", "Enter")
    phone.click(button("Send"))
    phone.wait_for("document.querySelector('.riskline-told')?.innerText.includes('Sent.')")
    assert [one.answer for one in stored_answers(rooms, opened.code, 1)] == ["number=35", "number=40", "number=28"]
    rooms.set_phase(opened.code, opened.moderator_key, 1, Phase.SHOWN)
    phone.wait_for(f"({ANSWER}) === 'The middle of 3 guesses is 35.'")
    assert phone.evaluate("document.body.innerText.includes('Your guess: 28.')")
    assert not phone.evaluate(SIDEWAYS)


def test_what_is_typed_stands_in_the_memo_and_in_the_file_that_firefox_saves_and_opens(
    open_tab: OpenTab, firefox: Firefox, app: str
) -> None:
    page = open_tab(f"{app}/memo?case=own&line=constant&ratio=2")
    assert "ε = 0.69" in page.evaluate(ANSWER)
    until = labelled("Holds until")
    page.click(until)
    page.press(*"May 2031", "Enter")
    page.wait_for("document.querySelector('.riskline-memo').innerText.includes('May 2031')")
    page.click(button("Brief to print (HTML)"))
    saved = firefox.saved / "riskline-memo.html"
    waited(lambda: saved.exists() and saved.stat().st_size, "the memo is saved")
    page.goto(saved.as_uri())
    heads = page.evaluate("[...document.querySelectorAll('h1, h2')].map(one => [one.tagName, one.innerText])")
    assert [kind for kind, _ in heads].count("H1") == 1
    assert ["H2", "What somebody could learn"] in heads
    assert page.evaluate("document.body.innerText.includes('May 2031')")
    widths = page.evaluate("[...document.images].map(one => one.naturalWidth)")
    assert len(widths) == 2
    assert min(widths) > 100
    assert page.evaluate("document.documentElement.lang") == "en"
