"""The decision memo: what was decided, why, what it means for people, what it costs, and how to check it."""

from ui.views.memo.choices import BESIDE, FIELDS, MemoInputs
from ui.views.memo.view import MemoView, memo_view

__all__ = ["BESIDE", "FIELDS", "MemoInputs", "MemoView", "memo_view"]
