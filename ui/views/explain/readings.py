"""The readings of a budget beside each other, the numbers of the bound, what is stated, and the printed examples."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial

from scipy.special import expit

from dpcore.guarantees import ApproximateDP, ProbabilisticDP
from dpcore.rounding import round_up
from dpcore.scope import Scope, Side
from dpcore.semantics import belief_bounds, largest_difference
from ui.pictures.table import Table
from ui.views.explain.meaning import Meaning
from ui.views.explain.told import belief_digits
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import label, say
from ui.words.phrasing import (
    TYPED_DIGITS,
    believed_before,
    factor,
    frequency,
    percent,
    plain_number,
    times,
    typed_frequency,
)
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
)

word = partial(label, "explain")
LEAST_RISING = 1e-4
"""Below this belief, a rise is one of as good as 100 points, and whole people tell it."""


def stated_beliefs(meaning: Meaning) -> tuple[StatedBelief, ...]:
    """Upper bounds of the sentence and on the belief that can rise most; other readings bound no other release."""
    before, after = rising_most(meaning)
    worst = replace(_stated(meaning, after), prior=before.value, before=before.digits)
    if meaning.reading != "bound":
        return (worst,)
    return worst, _stated(meaning, Upper(meaning.here[0], in_people(meaning.of)), before=meaning.before)


def _stated(meaning: Meaning, said: Quantity, failure: float | None = None, before: str = "") -> StatedBelief:
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
            word("number_odds.note", exception=meaning.context["bound_exception"]),
        ),
        (
            say("explain", voice, "number_ratio"),
            Upper(float(bounds.ratio_upper), times).digits,
            word(
                "number_ratio.note",
                least=Lower(float(bounds.ratio_lower), times),
                lowest=Lower(lowest, multiplied).digits,
                odds=Upper(odds, multiplied).digits,
            ),
        ),
        (
            say("explain", voice, "number_difference"),
            f"+ {points(float(bounds.difference_upper))}",
            word(
                "number_difference.note",
                fall=points(-float(bounds.difference_lower)),
                most=Upper(bounds.largest_difference, in_points),
            ),
        ),
        (
            say("explain", voice, "number_worst"),
            before.digits,
            word("number_worst.note", after=after, digits=after.digits, before=before),
        ),
    )


def readings_table(meaning: Meaning) -> tuple[Table, tuple[StatedBelief, ...]]:
    """The readings beside each other at this prior, never mixed; and the upper bounds among them."""
    prior = meaning.inputs.prior
    evidence = meaning.evidence
    rows: list[tuple[object, ...]] = []
    stated: list[StatedBelief] = []

    def add(name: str, reading: str, holds: str = "") -> None:
        name = word(f"readings.{name}")
        up, down = (evidence.belief_after(prior, reading=reading, so=so) for so in (True, False))
        failure = up.promise.failure_probability
        holds = holds or (
            word("readings.except", failing=Failure(failure, number(3))) if failure else word("readings.always")
        )
        if up.side is Side.EXACT:
            rows.append((name, percent(up.value, 1), percent(down.value, 1), holds))
            return
        scope = evidence.scope if reading in ("every_view", "exact") else Scope.ANY_MECHANISM
        most, least = claimed(up, scope, share(1)), claimed(down, scope, share(1))
        rows.append((name, f"{most:at most}", f"{least:at least}", holds))
        if scope is Scope.ANY_MECHANISM:
            stated.append(_stated(meaning, most, failure))

    add("bound_raw" if isinstance(evidence.guarantee, ProbabilisticDP) else "bound", "bound")
    for reading in evidence.other_shifts:
        add(reading, reading)
    if evidence.loss is not None:
        for reading in ("every_view", "exact"):
            add(reading, reading)
        add("median", "median", word("readings.half"))
        add("average", "average", word("readings.mean"))
    case_true, case_false = meaning.worlds()
    caption = word("readings", promise=meaning.words["promise"])
    columns = (word("readings.reading"), case_true, case_false, word("readings.holds"))
    return Table(caption, columns, tuple(rows)), tuple(stated)


@cache
def examples_table() -> Table:
    """The printed examples of the thesis beside what this page computes, bounds rounded outwards."""
    manager = belief_bounds(ApproximateDP(epsilon=0.1, delta=1e-7), prior=0.5, delta_prime=0.01)
    company = ApproximateDP(epsilon=1.8, delta=1e-5)
    half = belief_bounds(company, prior=0.5, delta_prime=0.05)
    tenth = belief_bounds(company, prior=0.1, delta_prime=0.05)
    low, high = Lower(manager.posterior_lower, share()).digits, Upper(manager.posterior_upper, share()).digits
    worst = float(expit(-1.0))
    computed = {
        "manager": word("examples.from_to", low=low, high=high),
        "change": points(manager.largest_difference),
        "company": Upper(half.posterior_upper, share()).digits,
        "tenth": Upper(tenth.posterior_upper, share()).digits,
        "worst": word("examples.reached", low=f"{worst:.4f}", high=f"{round_up(1 - worst, 4):.4f}"),
    }
    unrounded = {
        "low": plain_number(manager.posterior_lower, 6),
        "high": plain_number(manager.posterior_upper, 6),
        "reached": Upper(tenth.posterior_upper, share(2)).digits,
        "change": Upper(float(largest_difference(epsilon=2.0)), number(4)).digits,
    }
    rows = tuple(
        (
            word(f"examples.{name}"),
            word(f"examples.{name}.printed"),
            found,
            word(f"examples.{name}.note", **unrounded),
        )
        for name, found in computed.items()
    )
    heads = tuple(word(f"examples.{head}") for head in ("example", "printed", "computed", "note"))
    return Table(word("examples"), heads, rows)
