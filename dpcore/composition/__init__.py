"""How releases add up: plans as values, every composition rule, and the budgets a promise about beliefs leaves.

Six rules: *basic* (sums), *advanced* and *optimal* (for any mechanisms with the given epsilons), *zero-concentrated*
(sums of rho), *divergences* (epsilons, deltas and rhos in one plan) and *exact* (the privacy loss of the mechanisms
themselves, from `dpcore.privacy_loss`). The first five are bounds for every mechanism with the stated guarantee; the
last speaks about these mechanisms. `rules` and `divergences` hold them on numbers, `promises` asks how many releases a
promise about beliefs bears and how much each may spend, `plans` adds up whole plans.
"""

from dpcore.composition.divergences import AddedDivergences
from dpcore.composition.plans import METHODS, PlanMethod, PlannedRelease, PlanRule, ReleasePlan, posterior_fan
from dpcore.composition.promises import (
    ROUTES,
    AdvancedRule,
    BasicRule,
    BeliefPromise,
    ConcentratedRoute,
    ConcentratedRule,
    ExactRule,
    OptimalRule,
    RhoRoute,
    Rule,
    first_broken,
    largest_budget,
    largest_epsilon_each,
    largest_kept,
    largest_rho_each,
    largest_safe,
)
from dpcore.composition.rules import (
    LARGEST_PLAN,
    OptimalComposition,
    OptimalPromise,
    advanced_epsilon,
    basic_composition,
    concentrated_composition,
    heterogeneous_delta,
    heterogeneous_epsilon,
    optimal_composition,
    optimal_delta,
    optimal_epsilon,
    optimal_promise,
)

__all__ = [
    "PlanMethod",
    "RhoRoute",
    "ConcentratedRoute",
    "LARGEST_PLAN",
    "METHODS",
    "ROUTES",
    "AddedDivergences",
    "AdvancedRule",
    "BasicRule",
    "BeliefPromise",
    "ConcentratedRule",
    "ExactRule",
    "OptimalComposition",
    "OptimalPromise",
    "OptimalRule",
    "PlanRule",
    "PlannedRelease",
    "ReleasePlan",
    "Rule",
    "advanced_epsilon",
    "basic_composition",
    "concentrated_composition",
    "first_broken",
    "heterogeneous_delta",
    "heterogeneous_epsilon",
    "largest_budget",
    "largest_epsilon_each",
    "largest_kept",
    "largest_rho_each",
    "largest_safe",
    "optimal_composition",
    "optimal_delta",
    "optimal_epsilon",
    "optimal_promise",
    "posterior_fan",
]
