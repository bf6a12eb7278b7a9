"""Printed numbers of the paper on public-data-assisted query release."""

from __future__ import annotations

from functools import partial

from dpcore.public_information import best_mixture_noise_std, renyi_divergence
from riskline.record.tables import PublishedValue

row = partial(PublishedValue, "liu")

ROWS = [
    row(
        "section 5.5.1",
        "standard deviation of Laplace noise on the best-mixture error, 100,000 records, epsilon 0.01",
        1.414e-3,
        6,
        lambda: best_mixture_noise_std(records=100_000, epsilon=0.01),
    ),
    row(
        "Definition 2.4",
        "Rényi divergence of order 2 of (1/2, 1/2) from (1/4, 3/4)",
        -0.287682,
        6,
        lambda: renyi_divergence([0.5, 0.5], [0.25, 0.75], order=2),
        verdict="erratum",
        computed=0.287682,
        reading="The factor must be 1/(order - 1); as printed the divergence is negative.",
    ),
]
