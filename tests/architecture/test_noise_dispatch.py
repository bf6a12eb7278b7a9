"""Nobody asks which noise it is: a noise says what anybody asks of it, in its own file.

Counted is every place outside `dpcore.mechanisms` that decides by the class or the name of a noise: `isinstance`, a
`singledispatch`, a comparison, a table by name. The few that may are listed, each with its reason.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dpcore.mechanisms import MECHANISMS

ROOT = Path(__file__).resolve().parents[2]
CLASSES = {kind.__name__ for kind in MECHANISMS}
NAMES = {kind.name for kind in MECHANISMS}
MOST = 15

MAY = Counter(
    {
        "dpcore/composition/promises.py": 2,  # routes from a rho, of which two carry the name of the noise they are of
        "dpcore/public_information/error_lines.py": 1,  # a method of a published comparison
        "riskline/answers/audit.py": 2,  # a claim may be the trade-off of Gaussian noise
        "riskline/answers/budgets.py": 1,  # routes
        "riskline/case/choices.py": 1,  # routes
        "ui/views/block/attack.py": 1,  # two noises told apart on purpose: the census's, and one for pure epsilon
        "ui/views/choose/view.py": 1,  # routes
        "ui/views/plan/view.py": 2,  # routes
        "ui/views/public_information.py": 1,  # a method of a published comparison
        "ui/views/shared/strip.py": 1,  # a route
    }
)
"""Places that decide by a noise, by file, and why."""


def _names_of(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} & CLASSES


def _texts_of(node: ast.AST) -> set[str]:
    literals = [node, *getattr(node, "elts", ())]
    return {str(one.value) for one in literals if isinstance(one, ast.Constant) and isinstance(one.value, str)} & NAMES


def dispatches(source: str) -> Iterator[int]:
    """Lines that decide by the class or the name of a noise."""
    tree = ast.parse(source)
    types = {inner for node in ast.walk(tree) if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)}
    for node in ast.walk(tree):
        if node in types:  # what a choice may be is no decision
            continue
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]) if _names_of(kinds):
                yield node.lineno
            case ast.FunctionDef() if any("register" in ast.unparse(one) for one in node.decorator_list):
                heads = [*node.decorator_list, *(one.annotation for one in node.args.args[:1] if one.annotation)]
                if any(_names_of(head) for head in heads):
                    yield node.lineno
            case ast.Compare() if any(_texts_of(side) for side in (node.left, *node.comparators)):
                yield node.lineno
            case ast.Dict(keys=keys) if len([key for key in keys if key and (_texts_of(key) or _names_of(key))]) > 1:
                yield node.lineno
            case ast.Tuple() | ast.List() | ast.Set() if len(_texts_of(node)) > 1:
                yield node.lineno
            case ast.match_case(pattern=pattern) if _names_of(pattern) or any(
                _texts_of(one.value) for one in ast.walk(pattern) if isinstance(one, ast.MatchValue)
            ):
                yield pattern.lineno
            case _:
                pass


def test_what_decides_by_a_noise_is_found() -> None:
    found = """
isinstance(noise, Geometric | Laplace)
noise.kind in ("gaussian", "laplace")
words = {"geometric": 1, "laplace": 2}
kinds = {Gaussian: 1, Laplace: 2}

@curve.register
def _(source: Laplace): ...

match kind:
    case "laplace": ...
"""
    assert sorted(dispatches(found)) == [2, 3, 3, 4, 5, 8, 11]
    assert (
        list(dispatches('noise = Laplace(epsilon=1.0)\nnoise_kind("laplace")\nisinstance(noise, NoiseMechanism)')) == []
    )


def test_nobody_asks_which_noise_it_is() -> None:
    found = Counter[str]()
    for folder in ("dpcore", "ui", "riskline", "pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            if not place.startswith("dpcore/mechanisms/"):
                found[place] += len(set(dispatches(path.read_text(encoding="utf-8"))))
    assert +found == MAY
    assert found.total() <= MOST
