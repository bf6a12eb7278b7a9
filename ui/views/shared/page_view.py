"""What the views of all pages have."""

from __future__ import annotations

from dataclasses import dataclass

from ui.views.shared.promise import StatedBelief
from ui.words.python_lines import CodeLines


@dataclass(frozen=True, kw_only=True)
class PageView:
    """An answer, how sure it is, which beliefs it bounds, how it is computed; `refusal` says why there is none."""

    answer: str = ""
    small_print: str = ""
    stated: tuple[StatedBelief, ...] = ()
    computed: str = ""
    python: CodeLines | None = None
    refusal: str | None = None
