"""From a mechanism, a guarantee, a plan or a loss to its trade-off."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Curve, Mechanism
from dpcore.mechanisms.losses import LaplaceLoss
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff.composed import MOST_MIXED, ComposedCurve, MixedCurve
from dpcore.tradeoff.concentrated import ConcentratedCurve
from dpcore.tradeoff.curves import (
    BOUND,
    ESTIMATE,
    EXACT,
    TIGHT,
    DiscreteGaussianCurve,
    GaussianCurve,
    LaplaceCurve,
    Polygon,
    TradeOff,
    TwoLaplacesCurve,
    WithDisclosure,
    of_deltas,
    two_points,
)

_TERM_BY_TERM = 2048  # atoms up to which laws are convolved term by term, not by a transform
_GUARANTEES = (PureDP, ApproximateDP, ProbabilisticDP, ZeroConcentratedDP)


@call_hint
def trade_off(source: Any, *, cells: int = 1) -> TradeOff:
    """The trade-off between false alarms and detection that a guarantee, a mechanism or a plan leaves.

    The promise is for one step: the two worlds that the source itself compares.
    Source: kairouz, Theorem 2.1 and section 3 (the region of epsilon and delta); bun_steinke, Definition 1.1
    Source: thesis, Theorem 27
    Source: ours, pairs of coins for any rho-zCDP release, exact laws of two cells; checked against mpmath, enumeration,
        a dense search over orders, dp-accounting and riskcal

    Parameters
    ----------
    source : object; a `PureDP`, `ApproximateDP`, `ProbabilisticDP` or `ZeroConcentratedDP`; a mechanism of
        `dpcore.mechanisms`; a `PrivacyLoss`; a `ReleasePlan`
    cells : int, optional; for mechanisms and plans of mechanisms, how many cells of a histogram, each with its own
        noise, differ between the two worlds: 1 for the presence of a record or one plain count, 2 for a moved value

    Returns
    -------
    TradeOff
        A `TradeOff`. Guarantees: the largest over all releases that have it, reached by one (``"tight"``). Mechanisms:
        Neyman-Pearson over the exact law of the privacy loss (``"exact"``). Laws and plans: exact where the law is,
        ``"tight"`` where guarantees stand for their worst mechanisms; where losses are rounded to a grid, its upper
        side (``"bound"``), with the lower one in `TradeOff.detection_bracket`. A plan with zero-concentrated rows is
        answered by the sum of its rhos, ``"bound"`` for more than one release.

        For the value of a record under
        add-or-remove, or for a household, pass the guarantee of that secret (n epsilon, n^2 rho), or `cells` for a
        histogram.

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian, Geometric
    >>> round(trade_off(Gaussian(rho=0.5)).detection(0.05), 4)  # Phi(Phi^-1(.05) + 1)
    0.2595
    >>> round(trade_off(ZeroConcentratedDP(rho=0.5)).detection(0.05), 4)
    0.3356
    >>> round(trade_off(Geometric(epsilon=0.5), cells=2).detection(0.05), 4)  # e times the false alarms
    0.1359
    """
    number = _checks.count("cells", cells, 1, 2)
    if number > 1 and not _all_mechanisms(source):
        raise Refused("cells", "be 1 unless every release is a mechanism", cells, Code.UNSUPPORTED)
    return _curve(source, number)


def _all_mechanisms(source: Any) -> bool:
    if isinstance(source, ReleasePlan):
        return all(isinstance(row.source, Mechanism) for row in source.rows)
    if isinstance(source, PrivacyLoss):
        return all(isinstance(release, Mechanism) for release, _ in source.releases)
    return not isinstance(source, _GUARANTEES)


@singledispatch
def _curve(source: Any, cells: int) -> TradeOff:
    raise Refused(
        "source",
        "be a guarantee, mechanism, PrivacyLoss or ReleasePlan",
        source,
        Code.WRONG_TYPE,
        got=_checks._shown(source),
    )


def _leaking(rest: TradeOff, delta: float) -> TradeOff:
    return WithDisclosure(rest, delta) if delta > 0.0 else rest


@_curve.register
def _(source: PureDP, cells: int) -> TradeOff:
    return two_points(source.epsilon, TIGHT)


@_curve.register(ApproximateDP)
@_curve.register(ProbabilisticDP)
def _(source: ApproximateDP | ProbabilisticDP, cells: int) -> TradeOff:
    return _leaking(two_points(source.epsilon, TIGHT), source.delta)


@_curve.register
def _(source: ZeroConcentratedDP, cells: int) -> TradeOff:
    return ConcentratedCurve(source.rho)


@_curve.register
def _(source: Curve, cells: int) -> TradeOff:
    if cells == 1 and source.corners is not None:
        return of_deltas(source, source.corners, ESTIMATE if source.is_estimate else TIGHT)
    return of_deltas(PrivacyLoss.of(source, cells))


@_curve.register
def _(source: Mechanism, cells: int) -> TradeOff:
    """By the form of the loss: thresholds at whole numbers, normal, that of Laplace noise, a lattice, a bound."""
    one = source.as_one(cells)
    if one is not None:
        source, cells = one, 1
    if cells == 1 and source.tests_at_steps:
        return DiscreteGaussianCurve(source)  # type: ignore[arg-type]
    parts = source.loss_parts()
    if parts.slack > 0.0:
        return of_deltas(PrivacyLoss.of(source, cells))
    if parts.finite is None:
        return GaussianCurve(parts.rho) if parts.rho > 0.0 else two_points(0.0, EXACT)
    if isinstance(parts.finite, LaplaceLoss):
        epsilon = parts.finite.epsilon
        return LaplaceCurve(epsilon) if cells == 1 else TwoLaplacesCurve(epsilon)
    if cells == 1:
        return Polygon.of_atoms(parts.finite.values, parts.finite.log_mass)
    lattice = source.far_lattice()
    if lattice.size > _TERM_BY_TERM and lattice.bounded:
        return ComposedCurve(PrivacyLoss.of(source, cells))
    return _twice(2 * lattice.offset, lattice.step, 2 * lattice.lowest, lattice.log_mass)


def _twice(offset: float, step: float, first: int, log_mass: FloatArray) -> Polygon:
    """Two independent equal lattice losses, convolved term by term in log space: every mass keeps its digits."""
    size = log_mass.size
    total: FloatArray = np.full(2 * size - 1, -math.inf)
    for shift, one in enumerate(log_mass):
        part = total[shift : shift + size]
        np.logaddexp(part, one + log_mass, out=part)
    return Polygon.of_atoms(offset + step * (first + np.arange(total.size, dtype=np.float64)), total)


@_curve.register
def _(source: PrivacyLoss, cells: int) -> TradeOff:
    releases = tuple(
        (PureDP(epsilon=release.epsilon) if isinstance(release, ApproximateDP) else release, cells * count)
        for release, count in source.releases
        if getattr(release, "epsilon", 1.0) > 0.0  # the others tell nothing, or everything with probability delta
    )
    delta = source.infinite_mass
    if not releases:
        return _leaking(two_points(0.0, EXACT), delta)
    whole = PrivacyLoss(releases, source.points)
    if len(whole.releases) == 1:
        only, count = whole.releases[0]
        if count == 1 or (count == 2 and isinstance(only, Mechanism)):
            return _leaking(_curve(only, count), delta)
    if whole.is_moved:
        return of_deltas(whole)
    if whole.is_normal:
        return _leaking(GaussianCurve(whole.rho), delta)
    certainty = EXACT if _all_mechanisms(whole) else TIGHT
    mixed = whole.rho > 0.0
    if whole.certainty != EXACT or (mixed and whole.atoms()[0].size > MOST_MIXED):
        certainty = BOUND
    return _leaking((MixedCurve if mixed else ComposedCurve)(whole, certainty), delta)


@_curve.register
def _(source: ReleasePlan, cells: int) -> TradeOff:
    if any(isinstance(row.source, Curve) for row in source.rows):
        return of_deltas(source.privacy_loss.times(cells))
    if any(isinstance(row.source, ZeroConcentratedDP) for row in source.rows):
        rho = source.rho
        return ConcentratedCurve(rho, TIGHT if source.releases == 1 else BOUND)
    rows = tuple(
        PlannedRelease(row.source.as_approximate(), row.count, row.name)
        if isinstance(row.source, ProbabilisticDP)
        else row
        for row in source.rows
    )
    return _curve(ReleasePlan(rows).privacy_loss, cells)
