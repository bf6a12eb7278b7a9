"""Test a claim in a browser: draws of one's own refute a claim, a larger claim is not refuted, a bet is drawn."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.audit_draws import draws, together
from tests.browser.conftest import OpenPage, shown, type_into


def test_uploaded_draws_refute_a_claim_and_a_larger_one_stands(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/audit?evidence=file")
    said = page.locator(".riskline-answer")
    expect(said).to_contain_text("these draws refute the claim of ε = 1")  # invented ones, as is said
    page.get_by_role("button", name="My file").click()
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    drop.set_input_files({"name": "draws.csv", "mimeType": "text/csv", "buffer": together(*draws(2.0))})
    expect(said).to_contain_text("ε is at least 1.7")
    page.keyboard.press("Escape")
    type_into(page, "Claimed ε", "2")
    expect(said).to_contain_text("Nothing here contradicts ε = 2")
    expect(page).to_have_url(re.compile(r"evidence=file&epsilon=2"))
    shown(page, "one by one", exact=True).click()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(shown(page, "A bet against the claim", exact=False).first).to_be_visible()
