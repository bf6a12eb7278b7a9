"""A property that is computed once for each object, by threads that do not wait for one another.

Until Python 3.12 `functools.cached_property` holds one lock for all objects of a class while it computes. On a server
with a thread for each reader, everyone who asked for some property then waits for whoever asks for the slowest one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

Value = TypeVar("Value")


class cached_property(functools.cached_property[Value]):  # noqa: TID251
    """What a method returns, computed when first asked for and then kept in the object; for immutable objects.

    Threads that ask one object at the same moment may each compute it; they find the same value.

    Examples
    --------
    >>> class Square:
    ...     side = 3
    ...
    ...     @cached_property
    ...     def area(self) -> int:
    ...         print("computed")
    ...         return self.side**2
    >>> square = Square()
    >>> square.area + square.area
    computed
    18
    """

    def __init__(self, func: Callable[[Any], Value]) -> None:
        super().__init__(func)
        self.lock = nullcontext()  # ignored from Python 3.12 on
