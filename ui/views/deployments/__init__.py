"""Published budgets: what a guess achieves after each, about which secret, and why bare budgets are not ranked."""

from ui.views.deployments.view import (
    CHOICES,
    FIELDS,
    FORMULA_NAMES,
    HOUSING,
    NAMES,
    PERSONS,
    SHORT,
    UNIT_KINDS,
    DeploymentsInputs,
    DeploymentsView,
    code_of,
    deployments_view,
    detection_picture,
)

__all__ = [
    "CHOICES",
    "FIELDS",
    "FORMULA_NAMES",
    "HOUSING",
    "NAMES",
    "PERSONS",
    "SHORT",
    "UNIT_KINDS",
    "DeploymentsInputs",
    "DeploymentsView",
    "code_of",
    "deployments_view",
    "detection_picture",
]
