"""The public functions and classes of dpcore, as its packages hand them out."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Collection

import dpcore

PLAIN_MODULES = {"dpcore.sources", "dpcore._checks", "dpcore.errors", "dpcore.rounding", "dpcore.studies"}


def _exported() -> dict[str, set[str]]:
    """Names that the packages of dpcore hand out: inside a package everything else is its own business."""
    handed_out: dict[str, set[str]] = {}
    for info in pkgutil.iter_modules(dpcore.__path__, "dpcore."):
        names = getattr(importlib.import_module(info.name), "__all__", None) if info.ispkg else None
        if names is not None:
            handed_out[info.name] = set(names)
    return handed_out


def public_names(*, besides: Collection[str] = ()) -> list[tuple[str, object]]:
    """Names and values, in the order of modules, besides some modules."""
    found: list[tuple[str, object]] = []
    handed_out = _exported()
    for info in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        if "._" in info.name or info.name in besides:
            continue
        module = importlib.import_module(info.name)
        exported = handed_out.get(info.name.rpartition(".")[0])
        for name, value in vars(module).items():
            own = getattr(value, "__module__", None) == info.name
            offered = not name.startswith("_") and (exported is None or name in exported)
            if own and offered and (inspect.isfunction(value) or inspect.isclass(value)):
                found.append((f"{info.name}.{name}", value))
    return found


def taken() -> list[tuple[str, object, dict[str, inspect.Parameter]]]:
    """What public functions, classes and methods take, in order."""
    found = []
    for name, value in public_names():
        inner = vars(value).items() if inspect.isclass(value) else ()
        methods = ((f"{name}.{key}", getattr(member, "__func__", member)) for key, member in inner if key[0] != "_")
        for place, called in ((name, value), *methods):
            if inspect.isfunction(called) or called is value:
                parameters = inspect.signature(called).parameters.items()  # type: ignore[arg-type]
                found.append((place, called, {key: one for key, one in parameters if key not in ("self", "cls")}))
    return found


PUBLIC = public_names(besides=PLAIN_MODULES)
EVERY = public_names()
