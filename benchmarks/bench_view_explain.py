"""How long the pages explain and plan take: views, posterior curve, fan chart and whole runs, in processor time."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.timing import all_within, median, rerun
from dpcore.composition import ReleasePlan, posterior_fan
from dpcore.mechanisms import Gaussian
from dpcore.semantics import posterior_bounds
from ui.pictures.style import Style
from ui.views.explain import ExplainInputs, explain_view
from ui.views.plan import PRESETS, PlanInputs, plan_view
from ui.views.shared.session_results import Store, results_kept_in


def _plan(inputs: PlanInputs, store: Store) -> None:
    with results_kept_in(store):
        plan_view(inputs, Style())


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of issue 3."""
    prior = np.linspace(0.001, 0.999, 500)
    days = ReleasePlan.repeated(Gaussian(rho=0.01), 1)
    levels = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
    exact = ExplainInputs(guarantee="gaussian", reading="exact")
    mixed = PlanInputs(**PRESETS["mixed"])
    session: Store = {}
    rows = [
        ("posterior curve on 500 priors", median(partial(posterior_bounds, prior=prior, epsilon=1.0), 50), 0.001),
        (
            "fan chart, 60 horizons x 6 quantiles",
            median(partial(posterior_fan, days, rounds=range(1, 61), levels=levels, prior=0.5), 9),
            0.050,
        ),
        ("view of explain", median(partial(explain_view, ExplainInputs(), Style()), 15), 0.030),
        ("view of explain, a mechanism exactly", median(partial(explain_view, exact, Style()), 15), 0.150),
        ("view of plan, asked again in a session", median(partial(_plan, PlanInputs(), session), 15), 0.060),
        ("view of plan, a promise never asked before", median(lambda: _plan(PlanInputs(), {}), 7), 0.200),
        ("view of plan, a mixed ledger on a grid", median(partial(_plan, mixed, session), 7), 0.100),
        ("view of plan, a mixed ledger never asked before", median(lambda: _plan(mixed, {}), 5), 0.300),
        ("rerun of explain in the server", rerun("explain"), 0.060),
        ("rerun of plan in the server", rerun("plan"), 0.060),
    ]
    return all_within(rows)
