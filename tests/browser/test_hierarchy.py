"""The attack through the hierarchy in a browser: a clicked release."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest, resting_box


def test_a_clicked_tile_becomes_the_release_of_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/hierarchy")
    chart = page.locator(".js-plotly-plot .nsewdrag").first
    expect(chart).to_be_visible()
    at_rest(page)
    answer = page.locator(".riskline-answer")
    said = answer.inner_text()
    box = resting_box(chart)
    place = box["x"] + 0.75 * box["width"], box["y"] + 0.3 * box["height"]
    page.mouse.move(*place)
    expect(page.locator(".hoverlayer .hovertext")).to_be_visible()
    page.mouse.click(*place)
    expect(page).to_have_url(re.compile(r"[?&](x2|y)="))
    expect(answer).not_to_have_text(said)
