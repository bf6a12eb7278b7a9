"""Plan a publication in a browser: pasted rows, a share by hand, a dragged range, ways there and back, long lists."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from riskline.case.tables import COLUMNS
from tests.browser.conftest import OpenPage, at_rest, resting_box, settled, shown

MONTHS = "\n".join(f"Month {number}\tcounts\t{10 + number}\t\t20" for number in range(1, 16))
SHEET = "Cases~counts~30~12~8!Deaths~counts~20~~8"


def rings(page: Page) -> Locator:
    return page.get_by_role("slider", name=re.compile("asked for$"))


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def ring(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=f"{name}: asked for")


def opened(open_page: OpenPage, address: str, **options: int | bool) -> Page:
    page = open_page(address, **options)
    open_grid(page)
    return page


def open_grid(page: Page) -> None:
    """Show the sheet with all its columns."""
    expect(rings(page).first).to_be_visible(timeout=60_000)
    shown(page, "All columns", exact=True).click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=60_000)
    at_rest(page)


def press_cell(page: Page, row: int) -> None:
    """Pick the first cell of a row of the sheet."""
    canvas = page.get_by_test_id("stDataFrame").first.locator("canvas").first
    canvas.scroll_into_view_if_needed()
    box = resting_box(canvas)
    page.mouse.click(box["x"] + 100, box["y"] + 35 * (row + 1.5))


def test_rows_are_pasted_a_share_is_kept_and_the_way_to_the_plan_leads_back(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/publication?tables={SHEET}")
    name = page.get_by_label("Table 1", exact=True)  # in words first: the grid is one press away
    expect(name).to_have_value("Cases", timeout=60_000)
    box = resting_box(name)
    assert box["y"] + box["height"] < 720
    expect(page.get_by_test_id("stDataFrame").first).not_to_be_visible()
    open_grid(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press_cell(page, 0)
    page.evaluate("text => navigator.clipboard.writeText(text)", MONTHS)
    page.keyboard.press("Control+V")
    expect(rings(page)).to_have_count(15)
    at_rest(page)
    press_cell(page, 1)
    page.keyboard.press("Control+ArrowRight")
    for _ in COLUMNS[COLUMNS.index("share") + 1 :]:
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    share = page.locator("#portal textarea").first
    share.fill("25 %")
    share.press("Enter")
    shares = page.get_by_role("region", name=re.compile("What each table gets")).get_by_role("row")
    expect(shares.nth(2)).to_contain_text(re.compile(r"Month 2.*25\.0 %"))
    at_rest(page)
    kept = answer(page).inner_text()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(shares.nth(2)).not_to_contain_text("25.0 %")
    page.get_by_role("button", name="Redo", exact=True).click()
    expect(answer(page)).to_have_text(kept)
    at_rest(page)
    page.get_by_role("button", name="Plan them one by one").click()
    expect(page).to_have_url(re.compile("/plan"))
    expect(page.locator("h1[data-page=plan]")).to_be_visible()
    at_rest(page)
    page.go_back()
    expect(answer(page)).to_have_text(kept)
    at_rest(page)
    page.reload()
    expect(answer(page)).to_have_text(kept, timeout=60_000)
    expect(shares.nth(2)).to_contain_text(re.compile(r"Month 2.*25\.0 %"))


def test_a_range_is_dragged_by_hand_and_keys_and_says_who_pays(open_page: OpenPage, app: str) -> None:
    page = opened(open_page, f"{app}/publication?tables={SHEET}", height=1400)
    cases, deaths = ring(page, "Cases"), ring(page, "Deaths")
    expect(deaths).to_have_attribute("aria-valuetext", "plus or minus 20; gets at most plus or minus 12")
    box = resting_box(deaths)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y + 2)
    page.mouse.move(x - 60, y)
    expect(shown(page, re.compile(r"^Deaths: ± 20 → ± \d+\.$")).first).to_be_visible()
    page.mouse.up()
    paid = shown(page, re.compile(r"^Deaths asks for ± \d+ instead of ± 20: now within ± \d+"))
    expect(paid).to_contain_text(re.compile(r"Paid for by Cases \(now within ± \d+, before within ± 19\)"))
    wish = re.search(r"asks for ± (\d+)", paid.inner_text())
    assert wish is not None
    assert int(wish.group(1)) < 20
    expect(page).to_have_url(re.compile(rf"Deaths~counts~{wish.group(1)}(~|$)"))
    at_rest(page)
    cases.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(shown(page, "Cases asks for ± 35 instead of ± 30").first).to_be_visible()
    expect(cases).to_be_focused()
    expect(cases).to_have_attribute("aria-valuetext", re.compile("^plus or minus 35; gets at most plus or minus "))
    for _ in range(2):
        page.get_by_role("button", name="Undo", exact=True).click()
        settled(page)
    expect(deaths).to_have_attribute("aria-valuetext", "plus or minus 20; gets at most plus or minus 12")
    expect(shown(page, "instead of ±")).to_have_count(0)


def test_a_finger_drags_on_a_phone_and_a_long_list_comes_from_a_file_and_goes_to_others_by_one(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    page = opened(open_page, f"{app}/publication?tables={SHEET}", width=360, height=740, touch=True)
    deaths = ring(page, "Deaths")
    deaths.scroll_into_view_if_needed()
    box = resting_box(deaths)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    for kind, places in (("Start", [x]), ("Move", [x - 8]), ("Move", [x - 30]), ("End", [])):
        points = [{"x": place, "y": y} for place in places]
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    expect(shown(page, re.compile(r"^Deaths asks for ± \d+ instead of ± 20")).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    at_rest(page)
    rows = "".join(f"{sha256(bytes([number])).hexdigest()[:30]} {number},{number + 20}\n" for number in range(1, 141))
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    drop.set_input_files({"name": "long.csv", "mimeType": "text/csv", "buffer": f"table,wanted\n{rows}".encode()})
    expect(rings(page)).to_have_count(140, timeout=60_000)
    expect(shown(page, "Too many rows for a link").first).to_be_visible()
    last = page.get_by_role("slider", name=re.compile(" 140: asked for$"))
    last.focus()
    expect(last).to_be_in_viewport()
    at_rest(page)
    page.get_by_role("button", name="Scenario").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save as a file").click()
    saved = tmp_path / "scenario.json"
    caught.value.save_as(saved)
    other = opened(open_page, f"{app}/publication?tables={SHEET}")
    other.get_by_role("button", name="Scenario").click()
    other.get_by_test_id("stPopoverBody").get_by_test_id("stFileUploaderDropzoneInput").set_input_files(saved)
    expect(answer(other)).to_have_text(answer(page).inner_text(), timeout=60_000)
