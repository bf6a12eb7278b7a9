"""The readings of a budget beside each other, the numbers of the bound, and what is stated of beliefs."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from dpcore.guarantees import (
    ApproximateDP,
    ProbabilisticDP,
    ZeroConcentratedDP,
    probabilistic_epsilon_from_rho_published,
)
from dpcore.privacy_loss import ExactPosterior
from dpcore.semantics import posterior_bounds, shift_bound
from ui.pictures.table import Table
from ui.views.explain.meaning import Meaning
from ui.views.explain.told import as_sentence, belief_digits
from ui.views.shared.belief_before import named
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import say
from ui.words.phrasing import TYPED_DIGITS, believed_before, factor, frequency, percent, times, typed_frequency
from ui.words.quantities import Failure, Lower, Spoken, Upper, in_people, in_points, number, share

LEAST_RISING = 1e-4
"""Below this belief, a rise is one of as good as 100 points, and whole people tell it."""


def stated_beliefs(meaning: Meaning) -> tuple[StatedBelief, ...]:
    """Upper bounds of the sentence and on the belief that can rise most; other readings bound no other release."""
    before, after = rising_most(meaning)
    worst = replace(_stated(meaning, after), prior=before.value, before=before.digits)
    if meaning.reading != "bound":
        return (worst,)
    return worst, _stated(meaning, Upper(meaning.here[0], in_people(meaning.of)), before=meaning.before)


def _stated(meaning: Meaning, said: Upper, failure: float | None = None, before: str = "") -> StatedBelief:
    promise = meaning.stated_promise
    if failure is not None:
        promise = replace(promise, failure_probability=failure)
    return StatedBelief(meaning.inputs.prior, said, promise, meaning.step, before=before)


def rising_most(meaning: Meaning) -> tuple[Lower, Upper]:
    """The belief before that can rise most, and what it can rise to: rounded outwards, and no further apart than said.

    The two lie as far from certainty as from none, so the same digits tell the way up and the way down.
    """
    prior, technical = meaning.bounds.worst_prior_rise, meaning.style.technical
    whole = (believed_before, frequency)
    spoken: list[tuple[Spoken, Spoken]] = [(belief_digits, belief_digits) if technical else whole]
    for digits in range(4, TYPED_DIGITS + 1):
        finer = number(digits) if technical else partial(typed_frequency, digits=digits)
        spoken.append((finer, finer))
    told = [(Lower(prior, down), Upper(1 - prior, up)) for down, up in spoken]
    if prior < LEAST_RISING:
        return told[0]
    most = float(points(meaning.bounds.largest_difference).removesuffix(" points"))
    return next(
        (pair for pair in told if 100 * (named(pair[1].digits) - named(pair[0].digits)) <= most * (1 + 1e-9)), told[-1]
    )


def points(change: float) -> str:
    """A change of belief in percentage points, rounded up."""
    return Upper(change, in_points).digits


def numbers_of(meaning: Meaning) -> tuple[tuple[str, str, str], ...]:
    """Odds, ratio, difference and worst-case priors of the bound."""
    voice, bounds = meaning.style.voice, meaning.bounds
    odds = math.exp(min(bounds.epsilon_prime, 700.0))
    lowest = 1 / odds
    before, after = rising_most(meaning)
    multiplied = number(3) if meaning.style.technical else factor
    return (
        (
            say("explain", voice, "number_odds"),
            f"× {Upper(odds, multiplied).digits}",
            f"at most, for every belief before; bound for every release{meaning.context['bound_exception']}",
        ),
        (
            say("explain", voice, "number_ratio"),
            Upper(float(bounds.ratio_upper), times).digits,
            f"{Lower(float(bounds.ratio_lower), times):at least}; over all beliefs {Lower(lowest, multiplied).digits} "
            f"to {Upper(odds, multiplied).digits}",
        ),
        (
            say("explain", voice, "number_difference"),
            f"+ {points(float(bounds.difference_upper))}",
            f"or − {points(-float(bounds.difference_lower))}; over all beliefs at most "
            f"{points(bounds.largest_difference)}",
        ),
        (
            say("explain", voice, "number_worst"),
            before.digits,
            f"{after:can rise to}; {after.digits} {before:can fall to}",
        ),
    )


READING_NAMES = {
    "bound": "bound for every release with this guarantee",
    "every_view": "this mechanism, over every view of its output",
    "exact": "this mechanism exactly, its raw output",
    "average": "this mechanism exactly, on average over its noise",
}


def readings_table(meaning: Meaning) -> tuple[Table, tuple[StatedBelief, ...]]:
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
