"""Hints for calls that do not fit: what is wrong with the arguments, and the call that is right.

Numbers of one kind are given by name, because Python could not tell a prior from a budget by its place. What Python
says about a call that does not fit names neither the arguments nor where a scale would go; `call_hint` does.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from dpcore.errors import Code, Refused, shown_value

Given = ParamSpec("Given")
Result = TypeVar("Result")
Called = TypeVar("Called", bound=Callable[..., Any])

_PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@overload
def call_hint(called: Called, /) -> Called: ...
@overload
def call_hint(**elsewhere: str) -> Callable[[Called], Called]: ...
def call_hint(called: Any = None, /, **elsewhere: str) -> Any:
    """Decorate a public function or class, so that a call that does not fit is answered with the one that does.

    Parameters
    ----------
    called : callable; the function or class; a class is decorated above `dataclass`
    elsewhere : str; for an argument that it does not take, where that argument leads

    Examples
    --------
    >>> @call_hint(scale="or from a scale as noise_of_scale(scale)")
    ... def noise(*, epsilon):
    ...     return epsilon
    >>> noise(scale=2)
    Traceback (most recent call last):
        ...
    TypeError: noise has no argument 'scale'; it is called as noise(epsilon=…); or from a scale as noise_of_scale(scale)
    """
    if called is None:
        return lambda decorated: _hinting(decorated, elsewhere)
    return _hinting(called, elsewhere)


def _hinting(called: Any, elsewhere: Mapping[str, str]) -> Any:
    if inspect.isclass(called):
        called.__init__ = _with_hint(vars(called)["__init__"], called.__name__, elsewhere)  # type: ignore[method-assign]
        return called
    return _with_hint(called, called.__name__, elsewhere)


def _with_hint(answer: Callable[Given, Result], name: str, elsewhere: Mapping[str, str]) -> Callable[Given, Result]:
    @functools.wraps(answer)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return answer(*args, **kwargs)
        except TypeError as error:
            sentence = _misfit(inspect.signature(answer), name, args, kwargs, elsewhere)
            if sentence is None:  # the call fits: the error is about something else
                raise
            told: Exception = TypeError(sentence).with_traceback(error.__traceback__)
        except Refused:
            raise
        except ValueError as error:
            refusal = _unlike_shapes(inspect.signature(answer), args, kwargs)
            if refusal is None:
                raise
            told = refusal.with_traceback(error.__traceback__)
        raise told from None

    return call


def _unlike_shapes(signature: inspect.Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Refused | None:
    """The refusal of numbers that NumPy could not put beside each other; None where their shapes are not it."""
    arrays = {}
    for name, value in signature.bind(*args, **kwargs).arguments.items():
        if isinstance(value, (list, tuple, np.ndarray)):
            with suppress(TypeError, ValueError):
                arrays[name] = np.asarray(value, dtype=np.float64)
    try:
        go_together(**arrays)
    except Refused as refusal:
        return refusal
    return None


def go_together(**values: Any) -> None:
    """Refuse numbers that NumPy could not put beside each other, by their names.

    Examples
    --------
    >>> go_together(prior=[0.2, 0.5], known=3)
    """
    shapes = {name: np.shape(value) for name, value in values.items() if np.ndim(value)}
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        got = ", ".join(map(str, shapes.values()))
        refusal = Refused(" and ".join(shapes), "have shapes that go together", shapes, Code.WRONG_SHAPE, got=got)
        raise refusal from None


def _misfit(
    signature: inspect.Signature,
    name: str,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    elsewhere: Mapping[str, str],
) -> str | None:
    """What does not fit about a call, and the call that does; None for one that fits."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        pass
    else:
        return None
    parameters = {key: taken for key, taken in signature.parameters.items() if key != "self"}
    placed = [key for key, taken in parameters.items() if taken.kind in _PLACED]
    given = len(args) - ("self" in signature.parameters)
    unknown = [key for key in kwargs if key not in parameters]
    if unknown:
        fault = f"{name} has no argument {unknown[0]!r}"
    elif given > len(placed):
        if not placed:
            fault = f"{name} takes every argument by name"
        else:
            rest = " and the rest by name" if len(placed) < len(parameters) else ""
            fault = f"{name} takes only {', '.join(placed)} by place{rest}"
    else:
        missing = [key for key in placed[given:] if key not in kwargs]
        missing += [key for key in parameters if key not in placed and key not in kwargs]
        asked = [key for key in missing if parameters[key].default is inspect.Parameter.empty]
        twice = [key for key in placed[:given] if key in kwargs]
        fault = f"{name} was given {twice[0]} twice" if twice else f"{name} needs {' and '.join(asked)}"
    led = next((elsewhere[key] for key in unknown if key in elsewhere), None)
    return f"{fault}; it is called as {_shown_call(name, parameters)}" + (f"; {led}" if led else "")


def _shown_call(name: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    """A call as it is typed, with dots for what has to be given."""
    shown = []
    for key, taken in parameters.items():
        if taken.default is not inspect.Parameter.empty:
            shown.append(f"{key}={shown_value(taken.default)}")
        else:
            shown.append(key if taken.kind in _PLACED else f"{key}=…")
    return f"{name}({', '.join(shown)})"
