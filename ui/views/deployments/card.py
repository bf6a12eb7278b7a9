"""The chosen budget: its words, its numbers, and what is stated of it."""

from __future__ import annotations

from typing import Any

from dpcore.deployments import (
    FORMULAS,
    Converted,
    Deployment,
    guarantee_of,
    production_budgets,
    published,
    right_guess,
)
from ui.pictures.style import Style
from ui.views.deployments.choices import FORMULA_NAMES, DeploymentsInputs
from ui.views.shared import belief_before
from ui.views.shared.promise import StatedBelief
from ui.views.shared.published_budgets import Meaning, as_published, promise_facts
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, frequency, how_often, plain_number, so_many
from ui.words.quantities import Upper, number


def stated_beliefs(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    style: Style,
) -> tuple[StatedBelief, ...]:
    """The highest belief after each budget that has one: on the card for the chosen one, in the list for the others."""
    found = []
    for entry in dict.fromkeys((chosen, *entries)):
        meaning = meanings[entry.name]
        promise = meaning.protection.promise
        if meaning.posterior is None or promise is None or not 0 < inputs.prior < 1:
            continue
        source = guarantee_of(entry, promise.relation)
        said = Upper(meaning.posterior, decimal_belief if style.technical else frequency)
        found.append(
            StatedBelief(
                inputs.prior,
                said,
                promise,
                source,
                printed=entry is chosen,
                before=belief_before.as_typed(inputs.prior, style),
            )
        )
    return tuple(found)


def ran_words(chosen: Deployment, inputs: DeploymentsInputs, meaning: Meaning, style: Style) -> str:
    """What the production run of a Census product promises about presence, where the published figure does not."""
    found = [entry for entry in production_budgets() if entry.name == chosen.name]
    if not found or meaning.case != "not_promised":
        return ""
    often = decimal_belief if style.technical else how_often
    words = {
        "rho": f"ρ = {found[0].rho_printed}",
        "guess": Upper(right_guess(found[0].spent, secret=inputs.secret, prior=inputs.prior), often),
        "secret": say("deployments", style.voice, f"secret_{inputs.secret}"),
    }
    return " " + say("deployments", style.voice, "production_presence", **words)


def statement_of(entry: Deployment) -> str:
    """Which statement fits: a limit on belief, a bound with one mechanism beside it, or an average only."""
    return {"pure": "pure", "zCDP": "zero_concentrated"}.get(entry.definition, "approximate")


def converted_words(conversion: Converted) -> str:
    """The converted budget, rounded up as an upper bound on loss, or why there is none."""
    if conversion.epsilon is None:
        return f"not converted: {conversion.reason}"
    return f"ε = {Upper(conversion.epsilon, number(4)).digits}"


def release_facts(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    conversion: Converted,
    meaning: Meaning,
    style: Style,
) -> dict[str, Any]:
    """Words and numbers every passage about the chosen budget may use."""
    belief, often = (decimal_belief, decimal_belief) if style.technical else (frequency, how_often)
    return {
        "release": chosen.name,
        "who": chosen.organisation,
        "year": str(chosen.year),
        "published": as_published(chosen),
        "model": MODELS[chosen.model],
        "prior": belief_before.as_typed(inputs.prior, style),
        "without": Upper(max(inputs.prior, 1 - inputs.prior), often).digits,
        "right": "" if meaning.right_guess is None else Upper(meaning.right_guess, often),
        "gaussian": "" if meaning.gaussian is None else often(meaning.gaussian),
        "posterior": "" if meaning.posterior is None else Upper(meaning.posterior, belief),
        "converted": converted_words(conversion),
        "delta": plain_number(inputs.delta),
        "formula": FORMULAS[inputs.formula].statement,
        "formula_name": FORMULA_NAMES[inputs.formula],
        "citation": FORMULAS[inputs.formula]
        .citation.replace("canonne_kamath_steinke", "Canonne, Kamath and Steinke")
        .replace("bun_steinke", "Bun and Steinke"),
        "source": chosen.source,
        "checked": chosen.verification,
        "shown": f"{len(entries)}",
        "all": f"{len(published())}",
        "units": _kinds(len({entry.unit_kind for entry in entries})),
    } | promise_facts(chosen, meaning, style.voice)


def _kinds(count: int) -> str:
    return so_many(count, "kind of unit", "kinds of unit")


MODELS = {"central": "A curator adds the noise", "local": "Each device adds its own noise"}


def numbers_of(
    chosen: Deployment, conversion: Converted, meaning: Meaning, context: dict[str, Any]
) -> tuple[tuple[str, str, str], ...]:
    """The numbers of the card, each with what it holds for."""
    formula = FORMULA_NAMES.get(conversion.formula, "")
    value = "–" if conversion.epsilon is None else converted_words(conversion)
    note = conversion.reason or f"δ = {context['delta']}; {formula}"
    found = []
    if meaning.right_guess is None:
        found.append(("A right guess", "–", context["reason"]))
    else:
        held = "at most, if units are added or removed" if meaning.conditional else "at most, over all releases with it"
        found.append(("A right guess", context["right"].digits, f"{held}; {context['without']} without the release"))
        if meaning.gaussian is not None:
            found.append(("With Gaussian noise", context["gaussian"], "one mechanism, worst case of one number"))
        if meaning.posterior is not None:
            found.append(
                ("Highest belief after", context["posterior"].digits, f"at most; from {context['prior']} before")
            )
        else:
            words = "rare releases may say more; the right guess is the average"
            found.append(("Highest belief after", "no limit", words))
    found.append(("One change", context["relation"], context["confidence"]))
    found.append(("As published", context["published"], f"for {chosen.protected_unit}"))
    found.append(("Converted", value, note))
    return tuple(found)
