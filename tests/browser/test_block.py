"""Attacking a block in a browser: a draw, and tables of one's own, which are words on the page and gone after it."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest, settled, shown

GOOD = "block,age,count\nNorth,=cmd|' /C calc'!A0,3\nNorth,<b>young</b>,1\nSouth,<b>young</b>,2\n"
BAD = "block,age,count\nA,<script>alert(1)</script>,<script>alert(2)</script>\n"


def test_a_table_of_ones_own_is_drawn_from_again_stays_beside_a_bad_one_and_is_gone_after_the_session(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    page = open_page(f"{app}/block?table=own&asked=presence")
    expect(shown(page, "No table is held: district 28-21 is shown").first).to_be_visible()
    shown(page, "Table, noise and question").click()
    page.get_by_role("button", name="Your CSV file").click()
    expect(shown(page, "They stay in this session, never in a log or link").first).to_be_visible()
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    for name, text in (("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.csv").write_text(text)
        drop.set_input_files(tmp_path / f"{name}.csv")
        if name == "good":
            expect(shown(page, "2 places, 2 cells, 6 people").first).to_be_visible()
            expect(shown(page, "in North, or not in the data: <b>young</b>").first).to_be_visible()
    expect(page.get_by_test_id("stAlert").filter(has_text="File not taken")).to_contain_text("row 2, column 'count'")
    settled(page)
    assert page.evaluate("document.querySelectorAll('script:not([src])').length") <= 1
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Draw again").click()
    expect(page).to_have_url(re.compile("seed="))
    at_rest(page)
    expect(shown(page, "such person in North").first).to_be_visible()
    assert "North" not in page.url
    page.reload()
    settled(page)
    expect(shown(page, "No table is held: district 28-21 is shown").first).to_be_visible()
    expect(shown(page, "North")).to_have_count(0)
