"""The readings of a budget beside each other, the numbers of the bound, and what is stated of beliefs."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from dpcore.guarantees import (
    ProbabilisticDP,
)
from dpcore.scope import Scope, Side
from ui.pictures.table import Table
from ui.views.explain.meaning import Meaning
from ui.views.explain.told import as_sentence, belief_digits
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import say
from ui.words.phrasing import TYPED_DIGITS, believed_before, factor, frequency, percent, times, typed_frequency
from ui.words.quantities import (
    Failure,
    Lower,
    Spoken,
    Upper,
    claimed,
    in_people,
    in_points,
    number,
    number_named,
    share,
)

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
    return StatedBelief(meaning.inputs.prior, said, promise, meaning.evidence.step, before=before)


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
    most = number_named(points(meaning.bounds.largest_difference))
    return next(
        (
            pair
            for pair in told
            if 100 * (number_named(pair[1].digits) - number_named(pair[0].digits)) <= most * (1 + 1e-9)
        ),
        told[-1],
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


OTHER_SHIFTS = {
    "over_every_view": "Bound over every view, by way of the (ε, δ) it implies",
    "one_sided": "Bound on rises alone (or falls alone)",
    "published_route": "Bound by the published route, by way of (ε, δ)",
}


def readings_table(meaning: Meaning) -> tuple[Table, tuple[StatedBelief, ...]]:
    """The readings beside each other at this prior, never mixed; and the upper bounds among them."""
    prior = meaning.inputs.prior
    evidence = meaning.evidence
    rows: list[tuple[object, ...]] = []
    stated: list[StatedBelief] = []

    def add(name: str, reading: str, holds: str = "") -> None:
        up, down = (evidence.belief_after(prior, reading=reading, so=so) for so in (True, False))
        failure = up.promise.failure_probability
        holds = holds or (f"{Failure(failure, number(3)):except with probability}" if failure else "always")
        if up.side is Side.EXACT:
            rows.append((name, percent(up.value, 1), percent(down.value, 1), holds))
            return
        scope = evidence.scope if reading in ("every_view", "exact") else Scope.ANY_MECHANISM
        most, least = claimed(up, scope, share(1)), claimed(down, scope, share(1))
        rows.append((name, f"{most:at most}", f"{least:at least}", holds))
        if isinstance(most, Upper) and scope is Scope.ANY_MECHANISM:
            stated.append(_stated(meaning, most, failure))

    raw = ", its raw output" if isinstance(evidence.guarantee, ProbabilisticDP) else ""
    add(f"{as_sentence(READING_NAMES['bound'])}{raw}", "bound")
    for reading in evidence.other_shifts:
        add(OTHER_SHIFTS[reading], reading)
    if evidence.loss is not None:
        for reading in ("every_view", "exact"):
            add(as_sentence(READING_NAMES[reading]), reading)
        add("This mechanism exactly, its median", "median", "half of the time")
        add(as_sentence(READING_NAMES["average"]), "average", "mean over the noise")
    case_true, case_false = meaning.worlds()
    caption = f"The readings kept apart: belief after the release. {meaning.words['promise']}"
    columns = ("reading", case_true, case_false, "holds")
    return Table(caption, columns, tuple(rows)), tuple(stated)
