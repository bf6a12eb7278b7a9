"""What the page 'positions' claims: each budget, the gap, what a concession buys, the middle lines, safe names."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from dpcore.accuracy import Noise, count_error
from dpcore.mechanisms import Geometric
from dpcore.profiles import CapOrRatio, Certainty, Constant, LargestIncrease, LogOddsMean
from riskline.answers.errors import noise_error
from riskline.case.fields import read_query, write_query
from riskline.case.line import LineChoice, chosen_profile
from riskline.case.value import Case
from ui.pictures.marks import Line
from ui.pictures.style import Style
from ui.views.choose.answer import ChooseInputs, answered
from ui.views.positions import FIELDS, PositionsInputs, positions_view
from ui.views.positions.standing import MOST, STARTS, read_name, told_apart
from ui.views.positions.view import ONE_BELIEF, line_taken, panel_rows
from ui.views.room.lines import LineQuestion
from ui.views.shared.drawing import LETTER_WIDE, NAME_HIGH

PLAIN, TECHNICAL = Style(), Style(voice="technical")
DEFAULTS = {field.name: field.default for field in FIELDS}


def test_the_default_sentence_is_true_and_plain() -> None:
    view = positions_view(PositionsInputs(), PLAIN)
    assert view.answer == (
        "The line of **Advocates** allows the smallest budget (**ε\u00a0=\u00a00.69**), "
        "that of **Data users** the largest (**ε\u00a0=\u00a01.69**)."
    )
    assert view.small_print.startswith("Exact, rounded down. Secret: that a given person is in the data; one change")
    assert ". Holds if others’ data tell nothing about it." in view.small_print
    assert view.budgets is not None
    assert [(row[0], row[4]) for row in view.budgets.rows[1:3]] == [("Advocates", "± 4"), ("Data users", "± 2")]
    assert count_error(Geometric(epsilon=0.69)).half_width == 4
    assert count_error(Geometric(epsilon=1.69)).half_width == 2


def test_each_budget_is_its_profiles_own_rounded_down() -> None:
    view = positions_view(PositionsInputs(), PLAIN)
    alone = [
        CapOrRatio(0.25, 3, value_prior=1.0).implied_epsilon().recommended,
        Constant(2, value_prior=1.0).implied_epsilon().recommended,
        LargestIncrease(0.4, value_prior=1.0).implied_epsilon().recommended,
    ]
    assert [each.epsilon for each in view.standings[:3]] == alone == [1.29, 0.69, 1.69]


@pytest.mark.parametrize(
    ("choices", "budgets", "about"),
    [
        ({}, [1.29, 0.69, 1.69], "that a given person is in the data"),
        ({"unit": "household", "group": 3}, [0.43, 0.23, 0.56], "that a given household of 3 is in the data"),
        ({"secret": "value"}, [0.64, 0.34, 0.84], "that a given person has a certain value"),
        ({"secret": "value", "relation": "replace"}, [1.29, 0.69, 1.69], "that a given person has a certain value"),
        ({"secret": "value", "held": 0.5}, None, "that a given person is in the data and has a certain value"),
    ],
)
def test_a_position_is_about_a_secret_and_its_budget_takes_the_steps(
    choices: dict[str, Any], budgets: list[float] | None, about: str
) -> None:
    view = positions_view(PositionsInputs.of(DEFAULTS | choices), PLAIN)
    assert f"Secret: {about}; one change " in view.small_print
    assert f"Profiles of the posterior {about}" in view.computed
    if budgets is not None:
        assert [each.epsilon for each in view.standings[:3]] == budgets


@pytest.mark.parametrize(
    ("choices", "about"),
    [
        ({}, "presence"),
        ({"secret": "value"}, "value"),
        ({"secret": "value", "relation": "replace"}, "value_replaced"),
        ({"relation": "replace"}, None),
        ({"held": 0.5}, None),
    ],
)
def test_a_room_draws_lines_about_the_same_promise(choices: dict[str, Any], about: str | None) -> None:
    inputs = PositionsInputs.of(DEFAULTS | choices | {"unit": "days", "group": 7})
    assert inputs.in_a_room == (about and {"line_about": about, "line_unit": "days", "line_group": 7})
    if inputs.in_a_room is not None:
        assert LineQuestion.of(inputs.in_a_room).promise == inputs.promise


def test_replacing_a_record_needs_a_question_about_a_value_of_somebody_in_the_data() -> None:
    for choices in ({"relation": "replace"}, {"relation": "replace", "secret": "value", "held": 0.5}):
        refusal = positions_view(PositionsInputs.of(DEFAULTS | choices), PLAIN).refusal
        assert refusal is not None
        assert refusal.startswith("Replacing a record does not hide who is in the data")


def test_the_ways_carry_no_choice_of_the_case_and_a_line_is_taken_over_whole() -> None:
    inputs = PositionsInputs.of(DEFAULTS | {"secret": "value", "relation": "replace", "unit": "days", "group": 7})
    assert [(way.stem, way.query) for way in positions_view(inputs, PLAIN).next] == [("choose", ()), ("memo", ())]
    case = Case(secret="value", relation="replace", unit="days", group=7, ratio=9.0)
    for edited in (1, 2, 3):
        taken = case.with_choices(**line_taken(replace(inputs, edited=edited)))
        assert (taken.profile, taken.promise) == (chosen_profile(inputs.lines[edited - 1]), case.promise)


def test_positions_about_both_beliefs_are_refused_by_name() -> None:
    view = positions_view(PositionsInputs.of(DEFAULTS | {"secret": "both"}), PLAIN)
    assert view.refusal == ONE_BELIEF


def test_the_middle_line_is_a_certified_mean_between_the_extremes() -> None:
    view = positions_view(PositionsInputs(), PLAIN)
    middle = view.standings[-1]
    assert middle.middle
    assert middle.implied.certainty is Certainty.BRACKET
    mean = LogOddsMean([each.profile for each in view.standings[:3]]).implied_epsilon()
    assert middle.epsilon == mean.recommended == 1.44
    assert "**ε = 1.44**" in view.middle_words
    assert middle.name == "Average line"
    assert "a certified lower value" in view.middle_words
    assert "may break stricter limits" in view.middle_words


def test_keeping_every_promise_takes_exactly_the_smallest_budget() -> None:
    view = positions_view(PositionsInputs(middle="strictest"), TECHNICAL)
    assert view.standings[-1].implied.epsilon == min(each.implied.epsilon for each in view.standings[:3])
    assert view.standings[-1].implied.certainty is Certainty.EXACT
    assert "exact" in view.middle_words


def test_no_middle_line_is_drawn_when_none_is_asked_for() -> None:
    view = positions_view(PositionsInputs(middle="none"), PLAIN)
    assert len(view.panels) == len(view.standings) == len(view.titles) == 3
    assert view.middle_words == ""


def test_a_concession_buys_what_the_noise_laws_say() -> None:
    view = positions_view(PositionsInputs(middle="none"), TECHNICAL)
    assert view.concessions is not None
    first, _, whole = view.concessions.rows
    assert first[0] == "Advocates → Agency"
    assert first[1] == "+ 0.60"
    less = Geometric(epsilon=0.69).std - Geometric(epsilon=1.29).std
    assert first[2] == f"{less:.3g} less (± 4 → ± 2)"
    assert first[3] == "smallest beliefs: 2 times → 3.7 times as likely"  # e^0.69 and e^1.29, rounded up
    assert whole[0] == "Advocates → Data users"
    assert whole[1] == "+ 1.00"


def test_who_asks_for_most_is_told_with_the_crossing() -> None:
    view = positions_view(PositionsInputs(), PLAIN)
    assert [each.profiles for each in view.ranges] == [(1,), (2,), ()]
    assert view.ranges[0].stop == pytest.approx(0.4)  # 2x = x + 0.4
    assert view.who is not None
    assert "**Advocates** from nearly 0 to 40 in 100" in view.who.reading


def test_equal_positions_have_no_gap() -> None:
    inputs = PositionsInputs(names=("A", "B"), lines=(LineChoice(), LineChoice()))
    for style in (PLAIN, TECHNICAL):
        view = positions_view(inputs, style)
        assert view.refusal is None
        assert view.answer.startswith(
            "Every profile implies" if style is TECHNICAL else "Every position allows the same budget"
        )
        assert view.concessions is not None
        assert view.concessions.rows == ()


def test_a_line_without_limit_and_one_without_budget_are_told() -> None:
    free = LineChoice(line="drawn", points=((0.5, 1.0),))
    shut = LineChoice(line="constant", ratio=1.0)
    for style in (PLAIN, TECHNICAL):
        view = positions_view(PositionsInputs(names=("Free", "Shut"), lines=(free, shut)), style)
        assert view.refusal is None
        assert view.budgets is not None
        spends = {row[0]: row[1] for row in view.budgets.rows}
        assert "that of **Free** any." in view.answer or "Δε is not defined" in view.answer
        ranges = {row[0]: row[4] for row in view.budgets.rows}
        assert (ranges["Free"], ranges["Shut"]) == ("–", "nothing usable")
        assert spends["Free"] == "no limit"
        assert spends["Shut"] == "ε = 0"


def test_a_name_is_one_line_of_at_most_40_characters() -> None:
    assert read_name(" Data\n users ") == "Data users"
    for bad in ("", "   ", "x" * 41):
        with pytest.raises(ValueError, match=r"must be 1 to 40 characters; got \d+"):
            read_name(bad)


def test_names_cannot_draw_on_the_picture_or_set_type() -> None:
    names = ("<b>Agency</b>", "**Loud**", "=cmd()")
    view = positions_view(PositionsInputs(names=names), PLAIN)
    assert view.who is not None
    words = [note.text for note in view.who.figure.layout.annotations]
    assert "&lt;b&gt;Agency&lt;/b&gt;" in words
    hover = [trace.hovertemplate for trace in view.who.figure.data]
    assert not any("<b>" in text for text in hover)
    assert "**Loud**" not in view.answer
    assert "∗∗Loud∗∗" in view.answer
    assert view.budgets is not None
    assert "'=cmd()" in view.budgets.as_csv()


def test_a_refused_line_names_its_party() -> None:
    bad = LineChoice(line="box", low=0.5, high=0.1)
    view = positions_view(PositionsInputs(names=("Agency", "Bad box"), lines=(LineChoice(), bad)), PLAIN)
    assert view.refusal == "Bad box: Lowest belief that matters must lie below the highest, 0.1; got 0.5."


def test_the_link_brings_every_position_back() -> None:
    values = DEFAULTS | {"parties": 4, "name4": "Ombuds & Co", "line4": "drawn", "points4": ((0.01, 0.2), (0.5, 0.9))}
    reading = read_query(FIELDS, write_query(FIELDS, values))
    assert reading.refusals == ()
    inputs = PositionsInputs.of(reading.values)
    assert inputs.names[3] == "Ombuds & Co"
    assert inputs.lines[3].points == ((0.01, 0.2), (0.5, 0.9))
    assert PositionsInputs.of(DEFAULTS) == PositionsInputs()
    assert PositionsInputs.of(DEFAULTS | {"edited": 4}).edited == 3


@pytest.mark.parametrize("secret", ["presence", "value"])
@pytest.mark.parametrize("held", [1.0, 0.05])
def test_both_secrets_answer_in_both_voices(secret: str, held: float) -> None:
    lines = tuple(replace(line, secret=secret, held=held) for line in PositionsInputs().lines)
    for style in (PLAIN, TECHNICAL):
        view = positions_view(PositionsInputs(lines=lines, log=True), style)
        assert view.refusal is None
        assert len(view.panels) == 4
        assert all(panel.alt for panel in view.panels)
        assert [way.stem for way in view.next] == ["choose", "memo"]


def test_the_editor_shows_the_edited_line() -> None:
    view = positions_view(PositionsInputs(edited=2), PLAIN)
    assert view.editor is not None
    assert view.editor.points == ((0.001, 0.002), (0.5, 1.0))


def test_six_positions_have_starts_of_their_own_and_marks_that_differ() -> None:
    view = positions_view(PositionsInputs.of(DEFAULTS | {"parties": MOST, "middle": "none"}), PLAIN)
    assert MOST == len(STARTS) == len(view.panels) == 6
    assert len({each.epsilon for each in view.standings}) == 6
    assert view.who is not None
    for dark in (False, True):
        shown = positions_view(PositionsInputs.of(DEFAULTS | {"parties": MOST}), Style(dark=dark)).who
        assert shown is not None
        lines = [trace.line for trace in shown.figure.data]
        assert len({line.color for line in lines}) == len({line.dash for line in lines}) == 6


@pytest.mark.parametrize("parties", [2, 3, 6])
def test_a_name_on_the_picture_lies_on_its_own_curve_clear_of_the_others_on_a_telephone_too(parties: int) -> None:
    shown = positions_view(PositionsInputs.of(DEFAULTS | {"parties": parties}), PLAIN).who
    assert shown is not None
    curves = np.array([shown.numbers.column(f"largest_{place}").values for place in range(parties)])
    heights = curves / (shown.panels[0].y.range or (0.0, 1.0))[1]
    along = np.log(np.array(shown.numbers.column("prior").values))
    along = (along - along[0]) / (along[-1] - along[0])
    boxes = []
    for mark in shown.marks:
        assert isinstance(mark, Line)
        assert mark.label is not None
        place = int(mark.y[-1])
        wide = LETTER_WIDE * len(STARTS[place][0])
        at = np.flatnonzero(heights[place] <= 1)[mark.label]
        left = along[at] - (0 if mark.beside[0] == "left" else wide)
        low = heights[place, at] - (0 if mark.beside[1] == "bottom" else NAME_HIGH)
        there = np.linspace(left + 0.02, left + wide, 50)
        met = [np.interp(there, along, np.minimum(height, 2.0)) for height in np.delete(heights, place, axis=0)]
        assert (
            not any(np.any((one > low + 0.02) & (one < low + NAME_HIGH - 0.02)) for one in met) or parties == 6
        )  # too many to be clear
        boxes.append((left, low, wide))
    for (left, low, wide), (other, height, room) in combinations(boxes, 2):
        assert left >= other + room or other >= left + wide or abs(low - height) >= NAME_HIGH


def test_panels_and_editor_count_beliefs_out_of_100() -> None:
    for log, least in ((False, "0"), (True, "0.1")):
        panel = positions_view(PositionsInputs(log=log), PLAIN).panels[0].panels[0]
        assert [words for _, words in panel.x.ticks][0 :: len(panel.x.ticks) - 1] == [least, "100"]
        assert [words for _, words in panel.y.ticks] == ["0", "50", "100"]


def test_positions_that_ask_for_the_same_are_named_together() -> None:
    line = LineChoice(line="constant", ratio=2.0)
    view = positions_view(PositionsInputs(names=("Agency", "Advocates"), lines=(line, line)), PLAIN)
    assert view.answer == "Every position allows the same budget (**ε\u00a0=\u00a00.69**)."
    assert view.who is not None
    assert "**Agency** and **Advocates** from nearly 0 to 50 in 100" in view.who.reading


def test_panels_stand_in_rows_of_at_most_four() -> None:
    assert [[len(row) for row in panel_rows(count)] for count in (0, 1, 4, 5, 6, 7)] == [
        *([], [1], [4], [3, 2], [3, 3], [4, 3]),
    ]
    for count in range(8):
        assert [place for row in panel_rows(count) for place in row] == list(range(count))


def test_no_two_positions_have_one_name_to_a_reader() -> None:
    assert told_apart(("Agency", "Advocates")) == ("Agency", "Advocates")
    assert told_apart(("Agency", "AGENCY", "B")) == ("Agency (1)", "AGENCY (2)", "B")
    assert told_apart(("Average line", "B")) == ("Average line (1)", "B")
    tricky = told_apart(("A", "A", "A (1)"))
    assert len(set(tricky)) == 3
    names = {"name1": "Office", "name2": "office"}
    view = positions_view(PositionsInputs.of(DEFAULTS | names), PLAIN)
    assert view.names_words == ("Numbered: **Office (1)**, **office (2)**.")
    assert [title.split("** ")[0] for title in view.titles[:3]] == ["**Office (1)", "**office (2)", "**Data users"]
    assert "The line of **office (2)** allows the smallest budget" in view.answer
    assert view.budgets is not None
    assert [row[0] for row in view.budgets.rows[:2]] == ["Office (1)", "office (2)"]
    assert positions_view(PositionsInputs(), PLAIN).names_words == ""


def test_a_long_name_is_shortened_on_pictures_and_whole_in_tables() -> None:
    name = "National Institute of Public Health, (2)"
    view = positions_view(PositionsInputs.of(DEFAULTS | {"name1": name, "parties": 2}), PLAIN)
    assert len(name) == 40
    assert view.titles[0] == "**National Ins…th, (2)** ε = 1.29"
    assert view.who is not None
    words = [note.text for note in view.who.figure.layout.annotations]
    assert "National In…h, (2)" in words
    assert name not in words
    assert view.who.numbers.rows[0].columns[1].head == name
    assert view.budgets is not None
    assert view.budgets.rows[0][0] == name
    assert view.editor is not None
    edited = positions_view(PositionsInputs.of(DEFAULTS | {"name1": name, "edited": 2}), PLAIN).editor
    assert edited is not None
    assert edited.others[0][0] == "National In…h, (2)"


def test_the_editor_has_the_lines_of_the_others() -> None:
    view = positions_view(PositionsInputs(edited=2), PLAIN)
    assert view.editor is not None
    assert [name for name, _ in view.editor.others] == ["Agency", "Data users"]
    prior, accepted = view.editor.others[1][1].T
    assert accepted == pytest.approx([min(each + 0.4, 1.0) for each in prior])


def test_a_position_has_a_line() -> None:
    reading = read_query(FIELDS, {"line1": "none"})
    assert "must be one of cap_or_ratio" in reading.refusals[0].sentence
    assert PositionsInputs.of(reading.values).lines[0].line == "cap_or_ratio"


def test_a_line_without_a_budget_states_no_belief() -> None:
    three, two = (positions_view(PositionsInputs.of(DEFAULTS | {"ratio1": at}), PLAIN) for at in (3.0, 1.0))
    assert two.standings[0].epsilon == 0
    assert (len(three.stated), len(two.stated)) == (3, 2)


@pytest.mark.parametrize(
    "asked",
    [
        {"releases": 12},
        {"guarantee": "zero_concentrated", "releases": 4},
        {"guarantee": "zero_concentrated", "route": "gaussian"},
        {"guarantee": "zero_concentrated", "route": "discrete_gaussian", "release": "count"},
        {"guarantee": "approximate", "delta": 1e-6, "releases": 2, "unit": "household", "group": 3},
        {"secret": "value", "release": "count"},
    ],
)
def test_each_line_has_the_budget_of_each_release_that_choose_a_budget_gives_it(asked: dict[str, Any]) -> None:
    """Where the case asks for more than one ε of any release, whose scope is said then."""
    secret = asked.get("secret", "presence")
    lines = tuple(replace(line, secret=secret) for line in PositionsInputs().lines)
    inputs = PositionsInputs(lines=lines, **{name: value for name, value in asked.items() if name != "secret"})
    view = positions_view(inputs, PLAIN)
    assert view.budgets is not None
    assert view.budgets.columns[-1] == "your case"
    chosen = [ChooseInputs(**vars(line) | asked) for line in lines]
    answers = [answered(each, PLAIN) for each in chosen]
    assert [row[-1] for row in view.budgets.rows[:3]] == [answer.spend for answer in answers]
    noise: Noise = "discrete_gaussian" if asked.get("guarantee") == "zero_concentrated" else "geometric"
    assert view.budgets.caption.endswith("discrete Gaussian noise on one count") == (noise == "discrete_gaussian")
    for row, answer in zip(view.budgets.rows[:3], answers, strict=True):  # which this budget brings, not the whole ε
        error = noise_error(answer.budget.recommended_each, noise).error
        assert row[-2] == f"± {error.half_width}"
    assert view.small_print.endswith(" ε of all releases, of any kind; errors of each.")
    alike = positions_view(replace(inputs, guarantee="pure", releases=1, release="table"), PLAIN)
    assert alike.budgets is not None
    assert len(alike.budgets.columns) == len(view.budgets.columns) - 1
