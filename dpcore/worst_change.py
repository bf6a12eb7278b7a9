"""The privacy loss at the worst of all changes that a schema allows.

A privacy profile, a trade-off, a right guess and a pure epsilon are largest at the largest change. The chance that a
belief passes a limit is not: with geometric noise of epsilon 1 the log odds rise by more than .5 with probability .731
where one cell changes and .534 where two do. Whoever is counted in *at most* two cells may change one. So a tail, and a
budget or an exception that rests on one, is the largest over every change: `dpcore.schema.Schema.changes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism
from dpcore.privacy_loss import Direction, PrivacyLoss, Side
from dpcore.schema import Change


@call_hint
def losses_of_changes(mechanism: Any, changes: Sequence[Change], *, releases: int = 1) -> tuple[PrivacyLoss, ...]:
    """The privacy loss of each change that can be the worst one.

    The promise is about the secret of the unit that makes the changes, to an observer of all raw outputs. One for each
    change, in order; of Gaussian noise one for each length, the longest first. Its loss rises beyond every limit most
    often, but a shorter one may fall beyond it more often.
    Source: ours, independent noise adds losses; of normal losses with variance twice their mean the larger passes every
        limit of at least 0 more often

    Parameters
    ----------
    mechanism : additive noise; the noise of each published number, stated for a
        change of one; whole changes for whole noise
    changes : sequence of Change; at least one
    releases : int, optional; how often everything is published with fresh noise, at least 1

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> one, two = losses_of_changes(Geometric(epsilon=1.0), (Change((1,)), Change((1, 1))))
    >>> round(one.exceedance(0.5), 3), round(two.exceedance(0.5), 3)
    (0.731, 0.534)
    """
    times = _checks.count("releases", releases, 1)
    if not isinstance(mechanism, NoiseMechanism) or mechanism.sensitivity != 1:
        rule, got = "be noise of a number moved by one", _checks._shown(mechanism)
        raise Refused("mechanism", rule, mechanism, Code.UNSUPPORTED, got=got)
    _checks.kind_of("changes", changes, tuple | list, "changes such as (Change((1,)),)")
    if not changes:
        raise Refused("changes", "be changes such as (Change((1,)),)", changes, Code.EMPTY)
    for change in changes:
        _checks.kind_of("changes", change, Change, "changes such as (Change((1,)),)")
        if mechanism.is_whole:
            _checks.refuse_fractions("amounts", np.array(change.amounts), as_list=True)
    if mechanism.is_spherical:
        lengths = sorted({change.l2 for change in changes}, reverse=True)
        return tuple(PrivacyLoss.of(mechanism.with_budget(mechanism.budget * one**2), times) for one in lengths)
    return tuple(
        PrivacyLoss(tuple((mechanism.scaled(amount), times) for amount in change.amounts)) for change in changes
    )


@call_hint
@dataclass(frozen=True)
class WorstChange:
    """What is most likely to be told of a unit that may make any of several changes.

    The promise is about the secret of the unit that makes the changes, to an observer of all raw outputs.
    Source: ours, the largest over the changes

    Parameters
    ----------
    losses : tuple of PrivacyLoss; of each change, at least one: `losses_of_changes`

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> cells = WorstChange(losses_of_changes(Geometric(epsilon=1.0), (Change((1,)), Change((1, 1)))))
    >>> round(cells.exceedance(0.5), 3), round(cells.exceedance(1.5), 3), round(cells.loss_quantile(0.99), 3)
    (0.731, 0.534, 2.0)
    """

    losses: tuple[PrivacyLoss, ...]

    def __post_init__(self) -> None:
        such_as = "losses such as losses_of_changes(Geometric(epsilon=1.0), (Change((1,)),))"
        _checks.kind_of("losses", self.losses, tuple | list, such_as)
        for loss in self.losses:
            _checks.kind_of("losses", loss, PrivacyLoss, such_as)
        if not self.losses:
            raise Refused("losses", "hold at least one", self.losses, Code.EMPTY)

    def exceedance(self, shift: float, *, side: Side = "present", direction: Direction = "rise") -> float:
        """Probability, at the worst change, that the log odds move by more than `shift`: see `PrivacyLoss.exceedance`.

        Exact where every loss is.
        """
        return max(float(loss.exceedance(shift, side=side, direction=direction)) for loss in self.losses)

    def loss_quantile(self, level: float, *, side: Side = "present") -> float:
        """The loss that is not passed with this probability at the worst change: see `PrivacyLoss.loss_quantile`.

        Where the secret is so the largest over the changes, where it is not so the smallest.
        """
        worst = max if side == "present" else min
        return worst(float(loss.loss_quantile(level, side=side)) for loss in self.losses)

    def every_view_epsilon(self, delta_prime: float) -> float:
        """The rise that no view passes but with probability delta', at the worst change."""
        return max(float(loss.every_view_epsilon(delta_prime)) for loss in self.losses)
