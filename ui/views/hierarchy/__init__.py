"""Attack through the hierarchy: what the counts above a block add, and why the belief about its siblings decides."""

from ui.views.hierarchy.approximations import after_fitting, noise_of_sums
from ui.views.hierarchy.choices import (
    BELIEFS,
    FIELDS,
    LEAST_PRIOR,
    LEAST_RHO,
    MOST_BLOCKS,
    MOST_LEVELS,
    MOST_PRIOR,
    MOST_RHO,
    MOST_SIBLINGS,
    SIBLINGS_ABOVE,
    HierarchyInputs,
    beginning,
    encode_levels,
)
from ui.views.hierarchy.decision_map import clicked_release, map_axes
from ui.views.hierarchy.levels import build_up, gains_in_words
from ui.views.hierarchy.printed import printed_beside_exact, printed_words
from ui.views.hierarchy.view import HierarchyView, hierarchy_view

__all__ = [
    "beginning",
    "BELIEFS",
    "FIELDS",
    "LEAST_PRIOR",
    "LEAST_RHO",
    "MOST_BLOCKS",
    "MOST_LEVELS",
    "MOST_PRIOR",
    "MOST_RHO",
    "MOST_SIBLINGS",
    "SIBLINGS_ABOVE",
    "HierarchyInputs",
    "HierarchyView",
    "after_fitting",
    "build_up",
    "clicked_release",
    "encode_levels",
    "gains_in_words",
    "hierarchy_view",
    "map_axes",
    "noise_of_sums",
    "printed_beside_exact",
    "printed_words",
]
