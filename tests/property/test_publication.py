"""Laws of a publication: more budget, relaxed wishes, added levels."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.accuracy import NOISES, Noise, noise_with_budget
from dpcore.publication import (
    CountTable,
    Publication,
    Wish,
    allocate,
    clipping_errors,
    guarantee_of_unit,
    level_errors,
    order_chances,
    publication_errors,
    range_error,
    share_range,
)
from dpcore.schema import Moves

CURRENCY = st.sampled_from([("geometric", "laplace"), ("discrete_gaussian", "gaussian")])
BUDGET = st.floats(-6, 3).map(math.exp)


@st.composite
def publications(draw: Any) -> Publication:
    kinds = draw(CURRENCY)
    rows = draw(
        st.lists(
            st.builds(
                CountTable,
                noise=st.sampled_from(kinds),
                cells=st.integers(4, 9),
                areas=st.integers(1, 500),
                cells_per_person=st.integers(1, 4),
                records_per_cell=st.integers(1, 3),
                times=st.integers(1, 12),
                wish=st.builds(
                    Wish, st.floats(0.5, 300).map(lambda e: round(e, 1)), level=st.sampled_from([0.8, 0.95])
                ),
                weight=st.floats(0.1, 10),
            ),
            min_size=1,
            max_size=5,
        )
    )
    relation = draw(st.sampled_from(["add_or_remove", "replace"]))
    moves = Moves(draw(st.sampled_from([None, "nowhere", "anywhere"])))
    return Publication(tuple(rows), relation, draw(st.integers(1, 3)), moves)


def _relaxed(publication: Publication, place: int, factor: float) -> Publication:
    rows = list(publication.rows)
    old = rows[place]
    assert isinstance(old, CountTable)
    assert old.wish is not None
    values = {name: getattr(old, name) for name in old.__dataclass_fields__}
    rows[place] = CountTable(**{**values, "wish": Wish(old.wish.half_width * factor, level=old.wish.level)})
    return replace(publication, rows=tuple(rows))


@settings(max_examples=60, deadline=None)
@given(publications(), BUDGET, st.floats(1.0, 3.0))
def test_more_budget_never_widens_a_range_that_is_kept(publication: Publication, total: float, factor: float) -> None:
    poor, rich = (allocate(publication, amount) for amount in (total, total * factor))
    assert poor.kept is not None
    assert rich.kept is not None
    assert (rich.kept <= poor.kept * (1 + 1e-9)).all()
    reached = publication_errors(publication, poor.budgets).half_width
    assert (reached <= poor.kept * (1 + 1e-9)).all()


@settings(max_examples=60, deadline=None)
@given(
    publications(),
    BUDGET,
    st.floats(1.0, 3.0),
    st.sampled_from(["least_weighted_error", "same_error", "same_budget"]),
)
def test_more_budget_never_widens_a_range_by_the_other_rules(
    publication: Publication, total: float, factor: float, rule: str
) -> None:
    poor, rich = (
        publication_errors(publication, allocate(publication, amount, rule=rule).budgets)
        for amount in (total, total * factor)
    )
    assert (rich.half_width <= poor.half_width * (1 + 1e-9)).all()
    assert (rich.std <= poor.std * (1 + 1e-9)).all()


@settings(max_examples=60, deadline=None)
@given(publications(), BUDGET, st.floats(1.0, 5.0), st.integers(0, 4))
def test_a_wish_relaxed_never_makes_another_range_worse(
    publication: Publication, total: float, factor: float, place: int
) -> None:
    at = place % len(publication.rows)
    before, after = allocate(publication, total), allocate(_relaxed(publication, at, factor), total)
    assert before.kept is not None
    assert after.kept is not None
    others = np.arange(len(publication.rows)) != at
    assert (after.kept[others] <= before.kept[others] * (1 + 1e-9)).all()


@settings(max_examples=60, deadline=None)
@given(publications(), BUDGET, st.integers(1, 1000))
def test_splitting_into_areas_costs_nothing_and_asking_twice_does(
    publication: Publication, budget: float, areas: int
) -> None:
    first = publication.rows[0]
    assert isinstance(first, CountTable)
    values = {name: getattr(first, name) for name in first.__dataclass_fields__}
    one, split, twice = (
        guarantee_of_unit(
            Publication((CountTable(**{**values, **change}),), publication.relation, publication.group), [budget]
        )
        for change in ({}, {"areas": first.areas * areas}, {"times": first.times + 1})
    )
    assert split == one
    amount = "epsilon" if publication.in_epsilon else "rho"
    assert getattr(twice, amount) > getattr(one, amount)


@given(
    st.lists(st.tuples(st.integers(1, 60), st.floats(0.1, 30)), min_size=1, max_size=5),
    st.floats(0.1, 30),
    st.integers(0, 4),
)
def test_a_published_level_never_raises_an_error_after_adding_up(
    levels: list[tuple[int, float]], last: float, place: int
) -> None:
    fanouts = [fanout for fanout, _ in levels]
    stds = [std for _, std in levels] + [last]
    without = list(stds)
    without[place % len(fanouts)] = math.inf  # not published
    more, less = level_errors(fanouts, stds).after, level_errors(fanouts, without).after
    assert (more <= less * (1 + 1e-12)).all()
    assert (more <= np.array(stds) * (1 + 1e-12)).all()


@settings(max_examples=60, deadline=None)
@given(CURRENCY, BUDGET, st.floats(1.0, 3.0), st.integers(1, 40))
def test_more_budget_and_wider_gaps_make_wrong_orders_rarer(
    kinds: tuple[str, str], budget: float, factor: float, gap: int
) -> None:
    row = CountTable(noise=kinds[0])  # type: ignore[arg-type]
    poor, rich = (row.noise_of_number(amount, "add_or_remove") for amount in (budget, budget * factor))
    near, far, better = (
        order_chances(one, one, gap=apart).wrong  # type: ignore[arg-type]
        for one, apart in ((poor, gap), (poor, gap + 1), (rich, gap))
    )
    assert far <= near <= 0.5
    assert better <= near * (1 + 1e-9)
    empty = range_error(budget, kinds[0]).empty_shown  # type: ignore[arg-type]
    assert empty is not None
    assert empty <= 0.5


@settings(max_examples=25)
@given(
    st.lists(st.integers(-50, 500), min_size=1, max_size=30),
    st.sampled_from(NOISES),
    st.floats(0.01, 5),
    st.lists(st.integers(1, 400), min_size=2, max_size=5, unique=True),
)
def test_wider_bounds_need_more_noise_and_cut_off_less(
    values: list[int], noise: Noise, budget: float, highs: list[int]
) -> None:
    """Of amounts that are nowhere below the lower end; errors are at least as large as the bias and as the noise."""
    amounts = [abs(value) for value in values]
    found = clipping_errors(
        amounts,
        [(0, high) for high in sorted(highs)],
        statistic="total",
        noise=noise,
        budget=budget,
        relation="add_or_remove",
    )
    assert (np.diff([error.bias for error in found]) >= 0).all()
    assert (np.diff([error.noise_std for error in found]) > 0).all() or found[0].noise_std < 1e-6
    for error in found:
        assert error.bias <= 0
        assert error.root_mean_square >= max(abs(error.bias), error.noise_std) * (1 - 1e-12)
        assert abs(error.bias) * (1 - 1e-12) <= error.mean_absolute <= error.root_mean_square * (1 + 1e-12)
        assert error.half_width <= (abs(error.bias) + error.mechanism.half_width(0.95)) * (1 + 1e-12)


@given(
    st.sampled_from(NOISES),
    st.floats(0.05, 3),
    st.floats(0.05, 3),
    st.integers(-20, 300),
    st.integers(1, 300),
    st.floats(0.05, 0.9),
)
def test_a_surer_range_of_a_share_holds_the_other_and_what_was_published(
    noise: Noise, of_part: float, of_whole: float, part: int, whole: int, level: float
) -> None:
    noises = {"part_noise": noise_with_budget(of_part, noise), "whole_noise": noise_with_budget(of_whole, noise)}
    sure, surer = (share_range(part, whole, level=one, **noises) for one in (level, (1 + level) / 2))
    published = min(max(part / whole, 0.0), 1.0)
    assert 0 <= surer.low <= sure.low + 1e-6
    assert sure.low <= published <= sure.high
    assert sure.high - 1e-6 <= surer.high <= 1
