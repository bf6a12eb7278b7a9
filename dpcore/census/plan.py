"""A published plan for the demographic and housing file of 2020, whose epsilon took 96 machines: exactly."""

from __future__ import annotations

from fractions import Fraction

from dpcore._calls import call_hint
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss

DEMONSTRATION_RHO = Fraction(365, 100)
"""ρ of the demonstration plan that `demonstration_loss` composes."""
DEMONSTRATION_SHARES = tuple(
    (Fraction(share, 10_000), releases)
    for share, releases in ((20, 10), (274, 10), (85, 10), (131, 20), (238, 10), (118, 10), (3, 10))
)
"""Its seven levels: each release's share of the budget, and how many releases."""


@call_hint
def demonstration_loss() -> PrivacyLoss:
    """The law of the privacy loss of a published plan for the demographic and housing file, ρ = 3.65, exactly.

    The promise is about one record of the census replaced by another, to an observer of the noisy tables who knows all
    other records; a `CensusSecret` says what of the record is secret. Eighty releases of seven noises, each with its
    share of ρ, as the paper composes them. On their common lattice it is exact: the smallest ε at δ = 10⁻¹⁰ is 20.3247.
    The paper has 20.84, from 96 jobs of some eight hours: its sum is the probability that the loss exceeds ε, and
    leaves out the second term of δ, e^ε times that probability in the other world. The published value is 21.97.
    Source: su_su_wang, Census_2022_08_eps_delta_division_eps (numbers of the plan); ours, exact lattice

    Examples
    --------
    >>> loss = demonstration_loss()
    >>> loss.certainty, round(loss.epsilon_at(1e-10), 4)
    ('exact', 20.3247)
    >>> f"{loss.loss_tail(20.838545):.3e}", f"{loss.delta_at(20.838545):.3e}"  # the paper's sum, and delta
    ('9.980e-11', '2.892e-11')
    """
    return PrivacyLoss(
        tuple((DiscreteGaussian(rho=float(DEMONSTRATION_RHO * share)), count) for share, count in DEMONSTRATION_SHARES)
    )
