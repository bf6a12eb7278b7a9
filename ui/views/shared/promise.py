"""The promise on a page: what must stay secret, about whom, what counts as one change; the same words everywhere.

A page adds `PROMISE_FIELDS` to its fields and `PromiseChoice` to its inputs, asks with `ui.ask.promise.ask_secret`,
and says `promise_words` in its sentence and small print. What it prints about a belief it also states as a
`StatedBelief`, so that one test holds every page against a release that reaches what the promise allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpcore.guarantees import Relation
from dpcore.promise import Promise, Secret, Unit
from riskline.case.fields import Field, number_text
from ui.words.passages import say
from ui.words.quantities import Upper

UNITS = {
    "person": Unit.PERSON,
    "records": Unit.PERSON,
    "household": Unit.HOUSEHOLD,
    "days": Unit.PERSON_OVER_TIME,
}
SECRET = Field(
    "secret",
    "What must stay secret?",
    "choice",
    Secret.PRESENCE.value,
    options=(Secret.PRESENCE.value, Secret.VALUE.value),
)
UNIT_WORDS = {
    "person": "one person, one record",
    "records": "one person with several records",
    "household": "a household",
    "days": "one person over several days",
}
UNIT = Field("unit", "About whom?", "choice", "person", options=tuple(UNITS))
GROUPS = {"records": "Records of one person", "household": "People in it", "days": "Days"}


def _group_called(values: Mapping[str, Any]) -> tuple[str, str]:
    """What belongs together, by whom the promise is about; a published budget counts its own units."""
    if values.get("guarantee") == "deployment":
        return "Units that belong together", ""
    return GROUPS.get(values["unit"], GROUP.label), ""


GROUP = Field("group", "Records that belong together", "count", 1, low=1, high=10_000, called=_group_called)
RELATION = Field(
    "relation",
    "What counts as one change?",
    "choice",
    Relation.ADD_OR_REMOVE.value,
    options=tuple(relation.value for relation in Relation),
    former_name="neighbours",
    former_options={"unbounded": Relation.ADD_OR_REMOVE.value, "bounded": Relation.REPLACE.value},
)
RHO_FAILURE = Field(
    "failure",
    "Probability with which the promise of a ρ may fail (δ′)",
    "number",
    0.01,
    low=0,
    high=1,
    open_low=True,
    open_high=True,
)
PROMISE_FIELDS: tuple[Field, ...] = (SECRET, UNIT, GROUP, RELATION)


def records_together(unit: str, group: int) -> int:
    """Records that belong together: one for a person with one record, whatever number was typed for other units."""
    return 1 if unit == "person" else group


@dataclass(frozen=True)
class PromiseChoice:
    """What a reader chose about the promise, as the fields hold it."""

    secret: str = Secret.PRESENCE.value
    unit: str = "person"
    group: int = 1
    relation: str = Relation.ADD_OR_REMOVE.value

    @property
    def promise(self) -> Promise:
        """The promise; `ValueError` where the choices contradict each other."""
        return promise_of(self.secret, self.unit, self.group, self.relation)

    @property
    def promise_query(self) -> tuple[tuple[str, str], ...]:
        """The promise as a link hands it to the next page: only what differs from the defaults."""
        return promise_query(self.secret, self.unit, self.group, self.relation)


def promise_of(secret: str, unit: str, group: int, relation: str, **more: Any) -> Promise:
    """The promise of four choices; `more` are observer and failure probability."""
    together = records_together(unit, group)
    return Promise(secret=Secret(secret), relation=Relation(relation), unit=UNITS[unit], group=together, **more)


def promise_query(secret: str, unit: str, group: int, relation: str) -> tuple[tuple[str, str], ...]:
    """Four choices as parameters of a link: those that differ from the defaults."""
    chosen = {"secret": secret, "unit": unit, "group": number_text(group), "relation": relation}
    if unit == "person":
        del chosen["group"]
    defaults = {field.name: field.default_text for field in PROMISE_FIELDS}
    return tuple((name, text) for name, text in chosen.items() if text != defaults[name])


CONTRADICTION = (
    "Replacing a record does not hide who is in the data, for everybody is known to be in it: ask which value somebody "
    "has, or let a change be a record added or removed."
)


def contradiction(choice: PromiseChoice) -> str | None:
    """Why these choices make no promise, as a sentence; None where they make one."""
    if choice.secret == Secret.PRESENCE.value and choice.relation == Relation.REPLACE.value:
        return CONTRADICTION
    return None


def asked_about(question: str, held: float) -> str:
    """What a line of acceptable risk is about: presence, value, or both where the other belief is held below 1.

    A line over the belief in a value, for somebody who is in the data with probability `held` below 1, speaks of being
    in *and* having the value (thesis, Theorem 4); so does a line over membership with a doubtful value.
    """
    if question == "both" or held < 1.0:
        return "both"
    return Secret.PRESENCE.value if question == "membership" else Secret.VALUE.value


def promise_words(promise: Promise, voice: str, *, release: str = "any", joint: bool = False) -> dict[str, str]:
    """The words every page uses for a promise.

    Parameters
    ----------
    promise : Promise
        What is promised.
    voice : {'plain', 'technical'}
        Whose words.
    release : {'any', 'count', 'cells'}
        What the number speaks of: whatever is released, one plain count of what is asked about, or a table of counts
        with noise on each cell. It decides how many steps the small print tells.
    joint : bool
        Whether the secret is being in the data *and* having the value; the promise is then one about a value.

    Returns
    -------
    dict of str
        `whose`: a given person; `secret`: whether a given person is in the data; `that`: that a given person is in the
        data; `if_true`, `if_false`: the two worlds; `promise`: one sentence for the small print.
    """

    def passage(name: str, **words: object) -> str:
        return say("promise", voice, name, **words)

    kind = "both" if joint else promise.secret.value
    several = promise.group > 1
    unit = promise.unit.value if several or promise.unit is Unit.RECORD else "person"
    whose = passage(f"whose_{unit}_{promise.group > 1}".lower(), group=f"{promise.group:,}")
    steps = {"any": promise.steps, "count": promise.group, "cells": promise.cells * promise.group}[release]
    between = "" if steps == 1 else passage(f"steps_{'both' if joint else release}", steps=f"{steps:,}")
    change = passage("relation_answer" if promise.secret is Secret.ANSWER else f"relation_{promise.relation.value}")
    return {
        "whose": whose,
        "secret": passage(f"secret_{kind}", whose=whose),
        "that": passage(f"that_{kind}", whose=whose),
        "if_true": passage(f"if_true_{kind}"),
        "if_false": passage(f"if_false_{kind}"),
        "promise": passage("promise", secret=passage(f"secret_{kind}", whose=whose), change=change, steps=between),
    }


@dataclass(frozen=True)
class StatedBelief:
    """An upper bound on a belief as a page prints it, with what is needed to check it.

    Parameters
    ----------
    prior : float
        Belief before.
    said : Upper
        The largest belief after, and how the page says it.
    promise : Promise
        What it belongs to; its failure probability is the exception the page names.
    source : guarantee, or the privacy loss of a named noise
        Everything released: for one step of the promise's relation, or, where the budget holds for one noise only, the
        law of what it tells about the whole unit.
    release : {'any', 'count', 'cells'}
        As in `promise_words`.
    absent : float
        Where the secret is being in *and* having the value: the belief before that the unit is not in the data.
    on_average : bool
        Whether the bound is one on the average belief in the world where the secret is so, not on every belief.
    printed : bool
        Whether the page prints it as it stands here; otherwise only what is made of it.
    before : str
        The belief before as the page prints it beside the one after; nothing where it names no number.
    """

    prior: float
    said: Upper
    promise: Promise
    source: Any
    release: str = "any"
    absent: float = 0.0
    on_average: bool = False
    printed: bool = True
    before: str = ""

    @property
    def at_most(self) -> float:
        """The largest belief after, unrounded."""
        return self.said.value

    @property
    def words(self) -> str:
        """The belief as the page prints it; nothing where it prints only what is made of it."""
        return self.said.digits if self.printed else ""
