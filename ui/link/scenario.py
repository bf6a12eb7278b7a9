"""The scenario file: the case and each page's own choices as a small JSON document with a schema and a version.

Version 2 holds the case once; version 1 held the choices of every page by itself, and is still read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import jsonschema

import dpcore
from dpcore.errors import Code, Refused
from riskline.case.fields import LONGEST_IN_FILE, Field, Refusal, read_query, shown, write_query
from riskline.case.file import case_from_table, case_table, json_table, not_used
from riskline.case.value import EXAMPLE, Case
from ui.link.case_links import parts_of
from ui.link.page_table import PAGES, page_entry
from ui.words.catalogue import label
from ui.words.refusals import refuse_larger

VERSION = 2
MAX_BYTES = 200_000
_TEXT = {"type": "string", "maxLength": LONGEST_IN_FILE}
_CHOICES = {"type": "object", "maxProperties": 100}
_CASE = _CHOICES | {"description": "the choices of the case by name"}
_PAGE = _CHOICES | {"additionalProperties": _TEXT, "description": "the query parameters of the page's link"}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Riskline scenario",
    "type": "object",
    "required": ["riskline_scenario", "pages"],
    "properties": {
        "riskline_scenario": {"type": "integer", "minimum": 1, "description": "version of this format"},
        "made_with": {"type": "string", "maxLength": 100},
        "voice": {"enum": ["plain", "technical"]},
        "case": _CASE,
        "pages": {"type": "object", "maxProperties": 50, "additionalProperties": _PAGE},
    },
}


@dataclass(frozen=True)
class Scenario:
    """What a scenario file holds: the voice, the case, each page's values, and what of it was refused."""

    voice: str
    case: Case
    pages: Mapping[str, Mapping[str, Any]]
    refusals: Mapping[str, tuple[Refusal, ...]]
    unknown: tuple[Refusal, ...] = ()


def write(pages: Mapping[str, Mapping[str, Any]], case: Case = EXAMPLE, *, voice: str = "plain") -> str:
    """The scenario file of a case and of these pages' own values: the parameters their links would hold, by page.

    >>> '"riskline_scenario": 2' in write({})
    True
    """
    queries = {entry.stem: write_query(_own(entry.fields), pages.get(entry.stem, {})) for entry in PAGES}
    document = {
        "riskline_scenario": VERSION,
        "made_with": f"Riskline {dpcore.__version__}",
        "voice": voice,
        "case": case_table(case),
        "pages": {stem: query for stem, query in queries.items() if query},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def with_private(pages: Mapping[str, Mapping[str, Any]], held: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The pages of a file with what no file may hold as this session has it: nobody leaves a room by loading one.

    Counts of an old file are taken where it holds them.
    """
    found = {stem: dict(values) for stem, values in pages.items()}
    for entry in PAGES:
        asked, mine = found.get(entry.stem, {}), held.get(entry.stem, {})
        private = {
            field.name: mine[field.name]
            for field in entry.fields
            if field.private and field.name in mine and not (field.in_old_links and field.name in asked)
        }
        if private:
            own = found.setdefault(entry.stem, {field.name: field.default for field in entry.fields})
            own.update(private)
    return found


def _own(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """What a file holds of a page: also what would be too long for its address."""
    return tuple(replace(field, in_address=True) for field in fields if not field.private and not field.of_case)


def read(content: bytes | str) -> Scenario:
    """The choices a scenario file holds."""
    refuse_larger(content, MAX_BYTES)
    try:
        document = json_table(content)
    except (ValueError, RecursionError) as fault:
        if isinstance(fault, Refused) and fault.code is Code.REPEATED:
            raise ValueError(label("frame", "file.twice", name=repr(fault.value))) from None
        raise ValueError(label("frame", "file.json")) from None
    if not isinstance(document, dict) or type(document.get("riskline_scenario")) is not int:
        raise ValueError(label("frame", "file.other"))
    version = document["riskline_scenario"]
    if version > VERSION:
        raise ValueError(label("frame", "file.later", version=shown(str(version)), own=VERSION))
    try:
        jsonschema.validate(document, SCHEMA)
    except jsonschema.ValidationError as error:
        place = " / ".join(shown(str(step)) for step in error.absolute_path) or label("frame", "file.top")
        raise ValueError(label("frame", "file.damaged", place=place)) from None
    case, pages, refusals = _parts(document)
    unknown = tuple(
        Refusal(stem, label("frame", "no_page", page=repr(shown(stem))))
        for stem in document["pages"]
        if stem not in refusals
    )
    if kept := not_used(case):
        unknown = (Refusal("case", kept), *unknown)
    return Scenario(document.get("voice", "plain"), case, pages, refusals, unknown)


def _parts(document: Mapping[str, Any]) -> tuple[Case, dict[str, Mapping[str, Any]], dict[str, tuple[Refusal, ...]]]:
    """The case of a file, the pages' own values, and what was refused of either."""
    try:
        held = case_from_table(document.get("case", {}) if document["riskline_scenario"] > 1 else {})
    except ValueError as error:
        raise ValueError(label("frame", "file.damaged", place=f"case: {error}")) from None
    made = held.made
    pages: dict[str, Mapping[str, Any]] = {}
    refusals: dict[str, tuple[Refusal, ...]] = {}
    first = sorted(PAGES, key=lambda entry: entry.stem not in ("choose", "publication", "plan"))
    for entry in first:
        if entry.stem in document["pages"]:
            parts = parts_of(entry.stem, entry.fields, document["pages"][entry.stem].items())
            old = [field for field in entry.fields if field.in_old_links and field.name in dict(parts.own)]
            reading = read_query((*_own(entry.fields), *old), dict(parts.own), longest=LONGEST_IN_FILE)
            pages[entry.stem] = reading.values
            refusals[entry.stem] = (*parts.case.refusals, *reading.refusals)
            made = (parts.case.case or EXAMPLE).made | made
            for stem, pairs in parts.beside.items():  # from a memo of 0.3; the file's own entries for these pages win
                pages.setdefault(stem, read_query(_own(page_entry(stem).fields), dict(pairs)).values)
    return Case(held.kept, **made), pages, refusals
