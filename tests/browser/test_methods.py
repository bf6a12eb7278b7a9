"""Today's methods in a browser: a method is chosen, a table comes from a file, and the next step opens."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, pick, settled, shown, type_into


def test_a_method_a_table_from_a_file_and_the_budget_of_the_same_error(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/methods")
    said = page.locator(".riskline-answer")
    expect(said).to_contain_text("in 33 of 100 releases somebody becomes certain")
    type_into(page, "Base", "5")
    expect(said).to_contain_text("Rounding to base 5: in 20 of 100 releases")
    pick(page, "Your method", "Cell keys from a file")
    expect(said).to_contain_text("Your table of cell keys")
    drop = page.get_by_test_id("stFileUploaderDropzoneInput").first
    rows = "j,i,p,extra\n0,0,1,a\n0,1,0.5,b\n1,1,0.2,c\n2,1,0.1,d\n3,1,0.2,e\n"
    drop.set_input_files({"name": "wrong.csv", "mimeType": "text/csv", "buffer": rows.replace("0.5", "0.6").encode()})
    expect(shown(page, re.compile("row 1: p must sum to 1; got 1.1", re.IGNORECASE)).first).to_be_visible()
    drop.set_input_files({"name": "right.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    expect(shown(page, "Your table ends before a full row").first).to_be_visible()
    expect(said).to_contain_text("in 50 of 100 releases")
    settled(page)
    assert "table=" not in page.url
    page.get_by_role("link", name=re.compile("What ε = .* means")).click()
    expect(page).to_have_url(re.compile(r"/explain\?.*epsilon="))
