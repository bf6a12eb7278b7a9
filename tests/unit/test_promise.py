"""The promise as a value: steps between two worlds, what they make of a guarantee, what is refused."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.promise import Observer, Promise, Secret, Unit, steps
from dpcore.semantics import belief_bounds, shift_bound

VALUE = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE)


@pytest.mark.parametrize(
    ("secret", "relation", "group", "found"),
    [
        ("presence", "add_or_remove", 1, 1),
        ("presence", "add_or_remove", 4, 4),
        ("value", "add_or_remove", 1, 2),
        ("value", "add_or_remove", 3, 6),
        ("answer", "add_or_remove", 2, 4),
        ("value", "replace", 1, 1),
        ("value", "replace", 5, 5),
        ("answer", "replace", 1, 1),
    ],
)
def test_the_steps_between_two_worlds(secret: str, relation: str, group: int, found: int) -> None:
    assert steps(secret=secret, relation=relation, group=group) == found
    assert Promise(secret=Secret(secret), relation=Relation(relation), group=group).steps == found


def test_a_value_takes_twice_the_epsilon_and_four_times_the_rho_of_added_records() -> None:
    assert VALUE.guarantee_of_secret(PureDP(epsilon=0.7)) == PureDP(epsilon=1.4)
    assert VALUE.guarantee_of_secret(ZeroConcentratedDP(rho=0.1)).rho == pytest.approx(0.4)
    approximate = VALUE.guarantee_of_secret(ApproximateDP(epsilon=0.5, delta=1e-6))
    assert approximate.epsilon == 1.0
    assert approximate.delta == pytest.approx(1e-6 * (1 + math.exp(0.5)))
    probabilistic = VALUE.guarantee_of_secret(ProbabilisticDP(epsilon=0.5, delta=1e-6))
    assert isinstance(probabilistic, ApproximateDP)


def test_the_same_guarantee_for_replaced_records_needs_one_step() -> None:
    replaced = Promise(secret=Secret.VALUE, relation=Relation.REPLACE)
    assert replaced.guarantee_of_secret(PureDP(epsilon=0.7, relation=Relation.REPLACE)).epsilon == 0.7


def test_a_plain_count_needs_one_step_for_a_value_too() -> None:
    assert VALUE.guarantee_of_count(Geometric(epsilon=0.5)).epsilon == 0.5
    household = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE, unit=Unit.HOUSEHOLD, group=3)
    assert household.guarantee_of_count(Laplace(epsilon=0.5)).epsilon == 1.5
    assert household.guarantee_of_count(DiscreteGaussian(rho=0.1)).rho == pytest.approx(0.9)


def test_two_cells_double_rho_and_do_not_quadruple_it() -> None:
    presence = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)
    assert (presence.cells, VALUE.cells) == (1, 2)
    assert presence.guarantee_of_cells(Gaussian(rho=0.25)).rho == 0.25
    assert VALUE.guarantee_of_cells(Gaussian(rho=0.25)).rho == 0.5
    assert VALUE.guarantee_of_cells(Geometric(epsilon=0.5)).epsilon == 1.0
    three = Promise(secret=Secret.VALUE, relation=Relation.REPLACE, group=3)
    assert three.guarantee_of_cells(Gaussian(rho=0.25)).rho == pytest.approx(2 * 9 * 0.25)
    assert three.guarantee_of_cells(Laplace(epsilon=0.5)).epsilon == pytest.approx(3.0)


def test_the_difference_of_two_geometric_cells_reaches_the_two_steps_of_a_value() -> None:
    """One record moved from a cell to another changes the difference of the cells by 2: loss 2 epsilon, attained."""
    epsilon, z = 0.6, np.arange(-200, 201)
    law = np.tanh(epsilon / 2) * np.exp(-epsilon * np.abs(z))
    ratio = np.log(law[4:-4] / law[2:-6])  # noise at z against noise at z - 2
    assert np.abs(ratio).max() == pytest.approx(VALUE.guarantee_of_secret(PureDP(epsilon=epsilon)).epsilon, rel=1e-9)


def test_a_belief_takes_the_steps_of_its_secret() -> None:
    bounds = belief_bounds(PureDP(epsilon=math.log(3)), prior=0.5, promise=VALUE)
    assert bounds.posterior_upper == pytest.approx(0.9)  # odds 9 to 1
    assert belief_bounds(PureDP(epsilon=math.log(3)), prior=0.5).posterior_upper == pytest.approx(0.75)
    assert shift_bound(ZeroConcentratedDP(rho=0.1), delta_prime=0.01, promise=VALUE) == pytest.approx(
        shift_bound(ZeroConcentratedDP(rho=0.4), delta_prime=0.01)
    )
    for guarantee in (ZeroConcentratedDP(rho=0.1), ApproximateDP(epsilon=0.3, delta=1e-6), PureDP(epsilon=0.3)):
        rises, of_steps = (
            shift_bound(one, delta_prime=0.01, one_sided=True, promise=promise)
            for one, promise in ((guarantee, VALUE), (VALUE.guarantee_of_secret(guarantee), None))
        )
        assert rises == of_steps > shift_bound(guarantee, delta_prime=0.01, one_sided=True)
    with pytest.raises(Refused, match="guarantee must be a guarantee such as PureDP"):
        shift_bound(1.0, promise=VALUE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        (
            {"secret": "presence", "relation": "replace"},
            r"secret must be 'value' or 'answer' where records are replaced \(everybody is known to be in\); "
            "got 'presence'",
        ),
        ({"secret": "income"}, "secret must be one of 'presence', 'value', 'answer'; got 'income'"),
        ({"relation": "bounded"}, "relation must be one of 'add_or_remove', 'replace'; got 'bounded'"),
        ({"group": 0}, "group must be a whole number of at least 1; got 0"),
        ({"unit": "record", "group": 2}, "group must be 1 for a record; got 2"),
        ({"unit": "device"}, "unit must be one of 'record', 'person', 'household', 'person_over_time'; got 'device'"),
        ({"observer": "some"}, "observer must be one of 'given', 'any'; got 'some'"),
        ({"failure_probability": 1.0}, r"failure_probability must lie in \[0, 1\); got 1.0"),
    ],
)
def test_what_makes_no_promise_is_refused(choices: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Promise(**({"secret": "value", "relation": "add_or_remove"} | choices))


def test_a_guarantee_of_another_relation_and_a_mechanism_that_counts_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match=r"relation must be that of the guarantee \('replace'\); got 'add_or_remove'"):
        VALUE.guarantee_of_secret(PureDP(epsilon=1.0, relation=Relation.REPLACE))
    response = RandomizedResponse(epsilon=1.0)
    for refused in (VALUE.guarantee_of_count, VALUE.guarantee_of_cells):
        with pytest.raises(ValueError, match="mechanism must add noise to a count; got RandomizedResponse"):
            refused(response)  # type: ignore[arg-type]


@pytest.mark.parametrize("categories", [2, 5])
def test_randomised_response_promises_about_the_answer_and_not_about_who_gave_one(categories: int) -> None:
    response = RandomizedResponse(epsilon=0.7, categories=categories)
    answer = Promise(secret="answer", relation="replace").guarantee_of_secret(response.guarantee)  # type: ignore[arg-type]
    chances = np.full((categories, categories), response.probability_other)  # what is said by what is true
    np.fill_diagonal(chances, response.probability_truthful)
    assert isinstance(answer, PureDP)
    assert answer.epsilon == pytest.approx(float(np.log(chances.max(1) / chances.min(1)).max()), rel=1e-12)
    with pytest.raises(ValueError, match=r"^relation must be that of the guarantee \('replace'\); got 'add_or_remove"):
        Promise(secret="presence", relation="add_or_remove").guarantee_of_secret(response.guarantee)  # type: ignore[arg-type]


def test_a_promise_takes_names_and_travels_between_processes() -> None:
    by_name = Promise(secret="value", relation="replace", unit="household", observer="any", group=2)  # type: ignore[arg-type]
    assert by_name == Promise(
        secret=Secret.VALUE, relation=Relation.REPLACE, unit=Unit.HOUSEHOLD, observer=Observer.ANY, group=2
    )
    assert pickle.loads(pickle.dumps(by_name)) == by_name


@pytest.mark.parametrize(
    "make",
    [
        lambda relation: PureDP(epsilon=1.0, relation=relation),
        lambda relation: ApproximateDP(epsilon=1.0, delta=0.1, relation=relation),
        lambda relation: ProbabilisticDP(epsilon=1.0, delta=0.1, relation=relation),
        lambda relation: ZeroConcentratedDP(rho=1.0, relation=relation),
    ],
)
def test_every_guarantee_checks_its_relation_and_takes_it_by_name(make: Any) -> None:
    assert make("replace").relation is Relation.REPLACE
    with pytest.raises(ValueError, match="relation must be one of 'add_or_remove', 'replace'; got 'nonsense'"):
        make("nonsense")
