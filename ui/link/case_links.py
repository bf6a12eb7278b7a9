"""The address of a page in parts: the case, the same on every page, and the choices of the page's own.

A choice of a page's own whose name is also one of the case's stands in the address under the page's stem, so that no
name means two things: `block_noise`. Links of versions 0.1 to 0.3, which do not say whose case they hold, are read as
their pages wrote them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from riskline.case.choices import FIELDS, LINE_NAMES, NO_LINE
from riskline.case.fields import Field, Refusal, named_twice, pairs_of, read_query, shown, write_query
from riskline.case.line import LINES
from riskline.case.link import EXAMPLE_ASKED, MARK, NAMES, OWN, CaseReading, read_case, write_case
from riskline.case.value import EXAMPLE, Case
from ui.link.page_table import PageLink, page_entry
from ui.words.catalogue import label

Pairs = list[tuple[str, str]]
DREW_A_LINE = ("choose", "publication")
"""Pages of 0.3 on which a line stood whatever their link said."""
WITHOUT_CASE = "join"
"""The page whose address holds a room and a key alone."""
CARRYING = ("memo", "lessons")
"""Pages of 0.3 whose links held what other pages had chosen."""
CARRIED = ("choose", "publication", "plan", "positions", "accuracy")
"""The pages that they held it of, those that win where they disagree first."""
FORMER_DECISION = ("decided_by", "decision")
"""What a link of the memo of 0.3 said of a decision, which is an act now."""


def own_name(stem: str, field: Field) -> str:
    """What a choice is called in the address of the page with this stem.

    >>> own_name("block", Field("noise", "Noise", "text", "")), own_name("block", Field("seed", "Seed", "text", ""))
    ('block_noise', 'seed')
    """
    return f"{stem}_{field.name}" if field.name in NAMES and not field.of_case else field.name


def write_own(stem: str, fields: Iterable[Field], values: Mapping[str, Any]) -> dict[str, str]:
    """The page's own part of its address: its choices that differ from their default.

    >>> write_own("block", [Field("noise", "Noise", "text", "")], {"noise": "gaussian"})
    {'block_noise': 'gaussian'}
    """
    own = {field.name: field for field in fields if not field.of_case}
    return {own_name(stem, own[name]): text for name, text in write_query(own.values(), values).items()}


def address(case: Case, stem: str, fields: Iterable[Field], values: Mapping[str, Any]) -> dict[str, str]:
    """The parameters of a page's address: the case, but on phones that join a room, and the page's own choices."""
    return ({} if stem == WITHOUT_CASE else write_case(case)) | write_own(stem, fields, values)


def of_case(case: Case, fields: Iterable[Field]) -> dict[str, Any]:
    """What a page shows of the case: the choices that were made or follow, and else what the page begins with.

    >>> from riskline.case.choices import case_field
    >>> of_case(Case(ratio=2.0), [case_field("ratio"), case_field("prior", default=0.05)])
    {'ratio': 2.0, 'prior': 0.05}
    """
    begins = {field.name: field.default for field in fields if field.of_case}
    return {
        name: case[name] if name in case or case[name] != FIELDS[name].default else default
        for name, default in begins.items()
    }


def page_query_of(case: Case, way: PageLink) -> dict[str, str]:
    """The parameters of a way to another page: the case, but for what the way says otherwise, and that page's own.

    A way that draws a line draws the whole of it. A way from or to the example says no more than its own choices. Rows
    only begin a case that has none and that nobody decided on.

    >>> page_query_of(
    ...     Case(ratio=2.0, unit="household"), PageLink("block", "", (("unit", "person"), ("noise", "gaussian")))
    ... )
    {'case': 'own', 'unit': 'person', 'line': 'cap_or_ratio', 'ratio': '2', 'block_noise': 'gaussian'}
    """
    fields = {field.name: field for field in page_entry(way.stem).fields}
    said = {own_name(way.stem, fields[name]) if name in fields else name: text for name, text in way.query}
    if case.is_example or way.stem == WITHOUT_CASE or said.get(MARK) == EXAMPLE_ASKED:
        return said
    held = case.without(*LINE_NAMES) if LINE_NAMES & set(said) else case
    if "rows" in case or case.decision is not None:
        said.pop("rows", None)
    return {MARK: OWN} | write_case(held) | said


def page_query(stem: str, fields: Iterable[Field], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What a link says of a page's choices, those of the case among them, by the names of the page's fields.

    >>> from riskline.case.choices import case_field
    >>> page_query("choose", [case_field("line"), case_field("unit")], [("case", "own"), ("unit", "days")])
    {'unit': 'days', 'line': 'none'}
    """
    given, fields = list(pairs), tuple(fields)
    asked = dict(given)
    if MARK not in asked:
        own = {own_name(stem, field): field.name for field in fields}
        return dict(_meant_by_0_3(fields, [(own.get(name, name), text) for name, text in given]))
    shared = {field.name for field in fields if field.of_case} if asked[MARK] != EXAMPLE_ASKED else set()
    query = dict(parts_of(stem, fields, given).own) | {name: text for name, text in given if name in shared}
    if "line" in shared and not LINE_NAMES & set(asked):
        query["line"] = NO_LINE
    return query


@dataclass(frozen=True)
class LinkParts:
    """An address in parts: its case, the page's own pairs, and other pages' by stem, as in some links of 0.3."""

    case: CaseReading
    own: Pairs
    beside: Mapping[str, Pairs] = field(default_factory=dict)


def parts_of(stem: str, fields: Iterable[Field], pairs: Iterable[tuple[str, str]]) -> LinkParts:
    """The parts of an address.

    >>> from riskline.case.choices import case_field
    >>> noise = Field("noise", "Noise", "text", "")
    >>> parts_of("block", [noise], [("case", "own"), ("unit", "household"), ("block_noise", "gaussian")]).own
    [('noise', 'gaussian')]
    >>> parts_of("explain", [case_field("relation")], [("neighbours", "bounded")]).case.case
    Case(relation='replace')
    """
    given, fields = list(pairs), tuple(fields)
    mine = {own_name(stem, field): field.name for field in fields if not field.of_case}
    if any(name == MARK for name, _ in given):
        own = [(mine.get(name, name), text) for name, text in given if name in mine or name not in NAMES]
        reading, asked = read_case(dict(given)), [pair for pair in given if pair[0] in NAMES and pair[0] not in mine]
        return LinkParts(replace(reading, refusals=named_twice(asked) + reading.refusals), own)
    bound = [field for field in fields if field.of_case]
    names = {field.name for field in bound} | {field.former_name for field in bound if field.former_name}
    reading = _case_of_0_3(stem, bound, [pair for pair in given if pair[0] in names])
    own = _meant_by_0_3(fields, [(mine.get(name, name), text) for name, text in given if name not in names])
    return _carried(reading, own) if stem in CARRYING else LinkParts(reading, own)


def _meant_by_0_3(fields: Iterable[Field], own: Pairs) -> Pairs:
    """A page's own pairs with what a link of 0.3 meant by saying nothing of a choice that begins otherwise today."""
    silent = [field for field in fields if field.formerly and not {field.name, field.former_name} & set(dict(own))]
    chosen = {name for field in fields for name in (field.name, field.former_name)} & set(dict(own))
    return [*own, *((field.name, field.formerly) for field in silent if chosen)]


def _case_of_0_3(stem: str, bound: list[Field], given: Pairs) -> CaseReading:
    """What a link of 0.3 made of the case: a page with a line had one even where its link was silent about it."""
    if not given:
        return CaseReading(None)
    asked = dict(given)
    reading = read_query(bound, asked)
    refused = {refusal.name for refusal in reading.refusals}
    said = {field.name for field in bound if {field.name, field.former_name} & (set(asked) - refused)}
    made = {name: reading.values[name] for name in said}
    if stem in DREW_A_LINE and not LINE_NAMES & set(made):
        made["line"] = LINES[0]
    if stem == "publication":
        made.setdefault("noise", FIELDS["noise"].default)
    return CaseReading(Case(**made), named_twice(given) + reading.refusals)


def _carried(reading: CaseReading, own: Pairs) -> LinkParts:
    """The parts of a link of 0.3 that held what other pages had chosen."""
    held, made = dict(own), (reading.case or EXAMPLE).made
    refusals, beside = list(reading.refusals), {}
    for stem in CARRIED:
        if held.get(stem):
            parts = parts_of(stem, page_entry(stem).fields, pairs_of(held[stem]))
            made = (parts.case.case or EXAMPLE).made | made
            refusals += parts.case.refusals
            beside[stem] = parts.own
    refusals += [
        Refusal(name, label("frame", "who_decided", given=repr(shown(held[name]))))
        for name in FORMER_DECISION
        if held.get(name)
    ]
    left = [pair for pair in own if pair[0] not in (*CARRIED, *FORMER_DECISION)]
    case = Case(**made) if made else reading.case
    return LinkParts(replace(reading, case=case, refusals=tuple(refusals)), left, beside)
