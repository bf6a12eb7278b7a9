"""Results kept by the process for the next question, bounded by their bytes and not by their number.

`functools.lru_cache` counts results, and some of ours are a few bytes and others megabytes, which grow when they are
asked something new. So it is for plain numbers and for what has no arguments; everything else is `cached_by_size`.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
MEGABYTE = 2**20


def size_of(value: Any, *, depth: int = 8) -> int:
    """Bytes of a result, about: its arrays, texts, containers and everything its objects hold.

    Source: ours, a sum over what the value refers to

    Parameters
    ----------
    value : object; anything
    depth : int, optional; how deep to look

    Examples
    --------
    >>> size_of(np.zeros(1000)) >= 8000
    True
    """
    if isinstance(value, np.ndarray):
        return int(value.nbytes) + 100
    size = sys.getsizeof(value)
    if depth == 0 or isinstance(value, (str, bytes, int, float, type)):
        return size
    if isinstance(value, dict):
        inside = [*value.keys(), *value.values()]
    elif isinstance(value, (tuple, list, set, frozenset)):
        inside = list(value)
    elif hasattr(value, "__dict__"):  # includes what an object has computed since it was made
        inside = list(vars(value).values())
    else:
        inside = [getattr(value, field.name) for field in fields(value)] if is_dataclass(value) else []
    return size + sum(size_of(part, depth=depth - 1) for part in inside)


class SizedCache(Generic[Arguments, Result]):
    """A function whose latest results are kept, so many bytes of them; the one unused for longest goes first."""

    def __init__(self, function: Callable[Arguments, Result], most_bytes: int) -> None:
        self.function, self.most_bytes = function, most_bytes
        self._held: OrderedDict[Any, tuple[Result, int]] = OrderedDict()
        self._used: set[Any] = set()  # used since their sizes were taken: a result may grow when it is used
        self._bytes = 0  # a running sum, so that adding a result does not measure all the others again
        self._lock = Lock()
        update_wrapper(self, function)

    def __call__(self, *positional: Arguments.args, **named: Arguments.kwargs) -> Result:
        """The result, kept or computed; threads that ask at the same moment may each compute it."""
        key = (positional, tuple(sorted(named.items())))
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
                self._used.add(key)
                return found[0]
        result = self.function(*positional, **named)
        with self._lock:
            result = self._held.setdefault(key, (result, 0))[0]  # two threads computed it: keep the first result
            self._held.move_to_end(key)
            self._used.add(key)
            self._make_room()
            self._used.add(key)
        return result

    def _make_room(self) -> None:
        for key in self._used & self._held.keys():
            result, before = self._held[key]
            size = size_of(key) + size_of(result)
            self._held[key] = (result, size)
            self._bytes += size - before
        self._used.clear()
        while self._bytes > self.most_bytes:
            self._bytes -= self._held.popitem(last=False)[1][1]

    def bytes_held(self) -> int:
        """Bytes of what is kept, as of the last result that was added."""
        return self._bytes

    def cache_clear(self) -> None:
        """Forget every result."""
        with self._lock:
            self._held.clear()
            self._bytes = 0


def cached_by_size(
    most_bytes: int = 4 * MEGABYTE,
) -> Callable[[Callable[Arguments, Result]], SizedCache[Arguments, Result]]:
    """Keep the latest results of a function, so many bytes of them; never for what may be personal.

    Source: ours, least recently used first

    Parameters
    ----------
    most_bytes : int, optional; of all results together

    Examples
    --------
    >>> @cached_by_size(1000)
    ... def doubled(value):
    ...     print("computed")
    ...     return 2 * value
    >>> doubled(2) + doubled(2)
    computed
    8
    """
    return lambda function: SizedCache(function, most_bytes)
