"""The survey with coins in a browser: what leaves the device, read from every frame and request; keys and looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import OpenPage, running_app, settled, shown

APP = Path(__file__).parent / "apps" / "coin_survey_app.py"
TRUTH, SECOND = 3, 0
"""Bytes of the first coin: of four numbers the last two let the truth pass, the first two let the second coin speak."""
YES, NO = 0, 1
"""Bytes of the second coin."""
SPIES = """
window.drawn = { bytes: [], secure: 0, plain: 0 };
const secure = crypto.getRandomValues.bind(crypto), plain = Math.random;
crypto.getRandomValues = (into) => {
  if (into.length > 3) return secure(into); // names that Streamlit gives to what it shows
  drawn.secure += 1;
  return into.set(drawn.bytes.splice(0, into.length)), into;
};
Math.random = () => { drawn.plain += 1; return plain(); };
"""
FLIP = """(button, bytes) => {
  Object.assign(drawn, { bytes, secure: 0, plain: 0 });
  button.click();
  return [drawn.secure, drawn.plain, drawn.bytes.length];
}"""
STORED = "() => [Object.values(sessionStorage).join(), JSON.stringify(Object.entries(localStorage))]"


@pytest.fixture(scope="module")
def alone() -> Iterator[str]:
    """The address of the survey on a page of its own."""
    with running_app(APP) as url:
        yield url


class Wire:
    """What a browser sent: frames of websockets, and requests with their bodies."""

    def __init__(self, page: Page) -> None:
        self.sent: list[bytes] = []
        page.on("websocket", self._opened)
        page.on("request", lambda asked: self.sent.append(asked.url.encode() + (asked.post_data_buffer or b"")))

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda said: self.sent.append(said if isinstance(said, bytes) else said.encode()))

    def taken(self, page: Page) -> list[bytes]:
        """All since it was last asked, without the names of a participant, of a run and of a session."""
        page.wait_for_timeout(150)
        found, self.sent = self.sent, []
        names = (rb"me=[a-z]{3}", rb"coins\.[a-z]{3}", rb"[0-9a-f]{32}", rb"[0-9a-f-]{36}")
        return [re.sub(b"|".join(names), b"NAME", frame) for frame in found]


def tap(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).click()


def flip(page: Page, first: int, second: int) -> None:
    """The second tap, with the coins about to fall so: they fall by `crypto` and by nothing else."""
    assert page.get_by_role("button", name="Flip the coins and send").evaluate(FLIP, [first, second]) == [2, 0, 0]


def opened(page: Page, url: str, me: str, more: str = "") -> None:
    page.goto(f"{url}/?me={me}{more}")
    settled(page)
    expect(shown(page, "What does my answer reveal?").first).to_be_visible()


def test_only_what_the_coins_make_of_an_answer_leaves_the_device(open_page: OpenPage, alone: str) -> None:
    page = open_page(f"{alone}/?me=aaa")
    page.add_init_script(SPIES)
    wire = Wire(page)
    seen: dict[str, dict[tuple[str, int, int], tuple[list[bytes], str]]] = {"yes": {}, "no": {}}
    for at, (truth, first, second) in enumerate(product(("yes", "no"), (TRUTH, SECOND), (YES, NO))):
        me = "bb" + chr(ord("a") + at)
        page.evaluate("() => sessionStorage.clear()")
        opened(page, alone, me)
        wire.sent = []
        tap(page, "No" if truth == "yes" else "Yes")
        tap(page, truth.capitalize())
        if at == 0:  # the answer that is pressed can be told with the system's own colours too
            page.emulate_media(forced_colors="active")
            edges = page.locator(".answers button").evaluate_all("all => all.map(one => getComputedStyle(one).border)")
            assert len(set(edges)) == 2, edges
            page.emulate_media(forced_colors="none")
        flip(page, first, second)
        said = truth if first == TRUTH else ("yes", "no")[second]
        expect(shown(page, f"The room has an answer. This tab's coins said {said}").first).to_be_visible()
        expect(shown(page, f"holds {said}").first).to_be_visible()
        expect(shown(page, "First coin", exact=True)).to_have_count(0)  # hidden until asked: a neighbour may look
        tap(page, "Show my coins")
        expect(shown(page, "It let your true answer pass.")).to_have_count(1 if first == TRUTH else 0)
        tap(page, "Hide my coins")
        frames = wire.taken(page)
        session, local = page.evaluate(STORED)
        assert page.url == f"{alone}/?me={me}"
        assert "riskline" not in local
        seen[said][truth, first, second] = frames, session
    for said, cases in seen.items():
        sent = [frames for frames, _ in cases.values()]
        assert len(cases) == 4
        assert all(frames == sent[0] for frames in sent)  # byte for byte, whatever the truth and the coins
        assert [re.findall(rb'\{"said":"(yes|no)","times":1\}', frame) for frame in sent[0]] == [[said.encode()]]
    for second, said in ((YES, "yes"), (NO, "no")):  # what the tab keeps tells the truth only where the first coin does
        kept = {seen[said][truth, SECOND, second][1] for truth in ("yes", "no")}
        assert kept == {f'{{"said":"{said}","first":"second","second":"{said}"}}'}


def test_a_reload_sends_the_same_answer_and_the_first_one_stays(open_page: OpenPage, alone: str) -> None:
    page = open_page(f"{alone}/?me=aaa", width=360, height=780)
    page.add_init_script(SPIES)
    wire = Wire(page)
    opened(page, alone, "ccc", "&slow")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="No", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="No", exact=True)).to_be_focused()
    expect(page.get_by_role("button", name="No", exact=True)).to_have_attribute("aria-pressed", "true")
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Flip the coins and send")).to_be_focused()
    page.evaluate("bytes => Object.assign(drawn, { bytes })", [SECOND, YES])
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="The coins said yes. Sending")).to_be_focused()
    expect(page.get_by_role("button", name="No", exact=True)).to_have_count(0)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert Axe().run(page).response["violations"] == []
    first = [frame for frame in wire.taken(page) if b"said" in frame]
    page.reload()
    settled(page)
    expect(shown(page, "Sending").first).to_be_visible()
    again = [frame for frame in wire.taken(page) if b"said" in frame]
    assert page.evaluate("() => drawn.secure") == 0
    assert len(first) == len(again) == 1
    said = rb'\{"said":"(\w+)","times":1\}'
    assert re.findall(said, first[0]) == re.findall(said, again[0]) == [b"yes"]
    expect(shown(page, "The second coin answers instead")).to_have_count(0)  # coins of a reloaded page are asked for
    tap(page, "Show my coins")
    expect(shown(page, "The second coin answers instead.").first).to_be_visible()
    opened(page, alone, "ccc")  # the room keeps it now
    expect(shown(page, "This tab's coins said yes").first).to_be_visible()
    expect(shown(page, "Only your first answer counts").first).to_be_visible()
    other = open_page(f"{alone}/?me=ccc")
    expect(shown(other, "this tab does not know how the coins fell").first).to_be_visible()
    expect(other.get_by_role("button", name="Yes", exact=True)).to_have_count(0)
