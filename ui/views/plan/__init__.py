"""Several releases: a ledger added up by every rule, the belief over time, and when and how a promise breaks."""

from ui.views.plan.choices import EVERY, FIELDS, PRESETS, PlanInputs
from ui.views.plan.view import PlanView, plan_view

__all__ = ["EVERY", "FIELDS", "PRESETS", "PlanInputs", "PlanView", "plan_view"]
