"""What an epsilon means: beliefs before and after, in both worlds, as a bound, over every view, exactly, on average."""

from ui.views.explain.choices import (
    DEPLOYMENTS,
    FIELDS,
    GUARANTEES,
    MECHANISMS,
    PRESETS,
    READINGS,
    RELEASED,
    SMALLEST,
    ExplainInputs,
    Preset,
)
from ui.views.explain.told import rarely
from ui.views.explain.view import ExplainView, explain_view

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
    "rarely",
]
