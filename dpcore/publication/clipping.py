"""Where to clip an amount: wide bounds need much noise, narrow ones make the total of clipped amounts too small.

For given values everything here is exact: the bias of clipping is known, the noise has its law, and the error of the
published number is their sum. The values are the ones asked about. Bounds chosen by looking at the data that are
published depend on the data: that choice is a release of its own, with a budget of its own, or it is made on values
that are public or made up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseKind, NoiseMechanism
from dpcore.publication.rows import ClippedMean, ClippedTotal, level_of_range

MOST_VALUES = 1_000_000
MOST_BOUNDS = 1_000

Statistic = Literal["total", "mean"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
ErrorMeasure = Literal["root_mean_square", "mean_absolute", "half_width"]
MEASURES: tuple[ErrorMeasure, ...] = get_args(ErrorMeasure)

_AT_ONCE = 34  # widths that are tried together


@call_hint
@dataclass(frozen=True)
class ClippingError:
    """How wrong a published total or mean of clipped amounts is, for given values and bounds.

    It is about accuracy, and computed from confidential values: no promise belongs to it.

    Attributes
    ----------
    low, high : float; the bounds
    clipped_low, clipped_high : int; how many values are raised to the lower and lowered to the upper bound
    bias : float; total (or mean) of the clipped values less that of the values themselves
    noise_std : float; standard deviation of the noise that the bounds need at the budget
    noise_half_width : float; smallest h with the noise alone within +- h with probability at least `level`
    root_mean_square : float; square root of the mean squared error: bias and noise together
    mean_absolute : float; mean absolute error
    half_width : float; smallest h (whole for whole noise) with the published number within +- h of the true one with
        probability at least `level`
    level : float; of that range
    mechanism : additive noise; the noise

    Examples
    --------
    >>> (error,) = clipping_errors(
    ...     [1, 2, 30], [(0, 4)], statistic="total", noise="laplace", budget=0.5, relation="add_or_remove"
    ... )
    >>> error.bias, error.clipped_high  # 4 in the place of 30
    (-26.0, 1)
    """

    low: float
    high: float
    clipped_low: int
    clipped_high: int
    bias: float
    noise_std: float
    noise_half_width: float
    root_mean_square: float
    mean_absolute: float
    half_width: float
    level: float
    mechanism: NoiseMechanism = field(repr=False)

    @property
    def bias_share(self) -> float:
        """Share of the mean squared error that is the bias's: near 1 the bounds are too narrow, near 0 wide enough."""
        return (self.bias / self.root_mean_square) ** 2 if self.root_mean_square else 0.0


@call_hint
def clipping_errors(
    values: ArrayLike,
    bounds: Sequence[tuple[float, float]],
    *,
    statistic: Statistic,
    noise: NoiseKind,
    budget: float,
    relation: str,
    group: int = 1,
    movable: bool = False,
    level: float = 0.95,
    people: int | None = None,
) -> tuple[ClippingError, ...]:
    """Error of a total or mean of given values under each of several bounds: noise against the bias of clipping.

    It is about accuracy, and computed from confidential values: no promise belongs to it. Exact for these values, one
    for each pair of bounds, in their order. About accuracy; what the budget means for a secret is said elsewhere. The
    numbers depend on the values: to publish them, or bounds chosen by them, is a release of its own.
    Source: ours, the law of the noise moved by the bias; checked by enumeration and quadrature

    Parameters
    ----------
    values : array_like; the amounts of all people, one each, at most a million; whole numbers for whole noise
    bounds : sequence of pair of float; pairs (low, high), low below high, from 1 to 1,000 of them; whole numbers for
        whole noise
    statistic : str; "total", or "mean" over the number of people, which is public
    noise : str; "geometric", "laplace", "gaussian" or "discrete_gaussian"; the last but two for a mean
    budget : float; epsilon or rho of one release, above 0
    relation : str; "add_or_remove" or "replace"; a mean needs "replace"
    group : int, optional; records of one unit, at least 1
    movable : bool, optional; whether a replaced amount can move to another total, of another area or cell: both totals
        change then
    level : float, optional; of the ranges, in [0.01, 1)
    people : int, optional; how many people the values stand for, at least 1; as many as there are values, unless said.
        Their amounts are taken to be spread as the values are: a total's bias is that many times the mean value's,
        rounded to a whole number for whole noise

    Examples
    --------
    >>> amounts = [1, 2, 3, 4, 30]
    >>> errors = clipping_errors(
    ...     amounts, [(0, 4), (0, 30)], statistic="total", noise="laplace", budget=0.5, relation="add_or_remove"
    ... )
    >>> [(error.bias, round(error.noise_std, 2), round(error.root_mean_square, 2)) for error in errors]
    [(-26.0, 11.31, 28.35), (0.0, 84.85, 84.85)]
    """
    amounts = _checks.array("values", values).ravel()
    if not 1 <= amounts.size <= MOST_VALUES:
        raise Refused("values", f"hold 1 to {MOST_VALUES} numbers", amounts.size, Code.WRONG_SHAPE)
    asked = _checks.choice("statistic", statistic, STATISTICS)
    spent = _checks.number("budget", budget, 0.0, open_low=True)
    wanted, areas = level_of_range(level), 1 + _checks.flag("movable", movable)
    stands_for = amounts.size if people is None else _checks.count("people", people, 1)
    pairs = _pairs(bounds)
    ordered = np.sort(amounts)
    beyond = _beyond(ordered, [high for _, high in pairs])
    short = _beyond(-ordered[::-1], [-low for low, _ in pairs])
    found: list[ClippingError] = []
    for place, (low, high) in enumerate(pairs):
        try:
            row: ClippedTotal | ClippedMean
            if asked == "total":
                row = ClippedTotal(low=low, high=high, noise=noise, areas=areas)
            else:
                row = ClippedMean(low=low, high=high, noise=noise, people=stands_for, areas=areas)
            mechanism = row.noise_of_number(spent, relation, group=group)
        except Refused as refusal:
            if refusal.name in ("relation", "noise", "group"):
                raise
            name, rule, value, code = refusal.name, refusal.rule, refusal.value, refusal.code
            raise Refused(name, rule, value, code, at=f"bounds {place + 1}", text=str(refusal)) from None
        if row.is_whole and not found:
            _checks.refuse_fractions("values", amounts, as_list=True)
        (below, raised), (above, lowered) = short[place], beyond[place]
        moved = raised - lowered
        bias = moved / amounts.size if asked == "mean" else moved * stands_for / amounts.size
        if row.is_whole:
            bias = float(round(bias))
        found.append(_error(row.low, row.high, below, above, bias, mechanism, wanted))
    return tuple(found)


def _beyond(ordered: FloatArray, ends: Sequence[float]) -> list[tuple[int, float]]:
    """(how many of rising values lie beyond each end, by how much all of them together), each value added up once.

    What lies beyond an end is what lies beyond the next one, the step between them for each of those, and the values
    in between: sums of nothing below 0, so that no digit is lost in a difference.
    """
    rising, place = np.unique(np.asarray(ends, dtype=float), return_inverse=True)
    first = np.searchsorted(ordered, rising, side="right")
    found: list[tuple[int, float]] = []
    last, end, excess = ordered.size, math.inf, 0.0
    for start, here in zip(first[::-1].tolist(), rising[::-1].tolist(), strict=True):
        further = ordered.size - last
        excess += math.fsum((ordered[start:last] - here).tolist()) + (further * (end - here) if further else 0.0)
        last, end = start, here
        found.append((ordered.size - start, excess))
    return [found[-1 - at] for at in place.tolist()]


def _pairs(bounds: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    try:
        table = np.asarray(list(bounds))
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.ndim != 2 or table.shape[1:] != (2,) or not 1 <= table.shape[0] <= MOST_BOUNDS:
        shown = _checks._shown(bounds)
        raise Refused("bounds", f"hold 1 to {MOST_BOUNDS} pairs (low, high)", bounds, Code.WRONG_SHAPE, got=shown)
    return [(float(low), float(high)) for low, high in _checks.array("bounds", table)]


def _error(
    low: float, high: float, below: int, above: int, bias: float, mechanism: NoiseMechanism, level: float
) -> ClippingError:
    return ClippingError(
        low=low,
        high=high,
        clipped_low=below,
        clipped_high=above,
        bias=bias,
        noise_std=mechanism.std,
        noise_half_width=_half_width(mechanism, 0.0, level),
        root_mean_square=math.hypot(bias, mechanism.std),
        mean_absolute=mechanism.mean_absolute_about(abs(bias)),
        half_width=_half_width(mechanism, abs(bias), level),
        level=level,
        mechanism=mechanism,
    )


def _half_width(mechanism: NoiseMechanism, shift: float, level: float) -> float:
    """Smallest h with P[|noise + shift| <= h] of at least the level, for a shift of at least 0.

    It is closed in on by many widths at once, from Chebyshev's inequality down.
    """
    whole = mechanism.is_whole
    allowed = (1.0 - level) * (1 + 1e-12) if whole else 1.0 - level
    reach = shift + mechanism.std / math.sqrt(1.0 - level)
    low, high = (-1.0, float(math.ceil(reach))) if whole else (0.0, reach)
    while high - low > (1.0 if whole else 1e-13 * high):
        between = np.linspace(low, high, _AT_ONCE)[1:-1]
        tried = np.unique(np.floor(between) if whole else between)
        tried = tried[(tried > low) & (tried < high)]
        if not tried.size:
            break
        step = 1.0 if whole else 0.0
        both_sides = mechanism.tail(np.concatenate([tried - shift, tried + shift]) + step)
        outside = np.asarray(both_sides).reshape(2, -1).sum(0)
        held = int(np.argmax(np.append(outside, 0.0) <= allowed))
        low, high = tried[held - 1] if held else low, tried[held] if held < tried.size else high
    return float(high)


@call_hint
def best_bounds(errors: Sequence[ClippingError], *, measure: ErrorMeasure = "root_mean_square") -> ClippingError:
    """The bounds of a list under which the published number is least wrong.

    It is about accuracy, and computed from confidential values: no promise belongs to it. Exact, among those given; the
    narrowest of equally good bounds, which clip most and need the least noise.
    Source: ours, the smallest of a list

    Parameters
    ----------
    errors : sequence of ClippingError; of `clipping_errors`, at least one
    measure : {"root_mean_square", "mean_absolute", "half_width"}; what is to be smallest

    Examples
    --------
    >>> amounts = [1, 2, 3, 4, 30]
    >>> tried = clipping_errors(
    ...     amounts, [(0, 4), (0, 8), (0, 30)], statistic="total", noise="laplace", budget=0.5, relation="add_or_remove"
    ... )
    >>> best_bounds(tried).high, best_bounds(tried, measure="half_width").high
    (4.0, 4.0)
    """
    _checks.kind_of("errors", errors, Sequence, "those of `clipping_errors`")
    for error in errors:
        _checks.kind_of("errors", error, ClippingError, "those of `clipping_errors`")
    if not errors:
        raise Refused("errors", "hold at least one", errors, Code.EMPTY, got="0")
    by = _checks.choice("measure", measure, MEASURES)
    return min(errors, key=lambda error: (getattr(error, by), error.high - error.low))


@call_hint
def bounds_ladder(values: ArrayLike, *, low: float, steps: int = 12) -> tuple[tuple[float, float], ...]:
    """Bounds to try: one lower end, and upper ends that rise by about the same factor up to the largest value.

    It is about accuracy, and computed from confidential values: no promise belongs to it.
    Source: ours, a geometric ladder

    Parameters
    ----------
    values : array_like; the amounts, at least one above `low`
    low : float; lower end, finite
    steps : int, optional; how many, from 1 to 1,000

    Returns
    -------
    tuple of pairs
        Whole upper ends above `low`, rising; fewer than `steps` where they fall together.

    Examples
    --------
    >>> bounds_ladder([3, 60, 64], low=0, steps=4)
    ((0.0, 1.0), (0.0, 4.0), (0.0, 16.0), (0.0, 64.0))
    """
    amounts = _checks.array("values", values).ravel()
    start, wanted = _checks.number("low", low), _checks.count("steps", steps, 1, MOST_BOUNDS)
    top = float(amounts.max()) if amounts.size else -math.inf
    if not top > start:
        raise Refused("values", f"hold a number above low ({start:g})", top, Code.OUT_OF_RANGE, got=f"{top:g} at most")
    reach = float(math.ceil(top - start))
    ends: FloatArray = np.ceil(start + np.geomspace(1.0, reach, wanted) * (1 - 1e-12))
    ends[-1] = math.ceil(start + reach)
    return tuple((start, float(end)) for end in np.unique(ends) if end > start)
