"""The fold about relatives: its numbers by other routes, in their order, with exception, scope and lines of Python."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy.special import expit, logit

from riskline.answers.relatives import RelativesChoice
from riskline.case.line import LINES
from tests.python_lines import run
from ui.pictures.style import Style
from ui.views.choose import ChooseInputs, choose_relatives
from ui.views.explain import ExplainInputs, explain_relatives
from ui.views.shared.relatives import EXAMPLES, RelativesView
from ui.words.catalogue import VOICES
from ui.words.quantities import number_named

THREE = RelativesChoice(3, 0.8, 0.3)


def explained(relatives: RelativesChoice = THREE, voice: str = "plain", **own: Any) -> RelativesView:
    chosen: dict[str, Any] = {"secret": "value", "relation": "replace", "prior": 0.05, "epsilon": 1.0} | own
    return explain_relatives(ExplainInputs(**chosen), relatives, Style(voice=voice))


def column(view: RelativesView, table: int, place: int) -> list[float]:
    return [number_named(str(row[place])) for row in view.tables[table].rows]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("guarantee", ["pure", "geometric", "zero_concentrated", "gaussian"])
@pytest.mark.parametrize("voice", VOICES)
def test_limits_stand_in_their_order_and_the_lines_come_to_the_middle_one(
    name: str, guarantee: str, voice: str
) -> None:
    view = explained(EXAMPLES[name], voice, guarantee=guarantee, rho=0.02)
    assert column(view, 0, 1) == sorted(column(view, 0, 1))
    assert [row[0] for row in view.tables[0].rows] == ["unlike", "as above", "however alike"]
    assert view.python is not None
    (said,) = view.python.answer
    assert run(view.python) == pytest.approx(said.value)
    exception = "" if guarantee in ("pure", "geometric") else "except for at most 1 in 100 releases"
    for words in (view.answer, *(table.caption for table in view.tables)):
        assert exception in words
        assert bool(exception) == ("except" in words)


def test_a_belief_that_only_a_float_makes_certain_is_nearly_so() -> None:
    view = explained(RelativesChoice(100, 0.9, 0.05), epsilon=3.0)
    assert view.answer.startswith("**Nearly 100 in 100** with them")
    assert explained(THREE, prior=1.0).answer.startswith("At most **100 in 100** with them")


def test_two_changes_of_a_value_count_for_relatives_too() -> None:
    """Added or removed: e² in the place of e, for her and for each of them; a budget of half as much keeps it."""
    a = math.exp(2) - 1
    shift = 2 + 3 * math.log((1 + 0.8 * a) / (1 + 0.3 * a))
    view = explained(relation="add_or_remove")
    assert column(view, 0, 1)[1] == pytest.approx(math.ceil(1_000 * expit(logit(0.05) + shift)) / 1_000)
    once = explained(epsilon=2.0)
    assert column(view, 0, 1) == column(once, 0, 1)
    assert number_named(view.keeps) == pytest.approx(number_named(once.keeps) / 2, abs=0.01)
    twice, four = (
        explained(relation=relation, guarantee="zero_concentrated", rho=rho)
        for relation, rho in (("add_or_remove", 0.05), ("replace", 0.2))
    )
    assert column(twice, 0, 1) == column(four, 0, 1)
    assert number_named(twice.keeps) == pytest.approx(number_named(four.keeps) / 4, rel=0.05)


def test_one_count_with_noise_that_is_named_has_its_exact_right_guesses() -> None:
    """ρ = .2, three relatives at .8 against .3: 62.4 alone, 76.4 with them, 89.7 with copies, of 100 times."""
    view = explained(guarantee="gaussian", rho=0.2)
    assert column(view, 0, 2) == [0.62, 0.76, 0.9]
    others: tuple[dict[str, Any], ...] = ({"released": "cells"}, {"guarantee": "geometric", "sensitivity": 2})
    for other in others:
        assert len(explained(**({"guarantee": "gaussian"} | other)).tables[0].columns) == 2
    assert len(explained().tables[0].columns) == 2


def test_no_belief_after_stands_without_the_one_before_any_release() -> None:
    view = explained(RelativesChoice(2, 0.6, 0.05))
    assert column(view, 1, 0) == [0, 1, 2]
    before, after = column(view, 1, 1), column(view, 1, 2)
    assert before == [round(expit(logit(0.05) + k * math.log(12)), 2) for k in range(3)]
    assert all(low < high for low, high in zip(before, after, strict=True))


def test_a_rare_belief_is_one_of_enough_people_to_be_seen_before_and_after() -> None:
    """Of whom nothing is known, they leave 2 in 1,000 as they are."""
    view = explained(prior=0.002)
    for table in view.tables:
        assert "2 in 1,000" in table.caption
    assert column(view, 1, 1)[0] == 0.002


@pytest.mark.parametrize("voice", VOICES)
def test_every_number_with_relatives_says_that_they_are_independent(voice: str) -> None:
    assert "independent" in explained(voice=voice).small_print
    chosen = choose_relatives(ChooseInputs(line=LINES[0]), THREE, Style(voice=voice))
    assert "independent" in chosen.small_print
    believed = 0.05 * 0.8 + 0.95 * 0.3
    assert number_named(explained(voice=voice).small_print.rsplit(": ", 1)[1]) == pytest.approx(believed, abs=0.005)


def test_what_keeps_the_line_is_the_budget_of_each_release() -> None:
    one, four = (choose_relatives(ChooseInputs(line=LINES[0], releases=k), THREE, Style()) for k in (1, 4))
    assert "keeps the line" in one.keeps
    assert four.keeps.startswith("**ε = ")
    assert "for each of 4 releases" in four.keeps
    together, alone = (times * float(view.keeps.split()[2].rstrip("*")) for times, view in ((4, four), (1, one)))
    assert 0.9 * alone < together <= alone
    count = choose_relatives(ChooseInputs(line=LINES[0], secret="value", release="count"), THREE, Style())
    assert count.tables[0].columns[1] == "one count, at most"


@pytest.mark.parametrize(
    "own", [{"guarantee": "approximate"}, {"guarantee": "deployment"}, {"unit": "household", "group": 3}]
)
def test_what_is_not_known_is_said(own: dict[str, Any]) -> None:
    view = explained(**own)
    assert view.answer == "Only for one belief, and one person’s ε or ρ."
    assert view.tables == ()


def test_relatives_who_leave_no_useful_limit_are_told_the_budget_that_keeps_the_one_without_them() -> None:
    view = explain_relatives(
        ExplainInputs(), RelativesChoice(relatives=100, share_if_yes=0.9, share_if_no=0.1), Style()
    )
    assert "no useful limit" in str(view.tables[0].rows)
    assert view.keeps == "**ε = 0.012** keeps at most 74 in 100."
    none = explain_relatives(ExplainInputs(epsilon=30.0), RelativesChoice(), Style())
    assert none.keeps == ""  # there is no limit to keep
