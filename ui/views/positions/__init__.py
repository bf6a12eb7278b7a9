"""Compare positions: the lines of several parties, the budget each implies, the gap, and what a concession buys."""

from ui.views.positions.standing import FIELDS, PositionsInputs
from ui.views.positions.view import PositionsView, positions_view

__all__ = ["FIELDS", "PositionsInputs", "PositionsView", "positions_view"]
