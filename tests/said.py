"""What has words: pages, activities of a room, the frame, the promise on all pages, the picture that several share.

And what a passage waits for.
"""

from __future__ import annotations

import string

from ui.link.page_table import PAGES
from ui.views.room import ACTIVITIES

SAID = [
    *(entry.stem for entry in PAGES),
    "by_method",
    "case",
    "filing",
    "frame",
    "numbers",
    "pictures",
    "promise",
    "relatives",
    "sheet",
    "table_choice",
    "trade_off",
    *(f"room_{kind}" for kind in ACTIVITIES),
]


def placeholders(passage: str) -> set[str]:
    """Names of the numbers and words a passage waits for."""
    return {field for _, field, _, _ in string.Formatter().parse(passage) if field}
