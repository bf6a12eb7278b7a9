"""A class in a browser: a prediction, a survey with coins, a game; a phone, and others who answer by the store."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from dpcore.randomized_response import RandomizedAnswer, SharePosterior
from tests.browser.conftest import ROOMS_FOLDER, OpenPage, at_rest, pick, resting_box, settled, shown, violations
from tests.browser.keyboard import unreached_when_zoomed
from tests.stored_answers import stored_answers
from ui.rooms.codes import new_key, wall_key
from ui.rooms.meeting import Phase
from ui.rooms.store import RoomStore, store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import fitting, text_of, values_of
from ui.views.room.attack import drawn_name, scores_of

SAID = re.compile(r"said\W*(\w+)")
COINS = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)
OTHERS = 29
TRULY_YES = 11  # of the others
SEED = 0  # whatever the coins of the phone do, the range then holds the truth


def wall_said(wall: Page) -> Locator:
    return wall.locator(".riskline-answer")


def begin(wall: Page, activity: str) -> None:
    """Choose what happens next, as the moderator does; it starts with a press."""
    if wall.get_by_role("button", name="Start", exact=True).count() == 0:
        shown(wall, "Another activity", exact=True).click()
    pick(wall, "What happens next", activity)
    at_rest(wall)


def shows_result(phone: Page, said: str, own: str, drawn: str) -> None:
    """The room's result on a phone: its answer, one's own, and the picture with both in words."""
    expect(wall_said(phone)).to_have_text(said)
    expect(shown(phone, own).first).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("figure", name=re.compile(re.escape(drawn)))).to_be_in_viewport()


def in_sight(wall: Page, press: str) -> None:
    """Nothing has to be scrolled to for the next press, nor for the code, on a projector in large type."""
    at_rest(wall)
    for found in (wall.get_by_role("button", name=press, exact=True), wall.locator(".riskline-code strong")):
        expect(found).to_be_in_viewport(ratio=1)


def above_the_way_in(small: Page, press: str) -> None:
    """On a small screen the next press comes before the address and the square by which others join."""
    button = small.get_by_role("button", name=press, exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    at_rest(small)
    pressed, way_in = map(resting_box, (button, small.locator(".riskline-code")))
    assert pressed["y"] + pressed["height"] <= way_in["y"]


def started(code: str, key: str, kind: str) -> None:
    """Begin an activity as its settings come, as a second wall of the same moderator would."""
    activity = ACTIVITIES[kind]
    settings = values_of(activity.settings, "")
    store().start(code, key, kind, text_of(activity.settings, settings), **activity.kept(settings))


class Others:
    """Participants who answer by the store, as many phones at once would."""

    def __init__(self, rooms: RoomStore, code: str) -> None:
        self.rooms, self.code, self.keys = rooms, code, [new_key() for _ in range(OTHERS)]
        for key in self.keys:
            rooms.join(code, key)

    def answer(self, number: int, answers: list[str]) -> None:
        for key, answer in zip(self.keys, answers, strict=False):
            self.rooms.answer(self.code, key, number, answer)


def test_a_class_predicts_flips_coins_and_plays(open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    wall = open_page(f"{app}/room?type=large", width=1280, height=720)
    wall.get_by_role("button", name="Open a room").click()
    expect(shown(wall, "Another activity", exact=True).first).to_be_visible()
    at_rest(wall)
    code, key = (parse_qs(urlsplit(wall.url).query)[name][0] for name in ("code", "key"))
    in_sight(wall, "Start")
    others = Others(store(), code)
    ada = open_page(f"{app}/join", width=360, height=740)
    heard: list[str] = []  # what Ada's phone says of the survey
    ada.on("websocket", lambda socket: socket.on("framesent", lambda sent: heard.extend(SAID.findall(str(sent)))))
    ada.goto(f"{app}/join?code={code}")
    expect(ada.get_by_role("button", name="Join", exact=True)).to_be_visible()
    assert unreached_when_zoomed(ada) == []
    ada.get_by_role("button", name="Join", exact=True).click()
    expect(shown(ada, "Questions appear here by themselves").first).to_be_visible()

    # a prediction
    begin(wall, ACTIVITIES["prediction"].title)
    wall.get_by_role("textbox", name=re.compile("question, at most")).fill("How many of us?")
    wall.get_by_role("button", name="Start", exact=True).click()
    in_sight(wall, "Close answers")
    assert unreached_when_zoomed(wall) == []
    expect(ada.get_by_role("textbox", name="Your guess")).to_be_visible()
    assert unreached_when_zoomed(ada) == []
    ada.get_by_role("textbox", name="Your guess").fill("28")
    ada.get_by_role("textbox", name="Your guess").press("Enter")
    ada.get_by_role("button", name="Send", exact=True).click()
    expect(shown(ada, "Sent.", exact=True).first).to_be_visible()
    others.answer(1, ["number=35", "number=40"])
    wall.get_by_role("button", name="Close answers").click()
    wall.get_by_role("textbox", name=re.compile("answer, if known")).fill("30")
    wall.get_by_role("button", name="Show the result").click()
    expect(wall_said(wall)).to_contain_text("guesses is 35; the answer is 30")
    assert "=30" not in wall.url
    shows_result(
        ada, "The middle of 3 guesses is 35; the answer is 30.", "Your guess: 28.", "Your guess: 28. Near marks"
    )
    assert [stored.answer for stored in stored_answers(store(), code, 1)] == ["number=35", "number=40", "number=28"]

    # a survey with coins
    started(code, key, "coin_survey")
    ada.get_by_role("button", name="Yes", exact=True).click()
    ada.get_by_role("button", name="Flip the coins and send").click()
    expect(shown(ada, re.compile("This tab's coins said (yes|no)")).first).to_be_visible()
    expect(shown(ada, "Your answer stays").first).to_be_visible()
    ada.get_by_role("button", name="Show my coins").click()
    expect(shown(ada, "First coin", exact=True).first).to_be_visible()
    assert violations(ada) == []
    drawn = COINS.simulate_answers((np.arange(OTHERS) < TRULY_YES).astype(int), seed=SEED)
    others.answer(2, [f"coin_survey_said={'yes' if yes else 'no'}" for yes in drawn])
    store().set_phase(code, key, 2, Phase.SHOWN)
    kept = stored_answers(store(), code, 2)
    assert len(kept) == OTHERS + 1
    yes = sum(stored.answer == "coin_survey_said=yes" for stored in kept)
    expect(wall_said(wall)).to_contain_text(f"{yes} of {OTHERS + 1} said yes")
    shows_result(
        ada,
        wall_said(wall).inner_text(),
        "The room keeps that you answered, not what.",
        "people whose true answer is yes",
    )
    expect(shown(ada, "First coin", exact=True).first).to_be_visible()  # her coins stay hers to look at
    low, high = map(int, re.search(r"(\d+) to (\d+) would", wall_said(wall).inner_text()).groups())  # type: ignore[union-attr]
    assert low <= TRULY_YES + 1 <= high
    law = SharePosterior(answer=COINS, people=OTHERS + 1, said_yes=yes).count_probabilities
    assert law[low : high + 1].sum() >= 0.95
    assert law[low + 1 : high + 1].sum() < 0.975 + 1e-9
    assert len(set(heard)) == 1  # Ada's, however often it was sent
    assert yes == int(drawn.sum()) + heard.count("yes") // len(heard)

    # a game: each round is a row and how sure one is, sent and solved at once
    started(code, key, "attack")
    activity, running = ACTIVITIES["attack"], store().room(code).activity
    assert running is not None
    settings = values_of(activity.settings, running.settings)
    rows = ada.get_by_role("radio", name=re.compile("you know .* published"))
    bets = ""
    for number in range(1, 11):
        expect(shown(ada, f"Round {number} of 10").first).to_be_visible()
        if number == 1:  # nothing has to be scrolled to for a bet
            ada.locator('[data-testid="stMain"]').evaluate("main => main.scrollTo(0, 0)")
            tapped = ada.get_by_test_id("stRadioOption")
            for press in (tapped.nth(0), tapped.nth(2), ada.get_by_role("button", name="Nearly certain")):
                expect(press).to_be_in_viewport(ratio=1)
            assert min(resting_box(tapped.nth(row))["height"] for row in range(3)) >= 44
            ada.get_by_role("button", name="Nearly certain").click()
            expect(ada.get_by_role("alert").filter(has_text="choose a row first")).to_be_visible()
            assert violations(ada) == []
        if number == 2:  # with keys alone
            rows.nth(0).focus()
            for _ in range(number % 3):
                ada.keyboard.press("ArrowDown")
            for _ in range(2):
                ada.keyboard.press("Tab")
            expect(ada.get_by_role("button", name="Fairly sure")).to_be_focused()
            ada.keyboard.press("Enter")
        else:
            ada.get_by_test_id("stRadioOption").nth(number % 3).click()
            ada.get_by_role("button", name=("Fairly sure", "Nearly certain")[number % 2]).click()
        bets += f"{1 + number % 3}{'fc'[number % 2]}"
        expect(shown(ada, re.compile(f"Round {number}: (right|you bet on row)")).first).to_be_in_viewport(ratio=1)
        if number == 6:
            expect(wall_said(wall)).to_have_text(f"0 of {OTHERS + 1} finished, 1 at round 7, {OTHERS} at round 1.")
    assert store().own_answer(code, parse_qs(urlsplit(ada.url).query)["me"][0], 3) == f"attack_bets={bets}"
    expect(shown(ada, "Your answer stays").first).to_be_visible()
    others.answer(3, ["attack_bets=" + "1n" * 10] * 5)
    expect(wall_said(wall)).to_have_text(f"6 of {OTHERS + 1} finished, {OTHERS - 5} at round 1.")
    store().set_phase(code, key, 3, Phase.SHOWN)
    ada_shown = store().on_a_phone(code, parse_qs(urlsplit(ada.url).query)["me"][0]).participant
    assert ada_shown is not None
    name = drawn_name(ada_shown.drawn)
    expect(shown(ada, f"The scores call you {name}.").first).to_be_visible()
    scores = [score for score, _ in scores_of(settings, fitting(activity, settings, stored_answers(store(), code, 3)))]
    right, ideal = (sum(getattr(score, name) for score in scores) for name in ("right", "ideal"))
    expect(wall_said(wall)).to_have_text(f"Right in {right} of 60 rounds, the ideal player in {ideal}.")
    expect(wall_said(ada)).to_have_text(wall_said(wall).inner_text())
    expect(ada.get_by_role("figure", name=re.compile(rf"guessing [\d.]+\. You {scores[-1].right}\."))).to_be_visible()
    points = f"{scores[-1].points:+}".replace("-", "−")
    expect(
        wall.get_by_role("row", name=re.compile(f"{name} {re.escape(points)} {scores[-1].right} of 10$"))
    ).to_be_visible()
    expect(ada.get_by_role("row", name=re.compile(f"^all {scores[-1].right} right"))).to_be_visible()

    # leaving clears what the coins did from the tab
    coins = "() => Object.keys(sessionStorage).filter((place) => place.startsWith('riskline-coins-')).length"
    assert ada.evaluate(coins) == 1
    ada.get_by_role("button", name="Another room", exact=True).click()
    expect(ada.locator(".riskline-answer")).to_contain_text("Type the code")
    ada.wait_for_function(coins.replace(".length", ".length === 0"))


ANSWERED = {
    "line": ["line_points=0.1~0.25", "line_points=0.1~0.5"] * 15,
    "45_1": ["number=8"] * OTHERS,
    "45_2": ["number=1"] * OTHERS,
    "45_3": ["number=3"] * OTHERS,
    "45_4": ["number=70+%25"] * OTHERS,
    "attack": ["attack_bets=" + "1n" * 10] * OTHERS,
    "vote": ["vote_choice=At+most+50+in+100+(ε+=+2.19)"] * OTHERS,
}
"""What everybody answers in the lesson of 45 minutes, in the order of its script; the vote is on its lines."""


def test_a_lesson_of_45_minutes_takes_two_presses_for_each_question_and_stays_after_a_reload(
    open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    wall = open_page(f"{app}/lessons?lesson=45", width=1280, height=720)
    presses: list[str] = []

    def press(name: str) -> None:
        at_rest(wall)
        wall.get_by_role("button", name=name).click()
        presses.append(name)

    press("On phones")
    expect(wall.get_by_role("button", name="Next on phones")).to_be_visible()
    at_rest(wall)
    code = parse_qs(urlsplit(wall.url).query)["code"][0]
    small = open_page(wall.url, width=360, height=740)
    above_the_way_in(small, "Next on phones")
    others = Others(store(), code)
    phone = open_page(f"{app}/join?code={code}", width=360, height=740)
    phone.get_by_role("button", name="Join", exact=True).click()
    for number, (what, answers) in enumerate(ANSWERED.items(), start=1):
        press("Next on phones")
        expect(wall.get_by_role("button", name="Close answers")).to_be_visible()
        expect(wall_said(wall)).to_contain_text("so far")
        running = store().room(code).activity
        assert running is not None
        assert running.number == number
        assert what in (running.kind, *running.settings.replace("=", "&").split("&"))
        if what == "45_1":
            above_the_way_in(small, "Show the result")
            small.close()
            phone.get_by_role("button", name="50 in 100").click()
            expect(shown(phone, "Sent.", exact=True).first).to_be_visible()
        others.answer(number, answers)
        expect(wall_said(wall)).to_contain_text("29" if what == "attack" else f"{OTHERS + (what == '45_1')} answers")
        press("Show the result")
        expect(wall.get_by_role("button", name="Hide the result")).to_be_visible()
        if what == "45_1":
            expect(wall_said(wall)).to_have_text(f"{OTHERS} of {OTHERS + 1} chose 8 in 100.")
        if what == "45_2":
            wall.reload()
    expect(wall_said(wall)).to_have_text("At most 50 in 100 (ε = 2.19) has the most votes: 29 of 29.")
    expect(shown(wall, "Write the first line's memo. (4 min)")).to_be_visible()
    expect(wall.get_by_role("button", name="Next on phones")).to_have_count(0)
    assert len(presses) == 15


def tap(phone: Page, name: str | re.Pattern[str]) -> None:
    """Press the first such button once the page is at rest."""
    settled(phone)
    phone.get_by_role("button", name=name).first.click()


def sends(phone: Page, what: str, place: int) -> None:
    """One phone answers what the lesson asks, each in its own way; of the game two rounds, by every third one three."""
    if what == "line":
        phone.get_by_label("Control point 2 of 3").focus()
        for _ in range(1 + place % 9):
            phone.keyboard.press("ArrowUp")
        expect(phone.get_by_role("button", name="Send my line")).to_be_enabled()
        at_rest(phone)
        tap(phone, "Send my line")
    elif what == "45_1":
        tap(phone, ("1 in 100", "8 in 100", "50 in 100")[place % 3])
    elif what == "vote":
        tap(phone, re.compile(r"^At most \d+ in 100 \(ε = "))
    elif what == "attack":
        for number in range(1, 4 if place % 3 == 0 else 3):
            expect(shown(phone, f"Round {number} of 10").first).to_be_visible()
            tap(phone, re.compile("you know .* published"))
            tap(phone, "Fairly sure")
            expect(shown(phone, re.compile(f"Round {number}: (right|you bet on row)")).first).to_be_in_viewport()
    else:
        box = phone.get_by_role("textbox", name="Your guess")
        box.fill(f"{1 + place}" + (" %" if what == "45_4" else ""))
        box.press("Enter")
        tap(phone, "Send")


@pytest.mark.study  # minutes of two cores
def test_a_whole_lesson_of_45_minutes_with_24_phones_takes_15_presses(open_page: OpenPage, app: str) -> None:
    many, presses = 24, 0
    wall = open_page(f"{app}/lessons?lesson=45", width=1280, height=800)

    def press(name: str) -> None:
        nonlocal presses
        at_rest(wall)
        wall.get_by_role("button", name=name).click()
        presses += 1

    press("On phones")
    expect(wall.get_by_role("button", name="Next on phones")).to_be_visible()
    at_rest(wall)
    code, key = (parse_qs(urlsplit(wall.url).query)[name][0] for name in ("code", "key"))
    projected = open_page(f"{app}/room?code={code}&wall={wall_key(key)}&type=large", width=1280, height=720)
    phones = [open_page(f"{app}/join?code={code}", width=360, height=740) for _ in range(many)]
    for phone in phones:
        tap(phone, re.compile("^Join$"))
    for what in ANSWERED:
        press("Next on phones")
        expect(wall.get_by_role("button", name="Show the result")).to_be_visible()
        for place, phone in enumerate(phones):
            sends(phone, what, place)
        for phone in phones if what != "attack" else ():
            expect(phone.locator(".riskline-told").first).to_contain_text("Sent.")
        counted = (
            f"{many // 3} at round 4, {2 * many // 3} at round 3" if what == "attack" else f"{many} answers so far"
        )
        expect(wall_said(projected)).to_contain_text(counted)
        press("Show the result")
        expect(projected.get_by_role("figure").first).to_be_visible()
        at_rest(projected)
        for phone in phones:
            expect(wall_said(phone)).to_have_text(wall_said(projected).inner_text())
            expect(wall_said(phone)).to_be_in_viewport(ratio=1)
    expect(wall_said(projected)).to_contain_text(f"has the most votes: {many} of {many}.")
    assert presses == 15
    pick(phones[0], "Earlier results", "1: How sure may a release make")
    expect(wall_said(phones[0])).to_contain_text(f"The middle one of {many} lines allows")
    expect(wall_said(phones[0])).to_be_in_viewport(ratio=1)


def test_three_results_stay_on_a_phone_and_leave_as_a_report_without_what_is_not_told(
    open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    rooms = store()
    opened = rooms.open_room(["agency", "clerks"])
    code, key = opened.code, opened.moderator_key
    rooms.set_names(code, key, typed=True)
    keys = [new_key() for _ in range(6)]
    for place, one in enumerate(keys):  # of the clerks there are two
        rooms.join(code, one, "Zebedee" if place == 0 else "", "clerks" if place < 2 else "agency")
    asked = (
        ("prediction", "prediction_question=How+many+of+us%3F", [f"number={guess}" for guess in (7, 8, 9, 10, 11, 12)]),
        ("coin_survey", "coin_survey_statement=I+copied.", [f"coin_survey_said={said}" for said in 3 * ("yes", "no")]),
        ("vote", "vote_question=Which+one%3F", [f"vote_choice=%CE%B5+%3D+{budget}" for budget in (1, 1, 2, 2, 2, 2)]),
        ("prediction", "prediction_question=Never+shown%3F", ["number=4321"] * 6),
    )
    for number, (kind, typed, answers) in enumerate(asked, start=1):
        activity = ACTIVITIES[kind]
        settings = values_of(activity.settings, typed)
        rooms.start(code, key, kind, text_of(activity.settings, settings), **activity.kept(settings))
        for one, answer in zip(keys, answers, strict=True):
            rooms.answer(code, one, number, answer)
        rooms.set_phase(code, key, number, Phase.SHOWN if number < 4 else Phase.CLOSED)
    rooms.set_script(code, key, "script=5%3B+Vote%3B+Whom%3F%3B+a%3B+b")

    phone = open_page(f"{app}/join?code={code}&me={keys[0]}", width=360, height=740)
    pick(phone, "Earlier results", "1: How many of us?")
    expect(wall_said(phone)).to_contain_text("of 6 guesses is 9.5")
    expect(shown(phone, "Your guess: 7.").first).to_be_visible()
    assert violations(phone) == []
    pick(phone, "Earlier results", "3: Which one?")
    expect(wall_said(phone)).to_have_text("ε = 2 has the most votes: 4 of 6.")

    wall = open_page(f"{app}/room?code={code}&key={key}")
    shown(wall, "Groups, download, end", exact=True).click()
    with wall.expect_download() as caught:
        wall.get_by_role("button", name="Report (HTML)").click()
    saved = tmp_path / "report.html"
    caught.value.save_as(saved)
    told = saved.read_text(encoding="utf-8")
    for words in ("How many of us?", "I copied.", "Which one?", "9.5", "4 of 6"):
        assert words in told
    for secret in ("Zebedee", "clerks", "Never shown", "4,321", "4321", "Whom?", code, key, *keys):
        assert secret not in told
    shown(wall, "People and addresses", exact=True).click()
    wall.get_by_role("button", name="Show this name").click()
    expect(shown(wall, "1 · clerks · Zebedee · has answered")).to_be_visible()
    shown(wall, "Prepared", exact=True).click()
    wall.get_by_label(re.compile("^Minutes; activity")).fill("soon; Vote")
    wall.get_by_label(re.compile("^Minutes; activity")).press("Control+Enter")
    expect(shown(wall, re.compile("each line beginning with 1 to 300 minutes")).first).to_be_visible()
    assert violations(wall) == []
    shown(wall, "End and delete everything", exact=True).click()
    wall.get_by_role("button", name="End the room").click()
    expect(shown(wall, "The room has ended.").first).to_be_visible()
    expect(wall_said(phone)).to_contain_text("The room has ended.")
    assert violations(phone) == []
