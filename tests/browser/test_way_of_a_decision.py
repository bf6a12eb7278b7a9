"""The way of a decision from the front door to the brief: each part of the case, by few presses and fields."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, settled, type_into

MOST_PRESSES, MOST_FIELDS = 12, 10


class Walk:
    """A reader on the way, with what was pressed and typed."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses, self.fields = page, 0, 0

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        self.presses += 1
        settled(self.page)

    def type(self, name: str, words: str) -> None:
        type_into(self.page, name, words)
        self.fields += 1
        settled(self.page)

    def asked(self, words: str) -> None:
        expect(self.page.get_by_role("heading", name=re.compile(re.escape(words)))).to_be_visible()


def test_a_decision_is_made_from_the_front_door_to_the_brief(open_page: OpenPage, app: str) -> None:
    page = open_page(app)
    walk = Walk(page)
    walk.press("Decide, step by step")
    walk.asked("1 of 3. What do you publish?")
    walk.type("What is released?", "School absence by district")
    page.get_by_text("one plain count", exact=True).click()
    walk.fields += 1
    settled(page)
    walk.press("Go on")
    walk.asked("2 of 3. What must nobody find out, about whom?")
    walk.type("What must nobody find out about a person?", "was absent more than 20 days")
    walk.type("One of those it is about", "pupil")
    expect(
        page.get_by_text("Nobody should find out whether a given pupil was absent more than 20 days.")
    ).to_be_visible()
    page.reload()
    walk.asked("2 of 3.")  # whoever leaves and comes back has lost nothing
    expect(page.locator(".riskline-strip-long")).to_contain_text("was absent more than 20 days · one pupil")
    walk.press("Go on")
    walk.asked("3 of 3. How sure may somebody become?")
    expect(page.get_by_role("button", name="Decide on this budget")).to_have_count(0)
    for answer in ("5 in 100", "10 in 100", "25 in 100", "40 in 100", "70 in 100", "Yes, acceptable", "No"):
        walk.press(answer)
    expect(page.get_by_text("The line is drawn from your answers").first).to_be_visible()
    expect(page.locator(".riskline-number").first).to_contain_text("ε = 0.91")
    walk.type("Who decides?", "the board")
    walk.press("Decide on this budget")
    expect(page.locator(".riskline-strip-long")).to_contain_text("ε = 0.91, decided by the board")
    page.get_by_role("link", name="The brief").click()
    walk.presses += 1
    expect(page.locator("h1[data-page=memo]")).to_be_visible()
    expect(page.locator(".riskline-strip-long")).to_contain_text("ε = 0.91, decided by the board")
    assert walk.presses <= MOST_PRESSES, walk.presses
    assert walk.fields <= MOST_FIELDS, walk.fields
