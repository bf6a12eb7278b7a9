"""A vote in a room: what can be voted for, the counts of now and before, whose votes are told."""

from __future__ import annotations

from typing import Any

import pytest

from riskline.case.fields import read_query
from tests.approved.rooms import room, started, stored
from ui.pictures.style import Style
from ui.rooms.meeting import Participant, Phase
from ui.views.room import RoomInputs, room_view
from ui.views.room.activity import ParticipantAnswer, text_of, values_of
from ui.views.room.view import Held
from ui.views.room.vote import OPTIONS, Vote, read_options

ACTIVITY, PLAIN = Vote(), Style()


def settings(**chosen: Any) -> dict[str, Any]:
    return {field.name: field.default for field in ACTIVITY.settings} | chosen


def votes(text: str, groups: str = "", first: int = 1) -> list[ParticipantAnswer]:
    """A vote for each digit: the option of that number; a letter of `groups` is the voter's group, a dot none."""
    held = groups.ljust(len(text), ".").replace(".", " ")
    return [
        ParticipantAnswer(Participant(first + at, f"Ada {at}", held[at].strip()), {"vote_choice": OPTIONS[int(digit)]})
        for at, digit in enumerate(text)
    ]


def test_the_wall_counts_the_votes() -> None:
    wall = ACTIVITY.summary(settings(), votes("0112111"), PLAIN)
    assert wall.answer == "**ε = 1** has the most votes: **5 of 7**."
    assert wall.tables[0].columns == ("option", "Everybody")
    assert wall.tables[0].rows == (("ε = 0.5", "1"), ("ε = 1", "5"), ("ε = 2", "1"))
    assert ACTIVITY.summary(settings(), votes("0110"), PLAIN).answer == (
        "**ε = 0.5** and **ε = 1** have the most votes, **2 of 4** each."
    )


def test_both_counts_stand_side_by_side_and_by_group() -> None:
    now, before = votes("0001112", "aaabbbb"), votes("0112222", "aaabbbb")
    wall = ACTIVITY.summary(settings(vote_before=1), [*now, *votes("212", "cdc", first=20)], PLAIN, before)
    assert wall.answer == "**ε = 1** has the most votes: **4 of 10**."
    assert wall.sentences[:2] == (
        "Before: **ε = 2** has the most votes: **4 of 7**.",
        "Of **7** who voted both times, **5** changed their vote.",
    )
    assert wall.tables[0].columns == ("option", "Everybody", "a", "b", "Everybody else")
    assert wall.tables[0].rows == (
        ("ε = 0.5", "1 → 3", "1 → 3", "0 → 0", "0 → 0"),
        ("ε = 1", "2 → 4", "2 → 0", "0 → 3", "0 → 1"),
        ("ε = 2", "4 → 3", "0 → 0", "4 → 1", "0 → 2"),
    )
    assert wall.picture is not None
    assert wall.picture.numbers.column("now").values == [3.0, 4.0, 3.0]
    assert wall.picture.numbers.column("before").values == [1.0, 2.0, 4.0]
    assert wall.picture.panels[0].x.every == 1  # people come whole


@pytest.mark.parametrize(("once", "told"), [(0, True), (1, False), (2, False), (3, True)])
def test_who_changed_is_not_told_where_it_would_tell_what_one_or_two_voted(once: int, told: bool) -> None:
    """Nobody of the others changed: the difference of the counts would be the votes of those who voted once."""
    before = votes("00011", "aaaaa")
    for now, then in (
        (before + votes("2" * once, "." * once, 20), before),
        (before, before + votes("2" * once, "." * once, 20)),
        (before + votes("2" * once, "." * once, 20), before + votes("012", "...", 30)),  # three went, they hide nobody
    ):
        said = ACTIVITY.summary(settings(vote_before=1), now, PLAIN, then).sentences
        assert any("changed their vote" in words for words in said) is told


def test_a_group_is_told_where_it_may_be_told_in_both_votes() -> None:
    told = ACTIVITY.summary(settings(), votes("000111", "aaabbb"), PLAIN, votes("00111", "aabbb"))
    assert told.tables[0].columns == ("option", "Everybody")
    assert told.sentences[-1].startswith("Groups are not shown apart: beside another vote")
    few = ACTIVITY.summary(settings(), votes("000111", "aaaabb"), PLAIN)
    assert few.sentences[-1].startswith("Some groups are not shown apart: they, or the others left")
    two = ACTIVITY.summary(settings(), votes("01", "ab"), PLAIN)  # those who agreed to show so few hide nobody
    assert two.sentences == ()
    assert ACTIVITY.summary(settings(), votes("000111", "aaabbb"), PLAIN).tables[0].columns[2:] == ("a", "b")


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (votes("000111", "aaabbb"), votes("0001112", "aaabbbb")),  # one went
        (votes("00011122", "aaabbbbb"), votes("000111", "aaabbb")),  # two came
        (votes("00001111", "aaaabbbb"), votes("00001111", "aaabbbbb")),  # one changed the group
        (votes("0001112", "aaabbba"), votes("000111", "aaabbb") + votes("01", "aa", 20)),  # one came and two went
    ],
)
def test_no_group_is_told_beside_an_earlier_vote_where_one_came_or_went(now: list[Any], before: list[Any]) -> None:
    assert ACTIVITY.summary(settings(), now, PLAIN).tables[0].columns[2:] == ("a", "b")
    assert ACTIVITY.summary(settings(vote_before=1), now, PLAIN, before).tables[0].columns == ("option", "Everybody")


def test_an_earlier_vote_that_cannot_be_shown_is_said_to_be_missing() -> None:
    told = ACTIVITY.summary(settings(vote_before=1), votes("000111", "aaabbb"), PLAIN)
    assert told.sentences[0].startswith("The earlier vote is not shown")
    assert told.sentences[-1].startswith("Groups are not shown apart: beside another vote")
    assert told.tables[0].columns == ("option", "Everybody")


def test_no_name_is_on_the_wall() -> None:
    wall = ACTIVITY.summary(settings(), votes("012012", "aaabbb"), PLAIN)
    assert "Ada" not in repr((wall.answer, wall.sentences, wall.tables)) + wall.picture.numbers.as_csv()


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("ε = 1", "must be 2 to 6 options between semicolons; got 1"),
        (";".join("abcdefg"), "must be 2 to 6 options between semicolons; got 7"),
        ("Yes; yes", "must be different; got 'Yes; yes'"),
        ("a; " + "b" * 41, "must be at most 40 characters; got 41"),
    ],
)
def test_options_that_cannot_be_voted_between_are_refused(typed: str, refusal: str) -> None:
    with pytest.raises(ValueError, match=refusal.replace("(", r"\(")):
        read_options(typed)


def test_settings_and_votes_come_back_from_the_database_as_they_were() -> None:
    chosen = settings(vote_question="Wie viel?", vote_options=("ε = 0,5", "a & b", "nichts*"), vote_before=3)
    assert values_of(ACTIVITY.settings, text_of(ACTIVITY.settings, chosen)) == chosen
    assert not read_query(ACTIVITY.settings, {"vote_options": "; ".join(chosen["vote_options"])}).refusals
    values = {"vote_choice": "nichts*"}
    assert ACTIVITY.judged(chosen, values) == values
    assert ACTIVITY.own_words(chosen, values, PLAIN) == "Your vote: **nichts∗**."
    assert ACTIVITY.earlier_activity(chosen) == 3
    with pytest.raises(ValueError, match="Your vote must be for one of the options; got 'ε = 2'"):
        ACTIVITY.judged(chosen, {"vote_choice": "ε = 2"})


def test_an_earlier_activity_that_was_no_such_vote_is_passed_over() -> None:
    chosen = settings(vote_before=1)
    shown = room(started("vote", chosen, Phase.SHOWN))
    for other in (stored("line"), stored("vote", {"vote_options": ("yes", "no", "later")})):
        wall = room_view(RoomInputs(activity="vote"), PLAIN, Held(shown, stored("vote"), other)).wall
        assert wall is not None
        assert not any("Before" in sentence for sentence in wall.sentences)
    wall = room_view(RoomInputs(activity="vote"), PLAIN, Held(shown, stored("vote"), stored("vote"))).wall
    assert wall is not None
    assert wall.sentences[:2] == (
        "Before: **ε = 1** has the most votes: **4 of 7**.",
        "Of **7** who voted both times, **0** changed their vote.",
    )
