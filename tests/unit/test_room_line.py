"""Lines drawn in a room: the middle one and its budget, which lines a budget keeps, whose are told, where they go."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import numpy as np
import pytest

from dpcore.profiles import LogOddsMedian
from riskline.answers import case_budget, standing
from riskline.case.fields import MAX_VALUE_LENGTH, link, parse_number, read_query
from riskline.case.link import read_case
from riskline.case.points import MOST_POINTS, Line
from riskline.case.value import Case
from tests.reached_beliefs import reached
from ui.pictures import marks
from ui.pictures.style import Style
from ui.rooms.meeting import Participant
from ui.views import positions
from ui.views.positions import PositionsInputs, positions_view
from ui.views.room import FIELDS
from ui.views.room.activity import ParticipantAnswer, Wall, text_of, values_of
from ui.views.room.line import DrawALine, answer_of
from ui.views.room.lines import LineQuestion, LinesDrawn, allowed, beginning_with_case, points_of, profile_of
from ui.views.room.vote import Vote, read_options
from ui.views.shared.room_minutes import ABOUT, GroupLines, LinesMinutes, read_minutes

ACTIVITY = DrawALine()
PLAIN, TECHNICAL = Style(), Style(voice="technical")
THREE: tuple[Line, ...] = (((0.1, 0.25),), ((0.1, 0.4),), ((0.1, 0.5),))
"""At a belief of 1 in 10 the odds may become 3, 6 and 9 times as large, so ε is log 3, log 6 and log 9."""


def settings(**chosen: Any) -> dict[str, Any]:
    return {field.name: field.default for field in ACTIVITY.settings} | chosen


def answers(*lines: Line, groups: tuple[str, ...] = ("",)) -> list[ParticipantAnswer]:
    return [
        ParticipantAnswer(
            Participant(number, f"Ada {number}", groups[number % len(groups)]),
            {"line_points": line, "line_interview": ""},
        )
        for number, line in enumerate(lines)
    ]


def some_lines(count: int, seed: int, most: int = 8) -> list[Line]:
    """Lines as people draw them: a ceiling, then a ratio, a little uneven."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        prior = np.unique(rng.uniform(0.001, 0.9, rng.integers(1, most + 1)).round(5))
        after = np.maximum(rng.uniform(0.05, 0.5), prior * rng.uniform(1.3, 6)) * rng.uniform(0.9, 1.1, prior.size)
        after = np.clip(np.maximum(after, prior), None, 1.0).round(6)
        found.append(tuple(zip(prior.tolist(), np.maximum(after, prior).tolist(), strict=True)))
    return found


def said(wall: Wall) -> str:
    """Everything that the wall shows, as text."""
    pictures = [picture for picture in (wall.picture, *wall.more) if picture is not None]
    drawn = [f"{picture.reading} {picture.alt} {picture.numbers.as_csv()} {picture.table}" for picture in pictures]
    return " ".join([wall.answer, wall.small_print, *wall.sentences, *drawn, repr(wall.tables), repr(wall.ways)])


def test_the_wall_says_what_the_middle_line_allows() -> None:
    wall = ACTIVITY.summary(settings(), answers(*THREE), PLAIN)
    assert wall.answer == (
        "The middle one of **3** lines allows **ε = 1.79**. A belief of **10 in 100** that a given person is in "
        "the data can rise to at most **40 in 100**."
    )
    assert wall.sentences == (
        "**2 of 3** lines are kept at **ε = 1.79**.",
        "Every line is kept up to **ε = 1.09**.",
    )
    assert ACTIVITY.summary(settings(), answers(THREE[0]), PLAIN).answer.startswith("The only line allows")


@pytest.mark.parametrize(
    ("chosen", "budget", "about"),
    [
        ({}, 1.79, "whether a given person is in the data"),
        ({"line_about": "value_replaced"}, 1.79, "which value a given person has"),
        ({"line_about": "value"}, 0.89, "which value a given person has"),
        ({"line_unit": "household", "line_group": 4}, 0.44, "whether a given household of 4 is in the data"),
        ({"line_about": "value", "line_unit": "days", "line_group": 7}, 0.12, "which value a given person over 7 days"),
    ],
)
def test_a_budget_is_about_a_secret_and_takes_its_steps(chosen: dict[str, Any], budget: float, about: str) -> None:
    wall = ACTIVITY.summary(settings(**chosen), answers(*THREE), PLAIN)
    assert f"**ε = {budget}**" in wall.answer
    assert about in wall.small_print
    own = ACTIVITY.own_words(settings(**chosen), {"line_points": THREE[1]}, PLAIN)
    assert own.startswith(f"Your line allows **ε = {budget}**.")
    assert about in own
    assert f"**2 of 3** lines are kept at **ε = {budget}**." in wall.sentences


@pytest.mark.parametrize("about", ABOUT)
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_a_release_reaches_what_the_wall_says_of_the_middle_line(about: str, style: Style) -> None:
    for seed in range(4):
        chosen = settings(line_about=about, line_unit="records", line_group=1 + seed % 3)
        wall = ACTIVITY.summary(chosen, answers(*some_lines(5 + seed, seed)), style)
        (belief,) = wall.stated
        assert reached(belief) <= belief.at_most * (1 + 1e-9)
        assert reached(belief) > 0.97 * belief.at_most - 0.01  # no looser than the rounding of the budget
        assert belief.words in wall.answer


def test_lines_are_kept_at_the_budget_in_question_and_no_others() -> None:
    for epsilon, kept in ((1.0986, 3), (1.0987, 2), (1.7917, 2), (1.7918, 1), (2.1972, 1), (2.1973, 0)):
        sentence = ACTIVITY.summary(settings(line_epsilon=epsilon), answers(*THREE), PLAIN).sentences[0]
        assert sentence == f"**{kept} of 3** lines {'is' if kept == 1 else 'are'} kept at **ε = {epsilon}**."


def test_it_is_said_where_the_middle_line_keeps_fewer_than_half() -> None:
    """Each line is strict at a belief of its own; the middle line is strict nowhere."""
    strict = [((0.01, 0.5), (at - 0.01, 0.6), (at, at + 0.02), (at + 0.01, 0.6), (0.5, 0.9)) for at in (0.1, 0.2, 0.3)]
    wall = ACTIVITY.summary(settings(), answers(*strict), PLAIN)
    assert "**0 of 3** lines are kept" in wall.sentences[0]
    assert wall.sentences[1].startswith("Fewer than half:")
    assert not any("fewer than half" in each for each in ACTIVITY.summary(settings(), answers(*THREE), PLAIN).sentences)
    half = ACTIVITY.summary(settings(), answers(*THREE[:2]), PLAIN)
    assert "**1 of 2** lines is kept" in half.sentences[0]
    assert not any("fewer than half" in each for each in half.sentences)
    other = ACTIVITY.summary(settings(line_epsilon=3.0), answers(*strict), PLAIN)
    assert not any("fewer than half" in each for each in other.sentences)  # that is about the middle line's budget


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
@pytest.mark.parametrize(
    ("lines", "begins"),
    [
        ([((0.5, 1.0),)] * 2 + [THREE[0]], ("The middle one of **3** lines **sets no limit**", "Pointwise median")),
        ([((0.1, 0.1),)] * 2 + [THREE[0]], ("The middle one of **3** lines leaves **no budget**", "Pointwise")),
        ([((1e-14, 0.2), (0.3, 0.9))] * 3, ("The middle one of **3** lines allows", "Pointwise median")),
        ([((1.0, 1.0),)], ("The only line **sets no limit**", "The only profile")),
        ([((1e-300, 1e-300), (0.5, 0.5))] * 2, ("The middle one of **2** lines", "Pointwise median")),
    ],
)
def test_lines_at_the_ends_of_what_can_be_drawn_have_a_wall(
    lines: list[Line], begins: tuple[str, str], style: Style
) -> None:
    for epsilon in (0.0, 1000.0, 1e-12):
        wall = ACTIVITY.summary(settings(line_epsilon=epsilon), answers(*lines), style)
        assert wall.answer.startswith(begins[style.technical])
        assert "nan" not in said(wall).lower()
        for line in lines:
            values = {"line_points": line, "line_interview": ""}
            assert ACTIVITY.judged(settings(), values) == values
            assert ACTIVITY.own_words(settings(), values, style)
        if wall.picture is not None:
            assert wall.picture.figure.to_plotly_json()


def test_nothing_on_the_wall_is_about_one_participant() -> None:
    """The order in which people came, their names, and groups of fewer than three are nowhere on it."""
    drawn = answers(*some_lines(9, 4), groups=("Agency", "Agency", "Agency", "Agency", "Press"))
    wall = ACTIVITY.summary(settings(), drawn, PLAIN)
    assert "Ada" not in said(wall)
    assert "Press" not in said(wall)
    assert "Agency" not in said(wall)  # what is left would be the press
    assert wall.tables == ()
    untold = "Some groups are not shown apart: they, or the others left, would be too few to hide among."
    assert wall.sentences[-1] == untold
    two = ACTIVITY.summary(settings(), drawn[-2:], PLAIN)  # those who agreed to show so few hide nobody
    assert untold not in two.sentences
    random.Random(1).shuffle(drawn)
    assert said(ACTIVITY.summary(settings(), drawn, PLAIN)) == said(wall)


def test_groups_of_three_have_a_middle_line_of_their_own() -> None:
    looser = tuple(((0.1, after),) for after in (0.55, 0.6, 0.7))
    wall = ACTIVITY.summary(
        settings(line_epsilon=1.5), answers(*THREE, *looser, groups=("a", "a", "a", "b", "b", "b")), PLAIN
    )
    (table,) = wall.tables
    assert table.rows == (
        ("Everybody", "6", "ε = 2.29", "5"),
        ("a", "3", "ε = 1.79", "2"),
        ("b", "3", "ε = 2.60", "3"),
    )
    figure = wall.more[0]
    assert [column.name for part in figure.numbers.rows for column in part.columns if "stack" in column.key] == [
        "a",
        "b",
    ]


def test_the_memo_gets_the_minutes_of_the_room() -> None:
    """Of a value in households of 3 each ε is a sixth of log 3, 6, 9, 11, 13.5 and 21."""
    looser = tuple(((0.1, after),) for after in (0.55, 0.6, 0.7))
    chosen = settings(line_about="value", line_unit="household", line_group=3, line_epsilon=0.3)
    wall = ACTIVITY.summary(chosen, answers(*THREE, *looser, groups=("a", "a", "a", "b", "b", "b")), PLAIN)
    (way,) = [way for way in wall.ways if way.stem == "memo"]
    (room,) = [text for name, text in way.query if name == "room"]
    groups = (GroupLines("a", 3, 0.29), GroupLines("b", 3, 0.43))
    assert read_minutes(room).lines == LinesMinutes("value", "household", 3, 6, 0.38, 0.3, 4, 0.18, groups)
    free = ACTIVITY.summary(settings(), answers(((0.5, 1.0),), ((0.5, 1.0),)), PLAIN)
    assert dict(free.ways[-1].query)["room"] == "lines~presence~person~1~2~~~0"


def test_the_picture_has_every_line_the_middle_one_and_the_band_of_half_of_them() -> None:
    lines: list[Line] = [((0.0005, 0.5), *line, (0.95, 0.97)) for line in some_lines(12, 3)]
    wall = ACTIVITY.summary(settings(), answers(*lines, groups=("a", "b")), PLAIN)
    assert wall.picture is not None
    numbers = wall.picture.numbers
    middle = LogOddsMedian([profile_of(line, LineQuestion()) for line in lines])
    prior = numbers.column("prior").numbers
    after = middle.highest_posterior(prior / 100)
    assert numbers.column("middle").numbers == pytest.approx(100 * np.where(after < 1, after, np.nan), nan_ok=True)
    inside = 0
    low, high = numbers.column("low").numbers, numbers.column("high").numbers
    for line in lines:
        after = 100 * profile_of(line, LineQuestion()).highest_posterior(prior / 100)
        inside = inside + ((low - 1e-9 <= after) & (after <= high + 1e-9))
    shaded = ~np.isnan(high)
    assert (np.asarray(inside)[shaded] >= 6).all()
    assert shaded.any()
    assert (np.isnan(low) == ~shaded).all()
    assert "at least **6** of **12** lines lie" in wall.picture.reading
    points = sorted((x, y) for line in lines for x, y in line)
    across, up = numbers.column("lines_prior").numbers, numbers.column("lines").numbers
    kept = ~np.isnan(up)
    assert sorted(zip(across[kept] / 100, up[kept] / 100, strict=True)) == [pytest.approx(point) for point in points]
    assert (~kept).sum() == 12


def test_no_line_is_drawn_where_nobody_was_asked() -> None:
    """Five lines end at a belief of 50 in 100, as those of the interview do, and four at 20 in 100."""
    asked: list[Line] = [((0.001, 0.1), (0.5, 0.6 + 0.05 * place)) for place in range(5)]
    asked += [((0.001, 0.1), (0.2, 0.4))] * 4
    wall = ACTIVITY.summary(settings(), answers(*asked), PLAIN)
    assert wall.picture is not None
    column = wall.picture.numbers.column
    prior = column("prior").numbers
    for key, last in (("middle", 50), ("low", 20), ("high", 20)):
        assert (np.isnan(column(key).numbers) == (prior > last)).all()
    (shaded,) = [trace for trace in wall.picture.figure.data if trace.fill == "toself"]
    assert np.isfinite(shaded.y).all()  # one outline, of what is shaded
    assert (min(shaded.x), max(shaded.x)) == (pytest.approx(0.1), pytest.approx(20))
    own = ACTIVITY.with_own(wall.picture, settings(), answers(*asked)[0], PLAIN)
    assert own.numbers.column("own_prior").numbers.tolist() == [pytest.approx(0.1), pytest.approx(50.0)]


def test_the_same_in_python_comes_to_the_budget_of_the_middle_line() -> None:
    wall = ACTIVITY.summary(settings(line_about="value", line_unit="household", line_group=2), answers(*THREE), PLAIN)
    assert wall.python is not None
    names: dict[str, Any] = {}
    exec(wall.python.text, names)
    assert names["answer"] == wall.python.answer[0].value
    assert f"**ε = {wall.python.answer[0]}**" in wall.answer
    assert ACTIVITY.summary(settings(), answers(*some_lines(13, 1)), PLAIN).python is None


@pytest.mark.parametrize("about", ABOUT)
def test_a_line_that_is_handed_on_allows_what_the_middle_line_allows_and_no_more(about: str) -> None:
    question = LineQuestion.of(settings(line_about=about))
    for seed in range(6):
        lines = LinesDrawn.of(question, answers(*some_lines(3 + 4 * seed, seed)))
        for most in (16, 30, MOST_POINTS):
            points = points_of(lines.middle, question, most)
            handed = allowed(profile_of(points, question), question)
            assert len(points) <= most
            assert handed.limit <= lines.middle.limit
            assert handed.epsilon <= lines.middle.epsilon
            assert handed.limit >= (0.9 if most == 16 else 0.995) * lines.middle.limit


@pytest.mark.parametrize(
    ("count", "groups", "names"),
    [
        (2, ("",), [("Line 1", "Line 2")]),
        (6, ("a", "b"), [("a", "b"), tuple(f"Line {number}" for number in range(1, 7))]),
        (40, ("",), [("Strictest line", "Middle line", "Loosest line")]),
        (36, tuple("abcdef"), [tuple("abcdef")]),
        (1, ("",), []),
    ],
)
def test_lines_go_on_to_compare_positions(count: int, groups: tuple[str, ...], names: list[tuple[str, ...]]) -> None:
    chosen = settings(line_about="value", line_unit="household", line_group=3)
    drawn = answers(*some_lines(count, count, most=MOST_POINTS), groups=groups)
    wall = ACTIVITY.summary(chosen, drawn, PLAIN)
    lines = LinesDrawn.of(LineQuestion.of(chosen), drawn)
    own = {"Middle line": lines.middle.epsilon} | dict(
        zip(lines.told, (middle.epsilon for middle in lines.middles), strict=True)
    )
    ways = [way for way in wall.ways if way.stem == "positions"]
    assert len(ways) == len(names)
    for way, called in zip(ways, names, strict=True):
        query = dict(way.query)
        reading = read_query(positions.FIELDS, query)
        assert not reading.refusals
        assert max(map(len, query.values())) <= MAX_VALUE_LENGTH
        assert len(link("positions", positions.FIELDS, reading.values)) <= 7500
        shown = positions_view(PositionsInputs.of(reading.values), PLAIN)
        assert shown.refusal is None
        parties = shown.standings[: len(called)]
        assert tuple(party.name for party in parties) == called
        for party in parties:
            if party.name in own:
                assert 0.98 * own[party.name] - 0.01 <= party.epsilon <= own[party.name]
        if called[0] == "Line 1":
            assert [party.epsilon for party in parties] == sorted(line.epsilon for line in lines.lines)
        if called[0] == "Strictest line":
            assert parties[0].epsilon <= lines.strictest.epsilon
        assert "a given household of 3" in shown.small_print
        assert (query["secret"], query["unit"], query["group"]) == ("value", "household", "3")


def test_a_line_without_a_limit_is_handed_on_as_one() -> None:
    lines = LinesDrawn.of(LineQuestion(), answers(((0.5, 1.0),), ((0.2, 1.0), (0.6, 1.0)), ((0.1, 0.3),)))
    handed = profile_of(points_of(lines.middle, lines.question, 20), lines.question)
    assert math.isinf(allowed(handed, lines.question).limit)


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
@pytest.mark.parametrize("first", [0.014, 0.0358, 0.0945, 0.125, 0.0066])
def test_the_belief_that_is_printed_reaches_no_more_than_what_is_printed_after_it(first: float, style: Style) -> None:
    """The prior is rounded down: a limit for a belief is one for each smaller belief, and for no larger one."""
    drawn = LinesDrawn.of(LineQuestion.of(settings()), answers(((first, min(1.0, 3 * first)), (0.9, 1.0))))
    said = answer_of(drawn, style)
    assert "{" not in said
    printed = list(re.findall(r"[0-9.,]+ in [0-9,]+|0[.][0-9]+", re.sub(r"ε = [0-9.]+", "", said.replace("**", ""))))
    values = [parse_number(number.replace(",", "")) for number in printed]
    assert drawn.middle.reached(values[0]) <= values[1]


def test_a_middle_line_without_a_limit_is_not_told_of_lines_that_have_one() -> None:
    lines = (((0.02, 0.1), (0.1, 0.25)), ((0.2, 0.5), (0.4, 0.6)), ((0.5, 0.7), (0.8, 0.9)))
    wall = ACTIVITY.summary(settings(), answers(*lines), PLAIN)
    assert (
        "**sets no limit**: at each belief before that a given person is in the data, half or more set none"
        in wall.answer
    )


def test_lines_of_which_one_may_not_be_passed_are_told_to_be_kept_by_no_budget() -> None:
    nothing, everything = ((0.1, 0.1), (0.3, 0.3)), ((0.001, 1.0), (0.5, 1.0))
    told = [
        ACTIVITY.summary(settings(), answers(*lines), PLAIN).sentences for lines in ((nothing, everything), (nothing,))
    ]
    assert all("No budget above zero keeps every line." in sentences for sentences in told)
    assert "Lines without a limit: **1**." in told[0]


def test_one_line_is_not_told_as_many() -> None:
    one, two = (ACTIVITY.summary(settings(), answers(*THREE[:count]), PLAIN).sentences for count in (1, 2))
    assert any(words.startswith("Every line is kept up to **ε = ") for words in one)
    assert any(words.startswith("**1 of 1** line is kept at") for words in one)
    assert any(words.startswith("Every line is kept up to **ε = ") for words in two)


def test_a_line_of_one_point_is_drawn_and_said_and_the_diagonal_is_no_line_of_anybody() -> None:
    alone, two, three = ((0.2, 0.4),), ((0.1, 0.3), (0.4, 0.6)), ((0.2, 0.3), (0.4, 0.6), (0.7, 0.9))
    picture = ACTIVITY.summary(settings(), answers(two, alone, three), PLAIN).picture
    assert picture is not None
    rings = [mark for mark in picture.marks if isinstance(mark, marks.Dots)]
    assert [(mark.x, mark.y) for mark in rings] == [("point_prior", "point")]
    columns = {column.key: list(column.values) for rows in picture.numbers.rows for column in rows.columns}
    assert (columns["point_prior"], columns["point"]) == ([pytest.approx(20.0)], [pytest.approx(40.0)])
    assert "Ring: a line of one point" in picture.reading
    names = {column.key: column.name for rows in picture.numbers.rows for column in rows.columns}
    assert (names["nothing"], names["middle"]) == ("nothing learned", "the middle line")
    diagonal = next(mark for mark in picture.marks if isinstance(mark, marks.Line) and mark.y == "nothing")
    drawn = next(mark for mark in picture.marks if isinstance(mark, marks.Line) and mark.y == "lines")
    assert diagonal.in_legend
    assert diagonal.dash != drawn.dash
    without = ACTIVITY.summary(settings(), answers(two, three), PLAIN).picture
    assert without is not None
    assert "Ring" not in without.reading


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_a_household_is_not_told_as_one_person(style: Style) -> None:
    wall = ACTIVITY.summary(settings(line_unit="household", line_group=4), answers(*THREE), style)
    assert "person" not in wall.small_print
    household = "a given household of 4" if style is PLAIN else "one household (group of 4 records)"
    assert wall.small_print.count(household) == 2  # in the promise and of the attacker


@pytest.mark.parametrize("about", ABOUT)
def test_the_middle_line_is_taken_over_by_the_case_with_its_question_and_budget(about: str) -> None:
    chosen = settings(line_about=about, line_unit="household", line_group=3)
    wall = ACTIVITY.summary(chosen, answers(*THREE), PLAIN)
    (way,) = [way for way in wall.ways if way.stem == "choose"]
    case = read_case(dict(way.query)).case
    assert case is not None
    assert (case["unit"], case["group"], case["line"]) == ("household", 3, "drawn")
    assert (case["secret"], case["relation"]) == (LineQuestion.of(chosen).secret, LineQuestion.of(chosen).relation)
    (memo,) = [dict(way.query)["room"] for way in wall.ways if way.stem == "memo"]
    minutes = read_minutes(memo).lines
    budget = case_budget(case)
    assert budget is not None
    assert minutes is not None
    assert budget.value == minutes.middle


def test_a_room_asks_about_the_case_that_it_is_opened_with() -> None:
    case = Case(secret="value", relation="replace", unit="household", group=4, ratio=2.0)
    begins = {field.name: field.default for field in beginning_with_case(FIELDS, case)}
    assert (begins["line_about"], begins["line_unit"], begins["line_group"]) == ("value_replaced", "household", 4)
    assert begins["line_epsilon"] == standing(case).budget.value  # type: ignore[union-attr]
    assert beginning_with_case(FIELDS, Case()) == FIELDS


@pytest.mark.parametrize("about", ABOUT)
def test_budgets_of_the_lines_are_put_to_the_vote_by_what_they_let_a_belief_become(about: str) -> None:
    chosen = settings(line_about=about, line_unit="household", line_group=2)
    drawn = answers(*some_lines(9, 2), *some_lines(1, 3))
    question = LineQuestion.of(chosen)
    wall = ACTIVITY.summary(chosen, drawn, TECHNICAL)
    assert wall.vote is not None
    asked, options = wall.vote
    assert read_options("; ".join(options)) == options  # as the vote takes them
    assert 2 <= len(options) <= 5
    (before,) = re.findall(r"From (\d+) in 100, how likely may it become that a given household of 2 ", asked)
    lines, middle = LinesDrawn.of(question, drawn).lines, LinesDrawn.of(question, drawn).middle
    assert middle.prior is not None
    assert float(before) <= 100 * middle.prior < float(before) + 1  # as the wall told it, downwards
    for option in options:
        (after, epsilon) = (float(found) for found in re.findall(r"At most (\d+) in 100 \(ε = ([\d.]+)\)", option)[0])
        assert epsilon in [line.epsilon for line in lines]
        steps = 2 * (2 if about == "value" else 1)
        odds = float(before) / (100 - float(before)) * math.exp(steps * epsilon)
        assert 100 * odds / (1 + odds) <= after < 100 * odds / (1 + odds) + 1
    vote = Vote()
    begun = {field.name: field.default for field in vote.settings} | {"vote_question": asked, "vote_options": options}
    assert values_of(vote.settings, text_of(vote.settings, begun)) == begun
    votes = [ParticipantAnswer(Participant(place, "", ""), {"vote_choice": options[-1]}) for place in range(3)]
    (way,) = vote.summary(begun, votes, PLAIN).ways
    assert [option.name for option in read_minutes(dict(way.query)["room"]).votes] == list(options)


def test_lines_of_one_budget_are_not_put_to_the_vote() -> None:
    assert ACTIVITY.summary(settings(), answers(*[THREE[0]] * 3), PLAIN).vote is None
    assert ACTIVITY.summary(settings(), answers(*[((0.5, 1.0),)] * 3), PLAIN).vote is None
