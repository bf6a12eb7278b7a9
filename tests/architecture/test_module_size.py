"""A module is as long as one idea: code lines (not blank, comment or docstring) are counted and held to a bound."""

from __future__ import annotations

import ast
import io
import tokenize
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


@cache
def code_lines(source: str) -> int:
    """Lines that hold code: neither blank, nor comment, nor docstring."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if ast.get_docstring(node, clean=False) is not None:
                lines.difference_update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(lines)


def test_blank_lines_comments_and_docstrings_are_no_code() -> None:
    source = '''"""Says what it is.

And more.
"""

# why
x = (
    1,
)


def f() -> str:
    """Too."""
    return """a
b"""
'''
    assert code_lines(source) == 6


def _files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize(("folder", "most"), [("dpcore", 600), ("ui", 600), ("ui/views", 400), ("pages", 80)])
def test_no_module_is_longer_than_one_idea(folder: str, most: int) -> None:
    lengths = {str(path.relative_to(ROOT)): code_lines(path.read_text(encoding="utf-8")) for path in _files(folder)}
    assert lengths
    assert {name: length for name, length in lengths.items() if length > most} == {}


MOST_FILES = 210
"""Of the interface: a module too many is an idea cut in two."""


def test_the_interface_stays_in_few_files() -> None:
    assert 100 < len(_files("ui")) <= MOST_FILES
