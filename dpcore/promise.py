"""Which promise a number belongs to: which secret, of whom, under which change of the data, seen by whom, how surely.

A guarantee compares tables that differ by *one* record. A reader asks about a *secret*: whether a unit is in the data
(presence), or which value it has (value), or what it said in a local survey (answer); a unit may own several records.
Between the two worlds of the secret lie `steps` neighbouring tables, and the guarantee of the secret is the guarantee
for so many records together. A named mechanism can do better than its steps, because a moved value changes two cells
of a histogram by one each; `Promise.guarantee_of_cells` says how much. No other function of dpcore that turns a budget
into a belief chooses a secret by itself: it takes a `Promise`, or says that it speaks of one step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.guarantees import (
    Guarantee,
    PureDP,
    Relation,
    ZeroConcentratedDP,
)
from dpcore.mechanisms import NoiseMechanism


class Secret(StrEnum):
    """What must stay uncertain.

    `PRESENCE`: whether the unit is in the data. `VALUE`: which value it has, given that it is in. `ANSWER`: what it
    said in a local survey, where taking part is visible to everybody.

    Examples
    --------
    >>> Promise(secret="value", relation="replace").secret
    <Secret.VALUE: 'value'>
    """

    PRESENCE = "presence"
    VALUE = "value"
    ANSWER = "answer"


class Unit(StrEnum):
    """Whose secret it is: how many records belong together is the group of a `Promise`.

    `RECORD`: one row of the table. `PERSON`: everything one person contributes. `HOUSEHOLD`: the records of people who
    live together. `PERSON_OVER_TIME`: what one person contributes in a stretch of time.

    Examples
    --------
    >>> Promise(secret="presence", relation="add_or_remove", unit="household", group=4).unit
    <Unit.HOUSEHOLD: 'household'>
    """

    RECORD = "record"
    PERSON = "person"
    HOUSEHOLD = "household"
    PERSON_OVER_TIME = "person_over_time"


class Observer(StrEnum):
    """To whom a promise is made, by when they look.

    `GIVEN` at one release or day fixed beforehand, `ANY` at all of them, on whichever day suits best.

    Examples
    --------
    >>> Promise(secret="presence", relation="add_or_remove", observer="any").observer
    <Observer.ANY: 'any'>
    """

    GIVEN = "given"
    ANY = "any"


def _secret(value: str) -> Secret:
    return Secret(_checks.choice("secret", value, [option.value for option in Secret]))


def _relation(value: str) -> Relation:
    return Relation(_checks.choice("relation", value, [option.value for option in Relation]))


@call_hint
def steps(*, secret: str, relation: str, group: int = 1) -> int:
    """Number of neighbouring tables between the two worlds of a secret.

    The promise about the secret is that of the guarantee, so many steps long. Presence: the group (each record is
    added). Value and answer: twice the group when records are added or removed (each is removed and another added), the
    group when they are replaced.
    Source: thesis, Theorem 4 (a changed value is a removed and an added record); dwork_roth, Theorem 2.2

    Parameters
    ----------
    secret : {"presence", "value", "answer"}; a `Secret`
    relation : {"add_or_remove", "replace"}; a `Relation`: what one step of the guarantee changes
    group : int; number of records that belong together, at least 1

    Examples
    --------
    >>> steps(secret="value", relation="add_or_remove", group=3)
    6
    """
    kind, change = _secret(secret), _relation(relation)
    records = _checks.count("group", group, 1)
    if change is Relation.REPLACE:
        if kind is Secret.PRESENCE:
            raise Refused(
                "secret",
                "be 'value' or 'answer' where records are replaced (everybody is known to be in)",
                kind.value,
                Code.INCONSISTENT,
                got="'presence'",
            )
        return records
    return records if kind is Secret.PRESENCE else 2 * records


@call_hint
@dataclass(frozen=True, kw_only=True)
class Promise:
    """The promise a number belongs to: secret, relation, unit and group, observer, and how surely it holds.

    Source: thesis, Theorems 4 and 28; ours, the promise as one value

    Parameters
    ----------
    secret : {"presence", "value", "answer"}; what must stay uncertain; see `Secret`
    relation : {"add_or_remove", "replace"}; the change one step of the guarantee hides; see `Relation`
    unit : {"record", "person", "household", "person_over_time"}; whose secret; see `Unit`. It names the group and does
        not change the number of steps.
    group : int; how many records belong together, at least 1; 1 for a record
    observer : {"given", "any"}; on one given release, or on any so far; see `Observer`
    failure_probability : float; probability, over the noise, with which the promise may fail; in [0, 1)

    Examples
    --------
    >>> Promise(secret="value", relation="add_or_remove").guarantee_of_secret(PureDP(epsilon=0.5)).epsilon
    1.0
    """

    secret: Secret
    relation: Relation
    unit: Unit = Unit.PERSON
    group: int = 1
    observer: Observer = Observer.GIVEN
    failure_probability: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "secret", _secret(self.secret))
        object.__setattr__(self, "relation", _relation(self.relation))
        unit = _checks.choice("unit", self.unit, [option.value for option in Unit])
        object.__setattr__(self, "unit", Unit(unit))
        observer = _checks.choice("observer", self.observer, [option.value for option in Observer])
        object.__setattr__(self, "observer", Observer(observer))
        object.__setattr__(self, "group", _checks.count("group", self.group, 1))
        if self.unit is Unit.RECORD and self.group != 1:
            raise Refused("group", "be 1 for a record", self.group, Code.INCONSISTENT)
        failing = _checks.number("failure_probability", self.failure_probability, 0.0, 1.0, open_high=True)
        object.__setattr__(self, "failure_probability", failing)
        _ = self.steps  # refuses presence under replacement

    @property
    def steps(self) -> int:
        """Neighbouring tables between the two worlds of the secret; see the function `steps`."""
        return steps(secret=self.secret, relation=self.relation, group=self.group)

    @property
    def cells(self) -> int:
        """Cells of a histogram that the secret of one record changes: one for presence, two for a moved value."""
        return 1 if self.secret is Secret.PRESENCE else 2

    def guarantee_of_secret(self, guarantee: Guarantee) -> Guarantee:
        """Guarantee between the two worlds of the secret, however the release is made.

        The value is n epsilon; (n epsilon, delta (e^(n epsilon) - 1)/(e^epsilon - 1)); n² rho, with n = `steps`. A
        bound for every release with the guarantee, reached in n = 2 by one that publishes the difference of the two
        cells between which a value moves.
        Source: dwork_roth, Theorem 2.2; bun_steinke, Proposition 1.9; thesis, Theorem 4

        Parameters
        ----------
        guarantee : PureDP, ApproximateDP, ProbabilisticDP or ZeroConcentratedDP; of the release, for one step; its
            relation must be the promise's

        Examples
        --------
        >>> Promise(secret="value", relation="add_or_remove").guarantee_of_secret(ZeroConcentratedDP(rho=0.1)).rho
        0.4
        """
        _checks.kind_of("guarantee", guarantee, Guarantee, "a guarantee such as PureDP(epsilon=1.0)")
        if guarantee.relation is not self.relation:
            raise Refused(
                "relation",
                f"be that of the guarantee ({guarantee.relation.value!r})",
                self.relation.value,
                Code.INCONSISTENT,
            )
        return guarantee.for_group(self.steps)

    def guarantee_of_count(self, mechanism: NoiseMechanism) -> Guarantee:
        """Guarantee of the secret when the release is one noisy count of the units the secret is about.

        That of `group` records together: a value moves one count by one, as presence does, so there is one step a
        record whichever the secret and the relation. A bound; exact at group 1.
        Source: ours, a plain count of the value asked about has value exponent 1

        Parameters
        ----------
        mechanism : additive noise; the noise of the count, for a record that changes
            it by up to the mechanism's sensitivity

        Examples
        --------
        >>> from dpcore.mechanisms import Geometric
        >>> Promise(secret="value", relation="replace").guarantee_of_count(Geometric(epsilon=0.5))
        PureDP(epsilon=0.5, relation=<Relation.REPLACE: 'replace'>)
        """
        return replace(_of_noise(mechanism).for_group(self.group), relation=self.relation)

    def guarantee_of_cells(self, mechanism: NoiseMechanism) -> Guarantee:
        """Guarantee of the secret when the release is a histogram with this noise on each cell.

        Presence changes one cell a record, a value two: epsilon doubles, and rho doubles (it does not quadruple,
        because two cells with independent noise add their rho). For a group the worst case is one that shares its
        cells: g epsilon a cell, g² rho a cell. A bound; exact for Gaussian noise, and for the largest loss of the
        others.
        Source: ours, the product law of two cells; bun_steinke, Lemma 1.7 (rho adds)

        Parameters
        ----------
        mechanism : additive noise; the noise of one cell, for a record that changes
            it by up to the mechanism's sensitivity

        Examples
        --------
        >>> from dpcore.mechanisms import Gaussian
        >>> Promise(secret="value", relation="add_or_remove").guarantee_of_cells(Gaussian(rho=0.25)).rho
        0.5
        """
        together = _of_noise(mechanism).for_group(self.group)
        if isinstance(together, PureDP):
            return PureDP(epsilon=self.cells * together.epsilon, relation=self.relation)
        return ZeroConcentratedDP(rho=self.cells * together.rho, relation=self.relation)


def _of_noise(mechanism: Any) -> PureDP | ZeroConcentratedDP:
    if not isinstance(mechanism, NoiseMechanism):
        raise Refused("mechanism", "add noise to a count", mechanism, Code.UNSUPPORTED)
    return mechanism.guarantee
