"""Attack on a value through a whole table: which of two cells somebody is in, when both noisy counts are seen.

The attacker knows that the target is in the data, in one of two cells, and knows every other record in both. The count
of the cell asked about is `known` or `known + 1`, and that of the other cell `known_other + 1` or `known_other`. Each
count carries its own noise of one mechanism. The promise these numbers belong to is that of a value and two cells:
twice the privacy loss of one count, in either relation of neighbours. What is `one_count` for somebody who sees the one
count is here for somebody who sees the histogram; more than two cells are in `all_cells`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from dpcore import _checks
from dpcore._calls import call_hint, go_together
from dpcore._properties import cached_property
from dpcore.attacks._attack import NoisyAttack, evidence_of
from dpcore.attacks._inputs import known_count, whole_numbers
from dpcore.mechanisms._evidence import Evidence, TwoWorlds

FloatArray = NDArray[np.float64]


@call_hint
@dataclass(frozen=True, eq=False)
class MovedValueAttack(NoisyAttack):
    """Attack on which of two cells somebody is in (a value), by an attacker who sees the counts of both.

    An attack and no promise: this attacker knows every other record, and others may learn more from another release.
    The second cell is evidence the other way round, so two cells teach as much as two releases of one count. With
    discrete Gaussian noise the average is a sum over the difference of the two noises, exact to about 15 digits; with
    geometric noise the log odds move by -2ε, 0 or 2ε. For noise whose ρ is that of the table the average stays below
    `any_release.belief_upper` for a value (four ρ), and it can exceed the one for presence.
    Source: ours, product law of two cells; thesis, equation (2.3) for each

    Parameters
    ----------
    mechanism : DiscreteGaussian, Gaussian, Geometric or Laplace; the noise of each count
    prior : float or array; belief, in (0, 1), that the target is in the first cell; in the other one else
    known, known_other : int or array; other people in each cell, known to the attacker; at least 0
    budgets : array, optional; budgets (ρ or ε of the mechanism) at which the attack is made instead of its own; see
        `over`

    Examples
    --------
    >>> from dpcore.mechanisms import DiscreteGaussian, Geometric
    >>> attack = MovedValueAttack(DiscreteGaussian(rho=0.0992), prior=0.5)
    >>> round(attack.posterior(2, -1), 3), round(attack.marginal_posterior(), 3)
    (0.645, 0.545)
    >>> round(attack.probability_right(), 4), round(attack.probability_right(side="absent"), 4)
    (0.5628, 0.6824)
    >>> one_in_two = MovedValueAttack(Geometric(epsilon=1.0), prior=0.5)  # no better than one count: expit(1)
    >>> round(one_in_two.average_probability_right(), 4)
    0.7311
    """

    _: KW_ONLY
    known: ArrayLike = 0
    known_other: ArrayLike = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._seen
        self._fit()

    @cached_property
    def _evidence(self) -> Evidence:
        """The evidence in the first count."""
        return evidence_of(self.mechanism, self.budgets, known=self._others[0])

    @cached_property
    def _others(self) -> tuple[FloatArray, FloatArray]:
        return known_count(self.known), known_count(self.known_other, "known_other")

    @cached_property
    def _seen(self) -> TwoWorlds:
        return self._evidence.two_cells()

    def _fit(self, **seen: FloatArray) -> None:
        """Refuse what has shapes that do not go together."""
        known, known_other = self._others
        fixed = {"known": known, "known_other": known_other, "prior": self._belief, "budgets": self._evidence.rate}
        go_together(**seen, **fixed)

    def log_odds(self, noisy_count: ArrayLike, other_noisy_count: ArrayLike) -> FloatArray | float:
        """Logarithm of the odds that the target is in the first cell, given the noisy counts of both."""
        known, known_other = self._others
        read = whole_numbers if self._evidence.whole else _checks.array
        first, second = read("noisy_count", noisy_count), read("other_noisy_count", other_noisy_count)
        self._fit(noisy_count=first, other_noisy_count=second)
        moved = self._evidence.loss(first - known) - self._evidence.loss(second - known_other)
        return self._shaped(self._odds + moved, noisy_count, other_noisy_count, known, known_other)

    def posterior(self, noisy_count: ArrayLike, other_noisy_count: ArrayLike) -> FloatArray | float:
        """Belief that the target is in the first cell, given the noisy counts of both."""
        odds = self.log_odds(noisy_count, other_noisy_count)
        return self._shaped(expit(odds), noisy_count, other_noisy_count, *self._others)
