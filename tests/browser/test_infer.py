"""Learning from a noisy release in a browser: the default, a flat prior, an improper prior, the regression."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, pick, settled, shown


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def test_the_default_answers_and_a_flat_prior_moves_the_answer(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/infer")
    expect(answer(page)).to_contain_text("between 5 and 45")
    pick(page, "Belief before", "all equally likely")
    expect(answer(page)).to_contain_text("between 17 and 62")
    expect(page).to_have_url(re.compile("prior=flat"))


def test_an_improper_prior_keeps_the_last_picture_and_names_the_theorem(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/infer")
    settled(page)
    pick(page, "Belief before", "one over the variance")
    expect(shown(page, "Theorem 17", exact=False).first).to_be_visible()
    expect(page.locator(".riskline-answer.riskline-stale")).to_contain_text("between 5 and 45")


def test_own_values_become_a_noisy_release_in_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/infer?prior=flat")
    shown(page, "More", exact=True).click()
    page.get_by_role("button", name="Your values").click()
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    drop.set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": b"17\n23\n31\n8\n"})
    expect(page).to_have_url(re.compile(r"n=4&mean=-?[0-9.]+&variance=-?[0-9.]+"))
    expect(page.locator(".riskline-small").first).to_contain_text("for 4 values between 0 and 100")


def test_the_regression_is_computed_on_demand(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/infer?part=regression")
    expect(answer(page)).to_contain_text("Compute")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    shown(page, "Compute", exact=True).last.click()
    expect(page.get_by_role("button", name="Stop drawing")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)  # the picture stays while the draws are made
    expect(page).to_have_url(re.compile("compute=yes"))
    expect(answer(page)).to_contain_text("The line rises by", timeout=60_000)
    expect(page.get_by_role("button", name="Stop drawing")).to_have_count(0)


def test_a_count_of_a_noisy_folder_follows_its_area(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/infer?part=folder&area=3&cell=1")
    expect(answer(page)).to_contain_text("Block 3, under voting age: between")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    pick(page, "Areas", "county")
    expect(answer(page)).to_contain_text("Invented county, under voting age: between")
    expect(page).to_have_url(re.compile("of_level=3"))
    expect(shown(page, "--posterior", exact=False).first).to_be_visible()
