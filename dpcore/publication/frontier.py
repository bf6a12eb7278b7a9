"""Risk against use for a whole publication: the budget of each line of acceptable risk, and how wide its ranges are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.guarantees import rho_from_probabilistic
from dpcore.promise import Promise
from dpcore.publication.rows import Publication, check_publication
from dpcore.publication.sharing import _least_stretches, _of_publication
from dpcore.publication.spending import steps_of_secret


@overload
def totals_of_caps(
    publication: Publication, promise: Promise, *, prior: Number, cap: Number, delta_prime: Number = ...
) -> float: ...
@overload
def totals_of_caps(
    publication: Publication, promise: Promise, *, prior: ArrayLike, cap: ArrayLike, delta_prime: ArrayLike = ...
) -> FloatArray: ...
@call_hint
def totals_of_caps(
    publication: Publication, promise: Promise, *, prior: ArrayLike, cap: ArrayLike, delta_prime: ArrayLike = 0.0
) -> float | FloatArray:
    """Totals under which a belief in a promise's secret that starts at the prior stays at or below a cap.

    Epsilon or rho of all releases together, whichever way it is shared; 0 where the cap is not above the prior. A lower
    bound on what would do (a rho by the direct tail bound, the rows by their largest number of steps). Round it down.
    Source: thesis, Corollary 32; ours, closed inverse of the direct tail bound

    Parameters
    ----------
    publication : Publication; the rows
    promise : Promise; of the publication's relation and group; secret, unit and relation of the answer
    prior : array_like; belief before the publication, in (0, 1)
    cap : array_like; largest acceptable belief after it, in (0, 1)
    delta_prime : array_like, optional; probability, over the noise, with which the cap may be passed, in (0, 1); for an
        epsilon it is not needed, and 0 is taken

    Examples
    --------
    >>> from dpcore.publication import CountTable
    >>> seen = Promise(secret="presence", relation="add_or_remove")
    >>> births = Publication((CountTable(),), "add_or_remove")
    >>> totals_of_caps(births, seen, prior=0.5, cap=[0.4, 0.75]).round(6)  # log 3
    array([0.      , 1.098612])
    """
    p = _checks.probability("prior", prior, open_low=True, open_high=True)
    c = _checks.probability("cap", cap, open_low=True, open_high=True)
    steps = float(steps_of_secret(publication, promise).max())
    shift = np.asarray(logit(c) - logit(p))
    if publication.in_epsilon:
        return _checks.scalar_or_array(np.maximum(shift, 0.0) / steps, prior, cap)
    failing = _checks.probability("delta_prime", delta_prime, open_low=True, open_high=True)
    shift, failing = np.broadcast_arrays(shift, failing)
    rho = np.zeros(shift.shape)
    possible = shift > 0
    if possible.any():
        rho[possible] = rho_from_probabilistic(epsilon_prime=shift[possible], delta_prime=failing[possible])
    return _checks.scalar_or_array(rho / steps, prior, cap, delta_prime)


@call_hint
@dataclass(frozen=True, eq=False)
class Frontier:
    """Use of a publication along totals, one entry (or row) for each total.

    It is about accuracy: no promise about a secret belongs to it.

    Parameters
    ----------
    totals : array; epsilon or rho of all releases together
    stretch : array; factor on all wished ranges that the total keeps; inf where the total is 0
    half_widths : array; the ranges kept, a row for each total and a column for each row of the publication

    Examples
    --------
    >>> from dpcore.publication import CountTable, Wish
    >>> births = Publication((CountTable(noise="laplace", wish=Wish(10)),), "add_or_remove")
    >>> frontier(births, [0.15, 0.3]).half_widths.round(6).tolist()  # -log(0.05)/budget
    [[19.971548], [9.985774]]
    """

    totals: FloatArray
    stretch: FloatArray
    half_widths: FloatArray

    @property
    def worst_half_width(self) -> FloatArray:
        """The widest range kept at each total."""
        return self.half_widths.max(axis=1)


@call_hint
def frontier(publication: Publication, totals: ArrayLike) -> Frontier:
    """Factor on all wished ranges along totals: what each budget is worth to the readers of a publication.

    It is about accuracy: no promise about a secret belongs to it. Exact at each total. About accuracy; which secret,
    unit and relation a total belongs to is said where it comes from.
    Source: ours, `least_stretch` at each total

    Parameters
    ----------
    publication : Publication; rows that all have a wish
    totals : array_like; epsilon or rho of all releases together, at least 0; a list, for example from `totals_of_caps`

    Examples
    --------
    >>> from dpcore.publication import CountTable, Wish
    >>> births = Publication((CountTable(noise="laplace", wish=Wish(10)),), "add_or_remove")
    >>> frontier(births, [0, 0.15, 0.3]).stretch.round(6)
    array([     inf, 1.997155, 0.998577])
    """
    check_publication(publication)
    given = _checks.array("totals", totals, 0.0)
    if given.ndim != 1:
        raise Refused("totals", "be a list", totals, Code.WRONG_SHAPE)
    widths, levels = publication.wishes()
    problem = _of_publication(publication, range(len(publication.rows)))
    stretch = np.full(given.shape, np.inf)
    kept = np.full((given.size, widths.size), np.inf)
    positive = np.flatnonzero(given > 0)
    if positive.size:
        found = _least_stretches(problem, widths, levels, given[positive])
        stretch[positive] = [one.stretch for one in found]
        kept[positive] = [one.half_widths for one in found]
    return Frontier(given, stretch, kept)
