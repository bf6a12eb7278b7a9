"""What the choices of a case are called, on their controls and where one is refused; a line each: ``- name: words``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

LANGUAGE = "en"
FILE = Path(__file__).with_name("text") / LANGUAGE / "labels.md"
LABEL = re.compile(r"- ([\w.-]+): (.+)")


def case_text() -> str:
    """The labels of a case as they are written, in the language spoken."""
    return FILE.read_text(encoding="utf-8")


def labels_in(text: str, page: str) -> Mapping[str, str]:
    """The labels that a page's file writes, by name.

    Raises ValueError: ``a label must be written once, as '- name: words'; explain has '- a: b'``
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            written = LABEL.fullmatch(line)
            if written is None or written[1] in found:
                raise ValueError(f"a label must be written once, as '- name: words'; {page} has {line!r}")
            found[written[1]] = written[2]
    return found


@cache
def case_labels() -> Mapping[str, str]:
    """The labels of a case: of a choice under its name, of its help and its options after a point.

    >>> case_labels()["unit"], case_labels()["unit.household"]
    ('About whom?', 'a household')
    """
    return labels_in(case_text(), "case")


def heads_of(table: str) -> dict[str, str]:
    """The heads of a table that is typed or sent as a spreadsheet, by the names of its columns.

    >>> heads_of("release_head")["budget"]
    'budget of one release'
    """
    start = f"{table}."
    return {name.removeprefix(start): words for name, words in case_labels().items() if name.startswith(start)}
