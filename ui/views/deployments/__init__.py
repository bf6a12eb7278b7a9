"""Published budgets: what a guess achieves after each, about which secret, and why bare budgets are not ranked."""

from ui.views.deployments.choices import FIELDS, DeploymentsInputs, code_of
from ui.views.deployments.view import deployments_view

__all__ = ["FIELDS", "DeploymentsInputs", "code_of", "deployments_view"]
