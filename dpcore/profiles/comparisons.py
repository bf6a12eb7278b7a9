"""Other ways to set epsilon, beside a profile's: a public population (Lee and Clifton), a grid search, sampling."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.profiles.base import ProfileOfBound, RiskProfile, check_profile
from dpcore.profiles.point import (
    epsilon_from_shift,
    weights,
)
from dpcore.profiles.results import Axis, Certainty, ImpliedEpsilon, Place, Status, places_along

LARGEST_POPULATION = 2_000


@call_hint
def epsilon_for_absent_person(*, population_size: int, posterior_cap: float) -> float:
    """Largest epsilon that keeps the belief about who was left out of a public population below a cap.

    The promise is about who was left out (a presence), one of n people who are equally likely before. The value is
    log((n - 1) cap / (1 - cap)): Theorem 5 at prior 1/n, whatever statistic is released. Exact.
    Source: thesis, (3.40)

    Parameters
    ----------
    population_size : int; number of people n, at least 2, one of whom is absent; the prior on each is 1/n
    posterior_cap : float; largest acceptable posterior, in (1/n, 1)

    Examples
    --------
    >>> round(epsilon_for_absent_person(population_size=4, posterior_cap=1 / 3), 6)  # log(3/2)
    0.405465
    """
    n = _checks.count("population_size", population_size, 2)
    cap = _checks.number("posterior_cap", posterior_cap, 1.0 / n, 1.0, open_low=True, open_high=True)
    return max(0.0, math.log(n - 1) + math.log(cap) - math.log1p(-cap) if n > 2 else math.log(cap / (1.0 - cap)))


@call_hint
@dataclass(frozen=True)
class LeeClifton:
    """Lee and Clifton's epsilon for Laplace noise on a statistic of a public population with one person left out.

    The promise is about who was left out (a presence), one of n people who are equally likely before. `statistic_range`
    (Delta T) is the largest change when one more person leaves, `statistic_spread` (Delta v) the largest difference
    between two choices of who is absent; `epsilon` is their ratio times `general`, which is the answer that holds for
    any statistic.

    Examples
    --------
    >>> found = lee_clifton(population=[1, 2, 3, 10], statistic="mean", posterior_cap=0.5)
    >>> round(found.epsilon, 4), round(found.general, 4)
    (1.0376, 1.0986)
    """

    statistic_range: float
    statistic_spread: float
    epsilon: float
    general: float


@call_hint
def lee_clifton_epsilon(
    *, statistic_range: float, statistic_spread: float, population_size: int, posterior_cap: float
) -> float:
    """Lee and Clifton's epsilon from the two sensitivities of a statistic over a public population.

    The promise is about who was left out (a presence), one of n people who are equally likely before. The value is
    (Delta T / Delta v) log((n - 1) cap / (1 - cap)). As published; it assumes the population is public.
    Source: thesis, (3.41); lee_clifton, section on choosing epsilon for the mean and the median

    Parameters
    ----------
    statistic_range : float; Delta T (3.42): largest change of the statistic when a second person leaves, above 0
    statistic_spread : float; Delta v (3.43): largest difference between two choices of the one absent person, above 0
    population_size : int; number of people n, at least 2
    posterior_cap : float; largest acceptable posterior about who is absent, in (1/n, 1)

    Examples
    --------
    >>> round(lee_clifton_epsilon(statistic_range=4, statistic_spread=1, population_size=4, posterior_cap=1 / 3), 2)
    1.62
    """
    span = _checks.number("statistic_range", statistic_range, 0.0, open_low=True)
    spread = _checks.number("statistic_spread", statistic_spread, 0.0, open_low=True)
    return span / spread * epsilon_for_absent_person(population_size=population_size, posterior_cap=posterior_cap)


@call_hint
def lee_clifton(
    *, population: Sequence[float], statistic: Literal["mean", "median"], posterior_cap: float
) -> LeeClifton:
    """Lee and Clifton's epsilon for the mean or the median of a public population with one person left out.

    The promise is about who was left out (a presence), one of n people who are equally likely before. Both
    sensitivities, found exactly over all choices of absent people, and the epsilons.
    Source: thesis, (3.41) to (3.43); lee_clifton, section on choosing epsilon for the mean and the median

    Parameters
    ----------
    population : sequence of float; Everybody's value, 3 to 2000 people
    statistic : {"mean", "median"}; what is released
    posterior_cap : float; largest acceptable posterior about who is absent, in (1/n, 1)

    Raises
    ------
    Refused
        ``population must hold 3 to 2000 values``, ``statistic must be one of 'mean', 'median'``,
        ``statistic_spread must be greater than 0 and finite`` when the statistic does not vary.

    Examples
    --------
    >>> school_years = lee_clifton(population=[1, 2, 3, 4], statistic="mean", posterior_cap=1 / 3)
    >>> round(school_years.epsilon, 2), round(school_years.general, 2)
    (0.34, 0.41)
    """
    values = np.atleast_1d(_checks.array("population", population))
    if values.ndim != 1:
        raise Refused("population", "be a list of values", values.shape, Code.WRONG_SHAPE, got=f"shape {values.shape}")
    values = np.sort(values)
    if not 3 <= values.size <= LARGEST_POPULATION:
        raise Refused("population", f"hold 3 to {LARGEST_POPULATION} values", values.size, Code.WRONG_SHAPE)
    _checks.choice("statistic", statistic, ("mean", "median"))
    one_out, two_out = (_means_without if statistic == "mean" else _medians_without)(values)
    span = float(np.nanmax(np.abs(one_out[:, None] - two_out)))
    spread = float(one_out.max() - one_out.min())
    general = epsilon_for_absent_person(population_size=values.size, posterior_cap=posterior_cap)
    epsilon = lee_clifton_epsilon(
        statistic_range=span, statistic_spread=spread, population_size=values.size, posterior_cap=posterior_cap
    )
    return LeeClifton(span, spread, epsilon, general)


def _means_without(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean without person i, and without i and j (nan on the diagonal)."""
    n, total = values.size, values.sum()
    two = (total - values[:, None] - values[None, :]) / (n - 2)
    np.fill_diagonal(two, np.nan)
    return (total - values) / (n - 1), two


def _medians_without(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Median of the sorted values without person i, and without i and j (nan on the diagonal)."""
    n = values.size
    rank = np.arange(n)

    def kept(position: Any, first: Any, second: Any = None) -> FloatArray:
        shifted = position + (position >= first)
        if second is not None:
            shifted = shifted + (shifted >= second)
        return values[shifted]

    one = 0.5 * (kept((n - 2) // 2, rank) + kept((n - 1) // 2, rank))
    low, high = np.minimum(rank[:, None], rank[None, :]), np.maximum(rank[:, None], rank[None, :])
    two = 0.5 * (kept((n - 3) // 2, low, high) + kept((n - 2) // 2, low, high))
    np.fill_diagonal(two, np.nan)
    return one, two


@call_hint
def epsilon_on_grid(profile: RiskProfile, *, steps: int) -> float:
    """Smallest epsilon a grid search finds along a profile: never below the exact one, so never on the safe side.

    No promise may rest on it: it is too large where the grid misses the strictest prior. An estimate that errs upwards.
    It is here to be compared with, not to be used.
    Source: kazan_reiter, grid search of the authors' functions; ours, how far it is off

    Parameters
    ----------
    profile : RiskProfile; along one belief, or over both (then steps x steps places are searched)
    steps : int; places per belief: i / steps for i = 1 ... steps.

    Examples
    --------
    >>> from dpcore.profiles import CapOrRatio
    >>> profile = CapOrRatio(0.25, 6, value_prior=1.0)
    >>> round(epsilon_on_grid(profile, steps=1000), 5), round(profile.implied_epsilon().epsilon, 5)
    (2.0392, 2.03688)
    """
    check_profile(profile)
    count = _checks.count("steps", steps, 1, 5000)
    grid = np.arange(1, count + 1) / count
    if profile.axis is Axis.BOTH:
        return min(float(np.min(profile.largest_epsilon(np.full(count, p), grid))) for p in grid)
    return float(np.min(profile.largest_epsilon(grid)))


@call_hint
@dataclass(frozen=True)
class SampledProfile(ProfileOfBound):
    """A profile given as an arbitrary function: it can be sampled, never certified.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    `implied_epsilon` is an estimate that errs on the unsafe side: a dip between samples is missed and epsilon comes out
    too large. Its certainty says so, its lower end is 0, it recommends 0, and `budget` refuses it. Write the profile as
    nodes (`DrawnLine`) or as an expression (`ExpressionProfile`) to have it certified.
    Source: ours, sampling cannot certify a minimum

    Parameters
    ----------
    function : callable; takes arrays of membership and value priors, returns arrays of what is acceptable
    kind : {"ratio", "posterior", "increase"}; what the function returns
    membership_prior, value_prior : float, optional; hold one belief at this value in (0, 1]; left out, it runs over (0,
        1]. With both left out the profile is about being in and having the value: the smallest budget of the three
        readings.
    steps : int; places sampled per belief, 10 to 5000

    Raises
    ------
    Refused
        When an argument is outside its interval, or the function returns a bound below the prior.

    Examples
    --------
    >>> sampled = SampledProfile(lambda p, q: 3 + 0 * p, value_prior=1.0).implied_epsilon()
    >>> sampled.certainty.value, sampled.recommended
    ('estimate', 0.0)
    """

    function: Callable[[FloatArray, FloatArray], ArrayLike]
    kind: Literal["ratio", "posterior", "increase"] = "ratio"
    _: KW_ONLY
    membership_prior: float | None = None
    value_prior: float | None = None
    steps: int = 400

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise Refused("function", "be callable", self.function, Code.WRONG_TYPE, got=_checks._shown(self.function))
        self._check_kind_and_beliefs()
        _checks.count("steps", self.steps, 10, 5000)

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        membership, value = np.broadcast_arrays(np.asarray(membership, float), np.asarray(value, float))
        bound = _checks.array("function", self.function(membership, value))
        try:
            bound = np.broadcast_to(bound, membership.shape)
        except ValueError:
            rule = f"return numbers of shape {membership.shape}"
            raise Refused("function", rule, bound.shape, Code.WRONG_SHAPE) from None
        prior = membership * value
        least = self._least(prior)
        if (bound < least - 1e-12).any():
            raise Refused(
                "function",
                "accept at least the prior",
                float(np.min(bound - least)),
                Code.INFEASIBLE,
                got=f"{float(np.min(bound - least)):.6g} below it",
            )
        return self._shift_to(bound, membership, value)

    def _sampled_places(self) -> tuple[FloatArray, FloatArray]:
        grid = np.unique(
            np.concatenate([np.arange(1, self.steps + 1) / self.steps, np.geomspace(1e-9, 1.0, self.steps)])
        )
        if self.axis is not Axis.BOTH:
            return places_along(self, grid, None)
        membership, value = np.meshgrid(grid, grid, indexing="ij")
        return membership.ravel(), value.ravel()

    def implied_epsilon(self, *, value_exponent: float = 2.0) -> ImpliedEpsilon:
        """Estimate of the largest epsilon from samples; it can only be too large."""
        exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
        membership, value = self._sampled_places()
        shift = self._shift(membership, value)
        epsilons = epsilon_from_shift(shift, *weights(membership, value), exponent)
        best = int(np.argmin(epsilons))
        epsilon = float(epsilons[best])
        nothing = math.isinf(epsilon)
        prior = membership * value
        with np.errstate(over="ignore"):
            ratio = 1.0 / (prior + (1.0 - prior) * np.exp(-shift))
        return ImpliedEpsilon(
            epsilon=epsilon,
            lower=0.0,
            certainty=Certainty.ESTIMATE,
            status=Status.BINDS_NOTHING if nothing else Status.ZERO_BUDGET if epsilon == 0.0 else Status.BINDS,
            binding=None if nothing else Place(float(membership[best]), float(value[best])),
            attained=not nothing,
            formula="sampling",
            strictest_ratio=float(ratio.min()),
            value_exponent=exponent,
            profile=self,
        )
