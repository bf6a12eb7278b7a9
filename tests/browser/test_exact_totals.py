"""Exact totals in a browser: a table comes from a file or is typed, and stays out of the link."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest, shown


def test_a_table_is_uploaded_or_refused_with_a_sentence_then_edited_and_not_in_the_link(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/exact_totals?exact=rows")
    page.get_by_role("button", name="From a CSV file").click()
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    wrong, right = (f"place,a,b,total\nnorth,8,6,{total}\nsouth,3,5,8\n" for total in (15, 14))
    drop.set_input_files({"name": "wrong.csv", "mimeType": "text/csv", "buffer": wrong.encode()})
    expect(shown(page, "the cells of row 1 add up to 14; its total is given as 15").first).to_be_visible()
    drop.set_input_files({"name": "right.csv", "mimeType": "text/csv", "buffer": right.encode()})
    box = page.get_by_role("textbox", name="Your table of counts")
    expect(box).to_have_value("8 6\n3 5")
    expect(shown(page, "its total is given as 15")).to_have_count(0)
    page.keyboard.press("Escape")
    box.fill("0 0 0\n3 5 8\n1 2 3")
    box.press("Control+Enter")
    expect(page.locator(".riskline-answer")).to_contain_text("The totals alone give away 3 cells")
    at_rest(page)
    assert page.url == f"{app}/exact_totals?exact=rows"
