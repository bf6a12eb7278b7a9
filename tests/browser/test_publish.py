"""Publishing in a browser: a map that asks nobody for tiles, and dots in its place."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, pick, resting_box


def test_a_map_says_an_area_under_the_mouse_asks_nobody_for_tiles_and_gives_way_to_dots(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/publish?area=10")
    chart = page.locator(".js-plotly-plot").last
    outlines = chart.locator("path.js-fill")
    expect(outlines).to_have_count(28)
    assert len({outlines.nth(at).evaluate("one => one.style.fill") for at in range(28)}) > 5
    chart.scroll_into_view_if_needed()
    box = resting_box(outlines.nth(4))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(chart.locator(".hoverlayer")).to_contain_text(re.compile(r"^Block \d+: \d+ \(\d+ … \d+\)$"))
    pick(page, "Shown as", "dots")
    expect(page.locator("path.js-fill")).to_have_count(0)
    expect(page).to_have_url(re.compile("shown=dots"))
