"""Relatives who resemble: limits against programs over all releases, counts against sums, bounds against counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import logit
from scipy.stats import norm

from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.relatives import Relative, Relatives, RelativesCount, ShiftLimits, joint_shift_limits
from tests.each import each


def alike(yes: Sequence[float], no: Sequence[float]) -> Relatives:
    return Relatives.of_shares(share_if_yes=yes, share_if_no=no)


# Pure epsilon, against a linear program over every release and every event


def program(one: np.ndarray, other: np.ndarray, epsilon: float) -> float:
    """ln of the largest ratio of an event's chances: her value, the first axis, is 1 in one world and 0 in the other.

    Unknown are the chances of the event for each table, times the factor that makes the second world's chance one.
    """
    shape = (2, *one.shape)
    tables = list(product(*(range(size) for size in shape)))
    number = {table: place for place, table in enumerate(tables)}
    factor, rows = len(tables), []
    for table in tables:
        row = np.zeros(factor + 1)
        row[number[table]], row[factor] = 1.0, -1.0
        rows.append(row)
        for axis, size in enumerate(shape):
            for value in set(range(size)) - {table[axis]}:
                near = (*table[:axis], value, *table[axis + 1 :])
                row = np.zeros(factor + 1)
                row[number[table]], row[number[near]] = 1.0, -math.exp(epsilon)
                rows.append(row)
                row = np.zeros(factor + 1)  # the complement of the event
                row[factor], row[number[table]], row[number[near]] = 1.0 - math.exp(epsilon), -1.0, math.exp(epsilon)
                rows.append(row)
    gain, chance = np.zeros(factor + 1), np.zeros(factor + 1)
    for combination in product(*(range(size) for size in one.shape)):
        gain[number[(1, *combination)]], chance[number[(0, *combination)]] = one[combination], other[combination]
    found = linprog(-gain, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=[chance], b_eq=[1.0])
    return math.log(-found.fun)


def together(laws: Sequence[Sequence[float]]) -> np.ndarray:
    """Chances of all combinations of independent values."""
    table = np.ones(())
    for law in laws:
        table = np.multiply.outer(table, np.asarray(law))
    return table


@pytest.mark.parametrize("seed", range(12))
def test_the_limits_are_those_of_a_program_over_every_release(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = [int(size) for size in rng.integers(2, 4, int(rng.integers(1, 4)))]
    yes, no = ([rng.dirichlet(np.ones(size)).tolist() for size in values] for _ in range(2))
    epsilon = float(rng.uniform(0.1, 1.5))
    limits = Relatives([Relative(if_yes=a, if_no=b) for a, b in zip(yes, no, strict=True)]).shift_limits(
        epsilon=epsilon
    )
    assert program(together(yes), together(no), epsilon) == pytest.approx(limits.up, abs=1e-7)
    assert program(together(no), together(yes), epsilon) == pytest.approx(limits.down, abs=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_relatives_who_hang_together_have_the_limits_of_the_program_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = [int(size) for size in rng.integers(2, 4, int(rng.integers(1, 4)))]
    yes, no = (rng.dirichlet(np.full(math.prod(shape), 0.3)).reshape(shape) for _ in range(2))
    limits = joint_shift_limits(if_yes=yes, if_no=no, epsilon=0.8)
    assert program(yes, no, 0.8) == pytest.approx(limits.up, abs=1e-6)
    assert program(no, yes, 0.8) == pytest.approx(limits.down, abs=1e-6)


@pytest.mark.parametrize(
    ("relatives", "epsilon"),
    [(1, 18.0), (3, 6.0), (7, 18 / 7), (3, 0.1), (3, 0.099), (2, 1e-9), (3, 1e-13), (2, 1e-300)],
)
def test_the_program_keeps_its_digits_at_the_smallest_epsilon_and_up_to_its_largest_range(
    relatives: int, epsilon: float
) -> None:
    rng = np.random.default_rng(relatives)
    yes, no = rng.random(relatives), rng.choice([0.0, 0.01, 0.5, 1.0], relatives)
    joint = joint_shift_limits(
        if_yes=together([(1 - share, share) for share in yes]),
        if_no=together([(1 - share, share) for share in no]),
        epsilon=epsilon,
    )
    limits = alike(yes, no).shift_limits(epsilon=epsilon)
    assert (joint.up, joint.down) == (pytest.approx(limits.up, rel=1e-12), pytest.approx(limits.down, rel=1e-12))


TABLE = [
    (1.0, 4, 0.8, 0.3, 10.46, 11.98, 2.49, 0.425),
    (1.0, 4, 0.9, 0.1, 27.9, 27.9, 3.33, 0.307),
    (1.0, 4, 0.5, 0.01, 16.6, 8.34, 2.81, 0.399),
    (0.5, 5, 0.5, 0.02, 4.82, 3.84, 1.58, 0.339),
    (1.0, 4, 1.0, 0.0, 54.6, 54.6, 4.0, 0.260),
]
"""ε, records, shares if yes and if no; ratios up and down, effective ε, budget for a cap of 13 on 5 in 100."""


@pytest.mark.parametrize(("epsilon", "records", "yes", "no", "up", "down", "effective", "budget"), TABLE)
def test_equal_relatives_have_the_ratios_of_another_program(
    epsilon: float, records: int, yes: float, no: float, up: float, down: float, effective: float, budget: float
) -> None:
    relatives = alike([yes] * (records - 1), [no] * (records - 1))
    limits = relatives.shift_limits(epsilon=epsilon)
    for found, printed in ((math.exp(limits.up), up), (math.exp(limits.down), down)):
        assert found == pytest.approx(printed, abs=0.006 if printed < 12 else 0.06)
    assert math.ceil(100 * limits.epsilon - 1e-9) / 100 == effective
    assert relatives.epsilon_from_posterior(prior=0.05, cap=0.13) == pytest.approx(budget, abs=1e-3)


def test_a_belief_of_5_in_100_reaches_13_alone_36_with_relatives_and_75_with_copies() -> None:
    reached = [
        math.ceil(100 * alike([yes] * 3, [no] * 3).shift_limits(epsilon=1.0).posterior_bounds(prior=0.05)[1])
        for yes, no in ((0.3, 0.3), (0.8, 0.3), (1.0, 0.0))
    ]
    assert reached == [13, 36, 75]


def test_as_many_relatives_as_the_rule_says_are_taken_and_not_one_more() -> None:
    (one,) = alike([0.8], [0.3]).members
    assert len(Relatives((one,) * 5_000).members) == 5_000
    with pytest.raises(Refused, match="members must be at most 5000; got 5001"):
        Relatives((one,) * 5_001)


def test_one_coin_for_all_relatives_may_tell_more_or_less_than_their_own_coins() -> None:
    for yes, no, printed in ((0.8, 0.3, 6.58), (0.5, 0.01, 24.1)):
        law = [np.zeros((2, 2, 2)), np.zeros((2, 2, 2))]
        for table, share in zip(law, (yes, no), strict=True):
            table[0, 0, 0], table[1, 1, 1] = 1 - share, share
        limits = joint_shift_limits(if_yes=law[0], if_no=law[1], epsilon=1.0)
        more = math.expm1(3.0)
        assert math.exp(limits.up) == pytest.approx(math.e * (1 + yes * more) / (1 + no * more), rel=1e-12)
        assert math.exp(limits.up) == pytest.approx(printed, abs=0.06)


@pytest.mark.parametrize(("epsilon", "factor"), [(0.1, 1.11), (1.0, 4.3)])
def test_a_hundred_neighbours_who_hardly_resemble_her_are_not_nothing(epsilon: float, factor: float) -> None:
    up = alike([0.11] * 100, [0.10] * 100).shift_limits(epsilon=epsilon).up
    assert math.exp(up - epsilon) == pytest.approx(factor, abs=0.05 if factor > 2 else 0.005)


def test_a_small_budget_and_a_huge_one_keep_their_digits() -> None:
    relatives = alike([0.9, 0.2], [0.1, 0.6])
    assert relatives.shift_limits(epsilon=1e-12).up == pytest.approx(1e-12 * (1 + 0.8 + 0.4), rel=1e-9)
    huge = relatives.shift_limits(epsilon=2_000.0)
    assert huge.up == pytest.approx(2_000 + math.log(9) + math.log(0.8 / 0.4), rel=1e-12)
    certain = alike([1.0], [0.0]).shift_limits(epsilon=2_000.0)
    assert (certain.up, certain.down) == (4_000.0, 4_000.0)


def test_a_budget_is_rounded_down_and_the_limit_is_used_up() -> None:
    relatives = alike([0.3, 0.05, 0.9, 0.4], [0.01, 0.05, 0.7, 0.6])
    for prior, cap in ((0.05, 0.13), (0.3, 0.6), (1e-6, 0.9), (0.5, 0.5000001)):
        budget = relatives.epsilon_from_posterior(prior=prior, cap=cap)
        allowed = logit(cap) - logit(prior)
        assert relatives.shift_limits(epsilon=budget).up <= allowed + 1e-15
        assert relatives.shift_limits(epsilon=budget).up == pytest.approx(allowed, rel=1e-9)
    assert relatives.epsilon_from_posterior(prior=0.0, cap=0.1) == math.inf
    assert relatives.epsilon_from_posterior(prior=0.1, cap=1.0) == math.inf


# What the reader knows of them


def test_known_relatives_move_the_belief_before_the_release_and_the_others_after_it() -> None:
    siblings = alike([0.6, 0.6], [0.05, 0.1])
    nobody, one = (siblings.belief_knowing(seen, prior=0.02) for seen in ([None, None], [1, None]))
    assert (round(nobody, 12), round(one, 2)) == (0.02, 0.2)
    assert siblings.belief_knowing([1, 0], prior=0.02) == pytest.approx(1 / (1 + 49 / (12 * 4 / 9)))
    rises = [siblings.unknown(seen).shift_limits(epsilon=0.5).up for seen in ([None, None], [1, None], [1, 0])]
    assert rises[0] > rises[1] > rises[2] == 0.5
    after = [
        ShiftLimits(rise, 0.0).posterior_bounds(prior=before)[1]
        for rise, before in zip(rises, (nobody, one), strict=False)
    ]
    assert after[1] > after[0], "who knows more gains less, and ends higher"


# One count, against enumeration


def enumerated(relatives: Relatives, noise: Any, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """Chances of each noisy count in both worlds, from every combination of the relatives' answers."""
    counts = np.arange(-reach, reach + len(relatives.members) + 2)
    worlds = []
    for hers, side in ((1, "if_yes"), (0, "if_no")):
        law = np.zeros(counts.size)
        for answers in product((0, 1), repeat=len(relatives.members)):
            chance = math.prod(
                getattr(one, side)[answer] for one, answer in zip(relatives.members, answers, strict=True)
            )
            law += chance * np.asarray(noise.pmf(counts - hers - sum(answers)))
        worlds.append(law)
    return worlds[0], worlds[1]


HOUSEHOLDS = {
    "alike": alike([0.8, 0.9, 0.5], [0.3, 0.2, 0.1]),
    "mixed": alike([0.8, 0.1, 0.5], [0.3, 0.7, 0.5]),
    "nobody": Relatives(()),
}


@pytest.mark.parametrize("noise", [Geometric(epsilon=0.7), DiscreteGaussian(rho=0.2)], ids=str)
@pytest.mark.parametrize("which", HOUSEHOLDS)
def test_a_count_tells_what_an_enumeration_tells(which: str, noise: Any) -> None:
    relatives = HOUSEHOLDS[which]
    count = RelativesCount(relatives, noise)
    yes, no = enumerated(relatives, noise, 60)
    with np.errstate(divide="ignore"):
        ratios = np.log(yes) - np.log(no)
    for prior in (0.05, 0.5, 0.8):
        best = np.maximum(prior * yes, (1 - prior) * no).sum()
        assert count.right_guess(prior=prior) == pytest.approx(best, abs=1e-12)
        assert count.posterior(1, prior=prior) == pytest.approx(
            prior * yes[61] / (prior * yes[61] + (1 - prior) * no[61])
        )
    for shift in (0.0, 0.3, 1.1):
        for side, law in (("present", yes), ("absent", no)):
            rise, fall = law[ratios > shift + 1e-9].sum(), law[ratios < -shift - 1e-9].sum()
            assert count.exceedance(shift, side=side) == pytest.approx(rise, abs=1e-12)  # type: ignore[call-overload]
            found = [count.exceedance([shift], side=side, direction=way)[0] for way in ("fall", "either")]  # type: ignore[call-overload]
            assert found == [pytest.approx(fall, abs=1e-12), pytest.approx(rise + fall, abs=1e-12)]
    order = np.argsort(-ratios)
    alarms, detections = np.append(0, np.cumsum(no[order])), np.append(0, np.cumsum(yes[order]))
    asked = np.array([0.0, 1e-4, 0.05, 0.3, 0.9, 1.0])
    assert count.detection(asked) == pytest.approx(np.interp(asked, alarms, detections), abs=1e-10)


@pytest.mark.parametrize("noise", [Gaussian(rho=0.2), Laplace(epsilon=0.7), Gaussian(rho=30.0)], ids=str)
@pytest.mark.parametrize("which", HOUSEHOLDS)
def test_a_count_with_continuous_noise_tells_what_an_integral_tells(which: str, noise: Any) -> None:
    relatives = HOUSEHOLDS[which]
    count = RelativesCount(relatives, noise)
    step = noise.std / 1_000
    y = np.arange(-30 * noise.std, 4 + 30 * noise.std, step) + step / 2
    pmf = type("At", (), {"pmf": staticmethod(lambda at: np.exp(noise.log_pdf(at)))})
    worlds = []
    for hers, side in ((1, "if_yes"), (0, "if_no")):
        law = np.zeros(y.size)
        for answers in product((0, 1), repeat=len(relatives.members)):
            chance = math.prod(
                getattr(one, side)[answer] for one, answer in zip(relatives.members, answers, strict=True)
            )
            law += chance * pmf.pmf(y - hers - sum(answers))
        worlds.append(law * step)
    yes, no = worlds
    for prior in (0.05, 0.5, 0.8):
        assert count.right_guess(prior=prior) == pytest.approx(
            np.maximum(prior * yes, (1 - prior) * no).sum(), abs=2e-6
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(yes) - np.log(no)
    assert count.exceedance(0.4, side="absent") == pytest.approx(no[ratios > 0.4].sum(), abs=1e-3)
    x = np.linspace(0, 1, 101)
    best = float((count.detection(x) * 0.5 + 0.5 * (1 - x)).max())
    assert best <= count.right_guess() + 1e-12 < best + 6e-3


@pytest.mark.parametrize(
    ("noise", "printed"),
    [(Gaussian(rho=0.2), (76.4, 84.7, 89.7, 62.4)), (DiscreteGaussian(rho=0.2), (76.2, 83.9, 88.9, None))],
    ids=str,
)
def test_the_right_guess_of_a_count_is_that_of_another_program(noise: Any, printed: tuple[float | None, ...]) -> None:
    households = [alike([yes] * 3, [no] * 3) for yes, no in ((0.8, 0.3), (0.9, 0.1), (1.0, 0.0))]
    for relatives, guess in zip([*households, Relatives(())], printed, strict=True):
        if guess is not None:
            assert round(100 * RelativesCount(relatives, noise).right_guess(), 1) == guess


def test_of_one_given_count_who_knows_the_others_may_learn_more() -> None:
    noise = Gaussian(rho=0.2)
    unsure = RelativesCount(alike([0.5] * 3, [0.5] * 3), noise)
    knowing = RelativesCount(Relatives(()), noise)
    assert [round(100 * count.right_guess(), 1) for count in (unsure, knowing)] == [60.9, 62.4]


@pytest.mark.parametrize("noise", [Geometric(epsilon=0.7), Laplace(epsilon=0.7)], ids=str)
def test_a_count_of_relatives_who_are_alike_tells_as_much_as_any_release(noise: Any) -> None:
    found, limits = (
        RelativesCount(HOUSEHOLDS["alike"], noise).shift_limits,
        HOUSEHOLDS["alike"].shift_limits(epsilon=0.7),
    )
    assert (found.up, found.down) == (pytest.approx(limits.up, rel=1e-12), pytest.approx(limits.down, rel=1e-12))
    mixed = RelativesCount(HOUSEHOLDS["mixed"], noise).shift_limits
    assert mixed.up < HOUSEHOLDS["mixed"].shift_limits(epsilon=0.7).up


@pytest.mark.parametrize("noise", [Gaussian(rho=0.2), DiscreteGaussian(rho=0.2)], ids=str)
def test_a_relative_who_is_her_mirror_image_hides_her_from_a_count(noise: Any) -> None:
    hidden = RelativesCount(alike([0.0], [1.0]), noise)
    assert (hidden.shift_limits, hidden.right_guess(prior=0.3)) == (ShiftLimits(0.0, 0.0), 0.7)
    hardly = RelativesCount(alike([0.0, 0.6], [1.0, 0.4]), noise)  # counts of 1 or 2 in both worlds
    assert hardly.shift_limits.up == pytest.approx(math.log(1.5))
    assert hardly.shift_limits.down == pytest.approx(math.log(1.5))
    assert RelativesCount(alike([0.6], [0.4]), noise).shift_limits == ShiftLimits(math.inf, math.inf)
    one_way = RelativesCount(alike([0.5], [1.0]), noise).shift_limits  # counts of 1 or 2 against 1
    assert (one_way.up, one_way.down) == (math.inf, pytest.approx(math.log(2)))


# Zero-concentrated releases


def rényi(relatives: Relatives, noise: Gaussian, order: float) -> float:
    """Divergence of the two worlds of a Gaussian count, by a sum on a fine grid."""
    y = np.linspace(-40 * noise.std - 5, 40 * noise.std * order, 400_001)
    logs = []
    for hers, side in ((1, "if_yes"), (0, "if_no")):
        law = np.array([1.0])
        for one in relatives.members:
            law = np.convolve(law, getattr(one, side))
        parts = [math.log(mass) + norm.logpdf(y, size + hers, noise.std) for size, mass in enumerate(law) if mass > 0]
        logs.append(np.logaddexp.reduce(parts))
    terms = order * logs[0] - (order - 1) * logs[1]
    return float((np.logaddexp.reduce(terms) + math.log(y[1] - y[0])) / (order - 1))


@pytest.mark.parametrize(
    ("order", "exact", "coupled", "bound"), [(2.0, 2.41, 4.97, 4.20), (20.0, 8.3901, 63.9, 8.3948)]
)
def test_a_gaussian_count_lies_below_both_bounds(order: float, exact: float, coupled: float, bound: float) -> None:
    relatives = alike([0.9, 0.8, 0.7], [0.2, 0.3, 0.1])
    found = rényi(relatives, Gaussian(rho=0.2), order)
    assert found == pytest.approx(exact, abs=0.5 * 10 ** -(4 if order > 2 else 2))
    assert relatives.divergence_by_coupling(rho=0.2, order=order) == pytest.approx(coupled, abs=0.06)
    assert relatives.divergence(rho=0.2, order=order) == pytest.approx(bound, abs=6e-3 if order < 3 else 6e-5)
    assert found < relatives.divergence(rho=0.2, order=order)


def test_divergences_next_to_order_one_keep_their_digits() -> None:
    relatives = Relatives.of_shares(share_if_yes=[0.8, 0.8, 0.8], share_if_no=[0.3, 0.3, 0.3])
    for order in (1 + 1e-4, 1 + 1e-9):  # at order 1 the divergence is rho E(1 + B)^2, which is 7 rho here
        assert relatives.divergence_by_coupling(rho=1e-4, order=order) == pytest.approx(7e-4 * order, rel=1e-7)
    assert relatives.divergence_by_coupling(rho=1e-4, order=1.0001) == pytest.approx(7.000700097519502e-4, rel=1e-13)
    alike = Relatives.of_shares(share_if_yes=[0.51], share_if_no=[0.5])
    own = 0.51 * math.log(1.02) + 0.49 * math.log(0.98)
    assert alike.divergence(rho=1.0, order=1 + 1e-12) == pytest.approx(1.0 + own, rel=1e-11)


def test_copies_have_the_divergence_of_a_group() -> None:
    copies = alike([1.0] * 3, [0.0] * 3)
    for order in (1.1, 3.0, 40.0):
        assert copies.divergence(rho=0.1, order=order) == pytest.approx(16 * 0.1 * order)
        assert rényi(copies, Gaussian(rho=0.1), order) == pytest.approx(16 * 0.1 * order, rel=1e-6)


@pytest.mark.parametrize("which", ["alike", "mixed"])
def test_a_zero_concentrated_release_passes_its_limits_at_most_as_often_as_said(which: str) -> None:
    relatives, rho = HOUSEHOLDS[which], 0.2
    for delta_prime in (0.2, 0.01, 1e-6):
        limits = relatives.concentrated_shift_limits(rho=rho, delta_prime=delta_prime)
        for noise in (Gaussian(rho=rho), DiscreteGaussian(rho=rho)):
            count = RelativesCount(relatives, noise)
            for side in ("present", "absent"):
                assert count.exceedance(limits.up, side=side) <= delta_prime  # type: ignore[call-overload]
                assert count.exceedance(limits.down, side=side, direction="fall") <= delta_prime  # type: ignore[call-overload]
        group = 16 * rho + 2 * math.sqrt(16 * rho * math.log(1 / delta_prime))
        alone = rho + 2 * math.sqrt(rho * math.log(1 / delta_prime))
        assert alone < limits.up <= group + 1e-9
        assert alone < limits.down <= group + 1e-9
    assert relatives.concentrated_shift_limits(rho=0.0, delta_prime=0.1) == ShiftLimits(0.0, 0.0)


def test_a_rho_that_is_hardly_a_number_is_bounded_from_above_and_never_asked_for() -> None:
    two = alike([0.8, 0.3], [0.3, 0.5])
    assert 0.0 < two.concentrated_shift_limits(rho=5e-324, delta_prime=0.01).up < 1e-140
    assert two.rho_from_shift(1e-160, delta_prime=0.5) == 0.0
    for shift, delta_prime in ((1e-140, 0.5), (700.0, 1e-300), (1e6, 0.9)):
        rho = two.rho_from_shift(shift, delta_prime=delta_prime)
        limits = two.concentrated_shift_limits(rho=rho, delta_prime=delta_prime)
        assert limits.up == pytest.approx(shift, rel=1e-6)
        assert limits.up <= shift


def test_the_limit_of_one_record_is_that_of_zero_concentration() -> None:
    for rho, delta_prime in ((1e-6, 1e-9), (0.2, 0.01), (50.0, 0.5)):
        limits = Relatives(()).concentrated_shift_limits(rho=rho, delta_prime=delta_prime)
        direct = rho + 2 * math.sqrt(rho * math.log(1 / delta_prime))
        assert (limits.up, limits.down) == (pytest.approx(direct, rel=1e-9), pytest.approx(direct, rel=1e-9))
        assert limits.up >= direct * (1 - 1e-15)


# Refusals

THREE = alike([0.5] * 3, [0.4] * 3)
REFUSED: list[tuple[Callable[[], Any], Code, str]] = [
    (
        lambda: alike([0.5], [0.5, 0.4]),
        Code.WRONG_SHAPE,
        r"share_if_no must have one share for each relative \(1\); got 2",
    ),
    (lambda: alike([1.5], [0.5]), Code.OUT_OF_RANGE, r"share_if_yes must lie in \[0, 1\]; got 1.5"),
    (
        lambda: Relative(if_yes=[0.5, 0.4], if_no=[0.5, 0.5]),
        Code.INCONSISTENT,
        "if_yes must sum to 1; got a sum of 0.9",
    ),
    (
        lambda: Relative(if_yes=[1.0], if_no=[1.0]),
        Code.WRONG_SHAPE,
        "if_yes must have a chance for each of at least two values",
    ),
    (
        lambda: Relative(if_yes=[0.5, 0.5], if_no=[0.5, 0.3, 0.2]),
        Code.WRONG_SHAPE,
        r"if_no must have as many values as if_yes \(2\); got 3",
    ),
    (lambda: Relatives(5), Code.WRONG_TYPE, r"members must be relatives such as .*; got 5"),  # type: ignore[arg-type]
    (
        lambda: Relatives.alike(2, share=0.1, correlation=1.2),
        Code.OUT_OF_RANGE,
        r"correlation must lie in \[0, 1\]; got 1.2",
    ),
    (lambda: Relatives.alike(2, share=1.1, correlation=0.2), Code.OUT_OF_RANGE, r"share must lie in \[0, 1\]; got 1.1"),
    (lambda: Relatives([0.5]), Code.WRONG_TYPE, r"members must be relatives such as Relative.of_shares"),  # type: ignore[list-item, arg-type]
    (lambda: Relatives(THREE.members[:1] * 5_001), Code.TOO_LARGE, "members must be at most 5000; got 5001"),
    (lambda: THREE.shift_limits(epsilon=-1), Code.OUT_OF_RANGE, "epsilon must be at least 0 and finite; got -1"),
    (
        lambda: THREE.epsilon_from_posterior(prior=0.3, cap=0.3),
        Code.INFEASIBLE,
        r"cap must be above the prior \(0.3\); got 0.3",
    ),
    (
        lambda: THREE.belief_knowing([1], prior=0.1),
        Code.WRONG_SHAPE,
        r"seen must say a value or None of each relative \(3\); got 1",
    ),
    (
        lambda: THREE.belief_knowing([2, None, None], prior=0.1),
        Code.OUT_OF_RANGE,
        "seen must be a whole number from 0 to 1",
    ),
    (
        lambda: alike([1.0], [0.0]).belief_knowing([1], prior=0.1),
        Code.INCONSISTENT,
        "seen must leave the secret open; got",
    ),
    (lambda: alike([0.0], [0.0]).belief_knowing([1], prior=0.1), Code.INCONSISTENT, "seen must be possible; got"),
    (
        lambda: THREE.divergence(rho=0.1, order=1.0),
        Code.OUT_OF_RANGE,
        "order must be greater than 1 and finite; got 1.0",
    ),
    (
        lambda: THREE.concentrated_shift_limits(rho=0.1, delta_prime=0),
        Code.OUT_OF_RANGE,
        r"delta_prime must lie in \(0, 1\)",
    ),
    (
        lambda: joint_shift_limits(if_yes=[0.5, 0.5], if_no=[0.5, 0.3, 0.2], epsilon=1.0),
        Code.WRONG_SHAPE,
        r"if_no must have the shape of if_yes \(2,\); got \(3,\)",
    ),
    (
        lambda: joint_shift_limits(if_yes=np.full((2, 2), 0.25), if_no=np.full((2, 2), 0.2), epsilon=1.0),
        Code.INCONSISTENT,
        "if_no must sum to 1; got a sum of 0.8",
    ),
    (
        lambda: joint_shift_limits(if_yes=np.full(1000, 1e-3), if_no=np.full(1000, 1e-3), epsilon=1.0),
        Code.TOO_LARGE,
        "if_yes must need at most 16,384 comparisons; got 999,000",
    ),
    (
        lambda: joint_shift_limits(if_yes=np.full((2, 2), 0.25), if_no=np.full((2, 2), 0.25), epsilon=9.5),
        Code.TOO_LARGE,
        r"epsilon must be at most 18 over the relatives' number \(9\); got 9.5",
    ),
    (
        lambda: RelativesCount(
            Relatives([Relative(if_yes=[0.2, 0.3, 0.5], if_no=[0.5, 0.3, 0.2])]), Geometric(epsilon=1.0)
        ),
        Code.UNSUPPORTED,
        "relatives must be Relatives with two values each; got",
    ),
    (
        lambda: Relatives.of_shares(share_if_yes=[[0.1, 0.2], [0.3, 0.4]], share_if_no=[[0.1, 0.2], [0.3, 0.4]]),
        Code.WRONG_SHAPE,
        r"share_if_yes must be a list of shares; got the shape \(2, 2\)",
    ),
    (
        lambda: Relatives.of_shares(share_if_yes=[0.1] * 4, share_if_no=[[0.1, 0.2], [0.3, 0.4]]),
        Code.WRONG_SHAPE,
        r"share_if_no must be a list of shares; got the shape \(2, 2\)",
    ),
    (lambda: RelativesCount(THREE, 1.0), Code.WRONG_TYPE, "noise must be noise such as Geometric"),  # type: ignore[arg-type]
    (
        lambda: RelativesCount(THREE, Geometric(epsilon=1e-6)),
        Code.TOO_LARGE,
        "noise and relatives must need at most 16,777,216 terms",
    ),
    (
        lambda: RelativesCount(THREE, Geometric(epsilon=1.0)).posterior(0.5, prior=0.1),
        Code.NOT_WHOLE,
        "noisy_count must be a whole number",
    ),
    (
        lambda: RelativesCount(THREE, Geometric(epsilon=1.0)).exceedance(0.1, side="both"),  # type: ignore[call-overload]
        Code.UNKNOWN_CHOICE,
        "side must be one of 'present', 'absent'; got 'both'",
    ),
    (
        lambda: RelativesCount(THREE, Geometric(epsilon=1.0)).exceedance(0.1, direction="up"),  # type: ignore[call-overload]
        Code.UNKNOWN_CHOICE,
        "direction must be one of 'rise', 'fall', 'either'; got 'up'",
    ),
]


@each("call, code, text", REFUSED)
def test_what_cannot_be_is_refused_by_name(call: Callable[[], Any], code: Code, text: str) -> None:
    with pytest.raises(Refused, match=text) as told:
        call()
    assert told.value.code is code


@each("side", ["present", "absent"])
def test_a_fall_beyond_the_limit_of_falls_never_happens(side: Any) -> None:
    count = RelativesCount(THREE, Geometric(epsilon=1.0))
    assert count.exceedance(count.shift_limits.down + 0.1, side=side, direction="fall") == 0.0
