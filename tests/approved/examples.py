"""What the examples of the reference come to when one thing in them is changed: a number, a choice, what is left out.

An example is small enough to be checked by hand, and so passes by much of what it calls. Its neighbours do not: the
next number, nought, a list that is one shorter, another option; and of the call that it is about each number as large
as the one beside it, where limits show, and in `dpcore` no argument, and both ends of what a number may be. Roundings
are taken out, so that a value is seen whole.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import doctest
import importlib
import inspect
import io
import math
import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache, partial, reduce
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from dpcore.errors import Refused

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("examples")
CHANGES = 16
"""Changes of one example that are tried, drawn by lot from all that there are."""
FEWER = {
    "dpcore.adjustment.bootstrap.bootstrap_interval_estimate": 2,
    "dpcore.attacks.published_chain.effects": 9,
    "dpcore.audit.joint.joint_epsilon_lower": 6,
    "dpcore.census.measurements.Drawn": 0,
    "dpcore.census.measurements.draw_measurements": 0,
    "dpcore.composition.promises.largest_kept": 12,
    "dpcore.inference.bounded.posterior": 8,
    "dpcore.inference.coverage.unconstrained_length_slope": 5,
    "dpcore.inference.coverage.simulate_setting": 0,
    "dpcore.inference.gibbs.gibbs": 5,
    "dpcore.inference.likelihood_constrained.LikelihoodConstrained": 0,
    "dpcore.inference.likelihood_constrained.likelihood_constrained_posterior": 2,
    "dpcore.inference.regression.regression_posterior": 0,
    "dpcore.mechanisms.subsampled_gaussian.SubsampledGaussian": 9,
    "dpcore.studies.open_executor": 0,
    "dpcore.totals.posterior.posterior_from_released": 4,
    "dpcore.totals.release.released_totals": 5,
    "dpcore.tradeoff.curves.of_deltas": 2,
    "dpcore.trial.dealing.dealt_arms": 0,
    "dpcore.trial.dealing.next_arm": 0,
}
"""Of examples that take longer, start processes or draw by lot."""
BELOW, FAR = -(10**9), 100
"""A number below any limit, and the largest upper end that is tried itself: to compute so many takes long."""
INTERVAL = re.compile(r"(?:from|lie in [(\[]|at least|greater than) ?(-?[\d.,]*\d)(?:(?: to |, )([\d.,]*\d))?")
"""The ends of what a refusal says is allowed."""
SHORT = 100
"""Letters of a call that are written; of a longer one, its beginning."""
CLOSE = 1e-6
"""Between two values that differ by processor: of what an iteration comes to, where it ends is not the last digit."""
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")


class _Whole(ast.NodeTransformer):
    """An example without its roundings."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "round":
            return node.args[0]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "round":
            of_numpy = isinstance(node.func.value, ast.Name) and node.func.value.id == "np"
            return node.args[0] if of_numpy else node.func.value
        return node


@cache
def _options() -> dict[str, list[str]]:
    """Of every word of a closed choice, the words beside it."""
    beside: dict[str, list[str]] = {}
    for path in sorted((ROOT / "dpcore").rglob("*.py")):
        for choice in re.findall(r"Literal\[([^\]]+)\]", path.read_text(encoding="utf-8")):
            words = re.findall(r"\"([^\"]+)\"", choice)
            for word in words:
                known = beside.setdefault(word, [])
                known += [other for other in words if other != word and other not in known]
    return beside


def _other_values(value: Any, is_typed: bool) -> list[Any]:
    if type(value) is int:
        others = [value + 1, value - 1, 0, 3 * value, -value]
    elif type(value) is float:
        others = [1.37 * value, value / 2, 0.0, 1.0, -value, math.inf]
    elif isinstance(value, str):
        others = [*_options().get(value, []), *([value.swapcase(), f" {value}", value[:-1], ""] if is_typed else [])]
    else:
        others = []
    return [other for other in dict.fromkeys(others) if other != value]


def _changes(example: ast.Module, is_typed: bool) -> Iterator[tuple[int, Callable[[Any], None]]]:
    """Each change of an example: which part of it, and what is done to that; texts are changed where people type."""
    parts = list(ast.walk(example))
    in_text = {id(part) for whole in parts if isinstance(whole, ast.JoinedStr) for part in ast.walk(whole)}
    for place, part in enumerate(parts):
        if isinstance(part, ast.Constant) and id(part) not in in_text:
            for other in _other_values(part.value, is_typed):
                yield place, lambda it, other=other: setattr(it, "value", other)
        elif isinstance(part, ast.List | ast.Tuple) and len(part.elts) > 1 and isinstance(part.ctx, ast.Load):
            yield place, lambda it: it.elts.pop()
            yield place, lambda it: it.elts.insert(0, it.elts[0])
        elif isinstance(part, ast.Call):
            for at, keyword in enumerate(part.keywords):
                if keyword.arg not in (None, "seed"):  # without a seed, it would be drawn anew each time
                    yield place, lambda it, at=at: it.keywords.pop(at)


def _arguments_changed(
    example: ast.Module, name: str, *, left_empty: bool
) -> Iterator[tuple[int, Callable[[Any], None]]]:
    """The number of the next argument in place of each one of the call that an example is about, and nothing at all."""
    seen: set[int | str] = set()
    for place, part in enumerate(ast.walk(example)):
        if isinstance(part, ast.Call) and ast.unparse(part.func).rpartition(".")[2] == name:
            given = [(at, one) for at, one in enumerate(part.args) if not isinstance(one, ast.Starred)]
            given += [(one.arg, one.value) for one in part.keywords if one.arg not in (None, "seed")]
            for argument, value in given:
                if left_empty and argument not in seen and ast.unparse(value) != "None":
                    yield place, partial(_put, argument=argument, value=None)
            numbers = [(argument, one.value) for argument, one in given if _is_number(one)]
            for (argument, value), (_, other) in pairwise(numbers):
                if argument not in seen and value != other:
                    yield place, partial(_put, argument=argument, value=other)
            seen |= {argument for argument, _ in given}


def _ends(example: ast.Module, name: str, context: dict[str, Any]) -> Iterator[tuple[int, Callable[[Any], None]]]:
    """Far below any limit in place of each number of that call, and the ends of what its refusal says is allowed."""
    seen: set[int | str] = set()
    for place, part in enumerate(ast.walk(example)):
        if isinstance(part, ast.Call) and ast.unparse(part.func).rpartition(".")[2] == name:
            given: list[tuple[Any, ast.expr]] = [
                *enumerate(part.args),
                *((one.arg, one.value) for one in part.keywords),
            ]
            for argument, value in given:
                if argument in seen or not _is_number(value):
                    continue
                seen.add(argument)
                kind = type(value.value)  # type: ignore[attr-defined]
                below = partial(_put, argument=argument, value=kind(BELOW))
                yield place, below
                told = INTERVAL.search(_comes_to(_changed(example, place, below)[1], dict(context)))
                if told is None:
                    continue
                low, high = (kind(float(end.replace(",", ""))) for end in (told[1], told[2] or "0"))
                ends = [low, *([high] if low < high <= FAR else []), *([high + 1] if low < high else [])]
                yield from ((place, partial(_put, argument=argument, value=end)) for end in ends if end != value.value)  # type: ignore[attr-defined]


def _is_number(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and type(part.value) in (int, float)


def _put(call: Any, argument: int | str, value: Any) -> None:
    """Another value in place of an argument, which is given by its place or its name."""
    if isinstance(argument, int):
        call.args[argument] = ast.Constant(value)
    else:
        next(one for one in call.keywords if one.arg == argument).value = ast.Constant(value)


def _changed(example: ast.Module, place: int, write: Callable[[Any], None]) -> tuple[str, ast.Module]:
    """The call in which something was changed, and the whole example."""
    other = copy.deepcopy(example)
    parts = list(ast.walk(other))
    above = {id(below): part for part in parts for below in ast.iter_child_nodes(part)}
    around = parts[place]
    write(around)
    ast.fix_missing_locations(other)
    while not isinstance(around, ast.Call | ast.stmt):
        around = above[id(around)]
    call = " ".join(ast.unparse(around).replace("1e309", "inf").split())
    return call if len(call) <= SHORT else f"{call[:SHORT]}…", other


def _written(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(value)
    if isinstance(value, float | np.floating):
        return f"{value:.9g}"
    if isinstance(value, np.ndarray):
        return f"[{', '.join(map(_written, value))}]" if value.ndim else _written(value[()])
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_written(key)}: {_written(one)}" for key, one in value.items()) + "}"
    with np.printoptions(precision=9, threshold=60, floatmode="maxprec"):
        return " ".join(re.sub(r" at 0x[0-9a-f]+", "", repr(value)).split())


def _comes_to(example: ast.Module, context: dict[str, Any]) -> str:
    """What an example shows and prints, in one line, up to where it is refused."""
    shown = []
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            for statement in example.body:
                if isinstance(statement, ast.Expr):
                    value = eval(compile(ast.Expression(statement.value), "example", "eval"), context)
                    shown += [] if value is None else [_written(value)]
                else:
                    exec(compile(ast.Module([statement], []), "example", "exec"), context)
        except Exception as fault:
            code = f" as {fault.code}" if isinstance(fault, Refused) else ""
            shown.append(f"{type(fault).__name__}{code}: {' '.join(str(fault).split())}")
    return "; ".join([*([" ".join(printed.getvalue().split())] if printed.getvalue() else []), *shown])


def _unless_given(module: ModuleType, name: str) -> list[str]:
    """What stands where somebody leaves an argument out, in a line; none where nothing does."""
    try:
        parameters = inspect.signature(reduce(getattr, name.split("."), module)).parameters.values()  # type: ignore[arg-type]
    except (AttributeError, TypeError, ValueError):  # a module itself, a property, a choice
        return []
    given = [f"{one.name}={_written(one.default)}" for one in parameters if one.default not in (one.empty, None)]
    return [f"unless given: {', '.join(given)}"] if given else []


def examples_in_words(module: str) -> str:
    """Each example of a module with what it comes to, and what some of its neighbours come to."""
    lines, named = [], importlib.import_module(module)
    for test in doctest.DocTestFinder().find(named):
        if not test.examples or FEWER.get(test.name) == 0:
            continue
        example = _Whole().visit(ast.parse("".join(part.source for part in test.examples)))
        example = ast.fix_missing_locations(example)
        called = test.name.removeprefix(f"{module}.")
        lines += [f"# {called}", "", *_unless_given(named, called)]
        lines += [_comes_to(copy.deepcopy(example), dict(test.globs))]
        name, of_dpcore = test.name.rpartition(".")[2], module.startswith("dpcore")
        every = [_changed(example, place, write) for place, write in _changes(example, not of_dpcore)]
        by_lot = sorted(range(len(every)), key=lambda at: zlib.crc32(f"{test.name} {at} {every[at][0]}".encode()))
        chosen = [every[at] for at in sorted(by_lot[: FEWER.get(test.name, CHANGES)])]
        chosen += [_changed(example, *change) for change in _arguments_changed(example, name, left_empty=of_dpcore)]
        chosen += [_changed(example, *change) for change in _ends(example, name, test.globs)] if of_dpcore else []
        for call, changed in chosen:
            lines += [call, f"    {_comes_to(changed, dict(test.globs))}"]
        lines.append("")
    return "\n".join(lines)


def as_approved(said: str, approved: str) -> str:
    """What is said now, with the lines as they are approved where only the last digits of numbers differ."""
    lines, known = said.split("\n"), approved.split("\n")
    if len(lines) != len(known):
        return said
    return "\n".join(old if _alike(new, old) else new for new, old in zip(lines, known, strict=True))


def _alike(one: str, other: str) -> bool:
    numbers, others = NUMBER.findall(one), NUMBER.findall(other)
    return NUMBER.sub("#", one) == NUMBER.sub("#", other) and all(
        math.isclose(float(a), float(b), rel_tol=CLOSE, abs_tol=1e-14) for a, b in zip(numbers, others, strict=True)
    )
