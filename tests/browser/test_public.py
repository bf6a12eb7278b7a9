"""The press officer's task in a browser: from the front door to a picture and three sentences, in few presses."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, go_to, settled, shown
from tests.browser.keyboard import unreached_when_zoomed

MOST_PRESSES = 6
CASE = (
    "?case=own&title=School%20absence&hidden=was%20absent%20more%20than%2020%20days&one=pupil&office=Office"
    "&secret=value&relation=replace&areas=38&line=cap_or_ratio"
)


def test_a_picture_and_three_sentences_for_the_press_are_few_presses_away(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    page = open_page(f"{app}/{CASE}")
    settled(page)
    presses = 0
    go_to(page, "Decide", "For the public")
    presses += 2
    answer = page.locator(".riskline-answer")
    expect(answer).to_contain_text("Suppose somebody thinks it 8 in 100 likely that a given pupil")
    sentences = page.locator(".riskline-sentence")
    expect(sentences.nth(0)).to_contain_text("Each published count is within ± 5")
    expect(sentences.nth(1)).to_contain_text("Not protected: who is in the data")
    settled(page)
    assert unreached_when_zoomed(page) == []
    for words, name in (("Picture (PNG)", "picture.png"), ("Sheet to print (HTML)", "sheet.html")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=words).click()
        presses += 1
        waiting.value.save_as(tmp_path / name)
    assert presses <= MOST_PRESSES
    with Image.open(tmp_path / "picture.png") as picture:
        assert picture.width >= 1200
    sheet = page.context.new_page()
    sheet.goto(f"file://{tmp_path / 'sheet.html'}")
    (people,) = sheet.locator("img").all()  # at this computer alone no code leads a phone anywhere
    expect(shown(page, "No QR code: this address works on this computer alone.")).to_be_visible()
    assert people.evaluate("image => image.naturalWidth") > 100
    assert "at most 25 in 100 sure" in (people.get_attribute("alt") or "")
    link = sheet.get_by_role("link", name="This page").get_attribute("href") or ""
    assert link.startswith(f"{app}/public?case=own&title=School+absence&")
    assert sheet.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    said = answer.inner_text()
    page.get_by_test_id("stMain").get_by_role("link", name="Decision memo").click()
    expect(page.locator("article.riskline-memo")).to_contain_text("25 in 100")
    page.get_by_role("link", name="For the public").last.click()
    expect(answer).to_have_text(said)
