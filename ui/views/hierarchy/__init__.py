"""Attack through the hierarchy: what the counts above a block add, and why the belief about its siblings decides."""

from ui.views.hierarchy.attacked import FIELDS, HierarchyInputs
from ui.views.hierarchy.view import hierarchy_view

__all__ = ["FIELDS", "HierarchyInputs", "hierarchy_view"]
