"""Pages ask `riskline.answers` what follows from a case: they compute no belief, budget, error or sensitivity."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VIEWS = ROOT / "ui" / "views"
COMPUTED = {
    "dpcore.semantics": {
        "belief_bounds",
        "difference_bounds",
        "largest_difference",
        "posterior_bounds",
        "posterior_lower",
        "posterior_upper",
        "ratio_bounds",
        "shift_bound",
    },
    "dpcore.tradeoff": {"trade_off", "trade_off_of_secret"},
    "dpcore.deployments": {"gaussian_right_guess", "posterior_upper", "right_guess"},
    "dpcore.publication": {"belief_upper"},
    "dpcore.profiles": {"budget"},
    "dpcore.composition": {"largest_budget", "largest_rho_each"},
    "dpcore.accuracy": {"count_error", "noise_for_range", "noise_with_budget"},
    "dpcore.discrete_certificate": {"DiscreteCertificate"},
    "dpcore.profile_certificate": {"ProfileCertificate"},
    "dpcore.schema": {"Change", "Counts", "Means", "Schema", "Sensitivity", "Totals"},
}
"""What answers a belief, a guess, a budget, an error or a sensitivity, by the module that hands it on."""
EXCEPTED = {
    ("lessons", "_facts"): "sentences of lessons about budgets that are no case's",
}
"""Views and what in them may ask dpcore itself, and why."""


def asked_of_dpcore(text: str) -> dict[str, set[str]]:
    """The names of `COMPUTED` that each part of a module uses and does not merely write into lines of Python.

    A part is a function or a class of the module, or "" for what stands outside. `code(posterior_upper, ...)` writes a
    call for the reader to run; every other use is one. Of a module whose name is taken what is named with it counts; a
    module that is handed on may be asked for all that it has.
    """
    tree = ast.parse(text)
    taken: set[str] = set()
    modules: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.module == "dpcore":
                answering = {alias.asname or alias.name: f"dpcore.{alias.name}" for alias in node.names}
                modules |= {name: COMPUTED[home] for name, home in answering.items() if home in COMPUTED}
            for home, names in COMPUTED.items():
                if f"{node.module}.".startswith(f"{home}."):
                    taken |= {alias.asname or alias.name for alias in node.names if alias.name in names}
        if isinstance(node, ast.Import):
            taken |= {"dpcore" for alias in node.names if alias.name in COMPUTED}
    found: dict[str, set[str]] = {}
    for part in tree.body:
        written = {
            id(argument.value if isinstance(argument, ast.Attribute) else argument)
            for node in ast.walk(part)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "code"
            for argument in node.args
        }
        others = {
            id(node.value)
            for node in ast.walk(part)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.attr not in modules.get(node.value.id, {node.attr})
        }
        used = {node.id for node in ast.walk(part) if isinstance(node, ast.Name) and id(node) not in written | others}
        if asked := used & (taken | modules.keys()):
            found.setdefault(getattr(part, "name", ""), set()).update(asked)
    return found


def test_no_view_computes_what_answers_answer() -> None:
    asked = {
        (module.relative_to(VIEWS).with_suffix("").parts[0], part): names
        for module in VIEWS.rglob("*.py")
        for part, names in asked_of_dpcore(module.read_text(encoding="utf-8")).items()
    }
    assert {place: names for place, names in asked.items() if place not in EXCEPTED} == {}
    assert EXCEPTED.keys() - asked.keys() == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from dpcore.semantics import posterior_upper\nposterior_upper(prior=0.5)", {"posterior_upper"}),
        ("from dpcore.semantics import posterior_upper as up\nlist(map(up, [0.5]))", {"up"}),
        ("from dpcore import semantics\nsemantics.posterior_upper(prior=0.5)", {"semantics"}),
        ("from dpcore import semantics\nlist(map(semantics.posterior_upper, [0.5]))", {"semantics"}),
        ("from dpcore import semantics as law\nlaw.posterior_upper(prior=0.5)", {"law"}),
        ("from dpcore import semantics\nvars(semantics)", {"semantics"}),
        ("import dpcore.semantics\ndpcore.semantics.posterior_upper(prior=0.5)", {"dpcore"}),
        ("def f():\n    from dpcore.profiles.budgets import budget\n    return budget(1)", {"budget"}),
        ("from dpcore.semantics import posterior_upper\ncode(posterior_upper, prior=0.5)", set()),
        ("from dpcore import semantics\ncode(semantics.posterior_upper, prior=0.5)", set()),
        ("from dpcore.deployments import published\npublished()", set()),
        ("from dpcore import deployments\ndeployments.published()", set()),
    ],
)
def test_every_way_of_asking_is_seen(text: str, found: set[str]) -> None:
    assert set().union(*asked_of_dpcore(text).values()) == found
