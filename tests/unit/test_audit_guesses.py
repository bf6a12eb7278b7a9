"""Guesses about secrets as evidence: bounds and p-values against every release, the published bound, and coverage."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq, linprog
from scipy.sparse import lil_matrix
from scipy.special import expit, logit
from scipy.stats import binom

from dpcore.audit import Guesses, GuessRate, UnevenGuesses
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.tradeoff import trade_off

Profile = Callable[[float], float]


def most_right(coins: int, right: int, limits: list[tuple[float, float]], guesses: int = 0) -> float:
    """Largest P[at least `right` right] over every release about some coins, by a linear program.

    A release is what is guessed: for each side pattern of the coins a law over guess patterns (some left out, where
    there are fewer guesses than coins). Of two patterns that differ in one coin the hockey-stick divergence at each
    epsilon is at most its delta.
    """
    made = guesses or coins
    sides = list(itertools.product((0, 1), repeat=coins))
    outputs = [
        (who, what)
        for who in itertools.combinations(range(coins), made)
        for what in itertools.product((0, 1), repeat=made)
    ]
    size = len(sides) * len(outputs)
    ends = itertools.permutations(range(len(sides)), 2)
    pairs = [(a, b) for a, b in ends if sum(np.abs(np.subtract(sides[a], sides[b]))) == 1]
    gains = np.zeros(size)
    for a, side in enumerate(sides):
        for o, (who, what) in enumerate(outputs):
            if sum(side[i] == guess for i, guess in zip(who, what, strict=True)) >= right:
                gains[a * len(outputs) + o] = 0.5**coins
    excesses = len(pairs) * len(limits) * len(outputs)
    rows = lil_matrix((excesses + len(pairs) * len(limits), size + excesses))
    most = np.zeros(excesses + len(pairs) * len(limits))
    at = 0
    for block, ((a, b), (epsilon, delta)) in enumerate(itertools.product(pairs, limits)):
        for o in range(len(outputs)):
            rows[at, a * len(outputs) + o] = 1.0
            rows[at, b * len(outputs) + o] = -math.exp(epsilon)
            rows[at, size + at] = -1.0
            rows[excesses + block, size + at] = 1.0
            at += 1
        most[excesses + block] = delta
    laws = lil_matrix((len(sides), size + excesses))
    for a in range(len(sides)):
        laws[a, a * len(outputs) : (a + 1) * len(outputs)] = 1.0
    found = linprog(
        -np.concatenate([gains, np.zeros(excesses)]),
        A_ub=rows.tocsr(),
        b_ub=most,
        A_eq=laws.tocsr(),
        b_eq=np.ones(len(sides)),
        method="highs",
    )
    return float(-found.fun)


# ---- pure claims ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("guesses", "shown"), [(10, 1.05), (30, 2.25), (100, 3.49)])
def test_all_right_show_no_more_than_their_number_allows(guesses: int, shown: float) -> None:
    assert Guesses(right=guesses, guesses=guesses).epsilon_lower() == pytest.approx(shown, abs=0.005)


@pytest.mark.parametrize(("guesses", "shown"), [(30, 0.28), (100, 0.61), (300, 0.78), (1000, 0.88), (10_000, 0.96)])
def test_what_the_expected_number_right_shows_of_an_epsilon_of_one(guesses: int, shown: float) -> None:
    right = round(guesses * float(expit(1.0)))
    assert Guesses(right=right, guesses=guesses).epsilon_lower() == pytest.approx(shown, abs=0.006)


def test_a_class_of_a_hundred_with_seventy_three_right() -> None:
    seen = Guesses(right=73, guesses=100)
    assert 0.60 < seen.epsilon_lower() < 0.61
    assert seen.p_value(PureDP(epsilon=0.5)) == pytest.approx(0.0157, abs=5e-5)
    assert seen.p_value(PureDP(epsilon=1.0)) == pytest.approx(0.5610, abs=5e-5)


def test_the_bound_is_the_epsilon_at_which_the_tail_is_what_may_fail() -> None:
    for right, guesses, level in ((8, 9, 0.9), (21, 30, 0.95), (400, 700, 0.99)):
        found = Guesses(right=right, guesses=guesses).epsilon_lower(level=level)
        root = brentq(lambda e: binom.sf(right - 1, guesses, expit(e)) - (1 - level), 1e-9, 20)  # noqa: B023
        assert found == pytest.approx(root, rel=1e-9)
    assert Guesses(right=0, guesses=5).epsilon_lower() == 0.0
    assert Guesses(right=0, guesses=5).share_lower() == 0.0
    assert Guesses(right=0, guesses=5).p_value(PureDP(epsilon=0.0)) == 1.0


def test_no_release_about_three_coins_beats_the_p_value_of_a_pure_claim() -> None:
    for right in (1, 2, 3):
        allowed = Guesses(right=right, guesses=3).p_value(PureDP(epsilon=0.8))
        assert most_right(3, right, [(0.8, 0.0)]) == pytest.approx(allowed, abs=1e-7)


def test_of_a_release_with_a_law_the_claim_is_its_guarantee_or_its_law() -> None:
    seen = Guesses(right=17, guesses=20)
    pure = seen.p_value(PureDP(epsilon=0.7))
    for mechanism in (Geometric(epsilon=0.7), Laplace(epsilon=0.7), RandomizedResponse(epsilon=0.7)):
        assert seen.p_value(mechanism) == pure
    same = seen.p_value(ApproximateDP(epsilon=0.7, delta=0.01))
    assert seen.p_value(ProbabilisticDP(epsilon=0.7, delta=0.01)) == same > pure


# ---- claims with a delta ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coins", "guesses", "right", "epsilon", "delta"),
    [(2, 2, 2, 0.5, 0.05), (3, 3, 2, 0.3, 0.02), (3, 3, 3, 1.0, 0.1), (3, 2, 2, 0.4, 0.03), (3, 1, 1, 0.4, 0.03)],
)
def test_no_release_beats_the_p_value_with_a_delta_and_one_reaches_it(
    coins: int, guesses: int, right: int, epsilon: float, delta: float
) -> None:
    seen = Guesses(right=right, guesses=guesses, coins=coins)
    allowed = seen.p_value(ApproximateDP(epsilon=epsilon, delta=delta))
    assert most_right(coins, right, [(epsilon, delta)], guesses=guesses) == pytest.approx(allowed, abs=1e-6)


def _program_of_numbers_right(seen: Guesses, epsilon: float, delta: float) -> float:
    """The largest tail as a linear program in the chances of 0, 1, ... wrong guesses."""
    r, ratio = seen.guesses, math.exp(epsilon)
    rows = lil_matrix((2 * r + 1, 3 * r + 1))
    for k in range(r):
        rows[k, k], rows[k, k + 1], rows[k, r + 1 + k] = r - k, -ratio * (k + 1), -1
        rows[r + k, k + 1], rows[r + k, k], rows[r + k, 2 * r + 1 + k] = k + 1, -ratio * (r - k), -1
    rows[2 * r, r + 1 :] = 1.0
    gains = np.zeros(3 * r + 1)
    gains[: r - seen.right + 1] = -1.0
    whole = lil_matrix((1, 3 * r + 1))
    whole[0, : r + 1] = 1.0
    most = np.append(np.zeros(2 * r), (seen.coins or 0) * delta)
    closely = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(gains, rows.tocsr(), most, whole.tocsr(), [1.0], method="highs", options=closely)
    return float(-found.fun)


def test_the_p_value_with_a_delta_is_the_program_in_the_number_right() -> None:
    generator = np.random.default_rng(3)
    for trial in range(160):
        coins = int(generator.integers(1, 60 if trial < 40 else 8))
        guesses = int(generator.integers(1, coins + 1))
        seen = Guesses(right=int(generator.integers(0, guesses + 1)), guesses=guesses, coins=coins)
        epsilon, delta = generator.uniform(0.0, 2.5), 10.0 ** generator.uniform(-6, 0)
        found = seen.p_value(ApproximateDP(epsilon=epsilon, delta=delta))
        assert found == pytest.approx(min(_program_of_numbers_right(seen, epsilon, delta), 1.0), abs=1e-7)


@pytest.mark.parametrize(
    ("coins", "guesses", "right", "epsilon", "delta", "binomial", "published", "exact"),
    [
        (100, 100, 70, 0.5, 1e-3, 0.0656, 0.0787, 0.0694),
        (30, 30, 24, 0.5, 0.01, 0.0307, 0.0962, 0.0495),
        (1000, 300, 250, 1.0, 1e-5, 1.9e-5, 4.7e-4, 1.0e-4),
    ],
)
def test_the_exact_p_value_lies_between_the_binomial_and_the_published_one(
    coins: int, guesses: int, right: int, epsilon: float, delta: float, binomial: float, published: float, exact: float
) -> None:
    seen, claim = Guesses(right=right, guesses=guesses, coins=coins), ApproximateDP(epsilon=epsilon, delta=delta)
    assert seen.p_value(PureDP(epsilon=epsilon)) == pytest.approx(binomial, rel=0.03)
    assert seen.p_value(claim) == pytest.approx(exact, rel=0.05)
    assert seen.p_value_published(claim) == pytest.approx(published, rel=0.01)
    assert seen.p_value(PureDP(epsilon=epsilon)) < seen.p_value(claim) < seen.p_value_published(claim)


@pytest.mark.parametrize(
    ("coins", "guesses", "right", "delta", "printed"),
    [(1000, 100, 75, 1e-4, 0.673), (100_000, 1510, 1439, 1e-5, 2.675)],  # Appendix D; section 7
)
def test_the_printed_bounds_of_the_authors_are_met_and_exceeded(
    coins: int, guesses: int, right: int, delta: float, printed: float
) -> None:
    seen = Guesses(right=right, guesses=guesses, coins=coins)
    root = brentq(lambda e: seen.p_value_published(ApproximateDP(epsilon=e, delta=delta)) - 0.05, 0.0, 4.0)
    assert printed - 5e-4 < root < printed + 1e-3  # the second is printed cut, 2.67585
    assert seen.epsilon_lower(delta=delta) > root
    assert seen.epsilon_lower(delta=delta) < seen.epsilon_lower()


def test_without_a_delta_the_published_bound_is_the_binomial_tail() -> None:
    seen, claim = Guesses(right=8, guesses=10), PureDP(epsilon=0.4)
    assert seen.p_value_published(claim) == seen.p_value(claim)
    none = Guesses(right=0, guesses=10)
    assert none.p_value_published(ApproximateDP(epsilon=0.4, delta=0.01)) == none.p_value(claim) == 1.0


def test_a_release_about_three_coins_exceeds_the_published_bound() -> None:
    """Guesses that are all right, or wrong in some way, with these chances keep epsilon 0 and the delta."""
    delta = Fraction(1, 100)
    none_right = Fraction(1, 8) - 7 * delta / 8
    one_way = (1 - none_right) / 7  # each of the seven other patterns
    law = {wrong: none_right if sum(wrong) == 3 else one_way for wrong in itertools.product((0, 1), repeat=3)}
    excess = sum(max(law[wrong] - law[1 - wrong[0], wrong[1], wrong[2]], 0) for wrong in law)
    assert excess == delta  # of two patterns of coins that differ in the first
    seen, claim = Guesses(right=1, guesses=3), ApproximateDP(epsilon=0.0, delta=0.01)
    assert seen.p_value(claim) == pytest.approx(float(1 - none_right), rel=1e-12)
    assert seen.p_value_published(claim) == pytest.approx(7 / 8 + 6 * 0.01 / 8)
    assert float(1 - none_right) > seen.p_value_published(claim)


def test_the_bound_with_a_delta_is_where_its_p_value_is_what_may_fail() -> None:
    seen = Guesses(right=80, guesses=100)
    bound = seen.epsilon_lower(level=0.9, delta=1e-3)
    assert seen.p_value(ApproximateDP(epsilon=bound, delta=1e-3)) == pytest.approx(0.1, rel=1e-9)
    assert Guesses(right=60, guesses=100).epsilon_lower(delta=0.2) == 0.0
    assert Guesses(right=30, guesses=100).epsilon_lower(delta=1e-3) == 0.0


def test_so_many_guesses_that_a_float_holds_no_such_chance_keep_their_delta() -> None:
    seen = Guesses(right=7000, guesses=10_000)
    assert seen.p_value(PureDP(epsilon=0.0)) < 1e-300
    assert seen.p_value(ApproximateDP(epsilon=0.0, delta=0.2)) >= 0.2  # all coins are revealed two in ten times


# ---- secrets that share a release, and secrets that do not -----------------------------------------------------------


def test_a_chance_that_no_float_holds_is_not_rounded_down_to_none() -> None:
    every = Guesses(guesses=5_000, right=5_000)
    for claim in (PureDP(epsilon=0.0), ZeroConcentratedDP(rho=1e-6)):
        assert 0.0 < every.p_value(claim) < 1e-100
    assert 0.0 < every.p_value_own_noise(Laplace(epsilon=0.01)) < 1e-300
    assert 0.0 < UnevenGuesses(right=2_000, chances=[0.5] * 2_000).p_value(PureDP(epsilon=0.0)) < 1e-300


def test_secrets_that_share_a_gaussian_release_are_found_together_more_often_than_alone() -> None:
    claim = Gaussian(rho=0.5)
    six, ten = Guesses(right=6, guesses=6), Guesses(right=9, guesses=10)
    assert six.p_value_own_noise(claim) == pytest.approx(0.1093, abs=5e-5)
    assert ten.p_value_own_noise(claim) == pytest.approx(0.136, abs=5e-4)
    epsilons = np.linspace(0.0, 3.5, 15)
    limits = [(float(e), float(d)) for e, d in zip(epsilons, _gaussian_deltas(epsilons), strict=True)]
    reached = most_right(3, 3, limits)
    three = Guesses(right=3, guesses=3)
    assert three.p_value_own_noise(claim) + 0.02 < reached  # the binomial is no bound
    assert reached <= three.p_value(claim) + 1e-3  # on a grid of epsilons a little more is allowed
    assert six.p_value(claim) > 0.2128  # what a release is known to reach


def _gaussian_deltas(epsilons: np.ndarray) -> np.ndarray:
    from scipy.stats import norm

    return np.asarray(norm.cdf(0.5 - epsilons) - np.exp(epsilons) * norm.cdf(-0.5 - epsilons))


def test_a_claim_of_a_rho_is_tested_by_all_of_its_epsilons() -> None:
    seen = Guesses(right=95, guesses=100)
    claim = ZeroConcentratedDP(rho=0.02)
    found = seen.p_value(claim)
    for epsilon in (0.2, 0.5, 1.0, 1.5):
        assert found <= seen.p_value(ApproximateDP(epsilon=epsilon, delta=claim.delta_at(epsilon))) * 1.05
    assert seen.p_value_own_noise(claim) <= found < 0.05
    shape = trade_off(Gaussian(rho=0.02))
    assert seen.p_value(shape) == pytest.approx(seen.p_value(Gaussian(rho=0.02)), rel=1e-6)
    assert seen.p_value(Gaussian(rho=0.02)) <= found


@pytest.mark.parametrize(("gaussian", "kind"), [(False, ZeroConcentratedDP), (True, Gaussian)])
def test_the_bound_on_rho_is_the_last_that_is_contradicted(gaussian: bool, kind: Any) -> None:
    seen = Guesses(right=90, guesses=100)
    found = seen.rho_lower(gaussian=gaussian)
    assert seen.p_value(kind(rho=found)) <= 0.05 < seen.p_value(kind(rho=found * 1.01))
    assert Guesses(right=50, guesses=100).rho_lower(gaussian=gaussian) == 0.0
    assert seen.rho_lower(level=0.8, gaussian=gaussian) > found


def test_thirty_guesses_about_one_noisy_table_are_one_guess() -> None:
    """Where all follow the table they are all right together: at an epsilon of 1, 73 of 100 times."""
    all_right = Guesses(right=30, guesses=30)
    assert all_right.epsilon_lower() > 2.25 > 1.0
    assert Guesses(right=1, guesses=1).epsilon_lower() == 0.0
    assert trade_off(PureDP(epsilon=1.0)).right_guess() == pytest.approx(0.731, abs=5e-4)


# ---- coins that are not fair -----------------------------------------------------------------------------------------


def _most_right_given_the_guesses(chances: list[float], right: int, epsilon: float) -> float:
    """Largest P[at least `right` right | what was published], over all likelihoods that a pure claim allows."""
    sides = list(itertools.product((0, 1), repeat=len(chances)))  # 1: as guessed
    prior = [math.prod(c if s else 1 - c for s, c in zip(side, chances, strict=True)) for side in sides]
    rows = []
    for a, b in itertools.permutations(range(len(sides)), 2):
        if sum(np.abs(np.subtract(sides[a], sides[b]))) == 1:
            row = np.zeros(len(sides))
            row[a], row[b] = 1.0, -math.exp(epsilon)
            rows.append(row)
    gains = [-p if sum(side) >= right else 0.0 for side, p in zip(sides, prior, strict=True)]
    return float(-linprog(gains, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=[prior], b_eq=[1.0]).fun)


@pytest.mark.parametrize("chances", [[0.5, 0.5, 0.5], [0.9, 0.2, 0.6], [0.01, 0.5, 0.99]])
def test_uneven_coins_are_coupled_one_by_one(chances: list[float]) -> None:
    for right in (1, 2, 3):
        found = UnevenGuesses(right=right, chances=chances).p_value(PureDP(epsilon=0.6))
        assert found == pytest.approx(_most_right_given_the_guesses(chances, right, 0.6), abs=1e-8)
    assert UnevenGuesses(right=0, chances=chances).p_value(PureDP(epsilon=0.6)) == 1.0


def test_fair_coins_are_a_case_of_uneven_ones() -> None:
    for right in (9, 14, 20):
        even, uneven = Guesses(right=right, guesses=20), UnevenGuesses(right=right, chances=[0.5] * 20)
        assert uneven.p_value(PureDP(epsilon=0.7)) == pytest.approx(even.p_value(PureDP(epsilon=0.7)))
        assert uneven.epsilon_lower(level=0.9) == pytest.approx(even.epsilon_lower(level=0.9), abs=1e-9)


def test_a_little_evidence_from_uneven_coins_is_a_little_bound() -> None:
    seen = UnevenGuesses(right=17, chances=[0.6] * 20)
    found = seen.epsilon_lower(level=0.95)
    assert 0.0 < found < 0.3
    assert seen.p_value(PureDP(epsilon=found)) == pytest.approx(0.05)
    assert UnevenGuesses(right=16, chances=[0.6] * 20).epsilon_lower(level=0.94) < 0.1


def test_guessing_the_likely_side_is_no_evidence() -> None:
    assert UnevenGuesses(right=18, chances=[0.9] * 20).epsilon_lower() == 0.0
    assert UnevenGuesses(right=18, chances=[0.5] * 20).epsilon_lower() > 0.7


# ---- before the guesses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("true", "claimed", "needed"), [(2.0, 1.0, 46), (1.3, 1.0, 386), (1.0, 0.5, 117)])
def test_guesses_needed_against_a_claim(true: float, claimed: float, needed: int) -> None:
    rate, claim = GuessRate(float(expit(true))), PureDP(epsilon=claimed)
    assert rate.guesses_needed(claim, power=0.8) == needed
    powers = [rate.power(claim, guesses=guesses) for guesses in range(1, needed + 1)]
    assert powers[-1] >= 0.8 > max(powers[:-1])


def test_the_smallest_number_of_guesses_is_found_by_looking_at_all_of_them() -> None:
    for share, epsilon, power, level in (
        (0.8, 0.5, 0.3, 0.9),
        (0.95, 1.5, 0.7, 0.99),
        (1.0, 2.0, 0.9, 0.95),
        (0.7, 0.0, 0.05, 0.95),
    ):
        rate, claim = GuessRate(share), PureDP(epsilon=epsilon)
        powers = [rate.power(claim, guesses=guesses, level=level) >= power for guesses in range(1, 400)]
        assert rate.guesses_needed(claim, level=level, power=power) == powers.index(True) + 1


def test_the_power_counts_every_number_right_whose_p_value_is_small_enough() -> None:
    for guesses in (5, 30, 77):
        total = sum(
            float(binom.pmf(right, guesses, 0.8))
            for right in range(guesses + 1)
            if Guesses(right=right, guesses=guesses).p_value(PureDP(epsilon=0.5)) <= 0.05
        )
        assert GuessRate(0.8).power(PureDP(epsilon=0.5), guesses=guesses) == pytest.approx(total, abs=1e-12)
    assert GuessRate(1.0).power(PureDP(epsilon=3.0), guesses=2) == 0.0  # two right are too few


# ---- coverage --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("guesses", [30, 100, 300, 1000])
def test_the_bound_holds_as_often_as_it_says_and_not_much_more(epsilon: float, guesses: int) -> None:
    bounds = np.array([Guesses(right=v, guesses=guesses).epsilon_lower() for v in range(guesses + 1)])
    held = float(binom.pmf(np.arange(guesses + 1), guesses, expit(epsilon)) @ (bounds <= epsilon))
    assert 0.95 <= held <= 0.99


def test_two_thousand_simulated_audits_of_noisy_counts() -> None:
    """Every pupil has a count of her own with geometric noise, and guesses whether she is in it."""
    generator = np.random.default_rng(28)
    coins = generator.integers(0, 2, (2000, 100))
    noise = np.asarray(Geometric(epsilon=1.0).simulate_noise((2000, 100), seed=5))
    right = ((coins + noise >= 1) == (coins == 1)).sum(axis=1)
    bounds = np.array([Guesses(right=int(one), guesses=100).epsilon_lower() for one in right])
    assert 0.95 - 0.015 <= (bounds <= 1.0).mean() <= 0.99
    assert np.median(bounds) > 0.5


# ---- refusals --------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], Any], str, Code]] = [
    (lambda: Guesses(right=11, guesses=10), "right must be a whole number from 0 to 10; got 11", Code.OUT_OF_RANGE),
    (lambda: Guesses(right=1, guesses=0), "guesses must be a whole number from 1 to 1000000", Code.OUT_OF_RANGE),
    (
        lambda: Guesses(right=1, guesses=5, coins=4),
        "coins must be a whole number from 5 to 1000000000000000; got 4",
        Code.OUT_OF_RANGE,
    ),
    (lambda: Guesses(right=1, guesses=5).p_value(1.0), "claim must be a guarantee such as PureDP", Code.WRONG_TYPE),
    (
        lambda: Guesses(right=1, guesses=5).p_value_published(ZeroConcentratedDP(rho=0.1)),  # type: ignore[arg-type]
        "claim must be PureDP or ApproximateDP; got ZeroConcentratedDP",
        Code.WRONG_TYPE,
    ),
    (lambda: Guesses(right=1, guesses=5).epsilon_lower(level=1.0), r"level must lie in \(0, 1\)", Code.OUT_OF_RANGE),
    (lambda: Guesses(right=1, guesses=5).epsilon_lower(delta=1.0), r"delta must lie in \[0, 1\)", Code.OUT_OF_RANGE),
    (lambda: UnevenGuesses(right=1, chances=[0.5, 1.0]), r"chances must lie in \(0, 1\)", Code.OUT_OF_RANGE),
    (lambda: UnevenGuesses(right=1, chances=[]), "chances must hold one number for each guess", Code.WRONG_SHAPE),
    (lambda: UnevenGuesses(right=3, chances=[0.5, 0.6]), "right must be a whole number from 0 to 2", Code.OUT_OF_RANGE),
    (
        lambda: UnevenGuesses(right=1, chances=[0.5]).p_value(ApproximateDP(epsilon=1, delta=0)),  # type: ignore[arg-type]
        "claim must be PureDP, for coins that are not fair",
        Code.WRONG_TYPE,
    ),
    (lambda: GuessRate(1.5), r"share must lie in \[0, 1\]", Code.OUT_OF_RANGE),
    (
        lambda: GuessRate(0.7).guesses_needed(PureDP(epsilon=1.0)),
        r"claim must be broken by this share; got PureDP\(epsilon=1.0",
        Code.INFEASIBLE,
    ),
    (
        lambda: GuessRate(float(expit(0.5001))).guesses_needed(PureDP(epsilon=0.5)),
        "claim must need at most 1000000 guesses",
        Code.TOO_LARGE,
    ),
    (
        lambda: GuessRate(1.0).guesses_needed(PureDP(epsilon=12.7184)),  # 1,000,080
        "claim must need at most 1000000 guesses",
        Code.TOO_LARGE,
    ),
    (lambda: Guesses(right=9, guesses=9).epsilon_lower(level=1e-17), "level must be at least 1e-09", Code.OUT_OF_RANGE),
]


@pytest.mark.parametrize(("call", "words", "code"), REFUSED)
def test_what_is_no_evidence_is_refused(call: Callable[[], Any], words: str, code: Code) -> None:
    with pytest.raises(Refused, match=words) as caught:
        call()
    assert caught.value.code is code


def test_the_log_odds_of_the_share_are_the_epsilon() -> None:
    seen = Guesses(right=90, guesses=100)
    assert seen.epsilon_lower(level=0.8) == pytest.approx(float(logit(seen.share_lower(0.8))))
