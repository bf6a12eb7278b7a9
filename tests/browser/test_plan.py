"""Several releases in a browser: the ledger is edited like a spreadsheet, and its link brings the edits back."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.conftest import OpenPage, at_rest, resting_box, settled, shown


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def readers(page: Page) -> Locator:
    return page.get_by_role("region", name="exception at most").first


def ledger(page: Page) -> Locator:
    return page.get_by_test_id("stDataFrame").first


def picked(cell: Locator) -> bool:
    """Whether the grid says within three seconds that this is the cell that keys go to."""
    try:
        expect(cell).to_have_attribute("aria-selected", "true", timeout=3_000)
    except AssertionError:
        return False
    return True


def type_into(page: Page, *, row: int, column: int, text: str) -> None:
    """Type into a cell of the ledger; columns: name, how, budget, delta, how often."""
    grid = ledger(page)
    first, cell = (grid.locator(f'[data-testid="glide-cell-{at}-{row}"]') for at in (1, column + 1))
    for _ in range(4):  # the page above the ledger may still grow while a loaded machine draws it
        box = resting_box(grid.locator("canvas").first)
        page.mouse.click(box["x"] + 100, box["y"] + 35 * (row + 1.5))
        if not picked(first):
            continue
        for _ in range(column):
            page.keyboard.press("ArrowRight")
        if not picked(cell):  # a key was pressed before the grid listened
            continue
        page.keyboard.press("Enter")
        editor = page.locator("#portal textarea").first
        try:
            editor.fill(text, timeout=3_000)
        except TimeoutError:
            continue
        editor.press("Enter")
        break
    expect(cell).to_have_text(text)
    settled(page)


def open_plan(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, height=1400)
    expect(answer(page)).to_contain_text("in 100", timeout=60_000)
    expect(ledger(page).locator('[data-testid="glide-cell-1-0"]')).to_be_attached(timeout=60_000)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=60_000)
    at_rest(page)
    return page


def test_an_edit_comes_back_by_its_link_and_can_be_undone(open_page: OpenPage, app: str) -> None:
    page = open_plan(open_page, f"{app}/plan")
    expect(readers(page)).to_contain_text("day 112")
    type_into(page, row=0, column=2, text="0.02")
    expect(readers(page)).to_contain_text("day 56")
    expect(page).to_have_url(re.compile("rows=g%7E0.02|rows=g~0.02"))
    at_rest(page)
    said = answer(page).inner_text()
    other = open_plan(open_page, page.evaluate("location.href"))
    expect(answer(other)).to_have_text(said)
    page.get_by_role("button", name="Undo").click()
    expect(readers(page)).to_contain_text("day 112")


def test_a_bad_cell_stays_with_a_sentence_and_an_added_row_is_judged_once_it_is_filled_in(
    open_page: OpenPage, app: str
) -> None:
    page = open_plan(open_page, f"{app}/plan")
    type_into(page, row=0, column=4, text="-3")
    expect(shown(page, "how often must be from 1 to 100,000; got '-3'").first).to_be_visible()
    expect(readers(page)).to_contain_text("day 112")
    expect(page).to_have_url(re.compile("-3"))
    type_into(page, row=0, column=4, text="2")
    expect(readers(page)).to_contain_text("day 56")
    page.get_by_role("button", name="New row").click()
    expect(shown(page, "Row 2 needs noise and budget").first).to_be_visible()
    at_rest(page)
    before = resting_box(ledger(page))
    type_into(page, row=1, column=0, text="Second")
    type_into(page, row=1, column=1, text="two-sided Laplacian")
    after = resting_box(ledger(page))
    assert abs(after["y"] - before["y"]) < 2  # nothing above the ledger grows while it is typed in
    type_into(page, row=1, column=2, text="0.1")
    expect(shown(page, "which noise?", exact=False).first).to_be_visible()
    type_into(page, row=1, column=1, text="laplacian")
    expect(shown(page, "which noise?", exact=False)).to_have_count(0)
    expect(page).to_have_url(re.compile("l(~|%7E)0.1(~|%7E)1(~|%7E)(~|%7E)Second"))
