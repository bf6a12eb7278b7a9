"""A whole meeting: three people of two groups draw lines on their phones, and the wall takes them onward."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, at_rest, pick, settled, shown
from ui.rooms.codes import wall_key


def join(open_page: OpenPage, address: str, code: str, group: str) -> Page:
    """A phone that has joined, and sees in its dark theme what it cannot send yet."""
    phone = open_page(f"{address}/join?code={code}", width=360, height=740, dark=True)
    shown(phone, group, exact=True).click()
    settled(phone)
    phone.get_by_role("button", name="Join", exact=True).click()
    expect(phone.get_by_label("Control point 2 of 3")).to_be_visible()
    send = phone.get_by_role("button", name="Send my line")
    expect(send).to_be_disabled()
    expect(send).to_have_css("color", re.compile(r"^rgba?\(2\d\d, 2\d\d, 2\d\d"))
    return phone


def draw(phone: Page, steps: int) -> str:
    """Raise the second point by so many steps and send the line; the budget that the phone says it allows."""
    point = phone.get_by_label("Control point 2 of 3")
    before = point.get_attribute("aria-valuetext")
    allowed = shown(phone, re.compile("^Your line allows "))
    told = allowed.inner_text()
    point.focus()
    for _ in range(steps):
        phone.keyboard.press("ArrowUp")
    expect(point).not_to_have_attribute("aria-valuetext", str(before))
    expect(allowed).not_to_have_text(told)  # not in the address: the drawing has arrived once the page shows it
    at_rest(phone)
    settled(phone)
    phone.get_by_role("button", name="Send my line").click()
    expect(phone.locator(".riskline-told").first).to_contain_text("Sent.")
    assert "line" not in phone.url
    return budget_in(allowed.inner_text())


def budget_in(words: str) -> str:
    """The first ε of a sentence."""
    found = re.search(r"ε = ([0-9.]*[0-9])", words)
    assert found is not None, words
    return found[1]


def test_lines_go_from_three_phones_to_the_wall_and_on_to_positions_and_memo(open_page: OpenPage, app: str) -> None:
    wall = open_page(f"{app}/room?groups=agency;+advocates")
    wall.get_by_role("button", name="Open a room").click()
    expect(wall).to_have_url(re.compile("code=[A-Z2-9]{6}"))
    settled(wall)
    code = parse_qs(urlsplit(wall.url).query)["code"][0]
    wall.get_by_role("button", name="Start", exact=True).click()
    with wall.context.expect_page() as opened:
        wall.get_by_role("link", name="Projector view").click()
    projected = opened.value
    projected.set_viewport_size({"width": 1280, "height": 720})
    expect(projected.locator(".riskline-answer")).to_contain_text("0 answers so far")
    assert "key=" not in projected.url
    expect(projected).to_have_title("Projector view of this room – Riskline")
    expect(projected.get_by_test_id("stHeader")).to_be_hidden()
    for part in (".riskline-code strong", ".riskline-answer", ".riskline-question"):
        expect(projected.locator(part)).to_be_in_viewport(ratio=1)
    expect(projected.locator(".riskline-square")).to_have_count(0)  # no phone can open this computer's own address
    phones = [join(open_page, app, code, group) for group in ("agency", "agency", "advocates")]
    own = [draw(phone, steps) for phone, steps in zip(phones, (2, 4, 6), strict=True)]
    assert len(set(own)) == 3
    assert sorted(own, key=float) == own
    said = wall.locator(".riskline-answer")
    expect(said).to_contain_text("3 answers so far, from 3 people")
    expect(projected.locator(".riskline-answer")).to_contain_text("3 answers so far, from 3 people")
    projected.set_viewport_size({"width": 1280, "height": 100})
    projected.locator('[data-testid="stMain"]').evaluate("main => main.scrollTo(0, main.scrollHeight)")
    expect(projected.locator(".riskline-answer")).not_to_be_in_viewport()
    wall.get_by_role("button", name="Close answers").click()
    wall.get_by_role("button", name="Show the result").click()
    expect(projected.locator(".riskline-answer")).to_contain_text("The middle one of 3 lines allows")
    projected.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop === 0")
    for phone, epsilon in zip(phones, own, strict=True):
        expect(phone.locator(".riskline-answer")).to_have_text(projected.locator(".riskline-answer").inner_text())
        expect(shown(phone, f"Your line allows ε = {epsilon}.").first).to_be_visible()
        expect(phone.get_by_role("figure", name=re.compile("the middle line, .*your line;"))).to_be_visible()
    projected.close()
    expect(said).to_contain_text("The middle one of 3 lines allows ε =")
    settled(wall)
    middle = budget_in(said.inner_text())
    assert float(own[0]) <= float(middle) <= float(own[2])
    expect(shown(wall, f"Every line is kept up to ε = {own[0]}").first).to_be_visible()
    expect(shown(wall, "Some groups are not shown apart").first).to_be_visible()
    box = wall.get_by_label("ε in question", exact=True)
    box.fill(own[2])
    box.press("Tab")
    expect(shown(wall, f"1 of 3 lines is kept at ε = {own[2]}.").first).to_be_visible()
    settled(wall)

    wall.get_by_role("link", name="Compare the lines").click()
    for name, epsilon in zip(("Line 1", "Line 2", "Line 3"), own, strict=True):
        expect(shown(wall, f"{name} ε = {epsilon}", exact=True).first).to_be_visible()
    settled(wall)

    wall.go_back()
    wall.get_by_role("link", name="Into the memo").click()
    expect(wall.get_by_role("heading", name="The room")).to_be_visible()
    expect(shown(wall, re.compile(f"The middle line allows ε = {middle}")).first).to_be_visible()
    expect(shown(wall, re.compile(f"At ε = {own[2]}, 1 of 3 lines is kept")).first).to_be_visible()
    expect(wall.get_by_role("heading", name="The positions")).to_be_visible()
    assert code not in wall.url
    assert "key=" not in wall.url

    wall.go_back()
    wall.get_by_role("button", name="Vote on these budgets").click()
    for phone in phones:
        options = phone.get_by_role("button", name=re.compile(r"^At most \d+ in 100 \(ε = "))
        expect(options.first).to_have_text(re.compile(rf"ε = {own[0]}\)$"))
        expect(options.last).to_have_text(re.compile(rf"ε = {own[2]}\)$"))
        options.last.click()
        expect(phone.locator(".riskline-told").first).to_contain_text("Sent.")
    wall.get_by_role("button", name="Close answers").click()
    wall.get_by_role("button", name="Show the result").click()
    for page in (wall, *phones):
        expect(page.locator(".riskline-answer")).to_have_text(
            re.compile(rf"^At most \d+ in 100 \(ε = {own[2]}\) has the most votes: 3 of 3\.$")
        )
    expect(shown(phones[0], re.compile(r"^Your vote: At most")).first).to_be_visible()


@pytest.mark.study  # a minute of two cores
def test_a_meeting_of_60_minutes_with_nine_phones_decides_in_less_than_25_presses(
    open_page: OpenPage, app: str
) -> None:
    wall = open_page(f"{app}/room?groups=agency;+advocates;+users")
    presses: list[str] = []

    def press(name: str) -> None:
        at_rest(wall)
        wall.get_by_role("button", name=name, exact=True).click()
        presses.append(name)

    shown(wall, "Prepared", exact=True).click()
    pick(wall, "Begin with", "60-minute meeting")
    presses += ["Prepared", "Begin with", "60-minute meeting"]
    press("Open a room")
    expect(wall).to_have_url(re.compile("code=[A-Z2-9]{6}"))
    at_rest(wall)
    code, key = (parse_qs(urlsplit(wall.url).query)[name][0] for name in ("code", "key"))
    projected = open_page(f"{app}/room?code={code}&wall={wall_key(key)}&type=large", width=1920, height=1080)
    press("Next on phones")
    phones = [join(open_page, app, code, group) for group in ("agency", "advocates", "users") for _ in range(3)]
    for place, phone in enumerate(phones):  # all draw at the same time
        point = phone.get_by_label("Control point 2 of 3")
        point.focus()
        for _ in range(1 + place):
            phone.keyboard.press("ArrowUp")
    for phone in phones:
        send = phone.get_by_role("button", name="Send my line")
        expect(send).to_be_enabled()
        at_rest(phone)
        send.click()
    for phone in phones:
        expect(phone.locator(".riskline-told").first).to_contain_text("Sent.")
    expect(projected.locator(".riskline-answer")).to_contain_text("9 answers so far, from 9 people")
    press("Show the result")
    said = projected.locator(".riskline-answer")
    expect(said).to_contain_text("The middle one of 9 lines allows")
    for group in ("agency", "advocates", "users"):
        expect(projected.get_by_role("row", name=re.compile(f"^{group} 3 "))).to_be_visible()
    before = [0] * 9
    for vote in (1, 2):
        if vote == 2:  # the debate is read out, nothing of it is on phones
            expect(shown(wall, "Debate (25 min)")).to_be_visible()
        press("Next on phones")
        for place, phone in enumerate(phones):
            options = phone.get_by_role("button", name=re.compile(r"^At most \d+ in 100 \(ε = "))
            expect(options.first).to_be_visible()
            before[place] = 1 if vote == 2 or place < 4 else 0
            options.nth(before[place]).click()
        for phone in phones:
            expect(phone.locator(".riskline-told").first).to_contain_text("Sent.")
        expect(said).to_contain_text("9 answers so far")
        press("Show the result")
        expect(said).to_contain_text(re.compile(f"has the most votes: {5 if vote == 1 else 9} of 9"))
        for phone in phones:
            expect(phone.locator(".riskline-answer")).to_have_text(said.inner_text())
    expect(shown(wall, "Write the memo (10 min)")).to_be_visible()
    at_rest(wall)
    wall.get_by_role("link", name="Into the memo").click()
    presses.append("Into the memo")
    expect(wall.get_by_role("heading", name="The room")).to_be_visible()
    assert len(presses) <= 25
    assert len(presses) == 11
