"""Scripts of ours: a button that copies the address of the page, a place that is heard, a page begun at its top."""

from __future__ import annotations

from functools import cache

from ui.components.lean import component
from ui.link.page_table import PAGES
from ui.words.catalogue import label

_BUTTON = (
    f'<button type="button">{label("frame", "copy_link")}</button> <span role="status"></span>'
    f'<input readonly hidden aria-label="{label("frame", "copied_address")}">'
)
_PLACES = '<p role="status" aria-live="polite"></p><p role="alert" aria-live="assertive"></p>'


@cache
def _own_keys() -> list[str]:
    """The names in an address that are one reader's key: whoever has it acts as that reader."""
    fields = [field for entry in PAGES for field in entry.fields if field.private and field.in_address]
    return sorted({field.name for field in fields} - {"code"})


def offer_link() -> None:
    """Put a button on the page that copies its address, with every choice in it but the reader's own key."""
    button = component("riskline_copy_link", "copy_link.js", style="copy_link.css", html=_BUTTON)
    button(key="riskline-copy-link", width="content", data={"left_out": _own_keys()})


def speak() -> None:
    """Put the place on the page from which a screen reader hears of each new answer and each refusal."""
    component("riskline_spoken", "spoken.js", style="spoken.css", html=_PLACES)(key="riskline-spoken")


def begin_at_top(moment: str) -> None:
    """Have the browser go to the top of the page whenever what it shows is called otherwise than before."""
    component("riskline_to_top", "to_top.js", html="<span></span>")(key="riskline-to-top", data={"moment": moment})
