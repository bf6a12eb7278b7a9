"""Risk profiles and the epsilon they imply: draw the line of acceptable risk, read the budget.

A profile says, for each prior belief about a person, the highest posterior that is acceptable. The budget it implies is
the smallest, over all priors, of the largest epsilon each prior allows: exact for templates and drawn lines, certified
for expressions, an estimate (and named so) for arbitrary functions.
"""

from dpcore.profiles.base import RiskProfile
from dpcore.profiles.budgets import Budget, Route, budget
from dpcore.profiles.combinations import (
    LogOddsMean,
    LogOddsMedian,
    PointwiseMinimum,
    StrictestRange,
    middle_half,
    strictest_ranges,
)
from dpcore.profiles.comparisons import (
    LeeClifton,
    SampledProfile,
    epsilon_for_absent_person,
    epsilon_on_grid,
    lee_clifton,
    lee_clifton_epsilon,
)
from dpcore.profiles.drawn import DrawnGrid, DrawnLine, Interpolation
from dpcore.profiles.expressions import ExpressionProfile, parsed_expression
from dpcore.profiles.kept_lines import LinesKept, lines_kept
from dpcore.profiles.point import largest_epsilon, reachable_posterior
from dpcore.profiles.results import (
    Axis,
    Certainty,
    ImpliedEpsilon,
    InfeasibleProfile,
    Place,
    Status,
)
from dpcore.profiles.templates import Box, Boxes, CapOrRatio, Constant, LargestIncrease

__all__ = [
    "Interpolation",
    "Axis",
    "Box",
    "Boxes",
    "Budget",
    "CapOrRatio",
    "Certainty",
    "Constant",
    "DrawnGrid",
    "DrawnLine",
    "ExpressionProfile",
    "ImpliedEpsilon",
    "InfeasibleProfile",
    "LargestIncrease",
    "LeeClifton",
    "LinesKept",
    "LogOddsMean",
    "LogOddsMedian",
    "Place",
    "PointwiseMinimum",
    "RiskProfile",
    "Route",
    "SampledProfile",
    "Status",
    "StrictestRange",
    "budget",
    "epsilon_for_absent_person",
    "epsilon_on_grid",
    "largest_epsilon",
    "lee_clifton",
    "lee_clifton_epsilon",
    "lines_kept",
    "middle_half",
    "parsed_expression",
    "reachable_posterior",
    "strictest_ranges",
]
