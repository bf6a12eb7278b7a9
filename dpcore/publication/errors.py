"""The error of a row at a budget, and the budget a range needs: exact, for the four noises.

These numbers say how wrong a published number can be. What the budget means for a secret is said by
`dpcore.publication.spending`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseKind, noise_kind
from dpcore.publication.rows import LEAST_LEVEL, Publication, check_publication, level_of_range


@call_hint
@dataclass(frozen=True)
class RangeError:
    """The error of one published number.

    It is about accuracy: no promise about a secret belongs to it.

    Parameters
    ----------
    std : float; standard deviation of the noise
    half_width : float; smallest h (whole for whole noise) with the number within +- h with probability at least `level`
    level : float; of that range
    empty_shown : float or None; probability that an empty cell shows somebody, with negative counts shown as 0: P[noise
        >= 1]; None for continuous noise

    Examples
    --------
    >>> round(range_error(0.5, "laplace").std, 6)  # sqrt(2)/0.5
    2.828427
    """

    std: float
    half_width: float
    level: float
    empty_shown: float | None


def _unit(noise: NoiseKind, sensitivity: ArrayLike) -> FloatArray:
    """The budget of a strength of 1."""
    delta = _checks.array("sensitivity", sensitivity, 0.0, open_low=True)
    return delta ** noise_kind(noise).steps_power()


@call_hint
def range_error(budget: float, noise: NoiseKind, *, sensitivity: float = 1.0, level: float = 0.95) -> RangeError:
    """Error of one number published with a kind of noise at a budget.

    Exact. About accuracy; no promise about a secret belongs to it.
    Source: ghosh, Definition 2.3; canonne_kamath_steinke, Definition 1

    Parameters
    ----------
    budget : float; epsilon (geometric, Laplace) or rho (Gaussian, discrete Gaussian) of one release, above 0
    noise : str; "geometric", "laplace", "gaussian" or "discrete_gaussian"
    sensitivity : float, optional; L1 of the release for an epsilon, L2 for a rho, above 0; any number (two cells have
        L2 sqrt(2))
    level : float, optional; of the range, in [0.01, 1)

    Examples
    --------
    >>> error = range_error(0.05, "geometric")
    >>> round(error.std, 2), error.half_width, round(error.empty_shown, 4)
    (28.28, 60.0, 0.4875)
    """
    kind = noise_kind(noise)
    unit = _unit(kind, _checks.number("sensitivity", sensitivity))
    x = np.asarray(_checks.number("budget", budget, 0.0, open_low=True) / unit)
    p = np.asarray(level_of_range(level))
    return RangeError(
        std=float(kind.stds(x)),
        half_width=float(kind.half_widths(x, level=p)),
        level=float(p),
        empty_shown=float(np.exp(kind.log_survivals(x, np.zeros(())))) if kind.is_whole else None,
    )


@overload
def budget_for_range(
    half_width: Number, noise: NoiseKind, *, level: Number = ..., sensitivity: Number = ...
) -> float: ...
@overload
def budget_for_range(
    half_width: ArrayLike, noise: NoiseKind, *, level: ArrayLike = ..., sensitivity: ArrayLike = ...
) -> FloatArray: ...
@call_hint
def budget_for_range(
    half_width: ArrayLike, noise: NoiseKind, *, level: ArrayLike = 0.95, sensitivity: ArrayLike = 1.0
) -> float | FloatArray:
    """Smallest budget of one release that keeps a number within +- half_width with probability at least the level.

    It is about accuracy: no promise about a secret belongs to it. The epsilon or rho, above the exact root by less than
    1e-12 of itself over the level: kept in floats too. Round it up. It is needed for accuracy; whether a secret can
    afford it is another question.
    Source: ours, root of the exact tail probability

    Parameters
    ----------
    half_width : array_like; above 0; whole noise uses the whole part, and may be asked for 0 (exactly right)
    noise : str; "geometric", "laplace", "gaussian" or "discrete_gaussian"
    level : array_like, optional; in [0.01, 1)
    sensitivity : array_like, optional; L1 for an epsilon, L2 for a rho, above 0

    Examples
    --------
    >>> round(budget_for_range(10.9, "geometric"), 6), round(budget_for_range(10.9, "laplace"), 6)
    (0.284349, 0.274838)
    """
    kind = noise_kind(noise)
    width = _checks.array("half_width", half_width, 0.0, open_low=not kind.is_whole)
    p = _checks.array("level", level, LEAST_LEVEL, 1.0, open_high=True)
    unit = _unit(kind, sensitivity)
    found = kind.strengths_for_width(np.floor(width) if kind.is_whole else width, level=p) * unit
    return _checks.scalar_or_array(np.asarray(found), half_width, level, sensitivity)


@call_hint
@dataclass(frozen=True, eq=False)
class PublicationErrors:
    """The errors of all rows of a publication, one entry a row.

    It is about accuracy: no promise about a secret belongs to it.

    Parameters
    ----------
    std : array; standard deviation of one published number
    half_width : array; smallest h with a number within +- h with probability at least `level`
    level : array; of each range: that of the row's wish, or the one asked for
    relative_half_width : array; half width as a share of the typical count; nan where none is given
    empty_shown : array; probability that an empty cell shows somebody; nan for continuous noise

    Examples
    --------
    >>> from dpcore.publication import CountTable
    >>> table = Publication((CountTable(noise="gaussian"),), "add_or_remove")
    >>> publication_errors(table, [0.5]).std.tolist()
    [1.0]
    """

    std: FloatArray
    half_width: FloatArray
    level: FloatArray
    relative_half_width: FloatArray
    empty_shown: FloatArray


@call_hint
def publication_errors(publication: Publication, budgets: Sequence[float], *, level: float = 0.95) -> PublicationErrors:
    """Errors of all rows when one release of each has the budget given for it.

    It is about accuracy: no promise about a secret belongs to it. Exact. About accuracy; what the budgets mean for a
    secret is said by `guarantee_of_secret`.
    Source: ours, the error of each row by `range_error`

    Parameters
    ----------
    publication : Publication; the rows
    budgets : sequence of float; epsilon or rho of one release of each row, above 0
    level : float, optional; of the ranges of rows without a wish, in [0.01, 1)

    Examples
    --------
    >>> from dpcore.publication import CountTable, Wish
    >>> table = CountTable(name="births", wish=Wish(10), typical_count=40)
    >>> publication_errors(Publication((table,), "add_or_remove"), [0.3]).relative_half_width
    array([0.25])
    """
    check_publication(publication)
    spent = _checks.array("budgets", budgets, 0.0, open_low=True)
    if spent.shape != (len(publication.rows),):
        raise Refused(
            "budgets", f"hold one number for each row ({len(publication.rows)})", spent.size, Code.WRONG_SHAPE
        )
    fallback = level_of_range(level)
    levels = np.array([row.wish.level if row.wish else fallback for row in publication.rows])
    typical = np.array([row.typical_count or np.nan for row in publication.rows], dtype=float)
    std, width, shown = (np.full(spent.shape, np.nan) for _ in range(3))
    deltas, noises = publication.sensitivities, np.array([noise_kind(noise) for noise in publication.noises])
    for kind in set(noises):
        at = noises == kind
        x = spent[at] / _unit(kind, deltas[at])
        std[at], width[at] = kind.stds(x), kind.half_widths(x, level=levels[at])
        if kind.is_whole:
            shown[at] = np.exp(kind.log_survivals(x, np.zeros(x.shape)))
    return PublicationErrors(std, width, levels, width / typical, shown)
