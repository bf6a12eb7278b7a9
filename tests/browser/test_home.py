"""The front door in a browser: a line that is dragged there, and where it goes on."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, resting_box, settled


def test_a_line_is_drawn_at_the_front_door_and_taken_on(open_page: OpenPage, app: str) -> None:
    page = open_page(app)
    allowed = page.locator(".riskline-number").first
    said = page.locator(".riskline-sentence").filter(has_text=re.compile("^At most .* in 100"))
    expect(allowed).to_contain_text("ε = 1.29")
    point = page.get_by_label("Control point 2 of 3")
    point.hover()
    box = resting_box(point)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 20)
    page.mouse.up()
    expect(allowed).not_to_contain_text("ε = 1.29")
    expect(page).to_have_url(re.compile("points="))
    settled(page)
    told = said.first.inner_text()
    page.get_by_role("link", name="Go on with this line").click()
    expect(page).to_have_url(re.compile(r"/choose\?.*line=drawn"))
    expect(page.locator(".riskline-answer")).to_have_text(told)
