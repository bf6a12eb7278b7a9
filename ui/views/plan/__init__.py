"""Several releases: a ledger added up by every rule, the belief over time, and when and how a promise breaks."""

from riskline.case.choices import EVERY
from ui.views.plan.choices import FIELDS, PRESETS, PlanInputs, beginning
from ui.views.plan.summary import PlanSummary, plan_summary
from ui.views.plan.view import PlanView, plan_view

__all__ = [
    "EVERY",
    "FIELDS",
    "PRESETS",
    "PlanInputs",
    "PlanSummary",
    "PlanView",
    "beginning",
    "plan_summary",
    "plan_view",
]
