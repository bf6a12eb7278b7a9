"""A number for numbers, an array for arrays: so say the types, which mypy reads here, and so answer the functions."""

# mypy: warn-unused-ignores

from __future__ import annotations

import inspect
import typing
from typing import Any, assert_type

import numpy as np
import pytest
from numpy.typing import NDArray

import dpcore
from dpcore.accuracy import wrong_side_probability
from dpcore.attacks.one_count import CountAttack, rho_per_count
from dpcore.attacks.post_processed import fitted_count
from dpcore.guarantees import PureDP, ZeroConcentratedDP, approximate_epsilon_from_rho, gaussian_delta
from dpcore.mechanisms import discrete_gaussian_variance
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import largest_epsilon, middle_half
from dpcore.publication import budget_for_range
from dpcore.randomized_response import RandomizedAnswer
from dpcore.semantics import posterior_upper, worst_prior_rise
from dpcore.totals import clamping_bias, posterior_band, released_totals
from dpcore.tradeoff import trade_off
from tests.architecture.public_names import PUBLIC

Floats = NDArray[np.float64]
LINE = dpcore.CapOrRatio(cap=0.25, ratio=3, value_prior=1.0)
GEOMETRIC = dpcore.Geometric(epsilon=0.5)


def test_a_name_that_is_not_there_is_an_error_for_who_checks_types_too() -> None:
    with pytest.raises(AttributeError, match="dpcore has no 'nope' in front"):
        dpcore.nope  # type: ignore[attr-defined]  # noqa: B018


def test_a_number_for_numbers() -> None:
    for answer in (
        assert_type(posterior_upper(prior=0.5, epsilon=1), float),
        assert_type(posterior_upper(prior=np.float32(0.5), epsilon=np.int64(1)), float),
        assert_type(worst_prior_rise(epsilon=1.0), float),
        assert_type(approximate_epsilon_from_rho(rho=0.1, delta=1e-6), float),
        assert_type(gaussian_delta(epsilon=1.0, rho=0.1), float),
        assert_type(discrete_gaussian_variance(0.1), float),
        assert_type(largest_epsilon(membership_prior=0.1, value_prior=1.0, posterior_cap=0.2), float),
        assert_type(budget_for_range(10, "laplace"), float),
        assert_type(wrong_side_probability(GEOMETRIC, excess=3), float),
        assert_type(rho_per_count(0.1, sensitivity=2.0), float),
        assert_type(clamping_bias(2, epsilon=0.5), float),
        assert_type(PureDP(epsilon=1.0).delta_at(0.5), float),
        assert_type(ZeroConcentratedDP(rho=0.1).epsilon_at(1e-6), float),
        assert_type(GEOMETRIC.log_tail(3), float),
        assert_type(dpcore.Laplace(epsilon=0.5).half_width(0.95), float),
        assert_type(PrivacyLoss.of(GEOMETRIC).delta_at(0.1), float),
        assert_type(RandomizedAnswer(forced_yes=0.25, forced_no=0.25).said_yes(0.3), float),
        assert_type(trade_off(GEOMETRIC).detection(0.05), float),
        *assert_type(posterior_band(prior=0.1, epsilon=1.0), tuple[float, float]),
        *assert_type(middle_half([LINE], 0.1), tuple[float, float]),
    ):
        assert type(answer) is float
    assert type(assert_type(GEOMETRIC.half_width(0.95), int)) is int
    assert type(assert_type(fitted_count(1, 2, group=3, siblings=2), int)) is int
    assert type(assert_type(released_totals(3, 4, epsilon_total=1.0, epsilon_parts=[1.0, 1.0]), int)) is int


def test_an_array_for_arrays_and_lists_also_beside_numbers() -> None:
    two = np.array([0.1, 0.2])
    for answer in (
        assert_type(posterior_upper(prior=two, epsilon=1.0), Floats),
        assert_type(posterior_upper(prior=[0.1, 0.2], epsilon=1.0), Floats),
        assert_type(worst_prior_rise(epsilon=two), Floats),
        assert_type(approximate_epsilon_from_rho(rho=two, delta=1e-6), Floats),
        assert_type(gaussian_delta(epsilon=1.0, rho=(0.1, 0.2)), Floats),
        assert_type(discrete_gaussian_variance(two), Floats),
        assert_type(largest_epsilon(membership_prior=two, value_prior=1.0, posterior_cap=0.3), Floats),
        assert_type(budget_for_range([10, 20], "laplace"), Floats),
        assert_type(wrong_side_probability(GEOMETRIC, excess=[1, 2]), Floats),
        assert_type(rho_per_count(two, sensitivity=2.0), Floats),
        assert_type(clamping_bias([1, 2], epsilon=0.5), Floats),
        assert_type(PureDP(epsilon=1.0).delta_at(two), Floats),
        assert_type(ZeroConcentratedDP(rho=0.1).epsilon_at([1e-6, 1e-5]), Floats),
        assert_type(GEOMETRIC.log_tail([3, 4]), Floats),
        assert_type(dpcore.Laplace(epsilon=0.5).half_width([0.9, 0.95]), Floats),
        assert_type(PrivacyLoss.of(GEOMETRIC).delta_at(two), Floats),
        assert_type(RandomizedAnswer(forced_yes=0.25, forced_no=0.25).said_yes(two), Floats),
        assert_type(trade_off(GEOMETRIC).detection(two), Floats),
        *assert_type(posterior_band(prior=two, epsilon=1.0), tuple[Floats, Floats]),
        *assert_type(middle_half([LINE], two), tuple[Floats, Floats]),
    ):
        assert isinstance(answer, np.ndarray)
        assert answer.shape == (2,)


OF_ITS_OWN_ARRAYS = {"MovedValueAttack", "CountAttack", "ExactPosterior", "ImpliedEpsilon", "NoiseDifference"}
"""Classes whose methods answer with an array where the object holds one."""


def _answers_alike(called: Any) -> bool:
    """Whether a function takes what may be an array and says of its answer only that it may be one."""
    if not inspect.isfunction(called) or getattr(called, "__isabstractmethod__", False):
        return False
    taken = [str(parameter.annotation) for parameter in inspect.signature(called).parameters.values()]
    answer = str(inspect.signature(called).return_annotation)
    return any("ArrayLike" in kind for kind in taken) and answer in {
        "Any",
        "float | Any",
        "tuple[Any, Any]",
        "float | FloatArray",
        "FloatArray | float",
    }


def test_every_function_that_answers_alike_says_which_answer_belongs_to_what() -> None:
    walked: list[tuple[str, Any]] = [(name, value) for name, value in PUBLIC if not inspect.isclass(value)]
    for name, value in PUBLIC:
        if inspect.isclass(value) and name.rpartition(".")[2] not in OF_ITS_OWN_ARRAYS:
            walked += [(f"{name}.{key}", member) for key, member in vars(value).items() if not key.startswith("_")]
    alike = [(name, value) for name, value in walked if _answers_alike(value)]
    assert len(alike) > 100
    assert [name for name, value in alike if len(typing.get_overloads(inspect.unwrap(value))) != 2] == []


def test_an_attack_on_many_counts_answers_with_an_array_for_one_of_them() -> None:
    assert np.shape(CountAttack(GEOMETRIC, prior=[0.1, 0.2]).posterior(1)) == (2,)
