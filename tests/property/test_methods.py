"""Laws of all methods: beliefs are right on average, profiles fall and invert, more cells never tell less."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.methods import (
    CellKey,
    DisclosureControl,
    GraduatedRounding,
    NearestRounding,
    PermutationSwapping,
    PerturbationTable,
    RandomRounding,
    SmallCountSuppression,
    SuppressedTable,
    TwoWorlds,
    certain_somewhere,
    combine,
)

PRIOR = st.floats(0.001, 0.999)
SHARE = st.floats(1e-6, 1 - 1e-6)


@st.composite
def cell_keys(draw: st.DrawFn) -> CellKey:
    largest = draw(st.integers(1, 7))
    hidden = draw(st.integers(0, min(largest - 1, 2)))
    least = (hidden + 1) ** 2 // 4 if hidden else 0  # of the rows that are never published
    return CellKey(largest_noise=largest, variance=least + draw(SHARE) * (largest - least), never_published=hidden)


@st.composite
def tables(draw: st.DrawFn) -> PerturbationTable:
    rows: list[tuple[int, int, float]] = [(0, 0, 1.0)]
    for true in range(1, draw(st.integers(1, 5)) + 1):
        weights = draw(st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any))
        rows += [(true, published, weight / sum(weights)) for published, weight in enumerate(weights)]
    return PerturbationTable(tuple(rows))


METHOD = st.one_of(
    cell_keys(),
    tables(),
    st.builds(NearestRounding, base=st.integers(1, 12)),
    st.builds(RandomRounding, base=st.integers(1, 12)),
    st.lists(st.floats(0, 1), min_size=1, max_size=8).map(
        lambda down: RandomRounding(base=len(down) + 1, probability_down=down)
    ),
    st.builds(
        lambda base, times, wide, random: GraduatedRounding(
            classes=((0, base), (base * wide * times, wide)), random=random
        ),
        st.integers(1, 5),
        st.integers(1, 4),
        st.integers(1, 7),
        st.booleans(),
    ),
    st.builds(SmallCountSuppression, threshold=st.integers(1, 12), zero=st.sampled_from(["shown", "hidden"])),
)
OTHERS = st.integers(0, 60)
TWO = st.builds(lambda method, others: method.presence(others), METHOD, OTHERS)


@given(METHOD, OTHERS)
def test_a_law_sums_to_one_over_values_that_rise(method: DisclosureControl, count: int) -> None:
    law = method.law(count)
    assert law.probability.sum() == pytest.approx(1, abs=1e-12)
    assert (law.probability > 0).all()
    numbers = [value for value in law.values if value != "x"]
    assert numbers == sorted(set(numbers))
    assert all(isinstance(value, int) and value >= 0 for value in numbers)


@given(cell_keys(), OTHERS)
def test_every_row_of_cell_keys_is_unbiased_with_its_variance(keys: CellKey, count: int) -> None:
    law = keys.law(count)
    assert law.bias == pytest.approx(0, abs=1e-9)
    assert law.mean_square_error == pytest.approx(keys.variance if count else 0.0, rel=1e-9)
    assert np.abs(law.error).max() <= keys.largest_noise
    assert not set(law.values) & set(range(1, keys.never_published + 1))


@given(cell_keys(), OTHERS)
def test_the_table_of_cell_keys_is_the_same_method(keys: CellKey, others: int) -> None:
    table = keys.table
    assert not table.is_cut_short or keys.never_published != table.never_published
    assert table.law(others).values == keys.law(others).values
    assert table.law(others).probability == pytest.approx(keys.law(others).probability, abs=1e-12)


@given(TWO, PRIOR)
def test_beliefs_are_right_on_average(worlds: TwoWorlds, prior: float) -> None:
    so, not_so = (worlds.mean_posterior(prior=prior, side=side) for side in ("present", "absent"))
    assert prior * so + (1 - prior) * not_so == pytest.approx(prior)
    assert not_so <= prior * (1 + 1e-12)
    assert so >= prior * (1 - 1e-12)


@given(TWO, PRIOR)
def test_a_guess_is_no_worse_with_the_release_and_no_better_than_the_profile_allows(
    worlds: TwoWorlds, prior: float
) -> None:
    right = worlds.right_guess(prior=prior)
    assert max(prior, 1 - prior) - 1e-12 <= right <= 1
    assert worlds.right_guess() == pytest.approx((1 + worlds.delta(0.0)) / 2)
    assert worlds.delta(0.0) == pytest.approx(worlds.delta(0.0, side="absent"), abs=1e-12)  # total variation


@given(TWO, st.floats(0, 5), st.floats(0, 5))
def test_a_profile_falls_to_the_chance_of_certainty(worlds: TwoWorlds, epsilon: float, more: float) -> None:
    for side in ("present", "absent"):
        first, second = worlds.delta([epsilon, epsilon + more], side=side)
        assert second <= first + 1e-15
        assert second >= worlds.probability_certain(side=side) - 1e-15


@given(TWO, st.floats(0, 1))
def test_epsilon_inverts_the_profile(worlds: TwoWorlds, delta: float) -> None:
    epsilon = worlds.epsilon(delta)
    both = [worlds.delta(epsilon, side=side) for side in ("present", "absent")]
    if math.isinf(epsilon):
        assert max(both) > delta
    else:
        assert max(both) <= delta + 1e-12
        if epsilon > 1e-9:
            less = epsilon * (1 - 1e-9)
            assert max(worlds.delta(less, side=side) for side in ("present", "absent")) >= delta - 1e-12
    assert worlds.exchanged.epsilon(delta) == epsilon


@given(TWO, PRIOR, st.floats(0, 1), st.floats(0, 1))
def test_a_higher_line_is_passed_no_more_often(worlds: TwoWorlds, prior: float, share: float, more: float) -> None:
    low = prior + share * (1 - prior)
    high = low + more * (1 - low)
    for side in ("present", "absent"):
        first, second = worlds.probability_above([low, high], prior=prior, side=side)
        assert second <= first
        if low < 1 - 1e-6:
            certain = worlds.probability_certain(side="present") if side == "present" else 0.0
            assert first >= certain - 1e-12


@given(TWO, TWO, PRIOR)
def test_another_cell_never_tells_less(first: TwoWorlds, second: TwoWorlds, prior: float) -> None:
    both = combine([(first, 1), (second, 1)])
    for one in (first, second):
        assert both.right_guess(prior=prior) >= one.right_guess(prior=prior) - 1e-9
        assert both.delta(0.7) >= one.delta(0.7) - 1e-9
        assert both.probability_certain() >= one.probability_certain() - 1e-12
    assert both.probability_certain() == pytest.approx(certain_somewhere([(first, 1), (second, 1)]))
    assert both.present.sum() == pytest.approx(1, abs=1e-9)
    assert both.absent.sum() == pytest.approx(1, abs=1e-9)


@given(METHOD, st.lists(st.tuples(OTHERS, st.integers(1, 9)), min_size=1, max_size=4), st.floats(0, 3), PRIOR)
def test_who_does_not_know_the_others_learns_no_more_than_the_worst_who_do(
    method: DisclosureControl, others: list[tuple[int, int]], epsilon: float, prior: float
) -> None:
    weights: dict[int, float] = {}
    for count, weight in others:
        weights[count] = weights.get(count, 0.0) + weight / sum(weight for _, weight in others)
    mixed = method.presence_if_unknown(weights)
    known = [(weight, method.presence(count)) for count, weight in weights.items()]
    for side in ("present", "absent"):
        mean = sum(weight * worlds.delta(epsilon, side=side) for weight, worlds in known)
        assert mixed.delta(epsilon, side=side) <= mean + 1e-12
    assert (
        mixed.right_guess(prior=prior)
        <= sum(weight * worlds.right_guess(prior=prior) for weight, worlds in known) + 1e-12
    )


@given(METHOD.filter(lambda method: not isinstance(method, SmallCountSuppression)), OTHERS)
def test_with_equal_noise_for_equal_people_no_difference_proves_absence_only_where_the_person_makes_one(
    method: DisclosureControl, others: int
) -> None:
    worlds = method.difference(others)
    same = math.fsum(
        math.exp(p + method.law(others + 1).logs[value])
        for value, p in method.law(others).logs.items()
        if value in method.law(others + 1).logs
    )
    assert worlds.probability_certain() == pytest.approx(1 - same, abs=1e-9)
    assert worlds.probability_certain(side="absent") == (same == 0.0)


@given(
    st.lists(st.lists(st.integers(0, 7), min_size=3, max_size=3), min_size=2, max_size=3),
    st.integers(1, 6),
    st.sampled_from(["shown", "hidden"]),
    st.data(),
)
def test_intervals_hold_the_true_counts_and_less_published_widens_them(
    counts: list[list[int]], threshold: int, zero: str, data: st.DataObject
) -> None:
    published = SmallCountSuppression(threshold=threshold, zero=zero).publish(counts)  # type: ignore[arg-type]
    cells = published.intervals()
    for cell in cells:
        assert cell.largest is not None
        assert cell.least <= counts[cell.place[0]][cell.place[1]] <= cell.largest
    assert [cell.place for cell in cells] == list(published.hidden)
    fewer = {kept: totals for kept, totals in published.totals.items() if data.draw(st.booleans())}
    wider = SuppressedTable(published.cells, totals=fewer, low=published.low, high=published.high).intervals()
    for before, after in zip(cells, wider, strict=True):
        assert after.least <= before.least
        assert after.largest >= before.largest  # type: ignore[operator]


@given(st.floats(0.01, 0.97), st.sampled_from(["stays", "redo"]), st.integers(2, 5), st.data())
def test_swapping_keeps_its_bound_for_every_two_arrangements(
    rate: float, single: str, records: int, data: st.DataObject
) -> None:
    swapping = PermutationSwapping(rate=rate, single=single)  # type: ignore[arg-type]
    here = data.draw(st.lists(st.sampled_from("abcd"), min_size=records, max_size=records))
    there = data.draw(st.permutations(here))
    worlds = swapping.two_worlds(present=here, absent=there)
    differ = sum(one != other for one, other in zip(here, there, strict=True))
    assert worlds.epsilon(0.0) <= differ * swapping.epsilon_per_record(records) + 1e-9
    if differ == 2:
        assert worlds.epsilon(0.0) <= swapping.exchange_epsilon(records) + 1e-9
    law = swapping.arrangement_law(here)
    assert sum(law.values()) == pytest.approx(1)
    assert all(sorted(arrangement) == sorted(here) for arrangement in law)


@given(st.floats(0.001, 0.999), st.sampled_from(["stays", "redo"]), st.integers(2, 400))
def test_a_larger_stratum_keeps_less_and_has_a_larger_epsilon(rate: float, single: str, records: int) -> None:
    swapping = PermutationSwapping(rate=rate, single=single)  # type: ignore[arg-type]
    assert swapping.exchange_epsilon(records) <= swapping.exchange_epsilon(records + 1) + 1e-9
    assert swapping.exchange_epsilon(records) <= 2 * swapping.epsilon_per_record(records) + 1e-9
    if single == "stays":
        assert swapping.probability_kept(records + 1) <= swapping.probability_kept(records) + 1e-12
