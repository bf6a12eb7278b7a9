"""Published epsilons of the 2020 census, from its production settings and from the plan that a paper composes."""

from __future__ import annotations

from dpcore.census import SECRETS, TOTAL_RHO, demonstration_loss
from riskline.record.tables import PublishedValue

DELTA = 1e-10
PAPER = "Census_2022_08_eps_delta_division_eps"

ROWS = [
    PublishedValue(
        "su_su_wang",
        PAPER,
        "epsilon of eighty releases of a plan with rho 3.65, at delta 1e-10",
        20.84,
        2,
        lambda: demonstration_loss().epsilon_at(DELTA),
        verdict="erratum",
        computed=20.32469,
        reading="Ninety-six jobs of some 8.5 hours each sum the probability that the loss exceeds epsilon; delta is "
        "less by e^epsilon times that probability in the other world. Exact on the lattice, in milliseconds.",
    ),
    PublishedValue(
        "su_su_wang",
        PAPER,
        "probability in 10^11 that the loss of that plan exceeds 20.838545: what was held to be delta",
        10.0,
        1,
        lambda: 1e11 * demonstration_loss().loss_tail(20.838545),
        verdict="reading",
        reading="It is the first of the two terms of delta, which is 2.89 in 10^11.",
    ),
    PublishedValue(
        "census_2020",
        "configuration of the person file, global scale 339/542",
        "rho of the 65 noisy tables for one record replaced",
        2.56,
        2,
        lambda: float(TOTAL_RHO),
    ),
    PublishedValue(
        "census_2020",
        "published for the person file",
        "epsilon of the 65 noisy tables at delta 1e-10, upper end of a bracket",
        17.14,
        2,
        lambda: SECRETS["record"].privacy_loss().epsilon_at(DELTA),
        verdict="erratum",
        computed=16.465,
        reading="17.14 is a conversion of rho 2.556226, an upper bound; 16.465 is what the tables' own noise gives.",
    ),
    PublishedValue(
        "census_2020",
        "published for the person file",
        "the same where one record is replaced within its state",
        17.14,
        2,
        lambda: SECRETS["record_within_state"].privacy_loss().epsilon_at(DELTA),
        verdict="erratum",
        computed=13.126,
        reading="0.827 of rho 2.556 went to noisy totals of the states, which were published exactly; no record leaves "
        "its state here.",
    ),
]
