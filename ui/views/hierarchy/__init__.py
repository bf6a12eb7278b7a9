"""Attack through the hierarchy: what the counts above a block add, and why the belief about its siblings decides."""

from ui.views.hierarchy.page import (
    BELIEFS,
    FIELDS,
    SIBLINGS_ABOVE,
    HierarchyInputs,
    HierarchyView,
    after_fitting,
    build_up,
    clicked_release,
    hierarchy_view,
    map_axes,
    noise_of_sums,
    printed_beside_exact,
    printed_words,
)

__all__ = [
    "BELIEFS",
    "FIELDS",
    "SIBLINGS_ABOVE",
    "HierarchyInputs",
    "HierarchyView",
    "after_fitting",
    "build_up",
    "clicked_release",
    "hierarchy_view",
    "map_axes",
    "noise_of_sums",
    "printed_beside_exact",
    "printed_words",
]
