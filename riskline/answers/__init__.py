"""What follows from a case: its budget, what the budget lets somebody believe, and what it costs; values, no words."""

from riskline.answers.beliefs import belief_after, guarantee_of_budget, right_guess, scope_of
from riskline.answers.budgets import (
    CaseBudget,
    LineBudget,
    Source,
    Standing,
    Terms,
    budget_for_unsure,
    budget_together,
    case_budget,
    highest_accepted,
    line_budget,
    profile_budget,
    releases_of,
    standing,
    whole_budget,
)
from riskline.answers.schema import counts_changed, schema_of, schema_of_districts
from riskline.answers.spent import Spent, spent

__all__ = [
    "CaseBudget",
    "LineBudget",
    "Source",
    "Spent",
    "Standing",
    "Terms",
    "belief_after",
    "budget_for_unsure",
    "budget_together",
    "case_budget",
    "counts_changed",
    "guarantee_of_budget",
    "highest_accepted",
    "line_budget",
    "profile_budget",
    "right_guess",
    "schema_of",
    "schema_of_districts",
    "releases_of",
    "scope_of",
    "spent",
    "standing",
    "whole_budget",
]
