"""Tables of published budgets: all of them, the three formulas beside what was printed, two lessons of the census."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dpcore.deployments import (
    FORMULAS,
    AddingUp,
    Deployment,
    converted,
    deployment,
    formula_fits,
    production_budgets,
    published,
    right_guess,
)
from ui.pictures.style import Style
from ui.pictures.table import Badges, Table
from ui.views.deployments.card import converted_words
from ui.views.deployments.choices import FORMULA_NAMES, HOUSING, PERSONS, DeploymentsInputs
from ui.views.shared import belief_before
from ui.views.shared.published_budgets import RELATION_NAMES, Meaning, as_published, guess_words
from ui.words.phrasing import NEAREST, decimal_belief, frequency, how_often, percent, plain_number, rounded
from ui.words.quantities import Upper, number, share


@dataclass(frozen=True)
class Fit:
    """A published pair of ρ and ε beside the three formulas: their values, and the keys of those that fit."""

    entry: Deployment
    values: dict[str, float]
    fitting: tuple[str, ...]


def listing(
    inputs: DeploymentsInputs,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    context: dict[str, Any],
    style: Style,
) -> Table:
    """Every budget that was asked for, with its unit, its relation and what a guess achieves."""
    belief = decimal_belief if style.technical else frequency
    rows = []
    for entry in entries:
        conversion = converted(entry, delta=inputs.delta, formula=inputs.formula)
        meaning = meanings[entry.name]
        limit = "no limit" if meaning.posterior is None else f"{Upper(meaning.posterior, belief):at most}"
        if meaning.case != "promised":
            limit = (
                "not promised" if meaning.case == "not_promised" or meaning.posterior is None else f"as before: {limit}"
            )
        rows.append(
            (
                f"{entry.name} ({entry.organisation}, {entry.year})",
                Badges((entry.protected_unit, entry.definition, f"{entry.model} model", entry.sector)),
                guess_words(meaning, style, central=entry.model == "central"),
                limit,
                f"{RELATION_NAMES[entry.relation]} ({entry.relation_confidence}): {entry.relation_evidence}",
                f"{entry.unit_as_defined}. Covers: {entry.period}",
                as_published(entry),
                converted_words(conversion),
                f"{entry.source}; {entry.verification}",
            )
        )
    before = belief_before.as_typed(inputs.prior, style)
    caption = (
        f"What each means to someone who thinks a secret {before} likely; the secret is the "
        f"{inputs.secret}, in the local model the answer. Converted: δ = {plain_number(inputs.delta)}, "
        f"{FORMULA_NAMES[inputs.formula]}"
    )
    columns = (
        "what",
        "badges",
        "a right guess",
        "belief after",
        "one change",
        "unit and period",
        "as published",
        "converted",
        "source; what was checked",
    )
    return Table(caption, columns, tuple(rows))


@lru_cache(maxsize=1)
def fits_of_published() -> tuple[Fit, ...]:
    """Every published pair of ρ and ε beside the three formulas."""
    return tuple(_fit(entry) for entry in published() if None not in (entry.rho, entry.epsilon, entry.delta))


def _fit(entry: Deployment) -> Fit:
    found = formula_fits(entry)
    return Fit(entry, {fit.formula: fit.epsilon for fit in found}, tuple(fit.formula for fit in found if fit.fits))


def formulas_table(fits: tuple[Fit, ...]) -> Table:
    """What each formula gives beside the published ε; bold where the printed digits fit."""
    rows = []
    for fit in fits:
        explained = ", ".join(FORMULA_NAMES[key] for key in fit.fitting) or "none of the three"
        values = (_three_decimals(fit.values[key], key in fit.fitting) for key in FORMULAS)
        rows.append((fit.entry.name, as_published(fit.entry), *values, explained))
    columns = ("what", "as published", *(FORMULA_NAMES[key] for key in FORMULAS), "fits")
    return Table(
        "ε of the published ρ at the published δ by each formula; bold where the printed digits fit",
        columns,
        tuple(rows),
    )


def _three_decimals(value: float, bold: bool) -> str:
    text = f"{rounded(value, 3, NEAREST):.3f}"
    return f"**{text}**" if bold else text


def lesson_facts(lesson: AddingUp, style: Style) -> dict[str, Any]:
    """Words and numbers of the lesson on adding up two census products."""
    persons, housing = deployment(PERSONS), deployment(HOUSING)
    often = decimal_belief if style.technical else how_often
    return {
        "first": persons.epsilon_printed,
        "second": housing.epsilon_printed,
        "first_rho": persons.rho_printed,
        "second_rho": housing.rho_printed,
        "added": plain_number(lesson.added_epsilons, 4),
        "rho": plain_number(lesson.rho, 3),
        "once": Upper(lesson.converted_once, number(4)),
        "first_unit": lesson.units[0],
        "second_unit": lesson.units[1],
        "delta": plain_number(persons.delta or 0.0),
        "recomputed": f"{FORMULAS['best_order'].epsilon(rho=persons.rho or 0.0, delta=persons.delta or 0.0):.2f}",
        "right": Upper(lesson.right_guess, often),
        "right_percent": Upper(lesson.right_guess, share(1)).digits,
        "both_percent": Upper(lesson.right_guess_in_both, share(1)).digits,
        "gaussian": often(lesson.gaussian_right_guess),
        "pure_percent": percent(lesson.read_as_pure, 6),
    }


def lesson_table(told: dict[str, Any]) -> Table:
    """Two census products converted and added, in either order."""
    rows = (
        ("Persons", told["first_rho"], told["first"]),
        ("Housing units", told["second_rho"], told["second"]),
        ("Converted, then added: no unit has this", "", told["added"]),
        ("Added, then converted once: a unit in both", told["rho"], told["once"].digits),
    )
    return Table(f"The 2020 Census redistricting data; ε at δ = {told['delta']}", ("what", "ρ", "ε"), rows)


def production_table(style: Style) -> Table:
    """Production budgets beside the published ones, with what each means for the secret it protects."""
    belief = decimal_belief if style.technical else frequency
    rows = []
    for entry in production_budgets():
        rows.append(
            (
                entry.name,
                f"ρ = {entry.rho_printed}",
                f"{Upper(right_guess(entry.spent, secret='presence'), belief):at most}",
                f"ρ = {entry.published.rho_printed}",
                f"{Upper(right_guess(entry.published, secret='value'), belief):at most}",
                f"{entry.factor}, {entry.factor_confidence}",
                entry.factor_evidence,
            )
        )
    columns = (
        "what",
        "in production, one added or removed",
        "an even bet on presence",
        "published, one replaced",
        "an even bet on a value",
        "factor",
        "why",
    )
    return Table(
        "Three Census products: the configuration that ran, and the figure that was published", columns, tuple(rows)
    )
