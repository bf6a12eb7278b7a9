"""The words that every page uses for a published budget and for what it says about one secret."""

from __future__ import annotations

import re
from typing import Any

from dpcore.deployments import Converted, Deployment
from dpcore.guarantees import Guarantee, PureDP, ZeroConcentratedDP
from dpcore.scope import Bound, Scope
from riskline.answers import case_budget, releases_of, whole_budget
from riskline.answers.beliefs import right_guess
from riskline.answers.published import Beside, Meaning, Place, comparable
from riskline.case.promise import PromiseChoice, contradiction
from riskline.case.value import Case
from ui.pictures.style import Style
from ui.views.shared.strip import budget_each
from ui.words.catalogue import label, option_words, say
from ui.words.phrasing import people_for, plain_number
from ui.words.quantities import Quantity, Spoken, Upper, claimed, in_people, number, number_named

RELATION_NAMES = option_words("deployments", "change")
SYMBOLS = {"eps": "ε", "epsilon": "ε", "delta": "δ", "rho": "ρ"}


def in_symbols(reported: str) -> str:
    """A published budget with its Greek letters.

    >>> in_symbols("eps 4, delta below 1e-7")
    'ε 4, δ below 1e-7'
    """
    return re.sub(r"\b(eps|epsilon|delta|rho)\b", lambda found: SYMBOLS[found[0]], reported)


def told_alike(style: Style, *meanings: Meaning) -> Spoken:
    """How what budgets mean is told beside one another: in the plain voice, all out of one number of people."""
    bounds = (bound for meaning in meanings for bound in (meaning.right_guess, meaning.posterior))
    found = [bound.value for bound in bounds if bound is not None]
    return style.belief if style.technical else in_people(people_for(*found, of=style.of))


def at_most(belief: Bound, spoken: Spoken) -> str:
    """A belief or a chance as the upper bound after any release that it is."""
    return label("deployments", "at_most", belief=claimed(belief, Scope.ANY_MECHANISM, spoken))


def guess_words(meaning: Meaning, spoken: Spoken, *, central: bool = True) -> str:
    """The chance of a right guess in few words, rounded up, or why there is none."""
    if meaning.right_guess is None:
        return label("deployments", "guess.in" if central else "guess.visible")
    number = at_most(meaning.right_guess, spoken)
    return label("deployments", "guess.only_if", guess=number) if meaning.conditional else number


def limit_words(meaning: Meaning, spoken: Spoken) -> str:
    """The highest belief after a budget, or why there is none."""
    if meaning.posterior is None:
        return label("deployments", "limit.none" if meaning.case == "promised" else "limit.not_promised")
    limit = at_most(meaning.posterior, spoken)
    return limit if meaning.case == "promised" else label("deployments", "limit.as_before", limit=limit)


def converted_words(conversion: Converted) -> str:
    """The converted budget, rounded up as an upper bound on loss, or why there is none."""
    if conversion.epsilon is None:
        return label("deployments", "not_converted", reason=conversion.reason)
    return f"ε = {Upper(conversion.epsilon, number(4)).digits}"


def guessed_words(meaning: Meaning, prior: float, context: dict[str, Any], style: Style) -> str:
    """How often a guess is right at most; in the plain voice in other words where that is no gain, or no limit."""
    if meaning.right_guess is None:
        return ""
    name = "guessed_only_if" if meaning.conditional and not style.technical else "guessed"
    if not style.technical and meaning.right_guess.value <= max(prior, 1 - prior) * (1 + 1e-12):
        name = "guessed_no_gain"
    elif not style.technical and number_named(context["right"].digits) == 1:
        name = "guessed_no_limit"
    return say("deployments", style.voice, name, **context)


def stated(entry: Deployment) -> str:
    """The kind of its budget, in a word."""
    return label("deployments", f"stated.{entry.definition}")


def trust(entry: Deployment) -> str:
    """Who adds the noise, in a word."""
    return label("deployments", f"trust.{entry.model}")


def as_published(entry: Deployment) -> str:
    """The budget with the digits that were printed."""
    parts = []
    if entry.rho is not None:
        parts.append(f"ρ = {entry.rho_printed}")
    if entry.epsilon is not None:
        epsilon, delta = f"ε = {entry.epsilon_printed}", plain_number(entry.delta or 0.0)
        parts.append(label("deployments", "published_at", epsilon=epsilon, delta=delta) if entry.delta else epsilon)
    return "; ".join(parts)


def spent_words(guarantee: Guarantee, digits: int = 4) -> str:
    """A guarantee as letters and numbers, rounded up as an upper bound on what may be learned."""
    if isinstance(guarantee, ZeroConcentratedDP):
        return f"ρ = {Upper(guarantee.rho, number(digits)).digits}"
    words = f"ε = {Upper(guarantee.epsilon, number(digits)).digits}"
    return words if isinstance(guarantee, PureDP) else f"{words}, δ = {Upper(guarantee.delta, number(2)).digits}"


def told_at(entry: Deployment, delta: float) -> bool:
    """Whether its publisher told an ε at this δ beside its ρ: one from the rounded ρ differs in the last digits."""
    return entry.rho is not None and entry.epsilon is not None and entry.delta == delta


def guess_in_case(case: Case, secret: str, prior: float) -> Bound | None:
    """The largest chance of a right guess of the same secret after all releases with the case's budget, whatever."""
    budget = whole_budget(case)
    asked = case.with_choices(secret=secret)
    if budget is None or contradiction(PromiseChoice(secret, asked["unit"], asked["group"], asked["relation"])):
        return None
    return right_guess(asked, prior, scope=Scope.ANY_MECHANISM, budget=budget)


def comparable_with_case(case: Case, secret: str, prior: float) -> tuple[Beside, ...]:
    """The published budgets for the same secret and unit as the reader's own case; none beside one of themselves."""
    if case.is_example or case["published"] or guess_in_case(case, secret, prior) is None:
        return ()
    group = case.with_choices(secret=secret).promise.group
    return comparable(secret=secret, unit=case["unit"], group=group, prior=prior)


def case_words(case: Case) -> str:
    """Whose budget the case's is, and how much."""
    budget = case_budget(case)
    if budget is None:
        return label("deployments", "case.none")
    name = "case.example" if case.is_example else "case.own"
    return label("deployments", name, budget=budget_each(budget.value, budget.currency, releases_of(case)))


def compared(guess: Quantity, place: Place, before: str = "") -> str:
    """How often a guess of the case is right, and where that stands among comparable published budgets.

    before : the belief that the guess begins with; empty for an even one
    """
    if not place.all:
        return label("public", "compare_none")
    bet = label("public", "bet_from", before=before) if before else label("public", "bet")
    return label("public", "compare", bet=bet, guess=guess, all=place.all, less=place.less, more=place.more)
