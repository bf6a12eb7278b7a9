"""The minutes of a room in a memo: numbers, groups and options from the link, nobody's name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riskline.case.fields import link, read_query
from riskline.case.value import Case
from tests.cases import memo_inputs
from ui.ask.room import with_earlier
from ui.documents.document import plain_words
from ui.link.page_table import PageLink
from ui.pictures.style import Style
from ui.views.memo import FIELDS, MemoInputs, memo_view
from ui.views.shared.promise import promise_words
from ui.views.shared.room_minutes import (
    ABOUT,
    GroupLines,
    LinesMinutes,
    OptionVotes,
    RoomMinutes,
    read_minutes,
    write_minutes,
)

DRAWN = LinesMinutes(
    *("value", "household", 4, 21, 1.29, 0.9, 14, 0.4),
    groups=(GroupLines("Agency", 9, 1.1), GroupLines("Press & radio", 8, None)),
)
VOTES = (OptionVotes("ε = 0.5", 3, 9), OptionVotes("nothing~!", 18, 12))
MINUTES = RoomMinutes(DRAWN, "Which budget; and why?", VOTES)


ABOUT_THEM = Case(secret="value", unit="household", group=4, ratio=3.0)


def section(minutes: RoomMinutes, voice: str = "plain", case: Case = ABOUT_THEM) -> str:
    document = memo_view(MemoInputs(case, room=minutes), Style(voice=voice)).document
    parts = [part for part in document.sections if part.heading == "The room"]
    return plain_words(replace(document, sections=tuple(parts))) if parts else ""


def test_the_memo_tells_what_the_room_drew_and_voted() -> None:
    words = section(MINUTES).replace("**", "")
    for sentence in (
        "21 people set how sure somebody may become",
        "that a given household of 4 has a certain value",
        "The middle line allows ε = 1.29.",
        "At ε = 0.90, 14 of 21 lines are kept.",
        "Every line is kept up to ε = 0.40.",
        "Protected: which value a given household of 4 has; one change adds or removes one record, and "
        "the secret takes 8 such changes.",
        "21 people voted: Which budget; and why?",
        "without names. The strictest budget is one person's.",
    ):
        assert sentence in words
    assert section(RoomMinutes()) == ""
    view = memo_view(memo_inputs(room=MINUTES, tell_room=False), Style())
    assert "The room" not in [part.heading for part in view.document.sections]
    assert view.address.endswith("&tell_room=no")


def test_minutes_of_a_room_decide_nothing() -> None:
    """0.3 put a vote on ε = 0.5, with a middle line of 0.35, into a memo of ε = 1.29 that nobody had chosen."""
    minutes = RoomMinutes(replace(DRAWN, middle=0.35, asked=0.5), "ε = 0.5?", VOTES)
    view = memo_view(MemoInputs(room=minutes), Style())
    assert view.answer.startswith("**Draft.** No line is drawn")
    assert "1.29" not in view.words
    assert "which value a given household of 4 has" in view.words
    assert view.reproducing == view.releasing == ""
    voted = memo_view(MemoInputs(room=RoomMinutes(None, "ε = 0.5?", VOTES)), Style())
    assert voted.answer.startswith("**Draft.** No line is drawn")
    assert memo_view(MemoInputs(room=minutes, tell_room=False), Style()).answer.startswith("**Example.**")


@pytest.mark.parametrize("other", [{"unit": "person"}, {"group": 3}, {"relation": "replace"}, {"secret": "presence"}])
def test_a_room_about_something_else_than_the_case_is_refused_with_both_promises(other: dict[str, Any]) -> None:
    case = ABOUT_THEM.with_choices(**other)
    view = memo_view(MemoInputs(case, room=MINUTES), Style())
    assert view.refusal is not None
    assert "The room: Protected: which value a given household of 4 has; one change adds" in view.refusal
    assert f"The case: {promise_words(case.promise, 'plain')['promise']}" in view.refusal
    assert memo_view(MemoInputs(case, room=MINUTES, tell_room=False), Style()).refusal is None


LINE_VOTES = (
    OptionVotes("At most 40 in 100 (ε = 0.645)", 3, None),
    OptionVotes("At most 50 in 100 (ε = 0.9)", 5, None),
)


@pytest.mark.parametrize(
    ("decided", "votes", "said"),
    [
        ({"value": 0.9, "currency": "epsilon"}, LINE_VOTES, "The vote favoured this memo's budget."),
        ({"value": 0.45, "currency": "epsilon", "releases": 2}, LINE_VOTES, "The vote favoured this memo's budget."),
        (
            {"value": 0.9, "currency": "epsilon", "releases": 2},
            LINE_VOTES,
            "At most 50 in 100 (ε = 0.9); this memo does",
        ),
        ({"value": 0.9, "currency": "rho"}, LINE_VOTES, "At most 50 in 100 (ε = 0.9); this memo does not."),
        ({"value": 0.645, "currency": "epsilon"}, LINE_VOTES, "At most 50 in 100 (ε = 0.9); this memo does not."),
        ({}, LINE_VOTES, "The vote favoured At most 50 in 100 (ε = 0.9); this memo does not."),
        ({"value": 0.9, "currency": "epsilon"}, (replace(LINE_VOTES[0], now=5), LINE_VOTES[1]), "favoured no budget."),
        ({"value": 0.9, "currency": "epsilon"}, (OptionVotes("yes", 7, None), LINE_VOTES[1]), "favoured no budget."),
    ],
)
def test_a_memo_says_whether_its_budget_is_the_one_that_most_of_the_room_voted_for(
    decided: dict[str, Any], votes: tuple[OptionVotes, ...], said: str
) -> None:
    kind = "zero_concentrated" if decided.get("currency") == "rho" else "pure"
    asked = {"secret": "presence", "releases": decided.get("releases", 1), "guarantee": kind}
    case = ABOUT_THEM.with_choices(**asked, failure=0.05)
    decided = {name: decided[name] for name in ("value", "currency") if name in decided}
    words = section(
        RoomMinutes(replace(DRAWN, about="presence"), "Which?", votes),
        case=case.decided(**decided) if decided else case,
    )
    assert said in words.replace("**", "")
    assert words.count("The vote favoured") == 1


def test_a_memo_of_lines_alone_tells_of_no_vote() -> None:
    assert "vote" not in section(RoomMinutes(DRAWN)).lower()


def test_minutes_without_a_limit_or_an_earlier_vote_say_so() -> None:
    free = replace(DRAWN, middle=None, asked=None, every=None, groups=())
    words = section(RoomMinutes(free, "", (OptionVotes("a", 1, None), OptionVotes("b", 0, None)))).replace("**", "")
    assert "The middle line sets no limit." in words
    assert "lines are kept" not in words
    assert "kept up to" not in words
    assert "1 person voted: question unknown" in words
    assert "before" not in words.partition("voted")[2]


@pytest.mark.parametrize("about", ABOUT)
def test_minutes_come_back_from_a_link(about: str) -> None:
    asked = replace(MINUTES, lines=replace(DRAWN, about=about))
    for minutes in (asked, RoomMinutes(DRAWN), RoomMinutes(None, "x", VOTES)):
        assert read_minutes(write_minutes(minutes)) == minutes
    own = [field for field in FIELDS if not field.of_case]
    reading = read_query(own, {"room": write_minutes(MINUTES)})
    assert not reading.refusals
    assert "room=lines" in link("memo", own, reading.values)


def test_minutes_as_long_as_they_can_be_fit_into_a_link() -> None:
    groups = tuple(GroupLines("é" * 39 + str(number), 50, 0.123) for number in range(6))
    votes = tuple(OptionVotes("ε" * 39 + str(number), 50, 50) for number in range(6))
    longest = RoomMinutes(replace(DRAWN, groups=groups), "é" * 60, votes)
    assert read_minutes(write_minutes(longest)) == longest
    assert len(write_minutes(longest)) < 2_500


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("names~Ada", "row 1 must begin with lines, group, vote or option; got 'names'"),
        ("lines~age~person~1~21~1~1~2~1", "row 1 must say what was asked, about whom; got 'age', 'person'"),
        ("lines~value~person~1~12~1~1~14~1", "row 1 must count no more lines kept than drawn; got 14 of 12"),
        ("lines~value~person~1~301", r"row 1 must be from 0 to 300; got '301'"),
        ("vote~x!option~a~1.5", "row 2 must hold whole numbers; got '1.5'"),
        ("lines~value~person~1~3~-1", r"row 1 must be from 0 to 1,000,000; got '-1'"),
        ("lines~value~person~0~3", r"row 1 must be from 1 to 10,000; got '0'"),
        ("lines~value~person~1.5~3", "row 1 must hold whole numbers; got '1.5'"),
        ("!" * 20, "must hold at most 20 rows; got 21"),
    ],
)
def test_minutes_that_no_room_can_have_are_refused(text: str, refusal: str) -> None:
    with pytest.raises(ValueError, match=refusal):
        read_minutes(text)


def small_print(minutes: RoomMinutes) -> str:
    return section(minutes).replace("**", "").partition("without names.")[2].partition("Riskline 0")[0]


def test_minutes_say_what_they_tell_of_single_people() -> None:
    """One line, one vote and whatever all did alike are what somebody did; nothing says that the minutes hide it."""
    many = replace(DRAWN, every=None, groups=())
    few, alike = "Results for one or two people expose them", "Unanimous results expose everybody"
    assert small_print(RoomMinutes(many)).strip() == ""
    assert "The strictest budget is one person's" in small_print(RoomMinutes(replace(many, every=0.4)))
    never = section(RoomMinutes(replace(many, every=0.0)))
    assert "No budget above zero keeps every line" in never
    assert "Every line is kept" not in never
    for lines, kept in ((1, 1), (2, 1)):
        assert few in small_print(RoomMinutes(replace(many, lines=lines, kept=kept)))
    for kept, said in ((0, True), (1, False), (21, True)):
        assert (alike in small_print(RoomMinutes(replace(many, kept=kept)))) is said
    for now, before, told in (((3, 2), (2, 3), False), ((5, 0), (2, 3), True), ((3, 2), (0, 5), True)):
        votes = tuple(OptionVotes(name, *counts) for name, *counts in zip("ab", now, before, strict=True))
        assert (alike in small_print(RoomMinutes(None, "Which?", votes))) is told
    assert few in small_print(RoomMinutes(None, "Which?", (OptionVotes("a", 1, None), OptionVotes("b", 1, None))))
    assert few not in small_print(RoomMinutes(None, "Which?", (OptionVotes("a", 1, None), OptionVotes("b", 2, None))))


def test_lines_and_votes_of_one_room_stand_in_the_memo_together_and_its_writer_loses_nothing() -> None:
    drawn, voted = RoomMinutes(DRAWN), RoomMinutes(None, "Which?", VOTES)
    offered: dict[str, str] = {}

    def taken(minutes: RoomMinutes, code: str, memo: dict[str, Any]) -> dict[str, Any]:
        way = PageLink("memo", "", (("room", write_minutes(minutes)),))
        return read_query(FIELDS, dict(with_earlier(way, code, memo, offered).query)).values

    memo = taken(drawn, "ABC 234", {"title": "Heat map"})
    assert (memo["room"], memo["title"]) == (drawn, "Heat map")
    memo = taken(voted, "ABC 234", memo)
    assert memo["room"] == RoomMinutes(DRAWN, "Which?", VOTES)
    newer = RoomMinutes(replace(DRAWN, kept=3))
    memo = taken(newer, "ABC 234", memo)
    assert memo["room"] == RoomMinutes(newer.lines, "Which?", VOTES)
    assert taken(voted, "XYZ 567", memo)["room"] == voted  # another room's lines are not these minutes
    assert taken(voted, "ABC 234", {"room": RoomMinutes(replace(DRAWN, lines=22))})["room"] == voted  # from a link
