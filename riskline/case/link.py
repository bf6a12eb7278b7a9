"""A case in a link: the same short parameters on every page, all of them or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from riskline.case.choices import FIELDS, RELATIVE_NAMES
from riskline.case.fields import MAX_VALUE_LENGTH, Refusal, read_query
from riskline.case.value import Case

MARK = "case"
"""The parameter that says whose case a link holds: "own" or "example"."""
OWN, EXAMPLE_ASKED = "own", "example"
MISSING = "missing"
"""The parameter that names what a link leaves out because no link could hold it."""
LONGEST_CASE = 6000
"""Characters that the case may take in an address: a web server takes 8,000 of the whole."""
NAMES = frozenset((*FIELDS, MARK, MISSING))
"""Every parameter that belongs to the case, on whatever page."""


def write_case(case: Case) -> dict[str, str]:
    """The parameters of a link that hold a case: its choices and nothing else; none for the example.

    A choice that is too long for a link, or makes it so, is left out whole and named under `MISSING`.

    >>> write_case(Case(unit="household", group=4)), write_case(Case())
    ({'case': 'own', 'unit': 'household', 'group': '4'}, {})
    """
    query = dict(case.texts)
    if case.is_example:
        return {MARK: EXAMPLE_ASKED} | query if query else {}
    missing = [name for name, text in query.items() if len(text) > MAX_VALUE_LENGTH]
    for name in sorted(query, key=lambda name: -len(query[name])):
        if name not in missing and _length(query, missing) > LONGEST_CASE:
            missing.append(name)
    kept = {name: text for name, text in query.items() if name not in missing}
    return {MARK: OWN} | kept | ({MISSING: " ".join(sorted(missing))} if missing else {})


def _length(query: Mapping[str, str], missing: list[str]) -> int:
    return len(urlencode({name: text for name, text in query.items() if name not in missing}))


@dataclass(frozen=True)
class CaseReading:
    """What a link says of a case.

    case : None where the link says nothing of one
    refusals : what was not taken, by name and value
    missing : what the link says that it leaves out
    """

    case: Case | None
    refusals: tuple[Refusal, ...] = ()
    missing: tuple[str, ...] = ()


def read_case(query: Mapping[str, str], *, longest: int = MAX_VALUE_LENGTH) -> CaseReading:
    """The case that a link holds; a choice that the link does not name has not been made.

    A choice that is refused is left out and named, as if nobody had made it. Parameters that are none of a case are
    passed over; so is what a link says of the example, but for relatives.

    >>> read_case({"case": "own", "unit": "household", "group": "4", "count": "3"}).case
    Case(unit='household', group=4)
    >>> read_case({"count": "3"}).case is None, read_case({"case": "example", "ratio": "2"}).case == Case()
    (True, True)
    """
    named = {name: text for name, text in query.items() if name in NAMES}
    if not named:
        return CaseReading(None)
    if named.pop(MARK, OWN) == EXAMPLE_ASKED:
        named = {name: text for name, text in named.items() if name in RELATIVE_NAMES}
    missing = tuple(name for name in named.pop(MISSING, "").split() if name in FIELDS)
    asked = {name: FIELDS[name] for name in FIELDS if name in named}
    reading = read_query(asked.values(), named, longest=longest)
    refused = {refusal.name for refusal in reading.refusals}
    made: dict[str, Any] = {name: value for name, value in reading.values.items() if name not in refused}
    return CaseReading(Case(**made), reading.refusals, missing)
