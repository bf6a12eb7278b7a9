"""Every refusal of dpcore, read from its source: which input, what it must do or be, with which codes, and where."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import dpcore
from dpcore._checks import interval_rule
from dpcore.errors import Code

ROOT = Path(dpcore.__file__).resolve().parent
UNSAID = "…"
"""What is known only when a refusal is raised: part of a name, a number of a rule."""

NUMBER = (Code.NOT_A_NUMBER, Code.NOT_FINITE, Code.OUT_OF_RANGE)
CHECKS = {
    "number": (*NUMBER, Code.TOO_LARGE),
    "array": NUMBER,
    "probability": NUMBER,
    "count": (Code.NOT_A_NUMBER, Code.NOT_WHOLE, Code.NOT_FINITE, Code.OUT_OF_RANGE),
    "seeded": (Code.NOT_A_NUMBER, Code.NOT_WHOLE, Code.NOT_FINITE, Code.OUT_OF_RANGE),
    "first_seed": (Code.NOT_A_NUMBER, Code.NOT_WHOLE, Code.NOT_FINITE, Code.OUT_OF_RANGE),
    "refuse_fractions": (Code.NOT_WHOLE,),
    "choice": (Code.UNKNOWN_CHOICE,),
    "kind_of": (Code.WRONG_TYPE,),
    "increasing": (Code.WRONG_SHAPE, Code.WRONG_ORDER, Code.NOT_A_NUMBER, Code.NOT_FINITE),
}
"""Checks of `dpcore._checks` that are asked everywhere, and the codes that each of them has."""


@dataclass(frozen=True)
class RefusalRow:
    """A refusal: `name` must `rule`, with one of the codes; raised in these functions or classes of a module."""

    module: str
    name: str
    rule: str
    codes: tuple[Code, ...]
    places: tuple[str, ...] = ()
    lines: tuple[int, ...] = field(default=(), repr=False)


class _Module(ast.NodeVisitor):
    """Collects the refusals of one module."""

    def __init__(self, path: Path) -> None:
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        self.name = ".".join(part for part in parts if part != "__init__")
        self.space = vars(import_module(self.name))
        self.around: list[ast.AST] = []
        self.given: list[tuple[ast.AST, ast.AST]] = []
        self.found: list[RefusalRow] = []
        self.visit(ast.parse(path.read_text(encoding="utf-8")))

    def generic_visit(self, node: ast.AST) -> None:
        self.around.append(node)
        super().generic_visit(node)
        self.around.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outside = self.given
        self.given = [*outside, *_given_in(node)]
        self.generic_visit(node)
        self.given = outside

    def visit_Call(self, call: ast.Call) -> None:
        called = ast.unparse(call.func).removeprefix("_checks.")
        coded = [code for part in call.args for code in self._codes(part)]
        if coded and len(call.args) > 1:
            rules = self._texts(call.args[1])
            self._add(call, rules, tuple(dict.fromkeys(coded)))
        elif called in CHECKS:
            self._add(call, [self._rule_of_check(called, call)], CHECKS[called])
        elif called.endswith("InfeasibleProfile"):
            self._add(call, self._texts(call.args[1]), (Code.INFEASIBLE,))
        self.generic_visit(call)

    def _add(self, call: ast.Call, rules: list[str], codes: tuple[Code, ...]) -> None:
        seed = not call.args or "seed" in ast.unparse(call.func)
        names = ["seed"] if seed else self._texts(call.args[0])
        place = next(part.name for part in self.around if isinstance(part, ast.FunctionDef | ast.ClassDef))
        lines = tuple(range(call.lineno, (call.end_lineno or call.lineno) + 1))
        self.found += [RefusalRow(self.name, name, rule, codes, (place,), lines) for name in names for rule in rules]

    def _codes(self, node: ast.AST) -> list[Code]:
        """The codes that an argument is, whatever it depends on; none where it is no code."""
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Code":
            return [Code[node.attr]]
        if isinstance(node, ast.IfExp):
            return [*self._codes(node.body), *self._codes(node.orelse)]
        if isinstance(node, ast.Name):
            return [code for value in self._assigned(node.id) for code in self._codes(value)]
        return []

    def _assigned(self, name: str) -> Iterator[ast.AST]:
        """What the functions around give a name, by assignment or as the items of a loop."""
        for target, value in self.given:
            yield from _matched(target, value, name)

    def _texts(self, node: ast.AST) -> list[str]:
        """What an argument reads, a text for each way it can come out."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node.value]
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else self._known(part.value) for part in node.values]
            return ["".join(map(str, parts))]
        if isinstance(node, ast.IfExp):
            return [*self._texts(node.body), *self._texts(node.orelse)]
        if isinstance(node, ast.BinOp):
            return [left + right for left in self._texts(node.left) for right in self._texts(node.right)]
        if isinstance(node, ast.Name):
            found = [text for value in self._assigned(node.id) for text in self._texts(value)]
            if found:
                return list(dict.fromkeys(found))
        return [str(self._known(node))]

    def _known(self, node: ast.AST) -> Any:
        """The value of an expression of the module's constants; what depends on a call is not said."""
        if isinstance(node, ast.Constant):
            return node.value
        local = {argument.arg for part in self.around if isinstance(part, ast.FunctionDef) for argument in _all(part)}
        if _names_in(node) & local:
            return UNSAID
        try:
            return eval(compile(ast.Expression(node), self.name, "eval"), dict(self.space))  # type: ignore[arg-type]
        except Exception:  # a name of the call, whatever it is
            return UNSAID

    def _rule_of_check(self, called: str, call: ast.Call) -> str:
        given = {keyword.arg: self._known(keyword.value) for keyword in call.keywords}
        placed = [self._known(part) for part in call.args[2:]]
        if called in ("seeded", "first_seed"):
            return "be a whole number of at least 0"
        if called == "refuse_fractions":
            return "be whole numbers" if given.get("as_list") else "be a whole number"
        if called == "choice":
            options = placed[0] if placed and placed[0] != UNSAID else [UNSAID]
            return "be one of " + ", ".join(repr(str(one)) if one != UNSAID else UNSAID for one in options)
        if called == "kind_of":
            return f"be {self._texts(call.args[3])[0]}"
        if called == "increasing":
            return "be in increasing order"
        if called == "count":
            low, high = [*placed, *([0, None][len(placed) :])][:2]
            low, high = given.get("low", low), given.get("high", high)
            return f"be a whole number of at least {low}" if high is None else f"be a whole number from {low} to {high}"
        bounds = (0.0, 1.0) if called == "probability" else (-math.inf, math.inf)
        low, high = [*placed, *bounds[len(placed) :]][:2] if called != "probability" else bounds
        low, high = given.get("low", low), given.get("high", high)
        opened = {key: given[key] is True for key in ("open_low", "open_high") if key in given}
        if UNSAID in (low, high):
            low, high = (one if isinstance(one, str) else f"{one:g}" for one in (low, high))
            if high == "inf" and not opened.get("open_high"):
                return f"be {'greater than' if opened.get('open_low') else 'at least'} {low} and finite"
            left, right = "(" if opened.get("open_low") else "[", ")" if opened.get("open_high") else "]"
            return f"lie in {left}{low}, {high}{right}"
        rule = interval_rule(float(low), float(high), **opened)
        if given.get("allow_infinite"):
            return "be a number" if rule == "be finite" else rule.removesuffix(" and finite")
        return rule


def _all(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.args, *function.args.kwonlyargs]


def _given_in(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Targets and values of the assignments and loops of a function."""
    for part in ast.walk(function):
        if isinstance(part, ast.Assign):
            yield part.targets[0], part.value
        elif isinstance(part, ast.For | ast.comprehension) and isinstance(part.iter, ast.Tuple | ast.List):
            yield from ((part.target, item) for item in part.iter.elts)


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _matched(target: ast.AST, value: ast.AST, name: str) -> Iterator[ast.AST]:
    if isinstance(target, ast.Name):
        if target.id == name and (isinstance(value, ast.JoinedStr) or not _names_in(value)):
            yield value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, item in zip(target.elts, value.elts, strict=False):
            yield from _matched(one, item, name)


def refusals() -> tuple[RefusalRow, ...]:
    """The refusals of all modules, each once, in the order of modules, names and rules."""
    gathered: dict[tuple[str, str, str, tuple[Code, ...]], RefusalRow] = {}
    for path in sorted(ROOT.rglob("*.py")):
        if path.stem in ("_checks", "errors"):
            continue
        for row in _Module(path).found:
            key = (row.module, row.name, row.rule, row.codes)
            seen = gathered.get(key, row)
            places = tuple(dict.fromkeys((*seen.places, *row.places)))
            gathered[key] = RefusalRow(*key, places, tuple(dict.fromkeys((*seen.lines, *row.lines))))
    return tuple(sorted(gathered.values(), key=lambda row: (row.module, row.name, row.rule)))
