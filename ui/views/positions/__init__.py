"""Compare positions: the lines of several parties, the budget each implies, the gap, and what a concession buys."""

from ui.views.positions.choices import FIELDS, PositionsInputs, told_apart
from ui.views.positions.pictures import panel_rows
from ui.views.positions.standing import (
    Standing,
    place_words,
    spend_words,
    standing_of,
    unstarred,
)
from ui.views.positions.tables import price_of_conceding
from ui.views.positions.view import PositionsView, line_taken, positions_view

__all__ = [
    "FIELDS",
    "PositionsInputs",
    "PositionsView",
    "Standing",
    "line_taken",
    "panel_rows",
    "place_words",
    "positions_view",
    "price_of_conceding",
    "spend_words",
    "standing_of",
    "told_apart",
    "unstarred",
]
