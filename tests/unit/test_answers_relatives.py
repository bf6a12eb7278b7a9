"""Relatives who resemble: limits in their order, reached by a noisy count, and budgets that keep a line anyway."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian, Geometric
from dpcore.promise import Promise
from dpcore.scope import Scope, Side
from riskline.answers import Terms, line_budget, spent
from riskline.answers.relatives import EXPECTS_RELATIVES, RelativesChoice, Resembling, resembling, resembling_on_line
from riskline.case.line import LineChoice, chosen_profile
from riskline.case.value import Case

VALUE = Promise(secret="value", relation="replace")
SHARE = st.floats(0.0, 1.0)


def of(guarantee: Any, *relatives: Any, failure: float = 0.0) -> Resembling:
    told = {"promise": VALUE, "guarantee": guarantee, "failure": failure}
    return Resembling(**told, relatives=RelativesChoice(*relatives))


@given(st.integers(0, 5), SHARE, SHARE, st.floats(0.0, 3.0), st.floats(0.01, 0.99))
def test_the_three_limits_stand_in_their_order(many: int, yes: float, no: float, epsilon: float, prior: float) -> None:
    alone, alike, copies = (bound.value for bound in of(PureDP(epsilon=epsilon), many, yes, no).limits(prior))
    assert prior - 1e-12 <= alone <= alike <= copies
    assert alone == pytest.approx(expit(logit(prior) + epsilon))
    assert copies == pytest.approx(expit(logit(prior) + (many + 1) * epsilon))


@given(st.integers(0, 4), SHARE, SHARE, st.floats(1e-4, 1.0), st.floats(1e-4, 0.2))
@settings(max_examples=15, deadline=None)
def test_so_do_those_of_a_rho(many: int, yes: float, no: float, rho: float, failure: float) -> None:
    found = of(ZeroConcentratedDP(rho=rho), many, yes, no, failure=failure)
    alone, alike, copies = found.shifts
    assert alone <= alike <= copies
    assert [bound.promise.failure_probability for bound in found.limits(0.1)] == [failure] * 3
    kept = of(ZeroConcentratedDP(rho=found.budget()), many, yes, no, failure=failure)
    assert kept.shifts[1] <= alone * (1 + 1e-9)
    assert found.budget() <= rho


@pytest.mark.parametrize(("yes", "no"), [(0.8, 0.3), (0.5, 0.01), (0.9, 0.1)])
def test_geometric_noise_on_the_count_of_them_all_reaches_the_limit(yes: float, no: float) -> None:
    """By enumeration: the chance of a count of four in both worlds."""
    noise, laws = Geometric(epsilon=1.0), []
    for own, share in ((1, yes), (0, no)):
        laws.append(
            [
                math.comb(3, k) * share**k * (1 - share) ** (3 - k) * math.exp(noise.log_pmf(4 - own - k))
                for k in range(4)
            ]
        )
    reached = expit(logit(0.05) + math.log(sum(laws[0]) / sum(laws[1])))
    assert of(PureDP(epsilon=1.0), 3, yes, no).limits(0.05)[1].value == pytest.approx(reached)


def test_the_budgets_of_the_note_keep_5_to_13_in_100() -> None:
    """Budgets that keep 5 in 100 at 13 in 100, by relatives, which alone is 1.04."""
    allowed = logit(0.13) - logit(0.05)
    for many, yes, no, expected in (
        (3, 0.8, 0.3, 0.425),
        (3, 0.9, 0.1, 0.307),
        (3, 0.5, 0.01, 0.399),
        (3, 1, 0, 0.260),
    ):
        assert of(PureDP(epsilon=1.0), many, yes, no).budget(allowed) == pytest.approx(expected, abs=1e-3)
    assert of(PureDP(epsilon=1.0), 0, 0.8, 0.3).budget(allowed) == pytest.approx(1.0435, abs=1e-4)


def test_what_somebody_knows_stands_before_the_release_and_the_rest_after_it() -> None:
    """Two siblings at .6 against .05, one known: 2 in 100 becomes 20 in 100 (.6/.05 times the odds), then the rest."""
    none, one, both = of(PureDP(epsilon=1.0), 2, 0.6, 0.05).known(0.02)
    assert (none.number, one.number, both.number) == (0, 1, 2)
    assert none.before == pytest.approx(0.02)
    assert one.before == pytest.approx(expit(logit(0.02) + math.log(12)))
    assert both.before == pytest.approx(expit(logit(0.02) + 2 * math.log(12)))
    assert both.after.value == pytest.approx(expit(logit(both.before) + 1.0))  # all known: e^ε
    moved = [logit(known.after.value) - logit(known.before) for known in (none, one, both)]
    assert moved[0] > moved[1] > moved[2]  # the release adds least for who knows most
    assert none.after.value < one.after.value < both.after.value  # who is best informed after it
    assert [known.number for known in of(PureDP(epsilon=1.0), 2, 0.6, 0.0).known(0.02)] == [0]  # a yes settles it


def test_a_reader_believes_of_a_relative_what_follows_from_the_belief_about_her() -> None:
    assert RelativesChoice(1, 0.6, 0.1).believed(0.2) == pytest.approx(0.2 * 0.6 + 0.8 * 0.1)


def test_right_guesses_of_one_gaussian_count_are_the_exact_ones() -> None:
    """ρ = .2, three at .8 against .3: 76.4; copies 89.7; alone 62.4 of 100 times. Unlike relatives are noise."""
    guesses = of(ZeroConcentratedDP(rho=0.2), 3, 0.8, 0.3, failure=0.01).right_guesses(Gaussian(rho=0.2))
    assert guesses is not None
    assert [round(100 * guess.value, 1) for guess in guesses] == [62.4, 76.4, 89.7]
    assert {(guess.side, guess.scope, guess.reader) for guess in guesses} == {
        (Side.EXACT, Scope.COUNT, EXPECTS_RELATIVES)
    }
    unlike = of(ZeroConcentratedDP(rho=0.2), 1, 0.5, 0.5, failure=0.01).right_guesses(Gaussian(rho=0.2))
    assert unlike is not None
    assert unlike[1].value < unlike[0].value


LINES = (
    LineChoice(cap=0.25, ratio=3.0),
    LineChoice(line="constant", ratio=2.0),
    LineChoice(line="drawn", points=((0.01, 0.1), (0.5, 0.7))),
    LineChoice(line="cap_or_ratio", secret="value"),
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("guarantee", ["pure", "zero_concentrated"])
@pytest.mark.parametrize("release", ["anything", "count"])
@pytest.mark.parametrize("releases", [1, 4])
def test_the_budget_with_relatives_keeps_the_line_at_every_belief(
    line: LineChoice, guarantee: str, release: str, releases: int
) -> None:
    """The reachable curve with the factor of the relatives in the place of e^ε lies below the line, and touches it."""
    relation = "replace" if (line.secret, guarantee) == ("value", "zero_concentrated") else "add_or_remove"
    terms = Terms(guarantee=guarantee, release=release, releases=releases, relation=relation)
    three = RelativesChoice(3, 0.6, 0.05)
    answer = resembling_on_line(line, terms, three)
    assert answer is not None
    found, each = answer
    steps = terms.steps if line.secret == "value" else 1.0
    own = (
        PureDP(epsilon=each * releases * steps)
        if guarantee == "pure"
        else ZeroConcentratedDP(rho=each * releases * steps**2)
    )
    kept = Resembling(promise=found.promise, guarantee=own, relatives=three, failure=found.failure)
    prior = np.linspace(0.001, 0.999, 400)
    reached = expit(logit(prior) + kept.shifts[1])
    accepted = np.asarray(chosen_profile(line).highest_posterior(prior))
    assert (reached <= accepted + 1e-9).all()
    if guarantee == "pure":
        more = Resembling(promise=found.promise, guarantee=PureDP(epsilon=1.02 * own.epsilon), relatives=three)
        assert more.shifts[1] > line_budget(line, terms).implied.lower * steps
    assert each < line_budget(line, terms).value  # type: ignore[operator]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("guarantee", ["pure", "zero_concentrated"])
def test_somebody_with_five_records_divides_the_budget_with_relatives_among_them(
    line: LineChoice, guarantee: str
) -> None:
    """All five together are one person's budget: ε in five parts, ρ in twenty-five."""
    relation = "replace" if (line.secret, guarantee) == ("value", "zero_concentrated") else "add_or_remove"
    one, five = (
        resembling_on_line(line, Terms(guarantee=guarantee, relation=relation, **unit), RelativesChoice(3, 0.6, 0.05))
        for unit in ({}, {"unit": "records", "group": 5})
    )
    assert one is not None
    assert five is not None
    assert five[1] * (5 if guarantee == "pure" else 25) == pytest.approx(one[1], rel=1e-6)


def test_one_count_counts_a_value_once_and_says_so() -> None:
    line, three = LineChoice(cap=0.25, ratio=3.0, secret="value"), RelativesChoice(3, 0.6, 0.05)
    one, anything = (resembling_on_line(line, Terms(release=name), three) for name in ("count", "anything"))
    assert one is not None
    assert anything is not None
    assert (one[0].scope, anything[0].scope) == (Scope.COUNT, Scope.ANY_MECHANISM)
    assert one[1] == pytest.approx(2 * anything[1])


def test_nothing_is_told_of_what_is_not_known() -> None:
    three = RelativesChoice()
    assert resembling(promise=VALUE, guarantee=ApproximateDP(epsilon=1, delta=1e-6), relatives=three) is None
    together = Promise(secret="value", relation="replace", unit="household", group=3)
    assert resembling(promise=together, guarantee=PureDP(epsilon=1), relatives=three) is None
    assert resembling_on_line(LineChoice(secret="both", line="box"), Terms(), three) is None
    assert resembling_on_line(LineChoice(), Terms(guarantee="approximate"), three) is None
    assert resembling_on_line(LineChoice(line="box", ratio=20.0, low=0.1, high=0.9), Terms(), three) is None


def test_a_case_keeps_its_relatives_and_decides_nothing_by_them() -> None:
    case = Case(ratio=3.0).decided(value=0.9, currency="epsilon")
    asked = case.with_choices(relatives=1, share_if_yes=0.9, share_if_no=0.05)
    assert asked.digest == case.digest
    assert asked.state == case.state
    found = spent(asked)
    assert found is not None
    assert found.resembling is not None
    assert found.resembling.limits(0.1)[0].value == pytest.approx(found.highest(0.1).value)
    assert found.highest_of_household(0.1, members=2).value == pytest.approx(found.resembling.limits(0.1)[2].value)
