"""Kinds of case in the area `census`, answered by `dpcore.census`; a plan by its exact law of the privacy loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcore.census import SECRETS, census_tables
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off
from tests.reference.choices import one_of


def _loss(secret: str, levels: Sequence[str]) -> PrivacyLoss:
    return one_of("secret", secret, SECRETS).privacy_loss(census_tables(levels=levels))


def _plan(rho_each: Sequence[float], times: Sequence[int]) -> PrivacyLoss:
    return PrivacyLoss(tuple((DiscreteGaussian(rho=rho), count) for rho, count in zip(rho_each, times, strict=True)))


ANSWERS: Mapping[str, Callable[..., Any]] = {
    "rho_of_secret": lambda secret, levels: float(one_of("secret", secret, SECRETS).rho(census_tables(levels=levels))),
    "right_guess": lambda prior, **which: _loss(**which).right_guess_bracket(prior=prior).high,
    "advantage": lambda **which: trade_off(_loss(**which)).advantage(),
    "epsilon": lambda delta, **which: _loss(**which).epsilon_at(delta),
    "delta_at": lambda epsilon, **which: _loss(**which).delta_at(epsilon),
    "epsilon_of_plan": lambda delta, **plan: _plan(**plan).epsilon_at(delta),
    "delta_of_plan": lambda epsilon, **plan: _plan(**plan).delta_at(epsilon),
}
