"""What an epsilon means, in a browser: icons count what the sentence says, presets and the link bring the page back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, at_rest, settled, shown


def said(page: Page) -> list[int]:
    """The belief before and the one after in the answer, and what stands under both panels, without denominators."""
    expect(page.locator(".riskline-answer strong")).to_have_count(2)
    after, before = page.locator(".riskline-answer strong").all_inner_texts()
    under = page.locator(".riskline-icons strong").all_inner_texts()
    found = [int(re.sub(r"At most | in .*|,", "", text)) for text in (before, after, *under)]
    assert found[1] == found[2]
    return [found[0], *found[2:]]


def counted(page: Page, panel: int, kind: str) -> int:
    expect(page.locator(".riskline-icons path")).to_have_count(200)
    return page.locator(".riskline-icons").nth(panel).locator(f"path.{kind}").count()


def test_icons_count_what_the_sentence_says(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/explain?guarantee=approximate&epsilon=0.1&delta=1e-7")
    assert said(page) == [50, 53, 47]
    assert (counted(page, 0, "kept"), counted(page, 0, "moved"), counted(page, 0, "rest")) == (50, 3, 47)
    assert (counted(page, 1, "kept"), counted(page, 1, "moved"), counted(page, 1, "rest")) == (47, 3, 50)
    expect(page.get_by_role("img", name="If in the data: belief before 50 of 100 icons")).to_be_visible()


def test_the_icons_follow_the_slider_and_the_link_brings_them_back(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/explain")
    before = said(page)
    page.get_by_role("slider", name="Privacy budget ε").focus()
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile("epsilon="))
    at_rest(page)
    now = said(page)
    assert now[1] > before[1]
    assert counted(page, 0, "kept") + counted(page, 0, "moved") == now[1]
    other = open_page(page.evaluate("location.href"))
    assert said(other) == now
    assert counted(other, 1, "kept") == now[2]


def test_a_published_example_is_one_press_away(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/explain")
    page.get_by_role("button", name="Daily counts").click()
    expect(page.locator(".riskline-small").first).to_contain_text("Gaussian noise at ρ = 0.3")
    settled(page)
    assert said(page) == [50, 90, 10]
    expect(page).to_have_url(re.compile("guarantee=gaussian"))
    expect(page.locator(".js-plotly-plot")).to_have_count(2)


def test_a_refused_combination_keeps_the_last_picture(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/explain?guarantee=approximate&delta=1e-6")
    before = said(page)
    box = page.get_by_role("textbox", name="δ", exact=True)
    box.fill("0.5")
    box.press("Enter")
    expect(shown(page, "must be larger than δ").first).to_be_visible()
    assert said(page) == before
    expect(box).to_have_value("0.5")


def test_relatives_are_one_press_away_and_the_link_brings_them_back(open_page: OpenPage, app: str) -> None:
    """A twin at .9 against .05 with ε = 1, from 5 in 100: 13 alone, at most 26 with the twin, 29 with a copy."""
    page = open_page(f"{app}/explain?case=own&secret=value&relation=replace&prior=0.05&epsilon=1")
    fold = page.locator(".st-key-explain-relatives")
    expect(page.get_by_role("slider", name="Relatives in the data")).to_have_count(0)
    fold.locator("summary").click()
    expect(fold.get_by_role("slider", name="Relatives in the data")).to_be_visible()
    fold.get_by_role("button", name="twin").click()
    expect(fold.locator(".riskline-sentence").first).to_contain_text("with them, at most 13 in 100 without")
    rows = fold.locator("table").first.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("26 in 100")
    assert [int(re.findall(r"(\d+) in 100", text)[0]) for text in rows.all_inner_texts()] == [13, 26, 29]
    expect(page).to_have_url(re.compile("relatives=1&share_if_yes=0.9"))
    settled(page)
    again = open_page(page.evaluate("location.href"))
    again.locator(".st-key-explain-relatives summary").click()
    expect(again.get_by_role("slider", name="Relatives in the data")).to_have_value("1")


def test_a_mechanism_of_ones_own_answers_by_its_curve_and_stays_out_of_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/explain?guarantee=own_mechanism")
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    curve = b"epsilon,delta\n1,0\n0.2,0.3\n"
    drop.set_input_files({"name": "own.csv", "mimeType": "text/csv", "buffer": curve})
    expect(page.locator(".riskline-small").first).to_contain_text("the mechanism of your file")
    settled(page)
    assert said(page) == [50, 74, 26]
    address = page.evaluate("location.href")
    assert "own_mechanism" in address
    assert "0.3" not in address
    expect(shown(open_page(address), "A link holds no file: give the mechanism's.").first).to_be_visible()
    training = b"noise_multiplier,rate,steps\n1,0.01,1000\n"
    drop.set_input_files({"name": "training.csv", "mimeType": "text/csv", "buffer": training})
    expect(page).to_have_url(re.compile("guarantee=subsampled_gaussian"))
    expect(shown(page, "581 in 1,000").first).to_be_visible()
