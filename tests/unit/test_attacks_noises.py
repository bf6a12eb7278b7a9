"""One attack for every noise: Bayes' rule on the mechanism's own law, 30-digit integrals, atoms, jumps, refusals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

from dpcore.attacks import all_cells
from dpcore.attacks.any_release import belief_upper
from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.one_count import CountAttack
from dpcore.guarantees import ApproximateDP, PureDP, Relation
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.promise import Promise, Secret
from tests.each import each
from tests.gaussian_counts import SIDE_OF

WHOLE = [DiscreteGaussian(rho=0.3), Geometric(epsilon=0.8), Geometric(epsilon=0.8, sensitivity=2)]
CONTINUOUS = [Gaussian(rho=0.3), Gaussian(rho=8.0), Laplace(epsilon=0.8), Laplace(epsilon=9.0, sensitivity=2.0)]


def law(noise: Any) -> Callable[[float], float]:
    """Probability or density of a noise, by the mechanism itself."""
    return noise.pmf if hasattr(noise, "pmf") else lambda value: math.exp(noise.log_pdf(value))


def expit(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


@pytest.mark.parametrize("noise", [*WHOLE, *CONTINUOUS], ids=repr)
def test_the_posterior_is_bayes_rule_on_the_mechanisms_own_law(noise: Any) -> None:
    at = law(noise)
    counts = (-4, 0, 1, 2, 7) if noise in WHOLE else (-3.5, 0.25, 0.5, 1.0, 1.75, 4.0)
    for count, known, prior in itertools.product(counts, (0, 2), (0.01, 0.5)):
        present, absent = prior * at(count - 1), (1 - prior) * at(count)
        attack = CountAttack(noise, prior=prior, known=known)
        assert attack.posterior(count + known) == pytest.approx(present / (present + absent), rel=1e-12)
        assert attack.release_probability(count + known) == pytest.approx(at(count - 1), rel=1e-12)
        assert attack.release_probability(count + known, side="absent") == pytest.approx(at(count), rel=1e-12)


@pytest.mark.parametrize("noise", [*WHOLE, *CONTINUOUS], ids=repr)
@each("prior", [0.5, 0.45, 0.2, 0.9, 1e-4])
def test_right_calls_are_tails_of_the_mechanism_at_the_threshold(noise: Any, prior: float) -> None:
    attack = CountAttack(noise, prior=prior, known=3)
    threshold = float(attack.decision_threshold()) - 3
    if math.isinf(threshold):  # the release decides nothing
        assert attack.probability_right(side="present") == float(threshold < 0)
        assert attack.probability_right(side="absent") == float(threshold > 0)
        return
    beyond, up_to = noise.tail(threshold - 1), 1 - noise.tail(threshold)
    assert attack.probability_right(side="present") == pytest.approx(beyond, rel=1e-12)
    assert attack.probability_right(side="absent") == pytest.approx(up_to, rel=1e-12)
    assert attack.average_probability_right() == pytest.approx(prior * beyond + (1 - prior) * up_to, rel=1e-12)
    step = 1.0 if noise in WHOLE else 1e-6
    assert attack.posterior(threshold + 3 - step) <= 0.5 < attack.posterior(threshold + 3 + (step < 1) * step)


def average(noise: Gaussian | Laplace, prior: float, truth: int) -> float:
    """The average belief by quadrature of the noise with 20 digits."""
    with mpmath.workdps(20):
        before = mpmath.log(mpmath.mpf(prior) / (1 - mpmath.mpf(prior)))
        if isinstance(noise, Gaussian):
            c = mpmath.mpf(noise.rho) / mpmath.mpf(noise.sensitivity) ** 2
            std = 1 / mpmath.sqrt(2 * c)
            top = -before / (2 * c) + mpmath.mpf(1) / 2 - truth
            places = sorted({-14 * std, 14 * std, *(k * std / 2 for k in range(-27, 28)), *_near(top, 1 / c, 14 * std)})

            def value(z: Any) -> Any:
                odds = before + c * (2 * (z + truth) - 1)
                return mpmath.sqrt(c / mpmath.pi) * mpmath.exp(-c * z * z) / (1 + mpmath.exp(-odds))

        else:
            r = mpmath.mpf(noise.epsilon) / mpmath.mpf(noise.sensitivity)
            places = sorted({-90 / r, 90 / r, mpmath.mpf(0), mpmath.mpf(-truth), mpmath.mpf(1 - truth), *_steps(truth)})

            def value(z: Any) -> Any:
                odds = before + r * (abs(z + truth) - abs(z + truth - 1))
                return r / 2 * mpmath.exp(-r * abs(z)) / (1 + mpmath.exp(-odds))

        # smooth between the places: half a deviation of a normal law takes few nodes of Gauss's rule
        method = "gauss-legendre" if isinstance(noise, Gaussian) else "tanh-sinh"
        return float(mpmath.quad(value, places, method=method))


def _near(place: Any, width: Any, reach: Any) -> list[Any]:
    return [place + k * width for k in range(-8, 9) if abs(place + k * width) < reach]


def _steps(truth: int) -> list[Any]:
    return [mpmath.mpf(k) / 8 - truth for k in range(9)]


@pytest.mark.parametrize("noise", [Gaussian(rho=rho) for rho in (1e-3, 0.51, 60.0)], ids=repr)
@pytest.mark.parametrize("prior", [0.5, 0.02, 1e-9, 0.97])
def test_the_average_under_gaussian_noise_agrees_with_twenty_digits(noise: Gaussian, prior: float) -> None:
    for truth in (0, 1):
        exact = average(noise, prior, truth)
        assert CountAttack(noise, prior=prior).marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(
            exact, rel=2e-13
        )


@pytest.mark.parametrize("noise", [Laplace(epsilon=e) for e in (1e-4, 0.1, 0.8, 6.0, 30.0)], ids=repr)
@pytest.mark.parametrize("prior", [0.5, 0.02, 1e-9, 0.97])
def test_the_average_under_laplace_noise_agrees_with_twenty_digits(noise: Laplace, prior: float) -> None:
    for truth in (0, 1):
        exact = average(noise, prior, truth)
        assert CountAttack(noise, prior=prior).marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(
            exact, rel=2e-13
        )


@pytest.mark.parametrize("noise", [Laplace(epsilon=e) for e in (0.05, 0.8, 15.0)], ids=repr)
@pytest.mark.parametrize("prior", [0.5, 0.93])
def test_two_cells_under_laplace_noise_are_an_integral_over_the_second_of_the_first(
    noise: Laplace, prior: float
) -> None:
    """The second cell's noise by quadrature, the first as an attack whose prior is the belief after the second."""
    rate = noise.epsilon
    before = math.log(prior / (1 - prior))
    attack = MovedValueAttack(noise, prior=prior)
    for truth in (0, 1):

        def moved(z: float, truth: int = truth) -> float:
            gap = z + 1 - truth  # the other cell holds the person where the first does not
            return before - rate * (abs(gap) - abs(gap - 1))

        def weigh(z: float) -> float:
            return 0.5 * rate * math.exp(-rate * abs(z))

        def belief(z: float, truth: int = truth) -> float:
            return weigh(z) * float(CountAttack(noise, prior=expit(moved(z))).marginal_posterior(side=SIDE_OF[truth]))

        def right(z: float, truth: int = truth) -> float:
            return weigh(z) * float(CountAttack(noise, prior=expit(moved(z))).probability_right(side=SIDE_OF[truth]))

        kinks = sorted({-60 / rate, 60 / rate, -1.0, 0.0, 1.0})
        pieces = list(itertools.pairwise(kinks))
        exact = sum(quad(belief, a, b, epsabs=1e-13, epsrel=1e-11, limit=200)[0] for a, b in pieces)
        assert attack.marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(exact, rel=1e-9)
        called = sum(quad(right, a, b, epsabs=1e-11, epsrel=1e-10, limit=400)[0] for a, b in pieces)
        assert attack.probability_right(side=SIDE_OF[truth]) == pytest.approx(called, abs=2e-7)


def test_two_gaussian_cells_are_one_count_of_twice_the_budget() -> None:
    for rho, prior in ((0.1, 0.5), (2.0, 0.03)):
        two = MovedValueAttack(Gaussian(rho=rho), prior=prior)
        one = CountAttack(Gaussian(rho=2 * rho), prior=prior)
        assert two.marginal_posterior() == one.marginal_posterior()
        assert two.probability_right(side="absent") == one.probability_right(side="absent")
        present = prior * math.exp(-rho * ((1.5 - 1) ** 2 + 0.25**2))
        absent = (1 - prior) * math.exp(-rho * (1.5**2 + (0.25 - 1) ** 2))
        assert two.posterior(1.5, 0.25) == pytest.approx(present / (present + absent))


def test_randomised_response_counts_one_answer() -> None:
    mechanism = RandomizedResponse(epsilon=math.log(3))
    attack = CountAttack(mechanism, prior=0.2, known=4)
    assert attack.posterior(5) == pytest.approx(0.2 * 0.75 / (0.2 * 0.75 + 0.8 * 0.25))
    assert attack.posterior(4) == pytest.approx(0.2 * 0.25 / (0.2 * 0.25 + 0.8 * 0.75))
    assert attack.release_probability([4, 5]).tolist() == pytest.approx([0.25, 0.75])  # type: ignore[union-attr]
    expected = 0.75 * float(attack.posterior(5)) + 0.25 * float(attack.posterior(4))
    assert attack.marginal_posterior() == pytest.approx(expected)
    assert CountAttack(mechanism, prior=0.5).probability_right() == pytest.approx(0.75)
    assert attack.probability_right() == 0
    law = attack.posterior_law()
    assert (law.noisy_counts.tolist(), law.probabilities.tolist()) == ([4, 5], pytest.approx([0.25, 0.75]))
    assert set(attack.draw_releases(size=50, seed=1).tolist()) == {4, 5}
    with pytest.raises(ValueError, match="noisy_count must be the known people or one more; got 6"):
        attack.posterior(6)
    with pytest.raises(ValueError, match="categories must be 2 for an answer that is counted; got 3"):
        CountAttack(RandomizedResponse(epsilon=1, categories=3), prior=0.5)
    with pytest.raises(ValueError, match="mechanism must add noise to each cell; got 'randomised response'"):
        MovedValueAttack(mechanism, prior=0.5)


def test_missing_people_are_summed_over_with_every_noise() -> None:
    for noise in (*WHOLE, *CONTINUOUS):
        at = law(noise)
        weights = {0: 0.56, 1: 0.38, 2: 0.06}  # of beliefs 0.2 and 0.3
        present = 0.4 * sum(weight * at(2 - 1 - other) for other, weight in weights.items())
        absent = 0.6 * sum(weight * at(2 - other) for other, weight in weights.items())
        attack = CountAttack(noise, prior=0.4, known=3)
        assert attack.missing_people_posterior(5, others=[0.2, 0.3]) == pytest.approx(present / (present + absent))


def test_bounded_evidence_ties_with_a_prior_as_large() -> None:
    for noise in (Geometric(epsilon=1.2), Laplace(epsilon=1.2)):
        low, high = CountAttack(noise, prior=expit(-1.2)), CountAttack(noise, prior=expit(1.2))
        assert low.probability_of_tie() == pytest.approx(noise.tail(0))  # every count from one more on
        assert low.probability_of_tie(side="absent") == pytest.approx(noise.tail(1))
        assert high.probability_of_tie() == pytest.approx(noise.tail(1))  # every count up to the known
        assert low.probability_right() == 0
        assert CountAttack(noise, prior=0.4).probability_of_tie() == 0
    assert CountAttack(Gaussian(rho=0.5), prior=0.5).probability_of_tie() == 0


@pytest.mark.parametrize("noise", [Geometric(epsilon=1.0), Laplace(epsilon=1.0)], ids=repr)
def test_bounded_evidence_is_followed_from_the_priors_size_on(noise: Any) -> None:
    size = math.log(4)
    attack = CountAttack(noise, prior=0.2)
    assert attack.decision_jumps(lowest=0.1, highest=5).tolist() == pytest.approx([size])
    assert attack.decision_jumps(lowest=0.1, highest=1).size == 0
    before, after = attack.over([size * (1 - 1e-6), size * (1 + 1e-6)]).probability_right()  # type: ignore[misc]
    assert before == 0
    assert after >= 0.4999
    twice = CountAttack(Geometric(epsilon=1.0, sensitivity=2), prior=0.2)
    assert twice.decision_jumps(lowest=0.1, highest=5).tolist() == pytest.approx([2 * size])


def test_quantiles_of_bounded_evidence_jump_where_the_lower_end_becomes_rare() -> None:
    attack = CountAttack(Geometric(epsilon=1.0), prior=0.3)
    (jump,) = attack.quantile_jumps(0.05, lowest=0.1, highest=10).tolist()
    assert jump == pytest.approx(math.log(19))
    low, high = (attack.over(jump * side).posterior_quantile(0.05) for side in (1 - 1e-9, 1 + 1e-9))
    assert (low, high) == (pytest.approx(0.3 / (0.3 + 0.7 * 19)), pytest.approx(0.3 * 19 / (0.3 * 19 + 0.7)))
    assert CountAttack(Gaussian(rho=1.0), prior=0.3).quantile_jumps(0.05, lowest=0.1, highest=10).size == 0
    assert CountAttack(Gaussian(rho=1.0), prior=0.3).decision_jumps(lowest=0.1, highest=10).size == 0


def test_budgets_are_those_of_the_mechanism_with_its_sensitivity() -> None:
    for noise, budgets in (
        (Geometric(epsilon=1.0, sensitivity=2), (0.4, 3.0)),
        (DiscreteGaussian(rho=1.0, sensitivity=3), (0.4, 3.0)),
        (Gaussian(rho=1.0, sensitivity=0.5), (0.4, 3.0)),
        (Laplace(epsilon=1.0, sensitivity=0.5), (0.4, 3.0)),
    ):
        many = CountAttack(noise, prior=0.3).over(budgets)
        name = "rho" if hasattr(noise, "rho") else "epsilon"
        for place, budget in enumerate(budgets):
            one = CountAttack(type(noise)(**{name: budget, "sensitivity": noise.sensitivity}), prior=0.3)
            assert many.marginal_posterior()[place] == pytest.approx(one.marginal_posterior())  # type: ignore[index]
            assert many.posterior(1)[place] == pytest.approx(one.posterior(1))  # type: ignore[index]


def test_the_best_guess_of_a_cell_with_geometric_noise_is_enumerated() -> None:
    noise, prior = Geometric(epsilon=1.1), [0.5, 0.3, 0.2]
    z = np.arange(-25, 26)
    mass = noise.pmf(z)
    grid = np.array(np.meshgrid(z, z, z, indexing="ij")).reshape(3, -1)
    weight = mass[grid + 25].prod(axis=0)
    right = 0.0
    for cell in range(3):
        odds = np.log(prior)[:, None] + np.where(grid + (np.arange(3) == cell)[:, None] >= 1, 1.1, -1.1)
        best = np.argmax(odds >= odds.max(axis=0) - 1e-9, axis=0)
        right += prior[cell] * weight[best == cell].sum()
    assert all_cells.probability_right(mechanism=noise, prior=prior) == pytest.approx(right, abs=1e-9)
    beliefs = all_cells.posterior([1, 0, 3], mechanism=noise, prior=prior)
    weights = np.array(prior) * np.exp(1.1 * np.array([1, -1, 1]))
    assert beliefs == pytest.approx(weights / weights.sum())


def test_what_an_attack_cannot_take_is_refused_by_name() -> None:
    attack = CountAttack(Laplace(epsilon=1), prior=0.5)
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: CountAttack(PureDP(epsilon=1), prior=0.5), "mechanism must add noise to a count; got PureDP"),  # type: ignore[arg-type]
        (lambda: attack.over([1, 0]), "epsilon must be greater than 0 and finite; got 0"),
        (lambda: attack.posterior_law(), "mechanism must have noise of whole numbers for a law of releases; got 'Lapl"),
        (lambda: attack.over([1, 2]).draw_releases(size=1, seed=1), "budgets must be left out where releases are dr"),
        (lambda: attack.over([1, 2]).decision_jumps(lowest=1, highest=2), "budgets must be left out where jumps are"),
        (lambda: attack.posterior(math.nan), "noisy_count must be finite; got nan"),
        (
            lambda: belief_upper(ApproximateDP(epsilon=1, delta=0.1), prior=0.5, promise=VALUE),
            "guarantee must be pure or zero-concentrated; got ApproximateDP",
        ),
        (
            lambda: belief_upper(PureDP(epsilon=1, relation=Relation.REPLACE), prior=0.5, promise=VALUE),
            r"relation must be that of the guarantee \('replace'\); got 'add_or_remove'",
        ),
    ]
    for call, message in refused:
        with pytest.raises(ValueError, match=message):
            call()


VALUE = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE)


@pytest.mark.parametrize("published", [-1, 0, 1, 4])
def test_an_answer_beside_known_people_is_theirs_or_one_more(published: int) -> None:
    attack = CountAttack(RandomizedResponse(epsilon=1.0), prior=0.5, known=2)
    for possible in (2, 3):
        attack.posterior(possible)
    with pytest.raises(ValueError, match=f"noisy_count must be the known people or one more; got {published}$"):
        attack.posterior(published)


def test_whole_gaussian_noise_moves_its_threshold_at_the_rates_between_two_and_at_no_others() -> None:
    evidence = DiscreteGaussian(rho=0.5).evidence(1.0)
    for low, high, odd in ((0.1, 0.3, (5, 7, 9)), (0.15, 1.0, (1, 3, 5)), (0.2, 0.34, (3, 5))):
        assert evidence.jumps(1.0, low, high).tolist() == pytest.approx([1 / one for one in odd])
