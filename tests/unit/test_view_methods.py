"""What the page 'methods' claims is what dpcore computes for its method, and for noise of the same error."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore.methods import CellKey, PermutationSwapping, RandomRounding, certain_somewhere
from riskline.answers.methods import limit_of_line, told_by_noise
from riskline.case.methods import EXAMPLE_TABLE, SETTINGS, read_classes, read_table, table_as_lines
from riskline.commands.methods import answer
from ui.pictures.marks import Upright
from ui.pictures.style import Style
from ui.views.accuracy import INVENTED
from ui.views.methods import MethodsInputs, MethodsView, methods_view
from ui.words.quantities import Quantity

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def seen(**chosen: Any) -> MethodsView:
    view = methods_view(MethodsInputs(**chosen), PLAIN)
    assert view.refusal is None
    assert view.beliefs is not None
    return view


def facts(view: MethodsView) -> dict[str, tuple[object, ...]]:
    assert view.compared is not None
    return {str(row[0]): row[1:] for row in view.compared.rows}


def test_the_first_sentence_says_how_often_somebody_becomes_certain_and_where_the_line_stops() -> None:
    view = seen(one="pupil")
    assert view.answer == (
        "**Rounding to base 3**: in **33 of 100** releases somebody becomes certain that a given pupil is counted, "
        "if true; your line stops at **25 in 100**."
    )
    assert view.told is not None
    assert view.told.certain("present").value == pytest.approx(1 / 3)
    assert view.limit == 0.25 == limit_of_line(MethodsInputs(), 0.08)
    assert view.small_print.startswith(
        "Exact for one cell, 0 others counted, where it gives away most. The attacker knows"
    )


def test_certainty_too_rare_for_a_float_is_not_called_impossible() -> None:
    view = seen(method="cell_key", largest_noise=50, variance=1.0, others=60)
    assert "in **fewer than 1 of 10,000** releases somebody becomes certain" in view.answer
    assert facts(view)["certain, if true"][0] == "fewer than 1 of 10,000"
    assert view.told is not None
    assert view.told.worlds.epsilon() == math.inf


@pytest.mark.parametrize("method", SETTINGS)
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_method_is_answered_in_both_worlds(method: str, style: Style) -> None:
    for side in ("present", "absent"):
        view = methods_view(MethodsInputs(method=method, side=side), style)
        assert view.refusal is None
        assert view.told is not None
        assert view.beliefs is not None
        worlds = view.told.worlds
        law = worlds.present if side == "present" else worlds.absent
        drawn = view.beliefs.numbers.column("method").numbers
        assert drawn.sum() == pytest.approx(100)
        mean = float(drawn @ view.beliefs.numbers.column("belief").numbers) / 100
        assert mean == pytest.approx(float(law @ worlds.posteriors(prior=0.08)), abs=0.0101)  # to the nearest 2 %


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"method": "round_nearest"},
        {"method": "cell_key", "others": 30, "side": "absent"},
        {"prior": 0.2, "ratio": 1.5},
    ],
)
def test_one_dot_is_one_release_and_lies_on_its_side_of_the_line(more: dict[str, object]) -> None:
    view = seen(**more)
    assert view.beliefs is not None
    assert view.limit is not None
    numbers = view.beliefs.numbers
    for name in ("method", "noise"):
        kinds = {kind: numbers.column(f"{name}_{kind}_at").numbers for kind in ("dots", "sure")}
        assert sum(at.size for at in kinds.values()) == 100
        assert kinds["sure"].size == pytest.approx(numbers.column(f"{name}_certain").numbers.sum(), abs=1)
        told = view.told if name == "method" else None
        if told is not None:
            passed = told.worlds.probability_above(view.limit, prior=view.prior, side=more.get("side", "present"))
            dots = np.concatenate(list(kinds.values()))
            assert (dots > view.limit).sum() == pytest.approx(100 * passed, abs=1)
    highest = max(numbers.column(name).numbers.max(initial=0) for name in ("method_dots", "method_sure", "noise_dots"))
    assert all(panel.y.range[1] >= 1.1 * highest for panel in view.beliefs.panels), "the name of the line lies on dots"
    noisy = numbers.column("noise_dots_at").numbers
    if not more:  # geometric noise of the same error keeps to this line
        assert (noisy < view.limit).all()


def test_certainty_alone_has_the_other_colour() -> None:
    rounded = seen(base=3).beliefs
    assert rounded is not None
    assert rounded.numbers.column("method_certain").numbers[[0, -1]] == pytest.approx([0, 100 / 3])
    assert rounded.numbers.column("noise_certain").numbers.sum() == 0
    swapped = seen(method="swap", rate=0.001).beliefs  # nearly certain, and never certain
    assert swapped is not None
    assert swapped.numbers.column("method").numbers[-1] > 99
    assert swapped.numbers.column("method_certain").numbers.sum() == 0
    assert rounded.table.columns[2] == "Rounding to base 3: certain"
    assert (seen(others=1).beliefs or rounded).numbers.column("method_certain").numbers.sum() == 0


def test_noise_has_the_same_error_over_the_counts_and_stays_under_its_own_limit() -> None:
    for method in ("round_random", "round_nearest", "graduated", "cell_key", "table"):
        for against in ("geometric", "discrete_gaussian"):
            inputs = MethodsInputs(method=method, against=against)
            view = methods_view(inputs, PLAIN)
            assert view.noise is not None
            assert inputs.control is not None
            wanted = np.mean([inputs.control.law(people).mean_square_error for _, people in INVENTED])
            assert 0.98 * wanted < view.noise.variance <= wanted * (1 + 1e-9)  # the budget is rounded up
    (stated,) = seen().stated
    epsilon = seen().noise.budget  # type: ignore[union-attr]
    assert epsilon == 1.32
    assert stated.at_most == pytest.approx(0.08 * math.exp(epsilon) / (0.08 * math.exp(epsilon) + 0.92))
    assert seen(against="discrete_gaussian").stated == ()
    assert facts(seen())["odds rise"] == ("no limit", "at most 3.8 times")  # e^1.32 = 3.74


def test_counts_without_error_and_hidden_counts_have_no_noise_beside_them() -> None:
    for chosen in ({"places": (("Ash", 6), ("", 3))}, {"method": "suppress"}, {"method": "swap"}):
        view = seen(**chosen)
        assert view.noise is None
        assert view.next is None
        assert len(view.beliefs.panels) == 1  # type: ignore[union-attr]
        assert {len(row) for row in facts(view).values()} == {1}
        assert "noise" not in view.beliefs.reading  # type: ignore[union-attr]


def test_the_line_is_passed_as_often_as_said_in_each_world() -> None:
    view = seen(method="cell_key", others=30, cap=0.2, ratio=2.0)
    worlds = CellKey(largest_noise=2, variance=1).presence(30)
    told = facts(view)
    for name, side in (("if true", "present"), ("if not", "absent")):
        assert told[f"line passed, {name}"][0] == (
            f"{round(100 * worlds.probability_above(0.2, prior=0.08, side=side))} of 100"
        )
        assert told[f"certain, {name}"][0] == "6 of 100"
    assert told["cells differing by one"][0] == "certain in 78 of 100"
    assert "line passed, if true" not in facts(seen(line="none"))
    assert seen(line="none").answer.endswith("; no line is drawn.")
    assert seen(secret="both", held=0.5).answer.endswith("; your line is about two beliefs.")
    assert seen(line="box", low=0.2, high=0.9).answer.endswith("; your line allows certainty.")
    assert facts(seen(line="box", low=0.2, high=0.9))["line passed, if true"][0] == "never"


def test_a_belief_that_only_touches_the_line_keeps_to_it() -> None:
    touched = 2 * 0.08 / (2 * 0.08 + 0.92)  # from 1 to 2 the odds double
    assert facts(seen(others=1, line="constant", ratio=touched / 0.08))["line passed, if true"][0] == "never"
    assert (
        facts(seen(others=1, line="constant", ratio=0.999 * touched / 0.08))["line passed, if true"][0] == "67 of 100"
    )
    assert seen(others=1).answer.startswith("**Rounding to base 3**: nobody becomes certain that a given person")
    assert "at most **15 in 100**" in seen(others=1).answer


def test_a_household_is_counted_together() -> None:
    view = seen(unit="household", group=4, others=1)
    assert view.told is not None
    assert view.told.worlds.present.round(6).tolist() == [0.0, 0.333333, 0.666667]
    assert "a given household of 4" in view.answer
    assert view.python is not None
    assert "people=4" in view.python.text


def test_districts_are_asked_at_their_own_counts_and_together() -> None:
    places = (("Ash", 7), ("", 6), ("Elm", 0), ("Oak", 1))
    view = seen(places=places)
    assert view.districts is not None
    rows = {str(row[0]): row[1:] for row in view.districts.rows}
    assert rows["Ash"] == ("7", "6 to 9", "33 of 100", "33 of 100")
    assert rows["district 2"] == ("6", "6", "never", "never")  # others 5 show 6 too
    assert rows["Elm"] == ("0", "0", "", "")  # nobody is counted there
    rounding = RandomRounding(base=3)
    together = certain_somewhere([(rounding.presence(others), 1) for others in (6, 5, 0)])
    assert view.districts.caption.endswith(f"{round(100 * together)} of 100")
    assert view.districts.caption.startswith("One person counted in each listed district; ")
    assert (invented := seen().districts) is not None
    assert invented.caption.startswith("One person counted in each invented district; ")
    hidden = seen(method="suppress", places=(("Ash", 1), ("Elm", 1), ("Oak", 9)))
    assert hidden.districts is not None
    assert [row[2:] for row in hidden.districts.rows] == [  # the total tells
        ("hidden, surely 1", "100 of 100", "100 of 100"),
        ("hidden, surely 1", "100 of 100", "100 of 100"),
        ("9", "100 of 100", "100 of 100"),
    ]
    two = seen(method="suppress", places=(("Ash", 3), ("Elm", 4))).districts
    assert two is not None
    assert [row[2:4] for row in two.rows] == [("hidden, 3 to 4", "never"), ("hidden, 3 to 4", "never")]
    single = seen(method="suppress", places=(("Ash", 3),)).districts
    assert single is not None
    assert [row[2:4] for row in single.rows] == [("hidden, surely 3", "100 of 100")]
    assert single.caption.endswith("100 of 100")
    assert seen(method="swap").districts is None
    assert seen(places=(("", 0),), method="suppress").districts is None


def test_a_published_count_is_written_as_the_count_that_was_typed() -> None:
    places = (("Ash", 12_345), ("Elm", 3), ("Oak", 2))
    told = {
        "round_nearest": ("12,345", "3"),
        "round_random": ("12,345", "3"),
        "graduated": ("12,340 to 12,350", "3"),
        "cell_key": ("12,343 to 12,347", "1 to 5"),
        "suppress": ("12,345", "hidden, 1 to 4"),
    }
    for method, published in told.items():
        districts = seen(method=method, places=places).districts
        assert districts is not None
        assert tuple(row[2] for row in districts.rows[:2]) == published, method


def test_swapping_is_about_an_exchange_and_names_who_knows_the_place() -> None:
    view = seen(method="swap", stratum=4)
    exact = PermutationSwapping(rate=0.05).exchange(4)
    assert view.told is not None
    assert view.told.worlds.right_guess() == exact.right_guess() == pytest.approx(0.9975, abs=5e-5)
    assert view.answer.endswith("Whoever knows everybody else's place knows this one.")
    assert "single records in groups of 4, places all different" in view.small_print
    household = seen(method="swap", stratum=4, unit="household", group=4)  # swapping is of records
    assert household.told is not None
    assert household.told.worlds.right_guess() == exact.right_guess()
    assert household.small_print.startswith("Exact for single records")
    assert facts(view)["totals"] == ("exact by group and place",)


def test_a_table_is_read_by_its_headings_and_says_what_is_odd_about_it() -> None:
    text = 'p,j,"i"\n1,0,0\n0.4,0,1\n0.6,2,1\n'
    rows = read_table(text)
    assert rows == ((0, 0, 1.0), (1, 0, 0.4), (1, 2, 0.6))
    view = seen(method="table", table=rows)
    assert view.note.startswith("Rows whose mean is not their count: 1.")
    assert view.note.endswith("larger counts use its last one.")
    named = "Rows whose mean is not their count: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
    for biased, told in ((10, f"{named}. "), (11, f"{named} and 1 more. ")):
        odd = ((0, 0, 1.0), *((count, count + 1, 1.0) for count in range(1, biased + 1)))
        assert seen(method="table", table=odd).note.startswith(told)
    assert seen(method="table").note == ""
    assert read_table(table_as_lines(EXAMPLE_TABLE)) == EXAMPLE_TABLE
    long = CellKey(largest_noise=12, variance=3.0).table.rows
    assert seen(method="table", table=tuple(long)).python is None
    assert seen(method="table").python is not None


@pytest.mark.parametrize("text", ["0-3", "0:3,, 4:2", "", "0:3 18:2"])
def test_classes_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^must be pairs of a first count and a base, such as 0:3, 18:2$"):
        read_classes(text)


@pytest.mark.parametrize(
    ("chosen", "refusal"),
    [
        ({"method": "cell_key", "variance": 3.0}, "Row 1: variance must lie in [0, 2]; got 3.0."),
        ({"down": (0.5,)}, "The chance of going down must have 2 probabilities, one for each remainder; got 1."),
        (
            {"method": "graduated", "classes": ((0, 3), (20, 5))},
            "A class must begin at a multiple of its base 5 and of the base 3 before it; got 20.",
        ),
    ],
)
def test_what_no_method_can_be_is_a_sentence(chosen: dict[str, Any], refusal: str) -> None:
    assert methods_view(MethodsInputs(**chosen), PLAIN).refusal == refusal


def test_the_next_step_is_the_budget_of_the_same_error() -> None:
    view = seen()
    assert view.next is not None
    assert (view.next.stem, view.next.words, view.next.query) == (
        "explain",
        "What ε = 1.32 means",
        (("epsilon", "1.32"),),
    )
    gaussian = seen(against="discrete_gaussian").next
    assert gaussian is not None
    assert gaussian.query[0] == ("guarantee", "discrete_gaussian")
    assert replace(gaussian, query=()).words.startswith("What ρ = 0.5")


def test_the_name_of_the_line_stands_on_its_wider_side() -> None:
    for cap, beside in ((0.25, "left"), (0.8, "right")):
        picture = seen(cap=cap).beliefs
        assert picture is not None
        assert {mark.beside for mark in picture.marks if isinstance(mark, Upright)} == {beside}


def test_noise_is_centred_on_the_count_of_each_world() -> None:
    noise = seen(unit="household", group=4).noise
    assert noise is not None
    worlds = told_by_noise(noise, MethodsInputs(unit="household", group=4).promise).worlds
    values = np.array(worlds.values, dtype=float)
    assert (worlds.present @ values, worlds.absent @ values) == (pytest.approx(4), pytest.approx(0, abs=1e-9))


def test_the_command_line_names_each_world_by_what_is_so() -> None:
    inputs = MethodsInputs(method="cell_key", others=30)
    told, worlds = answer(inputs, PLAIN).quantities, CellKey(largest_noise=2, variance=1).presence(30)
    for name, side in (("true", "present"), ("not", "absent")):
        for said, wanted in (
            (told[f"certain_if_{name}"], worlds.probability_certain(side=side)),
            (told[f"line_passed_if_{name}"], worlds.probability_above(0.25, prior=0.08, side=side)),
        ):
            assert isinstance(said, Quantity)
            assert said.value == wanted
    assert {"epsilon_of_the_same_error", "highest_posterior", "right_guess"} <= set(told)
