"""Everything that is filed of four cases: the record, the label as a page, the annexes, part by part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.filed_cases import CASES, SAID
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo import MemoInputs
from ui.views.memo.filing import filing_view

FILE = Path(__file__).with_name("filed.txt")
ROOT = "https://riskline.example/"
FILED = {
    "a household, twelve releases": CASES[1].with_choices(**SAID),
    "rho, three releases, tails of whole-number noise": CASES[4].with_choices(**SAID),
    "a bare case": CASES[0],
    "a decided one": CASES[7],
}


def filed_in_words() -> str:
    """The record, the label and each annex of every case, a line for each thing that is said."""
    return "\n".join(line for name, case in FILED.items() for line in (f"# {name}", *_lines(name))) + "\n"


def _lines(name: str) -> Iterator[str]:
    view = filing_view(MemoInputs.of({"until": "2030", "reasons": "Rarely asked."}, FILED[name]), Style())
    yield from view.record_at(ROOT).splitlines()
    for root in (ROOT, ""):
        page = re.sub(r"<svg.*?</svg>", "", view.label_at(root).page.partition("</head>")[2], flags=re.DOTALL)
        yield from re.sub(r"(?=<(?:p|h1|dt|figcaption|a)\b)", "\n", page).splitlines()
    drawing = view.label_at(ROOT).svg
    yield "drawn: " + "; ".join(re.findall(r'<(?:svg|rect) (x="[^"]+" y="[^"]+" width="[^"]+")', drawing))
    for place, size, weight, words in re.findall(
        r'<text (x="\S+ y="\S+) .*?font-size=(\S+)(.*?) fill=.*?>(.*?)<', drawing
    ):
        yield f"drawn: {place} size={size}{weight}: {words}"
    for kind, document in view.annexes.items():
        yield f"## {kind}: {document.sections[0].heading}"
        for block in document.sections[0].blocks:
            told = block.rows if isinstance(block, Table) else [[str(block)]]
            yield from (" | ".join(map(str, row)) for row in told)
