"""The choices of a page with their words: what its class declares, and the labels and help of the catalogue."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from riskline.case.declaration import declarations
from riskline.case.fields import Field
from ui.words.catalogue import label, labels


def fields_of(page: str, choices: type[Any]) -> tuple[Field, ...]:
    """The fields of a page's class of choices, those of the case last.

    Parameters
    ----------
    page : str
        Folder of the catalogue. It has a label for each choice of the page's own; for one of the case it may have
        another than the case's.
    choices : type
        The dataclass that declares them.
    """
    fields = sorted(declarations(choices), key=lambda field: field.of_case)
    return tuple(worded(page, field) for field in fields)


def worded(page: str, field: Field) -> Field:
    """A declared field with the words that a page's catalogue has for it."""
    said = labels(page)
    if (not field.of_case and field.called is None) or field.name in said:
        field = replace(field, label=label(page, field.name))
    return replace(field, help=said.get(f"{field.name}.help", field.help))
