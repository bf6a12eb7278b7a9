"""The attack through the hierarchy in a browser: a clicked release, a switched belief, the folds."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, at_rest, resting_box, shown


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def test_a_clicked_tile_becomes_the_release_of_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/hierarchy")
    chart = page.locator(".js-plotly-plot .nsewdrag").first
    expect(chart).to_be_visible()
    at_rest(page)
    said = answer(page).inner_text()
    box = resting_box(chart)
    place = box["x"] + 0.75 * box["width"], box["y"] + 0.3 * box["height"]
    page.mouse.move(*place)
    expect(page.locator(".hoverlayer .hovertext")).to_be_visible()
    page.mouse.click(*place)
    expect(page).to_have_url(re.compile(r"[?&](x2|y)="))
    expect(answer(page)).not_to_have_text(said)
    at_rest(page)
    other = open_page(page.evaluate("location.href"))
    expect(answer(other)).to_have_text(answer(page).inner_text())


def test_another_belief_about_the_siblings_turns_the_sentence(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/hierarchy")
    expect(answer(page)).to_contain_text(
        "counted to 54 in 100. With nothing known about the other blocks, the larger area takes it to 46 in 100."
    )
    shown(page, "Most likely nobody else", exact=True).click()
    expect(answer(page)).to_contain_text("nearby, the larger area takes it to 63 in 100.")
    expect(shown(page, "68 in 100").first).to_be_visible()
    expect(page).to_have_url(re.compile("belief=sparse"))


def test_the_levels_open_below_the_beliefs(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/hierarchy?voice=technical")
    shown(page, "Level by level").click()
    expect(shown(page, "0.05145", exact=False).first).to_be_visible()
