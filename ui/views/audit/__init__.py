"""Test a claim: what draws of two worlds, or guesses, show of a claimed budget."""

from ui.views.audit.held import FIELDS, AuditInputs
from ui.views.audit.view import AuditView, audit_view

__all__ = ["FIELDS", "AuditInputs", "AuditView", "audit_view"]
