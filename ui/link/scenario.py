"""The scenario file: all choices of all pages as a small JSON document with a schema and a version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema

import dpcore
from riskline.case.fields import Field, Refusal, read_query, shown, write_query
from ui.link.page_table import PAGES

VERSION = 1
MAX_BYTES = 200_000
LONGEST = 40_000  # characters of one choice: a long list of releases or tables that no link can hold
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Riskline scenario",
    "type": "object",
    "required": ["riskline_scenario", "pages"],
    "additionalProperties": False,
    "properties": {
        "riskline_scenario": {"type": "integer", "minimum": 1, "description": "version of this format"},
        "made_with": {"type": "string", "maxLength": 100},
        "voice": {"enum": ["plain", "technical"]},
        "pages": {
            "type": "object",
            "maxProperties": 50,
            "additionalProperties": {
                "type": "object",
                "maxProperties": 100,
                "additionalProperties": {"type": "string", "maxLength": LONGEST},
                "description": "the query parameters of the page's link",
            },
        },
    },
}


@dataclass(frozen=True)
class Scenario:
    """What a scenario file holds: the voice, each page's values, and what of it was refused."""

    voice: str
    pages: Mapping[str, Mapping[str, Any]]
    refusals: Mapping[str, tuple[Refusal, ...]]
    unknown: tuple[Refusal, ...] = ()


def write(pages: Mapping[str, Mapping[str, Any]], *, voice: str = "plain") -> str:
    """The scenario file of these pages' values: the parameters their links would hold, by page.

    Examples
    --------
    >>> '"riskline_scenario": 1' in write({})
    True
    """
    held = {}
    for entry in PAGES:
        query = write_query(_public(entry.fields), pages.get(entry.stem, {}))
        if query:
            held[entry.stem] = query
    document = {
        "riskline_scenario": VERSION,
        "made_with": f"Riskline {dpcore.__version__}",
        "voice": voice,
        "pages": held,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def with_private(pages: Mapping[str, Mapping[str, Any]], held: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The pages of a file with what no file may hold as this session has it: nobody leaves a room by loading one."""
    found = {stem: dict(values) for stem, values in pages.items()}
    for entry in PAGES:
        private = {field.name for field in entry.fields if field.private} & set(held.get(entry.stem, {}))
        if private:
            own = found.setdefault(entry.stem, {field.name: field.default for field in entry.fields})
            own.update({name: held[entry.stem][name] for name in private})
    return found


def _public(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    return tuple(field for field in fields if not field.private)


class _Twice(Exception):
    """A name that a JSON object gives twice; one of the two values would be lost in silence."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Twice(name)
        found[name] = value
    return found


def _no_number(name: str) -> None:
    raise ValueError(name)


def read(content: bytes | str) -> Scenario:
    """The choices a scenario file holds.

    Raises
    ------
    ValueError
        A sentence for the reader: not a JSON file, damaged, made for something else, or by a later version.
        Single values that are refused do not stop the file; they are listed as refusals.
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"A scenario file has at most {MAX_BYTES:,} bytes; this one has {len(content):,}.")
    try:
        document = json.loads(content, object_pairs_hook=_once, parse_constant=_no_number)
    except _Twice as twice:
        raise ValueError(f"This scenario file names {shown(str(twice))!r} twice. Nothing was changed.") from None
    except (ValueError, RecursionError):
        raise ValueError("This file cannot be read as JSON; it may be damaged. Nothing was changed.") from None
    if not isinstance(document, dict) or type(document.get("riskline_scenario")) is not int:
        raise ValueError("This is not a Riskline scenario file. Nothing was changed.")
    version = document["riskline_scenario"]
    if version > VERSION:
        raise ValueError(
            f"This file was made by a later Riskline (format {shown(str(version))}; this one reads {VERSION}). Nothing "
            "was changed."
        )
    try:
        jsonschema.validate(document, SCHEMA)
    except jsonschema.ValidationError as error:
        place = " / ".join(shown(str(step)) for step in error.absolute_path) or "the top level"
        raise ValueError(f"This scenario file is damaged at {place}. Nothing was changed.") from None
    pages: dict[str, Mapping[str, Any]] = {}
    refusals: dict[str, tuple[Refusal, ...]] = {}
    known = {entry.stem: entry for entry in PAGES}
    for stem, query in document["pages"].items():
        if stem in known:
            reading = read_query(_public(known[stem].fields), query, longest=LONGEST)
            pages[stem], refusals[stem] = reading.values, reading.refusals
    unknown = tuple(
        Refusal(stem, f"This Riskline has no page called {shown(stem)!r}; what the file says about it was left out.")
        for stem in document["pages"]
        if stem not in known
    )
    return Scenario(document.get("voice", "plain"), pages, refusals, unknown)
