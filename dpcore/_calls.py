"""Hints for calls that do not fit: what is wrong with the arguments, and the call that is right.

Numbers of one kind are given by name, because Python could not tell a prior from a budget by its place. What Python
says about a call that does not fit names neither the arguments nor where a scale would go; `call_hint` does.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from dpcore.errors import Code, Refused, shown_value

Given = ParamSpec("Given")
Result = TypeVar("Result")
Called = TypeVar("Called", bound=Callable[..., Any])

ABOUT_ACCURACY = "It is about accuracy: no promise about a secret belongs to it."
SIMULATED = "A simulation, not for release, makes no promise: who knows the seed can take the noise off."
REWORKED = "Arithmetic on counts: it makes no promise of its own; of noisy counts theirs about one person stays."
"""What the help of several modules says about the promise."""

_PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@overload
def call_hint(called: Called, /) -> Called: ...
@overload
def call_hint(**elsewhere: str) -> Callable[[Called], Called]: ...
def call_hint(called: Any = None, /, **elsewhere: str) -> Any:
    """Decorate a public function or class, so that a call that does not fit is answered with the one that does.

    Parameters
    ----------
    called : callable
        the function or class; a class is decorated above `dataclass`
    elsewhere : str
        for an argument that it does not take, where that argument leads

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
        called.__init__ = _telling(vars(called)["__init__"], called.__name__, elsewhere)  # type: ignore[method-assign]
        return called
    return _telling(called, called.__name__, elsewhere)


def tell_calls(namespace: dict[str, Any], elsewhere: Mapping[str, Mapping[str, str]] | None = None) -> None:
    """Have the public functions and classes of a module tell their call to whoever calls them otherwise.

    Parameters
    ----------
    namespace : dict
        The globals of the module, at its end: functions are replaced by ones that answer alike.
    elsewhere : mapping, optional
        For a class or function, where else an argument leads that it does not take.
    """
    for name, value in list(namespace.items()):
        if name.startswith("_") or getattr(value, "__module__", None) != namespace["__name__"]:
            continue
        led = (elsewhere or {}).get(name, {})
        if inspect.isfunction(value):
            namespace[name] = _telling(value, name, led)
        elif inspect.isclass(value) and inspect.isfunction(vars(value).get("__init__")):
            value.__init__ = _telling(vars(value)["__init__"], name, led)  # type: ignore[method-assign]


def speak_of(
    promise: str,
    namespace: dict[str, Any],
    *,
    others: Mapping[str, Collection[str]] | None = None,
    besides: Collection[str] = (),
) -> None:
    """Have the help of the public functions and classes of a module name the promise that they are about.

    Parameters
    ----------
    promise : str
        A sentence; it stands behind the first one of each help.
    namespace : dict
        The globals of the module, before `tell_calls`.
    others : mapping, optional
        Other sentences, and the names of the functions and classes that have them instead.
    besides : collection of str
        Functions and classes whose own words name it.
    """
    own = {name: sentence for sentence, names in (others or {}).items() for name in names}
    for name, value in namespace.items():
        callable_here = inspect.isfunction(value) or inspect.isclass(value)
        if not callable_here or name.startswith("_") or value.__module__ != namespace["__name__"] or name in besides:
            continue
        sentence = own.pop(name, promise)
        if value.__doc__:
            first, _, rest = inspect.cleandoc(value.__doc__).partition("\n\n")
            value.__doc__ = f"{first}\n\n{sentence}\n\n{rest}".rstrip()
    if own:
        raise LookupError(f"no function or class of {namespace['__name__']} is called {next(iter(own))}")


def _telling(answer: Callable[Given, Result], name: str, elsewhere: Mapping[str, str]) -> Callable[Given, Result]:
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
    shapes = {}
    for name, value in signature.bind(*args, **kwargs).arguments.items():
        if isinstance(value, (list, tuple, np.ndarray)):
            with suppress(TypeError, ValueError):
                shapes[name] = np.shape(np.asarray(value, dtype=np.float64))
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        got = ", ".join(map(str, shapes.values()))
        return Refused(" and ".join(shapes), "have shapes that go together", shapes, Code.WRONG_SHAPE, got=got)
    return None


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


# Old spellings, for functions that `tell_calls` wraps too: their caller is three frames over the warning


def warn_old(old: str, new: str, *, above: int) -> None:
    """Warn the caller of an old spelling, `above` frames over this one, that it is gone with the next version."""
    warnings.warn(f"Until dpcore 0.4 only: {old}; from then on {new}", DeprecationWarning, stacklevel=above + 1)


def once_by_place(*names: str, above: int = 3) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """A function that takes these arguments by name, and for one version more by their places too.

    Their caller is one frame nearer, 2 `above`, where `tell_calls` wraps nothing: at methods and in modules without it.
    """

    def decorate(answer: Callable[Given, Result]) -> Callable[Given, Result]:
        placed = sum(taken.kind in _PLACED for taken in inspect.signature(answer).parameters.values())

        @functools.wraps(answer)
        def call(*args: Any, **kwargs: Any) -> Result:
            if not placed < len(args) <= len(names):
                return answer(*args, **kwargs)
            called = answer.__qualname__.removesuffix(".__init__")
            warn_old(f"{called} with every argument by place", f"{', '.join(names[placed:])} by name", above=above)
            return answer(**dict(zip(names, args, strict=False)), **kwargs)  # type: ignore[call-arg]

        return call  # type: ignore[return-value]

    return decorate


def once_made_by_place(*names: str, above: int = 3) -> Callable[[type[Result]], type[Result]]:
    """A class whose first values are taken by name, and for one version more by their places too."""

    def decorate(kind: type[Result]) -> type[Result]:
        made: Any = once_by_place("self", *names, above=above)(vars(kind)["__init__"])
        kind.__init__ = made  # type: ignore[method-assign]
        return kind

    return decorate


def once_spelled(old: str, new: str) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """A function whose argument is taken under its former name too, for one version more."""

    def decorate(answer: Callable[Given, Result]) -> Callable[Given, Result]:
        @functools.wraps(answer)
        def call(*args: Any, **kwargs: Any) -> Result:
            if old in kwargs:
                warn_old(f"{answer.__name__}({old}=…)", f"{answer.__name__}({new}=…)", above=2)
                kwargs[new] = kwargs.pop(old)
            return answer(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate


def once_named(old: str, new: str) -> Callable[..., Any]:
    """A method under the name that it once had, for one version more."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        warn_old(f"{type(self).__name__}.{old}", f"{type(self).__name__}.{new}", above=2)
        return getattr(self, new)(*args, **kwargs)

    call.__name__ = old
    call.__doc__ = f"As `{new}`, until dpcore 0.4."
    return call


def once_noise_first(answer: Callable[Given, Result]) -> Callable[Given, Result]:
    """A function of a number and then the kind of noise, taken in the other order for one version more."""

    @functools.wraps(answer)
    def call(*args: Any, **kwargs: Any) -> Result:
        if len(args) > 1 and isinstance(args[0], str) and not isinstance(args[1], str):
            first = next(iter(inspect.signature(answer).parameters))
            warn_old(f"{answer.__name__}(noise, {first})", f"{answer.__name__}({first}, noise)", above=3)
            args = (args[1], args[0], *args[2:])
        return answer(*args, **kwargs)

    return call
