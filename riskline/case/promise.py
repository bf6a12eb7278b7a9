"""What must stay secret, about whom, and what counts as one change, as it is chosen: the promise of a case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.guarantees import Relation
from dpcore.promise import Promise, Secret, Unit

UNITS = {"person": Unit.PERSON, "records": Unit.PERSON, "household": Unit.HOUSEHOLD, "days": Unit.PERSON_OVER_TIME}
BOTH = "both"
"""The secret of a line over two beliefs: being in the data and having the value. Its promise is one about a value."""
CONTRADICTION = (
    "Replacing a record does not hide who is in the data, for everybody is known to be in it: ask which value somebody "
    "has, or let a change be a record added or removed."
)


def records_together(unit: str, group: int) -> int:
    """Records that belong together: one for a person with one record, whatever number was typed for other units."""
    return 1 if unit == "person" else group


@dataclass(frozen=True)
class PromiseChoice:
    """What was chosen about the promise, as the fields hold it."""

    secret: str = Secret.PRESENCE.value
    unit: str = "person"
    group: int = 1
    relation: str = Relation.ADD_OR_REMOVE.value

    @property
    def promise(self) -> Promise:
        """The promise; `ValueError` where the choices contradict each other."""
        return promise_of(self.secret, self.unit, self.group, self.relation)


def kind_of_secret(secret: str) -> Secret:
    """What a promise hides: of a line over both beliefs, the value.

    >>> kind_of_secret("both").value, kind_of_secret("presence").value
    ('value', 'presence')
    """
    return Secret.VALUE if secret == BOTH else Secret(secret)


def promise_of(secret: str, unit: str, group: int, relation: str, **more: Any) -> Promise:
    """The promise of four choices; `more` are observer and failure probability."""
    return Promise(
        secret=kind_of_secret(secret),
        relation=Relation(relation),
        unit=UNITS[unit],
        group=records_together(unit, group),
        **more,
    )


def contradiction(choice: PromiseChoice) -> str | None:
    """Why these choices make no promise, as a sentence; None where they make one."""
    if choice.secret == Secret.PRESENCE.value and choice.relation == Relation.REPLACE.value:
        return CONTRADICTION
    return None


def asked_about(secret: str, held: float) -> str:
    """What a line of acceptable risk is about: presence, value, or both where the other belief is held below 1.

    A line over the belief in a value, for somebody who is in the data with probability `held` below 1, speaks of being
    in *and* having the value (thesis, Theorem 4); so does a line over membership with a doubtful value.

    >>> asked_about("presence", 1.0), asked_about("presence", 0.5)
    ('presence', 'both')
    """
    return BOTH if held < 1.0 else secret
