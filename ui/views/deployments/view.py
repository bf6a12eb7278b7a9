"""The page of published budgets at once: the chosen one, all of them, and what comparing them takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpcore.deployments import (
    FORMULAS,
    Basis,
    Converted,
    Deployment,
    converted,
    deployment,
    guarantee_of,
    matching,
    production_budgets,
    published,
    right_guess,
)
from dpcore.guarantees import Relation
from dpcore.scope import Bound, Scope
from dpcore.sources import WORKS
from riskline.answers import case_budget
from riskline.answers.beliefs import right_guess as right_guess_in_case
from riskline.answers.published import Meaning, meaning_of
from riskline.case.promise import PromiseChoice, contradiction, kind_of_secret
from riskline.case.value import Case
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.deployments.choices import ANY, FORMULA_NAMES, NAMES, UNIT_KINDS, DeploymentsInputs, in_order
from ui.views.deployments.pictures import guesses_picture
from ui.views.deployments.tables import census_facts, converted_words, listing
from ui.views.shared import belief_before
from ui.views.shared.promise import StatedBelief
from ui.views.shared.published_budgets import RELATION_NAMES, as_published, spent_words
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency, how_often, plain_number
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Quantity, Spoken, Upper, claimed, number_named, times_beside
from ui.words.refusals import refusal_sentence

EXAMPLE = Case()


@dataclass(frozen=True)
class DeploymentsView:
    """Everything the page shows."""

    answer: str
    small_print: str
    covered: str = ""
    entries: tuple[Deployment, ...] = ()
    conversion: Converted | None = None
    meaning: Meaning | None = None
    not_ranked: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    guesses: Picture | None = None
    listing: Table | None = None
    computed: str = ""
    stated: tuple[StatedBelief, ...] = ()
    python: CodeLines | None = None
    refusal: str | None = None


def deployments_view(inputs: DeploymentsInputs, style: Style, case: Case = EXAMPLE) -> DeploymentsView:
    """The page for these choices, beside the budget of the case."""
    inputs = replace(inputs, secret=kind_of_secret(inputs.secret).value)
    try:
        kept = matching(
            unit_kind=None if inputs.unit == ANY else UNIT_KINDS[inputs.unit],
            definition=None if inputs.definition == ANY else inputs.definition,
            sector=None if inputs.sector == ANY else inputs.sector,
            relation=None if inputs.change == ANY else inputs.change,
        )
        if not kept:
            raise ValueError(label("deployments", "none_left"))
        chosen = deployment(NAMES[inputs.chosen])
        entries, not_ranked = in_order(kept, inputs)
        conversion = converted(chosen, delta=inputs.delta, formula=inputs.formula)
        meanings = {
            entry.name: meaning_of(entry, secret=inputs.secret, prior=inputs.prior) for entry in (*entries, chosen)
        }
    except ValueError as error:
        return DeploymentsView("", "", refusal=refusal_sentence(error))
    meaning = meanings[chosen.name]
    context = release_facts(inputs, chosen, entries, conversion, meaning, style)
    case_guess = guess_in_case(case, inputs)
    context["case"] = _case_words(case)
    context["guessed"] = _guessed(meaning, inputs.prior, context, style)
    census = census_facts()
    for_experts = ("computed", context), ("formulas", census), ("lesson", census), ("production", census)
    return DeploymentsView(
        answer=say("deployments", style.voice, f"answer_{meaning.case}", **context),
        small_print=say("deployments", style.voice, f"small_print_{meaning.case}", **context),
        covered=say("deployments", style.voice, "covered", **context),
        entries=entries,
        conversion=conversion,
        meaning=meaning,
        not_ranked=not_ranked,
        numbers=numbers_of(conversion, meaning, context, case_guess, style),
        guesses=guesses_picture(inputs, chosen, entries, meanings, context, style, case_guess),
        listing=listing(inputs, entries, meanings, style),
        computed="\n\n".join(say("deployments", "technical", name, **words) for name, words in for_experts),
        stated=_stated_beliefs(inputs, chosen, entries, meanings, style),
        python=_in_python(inputs, chosen, meaning, context["right"]),
    )


def _guessed(meaning: Meaning, prior: float, context: dict[str, Any], style: Style) -> str:
    """How often a guess is right at most; in the plain voice in other words where that is no gain, or no limit."""
    if meaning.right_guess is None:
        return ""
    name = "guessed_only_if" if meaning.conditional and not style.technical else "guessed"
    if not style.technical and meaning.right_guess.value <= max(prior, 1 - prior) * (1 + 1e-12):
        name = "guessed_no_gain"
    elif not style.technical and number_named(context["right"].digits) == 1:
        name = "guessed_no_limit"
    return say("deployments", style.voice, name, **context)


def _in_python(inputs: DeploymentsInputs, chosen: Deployment, meaning: Meaning, right: Quantity) -> CodeLines | None:
    """The lines for the chance of a right guess; none where nothing is promised about the secret."""
    if meaning.right_guess is None:
        return None
    code = CodeWriter()
    assuming = {"assuming": Relation.ADD_OR_REMOVE.value} if meaning.conditional else {}
    entry = code.let("entry", code(deployment, chosen.name))
    return code.ending(code(right_guess, entry, secret=inputs.secret, prior=inputs.prior, **assuming), right)


def guess_in_case(case: Case, inputs: DeploymentsInputs) -> Bound | None:
    """The largest chance of a right guess of the same secret after any release with the case's budget."""
    budget = case_budget(case)
    asked = case.with_choices(secret=inputs.secret)
    if budget is None or contradiction(PromiseChoice(inputs.secret, asked["unit"], asked["group"], asked["relation"])):
        return None
    return right_guess_in_case(asked, inputs.prior, scope=Scope.ANY_MECHANISM, budget=budget)


def _case_words(case: Case) -> str:
    """Whose budget the case's is, and how much."""
    budget = case_budget(case)
    if budget is None:
        return label("deployments", "case.none")
    name = "case.example" if case.is_example else "case.own"
    return label("deployments", name, budget=budget_words(budget.value, budget.currency))


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
    alone = max(inputs.prior, 1 - inputs.prior)
    beside: Spoken = often  # in the sentence, a guess without the release is told out of as many times as one with it
    right = None if meaning.right_guess is None else claimed(meaning.right_guess, Scope.ANY_MECHANISM, often)
    if right is not None and not style.technical:
        beside = times_beside(right)
    formula = FORMULAS[inputs.formula]
    work, place = formula.citation.split(", ")
    held = meaning.protection
    steps = held.promise.steps if held.promise is not None else 1
    unread = held.basis in (Basis.SAFE_FOR_BOTH, Basis.ASSUMED, Basis.ONLY_IF_ADDED_OR_REMOVED)
    return {
        "secret": say("deployments", style.voice, f"secret_{held.secret.value}"),
        "relation": RELATION_NAMES[chosen.relation],
        "confidence": chosen.relation_confidence,
        "steps": "" if steps == 1 else " " + say("deployments", style.voice, "steps", steps=f"{steps}"),
        "reason": held.reason,
        "because": f" {held.reason[:1].upper()}{held.reason[1:]}." if unread else "",
        "spent": label("deployments", "spent.nothing") if held.guarantee is None else spent_words(held.guarantee),
        "unit": chosen.protected_unit,
        "defined": chosen.unit_as_defined,
        "period": chosen.period,
        "ran": _ran_words(chosen, inputs, meaning, style),
        "release": chosen.name,
        "who": chosen.organisation,
        "year": str(chosen.year),
        "published": as_published(chosen),
        "model": say("deployments", "technical", f"model_{chosen.model}"),
        "prior": belief_before.as_typed(inputs.prior, style),
        "alone": Upper(alone, often).digits,
        "without": Upper(alone, beside).digits,
        "right": "" if right is None else right,
        "gaussian": "" if meaning.gaussian is None else often(meaning.gaussian),
        "posterior": "" if meaning.posterior is None else claimed(meaning.posterior, Scope.ANY_MECHANISM, belief),
        "converted": converted_words(conversion),
        "delta": plain_number(inputs.delta),
        "formula": formula.statement,
        "formula_name": FORMULA_NAMES[inputs.formula],
        "citation": f"{WORKS[work].authors}, {place}",
        "source": chosen.source,
        "checked": chosen.verification,
        "shown": f"{len(entries)}",
        "all": f"{len(published())}",
        "units": label("deployments", "units", n=len({entry.unit_kind for entry in entries})),
    }


def _ran_words(chosen: Deployment, inputs: DeploymentsInputs, meaning: Meaning, style: Style) -> str:
    """What the production run of a Census product promises about presence, where the published figure does not."""
    found = [entry for entry in production_budgets() if entry.name == chosen.name]
    if not found or meaning.case != "not_promised":
        return ""
    guess = meaning_of(found[0].spent, secret=inputs.secret, prior=inputs.prior).right_guess
    assert guess is not None
    return " " + say(
        "deployments",
        style.voice,
        "production_presence",
        rho=f"ρ = {found[0].rho_printed}",
        guess=claimed(guess, Scope.ANY_MECHANISM, decimal_belief if style.technical else how_often),
        secret=say("deployments", style.voice, f"secret_{inputs.secret}"),
    )


def numbers_of(
    conversion: Converted, meaning: Meaning, context: dict[str, Any], case_guess: Bound | None, style: Style
) -> tuple[tuple[str, str, str], ...]:
    """The numbers of the card, each with what it holds for."""

    def words(name: str) -> str:
        return label("deployments", f"card.{name}", **context)

    found = []
    if case_guess is not None:
        spoken = decimal_belief if style.technical else how_often
        guess = claimed(case_guess, Scope.ANY_MECHANISM, spoken).digits
        found.append((words("case"), guess, words("case.held")))
    if meaning.gaussian is not None:
        found.append((words("gaussian"), context["gaussian"], words("gaussian.held")))
    if meaning.posterior is not None:
        found.append((words("posterior"), context["posterior"].digits, words("posterior.held")))
    elif meaning.right_guess is not None:
        found.append((words("posterior"), words("posterior.none"), words("posterior.rare")))
    found.append((words("published"), context["published"], ""))
    formula = FORMULA_NAMES.get(conversion.formula, words("converted.no_formula"))
    value = "–" if conversion.epsilon is None else context["converted"]
    found.append((words("converted"), value, conversion.reason or f"δ = {context['delta']}; {formula}"))
    return tuple(found)


def _stated_beliefs(
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
        found.append(
            StatedBelief(
                inputs.prior,
                claimed(meaning.posterior, Scope.ANY_MECHANISM, decimal_belief if style.technical else frequency),
                promise,
                guarantee_of(entry, promise.relation),
                printed=entry is chosen,
                before=belief_before.as_typed(inputs.prior, style),
            )
        )
    return tuple(found)
