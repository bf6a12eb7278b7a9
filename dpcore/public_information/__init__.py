"""What public information does to a release: it can weaken the promise, sharpen the answer, or both.

Three ideas: answers that go together (`CorrelatedAnswers`), releases partly fixed by public facts
(`CountTableRelease`, `RangedCount`), and marginal queries answered with the help of public records
(`draw_query_release`, `best_mixture_error`).
"""

from dpcore.public_information.best_mixture import (
    SufficientRecords,
    best_mixture_error,
    renyi_divergence,
    sufficient_records,
)
from dpcore.public_information.correlated_answers import CorrelatedAnswers
from dpcore.public_information.count_tables import (
    CountTableRelease,
    concentrations_from,
    dirichlet_multinomial_log_pmf,
    worst_table_loss,
)
from dpcore.public_information.error_lines import (
    METHODS,
    ErrorLine,
    best_mixture_by_public_rows,
    crossing_epsilon,
    error_lines,
)
from dpcore.public_information.query_budgets import (
    RoundBudget,
    best_mixture_noise_std,
    gaussian_marginals_std,
    round_budget,
)
from dpcore.public_information.query_release import (
    QueryRelease,
    Support,
    draw_gaussian_marginals,
    draw_query_release,
    replayed_measurements,
    selection_probabilities,
    updated_weights,
)
from dpcore.public_information.rates import RangedCount, RatePosterior, draw_rate_by_rejection
from dpcore.public_information.records import CategoricalRecords, read_records
from dpcore.public_information.workloads import Workload, distinct_records

__all__ = [
    "METHODS",
    "CategoricalRecords",
    "CorrelatedAnswers",
    "CountTableRelease",
    "ErrorLine",
    "QueryRelease",
    "RangedCount",
    "RatePosterior",
    "RoundBudget",
    "SufficientRecords",
    "Support",
    "Workload",
    "best_mixture_by_public_rows",
    "best_mixture_error",
    "best_mixture_noise_std",
    "concentrations_from",
    "crossing_epsilon",
    "dirichlet_multinomial_log_pmf",
    "distinct_records",
    "draw_gaussian_marginals",
    "draw_query_release",
    "draw_rate_by_rejection",
    "error_lines",
    "gaussian_marginals_std",
    "read_records",
    "renyi_divergence",
    "replayed_measurements",
    "round_budget",
    "selection_probabilities",
    "sufficient_records",
    "updated_weights",
    "worst_table_loss",
]
