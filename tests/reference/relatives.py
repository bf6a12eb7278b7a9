"""Kinds of case in the area `relatives`, answered by `dpcore.relatives`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric
from dpcore.relatives import Relatives, RelativesCount
from tests.reference.choices import one_of

_NOISES: Mapping[str, Callable[[float], Any]] = {
    "geometric": lambda budget: Geometric(epsilon=budget),
    "gaussian": lambda budget: Gaussian(rho=budget),
    "discrete_gaussian": lambda budget: DiscreteGaussian(rho=budget),
}


def _ratio(epsilon: float, **shares: Sequence[float]) -> dict[str, float]:
    limits = Relatives.of_shares(**shares).shift_limits(epsilon=epsilon)
    return {"up": math.exp(limits.up), "down": math.exp(limits.down), "epsilon": limits.epsilon}


def _bounds(relatives: Relatives, prior: float, epsilon: float) -> list[float]:
    return [float(belief) for belief in relatives.shift_limits(epsilon=epsilon).posterior_bounds(prior=prior)]


def _known(prior: float, seen: Sequence[int | str], epsilon: float, **shares: Sequence[float]) -> dict[str, Any]:
    relatives, values = Relatives.of_shares(**shares), [None if one == "unknown" else one for one in seen]
    before = relatives.belief_knowing(values, prior=prior)  # type: ignore[arg-type]
    return {"before": before, "after": _bounds(relatives.unknown(values), before, epsilon)}  # type: ignore[arg-type]


def _count(noise: str, budget: float, prior: float, **shares: Sequence[float]) -> dict[str, float]:
    count = RelativesCount(Relatives.of_shares(**shares), one_of("noise", noise, _NOISES)(budget))
    return {"right_guess": count.right_guess(prior=prior), "largest_ratio": math.exp(count.shift_limits.up)}


ANSWERS: Mapping[str, Callable[..., Any]] = {
    "ratio": _ratio,
    "posterior": lambda epsilon, prior, **shares: _bounds(Relatives.of_shares(**shares), prior, epsilon),
    "budget": lambda prior, cap, **shares: Relatives.of_shares(**shares).epsilon_from_posterior(prior=prior, cap=cap),
    "known": _known,
    "count": _count,
    "zcdp_by_coupling": lambda rho, alpha, **shares: Relatives.of_shares(**shares).divergence_by_coupling(
        rho=rho, order=alpha
    ),
    "zcdp": lambda rho, alpha, **shares: Relatives.of_shares(**shares).divergence(rho=rho, order=alpha),
}
