"""Compare positions: the lines of several parties, the budget each implies, the gap, and what a concession buys."""

from ui.views.positions.choices import FIELDS, PositionsInputs, told_apart
from ui.views.positions.pictures import panel_rows
from ui.views.positions.view import PositionsView, positions_view

__all__ = [
    "FIELDS",
    "PositionsInputs",
    "PositionsView",
    "panel_rows",
    "positions_view",
    "told_apart",
]
