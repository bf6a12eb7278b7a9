"""Results that are kept for the reader who asked for them and gone with the session: their choices may be personal.

A cache of the process (`dpcore._cache`, `functools.lru_cache`) holds what it was asked until others push it out, long
after the reader has left. So it may serve settings of ours and numbers without a person (a budget, a seed), and never
free text, a name, or counts and sums of people: functions of those are decorated with `kept_for_session`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from dpcore._cache import size_of

MOST_RESULTS = 64
MOST_BYTES = 8 * 2**20

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Store = MutableMapping[Any, tuple[Any, int]]
_STORE: ContextVar[Store | None] = ContextVar("results of this session", default=None)
_MISSING = (None, -1)


@contextmanager
def results_kept_in(store: Store) -> Iterator[None]:
    """Let the functions called in here keep their results in this store, which belongs to one session."""
    before = _STORE.set(store)
    try:
        yield
    finally:
        _STORE.reset(before)


def kept_for_session(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function with its latest results kept in the session's store; computed every time where there is none.

    >>> @kept_for_session
    ... def doubled(value):
    ...     print("computed")
    ...     return 2 * value
    >>> with results_kept_in({}):
    ...     doubled(2) + doubled(2)
    computed
    8
    """

    @wraps(function)
    def call(*positional: Arguments.args, **named: Arguments.kwargs) -> Result:
        store = _STORE.get()
        if store is None:
            return function(*positional, **named)
        key = (function.__module__, function.__qualname__, positional, tuple(sorted(named.items())))
        found = store.pop(key, _MISSING)
        if found is _MISSING:
            result = function(*positional, **named)
            found = (result, size_of(result))
        store[key] = found  # last, as the most recently used
        _make_room(store)
        return found[0]  # type: ignore[no-any-return]

    return call


def _make_room(store: Store) -> None:
    held = sum(size for _, size in list(store.values()))
    for key in list(store):
        if len(store) <= MOST_RESULTS and held <= MOST_BYTES:
            return
        held -= store.pop(key, _MISSING)[1]
