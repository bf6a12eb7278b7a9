"""The law of the privacy loss, its exact composition, and the exact law of what an attacker comes to believe.

The privacy loss of an output is Z = ln P(output)/Q(output), where P is the law of the output when the target is in the
data and Q its law when the target is not. A strong attacker who holds the prior p before the releases holds
expit(logit p + Z) after them (thesis, Theorem 27), so one law of Z answers for every prior. The losses of independent
releases add. Every mechanism here is symmetric: Z under Q is distributed as -Z under P, so the law on the *absent*
side is the mirror image of the law on the *present* side.

Discrete mechanisms have losses on a lattice. Equal ones are composed on their own lattice without rounding; different
ones are enumerated, put on a common lattice where one exists, or moved once each to a grid, with a rigorous bracket.
Gaussian noise enters in closed form, and so does discrete Gaussian noise that is too wide for a lattice, with the one
step by which the two can differ as a bracket. Small tails are computed from an exponentially tilted law, so that they
keep their relative accuracy.

A *guarantee* is not a mechanism. The worst mechanism with a pure or approximate guarantee (randomised response) has
the largest delta at every epsilon, and so the largest bound over every view; it has not the heaviest tails. So a plan
with such a row has `delta_at`, `epsilon_at`, `every_view_epsilon` and a bound on the mean belief, and refuses the rest.

`one_release` holds the loss of one release, `sums` how losses are added up, `laws` what a law answers, `loss` the loss
of a plan, `posterior` the belief after it.
"""

from dpcore.privacy_loss.loss import DIRECTIONS, SIDES, Bracket, Direction, PrivacyLoss, RoundParts, Side
from dpcore.privacy_loss.one_release import loss_parts
from dpcore.privacy_loss.posterior import CERTAIN_RHO, ExactPosterior
from dpcore.privacy_loss.sums import LOG_TAIL, common_step, spectrum_power

__all__ = [
    "CERTAIN_RHO",
    "DIRECTIONS",
    "LOG_TAIL",
    "SIDES",
    "Bracket",
    "Direction",
    "ExactPosterior",
    "PrivacyLoss",
    "RoundParts",
    "Side",
    "common_step",
    "loss_parts",
    "spectrum_power",
]
