"""The line editor in a browser: mouse, touch, keys, freehand, undo, views, and what a stranger may send."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from dpcore.profiles import DrawnLine
from riskline.case.line import INTERPOLATIONS
from riskline.case.points import Line, decode_points
from tests.browser.conftest import READY, ROOT, OpenPage, resting_box, resting_boxes, running_app, shown

APP = Path(__file__).parent / "apps" / "line_editor_app.py"
START: Line = ((0.01, 0.1), (0.1, 0.3), (0.5, 0.7), (0.9, 0.97))

HEIGHTS = """point => {
    const root = point.getRootNode(), name = point.getAttribute('aria-label');
    window.heights = [];
    const look = () => {
        const {y, height} = root.querySelector(`[aria-label="${name}"]`).getBoundingClientRect();
        window.heights.push(y + height / 2);
        requestAnimationFrame(look);
    };
    look();
}"""
"""Note in each frame how far down the page a point is drawn."""


@pytest.fixture(scope="module")
def alone() -> Iterator[str]:
    """The address of the editor on a page of its own."""
    with running_app(APP) as url:
        yield url


def editor(open_page: OpenPage, url: str, **options: Any) -> Page:
    page = open_page(url, **options)
    expect(handle(page, 1)).to_be_visible()
    return page


def handle(page: Page, place: int) -> Locator:
    return page.get_by_label(re.compile(rf"^Control point {place} of \d+$"))


def said(page: Page) -> Locator:
    return shown(page, re.compile(r"^points "))


def heard(page: Page) -> Locator:
    """What the editor tells a screen reader."""
    return page.locator(".spoken")


def line(page: Page) -> Line:
    page.wait_for_selector(READY)
    return decode_points((said(page).text_content() or "").removeprefix("points "))


def centre(of: Locator) -> tuple[float, float]:
    box = resting_box(of)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, place: int, dx: float, dy: float) -> None:
    before = said(page).text_content() or ""
    x, y = centre(handle(page, place))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()
    expect(said(page)).not_to_have_text(before)
    expect(shown(page, "settled True")).to_be_visible()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def settled_as(page: Page, text: str) -> None:
    expect(said(page)).to_have_text(f"points {text}")


def has_points(page: Page, count: int) -> None:
    expect(said(page)).to_have_text(re.compile(rf"^points [^_]*(_[^_]*){{{count - 1}}}$"))


def plot(page: Page) -> dict[str, float]:
    """Corners of the plot, from where two known points stand on the linear posterior view."""
    (x1, y1), (x2, y2) = centre(handle(page, 1)), centre(handle(page, 4))
    width, height = (x2 - x1) / (0.9 - 0.01), (y1 - y2) / (0.97 - 0.1)
    return {"left": x1 - 0.01 * width, "bottom": y1 + 0.1 * height, "width": width, "height": height}


def test_a_dragged_point_reaches_python_and_the_link(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    drag(page, 3, 0, -40)
    moved = line(page)
    assert [p for k, p in enumerate(moved) if k != 2] == [p for k, p in enumerate(START) if k != 2]
    assert moved[2][0] == pytest.approx(0.5, abs=0.01)
    assert moved[2][1] > 0.75
    page.reload()
    expect(handle(page, 3)).to_be_visible()
    assert line(page) == moved


def test_a_moved_line_changes_the_budget_on_the_page(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    budget = shown(page, re.compile("^Budget"))
    before = budget.text_content() or ""
    drag(page, 3, 0, 60)
    expect(budget).not_to_have_text(before)


def test_a_point_cannot_cross_the_diagonal_the_ceiling_or_its_neighbours(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    drag(page, 2, 0, 600)
    assert line(page)[1][1] == line(page)[1][0]
    drag(page, 3, 0, -900)
    assert line(page)[2][1] == 1.0
    drag(page, 2, 900, -50)
    moved = line(page)
    assert moved[1][0] < moved[2][0] == 0.5
    assert all(posterior >= prior for prior, posterior in moved)


def test_arrow_keys_move_a_point_and_keep_the_focus(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    handle(page, 2).focus()
    expect(handle(page, 2)).to_have_attribute("aria-valuetext", "before 10 in 100, after at most 30 in 100")
    page.keyboard.press("ArrowUp")
    settled_as(page, "0.01~0.1_0.1~0.31_0.5~0.7_0.9~0.97")
    page.keyboard.press("Shift+ArrowDown")
    settled_as(page, "0.01~0.1_0.1~0.26_0.5~0.7_0.9~0.97")
    page.keyboard.press("ArrowRight")
    settled_as(page, "0.01~0.1_0.11~0.26_0.5~0.7_0.9~0.97")
    expect(handle(page, 2)).to_be_focused()
    page.keyboard.press("Home")
    settled_as(page, "0.01~0.1_0.11~0.11_0.5~0.7_0.9~0.97")
    page.keyboard.press("End")
    settled_as(page, "0.01~0.1_0.11~1_0.5~0.7_0.9~0.97")
    expect(handle(page, 2)).to_have_attribute("aria-valuetext", "before 11 in 100, after at most 100 in 100")


def test_a_burst_of_keys_ends_where_the_last_key_leads(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    handle(page, 3).focus()
    for _ in range(15):
        page.keyboard.press("ArrowUp")
    settled_as(page, "0.01~0.1_0.1~0.3_0.5~0.85_0.9~0.97")


def test_points_are_added_and_removed_by_double_click_key_and_button(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    at = plot(page)
    page.mouse.dblclick(at["left"] + 0.3 * at["width"], at["bottom"] - 0.8 * at["height"])
    has_points(page, 5)
    expect(handle(page, 3)).to_be_focused()
    added = line(page)[2]
    assert added == pytest.approx((0.3, 0.8), abs=0.02)
    page.mouse.dblclick(*centre(handle(page, 3)))
    settled_as(page, "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")
    press(page, "Add point")
    settled_as(page, "0.01~0.1_0.1~0.3_0.3~0.5_0.5~0.7_0.9~0.97")
    expect(heard(page)).to_have_text("Point added at 30 in 100. 5 points.")
    page.keyboard.press("Delete")
    settled_as(page, "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")
    handle(page, 1).focus()
    press(page, "Remove point")
    settled_as(page, "0.1~0.3_0.5~0.7_0.9~0.97")


def test_the_last_point_stays(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, f"{alone}/?line=0.4~0.8")
    handle(page, 1).focus()
    page.keyboard.press("Delete")
    expect(heard(page)).to_have_text("One point has to stay.")
    assert line(page) == ((0.4, 0.8),)


def test_a_freehand_stroke_becomes_at_most_twelve_points_above_the_diagonal(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    at = plot(page)
    press(page, "Draw freehand")
    page.mouse.move(at["left"] + 0.02 * at["width"], at["bottom"] - 0.2 * at["height"])
    page.mouse.down()
    for k in range(1, 40):
        wave = 0.55 + 0.25 * (-1) ** (k // 3) + 0.005 * k
        page.mouse.move(at["left"] + (0.02 + 0.024 * k) * at["width"], at["bottom"] - wave * at["height"])
    page.mouse.up()
    expect(heard(page)).to_have_text(re.compile(r"^Line drawn\."))
    expect(said(page)).not_to_have_text("points 0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")
    drawn = line(page)
    assert 3 <= len(drawn) <= 13  # twelve of the stroke, and the old first point left of it
    assert all(posterior >= prior for prior, posterior in drawn)
    page.keyboard.press("Control+z")
    settled_as(page, "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")


def test_undo_and_redo_walk_through_every_change(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    drag(page, 3, 0, -30)
    dragged = said(page).text_content() or ""
    page.keyboard.press("ArrowUp")
    expect(said(page)).not_to_have_text(dragged)
    page.keyboard.press("Control+z")
    expect(said(page)).to_have_text(dragged)
    press(page, "Undo")
    settled_as(page, "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_attribute("aria-disabled", "true")
    press(page, "Redo")
    expect(said(page)).to_have_text(dragged)
    handle(page, 1).focus()
    page.keyboard.press("Control+z")
    settled_as(page, "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")
    page.keyboard.press("Control+Shift+z")
    expect(said(page)).to_have_text(dragged)


def test_views_and_the_log_axis_show_the_same_points(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    for name, view in (("Ratio", "ratio"), ("Difference", "difference"), ("Belief after", "posterior")):
        press(page, name)
        expect(shown(page, re.compile(rf"^view {view} log False"))).to_be_visible()
        assert line(page) == START
    press(page, "Log scale")
    expect(shown(page, re.compile("^view posterior log True"))).to_be_visible()
    assert line(page) == START
    x1, x2 = centre(handle(page, 1))[0], centre(handle(page, 2))[0]
    press(page, "Ratio")
    expect(shown(page, re.compile("^view ratio log True"))).to_be_visible()
    drag(page, 3, 0, -60)
    moved = line(page)
    assert moved[2][0] == 0.5
    assert moved[2][1] > 0.75
    assert x2 - x1 > 100  # one decade apart
    page.reload()
    expect(page.get_by_role("button", name="Ratio", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_template_of_the_page_wins_and_can_be_undone(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    drag(page, 3, 0, -30)
    dragged = said(page).text_content() or ""
    press(page, "Load template")
    settled_as(page, "0.05~0.5_0.6~0.9")
    expect(handle(page, 3)).to_have_count(0)
    drag(page, 1, 0, 30)
    press(page, "Load template")
    settled_as(page, "0.05~0.5_0.6~0.9")
    for _ in range(3):
        press(page, "Undo")
    expect(said(page)).to_have_text(dragged)
    press(page, "Load default")
    settled_as(page, "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")


def test_live_reports_during_a_long_drag_never_pull_the_point_back(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    x, y = centre(handle(page, 3))
    page.mouse.move(x, y)
    page.mouse.down()
    handle(page, 3).evaluate(HEIGHTS)
    reports = set()
    for rise in range(4, 81, 4):  # a step of the point each, faster than the app answers
        page.mouse.move(x, y - rise)
        page.wait_for_timeout(30)
        reports.add(said(page).text_content())
    expect(shown(page, "settled False")).to_be_visible()
    page.mouse.up()
    expect(shown(page, "settled True")).to_be_visible()
    assert centre(handle(page, 3))[1] == pytest.approx(y - 80, abs=2.5)
    heights = page.evaluate("window.heights")
    assert len(reports) > 1  # some came back meanwhile
    assert heights[0] == pytest.approx(y, abs=4)
    assert heights[-1] == pytest.approx(y - 80, abs=2.5)
    assert max(later - before for before, later in pairwise(heights)) < 0.5


def test_a_finger_drags_a_point_and_double_tap_adds_one(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone, width=390, height=1000, touch=True)
    x, y = centre(handle(page, 3))
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *at: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in at]})

    send("touchStart", (x + 9, y + 9))  # a finger is not exact
    for k in range(1, 6):
        send("touchMove", (x + 9, y + 9 - 8 * k))
    send("touchEnd")
    expect(said(page)).not_to_have_text("points 0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97")
    expect(shown(page, "settled True")).to_be_visible()
    moved = line(page)
    assert moved[2][0] == pytest.approx(0.5, abs=0.01)
    assert moved[2][1] > 0.78
    expect(handle(page, 4)).to_be_visible()
    at = plot(page)
    for _ in range(2):
        page.touchscreen.tap(at["left"] + 0.75 * at["width"], at["bottom"] - 0.5 * at["height"])
    has_points(page, 5)
    assert line(page)[3][0] == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("query", ["", "?view=ratio&log=1&large=1&compare=1"])
def test_axe_finds_no_serious_violation(open_page: OpenPage, alone: str, dark: bool, query: str) -> None:
    page = editor(open_page, f"{alone}/{query}", dark=dark)
    handle(page, 2).focus()
    page.wait_for_selector(READY)
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(v["id"], v["impact"]) for v in found if v["impact"] in ("serious", "critical")] == []


@pytest.mark.parametrize("query", ["", "?large=1&log=1&view=difference&compare=1"])
def test_a_narrow_phone_has_no_horizontal_scroll_and_no_label_on_another(
    open_page: OpenPage, alone: str, query: str
) -> None:
    page = editor(open_page, f"{alone}/{query}", width=360, height=900)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    boxes = resting_boxes(page.locator(".labels text"))
    assert len(boxes) >= 3
    for k, a in enumerate(boxes):
        assert a["x"] >= 0
        assert a["x"] + a["width"] <= 360
        for b in boxes[k + 1 :]:
            apart = (
                a["x"] + a["width"] <= b["x"]
                or b["x"] + b["width"] <= a["x"]
                or abs(a["y"] - b["y"]) > 0.6 * a["height"]  # a box holds line spacing and halo too
            )
            assert apart


def test_everything_can_be_reached_with_the_tab_key_in_reading_order(open_page: OpenPage, alone: str) -> None:
    page = editor(open_page, alone)
    page.get_by_role("button", name="Belief after", exact=True).focus()
    names = []
    for _ in range(12):
        page.keyboard.press("Tab")
        names.append(
            page.evaluate(
                "() => { const n = document.activeElement.shadowRoot.activeElement;"
                " return n.getAttribute('aria-label') ?? n.textContent }"
            )
        )
    assert names == [
        *("Ratio", "Difference", "Log scale", "Add point", "Remove point", "Draw freehand", "Undo", "Redo"),
        *(f"Control point {k} of 4" for k in range(1, 5)),
    ]


@pytest.mark.parametrize(
    ("how", "posterior"),
    [("linear", 0.5), ("ratio", 0.3 * 2.2), ("loglog", 0.3 * 3 * (1.4 / 3) ** (log(3) / log(5))), ("step", 0.3 * 3)],
)
def test_the_line_between_two_points_is_what_the_scenario_says(
    open_page: OpenPage, alone: str, how: str, posterior: float
) -> None:
    page = editor(open_page, f"{alone}/?how={how}")
    (x2, y2), (x3, y3) = centre(handle(page, 2)), centre(handle(page, 3))  # (0.1, 0.3) and (0.5, 0.7)
    drawn = page.evaluate(
        """x => {
          const host = document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot;
          const path = host.querySelector('path.line');
          const at = path.getScreenCTM(), n = 4000;
          const dots = Array.from({length: n + 1}, (_, k) => path.getPointAtLength((path.getTotalLength() * k) / n));
          return dots.map(d => d.matrixTransform(at)).reduce((a, b) => Math.abs(b.x - x) < Math.abs(a.x - x) ? b : a).y;
        }""",
        (x2 + x3) / 2,
    )
    assert 0.3 + (y2 - drawn) / (y2 - y3) * 0.4 == pytest.approx(posterior, abs=0.01)


def test_the_script_draws_the_line_that_the_library_means(browser: Browser) -> None:
    script = (ROOT / "ui" / "components" / "editor.js").read_text(encoding="utf-8")
    between = re.search(r"^function between.*?^}", script, re.DOTALL | re.MULTILINE)
    assert between is not None
    dice, asked, meant = random.Random(3), [], []
    while len(asked) < 1000:
        low, high = sorted(10 ** dice.uniform(-5, -0.01) for _ in range(2))
        ends = [(x, min(1.0, x * (1 + 10 ** dice.uniform(-2, 2)))) for x in (low, high)]
        prior = dice.uniform(low, high)
        how = dice.choice(tuple(INTERPOLATIONS))
        step = how == "step"
        line = DrawnLine(
            [(x, y / x) for x, y in ends] if step else ends,
            kind="ratio" if step else "posterior",
            interpolation=INTERPOLATIONS[how],
            along="value",
        )
        asked.append([*ends, prior, how])
        meant.append(float(line.highest_posterior(prior)))
    page = browser.new_page()
    page.evaluate("source => { window.between = new Function(source + '; return between')() }", between[0])
    drawn = page.evaluate("asked => asked.map((one) => between(...one))", asked)
    page.close()
    assert drawn == pytest.approx(meant, rel=1e-9)
