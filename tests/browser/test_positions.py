"""Comparing positions in a browser: a moved line is that party's alone, and a name is everywhere the same."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest


def test_a_point_moved_for_one_party_changes_its_budget_alone_and_a_name_is_the_name_everywhere(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/positions?parties=6")
    titles, whose = page.locator(".riskline-sentence"), page.get_by_role("combobox", name="Whose line?")
    expect(titles.nth(0)).to_have_text("Agency ε = 1.29")
    expect(page.locator(".comparisons path")).to_have_count(5)
    at_rest(page)
    page.get_by_label(re.compile(r"^Control point 2 of \d+$")).focus()
    page.keyboard.press("ArrowUp")
    expect(titles.nth(0)).not_to_have_text("Agency ε = 1.29")
    expect(titles.nth(1)).to_have_text("Advocates ε = 0.69")
    expect(page).to_have_url(re.compile("line1=drawn"))
    expect(page).to_have_url(re.compile("points1="))
    at_rest(page)
    box = page.get_by_label("Name, at most 40 characters")
    box.fill("Statistics office")
    box.press("Enter")
    expect(titles.nth(0)).to_contain_text("Statistics office ε = ")
    expect(whose).to_have_value("Statistics office")
    expect(page).to_have_url(re.compile("name1=Statistics"))
