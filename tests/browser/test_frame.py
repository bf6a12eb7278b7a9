"""The frame in a browser: deep links on a fresh server, what a link is refused, themes, phone width, accessibility."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    FirstSeen,
    OpenPage,
    at_rest,
    go_to,
    resting_box,
    resting_boxes,
    settled,
    shown,
    violations,
)
from tests.browser.text_boxes import faults_of_text
from tests.browser.trees import approved_tree, assert_heard_first, tree_of
from ui.link.page_table import PAGES, TOGETHER

ALL_WIDTHS = os.environ.get("RISKLINE_ALL_WIDTHS") == "1"
"""Whether a page is read at all five widths; else at the middle and the widest one in turns, page by page."""

ADDRESSES = [entry.address for entry in PAGES]

CLOSED = """() => {
    const folds = [...document.querySelectorAll('#stMain details:not([open]) > summary')];
    folds.forEach(fold => fold.click());
    return folds.length;
}"""
"""Opens the folds that are closed, and tells how many."""


def test_a_deep_link_on_a_fresh_server_shows_the_frame(first_seen: FirstSeen) -> None:
    assert first_seen.navigation
    assert "6 in 100" in first_seen.answer  # 8 in 100 without the link


def unreadable(page: Page, width: int, height: int) -> list[str]:
    """Every label that is cut, squeezed or lies on another in a window of this size."""
    page.set_viewport_size({"width": width, "height": height})
    return [str(fault) for fault in faults_of_text(page)]


def open_folds(page: Page) -> None:
    """Open every fold, also those that stand in another one."""
    while page.evaluate(CLOSED):
        page.wait_for_timeout(100)
        settled(page)


def test_who_hears_the_page_is_told_each_answer_each_refusal_and_every_name_once(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/accuracy")
    told, refused = page.get_by_role("status"), page.get_by_role("alert")
    expect(told).to_contain_text("published count is within")
    place, box = told.element_handle(), page.get_by_label("Privacy budget ε, typed")
    box.fill("0.5")
    box.press("Enter")
    expect(told).to_contain_text("published count is within ± 6")
    assert place.evaluate("element => element.isConnected")  # a new element would not be heard
    box.fill("a lot")
    box.press("Enter")
    expect(refused).to_contain_text("must be a number; got 'a lot'")
    expect(box).to_have_attribute("aria-invalid", "true")
    words = box.evaluate("box => document.getElementById(box.getAttribute('aria-describedby')).textContent")
    assert "must be a number; got 'a lot'" in words
    box.fill("0.5")
    box.press("Enter")
    expect(refused).to_have_text("")
    expect(box).not_to_have_attribute("aria-invalid", "true")
    go_to(page, "Decide", "Several releases")
    expect(told).to_contain_text("Read once, they raise a belief of")
    expect(page.get_by_role("slider", name="How many days?", exact=True)).to_be_attached()


@pytest.mark.tree
@pytest.mark.parametrize("address", ADDRESSES, ids=[entry.stem for entry in PAGES])
def test_a_page_says_its_name_is_accessible_with_its_folds_open_and_can_be_read_whole_at_five_widths(
    open_page: OpenPage, app: str, address: str
) -> None:
    phone = ADDRESSES.index(address) % 2 == 1  # last a phone in the dark, else a desk in the light: for axe, with folds
    between = ((768, 1024), (1920, 1080))
    sizes = [(360, 740), *(between if ALL_WIDTHS else between[phone : phone + 1]), (1440, 900)]
    if phone:
        sizes.reverse()
    page = open_page(f"{app}/{address}", width=sizes[0][0], height=sizes[0][1], dark=phone)
    entry = next(entry for entry in PAGES if entry.address == address)
    expect(page).to_have_title(f"{entry.title} – Riskline")
    expect(page.locator(f"h1[data-page={entry.stem}]")).to_be_visible()
    heard: list[str] = []
    for width, height in sizes:
        assert unreadable(page, width, height) == []
        if width == 1440:  # where controls stand where they are heard
            heard = tree_of(page.locator("#stMain"))
    assert len([line for line in heard if line.endswith("[level=1]")]) == 1
    question, answer = (page.locator(f".riskline-{part}").first.inner_text() for part in ("page", "answer"))
    assert_heard_first(heard, question, answer, presses="button" if entry.group == TOGETHER else "link")
    open_folds(page)
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    shown(page, "Large type", exact=True).click()
    expect(page).to_have_url(re.compile("type=large"))
    settled(page)
    assert unreadable(page, 1280, 720) == []
    approved_tree(entry.stem, heard, entry.stem)


def test_choices_of_a_page_survive_a_visit_to_another(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/choose?line=constant&ratio=2")
    said = page.locator(".riskline-answer").inner_text()
    go_to(page, "Decide", "Start here")
    expect(page.locator(".riskline-answer")).not_to_have_text(said)
    settled(page)
    places = page.evaluate("history.length")
    go_to(page, "Decide", "Choose a budget")
    expect(page.locator(".riskline-answer")).to_have_text(said)
    expect(page).to_have_url(re.compile("ratio=2"))
    assert page.evaluate("history.length") == places + 1  # its choices are in the address, and in no place of their own
    shown(page, "Technical", exact=True).click()
    expect(page).to_have_url(re.compile("voice=technical"))
    expect(page.locator(".riskline-answer")).not_to_have_text(said)
    assert page.evaluate("history.length") == places + 2  # what is changed on a page is one
    page.go_back()
    page.go_back()
    expect(page.locator("h1[data-page=home]")).to_be_visible()


def test_one_press_of_back_returns_to_the_lesson(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/lessons?voice=technical")
    before = page.evaluate("history.length")
    settled(page)
    first = page.get_by_role("link", name="Open: What an ε means").first
    resting_box(first)  # pictures push the links of two steps down while they are drawn: a click would meet the other
    first.click()
    expect(page.locator("h1[data-page=explain]")).to_be_visible()
    settled(page)
    expect(page).to_have_url(re.compile(r"/explain\?.*epsilon=1&.*voice=technical"))
    assert page.evaluate("history.length") == before + 1
    page.go_back()
    expect(page.locator("h1[data-page=lessons]")).to_be_visible()
    expect(page.get_by_role("link", name="Open: What an ε means").first).to_be_visible()


def assert_the_link_is_copied(page: Page) -> None:
    """By keyboard; where the clipboard is refused the link is shown, selected."""
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }; 0")
    button = page.get_by_role("button", name="Copy link")
    button.focus()
    page.keyboard.press("Enter")
    expect(shown(page, "Copied", exact=True).first).to_be_visible()
    assert page.evaluate("window.copied") == page.url
    page.evaluate("navigator.clipboard.writeText = async () => { throw new Error('refused'); }; 0")
    button.click()
    address = page.get_by_label("This page with your choices")
    expect(address).to_be_focused()
    expect(address).to_have_value(page.url)
    assert address.evaluate("box => box.selectionEnd - box.selectionStart") == len(page.url)


def test_a_scenario_is_saved_and_loaded_after_a_foreign_file_got_a_sentence(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    page = open_page(f"{app}/choose?line=constant&ratio=2&voice=technical")
    said = page.locator(".riskline-answer").inner_text()
    page.get_by_role("button", name="Scenario").click()
    assert_the_link_is_copied(page)
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save as a file").click()
    saved = tmp_path / "scenario.json"
    caught.value.save_as(saved)
    assert json.loads(saved.read_text())["case"] == {"line": "constant", "ratio": 2}
    other = open_page(f"{app}/choose")
    other.get_by_role("button", name="Scenario").click()
    foreign, drop = tmp_path / "foreign.json", other.get_by_test_id("stFileUploaderDropzoneInput")
    foreign.write_text('{"hello": "<script>alert(1)</script>"}')
    drop.set_input_files(foreign)
    expect(shown(other, "This is not a Riskline scenario file. Nothing was changed.").first).to_be_visible()
    drop.set_input_files(saved)
    expect(other.locator(".riskline-answer")).to_have_text(said)
    expect(other).to_have_url(re.compile("ratio=2"))


def test_a_picture_follows_the_ground_and_leaves_as_table_vectors_and_pixels(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    page = open_page(f"{app}/choose")
    ink = page.locator(".js-plotly-plot .xtick text").first
    light = ink.evaluate("one => getComputedStyle(one).fill")
    page.emulate_media(color_scheme="dark")  # the ground changes under an open page
    expect(ink).not_to_have_css("fill", light)
    at_rest(page)
    shown(page, "Numbers and files").nth(1).click()
    begins = {"CSV": b"belief before,your line,reachable belief,", "SVG": b"<svg", "PNG": b"\x89PNG\r\n\x1a\n"}
    for kind, first in begins.items():
        with page.expect_download() as caught:
            page.get_by_role("button", name=f"Download as {kind}").click()
        assert caught.value.suggested_filename == f"riskline-epsilon-by-prior.{kind.lower()}"
        saved = tmp_path / kind
        caught.value.save_as(saved)
        assert saved.read_bytes().startswith(first)


def test_what_a_link_smuggles_into_a_notice_is_told_and_is_neither_link_nor_picture(
    app: str, open_page: OpenPage
) -> None:
    smuggled = "![](//evil.example/a.png) www.evil.example"
    colours = ":material/home: https://evil.example:red[x]"
    command = "app --share http://10.0.0.1:8501 -> b"
    asked = {"voice": smuggled, "line": colours, "ratio": "me@evil.example", "held": "nan", command: ""}
    page = open_page(f"{app}/choose?{urlencode(asked)}")
    alerts = page.get_by_test_id("stAlert")
    told = "\n".join(alerts.all_inner_texts())
    assert f"no choice called '{command}'" in told, "what is copied must be what was written, letter by letter"
    assert "got '![](//evil.example/a.png) www.evil.exam…'" in told
    assert "got ':material/home: https://evil.example:re…'" in told
    assert "got 'me@evil.example'" in told
    assert "must be a finite number; got 'nan'" in told
    assert alerts.locator("a, img").count() == 0
    expect(page.locator(".riskline-number").first).to_contain_text("ε = 1.29")


def test_a_held_key_and_a_typed_number_move_a_slider_its_box_and_the_address_as_far(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/explain?epsilon=3")
    slider = page.get_by_role("slider", name="Privacy budget ε")
    box = page.get_by_role("textbox", name=re.compile("^Privacy budget ε.*, typed$"))
    slider.focus()
    for _ in range(12):  # the page is drawn anew at each, and the browser sends the next one before it has seen that
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(40)
    expect(page).to_have_url(re.compile(r"epsilon=3\.6(&|$)"))
    at_rest(page)
    expect(page).to_have_url(re.compile(r"epsilon=3\.6(&|$)"))
    expect(slider).to_have_value("3.6")
    expect(box).to_have_value("3.6")
    box.fill("7.25")  # beyond the slider's span, which stretches
    box.press("Enter")
    expect(page).to_have_url(re.compile(r"epsilon=7\.25"))
    expect(slider).to_have_value("7.25")
    at_rest(page)
    kept = page.locator(".riskline-answer").inner_text()
    box.fill("very little")
    box.press("Enter")
    expect(shown(page, "must be a number; got 'very little'. The picture still shows 7.25.")).to_be_visible()
    expect(box).to_have_value("very little")
    expect(page.locator(".riskline-answer")).to_have_text(kept)
    at_rest(page)
    box.fill("20")
    box.press("Enter")
    expect(slider).to_have_value("20")
    at_rest(page)
    slider.focus()
    for moved in ("19.95", "19.9"):  # it does not shrink under a finger, which would take the focus away
        page.keyboard.press("ArrowLeft")
        expect(box).to_have_value(moved)
        expect(page).to_have_url(re.compile(rf"epsilon={re.escape(moved)}(&|$)"))
        at_rest(page)
    box.fill("0,37")
    box.press("Enter")
    expect(page).to_have_url(re.compile(r"epsilon=0\.37"))
    at_rest(page)
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(box).not_to_have_value("0,37")
    expect(page).to_have_url(re.compile(rf"epsilon={re.escape(box.input_value())}(&|$)"))


def test_on_a_phone_the_frame_is_no_higher_than_its_bar_in_either_type(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/explain", width=360, height=740)
    switches = page.locator(".st-key-riskline-frame label")
    for type in ("normal", "large"):
        if type == "large":
            switches.nth(1).click()
            expect(page).to_have_url(re.compile("type=large"))
        at_rest(page)
        button = page.get_by_role("button", name="Scenario").locator("visible=true")
        for box in (resting_box(switches.first), resting_box(button)):
            assert box["x"] >= 44, type  # clear of the menu's button
            assert box["x"] + box["width"] <= 316 + 4, type  # and of the one on the right
            assert box["y"] + box["height"] <= 64, type
        assert resting_box(page.locator("h1.riskline-page"))["y"] >= 56, type
    page.set_viewport_size({"width": 180, "height": 370})  # at 200 %
    assert min(box["x"] for box in resting_boxes(switches)) >= 0
