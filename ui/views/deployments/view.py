"""The page of published budgets at once: the chosen one, all of them, and what comparing them takes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from dpcore import deployments
from dpcore._properties import cached_property
from dpcore.deployments import Basis, Converted, Deployment
from dpcore.guarantees import Relation
from dpcore.mechanisms import Curve
from dpcore.promise import Promise, Secret
from dpcore.scope import Bound, Scope
from dpcore.sources import WORKS
from dpcore.tradeoff import trade_off_of_secret
from riskline.answers import case_budget
from riskline.answers.evidence import Evidence
from riskline.answers.published import Meaning, meaning_of, place_of
from riskline.case.promise import kind_of_secret
from riskline.case.value import EXAMPLE, Case
from riskline.registry import deployment_of, differences
from ui.pictures.columns import columns_of, side_by_side, single
from ui.pictures.marks import Axis, Dots, Joins, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Badges, Table, table_of
from ui.views.deployments.choices import ANY, FORMULA_NAMES, NAMES, SHORT, UNIT_KINDS, DeploymentsInputs, in_order
from ui.views.deployments.ran import as_run_words, census_facts, ran_words
from ui.views.shared import published_budgets as budgets
from ui.views.shared.belief_before import as_printed, told
from ui.views.shared.own_mechanism import NOTHING, curve_in_words, is_long
from ui.views.shared.promise import PageAnswer, PageInMaking, StatedBelief, refusing
from ui.words.catalogue import label, option_words, say
from ui.words.phrasing import NEAREST, capitalised, decimal_belief, how_often, people_for, people_told_of, plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Quantity, Spoken, Upper, claimed, in_people, of_times


@dataclass(frozen=True)
class Beside:
    """A mechanism in words, and how often a guess is right at most after whatever is computed from it."""

    words: str
    guess: Bound
    curve: Curve


def mechanism_beside(inputs: DeploymentsInputs, voice: str, own: Curve | None) -> Beside | str:
    """The mechanism that is chosen, of one person's record; or why nothing is said of it, nothing where none is."""
    if inputs.also == NOTHING:
        return ""
    curve, secret = inputs.curve_of(inputs.also, own), Secret(inputs.secret)
    if curve is None:
        return label("explain", "refused.no_file")
    if curve.is_estimate:
        return label("deployments", "also.estimate")
    if curve.is_local and secret is Secret.PRESENCE:
        return label("plan", "given_visibly")
    if curve.is_local:
        promise = Promise(secret=Secret.ANSWER, relation=Relation.REPLACE)
    else:
        promise = Promise(secret=secret, relation=curve.relation or Relation.ADD_OR_REMOVE)
    found = Evidence(promise=promise, source=curve).right_guess(inputs.prior, Scope.ANY_MECHANISM)
    return Beside(curve_in_words(inputs.also, curve, voice), found, curve)


@dataclass(frozen=True)
class Listed(PageInMaking):
    """The chosen budget, as it is asked about, among those that are listed, on the way to words and pictures."""

    page = "deployments"
    inputs: DeploymentsInputs
    chosen: Deployment
    conversion: Converted
    meaning: Meaning
    entries: tuple[Deployment, ...] = ()
    meanings: Mapping[str, Meaning] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    case: Case = EXAMPLE
    case_guess: Bound | None = None
    also: Beside | None = None

    @property
    def often(self) -> Spoken:
        """How this voice says a chance."""
        return decimal_belief if self.style.technical else how_often

    @property
    def before(self) -> str:
        """The belief before as it is printed."""
        return told(self.inputs.prior, self.style, typed=True).words

    def guess(self, entry: Deployment) -> str:
        """The chance of a right guess after a budget of the list, or why there is none."""
        return budgets.guess_words(self.meanings[entry.name], self.alike, central=entry.model == "central")

    @cached_property
    def alike(self) -> Spoken:
        """How beliefs and chances are told in a column: all budgets of the list out of one number of people."""
        return budgets.told_alike(self.style, *(self.meanings[entry.name] for entry in self.entries))

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage about the chosen budget may use."""
        inputs, chosen, meaning, style, often = self.inputs, self.chosen, self.meaning, self.style, self.often
        alone, limit, alike = max(inputs.prior, 1 - inputs.prior), meaning.posterior, budgets.told_alike(style, meaning)
        nothing = label("deployments", "spent.nothing")
        beside = often  # in the sentence, a guess without the release is told out of as many times as one with it
        right = None if meaning.right_guess is None else claimed(meaning.right_guess, Scope.ANY_MECHANISM, often)
        if right is not None and not style.technical:
            of = people_told_of(right.value, right.direction)
            beside = of_times(of if of <= 10_000 else 100)  # one that fails more rarely is nearly always right
            right = replace(right, spoken=beside)
        formula = deployments.FORMULAS[inputs.formula]
        work, place = formula.citation.split(", ")
        held = meaning.protection
        steps = held.promise.steps if held.promise is not None else 1
        unread = held.basis in (Basis.SAFE_FOR_BOTH, Basis.ASSUMED, Basis.ONLY_IF_ADDED_OR_REMOVED)
        words = {
            "case": budgets.case_words(self.case),
            "secret": self.say(f"secret_{held.secret.value}"),
            "as_told": budgets.told_at(chosen, inputs.delta) and not style.technical,
            "relation": budgets.RELATION_NAMES[chosen.relation],
            "confidence": chosen.relation_confidence,
            "steps": "" if steps == 1 else " " + self.say("steps", steps=f"{steps}"),
            "reason": held.reason,
            "because": f" {capitalised(held.reason)}." if unread else "",
            "spent": nothing if held.guarantee is None else budgets.spent_words(held.guarantee),
            "unit": chosen.protected_unit,
            "defined": chosen.unit_as_defined,
            "period": chosen.period,
            "ran": ran_words(chosen, inputs, meaning, style),
            "release": chosen.name,
            "year": str(chosen.year),
            "published": budgets.as_published(chosen),
            "model": say("deployments", "technical", f"model_{chosen.model}"),
            "prior": self.before,
            "alone": Upper(alone, often).digits,
            "without": Upper(alone, beside).digits,
            "right": "" if right is None else right,
            "gaussian": "" if meaning.gaussian is None else often(meaning.gaussian, NEAREST),
            "posterior": "" if limit is None else claimed(limit, Scope.ANY_MECHANISM, alike),
            "converted": budgets.converted_words(self.conversion),
            "delta": plain_number(inputs.delta),
            "formula": formula.statement,
            "formula_name": FORMULA_NAMES[inputs.formula],
            "citation": f"{WORKS[work].authors}, {place}",
            "source": chosen.source,
            "checked": chosen.verification,
            "shown": f"{len(self.entries)}",
            "all": f"{len(deployments.published())}",
            "units": label("deployments", "units", n=len({entry.unit_kind for entry in self.entries})),
        }
        return words | {"guessed": budgets.guessed_words(meaning, inputs.prior, words, style)}


def listing(listed: Listed) -> Table:
    """Every budget that was asked for, with its unit, its relation and what a guess achieves."""
    inputs, style, rows = listed.inputs, listed.style, []
    for entry in listed.entries:
        model = label("deployments", "badge.model", model=budgets.trust(entry))
        conversion = deployments.converted(entry, delta=inputs.delta, formula=inputs.formula)
        as_told = budgets.told_at(entry, inputs.delta) and not style.technical
        rows.append(
            (
                f"{entry.name} ({entry.organisation}, {entry.year})",
                Badges((listed.units[entry.name], budgets.stated(entry), model, entry.sector)),
                listed.guess(entry),
                budgets.limit_words(listed.meanings[entry.name], listed.alike),
                f"{budgets.RELATION_NAMES[entry.relation]} ({entry.relation_confidence}): {entry.relation_evidence}",
                label("deployments", "covers", unit=entry.unit_as_defined, period=entry.period),
                budgets.as_published(entry),
                label("deployments", "listing.published") if as_told else budgets.converted_words(conversion),
                f"{entry.source}; {entry.verification}",
            )
        )
    return table_of(
        "deployments",
        "listing",
        rows,
        before=listed.before,
        secret=label("deployments", f"of.{inputs.secret}"),
        delta=plain_number(inputs.delta),
        formula=FORMULA_NAMES[inputs.formula],
    )


SURE = 1e-5  # a guess that fails more rarely is drawn at the edge
MIDDLE = 300  # odds; to the left of them a name has room on the right


def guesses_picture(listed: Listed) -> Picture:
    """Every budget at the chance of a right guess: circles where promised, diamonds where under one relation only."""

    def odds(guess: float) -> float:
        return guess / max(1 - guess, SURE)

    entries, meanings, units, context = listed.entries, listed.meanings, listed.units, listed.context
    found = [meanings[entry.name] for entry in entries]
    gaussian = ["" if one.gaussian is None else listed.alike(one.gaussian, NEAREST) for one in found]
    places = [math.nan if meaning.right_guess is None else odds(meaning.right_guess.value) for meaning in found]
    conditional = [place if meaning.conditional else math.nan for meaning, place in zip(found, places, strict=True)]
    promised = [math.nan if meaning.conditional else place for meaning, place in zip(found, places, strict=True)]
    guesses = [listed.guess(entry) for entry in entries]
    words = [
        f"{entry.name}, {entry.year}\n{units[entry.name]}; {budgets.RELATION_NAMES[entry.relation]} "
        f"({entry.relation_confidence})\n{guess}"
        for entry, guess in zip(entries, guesses, strict=True)
    ]
    least = max(listed.inputs.prior, 1 - listed.inputs.prior)
    shown = [guess for guess in (0.5, 0.9, 0.999, 1 - SURE) if guess >= least - 1e-9]
    reading = listed.say("reading_guesses", **context)
    silent = sum(meaning.right_guess is None for meaning in found)
    if silent:
        reading += " " + listed.say("without_dot", silent=str(silent))
    column = columns_of("deployments", "guesses")
    of_odds = {part: label("deployments", f"guesses.promised.{part}") for part in ("quantity", "aspect")}
    rows = side_by_side(
        column("what", [entry.name for entry in entries]),
        column("short", [SHORT.get(entry.name, entry.name) for entry in entries], listed=False),
        column("kind", [entry.unit_kind for entry in entries], listed=False),
        column("unit", [units[entry.name] for entry in entries]),
        column("relation", [budgets.RELATION_NAMES[entry.relation] for entry in entries]),
        column("confidence", [entry.relation_confidence for entry in entries]),
        column("secret", [label("deployments", f"of.{meaning.protection.secret.value}") for meaning in found]),
        column("guess", guesses),
        column("gaussian", gaussian),
        column("promised", promised, listed=False),
        column("conditional", conditional, listed=False, **of_odds),
        column("words", words, listed=False),
        column("chosen", [entry == listed.chosen for entry in entries], listed=False),
    )
    of_case, of_line = [], []
    if listed.case_guess is not None:
        at = odds(listed.case_guess.value)
        of_case.append(side_by_side(single("case", context["case"], at, quantity=of_odds["quantity"])))
        of_line.append(Upright(x="case", role="accent", at=1.0, beside="left" if at < MIDDLE else "right"))
    if listed.also is not None:
        at = odds(listed.also.guess.value)
        reading += f" {label('deployments', 'also.line', also=listed.also.words)}"
        of_case.append(side_by_side(single("also", listed.also.words, at, quantity=of_odds["quantity"])))
        of_line.append(Upright(x="also", role="fourth", dash="dash", labelled=False))
    drawn = len(entries) + len({entry.unit_kind for entry in entries})
    ticks = tuple((odds(guess), f"{100 * guess:.10g}") for guess in shown)
    dots = partial(Dots, y="short", chosen="chosen", words="words")
    under_one = dots(x="conditional", role="reach", symbol="diamond-open")
    return Picture.of(
        "deployments-guesses",
        (rows, *of_case),
        (Joins(start="promised", end="conditional", y="short"), dots(x="promised"), under_one, *of_line),
        reading=reading,
        caption=label("deployments", "guesses.caption", **context),
        x=Axis(log=True, ticks=ticks, above=True, range=(0.6 * odds(least), 2 / SURE)),
        y=Axis(rows=True, groups="kind", chosen="chosen"),
        style=listed.style,
        legend="below" if any(meaning.conditional for meaning in found) else "",
        height=(15 if drawn > 24 else 22) * drawn + 74,
    )


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
    about_record: str = ""
    beside_record: Table | None = None
    about_mechanism: str = ""
    """What a mechanism of the reader's own lets somebody guess, or why that is not said."""


@refusing(DeploymentsView, "deployments")
def deployments_view(
    inputs: DeploymentsInputs,
    style: Style,
    case: Case = EXAMPLE,
    record: Mapping[str, Any] | None = None,
    own: Curve | None = None,
) -> DeploymentsView:
    """The page for these choices, beside the budget of the case, that of a register's record, and a mechanism."""
    inputs, style = as_printed(replace(inputs, secret=kind_of_secret(inputs.secret).value), style)
    wanted = {"definition": inputs.definition, "sector": inputs.sector, "relation": inputs.change}
    only = {name: value for name, value in wanted.items() if value != ANY}
    kept = deployments.matching(unit_kind=UNIT_KINDS.get(inputs.unit), **only)
    asked = case, inputs.secret, inputs.prior
    case_guess, alike = budgets.guess_in_case(*asked), budgets.comparable_with_case(*asked)
    if alike and not inputs.every:
        kept = tuple(entry for entry in kept if entry in {one.entry for one in alike})
    if not kept:
        raise ValueError(label("deployments", "none_left"))
    chosen = deployments.deployment(NAMES[inputs.chosen])
    filed = None if record is None else deployment_of(record, inputs.read_as)
    if filed is not None:  # told apart from a built-in one of the same name
        name = label("deployments", "record.name", name=" ".join(filed.name.replace("*", "").split()))
        filed = replace(filed, name=name)
        kept = (*kept, filed)
    entries, not_ranked = in_order(kept, inputs)
    conversion = deployments.converted(chosen, delta=inputs.delta, formula=inputs.formula)
    meanings = {entry.name: meaning_of(entry, secret=inputs.secret, prior=inputs.prior) for entry in (*entries, chosen)}
    meaning = meanings[chosen.name]
    meanings |= {one.entry.name: one.meaning for one in alike}  # of as many units as are the reader's
    units = {entry.name: entry.protected_unit for entry in entries}
    units |= {one.entry.name: one.unit_words for one in alike}
    beside = mechanism_beside(inputs, style.voice, own)
    also = beside if isinstance(beside, Beside) else None
    listed = Listed(inputs, style, chosen, conversion, meaning, entries, meanings, units, case, case_guess, also)
    context = listed.context
    about_chosen = listed.say(f"answer_{meaning.case}", **context)
    printed = listed.say(f"small_print_{meaning.case}", **context)
    ours, under = "", printed
    if alike and case_guess is not None:
        guess = claimed(case_guess, Scope.ANY_MECHANISM, listed.often)
        ours = budgets.compared(guess, place_of(case_guess, alike), "" if inputs.prior == 0.5 else context["prior"])
        under = _small_print_of_case(listed)
    elif not case.is_example and case_budget(case) is None:
        ours, under = label("deployments", "nothing_to_compare"), label("deployments", "draw_first")
    census = census_facts()
    covered = [printed] if ours else []
    for_experts = ("computed", context), ("formulas", census), ("lesson", census), ("production", census)
    return DeploymentsView(
        answer=ours or about_chosen,
        small_print=under,
        about_chosen=about_chosen if ours else "",
        about_record="" if filed is None else _about(replace(listed, chosen=filed, meaning=meanings[filed.name])),
        beside_record=None if filed is None else _beside(filed, chosen),
        about_mechanism=_about_mechanism(listed) if isinstance(beside, Beside) else beside,
        covered=" ".join([*covered, listed.say("covered", **context), *as_run_words(chosen, style)]),
        entries=entries,
        conversion=conversion,
        meaning=meaning,
        not_ranked=not_ranked,
        numbers=numbers_of(listed, own=bool(ours)),
        guesses=guesses_picture(listed),
        listing=listing(listed),
        computed="\n\n".join(say("deployments", "technical", name, **words) for name, words in for_experts),
        stated=_stated_beliefs(listed),
        python=_in_python(listed),
    )


def _about(listed: Listed) -> str:
    """What the budget of a record lets somebody guess, and for which changes that holds."""
    listed = replace(listed, conversion=deployments.converted(listed.chosen, delta=listed.inputs.delta))
    case = listed.meaning.case
    return " ".join(listed.say(f"{name}_{case}", **listed.context) for name in ("answer", "small_print"))


def _right_after(listed: Listed) -> Quantity:
    """How often a guess is right at most after the reader's own mechanism."""
    assert listed.also is not None
    people = in_people(people_for(listed.also.guess.value, of=listed.style.of))
    return claimed(listed.also.guess, Scope.ANY_MECHANISM, decimal_belief if listed.style.technical else people)


def _about_mechanism(listed: Listed) -> str:
    """The same in a sentence, and for which change that holds."""
    assert listed.also is not None
    promise, alone = listed.also.guess.promise, max(listed.inputs.prior, 1 - listed.inputs.prior)
    relation, right = budgets.RELATION_NAMES[promise.relation], _right_after(listed)
    words = {
        "also": capitalised(listed.also.words),
        "secret": listed.say(f"secret_{promise.secret.value}"),
        "right": right,
        "without": Upper(alone, right.spoken).digits,
        "relation": relation if listed.also.curve.relation else label("deployments", "also.assumed", change=relation),
        "steps": "" if promise.steps == 1 else " " + listed.say("steps", steps=f"{promise.steps}"),
    }
    return listed.say("about_mechanism", **words)


def _beside(filed: Deployment, chosen: Deployment) -> Table | None:
    """What a record and the chosen entry say differently; nothing where they say the same."""
    named = {"relation": budgets.RELATION_NAMES, "definition": option_words("deployments", "definition")}
    rows = [
        (label("deployments", f"fact.{name}"), *(named.get(name, {}).get(words, words) for words in told))
        for name, *told in differences(filed, chosen)
    ]
    return table_of("deployments", "beside_record", rows, chosen=chosen.name) if rows else None


def _in_python(listed: Listed) -> CodeLines | None:
    """The lines for the chance of a right guess, of a mechanism beside the list or else of the chosen budget.

    None where nothing is promised about the secret, and for a file of more points than somebody would read.
    """
    code, inputs, also = CodeWriter(), listed.inputs, listed.also
    if also is not None and is_long(also.curve):
        return None
    if also is not None:
        tests = code.let("tests", code(trade_off_of_secret, code.let("mechanism", also.curve), also.guess.promise))
        return code.ending(Source(f"{tests}.right_guess(prior={inputs.prior!r})"), _right_after(listed))
    if listed.meaning.right_guess is None:
        return None
    assuming = {"assuming": Relation.ADD_OR_REMOVE.value} if listed.meaning.conditional else {}
    entry = code.let("entry", code(deployments.deployment, listed.chosen.name))
    asked = code(deployments.right_guess, entry, secret=inputs.secret, prior=inputs.prior, **assuming)
    return code.ending(asked, listed.context["right"])


def _small_print_of_case(listed: Listed) -> str:
    """Against whom and under which change the guess of the case is limited."""
    promise, context = listed.case.with_choices(secret=listed.inputs.secret).promise, listed.context
    words = context | {
        "relation": budgets.RELATION_NAMES[promise.relation],
        "confidence": context["case"],
        "steps": "" if promise.steps == 1 else " " + listed.say("steps", steps=f"{promise.steps}"),
    }
    return listed.say("small_print_promised", **words)


def numbers_of(listed: Listed, *, own: bool) -> tuple[tuple[str, str, str], ...]:
    """The numbers of the card, each with what it holds for; in the plain voice one ε of one δ."""
    meaning, context, conversion = listed.meaning, listed.context, listed.conversion

    def words(name: str) -> str:
        return label("deployments", f"card.{name}", **context)

    found = []
    if own and listed.case_guess is None:
        found.append((words("case"), "–", ""))
    if listed.case_guess is not None:
        guess = claimed(listed.case_guess, Scope.ANY_MECHANISM, listed.often).digits
        found.append((words("case"), guess, words("case.held")))
    if meaning.gaussian is not None:
        found.append((words("gaussian"), context["gaussian"], words("gaussian.held")))
    if meaning.posterior is not None:
        reached = context["posterior"]
        before = context["prior"] if listed.style.technical else reached.spoken(listed.inputs.prior, NEAREST)
        found.append((words("posterior"), reached.digits, label("deployments", "card.posterior.held", prior=before)))
    elif meaning.right_guess is not None:
        found.append((words("posterior"), words("posterior.none"), words("posterior.rare")))
    found.append((words("published"), context["published"], ""))
    if context["as_told"]:
        return tuple(found)
    formula = FORMULA_NAMES.get(conversion.formula, words("converted.no_formula"))
    value = "–" if conversion.epsilon is None else context["converted"]
    found.append((words("converted"), value, conversion.reason or f"δ = {context['delta']}; {formula}"))
    return tuple(found)


def _stated_beliefs(listed: Listed) -> tuple[StatedBelief, ...]:
    """The highest belief after each budget that has one: on the card for the chosen one, in the list for the others."""
    chosen, prior, found = listed.chosen, listed.inputs.prior, []
    for entry in dict.fromkeys((chosen, *listed.entries)):
        meaning = listed.meaning if entry == chosen else listed.meanings[entry.name]
        promise = meaning.protection.promise
        if meaning.posterior is not None and promise is not None and 0 < prior < 1:
            said = claimed(meaning.posterior, Scope.ANY_MECHANISM, budgets.told_alike(listed.style, meaning))
            source, shown = deployments.guarantee_of(entry, promise.relation), entry is chosen
            found.append(StatedBelief(prior, said, promise, source, printed=shown, before=listed.before))
    return tuple(found)
