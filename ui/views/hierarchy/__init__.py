"""Attack through the hierarchy: what the counts above a block add, and why the belief about its siblings decides."""

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
    word,
)
from ui.views.hierarchy.levels import build_up, gains, gains_in_words
from ui.views.hierarchy.view import Attacked, clicked_release, hierarchy_view, map_axes

__all__ = [
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
    "Attacked",
    "HierarchyInputs",
    "beginning",
    "build_up",
    "clicked_release",
    "encode_levels",
    "gains",
    "gains_in_words",
    "hierarchy_view",
    "map_axes",
    "word",
]
