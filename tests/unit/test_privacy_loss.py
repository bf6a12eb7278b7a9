"""The privacy loss against enumeration, high precision and closed forms; its edges and its refusals."""

from __future__ import annotations

import itertools
import math
import time
import tracemalloc
import warnings

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit, ndtr

from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP, gaussian_delta, gaussian_epsilon_every_view
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, LossParts, RandomizedResponse
from dpcore.privacy_loss import CERTAIN_RHO, Bracket, ExactPosterior, PrivacyLoss, loss_parts, spectrum_power
from dpcore.privacy_loss.sums import common_step
from tests.each import each

ATOMIC = [
    Geometric(epsilon=0.7, sensitivity=3),
    DiscreteGaussian(rho=0.4),
    DiscreteGaussian(rho=0.8, sensitivity=2),
    RandomizedResponse(epsilon=0.9, categories=5),
]


def _count_pair(mechanism: object, reach: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Laws of a published count of 0 shifted by the sensitivity (present) and of 0 (absent), from the noise alone."""
    outputs = np.arange(-reach, reach + 1)
    noise, size = mechanism, mechanism.sensitivity  # type: ignore[attr-defined]
    return noise.pmf(outputs - size), noise.pmf(outputs)  # type: ignore[attr-defined]


@pytest.mark.parametrize("mechanism", ATOMIC[:3])
def test_delta_of_one_release_is_the_hockey_stick_of_the_noise_laws(mechanism: object) -> None:
    present, absent = _count_pair(mechanism)
    loss = PrivacyLoss.of(mechanism)
    for epsilon in (0.0, 0.2, 0.5, 1.1, 2.0):
        expected = np.maximum(present - math.exp(epsilon) * absent, 0).sum()
        assert loss.delta_at(epsilon) == pytest.approx(expected, rel=1e-10, abs=1e-16)


@pytest.mark.parametrize("mechanism", ATOMIC[:3])
def test_both_sides_have_the_loss_law_of_the_noise(mechanism: object) -> None:
    present, absent = _count_pair(mechanism)
    keep = (present > 1e-25) & (absent > 1e-25)
    values = np.log(present[keep]) - np.log(absent[keep])
    loss = PrivacyLoss.of(mechanism)
    for z in (-1.05, -0.3, 0.0123, 0.31, 0.9):
        assert loss.loss_cdf(z, side="present") == pytest.approx(present[keep][values <= z].sum(), abs=1e-12)
        assert loss.loss_cdf(z, side="absent") == pytest.approx(absent[keep][values <= z].sum(), abs=1e-12)


@each("epsilon, count, delta", [(4.16e-6, 465, 2.97e-13), (1.5e-7, 210, 4.5e-8), (1e-9, 300, 1e-18), (1e-12, 9, 1e-14)])
def test_the_epsilon_of_tiny_losses_has_the_delta_that_was_asked(epsilon: float, count: int, delta: float) -> None:
    """The delta of so many randomised responses there, a sum of binomial masses in 50 digits."""
    found = PrivacyLoss.of(PureDP(epsilon=epsilon), count).epsilon_at(delta)
    with mpmath.workdps(50):
        each_loss = mpmath.mpf(epsilon)
        right = 1 / (1 + mpmath.exp(-each_loss))
        exact = mpmath.fsum(
            mpmath.binomial(count, wrong)
            * right ** (count - wrong)
            * (1 - right) ** wrong
            * -mpmath.expm1(found - (count - 2 * wrong) * each_loss)
            for wrong in range(count // 2 + 1)
            if (count - 2 * wrong) * each_loss > found
        )
    assert float(exact) == pytest.approx(delta, rel=1e-9, abs=0)


def test_randomised_response_among_many_answers_has_three_losses() -> None:
    law = PrivacyLoss.of(RandomizedResponse(epsilon=0.9, categories=5))
    total = math.exp(0.9) + 4
    assert law.loss_cdf(-0.9) == pytest.approx(1 / total)
    assert law.loss_cdf(0.0) == pytest.approx(4 / total)
    assert law.delta_at(0.0) == pytest.approx((math.exp(0.9) - 1) / total)


def test_releases_of_different_kinds_agree_with_enumeration() -> None:
    sources = [RandomizedResponse(epsilon=0.3), RandomizedResponse(epsilon=0.5, categories=3), Geometric(epsilon=0.7)]
    loss = PrivacyLoss(tuple((source, 2) for source in sources))
    atoms = []
    for source in sources * 2:
        part = loss_parts(source).finite
        assert part is not None
        atoms.append(list(zip(part.values, np.exp(part.log_mass), strict=True)))  # type: ignore[union-attr]
    combined = [
        (math.fsum(z for z, _ in pick), math.prod(mass for _, mass in pick)) for pick in itertools.product(*atoms)
    ]
    for epsilon in (0.0, 0.4, 1.3, 2.9):
        expected = math.fsum(mass * max(-math.expm1(epsilon - z), 0.0) for z, mass in combined)
        assert loss.delta_at(epsilon) == pytest.approx(expected, rel=1e-12, abs=1e-17)
    assert loss.certainty == "exact"
    for t in (0.2, 0.5, 0.77):
        shift = logit(t) - logit(0.3)
        assert ExactPosterior(loss, prior=0.3).cdf(t) == pytest.approx(
            math.fsum(mass for z, mass in combined if z <= shift), abs=1e-12
        )


@pytest.mark.parametrize(
    ("releases", "epsilon"), [(365, 13.3), (365, 18.05), (10_000, 140.0), (10_000, 145.3), (40, 3.9)]
)
def test_tiny_deltas_keep_twelve_digits(releases: int, epsilon: float) -> None:
    each = mpmath.mpf("0.1")
    with mpmath.workdps(60):
        q = 1 / (1 + mpmath.exp(each))
        expected = mpmath.mpf(0)
        i = 0
        mass = (1 - q) ** releases
        while (releases - 2 * i) * each > epsilon:
            expected += mass * -mpmath.expm1(epsilon - (releases - 2 * i) * each)
            mass *= mpmath.mpf(releases - i) / (i + 1) * q / (1 - q)
            i += 1
    found = PrivacyLoss.of(Geometric(epsilon=0.1), releases).delta_at(epsilon)
    assert expected < 1e-3
    if float(expected) > 1e-300:
        assert found == pytest.approx(float(expected), rel=5e-12, abs=0)


def test_a_tiny_delta_of_discrete_gaussians_agrees_with_high_precision_convolution() -> None:
    with mpmath.workdps(50):
        rho = mpmath.mpf("0.3")
        law = {y: mpmath.exp(-rho * y * y) for y in range(-30, 31)}
        total = mpmath.fsum(law.values())
        one = {y: mass / total for y, mass in law.items()}
        three: dict[int, mpmath.mpf] = {0: mpmath.mpf(1)}
        for _ in range(3):
            new: dict[int, mpmath.mpf] = {}
            for a, mass in three.items():
                for b, other in one.items():
                    new[a + b] = new.get(a + b, mpmath.mpf(0)) + mass * other
            three = new
        epsilon = mpmath.mpf(12)
        expected = mpmath.fsum(
            mass * -mpmath.expm1(epsilon - rho * (2 * y + 3))
            for y, mass in three.items()
            if rho * (2 * y + 3) > epsilon
        )
    assert 1e-25 < expected < 1e-15
    assert PrivacyLoss.of(DiscreteGaussian(rho=0.3), 3).delta_at(12.0) == pytest.approx(
        float(expected), rel=1e-12, abs=0
    )


def test_epsilon_inverts_delta_down_to_tiny_ones() -> None:
    for source in (Geometric(epsilon=0.1), DiscreteGaussian(rho=0.01), Gaussian(rho=0.01), Laplace(epsilon=0.1)):
        loss = PrivacyLoss(((source, 100),), 1 << 14)
        for delta in (1e-3, 1e-8, 1e-14, 1e-20):
            assert loss.delta_at(loss.epsilon_at(delta)) == pytest.approx(delta, rel=1e-9, abs=0)


def test_one_laplace_release_has_its_closed_forms() -> None:
    loss = PrivacyLoss.of(Laplace(epsilon=1.5))
    assert loss.certainty == "exact"
    assert loss.delta_at(0.5) == pytest.approx(-math.expm1(-0.5))
    assert loss.epsilon_at(0.1) == pytest.approx(1.5 + 2 * math.log(0.9))
    assert loss.epsilon_at(0.0) == 1.5
    assert loss.epsilon_at(1.0) == 0.0
    assert loss.loss_cdf(1.5) == 1.0
    assert loss.loss_cdf(np.nextafter(1.5, 0)) == pytest.approx(0.5)
    assert loss.loss_cdf(-1.5) == pytest.approx(math.exp(-1.5) / 2)
    assert loss.loss_cdf(-1.5, side="absent") == pytest.approx(0.5)
    assert ExactPosterior(loss, prior=0.5).quantile(0.6) == pytest.approx(expit(1.5))


@pytest.mark.parametrize("epsilon", [0.5, 35.5, 800.0])
@pytest.mark.parametrize("failure", [0.5, 0.7, 0.99, 1 - 2.0**-53])
def test_the_bound_over_every_view_of_laplace_noise_takes_its_events_from_the_largest_loss_down(
    epsilon: float, failure: float
) -> None:
    with mpmath.workdps(400):
        left, end = 1 - mpmath.mpf(failure), mpmath.exp(-mpmath.mpf(epsilon))
        absent = end / (4 * left) if left > end / 2 else 1 - left / end  # down to a loss between the ends, or the lower
        expected = float(mpmath.log(failure) - mpmath.log(absent))
    assert PrivacyLoss.of(Laplace(epsilon=epsilon)).every_view_epsilon(failure) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("source", [Laplace(epsilon=40.0), Geometric(epsilon=700.0), Gaussian(rho=30.0)], ids=repr)
def test_every_view_may_exceed_nothing_with_certainty(source: object) -> None:
    for count in (1, 2):
        assert PrivacyLoss.of(source, count).every_view_epsilon(1.0) == 0.0


@each("epsilon", [20.0, 60.0, 100.0])
def test_a_mean_belief_is_none_above_certainty(epsilon: float) -> None:
    for prior in (0.1, 0.3, 0.5, 0.9):
        assert ExactPosterior.of(Laplace(epsilon=epsilon), prior=prior).mean() <= 1.0


@pytest.mark.parametrize("prior", [0.02, 0.5, 0.9])
def test_the_mean_belief_after_laplace_agrees_with_quadrature(prior: float) -> None:
    loss = PrivacyLoss.of(Laplace(epsilon=2.0))

    def believed(z: mpmath.mpf) -> mpmath.mpf:
        return 1 / (1 + (1 - mpmath.mpf(prior)) / prior * mpmath.exp(-z))

    density = mpmath.quad(lambda z: believed(z) * mpmath.exp((z - 2) / 2) / 4, [-2, 0, 2])
    expected = density + believed(2) / 2 + mpmath.exp(-2) / 2 * believed(-2)
    assert ExactPosterior(loss, prior=prior).mean() == pytest.approx(float(expected), rel=1e-12)


def test_many_laplace_releases_agree_with_an_independent_grid() -> None:
    """Simpson-free check: brute convolution of the density and atoms on a grid eight times as fine."""
    loss = PrivacyLoss(((Laplace(epsilon=0.4), 6),), 1 << 12)
    fine = PrivacyLoss(((Laplace(epsilon=0.4), 6),), 1 << 15)
    for epsilon in (0.2, 0.9, 1.7):
        bracket = loss.delta_bracket(epsilon)
        assert bracket.low <= fine.delta_at(epsilon) <= bracket.high * (1 + 1e-12)
        assert loss.delta_at(epsilon) == pytest.approx(fine.delta_at(epsilon), rel=1e-5)


@pytest.mark.parametrize("side", ["present", "absent"])
def test_a_loss_is_the_quantile_of_its_own_cdf_though_sums_of_masses_are_rounded(side: str) -> None:
    for releases in (2, 4, 5, 9):
        loss = PrivacyLoss.of(Geometric(epsilon=1.0), releases)
        atoms = np.arange(-releases, releases + 1.0, 2.0)
        assert loss.loss_quantile(loss.loss_cdf(atoms, side=side), side=side) == pytest.approx(atoms)  # type: ignore[arg-type]


def test_gaussians_add_their_rho() -> None:
    mixed = PrivacyLoss(((Gaussian(rho=0.02), 3), (Gaussian(rho=0.1), 1)))
    assert mixed.delta_at(0.7) == pytest.approx(gaussian_delta(epsilon=0.7, rho=0.16), rel=1e-13)
    assert mixed.loss_cdf(0.3) == pytest.approx(ndtr((0.3 - 0.16) / math.sqrt(0.32)), rel=1e-13)
    assert mixed.loss_quantile(0.3, side="absent") == pytest.approx(-mixed.loss_quantile(0.7), rel=1e-12)


def test_a_gaussian_with_atoms_is_the_mixture() -> None:
    both = PrivacyLoss(((Gaussian(rho=0.2), 1), (Geometric(epsilon=0.8), 1)))
    up = expit(0.8)
    for z in (-1.0, 0.1, 1.4):
        expected = up * ndtr((z - 0.8 - 0.2) / math.sqrt(0.4)) + (1 - up) * ndtr((z + 0.8 - 0.2) / math.sqrt(0.4))
        assert both.loss_cdf(z) == pytest.approx(expected, rel=1e-13)
    for level in (0.001, 0.2, 0.5, 0.99):
        assert both.loss_cdf(both.loss_quantile(level)) == pytest.approx(level, rel=1e-11)
        assert both.loss_cdf(both.loss_quantile(level, side="absent"), side="absent") == pytest.approx(level, rel=1e-11)
    for delta in (1e-3, 1e-9, 1e-15):
        assert both.delta_at(both.epsilon_at(delta)) == pytest.approx(delta, rel=1e-9, abs=0)


@each("tail", [5e-324, 1e-320, 1e-300, 1e-200])
def test_a_gaussian_with_atoms_answers_for_every_tail_that_a_float_holds(tail: float) -> None:
    """Beside noise that tells next to nothing a Gaussian is what it is alone."""
    alone = PrivacyLoss.of(Gaussian(rho=0.2))
    both = PrivacyLoss(((Gaussian(rho=0.2), 1), (Geometric(epsilon=1e-9), 1)))
    assert both.epsilon_at(tail) == pytest.approx(alone.epsilon_at(tail), rel=1e-7)
    assert both.every_view_epsilon(tail) == pytest.approx(alone.every_view_epsilon(tail), rel=1e-7)
    assert both.loss_quantile(tail, side="absent") == pytest.approx(alone.loss_quantile(tail, side="absent"), rel=1e-7)


def test_a_view_that_may_exceed_all_but_a_last_digit_is_answered_although_masses_add_up_to_less() -> None:
    """What is exceeded so often is hardly anything: no less than for the atoms alone, which is 0."""
    for epsilon in (0.3, 0.7, 0.9, 1.1):
        both = PrivacyLoss(((Gaussian(rho=0.2), 1), (Geometric(epsilon=epsilon), 3)))
        assert both.every_view_epsilon(math.nextafter(1.0, 0.0)) == pytest.approx(0.0, abs=1e-9)


def test_the_note_s_plan_of_five_mechanisms_has_its_quantiles() -> None:
    plan = PrivacyLoss(
        (
            (Gaussian(rho=0.01), 30),
            (Laplace(epsilon=0.1), 10),
            (RandomizedResponse(epsilon=0.2), 5),
            (DiscreteGaussian.from_sigma(10.0), 12),
            (Geometric(epsilon=0.15, sensitivity=3), 20),
        ),
        1 << 13,
    )
    found = ExactPosterior(plan, prior=0.5).quantile([0.5, 0.9, 0.95, 0.99, 0.999])
    assert plan.certainty == "bracketed"
    assert found == pytest.approx([0.67371, 0.90577, 0.93685, 0.97083, 0.98790], abs=2e-4)


def test_certain_disclosure_sits_at_infinity() -> None:
    loss = PrivacyLoss.of(ApproximateDP(epsilon=0.5, delta=0.1), 2)
    assert loss.infinite_mass == pytest.approx(0.19)
    assert loss.epsilon_at(0.18) == math.inf
    assert loss.epsilon_at(loss.infinite_mass) == pytest.approx(1.0)
    assert loss.delta_at(5.0) == pytest.approx(0.19)
    own = PrivacyLoss.of(LossParts(finite=loss_parts(Geometric(epsilon=0.5)).finite, infinite=0.1), 2)
    assert own.epsilon_at(0.3) == loss.epsilon_at(0.3)
    assert own.loss_quantile(0.9) == math.inf
    assert own.loss_quantile(0.1, side="absent") == -math.inf
    assert ExactPosterior(own, prior=0.2).quantile(0.9) == 1.0
    assert ExactPosterior(own, prior=0.2).cdf(0.0, side="absent") == pytest.approx(0.19)
    assert ExactPosterior(loss, prior=0.2).mean(side="prior_predictive") == pytest.approx(0.2, abs=1e-15)
    assert loss.every_view_epsilon(0.19) == math.inf
    everything = PrivacyLoss.of(ApproximateDP(epsilon=0.0, delta=1.0))
    assert everything.epsilon_at(0.5) == math.inf
    assert everything.epsilon_at(1.0) == 0.0


def test_a_release_that_says_nothing_changes_nothing() -> None:
    loss = PrivacyLoss.of(PureDP(epsilon=0.0), 5)
    assert loss.epsilon_at(0.0) == 0.0
    said_nothing = PrivacyLoss.of(RandomizedResponse(epsilon=0.0), 5)
    assert ExactPosterior(said_nothing, prior=0.3).quantile(0.99) == pytest.approx(0.3)
    assert loss.every_view_epsilon(0.05) == 0.0
    assert PrivacyLoss.of(RandomizedResponse(epsilon=0.0)).largest == 0.0


def test_a_delta_below_the_masses_kept_reads_as_nothing() -> None:
    assert PrivacyLoss.of(DiscreteGaussian(rho=0.0078125)).delta_at(math.log(12)) <= 1e-80
    assert PrivacyLoss.of(DiscreteGaussian(rho=0.0078125), 2).exceedance(5.0) <= 1e-80


def test_unbounded_noise_has_no_epsilon_at_delta_zero() -> None:
    assert PrivacyLoss.of(DiscreteGaussian(rho=0.1), 3).epsilon_at(0.0) == math.inf
    assert PrivacyLoss.of(Gaussian(rho=0.1)).epsilon_at(0.0) == math.inf
    assert PrivacyLoss.of(Geometric(epsilon=0.1), 3).epsilon_at(0.0) == pytest.approx(0.3)


@pytest.mark.parametrize("failure", [0.2, 0.01, 1e-6])
def test_the_bound_over_every_view_is_the_minimum_over_events(failure: float) -> None:
    """Neyman-Pearson against min over epsilon of epsilon - ln(1 - delta(epsilon)/delta')."""
    for loss in (
        PrivacyLoss.of(Geometric(epsilon=0.3), 20),
        PrivacyLoss.of(DiscreteGaussian(rho=0.1), 4),
        PrivacyLoss.of(Laplace(epsilon=0.8)),
        PrivacyLoss(((Gaussian(rho=0.1), 1), (Geometric(epsilon=0.3), 2))),
    ):
        epsilons = np.append(np.linspace(0.0, min(loss.largest, 12.0), 1500), min(loss.largest, 12.0))
        deltas = loss.delta_at(epsilons)
        usable = deltas < failure
        dense = (epsilons[usable] - np.log1p(-deltas[usable] / failure)).min()
        assert loss.every_view_epsilon(failure) == pytest.approx(dense, abs=6e-3)
        assert loss.every_view_epsilon(failure) <= dense + 1e-9


def test_the_gaussian_bound_over_every_view_is_the_closed_form() -> None:
    loss = PrivacyLoss.of(Gaussian(rho=0.01), 30)
    assert loss.every_view_epsilon(0.01) == pytest.approx(
        gaussian_epsilon_every_view(rho=0.3, delta_prime=0.01), rel=1e-10
    )


def test_a_coarser_view_can_exceed_a_level_more_often_but_not_the_bound_over_every_view() -> None:
    loss = PrivacyLoss.of(Gaussian(rho=0.3))
    spread = math.sqrt(0.6)
    assert loss.exceedance(2.3) == pytest.approx(0.0049, abs=5e-5)
    cut = next(c for c in np.linspace(2.3, 0.5, 20001) if _cell_loss(c, 0.3, spread) <= 2.3)
    seen = 1 - ndtr((cut - 0.3) / spread)  # the attacker sees only whether the loss exceeds the cut
    assert seen > 2 * loss.exceedance(2.3)
    assert loss.every_view_epsilon(seen) == pytest.approx(2.3, abs=1e-3)


def _cell_loss(cut: float, rho: float, spread: float) -> float:
    return math.log((1 - ndtr((cut - rho) / spread)) / (1 - ndtr((cut + rho) / spread)))


def test_exceedance_counts_each_side_and_direction() -> None:
    loss = PrivacyLoss.of(RandomizedResponse(epsilon=1.0))
    up = expit(1.0)
    assert loss.exceedance(0.5, direction="fall") == pytest.approx(1 - up)
    assert loss.exceedance(0.5, direction="either") == pytest.approx(1.0)
    assert loss.exceedance(0.5, side="absent") == pytest.approx(1 - up)
    assert loss.exceedance(0.5, side="absent", direction="fall") == pytest.approx(up)
    assert loss.exceedance(1.0, direction="either") == 0.0  # reached, not exceeded


def test_priors_of_zero_and_one_stay() -> None:
    loss = PrivacyLoss.of(Gaussian(rho=0.5), 3)
    assert ExactPosterior(loss, prior=[0.0, 1.0]).quantile([0.5, 0.5]).tolist() == [0.0, 1.0]
    assert ExactPosterior(loss, prior=1.0).mean() == 1.0
    assert ExactPosterior(loss, prior=0.0).cdf([0.0, 0.5]).tolist() == [1.0, 1.0]


def test_scalars_give_floats_and_arrays_give_arrays() -> None:
    loss = PrivacyLoss.of(Geometric(epsilon=0.2), 4)
    assert isinstance(loss.delta_at(0.1), float)
    assert isinstance(loss.epsilon_at(0.1), float)
    assert isinstance(ExactPosterior(loss, prior=0.5).cdf(0.4), float)
    assert loss.delta_at([0.1, 0.2]).shape == (2,)
    assert ExactPosterior(loss, prior=np.full((3, 2), 0.5)).quantile(0.9).shape == (3, 2)


def test_sums_are_merged_and_equal_plans_are_equal() -> None:
    one = PrivacyLoss.of(Geometric(epsilon=0.2), 2) + PrivacyLoss.of(Geometric(epsilon=0.2), 3)
    assert one == PrivacyLoss.of(Geometric(epsilon=0.2), 5)
    assert one.releases == ((Geometric(epsilon=0.2), 5),)
    assert Bracket(1.0, 1.5).width == 0.5


def test_a_loss_of_one_s_own_can_be_composed() -> None:
    own = loss_parts(Geometric(epsilon=0.2))
    assert isinstance(own, LossParts)
    assert PrivacyLoss.of(own, 3).delta_at(0.1) == PrivacyLoss.of(Geometric(epsilon=0.2), 3).delta_at(0.1)


LOSS = PrivacyLoss.of(Geometric(epsilon=0.2))


@each(
    "call, text",
    [
        (lambda: PrivacyLoss(()), r"releases must name at least one release; got \(\)"),
        (
            lambda: PrivacyLoss.of(PureDP(epsilon=1.0), 0),
            "count must be a whole number from 1 to 1000000000000000; got 0",
        ),
        (lambda: LOSS.times(0), "count must be a whole number from 1 to 1000000000000000; got 0"),
        (lambda: PrivacyLoss(((PureDP(epsilon=1.0), 1),), 3), "points must be a whole number from 16 to .*; got 3"),
        (
            lambda: PrivacyLoss.of(ZeroConcentratedDP(rho=1.0)).delta_at(1.0),
            "source must be a mechanism, PureDP or ApproximateDP; got ZeroConcentratedDP",
        ),
        (lambda: LOSS.delta_at(-0.1), "epsilon must be at least 0 and finite; got -0.1"),
        (lambda: LOSS.delta_at(math.nan), "epsilon must be at least 0 and finite; got nan"),
        (lambda: LOSS.epsilon_at(1.5), r"delta must lie in \[0, 1\]; got 1.5"),
        (lambda: LOSS.epsilon_at(True), r"delta must be a number; got True"),
        (lambda: LOSS.delta_bracket(-1.0), "epsilon must be at least 0 and finite; got -1.0"),
        (lambda: LOSS.epsilon_bracket(-1.0), r"delta must lie in \[0, 1\]; got -1.0"),
        (
            lambda: PrivacyLoss.of(LOSS.releases[0][0], 3).times(10**15),
            "count must be a whole number from 1 to 3333333333",
        ),
        (
            lambda: PrivacyLoss(5),
            "releases must be pairs of a mechanism and how often it is released, such as .*; got 5",
        ),  # type: ignore[arg-type]
        (lambda: PrivacyLoss(((PureDP(epsilon=1.0),),)), "releases must be pairs of a mechanism"),  # type: ignore[arg-type]
        (lambda: PrivacyLoss.of([1]), r"releases must be pairs of a mechanism .*; got \(\[1\], 1\)"),
        (lambda: LOSS.log_moment("a"), "order must be a number, not text; got 'a'"),  # type: ignore[arg-type]
        (lambda: LOSS.log_moment(math.nan), "order must be finite; got nan"),
        (lambda: common_step([0.5, 0.0]), "steps must be greater than 0 and finite; got 0.0"),
        (lambda: common_step([]), "steps must hold at least one; got none"),
        (lambda: LOSS.delta_bracket([0.1, 0.2]), r"epsilon must be one number; got \[0.1, 0.2\]"),  # type: ignore[arg-type]
        (lambda: LOSS.epsilon_bracket([0.1, 0.2]), r"delta must be one number; got \[0.1, 0.2\]"),  # type: ignore[arg-type]
        (lambda: ExactPosterior(5, 0.5), "loss must be a privacy loss such as .*; got 5"),  # type: ignore[arg-type]
        (lambda: ExactPosterior(LOSS, 0.5).cdf_bracket([0.1]), r"posterior must be one number; got \[0.1\]"),  # type: ignore[arg-type]
        (lambda: ExactPosterior(LOSS, 0.5).quantile_bracket([0.1]), r"level must be one number; got \[0.1\]"),  # type: ignore[arg-type]
        (lambda: ExactPosterior(LOSS, [0.5]).cdf_bracket(0.1), r"prior must be one number; got array\(\[0.5\]\)"),
        (lambda: ExactPosterior(LOSS, [0.5]).quantile_bracket(0.1), r"prior must be one number; got array\(\[0.5\]\)"),
        (
            lambda: ExactPosterior(LOSS, [0.3, 0.4]).cdf([0.1] * 3),
            r"posterior and prior must have shapes that go together; got \(3,\), \(2,\)",
        ),
        (
            lambda: ExactPosterior(LOSS, [0.3, 0.4]).tail([0.1] * 3),
            r"posterior and prior must have shapes that go together; got \(3,\), \(2,\)",
        ),
        (
            lambda: ExactPosterior(LOSS, [0.3, 0.4]).quantile([0.1] * 3),
            r"level and prior must have shapes that go together; got \(3,\), \(2,\)",
        ),
        (
            lambda: ExactPosterior(LOSS, [0.3, 0.4]).every_view([0.1] * 3),
            r"delta_prime and prior must have shapes that go together; got \(3,\), \(2,\)",
        ),
        (lambda: LOSS.loss_cdf(math.nan), "loss must be a number; got nan"),
        (lambda: LOSS.loss_cdf(0.0, side="both"), "side must be one of 'present', 'absent'; got 'both'"),
        (lambda: LOSS.loss_quantile(1.1), r"level must lie in \[0, 1\]; got 1.1"),
        (lambda: LOSS.exceedance(-1.0), "shift must be at least 0.*; got -1.0"),
        (lambda: LOSS.exceedance(1.0, direction="up"), "direction must be one of 'rise', 'fall', 'either'; got 'up'"),
        (lambda: ExactPosterior(LOSS, prior=0.5).cdf(2.0), r"posterior must lie in \[0, 1\]; got 2.0"),
        (lambda: ExactPosterior(LOSS, prior=-0.5).cdf(0.2), r"prior must lie in \[0, 1\]; got -0.5"),
        (
            lambda: ExactPosterior(LOSS, prior=0.5).mean(side="here"),
            "side must be one of 'present', 'absent', 'prior_predictive'; got 'here'",
        ),
        (lambda: ExactPosterior(LOSS, prior=0.5).quantile(0.5, side="prior_predictive"), "side must be one of"),
        (lambda: LOSS.every_view_epsilon(0.0), r"delta_prime must lie in \(0, 1\]; got 0.0"),
        (lambda: ExactPosterior(LOSS, prior=1.5).every_view(0.1), r"prior must lie in \[0, 1\]; got 1.5"),
    ],
)
def test_bad_values_are_refused_by_name_rule_and_value(call, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("guarantee", [PureDP(epsilon=0.1), ApproximateDP(epsilon=0.1, delta=1e-6)])
def test_a_guarantee_alone_has_bounds_and_no_law_of_tails(guarantee: object) -> None:
    """Randomised response dominates delta at every epsilon, not tails: some .1-DP mechanism exceeds .45 more often."""
    loss = PrivacyLoss.of(guarantee, 12)
    assert not loss.has_law_of_tails
    for call in (
        lambda: loss.loss_cdf(0.1),
        lambda: loss.loss_quantile(0.9),
        lambda: loss.exceedance(0.45),
        lambda: ExactPosterior(loss, prior=0.5).cdf(0.6),
        lambda: ExactPosterior(loss, prior=0.5).quantile(0.9),
        lambda: ExactPosterior(loss, prior=0.5).quantile_bracket(0.9),
        lambda: ExactPosterior(loss, prior=0.5).cdf_bracket(0.9),
        lambda: loss.round_parts,
    ):
        with pytest.raises(ValueError, match="source must be a mechanism, a guarantee alone has no law of tails; got"):
            call()
    assert loss.epsilon_at(0.01) >= PrivacyLoss.of(Geometric(epsilon=0.1), 12).epsilon_at(0.01) - 1e-12
    assert loss.delta_bracket(0.2).high < 1.0
    assert loss.every_view_epsilon(0.05) > 0.45
    assert 0.5 < ExactPosterior(loss, prior=0.5).mean() < 0.55


def test_randomised_response_has_not_the_heaviest_tails() -> None:
    """Twelve releases that are .1-DP: losses of .1 or -.0874 exceed .45 more often than losses of .1 or -.1."""
    worst = PrivacyLoss.of(RandomizedResponse(epsilon=0.1), 12)
    fall = 0.0874  # how often a loss rises follows from e^-loss having mean 1
    present = math.expm1(fall) / (math.exp(fall) - math.exp(-0.1))
    ways = [math.comb(12, j) * present**j * (1 - present) ** (12 - j) for j in range(13)]
    other = math.fsum(mass for j, mass in enumerate(ways) if j * 0.1 - (12 - j) * fall > 0.45)
    assert worst.exceedance(0.45) == pytest.approx(0.100, abs=5e-4)
    assert other > 0.173


@pytest.mark.parametrize("rho", [4e-8, 2e-7])
def test_wide_discrete_noise_is_taken_at_its_limit_with_a_bracket_of_one_step(rho: float) -> None:
    loss = PrivacyLoss.of(DiscreteGaussian(rho=rho), 40)
    normal = PrivacyLoss.of(Gaussian(rho=rho), 40)
    assert loss.certainty == "bracketed"
    quantile = ExactPosterior(loss, prior=0.5).quantile_bracket(0.99)
    assert quantile.low < ExactPosterior(normal, prior=0.5).quantile(0.99) < quantile.high
    assert quantile.width == pytest.approx(2 * 2 * rho / 4, rel=1e-2)  # a step is 2 rho, the logistic slope 1/4
    epsilon = loss.epsilon_bracket(1e-6)
    assert epsilon.low < normal.epsilon_at(1e-6) < epsilon.high == loss.epsilon_at(1e-6)
    assert loss.delta_at(0.0) >= normal.delta_at(0.0)
    assert loss.delta_at(1e-3) >= normal.delta_at(1e-3) >= loss.delta_bracket(1e-3).low
    assert loss.every_view_epsilon(0.01) == pytest.approx(normal.every_view_epsilon(0.01) + 2 * rho, rel=1e-12)


def test_the_limit_of_discrete_noise_holds_the_lattice_where_both_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = PrivacyLoss.of(DiscreteGaussian(rho=1e-4), 30)
    assert lattice.certainty == "exact"
    levels = (0.001, 0.3, 0.99)
    exact = [ExactPosterior(lattice, prior=0.5).quantile(level) for level in levels]
    deltas = [lattice.delta_at(epsilon) for epsilon in (0.0, 0.05, 0.3)]
    monkeypatch.setattr("dpcore.mechanisms.discrete_gaussian.WIDE_NOISE", 10.0)
    limit = PrivacyLoss.of(DiscreteGaussian(rho=1e-4), 30)
    assert limit.certainty == "bracketed"
    for level, found in zip(levels, exact, strict=True):
        bracket = ExactPosterior(limit, prior=0.5).quantile_bracket(level)
        assert bracket.low <= found <= bracket.high
    for epsilon, found in zip((0.0, 0.05, 0.3), deltas, strict=True):
        assert limit.delta_bracket(epsilon).low <= found <= limit.delta_at(epsilon)


def test_sums_of_discrete_gaussians_are_discrete_gaussians_within_one_step_of_a_normal_variable() -> None:
    one = DiscreteGaussian.from_sigma(3.0)
    y = np.arange(-60, 61)
    three = np.convolve(np.convolve(one.pmf(y), one.pmf(y)), one.pmf(y))
    together = DiscreteGaussian.from_sigma(3.0 * math.sqrt(3.0)).pmf(np.arange(-180, 181))
    assert three[120:-120] == pytest.approx(together[120:-120], rel=1e-13, abs=1e-18)
    for m in range(1, 25):  # P[Y >= m] lies between P[G >= m] and P[G >= m - 1]
        assert ndtr(-m / 3.0) < one.tail(m) < ndtr(-(m - 1) / 3.0)


def test_a_laplace_epsilon_too_small_for_the_grid_does_not_set_its_step() -> None:
    loss = PrivacyLoss(((Geometric(epsilon=100.0), 58), (Laplace(epsilon=1e-4), 58)), 1 << 12)
    assert loss.certainty == "bracketed"
    assert loss._law().values.size < 1 << 13
    assert loss.loss_quantile(0.5) == pytest.approx(5800.0, abs=5.0)
    plain = PrivacyLoss(((Gaussian(rho=0.02), 1), (Laplace(epsilon=1e-7), 3)), 1 << 10)
    assert plain.loss_quantile(0.7) == pytest.approx(PrivacyLoss.of(Gaussian(rho=0.02)).loss_quantile(0.7), abs=1e-6)


@pytest.mark.parametrize("epsilon", [300.0, 1500.0, 1e5])
def test_two_laplace_releases_of_large_budgets_have_their_closed_form_in_little_memory(epsilon: float) -> None:
    """A loss lies at its largest value half the time, else below it with density e^(-x/2)/4, but for a mass of e^-e."""
    tracemalloc.start()
    try:
        plan = PrivacyLoss.of(Laplace(epsilon=epsilon), 2)
        for below in (0.5, 3.0, 20.0):
            density = lambda x, below=below: (0.25 + x / 16) * np.exp(-x / 2) * -np.expm1(x - below)  # noqa: E731
            exact = -math.expm1(-below) / 4 + quad(density, 0.0, below, epsabs=1e-14)[0]
            found = plan.delta_bracket(2 * epsilon - below)
            assert found.low * (1 - 1e-9) <= exact <= found.high * (1 + 1e-9)
            assert found.high == pytest.approx(found.low, rel=2e-3)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken < 60e6


def test_a_lattice_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="releases must need at most 4,194,304 points of their lattice; got"):
        PrivacyLoss.of(Geometric(epsilon=0.5, sensitivity=1000), 10**9).epsilon_at(1e-6)


def test_tiny_laplace_budgets_keep_exact_moments() -> None:
    part = loss_parts(Laplace(epsilon=1e-9)).finite
    assert part is not None
    for laplace in (loss_parts(Laplace(epsilon=e)).finite for e in (1e-9, 0.3, 5.0)):
        e = laplace.epsilon  # type: ignore[union-attr]
        for order in (0.0, 0.7 / e, -0.4, 12.0 / e, -0.5 + 0.006 / e):
            with mpmath.workdps(40):
                s = mpmath.mpf(order)

                def weight(z: mpmath.mpf, s: mpmath.mpf = s, e: float = e) -> mpmath.mpf:
                    return mpmath.exp(s * z + (z - e) / 2) / 4

                ends = (mpmath.exp(s * e) / 2, mpmath.exp(-s * e - e) / 2)
                total = sum(ends) + mpmath.quad(weight, [-e, 0, e])
                mean = (e * (ends[0] - ends[1]) + mpmath.quad(lambda z: z * weight(z), [-e, 0, e])) / total
                square = (e**2 * sum(ends) + mpmath.quad(lambda z: z * z * weight(z), [-e, 0, e])) / total
            found = laplace.tilted_moments(order)  # type: ignore[union-attr]
            assert found[0] == pytest.approx(float(mpmath.log(total)), rel=1e-12, abs=1e-15)
            assert found[1] == pytest.approx(float(mean), rel=1e-9, abs=1e-9 * e)
            assert found[2] == pytest.approx(float(square - mean**2), rel=1e-6, abs=1e-11 * e * e)


def test_deltas_that_leave_no_mass_finite_are_certain_disclosure() -> None:
    loss = PrivacyLoss.of(ApproximateDP(epsilon=0.1, delta=0.9), 365)
    assert loss.epsilon_at(0.5) == math.inf
    assert loss.epsilon_at(1.0) == 0.0
    assert loss.delta_at(0.3) == 1.0


@pytest.mark.parametrize("prior", [1e-15, 0.3, 1 - 1e-15])
def test_noise_that_leaves_no_doubt_is_told_at_once(prior: float) -> None:
    edge = CERTAIN_RHO + 2 * abs(float(logit(prior)))
    just_below, above = PrivacyLoss.of(Gaussian(rho=edge)), PrivacyLoss.of(Gaussian(rho=edge * 1.001))
    assert ExactPosterior(just_below, prior=prior).mean() == pytest.approx(1.0, abs=1e-14)
    assert ExactPosterior(just_below, prior=prior).mean(side="absent") < 1e-150
    assert ExactPosterior(above, prior=prior).mean() == 1.0
    assert ExactPosterior(above, prior=prior).mean(side="absent") == 0.0
    start = time.process_time()
    assert ExactPosterior(PrivacyLoss.of(Gaussian(rho=1e14)), prior=prior).mean() == 1.0
    assert time.process_time() - start < 1.0


def test_a_strong_tilt_of_coarsely_rounded_losses_stays_in_the_range_of_floats() -> None:
    loss = PrivacyLoss(((Geometric(epsilon=100.0), 58), (Laplace(epsilon=1e-4), 58)), 4096)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = loss.delta_bracket(5800.0)
        assert loss.epsilon_at(1e-6) == pytest.approx(5800.0058, abs=1e-12)
    # the counts lose 5800 but with a chance of e^-97, and 58 Laplace losses are plus or minus 1e-4 each
    beyond = 1e-4 * math.sqrt(58 / (2 * math.pi))
    assert found.low <= beyond <= found.high < 0.006


def test_a_tilt_that_leaves_next_to_no_spread_stays_in_the_range_of_floats() -> None:
    loss = PrivacyLoss(((Laplace(epsilon=22.5), 1), (Geometric(epsilon=16.6), 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = loss.epsilon_bracket(4e-7)
    # all three counts lose 16.6 but with a chance of 2e-7, and the Laplace loss is at its end in half of the releases
    assert found.low <= 49.8 + 22.5 - 2 * 4e-7 <= found.high


def test_a_power_of_a_spectrum_leaves_the_spectrum_as_it_is() -> None:
    spectrum = np.fft.rfft(np.array([0.5, 0.25, 0.25, 0.0])).astype(np.complex128)
    before = spectrum.copy()
    for count in (1, 3):
        assert spectrum_power(spectrum, count) == pytest.approx(before**count)
        assert np.array_equal(spectrum, before)
    assert spectrum_power(spectrum, 1) is not spectrum
