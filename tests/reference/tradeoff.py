"""Kinds of case about the best test of a secret, in the area `promise`, answered by `dpcore.tradeoff`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.tradeoff import TradeOff, trade_off
from tests.reference.choices import one_of
from tests.reference.promise import guarantee_of

_MECHANISMS: dict[str, Callable[..., Any]] = {
    "geometric": Geometric,
    "laplace": Laplace,
    "gaussian": Gaussian,
    "discrete_gaussian": DiscreteGaussian,
    "randomised_response": RandomizedResponse,
}


def _trade_off(
    guarantee: Mapping[str, float] | None = None, mechanism: str | None = None, cells: int = 1, **budget: float
) -> TradeOff:
    if guarantee is not None:
        return trade_off(guarantee_of(guarantee), cells=cells)
    return trade_off(one_of("mechanism", mechanism, _MECHANISMS)(**budget), cells=cells)


ANSWERS: dict[str, Callable[..., Any]] = {
    "power": lambda false_alarm, **source: _trade_off(**source).detection(false_alarm),
    "right_guess": lambda prior=0.5, **source: _trade_off(**source).right_guess(prior=prior),
}
