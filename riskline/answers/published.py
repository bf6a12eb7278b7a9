"""What a published budget says about one secret: every number an upper bound over all releases with it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scipy.special import ndtr

from dpcore._cache import cached_by_size
from dpcore.census import SECRETS
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
from dpcore.guarantees import Relation, gaussian_epsilon
from dpcore.promise import Promise
from dpcore.scope import UNSURE_INDEPENDENTLY, Bound, Scope, Side, View

UNITS = {
    "person": ("person", "birth"),
    "records": ("person", "birth"),
    "household": ("household", "housing unit"),
    "days": ("user-day", "device-day"),
}
"""The units of published budgets that are a reader's own unit, or each of those that make it up."""


def units_protected(kind: str, *, unit: str, group: int) -> int | None:
    """How many units of a published budget make up a reader's unit; None where none of them do.

    kind : the unit of the published budget, as `dpcore.deployments.Deployment.unit_kind`
    unit : {'person', 'records', 'household', 'days'}; the reader's unit
    group : members of the household, or days

    >>> [units_protected("person", unit=unit, group=4) for unit in UNITS]
    [1, 1, 4, 1]
    >>> units_protected("user-day", unit="days", group=4), units_protected("device", unit="person", group=1)
    (4, None)
    """
    if kind in UNITS[unit]:
        return group if unit == "days" else 1
    if kind == "person":
        return group if unit == "household" else 1
    return None


@dataclass(frozen=True)
class Meaning:
    """What a published budget means to a holder of a belief about one secret.

    protection : what is promised, and what the statement rests on
    right_guess : largest chance of a right guess after any release with the budget; where presence is promised only if
        units are added or removed, the chance in that case (`conditional`). None where nothing is promised.
    gaussian : the same for one number with continuous Gaussian noise; None without a ρ
    posterior : highest belief after any such release; None where the definition sets no limit or nothing is promised
    """

    protection: Protection
    right_guess: Bound | None = None
    gaussian: float | None = None
    posterior: Bound | None = None

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
    promise = protection(entry, secret=secret, group=group, assuming=assuming).promise
    return Meaning(
        held,
        _of_any(right_guess(entry, secret=secret, prior=prior, group=group, assuming=assuming), promise),
        gaussian_right_guess(entry, secret=secret, prior=prior, group=group, assuming=assuming),
        _of_any(posterior_upper(entry, secret=secret, prior=prior, group=group, assuming=assuming), promise),
    )


def _of_any(value: float | None, promise: Promise | None) -> Bound | None:
    if value is None or promise is None:
        return None
    return Bound(
        value=value,
        side=Side.AT_MOST,
        scope=Scope.ANY_MECHANISM,
        promise=promise,
        reader=UNSURE_INDEPENDENTLY,
        view=View.ANY_FUNCTION,
    )


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

    secret : {'presence', 'value'}; the secret of the question
    unit : {'person', 'records', 'household', 'days'}; whom it is about
    group : members of the household, or days
    prior : belief before the release, in (0, 1)
    most : how many budgets at most; those that answer the question come first, then those whose own unit fits, then the
        newest
    """
    found = []
    for entry in published():
        units = units_protected(entry.unit_kind, unit=unit, group=group)
        if units is not None and entry.model == "central":
            found.append(Beside(entry, units, meaning_of(entry, secret=secret, prior=prior, group=units)))
    cases = ("promised", "only_if", "not_promised")
    found.sort(key=lambda one: (cases.index(one.meaning.case), one.entry.unit_kind not in UNITS[unit], -one.entry.year))
    return tuple(sorted(found[:most], key=lambda one: one.entry.year))


@dataclass(frozen=True)
class Place:
    """How many published budgets of the same unit let an even bet be right less often, more often, or alike."""

    less: int
    more: int
    alike: int

    @property
    def all(self) -> int:
        """How many there are."""
        return self.less + self.more + self.alike


def comparable(*, secret: str, unit: str, group: int, prior: float = 0.5) -> tuple[Beside, ...]:
    """The published budgets that promise something about the same secret and unit, without conditions.

    >>> len(comparable(secret="presence", unit="person", group=1))
    4
    """
    found = beside(secret=secret, unit=unit, group=group, prior=prior, most=len(published()))
    return tuple(one for one in found if one.meaning.case == "promised")


def place_of(own: Bound, others: tuple[Beside, ...]) -> Place:
    """The place of a right guess among those that published budgets allow from the same belief before.

    >>> from riskline.answers.beliefs import right_guess
    >>> from riskline.case.value import Case
    >>> place_of(right_guess(Case(ratio=3.0)), comparable(secret="presence", unit="person", group=1)).all
    4
    """
    guesses = [one.meaning.right_guess.value for one in others if one.meaning.right_guess is not None]
    less, more = (sum(map(compare, guesses)) for compare in (own.value.__gt__, own.value.__lt__))
    return Place(less, more, len(guesses) - less - more)


@dataclass(frozen=True)
class AsRun:
    """What the noisy tables of the 2020 redistricting file tell of one secret: ρ exactly, ε and an even bet estimated.

    The estimates are those of one number with continuous Gaussian noise and this ρ. They lie in the brackets of the
    exact law (`dpcore.census.CensusSecret.privacy_loss`), or within 0.00001 of them.
    """

    rho: float
    epsilon: float
    right_guess: float


def as_run(rho: Fraction, *, delta: float) -> AsRun:
    """The same of a ρ of `dpcore.census.SECRETS`.

    >>> found = as_run(SECRETS["record_within_state"].rho(), delta=1e-10)
    >>> round(found.rho, 6), round(found.epsilon, 3), round(found.right_guess, 4)
    (1.729227, 13.126, 0.8238)
    """
    value = float(rho)
    return AsRun(value, gaussian_epsilon(rho=value, delta=delta), float(ndtr((2 * value) ** 0.5 / 2)))


def census_as_run(*, delta: float) -> dict[str, AsRun]:
    """What the settings of 2020 say: of all noisy tables, where a record stays in its state, and of two people.

    Two people who change places between states leave all exact totals as they are: `exchanged` where nothing else
    differs, `exchanged_at_most` where their characteristics may differ too and no cell moves by more than one. Two
    whose characteristics change alike move cells of the nation by two, which would tell more: ρ = 3.588.

    >>> [round(found.epsilon, 2) for found in census_as_run(delta=1e-10).values()]
    [16.47, 13.13, 19.24, 19.68]
    """
    rhos = {
        "noisy": SECRETS["record"].rho(),
        "within": (within := SECRETS["record_within_state"].rho()),
        "exchanged": SECRETS["exchange_between_states"].rho(),
        "exchanged_at_most": 2 * within,
    }
    return {name: as_run(rho, delta=delta) for name, rho in rhos.items()}
