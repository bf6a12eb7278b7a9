"""What experts read of a budget: its readings beside each other, how often they fail, how far any belief can move."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP
from dpcore.scope import Scope, Side
from ui.pictures.table import Table
from ui.views.explain.choices import SMALLEST
from ui.views.explain.meaning import Meaning, belief_digits
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import say
from ui.words.phrasing import TYPED_DIGITS, percent, times
from ui.words.quantities import (
    Failure,
    Lower,
    Quantity,
    Spoken,
    Upper,
    claimed,
    in_people,
    in_points,
    number,
    number_named,
    share,
    whole,
)

told = partial(say, "explain", "technical")
LEAST_RISING = 1e-4
"""Below this belief, a rise is one of nearly 100 points, whatever its digits."""


def stated_beliefs(meaning: Meaning) -> tuple[StatedBelief, ...]:
    """Upper bounds of the sentence and on the belief that can rise most; other readings bound no other release."""
    before, after = rising_most(meaning)
    worst = replace(_stated(meaning, after), prior=before.value, before=before.digits)
    if meaning.reading != "bound" or meaning.limits_nothing:
        return (worst,)
    return worst, _stated(meaning, Upper(meaning.here[0], in_people(meaning.of)), before=meaning.before)


def _stated(meaning: Meaning, said: Quantity, failure: float | None = None, before: str = "") -> StatedBelief:
    promise = meaning.stated_promise
    if failure is not None:
        promise = replace(promise, failure_probability=failure)
    return StatedBelief(meaning.prior, said, promise, meaning.evidence.step, before=before)


def rising_most(meaning: Meaning) -> tuple[Lower, Upper]:
    """The belief before that can rise most, and what it can rise to: rounded outwards, and no further apart than said.

    The two lie as far from certainty as from none, so the same digits tell the way up and the way down.
    """
    prior = meaning.bounds.worst_prior_rise
    spoken: list[Spoken] = [belief_digits, *map(number, range(4, TYPED_DIGITS + 1))]
    pairs = [(Lower(prior, digits), Upper(1 - prior, digits)) for digits in spoken]
    if prior < LEAST_RISING:
        return pairs[0]
    most = number_named(points(meaning.bounds.largest_difference))
    narrow = (
        pair
        for pair in pairs
        if 100 * (number_named(pair[1].digits) - number_named(pair[0].digits)) <= most * (1 + 1e-9)
    )
    return next(narrow, pairs[-1])


def points(change: float) -> str:
    """A change of belief in percentage points, rounded up."""
    return Upper(change, in_points).digits


def for_experts(meaning: Meaning, right_guess: str) -> str:
    """How the numbers are computed, how often they fail, and the most that any belief can move."""
    context, bounds = meaning.context, meaning.bounds
    worst, worst_after = rising_most(meaning)
    extremes = told(
        "extremes",
        **context,
        odds=Upper(math.exp(min(bounds.epsilon_prime, 700.0)), number(3)),
        ratio_up=Upper(float(bounds.ratio_upper), times),
        ratio_down=Lower(float(bounds.ratio_lower), times),
        rise=Upper(float(bounds.difference_upper), in_points),
        fall=points(-float(bounds.difference_lower)),
        most=Upper(bounds.largest_difference, in_points),
        worst=worst.digits,
        worst_after=worst_after,
    )
    unrounded = told("unrounded_average" if meaning.reading == "average" else "unrounded", **context)
    parts = {"unrounded": unrounded, "failing": failing_words(meaning), "right_guess": right_guess}
    return told("computed", **context, **parts, extremes=extremes)


def among(probability: float, people: int = 1000) -> str:
    """An expected number of people among some for whom something of this probability happens.

    >>> among(0.01), among(1e-6), among(0)
    ('at most 10', 'fewer than one: one in 1,000,000', 'none')
    """
    if probability == 0:
        return told("among_none")
    if probability * people >= 1:
        return told("among_most", people=Upper(math.ceil(people * probability * (1 - 1e-12)), whole))
    one_in = math.floor(1 / probability * (1 + 1e-12))
    return told("among_one_in", people=f"{one_in:,}") if one_in < 1e12 else told("among_rarer")


def failing_words(meaning: Meaning) -> str:
    """What δ and δ′ mean for people, and how often a named noise really goes further."""
    own, loss, bounds = meaning.evidence.guarantee, meaning.evidence.loss, meaning.bounds
    passages = []
    if isinstance(own, ApproximateDP | ProbabilisticDP):
        name = "delta" if isinstance(own, ApproximateDP) else "delta_probabilistic"
        passages.append(told(name, among=among(own.delta), delta=Failure(own.delta, number(3))))
    failing = bounds.failure_probability
    if isinstance(own, PureDP):
        passages.append(told("never_fails"))
    elif not isinstance(own, ProbabilisticDP):
        passages.append(told("delta_prime", among=among(failing), failure=Failure(failing, number(3))))
    if loss is not None:
        level, really = float(meaning.inputs.failure), "0"
        if loss.largest > bounds.epsilon_prime:
            exceeded = float(loss.exceedance(bounds.epsilon_prime, direction="either"))
            really = Failure(max(exceeded, SMALLEST), number(2)).digits
        passages.append(told("exceeded", among=among(level), really=really, failure=Failure(level, number(3))))
    return "\n\n".join(passages)


def right_guess_words(meaning: Meaning) -> str:
    """How often the best guess is right, on an even bet and from the belief before; of which promise."""
    prior, scope = meaning.prior, meaning.evidence.scope

    def right(belief: float, scope: Scope) -> Quantity:
        return claimed(meaning.evidence.right_guess(belief, scope), scope, belief_digits)

    def own(belief: float) -> str:
        return "" if scope is Scope.ANY_MECHANISM else told("right_guess_own", right=right(belief, scope)) + " "

    return told(
        "right_guess",
        **meaning.context,
        here_bound=right(prior, Scope.ANY_MECHANISM),
        even_bound=right(0.5, Scope.ANY_MECHANISM),
        without=belief_digits(max(prior, 1 - prior)),
        own=own(prior),
        own_even=own(0.5),
    )


def readings_table(meaning: Meaning) -> tuple[Table, tuple[StatedBelief, ...]]:
    """The readings beside each other at this prior, never mixed; and the upper bounds among them."""
    prior, evidence = meaning.prior, meaning.evidence
    rows: list[tuple[object, ...]] = []
    stated: list[StatedBelief] = []

    def add(name: str, reading: str, holds: str = "") -> None:
        name = told(f"readings_{name}")
        up, down = (evidence.belief_after(prior, reading=reading, so=so) for so in (True, False))
        failure = up.promise.failure_probability
        always = told("readings_except", failing=Failure(failure, number(3))) if failure else told("readings_always")
        if up.side is Side.EXACT:
            rows.append((name, percent(up.value, 1), percent(down.value, 1), holds or always))
            return
        scope = evidence.scope if reading in ("every_view", "exact") else Scope.ANY_MECHANISM
        most, least = claimed(up, scope, share(1)), claimed(down, scope, share(1))
        rows.append((name, f"{most:at most}", f"{least:at least}", holds or always))
        if scope is Scope.ANY_MECHANISM:
            stated.append(_stated(meaning, most, failure))

    add("bound_raw" if isinstance(evidence.guarantee, ProbabilisticDP) else "bound", "bound")
    for reading in evidence.other_shifts:
        add(reading, reading)
    if evidence.loss is not None:
        for reading in ("every_view", "exact"):
            add(reading, reading)
        add("median", "median", told("readings_half"))
        add("average", "average", told("readings_mean"))
    columns = told("readings_columns", **meaning.context).split(" | ")
    return Table(told("readings", **meaning.words), tuple(columns), tuple(rows)), tuple(stated)
