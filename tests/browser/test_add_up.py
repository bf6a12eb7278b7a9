"""Tables that add up in a browser: the rule, a new draw, what a reader can still learn, faulty counts."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, pick, settled, shown


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def test_the_rule_can_be_switched(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/add_up")
    expect(answer(page)).to_contain_text("With the likeliest split")
    pick(page, "Rule for adding up", "even-handed rule")
    expect(answer(page)).to_contain_text("With the even-handed rule")
    expect(page).to_have_url(re.compile("rule=remainder"))


def test_a_new_draw_has_its_seed_in_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/add_up")
    page.get_by_role("button", name="Draw again").click()
    expect(page).to_have_url(re.compile("seed=2"))
    expect(shown(page, "(seed 2), not for release").first).to_be_visible()


def test_what_a_reader_can_still_learn_is_worked_out_and_kept(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/add_up?learn=yes&counts=12~7~3")
    expect(shown(page, "a reader knows the largest part").first).to_be_visible()
    settled(page)
    expect(page.get_by_role("button", name="Stop sampling")).to_have_count(0)


def test_faulty_counts_get_a_sentence(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/add_up")
    box = page.get_by_role("textbox", name="True parts of a total")
    box.fill("435 53 x = 500")
    box.press("Control+Enter")
    expect(shown(page, "row 1, cell 3 must be a whole number; got 'x'").first).to_be_visible()
    expect(answer(page)).to_contain_text("With the likeliest split")


def test_total_and_parts_can_have_a_rho_each(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/add_up?guarantee=zero_concentrated&rho_parts=0.5")
    box = page.get_by_role("textbox", name="Budget ρ of the parts")
    expect(box).to_have_value("0.5")
    said = answer(page).inner_text()
    box.fill("0.01")
    box.press("Enter")
    expect(answer(page)).not_to_have_text(said)
    expect(page).to_have_url(re.compile("rho_parts=0.01"))
