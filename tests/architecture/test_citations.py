"""Every public name of dpcore says what it is; every function cites a listed work with a place and shows an example."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import Refused
from dpcore.sources import WORKS, cited, work
from tests.architecture.public_names import PUBLIC
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]


@each("key", ["nobody", [], None])
def test_a_work_that_is_not_listed_is_refused(key: Any) -> None:
    with pytest.raises(Refused, match=r"key must be a listed work; got ('nobody'|\[\]|None)"):
        work(key)


@each("name, value", PUBLIC)
def test_a_public_name_has_a_first_line(name: str, value: object) -> None:
    text = inspect.getdoc(value)
    assert text, name
    assert text.splitlines()[0].rstrip().endswith((".", "?")), text.splitlines()[0]


FUNCTIONS = [(name, value) for name, value in PUBLIC if inspect.isfunction(value)]


@each("name, value", FUNCTIONS)
def test_a_public_function_cites_a_listed_work_and_a_place(name: str, value: object) -> None:
    found = cited(inspect.getdoc(value) or "")
    assert found, f"{name} names no source"
    assert {key for key, _ in found} <= set(WORKS), f"{name} cites no listed work: {found}"
    assert all(place for _, place in found), f"{name} names no place in the work: {found}"


def test_every_docstring_cites_listed_works_with_their_places() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "dpcore").rglob("*.py"))]
    described = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    found = [(node.name, *source) for node in described for source in cited(ast.get_docstring(node) or "")]
    assert len(found) > 600
    assert [(name, key) for name, key, place in found if key not in WORKS or not place] == []


@each("name, value", FUNCTIONS)
def test_a_public_function_shows_an_example(name: str, value: object) -> None:
    text = inspect.getdoc(value) or ""
    block = re.search(r"Examples\n-+\n(.*)\Z", text, re.DOTALL)
    assert block, f"{name} has no Examples section"
    assert ">>> " in block.group(1), f"{name} shows no call"


def _named_in_docstrings() -> list[tuple[str, str]]:
    """Names of dpcore that its docstrings point a reader to, with the file that does."""
    return sorted(
        {
            (name, str(path.relative_to(ROOT)))
            for path in (ROOT / "dpcore").rglob("*.py")
            for name in re.findall(r"`(dpcore(?:\.\w+)+)`", path.read_text(encoding="utf-8"))
        }
    )


@each("name, place", _named_in_docstrings())
def test_a_docstring_points_to_something_that_exists(name: str, place: str) -> None:
    assert pydoc.locate(name) is not None, f"{place} points to {name}"
