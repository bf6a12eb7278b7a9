"""Sharing a total: against an exhaustive scan, SciPy's optimiser and the definitions themselves."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from dpcore.accuracy import NOISES
from dpcore.guarantees import Relation
from dpcore.mechanisms import discrete_gaussian_variance
from dpcore.publication import (
    ClippedTotal,
    CountTable,
    Publication,
    Rule,
    Wish,
    allocate,
    budget_for_range,
    guarantee_of_unit,
    least_stretch,
    least_weighted_variance,
    publication_errors,
    range_error,
    total_for_wishes,
)
from tests.each import each

ADD = Relation.ADD_OR_REMOVE
CURRENCIES: tuple[tuple[Any, ...], ...] = (("geometric", "laplace"), ("discrete_gaussian", "gaussian"))


def _random_rows(rng: np.random.Generator, size: int) -> dict[str, np.ndarray]:
    return {"times": rng.integers(1, 13, size), "sensitivity": rng.integers(1, 5, size).astype(float)}


# ---- the stretch ----------------------------------------------------------------------------------------------------


def _scanned_stretch(
    noises: list[Any], widths: np.ndarray, times: np.ndarray, deltas: np.ndarray, total: float, level: float
) -> float:
    """Walk through every breakpoint from the smallest; between two of them the continuous rows are solved for."""
    whole = [at for at, noise in enumerate(noises) if noise in ("geometric", "discrete_gaussian")]
    power = 1 if noises[0] in CURRENCIES[0] else 2
    flowing = math.fsum(
        times[at] * float(budget_for_range(widths[at], noises[at], level=level, sensitivity=deltas[at]))
        for at in range(len(noises))
        if at not in whole
    )

    def need_of_whole(stretch: Fraction) -> float:
        return math.fsum(
            times[at]
            * float(
                budget_for_range(
                    math.floor(stretch * Fraction(float(widths[at]))),
                    noises[at],
                    level=level,
                    sensitivity=deltas[at],
                )
            )
            for at in whole
        )

    limit = max(400, int(widths.max()) * 4)
    points = sorted({Fraction(j) / Fraction(float(widths[at])) for at in whole for j in range(limit)})
    for here, after in itertools.pairwise(points):
        left = total - need_of_whole(here)
        if left < 0 or (flowing and left == 0):
            continue
        found = (flowing / left) ** (1 / power) if flowing else 0.0
        if found < float(after):
            return max(found, float(here))
    raise AssertionError("the scan ended too early")


@each("seed", range(24))
def test_the_stretch_against_an_exhaustive_scan(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = CURRENCIES[seed % 2]
    size = int(rng.integers(1, 4))
    noises = [kinds[0]] * size if seed % 3 else [str(kind) for kind in rng.choice(kinds, size)] + [kinds[0]]
    rows = _random_rows(rng, len(noises))
    widths = rng.choice([1.0, 2.0, 3.0, 7.0, 4.5, 10.9, 20.0], len(noises))
    total = float(rng.uniform(0.3, 40.0)) if seed % 2 == 0 else float(rng.uniform(0.05, 60.0))
    found = least_stretch(noise=noises, half_widths=widths, total=total, level=0.9, **rows)
    scanned = _scanned_stretch(noises, widths, rows["times"], rows["sensitivity"], total, 0.9)
    assert found.stretch == pytest.approx(scanned, rel=1e-9, abs=1e-15)
    assert found.needed <= total * (1 + 1e-12)
    assert found.needed == pytest.approx(float(rows["times"] @ found.budgets))


def test_a_total_that_keeps_everything_exact_needs_no_stretch_at_all() -> None:
    found = least_stretch(noise="geometric", half_widths=[5, 2], times=[1, 1], sensitivity=[1, 1], total=1000)
    assert found.stretch == 0
    assert found.half_widths.tolist() == [0, 0]


def test_the_smallest_total_of_a_stretch_finds_that_stretch_again() -> None:
    rows = tuple(CountTable(noise="discrete_gaussian", wish=Wish(width), times=3) for width in (6, 9, 14, 250))
    publication = Publication(rows, ADD)
    total = total_for_wishes(publication)
    for amount, stretch in ((total, 1.0), (total_for_wishes(publication, stretch=1.5), 1.5)):
        assert allocate(publication, amount).stretch == pytest.approx(stretch, rel=1e-12)
    smaller = allocate(publication, total * (1 - 1e-9)).stretch
    assert smaller is not None
    assert smaller > 1.0


def test_ranges_that_decimals_make_whole_are_whole() -> None:
    # 0.3/0.1 is 2.9999999999999996 in floats: the wish of the second row at the stretch 1/0.1 is +- 3
    need = float(budget_for_range(1, "geometric")) + float(budget_for_range(3, "geometric"))
    found = least_stretch(
        noise="geometric", half_widths=[0.1, 0.3], times=[1, 1], sensitivity=[1, 1], total=need * (1 + 1e-11)
    )
    assert found.half_widths.tolist() == [1, 3]
    assert found.stretch == pytest.approx(10)


def test_widths_far_apart_and_very_wide_ones() -> None:
    for noise in ("geometric", "discrete_gaussian"):
        inputs: dict[str, Any] = {"times": [1, 1, 2], "sensitivity": [1.0, 2e5, 1.0]}
        found = least_stretch(noise=noise, half_widths=[1.5, 1e6, 333], total=0.7, **inputs)
        assert found.needed <= 0.7 * (1 + 1e-12)
        below = found.stretch * (1 - 1e-7)
        needs = [
            f * float(budget_for_range(below * width, noise, sensitivity=delta))
            for f, width, delta in zip(inputs["times"], [1.5, 1e6, 333], inputs["sensitivity"], strict=True)
        ]
        assert sum(needs) > 0.7
    for seed in range(12):  # breakpoints that lie closer together than floats tell apart
        rng = np.random.default_rng(seed)
        widths = np.round(np.exp(rng.uniform(-1, 11, 6)), 1) + 0.1
        rows = {"times": rng.integers(1, 400, 6), "sensitivity": np.exp(rng.uniform(-1, 8, 6))}
        kind = "geometric" if seed % 2 else "discrete_gaussian"
        for total in (2e-3, 0.5, 300.0):
            level = float(rng.choice([0.01, 0.5, 0.95]))
            found = least_stretch(noise=kind, half_widths=widths, total=total, level=level, **rows)
            assert found.needed <= total * (1 + 1e-12)
            for delta, budget, kept in zip(rows["sensitivity"], found.budgets, found.half_widths, strict=True):
                assert range_error(float(budget), kind, sensitivity=float(delta), level=level).half_width <= kept
    with pytest.raises(ValueError, match=r"total must keep ranges below 1e\+12; got 1e-13"):
        least_stretch(noise="geometric", half_widths=[1], times=[1], sensitivity=[1], total=1e-13)


# ---- least weighted error -------------------------------------------------------------------------------------------


VARIANCES: dict[str, Any] = {  # of noise of a sensitivity at a budget, as in the textbooks
    "geometric": lambda budget, delta: 0.5 / np.sinh(budget / delta / 2) ** 2,
    "laplace": lambda budget, delta: 2 * (delta / budget) ** 2,
    "gaussian": lambda budget, delta: delta**2 / (2 * budget),
    "discrete_gaussian": lambda budget, delta: discrete_gaussian_variance(budget / delta**2),
}


def _loss(noises: list[Any], weights: np.ndarray, deltas: np.ndarray, budgets: np.ndarray) -> float:
    names = np.array(noises)
    return math.fsum(
        float(weights[names == noise] @ VARIANCES[noise](budgets[names == noise], deltas[names == noise]))
        for noise in sorted(set(noises))
    )


@each("seed", range(80))
def test_optimal_shares_are_never_worse_than_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = CURRENCIES[seed % 2]
    size = int(rng.integers(2, 7))
    noises = [kinds[0]] * size if seed % 4 < 2 else [str(kind) for kind in rng.choice(kinds, size)]
    rows, weights = _random_rows(rng, size), rng.uniform(0.2, 5.0, size)
    total = float(np.exp(rng.uniform(-2, 3.5)))
    ours = least_weighted_variance(noise=noises, weights=weights, total=total, **rows)
    times, deltas = rows["times"].astype(float), rows["sensitivity"]
    assert math.fsum(times * ours) == pytest.approx(total, rel=1e-12)
    reached = _loss(noises, weights, deltas, ours)
    start = np.full(size, 1 / size)

    def objective(share: np.ndarray) -> float:
        return math.log(_loss(noises, weights, deltas, np.maximum(share, 1e-9) * total / times))

    theirs = minimize(
        objective,
        start,
        method="SLSQP",
        bounds=[(1e-6, 1.0)] * size,
        constraints={"type": "eq", "fun": lambda share: share.sum() - 1},
        options={"maxiter": 60, "ftol": 1e-11},
    )
    share = np.maximum(theirs.x, 1e-9) / np.maximum(theirs.x, 1e-9).sum()
    assert reached <= _loss(noises, weights, deltas, share * total / times) * (1 + 1e-9)
    for _ in range(20):  # and no step aside is better
        moved = ours * times / total * np.exp(rng.normal(0, 0.01, size))
        assert reached <= _loss(noises, weights, deltas, moved / moved.sum() * total / times) * (1 + 1e-12)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("total", [1e-70, 1e-12, 1e-3, 3.0, 30.0, 2e4])
def test_totals_of_any_size_are_shared_by_the_condition_of_lagrange(noise: Any, total: float) -> None:
    weights, deltas, times = np.array([1.0, 40.0, 3.0]), np.array([1.0, 1.0, 2.0]), np.array([1.0, 2.0, 5.0])
    found = least_weighted_variance(noise=noise, weights=weights, times=times, sensitivity=deltas, total=total)
    assert math.fsum(times * found) == pytest.approx(total, rel=1e-12)
    assert (found > 0).all()
    if noise in ("geometric", "discrete_gaussian") and total > 1000:
        # far out the variance is 2 e^-x: the slopes w/f e^-x/unit agree, whatever underflows
        unit = deltas if noise == "geometric" else deltas**2
        slopes = np.log(weights / times / unit) - found / unit
        assert np.ptp(slopes) < 1e-9 * np.abs(slopes).max()
    else:
        step = 1e-5
        rising, falling = (
            [
                range_error(float(b) * (1 + move), noise, sensitivity=float(d)).std ** 2
                for b, d in zip(found, deltas, strict=True)
            ]
            for move in (step, -step)
        )
        slope = weights * (np.array(falling) - np.array(rising)) / (found * times)
        assert slope == pytest.approx([slope[0]] * 3, rel=1e-6)


# ---- a publication --------------------------------------------------------------------------------------------------


def _publication(currency: str) -> Publication:
    whole, flowing = CURRENCIES[0] if currency == "epsilon" else CURRENCIES[1]
    rows = (
        CountTable(name="births", noise=whole, areas=30, times=12, wish=Wish(10), weight=3),
        CountTable(name="by age", noise=whole, cells=9, cells_per_person=2, wish=Wish(25, level=0.9)),
        ClippedTotal(name="wages", noise=flowing, low=0, high=50, wish=Wish(900)),
    )
    return Publication(rows, ADD)


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("currency", ["epsilon", "rho"])
@pytest.mark.parametrize("total", [0.037, 1.0, 3.1])
def test_every_rule_spends_its_total_and_in_exact_sums_never_more(rule: str, currency: str, total: float) -> None:
    publication = _publication(currency)
    for reserve in (0.0, 0.25):
        found = allocate(publication, total, rule=rule, reserve=reserve)
        exact = sum(
            Fraction(row.times) * Fraction(float(b)) for row, b in zip(publication.rows, found.budgets, strict=True)
        )
        assert exact <= Fraction(total * (1 - reserve))
        assert found.spent == pytest.approx(total * (1 - reserve), rel=1e-12)
        assert found.shares.sum() == pytest.approx(1 - reserve, rel=1e-12)


def test_same_error_is_one_standard_deviation_and_same_budget_one_budget() -> None:
    for currency in ("epsilon", "rho"):
        publication = _publication(currency)
        alike = publication_errors(publication, allocate(publication, 2.0, rule="same_error").budgets)
        assert alike.std == pytest.approx([alike.std[0]] * 3, rel=1e-9)
        equal = allocate(publication, 2.0, rule="same_budget").budgets
        assert equal == pytest.approx([2.0 / 14] * 3)
    counts = Publication(publication.rows[:2], ADD)
    same = publication_errors(counts, allocate(counts, 5.0, rule="same_error").budgets)
    assert same.std[0] == pytest.approx(same.std[1], rel=1e-13)
    assert same.empty_shown[0] == pytest.approx(same.empty_shown[1], rel=1e-13)


def test_the_weighted_rule_of_a_publication_is_the_formula() -> None:
    publication = _publication("rho")
    found = allocate(publication, 0.8, rule="least_weighted_error")
    expected = least_weighted_variance(
        noise=publication.noises,
        weights=[3, 1, 1],
        times=publication.times,
        sensitivity=publication.sensitivities,
        total=0.8,
    )
    assert found.budgets == pytest.approx(expected, rel=1e-13)
    assert (found.stretch, found.kept, found.needed) == (None, None, None)


def test_met_wishes_are_kept_and_what_is_left_over_makes_ranges_smaller() -> None:
    for currency in ("epsilon", "rho"):
        publication = _publication(currency)
        total = 1.21 * total_for_wishes(publication)
        found = allocate(publication, total)
        assert found.stretch is not None
        assert found.kept is not None
        assert found.needed is not None
        assert found.stretch <= 1
        reached = publication_errors(publication, found.budgets).half_width
        assert (reached <= found.kept * (1 + 1e-12)).all()
        assert found.kept[0] == math.floor(found.stretch * 10 + 1e-9)
        assert found.needed <= total
        assert found.budgets * found.needed / total == pytest.approx(
            least_stretch(
                noise=publication.noises,
                half_widths=[10, 25, 900],
                times=publication.times,
                sensitivity=publication.sensitivities,
                total=total,
                level=[0.95, 0.9, 0.95],
            ).budgets,
            rel=1e-12,
        )


def test_shares_by_hand_are_kept_and_the_rest_is_shared_by_the_rule() -> None:
    publication = _publication("epsilon")
    found = allocate(publication, 2.0, shares=[0.5, None, None], reserve=0.1)
    assert found.budgets[0] == pytest.approx(1.0 / 12)
    rest = allocate(Publication(publication.rows[1:], ADD), 0.8)
    assert found.budgets[1:] == pytest.approx(rest.budgets, rel=1e-12)
    assert found.stretch == pytest.approx(rest.stretch)
    assert found.kept is not None
    assert np.isnan(found.kept[0])
    assert found.kept[1:].tolist() == rest.kept.tolist()  # type: ignore[union-attr]
    assert found.spent == pytest.approx(1.8)
    typed = allocate(publication, 2.0, shares=[0.2, 0.3, 0.1])
    assert typed.shares == pytest.approx([0.2, 0.3, 0.1])
    assert typed.stretch is None
    decimals = allocate(publication, 2.0, shares=[0.1, 0.7, 0.2])  # adds to 0.9999999999999999
    assert decimals.spent == pytest.approx(2.0)


@each("times, total, shares", [((1, 1), 0.1, (0.2, 0.8)), ((1, 3), 0.29, (0.3, 0.7)), ((3, 7), 0.7, (0.3, None))])
def test_shares_by_hand_never_add_to_more_than_the_total(
    times: tuple[int, int], total: float, shares: tuple[float, float | None]
) -> None:
    publication = Publication(tuple(CountTable(times=f) for f in times), ADD)
    found = allocate(publication, total, shares=shares, rule="same_budget")
    assert sum(f * Fraction(b) for f, b in zip(times, found.budgets.tolist(), strict=True)) <= Fraction(total)
    assert found.spent == pytest.approx(total, rel=1e-15, abs=0)
    assert guarantee_of_unit(publication, found.budgets).epsilon <= total


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"total": 0}, "total must be greater than 0 and finite; got 0"),
        ({"rule": "fair"}, "rule must be one of 'meet_wishes', .*; got 'fair'"),
        ({"reserve": 1.0}, r"reserve must lie in \[0, 1\); got 1.0"),
        ({"shares": [0.5]}, r"shares must hold one entry for each row \(3\); got 1"),
        ({"shares": [None, 1.2, None]}, r"share of row 2 \('by age'\) must lie in \(0, 1\]; got 1.2"),
        ({"shares": [None, 0, None]}, r"share of row 2 \('by age'\) must lie in \(0, 1\]; got 0"),
        ({"shares": [0.7, 0.6, 0.1]}, "shares must add to at most 1 with the reserve; got 1.4"),
        ({"shares": [0.7, 0.2, 0.05], "reserve": 0.1}, "shares must add to at most 1 with the reserve; got 1.05"),
        ({"shares": [0.7, 0.3, None]}, "shares must leave budget for the rows without one; got 1"),
    ],
)
def test_what_an_allocation_refuses(inputs: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        allocate(_publication("epsilon"), **{"total": 1.0, **inputs})


GOOD: dict[str, Any] = {"half_widths": [3, 4], "times": [1, 2], "sensitivity": [1, 1], "total": 1.0}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"half_widths": [3, -4]}, "half_widths must be greater than 0 and finite; got -4.0"),
        ({"half_widths": [3, 0]}, "half_widths must be greater than 0 and finite; got 0.0"),
        ({"half_widths": ["three", 4]}, "half_widths must be numbers; got"),
        ({"half_widths": [3]}, r"half_widths must hold one entry for each row \(2\); got 1"),
        ({"sensitivity": [1, 1, 1]}, r"sensitivity must hold one entry for each row \(2\); got 3"),
        ({"sensitivity": [1, 0]}, "sensitivity must be greater than 0 and finite; got 0.0"),
        ({"times": [1, 0]}, "times must be at least 1 and finite; got 0.0"),
        ({"times": [1, 1.5]}, "times must be a list of whole numbers of at least 1"),
        ({"times": []}, "times must be a list of whole numbers of at least 1"),
        ({"total": -1}, "total must be greater than 0 and finite; got -1"),
        ({"level": 1.0}, r"level must lie in \[0.01, 1\); got 1.0"),
        ({"level": [0.9, 0.9, 0.9]}, r"level must hold one entry for each row \(2\); got 3"),
        ({"noise": "poisson"}, "noise must be one of"),
        ({"noise": ["laplace", "gaussian"]}, "noise must be of one currency, epsilon or rho"),
        ({"noise": ["laplace"]}, r"noise must hold one entry for each row \(2\); got 1"),
    ],
)
def test_what_a_stretch_refuses(change: dict[str, Any], text: str) -> None:
    inputs = {"noise": "geometric", **GOOD, **change}
    with pytest.raises(ValueError, match=text):
        least_stretch(noise=inputs.pop("noise"), **inputs)


def test_what_weights_refuse() -> None:
    good: dict[str, Any] = {"times": [1, 1], "sensitivity": [1, 1], "total": 1.0}
    for weights, text in (
        ([1, -1], "weights must be greater than 0 and finite; got -1.0"),
        ([1, 0], "weights must be greater than 0 and finite; got 0.0"),
        ([1], r"weights must hold one entry for each row \(2\); got 1"),
    ):
        with pytest.raises(ValueError, match=text):
            least_weighted_variance(noise="gaussian", weights=weights, **good)
    with pytest.raises(ValueError, match="total must be greater than 0 and finite; got 0"):
        least_weighted_variance(noise="gaussian", weights=[1, 1], **{**good, "total": 0})
    with pytest.raises(ValueError, match=r"wish of row 1 \('births'\) must be given; got None"):
        total_for_wishes(Publication((CountTable(name="births"),), ADD))
    with pytest.raises(ValueError, match="stretch must be greater than 0 and finite; got 0"):
        total_for_wishes(_publication("rho"), stretch=0)
