"""The page of what an ε means at once: beliefs before and after in both worlds, and where they can be taken next."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.accuracy import NOISES
from dpcore.scope import Scope
from riskline.case.fields import number_text, read_query
from ui.link.page_link import PageLink
from ui.pictures.icons import IconArray, icon_panels
from ui.pictures.panels import Panels
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views import accuracy, deployments
from ui.views.explain.choices import READINGS, ExplainInputs
from ui.views.explain.examples import examples_table
from ui.views.explain.failing import failing_words, weakening_facts, weakening_table
from ui.views.explain.in_python import in_python
from ui.views.explain.meaning import Meaning
from ui.views.explain.pictures import curve_picture, detection_picture, law_picture
from ui.views.explain.readings import numbers_of, readings_table, stated_beliefs
from ui.views.explain.told import as_sentence, belief_digits
from ui.views.shared.promise import StatedBelief
from ui.words.phrasing import frequency
from ui.words.python_lines import CodeLines
from ui.words.quantities import Quantity, claimed
from ui.words.refusals import refusal_sentence


@dataclass(frozen=True)
class ExplainView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str = ""
    small_print: str = ""
    panels: tuple[IconArray, ...] = ()
    icons: Panels | None = None
    icons_reading: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    readings: Table | None = None
    failing: str = ""
    weakening: str = ""
    weakening_table: Table | None = None
    pictures: tuple[Picture, ...] = ()
    trade_off: Picture | None = None
    right_guess: str = ""
    examples: Table | None = None
    computed: str = ""
    offered: tuple[str, ...] = ("bound",)
    ways: tuple[PageLink, ...] = ()
    stated: tuple[StatedBelief, ...] = ()
    python: CodeLines | None = None
    refusal: str | None = None


def explain_view(inputs: ExplainInputs, style: Style) -> ExplainView:
    """The page for these choices."""
    meaning = Meaning(inputs, style)
    try:
        if refusal := meaning.refusal:
            return ExplainView(refusal=refusal)
        context = meaning.context
    except ValueError as error:
        return ExplainView(refusal=refusal_sentence(error))
    panels = _panels(meaning)
    readings, stated = readings_table(meaning)
    opening, answer = meaning.opening, meaning.say(f"answer_{meaning.reading}", **context)
    return ExplainView(
        answer=opening + (answer if opening and style.technical else answer[0].lower() + answer[1:])
        if opening
        else as_sentence(answer),
        small_print=meaning.say(f"small_print_{meaning.reading}", **context)
        + (" " + meaning.say("unit", **context) if meaning.entry is not None else ""),
        panels=panels,
        icons=icon_panels("people", panels, style),
        icons_reading=meaning.say(f"icons_{meaning.reading}", **context),
        numbers=numbers_of(meaning),
        readings=readings,
        failing=failing_words(meaning),
        weakening=meaning.say("weakening", **weakening_facts()),
        weakening_table=weakening_table(),
        pictures=(curve_picture(meaning), *((law_picture(meaning),) if meaning.evidence.loss is not None else ())),
        trade_off=detection_picture(meaning),
        right_guess=right_guess_words(meaning),
        examples=examples_table(),
        computed=meaning.say(
            "computed",
            **context,
            unrounded=meaning.say("unrounded_average" if meaning.reading == "average" else "unrounded", **context),
        ),
        offered=READINGS if meaning.evidence.loss is not None else ("bound",),
        ways=_ways(meaning),
        stated=(*stated_beliefs(meaning), *stated),
        python=in_python(meaning),
    )


def _ways(meaning: Meaning) -> tuple[PageLink, ...]:
    """Where this belief and this promise can be taken next: to what exact totals do, the others' budgets, the cost."""
    chosen, before = meaning.inputs, (("prior", number_text(meaning.inputs.prior)),)
    ways = [PageLink("exact_totals", meaning.say("exact_totals"), before)]
    if meaning.entry is not None:
        which = (("chosen", deployments.code_of(meaning.entry.name)), ("secret", meaning.promise.secret.value))
        ways.insert(0, PageLink("deployments", meaning.say("deployments"), which + before))
    elif chosen.guarantee in NOISES and meaning.release == "count" and chosen.sensitivity == 1:
        budget = "rho" if chosen.guarantee in ("gaussian", "discrete_gaussian") else "epsilon"
        noise = (("noise", chosen.guarantee), (budget, number_text(getattr(chosen, budget))))
        query = noise
        if not read_query(accuracy.FIELDS, dict(query)).refusals:  # a budget that page can take
            ways.insert(0, PageLink("accuracy", meaning.say("accuracy"), query))
    return tuple(ways)


def _panels(meaning: Meaning) -> tuple[IconArray, ...]:
    before, up, down = meaning.counts
    words = ("on average", "on average") if meaning.reading == "average" else ("at most", "at least")
    case_true, case_false = meaning.worlds()
    return (
        IconArray(as_sentence(case_true), words[0], before, up, meaning.of, meaning.reading),
        IconArray(as_sentence(case_false), words[1], before, down, meaning.of, meaning.reading),
    )


def right_guess_words(meaning: Meaning) -> str:
    """How often the best guess is right, on an even bet and from the belief before; of which promise."""
    prior, own = meaning.inputs.prior, meaning.evidence.scope
    word = belief_digits if meaning.style.technical else frequency
    guesses = {"even": 0.5, "here": prior}

    def right(scope: Scope) -> dict[str, Quantity]:
        found = {name: meaning.evidence.right_guess(belief, scope) for name, belief in guesses.items()}
        return {name: claimed(bound, scope, word) for name, bound in found.items()}

    bound = {f"{name}_bound": said for name, said in right(Scope.ANY_MECHANISM).items()}
    context = meaning.context | {"without": word(max(prior, 1 - prior))} | bound
    kind = "bound"
    if own is not Scope.ANY_MECHANISM:
        kind, context = "exact", context | right(own)
    started = "" if prior == 0.5 else " " + meaning.say(f"right_guess_here_{kind}", **context)
    return meaning.say(f"right_guess_{kind}", **context, started=started)
