"""The page of what an ε means at once: beliefs before and after in both worlds, and where they can be taken next."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.accuracy import NOISES
from dpcore.deployments import deployment, guarantee_of
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP
from dpcore.mechanisms import Curve, NoiseMechanism
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from dpcore.scope import Scope, Side
from dpcore.semantics import belief_bounds, posterior_bounds, posterior_upper
from riskline.answers.relatives import RelativesChoice, resembling
from riskline.case.choices import BY_RHO
from riskline.case.fields import number_text, read_query
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, digits, side_by_side, single, told
from ui.pictures.marks import ON_LINE, PERCENT, Axis, Line, Mark, Spot
from ui.pictures.panels import Panels, icon_panels
from ui.pictures.people import IconArray
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views import accuracy, deployments
from ui.views.explain.meaning import READINGS, SMALLEST, ExplainInputs, Meaning, belief_digits
from ui.views.shared.own_mechanism import CURVE_KINDS, between_in_python, is_long
from ui.views.shared.promise import PageAnswer, StatedBelief, refusing
from ui.views.shared.relatives import RelativesView, relatives_view
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
from ui.words.catalogue import label, say
from ui.words.phrasing import TYPED_DIGITS, capitalised, limits_nothing, percent, times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import (
    Allowed,
    Failure,
    Lower,
    Quantity,
    Spoken,
    Upper,
    belief_in_percent,
    claimed,
    in_people,
    in_points,
    number,
    number_named,
    to_spend,
    whole,
)
from ui.words.refusals import UNCOMPUTABLE

expert = partial(say, "explain", "technical")
LEAST_RISING = 1e-4
"""Below this belief, a rise is one of nearly 100 points, whatever its digits."""


def stated_beliefs(meaning: Meaning) -> tuple[StatedBelief, ...]:
    """Upper bounds of the sentence and on the belief that can rise most; other readings bound no other release."""
    if meaning.is_estimate:
        return ()
    before, after = rising_most(meaning)
    worst = replace(_stated(meaning, after), prior=before.value, before=before.digits)
    if meaning.reading != "bound" or meaning.limits_nothing:
        return (worst,)
    return worst, _stated(meaning, Upper(meaning.here[0], in_people(meaning.of)), before=meaning.before)


def _stated(meaning: Meaning, said: Quantity, failure: float | None = None, before: str = "") -> StatedBelief:
    failing = meaning.bounds.failure_probability if failure is None else failure
    promise = replace(meaning.promise, failure_probability=failing)
    return StatedBelief(meaning.prior, said, promise, meaning.curve or meaning.evidence.step, before=before)


def rising_most(meaning: Meaning) -> tuple[Lower, Upper]:
    """The belief before that can rise most, and what it can rise to: rounded outwards, and no further apart than said.

    The two lie as far from certainty as from none, so the same digits tell the way up and the way down.
    """
    prior = meaning.bounds.worst_prior_rise
    spoken: list[Spoken] = [belief_digits, *map(number, range(4, TYPED_DIGITS + 1))]
    pairs = [(Lower(prior, digits), Upper(1 - prior, digits)) for digits in spoken]
    if prior < LEAST_RISING:
        return pairs[0]
    most = number_named(Upper(meaning.bounds.largest_difference, in_points).digits)
    narrow = (
        pair
        for pair in pairs
        if 100 * (number_named(pair[1].digits) - number_named(pair[0].digits)) <= most * (1 + 1e-9)
    )
    return next(narrow, pairs[-1])


def for_experts(meaning: Meaning, right_guess: str) -> str:
    """How the numbers are computed, how often they fail, and the most that any belief can move."""
    context, bounds = meaning.context, meaning.bounds
    if meaning.is_estimate:
        return expert("computed_estimate", **context)
    worst, worst_after = rising_most(meaning)
    extremes = expert(
        "extremes",
        **context,
        odds=Upper(math.exp(min(bounds.epsilon_prime, 700.0)), number(3)),
        ratio_up=Upper(float(bounds.ratio_upper), times),
        ratio_down=Lower(float(bounds.ratio_lower), times),
        rise=Upper(float(bounds.difference_upper), in_points),
        fall=Upper(-float(bounds.difference_lower), in_points).digits,
        most=Upper(bounds.largest_difference, in_points),
        worst=worst.digits,
        worst_after=worst_after,
    )
    unrounded = expert("unrounded_average" if meaning.reading == "average" else "unrounded", **context)
    if meaning.curve is not None:
        return expert("computed_curve", unrounded=unrounded, right_guess=right_guess, extremes=extremes)
    parts = {"unrounded": unrounded, "failing": failing_words(meaning), "right_guess": right_guess}
    return expert("computed", **context, **parts, extremes=extremes)


def among(probability: float, people: int = 1000) -> str:
    """An expected number of people among some for whom something of this probability happens.

    >>> among(0.01), among(1e-6), among(0)
    ('at most 10', 'fewer than one: one in 1,000,000', 'none')
    """
    if probability == 0:
        return expert("among_none")
    if probability * people >= 1:
        return expert("among_most", people=Upper(math.ceil(people * probability * (1 - 1e-12)), whole))
    one_in = math.floor(1 / probability * (1 + 1e-12))
    return expert("among_one_in", people=f"{one_in:,}") if one_in < 1e12 else expert("among_rarer")


def failing_words(meaning: Meaning) -> str:
    """What δ and δ′ mean for people, and how often a named noise really goes further."""
    own, loss, bounds = meaning.evidence.guarantee, meaning.evidence.loss, meaning.bounds
    passages = []
    if isinstance(own, ApproximateDP | ProbabilisticDP):
        name = "delta" if isinstance(own, ApproximateDP) else "delta_probabilistic"
        passages.append(expert(name, among=among(own.delta), delta=Failure(own.delta, number(3))))
    failing = bounds.failure_probability
    if isinstance(own, PureDP):
        passages.append(expert("never_fails"))
    elif not isinstance(own, ProbabilisticDP):
        passages.append(expert("delta_prime", among=among(failing), failure=Failure(failing, number(3))))
    if loss is not None:
        level, really = float(meaning.inputs.failure), "0"
        if loss.largest > bounds.epsilon_prime:
            exceeded = float(loss.exceedance(bounds.epsilon_prime, direction="either"))
            really = Failure(max(exceeded, SMALLEST), number(2)).digits
        passages.append(expert("exceeded", among=among(level), really=really, failure=Failure(level, number(3))))
    return "\n\n".join(passages)


def right_guess_words(meaning: Meaning) -> str:
    """How often the best guess is right, on an even bet and from the belief before; of which promise."""
    if meaning.curve is not None:
        by_curve, by_point = meaning.guesses
        form = "guesses_estimate" if meaning.is_estimate else "guesses"
        return meaning.say(form, curve=by_curve, point=by_point, usual=meaning.context["usual"])
    prior, scope = meaning.prior, meaning.evidence.scope

    def right(belief: float, scope: Scope) -> Quantity:
        return claimed(meaning.evidence.right_guess(belief, scope), scope, belief_digits)

    def own(belief: float) -> str:
        return "" if scope is Scope.ANY_MECHANISM else expert("right_guess_own", right=right(belief, scope)) + " "

    return expert(
        "right_guess",
        **meaning.context,
        here_bound=right(prior, Scope.ANY_MECHANISM),
        even_bound=right(0.5, Scope.ANY_MECHANISM),
        without=belief_digits(max(prior, 1 - prior)),
        own=own(prior),
        own_even=own(0.5),
    )


def readings_table(meaning: Meaning) -> tuple[Table | None, tuple[StatedBelief, ...]]:
    """The readings beside each other at this prior, never mixed; and the upper bounds among them."""
    prior, evidence = meaning.prior, meaning.evidence
    if meaning.is_estimate:
        return None, ()
    rows: list[tuple[object, ...]] = []
    stated: list[StatedBelief] = []

    def add(name: str, reading: str, holds: str = "") -> None:
        name = expert(f"readings_{name}")
        up, down = (evidence.belief_after(prior, reading=reading, so=so) for so in (True, False))
        failure = up.promise.failure_probability
        always = expert("readings_always")
        if failure:
            always = expert("readings_except", failing=Failure(failure, number(3)))
        if up.side is Side.EXACT:
            rows.append((name, percent(up.value, 1), percent(down.value, 1), holds or always))
            return
        scope = evidence.scope if reading in ("every_view", "exact") else Scope.ANY_MECHANISM
        most, least = (claimed(one, scope, belief_in_percent) for one in (up, down))
        most = meaning.below_certain(most)
        rows.append((name, f"{most:at most}", f"{least:at least}", holds or always))
        if scope is Scope.ANY_MECHANISM:
            stated.append(_stated(meaning, most, failure))

    own = "curve" if meaning.curve is not None else "bound"
    add("bound_raw" if isinstance(evidence.guarantee, ProbabilisticDP) else own, "bound")
    for reading in evidence.other_shifts:
        add(reading, reading)
    if evidence.loss is not None:
        for reading in ("every_view", "exact"):
            add(reading, reading)
        add("median", "median", expert("readings_half"))
        add("average", "average", expert("readings_mean"))
    columns = expert("readings_columns", **meaning.context).split(" | ")
    return Table(expert("readings", **meaning.words), tuple(columns), tuple(rows)), tuple(stated)


def detection_picture(meaning: Meaning) -> Picture:
    """What the best test of the secret finds for what it accuses wrongly: this noise, and every release as private."""
    inputs = meaning.inputs
    curves = [NamedTradeOff(meaning.say("line_bound", **meaning.context), meaning.evidence.most_telling)]
    if meaning.curve is not None and not meaning.is_estimate:
        curves.append(
            NamedTradeOff(meaning.say("any_release", budget=meaning.context["usual"]), meaning.evidence.usual)
        )
    if meaning.evidence.tests is not None:
        curves.insert(0, NamedTradeOff(meaning.say("line_exact"), meaning.evidence.tests))
    rate, secret = inputs.false_alarm, meaning.promise.secret
    return trade_off_picture(
        curves, false_alarm=rate, style=meaning.style, secret=secret, log_accused=inputs.log_accused
    )


word = partial(label, "explain")
STYLES = {"bound": ("reach", "dash"), "every_view": ("third", "dot"), "exact": ("fourth", "solid")}


def curve_picture(meaning: Meaning) -> Picture:
    """The interval of beliefs after the release, for every belief before it."""
    steps: NDArray[np.float64] = np.linspace(0.0, 1.0, 161)
    prior = 3 * steps**2 - 2 * steps**3  # dense at both ends
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
        sides = ("most", Upper, None if below else at), ("least", Lower, 160 - at if below else None)
        for (side, way, where), values in zip(sides, meaning.evidence.beliefs(reading, prior), strict=True):
            key, limit = f"{reading}_{way.__name__.lower()}", np.asarray(values)
            aspect = word("people.estimate" if meaning.is_estimate else f"people.{side}")
            how: dict[str, Any] = {"aspect": aspect, "said": told(way, belief_digits)}
            named = meaning.named if meaning.curve is not None else word(f"reading.{reading}")
            columns.append(Column(key, named, limit, quantity=after, **how))
            marks.append(Line(x="prior", y=key, role=role, dash=dash, label=where, beside=ON_LINE))
    reached = f"{meaning.counts(meaning.of)[1]:,} in {meaning.of:,}"
    from_to = word("from_to", before=meaning.before.removesuffix(f" in {meaning.of:,}"), after=reached)
    beside = ("right", "bottom") if meaning.prior >= 0.3 else ("left", "top")  # where no curve runs
    here = single("here", from_to, meaning.here[0], quantity=after)
    spot = side_by_side(single("this_prior", word("chosen"), meaning.prior, quantity=before), here)
    return Picture.of(
        "belief-by-prior",
        (side_by_side(*columns, listed=range(8, prior.size - 8, 8)), spot),
        (*marks, Spot(x="this_prior", y="here", beside=beside)),
        reading=meaning.say("answer_estimate" if meaning.is_estimate else "reading_curve", **meaning.context),
        caption=word("by_prior", promise=meaning.words["promise"]),
        x=Axis(range=(0.0, 1.0), ticks=PERCENT),
        y=Axis(range=(0.0, 1.12), ticks=PERCENT),
        style=meaning.style,
        height=380,
    )


@dataclass(frozen=True, kw_only=True)
class ExplainView(PageAnswer):
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


@refusing(ExplainView)
def explain_view(inputs: ExplainInputs, style: Style, own: Curve | None = None) -> ExplainView:
    """The page for these choices, with the mechanism of a file where the session holds one."""
    meaning = Meaning(inputs, style, own)
    if refusal := meaning.refusal:
        return ExplainView(refusal=refusal)
    context, panels = meaning.context, _panels(meaning)
    form = "" if meaning.curve is None else "_estimate" if meaning.is_estimate else "_of_curve"
    readings, stated = readings_table(meaning)
    right_guess = right_guess_words(meaning)
    answer = "answer_bound" if meaning.reading == "every_view" else f"answer_{meaning.reading}"
    if meaning.is_estimate:
        answer = "answer_estimate"
    elif not style.technical and meaning.limits_nothing:
        answer = "no_limit"
    elif not style.technical and meaning.reading == "bound" and context["raw_only"]:
        answer = "answer_exact"  # what is made from the release can go further
    return ExplainView(
        answer=meaning.opening + capitalised(meaning.say(answer, **context)),
        small_print=meaning.say(f"small_print_{meaning.reading}{form}", **context)
        + (" " + meaning.say("unit", **context) if meaning.entry is not None else ""),
        panels=panels,
        icons=icon_panels("people", panels, style),
        icons_reading=meaning.say("icons", **context),
        why=right_guess if meaning.curve is not None else meaning.say("why", **context),
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
    one_count = meaning.scope is Scope.COUNT and chosen.sensitivity == 1
    ways = [PageLink("exact_totals", meaning.say("exact_totals"), before)]
    if meaning.entry is not None:
        which = (("chosen", deployments.code_of(meaning.entry.name)), ("secret", meaning.promise.secret.value))
        ways.insert(0, PageLink("deployments", meaning.say("deployments"), which + before))
    elif kind in NOISES and (chosen.guarantee == "pure" or one_count):
        budget = "rho" if kind in BY_RHO else "epsilon"
        query = (("noise", kind), (budget, number_text(getattr(chosen, budget))))
        if not read_query(accuracy.FIELDS, dict(query)).refusals:  # a budget that page can take
            ways.insert(0, PageLink("accuracy", meaning.say("accuracy"), query))
    return tuple(ways)


def _panels(meaning: Meaning) -> tuple[IconArray, ...]:
    before, *after = meaning.counts(meaning.drawn_of)
    sides = ("average", "average") if meaning.reading == "average" else ("most", "least")
    if meaning.is_estimate:
        sides = ("estimate", "estimate")
    captions = ["" if side == "most" and meaning.limits_nothing else word(f"people.{side}") for side in sides]
    return tuple(
        IconArray(capitalised(case), said, before, people, meaning.drawn_of, meaning.reading)
        for case, said, people in zip(meaning.worlds(), captions, after, strict=True)
    )


def in_python(meaning: Meaning) -> CodeLines | None:
    """The lines for the belief after in the true world, in the reading shown."""
    code, prior, reading = CodeWriter(), meaning.prior, meaning.reading
    said = meaning.told(reading, in_people(meaning.of))
    if meaning.curve is not None:
        return _curve_in_python(code, meaning, said)
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


def _curve_in_python(code: CodeWriter, meaning: Meaning, said: Quantity) -> CodeLines | None:
    """The lines from the curve of one step; none of a file with more points than somebody would read."""
    curve, steps = meaning.curve, meaning.promise.steps
    if curve is None or is_long(curve):
        return None
    known = between_in_python(code, curve, steps)
    loss = code.let("loss", Source(f"{code.named(PrivacyLoss)}.of({known})"))
    shift = Source(f"{loss}.every_view_epsilon({meaning.inputs.failure!r})")
    return code.ending(code(posterior_upper, prior=meaning.prior, epsilon=shift), said)


def _log_odds(code: CodeWriter, belief: Source) -> Source:
    return Source(f"{code(np.log, belief)} - {code(np.log1p, Source(f'-{belief}'))}")


def _guarantee(code: CodeWriter, meaning: Meaning) -> Source:
    """The guarantee between the two worlds of the secret, from what is stated for one step."""
    promise = code.let("promise", meaning.promise)
    step: object = meaning.evidence.step
    if meaning.entry is not None:
        step = code(guarantee_of, code(deployment, meaning.entry.name), meaning.promise.relation)
    return Source(f"{promise}.guarantee_of_secret({code.of(step)})")


@refusing(RelativesView, "explain", *UNCOMPUTABLE)
def explain_relatives(inputs: ExplainInputs, relatives: RelativesChoice, style: Style) -> RelativesView:
    """What the page's budget tells where relatives resemble, and the budget that tells no more than it does alone."""
    if inputs.guarantee in CURVE_KINDS:
        return relatives_view(None, inputs.prior, style)
    meaning = Meaning(inputs, style)
    promise, evidence, noise = meaning.promise, meaning.evidence, meaning.evidence.mechanism
    failing = meaning.bounds.failure_probability
    told = {"promise": promise, "guarantee": evidence.guarantee, "relatives": relatives, "failure": failing}
    found = None if meaning.entry is not None else resembling(**told)
    one_count = (inputs.released, promise.group, getattr(noise, "sensitivity", 0)) == ("count", 1, 1)
    of_count = noise if one_count and isinstance(noise, NoiseMechanism) else None
    keeps = ("", "")
    if found is not None and not limits_nothing(found.limits(meaning.prior)[0].value):
        each = Allowed(found.budget_each(steps=promise.steps), to_spend)
        keeps = ("keeps_limit", f"{meaning.context['symbol']} = {each}")
    exception = meaning.exception_words(failing)
    return relatives_view(found, meaning.prior, style, keeps=keeps, exception=exception, noise=of_count)
