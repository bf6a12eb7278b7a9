"""How a page declares its choices: each once, in the frozen class that holds them, with kind, range and first value.

An attribute of such a class is a `number`, a `count`, an `option`, a `flag`, a `text` or something with a codec of its
own; or a choice `of_case`. Its label, help and options are words, and stand in the catalogue under its name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from riskline.case import fields
from riskline.case.fields import Field

DECLARED = "declared"
"""Where an attribute of a class of choices keeps its declaration."""


def _declared(kind: str, default: Any, rules: Mapping[str, Any]) -> Any:
    return dataclasses.field(default=default, metadata={DECLARED: Field("", "", kind, default, **rules)})


def number(default: float | None, **rules: Any) -> Any:
    """A number; `rules` are those of `Field`: its range, span, step and format."""
    return _declared("number", default, rules)


def count(default: int | None, **rules: Any) -> Any:
    """A whole number; `rules` are those of `Field`."""
    return _declared("count", default, rules)


def option(*options: str, default: str | None = None, **rules: Any) -> Any:
    """One of some codes, at first the first of them unless another is the default."""
    return _declared("choice", options[0] if default is None else default, {"options": options, **rules})


def flag(default: bool = False, **rules: Any) -> Any:
    """A yes or no."""
    return _declared("flag", default, rules)


def text(default: str = "", **rules: Any) -> Any:
    """Words of the reader's own."""
    return _declared("text", default, rules)


def custom(default: Any, *, read: Callable[[str], Any], write: Callable[[Any], str] = str, **rules: Any) -> Any:
    """A value with a codec of its own."""
    return _declared("custom", default, {"read": read, "write": write, **rules})


def of_session(choice: Any) -> Any:
    """A choice that holds the reader's own counts: in the session alone, in no link, file, log or cache."""
    return dataclasses.field(default=choice.default, metadata={DECLARED: fields.of_session(choice.metadata[DECLARED])})
