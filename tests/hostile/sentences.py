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
NO_THING = (
    "and|or|than|for|from|with|the|to|per|but|each|all|that|when|as|is|has|was|its|this|less|always|times|does|keeps"
)
NO_THING += "|needs|fits|lies|costs|says|sets|binds|holds|promises|reaches|carries"
DISAGREEING = re.compile(
    r"(?<![\w.,/^−–~=±-])(?<![=±] )(?<!= \*\*)(?:\*\*)?\b1(?:\*\*)? "
    rf"(?:(?:of (?:\*\*)?1(?:\*\*)? )?(?:(?!(?:{NO_THING})\b)[a-z-]+ )?(?!(?:{NO_THING})\b)(?:people|[a-z]+s)"
    r"|(?<!of 1 )(?<!of \*\*1\*\* )(?<!of 1\*\* )(?:are|were|have|say)"
    r"|of (?:the )?(?:[0-9,]+(?:\*\*)? )?(?:(?!who|that)[a-z]+ ){0,5}(?:are|were|have))\b"
)
"""One of something in the words for many: *1 rows*, *1 of 12 areas are*."""
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


def disagreeing(sentence: str) -> str:
    """The first place of a sentence in which one thing is spoken of as several; empty if there is none."""
    found = DISAGREEING.search(sentence)
    return sentence[max(0, found.start() - 40) : found.end() + 20] if found else ""


def unreadable(told: Any, typed: str = "") -> str:
    """The first piece of a sentence that nobody could read and the reader did not type; empty if there is none."""
    for sentence in sentences(told):
        for found in UNREADABLE.finditer(sentence):
            if found.group().lower() in typed.lower():
                continue
            return sentence[max(0, found.start() - 80) : found.end() + 40]
        if disagreeing(sentence):
            return disagreeing(sentence)
    return ""
