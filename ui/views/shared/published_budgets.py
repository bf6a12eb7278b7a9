"""What a published budget says about one secret, as numbers and as the words that every page uses for it.

*Published budgets* shows it for each budget of the list, `beside` sets the budgets beside a reader's own question (the
memo's table). Every number is an upper bound over all releases with the budget, for the secret asked about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpcore._cache import cached_by_size
from dpcore.deployments import (
    Basis,
    Deployment,
    Protection,
    gaussian_right_guess,
    posterior_upper,
    protection,
    published,
    right_guess,
)
from dpcore.guarantees import Guarantee, PureDP, Relation, ZeroConcentratedDP
from riskline.answers.spent import UNITS, units_protected
from ui.pictures.style import Style
from ui.words.catalogue import label, option_words, say
from ui.words.phrasing import decimal_belief, frequency, plain_number
from ui.words.quantities import Upper, number

RELATION_NAMES = option_words("deployments", "change")
SYMBOLS = {"eps": "ε", "epsilon": "ε", "delta": "δ", "rho": "ρ"}


def in_symbols(reported: str) -> str:
    """A published budget with its Greek letters.

    Examples
    --------
    >>> in_symbols("eps 4, delta below 1e-7")
    'ε 4, δ below 1e-7'
    """
    return re.sub(r"\b(eps|epsilon|delta|rho)\b", lambda found: SYMBOLS[found[0]], reported)


@dataclass(frozen=True)
class Meaning:
    """What a published budget means to a holder of a belief about one secret.

    Parameters
    ----------
    protection : Protection
        What is promised, and what the statement rests on.
    right_guess : float or None
        Largest chance of a right guess; where presence is promised only if units are added or removed, the chance in
        that case (`conditional`). None where nothing is promised.
    gaussian : float or None
        The same for one number with continuous Gaussian noise; None without a ρ.
    posterior : float or None
        Highest belief after the release; None where the definition sets no limit or nothing is promised.
    """

    protection: Protection
    right_guess: float | None = None
    gaussian: float | None = None
    posterior: float | None = None

    @property
    def conditional(self) -> bool:
        """Whether the numbers hold only if units are added or removed."""
        return self.protection.basis is Basis.ONLY_IF_ADDED_OR_REMOVED

    @property
    def case(self) -> str:
        """Which sentence fits: 'promised', 'only_if' or 'not_promised'."""
        if self.right_guess is None:
            return "not_promised"
        return "only_if" if self.conditional else "promised"


@cached_by_size()
def meaning_of(entry: Deployment, *, secret: str, prior: float = 0.5, group: int = 1) -> Meaning:
    """What the entry's published budget means for a holder of this prior about this secret of `group` units."""
    held = protection(entry, secret=secret, group=group)
    if held.basis is Basis.NOT_PROMISED:
        return Meaning(held)
    assuming = Relation.ADD_OR_REMOVE.value if held.basis is Basis.ONLY_IF_ADDED_OR_REMOVED else None
    return Meaning(
        held,
        right_guess(entry, secret=secret, prior=prior, group=group, assuming=assuming),
        gaussian_right_guess(entry, secret=secret, prior=prior, group=group, assuming=assuming),
        posterior_upper(entry, secret=secret, prior=prior, group=group, assuming=assuming),
    )


def guess_words(meaning: Meaning, style: Style, *, central: bool = True) -> str:
    """The chance of a right guess in few words, rounded up, or why there is none."""
    if meaning.right_guess is None:
        return label("deployments", "guess.in" if central else "guess.visible")
    number = f"{Upper(meaning.right_guess, decimal_belief if style.technical else frequency):at most}"
    return label("deployments", "guess.only_if", guess=number) if meaning.conditional else number


def as_published(entry: Deployment) -> str:
    """The budget with the digits that were printed."""
    parts = []
    if entry.rho is not None:
        parts.append(f"ρ = {entry.rho_printed}")
    if entry.epsilon is not None:
        parts.append(f"ε = {entry.epsilon_printed}" + (f" at δ = {plain_number(entry.delta)}" if entry.delta else ""))
    return "; ".join(parts)


def spent_words(guarantee: Guarantee) -> str:
    """A guarantee as letters and numbers, rounded up as an upper bound on what may be learned."""
    if isinstance(guarantee, ZeroConcentratedDP):
        return f"ρ = {Upper(guarantee.rho, number(4)).digits}"
    words = f"ε = {Upper(guarantee.epsilon, number(4)).digits}"
    return words if isinstance(guarantee, PureDP) else f"{words}, δ = {Upper(guarantee.delta, number(2)).digits}"


def promise_facts(entry: Deployment, meaning: Meaning, voice: str) -> dict[str, str]:
    """The words of secret, relation, unit and period that belong to every number of the entry."""
    held = meaning.protection
    steps = held.promise.steps if held.promise is not None else 1
    reason = held.reason[:1].upper() + held.reason[1:]
    return {
        "secret": say("deployments", voice, f"secret_{held.secret.value}"),
        "relation": RELATION_NAMES[entry.relation],
        "confidence": entry.relation_confidence,
        "steps": "" if steps == 1 else " " + say("deployments", voice, "steps", steps=str(steps)),
        "reason": held.reason,
        "because": f" {reason}." if held.basis is Basis.SAFE_FOR_BOTH else "",
        "spent": label("deployments", "spent.nothing") if held.guarantee is None else spent_words(held.guarantee),
        "unit": entry.protected_unit,
        "defined": entry.unit_as_defined,
        "period": entry.period,
    }


@dataclass(frozen=True)
class Beside:
    """A published budget answering a reader's own question: how many of its units, and what it means for them."""

    entry: Deployment
    units: int
    meaning: Meaning

    @property
    def unit_words(self) -> str:
        """The unit, and how many of them belong to the reader's unit of protection."""
        return self.entry.protected_unit if self.units == 1 else f"{self.units:,} × {self.entry.protected_unit}"


def beside(*, secret: str, unit: str, group: int, prior: float = 0.5, most: int = 6) -> tuple[Beside, ...]:
    """Published budgets that answer a question about a secret of a reader's unit, in order of year.

    A household is answered by budgets for households, and by budgets for persons taken `group` times; a person over
    some days by budgets for a day taken `group` times, and by budgets for a person; a person, also one with several
    records, by budgets for a person. Nothing is ranked.

    Parameters
    ----------
    secret : {'presence', 'value'}
        The secret of the question.
    unit : {'person', 'records', 'household', 'days'}
        Whom it is about.
    group : int
        Members of the household, or days.
    prior : float
        Belief before the release, in (0, 1).
    most : int
        How many budgets at most; those that answer the question come first, then those whose own unit fits, then the
        newest.
    """
    found = []
    for entry in published():
        units = units_protected(entry.unit_kind, unit=unit, group=group)
        if units is not None and entry.model == "central":
            found.append(Beside(entry, units, meaning_of(entry, secret=secret, prior=prior, group=units)))
    cases = ("promised", "only_if", "not_promised")
    found.sort(key=lambda one: (cases.index(one.meaning.case), one.entry.unit_kind not in UNITS[unit], -one.entry.year))
    return tuple(sorted(found[:most], key=lambda one: one.entry.year))
