"""What can be learned from a noisy release of bounded data: mean and variance, prediction, simple regression."""

from dpcore.inference.bounded import (
    FlatClosedForm,
    Infeasible,
    JointGrid,
    Posterior,
    Predictive,
    draw_flat_unconstrained,
    flat_closed_form,
    posterior,
)
from dpcore.inference.laws import TruncatedGammaMixture, normal_laplace_cdf, normal_laplace_log_density
from dpcore.inference.marginals import Marginal
from dpcore.inference.models import (
    ConjugatePrior,
    FlatPrior,
    ImproperPosteriorError,
    NoisyMoments,
    PowerPrior,
    Prior,
    Propriety,
    noise_scales,
    propriety,
    to_unit,
)

__all__ = [
    "ConjugatePrior",
    "FlatClosedForm",
    "FlatPrior",
    "ImproperPosteriorError",
    "Infeasible",
    "JointGrid",
    "Marginal",
    "NoisyMoments",
    "Posterior",
    "PowerPrior",
    "Predictive",
    "Prior",
    "Propriety",
    "TruncatedGammaMixture",
    "draw_flat_unconstrained",
    "flat_closed_form",
    "noise_scales",
    "normal_laplace_cdf",
    "normal_laplace_log_density",
    "posterior",
    "propriety",
    "to_unit",
]
