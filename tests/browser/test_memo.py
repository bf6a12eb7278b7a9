"""The memo in a browser: its downloads, its print, and its choices following those of the other pages."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from tests.browser.conftest import OpenPage, at_rest, go_to, shown
from tests.browser.keyboard import unreached_when_zoomed

OFFERED = (
    ("Brief to print (HTML)", "html"),
    ("Brief (Word)", "docx"),
    ("Slides (PowerPoint)", "pptx"),
    ("Scenario (JSON)", "json"),
)


def test_the_memo_follows_the_line_chosen_before_and_downloads_in_four_forms(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    page = open_page(f"{app}/choose?line=constant&ratio=2")
    go_to(page, "Decide", "Decision memo")
    expect(page.locator(".riskline-answer")).to_contain_text("ε = 0.69")
    at_rest(page)
    assert "case=own&line=constant&ratio=2" in page.url
    assert unreached_when_zoomed(page) == []
    page.emulate_media(media="print")
    expect(page.locator(".st-key-riskline-frame")).to_be_hidden()
    assert page.locator(".riskline-paper").evaluate("paper => paper.scrollHeight - paper.clientHeight") <= 1
    page.emulate_media(media="screen")
    for name, ending in OFFERED:
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name).click()
        waiting.value.save_as(tmp_path / f"memo.{ending}")
    deck = Presentation(str(tmp_path / "memo.pptx"))
    assert len(deck.slides) == 6
    assert not [shape for shape in deck.slides[5].shapes if shape.shape_type == MSO_SHAPE_TYPE.PICTURE]
    expect(shown(page, "No QR code: this address works on this computer alone.")).to_be_visible()
    scenario = json.loads((tmp_path / "memo.json").read_text(encoding="utf-8"))
    assert scenario["case"] == {"line": "constant", "ratio": 2}
    printed = page.context.new_page()
    printed.goto(f"file://{tmp_path / 'memo.html'}")
    assert printed.locator("img").count() == 2  # districts, line: no dots of a mere ratio, no code of this computer
    assert all(printed.locator("img").nth(at).evaluate("image => image.naturalWidth") > 100 for at in range(2))
    assert (printed.get_by_role("link", name="This memo").get_attribute("href") or "").startswith(f"{app}/memo?")
    pages = printed.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
    assert pages == 3  # two sides, and the annex
