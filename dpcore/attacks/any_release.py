"""What any release with a guarantee permits an attacker to believe about a promise's secret, however it is made.

The attacks beside this module speak of one mechanism. Here is the bound for everything that has its guarantee.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.attacks._inputs import open_probability, positive
from dpcore.errors import Code, Refused
from dpcore.guarantees import Guarantee, PureDP, ZeroConcentratedDP
from dpcore.promise import Promise

_BUDGETS: dict[type, tuple[str, Callable[[int], int]]] = {
    PureDP: ("epsilon", lambda steps: steps),
    ZeroConcentratedDP: ("rho", lambda steps: 2 * steps * steps),
}
"""The budget of a guarantee, and how far a budget of one moves the log odds of a secret so many steps away."""


@overload
def belief_upper(guarantee: Guarantee, *, prior: Number, promise: Promise, budgets: Number | None = ...) -> float: ...
@overload
def belief_upper(
    guarantee: Guarantee, *, prior: ArrayLike, promise: Promise, budgets: ArrayLike | None = ...
) -> FloatArray: ...
@call_hint
def belief_upper(
    guarantee: Guarantee, *, prior: ArrayLike, promise: Promise, budgets: ArrayLike | None = None
) -> FloatArray | float:
    """Largest belief in a promise's secret, where it is true, that any release with a guarantee permits.

    Under ε-DP no release leads to a larger belief. Under ρ-zCDP some release may, and the bound holds for the average
    over all releases. An upper bound, for any release: expit(logit prior + n epsilon), which a histogram with geometric
    noise reaches for a value under records added or removed; or expit(logit prior + 2 n² rho). The latter's ratio to
    the prior tends, for one step, to exp(2 rho) for small priors, and discrete Gaussian noise on one count attains that
    limit; at prior 1/2 its excess over the prior is about twice that of the noise.
    Source: thesis, Theorem 27; dwork_roth, Theorem 2.2 (n epsilon)
    Source: ours, Jensen's inequality and the Rényi divergence of order 2; bun_steinke, Proposition 1.9 (n² rho)

    Parameters
    ----------
    guarantee : PureDP or ZeroConcentratedDP; of everything released, for one step of the promise's relation; its budget
        greater than 0
    prior : float or array; belief before the release, in (0, 1)
    promise : Promise; what must stay secret, and under which change of the data: it says how many steps n lie between
        the worlds
    budgets : array, optional; budgets (ε or ρ) at which the bound is wanted instead of the guarantee's own; broadcast
        against `prior`

    Examples
    --------
    >>> presence = Promise(secret="presence", relation="add_or_remove")
    >>> value = Promise(secret="value", relation="add_or_remove")  # two steps: four rho, two epsilon
    >>> [round(belief_upper(ZeroConcentratedDP(rho=0.0992), prior=0.5, promise=one), 3) for one in (presence, value)]
    [0.549, 0.689]
    >>> round(belief_upper(PureDP(epsilon=0.5), prior=0.5, promise=value), 4)
    0.7311
    """
    if not isinstance(promise, Promise):
        raise Refused("promise", "be a Promise", promise, Code.WRONG_TYPE)
    if type(guarantee) not in _BUDGETS:
        raise Refused("guarantee", "be pure or zero-concentrated", guarantee, Code.UNSUPPORTED)
    if guarantee.relation is not promise.relation:
        rule = f"be that of the guarantee ({guarantee.relation.value!r})"
        raise Refused("relation", rule, promise.relation.value, Code.INCONSISTENT)
    name, times = _BUDGETS[type(guarantee)]
    given = getattr(guarantee, name) if budgets is None else budgets
    odds = logit(open_probability(prior)) + times(promise.steps) * positive(name, given)
    return _checks.scalar_or_array(np.asarray(expit(odds)), prior, given)
