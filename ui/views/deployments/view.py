"""The page of published budgets at once: the chosen one, all of them, and what comparing them takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from dpcore.deployments import (
    FORMULAS,
    Basis,
    Converted,
    Deployment,
    adding_up,
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
from ui.pictures.columns import Numbers, columns_of, side_by_side, single
from ui.pictures.marks import Axis, Dots, Joins, Panel, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Badges, Table, table_of
from ui.views.deployments.choices import (
    ANY,
    FORMULA_NAMES,
    HOUSING,
    NAMES,
    PERSONS,
    SHORT,
    UNIT_KINDS,
    DeploymentsInputs,
    in_order,
)
from ui.views.shared.belief_before import as_printed, told
from ui.views.shared.promise import PageAnswer, StatedBelief
from ui.views.shared.published_budgets import (
    RELATION_NAMES,
    as_published,
    at_most,
    guess_words,
    spent_words,
    stated,
    told_at,
    trust,
)
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, how_often, people_told_of, percent, plain_number
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Quantity, Spoken, Upper, claimed, number, number_named, of_times, share
from ui.words.refusals import refusal_sentence


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
        conversion = converted(entry, delta=inputs.delta, formula=inputs.formula)
        as_told = told_at(entry, inputs.delta) and not style.technical
        rows.append(
            (
                f"{entry.name} ({entry.organisation}, {entry.year})",
                Badges((entry.protected_unit, stated(entry), model, entry.sector)),
                guess_words(meaning, style, central=entry.model == "central"),
                _limit_words(meaning, style),
                f"{RELATION_NAMES[entry.relation]} ({entry.relation_confidence}): {entry.relation_evidence}",
                label("deployments", "covers", unit=entry.unit_as_defined, period=entry.period),
                as_published(entry),
                label("deployments", "listing.published") if as_told else converted_words(conversion),
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


SURE = 1e-5  # a guess that fails more rarely is drawn at the edge
MIDDLE = 300  # odds; to the left of them a name has room on the right


def guesses_picture(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    context: dict[str, Any],
    style: Style,
    case_guess: Bound | None,
) -> Picture:
    """Every budget at the chance of a right guess: circles where promised, diamonds where under one relation only."""

    def odds(guess: float) -> float:
        return guess / max(1 - guess, SURE)

    promised, conditional, words, guesses = [], [], [], []
    for entry in entries:
        meaning = meanings[entry.name]
        place = math.nan if meaning.right_guess is None else odds(meaning.right_guess.value)
        promised.append(math.nan if meaning.conditional else place)
        conditional.append(place if meaning.conditional else math.nan)
        guesses.append(guess_words(meaning, style, central=entry.model == "central"))
        words.append(
            f"{entry.name}, {entry.year}\n{entry.protected_unit}; {RELATION_NAMES[entry.relation]} "
            f"({entry.relation_confidence})\n{guesses[-1]}"
        )
    least = max(inputs.prior, 1 - inputs.prior)
    shown = [guess for guess in (0.5, 0.9, 0.999, 1 - SURE) if guess >= least - 1e-9]
    reading = say("deployments", style.voice, "reading_guesses", **context)
    silent = sum(meanings[entry.name].right_guess is None for entry in entries)
    if silent:
        reading += " " + say("deployments", style.voice, "without_dot", silent=str(silent))
    belief = style.belief
    column = columns_of("deployments", "guesses")
    of_odds = {part: label("deployments", f"guesses.promised.{part}") for part in ("quantity", "aspect")}
    rows = side_by_side(
        column("what", [entry.name for entry in entries]),
        column("short", [SHORT.get(entry.name, entry.name) for entry in entries], listed=False),
        column("kind", [entry.unit_kind for entry in entries], listed=False),
        column("unit", [entry.protected_unit for entry in entries]),
        column("relation", [RELATION_NAMES[entry.relation] for entry in entries]),
        column("confidence", [entry.relation_confidence for entry in entries]),
        column(
            "secret", [label("deployments", f"of.{meanings[entry.name].protection.secret.value}") for entry in entries]
        ),
        column("guess", guesses),
        column("gaussian", ["" if (at := meanings[entry.name].gaussian) is None else belief(at) for entry in entries]),
        column("promised", promised, listed=False),
        column("conditional", conditional, listed=False, **of_odds),
        column("words", words, listed=False),
        column("chosen", [entry == chosen for entry in entries], listed=False),
    )
    of_case, of_line = [], []
    if case_guess is not None:
        at = odds(case_guess.value)
        of_case.append(side_by_side(single("case", context["case"], at, quantity=of_odds["quantity"])))
        of_line.append(Upright(x="case", role="accent", at=1.0, beside="left" if at < MIDDLE else "right"))
    drawn = len(entries) + len({entry.unit_kind for entry in entries})
    ticks = tuple((odds(guess), f"{100 * guess:.10g}") for guess in shown)
    dots = partial(Dots, y="short", chosen="chosen", words="words")
    return Picture(
        key="deployments-guesses",
        numbers=Numbers(label("deployments", "guesses.caption", **context), (rows, *of_case)),
        marks=(
            Joins(start="promised", end="conditional", y="short"),
            dots(x="promised"),
            dots(x="conditional", role="reach", symbol="diamond-open"),
            *of_line,
        ),
        panels=(
            Panel(
                x=Axis(log=True, ticks=ticks, above=True, range=(0.6 * odds(least), 2 / SURE)),
                y=Axis(rows=True, groups="kind", chosen="chosen"),
            ),
        ),
        reading=reading,
        style=style,
        legend="below" if any(meanings[entry.name].conditional for entry in entries) else "",
        height=(15 if drawn > 24 else 22) * drawn + 74,
    )


EXAMPLE = Case()


@dataclass(frozen=True, kw_only=True)
class DeploymentsView(PageAnswer):
    """Everything the page shows."""

    covered: str = ""
    entries: tuple[Deployment, ...] = ()
    conversion: Converted | None = None
    meaning: Meaning | None = None
    not_ranked: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    guesses: Picture | None = None
    listing: Table | None = None


def deployments_view(inputs: DeploymentsInputs, style: Style, case: Case = EXAMPLE) -> DeploymentsView:
    """The page for these choices, beside the budget of the case."""
    inputs, style = as_printed(replace(inputs, secret=kind_of_secret(inputs.secret).value), style)
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
        return DeploymentsView(refusal=refusal_sentence(error))
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
    often = decimal_belief if style.technical else how_often
    alone = max(inputs.prior, 1 - inputs.prior)
    beside: Spoken = often  # in the sentence, a guess without the release is told out of as many times as one with it
    right = None if meaning.right_guess is None else claimed(meaning.right_guess, Scope.ANY_MECHANISM, often)
    if right is not None and not style.technical:
        of = people_told_of(right.value, right.direction)
        beside = of_times(of if of <= 10_000 else 100)  # one that fails more rarely is nearly always right
        right = replace(right, spoken=beside)
    formula = FORMULAS[inputs.formula]
    work, place = formula.citation.split(", ")
    held = meaning.protection
    steps = held.promise.steps if held.promise is not None else 1
    unread = held.basis in (Basis.SAFE_FOR_BOTH, Basis.ASSUMED, Basis.ONLY_IF_ADDED_OR_REMOVED)
    return {
        "secret": say("deployments", style.voice, f"secret_{held.secret.value}"),
        "asked": say("deployments", style.voice, f"secret_{inputs.secret}"),  # a local budget is about the answer
        "as_told": told_at(chosen, inputs.delta) and not style.technical,
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
        "prior": told(inputs.prior, style, typed=True).words,
        "alone": Upper(alone, often).digits,
        "without": Upper(alone, beside).digits,
        "right": "" if right is None else right,
        "gaussian": "" if meaning.gaussian is None else often(meaning.gaussian),
        "posterior": "" if meaning.posterior is None else claimed(meaning.posterior, Scope.ANY_MECHANISM, style.belief),
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
    """The numbers of the card, each with what it holds for; in the plain voice one ε of one δ."""

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
    if context["as_told"]:
        return tuple(found)
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
                claimed(meaning.posterior, Scope.ANY_MECHANISM, style.belief),
                promise,
                guarantee_of(entry, promise.relation),
                printed=entry is chosen,
                before=told(inputs.prior, style, typed=True).words,
            )
        )
    return tuple(found)
