"""Published epsilons of zero-concentrated releases, each with the formula that gives it."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.deployments import FORMULAS, adding_up, deployment, right_guess
from riskline.record.tables import PublishedValue

_PERSONS = "2020 Census redistricting data, persons"
_HOUSING = "2020 Census redistricting data, housing units"
_FITTING = {
    "2020 Census DHC, persons": ("simple", 26.34, 2, 26.33),
    "2020 Census DHC, housing units": ("simple", 34.33, 2, None),
    "Facebook Privacy-Protected Full URLs": ("refined", 0.45, 2, None),
    "Facebook URLs, total": ("refined", 1.844, 3, None),
    "Gboard es-ES next-word model": ("best_order", 8.9, 1, None),
}


def _epsilon(name: str, formula: str) -> float:
    entry = deployment(name)
    assert entry.rho is not None
    assert entry.delta is not None
    return FORMULAS[formula].epsilon(rho=entry.rho, delta=entry.delta)


def _rows() -> Iterator[PublishedValue]:
    for name, (formula, printed, digits, computed) in _FITTING.items():
        yield PublishedValue(
            "bun_steinke" if formula != "best_order" else "canonne_kamath_steinke",
            f"published for: {name}",
            f"epsilon at the stated delta, by {FORMULAS[formula].statement}",
            printed,
            digits,
            lambda name=name, formula=formula: _epsilon(name, formula),
            verdict="agrees" if computed is None else "misrounded",
            computed=computed,
            reading="" if computed is None else "The closed form at the printed rho gives 26.33; rho was rounded.",
        )
    yield PublishedValue(
        "canonne_kamath_steinke",
        f"published for: {_PERSONS}",
        "epsilon at delta 1e-10 for rho 2.56, minimised over the order",
        17.14,
        2,
        lambda: _epsilon(_PERSONS, "best_order"),
        verdict="erratum",
        computed=17.16,
        reading="At rho 2.556226, that of the production settings, the same formula gives 17.14.",
    )
    yield PublishedValue(
        "canonne_kamath_steinke",
        f"published for: {_PERSONS} and housing units",
        "epsilon of both releases together, at delta 1e-10",
        19.61,
        2,
        lambda: adding_up(deployment(_PERSONS), deployment(_HOUSING)).converted_once,
        verdict="erratum",
        computed=17.4,
        reading="19.61 adds converted epsilons; adding rho first (2.63) and converting once gives 17.4.",
    )
    yield PublishedValue(
        "bun_steinke",
        f"published for: {_PERSONS}, read as pure",
        "right guesses of a value on an even bet, in per cent",
        99.999996,
        6,
        lambda: 100 * right_guess(deployment(_PERSONS), secret="value"),
        verdict="erratum",
        computed=94.6,
        reading="17.14 is an epsilon at delta 1e-10, not a pure budget: of all releases with rho 2.56 the one that "
        "tells most allows 94.6 per cent.",
    )
    yield PublishedValue(
        "bun_steinke",
        f"much quoted for: {_PERSONS}",
        "right guesses of a value on an even bet at best, in per cent",
        87,
        0,
        lambda: 100 * right_guess(deployment(_PERSONS), secret="value"),
        verdict="erratum",
        computed=94.6,
        reading="87 per cent is one number with continuous Gaussian noise, neither the largest nor the smallest at rho "
        "2.56: randomised response with the same rho allows 94.6.",
    )


ROWS = list(_rows())
