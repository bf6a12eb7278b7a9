"""What a reader asks of the system: its own colours, and no motion."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenPage, at_rest, settled

MOVING = """fold => new Promise(told => {
    const moved = new Set();
    let frames = 0;
    fold.click();
    const look = () => {
        for (const one of document.getAnimations()) moved.add(one.effect.target.tagName);
        if (frames++ < 10) requestAnimationFrame(look);
        else told([...moved]);
    };
    look();
})"""
"""What moves while a fold opens."""


def style(part: Locator, name: str) -> str:
    return str(part.evaluate("(part, name) => getComputedStyle(part)[name]", name))


def test_with_the_systems_colours_what_has_the_focus_is_chosen_or_is_on_can_be_told_and_nothing_moves(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/choose?line=drawn&voice=technical")
    page.emulate_media(forced_colors="active", color_scheme="dark", reduced_motion="reduce")
    views = page.locator(".editor button")
    expect(views.first).to_have_attribute("aria-pressed", "true")
    at_rest(page)
    below = [style(views.nth(place), "borderBottomColor") for place in range(2)]
    assert below[0] != below[1] == "rgb(0, 0, 0)"  # an edge of its own under the one that is pressed alone

    point = page.get_by_label(re.compile("^Control point 2 of"))
    point.focus()
    page.keyboard.press("ArrowUp")
    expect(point).to_have_class("selected")
    assert style(point.locator(".ring"), "stroke") not in ("none", style(page.get_by_test_id("stApp"), "color"))
    others = page.get_by_label(re.compile("^Control point 1 of"))
    assert style(point.locator(".dot"), "fill") != style(others.locator(".dot"), "fill")

    switches = page.get_by_test_id("stCheckbox").locator("label > div:first-of-type")
    assert len({style(switches.nth(place), "backgroundColor") for place in range(2)}) == 2  # technical, not large
    options = page.get_by_test_id("stRadioOption")
    chosen = options.filter(has=page.locator(":checked")).first
    dots = [one.locator("> div > div:first-child") for one in (chosen, options.first)]
    assert len({style(dot, "backgroundColor") for dot in dots}) == 2

    button = page.get_by_role("button", name="Scenario").locator("visible=true")
    button.focus()
    expect(button).to_have_css("outline-style", "solid")
    chosen.get_by_role("radio").focus()
    expect(chosen).to_have_css("outline-style", "solid")
    settled(page)
    assert page.locator("summary").filter(has_text="For experts").evaluate(MOVING) == []


def test_a_memo_can_be_read_with_the_systems_colours(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/memo")
    page.emulate_media(forced_colors="active", color_scheme="dark", reduced_motion="reduce")
    paper = page.locator(".riskline-paper")
    expect(paper).to_be_visible()
    page.keyboard.press("Tab")
    paper.focus()
    expect(paper).to_have_css("outline-style", "solid")
    for part in (".riskline-memo", "header"):
        assert style(paper.locator(part).first, "backgroundColor") == "rgb(0, 0, 0)"
    for part in ("h2", ".lead", "figcaption, p.quiet", "td"):
        assert style(paper.locator(part).first, "color") == "rgb(255, 255, 255)"
