"""The choices of a page with their words: what its class declares, and the labels and help of the catalogue."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from riskline.case.declaration import declarations
from riskline.case.fields import Field
from ui.words.catalogue import label, labels


def fields_of(page: str, choices: type[Any], *shared: str, **words: object) -> tuple[Field, ...]:
    """The fields of a page's class of choices, those of the case last; `shared` folders follow the page's own in turn.

    A choice of the page's own needs a label; one of the case may have another than the case's.
    """
    fields = sorted(declarations(choices), key=lambda field: field.of_case)
    return tuple(worded(field, page, *shared, **words) for field in fields)


def worded(field: Field, *folders: str, **words: object) -> Field:
    """A declared field with the words that the first of these folders of the catalogue has for it."""

    def said(name: str) -> str | None:
        found = next((folder for folder in folders if name in labels(folder)), None)
        return None if found is None else label(found, name, **words)

    own = said(field.name)
    if own is None and not field.of_case and field.called is None:
        raise KeyError(f"{folders[0]} has no label {field.name}")
    return replace(field, label=own or field.label, help=said(f"{field.name}.help") or field.help)
