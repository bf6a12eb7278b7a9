"""What the census products ran with, beside what was published of them, in words."""

from __future__ import annotations

from functools import partial
from typing import Any

from dpcore.deployments import FORMULAS, Deployment, adding_up, deployment, production_budgets
from dpcore.scope import Scope
from riskline.answers.published import Meaning, census_as_run, meaning_of
from ui.pictures.style import Style
from ui.views.deployments.choices import HOUSING, PERSONS, DeploymentsInputs
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, how_often, percent, plain_number
from ui.words.quantities import Estimate, Upper, claimed, number, share

CENSUS = "2020 Census"


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


def as_run_words(chosen: Deployment, style: Style) -> list[str]:
    """What the settings of a census product say beside its published budget, or that it was not recomputed."""
    if chosen.name != PERSONS:
        return [say("deployments", style.voice, "not_recomputed")] if chosen.name.startswith(CENSUS) else []
    every = census_as_run(delta=chosen.delta or 0.0)
    noisy, within = every["noisy"], every["within"]
    words: dict[str, object] = {
        "delta": plain_number(chosen.delta or 0.0),
        "total": plain_number(noisy.rho, 4),
        "exact": plain_number(noisy.rho - within.rho, 3),
        "published": chosen.epsilon_printed,
    }
    for name, found in every.items():
        words |= {
            name: Estimate(found.epsilon, number(5)),
            f"{name}_rho": plain_number(found.rho, 4),
            f"{name}_guess": Estimate(found.right_guess, share(1)),
        }
    return [say("deployments", style.voice, "as_run", **words)]


def ran_words(chosen: Deployment, inputs: DeploymentsInputs, meaning: Meaning, style: Style) -> str:
    """What the production run of a Census product promises about presence, where the published figure does not."""
    found = [entry for entry in production_budgets() if entry.name == chosen.name]
    if not found or meaning.case != "not_promised":
        return ""
    guess = meaning_of(found[0].spent, secret=inputs.secret, prior=inputs.prior).right_guess
    assert guess is not None
    passage = partial(say, "deployments", style.voice)
    right = claimed(guess, Scope.ANY_MECHANISM, decimal_belief if style.technical else how_often)
    rho, secret = f"ρ = {found[0].rho_printed}", passage(f"secret_{inputs.secret}")
    return " " + passage("production_presence", rho=rho, guess=right, secret=secret)
