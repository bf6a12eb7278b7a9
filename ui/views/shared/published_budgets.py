"""The words that every page uses for a published budget and for what it says about one secret."""

from __future__ import annotations

import re

from dpcore.deployments import Deployment
from dpcore.guarantees import Guarantee, PureDP, ZeroConcentratedDP
from dpcore.scope import Bound, Scope
from riskline.answers.published import Meaning
from ui.pictures.style import Style
from ui.words.catalogue import label, option_words
from ui.words.phrasing import plain_number
from ui.words.quantities import Upper, claimed, number

RELATION_NAMES = option_words("deployments", "change")
SYMBOLS = {"eps": "ε", "epsilon": "ε", "delta": "δ", "rho": "ρ"}


def in_symbols(reported: str) -> str:
    """A published budget with its Greek letters.

    >>> in_symbols("eps 4, delta below 1e-7")
    'ε 4, δ below 1e-7'
    """
    return re.sub(r"\b(eps|epsilon|delta|rho)\b", lambda found: SYMBOLS[found[0]], reported)


def at_most(belief: Bound, style: Style) -> str:
    """A belief or a chance as the upper bound after any release that it is."""
    return label("deployments", "at_most", belief=claimed(belief, Scope.ANY_MECHANISM, style.belief))


def guess_words(meaning: Meaning, style: Style, *, central: bool = True) -> str:
    """The chance of a right guess in few words, rounded up, or why there is none."""
    if meaning.right_guess is None:
        return label("deployments", "guess.in" if central else "guess.visible")
    number = at_most(meaning.right_guess, style)
    return label("deployments", "guess.only_if", guess=number) if meaning.conditional else number


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


def spent_words(guarantee: Guarantee) -> str:
    """A guarantee as letters and numbers, rounded up as an upper bound on what may be learned."""
    if isinstance(guarantee, ZeroConcentratedDP):
        return f"ρ = {Upper(guarantee.rho, number(4)).digits}"
    words = f"ε = {Upper(guarantee.epsilon, number(4)).digits}"
    return words if isinstance(guarantee, PureDP) else f"{words}, δ = {Upper(guarantee.delta, number(2)).digits}"


def told_at(entry: Deployment, delta: float) -> bool:
    """Whether its publisher told an ε at this δ beside its ρ: one from the rounded ρ differs in the last digits."""
    return entry.rho is not None and entry.epsilon is not None and entry.delta == delta
