"""The case: what is released, whose secret, which line, which budget; everything said is a function of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any

from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.profiles import RiskProfile
from dpcore.promise import Promise
from riskline.case.choices import ANYTHING, BY_RHO, FIELDS, LINE_NAMES, NO_LINE, PROMISE, RELATIVE_NAMES, RELEASE
from riskline.case.decision import Currency, Decision
from riskline.case.line import LINES, PARTS, LineChoice, chosen_profile
from riskline.case.promise import asked_about, promise_of
from riskline.case.sheet import in_ascii
from riskline.case.tables import encode_tables, exact_totals

DIGESTED = (*(field.name for field in (*PROMISE, *RELEASE)), "held", "failure", "delta", "line")
"""What a decision is for: promise, schema, release and line, with the exceptions of the promise."""
DESCRIBING = {"tables": "tables", "rows": "plan", "areas": "table"}
"""What a case releases where somebody made one of these choices and described no release; the first one counts."""


class State(StrEnum):
    """How far a case has come: a closed set; no promise about a secret belongs to it.

    >>> Case().state, Case(unit="household").state, Case(ratio=2.0).state
    (<State.EXAMPLE: 'example'>, <State.NO_LINE: 'no_line'>, <State.UNDECIDED: 'undecided'>)
    """

    EXAMPLE = "example"
    """Nobody has said anything: the built-in example."""
    NO_LINE = "no_line"
    """Something is said, and no line is drawn: there is no budget."""
    UNDECIDED = "undecided"
    """A line is drawn, which implies a budget; nobody has decided on it."""
    DECIDED = "decided"
    """Somebody decided on a budget, for this case."""
    DECIDED_FOR_ANOTHER = "decided_for_another"
    """Somebody decided on a budget; promise, schema, release or line have changed since."""
    PUBLISHED = "published"
    """The budget is one that somebody published."""


class Case(Mapping[str, Any]):
    """One decision: the choices that somebody made; what is not among them is undecided.

    A mapping from the names of `riskline.case.choices.FIELDS` to the values that were set. Two cases with the same
    choices are equal and have the same hash. Empty text is no choice. A case without a choice is the built-in example.
    Setting a part of the line draws it, the rest of the line as a page shows it at first; the line "none" undraws it.

    kept : parts of a file that this version does not know; they are written as they were read
    **made : choices by name

    Raises ValueError: ``… must be a choice of a case; got …`` for another name; what the field of the choice refuses.

    >>> case = Case(secret="value", relation="replace", ratio=2.0)
    >>> case["line"], case.promise.steps, case.state.value
    ('cap_or_ratio', 1, 'undecided')
    """

    __slots__ = ("__dict__", "_made", "kept")

    def __init__(self, kept: Mapping[str, Any] | None = None, **made: Any) -> None:
        self._hold(_checked(made), kept or {})

    def _hold(self, made: dict[str, Any], kept: Mapping[str, Any]) -> Case:
        if made.get("line") == NO_LINE:
            made = {name: value for name, value in made.items() if name not in LINE_NAMES}
        elif LINE_NAMES & set(made) and "line" not in made:
            made["line"] = LINES[0]
        self._made = {name: made[name] for name in FIELDS if name in made and made[name] not in ("", None)}
        self.kept = dict(kept)
        return self

    def __getitem__(self, name: str) -> Any:
        """The choice, or the value that stands while nobody has made it.

        A case without a line has the line "none"; its tables, rows or areas describe its release, and its noise says
        for what guarantee. Areas that were typed for a table are those of a table alone.

        >>> Case(rows=())["release"], Case(rows=(), release="count")["release"], Case(noise="gaussian")["guarantee"]
        ('plan', 'count', 'zero_concentrated')
        """
        if name == "release" and self._made.get(name, ANYTHING) == ANYTHING:
            return next((kind for part, kind in DESCRIBING.items() if part in self._made), ANYTHING)
        if name in self._made:
            return 1 if name == "areas" and self["release"] != "table" else self._made[name]
        if name == "line" and not self.is_example:
            return NO_LINE
        if name == "guarantee" and self._made.get("noise") in BY_RHO:
            return "zero_concentrated"
        return FIELDS[name].default

    def __contains__(self, name: object) -> bool:
        """Whether somebody made this choice."""
        return name in self._made

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and self._made == other._made and self.kept == other.kept

    def __hash__(self) -> int:
        return hash(tuple(self._made.items()))

    def __repr__(self) -> str:
        return f"Case({', '.join(f'{name}={value!r}' for name, value in self._made.items())})"

    def __reduce__(self) -> Any:
        return _restored, (self._made, self.kept)

    def with_choices(self, **made: Any) -> Case:
        """The case with other choices; what is not named stays.

        >>> Case(ratio=2.0).with_choices(unit="household", group=4)["group"]
        4
        """
        return Case.__new__(Case)._hold({**self._made, **_checked(made)}, self.kept)

    def without(self, *names: str) -> Case:
        """The case without some choices, as if nobody had made them."""
        left = {name: value for name, value in self._made.items() if name not in names}
        return Case.__new__(Case)._hold(left, self.kept)

    def of(self, kind: type[Any]) -> Any:
        """What a frozen class of choices holds of the case: each of its fields that is one of the case's.

        >>> from riskline.case.promise import PromiseChoice
        >>> Case(unit="household", group=4).of(PromiseChoice).group
        4
        """
        return kind(**{field.name: self[field.name] for field in fields(kind) if field.name in FIELDS})

    @property
    def is_example(self) -> bool:
        """Whether nobody has made a choice: everything said is then said of the built-in example.

        Relatives who resemble somebody may be asked about there too: they decide nothing.

        >>> Case(relatives=2).is_example, Case(prior=0.1).is_example
        (True, False)
        """
        return not self._made.keys() - RELATIVE_NAMES

    @property
    def made(self) -> dict[str, Any]:
        """The choices as somebody made them, also one that does not count beside the others.

        >>> case = Case(areas=38, release="plan")
        >>> case["areas"], case.made["areas"]
        (1, 38)
        """
        return dict(self._made)

    @property
    def asked(self) -> str:
        """What must stay secret: "presence", "value", or "both" for being in the data and having the value."""
        return asked_about(self["secret"], self["held"])

    @cached_property
    def promise(self) -> Promise:
        """The promise, without its exception; `ValueError` where its parts contradict each other."""
        return promise_of(self.asked, self["unit"], self["group"], self["relation"], observer=self["observer"])

    @property
    def line(self) -> LineChoice | None:
        """The line of acceptable risk; None while none is drawn."""
        return None if self["line"] == NO_LINE else self.of(LineChoice)

    @cached_property
    def profile(self) -> RiskProfile | None:
        """The risk profile of the line; None while none is drawn. `ValueError` where its numbers do not fit."""
        return None if self.line is None else chosen_profile(self.line)

    @property
    def currency(self) -> Currency:
        """The currency of the budget: "rho" for zero-concentrated differential privacy, "epsilon" else."""
        return "rho" if self["guarantee"] == "zero_concentrated" else "epsilon"

    @property
    def decision(self) -> Decision | None:
        """The budget that somebody decided on, with its source; None while nobody did."""
        found: Decision | None = self["chosen"]
        return found

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The choices as a link spells them."""
        return {name: FIELDS[name].encode(value) for name, value in self._made.items()}

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits of promise, schema, release and line: a decision is for a case with this digest.

        >>> Case(ratio=2.0).digest == Case(ratio=2.0, title="A title").digest
        True
        """
        names = (*DIGESTED, *PARTS.get(self["line"], ()))
        told = {name: in_ascii(FIELDS[name].encode(self[name])) for name in names}
        if "tables" not in self:  # the example's rows, as decisions were bound to them before rows had a calendar
            told["tables"] = in_ascii(encode_tables(tuple(replace(row, calendar="") for row in self["tables"])))
        if not told["geography"]:  # as before a case had levels
            del told["geography"]
        if told["unit"] == "person":
            del told["group"]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    @property
    def exact_totals(self) -> tuple[str, ...]:
        """The tables with totals that are published without noise, as they are called, each with its level.

        >>> from riskline.case.tables import TableRow
        >>> Case(tables=(TableRow("Births", areas="40", exact="40"),)).exact_totals
        ('Births (40)',)
        """
        return exact_totals(self["tables"]) if self["release"] == "tables" else ()

    @property
    def state(self) -> State:
        """How far the case has come."""
        if self.is_example:
            return State.EXAMPLE
        if self["published"]:
            return State.PUBLISHED
        if self.decision is not None:
            return State.DECIDED if self.decision.digest == self.digest else State.DECIDED_FOR_ANOTHER
        return State.NO_LINE if self.line is None else State.UNDECIDED

    def decided(self, **decision: Any) -> Case:
        """The case with a decision for it as it stands: value, currency, by, date, page, reason.

        >>> case = Case(ratio=2.0).decided(value=0.9, currency="epsilon", by="the board")
        >>> case.state.value, case.with_choices(ratio=3.0).state.value
        ('decided', 'decided_for_another')
        """
        chosen = Decision(digest=self.digest, **decision)
        return self.with_choices(chosen=chosen)


def _restored(made: dict[str, Any], kept: dict[str, Any]) -> Case:
    return Case.__new__(Case)._hold(made, kept)


def _checked(made: Mapping[str, Any]) -> dict[str, Any]:
    for name in made:
        if name not in FIELDS:
            raise Refused("name", "be a choice of a case", name, Code.UNKNOWN_CHOICE)
    return {name: FIELDS[name].checked(value) for name, value in made.items()}


EXAMPLE = Case()
"""The built-in example: a case in which nobody has made a choice."""
