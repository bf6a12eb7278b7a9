"""How a page declares its choices: each once, in the frozen class that holds them, with kind, range and first value.

An attribute of such a class is a `number`, a `count`, an `option`, a `flag`, a `text` or something with a codec of its
own; or a choice `of_case`. Its label, help and options are words, and stand in the catalogue under its name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from riskline.case import fields
from riskline.case.choices import FIELDS, case_field
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


def of_case(name: str, **differently: Any) -> Any:
    """A choice of the case, and what only this page says otherwise about it."""
    field = case_field(name, **differently)
    return dataclasses.field(default=field.default, metadata={DECLARED: field})


def of_session(choice: Any) -> Any:
    """A choice that holds the reader's own counts: in the session alone, in no link, file, log or cache."""
    return dataclasses.field(default=choice.default, metadata={DECLARED: fields.of_session(choice.metadata[DECLARED])})


def declarations(choices: type[Any]) -> Iterator[Field]:
    """The choices that a class declares, in its order; one that has the name of a choice of the case is that choice.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Chosen:
    ...     level: float = number(0.95, low=0.5, high=1)
    ...     prior: float = 0.5
    >>> [(field.name, field.default, field.of_case) for field in declarations(Chosen)]
    [('level', 0.95, False), ('prior', 0.5, True)]
    """
    for attribute in dataclasses.fields(choices):
        declared = attribute.metadata.get(DECLARED) or FIELDS.get(attribute.name)
        if declared is not None:
            yield dataclasses.replace(declared, name=attribute.name)
