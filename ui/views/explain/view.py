"""The page of what an ε means at once: beliefs before and after in both worlds, and where they can be taken next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore.accuracy import NOISES
from dpcore.deployments import deployment, guarantee_of
from dpcore.guarantees import ProbabilisticDP
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from dpcore.semantics import belief_bounds, posterior_bounds, posterior_upper
from riskline.case.choices import BY_RHO
from riskline.case.fields import number_text, read_query
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.icons import IconArray, icon_panels
from ui.pictures.marks import ON_LINE, PERCENT, Axis, Line, Mark, Panel, Spot
from ui.pictures.panels import Panels
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views import accuracy, deployments
from ui.views.explain.choices import READINGS, ExplainInputs
from ui.views.explain.meaning import Meaning, as_sentence, belief_digits
from ui.views.explain.readings import for_experts, readings_table, right_guess_words, stated_beliefs
from ui.views.shared.promise import PageView
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
from ui.words.catalogue import label, say
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Lower, Upper, in_people
from ui.words.refusals import refusal_sentence


def detection_picture(meaning: Meaning) -> Picture:
    """What the best test of the secret finds for what it accuses wrongly: this noise, and every release as private."""
    inputs, promise = meaning.inputs, meaning.promise
    curves = [NamedTradeOff(meaning.say("line_bound", **meaning.context), meaning.evidence.most_telling)]
    if meaning.evidence.tests is not None:
        curves.insert(0, NamedTradeOff(meaning.say("line_exact"), meaning.evidence.tests))
    return trade_off_picture(
        curves,
        false_alarm=inputs.false_alarm,
        style=meaning.style,
        secret=promise.secret,
        log_accused=inputs.log_accused,
    )


word = partial(label, "explain")
STYLES = {"bound": ("reach", "dash"), "every_view": ("third", "dot"), "exact": ("fourth", "solid")}


def _priors() -> NDArray[np.float64]:
    steps: NDArray[np.float64] = np.linspace(0.0, 1.0, 161)
    return 3 * steps**2 - 2 * steps**3  # dense at both ends


def curve_picture(meaning: Meaning) -> Picture:
    """The interval of beliefs after the release, for every belief before it."""
    style, context = meaning.style, meaning.context
    prior = _priors()
    before, after = word("before"), word("after")
    columns = [
        Column("prior", before, prior, said=digits(3)),
        Column("nothing", word("nothing"), prior, quantity=after, listed=False),
    ]
    marks: list[Mark] = [Line(x="prior", y="nothing", role="quiet", hairline=True)]
    kinds = READINGS[:3] if meaning.evidence.loss is not None else READINGS[:1]
    below = meaning.prior < 0.6  # the names stand on the side that the marked spot leaves free
    for place, reading in reversed(list(enumerate(kinds))):  # dashes over the solid line, where they coincide
        role, dash = STYLES[reading]
        at = 70 - 17 * place
        for side, aspect, values, way, where in zip(
            ("upper", "lower"),
            (word("people.most"), word("people.least")),
            meaning.evidence.beliefs(reading, prior),
            (Upper, Lower),
            (None if below else at, 160 - at if below else None),
            strict=True,
        ):
            key = f"{reading}_{side}"
            said = told(way, belief_digits)
            columns.append(
                Column(key, word(f"reading.{reading}"), np.asarray(values), quantity=after, aspect=aspect, said=said)
            )
            marks.append(Line(x="prior", y=key, role=role, dash=dash, label=where, beside=ON_LINE))
    reached = f"{meaning.counts[1]:,} in {meaning.of:,}"
    from_to = word("from_to", before=meaning.before.removesuffix(f" in {meaning.of:,}"), after=reached)
    beside = ("right", "bottom") if meaning.prior >= 0.3 else ("left", "top")  # where no curve runs
    spot = side_by_side(
        single("this_prior", word("chosen"), meaning.prior, quantity=before),
        single("here", from_to, meaning.here[0], quantity=after),
    )
    caption = word("by_prior", promise=meaning.words["promise"])
    return Picture(
        key="belief-by-prior",
        numbers=Numbers(caption, (side_by_side(*columns, listed=range(8, prior.size - 8, 8)), spot)),
        marks=(*marks, Spot(x="this_prior", y="here", beside=beside)),
        panels=(Panel(x=Axis(range=(0.0, 1.0), ticks=PERCENT), y=Axis(range=(0.0, 1.12), ticks=PERCENT)),),
        reading=say("explain", style.voice, "reading_curve", **context),
        style=style,
        height=380,
    )


@dataclass(frozen=True, kw_only=True)
class ExplainView(PageView):
    """Everything the page shows."""

    panels: tuple[IconArray, ...] = ()
    icons: Panels | None = None
    icons_reading: str = ""
    why: str = ""
    readings: Table | None = None
    curve: Picture | None = None
    trade_off: Picture | None = None
    right_guess: str = ""
    offered: tuple[str, ...] = ("bound",)
    ways: tuple[PageLink, ...] = ()


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
    right_guess = right_guess_words(meaning)
    answer = "no_limit" if meaning.limits_nothing and not style.technical else f"answer_{meaning.reading}"
    return ExplainView(
        answer=meaning.opening + as_sentence(meaning.say(answer, **context)),
        small_print=meaning.say(f"small_print_{meaning.reading}", **context)
        + (" " + meaning.say("unit", **context) if meaning.entry is not None else ""),
        panels=panels,
        icons=icon_panels("people", panels, style),
        icons_reading=meaning.say("icons", **context),
        why=meaning.say("why", **context),
        readings=readings,
        curve=curve_picture(meaning),
        trade_off=detection_picture(meaning),
        right_guess=right_guess,
        computed=for_experts(meaning, right_guess),
        offered=READINGS if meaning.evidence.loss is not None else ("bound",),
        ways=_ways(meaning),
        stated=(*stated_beliefs(meaning), *stated),
        python=in_python(meaning),
    )


def _ways(meaning: Meaning) -> tuple[PageLink, ...]:
    """Where this belief and this promise can be taken next: to what exact totals do, the others' budgets, the cost."""
    chosen, before = meaning.inputs, (("prior", number_text(meaning.inputs.prior)),)
    kind = "geometric" if chosen.guarantee == "pure" else chosen.guarantee
    ways = [PageLink("exact_totals", meaning.say("exact_totals"), before)]
    if meaning.entry is not None:
        which = (("chosen", deployments.code_of(meaning.entry.name)), ("secret", meaning.promise.secret.value))
        ways.insert(0, PageLink("deployments", meaning.say("deployments"), which + before))
    elif kind in NOISES and (chosen.guarantee == "pure" or meaning.is_of_one_count):
        budget = "rho" if kind in BY_RHO else "epsilon"
        query = (("noise", kind), (budget, number_text(getattr(chosen, budget))))
        if not read_query(accuracy.FIELDS, dict(query)).refusals:  # a budget that page can take
            ways.insert(0, PageLink("accuracy", meaning.say("accuracy"), query))
    return tuple(ways)


def _panels(meaning: Meaning) -> tuple[IconArray, ...]:
    before, *after = meaning.counts
    sides = ("average", "average") if meaning.reading == "average" else ("most", "least")
    return tuple(
        IconArray(as_sentence(case), label("explain", f"people.{side}"), before, people, meaning.of, meaning.reading)
        for case, side, people in zip(meaning.worlds(), sides, after, strict=True)
    )


def in_python(meaning: Meaning) -> CodeLines:
    """The lines for the belief after in the true world, in the reading shown."""
    code, prior, reading = CodeWriter(), meaning.prior, meaning.reading
    said = meaning.told(reading, in_people(meaning.of))
    if reading == "bound":
        own = code.let("guarantee", _guarantee(code, meaning))
        failure = meaning.inputs.failure
        if isinstance(meaning.evidence.guarantee, ProbabilisticDP):
            failure = max(failure, meaning.evidence.guarantee.delta)
        bounds = code.let("bounds", code(belief_bounds, own, prior=prior, delta_prime=failure))
        after = code(posterior_bounds, prior=prior, epsilon=Source(f"{bounds}.epsilon_prime"))
        return code.ending(Source(f"{after}[1]"), said)
    loss = code.let(
        "loss", Source(f"{code.named(PrivacyLoss)}.of({', '.join(map(code.of, meaning.evidence.pair or ()))})")
    )
    if reading == "every_view":
        shift = Source(f"{loss}.every_view_epsilon({meaning.inputs.failure!r})")
        return code.ending(code(posterior_upper, prior=prior, epsilon=shift), said)
    if reading == "average":
        return code.ending(Source(f"{code(ExactPosterior, loss, prior=prior)}.mean(side='present')"), said)
    level = 1 - meaning.inputs.failure
    assert meaning.evidence.loss is not None
    if meaning.evidence.loss.certainty == "exact":
        law = code(ExactPosterior, loss, prior=prior)
        return code.ending(Source(f"{law}.quantile({level!r}, side='present')"), said)
    even = code.let("even", code(ExactPosterior, loss, prior=0.5))
    high = code.let("high", Source(f"{even}.quantile_bracket({level!r}, side='present').high"))
    shift = code.let("shift", Source(f"min({_log_odds(code, high)}, {loss}.largest)"))
    if not 0 < prior < 1:
        return code.ending(prior, said)
    before = code.let("before", prior)
    odds = code.let("odds", code(np.exp, Source(f"{_log_odds(code, before)} + {shift}")))
    return code.ending(Source(f"{odds} / (1 + {odds})"), said)


def _log_odds(code: CodeWriter, belief: Source) -> Source:
    return Source(f"{code(np.log, belief)} - {code(np.log1p, Source(f'-{belief}'))}")


def _guarantee(code: CodeWriter, meaning: Meaning) -> Source:
    """The guarantee between the two worlds of the secret, from what is stated for one step."""
    promise = code.let("promise", meaning.promise)
    step: object = meaning.evidence.step
    if meaning.entry is not None:
        step = code(guarantee_of, code(deployment, meaning.entry.name), meaning.promise.relation)
    return Source(f"{promise}.guarantee_of_secret({code.of(step)})")
