"""The attack through the hierarchy in a browser: a clicked release, a switched belief, the folds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, at_rest, resting_box, shown, type_into
from ui.link.measured_file import read_measurements
from ui.pictures.style import Style
from ui.views.hierarchy import HierarchyInputs
from ui.views.hierarchy.view import measured_view
from ui.words.catalogue import label

ROOT = Path(__file__).resolve().parents[2]


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def test_a_clicked_tile_becomes_the_release_of_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/hierarchy")
    chart = page.locator(".js-plotly-plot .nsewdrag").first
    expect(chart).to_be_visible()
    at_rest(page)
    said = answer(page).inner_text()
    box = resting_box(chart)
    place = box["x"] + 0.75 * box["width"], box["y"] + 0.3 * box["height"]
    page.mouse.move(*place)
    expect(page.locator(".hoverlayer .hovertext")).to_be_visible()
    page.mouse.click(*place)
    expect(page).to_have_url(re.compile(r"[?&](x2|y)="))
    expect(answer(page)).not_to_have_text(said)
    at_rest(page)
    other = open_page(page.evaluate("location.href"))
    expect(answer(other)).to_have_text(answer(page).inner_text())


def test_another_belief_about_the_siblings_turns_the_sentence(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/hierarchy")
    expect(answer(page)).to_contain_text(
        "counted to 54 in 100. With nothing known about the other blocks, the larger area takes it to 46 in 100."
    )
    shown(page, "Most likely nobody else", exact=True).click()
    expect(answer(page)).to_contain_text("nearby, the larger area takes it to 63 in 100.")
    expect(shown(page, "68 in 100").first).to_be_visible()
    expect(page).to_have_url(re.compile("belief=sparse"))


def test_the_levels_open_below_the_beliefs(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/hierarchy?voice=technical")
    shown(page, "Level by level").click()
    expect(shown(page, "0.05145", exact=False).first).to_be_visible()


def test_noisy_tables_that_the_command_drew_are_attacked_and_a_hostile_file_gets_a_sentence(
    open_page: OpenPage, app: str, tmp_path: Path
) -> None:
    drawn = tmp_path / "drawn.csv"
    command = [sys.executable, "-m", "riskline", "census", "draw", "--seed", "3", "--out", str(drawn)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    [person] = re.findall(r"--person '([^']+)'", told.stdout + told.stderr)
    page = open_page(f"{app}/hierarchy")
    shown(page, "Your own noisy tables").first.click()
    drop = page.get_by_test_id("stFileUploaderDropzoneInput").first
    hostile = b"level,area,table,cell,value,variance,<script>alert(1)</script>\nnation,N,cenrace,0,1,1,0\n"
    drop.set_input_files({"name": "hostile.csv", "mimeType": "text/csv", "buffer": hostile})
    refused = shown(page, re.compile("line 1 names .*<script>alert\\(1\\)</script>.*no column", re.IGNORECASE)).first
    expect(refused).to_be_visible()
    drop.set_input_files({"name": "drawn.csv", "mimeType": "text/csv", "buffer": drawn.read_bytes()})
    expect(page.get_by_role("button", name=label("table_choice", "forget"))).to_be_visible()
    expect(refused).to_be_hidden()
    type_into(page, "Person's cell", person)
    view = measured_view(read_measurements(drawn.read_bytes()), person, "", HierarchyInputs().prior, Style())
    assert view.levels is not None
    expect(shown(page, view.answer.replace("**", "")).first).to_be_visible()
    assert "cenrace" not in page.url
