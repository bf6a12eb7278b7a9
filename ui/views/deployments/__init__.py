"""Published budgets: what a guess achieves after each, about which secret, and why bare budgets are not ranked."""

from ui.views.deployments.choices import (
    CHOICES,
    FIELDS,
    FORMULA_NAMES,
    HOUSING,
    NAMES,
    PERSONS,
    SHORT,
    UNIT_KINDS,
    DeploymentsInputs,
    code_of,
)
from ui.views.deployments.pictures import detection_picture
from ui.views.deployments.view import DeploymentsView, deployments_view

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
