"""No module needs one that needs it: imports inside functions and for types alone count too."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _modules(folder: str) -> dict[str, Path]:
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def imported_modules(source: str, known: set[str]) -> set[str]:
    """Modules among the known ones that a source names in any import statement, wherever it stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & known or {node.module}
    return found & known


def circle(needs: dict[str, set[str]]) -> list[str]:
    """One circle among modules that need each other; empty where there is none."""
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_a_circle_is_found_through_an_import_for_types_alone() -> None:
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a.two import Two\n"
    known = {"a.one", "a.two"}
    assert circle({"a.one": imported_modules(source, known), "a.two": {"a.one"}}) == ["a.one", "a.two", "a.one"]
    assert circle({"a.one": set(), "a.two": {"a.one"}}) == []


@pytest.mark.parametrize("folder", ["dpcore", "ui"])
def test_modules_do_not_run_in_circles(folder: str) -> None:
    modules = _modules(folder)
    needs = {name: imported_modules(path.read_text(encoding="utf-8"), set(modules)) for name, path in modules.items()}
    assert sum(map(len, needs.values())) > len(modules)
    assert circle(needs) == []
