"""Attacking a block in a browser: the draw, its seed in the link, and a table of one's own, good and bad."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, at_rest, settled, shown

GOOD = "block,age,count\nNorth,=cmd|' /C calc'!A0,3\nNorth,<b>young</b>,1\nSouth,<b>young</b>,2\n"
BAD = {
    "script.csv": ("block,age,count\nA,<script>alert(1)</script>,<script>alert(2)</script>\n", "row 2, column 'count'"),
    "formula.csv": ("block,age,count\nA,old,=cmd|' /C calc'!A0\n", "got \"=cmd|' /C calc'!A0\""),
    "negative.csv": ("block,adult,child\nA,3,1\nB,-2,0\n", "row 3, column 'adult'"),
    "fraction.csv": ("block,adult,child\nA,3,1.5\n", "row 2, column 'child'"),
    "twice.csv": ("block,adult,child\nA,3,1\nA,2,2\n", "it is also in row 2"),
}


def open_block(open_page: OpenPage, app: str, query: str = "") -> Page:
    page = open_page(f"{app}/block{query}")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=60_000)
    at_rest(page)
    return page


def drawing(page: Page) -> str:
    found: str = page.locator(".js-plotly-plot").first.evaluate("e => JSON.stringify(e.data.map(t => [t.x, t.y]))")
    return found


def upload(page: Page, path: Path) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)


def test_a_new_draw_moves_the_belief_and_the_same_seed_brings_it_back(open_page: OpenPage, app: str) -> None:
    page = open_block(open_page, app, "?seed=7&asked=value&block_tables=all")
    said, drawn = page.locator(".riskline-answer").inner_text(), drawing(page)
    assert "49 in 100" in said
    page.get_by_role("button", name="Draw again").click()
    expect(page.locator(".riskline-answer")).not_to_have_text(said)
    expect(page).to_have_url(re.compile("seed=8"))
    at_rest(page)
    second, address = drawing(page), page.evaluate("location.href")
    assert second != drawn
    other = open_page(address)
    expect(other.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=60_000)
    at_rest(other)
    assert drawing(other) == second
    page.get_by_role("button", name="Draw 100").click()
    expect(page.locator(".riskline-answer")).to_contain_text("Over a hundred releases")
    expect(page).to_have_url(re.compile("draws=hundred"))


def test_five_bad_tables_get_a_sentence_with_the_place_and_the_good_one_stays(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    page = open_block(open_page, app, "?table=own&asked=presence")
    expect(shown(page, "No table is held: district 28-21 is shown").first).to_be_visible()
    shown(page, "Table, noise and question").click()
    page.get_by_role("button", name="Your CSV file").click()
    expect(shown(page, "They stay in this session, never in a log or link").first).to_be_visible()
    good = tmp_path / "good.csv"
    good.write_text(GOOD)
    upload(page, good)
    expect(shown(page, "2 places, 2 cells, 6 people").first).to_be_visible()
    expect(shown(page, "in North, or not in the data: <b>young</b>").first).to_be_visible()
    for name, (text, words) in BAD.items():
        bad = tmp_path / name
        bad.write_text(text)
        upload(page, bad)
        told = page.get_by_test_id("stAlert").filter(has_text="File not taken")
        expect(told).to_contain_text(words)
        expect(shown(page, "such person in North").first).to_be_visible()
        settled(page)
    assert page.evaluate("document.querySelectorAll('script:not([src])').length") <= 1
    assert "North" not in page.evaluate("location.href")


def test_an_upload_is_gone_after_the_session_and_never_on_disk(open_page: OpenPage, app: str, tmp_path: Path) -> None:
    page = open_block(open_page, app, "?table=own&asked=presence")
    shown(page, "Table, noise and question").click()
    page.get_by_role("button", name="Your CSV file").click()
    good = tmp_path / "good.csv"
    good.write_text("block,adult,child\nRisklinetest,5,1\n")
    upload(page, good)
    expect(shown(page, "such person in Risklinetest").first).to_be_visible()
    page.reload()
    settled(page)
    expect(shown(page, "No table is held: district 28-21 is shown").first).to_be_visible()
    expect(shown(page, "Risklinetest")).to_have_count(0)


@pytest.mark.parametrize("name", ["Table, noise and question", "Released again"])
def test_the_folds_change_the_answer_of_their_own_picture(open_page: OpenPage, app: str, name: str) -> None:
    page = open_block(open_page, app, "?asked=presence")
    shown(page, name).click()
    if name.startswith("Table"):
        shown(page, "In fact counted").click()
        expect(page).to_have_url(re.compile("counted=no"))
    else:
        slider = page.get_by_role("slider", name="Releases")
        slider.focus()
        page.keyboard.press("ArrowRight")
        expect(shown(page, "6 releases of the same count").first).to_be_visible()


def test_a_household_that_is_one_of_only_two_reads_its_own_answer(open_page: OpenPage, app: str) -> None:
    page = open_block(open_page, app, "?asked=presence")
    expect(shown(page, "If the attacker knows the others, being one of many hides nobody")).to_be_visible()
    said = page.locator(".riskline-answer").inner_text()
    page.get_by_label("How many are alike?").fill("2")
    page.keyboard.press("Enter")
    expect(shown(page, "in your area, or not in the data").first).to_be_visible()
    expect(shown(page, "The true count is 1 without the person and 2 with the person").first).to_be_visible()
    expect(page.locator(".riskline-answer")).to_have_text(said)
    assert "alike" not in page.evaluate("location.href")
