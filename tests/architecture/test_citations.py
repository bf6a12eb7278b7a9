"""Every public name of dpcore says what it is; every function cites a listed work with a place and shows an example."""

from __future__ import annotations

import inspect
import pydoc
import re
from pathlib import Path

from dpcore.sources import WORKS
from tests.architecture.public_names import PUBLIC
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]


@each("name, value", PUBLIC)
def test_a_public_name_has_a_first_line(name: str, value: object) -> None:
    text = inspect.getdoc(value)
    assert text, name
    assert text.splitlines()[0].rstrip().endswith((".", "?")), text.splitlines()[0]


FUNCTIONS = [(name, value) for name, value in PUBLIC if inspect.isfunction(value)]


@each("name, value", FUNCTIONS)
def test_a_public_function_cites_a_listed_work_and_a_place(name: str, value: object) -> None:
    text = inspect.getdoc(value) or ""
    block = re.search(r"References\n-+\n(.*?)(\n\n|\Z)", text, re.DOTALL)
    cited = [line.strip() for line in block.group(1).splitlines() if line.strip()] if block else []
    cited += re.findall(r"^Source: (.*)$", text, re.MULTILINE)
    assert cited, f"{name} names no source"
    keys = [line.split(",")[0] for line in cited if line.split(",")[0] in WORKS]
    assert keys, f"{name} cites no listed work: {cited}"
    assert any("," in line for line in cited), f"{name} names no place in the work: {cited}"


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
