"""A figure with the words and the table that belong to it."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from ui.pictures.table import Table


@dataclass(frozen=True)
class Picture:
    """What a view hands over for one picture: its key, the drawing, one sentence that reads it, words for those who do
    not see it, and the numbers behind it.
    """

    key: str
    figure: go.Figure
    reading: str
    alt: str
    table: Table
