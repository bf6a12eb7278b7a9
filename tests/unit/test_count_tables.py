"""Tables released with a base measure: laws, errors, draws and the exact loss, against enumeration."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest

from dpcore.public_information import (
    CountTableRelease,
    concentrations_from,
    dirichlet_multinomial_log_pmf,
    worst_table_loss,
)
from tests.each import each

TABLES = [table for table in itertools.product(range(6), repeat=3) if sum(table) == 5]
CONCENTRATIONS = (2.0, 0.5, 1.5)


def enumerated_law(true: tuple[int, ...], epsilon: float, concentrations: tuple[float, ...] | None) -> np.ndarray:
    weights = []
    for table in TABLES:
        log_weight = -epsilon * sum(abs(y - x) for y, x in zip(table, true, strict=True))
        if concentrations is not None:
            log_weight += dirichlet_multinomial_log_pmf(table, concentrations)
        weights.append(math.exp(log_weight))
    return np.array(weights) / sum(weights)


@pytest.mark.parametrize(("base", "concentrations"), [("congenial", None), ("dirichlet_multinomial", CONCENTRATIONS)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 20.0])
def test_the_cell_laws_equal_enumeration(base: str, concentrations: tuple[float, ...] | None, epsilon: float) -> None:
    true = (4, 0, 1)
    release = CountTableRelease(true=true, epsilon_per_unit=epsilon, base=base, concentrations=concentrations)
    law = enumerated_law(true, epsilon, concentrations)
    expected = np.zeros((3, 6))
    for chance, table in zip(law, TABLES, strict=True):
        for cell, value in enumerate(table):
            expected[cell, value] += chance
    np.testing.assert_allclose(release.cell_laws(), expected, atol=1e-14)
    errors = [
        sum(chance * abs(table[cell] - true[cell]) for chance, table in zip(law, TABLES, strict=True))
        for cell in range(3)
    ]
    np.testing.assert_allclose(release.expected_absolute_error(), errors, atol=1e-13)


@pytest.mark.parametrize(("base", "concentrations"), [("congenial", None), ("dirichlet_multinomial", CONCENTRATIONS)])
def test_draws_follow_the_law(base: str, concentrations: tuple[float, ...] | None) -> None:
    release = CountTableRelease(true=(4, 0, 1), epsilon_per_unit=0.4, base=base, concentrations=concentrations)
    draws = release.draw(seed=7, size=4000)
    assert (draws.sum(axis=1) == 5).all()
    assert (draws >= 0).all()
    seen = [np.mean((draws == table).all(axis=1)) for table in TABLES]
    np.testing.assert_allclose(seen, enumerated_law((4, 0, 1), 0.4, concentrations), atol=0.03)


def test_naive_draws_are_unbiased_and_have_the_stated_error() -> None:
    release = CountTableRelease(true=(4, 0, 1), epsilon_per_unit=0.5, base="naive")
    draws = release.draw(seed=1, size=10_000)
    np.testing.assert_allclose(draws.mean(axis=0), release.true, atol=0.12)
    np.testing.assert_allclose(np.abs(draws - release.true).mean(axis=0), release.expected_absolute_error(), rtol=0.05)


@pytest.mark.parametrize("concentrations", [None, CONCENTRATIONS])
def test_the_exact_loss_is_the_largest_log_ratio_of_any_pair_and_release(
    concentrations: tuple[float, ...] | None,
) -> None:
    laws = {table: np.log(enumerated_law(table, 0.5, concentrations)) for table in TABLES}
    worst = max(
        float(np.max(np.abs(laws[one] - laws[two])))
        for one, two in itertools.combinations(TABLES, 2)
        if sum(abs(a - b) for a, b in zip(one, two, strict=True)) == 2
    )
    assert worst_table_loss(cells=3, total=5, epsilon_per_unit=0.5, concentrations=concentrations) == pytest.approx(
        worst
    )


def test_the_loss_holds_where_the_earlier_table_leaves_no_weight_to_a_float() -> None:
    with mpmath.workdps(50):
        base = [rising(1e40, y) * rising(1.0, 20 - y) for y in range(21)]
        sums = [mpmath.fsum(w * mpmath.exp(-100 * abs(y - true)) for y, w in enumerate(base)) for true in range(21)]
        loss = 100 + max(abs(float(mpmath.log(sums[i] / sums[i + 1]))) for i in range(20))
    assert loss > 150
    found = worst_table_loss(cells=2, total=20, epsilon_per_unit=50.0, concentrations=(1e40, 1.0))
    assert found == pytest.approx(loss, rel=1e-12)


def test_one_cell_or_nobody_leaves_nothing_to_lose() -> None:
    assert worst_table_loss(cells=1, total=9, epsilon_per_unit=0.5) == 0.0
    assert worst_table_loss(cells=4, total=0, epsilon_per_unit=0.5) == 0.0


def test_large_tables_do_not_underflow() -> None:
    release = CountTableRelease(
        true=(3000, 0, 0, 2000),
        epsilon_per_unit=2.0,
        base="dirichlet_multinomial",
        concentrations=(1.0, 500.0, 2.0, 9.0),
    )
    np.testing.assert_allclose(release.cell_laws().sum(axis=1), 1.0)


def test_the_dirichlet_multinomial_adds_up_to_one() -> None:
    assert sum(math.exp(dirichlet_multinomial_log_pmf(table, CONCENTRATIONS)) for table in TABLES) == pytest.approx(1.0)


def test_an_empty_earlier_cell_counts_one_half() -> None:
    assert concentrations_from(previous=[3, 0], strength=0.1).tolist() == pytest.approx([0.3, 0.05])


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"true": (-1, 2)}, r"true\[0\] must be a whole number of at least 0; got -1"),
        ({"true": (1.5, 2)}, r"true\[0\] must be a whole number of at least 0; got 1.5"),
        ({"true": ()}, "true must be a list of whole numbers; got"),
        ({"true": "12"}, "true must be a list of whole numbers; got '12'"),
        ({"true": (1,) * 501}, "true must have at most 500 cells; got 501"),
        ({"true": (20_001,)}, "true must have a total of at most 20000; got 20001"),
        (
            {"true": (20_000,) + (0,) * 9},
            "true must have cells times squared total of at most 2000000000; got 4000000000",
        ),
        ({"epsilon_per_unit": 0}, "epsilon_per_unit must be greater than 0 and finite; got 0"),
        ({"base": "wild"}, "base must be one of 'naive', 'congenial', 'dirichlet_multinomial'; got 'wild'"),
        (
            {"base": "dirichlet_multinomial"},
            "concentrations must be given with base 'dirichlet_multinomial' and only then",
        ),
        (
            {"concentrations": (1.0, 1.0)},
            "concentrations must be given with base 'dirichlet_multinomial' and only then",
        ),
        (
            {"base": "dirichlet_multinomial", "concentrations": (1.0,)},
            r"concentrations must have one value per cell \(2\); got 1",
        ),
        (
            {"base": "dirichlet_multinomial", "concentrations": (1.0, 0.0)},
            "concentrations must be greater than 0 and finite; got 0",
        ),
    ],
)
def test_a_release_refuses(inputs: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CountTableRelease(**({"true": (1, 2), "epsilon_per_unit": 1.0} | inputs))  # type: ignore[arg-type]


def test_other_refusals() -> None:
    with pytest.raises(
        ValueError, match="base must be 'congenial' or 'dirichlet_multinomial' for laws on 0 to the total"
    ):
        CountTableRelease(true=(1, 2), epsilon_per_unit=1.0, base="naive").cell_laws()
    with pytest.raises(ValueError, match="size must be a whole number from 1 to 10000; got 0"):
        CountTableRelease(true=(1, 2), epsilon_per_unit=1.0).draw(seed=1, size=0)
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0; got -1"):
        CountTableRelease(true=(1, 2), epsilon_per_unit=1.0).draw(seed=-1)
    with pytest.raises(ValueError, match="cells and total must give at most 20000 tables; got 4598126"):
        worst_table_loss(cells=5, total=100, epsilon_per_unit=1.0)
    with pytest.raises(ValueError, match="strength must be greater than 0 and finite; got 0"):
        concentrations_from(previous=[1], strength=0)


def rising(start: float, count: int) -> mpmath.mpf:
    return mpmath.rf(mpmath.mpf(start), count) / mpmath.factorial(count)


@each("strength", [0.3, 30.0, 1e6, 1e12, 1e16, 1e25])
def test_a_strong_earlier_table_weighs_what_fifty_digits_say(strength: float) -> None:
    with mpmath.workdps(50):
        base = [rising(strength, y) * rising(2 * strength, 2 - y) for y in range(3)]
        shares = [float(mpmath.log(weight / mpmath.fsum(base))) for weight in base]
        laws = [[weight * mpmath.exp(-2 * abs(y - true)) for y, weight in enumerate(base)] for true in range(3)]
        sums = [mpmath.fsum(law) for law in laws]
        loss = 2 + max(abs(float(mpmath.log(sums[i] / sums[i + 1]))) for i in range(2))
        law = [float(weight / sums[2]) for weight in laws[2]]
    given = (strength, 2 * strength)
    for y in range(3):
        assert dirichlet_multinomial_log_pmf([y, 2 - y], given) == pytest.approx(shares[y], abs=1e-8)
    release = CountTableRelease(true=(2, 0), epsilon_per_unit=1.0, base="dirichlet_multinomial", concentrations=given)
    np.testing.assert_allclose(release.cell_laws()[0], law, rtol=1e-8)
    assert worst_table_loss(cells=2, total=2, epsilon_per_unit=1.0, concentrations=given) == pytest.approx(loss)


def test_a_table_may_have_as_many_cells_as_twenty_thousand_tables_allow() -> None:
    """One person in one of 1,100 cells: by symmetry no normaliser changes."""
    assert worst_table_loss(cells=1100, total=1, epsilon_per_unit=1.0) == 2.0
