"""Printed numbers of the paper on public-data-assisted query release."""

from __future__ import annotations

from dpcore.public_information import best_mixture_noise_std, renyi_divergence
from riskline.record.tables import PublishedValue

ROWS = [
    PublishedValue(
        source="liu",
        locator="section 5.5.1",
        quantity="standard deviation of Laplace noise on the best-mixture error, 100,000 records, epsilon 0.01",
        printed=1.414e-3,
        digits=6,
        compute=lambda: best_mixture_noise_std(records=100_000, epsilon=0.01),
    ),
    PublishedValue(
        source="liu",
        locator="Definition 2.4",
        quantity="Rényi divergence of order 2 of (1/2, 1/2) from (1/4, 3/4)",
        printed=-0.287682,
        digits=6,
        compute=lambda: renyi_divergence([0.5, 0.5], [0.25, 0.75], order=2),
        verdict="erratum",
        computed=0.287682,
        reading="The factor must be 1/(order - 1); as printed the divergence is negative.",
    ),
]
