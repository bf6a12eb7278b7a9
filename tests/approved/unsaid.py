"""Lines of passages that no approved setting says: they wait for draws, for a reader's file, or for a rare case.

They are approved as they are written, with their placeholders, so that no sentence can change unseen.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tests.approved.choices import file_of_choices
from tests.approved.outline import file_of_outline
from tests.approved.prose import VOICES, file_of
from ui.link.page_table import PAGES
from ui.words.catalogue import FOLDER, SHARED, labels, passages

UNSAID = Path(__file__).with_name("unsaid")


def longest_words(line: str) -> str:
    """The longest stretch of a line without a placeholder: what it says whatever its numbers."""
    parts = re.split(r"\{[^{}]*\}", line.replace("{{", "\0").replace("}}", "\1"))
    return max(parts, key=len).replace("\0", "{").replace("\1", "}").strip()


FOLDERS = sorted({path.parents[1].name for path in FOLDER.rglob("*.md") if path.stem in (*VOICES, *SHARED)})


def file_of_unsaid(page: str) -> Path:
    """Where the lines of a page's folder that no setting says are approved."""
    return UNSAID / f"{page}.txt"


@cache
def _approved() -> str:
    files = [
        file
        for entry in PAGES
        for file in (file_of(entry.stem), file_of_outline(entry.stem), file_of_choices(entry.stem))
    ]
    return "\n".join(file.read_text(encoding="utf-8") for file in files).replace("**", "")


def unsaid_passages(page: str) -> str:
    """Every line of every passage of a folder whose words stand on no approved page."""
    approved = _approved()
    lines = [
        f"{voice} {name}: {line}\n"
        for voice in (*VOICES, "labels")
        for name, passage in (labels(page) if voice == "labels" else passages(page, voice)).items()
        if voice == "labels" or name not in labels(page)
        for line in passage.splitlines()
        if longest_words(line.replace("**", "")) not in approved
    ]
    return "".join(lines)
