"""What has words: pages, activities of a room, the frame, the promise on all pages, the picture that several share."""

from __future__ import annotations

from ui.link.page_table import PAGES
from ui.views.room import ACTIVITIES

SAID = [
    *(entry.stem for entry in PAGES),
    "by_method",
    "case",
    "frame",
    "numbers",
    "pictures",
    "promise",
    "sheet",
    "table_choice",
    "trade_off",
    *(f"room_{kind}" for kind in ACTIVITIES),
]
