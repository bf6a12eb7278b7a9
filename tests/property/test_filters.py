"""Laws of filters."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dpcore.filters import BudgetFilter
from dpcore.guarantees import PureDP, ZeroConcentratedDP

CENTS = st.integers(1, 100)


@given(CENTS, st.lists(CENTS, max_size=12), st.sampled_from(("skip", "stop")))
def test_what_is_granted_never_sums_to_more_than_the_budget_and_what_is_left_fits(
    budget: int, asks: list[int], rule: str
) -> None:
    """In whole hundredths, by a ledger of integers."""
    left, granted, ended = budget, [], False
    for ask in asks:
        granted.append(not ended and ask <= left)
        left -= ask * granted[-1]
        ended |= rule == "stop" and not granted[-1]
    for of in (lambda cents: PureDP(epsilon=cents / 100), lambda cents: ZeroConcentratedDP(rho=cents / 100)):
        found = BudgetFilter(of(budget), rule=rule).ask(*map(of, asks))  # type: ignore[arg-type]
        assert list(found.granted) == granted
        (rest,), (spent,) = found.left.values(), found.spent.values()
        assert Decimal(repr(rest)) * 100 == left
        assert Decimal(repr(spent)) * 100 == budget - left
        if left and not ended:
            assert found.fits(of(left))
            assert not found.fits(of(left + 1))


@given(st.lists(st.floats(1e-6, 3.0), min_size=1, max_size=12), st.floats(0.01, 3.0))
def test_pure_releases_under_a_rho_never_pass_it_and_what_is_left_can_be_asked_for(
    epsilons: list[float], rho: float
) -> None:
    found = BudgetFilter(ZeroConcentratedDP(rho=rho)).ask(*(PureDP(epsilon=epsilon) for epsilon in epsilons))
    assert found.spent["rho"] <= rho
    if found.left["rho"]:
        assert found.fits(ZeroConcentratedDP(rho=found.left["rho"]))
