"""Published budgets: what a guess achieves after each, about which secret, and why bare budgets are not ranked."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.deployments import (
    DEFINITIONS,
    FORMULAS,
    RELATIONS,
    SECTORS,
    AddingUp,
    Converted,
    Deployment,
    ProductionBudget,
    UnlikeDeployments,
    adding_up,
    converted,
    deployment,
    formula_fits,
    guarantee_of,
    matching,
    production_budgets,
    published,
    ranked_by_budget,
    right_guess,
    secret_trade_off,
)
from dpcore.errors import Refused
from dpcore.guarantees import Relation, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian
from dpcore.tradeoff import trade_off
from ui.link.fields import Field
from ui.pictures.columns import Column, Numbers, digits, side_by_side
from ui.pictures.look import Look
from ui.pictures.marks import Axis, Dots, Joins, Panel
from ui.pictures.picture import Picture
from ui.pictures.table import Badges, Table
from ui.views.promise import SECRET, StatedBelief
from ui.views.published_budgets import (
    RELATION_NAMES,
    Meaning,
    as_published,
    guess_words,
    meaning_of,
    promise_facts,
)
from ui.views.trade_off import NamedTradeOff, trade_off_picture
from ui.words.passages import say
from ui.words.phrasing import NEAREST, decimal_belief, frequency, percent, plain_number, rounded
from ui.words.quantities import Upper, number, share
from ui.words.refusals import refusal_sentence

ANY = "any"


def code_of(text: str) -> str:
    """A name as a link spells it.

    Examples
    --------
    >>> code_of("2020 Census DHC, persons")
    '2020-census-dhc-persons'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


NAMES: dict[str, str] = {code_of(entry.name): entry.name for entry in published()}
UNIT_KINDS: dict[str, str] = {code_of(entry.unit_kind): entry.unit_kind for entry in published()}
PERSONS = "2020 Census redistricting data, persons"
HOUSING = "2020 Census redistricting data, housing units"
SHORT = {
    PERSONS: "Redistricting, persons",
    HOUSING: "Redistricting, housing",
    "2020 Census DHC, persons": "Census DHC, persons",
    "2020 Census DHC, housing units": "Census DHC, housing",
    "2020 Census Detailed DHC-A": "Census Detailed DHC-A",
    "2020 Census Detailed DHC-B": "Census Detailed DHC-B",
    "2020 Census Supplemental DHC": "Census Supplemental DHC",
    "Wikimedia page views (current)": "Wikimedia views, now",
    "Wikimedia page views (historical)": "Wikimedia views, before",
    "Wikimedia geoeditors monthly": "Wikimedia geoeditors",
    "Google Community Mobility Reports": "Google mobility reports",
    "Google symptom search trends": "Google symptom trends",
    "Google vaccine search insights": "Google vaccine searches",
    "Google shared mobility data set": "Google shared mobility",
    "Gboard es-ES next-word model": "Gboard next-word model",
    "Facebook Privacy-Protected Full URLs": "Facebook URLs, one type",
    "LinkedIn Audience Engagements": "LinkedIn audiences",
    "Victims of trafficking data": "Victims of trafficking",
    "Spectus hurricane mobility": "Spectus mobility",
    "Recurve energy, as published": "Recurve, as published",
    "Recurve energy, corrected": "Recurve, corrected",
}
DEFINITION_NAMES = {
    "pure": "pure ε",
    "approximate": "(ε, δ)",
    "probabilistic": "probabilistic",
    "zCDP": "zero-concentrated, ρ",
}
FORMULA_NAMES = {
    "best_order": "smallest over all orders",
    "simple": "simple closed form",
    "refined": "refined closed form",
    "none needed": "no conversion needed",
}
SECTOR_NAMES = {sector: sector for sector in SECTORS}
ORDER_NAMES = {"year": "by unit, then year", "name": "by unit, then name", "budget": "by budget"}
EVERY = {ANY: "any"}
CHOICES: dict[str, dict[str, str]] = {
    "chosen": NAMES,
    "formula": {key: FORMULA_NAMES[key] for key in FORMULAS},
    "unit": EVERY | UNIT_KINDS,
    "definition": EVERY | DEFINITION_NAMES,
    "change": EVERY | RELATION_NAMES,
    "sector": EVERY | SECTOR_NAMES,
    "order": ORDER_NAMES,
}
"""What each choice offers, by its code in the link."""

FIELDS: tuple[Field, ...] = (
    Field("chosen", "Which budget?", "choice", code_of(PERSONS), options=tuple(NAMES)),
    # Every budget of the list speaks of values, so a link of 0.1, which names no secret, still has an answer.
    Field("secret", SECRET.label, "choice", "value", options=SECRET.options),
    Field("prior", "An attacker's belief before", "number", 0.5, low=0, high=1, open_low=True, open_high=True),
    Field("delta", "at δ =", "number", 1e-10, low=0, high=1, open_low=True, open_high=True),
    Field("accused", "Wrongly accused, in the fold below", "number", 0.05, low=0, high=1),
    Field("formula", "Convert by the", "choice", "best_order", options=tuple(FORMULAS)),
    Field("unit", "Protects", "choice", ANY, options=(ANY, *UNIT_KINDS)),
    Field("definition", "Definition", "choice", ANY, options=(ANY, *DEFINITIONS)),
    Field("sector", "Sector", "choice", ANY, options=(ANY, *SECTORS)),
    Field("change", "One change is", "choice", ANY, options=(ANY, *RELATIONS)),
    Field("order", "Order", "choice", "year", options=tuple(ORDER_NAMES)),
)


@dataclass(frozen=True)
class DeploymentsInputs:
    """What a reader chose on this page."""

    chosen: str = code_of(PERSONS)
    secret: str = "value"
    prior: float = 0.5
    delta: float = 1e-10
    accused: float = 0.05
    formula: str = "best_order"
    unit: str = ANY
    definition: str = ANY
    sector: str = ANY
    change: str = ANY
    order: str = "year"


@dataclass(frozen=True)
class Fit:
    """A published pair of ρ and ε beside the three formulas: their values, and the keys of those that fit."""

    entry: Deployment
    values: dict[str, float]
    fitting: tuple[str, ...]


@dataclass(frozen=True)
class DeploymentsView:
    """Everything the page shows."""

    answer: str
    small_print: str
    entries: tuple[Deployment, ...] = ()
    conversion: Converted | None = None
    meaning: Meaning | None = None
    not_ranked: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    guesses: Picture | None = None
    detection_words: str = ""
    ruler: Picture | None = None
    listing: Table | None = None
    fits: tuple[Fit, ...] = ()
    formulas: Table | None = None
    formulas_words: str = ""
    lesson: AddingUp | None = None
    lesson_words: str = ""
    lesson_table: Table | None = None
    production: tuple[ProductionBudget, ...] = ()
    production_words: str = ""
    production_table: Table | None = None
    computed: str = ""
    stated: tuple[StatedBelief, ...] = ()
    refusal: str | None = None


def deployments_view(inputs: DeploymentsInputs, look: Look) -> DeploymentsView:
    """The page for these choices."""
    try:
        kept = matching(
            unit_kind=None if inputs.unit == ANY else UNIT_KINDS[inputs.unit],
            definition=None if inputs.definition == ANY else inputs.definition,
            sector=None if inputs.sector == ANY else inputs.sector,
            relation=None if inputs.change == ANY else inputs.change,
        )
        if not kept:
            raise ValueError("no published budget in the list has this unit, definition, sector and relation together")
        chosen = deployment(NAMES[inputs.chosen])
        entries, not_ranked = _ordered(kept, inputs)
        conversion = converted(chosen, delta=inputs.delta, formula=inputs.formula)
        meanings = {
            entry.name: meaning_of(entry, secret=inputs.secret, prior=inputs.prior) for entry in (*entries, chosen)
        }
    except ValueError as error:
        return DeploymentsView("", "", refusal=refusal_sentence(error))
    meaning = meanings[chosen.name]
    facts = _facts(inputs, chosen, entries, conversion, meaning, look)
    fits = fits_of_published()
    lesson = adding_up(deployment(PERSONS), deployment(HOUSING))
    told = _lesson_facts(lesson, look)
    facts["because"] += _ran(chosen, inputs, meaning, look)
    kind = _kind(chosen) if meaning.case == "promised" else meaning.case
    small_print = (say("deployments", look.voice, name, **facts) for name in (f"small_print_{kind}", "small_print"))
    return DeploymentsView(
        answer=say("deployments", look.voice, f"answer_{kind}", **facts),
        small_print=" ".join(small_print),
        entries=entries,
        conversion=conversion,
        meaning=meaning,
        not_ranked=not_ranked,
        numbers=_numbers(chosen, conversion, meaning, facts),
        guesses=_guesses(inputs, chosen, entries, meanings, facts, look),
        detection_words=say("deployments", look.voice, f"detection_{meaning.case}", **facts),
        ruler=_ruler(inputs, chosen, entries, facts, look),
        listing=_listing(inputs, entries, meanings, facts, look),
        fits=fits,
        formulas=_formulas(fits),
        formulas_words=say("deployments", look.voice, "formulas", **told),
        lesson=lesson,
        lesson_words=say("deployments", look.voice, "lesson", **told),
        lesson_table=_lesson_table(told),
        production=production_budgets(),
        production_words=say("deployments", look.voice, "production"),
        production_table=_production_table(look),
        computed=say("deployments", look.voice, "computed", **facts),
        stated=_stated(inputs, chosen, entries, meanings, look),
    )


def _stated(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    look: Look,
) -> tuple[StatedBelief, ...]:
    """The highest belief after each budget that has one: on the card for the chosen one, in the list for the others."""
    found = []
    for entry in dict.fromkeys((chosen, *entries)):
        meaning = meanings[entry.name]
        promise = meaning.protection.promise
        if meaning.posterior is None or promise is None or not 0 < inputs.prior < 1:
            continue
        source = guarantee_of(entry, promise.relation)
        said = Upper(meaning.posterior, decimal_belief if look.technical else frequency)
        found.append(StatedBelief(inputs.prior, said, promise, source, printed=entry is chosen))
    return tuple(found)


def _ran(chosen: Deployment, inputs: DeploymentsInputs, meaning: Meaning, look: Look) -> str:
    """What the production run of a Census product promises about presence, where the published figure does not."""
    found = [entry for entry in production_budgets() if entry.name == chosen.name]
    if not found or meaning.case != "not_promised":
        return ""
    belief = decimal_belief if look.technical else frequency
    words = {
        "rho": f"ρ = {found[0].rho_printed}",
        "guess": Upper(right_guess(found[0].spent, secret=inputs.secret, prior=inputs.prior), belief),
        "secret": say("deployments", look.voice, f"secret_{inputs.secret}"),
    }
    return " " + say("deployments", look.voice, "production_presence", **words)


def _kind(entry: Deployment) -> str:
    """Which statement fits: a limit on belief, a bound with one mechanism beside it, or an average only."""
    return {"pure": "pure", "zCDP": "zero_concentrated"}.get(entry.definition, "approximate")


def _ordered(kept: tuple[Deployment, ...], inputs: DeploymentsInputs) -> tuple[tuple[Deployment, ...], str]:
    """The entries grouped by unit; ranked by budget only where that means something, with a sentence where not."""
    if inputs.order == "budget":
        try:
            return ranked_by_budget(kept), ""
        except UnlikeDeployments as unlike:
            column, values = unlike.column, unlike.value
            if column == "relation":
                values = [RELATION_NAMES[value] for value in values]
            reason = f"Not ranked by budget: {DIFFERENT[column].format(count=len(values))} ({', '.join(values)}). "
            return _grouped(kept, "year"), reason + ADVICE[column]
        except Refused:
            return _grouped(kept, "year"), UNREAD
    return _grouped(kept, inputs.order), ""


UNREAD = (
    "Not ranked by budget: what counts as one change was not read for all of these, and a budget for a record replaced "
    "is another promise than one for a record added or removed."
)
DIFFERENT = {
    "relation": "these budgets count {count} different changes as one",
    "unit_kind": "these budgets protect {count} different units",
    "model": "these budgets belong to {count} different models of trust",
    "definition": "these budgets use {count} different definitions",
    "delta": "these budgets are stated at {count} different values of δ",
}
ADVICE = {
    "relation": "A record replaced is a record removed and another added: choose one relation first.",
    "unit_kind": "A smaller ε for one day is not a stronger promise than a larger ε for ever. Choose one unit first.",
    "model": "Noise added on each device and noise added once by a curator protect against different people.",
    "definition": "Choose one definition first.",
    "delta": "The same mechanism has a smaller ε at a larger δ.",
}


def _grouped(kept: tuple[Deployment, ...], order: str) -> tuple[Deployment, ...]:
    groups = list(dict.fromkeys(entry.unit_kind for entry in published()))
    groups.sort(key=lambda group: -sum(entry.unit_kind == group for entry in published()))

    def place(entry: Deployment) -> tuple[int, int | str, str]:
        return groups.index(entry.unit_kind), entry.year if order == "year" else entry.name, entry.name

    return tuple(sorted(kept, key=place))


def converted_words(conversion: Converted) -> str:
    """The converted budget, rounded up as an upper bound on loss, or why there is none."""
    if conversion.epsilon is None:
        return f"not converted: {conversion.reason}"
    return f"ε = {Upper(conversion.epsilon, number(4)).digits}"


def _facts(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    conversion: Converted,
    meaning: Meaning,
    look: Look,
) -> dict[str, Any]:
    belief = decimal_belief if look.technical else frequency
    return {
        "release": chosen.name,
        "who": chosen.organisation,
        "year": str(chosen.year),
        "published": as_published(chosen),
        "model": MODELS[chosen.model],
        "prior": belief(inputs.prior),
        "without": Upper(max(inputs.prior, 1 - inputs.prior), belief).digits,
        "right": "" if meaning.right_guess is None else Upper(meaning.right_guess, belief),
        "gaussian": "" if meaning.gaussian is None else belief(meaning.gaussian),
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
    } | promise_facts(chosen, meaning, look.voice)


def _kinds(count: int) -> str:
    return "1 kind of unit" if count == 1 else f"{count} kinds of unit"


MODELS = {"central": "A curator adds the noise", "local": "Each device adds its own noise"}


def _numbers(
    chosen: Deployment, conversion: Converted, meaning: Meaning, facts: dict[str, Any]
) -> tuple[tuple[str, str, str], ...]:
    formula = FORMULA_NAMES.get(conversion.formula, "")
    value = "–" if conversion.epsilon is None else converted_words(conversion)
    note = conversion.reason or f"δ = {facts['delta']}; {formula}"
    found = []
    if meaning.right_guess is None:
        found.append(("A right guess", "–", facts["reason"]))
    else:
        held = "at most, if units are added or removed" if meaning.conditional else "at most, over all releases with it"
        found.append(("A right guess", facts["right"].digits, f"{held}; {facts['without']} without the release"))
        if meaning.gaussian is not None:
            found.append(("With Gaussian noise", facts["gaussian"], "one mechanism, worst case of one number"))
        if meaning.posterior is not None:
            found.append(("Highest belief after", facts["posterior"].digits, f"at most; from {facts['prior']} before"))
        else:
            words = "rare releases may say more; the right guess is the average"
            found.append(("Highest belief after", "no limit", words))
    found.append(("One change", facts["relation"], facts["confidence"]))
    found.append(("As published", facts["published"], f"for {chosen.protected_unit}"))
    found.append(("Converted", value, note))
    return tuple(found)


SURE = 1e-5  # a guess that fails more rarely is drawn at the edge


def _guesses(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    facts: dict[str, Any],
    look: Look,
) -> Picture:
    """Every budget at the chance of a right guess: circles where promised, diamonds where under one relation only."""

    def odds(guess: float) -> float:
        return guess / max(1 - guess, SURE)

    right, promised, conditional = "a right guess at most, of 100", [], []
    words = []
    for entry in entries:
        meaning = meanings[entry.name]
        place = math.nan if meaning.right_guess is None else odds(meaning.right_guess)
        promised.append(math.nan if meaning.conditional else place)
        conditional.append(place if meaning.conditional else math.nan)
        words.append(
            f"{entry.name}, {entry.year}\n{entry.protected_unit}; {RELATION_NAMES[entry.relation]} "
            f"({entry.relation_confidence})\n{guess_words(meaning, look, central=entry.model == 'central')}"
        )
    least = max(inputs.prior, 1 - inputs.prior)
    shown = [guess for guess in (0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1 - SURE) if guess >= least - 1e-9]
    reading = say("deployments", look.voice, "reading_guesses", **facts)
    silent = sum(meanings[entry.name].right_guess is None for entry in entries)
    if silent:
        reading += " " + say("deployments", look.voice, "without_dot", silent=str(silent))
    rows = side_by_side(
        Column("what", "what", [entry.name for entry in entries]),
        Column("short", "short name", [SHORT.get(entry.name, entry.name) for entry in entries], listed=False),
        Column("kind", "unit", [entry.unit_kind for entry in entries], aspect="kind", listed=False),
        Column("unit", "unit", [entry.protected_unit for entry in entries]),
        Column("relation", "one change", [RELATION_NAMES[entry.relation] for entry in entries]),
        Column("confidence", "how it is known", [entry.relation_confidence for entry in entries]),
        Column("secret", "secret", [meanings[entry.name].protection.secret.value for entry in entries]),
        Column(
            "guess",
            "a right guess",
            [guess_words(meanings[entry.name], look, central=entry.model == "central") for entry in entries],
        ),
        Column("gaussian", "with Gaussian noise", [_gaussian(meanings[entry.name], look) for entry in entries]),
        Column("promised", "promised", promised, quantity=right, aspect="odds of a right guess", listed=False),
        Column(
            "conditional",
            "only if units are added or removed",
            conditional,
            quantity=right,
            aspect="odds of a right guess",
            listed=False,
        ),
        Column("words", "in words", words, listed=False),
        Column("chosen", "chosen", [entry == chosen for entry in entries], listed=False),
    )
    return _on_ruler(
        "deployments-guesses",
        Numbers(f"A right guess at most, {facts['without']} without a release", (rows,)),
        first="promised",
        second="conditional",
        ticks=tuple((odds(guess), f"{100 * guess:.10g}") for guess in shown),
        reading=reading,
        look=look,
    )


def _on_ruler(
    key: str,
    numbers: Numbers,
    *,
    first: str,
    second: str,
    ticks: tuple[tuple[float, str], ...],
    reading: str,
    look: Look,
) -> Picture:
    """Budgets on one logarithmic axis, a row each under what they protect: circles and, joined to them, diamonds."""
    rows = numbers.rows[0].size + len(set(numbers.column("kind").values))
    return Picture(
        key=key,
        numbers=numbers,
        marks=(
            Joins(start=first, end=second, y="short"),
            Dots(x=first, y="short", chosen="chosen", words="words"),
            Dots(x=second, y="short", role="reach", symbol="diamond-open", chosen="chosen", words="words"),
        ),
        panels=(Panel(x=Axis(log=True, ticks=ticks), y=Axis(rows=True, groups="kind", chosen="chosen")),),
        reading=reading,
        look=look,
        legend="above right",
        height=(15 if rows > 24 else 22) * rows + 74,
    )


DRAWN = 5  # curves that keep apart


def detection_picture(inputs: DeploymentsInputs, look: Look) -> Picture | None:
    """Found against wrongly accused: the chosen budget, one Gaussian number at it, and the newest of its unit."""
    chosen = deployment(NAMES[inputs.chosen])
    meanings = {entry.name: meaning_of(entry, secret=inputs.secret) for entry in matching(unit_kind=chosen.unit_kind)}
    meaning = meanings[chosen.name]
    if meaning.case == "not_promised":
        return None
    curves = [_named(chosen, inputs, meaning)]
    if meaning.gaussian is not None:
        held = meaning.protection.guarantee or guarantee_of(chosen, Relation.ADD_OR_REMOVE.value)
        assert isinstance(held, ZeroConcentratedDP)
        curves.append(NamedTradeOff(f"{curves[0].name}, one Gaussian number", trade_off(Gaussian(rho=held.rho))))
    others = [one for one in matching(unit_kind=chosen.unit_kind) if one.name != chosen.name]
    others = [one for one in others if meanings[one.name].case != "not_promised"]
    others.sort(key=lambda one: (one.model != chosen.model, -one.year))
    curves += [_named(one, inputs, meanings[one.name]) for one in others[: DRAWN - len(curves)]]
    return trade_off_picture(
        curves,
        false_alarm=inputs.accused,
        look=look,
        secret=meaning.protection.secret,
        log_accused=True,  # large budgets leave the left edge only on this axis
        key="deployments-detection",
    )


def _named(entry: Deployment, inputs: DeploymentsInputs, meaning: Meaning) -> NamedTradeOff:
    """The curve over all releases with the budget; tight where the secret is one step away."""
    assuming = Relation.ADD_OR_REMOVE.value if meaning.conditional else None
    curve = secret_trade_off(entry, secret=inputs.secret, assuming=assuming)
    held = meaning.protection.promise
    name = SHORT.get(entry.name, entry.name) + (", if added or removed" if meaning.conditional else "")
    return NamedTradeOff(name, curve, "tight" if held is None or held.steps == 1 else "bound")


def _gaussian(meaning: Meaning, look: Look) -> str:
    if meaning.gaussian is None:
        return ""
    return (decimal_belief if look.technical else frequency)(meaning.gaussian)


def _ruler(
    inputs: DeploymentsInputs, chosen: Deployment, entries: tuple[Deployment, ...], facts: dict[str, Any], look: Look
) -> Picture:
    conversions = [converted(entry, delta=inputs.delta, formula=inputs.formula) for entry in entries]
    right = "ε, logarithmic"
    rows = side_by_side(
        Column("what", "what", [entry.name for entry in entries]),
        Column("short", "short name", [SHORT.get(entry.name, entry.name) for entry in entries], listed=False),
        Column("kind", "unit", [entry.unit_kind for entry in entries]),
        Column("printed", "ε as published", [entry.epsilon_printed for entry in entries]),
        Column("delta", "δ as published", [entry.delta for entry in entries], said=digits(3)),
        Column("rho", "ρ as published", [entry.rho_printed for entry in entries]),
        Column("published", "as published", _or_nan(entry.epsilon for entry in entries), quantity=right, listed=False),
        Column(
            "converted",
            f"at δ = {facts['delta']}",
            _or_nan(conversion.epsilon for conversion in conversions),
            quantity=right,
            aspect="ε",
            said=digits(6, Upper),
        ),
        Column("formula", "formula", [conversion.formula or conversion.reason for conversion in conversions]),
        Column(
            "words",
            "in words",
            [
                f"{entry.name}, {entry.year}\n{entry.protected_unit}; {entry.definition}, {entry.model}"
                for entry in entries
            ],
            listed=False,
        ),
        Column("chosen", "chosen", [entry == chosen for entry in entries], listed=False),
    )
    return _on_ruler(
        "deployments-ruler",
        Numbers(f"As published, and at δ = {facts['delta']} by the {facts['formula_name']}", (rows,)),
        first="published",
        second="converted",
        ticks=tuple((at, f"{at:g}") for at in (0.1, 0.3, 1, 3, 10, 30, 100)),
        reading=say("deployments", look.voice, "reading_ruler", **facts),
        look=look,
    )


def _or_nan(values: Iterable[float | None]) -> NDArray[np.float64]:
    return np.array([math.nan if value is None else value for value in values])


def _listing(
    inputs: DeploymentsInputs,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    facts: dict[str, Any],
    look: Look,
) -> Table:
    belief = decimal_belief if look.technical else frequency
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
                guess_words(meaning, look, central=entry.model == "central"),
                limit,
                f"{RELATION_NAMES[entry.relation]} ({entry.relation_confidence}): {entry.relation_evidence}",
                f"{entry.unit_as_defined}. Covers: {entry.period}",
                as_published(entry),
                converted_words(conversion),
                f"{entry.source}; {entry.verification}",
            )
        )
    caption = (
        f"What each means to someone who thinks a secret {belief(inputs.prior)} likely; the secret is the "
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


def _formulas(fits: tuple[Fit, ...]) -> Table:
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


def _lesson_facts(lesson: AddingUp, look: Look) -> dict[str, Any]:
    persons, housing = deployment(PERSONS), deployment(HOUSING)
    belief = decimal_belief if look.technical else frequency
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
        "right": Upper(lesson.right_guess, belief),
        "right_percent": Upper(lesson.right_guess, share(1)).digits,
        "both_percent": Upper(lesson.right_guess_in_both, share(1)).digits,
        "gaussian": belief(lesson.gaussian_right_guess),
        "pure_percent": percent(lesson.read_as_pure, 6),
    }


def _lesson_table(told: dict[str, Any]) -> Table:
    rows = (
        ("Persons", told["first_rho"], told["first"]),
        ("Housing units", told["second_rho"], told["second"]),
        ("Converted, then added: no unit has this", "", told["added"]),
        ("Added, then converted once: a unit in both", told["rho"], told["once"].digits),
    )
    return Table(f"The 2020 Census redistricting data; ε at δ = {told['delta']}", ("what", "ρ", "ε"), rows)


def _production_table(look: Look) -> Table:
    """Production budgets beside the published ones, with what each means for the secret it protects."""
    belief = decimal_belief if look.technical else frequency
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
