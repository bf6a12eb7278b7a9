"""The trade-off between false alarms and detection: printed values, independent computations, edges, refusals."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, norm

from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import randomized_response_epsilon, trade_off
from tests.reference.tradeoff import ANSWERS

RATES = np.array([1e-12, 1e-6, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-9])


# ---- the table of right guesses at rho = 2.56 on an even bet ---------------------------------------------------------


@pytest.mark.parametrize(
    ("curve", "printed", "digits"),
    [
        (trade_off(Gaussian(rho=2.56)), 0.8711, 4),
        (trade_off(DiscreteGaussian(rho=2.56)), 0.9330, 4),
        (trade_off(DiscreteGaussian(rho=2.56 / 2), cells=2), 0.8486, 4),  # budgeted for a replaced record
        (trade_off(DiscreteGaussian(rho=2.56), cells=2), 0.9375, 4),  # budgeted for one added or removed
        (trade_off(ZeroConcentratedDP(rho=2.56)), 0.9463, 4),
        (trade_off(ZeroConcentratedDP(rho=4 * 2.56)), 0.99996, 5),
    ],
)
def test_the_right_guesses_at_the_census_budget(curve: Any, printed: float, digits: int) -> None:
    assert curve.right_guess() == pytest.approx(printed, abs=0.5 * 10.0**-digits)
    assert curve.advantage() == pytest.approx(2 * curve.right_guess() - 1, abs=1e-14)


# ---- closed forms ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.1), (0.3, 0.0), (1.0, 1e-6), (5.0, 0.2), (2.0, 1.0)])
def test_the_region_of_epsilon_and_delta(epsilon: float, delta: float) -> None:
    x = np.linspace(0, 1, 101)
    region = np.minimum(1, np.minimum(delta + np.exp(epsilon) * x, 1 - np.exp(-epsilon) * (1 - delta - x)))
    for guarantee in (ApproximateDP(epsilon=epsilon, delta=delta), ProbabilisticDP(epsilon=epsilon, delta=delta)):
        curve = trade_off(guarantee)
        assert curve.detection(x) == pytest.approx(region, abs=1e-14)
        assert curve.certainty == "tight"
        for prior in (0.01, 0.3, 0.5, 0.9):
            guesses = prior * region + (1 - prior) * (1 - x)
            corner = (1 - delta) / (1 + math.exp(epsilon))
            best = max(guesses.max(), prior * (1 - corner) + (1 - prior) * (1 - corner), 1 - prior + prior * delta)
            assert curve.right_guess(prior=prior) == pytest.approx(max(best, prior + (1 - prior) * delta), abs=1e-14)


def test_the_gaussian_curve_and_two_cells() -> None:
    mu = math.sqrt(2 * 0.7)
    assert trade_off(Gaussian(rho=0.7)).detection(RATES) == pytest.approx(norm.cdf(norm.ppf(RATES) + mu), rel=1e-9)
    assert trade_off(Gaussian(rho=0.7), cells=2).detection(0.05) == pytest.approx(
        trade_off(Gaussian(rho=1.4)).detection(0.05), rel=1e-13
    )
    assert trade_off(Gaussian(rho=0.7)).right_guess() == pytest.approx(norm.cdf(mu / 2), rel=1e-13)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 2.64, 30.0])
def test_two_cells_of_geometric_noise_have_three_losses(epsilon: float) -> None:
    keep, change = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    present, absent = [keep**2, 2 * keep * change], [change**2, 2 * keep * change]
    curve = trade_off(Geometric(epsilon=epsilon), cells=2)
    assert curve.detection(absent[0]) == pytest.approx(present[0], rel=1e-12)
    assert curve.detection(absent[0] / 3) == pytest.approx(present[0] / 3, rel=1e-12)
    assert curve.detection(absent[0] + absent[1] / 4) == pytest.approx(present[0] + present[1] / 4, rel=1e-12)
    assert curve.right_guess() == pytest.approx(present[0] + present[1] / 2, rel=1e-12)


# ---- independent computations ----------------------------------------------------------------------------------------


def _two_worlds(log_pmf: Any, shift: int, cells: int, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of every output of one or two noisy cells, one moved up by the shift."""
    one = np.arange(-reach, reach + 1)
    absent, present = np.exp(log_pmf(one)), np.exp(log_pmf(one - shift))
    if cells == 2:
        other, other_present = np.exp(log_pmf(one)), np.exp(log_pmf(one + shift))
        absent, present = np.outer(absent, other).ravel(), np.outer(present, other_present).ravel()
    return absent, present


def _neyman_pearson(absent: np.ndarray, present: np.ndarray, rates: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-present / np.maximum(absent, 1e-320))
    x, y = np.concatenate([[0], np.cumsum(absent[order])]), np.concatenate([[0], np.cumsum(present[order])])
    return np.interp(rates, x, y)


@pytest.mark.parametrize("cells", [1, 2])
@pytest.mark.parametrize(
    ("noise", "reach"),
    [
        (DiscreteGaussian(rho=0.0992), 40),
        (DiscreteGaussian(rho=0.13), 40),
        (DiscreteGaussian(rho=2.56), 14),
        (DiscreteGaussian(rho=9.0, sensitivity=3), 20),
        (Geometric(epsilon=0.7), 60),
        (Geometric(epsilon=1.5, sensitivity=4), 90),
    ],
)
def test_integer_noise_against_a_list_of_all_outputs(noise: Any, reach: int, cells: int) -> None:
    absent, present = _two_worlds(noise.log_pmf, noise.sensitivity, cells, reach)
    rates = np.array([1e-6, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.99])
    curve = trade_off(noise, cells=cells)
    assert curve.detection(rates) == pytest.approx(_neyman_pearson(absent, present, rates), rel=1e-8)
    assert curve.missed(rates) == pytest.approx(1 - _neyman_pearson(absent, present, rates), abs=1e-10)
    for prior in (0.05, 0.5, 0.8):
        expected = np.maximum(prior * present, (1 - prior) * absent).sum()
        assert curve.right_guess(prior=prior) == pytest.approx(expected, rel=1e-9)
    assert curve.certainty == "exact"


@pytest.mark.parametrize("categories", [2, 3, 9])
@pytest.mark.parametrize("cells", [1, 2])
def test_randomised_response_against_a_list_of_all_answers(categories: int, cells: int) -> None:
    mechanism = RandomizedResponse(epsilon=1.2, categories=categories)
    truth, other = mechanism.probability_truthful, mechanism.probability_other
    one = np.array([truth, other] + [other] * (categories - 2))
    two = np.array([other, truth] + [other] * (categories - 2))
    absent, present = (one, two) if cells == 1 else (np.outer(one, one).ravel(), np.outer(two, two).ravel())
    rates = np.linspace(0.001, 0.999, 41)
    assert trade_off(mechanism, cells=cells).detection(rates) == pytest.approx(
        _neyman_pearson(absent, present, rates), rel=1e-12
    )


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0, 40.0])
@pytest.mark.parametrize("cells", [1, 2])
def test_laplace_noise_against_integrals_over_the_outputs(epsilon: float, cells: int) -> None:
    """Threshold tests on the loss, their rates by mpmath over the density of the outputs."""
    curve = trade_off(Laplace(epsilon=epsilon), cells=cells)
    eps = mpmath.mpf(epsilon)

    def loss(z: Any) -> Any:
        return abs(z) * eps - abs(z - 1) * eps

    def rate(threshold: Any, shift: int) -> Any:
        """Probability of a loss above the threshold; one cell, or two with independent losses."""

        def upper(level: Any) -> Any:  # P[loss > level] of one cell
            if level >= eps:
                return mpmath.mpf(0)
            if level < -eps:
                return mpmath.mpf(1)
            edge = (level / eps + 1) / 2 - shift  # the output at which the loss is the level
            return mpmath.exp(-eps * edge) / 2 if edge > 0 else 1 - mpmath.exp(eps * edge) / 2

        if cells == 1:
            return upper(threshold)
        density = lambda z: eps / 2 * mpmath.exp(-eps * abs(z - shift)) * upper(threshold - loss(z))  # noqa: E731
        top, kink = 1 - mpmath.mpf(10) ** -30, (threshold / eps) / 2
        cuts = sorted({mpmath.mpf(0), top, *(c for c in (kink, kink + 1, mpmath.mpf(shift)) if 0 < c < top)})
        outside = mpmath.exp(-eps * (1 - shift)) / 2 * upper(threshold - eps)
        below = mpmath.exp(-eps * shift) / 2 * upper(threshold + eps)
        return mpmath.quad(density, cuts) + outside + below

    for share in (-0.7, -0.2, 0.3, 0.9):
        threshold = mpmath.mpf(share) * eps * cells
        x, y = float(rate(threshold, 0)), float(rate(threshold, 1))
        assert curve.detection(x) == pytest.approx(y, rel=1e-9)
        assert curve.missed(x) == pytest.approx(float(1 - rate(threshold, 1)), rel=1e-7)
        prior = float(1 / (1 + mpmath.exp(threshold)))
        assert curve.right_guess(prior=prior) == pytest.approx(prior * y + (1 - prior) * (1 - x), rel=1e-12)


def test_gaussian_and_discrete_losses_together_against_a_sum_over_the_atoms() -> None:
    """A Gaussian and two geometric releases: thresholds by mpmath's root finder, rates as sums of normal tails."""
    plan = ReleasePlan((PlannedRelease(Gaussian(rho=0.3), 1), PlannedRelease(Geometric(epsilon=0.8), 2)))
    curve = trade_off(plan)
    keep, mu = 1 / (1 + math.exp(-0.8)), math.sqrt(0.6)
    atoms = [(1.6, keep**2), (0.0, 2 * keep * (1 - keep)), (-1.6, (1 - keep) ** 2)]
    for threshold in (-2.0, -0.5, 0.0, 0.7, 3.0, 8.0):
        y = sum(mass * norm.sf((threshold - loss - 0.3) / mu) for loss, mass in atoms)
        x = sum(mass * math.exp(-loss) * norm.sf((threshold - loss + 0.3) / mu) for loss, mass in atoms)
        assert curve.detection(x) == pytest.approx(y, rel=1e-9)
        prior = 1 / (1 + math.exp(threshold))
        assert curve.right_guess(prior=prior) == pytest.approx(prior * y + (1 - prior) * (1 - x), rel=1e-12)
    assert curve.certainty == "exact"


@pytest.mark.parametrize("count", [3, 7])
def test_composed_losses_against_every_combination(count: int) -> None:
    curve = trade_off(PrivacyLoss.of(RandomizedResponse(epsilon=0.9, categories=3), count))
    mechanism = RandomizedResponse(epsilon=0.9, categories=3)
    truth, other = mechanism.probability_truthful, mechanism.probability_other
    absent, present = np.array([1.0]), np.array([1.0])
    for _ in range(count):
        absent = np.outer(absent, [truth, other, other]).ravel()
        present = np.outer(present, [other, truth, other]).ravel()
    rates = np.array([1e-6, 1e-4, 0.01, 0.1, 0.4, 0.6, 0.95, 0.9999])
    assert curve.detection(rates) == pytest.approx(_neyman_pearson(absent, present, rates), rel=1e-10)


def test_small_rates_of_a_composed_law_keep_their_digits() -> None:
    """A hundred discrete Gaussians: the sum of their noises is itself one, up to 1e-17, so its tails are known."""
    whole = trade_off(PrivacyLoss.of(DiscreteGaussian(rho=0.01), 100))
    single = trade_off(DiscreteGaussian(rho=1.0, sensitivity=100))
    for rates in (10.0 ** -np.arange(1, 31, 3), 1 - 10.0 ** -np.arange(1, 12, 3)):
        assert whole.detection(rates) == pytest.approx(single.detection(rates), rel=1e-9)
        assert whole.missed(rates) == pytest.approx(single.missed(rates), rel=1e-5)
    assert whole.missed(0.9) == pytest.approx(single.missed(0.9), rel=1e-11)


def test_a_wide_discrete_gaussian_is_nearly_a_gaussian() -> None:
    for rho in (1e-12, 1e-20):
        discrete, continuous = trade_off(DiscreteGaussian(rho=rho)), trade_off(Gaussian(rho=rho))
        assert discrete.detection(0.3) - 0.3 == pytest.approx(continuous.detection(0.3) - 0.3, rel=1e-3)


def test_a_grid_says_so_and_lies_on_the_safe_side() -> None:
    """Different Laplace releases are rounded to a grid; a finer grid lies inside the coarser bracket."""
    releases = tuple((Laplace(epsilon=epsilon), 3) for epsilon in (0.3, 0.41, 0.52))
    coarse, fine = trade_off(PrivacyLoss(releases, 512)), trade_off(PrivacyLoss(releases, 1 << 15))
    assert coarse.certainty == fine.certainty == "bound"
    for x in (1e-6, 0.01, 0.2, 0.5, 0.9):
        outer, inner = coarse.detection_bracket(x), fine.detection_bracket(x)
        assert outer.low <= inner.low <= inner.high <= outer.high
        assert coarse.detection(x) == outer.high
        assert 0 < outer.width < 0.02
        assert inner.width < outer.width / 20
    exact = trade_off(PrivacyLoss.of(Geometric(epsilon=0.5), 9))
    assert exact.detection_bracket(0.1).width == 0.0


def test_many_atoms_beside_a_gaussian_are_rounded_on_the_safe_side() -> None:
    releases = ((DiscreteGaussian(rho=1e-5), 4), (Gaussian(rho=0.05), 1))
    mixed = trade_off(PrivacyLoss(releases))
    assert mixed.certainty == "bound"
    nearly = trade_off(Gaussian(rho=0.05 + 4e-5))
    for x in (1e-9, 0.05, 0.5, 0.95):
        bracket = mixed.detection_bracket(x)
        assert bracket.low <= nearly.detection(x) * (1 + 1e-7)
        assert nearly.detection(x) <= bracket.high + 1e-9
        assert bracket.width < 1e-3


# ---- any release with a rho ------------------------------------------------------------------------------------------


def _most_demanding(y: Any, x: Any, rho: Any) -> Any:
    """sup over orders, both ways, of D_a/(a rho), by a list of orders in mpmath, dense about the best of them."""
    best = mpmath.mpf(0)
    for p, q in ((y, x), (x, y)):
        up, down = mpmath.log(p / q), mpmath.log((1 - p) / (1 - q))
        best = max(best, p * up + (1 - p) * down)
        top = mpmath.log(max(mpmath.log(max(p / q, (1 - p) / (1 - q))) / rho, mpmath.mpf("1e-3")))

        def demand(log_less_one: Any, q: Any = q, up: Any = up, down: Any = down) -> Any:
            t = mpmath.exp(log_less_one)
            a = 1 + t
            return mpmath.log(q * mpmath.exp(a * up) + (1 - q) * mpmath.exp(a * down)) / (t * a)

        at = max((top - mpmath.mpf(k) / 4 for k in range(91)), key=demand)
        best = max(best, *(demand(at + mpmath.mpf(k) / 40) for k in range(-10, 11)))
    return best / rho


@pytest.mark.parametrize("rho", [1e-12, 1e-5, 0.1, 2.56, 30.0])
@pytest.mark.parametrize("x", [1e-12, 0.003, 0.5, 0.98, 1 - 1e-12])
def test_the_pair_of_coins_is_exactly_rho_zcdp(rho: float, x: float) -> None:
    with mpmath.workdps(60):
        curve = trade_off(ZeroConcentratedDP(rho=rho))
        false, missed, found = mpmath.mpf(x), mpmath.mpf(curve.missed(x)), mpmath.mpf(curve.detection(x))
        y = 1 - missed if missed < 0.5 else found
        gain = mpmath.log(y / (1 - y)) - mpmath.log(false / (1 - false))
        base = mpmath.log(false / (1 - false))
        for change, holds in ((-1e-4, True), (1e-4, False)):
            moved = 1 / (1 + mpmath.exp(-base - gain * (1 + mpmath.mpf(change))))
            assert (_most_demanding(moved, false, mpmath.mpf(rho)) <= 1) is holds


@pytest.mark.parametrize("rho", [1e-300, 1e-30, 1e-20, 1.0, 1e6, 1e300])
def test_budgets_and_rates_beyond_all_use_have_an_answer(rho: float) -> None:
    x = np.array([1e-300, 1e-100, 1e-12, 0.3, 0.75, 1 - 1e-15])
    found = trade_off(ZeroConcentratedDP(rho=rho)).detection(x)
    assert (found >= x).all()
    assert (np.diff(found) >= 0).all()
    if rho < 1e-19:
        assert found[2:] == pytest.approx(x[2:], rel=1e-3)
    if rho > 1e5:
        assert (found == 1.0).all()


def test_random_pairs_of_coins_never_beat_the_even_bet_or_the_curve() -> None:
    """120 random pairs, each with the rho its own orders need."""
    rng = np.random.default_rng(20)
    orders = 1 + np.geomspace(1e-4, 1e4, 8000)
    for _ in range(120):
        x, y = sorted(1 / (1 + np.exp(-rng.normal(0, 2.5, 2))))
        rho = 0.0
        for p, q in ((y, x), (x, y)):
            rho = max(rho, p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q)))
            moment = np.logaddexp(
                orders * math.log(p) + (1 - orders) * math.log(q),
                orders * math.log1p(-p) + (1 - orders) * math.log1p(-q),
            )
            rho = max(rho, float((moment / (orders - 1) / orders).max()))
        curve = trade_off(ZeroConcentratedDP(rho=rho))
        assert y <= curve.detection(x) * (1 + 1e-6)
        assert (1 + y - x) / 2 <= curve.right_guess() + 1e-6


def test_randomised_response_is_the_best_pair_on_an_even_bet() -> None:
    for rho in (1e-12, 0.01, 0.5, 2.56, 40.0, 300.0):
        epsilon = randomized_response_epsilon(rho)
        assert epsilon * math.tanh(epsilon / 2) == pytest.approx(rho, rel=1e-14)
        curve = trade_off(ZeroConcentratedDP(rho=rho))
        x = float(expit(-epsilon))
        assert curve.missed(x) == pytest.approx(x, rel=1e-9)
        rates = 1 / (1 + np.exp(-np.linspace(-60, 60, 301)))
        assert float((curve.missed(rates) + rates).min()) >= 1 - curve.advantage() - 1e-12
    assert randomized_response_epsilon(0.0) == 0.0
    assert trade_off(ZeroConcentratedDP(rho=0.0)).right_guess(prior=[0.2, 0.5]).tolist() == [0.8, 0.5]


@pytest.mark.parametrize("prior", [1e-6, 0.02, 0.3, 0.75, 0.999])
def test_a_right_guess_at_any_prior_is_the_best_point_of_the_curve(prior: float) -> None:
    for source in (ZeroConcentratedDP(rho=0.4), Laplace(epsilon=2.0), DiscreteGaussian(rho=0.7), Gaussian(rho=0.4)):
        curve = trade_off(source)
        rates = 1 / (1 + np.exp(-np.linspace(-30, 30, 12_001)))
        guesses = 1 - prior * curve.missed(rates) - (1 - prior) * rates
        best = max(float(guesses.max()), prior, 1 - prior)
        assert best <= curve.right_guess(prior=prior) + 1e-12
        assert curve.right_guess(prior=prior) == pytest.approx(best, abs=2e-5)


# ---- sources, ends, refusals -----------------------------------------------------------------------------------------


def test_plans_and_laws_take_the_closed_form_where_there_is_one() -> None:
    pairs: list[tuple[Any, Any, int]] = [
        (ReleasePlan.repeated(Gaussian(rho=0.1), 5), Gaussian(rho=0.5), 1),
        (PrivacyLoss.of(Laplace(epsilon=0.5), 2), Laplace(epsilon=0.5), 2),
        (ReleasePlan.repeated(PureDP(epsilon=0.5), 1), PureDP(epsilon=0.5), 1),
        (PrivacyLoss.of(ApproximateDP(epsilon=0.5, delta=0.01)), ApproximateDP(epsilon=0.5, delta=0.01), 1),
        (ReleasePlan.repeated(ProbabilisticDP(epsilon=0.5, delta=0.01), 1), ApproximateDP(epsilon=0.5, delta=0.01), 1),
        (ReleasePlan.repeated(ZeroConcentratedDP(rho=0.1), 3), ZeroConcentratedDP(rho=0.1 * 3), 1),
    ]
    for plan, source, cells in pairs:
        assert trade_off(plan).detection(RATES) == pytest.approx(
            trade_off(source, cells=cells).detection(RATES), rel=1e-9
        )
    nothing = trade_off(PrivacyLoss.of(ApproximateDP(epsilon=0.0, delta=0.2), 2))
    assert nothing.detection([0.0, 0.32]) == pytest.approx([0.36, 0.68], abs=1e-12)
    leaky = trade_off(PrivacyLoss(((Laplace(epsilon=0.5), 1), (ApproximateDP(epsilon=0.0, delta=0.2), 1))))
    for prior in (0.05, 0.3, 0.5):
        error = 1 - trade_off(Laplace(epsilon=0.5)).right_guess(prior=prior)
        assert 1 - leaky.right_guess(prior=prior) == pytest.approx(0.8 * error, rel=1e-12)
    twice = trade_off(ReleasePlan.repeated(Geometric(epsilon=0.4), 3), cells=2)
    assert twice.detection(RATES) == pytest.approx(
        trade_off(PrivacyLoss.of(Geometric(epsilon=0.4), 6)).detection(RATES), rel=1e-9
    )


def test_the_certainty_of_every_source() -> None:
    grid = PrivacyLoss(((Laplace(epsilon=0.3), 2), (Laplace(epsilon=0.2), 1)))
    expected: list[tuple[Any, str]] = [
        (PureDP(epsilon=1.0), "tight"),
        (ZeroConcentratedDP(rho=1.0), "tight"),
        (Laplace(epsilon=1.0), "exact"),
        (ReleasePlan.repeated(ApproximateDP(epsilon=0.1, delta=1e-6), 20), "tight"),
        (ReleasePlan.repeated(ZeroConcentratedDP(rho=0.1), 1), "tight"),
        (ReleasePlan.repeated(ZeroConcentratedDP(rho=0.1), 2), "bound"),
        (ReleasePlan.repeated(Geometric(epsilon=0.1), 20), "exact"),
        (PrivacyLoss(((Gaussian(rho=0.1), 1), (ApproximateDP(epsilon=0.0, delta=0.1), 1))), "tight"),
        (PrivacyLoss(((Gaussian(rho=0.1), 1), (PureDP(epsilon=0.0), 1))), "exact"),
        (grid, "bound"),
    ]
    for source, certainty in expected:
        assert trade_off(source).certainty == certainty


SOURCES = [
    PureDP(epsilon=1.0),
    ApproximateDP(epsilon=1.0, delta=0.1),
    ZeroConcentratedDP(rho=0.5),
    Gaussian(rho=0.5),
    Laplace(epsilon=1.0),
    DiscreteGaussian(rho=0.5),
    Geometric(epsilon=1.0),
    RandomizedResponse(epsilon=1.0, categories=3),
    PrivacyLoss(((Geometric(epsilon=0.4), 5), (Gaussian(rho=0.1), 2))),
    ReleasePlan.repeated(DiscreteGaussian(rho=0.1), 6),
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: type(source).__name__)
def test_the_ends_of_a_curve(source: Any) -> None:
    curve = trade_off(source)
    certain = source.delta if isinstance(source, ApproximateDP) else 0.0
    assert [curve.detection(0.0), curve.detection(1.0)] == [certain, 1.0]
    assert [curve.missed(0.0), curve.missed(1.0)] == [1.0 - certain, 0.0]
    assert [curve.right_guess(prior=0.0), curve.right_guess(prior=1.0)] == [1.0, 1.0]
    assert curve.false_alarm(curve.detection(0.2)) == pytest.approx(0.2, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: trade_off(1.0), r"source must be a guarantee, mechanism, PrivacyLoss or ReleasePlan; got 1\.0"),
        (lambda: trade_off(Gaussian(rho=1.0), cells=3), "cells must be a whole number from 1 to 2; got 3"),
        (lambda: trade_off(PureDP(epsilon=1.0), cells=2), "cells must be 1 unless every release is a mechanism; got 2"),
        (
            lambda: trade_off(PrivacyLoss.of(PureDP(epsilon=1.0)), cells=2),
            "cells must be 1 unless every release is a mechanism; got 2",
        ),
        (
            lambda: trade_off(
                ReleasePlan(
                    (
                        PlannedRelease(ZeroConcentratedDP(rho=1.0), 1),
                        PlannedRelease(ApproximateDP(epsilon=1.0, delta=0.1), 1),
                    )
                )
            ),
            "source must be pure or zero-concentrated to have a rho; got ApproximateDP",
        ),
        (lambda: trade_off(PureDP(epsilon=1.0)).detection(1.2), r"false_alarm must lie in \[0, 1\]; got 1\.2"),
        (lambda: trade_off(PureDP(epsilon=1.0)).missed([0.5, math.nan]), r"false_alarm must lie in \[0, 1\]; got nan"),
        (lambda: trade_off(PureDP(epsilon=1.0)).false_alarm(-0.1), r"detection must lie in \[0, 1\]; got -0\.1"),
        (lambda: trade_off(PureDP(epsilon=1.0)).right_guess(prior=2), r"prior must lie in \[0, 1\]; got 2\.0"),
        (lambda: trade_off(PureDP(epsilon=1.0)).detection_bracket(2.0), r"false_alarm must lie in \[0, 1\]; got 2\.0"),
        (lambda: randomized_response_epsilon(-1.0), r"rho must be at least 0 and finite; got -1\.0"),
        (
            lambda: PrivacyLoss.of(Laplace(epsilon=1.0)).atoms(),
            "atoms must not be asked of a Laplace release alone; got",
        ),
        (
            lambda: PrivacyLoss.of(Geometric(epsilon=1.0)).atoms(at_most=3),
            "at_most must be a whole number of at least 16; got 3",
        ),
        (lambda: PrivacyLoss.of(Geometric(epsilon=1.0)).atoms(math.nan), "order must be finite; got nan"),
    ],
)
def test_nonsense_is_refused_by_name_rule_and_value(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_the_reference_answers_take_guarantees_mechanisms_and_cells() -> None:
    assert ANSWERS["power"](guarantee={"epsilon": 1, "delta": 0}, false_alarm=0.02) == pytest.approx(0.02 * math.e)
    assert ANSWERS["power"](guarantee={"rho": 0.5}, false_alarm=0.05) == pytest.approx(0.3355779674, rel=1e-9)
    assert ANSWERS["right_guess"](mechanism="gaussian", rho=2.56, cells=2, prior=0.5) == pytest.approx(0.9452007083)
    with pytest.raises(ValueError, match="mechanism must be one of"):
        ANSWERS["power"](mechanism="staircase", epsilon=1.0, false_alarm=0.1)


# ---- atoms under a tilt ----------------------------------------------------------------------------------------------


def test_atoms_are_the_same_law_under_every_tilt() -> None:
    loss = PrivacyLoss.of(Geometric(epsilon=0.5), 12)  # 12 losses of +-1/2: binomial
    up = 1 / (1 + math.exp(-0.5))
    law = binom(12, up)
    for order in (-0.5, 0.0, 0.7, 3.0):
        values, log_mass = loss.atoms(order)
        weights = np.exp(log_mass + order * values - loss.tilted(order)[2])
        telling = weights > 1e-6
        successes = np.rint(values[telling] + 6)
        assert log_mass[telling] == pytest.approx(law.logpmf(successes), abs=1e-9)
        mean, deviation, log_moment = loss.tilted(order)
        assert log_moment == pytest.approx(12 * math.log(up * math.exp(order / 2) + (1 - up) * math.exp(-order / 2)))
        assert weights.sum() == pytest.approx(1.0, abs=1e-12)
        assert weights @ values == pytest.approx(mean, abs=1e-9)
        assert math.sqrt(weights @ (values - mean) ** 2) == pytest.approx(deviation, rel=1e-9)


def test_fewer_atoms_keep_both_masses_or_lower_every_loss() -> None:
    loss = PrivacyLoss.of(DiscreteGaussian(rho=0.001), 3)
    for order in (0.0, 2.0):
        values, log_mass = loss.atoms(order, at_most=64)
        assert values.size <= 64
        assert np.exp(log_mass).sum() == pytest.approx(1.0, abs=1e-9)
        assert np.exp(log_mass - values).sum() == pytest.approx(1.0, abs=1e-9)
    lower, mass = loss.atoms(at_most=64, connect=False)
    full, full_mass = loss.atoms()
    assert np.exp(mass) @ lower < np.exp(full_mass) @ full


# ---- other libraries -------------------------------------------------------------------------------------------------


@pytest.mark.oracle
@pytest.mark.parametrize("count", [1, 12, 100])
def test_a_plan_agrees_with_dp_accounting(count: int) -> None:
    """Their delta(epsilon) on a grid gives y(x) = min over epsilon of delta + e^epsilon x, with the mirror image."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    theirs = pld.from_discrete_gaussian_mechanism(
        sigma=math.sqrt(5.0), value_discretization_interval=0.01, use_connect_dots=True
    ).self_compose(count)
    ours = trade_off(ReleasePlan.repeated(DiscreteGaussian(rho=0.1), count))
    epsilons = np.linspace(0, 40, 401)  # the losses themselves, between which nothing bends
    deltas = np.asarray(theirs.get_delta_for_epsilon(list(epsilons)))
    for x in (1e-6, 1e-3, 0.05, 0.3):
        direct = (deltas + np.exp(epsilons) * x).min()
        mirrored = (1 - np.exp(-epsilons) * (1 - deltas - x)).min()
        assert ours.detection(x) == pytest.approx(min(direct, mirrored), rel=3e-5)


@pytest.mark.oracle
def test_a_plan_agrees_with_riskcal() -> None:
    analysis = pytest.importorskip("riskcal.analysis")
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    theirs = pld.from_laplace_mechanism(2.0, value_discretization_interval=1e-4).self_compose(6)
    ours = trade_off(ReleasePlan.repeated(Laplace(epsilon=0.5), 6))
    for x in (0.01, 0.1, 0.4):
        beta = float(np.asarray(analysis.get_beta_from_pld(theirs, alpha=x)))
        assert ours.missed(x) == pytest.approx(beta, abs=2e-4)
