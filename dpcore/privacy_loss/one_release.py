"""The privacy loss of one release of whatever has one: a mechanism says its own, a guarantee that of its worst one."""

from __future__ import annotations

from typing import Any

from dpcore._cache import MEGABYTE, cached_by_size
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP
from dpcore.mechanisms import LossParts, Mechanism
from dpcore.mechanisms.losses import Lattice


@call_hint
def loss_parts(source: Any) -> LossParts:
    """The privacy loss of one release of a mechanism, or of the worst mechanism with a guarantee.

    The promise is about one secret, one step of full sensitivity away, to an observer of the raw output. Exact parts of
    the law on the present side; for noise that is not of `dpcore.mechanisms`, and for a curve, with their slack.
    Source: kairouz, section 3 (the worst pair of an approximate guarantee)
    Source: ours, one-release laws of the mechanisms; checked against their laws by enumeration

    Parameters
    ----------
    source : object; a mechanism with a privacy loss, a `PureDP` or an `ApproximateDP`

    Examples
    --------
    >>> loss_parts(ApproximateDP(epsilon=1.0, delta=0.1)).infinite
    0.1
    """
    if isinstance(source, LossParts):
        return source
    if isinstance(source, Mechanism):
        return source.loss_parts()
    if isinstance(source, PureDP | ApproximateDP):
        delta = source.delta if isinstance(source, ApproximateDP) else 0.0
        return LossParts(finite=Lattice.of_two_points(source.epsilon), infinite=delta, has_tails=False)
    raise Refused("source", "be a mechanism, PureDP or ApproximateDP", source, Code.UNSUPPORTED)


_kept_parts = cached_by_size(16 * MEGABYTE)(loss_parts)


def parts_of(source: Any, releases: int, *, smooth: bool = False) -> tuple[LossParts, float]:
    """The loss of one of so many releases, or its limit where that is too fine, and the slack of all together."""
    limit = source.limit_loss_parts(releases, smooth=smooth) if isinstance(source, Mechanism) else None
    if limit is not None:
        return limit, limit.slack
    own = _kept_parts(source)
    return own, releases * own.slack
