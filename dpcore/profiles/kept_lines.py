"""Which of several people's lines of acceptable risk a budget keeps: who would be content with which epsilon."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore import _checks
from dpcore.errors import Code, Refused
from dpcore.profiles.base import RiskProfile, risk_profiles


@dataclass(frozen=True)
class LinesKept:
    """The largest epsilon that is certain to keep each of several lines, in the order the lines were given.

    The promise is about the secret that each line's priors name, of one person, under one step of pure epsilon-DP. A
    line is kept when no attacker, whatever their prior, passes it. An epsilon of the release is compared with the
    lines' own; where several releases, a group or another relation stand between them, convert it first.
    Source: ours, order statistics of the lines' epsilons

    Parameters
    ----------
    epsilons : sequence of float; one for each line, at least 0; inf for a line that asks for nothing

    Examples
    --------
    >>> room = LinesKept([0.4, 1.2, 0.9, math.inf])
    >>> room.count(0.9), room.kept(0.9), room.epsilon_that_keeps(4)
    (3, (False, True, True, True), 0.4)
    """

    epsilons: Sequence[float]

    def __post_init__(self) -> None:
        _checks.kind_of("epsilons", self.epsilons, Iterable, "numbers such as [0.4, 1.2]")
        epsilons = np.atleast_1d(_checks.array("epsilons", list(self.epsilons), 0.0, allow_infinite=True))
        if epsilons.ndim != 1 or not epsilons.size:
            raise Refused("epsilons", "hold at least one number", self.epsilons, Code.EMPTY, got=str(epsilons.size))
        object.__setattr__(self, "epsilons", tuple(epsilons.tolist()))

    def kept(self, epsilon: float) -> tuple[bool, ...]:
        """Whether each line is kept at an epsilon of at least 0."""
        budget = _checks.number("epsilon", epsilon, 0.0)
        return tuple(budget <= each for each in self.epsilons)

    def count(self, epsilon: float) -> int:
        """How many of the lines are kept at an epsilon of at least 0."""
        return sum(self.kept(epsilon))

    def epsilon_that_keeps(self, lines: int) -> float:
        """Largest epsilon at which at least so many lines are kept; inf where enough lines ask for nothing."""
        wanted = _checks.count("lines", lines, 1, len(self.epsilons))
        return sorted(self.epsilons, reverse=True)[wanted - 1]

    @property
    def steps(self) -> tuple[tuple[float, int], ...]:
        """(epsilon, lines kept there), rising in epsilon: beyond each of these epsilons fewer lines are kept.

        Lines that ask for nothing are kept at every epsilon and make no step.
        """
        return tuple((each, self.count(each)) for each in sorted({e for e in self.epsilons if not math.isinf(e)}))


def lines_kept(profiles: Sequence[RiskProfile], *, value_exponent: float = 2.0) -> LinesKept:
    """The largest epsilon that is certain to keep each of several lines of acceptable risk.

    The promise is about the secret that each line's priors name, of one person, under one step of pure epsilon-DP.
    Exact for templates and drawn lines, the certified lower end of a bracket for expressions and middle lines, and 0
    for a profile that can only be sampled: what is called kept is certain to be.
    Source: thesis, (3.15); ours, counted line by line

    Parameters
    ----------
    profiles : sequence of RiskProfile; one or more; each may be about beliefs of its own
    value_exponent : float; as in `largest_epsilon`: 2 for any mechanism, 1 for one plain count; in [0, 2]

    Examples
    --------
    >>> from dpcore.profiles import Constant
    >>> room = lines_kept([Constant(ratio, value_prior=1.0) for ratio in (2, 3, 4)])
    >>> [(round(epsilon, 3), kept) for epsilon, kept in room.steps]  # log 2, log 3, log 4
    [(0.693, 3), (1.099, 2), (1.386, 1)]
    """
    return LinesKept(
        [profile.implied_epsilon(value_exponent=value_exponent).lower for profile in risk_profiles(profiles)]
    )
