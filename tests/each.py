"""One test over many names or files, where a test of its own for each would take longer to start than to run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

STOPPED = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""What ends a test of one value: also what pytest keeps apart, as where nothing was raised."""


def each(names: str, values: Iterable[Any], ids: Callable[[Any], str] = str) -> Callable[[Callable[..., None]], Any]:
    """A decorator: the test runs for every value, and fails with all those it fails for.

    Parameters
    ----------
    names : str
        The arguments that a value fills, with commas between them; several take a tuple.
    values : iterable
        What the test is run for. Without any it fails.
    ids : callable, default str
        What a value, or the first of its tuple, is called in a failure.
    """
    several = names.replace(" ", "").split(",")
    given = [value if len(several) > 1 else (value,) for value in values]

    def over_all(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def loop(**fixtures: Any) -> None:
            assert given, f"nothing to run {test.__name__} for"
            failed: dict[str, BaseException] = {}
            for place, value in enumerate(given):
                name = ids(value[0])
                try:
                    test(**fixtures, **dict(zip(several, value, strict=True)))
                except STOPPED as error:
                    error.add_note(f"for {name}")
                    failed[f"{name} ({place})" if name in failed else name] = error
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(given)}: {', '.join(failed)}", list(failed.values()))

        signature = inspect.signature(test)
        rest = [parameter for name, parameter in signature.parameters.items() if name not in several]
        loop.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return loop

    return over_all
