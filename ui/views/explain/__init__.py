"""What an epsilon means: beliefs before and after, in both worlds, as a bound, over every view, exactly, on average."""

from ui.views.explain.meaning import DEPLOYMENTS, SMALLEST, ExplainInputs, moved_together, rarely
from ui.views.explain.view import (
    FIELDS,
    GUARANTEES,
    MECHANISMS,
    PRESETS,
    READINGS,
    RELEASED,
    ExplainView,
    Preset,
    explain_view,
)

__all__ = [
    "DEPLOYMENTS",
    "FIELDS",
    "GUARANTEES",
    "MECHANISMS",
    "PRESETS",
    "READINGS",
    "RELEASED",
    "SMALLEST",
    "ExplainInputs",
    "ExplainView",
    "Preset",
    "explain_view",
    "moved_together",
    "rarely",
]
