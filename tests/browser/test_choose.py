"""Choosing a budget in a browser: drag, keyboard, freehand, undo, the link, and the time to the new budget."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, at_rest, resting_box, settled, shown


def answer(page: Page) -> Locator:
    """The budget and what it brings, which change with every move of the line."""
    return page.locator(".riskline-number").first


def handle(page: Page, place: int) -> Locator:
    return page.get_by_label(re.compile(rf"^Control point {place} of \d+$"))


def centre(page: Page, place: int) -> tuple[float, float]:
    box = resting_box(handle(page, place))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def open_choose(open_page: OpenPage, app: str, query: str = "") -> Page:
    page = open_page(f"{app}/choose{query}")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    at_rest(page)
    return page


def drag(page: Page, place: int, dx: float, dy: float) -> None:
    x, y = centre(page, place)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def test_a_point_is_dragged_and_moved_by_keys_and_its_link_brings_line_and_budget_back(
    open_page: OpenPage, app: str
) -> None:
    page = open_choose(open_page, app)
    expect(answer(page)).to_contain_text("ε = 1.29")
    drag(page, 2, 0, -80)
    expect(answer(page)).not_to_contain_text("1.29")
    expect(page).to_have_url(re.compile("line=drawn"))
    expect(page).to_have_url(re.compile("points="))
    at_rest(page)
    said, address = answer(page).inner_text(), page.evaluate("location.href")
    other = open_page(address)
    expect(answer(other)).to_have_text(said, use_inner_text=True)
    expect(other).to_have_url(address)
    handle(page, 2).focus()
    page.keyboard.press("ArrowUp")
    expect(answer(page)).not_to_have_text(said, use_inner_text=True)
    at_rest(page)
    page.keyboard.press("Control+z")
    expect(answer(page)).to_have_text(said, use_inner_text=True)


def test_a_dragged_points_budget_is_there_within_300_ms_and_a_freehand_stroke_can_be_undone(
    open_page: OpenPage, app: str
) -> None:
    page = open_choose(open_page, app, "?line=drawn")
    waited = []
    for step in range(12):
        before = answer(page).inner_text()
        drag(page, 2, 0, -12 if step % 2 else 12)
        released = time.perf_counter()
        page.wait_for_function(
            "before => document.querySelector('.riskline-number').innerText !== before", arg=before, polling=10
        )
        waited.append(time.perf_counter() - released)
        settled(page)
        if waited[-1] <= 0.3:  # a shared machine delays some; an app that is too slow is slow every time
            break
    assert min(waited) <= 0.3, waited
    at_rest(page)
    before = answer(page).inner_text()
    page.get_by_role("button", name="Draw freehand").click()
    (left, low), (right, high) = centre(page, 1), centre(page, 3)
    page.mouse.move(left + 10, low - 5)
    page.mouse.down()
    for step in range(1, 21):
        page.mouse.move(left + 10 + step * (right - left) / 21, low - 5 + step * (high - low) / 21)
    page.mouse.up()
    expect(answer(page)).not_to_have_text(before, use_inner_text=True)
    at_rest(page)
    page.get_by_role("button", name="Undo").click()
    expect(answer(page)).to_have_text(before, use_inner_text=True)


def test_a_slider_moves_the_line_of_a_template_and_fast_keys_on_it_never_end_the_session(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/choose")
    slider = page.get_by_role("slider", name="Times as likely, at most")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(answer(page)).not_to_contain_text("1.29")
    expect(page).to_have_url(re.compile(r"ratio=3\.1"))
    at_rest(page)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    slider.focus()
    for step in range(20):
        page.keyboard.press("ArrowRight" if step < 10 else "ArrowLeft")
    settled(page)
    expect(shown(page, "Connection error")).to_have_count(0)
    expect(answer(page)).to_contain_text("ε = ")
