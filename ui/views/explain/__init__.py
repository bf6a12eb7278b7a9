"""What an epsilon means: beliefs before and after, in both worlds, as a bound, over every view, exactly, on average."""

from ui.views.explain.curves import CURVE_KINDS
from ui.views.explain.meaning import FIELDS, PRESETS, ExplainInputs
from ui.views.explain.relatives import explain_relatives
from ui.views.explain.view import ExplainView, explain_view

__all__ = ["CURVE_KINDS", "FIELDS", "PRESETS", "ExplainInputs", "ExplainView", "explain_relatives", "explain_view"]
