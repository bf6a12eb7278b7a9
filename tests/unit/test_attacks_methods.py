"""Attacks on what a method publishes: every number against the two laws or against enumeration."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from dpcore.attacks import all_cells, fitting
from dpcore.attacks.fitting import blocks_that_fit
from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.reconstruction import Tables, draw_tables, rebuild
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, RandomizedResponse
from dpcore.methods import (
    CellKey,
    DisclosureControl,
    NearestRounding,
    PerturbationTable,
    RandomRounding,
    SmallCountSuppression,
)
from tests.controls import BIASED, HIDING, NEAREST, NUMBERS, THREE

KNOWN, PRIOR = [3, 7, 0], np.array([0.5, 0.2, 0.3])
SMALL = Tables(("a", "a or b", "b or c", "all"), [[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 1]])


@pytest.mark.parametrize("method", NUMBERS, ids=repr)
@pytest.mark.parametrize("known", [0, 1, 2, 4, 17])
def test_an_attack_on_one_count_is_what_the_two_laws_say(method: DisclosureControl, known: int) -> None:
    worlds = method.presence(known)
    for prior in (0.08, 0.5, 0.9):
        attack = CountAttack(method, prior=prior, known=known)
        for value, present, absent in zip(worlds.values, worlds.present, worlds.absent, strict=True):
            assert attack.posterior(value) == worlds.posterior_after(value, prior=prior)
            assert attack.release_probability(value) == pytest.approx(present, abs=1e-15)
            assert attack.release_probability(value, side="absent") == pytest.approx(absent, abs=1e-15)
        for side in ("present", "absent"):
            assert attack.marginal_posterior(side=side) == pytest.approx(worlds.mean_posterior(prior=prior, side=side))
        assert attack.average_probability_right() == pytest.approx(worlds.right_guess(prior=prior))
        law = attack.posterior_law()
        assert law.probabilities.sum() == pytest.approx(1.0)
        below = attack.posterior_quantile(0.3)
        assert law.probabilities[law.posteriors <= below + 1e-12].sum() >= 0.3 - 1e-12
        assert law.probabilities[law.posteriors < below - 1e-12].sum() < 0.3


def test_a_call_that_is_open_is_counted_as_a_tie_and_decided_against_the_person() -> None:
    assert CountAttack(NEAREST, prior=0.5, known=3).probability_of_tie() == 1.0
    open_at_nine = CountAttack(THREE, prior=1 / 3, known=7)
    assert open_at_nine.probability_of_tie() == pytest.approx(2 / 3)
    assert [open_at_nine.probability_right(side=side) for side in ("present", "absent")] == [0.0, 1.0]


def test_a_share_that_rounding_alone_misses_is_reached() -> None:
    down = CountAttack(RandomRounding(base=9), prior=0.5, known=7)  # 8 goes down to 0 one time in nine, 7 two times
    assert down.posterior_quantile(1 / 9) == pytest.approx(1 / 3)
    assert down.posterior_quantile(0.112) == pytest.approx(8 / 15)


def test_releases_are_drawn_from_the_law_of_the_true_count() -> None:
    attack = CountAttack(THREE, prior=0.5, known=7)
    drawn = attack.draw_releases(size=30_000, seed=5)
    assert set(drawn.tolist()) == {6, 9}
    assert (drawn == 9).mean() == pytest.approx(2 / 3, abs=0.01)
    assert (attack.draw_releases(side="absent", size=30_000, seed=5) == 9).mean() == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize("method", NUMBERS, ids=repr)
def test_an_ideal_player_of_a_histogram_is_right_as_often_as_enumeration_says(method: DisclosureControl) -> None:
    without, with_person = ([method.law(known + more).logs for known in KNOWN] for more in (0, 1))
    right = 0.0
    for published in itertools.product(*({**one, **other} for one, other in zip(without, with_person, strict=True))):
        each = np.array(
            [
                math.log(PRIOR[cell])
                + sum(
                    (with_person if at == cell else without)[at].get(value, -math.inf)
                    for at, value in enumerate(published)
                )
                for cell in range(3)
            ]
        )
        if np.isneginf(each).all():
            continue
        right += math.exp(each.max())
        beliefs = all_cells.posterior(np.subtract(published, KNOWN), mechanism=method, prior=PRIOR, known=KNOWN)
        assert beliefs == pytest.approx(np.exp(each - np.logaddexp.reduce(each)), abs=1e-12)
    assert all_cells.probability_right(mechanism=method, prior=PRIOR, known=KNOWN) == pytest.approx(right, abs=1e-12)


def test_known_people_change_nothing_for_noise_that_is_added() -> None:
    noise = DiscreteGaussian(rho=0.3)
    asked: dict[str, Any] = {"mechanism": noise, "prior": PRIOR}
    assert all_cells.probability_right(**asked, known=KNOWN) == all_cells.probability_right(**asked)
    assert (all_cells.posterior([1, 0, 2], **asked, known=KNOWN) == all_cells.posterior([1, 0, 2], **asked)).all()


HOLES = PerturbationTable([(0, 0, 1.0), (1, 0, 0.5), (1, 2, 0.5)])
"""A table after which a count may have been one less or one more, and nothing between."""
WIDE_HOLE = PerturbationTable([(0, 0, 1.0), (1, 4, 0.5), (1, 0, 0.5), (2, 2, 1.0), (3, 3, 1.0), (4, 4, 1.0)])
"""A table after which a published 4 was a 1 or a 4."""
REFUSED: list[tuple[Any, str, Code]] = [
    (lambda: CountAttack(THREE, prior=0.5, known=[1, 2]), "known", Code.WRONG_SHAPE),
    (lambda: CountAttack(THREE, prior=0.5, known=7).posterior(5), "noisy_count", Code.INFEASIBLE),
    (lambda: CountAttack(THREE, prior=0.5, known=7).decision_threshold(), "mechanism", Code.UNSUPPORTED),
    (lambda: CountAttack(THREE, prior=0.5, known=7).over([1.0]), "mechanism", Code.UNSUPPORTED),
    (lambda: CountAttack(THREE, prior=0.5).decision_jumps(lowest=0.1, highest=1), "mechanism", Code.UNSUPPORTED),
    (
        lambda: CountAttack(THREE, prior=0.5).missing_people_posterior(3, others=[0.5]),
        "mechanism",
        Code.UNSUPPORTED,
    ),
    (lambda: CountAttack(HIDING, prior=0.5, known=2).posterior(3), "mechanism", Code.UNSUPPORTED),
    (lambda: MovedValueAttack(THREE, prior=0.5), "mechanism", Code.UNSUPPORTED),
    (lambda: all_cells.posterior([0, 1], mechanism=THREE, prior=[0.5, 0.5]), "known", Code.WRONG_SHAPE),
    (lambda: all_cells.posterior([0, 1], mechanism=THREE, prior=[0.5, 0.5], known=[1]), "known", Code.WRONG_SHAPE),
    (lambda: rebuild([3, 3, 3], tables=SMALL, noise=THREE), "released", Code.WRONG_SHAPE),
    (lambda: rebuild(["x", 3, 3, 3], tables=SMALL, noise="none"), "released", Code.NOT_A_NUMBER),
    (lambda: rebuild([2, 2, 2, 2], tables=SMALL, noise=HOLES), "released", Code.UNSUPPORTED),
    (lambda: rebuild([4], tables=Tables(("a",), [[1]]), noise=WIDE_HOLE), "released", Code.UNSUPPORTED),
    (lambda: blocks_that_fit([3, 3, 3, 3], tables=SMALL, noise=THREE, near=[1]), "near", Code.WRONG_SHAPE),
    (
        lambda: blocks_that_fit([1, 1, 1, 1], tables=SMALL, noise=THREE, most_steps=0),
        "most_steps",
        Code.OUT_OF_RANGE,
    ),
    (
        lambda: all_cells.posterior([2, 2], mechanism=NearestRounding(base=3), prior=[0.5, 0.5], known=[1, 1]),
        "residuals",
        Code.INFEASIBLE,
    ),
    (
        lambda: all_cells.posterior([-1, -1], mechanism=NearestRounding(base=3), prior=[0.5, 0.5], known=[1, 1]),
        "residuals",
        Code.INFEASIBLE,
    ),
    (
        lambda: all_cells.posterior([2, -1], mechanism=NearestRounding(base=3), prior=[0.0, 1.0], known=[1, 1]),
        "residuals",
        Code.INFEASIBLE,
    ),
    (
        lambda: all_cells.posterior([5, 0], mechanism=RandomizedResponse(epsilon=1.0), prior=[0.5, 0.5]),
        "noisy_count",
        Code.OUT_OF_RANGE,
    ),
    (lambda: blocks_that_fit([3, 3, 3, 3], tables=SMALL, noise=THREE, near=[1e30, 5, 5]), "near", Code.OUT_OF_RANGE),
    (lambda: blocks_that_fit([2_500], tables=Tables(("a",), [[1]]), noise="none"), "released", Code.TOO_LARGE),
    (
        lambda: blocks_that_fit([2_000], tables=Tables(("a",), [[1]]), noise=NearestRounding(base=5)),
        "released",
        Code.TOO_LARGE,
    ),
    (lambda: blocks_that_fit([3], tables=Tables(("a",), [[1, 0]]), noise="none"), "tables", Code.INCONSISTENT),
    (lambda: blocks_that_fit([3], tables=Tables(("a",), [[1, 1]]), noise="geometric"), "noise", Code.UNKNOWN_CHOICE),
]


@pytest.mark.parametrize(("call", "name", "code"), REFUSED)
def test_what_a_method_does_not_answer_is_refused_by_name_and_code(call: Any, name: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        call()
    assert (refused.value.name, refused.value.code) == (name, code)


# ---- whole blocks

NOT_CONCAVE = [BIASED, CellKey(largest_noise=5, variance=3), CellKey(largest_noise=1, variance=0.9)]
WHOLE = [*NUMBERS[:5], *NOT_CONCAVE[1:], HIDING, SmallCountSuppression(threshold=3, zero="hidden"), HOLES]


BLOCKS = np.array(list(itertools.product(range(14), repeat=3)))
SUMS = BLOCKS @ SMALL.matrix.T


def _likelihoods(released: Any, method: DisclosureControl, people: int | None = None) -> dict[tuple[int, ...], float]:
    """The log likelihood of every block that fits."""
    logs = np.zeros(len(BLOCKS))
    for one, sums in zip(released, SUMS.T, strict=True):
        of_sum = [float(method.log_law([one], count=total)[0]) for total in range(int(sums.max()) + 1)]
        logs += np.array(of_sum)[sums]
    fit = np.isfinite(logs) & (True if people is None else BLOCKS.sum(axis=1) == people)
    return {tuple(block): log for block, log in zip(BLOCKS[fit].tolist(), logs[fit].tolist(), strict=True)}


@pytest.mark.parametrize("method", WHOLE, ids=repr)
@pytest.mark.parametrize("block", [(1, 0, 2), (3, 1, 1), (0, 4, 2)])
def test_as_many_blocks_fit_as_enumeration_finds_and_the_likeliest_is_rebuilt(
    method: DisclosureControl, block: tuple[int, ...]
) -> None:
    released = draw_tables(block, tables=SMALL, noise=method, seed=1)
    for people in (None, sum(block)):
        fitting = _likelihoods(released, method, people)
        assert block in fitting
        assert blocks_that_fit(released, tables=SMALL, noise=method, people=people) == (len(fitting), True)
        few = blocks_that_fit(released, tables=SMALL, noise=method, people=people, most_steps=1)
        assert 0 <= few.number <= len(fitting)
        assert few.exact <= (few.number == len(fitting))
        near = blocks_that_fit(released, tables=SMALL, noise=method, people=people, near=block, most_steps=1)
        assert 1 <= near.number <= len(fitting)
        if method is HOLES:
            continue
        result = rebuild(released, tables=SMALL, noise=method, people=people)
        best = sorted(fitting.values(), reverse=True)
        assert result.status in ("most likely", "likely")
        if result.status == "most likely":
            assert fitting[tuple(result.counts)] == pytest.approx(best[0], abs=1e-9)
            assert result.unique in (None, len(best) == 1 or best[0] - best[1] > 1e-6)
        else:
            assert method in NOT_CONCAVE
            assert tuple(result.counts) in fitting
            assert result.unique is None


def test_sums_too_far_apart_for_one_number_are_put_together_as_others_are() -> None:
    near = np.random.default_rng(1).integers(0, 4, (500, 6))
    apart = np.vstack([near, np.full((1, 6), 10**5)])
    for states in (near, apart):
        distinct, blocks = fitting._together(states.copy(), np.arange(len(states), dtype=float), np.array([2]))
        open_sums = [[*row[:2], 0, *row[3:]] for row in states.tolist()]
        assert distinct.tolist() == sorted({tuple(row): row for row in open_sums}.values())
        assert blocks.tolist() == [sum(k for k, row in enumerate(open_sums) if row == one) for one in distinct.tolist()]


def test_more_blocks_than_a_float_can_number_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "_HALVINGS", 6)  # as if floats ended soon after 4,096
    pairs = Tables(("a", "b", "c"), np.kron(np.eye(3, dtype=int), [[1, 1]]))
    found = blocks_that_fit([9, 19, 29], tables=pairs, noise="none")
    assert 10 * 20 * 30 * (1 - 1e-8) - 64 <= found.number <= 10 * 20 * 30
    assert not found.exact


def test_tables_that_no_block_has_fit_none() -> None:
    assert blocks_that_fit([4, 4, 4, 4], tables=SMALL, noise=THREE) == (0, True)  # 4 is no multiple of 3
    assert rebuild([4, 4, 4, 4], tables=SMALL, noise=THREE).status == "impossible"
    assert blocks_that_fit([9, 0, 0, 0], tables=SMALL, noise="none") == (0, True)
    assert blocks_that_fit([2, 3, 1, 3], tables=SMALL, noise="none") == (1, True)


def test_cells_that_no_table_counts_are_limited_by_the_people_or_the_largest_count() -> None:
    tables = Tables(("a", "none"), [[1, 1, 0], [0, 0, 0]])
    for released, limits, most in (
        ([2, 0], {"people": 5}, 5),
        ([2, 0], {"most": 3}, 3),
        ([2, 0], {"people": 5, "most": 3}, 3),
        ([2, 0], {"people": 5, "most": 2}, 2),
        ([2, 1], {"people": 5}, 5),
    ):
        blocks = [
            block
            for block in itertools.product(range(most + 1), repeat=3)
            if tables.answers(block).tolist() == released and limits.get("people", sum(block)) == sum(block)
        ]
        assert blocks_that_fit(released, tables=tables, noise="none", **limits) == (len(blocks), True)
