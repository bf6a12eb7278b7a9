"""Lines of Python that come to a page's answer with dpcore, written from the page's own choices."""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from ui.words.quantities import Quantity


@dataclass(frozen=True)
class CodeLines:
    """Lines that end with `answer`, and the numbers of the page that this must be, as the page says them.

    There are none as long as a run is what computes them.
    """

    text: str
    answer: tuple[Quantity, ...]


class Source(str):
    """Python as it stands, not a text to be quoted."""


class CodeWriter:
    """Lines in the making; what they import is collected from what they name.

    >>> from dpcore.accuracy import count_error, noise_with_budget
    >>> from ui.words.quantities import Upper, number
    >>> code = CodeWriter()
    >>> noise = code.let("noise", code(noise_with_budget, 1.0, "geometric"))
    >>> error = code(count_error, noise, level=0.95)
    >>> print(code.ending(Source(f"{error}.half_width"), Upper(3, number(2))).text)
    from dpcore.accuracy import count_error, noise_with_budget
    <BLANKLINE>
    noise = noise_with_budget(1.0, 'geometric')
    answer = count_error(noise, level=0.95).half_width
    """

    def __init__(self) -> None:
        self._imports: dict[str, set[str]] = defaultdict(set)
        self._lines: list[str] = []

    def named(self, thing: Any) -> Source:
        """A function or a class by its name, imported from the module or package where it is public."""
        parts, name = getattr(thing, "__module__", np.__name__).split("."), str(thing.__name__)
        places = (".".join(parts[:length]) for length in range(min(2, len(parts)), len(parts) + 1))
        self._imports[next(place for place in places if getattr(sys.modules[place], name, None) is thing)].add(name)
        return Source(name)

    def __call__(self, function: Any, *arguments: Any, **named: Any) -> Source:
        """A call with these values, each written so that it is exactly itself."""
        told = [self.of(value) for value in arguments]
        told += [f"{name}={self.of(value)}" for name, value in named.items()]
        return Source(f"{self.named(function)}({', '.join(told)})")

    def of(self, value: Any) -> str:
        """A value as Python writes it."""
        if isinstance(value, Source):
            return value
        if isinstance(value, Enum):
            return f"{self.named(type(value))}.{value.name}"
        if isinstance(value, np.ndarray | np.generic):
            return self.of(value.tolist())
        if isinstance(value, tuple | list):
            inside = ", ".join(map(self.of, value))
            return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
        if is_dataclass(value) and not isinstance(value, type):
            return self(type(value), **_choices_of(value))
        return repr(value) if value != math.inf else "float('inf')"

    def let(self, name: str, value: Any) -> Source:
        """A line that gives a value its name; the name, for the lines that follow."""
        self._lines.append(f"{name} = {self.of(value)}")
        return Source(name)

    def note(self, words: str) -> None:
        """A line that only says something."""
        self._lines.append(f"# {words}")

    def ending(self, value: Any, *answer: Quantity) -> CodeLines:
        """All lines, the last of which is the answer."""
        self.let("answer", value)
        imports = [f"from {place} import {', '.join(sorted(self._imports[place]))}" for place in sorted(self._imports)]
        return CodeLines("\n".join([*imports, "", *self._lines]).lstrip("\n"), answer)


def _choices_of(value: Any) -> dict[str, Any]:
    """What somebody set of a value of dpcore: its fields that are not as they are anyway."""
    chosen = {}
    for field in fields(value):
        held = getattr(value, field.name)
        usual = field.default if field.default_factory is MISSING else field.default_factory()
        if field.init and not (type(held) is type(usual) and held == usual):
            chosen[field.name] = held
    return chosen
