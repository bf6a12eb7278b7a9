"""Promises of dpcore.totals.apportionment."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpcore.totals import all_multinomial_modes, apportion_rows, dhondt, hamilton, multinomial_mode, webster
from tests.each import each

SMALL = [(units, weights) for units in (0, 1, 4, 5) for weights in ([1, 1, 1], [0, 3, 3], [1, 9, 2], [5], [2, 7])]


def _log_multinomial(units: tuple[int, ...], weights: list[int]) -> float:
    if any(k and not w for k, w in zip(units, weights, strict=True)):
        return -math.inf
    return sum((k * math.log(w) if k else 0) - math.lgamma(k + 1) for k, w in zip(units, weights, strict=True))


@each("units, weights", SMALL)
def test_all_modes_are_the_most_likely_counts_of_the_multinomial_law(units: int, weights: list[int]) -> None:
    shares = [s for s in itertools.product(range(units + 1), repeat=len(weights)) if sum(s) == units]
    best = max(_log_multinomial(s, weights) for s in shares)
    wanted = sorted(list(s) for s in shares if _log_multinomial(s, weights) > best - 1e-9)
    assert all_multinomial_modes(units, weights) == wanted
    assert multinomial_mode(units, weights) in wanted
    assert dhondt(units, weights) in wanted


def test_the_tie_rules_differ_as_in_the_paper() -> None:
    assert multinomial_mode(607, [251, 357]) == [250, 357]
    assert multinomial_mode(607, [251, 357], ties="lowest_index") == [251, 356]


def test_nothing_to_share_gives_nothing_even_with_zero_weights() -> None:
    for rule in (multinomial_mode, dhondt, webster, hamilton):
        assert rule(0, [0, 0]) == [0, 0]
    assert all_multinomial_modes(0, [0]) == [[0]]


def test_fractional_weights_count_in_their_exact_proportion() -> None:
    assert multinomial_mode(10, [0.5, 0.25, 0.25]) == multinomial_mode(10, [2, 1, 1])
    assert webster(7, [0.125, 0.375]) == webster(7, [1, 3])


def test_webster_favours_neither_end() -> None:
    weights = [3] * 20 + [100]
    assert multinomial_mode(180, weights)[-1] > webster(180, weights)[-1]


def test_counts_beyond_floats_are_compared_as_integers() -> None:
    big = 2**52 + 1
    assert dhondt(1, [big - 1, big]) == [0, 1]


@pytest.mark.parametrize("rule", [multinomial_mode, dhondt, webster, hamilton, all_multinomial_modes])
@each(
    "units, weights, text",
    [
        (-1, [1, 2], "units must be a whole number of at least 0; got -1"),
        (2.5, [1, 2], "units must be a whole number of at least 0; got 2.5"),
        (True, [1, 2], "units must be a whole number of at least 0; got True"),
        (5, [1, -2], "weights must be at least 0 and finite; got -2.0"),
        (5, [1, float("nan")], "weights must be at least 0 and finite; got nan"),
        (5, [], r"weights must be a list of at least one number; got shape \(0,\)"),
        (5, [0, 0], "weights must hold a positive number when there are units to share; got zeros only"),
    ],
)
def test_bad_shares_are_refused(rule, units, weights, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        rule(units, weights)


def test_unknown_rules_and_too_many_modes_are_refused() -> None:
    with pytest.raises(ValueError, match="ties must be one of 'finucan_first_index', 'lowest_index'; got 'coin'"):
        multinomial_mode(1, [1], ties="coin")
    with pytest.raises(
        ValueError, match="units must leave at most 100000 tied modes; got 20 units, 137846528820 modes"
    ):
        all_multinomial_modes(20, [1] * 40)
    with pytest.raises(ValueError, match="rule must be one of 'mode'"):
        apportion_rows([1], [[1]], rule="best")
    with pytest.raises(ValueError, match="weights must have one row for each of the 2 units"):
        apportion_rows([1, 1], [[1]])
    with pytest.raises(ValueError, match="weights must lie in"):
        apportion_rows([1], [[2.0**27]])
    with pytest.raises(ValueError, match="units must be whole numbers"):
        apportion_rows([2.5], [[1, 9]])
    with pytest.raises(ValueError, match="weights must be whole numbers"):
        apportion_rows([2], [[0.5, 0.4]])


def test_a_row_of_zeros_is_shared_equally() -> None:
    assert apportion_rows([4], [[0, 0]], rule="webster").tolist() == [[2, 2]]
    assert np.ptp(apportion_rows([7], [[0, 0, 0]], rule="mode")) == 1
