"""What an epsilon means: beliefs before and after, in both worlds, as a bound, over every view, exactly, on average."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from dpcore.guarantees import (
    ApproximateDP,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
    gaussian_every_view_exceedance,
    probabilistic_epsilon_from_rho_published,
)
from dpcore.mechanisms import Gaussian
from dpcore.privacy_loss import ExactPosterior, Side
from dpcore.rounding import round_up
from dpcore.semantics import (
    belief_bounds,
    largest_difference,
    posterior_bounds,
    shift_bound,
)
from dpcore.tradeoff import TradeOff
from ui.link.fields import Field, number_text, read_query
from ui.link.way import Way
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.icons import IconArray, icon_arrays
from ui.pictures.look import Look
from ui.pictures.marks import ON_LINE, Axis, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views import accuracy, deployments, exact_totals
from ui.views.explain.meaning import DEPLOYMENTS, SMALLEST, ExplainInputs, Meaning, as_sentence, belief_digits
from ui.views.promise import PROMISE_FIELDS, StatedBelief
from ui.views.trade_off import NamedTradeOff, trade_off_picture
from ui.words.passages import say
from ui.words.phrasing import frequency, percent, plain_number, times
from ui.words.quantities import Exact, Failure, Lower, Quantity, Upper, in_people, in_points, number, share
from ui.words.refusals import refusal_sentence

GUARANTEES = ("pure", "approximate", "probabilistic", "zero_concentrated", "deployment")
MECHANISMS = ("geometric", "laplace", "randomised_response", "gaussian", "discrete_gaussian")
READINGS = ("bound", "every_view", "exact", "average")
RELEASED = ("count", "cells", "difference")
FIELDS: tuple[Field, ...] = (
    Field("guarantee", "What is released?", "choice", "pure", options=GUARANTEES + MECHANISMS),
    Field("epsilon", "Budget ε: right is less private", "number", 1.0, low=0, high=100, span=(0.05, 8.0), step=0.05),
    Field(
        "rho",
        "Budget ρ: right is less private",
        "number",
        0.1,
        low=SMALLEST,
        high=100,
        span=(0.005, 3.0),
        step=0.005,
        format="%.3f",
    ),
    Field("delta", "δ", "number", 1e-6, low=0, high=1, open_high=True),
    Field("failure", "May fail with probability δ′", "number", 0.01, low=SMALLEST, high=1, open_high=True),
    Field(
        "prior",
        "Belief before the release",
        "number",
        0.5,
        low=SMALLEST,
        high=1,
        open_high=True,
        span=(0.01, 0.99),
        step=0.01,
        format="percent",
    ),
    Field("reading", "Read it for", "choice", "bound", options=READINGS),
    Field("sensitivity", "One record changes the count by up to", "count", 1, low=1, high=1000),
    Field("categories", "Possible answers", "count", 2, low=2, high=1000),
    Field("deployment", "Which one?", "choice", DEPLOYMENTS[0], options=DEPLOYMENTS),
    Field(
        "false_alarm",
        "Wrongly accused, at most",
        "number",
        0.05,
        low=SMALLEST,
        high=1,
        open_high=True,
        span=(0.005, 0.5),
        step=0.005,
        format="percent",
    ),
    Field("log_accused", "Spread out the small shares", "flag", False),
    Field("released", "What is released with this noise?", "choice", "count", options=RELEASED),
    *PROMISE_FIELDS,
)


@dataclass(frozen=True)
class Preset:
    """A published example: what its button says, and the choices it sets."""

    label: str
    values: dict[str, Any]


DEFAULTS = {field.name: field.default for field in FIELDS}
PRESETS = tuple(
    Preset(label, DEFAULTS | values)
    for label, values in (
        ("The manager (Example 6)", {"guarantee": "approximate", "epsilon": 0.1, "delta": 1e-7}),
        (
            "The company (Example 9)",
            {"guarantee": "approximate", "epsilon": 1.8, "delta": 1e-5, "failure": 0.05, "prior": 0.1},
        ),
        ("One noisy count, exactly", {"guarantee": "geometric", "reading": "exact"}),
        ("A month of daily counts", {"guarantee": "gaussian", "rho": 0.3, "reading": "exact"}),
        ("2020 Census, persons", {"guarantee": "deployment", "failure": 1e-3, "prior": 0.1, "secret": "value"}),
        ("A rare condition", {"epsilon": 1.0, "prior": 0.001}),
    )
)


@dataclass(frozen=True)
class ExplainView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str = ""
    small_print: str = ""
    panels: tuple[IconArray, ...] = ()
    icons: str = ""
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
    ways: tuple[Way, ...] = ()
    stated: tuple[StatedBelief, ...] = ()
    refusal: str | None = None


def explain_view(inputs: ExplainInputs, look: Look) -> ExplainView:
    """The page for these choices."""
    meaning = Meaning(inputs, look)
    try:
        if refusal := meaning.refusal:
            return ExplainView(refusal=refusal)
        facts = meaning.facts
    except ValueError as error:
        return ExplainView(refusal=refusal_sentence(error))
    panels = _panels(meaning)
    readings, stated = _readings(meaning)
    opening, answer = meaning.opening, meaning.say(f"answer_{meaning.reading}", **facts)
    return ExplainView(
        answer=opening + (answer if opening and look.technical else answer[0].lower() + answer[1:])
        if opening
        else as_sentence(answer),
        small_print=meaning.say(f"small_print_{meaning.reading}", **facts)
        + (" " + meaning.say("unit", **facts) if meaning.entry is not None else ""),
        panels=panels,
        icons=icon_arrays(panels, look),
        icons_reading=meaning.say(f"icons_{meaning.reading}", **facts),
        numbers=_numbers(meaning),
        readings=readings,
        failing=_failing(meaning),
        weakening=meaning.say("weakening", **_weakening_facts()),
        weakening_table=_weakening_table(),
        pictures=(_curve(meaning), *((_law(meaning),) if meaning.loss is not None else ())),
        trade_off=_trade_off(meaning),
        right_guess=_right_guess(meaning),
        examples=_examples(),
        computed=meaning.say(
            "computed",
            **facts,
            unrounded=meaning.say("unrounded_average" if meaning.reading == "average" else "unrounded", **facts),
        ),
        offered=READINGS if meaning.loss is not None else ("bound",),
        ways=_ways(meaning),
        stated=(*_stated_here(meaning), *stated),
    )


def _ways(meaning: Meaning) -> tuple[Way, ...]:
    """Where this belief and this promise can be taken next: to what exact totals do, the others' budgets, the cost."""
    chosen, before = meaning.inputs, (("prior", number_text(meaning.inputs.prior)),)
    asked = {field.name for field in exact_totals.FIELDS}
    handed_on = tuple(pair for pair in chosen.promise_query if pair[0] in asked)
    ways = [Way("exact_totals", meaning.say("exact_totals"), before + handed_on)]
    if meaning.entry is not None:
        which = (("chosen", deployments.code_of(meaning.entry.name)), ("secret", meaning.promise.secret.value))
        ways.insert(0, Way("deployments", meaning.say("deployments"), which + before))
    elif chosen.guarantee in accuracy.NOISES and meaning.release == "count" and chosen.sensitivity == 1:
        budget = "rho" if chosen.guarantee in ("gaussian", "discrete_gaussian") else "epsilon"
        noise = (("noise", chosen.guarantee), (budget, number_text(getattr(chosen, budget))))
        query = noise + before + chosen.promise_query
        if not read_query(accuracy.FIELDS, dict(query)).refusals:  # a budget that page can take
            ways.insert(0, Way("accuracy", meaning.say("accuracy"), query))
    return tuple(ways)


def _stated_here(meaning: Meaning) -> tuple[StatedBelief, ...]:
    """Upper bounds of the sentence and on the belief that can rise most; other readings bound no other release."""
    rise = meaning.bounds.worst_prior_rise
    said = Upper(1 - rise, belief_digits if meaning.look.technical else frequency)
    worst = replace(_stated(meaning, said), prior=rise)
    if meaning.reading != "bound":
        return (worst,)
    return worst, _stated(meaning, Upper(meaning.here[0], in_people(meaning.of)))


def _stated(meaning: Meaning, said: Upper, failure: float | None = None) -> StatedBelief:
    promise = meaning.stated_promise
    if failure is not None:
        promise = replace(promise, failure_probability=failure)
    return StatedBelief(meaning.inputs.prior, said, promise, meaning.step, meaning.release)


def _panels(meaning: Meaning) -> tuple[IconArray, ...]:
    before, up, down = meaning.counts
    words = ("on average", "on average") if meaning.reading == "average" else ("at most", "at least")
    case_true, case_false = meaning.worlds()
    return (
        IconArray(as_sentence(case_true), words[0], before, up, meaning.of, meaning.reading),
        IconArray(as_sentence(case_false), words[1], before, down, meaning.of, meaning.reading),
    )


def _points(change: float) -> str:
    return Upper(change, in_points).digits


def _numbers(meaning: Meaning) -> tuple[tuple[str, str, str], ...]:
    """Odds, ratio, difference and worst-case priors of the bound."""
    voice, bounds = meaning.look.voice, meaning.bounds
    odds = math.exp(min(bounds.epsilon_prime, 700.0))
    rise, fall = bounds.worst_prior_rise, bounds.worst_prior_fall
    lowest = 1 / odds

    people = belief_digits if meaning.look.technical else frequency

    return (
        (
            say("explain", voice, "number_odds"),
            f"× {Upper(odds, number(3)).digits}",
            f"at most, for every belief before; bound for every release{meaning.facts['bound_exception']}",
        ),
        (
            say("explain", voice, "number_ratio"),
            Upper(float(bounds.ratio_upper), times).digits,
            f"{Lower(float(bounds.ratio_lower), times):at least}; over all beliefs {Lower(lowest, number(3)).digits} "
            f"to {Upper(odds, number(3)).digits}",
        ),
        (
            say("explain", voice, "number_difference"),
            f"+ {_points(float(bounds.difference_upper))}",
            f"or − {_points(-float(bounds.difference_lower))}; over all beliefs at most "
            f"{_points(bounds.largest_difference)}",
        ),
        (
            say("explain", voice, "number_worst"),
            people(rise),
            f"{Upper(1 - rise, people):can rise to}; {people(fall)} {Lower(1 - fall, people):can fall to}",
        ),
    )


READING_NAMES = {
    "bound": "bound for every release with this guarantee",
    "every_view": "this mechanism, over every view of its output",
    "exact": "this mechanism exactly, its raw output",
    "average": "this mechanism exactly, on average over its noise",
}


def _readings(meaning: Meaning) -> tuple[Table, tuple[StatedBelief, ...]]:
    """The readings beside each other at this prior, never mixed; and the upper bounds among them."""
    inputs, guarantee = meaning.inputs, meaning.guarantee
    prior, fails = inputs.prior, inputs.failure
    rows: list[tuple[object, ...]] = []
    stated: list[StatedBelief] = []

    def add(name: str, up: float, down: float, holds: str, *, nearest: bool = False) -> None:
        if nearest:
            rows.append((name, percent(up, 1), percent(down, 1), holds))
        else:
            rows.append((name, f"{Upper(up, share(1)):at most}", f"{Lower(down, share(1)):at least}", holds))

    def add_bound(name: str, shift: float, failure: float) -> None:
        lower, upper = (float(end) for end in posterior_bounds(prior=prior, epsilon=shift))
        holds = f"{Failure(failure, number(3)):except with probability}" if failure else "always"
        add(name, upper, lower, holds)
        stated.append(_stated(meaning, Upper(upper, share(1)), failure))

    may_fail = f"{Failure(fails, number(3)):except with probability}"
    own = meaning.bounds.failure_probability
    raw = ", its raw output" if isinstance(guarantee, ProbabilisticDP) else ""
    add_bound(f"{as_sentence(READING_NAMES['bound'])}{raw}", meaning.bounds.epsilon_prime, own)
    if meaning.over_every_view is not None:
        add_bound("Bound over every view, by way of the (ε, δ) it implies", meaning.over_every_view, fails)
    if isinstance(guarantee, ApproximateDP | ZeroConcentratedDP):
        one = shift_bound(guarantee, delta_prime=fails, one_sided=True)
        add_bound("Bound on rises alone (or falls alone)", one, fails)
    if isinstance(guarantee, ZeroConcentratedDP):
        shift = float(probabilistic_epsilon_from_rho_published(rho=guarantee.rho, delta_prime=fails))
        add_bound("Bound by the published route, by way of (ε, δ)", shift, fails)
    if meaning.loss is not None:
        for reading in ("every_view", "exact"):
            upper, lower = meaning.beliefs(reading, prior)
            add(as_sentence(READING_NAMES[reading]), float(upper), float(lower), may_fail)
        middle = [
            float(ExactPosterior(meaning.loss, prior=prior).quantile(0.5, side=side)) for side in ("present", "absent")
        ]
        add("This mechanism exactly, its median", middle[0], middle[1], "half of the time", nearest=True)
        upper, lower = meaning.beliefs("average", prior)
        add(as_sentence(READING_NAMES["average"]), upper, lower, "mean over the noise", nearest=True)
    case_true, case_false = meaning.worlds()
    caption = f"The readings kept apart: belief after the release. {meaning.words['promise']}"
    columns = ("reading", case_true, case_false, "holds")
    return Table(caption, columns, tuple(rows)), tuple(stated)


def _trade_off(meaning: Meaning) -> Picture:
    """What the best test of the secret finds for what it accuses wrongly: this noise, and every release as private."""
    inputs, promise = meaning.inputs, meaning.promise
    curves = [NamedTradeOff(meaning.say("line_bound", **meaning.facts), meaning.most_telling, meaning.certainty)]
    if meaning.tests is not None:
        curves.insert(0, NamedTradeOff(meaning.say("line_exact"), meaning.tests))
    return trade_off_picture(
        curves,
        false_alarm=inputs.false_alarm,
        look=meaning.look,
        secret=promise.secret,
        log_accused=inputs.log_accused,
    )


def _right_guess(meaning: Meaning) -> str:
    """How often the best guess is right, on an even bet and from the belief before; of which promise."""
    prior = meaning.inputs.prior
    word = belief_digits if meaning.look.technical else frequency

    def right(curve: TradeOff, side: type[Quantity]) -> dict[str, Any]:
        guesses = {"even": 0.5, "here": prior}
        return {name: side(float(curve.right_guess(prior=belief)), word) for name, belief in guesses.items()}

    bound = {f"{name}_bound": said for name, said in right(meaning.most_telling, Upper).items()}
    facts = meaning.facts | {"without": word(max(prior, 1 - prior))} | bound
    kind = "bound"
    if meaning.tests is not None:
        kind, facts = "exact", facts | right(meaning.tests, Exact)
    started = "" if prior == 0.5 else " " + meaning.say(f"right_guess_here_{kind}", **facts)
    return meaning.say(f"right_guess_{kind}", **facts, started=started)


def among(probability: float, people: int = 1000) -> str:
    """An expected number of people among some for whom something of this probability happens.

    Examples
    --------
    >>> among(0.01), among(1e-6), among(0)
    ('at most 10', 'fewer than one: one in 1,000,000', 'none')
    """
    if probability == 0:
        return "none"
    if probability * people >= 1:
        return f"at most {math.ceil(people * probability * (1 - 1e-12)):,}"
    one_in = math.floor(1 / probability * (1 + 1e-12))
    return f"fewer than one: one in {one_in:,}" if one_in < 1e12 else "far fewer than one in a million million"


def _failing(meaning: Meaning) -> str:
    """Delta and delta' in human terms."""
    own, say_here = meaning.guarantee, meaning.say
    passages = []
    if isinstance(own, ApproximateDP | ProbabilisticDP):
        name = "delta" if isinstance(own, ApproximateDP) else "delta_probabilistic"
        passages.append(say_here(name, among=among(own.delta), delta=Failure(own.delta, number(3))))
    failing = meaning.bounds.failure_probability
    if isinstance(own, PureDP):
        passages.append(say_here("never_fails"))
    elif not isinstance(own, ProbabilisticDP):
        passages.append(say_here("delta_prime", among=among(failing), failure=Failure(failing, number(3))))
    if meaning.loss is not None:
        exceeded = float(meaning.loss.exceedance(meaning.bounds.epsilon_prime, direction="either"))
        level, surely = float(meaning.inputs.failure), meaning.loss.largest <= meaning.bounds.epsilon_prime
        passages.append(
            say_here(
                "exceeded",
                among=among(level),
                really="0" if surely else Failure(max(exceeded, SMALLEST), number(2)),
                failure=Failure(level, number(3)),
            )
        )
    return "\n\n".join(passages)


WEAK_RHO, WEAK_SHIFT, WEAK_CUT = 0.3, 2.3, 2.1


@cache
def _weakening() -> tuple[float, float, float, float]:
    """Gaussian noise at rho .3: how often log odds rise by more than 2.3, by raw output, by one cell of two, at most.

    The last number is the rise that the cell {Z > 2.1} gives, which is above 2.3.
    """
    spread = math.sqrt(2 * WEAK_RHO)
    raw = float(ndtr((WEAK_RHO - WEAK_SHIFT) / spread))
    cell = float(ndtr((WEAK_RHO - WEAK_CUT) / spread))
    rise = math.log(cell / float(ndtr((-WEAK_RHO - WEAK_CUT) / spread)))
    most = float(gaussian_every_view_exceedance(rho=WEAK_RHO, epsilon_prime=WEAK_SHIFT))
    return raw, cell, most, rise


def _weakening_facts() -> dict[str, str]:
    raw, cell, most, rise = _weakening()
    return {
        "raw": frequency(raw),
        "cell": f"{1e4 * cell:.0f} in 10,000",
        "most": f"{math.ceil(1e4 * most)} in 10,000",
        "raw_decimal": plain_number(raw, 2),
        "cell_decimal": plain_number(cell, 3),
        "most_decimal": Upper(most, number(3)).digits,
        "rise": Lower(rise, number(3)).digits,
        "odds": plain_number(math.exp(WEAK_SHIFT), 2),
        "rho": f"{WEAK_RHO:g}",
        "threshold": f"{WEAK_SHIFT:g}",
        "cut": f"{WEAK_CUT:g}",
    }


def _weakening_table() -> Table:
    raw, cell, most, _ = _weakening()
    return Table(
        f"Gaussian noise with ρ = {WEAK_RHO:g}: how often the log odds of the truth rise by more than {WEAK_SHIFT:g}",
        ("what the attacker sees", "probability", "of 10,000 releases"),
        (
            ("the release itself", plain_number(raw, 2), f"{1e4 * raw:.0f}"),
            (f"only whether its loss exceeds {WEAK_CUT:g}", plain_number(cell, 3), f"{1e4 * cell:.0f}"),
            ("the view that does so most often", Upper(most, number(3)).digits, f"{math.ceil(1e4 * most)}"),
        ),
    )


STYLES = {"bound": ("reach", "dash"), "every_view": ("third", "dot"), "exact": ("fourth", "solid")}
CURVE_NAMES = {"bound": "bound, any mechanism", "every_view": "any view of this one", "exact": "this one exactly"}


def _priors() -> NDArray[np.float64]:
    steps: NDArray[np.float64] = np.linspace(0.0, 1.0, 161)
    return 3 * steps**2 - 2 * steps**3  # dense at both ends


def _curve(meaning: Meaning) -> Picture:
    """The interval of beliefs after the release, for every belief before it."""
    look, facts = meaning.look, meaning.facts
    prior = _priors()
    before, after = "belief before", "belief after"
    columns = [
        Column("prior", before, prior, said=digits(3)),
        Column("nothing", "learns nothing", prior, quantity=after, listed=False),
    ]
    marks: list[Mark] = [Line(x="prior", y="nothing", role="quiet", hairline=True)]
    kinds = READINGS[:3] if meaning.loss is not None else READINGS[:1]
    below = meaning.inputs.prior < 0.6  # the names stand on the side that the marked spot leaves free
    for place, reading in reversed(list(enumerate(kinds))):  # dashes over the solid line, where they coincide
        role, dash = STYLES[reading]
        at = 70 - 17 * place
        for side, aspect, values, way, where in zip(
            ("upper", "lower"),
            ("at most", "at least"),
            meaning.beliefs(reading, prior),
            (Upper, Lower),
            (None if below else at, 160 - at if below else None),
            strict=True,
        ):
            key = f"{reading}_{side}"
            said = told(way, belief_digits)
            columns.append(
                Column(key, CURVE_NAMES[reading], np.asarray(values), quantity=after, aspect=aspect, said=said)
            )
            marks.append(Line(x="prior", y=key, role=role, dash=dash, label=where, beside=ON_LINE))
    before_count, after_count, _ = meaning.counts
    spot = side_by_side(
        single("this_prior", "belief before, here", meaning.inputs.prior, quantity=before),
        single("here", f"{before_count:,} to {after_count:,} in {meaning.of:,}", meaning.here[0], quantity=after),
    )
    caption = f"Belief after the release by belief before it. {meaning.words['promise']}"
    return Picture(
        key="belief-by-prior",
        numbers=Numbers(caption, (side_by_side(*columns, listed=range(8, prior.size - 8, 8)), spot)),
        marks=(*marks, Spot(x="this_prior", y="here")),
        panels=(Panel(y=Axis(range=(0.0, 1.02))),),
        reading=say("explain", look.voice, "reading_curve", **facts),
        look=look,
        height=380,
    )


LEVELS = (0.5, 0.9, 0.95, 0.99, 0.999)


def _law(meaning: Meaning) -> Picture:
    """The exact law of the belief after the release, in both worlds, with the bound beside it."""
    look, loss, prior = meaning.look, meaning.loss, meaning.inputs.prior
    assert loss is not None
    sides: tuple[Side, Side] = ("present", "absent")
    ends = [
        float(ExactPosterior(loss, prior=prior).quantile(level, side=side))
        for level in (5e-4, 0.9995)
        for side in sides
    ]
    bound_up, bound_down = (float(end) for end in meaning.beliefs("bound", prior))
    low, high = max(min(*ends, bound_down) - 0.03, 0.0), min(max(*ends, bound_up) + 0.03, 1.0)
    belief: NDArray[np.float64] = np.linspace(low, high, 241)
    atoms = not isinstance(meaning.mechanism, Gaussian)
    after, at_or_below = "belief after", "share of releases at or below"
    worlds = tuple(zip(meaning.worlds(), sides, ("fourth", "accent"), ("solid", "dashdot"), (150, 60), strict=True))
    law = side_by_side(
        Column("belief", after, belief, said=told(Upper, belief_digits)),
        *(
            Column(
                side, name, np.asarray(ExactPosterior(loss, prior=prior).cdf(belief, side=side)), quantity=at_or_below
            )
            for name, side, *_ in worlds
        ),
    )
    bounds = side_by_side(
        single("bound_down", "bound", bound_down, quantity=after, aspect="at least"),
        single("bound_up", "bound", bound_up, quantity=after, aspect="at most"),
    )

    def quantiles(level: float) -> list[Any]:
        return [ExactPosterior(loss, prior=prior).quantile(level, side=side) for side in sides]

    rows = [
        (
            f"{percent(level, 1).replace('.0', '')} are at or below",
            *(Upper(float(belief), belief_digits).digits for belief in quantiles(level)),
        )
        for level in LEVELS
    ]
    rows.append(("mean", *(belief_digits(meaning.mean(prior, side)) for side in sides)))
    caption = f"The law of the belief after the release. {meaning.words['promise']}"
    return Picture(
        key="belief-law",
        numbers=Numbers(caption, (law, bounds), Table(caption, ("share", *meaning.worlds()), tuple(rows))),
        marks=(
            *(
                Line(
                    x="belief",
                    y=side,
                    role=role,
                    dash=dash,
                    shape="hv" if atoms else "linear",
                    label=at,
                    beside=ON_LINE,
                )
                for _, side, role, dash, at in worlds
            ),
            Upright(x="bound_down", role="reach", dash="dash", at=1.0, beside="left"),
            Upright(x="bound_up", role="reach", dash="dash", at=1.0, beside="left"),
        ),
        panels=(Panel(y=Axis(range=(0.0, 1.05))),),
        reading=say("explain", look.voice, "reading_law", **_law_facts(meaning)),
        look=look,
        height=330,
    )


def _law_facts(meaning: Meaning) -> dict[str, Any]:
    loss, prior = meaning.loss, meaning.inputs.prior
    assert loss is not None
    word = belief_digits if meaning.look.technical else frequency
    sides: tuple[Side, Side] = ("present", "absent")
    medians = [float(ExactPosterior(loss, prior=prior).quantile(0.5, side=side)) for side in sides]
    means = [meaning.mean(prior, one) for one in sides]
    side = Exact if meaning.look.technical else Upper  # "at that or below" in the plain voice
    return meaning.facts | {
        "median_present": side(medians[0], word),
        "median_absent": side(medians[1], word),
        "mean_present": word(means[0]),
        "mean_absent": word(means[1]),
    }


@cache
def _examples() -> Table:
    """The printed examples beside what this page computes, bounds rounded outwards."""
    manager = belief_bounds(ApproximateDP(epsilon=0.1, delta=1e-7), prior=0.5, delta_prime=0.01)
    company = ApproximateDP(epsilon=1.8, delta=1e-5)
    half = belief_bounds(company, prior=0.5, delta_prime=0.05)
    tenth = belief_bounds(company, prior=0.1, delta_prime=0.05)
    worst = float(expit(-1.0))
    return Table(
        "Printed in chapter 5 of the thesis, and computed here with bounds rounded outwards",
        ("example", "printed", "computed", "note"),
        (
            (
                "Example 6, the manager: belief from 50 %",
                "48 to 52 %",
                f"{Lower(manager.posterior_lower, share()).digits} to {Upper(manager.posterior_upper, share()).digits}",
                f"47.50 and 52.50 unrounded; printed rounded inwards, so 48 to 52 is not a bound "
                f"({plain_number(manager.posterior_lower, 6)}, {plain_number(manager.posterior_upper, 6)})",
            ),
            (
                "Example 6: largest change of any belief",
                "2 points",
                _points(manager.largest_difference),
                "rounded up",
            ),
            (
                "Example 9, the company: belief from 50 %",
                "86 %",
                Upper(half.posterior_upper, share()).digits,
                "δ′ = 0.05",
            ),
            (
                "Example 9: belief from 10 %",
                "40 %",
                Upper(tenth.posterior_upper, share()).digits,
                f"{Upper(tenth.posterior_upper, share(2)).digits} unrounded; 40 is rounded down",
            ),
            (
                "Section 5.4.4, ε = 2: the belief that can rise most",
                "0.27, to 0.73",
                f"{worst:.4f}, to {round_up(1 - worst, 4):.4f}",
                f"a change of {Upper(float(largest_difference(epsilon=2.0)), number(4)).digits}, printed 0.46",
            ),
        ),
    )
