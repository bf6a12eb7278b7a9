"""What a view says, sentence by sentence, and what in it nobody could read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

UNREADABLE = re.compile(
    r"Traceback|could not be drawn|np\.|\bnan\b|\binf\b(?! (?:ε|of|over)\b)|\bNone\b(?! of\b)|array\(|<class"
    r"|object at 0x|e-(?!100\b)[1-9][0-9]{2}|(?<![\w.,^{-])-0(?![\w.,])|[0-9]{40}"
)
ELSEWHERE = (
    *("document", "figure", "scenario", "releasing", "reproducing"),
    *("result", "handout", "instructor", "label", "python", "python_opendp"),
)
"""Parts with tests of their own; a result is what a line of code prints, and lines of Python are run."""


def sentences(value: Any, depth: int = 0) -> Iterator[str]:
    """Every text of a view, as deep as tables in tuples of pictures."""
    if isinstance(value, str):
        yield value
    elif depth < 5 and isinstance(value, (tuple, list)):
        for part in value:
            yield from sentences(part, depth + 1)
    elif depth < 5 and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name not in ELSEWHERE:
                yield from sentences(getattr(value, field.name), depth + 1)


def unreadable(told: Any, typed: str = "") -> str:
    """The first piece of a sentence that nobody could read and the reader did not type; empty if there is none."""
    for sentence in sentences(told):
        for found in UNREADABLE.finditer(sentence):
            if found.group().lower() in typed.lower():
                continue
            return sentence[max(0, found.start() - 80) : found.end() + 40]
    return ""
