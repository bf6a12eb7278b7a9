"""Attack through the hierarchy: what the counts above a block add, and why the belief about its siblings decides."""

from ui.views.hierarchy.choices import FIELDS, HierarchyInputs, beginning
from ui.views.hierarchy.view import hierarchy_view

__all__ = ["FIELDS", "HierarchyInputs", "beginning", "hierarchy_view"]
