"""The choices of a page with their words: what its class declares, and the labels and help of the catalogue."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import replace
from typing import Any

from riskline.case.declaration import declarations
from riskline.case.fields import Field
from ui.words.catalogue import labels


def fields_of(page: str, choices: type[Any], *shared: str) -> tuple[Field, ...]:
    """The fields of a page's class of choices, those of the case last.

    Parameters
    ----------
    page : str
        Folder of the catalogue. It has a label for each choice of the page's own; for one of the case it may have
        another than the case's.
    choices : type
        The dataclass that declares them.
    *shared : str
        Folders with the words of choices that several pages have.
    """
    fields = sorted(declarations(choices), key=lambda field: field.of_case)
    return tuple(worded(field, page, *shared) for field in fields)


def worded(field: Field, *folders: str) -> Field:
    """A declared field with the words that these folders of the catalogue have for it."""
    said = ChainMap(*(dict(labels(folder)) for folder in folders))
    if (not field.of_case and field.called is None) or field.name in said:
        field = replace(field, label=said[field.name])
    return replace(field, help=said.get(f"{field.name}.help", field.help))
