"""The table of all published budgets, and what the census products teach about adding up."""

from __future__ import annotations

from typing import Any

from dpcore.deployments import FORMULAS, Converted, Deployment, adding_up, converted, deployment, production_budgets
from riskline.answers.published import Meaning
from ui.pictures.style import Style
from ui.pictures.table import Badges, Table, table_of
from ui.views.deployments.choices import FORMULA_NAMES, HOUSING, PERSONS, DeploymentsInputs
from ui.views.shared.belief_before import told
from ui.views.shared.published_budgets import RELATION_NAMES, as_published, at_most, guess_words, stated, trust
from ui.words.catalogue import label
from ui.words.phrasing import percent, plain_number
from ui.words.quantities import Upper, number, share


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
        before=told(inputs.prior, style, typed=True).words,
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


def census_facts() -> dict[str, Any]:
    """Words and numbers of what the census products teach about formulas, adding up and what ran."""
    persons, housing = deployment(PERSONS), deployment(HOUSING)
    lesson = adding_up(persons, housing)
    ran = (
        f"{entry.name} ρ = {entry.rho_printed} → {entry.published.rho_printed} "
        f"({entry.factor}, {entry.factor_confidence})"
        for entry in production_budgets()
    )
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
        "right": Upper(lesson.right_guess, share(1)),
        "pure": percent(lesson.read_as_pure, 6),
        "ran": "; ".join(ran),
    }
