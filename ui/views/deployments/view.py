"""The page of published budgets at once: the chosen one, all of them, and what comparing them takes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpcore.deployments import (
    AddingUp,
    Converted,
    Deployment,
    ProductionBudget,
    adding_up,
    converted,
    deployment,
    matching,
    production_budgets,
    right_guess,
)
from dpcore.guarantees import Relation
from riskline.case.promise import kind_of_secret
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.deployments.card import numbers_of, ran_words, release_facts, stated_beliefs, statement_of
from ui.views.deployments.choices import ANY, HOUSING, NAMES, PERSONS, UNIT_KINDS, DeploymentsInputs
from ui.views.deployments.order import in_order
from ui.views.deployments.pictures import guesses_picture, ruler_picture
from ui.views.deployments.tables import (
    Fit,
    fits_of_published,
    formulas_table,
    lesson_facts,
    lesson_table,
    listing,
    production_table,
)
from ui.views.shared.promise import StatedBelief
from ui.views.shared.published_budgets import Meaning, meaning_of
from ui.words.catalogue import say
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Upper
from ui.words.refusals import refusal_sentence


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
    python: CodeLines | None = None
    refusal: str | None = None


def deployments_view(inputs: DeploymentsInputs, style: Style) -> DeploymentsView:
    """The page for these choices."""
    inputs = replace(inputs, secret=kind_of_secret(inputs.secret).value)
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
        entries, not_ranked = in_order(kept, inputs)
        conversion = converted(chosen, delta=inputs.delta, formula=inputs.formula)
        meanings = {
            entry.name: meaning_of(entry, secret=inputs.secret, prior=inputs.prior) for entry in (*entries, chosen)
        }
    except ValueError as error:
        return DeploymentsView("", "", refusal=refusal_sentence(error))
    meaning = meanings[chosen.name]
    context = release_facts(inputs, chosen, entries, conversion, meaning, style)
    fits = fits_of_published()
    lesson = adding_up(deployment(PERSONS), deployment(HOUSING))
    told = lesson_facts(lesson, style)
    context["because"] += ran_words(chosen, inputs, meaning, style)
    kind = statement_of(chosen) if meaning.case == "promised" else meaning.case
    small_print = (say("deployments", style.voice, name, **context) for name in (f"small_print_{kind}", "small_print"))
    return DeploymentsView(
        answer=say("deployments", style.voice, f"answer_{kind}", **context),
        small_print=" ".join(small_print),
        entries=entries,
        conversion=conversion,
        meaning=meaning,
        not_ranked=not_ranked,
        numbers=numbers_of(chosen, conversion, meaning, context),
        guesses=guesses_picture(inputs, chosen, entries, meanings, context, style),
        detection_words=say("deployments", style.voice, f"detection_{meaning.case}", **context),
        ruler=ruler_picture(inputs, chosen, entries, context, style),
        listing=listing(inputs, entries, meanings, context, style),
        fits=fits,
        formulas=formulas_table(fits),
        formulas_words=say("deployments", style.voice, "formulas", **told),
        lesson=lesson,
        lesson_words=say("deployments", style.voice, "lesson", **told),
        lesson_table=lesson_table(told),
        production=production_budgets(),
        production_words=say("deployments", style.voice, "production"),
        production_table=production_table(style),
        computed=say("deployments", style.voice, "computed", **context),
        stated=stated_beliefs(inputs, chosen, entries, meanings, style),
        python=_in_python(inputs, chosen, meaning, context["right"]),
    )


def _in_python(inputs: DeploymentsInputs, chosen: Deployment, meaning: Meaning, right: Upper) -> CodeLines | None:
    """The lines for the chance of a right guess; none where nothing is promised about the secret."""
    if meaning.right_guess is None:
        return None
    code = CodeWriter()
    assuming = {"assuming": Relation.ADD_OR_REMOVE.value} if meaning.conditional else {}
    entry = code.let("entry", code(deployment, chosen.name))
    return code.ending(code(right_guess, entry, secret=inputs.secret, prior=inputs.prior, **assuming), right)
