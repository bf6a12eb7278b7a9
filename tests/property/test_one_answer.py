"""One case, one question, one number: what a page states of a belief is what the case answers for that scope."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from scipy.special import expit, logit

from dpcore.guarantees import Guarantee
from dpcore.scope import Scope
from riskline.answers import belief_after, case_budget, line_budget, right_guess
from riskline.answers.budgets import Terms
from riskline.case.value import Case
from tests.cases import some_case
from tests.pages_of_cases import view_of
from ui.pictures.style import Style
from ui.views.shared.promise import StatedBelief

CASES = 40
STEMS = ("choose", "explain", "accuracy")


@pytest.mark.parametrize("stem", STEMS)
def test_a_stated_belief_is_what_the_case_answers_within_its_scope(stem: str) -> None:
    """Both from the case, and by two ways: the page's own statement and the one place that answers."""
    dice, found = random.Random(stem), Counter[str]()
    for _ in range(CASES // (2 if stem == "choose" else 1)):
        case = some_case(dice)
        budget = case_budget(case)
        view = view_of(stem, case, Style())
        if view.refusal is not None or budget is None:
            found["refused"] += 1
            continue
        if stem == "choose" and (case.decision is not None or case["guarantee"] != "pure"):
            continue  # the page speaks of the line: of what it implies, and of its ε before that is rounded down
        alike = []
        for stated in view.stated:
            if stated.absent or stated.on_average or not isinstance(stated.source, Guarantee):
                continue
            bound = belief_after(case, stated.prior, scope=stated.scope, budget=budget)
            assert bound is not None
            if stated.promise.failure_probability != bound.promise.failure_probability:
                continue  # another question: what always holds, or what holds on average
            said, asked = stated.promise, case.promise
            assert (said.group, said.secret, said.relation) == (asked.group, asked.secret, asked.relation)
            alike.append(stated.at_most == pytest.approx(bound.value, rel=1e-9))
        # *What an ε means* tells other bounds beside the one of its answer: of one side, and for every view
        assert (any if stem == "explain" else all)(alike or [True]), case
        found["compared"] += len(alike)
    assert found["compared"] > CASES / 8, found


def test_a_belief_after_is_the_shift_of_the_log_odds_that_the_steps_allow() -> None:
    dice = random.Random(11)
    for _ in range(CASES):
        case = some_case(dice).without("guarantee", "chosen")
        budget = case_budget(case)
        if budget is None:
            continue
        prior, steps = case["prior"], case.promise.steps
        up, down = (
            belief_after(case, prior, scope=Scope.ANY_MECHANISM),
            belief_after(case, prior, so=False, scope=Scope.ANY_MECHANISM),
        )
        assert up is not None
        assert down is not None
        assert up.value == pytest.approx(expit(logit(prior) + steps * budget.value), rel=1e-9)
        assert down.value == pytest.approx(expit(logit(prior) - steps * budget.value), rel=1e-9)
        counted = belief_after(case, prior, scope=Scope.COUNT)
        assert counted is not None
        assert counted.value == pytest.approx(expit(logit(prior) + case.promise.group * budget.value), rel=1e-9)


def test_what_a_case_lets_somebody_believe_and_guess_counts_all_its_releases() -> None:
    """Budgets of releases add; one that somebody published is for all that it covers."""
    case = Case(releases=12, prior=0.1).decided(value=0.25, currency="epsilon")
    after, guess = belief_after(case, 0.1), right_guess(case)
    assert after is not None
    assert guess is not None
    assert after.value == pytest.approx(expit(logit(0.1) + 3.0), rel=1e-12)
    assert guess.value == pytest.approx(expit(3.0), rel=1e-12)
    published = Case(releases=12, published="Assistive replies")
    assert right_guess(published) == right_guess(published.with_choices(releases=1))


def test_the_line_of_a_case_is_kept_where_it_decides_its_budget() -> None:
    dice, kept = random.Random(5), 0
    for _ in range(CASES):
        case = some_case(dice).without("chosen")
        if case["guarantee"] != "pure" or case.line is None:
            continue
        found, budget = line_budget(case.line, case.of(Terms)), case_budget(case)
        place = found.implied.binding
        if budget is None or place is None or not 0 < place.prior < 1:
            continue
        bound = belief_after(case, place.prior, scope=case.of(Terms).scope)
        assert bound is not None
        beliefs = (place.membership_prior,) if case["secret"] == "presence" else (place.value_prior,)
        assert bound.value <= float(found.profile.highest_posterior(*beliefs)) + 1e-12
        kept += 1
    assert kept > CASES / 10


def test_what_is_claimed_beyond_its_scope_is_refused() -> None:
    bound = belief_after(Case(ratio=2.0, secret="value", release="count"), 0.1)
    assert bound is not None
    assert bound.scope is Scope.COUNT
    with pytest.raises(ValueError, match="scope must be one that a bound for 'count' holds for; got 'any_mechanism'"):
        bound.claimed_as("any_mechanism")


def test_stated_beliefs_are_of_one_kind() -> None:
    view = view_of("explain", Case(ratio=2.0), Style())
    assert all(isinstance(stated, StatedBelief) for stated in view.stated)
    assert view.stated
