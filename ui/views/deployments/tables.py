"""Tables of published budgets: all of them, the three formulas beside what was printed, two lessons of the census."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dpcore.deployments import (
    FORMULAS,
    AddingUp,
    Converted,
    Deployment,
    converted,
    deployment,
    formula_fits,
    production_budgets,
    published,
)
from riskline.answers.published import Meaning, meaning_of
from ui.pictures.style import Style
from ui.pictures.table import Badges, Table, table_of
from ui.views.deployments.choices import FORMULA_NAMES, HOUSING, PERSONS, DeploymentsInputs
from ui.views.shared import belief_before
from ui.views.shared.published_budgets import (
    RELATION_NAMES,
    as_published,
    at_most,
    guess_words,
    stated,
    trust,
)
from ui.words.catalogue import label
from ui.words.phrasing import NEAREST, decimal_belief, how_often, percent, plain_number, rounded
from ui.words.quantities import Upper, number, share


@dataclass(frozen=True)
class Fit:
    """A published pair of ρ and ε beside the three formulas: their values, and the keys of those that fit."""

    entry: Deployment
    values: dict[str, float]
    fitting: tuple[str, ...]


def converted_words(conversion: Converted) -> str:
    """The converted budget, rounded up as an upper bound on loss, or why there is none."""
    if conversion.epsilon is None:
        return label("deployments", "not_converted", reason=conversion.reason)
    return f"ε = {Upper(conversion.epsilon, number(4)).digits}"


def listing(
    inputs: DeploymentsInputs, entries: tuple[Deployment, ...], meanings: dict[str, Meaning], style: Style
) -> Table:
    """Every budget that was asked for, with its unit, its relation and what a guess achieves."""
    rows = []
    for entry in entries:
        meaning, model = meanings[entry.name], label("deployments", "badge.model", model=trust(entry))
        rows.append(
            (
                f"{entry.name} ({entry.organisation}, {entry.year})",
                Badges((entry.protected_unit, stated(entry), model, entry.sector)),
                guess_words(meaning, style, central=entry.model == "central"),
                _limit_words(meaning, style),
                f"{RELATION_NAMES[entry.relation]} ({entry.relation_confidence}): {entry.relation_evidence}",
                label("deployments", "covers", unit=entry.unit_as_defined, period=entry.period),
                as_published(entry),
                converted_words(converted(entry, delta=inputs.delta, formula=inputs.formula)),
                f"{entry.source}; {entry.verification}",
            )
        )
    return table_of(
        "deployments",
        "listing",
        rows,
        before=belief_before.as_typed(inputs.prior, style),
        secret=label("deployments", f"of.{inputs.secret}"),
        delta=plain_number(inputs.delta),
        formula=FORMULA_NAMES[inputs.formula],
    )


def _limit_words(meaning: Meaning, style: Style) -> str:
    """The highest belief after a budget, or why there is none."""
    if meaning.posterior is None:
        return label("deployments", "limit.none" if meaning.case == "promised" else "limit.not_promised")
    limit = at_most(meaning.posterior, style)
    return limit if meaning.case == "promised" else label("deployments", "limit.as_before", limit=limit)


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
        explained = ", ".join(FORMULA_NAMES[key] for key in fit.fitting) or label("deployments", "no_formula_fits")
        values = (_three_decimals(fit.values[key], key in fit.fitting) for key in FORMULAS)
        rows.append((fit.entry.name, as_published(fit.entry), *values, explained))
    return table_of("deployments", "formulas", rows)


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
    cells = {
        "persons": (told["first_rho"], told["first"]),
        "housing": (told["second_rho"], told["second"]),
        "added": ("", told["added"]),
        "once": (told["rho"], told["once"].digits),
    }
    rows = ((label("deployments", f"lesson_row.{name}"), *numbers) for name, numbers in cells.items())
    return table_of("deployments", "lesson", rows, delta=told["delta"])


def production_table(style: Style) -> Table:
    """Production budgets beside the published ones, with what each means for the secret it protects."""
    rows = [
        (
            entry.name,
            f"ρ = {entry.rho_printed}",
            guess_words(meaning_of(entry.spent, secret="presence"), style),
            f"ρ = {entry.published.rho_printed}",
            guess_words(meaning_of(entry.published, secret="value"), style),
            f"{entry.factor}, {entry.factor_confidence}",
            entry.factor_evidence,
        )
        for entry in production_budgets()
    ]
    return table_of("deployments", "production", rows)
