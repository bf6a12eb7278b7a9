"""The decision memo: what was decided, why, what it means for people, what it costs, and how to check it."""

from ui.views.memo.choices import CARRIED, FIELDS, OPTIONAL, MemoInputs, carried_query, carried_values, fields_of
from ui.views.memo.view import MemoView, memo_view

__all__ = [
    "CARRIED",
    "FIELDS",
    "OPTIONAL",
    "MemoInputs",
    "MemoView",
    "carried_query",
    "carried_values",
    "fields_of",
    "memo_view",
]
