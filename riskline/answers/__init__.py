"""What follows from a case: its budget, what the budget lets somebody believe, and what it costs; values, no words."""

from riskline.answers.budgets import CaseBudget, LineBudget, Source, Standing, Terms, case_budget, line_budget, standing

__all__ = ["CaseBudget", "LineBudget", "Source", "Standing", "Terms", "case_budget", "line_budget", "standing"]
