"""Two noisy cells of one moved value: independent sums, the tie, refusals; and every attack names its promise."""

from __future__ import annotations

import importlib
import inspect
import itertools
import math
import pkgutil
import re

import numpy as np
import pytest

import dpcore.attacks
from dpcore.attacks.any_release import belief_upper
from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.one_count import CountAttack, rho_per_count
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.promise import Promise, Secret
from tests.each import each
from tests.gaussian_counts import SIDE_OF, gaussian, gaussians, two_gaussians

VALUE = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE)


def pairs(noise: DiscreteGaussian | Geometric, truth: int, reach: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Joint probability of every pair of noisy counts if the target is in the first cell, and in the second."""
    grid = np.arange(-reach, reach + 1)
    first = np.outer(noise.pmf(grid - 1), noise.pmf(grid))
    other = np.outer(noise.pmf(grid), noise.pmf(grid - 1))
    return (first, other) if truth else (other, first)


@pytest.mark.parametrize("noise", [DiscreteGaussian(rho=0.3), Geometric(epsilon=0.7)])
def test_the_posterior_is_bayes_rule_on_the_two_laws(noise: DiscreteGaussian | Geometric) -> None:
    for one, other, known, prior in itertools.product((-2, 0, 3), (-1, 1, 2), (0, 4), (0.02, 0.5)):
        there = prior * noise.pmf(one - 1) * noise.pmf(other)
        elsewhere = (1 - prior) * noise.pmf(one) * noise.pmf(other - 1)
        if isinstance(noise, Geometric):
            found = MovedValueAttack(Geometric(epsilon=noise.epsilon), prior=prior, known=known).posterior(
                one + known, other
            )
        else:
            found = two_gaussians(noise.rho, prior, known_other=known).posterior(one, other + known)
        assert found == pytest.approx(there / (there + elsewhere))


@pytest.mark.parametrize("prior", [0.5, 0.2, 0.01, 0.9])
@pytest.mark.parametrize("truth", [0, 1])
@each("rho", [0.02, 0.09, 0.11, 0.6, 3.0])
def test_averages_and_right_calls_are_sums_over_all_pairs_of_counts(rho: float, truth: int, prior: float) -> None:
    grid = np.arange(-90, 91)
    true_law, _ = pairs(DiscreteGaussian(rho=rho), truth, 90)
    beliefs = two_gaussians(rho, prior).posterior(grid[:, None], grid[None, :])
    expected = float((true_law * beliefs).sum())
    assert two_gaussians(rho, prior).marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(expected, rel=1e-11)
    calls = beliefs > 0.5 + 1e-12
    right = float(true_law[calls if truth else ~calls].sum())
    assert two_gaussians(rho, prior).probability_right(side=SIDE_OF[truth]) == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("prior", [0.5, 0.2, 0.97])
def test_geometric_averages_are_sums_over_all_pairs_of_counts(epsilon: float, prior: float) -> None:
    there, elsewhere = pairs(Geometric(epsilon=epsilon), 1, 400)
    belief = prior * there / (prior * there + (1 - prior) * elsewhere + 1e-320)
    for truth, law in ((1, there), (0, elsewhere)):
        found = MovedValueAttack(Geometric(epsilon=epsilon), prior=prior).marginal_posterior(side=SIDE_OF[truth])
        assert found == pytest.approx(float((law * belief).sum()), rel=1e-9)
    best = float(np.maximum(prior * there, (1 - prior) * elsewhere).sum())
    right = MovedValueAttack(Geometric(epsilon=epsilon), prior=prior).average_probability_right()
    assert right == pytest.approx(best, rel=1e-9)


def test_two_cells_of_a_value_teach_as_much_as_two_releases_of_one_count() -> None:
    """A second derivation: the noise is symmetric, so the second cell is one more release of the first."""
    for rho, prior in ((1e-5, 0.3), (0.1, 0.05), (2.56, 0.5), (9.0, 1e-6)):
        again = gaussians([rho, rho], prior).marginal_posterior()
        assert two_gaussians(rho, prior).marginal_posterior() == pytest.approx(again, rel=1e-10)
    right = gaussians([0.4, 0.4], 0.3).probability_right()
    assert two_gaussians(0.4, 0.3).probability_right() == pytest.approx(right, rel=1e-11)


@pytest.mark.parametrize(("rho", "published"), [(1.28, 0.8486), (2.56, 0.9375)])
def test_the_right_call_of_a_value_at_the_budget_of_the_census(rho: float, published: float) -> None:
    """The noise of 2.56 scaled for replaced records and for records added or removed."""
    assert two_gaussians(rho, 0.5).average_probability_right() == pytest.approx(published, abs=5e-5)


def test_more_is_seen_in_two_cells_than_in_one() -> None:
    rhos = np.geomspace(1e-4, 5, 40)
    for prior in (0.5, 0.1):
        assert (
            two_gaussians(rhos, prior).average_probability_right()
            >= gaussian(rhos, prior).average_probability_right() - 1e-12
        ).all()
        assert (two_gaussians(rhos, prior).marginal_posterior() >= gaussian(rhos, prior).marginal_posterior()).all()


def test_what_is_not_a_count_or_a_promise_is_refused() -> None:
    with pytest.raises(ValueError, match=r"other_noisy_count must be a whole number; got 0\.5"):
        two_gaussians(0.1, 0.5).posterior(1, 0.5)
    with pytest.raises(ValueError, match="known_other must be at least 0; got -1"):
        two_gaussians(0.1, 0.5, known_other=-1).log_odds(1, 0)
    with pytest.raises(ValueError, match="side must be one of 'present', 'absent'; got 'prior_predictive'"):
        two_gaussians(0.1, 0.5).marginal_posterior(side="prior_predictive")
    with pytest.raises(ValueError, match="epsilon must be greater than 0 and finite; got 0"):
        MovedValueAttack(Geometric(epsilon=0), prior=0.5).posterior(1, 0)
    with pytest.raises(ValueError, match="promise must be a Promise; got 'value'"):
        belief_upper(PureDP(epsilon=1), prior=0.5, promise="value")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="promise must be a Promise; got None"):
        belief_upper(ZeroConcentratedDP(rho=1), prior=0.5, promise=None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="sensitivity"):
        rho_per_count(0.1)  # type: ignore[call-arg]


def test_bounds_take_the_steps_of_a_household_too() -> None:
    household = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE, group=3)
    odds = math.exp(6 * 0.1)
    assert belief_upper(PureDP(epsilon=0.1), prior=0.5, promise=household) == pytest.approx(odds / (1 + odds))
    odds = math.exp(2 * 36 * 0.01)
    assert belief_upper(ZeroConcentratedDP(rho=0.01), prior=0.5, promise=household) == pytest.approx(odds / (1 + odds))


def test_a_quantile_of_the_belief_jumps_where_the_noise_passes_its_share() -> None:
    found = gaussian(1, 0.5).quantile_jumps(0.05, lowest=0.1, highest=5)
    assert found[0] == pytest.approx(2.89, abs=5e-3)
    for jump, k in zip(found, (1, 2, 3), strict=False):
        below, above = (DiscreteGaussian(rho=float(jump * side)).survival(k - 1) for side in (1 - 1e-9, 1 + 1e-9))
        assert below >= 0.05 >= above
        low, high = (gaussian(float(jump * side), 0.5).posterior_quantile(0.05) for side in (1 - 1e-9, 1 + 1e-9))
        assert high > low + 0.05
        between = np.linspace(jump * 0.75, jump * 0.999, 20)
        assert (np.diff(gaussian(between, 0.5).posterior_quantile(0.05)) < 0).all()  # it falls up to the jump
    assert gaussian(1, 0.5).quantile_jumps(0.95, lowest=0.1, highest=5) == pytest.approx(found)
    assert gaussian(1, 0.5).quantile_jumps(0.05, lowest=5, highest=0.1).size == 0


def test_with_geometric_noise_the_belief_jumps_once_where_less_than_the_share_falls_below_the_truth() -> None:
    def attack(epsilon: float) -> CountAttack:
        return CountAttack(Geometric(epsilon=epsilon), prior=0.5)

    (jump,) = attack(1.0).quantile_jumps(0.05, lowest=0.1, highest=5)
    low, high = (attack(jump * side).posterior_quantile(0.05) for side in (1 - 1e-9, 1 + 1e-9))
    assert low == pytest.approx(0.05) == 1 - high
    assert 1 / (1 + math.exp(jump)) == pytest.approx(0.05)
    assert attack(1.0).quantile_jumps(0.05, lowest=0.1, highest=jump - 1e-9).size == 0
    assert attack(1.0).quantile_jumps(0.05, lowest=jump, highest=5).size == 0


@pytest.mark.parametrize("level", [5e-324, 1e-9, 0.05, 0.4, 0.5 - 1e-12, 0.5, 1 - 1e-12])
def test_an_interval_holds_its_jumps_and_no_others(level: float) -> None:
    everything = gaussian(1, 0.5).quantile_jumps(level, lowest=1e-39, highest=1e3)
    assert (np.diff(everything) < 0).all()
    assert everything.size == (0 if level == 0.5 else 100)
    few = gaussian(1, 0.5).quantile_jumps(level, lowest=0.01, highest=0.3)
    assert few.tolist() == [jump for jump in everything if 0.01 < jump <= 0.3]
    for k, jump in enumerate(everything[:3], start=1):
        beyond = DiscreteGaussian(rho=float(jump)).survival(k - 1)
        assert beyond == pytest.approx(min(level, 1 - level), rel=1e-9, abs=1e-320)


def public_attacks() -> list[tuple[str, object]]:
    found = []
    for info in pkgutil.iter_modules(dpcore.attacks.__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"dpcore.attacks.{info.name}")
            found += [
                (f"{info.name}.{name}", value)
                for name, value in vars(module).items()
                if (inspect.isfunction(value) or inspect.isclass(value))
                and not name.startswith("_")
                and value.__module__ == module.__name__
            ]
    return found


PROMISES = re.compile(
    r"one plain count|plain counts?\b.*moved? by one|plain counts?\b.*moves? by one|person's presence"
    r"|\(a value|of a value|promise"
)


@pytest.mark.parametrize(
    ("name", "attack"),
    [
        (name, attack)
        for name, attack in public_attacks()
        if {"prior", "design"} & set(inspect.signature(attack).parameters)  # type: ignore[arg-type]
        and not name.startswith("siblings.")
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_turns_a_budget_into_a_belief_takes_a_promise_or_names_it_in_its_first_line(
    name: str, attack: object
) -> None:
    first = (inspect.getdoc(attack) or "").splitlines()[0]
    takes = "promise" in inspect.signature(attack).parameters  # type: ignore[arg-type]
    assert takes or PROMISES.search(first), (name, first)
