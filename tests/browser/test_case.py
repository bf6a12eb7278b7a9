"""One case on all pages in a browser: set by the strip, kept by menu, Back, reload and link."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.browser.conftest import OpenPage, at_rest, go_to, pick, resting_box, settled, strip, type_into


def test_a_case_set_by_the_strip_is_the_same_after_menu_reload_and_back_and_for_who_gets_the_link(
    open_page: OpenPage, app: str, browser: Browser
) -> None:
    page = open_page(f"{app}/public")
    expect(strip(page)).to_have_text(re.compile("^Example · .*ε = 1.29"))
    page.get_by_role("button", name="Change", exact=True).click()
    type_into(page, "Title", "Absence <by> district")
    expect(strip(page)).to_have_text(re.compile("^Absence <by> district · .*no line drawn"))
    pick(page, "About whom?", "a household")
    type_into(page, "People in it", "4")
    expect(strip(page)).to_contain_text("household of 4")
    page.keyboard.press("Escape")
    at_rest(page)
    said = strip(page).inner_text()
    go_to(page, "Decide", "What it costs")
    expect(page.locator("h1[data-page=accuracy]")).to_be_visible()
    expect(strip(page)).to_contain_text(said)
    at_rest(page)
    page.reload()
    expect(strip(page)).to_contain_text(said, timeout=60_000)
    at_rest(page)
    page.get_by_role("button", name="Change", exact=True).click()
    type_into(page, "Title", "Something else")
    expect(strip(page)).to_contain_text("Something else · ")
    at_rest(page)
    page.go_back()
    expect(strip(page)).to_contain_text(said)
    at_rest(page)
    theirs = browser.new_page()  # of somebody else, who has seen nothing of this
    theirs.goto(page.url)
    expect(strip(theirs)).to_contain_text(said, timeout=60_000)
    settled(theirs)
    go_to(theirs, "Explain", "Published budgets")
    expect(theirs.locator("h1[data-page=deployments]")).to_be_visible()
    # without a budget of the case's own, the page lists others' from a value, and the strip says so
    asked = "which value a given household of 4 has"
    expect(strip(theirs)).to_have_text(said.replace("whether a given household of 4 is in the data", asked))


def test_on_a_phone_the_strip_is_one_line_with_subject_and_budget(open_page: OpenPage, app: str) -> None:
    title = "Pupils who were absent from school for more than twenty days, by district"
    page = open_page(f"{app}/deployments?case=own&line=constant&ratio=2&title={title}", width=360, height=740)
    short = page.locator(".riskline-strip-short")
    expect(short).to_have_text(f"{title} · not decided")
    expect(strip(page)).to_be_hidden()
    at_rest(page)
    subject, budget = short.locator("span").all()
    change = page.get_by_role("button", name="Change", exact=True)
    places = [resting_box(part) for part in (subject, budget, change)]
    assert [box["x"] for box in places] == sorted(box["x"] for box in places)
    assert places[0]["width"] > 80  # enough of the title to be recognised
    assert places[1]["x"] + places[1]["width"] <= places[2]["x"]
    assert places[2]["x"] + places[2]["width"] <= 360
    assert max(box["y"] for box in places) < min(box["y"] + box["height"] for box in places)  # side by side
    assert places[2]["height"] >= 24  # smallest target for a finger
