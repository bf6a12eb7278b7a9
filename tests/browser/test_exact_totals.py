"""Exact totals in a browser: a table is edited, a faulty one gets a sentence, the link brings it back."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, at_rest, shown


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def type_table(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="Your table of counts")
    box.fill(text)
    box.press("Control+Enter")


def test_an_edited_table_changes_the_answer_and_its_link_leaves_it_out(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/exact_totals?exact=rows")
    expect(answer(page)).to_contain_text("If no total changes")
    type_table(page, "0 0 0\n3 5 8\n1 2 3")
    expect(answer(page)).to_contain_text("The totals alone give away 3 cells")
    at_rest(page)
    address = page.evaluate("location.href")
    assert "exact=rows" in address
    assert "table" not in address
    other = open_page(address)
    expect(other.get_by_role("textbox", name="Your table of counts")).to_have_value("8 6 4\n3 5 8")


def test_contradictory_totals_get_a_sentence_and_the_picture_stays(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/exact_totals")
    said = answer(page).inner_text()
    type_table(page, "8 6 4 = 19\n3 5 8 = 16")
    expect(shown(page, "the cells of row 1 add up to 18; its total is given as 19").first).to_be_visible()
    expect(answer(page)).to_have_text(said)
    type_table(page, "8 6 4\n3 -5 2.5")
    expect(shown(page, "row 2, cell 2 must be from 0 to 10,000,000; got -5").first).to_be_visible()
    expect(page.get_by_role("textbox", name="Your table of counts")).to_have_value("8 6 4\n3 -5 2.5")


def test_projection_and_conditioning_can_be_exchanged(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/exact_totals")
    expect(answer(page)).to_contain_text("at most 5 in 100")
    shown(page, "adjusted to fit", exact=True).first.click()
    expect(answer(page)).to_contain_text("at most 3 in 100")
    expect(page).to_have_url(re.compile("method=project"))


def test_an_uploaded_table_is_taken_or_refused_with_a_sentence(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/exact_totals")
    page.get_by_role("button", name="From a CSV file").click()
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    wrong, right = (f"place,a,b,total\nnorth,8,6,{total}\nsouth,3,5,8\n" for total in (15, 14))
    drop.set_input_files({"name": "wrong.csv", "mimeType": "text/csv", "buffer": wrong.encode()})
    expect(shown(page, "the cells of row 1 add up to 14; its total is given as 15").first).to_be_visible()
    drop.set_input_files({"name": "right.csv", "mimeType": "text/csv", "buffer": right.encode()})
    expect(page.get_by_role("textbox", name="Your table of counts")).to_have_value("8 6\n3 5")
    expect(shown(page, "its total is given as 15")).to_have_count(0)


def test_a_budget_can_be_a_rho_and_its_link_brings_it_back(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/exact_totals")
    expect(answer(page)).not_to_contain_text("except with")
    shown(page, "ρ", exact=True).first.click()
    expect(answer(page)).to_contain_text("except with a probability of 1 in 100")
    box = page.get_by_role("textbox", name="Budget ρ for a person")
    box.fill("0.5")
    box.press("Enter")
    expect(answer(page)).to_contain_text("at most 26 in 100")
    at_rest(page)
    other = open_page(page.evaluate("location.href"))
    expect(other.get_by_role("textbox", name="Budget ρ for a person")).to_have_value("0.5")
    expect(answer(other)).to_contain_text("at most 26 in 100")
