"""Where a cost leads: to a ledger of several releases that begins with this count, and to the memo."""

from __future__ import annotations

from typing import Any

from riskline.case.fields import number_text
from ui.link.page_link import PageLink
from ui.link.page_table import page_entry
from ui.pictures.style import Style
from ui.words.catalogue import say


def next_steps(inputs: Any, budget: float, style: Style) -> tuple[PageLink, ...]:
    """Both ways from the page of these choices, whose noise has this budget."""
    rows = next(field for field in page_entry("plan").fields if field.name == "rows")
    row = f"x{inputs.noise}~{number_text(budget)}~1~~A count"
    query = {"rows": rows.encode(rows.decode(row))}
    several = PageLink("plan", say("accuracy", style.voice, "next_plan"), tuple(query.items()))
    return several, PageLink("memo", say("accuracy", style.voice, "next"))
