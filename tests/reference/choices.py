"""Words of a case that choose: a table, a noise, a method, a secret. Another word is refused by name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

from dpcore.errors import Code, Refused

Option = TypeVar("Option")


def one_of(name: str, value: Any, options: Mapping[Any, Option]) -> Option:
    """What a case's word means."""
    if not isinstance(value, Hashable) or value not in options:
        raise Refused(name, "be one of " + ", ".join(map(repr, options)), value, Code.UNKNOWN_CHOICE)
    return options[value]
