"""Refusals are values: dpcore raises nothing else for an input, and no page decides by the text of one."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib.util
import inspect
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import Code, Refused
from tests.architecture.public_names import PUBLIC
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
SHOWN = [path for place in ("ui", "pages") for path in sorted((ROOT / place).rglob("*.py"))] + [ROOT / "app.py"]
WORDS = ROOT / "ui" / "words" / "refusals.py"


def _inside(node: ast.AST, kinds: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    return (item for item in ast.walk(node) if isinstance(item, kinds))


def readings_of_messages(source: str) -> list[str]:
    """Places where a caught error is turned into its text, other than to raise it again with more words before it."""
    found = []
    for handler in _inside(ast.parse(source), ast.ExceptHandler):
        assert isinstance(handler, ast.ExceptHandler)
        raised = {id(item) for statement in _inside(handler, ast.Raise) for item in ast.walk(statement)}
        for node in ast.walk(handler):
            if not (isinstance(node, ast.Name) and node.id == handler.name):
                continue
            around = [
                outer for outer in ast.walk(handler) if any(inner is node for inner in ast.iter_child_nodes(outer))
            ]
            for outer in around:
                read = isinstance(outer, ast.FormattedValue)
                read |= isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id in TEXTS
                read |= isinstance(outer, ast.Attribute) and outer.attr in ("args", "__str__", "rule")
                if read and id(outer) not in raised:
                    found.append(f"line {node.lineno}: {ast.unparse(outer)}")
    return found


TEXTS = ("str", "repr", "format", "print")


@each("path", [path for path in SHOWN if path != WORDS], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_reads_the_text_of_a_refusal(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not readings_of_messages(source), "ask the refusal for its code, or show it by ui.words.refusals"
    matched = [
        ast.unparse(call)
        for call in _inside(ast.parse(source), ast.Call)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and "refusal_" in ast.unparse(call.func.value)
    ]
    assert not matched, "the words of a refusal are shown, never searched"
    compared = [
        ast.unparse(node)
        for node in _inside(ast.parse(source), (ast.Compare, ast.Subscript))
        if "refusal_words(" in ast.unparse(node) or "refusal_sentence(" in ast.unparse(node)
    ]
    assert not compared, "the words of a refusal are shown, never compared"


@pytest.mark.parametrize(
    "line",
    ["text = str(error)", "found = 'rows' in f'{error}'", "first = error.args[0]", "number = repr(error)[3:]"],
)
def test_the_search_finds_a_text_that_is_read(line: str) -> None:
    assert readings_of_messages(f"try:\n    pass\nexcept ValueError as error:\n    {line}\n")


def test_more_words_before_a_refusal_are_no_reading() -> None:
    source = "try:\n    pass\nexcept ValueError as error:\n    raise ValueError(f'Row 3: {error}') from None\n"
    assert not readings_of_messages(source)


CORE = sorted((ROOT / "dpcore").rglob("*.py"))
OWN = {"Refused", "InfeasibleProfile", "ImproperPosteriorError", "TableError", "UnlikeDeployments"}


def _raised(path: Path) -> Iterator[tuple[int, ast.expr]]:
    for node in _inside(ast.parse(path.read_text(encoding="utf-8")), ast.Raise):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield node.lineno, node.exc


@each("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_dpcore_refuses_by_value_and_leaves_no_question_unanswered(path: Path) -> None:
    for line, raised in _raised(path):
        name = ast.unparse(raised.func if isinstance(raised, ast.Call) else raised)
        assert name not in ("ValueError", "NotImplementedError", "Exception"), f"{path.name}:{line} raises {name}"


@each("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_refusal_carries_its_name_its_rule_its_value_and_a_code_of_the_set(path: Path) -> None:
    for line, raised in _raised(path):
        if isinstance(raised, ast.Call) and ast.unparse(raised.func) in ("Refused", "TableError"):
            assert len(raised.args) == 4, f"{path.name}:{line} leaves out a name, rule, value or code"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in _inside(tree, ast.Attribute):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Code":
            assert node.attr in Code.__members__, f"{path.name}:{node.lineno}: {node.attr}"


def test_every_code_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in CORE if path.name != "errors.py")
    assert {code.name for code in Code if f"Code.{code.name}" not in text} == set()


def test_every_class_of_refusal_is_one_of_those_listed_here() -> None:
    defined = {
        node.name
        for path in CORE
        for node in _inside(ast.parse(path.read_text(encoding="utf-8")), ast.ClassDef)
        if isinstance(node, ast.ClassDef) and {ast.unparse(base) for base in node.bases} & (OWN | {"ValueError"})
    }
    assert defined == OWN


def _table() -> tuple[Any, ...]:
    """The rows of the page *Refusals* of the reference."""
    path = ROOT / "docs" / "reference" / "extensions" / "refusal_table.py"
    spec = importlib.util.spec_from_file_location("refusal_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["refusal_table"] = module  # its dataclass looks itself up there
    spec.loader.exec_module(module)
    return module.refusals()


TABLE = _table()


def test_every_refusal_in_the_source_stands_on_the_page() -> None:
    listed: dict[str, set[int]] = {}
    for row in TABLE:
        listed.setdefault(row.module, set()).update(row.lines)
    missing, found = [], 0
    for path in CORE:
        module = ".".join(part for part in path.relative_to(ROOT).with_suffix("").parts if part != "__init__")
        if path.stem in ("errors", "_checks"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"\bCode\.[A-Z]", line) and not re.search(r"\bcode\b(?! =$)", line.split("Code.")[0]):
                found += 1
                missing += [] if number in listed[module] else [f"{module}:{number}: {line.strip()}"]
    assert found > 400
    assert missing == []


WRONG = {int: ("text", -0.5, math.nan), float: ("text", -0.5, math.nan), str: ("nonsense",)}
"""What stands in the place of a constant of an example."""


def _raised_by_examples() -> Iterator[tuple[str, Refused]]:
    """What the calls of all examples are refused for when one of their constants is wrong."""
    for name, value in PUBLIC:
        module, _, short = name.rpartition(".")
        known = dict(vars(importlib.import_module(module)))
        for example in doctest.DocTestParser().get_examples(inspect.getdoc(value) or ""):
            tree = ast.parse(example.source)
            calls = [call for call in _inside(tree, ast.Call) if ast.unparse(call).startswith(f"{short}(")]
            for part in [part for call in calls for part in _inside(call, ast.Constant)]:
                right = part.value
                for wrong in WRONG.get(type(right), ()):
                    part.value = wrong
                    with contextlib.suppress(Exception):  # result classes take anything, and fail elsewhere
                        try:
                            eval(ast.unparse(calls[0]), known | {"nan": math.nan})
                        except Refused as refusal:
                            yield module, refusal
                part.value = right
            if example.exc_msg is None and any(isinstance(line, ast.Assign | ast.ImportFrom) for line in tree.body):
                exec(example.source, known)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, text.split("…"))), re.DOTALL)


def test_what_is_raised_stands_on_the_page_with_its_code() -> None:
    rows = [(row.codes, _pattern(row.name), _pattern(row.rule)) for row in TABLE]
    asked, unlisted = set(), set()
    for module, refusal in _raised_by_examples():
        seen = (refusal.name, refusal.rule, str(refusal.code))
        if seen in asked:
            continue
        asked.add(seen)
        number = refusal.code is Code.NOT_A_NUMBER  # its rule is that it is a number, whatever interval is asked for
        if not any(
            refusal.code in codes and name.fullmatch(refusal.name) and (number or rule.fullmatch(refusal.rule))
            for codes, name, rule in rows
        ):
            unlisted.add((module, *seen))
    assert len(asked) > 300
    assert unlisted == set()
