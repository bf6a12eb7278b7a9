"""Lines of passages that no approved setting says: they wait for draws, for a reader's file, or for a rare case.

They are approved as they are written, with their placeholders, so that no sentence can change unseen.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.approved.prose import VOICES, file_of
from ui.link.page_table import PAGES
from ui.words.passages import FOLDER, passages

FILE = Path(__file__).with_name("unsaid.txt")


def longest_words(line: str) -> str:
    """The longest stretch of a line without a placeholder: what it says whatever its numbers."""
    parts = re.split(r"\{[^{}]*\}", line.replace("{{", "\0").replace("}}", "\1"))
    return max(parts, key=len).replace("\0", "{").replace("\1", "}").strip()


def unsaid_passages() -> str:
    """Every line of every passage whose words stand on no approved page."""
    approved = "\n".join(file_of(entry.stem).read_text(encoding="utf-8") for entry in PAGES).replace("**", "")
    lines = [
        f"{page}/{voice} {name}: {line}"
        for page in sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
        for voice in VOICES
        for name, passage in passages(page, voice).items()
        for line in passage.splitlines()
        if longest_words(line.replace("**", "")) not in approved
    ]
    return "\n".join(lines) + "\n"
