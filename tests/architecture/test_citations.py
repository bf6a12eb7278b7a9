"""Every public function and class of dpcore says what it is, cites a listed work with a place, and shows an example."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

import pytest

import dpcore
from dpcore.sources import WORKS

PLAIN_MODULES = {"dpcore.sources", "dpcore._checks", "dpcore.errors", "dpcore.cli", "dpcore.rounding", "dpcore.studies"}


def _exported() -> dict[str, set[str]]:
    """Names that the packages of dpcore hand out: inside a package everything else is its own business."""
    handed_out: dict[str, set[str]] = {}
    for info in pkgutil.iter_modules(dpcore.__path__, "dpcore."):
        names = getattr(importlib.import_module(info.name), "__all__", None) if info.ispkg else None
        if names is not None:
            handed_out[info.name] = set(names)
    return handed_out


def _public() -> list[tuple[str, object]]:
    found = []
    handed_out = _exported()
    for info in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        if "._" in info.name or info.name in PLAIN_MODULES:
            continue
        module = importlib.import_module(info.name)
        exported = handed_out.get(info.name.rpartition(".")[0])
        for name, value in vars(module).items():
            own = getattr(value, "__module__", None) == info.name
            offered = not name.startswith("_") and (exported is None or name in exported)
            if own and offered and (inspect.isfunction(value) or inspect.isclass(value)):
                found.append((f"{info.name}.{name}", value))
    return found


PUBLIC = _public()


@pytest.mark.parametrize(("name", "value"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_a_public_name_has_a_first_line(name: str, value: object) -> None:
    text = inspect.getdoc(value)
    assert text, name
    assert text.splitlines()[0].rstrip().endswith((".", "?")), text.splitlines()[0]


FUNCTIONS = [(name, value) for name, value in PUBLIC if inspect.isfunction(value)]


@pytest.mark.parametrize(("name", "value"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_a_public_function_cites_a_listed_work_and_a_place(name: str, value: object) -> None:
    text = inspect.getdoc(value) or ""
    block = re.search(r"References\n-+\n(.*?)(\n\n|\Z)", text, re.DOTALL)
    assert block, f"{name} has no References section"
    cited = [line.strip() for line in block.group(1).splitlines() if line.strip()]
    keys = [line.split(",")[0] for line in cited if line.split(",")[0] in WORKS]
    assert keys, f"{name} cites no listed work: {cited}"
    assert any("," in line for line in cited), f"{name} names no place in the work: {cited}"
