"""Several releases: a ledger added up by every rule, the belief over time, and when and how a promise breaks."""

from ui.views.plan.accounts import FIELDS, PRESETS, PlanInputs, beginning
from ui.views.plan.view import PlanView, plan_summary, plan_view

__all__ = ["FIELDS", "PRESETS", "PlanInputs", "PlanView", "beginning", "plan_summary", "plan_view"]
