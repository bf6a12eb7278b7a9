"""What an epsilon means: beliefs before and after, in both worlds, as a bound, over every view, exactly, on average."""

from ui.views.explain.meaning import FIELDS, PRESETS, ExplainInputs
from ui.views.explain.view import ExplainView, explain_relatives, explain_view
from ui.views.shared.own_mechanism import CURVE_KINDS

__all__ = ["CURVE_KINDS", "FIELDS", "PRESETS", "ExplainInputs", "ExplainView", "explain_relatives", "explain_view"]
