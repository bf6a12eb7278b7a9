"""Every closed choice of dpcore is closed: an option that does not exist is refused where it is given.

What is closed is read from the declared types (an enumeration, a `Literal`) and from the docstring (``{"a", "b"}``);
the other arguments are those of the own example.
"""

from __future__ import annotations

import ast
import doctest
import enum
import importlib
import inspect
import re
import types
import typing
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import dpcore
from dpcore.composition import BasicRule, ConcentratedRule, ExactRule, PlannedRelease, PlanRule, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric
from dpcore.methods import RandomRounding, TwoWorlds
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from dpcore.schema import Counts, Schema
from tests.architecture.public_names import PUBLIC
from tests.each import each


def closed_choices(value: Any) -> dict[str, bool]:
    """Parameters of a function, or fields of a class, that take one of a few options; and whether a list of them."""
    text = inspect.getdoc(value) or ""
    found = {
        name.strip(): False
        for names in re.findall(r"^ *(\w+(?:, \w+)*) : (?:\w+ or )?\{\"", text, re.MULTILINE)
        for name in names.split(",")
    }
    for name, hint in typing.get_type_hints(value).items():
        either = typing.get_args(hint) if typing.get_origin(hint) in {typing.Union, types.UnionType} else (hint,)
        for part in either:
            if _is_closed(part):
                found[name] = False
            elif any(map(_is_closed, typing.get_args(part))):
                found[name] = True
    return {name: found[name] for name in sorted(found.keys() & inspect.signature(value).parameters.keys())}


def _is_closed(hint: Any) -> bool:
    if typing.get_origin(hint) is typing.Literal:
        return str in {type(item) for item in typing.get_args(hint)}
    return inspect.isclass(hint) and issubclass(hint, enum.Enum)


def example_of(module: str, value: Any) -> Callable[..., Any]:
    """A call of the function or class as its own example makes it; its keywords can be replaced."""
    calls: list[inspect.BoundArguments] = []
    signature = inspect.signature(value)

    def recorded(*given: Any, **named: Any) -> Any:
        calls.append(signature.bind(*given, **named))
        return value(*given, **named)

    space = {**vars(importlib.import_module(module)), value.__name__: recorded}
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(value) or ""):
        if not calls and not example.exc_msg:
            with redirect_stdout(StringIO()):
                exec(compile(example.source, value.__name__, "single"), space)
    assert calls, f"{module}.{value.__name__} shows no example of itself"

    def again(**replaced: Any) -> Any:
        arguments = dict(calls[0].arguments)
        arguments.update(arguments.pop("kwargs", {}))
        return value(**(arguments | replaced))

    return again


def _made_by_a_reader(value: Any) -> bool:
    """Functions, and classes that check what they are given; results of dpcore have nothing to check."""
    return inspect.isfunction(value) or hasattr(value, "__post_init__")


CLOSED = [
    (value, name.rpartition(".")[0], choice, listed)
    for name, value in PUBLIC
    if _made_by_a_reader(value)
    for choice, listed in closed_choices(value).items()
]


def test_the_closed_choices_are_found() -> None:
    found = {(value.__name__, choice) for value, _, choice, listed in CLOSED if not listed}
    assert len(found) > 50
    assert found >= {("PureDP", "relation"), ("DrawnLine", "kind"), ("Promise", "unit"), ("allocate", "rule")}
    lists = {(value.__name__, choice) for value, _, choice, listed in CLOSED if listed}
    assert lists >= {("next_arm", "dealt"), ("WrongAnswer", "misreadings")}


@pytest.mark.parametrize("nonsense", ["nonsense", "", 1.5, None])
@each("value, module, choice, listed", CLOSED, ids=attrgetter("__name__"))
def test_an_option_that_does_not_exist_is_refused(
    module: str, value: Any, choice: str, listed: bool, nonsense: object
) -> None:
    for given in ([nonsense], nonsense) if listed else (nonsense,):
        if given is None and inspect.signature(value).parameters[choice].default is None:
            continue
        with pytest.raises(Refused) as caught:
            example_of(module, value)(**{choice: given})
        assert caught.value.name == choice
        assert caught.value.code is (Code.WRONG_TYPE if listed and given is nonsense else Code.UNKNOWN_CHOICE)


LOSS = PrivacyLoss.of(Geometric(epsilon=1.0))
BELIEF = ExactPosterior(LOSS, prior=0.5)
ROUNDED = RandomRounding(base=3).presence(1)
PLAN = PlanRule(ReleasePlan((PlannedRelease(Geometric(epsilon=1.0), 1),)), "exact")
METHODS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    f"{type(thing).__name__}.{name}": (getattr(thing, name), arguments)
    for thing, name, arguments in (
        (LOSS, "loss_cdf", (0.5,)),
        (LOSS, "exceedance", (0.5,)),
        (LOSS, "loss_tail", (0.5,)),
        (LOSS, "loss_quantile", (0.5,)),
        (LOSS, "loss_cdf_bracket", (0.5,)),
        (LOSS, "loss_quantile_bracket", (0.5,)),
        (LOSS, "expectation", (abs,)),
        (BELIEF, "cdf", (0.5,)),
        (BELIEF, "tail", (0.5,)),
        (BELIEF, "cdf_bracket", (0.5,)),
        (BELIEF, "quantile", (0.5,)),
        (BELIEF, "quantile_bracket", (0.5,)),
        (BELIEF, "mean", ()),
        (ROUNDED, "mean_posterior", ()),
        (ROUNDED, "probability_above", (0.9,)),
        (ROUNDED, "probability_certain", ()),
        (ROUNDED, "tally", ([0, 1],)),
        (ROUNDED, "delta", (1.0,)),
        (BasicRule(epsilon=1.0), "shift", (1,)),
        (ConcentratedRule(rho=1.0), "shift", (1,)),
        (ExactRule(loss=LOSS), "shift", (1,)),
        (PLAN, "shift", (1,)),
        (Schema((Counts(),)), "largest_change", (0,)),
    )
}
NAMED = {
    "shift": {"delta_prime": 0.1},
    "largest_change": {"relation": "replace"},
    "mean_posterior": {"prior": 0.5},
    "probability_above": {"prior": 0.5},
}
"""What methods take by name beside their choice."""


@each(
    "method, choice",
    [(name, choice) for name, (method, _) in METHODS.items() for choice in closed_choices(method)],
)
def test_a_method_refuses_an_option_that_does_not_exist(method: str, choice: str) -> None:
    call, arguments = METHODS[method]
    with pytest.raises(Refused) as caught:
        call(*arguments, **NAMED.get(method.partition(".")[2], {}) | {choice: "nonsense"})
    assert (caught.value.name, caught.value.code) == (choice, Code.UNKNOWN_CHOICE)


def test_every_method_with_a_closed_choice_is_tried() -> None:
    asked = {
        f"{owner.__name__}.{name}"
        for owner in (PrivacyLoss, ExactPosterior, Schema, TwoWorlds)
        for name, method in vars(owner).items()
        if inspect.isfunction(method) and not name.startswith("_") and closed_choices(method)
    }
    assert asked <= set(METHODS)


OPEN = {"dpcore.deployments.converted: formula", "dpcore.populations.exact_census_rho: query"}
"""Choices among keys of published data, which grow with it."""


def test_what_is_one_of_a_list_is_typed_as_such() -> None:
    """A type checker refuses what the function would: no parameter that a list of options is asked for is any text."""
    asked, loose = 0, set()
    for path in sorted(Path(dpcore.__file__).parent.rglob("*.py")):
        module = ".".join(("dpcore", *path.relative_to(Path(dpcore.__file__).parent).with_suffix("").parts))
        functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
        for function in functions:
            typed = {one.arg: one.annotation for one in (*function.args.args, *function.args.kwonlyargs)}
            for call in ast.walk(function):
                if not (isinstance(call, ast.Call) and ast.unparse(call.func).removeprefix("_checks.") == "choice"):
                    continue
                _, value, options = call.args
                listed = re.fullmatch(r"[A-Z_]+(\[.*\])?|\(.*\)", ast.unparse(options))
                if listed and isinstance(value, ast.Name) and value.id in typed and not function.name.startswith("_"):
                    asked += 1
                    if ast.unparse(typed[value.id] or ast.Constant(None)) in ("str", "str | None"):
                        loose.add(f"{module}.{function.name}: {value.id}")
    assert asked > 40
    assert loose - OPEN == set()
