"""Mechanisms of which a curve is known: between its points the worst that they allow, whatever the mechanism is."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.accuracy import count_error
from dpcore.attacks.one_count import CountAttack
from dpcore.audit import Alarms
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP
from dpcore.mechanisms import (
    Curve,
    ExponentialMechanism,
    Gaussian,
    KnownCurve,
    ShuffledRandomizedResponse,
    SubsampledGaussian,
)
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off, trade_off_over_steps


def pairs(seed: int, outputs: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Two laws on a few outputs, one of which may lack an output of the other."""
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.full(outputs, 0.6)), rng.dirichlet(np.full(outputs, 0.6))
    if seed % 3 == 0:
        q[0] = 0.0
    return p, q / q.sum()


def delta_of(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """The larger hockey-stick divergence of both orders."""
    return max(float(np.maximum(one - math.exp(epsilon) * two, 0.0).sum()) for one, two in ((p, q), (q, p)))


def missed_of(p: np.ndarray, q: np.ndarray, false_alarm: float) -> float:
    """Smallest share missed by a test of q against p, by Neyman and Pearson."""
    with np.errstate(divide="ignore"):
        order = np.argsort(-(np.log(p + 1e-300) - np.log(q + 1e-300)))
    alarms, found = np.concatenate([[0.0], np.cumsum(q[order])]), np.concatenate([[0.0], np.cumsum(p[order])])
    return 1.0 - float(np.interp(false_alarm, alarms, found))


EVERYWHERE = np.linspace(0.0, 8.0, 33)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), epsilons=st.lists(st.floats(0.0, 6.0), min_size=1, max_size=6, unique=True))
def test_points_bound_the_mechanism_they_are_of_everywhere(seed: int, epsilons: list[float]) -> None:
    p, q = pairs(seed)
    read = KnownCurve(epsilons=tuple(epsilons), deltas=tuple(delta_of(p, q, at) for at in epsilons))
    truth = np.array([delta_of(p, q, at) for at in EVERYWHERE])
    assert (np.asarray(read.delta_at(EVERYWHERE)) >= truth - 1e-12).all()
    for at in epsilons:  # and meet it where they are
        assert read.delta_at(at) <= delta_of(p, q, at) + 1e-12
    curve = trade_off(read)
    assert curve.certainty == "tight"
    for false_alarm in (0.0, 0.01, 0.2, 0.6, 0.95):
        assert curve.missed(false_alarm) <= min(missed_of(p, q, false_alarm), missed_of(q, p, false_alarm)) + 1e-12
    for prior in (0.1, 0.5, 0.8):
        guess = max(np.maximum(prior * one, (1 - prior) * two).sum() for one, two in ((p, q), (q, p)))
        assert curve.right_guess(prior=prior) >= guess - 1e-12


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), rates=st.lists(st.floats(0.001, 0.999), min_size=1, max_size=8, unique=True))
def test_points_of_a_trade_off_bound_the_mechanism_between_them(seed: int, rates: list[float]) -> None:
    p, q = pairs(seed)
    x = np.sort(rates)
    missed = [min(missed_of(p, q, at), missed_of(q, p, at)) for at in x]
    read = KnownCurve.of_trade_off(false_alarms=x, missed=np.minimum.accumulate(missed))
    truth = np.array([delta_of(p, q, at) for at in EVERYWHERE])
    assert (np.asarray(read.delta_at(EVERYWHERE)) >= truth - 1e-12).all()


def test_a_chord_of_a_trade_off_would_be_too_favourable() -> None:
    """At .1 and .5 the curve of Gaussian noise is read; halfway it finds more than the chord says."""
    exact = trade_off(Gaussian(rho=0.5))
    read = KnownCurve.of_trade_off(false_alarms=[0.1, 0.5], missed=[exact.missed(0.1), exact.missed(0.5)])
    chord = (exact.detection(0.1) + exact.detection(0.5)) / 2
    assert chord < exact.detection(0.3) <= trade_off(read).detection(0.3)


def test_many_points_come_near_the_curve_itself() -> None:
    noise = Gaussian(rho=0.5)
    exact, rates = trade_off(noise), np.linspace(0.0005, 0.9995, 2000)
    fine = KnownCurve.of_trade_off(false_alarms=rates, missed=exact.missed(rates))
    assert exact.right_guess() <= trade_off(fine).right_guess() <= exact.right_guess() + 6e-4
    epsilons = np.linspace(0.0, 8.0, 400)
    points = KnownCurve(epsilons=tuple(epsilons), deltas=tuple(PrivacyLoss.of(noise).delta_at(epsilons)))
    assert exact.right_guess() <= trade_off(points).right_guess() + 1e-12 <= exact.right_guess() + 1e-4


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sums_of_a_known_curve_bound_the_sums_of_the_mechanism(seed: int) -> None:
    p, q = pairs(seed, 4)
    epsilons = np.linspace(0.0, 4.0, 9)
    read = KnownCurve(epsilons=tuple(epsilons), deltas=tuple(delta_of(p, q, at) for at in epsilons))
    three = [np.array([math.prod(one) for one in itertools.product(law, repeat=3)]) for law in (p, q)]
    loss = PrivacyLoss.of(read, 3)
    for at in (0.0, 0.3, 1.0, 2.5):
        assert loss.delta_at(at) >= delta_of(*three, at) - 1e-9
    assert loss.epsilon_at(0.9) <= 3 * 4.0 or loss.infinite_mass > 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sums_of_losses_that_are_known_whole_are_met_from_above(seed: int) -> None:
    """Of response with three losses in each order; none of them lies on the lattice on which they are added up."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet([1.0, 1.0, 1.0])
    q = p[rng.permutation(3)]
    three = [np.array([math.prod(one) for one in itertools.product(law, repeat=3)]) for law in (p, q)]
    loss = np.log(p / q)
    read = KnownCurve.of_losses(loss, p, reverse=(-loss, q, 0.0))
    summed = PrivacyLoss.of(read, 3)
    for at in (0.0, 0.2, 0.7):
        assert read.delta_at(at) >= delta_of(p, q, at) - 1e-12
        assert summed.delta_at(at) >= delta_of(*three, at) - 1e-12
    response = KnownCurve.of_losses([-0.7, 0.7], [1 / (1 + math.exp(0.7)), 1 / (1 + math.exp(-0.7))])
    mixed = PrivacyLoss(((response, 3), (KnownCurve(epsilons=(0.31,), deltas=(0.0,)), 2)))
    exact = PrivacyLoss(((PureDP(epsilon=0.7), 3), (PureDP(epsilon=0.31), 2)))
    for at in np.linspace(0.0, 2.5, 26):
        assert exact.delta_at(at) <= mixed.delta_at(at) + 1e-12 <= exact.delta_at(at) + 2e-4


def test_the_worse_of_both_orders_is_read() -> None:
    """A loss that is larger in the reverse order: an output that only the second world has."""
    p, q = np.array([0.9, 0.1]), np.array([0.5, 0.1])  # and .4 elsewhere
    loss = np.log(p / q)
    for read in (KnownCurve.of_losses(loss, p, reverse=(-loss, q, 0.4)), KnownCurve.of_losses(loss, p)):
        for at in (0.0, 0.3, 1.5):
            assert read.delta_at(at) == pytest.approx(0.4, abs=1e-12)


def test_points_that_lie_a_last_digit_apart_are_a_curve_like_any_other() -> None:
    epsilons = (0.3, math.nextafter(0.3, 1.0), 1.0)
    read = KnownCurve(epsilons=epsilons, deltas=(0.01, 0.01 - 1e-17, 0.001))
    beside = KnownCurve(epsilons=epsilons[1:], deltas=read.deltas[1:])
    assert PrivacyLoss.of(read).delta_at([0.0, 0.3, 0.7]) == pytest.approx(
        PrivacyLoss.of(beside).delta_at([0, 0.3, 0.7])
    )


def test_two_points_of_one_guarantee_are_that_guarantee() -> None:
    own = ApproximateDP(epsilon=1.2, delta=0.01)
    read = KnownCurve(epsilons=(1.2,), deltas=(0.01,))
    at = np.linspace(0.0, 2.0, 21)
    assert read.delta_at(at) == pytest.approx(own.delta_at(at), rel=1e-12)
    for count in (1, 5):
        ours, theirs = PrivacyLoss.of(read, count), PrivacyLoss.of(own, count)
        assert ours.epsilon_at(0.06) == pytest.approx(theirs.epsilon_at(0.06), abs=1e-6)
        assert ours.every_view_epsilon(0.1) == pytest.approx(theirs.every_view_epsilon(0.1), abs=1e-6)
    for x in (0.0, 0.05, 0.3):
        assert trade_off(read).detection(x) == pytest.approx(trade_off(own).detection(x), abs=1e-12)
    assert trade_off(KnownCurve(epsilons=(0.0,), deltas=(0.2,))).right_guess() == pytest.approx(0.6)
    alarms = Alarms(draws_absent=400, alarms_absent=100, draws_present=400, alarms_present=300)
    assert alarms.p_value(read) == pytest.approx(alarms.p_value(own), rel=1e-6)


@pytest.mark.parametrize("steps", [1, 2, 3, 7])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.6, 0.0), (0.5, 0.02), (2.0, 0.001)])
def test_a_curve_over_several_steps_is_its_guarantee_over_them(epsilon: float, delta: float, steps: int) -> None:
    ours = trade_off_over_steps(KnownCurve(epsilons=(epsilon,), deltas=(delta,)), steps=steps)
    theirs = trade_off_over_steps(ApproximateDP(epsilon=epsilon, delta=delta), steps=steps)
    assert ours.certainty == theirs.certainty == "tight"
    x = np.linspace(0.0, 1.0, 101)
    assert ours.detection(x) == pytest.approx(theirs.detection(x), abs=1e-12)
    assert ours.missed(x) == pytest.approx(theirs.missed(x), rel=1e-9, abs=1e-15)
    assert ours.right_guess(prior=0.3) == pytest.approx(theirs.right_guess(prior=0.3), abs=1e-12)


def test_several_steps_of_a_smooth_curve_are_bounded_from_close_by() -> None:
    """Gaussian noise over three steps is that of three times the shift."""
    epsilons = np.linspace(0.0, 6.0, 600)
    read = KnownCurve(epsilons=tuple(epsilons), deltas=tuple(PrivacyLoss.of(Gaussian(rho=0.08)).delta_at(epsilons)))
    exact, ours = trade_off(Gaussian(rho=0.72)), trade_off_over_steps(read, steps=3)
    x = np.linspace(0.001, 0.999, 200)
    assert (np.asarray(ours.detection(x)) >= np.asarray(exact.detection(x)) - 1e-12).all()
    assert ours.detection(x) == pytest.approx(exact.detection(x), abs=2e-4)
    with pytest.raises(Refused, match="be at most 64 of a curve"):
        trade_off_over_steps(read, steps=65)


def test_losses_are_read_as_their_library_adds_them_up() -> None:
    pytest.importorskip("dp_accounting")
    from dp_accounting.pld import privacy_loss_distribution as pld

    law = pld.from_gaussian_mechanism(2.0, value_discretization_interval=1e-3, sampling_prob=0.3)
    read = KnownCurve.of_losses(*fields(law._pmf_remove), reverse=fields_and_rest(law._pmf_add))
    at = np.linspace(0.0, 3.0, 61)
    assert read.delta_at(at) == pytest.approx(law.get_delta_for_epsilon(at), rel=1e-9, abs=1e-15)
    many = law.self_compose(40)
    bound = PrivacyLoss.of(read, 40)
    assert many.get_epsilon_for_delta(1e-6) <= bound.epsilon_at(1e-6) * (1 + 1e-6)
    rounded = pld.PrivacyLossDistribution.create_from_rounded_probability(
        {-2: 0.2, 0: 0.3, 3: 0.4}, infinity_mass=0.1, value_discretization_interval=0.25
    )
    by_hand = KnownCurve.of_losses([-0.5, 0.0, 0.75], [0.2, 0.3, 0.4], infinity_mass=0.1)
    assert by_hand.delta_at(0.5) == pytest.approx(rounded.get_delta_for_epsilon(0.5), rel=1e-12)


def fields(pmf: Any) -> tuple[np.ndarray, np.ndarray]:
    """Losses and probabilities of the library's law."""
    dense = pmf.to_dense_pmf()
    steps = dense._lower_loss + np.arange(dense.size)
    return steps * dense._discretization, dense._probs


def fields_and_rest(pmf: Any) -> tuple[np.ndarray, np.ndarray, float]:
    """The same, with the probability of an infinite loss."""
    return *fields(pmf), pmf._infinity_mass


REFUSED = [
    (lambda: KnownCurve(epsilons=(), deltas=()), "epsilons", Code.WRONG_SHAPE, "a row"),
    (lambda: KnownCurve(epsilons=(1.0, -0.1), deltas=(0.0, 0.1)), "epsilons", Code.OUT_OF_RANGE, "row 2"),
    (lambda: KnownCurve(epsilons=(1.0, 2.0), deltas=(0.0, math.nan)), "deltas", Code.OUT_OF_RANGE, "row 2"),
    (lambda: KnownCurve(epsilons=(1.0, 2.0), deltas=(0.0,)), "deltas", Code.WRONG_SHAPE, "2"),
    (
        lambda: KnownCurve.of_trade_off(false_alarms=[0.1, 0.1], missed=[0.5, 0.4]),
        "false_alarms",
        Code.WRONG_ORDER,
        "row 2",
    ),
    (
        lambda: KnownCurve.of_trade_off(false_alarms=[0.1, 0.2], missed=[0.5, 0.6]),
        "missed",
        Code.WRONG_ORDER,
        "row 2",
    ),
    (lambda: KnownCurve.of_trade_off(false_alarms=[0.3], missed=[0.8]), "missed", Code.WRONG_ORDER, "row 1"),
    (lambda: KnownCurve.of_losses([0.0, 1.0], [0.6, 0.6]), "probabilities", Code.INCONSISTENT, "at most 1"),
    (lambda: count_error(KnownCurve(epsilons=(1.0,), deltas=(0.0,))), "mechanism", Code.WRONG_TYPE, ""),
    (
        lambda: CountAttack(KnownCurve(epsilons=(1.0,), deltas=(0.0,)), prior=0.5),
        "mechanism",
        Code.UNSUPPORTED,
        "add noise to a count",
    ),
    (
        lambda: PrivacyLoss.of(SubsampledGaussian(noise_multiplier=2.0, rate=0.1, steps=3)).loss_quantile(0.9),
        "source",
        Code.UNSUPPORTED,
        "no law of tails",
    ),
]


@pytest.mark.parametrize(("call", "name", "code", "words"), REFUSED)
def test_what_no_curve_can_be_is_refused_by_name_row_and_code(call: Any, name: str, code: Code, words: str) -> None:
    with pytest.raises(Refused) as refused:
        call()
    assert (refused.value.name, refused.value.code) == (name, code)
    assert words in str(refused.value)


# ---- the exponential mechanism


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), epsilon=st.floats(0.05, 4.0))
def test_no_choice_by_scores_tells_more_than_the_curve(seed: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 3, 6)
    moved = scores + rng.uniform(-1, 1, 6)
    p, q = (np.exp(epsilon * one / 2) / np.exp(epsilon * one / 2).sum() for one in (scores, moved))
    curve = ExponentialMechanism(epsilon=epsilon)
    assert all(curve.delta_at(at) >= delta_of(p, q, at) - 1e-12 for at in np.linspace(0, epsilon, 9))


def two_losses(t: float, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """The pair whose loss is t or t - epsilon."""
    p = np.array([math.exp(epsilon) - math.exp(t), math.exp(t) - 1.0]) / math.expm1(epsilon)
    return p, p * np.exp(-np.array([t, t - epsilon]))


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_the_exponential_curve_is_the_worst_pair_of_a_range(epsilon: float) -> None:
    curve, grid = ExponentialMechanism(epsilon=epsilon), np.linspace(0.0, epsilon, 2001)
    for at in (0.0, 0.4 * epsilon, 0.9 * epsilon):
        searched = max(np.maximum(p - math.exp(at) * q, 0).sum() for p, q in (two_losses(t, epsilon) for t in grid))
        assert searched <= curve.delta_at(at) + 1e-12 <= searched + 1e-6
    assert curve.delta_at(epsilon) == 0.0
    assert curve.guarantee == PureDP(epsilon=epsilon)


@pytest.mark.parametrize("releases", [2, 3])
def test_mechanisms_fixed_beforehand_are_worst_at_one_pair_for_all(releases: int) -> None:
    epsilon = 0.8
    curve, grid = ExponentialMechanism(epsilon=epsilon), np.linspace(0.0, epsilon, 13 if releases == 3 else 41)
    for at in (0.0, 0.5, 1.1):
        exact = curve.delta_of_fixed(at, releases=releases)
        searched = 0.0
        for each in itertools.combinations_with_replacement(grid, releases):
            laws = [two_losses(t, epsilon) for t in each]
            p, q = (
                np.array([math.prod(one) for one in itertools.product(*(law[side] for law in laws))])
                for side in range(2)
            )
            searched = max(searched, float(np.maximum(p - math.exp(at) * q, 0.0).sum()))
        assert searched <= exact + 1e-12 <= searched + 4e-3
        assert (
            exact
            <= PrivacyLoss.of(curve, releases).delta_at(at)
            < PrivacyLoss.of(PureDP(epsilon=epsilon), releases).delta_at(at)
        )


@pytest.mark.parametrize("epsilon", [1e-4, 1e-8, 1e-12])
def test_the_losses_of_an_exponential_mechanism_are_as_fine_as_its_range(epsilon: float) -> None:
    """One release is its closed form, from above. Its small losses are uniform: a sum of ten is Irwin's and Hall's."""

    def excess(at: float) -> float:
        """E[(S - at)+] of ten numbers from -1 to 1."""
        powers = [(-1) ** k * math.comb(10, k) * max(10 - 2 * k - at, 0.0) ** 11 for k in range(11)]
        return math.fsum(powers) / 2**10 / math.factorial(11)

    curve, grid = ExponentialMechanism(epsilon=epsilon), epsilon * np.array([0.1, 0.5, 0.9])
    one, ten = PrivacyLoss.of(curve), PrivacyLoss.of(curve, 10)
    assert (one.delta_at(grid) / curve.delta_at(grid)) == pytest.approx(1.0, rel=1e-4)
    assert (one.delta_at(grid) >= curve.delta_at(grid) * (1 - 1e-12)).all()
    assert ten.delta_at(grid) / epsilon == pytest.approx([excess(at) for at in (0.1, 0.5, 0.9)], rel=1e-3)
    assert ten.epsilon_at(epsilon * excess(0.5)) / epsilon == pytest.approx(0.5, rel=1e-3)


def test_the_losses_of_rare_noisy_samples_are_as_fine_as_they_are_small() -> None:
    """Every epsilon at a delta lies less than a hundredth above the one at which the curve itself comes down to it."""
    curve = SubsampledGaussian(noise_multiplier=50.0, rate=1e-3, steps=1)
    loss = PrivacyLoss.of(curve)
    for epsilon in (1e-5, 3e-5, 5e-5):
        assert epsilon * (1 - 1e-9) <= loss.epsilon_at(curve.delta_at(epsilon)) <= epsilon * 1.01
    many, exact = PrivacyLoss.of(curve, 10_000), SubsampledGaussian(noise_multiplier=50.0, rate=1e-3, steps=10_000)
    for epsilon in (1e-4, 3e-3):
        assert exact.delta_bounds(epsilon)[0] <= many.delta_at(epsilon) <= 1.05 * exact.delta_at(epsilon)


def test_a_delta_of_epsilon_zero_above_every_curve_that_falls_so_far_takes_no_mass_from_the_others() -> None:
    """A bound of one half at 0 and a thousandth from 1/4096 to 1/2: what those two points allow, and no less."""

    class Loose(Curve):
        name = label = "loose"
        last_epsilon = 1.0

        def delta_at(self, epsilon: Any) -> Any:
            at = np.asarray(epsilon)
            return np.select([at < 1 / 8192, at < 0.5], [0.5, 1e-3], 0.0)

    loss, known = PrivacyLoss.of(Loose()), KnownCurve(epsilons=(1 / 4096, 0.5), deltas=(1e-3, 0.0))
    for epsilon in (0.0, 1e-4, 0.01, 0.4):
        assert loss.delta_at(epsilon) == pytest.approx(known.delta_at(epsilon), rel=1e-9)


# ---- shuffled randomised response


@pytest.mark.parametrize("people", [1, 2, 5, 7])
def test_a_shuffled_count_is_what_all_answers_make_it(people: int) -> None:
    epsilon = 1.1
    told = ShuffledRandomizedResponse(epsilon=epsilon, people=people)
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    for at in (0.0, 0.2, 0.7):
        worst = 0.0
        for others in itertools.product((0, 1), repeat=people - 1):
            laws = np.zeros((2, people + 1))
            for own in (0, 1):
                for said in itertools.product((0, 1), repeat=people):
                    chance = math.prod(keep if a == b else 1 - keep for a, b in zip((own, *others), said, strict=True))
                    laws[own, sum(said)] += chance
            worst = max(worst, delta_of(laws[0], laws[1], at))
        low, high = told.delta_bounds(at)
        assert low - 1e-15 <= worst <= high + 1e-15
        assert high - low < 1e-10


def test_the_shuffle_of_many_lies_between_close_bounds() -> None:
    at = np.array([0.0, 0.02, 0.05])
    fewer = ShuffledRandomizedResponse(epsilon=1.0, people=129)
    low, high = fewer.delta_bounds(np.array([0.0, 0.2, 0.6]))
    assert high == pytest.approx(low, rel=1e-9)
    for people in (1_000, 20_000):
        many = ShuffledRandomizedResponse(epsilon=1.0, people=people)
        below, above = many.delta_bounds(at)
        assert (below <= above).all()
        assert (above < fewer.delta_at(at)).all()
        assert (below[:2] > 0.96 * above[:2]).all()
    assert trade_off(many).right_guess() < 0.51 < trade_off(PureDP(epsilon=1.0)).right_guess()


def test_every_table_of_the_others_stays_below_the_curve_of_many() -> None:
    many = ShuffledRandomizedResponse(epsilon=0.8, people=400)
    above = many.delta_at(0.1)
    each = [many._deltas(yes, 399 - yes, np.array([0.1]))[1][0] for yes in range(0, 400, 7)]
    assert max(each) <= above < 1.03 * max(each)


@pytest.mark.parametrize(
    "curve", [ExponentialMechanism(epsilon=1e-9), SubsampledGaussian(noise_multiplier=1e6, rate=1e-9, steps=1)]
)
def test_losses_far_smaller_than_the_lattice_of_a_curve_are_answered(curve: Curve) -> None:
    loss = PrivacyLoss.of(curve)
    assert loss.epsilon_at(1e-5) < 1e-4
    assert 0.0 <= loss.every_view_epsilon(1e-9) < 1e-2
