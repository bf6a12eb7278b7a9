"""What every attack on noisy counts of one secret answers about all releases together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from dpcore import _checks
from dpcore._calls import go_together
from dpcore._properties import cached_property
from dpcore.attacks._inputs import open_probability
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Mechanism
from dpcore.mechanisms._evidence import Evidence, TwoWorlds
from dpcore.privacy_loss import SIDES, Side

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NoisyAttack(ABC):
    """An attack on counts with one mechanism's noise, by somebody with a belief short of certainty."""

    mechanism: Mechanism
    _: KW_ONLY
    prior: ArrayLike
    budgets: ArrayLike | None = None

    def __post_init__(self) -> None:
        go_together(prior=self._belief, budgets=self._evidence.rate)  # wrong arguments are refused here, by name

    @cached_property
    def _evidence(self) -> Evidence:
        """The evidence in one count."""
        return evidence_of(self.mechanism, self.budgets)

    @cached_property
    def _belief(self) -> FloatArray:
        return open_probability(self.prior)

    @cached_property
    def _odds(self) -> FloatArray:
        return np.asarray(logit(self._belief))

    @property
    @abstractmethod
    def _seen(self) -> TwoWorlds:
        """All that the attacker sees, over all releases."""

    def _shaped(self, result: Any, *inputs: ArrayLike) -> Any:
        return _checks.scalar_or_array(np.asarray(result), self._belief, self._evidence.rate, *inputs)

    def over(self, budgets: ArrayLike) -> Self:
        """The same attack where the noise has each of these budgets (ρ or ε of the mechanism) instead of its own.

        Answers broadcast over budgets and priors, so a curve over the budget is one call.
        """
        return replace(self, budgets=budgets)

    def marginal_posterior(self, *, side: Side = "present") -> FloatArray | float:
        """Average belief over all releases: "present" where what the attacker asks about is so, "absent" where not.

        Exact to about 14 digits, without simulation. With discrete Gaussian noise it rises with ρ, except where the
        noise is narrow and the prior small: with prior 1/864 it falls by 0.0009 between ρ = 2.8 and 3.2, because a
        surprise of one more becomes rarer faster than it becomes telling.
        """
        return self._shaped(self._seen.average(self._odds, counted_on(side)))

    def marginal_risk(self) -> FloatArray | float:
        """How many times the prior the average belief is, when what the attacker asks about is so."""
        return self._shaped(np.asarray(self.marginal_posterior()) / self._belief)

    def probability_right(self, *, side: Side = "present") -> FloatArray | float:
        """Probability of a right call, exact: 'so' where the posterior exceeds 1/2, a tie is decided against it.

        With whole noise it falls slowly in the budget and jumps up whenever the threshold drops by one, for priors
        below 1/2.
        """
        return self._shaped(self._seen.right(self._odds, counted_on(side)))

    def average_probability_right(self) -> FloatArray | float:
        """Probability of a right call over both sides as the prior weighs them, exact.

        Never below the larger of prior and 1 - prior, which guessing without the release attains. With discrete
        Gaussian noise it can fall a little as ρ grows (by 0.006 just above ρ = 2 at prior 0.9), except at prior 1/2: a
        larger ρ does not make whole-number noise a clearer copy of the noise at a smaller ρ.
        """
        so, not_so = (self._seen.right(self._odds, counted) for counted in (1, 0))
        return self._shaped(self._belief * so + (1 - self._belief) * not_so)


def evidence_of(mechanism: Mechanism, budgets: ArrayLike | None = None, *, known: ArrayLike | None = None) -> Evidence:
    """What one count with this mechanism tells beside the people known, at its own budget or at each of these."""
    if not isinstance(mechanism, Mechanism):
        raise Refused("mechanism", "add noise to a count", mechanism, Code.WRONG_TYPE)
    found: Evidence = mechanism.evidence(budgets, known=known)
    return found


def counted_on(side: Side) -> int:
    """How often the target is in the count that is attacked: once where what the attacker asks about is so."""
    return int(_checks.choice("side", side, SIDES[:2]) == "present")
