"""One noisy count and several: independent sums, edges, refusals."""

from __future__ import annotations

import itertools
import math
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore.attacks import all_cells
from dpcore.attacks._attack import evidence_of
from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.one_count import EQUIVALENT_ATTACKS, CountAttack, rho_per_count
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, Mechanism, RandomizedResponse, _lattice
from dpcore.mechanisms._evidence import Evidence
from dpcore.mechanisms.randomized_response import _RandomizedResponseEvidence
from dpcore.populations import census_rho, district_28_21
from dpcore.privacy_loss import PrivacyLoss, Side
from tests.each import each
from tests.gaussian_counts import SIDE_OF, gaussian, gaussians
from tests.logistic_noise import Logistic

CENSUS = census_rho("block")


@pytest.mark.parametrize("deviations", [-300.0, -8.0, -0.4, 0.0, 0.3, 4.0, 25.0])
@each("rate", [0.001, 0.01, 0.0999, 0.1001, 0.25, 1.0, 20.0])
def test_the_half_sum_agrees_with_forty_digits(rate: float, deviations: float) -> None:
    with mpmath.workdps(40):
        start = mpmath.mpf(deviations / math.sqrt(rate))
        peak = max(0, int(mpmath.nint(start)))
        reach = int(mpmath.sqrt(100 / mpmath.mpf(rate))) + 2
        terms = range(max(0, peak - reach), peak + reach)
        total = mpmath.fsum(mpmath.exp(-rate * ((j - start) ** 2 - (peak - start) ** 2)) for j in terms)
        exact = mpmath.log(total) - rate * (peak - start) ** 2
        value = float(_lattice.log_half_sum(rate, deviations / math.sqrt(rate)))
        assert abs(value - exact) < 3e-13 * max(1, abs(exact))


@pytest.mark.parametrize("deviations", [-0.4, 0.0, 3.0])
def test_the_half_sum_of_very_wide_weights_agrees_with_a_plain_sum(deviations: float) -> None:
    rate, start = 1e-8, deviations * 1e4
    j = np.arange(0.0, 150_000.0)
    exact = math.log(math.fsum(np.exp(-rate * (j - start) ** 2)))
    assert float(_lattice.log_half_sum(rate, start)) == pytest.approx(exact, rel=1e-13)


def test_the_posterior_is_bayes_rule_on_the_noise_law() -> None:
    noise = DiscreteGaussian(rho=0.3)
    for count, known, prior in itertools.product((-4, 0, 1, 7), (0, 2), (0.01, 0.5)):
        present, absent = noise.pmf(count - known - 1) * prior, noise.pmf(count - known) * (1 - prior)
        assert gaussian(0.3, prior, known=known).posterior(count) == pytest.approx(present / (present + absent))


@pytest.mark.parametrize("rho", [1e-8, 1e-3, 0.04, 0.1, 0.9, 6.0, 50.0])
@pytest.mark.parametrize("truth", [0, 1])
def test_the_average_belief_is_the_sum_over_the_law(rho: float, truth: int) -> None:
    prior = 0.2
    if rho < 1e-3:  # noise so wide that the belief is the prior to first order: the odds move by 2 rho z
        expected = prior + prior * (1 - prior) * rho * (2 * truth - 1) + prior * (1 - prior) * (1 - 2 * prior) * rho
        assert gaussian(rho, prior).marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(expected, abs=1e-14)
        return
    law = gaussian(rho, prior).posterior_law(side=SIDE_OF[truth])
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-13)
    expected = float(law.probabilities @ law.posteriors)
    assert gaussian(rho, prior).marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("prior", [0.5, 0.2, 0.01, 0.9])
@pytest.mark.parametrize("truth", [0, 1])
def test_the_decision_is_right_as_often_as_the_law_says(prior: float, truth: int) -> None:
    for rho in (0.05, 0.47, 1.39, 5.0):
        law = gaussian(rho, prior).posterior_law(side=SIDE_OF[truth])
        says = law.posteriors > 0.5 + 1e-12
        expected = float(law.probabilities[says if truth else ~says].sum())
        assert gaussian(rho, prior).probability_right(side=SIDE_OF[truth]) == pytest.approx(expected, abs=1e-14)
        threshold = gaussian(rho, prior, known=3).decision_threshold()
        assert gaussian(rho, prior, known=3).posterior(threshold) > 0.5
        assert gaussian(rho, prior, known=3).posterior(threshold - 1) <= 0.5 + 1e-12


def test_more_budget_can_lower_the_average_belief_of_an_attacker_with_a_small_prior() -> None:
    """Noise on whole numbers: a surprise of one more becomes rarer faster than it becomes telling."""
    averages = {}
    for rho in (2.8, 3.2):
        z = np.arange(-30, 31)
        law = np.exp(-rho * z**2)
        beliefs = 1 / (1 + 863 * np.exp(-rho * (2 * z + 1)))
        averages[rho] = float(law @ beliefs / law.sum())
        assert gaussian(rho, 1 / 864).marginal_posterior() == pytest.approx(averages[rho], rel=1e-12)
    assert averages[3.2] < averages[2.8] - 9e-4


def test_a_tie_is_decided_against_and_its_mass_is_told() -> None:
    prior = 1 / (1 + math.exp(0.3))  # log odds -0.3: a count of 2 with rho 0.1 ties exactly
    assert gaussian(0.1, prior).decision_threshold() == 3
    assert gaussian(0.1, prior).probability_of_tie() == pytest.approx(DiscreteGaussian(rho=0.1).pmf(1))
    assert gaussian(0.1, 0.4).probability_of_tie() == 0


def test_a_threshold_of_a_thousand_million_is_right_to_one_count() -> None:
    # 1/2 - logit(1e-12)/(2e-8) = 1381551056.296 in fifty digits
    assert gaussian(1e-8, 1e-12).decision_threshold() == 1_381_551_057


def test_log_odds_do_not_saturate() -> None:
    assert gaussian(2.56, 0.5).log_odds(10**6) == pytest.approx(2.56 * (2 * 10**6 - 1), rel=1e-15)
    assert gaussian(2.56, 0.999).posterior(-(10**6)) == 0.0


def test_all_cells_of_a_table_are_one_call() -> None:
    counts = district_28_21().counts[0]
    beliefs = gaussian(CENSUS, [0.5, 0.2, 0.1], known=counts - 1).posterior(counts + 1)
    assert beliefs.shape == (3,)
    assert beliefs[1] == gaussian(CENSUS, 0.2).posterior(2)


def test_twice_the_sensitivity_quarters_rho_per_count() -> None:
    assert rho_per_count(0.4, sensitivity=2) == pytest.approx(0.1)
    assert rho_per_count([0.2, 0.4], sensitivity=math.sqrt(2)) == pytest.approx([0.1, 0.2])


def test_missing_people_agree_with_enumeration() -> None:
    others, prior, rho, count = [0.3, 0.6, 0.05], 0.4, 0.2, 3
    weights = {0: 0.0, 1: 0.0}
    for present in itertools.product((0, 1), repeat=4):
        chance = prior if present[0] else 1 - prior
        for one, belief in zip(present[1:], others, strict=True):
            chance *= belief if one else 1 - belief
        weights[present[0]] += chance * math.exp(-rho * (count - 1 - sum(present)) ** 2)
    expected = weights[1] / (weights[0] + weights[1])
    assert gaussian(rho, prior, known=1).missing_people_posterior(count, others=others) == pytest.approx(expected)


def test_an_impossible_cell_stays_impossible() -> None:
    beliefs = all_cells.posterior([5, 0, 1], mechanism=DiscreteGaussian(rho=0.3), prior=[0.0, 0.5, 0.5])
    assert beliefs[0] == 0
    assert beliefs.sum() == pytest.approx(1)
    assert beliefs[2] / beliefs[1] == pytest.approx(math.exp(0.6))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("truth", [0, 1])
def test_geometric_noise_agrees_with_its_law(epsilon: float, truth: int) -> None:
    decay = math.exp(-epsilon)
    z = np.arange(-400, 401)
    law = (1 - decay) / (1 + decay) * decay ** np.abs(z)
    counts = z + truth + 2
    beliefs = CountAttack(Geometric(epsilon=epsilon), prior=0.3, known=2).posterior(counts)
    near = slice(350, 451)
    present, absent = 0.3 * decay ** np.abs(counts[near] - 3.0), 0.7 * decay ** np.abs(counts[near] - 2.0)
    assert beliefs[near] == pytest.approx(present / (present + absent))
    assert CountAttack(Geometric(epsilon=epsilon), prior=0.3).marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(
        law @ beliefs
    )
    says = beliefs > 0.5
    right = float(law[says if truth else ~says].sum())
    assert CountAttack(Geometric(epsilon=epsilon), prior=0.3).probability_right(side=SIDE_OF[truth]) == pytest.approx(
        right, abs=1e-12
    )


def test_delta_of_a_count_is_its_hockey_stick() -> None:
    noise = DiscreteGaussian(rho=0.2)
    z = np.arange(-60, 61)
    for epsilon in (0.0, 0.2, 0.7, 3.0):
        expected = np.maximum(noise.pmf(z) - math.exp(epsilon) * noise.pmf(z + 1), 0).sum()
        assert float(PrivacyLoss.of(DiscreteGaussian(rho=0.2)).delta_at(epsilon)) == pytest.approx(expected, rel=1e-10)


def test_draws_are_seeded_and_follow_the_law() -> None:
    drawn = gaussian(0.5, 0.5, known=3).draw_releases(side="absent", size=20_000, seed=4)
    assert (drawn == gaussian(0.5, 0.5, known=3).draw_releases(side="absent", size=20_000, seed=4)).all()
    assert (drawn == 3).mean() == pytest.approx(DiscreteGaussian(rho=0.5).pmf(0), abs=0.015)


def test_every_equivalent_attack_says_what_the_prior_means() -> None:
    assert len(EQUIVALENT_ATTACKS) == 4
    assert all("prior" in text for text in EQUIVALENT_ATTACKS.values())


RELEASES = [0.3, 0.45, 0.8]


@pytest.mark.parametrize("truth", [0, 1])
@pytest.mark.parametrize("rhos", [RELEASES, [0.1, 0.3], [0.2, 0.2, 0.2], [1.5]])
def test_several_releases_agree_with_enumeration(rhos: list[float], truth: int) -> None:
    spans = [np.arange(-_lattice.reach(rho, 36), _lattice.reach(rho, 36) + 1) for rho in rhos]
    odds = math.log(0.2 / 0.8)
    average = right = 0.0
    grids = np.meshgrid(*spans, indexing="ij")
    weight = np.ones(grids[0].shape)
    total = np.full(grids[0].shape, odds)
    for rho, grid in zip(rhos, grids, strict=True):
        weight = weight * DiscreteGaussian(rho=rho).pmf(grid)
        total = total + rho * (2 * (grid + truth) - 1)
    average = float((weight / (1 + np.exp(-total))).sum())
    right = float(weight[(total > 1e-9) == bool(truth)].sum())
    assert gaussians(rhos, 0.2).marginal_posterior(side=SIDE_OF[truth]) == pytest.approx(average, abs=1e-11)
    assert gaussians(rhos, 0.2).probability_right(side=SIDE_OF[truth]) == pytest.approx(right, abs=1e-11)


@pytest.mark.parametrize("rho", [0.05, 0.7, 3.0])
@pytest.mark.parametrize("prior", [1e-9, 0.2, 0.5, 0.999])
@pytest.mark.parametrize("releases", [2, 6])
def test_the_average_over_several_releases_is_the_mean_of_the_composed_law(
    rho: float, prior: float, releases: int
) -> None:
    """A second derivation: the lattice of the log odds, composed by convolution."""
    z = np.arange(-40.0, 41.0)
    law = one = DiscreteGaussian(rho=rho).pmf(z)
    for _ in range(releases - 1):
        law = np.convolve(law, one)
    total = np.arange(-40 * releases, 40 * releases + 1)
    for truth, sign in ((1, 1), (0, -1)):
        odds = math.log(prior / (1 - prior)) + rho * (2 * total + sign * releases)
        with np.errstate(over="ignore"):
            expected = float((law / (1 + np.exp(-odds))).sum())
        found = gaussians([rho] * releases, prior).marginal_posterior(side=SIDE_OF[truth])
        assert found == pytest.approx(expected, rel=1e-10)


def test_many_large_releases_of_different_rho_are_summed_without_enumeration() -> None:
    """A tower of beliefs: averaging over the sixth release first gives the same, by a sum over its noise."""
    rhos, prior = [0.31, 0.53, 0.87, 1.33, 2.9, 0.27], 0.02
    z = np.arange(-12.0, 13.0)
    step = sum(
        float(mass) * gaussians(rhos[:5], float(1 / (1 + (1 - prior) / prior * odds))).marginal_posterior()
        for mass, odds in zip(DiscreteGaussian(rho=0.27).pmf(z), np.exp(-0.27 * (2 * z + 1)), strict=True)
    )
    assert gaussians(rhos, prior).marginal_posterior() == pytest.approx(step, rel=1e-10)
    for large in ([100.0] * 6, [400.0, 2000.0]):
        assert gaussians(large, 1e-12).marginal_posterior() == pytest.approx(1.0)
        assert gaussians(large, 0.9).marginal_posterior(side="absent") == pytest.approx(0.0, abs=1e-15)
    assert gaussians([1e-7] * 3, 0.3).marginal_posterior() == pytest.approx(0.3, abs=1e-6)


def test_no_release_teaches_nothing() -> None:
    assert gaussians([], 0.3).marginal_posterior() == 0.3
    assert gaussians([], 0.3).posterior([]) == pytest.approx(0.3)
    assert gaussians([], 0.3).risks([]).tolist() == []


MIXED = (
    (Geometric(epsilon=0.7), Geometric(epsilon=0.4), RandomizedResponse(epsilon=1.1)),
    (DiscreteGaussian(rho=0.2), Geometric(epsilon=0.5)),
    (Gaussian(rho=0.35), Gaussian(rho=1.1)),
    (Laplace(epsilon=0.8), Laplace(epsilon=0.3)),
    (Laplace(epsilon=2.0), Gaussian(rho=0.4), Geometric(epsilon=3.0)),
)


@pytest.mark.parametrize("mechanisms", MIXED, ids=repr)
@pytest.mark.parametrize("prior", [0.5, 0.02])
def test_several_releases_with_any_noise_agree_with_one_after_another(
    mechanisms: tuple[Mechanism, ...], prior: float
) -> None:
    """Bayes' rule: the average is that over the last release of the average from the belief after it."""
    attack = RepeatedAttack(mechanisms, prior=prior, knowns=[2] * len(mechanisms))
    counts = [3] * len(mechanisms)
    belief = prior
    for mechanism, count, risk in zip(mechanisms, counts, attack.risks(counts), strict=True):
        after = float(CountAttack(mechanism, prior=belief, known=2).posterior(count))
        assert risk == pytest.approx(after / belief, rel=1e-12)
        belief = after
    assert attack.posterior(counts) == pytest.approx(belief, rel=1e-12)

    *first, last = mechanisms
    for side in SIDE_OF:
        odds, mass = np.array([logit(prior)]), np.ones(1)
        for mechanism in first:
            losses, chances = law_of(evidence_of(mechanism), side)
            odds, mass = np.add.outer(odds, losses).ravel(), np.outer(mass, chances).ravel()
        odds, mass = np.clip(odds[mass > 1e-18], -30, 30), mass[mass > 1e-18]
        exact = float(mass @ np.asarray(CountAttack(last, prior=expit(odds)).marginal_posterior(side=side)))
        assert attack.marginal_posterior(side=side) == pytest.approx(exact, rel=1e-9), side


def law_of(evidence: Evidence, side: Side) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Losses and their chances: of noise in steps as it is, of continuous noise at many quantiles of Gauss-Legendre."""
    counted = SIDE_OF.index(side)
    if evidence.whole:
        grid = np.arange(-60.0, 61.0) if not isinstance(evidence, _RandomizedResponseEvidence) else np.array([0.0, 1.0])
        noise = grid - counted if isinstance(evidence, _RandomizedResponseEvidence) else grid
        gaps = grid if isinstance(evidence, _RandomizedResponseEvidence) else grid + counted
        return evidence.loss(gaps), np.exp(evidence.log_law(noise))
    nodes, weights = np.polynomial.legendre.leggauss(24)
    ends = np.concatenate([[-60.0, -20.0, -8.0, -4.0, -2.0], np.arange(-1.0, 1.5, 0.5), [2.0, 4.0, 8.0, 20.0, 60.0]])
    half = np.diff(ends)[:, None] / 2
    noise = (ends[:-1, None] + half * (nodes + 1)).ravel()
    return evidence.loss(noise + counted), np.exp(evidence.log_law(noise)) * (half * weights).ravel()


def test_calls_after_several_releases_are_those_of_their_laws_or_refused_by_name() -> None:
    steps = MIXED[0]
    losses = np.array([[1, -1]] * 3) * np.array([0.7, 0.4, 1.1])[:, None]
    for side, sign in zip(SIDE_OF, (-1, 1), strict=True):
        chances = expit(sign * losses)
        total = sum(np.meshgrid(*losses, indexing="ij"))
        mass = np.prod(np.meshgrid(*chances, indexing="ij"), axis=0)
        called = float(mass[total + logit(0.3) > 1e-12].sum())
        attack = RepeatedAttack(steps, prior=0.3)
        assert attack.probability_decides_counted(side=side) == pytest.approx(called, rel=1e-12)
        together = CountAttack(Gaussian(rho=1.45), prior=0.3).probability_right(side=side)
        assert RepeatedAttack(MIXED[2], prior=0.3).probability_right(side=side) == pytest.approx(together, rel=1e-12)
    for mechanisms, named in (
        *((MIXED[3], "Laplace"), (MIXED[4], "Laplace"), ((*MIXED[1], Gaussian(rho=1)), "Gaussian")),
        ((Logistic(epsilon=0.7), Logistic(epsilon=0.7)), "logistic noise"),
    ):
        with pytest.raises(ValueError, match=f"^mechanisms must move the log odds in steps.*; got '{named}'"):
            RepeatedAttack(mechanisms, prior=0.3).probability_right()


def test_too_many_combinations_are_refused() -> None:
    with pytest.raises(ValueError, match="mechanisms must need at most 8,000,000 combinations of noise"):
        gaussians([1e-5 * k for k in range(1, 7)], 0.5).probability_right()


GOOD = {"noisy_count": 1, "rho": 0.1, "prior": 0.5, "known": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"noisy_count": 0.5}, "noisy_count must be a whole number; got 0.5"),
        ({"noisy_count": True}, "noisy_count must be a whole number; got a boolean"),
        ({"noisy_count": [1, True]}, "noisy_count must hold whole numbers; got a boolean"),
        ({"noisy_count": np.array([True])}, "got a boolean"),
        ({"noisy_count": math.nan}, "noisy_count must be finite; got nan"),
        ({"noisy_count": "1"}, "noisy_count must be a number, not text; got '1'"),
        ({"rho": 0}, "rho must be greater than 0 and finite; got 0"),
        ({"rho": math.nan}, "rho must be greater than 0 and finite; got nan"),
        ({"prior": 0}, r"prior must lie in \(0, 1\); got 0"),
        ({"prior": 1.2}, r"prior must lie in \(0, 1\); got 1.2"),
        ({"known": -1}, "known must be at least 0; got -1"),
        ({"known": 0.5}, "known must be a whole number; got 0.5"),
    ],
)
def test_wrong_input_is_refused_by_name(change: dict, message: str) -> None:
    arguments = GOOD | change
    noisy_count = arguments.pop("noisy_count")
    with pytest.raises(ValueError, match=message):
        gaussian(**arguments).log_odds(noisy_count)


def test_other_wrong_input_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="side must be one of 'present', 'absent'; got 'prior_predictive'"):
        gaussian(0.1, 0.5).marginal_posterior(side="prior_predictive")
    with pytest.raises(ValueError, match="sensitivity must be greater than 0 and finite; got 0"):
        rho_per_count(0.1, sensitivity=0)
    with pytest.raises(ValueError, match=r"prior must add up to 1; got 0.9"):
        all_cells.posterior([1, 2], mechanism=DiscreteGaussian(rho=0.1), prior=[0.5, 0.4])
    with pytest.raises(ValueError, match="prior must have one entry per cell; got 1 for 2 cells"):
        all_cells.posterior([1, 2], mechanism=DiscreteGaussian(rho=0.1), prior=[1.0])
    with pytest.raises(ValueError, match=r"others must lie in \[0, 1\]; got 2"):
        gaussian(0.1, 0.5).missing_people_posterior(1, others=[2])
    with pytest.raises(ValueError, match="epsilon must be greater than 0 and finite; got 0"):
        CountAttack(Geometric(epsilon=0), prior=0.5).posterior(1)
    with pytest.raises(ValueError, match="noisy_counts must have one entry per release; got 2 for 1 releases"):
        gaussians([0.1], 0.5).posterior([1, 2])
    with pytest.raises(ValueError, match="knowns must have one entry per release; got 1 for 2 releases"):
        gaussians([0.1, 0.1], 0.5, [0]).posterior([1, 2])
    with pytest.raises(ValueError, match=r"rho must be at least 1e-06 and finite; got 1e-07"):
        gaussian(1e-7, 0.5).posterior_law()


def test_the_average_of_right_calls_weighs_both_truths_and_never_loses_to_guessing() -> None:
    rho = np.geomspace(1e-3, 20, 60)
    for prior in (0.02, 0.2, 0.5, 0.9):
        average = np.asarray(gaussian(rho, prior).average_probability_right())
        assert (average >= max(prior, 1 - prior) - 1e-12).all()
        law = gaussian(0.4, prior).posterior_law()
        other = gaussian(0.4, prior).posterior_law(side="absent")
        counted = law.probabilities[law.posteriors > 0.5].sum()
        absent = other.probabilities[other.posteriors <= 0.5].sum()
        expected = prior * counted + (1 - prior) * absent
        assert gaussian(0.4, prior).average_probability_right() == pytest.approx(expected, abs=1e-12)


def test_the_average_of_right_calls_with_geometric_noise_is_its_two_atoms() -> None:
    assert CountAttack(Geometric(epsilon=0.5), prior=0.3).average_probability_right() == pytest.approx(0.7)
    up = 1 / (1 + np.exp(-2.0))
    assert CountAttack(Geometric(epsilon=2.0), prior=0.3).average_probability_right() == pytest.approx(up)


def test_the_threshold_moves_at_every_jump_and_nowhere_between() -> None:
    for prior in (0.02, 0.2, 0.8):
        jumps = gaussian(1.0, prior).decision_jumps(lowest=0.05, highest=5)
        after = np.asarray(gaussian(jumps * (1 + 1e-6), prior).decision_threshold())
        before = np.asarray(gaussian(jumps * (1 - 1e-6), prior).decision_threshold())
        assert (np.abs(after - before) == 1).all()
        ends = np.asarray(gaussian(np.array([0.05, 5.0]), prior).decision_threshold())
        assert jumps.size == abs(ends[0] - ends[1])
    assert gaussian(1.0, 0.5).decision_jumps(lowest=0.01, highest=10).size == 0
    with pytest.raises(ValueError, match="lowest must be greater than 0 and finite; got 0"):
        gaussian(1.0, 0.2).decision_jumps(lowest=0, highest=1)


def test_a_quantile_of_the_belief_is_the_smallest_value_that_reaches_its_share() -> None:
    for rho in (1e-4, 0.0992, 0.7, 6.0, 40.0):
        for truth in (0, 1):
            law = gaussian(rho, 0.2).posterior_law(side=SIDE_OF[truth])
            below = np.cumsum(law.probabilities)
            for level in (1e-6, 0.05, 0.5, 0.95, 0.9999):
                first = int(np.searchsorted(below, level))
                found = gaussian(rho, 0.2).posterior_quantile(level, side=SIDE_OF[truth])
                assert found == pytest.approx(law.posteriors[first], abs=1e-12), (rho, truth, level)
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\); got 1"):
        gaussian(0.1, 0.5).posterior_quantile(1)


@pytest.mark.parametrize(("rho", "prior"), [(0.5, [1 / 3] * 3), (2.0, [0.1, 0.0, 0.5, 0.4]), (0.8, [0.6, 0.4])])
def test_the_best_guess_of_a_cell_is_right_as_often_as_enumeration_says(rho: float, prior: list[float]) -> None:
    z = np.arange(-6, 7)
    noise = np.exp(-rho * z.astype(float) ** 2)
    noise /= noise.sum()
    cells = len(prior)
    grid = np.array(np.meshgrid(*[z] * cells, indexing="ij")).reshape(cells, -1)
    mass = np.array(np.meshgrid(*[noise] * cells, indexing="ij")).reshape(cells, -1).prod(axis=0)
    with np.errstate(divide="ignore"):
        start = np.log(prior)[:, None]
    right = 0.0
    for cell in range(cells):
        weights = start + 2 * rho * (grid + (np.arange(cells) == cell)[:, None])
        best = np.argmax(weights >= weights.max(axis=0) - 1e-9, axis=0)
        right += prior[cell] * mass[best == cell].sum()
    assert all_cells.probability_right(mechanism=DiscreteGaussian(rho=rho), prior=prior) == pytest.approx(
        right, abs=1e-6
    )


def test_a_guess_of_a_cell_refuses_what_is_no_prior() -> None:
    with pytest.raises(ValueError, match=r"prior must add up to 1; got 0.9"):
        all_cells.probability_right(mechanism=DiscreteGaussian(rho=0.1), prior=[0.5, 0.4])
    with pytest.raises(ValueError, match="prior must have from 1 to 200 entries; got 201"):
        all_cells.probability_right(mechanism=DiscreteGaussian(rho=0.1), prior=np.full(201, 1 / 201))
    with pytest.raises(ValueError, match="rho must be at least 1e-06 and finite; got 1e-07"):
        all_cells.probability_right(mechanism=DiscreteGaussian(rho=1e-7), prior=[1.0])


TWO_PRIORS = [0.2, 0.5]
SHAPES: list[tuple[Any, str]] = [
    (lambda: CountAttack(DiscreteGaussian(rho=0.1), prior=TWO_PRIORS, known=[1, 2, 3]), "known and prior"),
    (lambda: gaussian(0.1, TWO_PRIORS).over([0.1, 0.2, 0.3]), "prior and budgets"),
    (lambda: gaussian(0.1, TWO_PRIORS).posterior([1, 2, 3]), "noisy_count and prior"),
    (lambda: gaussian(0.1, TWO_PRIORS).posterior_law(), "prior"),
    (lambda: gaussian(0.1, TWO_PRIORS).decision_jumps(lowest=0.1, highest=1), "prior"),
    (lambda: gaussian(0.1, TWO_PRIORS).missing_people_posterior(1, others=[0.5]), "prior"),
    (lambda: gaussian(0.1, 0.5).missing_people_posterior([1, 2], others=[0.5]), "noisy_count"),
    (lambda: gaussian(0.1, 0.5, known=[1, 2]).posterior_law(), "known"),
    (lambda: gaussian(0.1, 0.5, known=[1, 2]).draw_releases(size=2, seed=1), "known"),
    (
        lambda: MovedValueAttack(DiscreteGaussian(rho=0.1), prior=TWO_PRIORS, known_other=[1, 2, 3]),
        "known_other and prior",
    ),
    (
        lambda: MovedValueAttack(DiscreteGaussian(rho=0.1), prior=0.5).posterior([1, 2], [1, 2, 3]),
        "noisy_count and other_noisy_count",
    ),
]


@each("call, name", SHAPES)
def test_arrays_that_do_not_go_together_are_refused_by_their_names(call: Any, name: str) -> None:
    with pytest.raises(Refused) as refused:
        call()
    code = Code.WRONG_SHAPE if " and " in name else Code.NOT_A_NUMBER  # several where one number is asked for
    assert (refused.value.name, refused.value.code) == (name, code)


def test_one_belief_is_asked_for_where_there_are_several_releases() -> None:
    with pytest.raises(Refused, match="prior must be one number; got"):
        RepeatedAttack([DiscreteGaussian(rho=0.1)], prior=TWO_PRIORS)  # type: ignore[arg-type]


@each("rho", [200.0, 1e3, 1e4])
def test_an_average_belief_under_much_gaussian_budget_is_at_most_1(rho: float) -> None:
    for prior in (0.2, 0.5, 0.999):
        assert 1 - 1e-9 < CountAttack(Gaussian(rho=rho), prior=prior).marginal_posterior() <= 1.0


def test_a_bet_is_on_yes_or_no() -> None:
    assert all_cells.points_of_bet(0.7, right=np.bool_(True)) == all_cells.points_of_bet(0.7, right=True)
    with pytest.raises(Refused, match="right must be True or False; got 5"):
        all_cells.points_of_bet(0.7, right=5)  # type: ignore[arg-type]
