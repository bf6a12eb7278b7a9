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
    converted,
    deployment,
    guarantee_of,
    matching,
    published,
    right_guess,
)
from dpcore.guarantees import Relation
from dpcore.scope import Bound, Scope
from dpcore.sources import WORKS
from riskline.answers import case_budget
from riskline.answers.published import Meaning, meaning_of, place_of
from riskline.case.promise import kind_of_secret
from riskline.case.value import Case
from ui.pictures.columns import columns_of, side_by_side, single
from ui.pictures.marks import Axis, Dots, Joins, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Badges, Table, table_of
from ui.views.deployments.choices import (
    ANY,
    FORMULA_NAMES,
    NAMES,
    SHORT,
    UNIT_KINDS,
    DeploymentsInputs,
    in_order,
)
from ui.views.deployments.ran import as_run_words, census_facts, ran_words
from ui.views.shared.belief_before import as_printed, told
from ui.views.shared.promise import PageAnswer, StatedBelief
from ui.views.shared.published_budgets import (
    RELATION_NAMES,
    as_published,
    case_words,
    comparable_with_case,
    compared,
    converted_words,
    guess_in_case,
    guess_words,
    guessed_words,
    limit_words,
    spent_words,
    stated,
    told_alike,
    told_at,
    trust,
)
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, decimal_belief, how_often, people_told_of, plain_number
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Quantity, Spoken, Upper, claimed, of_times
from ui.words.refusals import refusal_sentence


def listing(
    inputs: DeploymentsInputs,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    units: dict[str, str],
    style: Style,
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
                Badges((units[entry.name], stated(entry), model, entry.sector)),
                guess_words(meaning, style, central=entry.model == "central"),
                limit_words(meaning, style),
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


SURE = 1e-5  # a guess that fails more rarely is drawn at the edge
MIDDLE = 300  # odds; to the left of them a name has room on the right


def guesses_picture(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    units: dict[str, str],
    context: dict[str, Any],
    style: Style,
    case_guess: Bound | None,
) -> Picture:
    """Every budget at the chance of a right guess: circles where promised, diamonds where under one relation only."""

    def odds(guess: float) -> float:
        return guess / max(1 - guess, SURE)

    promised, conditional, words, guesses, gaussian = [], [], [], [], []
    for entry in entries:
        meaning = meanings[entry.name]
        place = math.nan if meaning.right_guess is None else odds(meaning.right_guess.value)
        promised.append(math.nan if meaning.conditional else place)
        conditional.append(place if meaning.conditional else math.nan)
        guesses.append(guess_words(meaning, style, central=entry.model == "central"))
        at = meaning.gaussian
        gaussian.append("" if at is None else told_alike(meaning, style)(at, NEAREST))
        words.append(
            f"{entry.name}, {entry.year}\n{units[entry.name]}; {RELATION_NAMES[entry.relation]} "
            f"({entry.relation_confidence})\n{guesses[-1]}"
        )
    least = max(inputs.prior, 1 - inputs.prior)
    shown = [guess for guess in (0.5, 0.9, 0.999, 1 - SURE) if guess >= least - 1e-9]
    reading = say("deployments", style.voice, "reading_guesses", **context)
    silent = sum(meanings[entry.name].right_guess is None for entry in entries)
    if silent:
        reading += " " + say("deployments", style.voice, "without_dot", silent=str(silent))
    column = columns_of("deployments", "guesses")
    of_odds = {part: label("deployments", f"guesses.promised.{part}") for part in ("quantity", "aspect")}
    rows = side_by_side(
        column("what", [entry.name for entry in entries]),
        column("short", [SHORT.get(entry.name, entry.name) for entry in entries], listed=False),
        column("kind", [entry.unit_kind for entry in entries], listed=False),
        column("unit", [units[entry.name] for entry in entries]),
        column("relation", [RELATION_NAMES[entry.relation] for entry in entries]),
        column("confidence", [entry.relation_confidence for entry in entries]),
        column(
            "secret", [label("deployments", f"of.{meanings[entry.name].protection.secret.value}") for entry in entries]
        ),
        column("guess", guesses),
        column("gaussian", gaussian),
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
    joins = Joins(start="promised", end="conditional", y="short")
    under_one = dots(x="conditional", role="reach", symbol="diamond-open")
    return Picture.of(
        "deployments-guesses",
        (rows, *of_case),
        (joins, dots(x="promised"), under_one, *of_line),
        reading=reading,
        caption=label("deployments", "guesses.caption", **context),
        x=Axis(log=True, ticks=ticks, above=True, range=(0.6 * odds(least), 2 / SURE)),
        y=Axis(rows=True, groups="kind", chosen="chosen"),
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
    about_chosen: str = ""
    """What the chosen budget lets somebody guess, where the answer is about the case."""


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
        asked = case, inputs.secret, inputs.prior
        case_guess, alike = guess_in_case(*asked), comparable_with_case(*asked)
        if alike and not inputs.every:
            kept = tuple(entry for entry in kept if entry in {one.entry for one in alike})
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
    meanings |= {one.entry.name: one.meaning for one in alike}  # of as many units as are the reader's
    units = {entry.name: entry.protected_unit for entry in entries}
    units |= {one.entry.name: one.unit_words for one in alike}
    context = release_facts(inputs, chosen, entries, conversion, meaning, style)
    context["case"] = case_words(case)
    context["guessed"] = guessed_words(meaning, inputs.prior, context, style)
    about_chosen = say("deployments", style.voice, f"answer_{meaning.case}", **context)
    printed = say("deployments", style.voice, f"small_print_{meaning.case}", **context)
    ours, under = "", printed
    if alike and case_guess is not None:
        even = inputs.prior == 0.5
        guess = claimed(case_guess, Scope.ANY_MECHANISM, decimal_belief if style.technical else how_often)
        ours = compared(guess, place_of(case_guess, alike), "" if even else context["prior"])
        under = _small_print_of_case(case, inputs, context, style)
    elif not case.is_example and case_budget(case) is None:
        ours, under = label("deployments", "nothing_to_compare"), label("deployments", "draw_first")
    census = census_facts()
    ran = as_run_words(chosen, style)
    for_experts = ("computed", context), ("formulas", census), ("lesson", census), ("production", census)
    return DeploymentsView(
        answer=ours or about_chosen,
        small_print=under,
        about_chosen=about_chosen if ours else "",
        covered=" ".join(([printed] if ours else []) + [say("deployments", style.voice, "covered", **context), *ran]),
        entries=entries,
        conversion=conversion,
        meaning=meaning,
        not_ranked=not_ranked,
        numbers=numbers_of(conversion, meaning, context, case_guess, style, prior=inputs.prior, own=bool(ours)),
        guesses=guesses_picture(inputs, chosen, entries, meanings, units, context, style, case_guess),
        listing=listing(inputs, entries, meanings, units, style),
        computed="\n\n".join(say("deployments", "technical", name, **words) for name, words in for_experts),
        stated=_stated_beliefs(inputs, chosen, entries, meanings | {chosen.name: meaning}, style),
        python=_in_python(inputs, chosen, meaning, context["right"]),
    )


def _in_python(inputs: DeploymentsInputs, chosen: Deployment, meaning: Meaning, right: Quantity) -> CodeLines | None:
    """The lines for the chance of a right guess; none where nothing is promised about the secret."""
    if meaning.right_guess is None:
        return None
    code = CodeWriter()
    assuming = {"assuming": Relation.ADD_OR_REMOVE.value} if meaning.conditional else {}
    entry = code.let("entry", code(deployment, chosen.name))
    return code.ending(code(right_guess, entry, secret=inputs.secret, prior=inputs.prior, **assuming), right)


def _small_print_of_case(case: Case, inputs: DeploymentsInputs, context: dict[str, Any], style: Style) -> str:
    """Against whom and under which change the guess of the case is limited."""
    promise = case.with_choices(secret=inputs.secret).promise
    steps = "" if promise.steps == 1 else " " + say("deployments", style.voice, "steps", steps=f"{promise.steps}")
    words = context | {"relation": RELATION_NAMES[promise.relation], "confidence": context["case"], "steps": steps}
    return say("deployments", style.voice, "small_print_promised", **words)


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
    alone, limit = max(inputs.prior, 1 - inputs.prior), meaning.posterior
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
        "ran": ran_words(chosen, inputs, meaning, style),
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
        "posterior": "" if limit is None else claimed(limit, Scope.ANY_MECHANISM, told_alike(meaning, style)),
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


def numbers_of(
    conversion: Converted,
    meaning: Meaning,
    context: dict[str, Any],
    case_guess: Bound | None,
    style: Style,
    *,
    prior: float,
    own: bool,
) -> tuple[tuple[str, str, str], ...]:
    """The numbers of the card, each with what it holds for; in the plain voice one ε of one δ."""

    def words(name: str) -> str:
        return label("deployments", f"card.{name}", **context)

    found = []
    if own and case_guess is None:
        found.append((words("case"), "–", ""))
    if case_guess is not None:
        spoken = decimal_belief if style.technical else how_often
        guess = claimed(case_guess, Scope.ANY_MECHANISM, spoken).digits
        found.append((words("case"), guess, words("case.held")))
    if meaning.gaussian is not None:
        found.append((words("gaussian"), context["gaussian"], words("gaussian.held")))
    if meaning.posterior is not None:
        reached = context["posterior"]
        before = context["prior"] if style.technical else reached.spoken(prior, NEAREST)
        held = label("deployments", "card.posterior.held", prior=before)
        found.append((words("posterior"), reached.digits, held))
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
                claimed(meaning.posterior, Scope.ANY_MECHANISM, told_alike(meaning, style)),
                promise,
                guarantee_of(entry, promise.relation),
                printed=entry is chosen,
                before=told(inputs.prior, style, typed=True).words,
            )
        )
    return tuple(found)
