"""What a reader learns of two laws: beliefs, certainty, the profile, several cells, unknown counts, differences."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from dpcore.accuracy import noise_with_budget
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric
from dpcore.methods import (
    HIDDEN,
    CellKey,
    DisclosureControl,
    NearestRounding,
    RandomRounding,
    SmallCountSuppression,
    TwoWorlds,
    certain_somewhere,
    combine,
    equal_error_budget,
)
from dpcore.privacy_loss import Side
from dpcore.profiles import CapOrRatio
from tests.controls import HIDING, KEYS, METHODS, THREE
from tests.each import each

WORLDS = {
    "keys of nobody else": KEYS.presence(0),
    "keys of few": CellKey(largest_noise=5, variance=3, never_published=2).presence(2),
    "keys of many": KEYS.presence(30),
    "rounded": THREE.presence(1),
    "rounded to a multiple": RandomRounding(base=5).presence(4),
    "shown": HIDING.presence(4),
    "hidden": HIDING.presence(2),
    "typed": TwoWorlds.from_laws(present={0: 0.1, 1: 0.2, 2: 0.7}, absent={0: 0.5, 1: 0.3, 5: 0.2}),
}
each_pair = pytest.mark.parametrize("worlds", WORLDS.values(), ids=list(WORLDS))


def by_value(worlds: TwoWorlds) -> list[tuple[object, float, float]]:
    return list(zip(worlds.values, worlds.present.tolist(), worlds.absent.tolist(), strict=True))


# ---- beliefs --------------------------------------------------------------------------------------------------------


@each_pair
@pytest.mark.parametrize("prior", [0.01, 0.3, 0.5, 0.95])
def test_beliefs_are_those_of_bayes(worlds: TwoWorlds, prior: float) -> None:
    after = {value: prior * p / (prior * p + (1 - prior) * q) for value, p, q in by_value(worlds)}
    assert {value: worlds.posterior_after(value, prior=prior) for value in after} == pytest.approx(after, rel=1e-12)
    assert worlds.posteriors(prior=prior) == pytest.approx(list(after.values()), rel=1e-12)
    means = [
        sum(chance * after[value] for value, *chances in by_value(worlds) for chance in [chances[k]]) for k in (0, 1)
    ]
    assert worlds.mean_posterior(prior=prior) == pytest.approx(means[0])
    assert worlds.mean_posterior(prior=prior, side="absent") == pytest.approx(means[1])
    guessed = sum(max(prior * p, (1 - prior) * q) for _, p, q in by_value(worlds))
    assert worlds.right_guess(prior=prior) == pytest.approx(guessed)


def test_priors_may_be_arrays_and_what_nobody_can_learn_stays() -> None:
    worlds = KEYS.presence(3)
    priors = np.array([[0.0, 0.2], [0.6, 1.0]])
    assert worlds.posteriors(prior=priors).shape == (2, 2, len(worlds.values))
    assert worlds.posteriors(prior=priors)[0, 0].tolist() == [0.0] * len(worlds.values)
    assert worlds.mean_posterior(prior=priors)[1, 1] == 1.0
    assert worlds.posterior_after(4, prior=priors)[0, 1] == worlds.posterior_after(4, prior=0.2)
    assert worlds.right_guess(prior=priors)[1, 0] == worlds.right_guess(prior=0.6)
    assert worlds.delta([0.0, 1.0, math.inf])[1] == worlds.delta(1.0)
    assert isinstance(worlds.mean_posterior(prior=0.2), float)


@each_pair
def test_certainty_is_what_one_world_alone_publishes(worlds: TwoWorlds) -> None:
    assert worlds.probability_certain() == pytest.approx(sum(p for _, p, q in by_value(worlds) if q == 0))
    assert worlds.probability_certain(side="absent") == pytest.approx(sum(q for _, p, q in by_value(worlds) if p == 0))
    assert worlds.exchanged.probability_certain() == worlds.probability_certain(side="absent")


def test_what_is_certain_or_useless_is_so_to_the_last_digit() -> None:
    apart = THREE.presence(0, people=4)  # 0, or 3 or 6: two thirds and a third are not quite 1 in floats
    sevenths = (dict.fromkeys(range(first, first + 7), 1 / 7) for first in (0, 7))  # nor are seven of these
    both = TwoWorlds.from_laws(**dict(zip(("present", "absent"), sevenths, strict=True)))
    for worlds in (apart, both):
        assert worlds.right_guess(prior=[0.1, 0.5]).tolist() == [1.0, 1.0]
        for side in ("present", "absent"):
            assert worlds.probability_certain(side=side) == 1.0
        assert worlds.probability_above(0.9, prior=0.5) == 1.0
    laws = [dict.fromkeys(range(size), 1 / size) for size in range(1, 120)]
    alike = [TwoWorlds.from_laws(present=law, absent=law) for law in laws]
    assert min(worlds.right_guess() for worlds in alike) == 0.5


@each_pair
def test_the_profile_is_the_largest_over_all_events(worlds: TwoWorlds) -> None:
    for epsilon in (0.0, 0.3, math.log(2), 1.0, 4.0):
        for side, sign in (("present", 1), ("absent", -1)):
            parts = [(p, q)[::sign] for _, p, q in by_value(worlds)]
            largest = max(
                sum(p - math.exp(epsilon) * q for p, q in event)
                for size in range(len(parts) + 1)
                for event in itertools.combinations(parts, size)
            )
            assert worlds.delta(epsilon, side=side) == pytest.approx(max(largest, 0.0), abs=1e-14)
    assert worlds.delta(math.inf) == worlds.probability_certain()


@each_pair
@pytest.mark.parametrize("delta", [0.0, 1e-9, 0.01, 0.05, 0.2, 0.5, 1.0])
def test_the_smallest_epsilon_is_where_both_profiles_reach_delta(worlds: TwoWorlds, delta: float) -> None:
    def over(epsilon: float) -> float:
        return max(worlds.delta(epsilon), worlds.delta(epsilon, side="absent")) - delta

    found = worlds.epsilon(delta)
    if over(40.0) > 0:
        assert found == math.inf
    elif over(0.0) <= 0:
        assert found == 0.0
    elif delta == 0.0:
        assert found == np.abs(worlds.evidence).max()
    else:
        assert found == pytest.approx(brentq(over, 0.0, 40.0, xtol=1e-13), abs=1e-10)


def test_epsilon_is_infinite_where_somebody_becomes_certain_more_often_than_delta() -> None:
    worlds = KEYS.presence(30)
    certain = worlds.probability_certain()
    assert worlds.epsilon(certain * (1 - 1e-9)) == math.inf
    assert worlds.epsilon(certain) == pytest.approx(np.abs(worlds.evidence[np.isfinite(worlds.evidence)]).max())
    assert NearestRounding(base=5).presence(3).epsilon() == 0.0


def test_a_delta_that_certainty_touches_is_kept() -> None:
    for base in (3, 7, 10, 1000):  # certain once in a base: no sum of floats may decide
        assert RandomRounding(base=base).presence(0).epsilon(1 / base) == pytest.approx(0.0, abs=1e-12)
    assert RandomRounding(base=10).presence(9).epsilon(0.1 * (1 - 1e-9)) == math.inf


def test_an_epsilon_without_a_delta_is_the_largest_evidence_however_rare_it_is() -> None:
    rare = {0: math.log(0.5), 1: math.log(0.5), 2: -60.0}
    assert TwoWorlds.from_logs(rare | {2: -50.0}, rare).epsilon() == 10.0
    assert TwoWorlds.from_logs(rare, rare | {2: -50.0}).epsilon() == 10.0


def test_probabilities_too_small_for_floats_still_have_their_evidence() -> None:
    worlds = TwoWorlds.from_logs({0: math.log(0.5), 1: math.log(0.5)}, {0: -900.0, 1: 0.0})
    assert worlds.epsilon(0.0) == pytest.approx(900 + math.log(0.5))
    assert worlds.epsilon(0.25) == pytest.approx(900 + math.log(0.25))
    assert worlds.delta(math.inf) == 0.0


def test_certainty_that_is_too_rare_for_a_float_is_still_certainty() -> None:
    worlds = CellKey(largest_noise=50, variance=1).presence(60)  # e^-1250 at the ends
    for side in ("present", "absent"):
        assert 0.0 < worlds.probability_certain(side=side) < 1e-300
        assert worlds.delta(math.inf, side=side) == worlds.probability_certain(side=side)
        assert 0.0 < worlds.probability_above(0.9, prior=1e-30, side="present") < 1e-16
    assert worlds.epsilon() == math.inf
    assert worlds.epsilon(1e-9) < 10.0
    together = combine([(worlds, 3)])
    assert together.values[0] == -math.inf
    assert together.values[-1] == math.inf
    assert together.log_present[-1] == pytest.approx(math.log(3) + float(worlds.log_present[-1]))
    assert together.epsilon() == math.inf
    assert 0.0 < certain_somewhere([(worlds, 3)]) < 1e-300


# ---- a line ---------------------------------------------------------------------------------------------------------


@each_pair
def test_a_line_is_passed_as_often_as_beliefs_end_above_it(worlds: TwoWorlds) -> None:
    line = CapOrRatio(cap=0.25, ratio=1.5, value_prior=1.0)
    priors = np.array([0.01, 0.1, 0.3, 0.7])
    limits = line.highest_posterior(priors)
    for k, side in enumerate(("present", "absent")):
        by_hand = [
            sum((p, q)[k] for _, p, q in by_value(worlds) if prior * p / (prior * p + (1 - prior) * q) > limit + 1e-12)
            for prior, limit in zip(priors, limits, strict=True)
        ]
        assert worlds.probability_above(limits, prior=priors, side=side) == pytest.approx(by_hand, abs=1e-13)


def test_a_line_that_is_touched_is_kept() -> None:
    worlds = THREE.presence(1)  # evidence ln 2 exactly
    for prior in np.linspace(1e-9, 0.999, 40):
        touched = 2 * prior / (1 + prior)
        assert worlds.probability_above(touched, prior=prior) == 0.0
        assert worlds.probability_above(touched * (1 - 1e-9), prior=prior) == pytest.approx(2 / 3)


def test_a_line_at_one_is_never_passed_and_one_below_the_prior_is_refused() -> None:
    assert KEYS.presence(0).probability_above(1.0, prior=0.2) == 0.0
    certain = KEYS.presence(0).probability_certain()
    assert KEYS.presence(0).probability_above(1 - 1e-13, prior=0.2) == pytest.approx(certain), "certainty passes it"
    with pytest.raises(Refused, match=r"^limit must be at least the prior; got 0\.1$") as refused:
        KEYS.presence(0).probability_above([0.5, 0.1], prior=[0.2, 0.2])
    assert refused.value.code is Code.WRONG_ORDER


# ---- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (
            lambda: KEYS.presence(4).posterior_after(99, prior=0.2),
            "value must be possible in one of the two worlds; got 99",
        ),
        (lambda: KEYS.presence(4).posteriors(prior=1.2), "prior must lie in [0, 1]; got 1.2"),
        (lambda: KEYS.presence(4).delta(-1.0), "epsilon must be at least 0; got -1.0"),
        (lambda: KEYS.presence(4).epsilon(-0.1), "delta must lie in [0, 1]; got -0.1"),
        (
            lambda: KEYS.presence(4).probability_certain(side="prior_predictive"),
            "side must be one of 'present', 'absent'; got 'prior_predictive'",
        ),
        (lambda: TwoWorlds.from_laws(present={0: 0.5}, absent={0: 1}), "present must sum to 1; got 0.5"),
        (lambda: TwoWorlds.from_laws(present={0: 1}, absent={0: -1}), "absent must lie in [0, 1]; got -1.0"),
        (
            lambda: TwoWorlds.from_laws(present=[1.0], absent={0: 1}),  # type: ignore[arg-type]
            "present must be values with their probabilities, such as {0: 0.5, 3: 0.5}; got [1.0]",
        ),
        (
            lambda: TwoWorlds.from_laws(present={"none": 1}, absent={0: 1}),
            "values must be of one kind that has an order, or 'x' for what is hidden; got ('none', 0)",
        ),
        (
            lambda: THREE.presence_if_unknown([3, 4]),  # type: ignore[arg-type]
            "others must be counts with their weights, such as {7: 0.5, 8: 0.5}; got [3, 4]",
        ),
        (lambda: combine([]), "cells must name at least one cell; got ()"),
        (lambda: combine([(KEYS.presence(4), 0)]), "times must be a whole number from 1 to 1000000000000000; got 0"),
        (
            lambda: certain_somewhere([KEYS.presence(4)]),  # type: ignore[list-item]
            "cells must be pairs of TwoWorlds and how many cells are like it; got TwoWorlds(",
        ),
        (lambda: THREE.presence_if_unknown({3: 0.25, 4: 0.5}), "weights must sum to 1; got 0.75"),
        (lambda: THREE.presence_if_unknown({-3: 1.0}), "others must be a whole number of at least 0; got -3"),
        (
            lambda: SmallCountSuppression(threshold=5).difference(4),
            "others must be a count whose cells are both published as numbers; got 4",
        ),
    ],
)
def test_what_has_no_answer_is_refused_by_name(ask: object, text: str) -> None:
    with pytest.raises(Refused, match=f"^{re.escape(text)}"):
        ask()  # type: ignore[operator]


# ---- several cells --------------------------------------------------------------------------------------------------


def test_several_cells_are_the_product_of_their_laws() -> None:
    cells = [KEYS.presence(1), THREE.presence(1), CellKey(largest_noise=3, variance=2).presence(8).exchanged]
    together = combine([(cells[0], 1), (cells[1], 2), (cells[2], 1)])
    listed = [by_value(cell) for cell in (cells[0], cells[1], cells[1], cells[2])]
    joint = [
        (math.prod(p for _, p, _ in outcome), math.prod(q for _, _, q in outcome))
        for outcome in itertools.product(*listed)
    ]
    assert sum(p for p, _ in joint) == pytest.approx(1)
    assert together.present.sum() == pytest.approx(1)
    assert together.absent.sum() == pytest.approx(1)
    assert together.probability_certain() == pytest.approx(sum(p for p, q in joint if p > 0 == q))
    assert together.probability_certain(side="absent") == pytest.approx(sum(q for p, q in joint if q > 0 == p))
    for prior in (0.02, 0.5, 0.8):
        assert together.right_guess(prior=prior) == pytest.approx(
            sum(max(prior * p, (1 - prior) * q) for p, q in joint)
        )
        limit = (1 + prior) / 2
        above = [(p, q) for p, q in joint if p > 0 and prior * p / (prior * p + (1 - prior) * q) > limit]
        assert together.probability_above(limit, prior=prior) == pytest.approx(sum(p for p, _ in above))
    assert together.delta(0.7) == pytest.approx(sum(max(p - math.exp(0.7) * q, 0) for p, q in joint))
    assert list(together.values) == sorted(together.values)
    assert together.values[0] == -math.inf
    assert together.values[-1] == math.inf


@pytest.mark.parametrize("times", [1, 2, 3, 7, 12])
def test_equal_cells_add_up_as_one_by_one(times: int) -> None:
    cell = RandomRounding(base=5).presence(2)
    one_by_one = combine([(cell, 1)] * times)
    at_once = combine([(cell, times)])
    assert at_once.values == pytest.approx(one_by_one.values, abs=1e-12)
    assert at_once.present == pytest.approx(one_by_one.present, rel=1e-12)
    ups = [(math.comb(times, k), 0.6**k * 0.4 ** (times - k), 0.4**k * 0.6 ** (times - k)) for k in range(times + 1)]
    assert at_once.right_guess() == pytest.approx(sum(ways * max(p, q) for ways, p, q in ups) / 2)


def test_equal_sums_of_evidence_are_one_value() -> None:
    strong = TwoWorlds.from_laws(present={0: 1 - 1e-9, 1: 1e-9}, absent={0: 1e-9, 1: 1 - 1e-9})
    assert len(combine([(strong, 400)]).values) == 401  # up to 8,289, whose last digit is worth more than 1e-12
    hundred = combine([(CellKey(largest_noise=5, variance=3).presence(30), 100)])
    assert len(hundred.values) == 903  # a lattice of 9 steps a cell, and both certainties
    assert hundred.present.sum() == pytest.approx(1, abs=1e-10)
    certain = CellKey(largest_noise=5, variance=3).presence(30).probability_certain()
    assert hundred.probability_certain() == pytest.approx(1 - (1 - certain) ** 100)


def test_certain_somewhere_multiplies_the_chances_of_certain_nowhere() -> None:
    cells = [(KEYS.presence(0), 3), (KEYS.presence(30), 40), (THREE.presence(1), 5)]
    singles = [(cell.probability_certain(), times) for cell, times in cells]
    assert certain_somewhere(cells) == pytest.approx(1 - math.prod((1 - chance) ** times for chance, times in singles))
    assert certain_somewhere([(NearestRounding(base=5).presence(2), 1), *cells]) == 1.0
    assert certain_somewhere([(THREE.presence(1), 1000)]) == 0.0
    tiny = CellKey(largest_noise=8, variance=1).presence(30).probability_certain()
    assert certain_somewhere([(CellKey(largest_noise=8, variance=1).presence(30), 4)]) == pytest.approx(
        4 * tiny, rel=1e-9
    )


def test_too_many_sums_are_refused() -> None:
    roots = np.sqrt(np.arange(1.0, 11.0))
    crooked = TwoWorlds.from_laws(
        present={k: (k + 1) / 55 for k in range(10)}, absent=dict(enumerate(roots / roots.sum()))
    )
    with pytest.raises(Refused, match=r"^cells must have at most 4,194,304 pairs of losses to add up; got ") as refused:
        combine([(crooked, 64)])
    assert refused.value.code is Code.TOO_LARGE


# ---- unknown counts and differences ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [KEYS, THREE, HIDING], ids=lambda method: type(method).__name__)
def test_an_attacker_with_a_law_of_the_others_has_the_mixed_laws(method: DisclosureControl) -> None:
    others = {2: 0.4, 3: 0.4, 4: 0.2, 9: 0.0}
    worlds = method.presence_if_unknown(others)
    for value, p, q in by_value(worlds):
        for added, mixed in ((1, p), (0, q)):
            laws = [(weight, method.law(count + added)) for count, weight in others.items()]
            chances = [weight * math.exp(law.logs[value]) for weight, law in laws if value in law.logs]
            assert mixed == pytest.approx(math.fsum(chances))
    assert worlds.present.sum() == pytest.approx(1)
    assert HIDDEN not in worlds.values[:-1]


def test_any_difference_of_cells_with_the_same_key_proves_the_person() -> None:
    worlds = KEYS.difference(30)
    same = sum(math.exp(KEYS.law(30).logs[y]) * math.exp(KEYS.law(31).logs.get(y, -math.inf)) for y in range(28, 33))
    assert worlds.probability_certain() == pytest.approx(1 - same)
    assert worlds.probability_certain(side="absent") == 0.0
    assert worlds.posterior_after(0, prior=0.1) == pytest.approx(0.1 * same / (0.9 + 0.1 * same))
    assert worlds.posterior_after(-3, prior=0.001) == 1.0


def test_noise_drawn_anew_is_certain_at_the_far_ends_alone() -> None:
    worlds = CellKey(largest_noise=3, variance=2).difference(40, same_key=False)
    surely = [value for value, evidence in zip(worlds.values, worlds.evidence, strict=True) if math.isinf(evidence)]
    assert surely == [-6, 7]
    end = float(CellKey(largest_noise=3, variance=2).law(40).probability[0])
    assert worlds.probability_certain() == pytest.approx(end**2)


def test_a_difference_is_the_convolution_of_both_laws() -> None:
    for same_key in (True, False):
        worlds = THREE.difference(4, same_key=same_key)
        first, third = Fraction(1, 3), Fraction(2, 3)
        second = {3: first, 6: third}  # 5 goes up twice as often
        without = {3: third, 6: first}
        present = {d: sum(second[y] * without[x] for y in second for x in without if y - x == d) for d in (-3, 0, 3)}
        absent = (
            {0: Fraction(1)}
            if same_key
            else {d: sum(without[y] * without[x] for y in without for x in without if y - x == d) for d in (-3, 0, 3)}
        )
        for value, p, q in by_value(worlds):
            assert p == pytest.approx(float(present[value]))  # type: ignore[index]
            assert q == pytest.approx(float(absent.get(value, 0)))  # type: ignore[call-overload]


# ---- noise of equal error -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", ["geometric", "discrete_gaussian", "laplace", "gaussian"])
@pytest.mark.parametrize(
    ("method", "counts"),
    [
        (KEYS, [30]),
        (RandomRounding(base=5), [0, 1, 2, 3, 4]),
        (NearestRounding(base=7), list(range(7))),
        (KEYS, [0, 1, 30]),
    ],
)
def test_the_budget_of_equal_error_has_that_error(method: DisclosureControl, counts: list[int], noise: str) -> None:
    mean_square = np.mean([method.law(count).mean_square_error for count in counts])
    budget = equal_error_budget(method, counts=counts, noise=noise)  # type: ignore[arg-type]
    assert noise_with_budget(budget, noise).variance == pytest.approx(mean_square, rel=1e-9)  # type: ignore[arg-type]


def test_mean_squared_errors_of_rounding_are_known() -> None:
    for base in (3, 5, 9):
        for method, known in (
            (RandomRounding(base=base), (base**2 - 1) / 6),
            (NearestRounding(base=base), (base**2 - 1) / 12),
        ):
            budget = equal_error_budget(method, counts=range(base), noise="geometric")
            assert budget == pytest.approx(2 * math.asinh(1 / math.sqrt(2 * known)))


def test_the_budget_of_an_equal_range_is_the_smallest_that_keeps_it() -> None:
    method = CellKey(largest_noise=5, variance=3)
    budget = equal_error_budget(method, counts=[30], noise="geometric", measure="half_width")
    assert method.law(30).half_width(0.95) == 3
    assert Geometric(epsilon=budget).half_width(0.95) == 3
    assert Geometric(epsilon=budget * (1 - 1e-9)).half_width(0.95) == 4


def test_no_error_needs_an_infinite_budget_and_no_number_has_no_error() -> None:
    assert equal_error_budget(THREE, counts=[3, 6], noise="geometric") == math.inf
    assert equal_error_budget(THREE, counts=[3], noise="geometric", measure="half_width") == math.inf
    hidden = SmallCountSuppression(threshold=5)
    assert equal_error_budget(hidden, counts=[8], noise="geometric") == math.inf


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            {"method": SmallCountSuppression(threshold=5), "counts": [3]},
            "count must be one that is published as a number; got 3",
        ),
        ({"counts": []}, "counts must name at least one; got ()"),
        ({"method": Geometric(epsilon=1)}, "method must be a method such as RandomRounding(base=3); got "),
        ({"measure": "half_width", "level": 1.0}, "level must lie in (0, 1); got 1.0"),
    ],
)
def test_what_has_no_equal_error_is_refused(given: dict[str, Any], text: str) -> None:
    method = given.pop("method", THREE)
    with pytest.raises(Refused, match=f"^{re.escape(text)}"):
        equal_error_budget(method, **{"counts": [1], "noise": "geometric"} | given)


@each_pair
@pytest.mark.parametrize("side", ["present", "absent"])
@pytest.mark.parametrize("releases", [0, 1, 7, 100])
def test_whole_releases_of_a_group_are_within_one_of_what_is_expected(
    worlds: TwoWorlds, side: Side, releases: int
) -> None:
    law = worlds.present if side == "present" else worlds.absent
    groups = np.arange(law.size) % 3
    found = worlds.tally(groups, releases=releases, side=side)
    assert found.sum() == releases
    expected = np.bincount(groups, weights=law) * releases
    assert (np.abs(found - expected) < 1 + 1e-9).all()
    assert found.dtype == np.int64


@pytest.mark.parametrize("groups", [[0], [0, 1.5], [0, -1], ["a", "b"]])
def test_groups_are_whole_numbers_one_for_each_value(groups: list[Any]) -> None:
    worlds = TwoWorlds.from_laws(present={0: 0.5, 3: 0.5}, absent={0: 0.2, 3: 0.8})
    with pytest.raises(Refused, match=r"^groups must be a whole number from 0 for each value; got "):
        worlds.tally(groups)


# ---- a million releases each ----------------------------------------------------------------------------------------


@pytest.mark.study
def test_cell_keys_of_real_records_publish_and_leak_as_the_laws_say() -> None:
    rng, runs, others = np.random.default_rng(11), 1_000_000, 3
    keys = CellKey(largest_noise=3, variance=2)
    record_keys = rng.random((runs, others + 1))
    published = {}
    for people in (others, others + 1):
        key = record_keys[:, :people].sum(axis=1) % 1.0  # of the people, whoever asks how often
        law = keys.law(people)
        published[people] = np.array(law.values)[
            np.minimum(np.searchsorted(np.cumsum(law.probability), key, side="right"), len(law.values) - 1)
        ]
    worlds = keys.presence(others)
    for value, p, q in by_value(worlds):
        for people, chance in ((others + 1, p), (others, q)):
            assert (published[people] == value).mean() == pytest.approx(chance, abs=5 * math.sqrt(0.25 / runs))
    beliefs = dict(zip(worlds.values, worlds.posteriors(prior=0.3), strict=True))
    seen = np.vectorize(beliefs.get)(published[others + 1])
    assert seen.mean() == pytest.approx(worlds.mean_posterior(prior=0.3), abs=0.003)
    assert (seen == 1.0).mean() == pytest.approx(worlds.probability_certain(), abs=0.003)
    assert (seen > 0.45).mean() == pytest.approx(worlds.probability_above(0.45, prior=0.3), abs=0.003)
    difference = published[others + 1] - published[others]
    two_sets = keys.difference(others)
    for value, p, _ in by_value(two_sets):
        assert (difference == value).mean() == pytest.approx(p, abs=0.003)
    assert (difference != 0).mean() == pytest.approx(two_sets.probability_certain(), abs=0.003)


@pytest.mark.study
@pytest.mark.parametrize(
    "method",
    METHODS[1:4] + METHODS[6:],
    ids=lambda method: type(method).__name__,
)
@pytest.mark.parametrize("others", [0, 1, 4, 17, 23])
def test_a_guesser_of_a_million_releases_is_right_as_often_as_said(method: DisclosureControl, others: int) -> None:
    rng, runs, prior = np.random.default_rng(7), 1_000_000, 0.3
    present = rng.random(runs) < prior
    drawn = np.where(
        present, method.law(others + 1).simulate(runs, seed=rng), method.law(others).simulate(runs, seed=rng)
    ).astype(object)
    worlds = method.presence(others)
    belief = dict(zip(worlds.values, worlds.posteriors(prior=prior), strict=True))
    seen = np.array([belief[value] for value in drawn])
    assert ((seen > 0.5) == present).mean() == pytest.approx(worlds.right_guess(prior=prior), abs=0.003)
    assert seen[present].mean() == pytest.approx(worlds.mean_posterior(prior=prior), abs=0.003)
    assert seen.mean() == pytest.approx(prior, abs=0.003)
    for value, after in belief.items():  # who holds the belief is right that often
        chosen = drawn == value
        if chosen.sum() > 2000:
            assert present[chosen].mean() == pytest.approx(after, abs=5 * 0.5 / math.sqrt(chosen.sum()))
    certain = np.array([value for value in belief if belief[value] == 1.0], dtype=object)
    assert np.isin(drawn[present], certain).mean() == pytest.approx(worlds.probability_certain(), abs=0.003)


@each(
    "given, sentence",
    [
        ({"releases": 10**20}, "releases must be a whole number from 0 to 1000000000000000; got 1000"),
        ({"releases": -1}, "releases must be a whole number from 0 to 1000000000000000; got -1"),
        ({"groups": [0, 10**9]}, "groups must be less than 4194304; got "),
    ],
)
def test_a_tally_that_no_float_counts_is_refused(given: dict[str, Any], sentence: str) -> None:
    rounded = TwoWorlds.from_laws(present={0: 1 / 3, 3: 2 / 3}, absent={0: 2 / 3, 3: 1 / 3})
    with pytest.raises(Refused, match=re.escape(sentence)):
        rounded.tally(**{"groups": [0, 1]} | given)
    assert rounded.tally([0, 1], releases=10**15).sum() == 10**15


def test_limits_and_priors_of_unlike_shapes_are_refused() -> None:
    rounded = TwoWorlds.from_laws(present={0: 1 / 3, 3: 2 / 3}, absent={0: 2 / 3, 3: 1 / 3})
    with pytest.raises(Refused, match="limit and prior must have shapes that go together"):
        rounded.probability_above([0.6, 0.7], prior=[0.5, 0.4, 0.3])


def test_no_continuous_noise_is_as_often_right_as_a_count_that_is_seldom_moved() -> None:
    """At 30 people the cell key moves nothing with probability .3 and more: an error of 0 at that level."""
    ask = {"counts": [30], "measure": "half_width", "level": 0.3}
    key = CellKey(largest_noise=2, variance=1)
    assert equal_error_budget(key, noise="laplace", **ask) == math.inf  # type: ignore[arg-type]
    rate = equal_error_budget(key, noise="geometric", **ask)  # type: ignore[arg-type]
    assert math.tanh(rate / 2) == pytest.approx(0.3)
