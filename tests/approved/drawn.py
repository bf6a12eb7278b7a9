"""What pages say of settings that nobody chose, as words a person reads in a difference.

A household under a ρ, a register of a week's releases: approved settings are chosen one by one, and what goes wrong
between two choices is in none of them. The short parts of a page are written out. Of the long ones there is a
fingerprint: their words are in the page's own file, and here it shows only which of them have changed elsewhere too.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode

from tests.approved.prose import VOICES, blocks, file_of, new_lines
from tests.hostile.settings import ordinary
from ui.link.page_table import PAGES, PageEntry
from ui.pictures.style import Style

DRAWN = 12
"""Settings of a page, half of them in either voice."""
SHORT = 4
"""Lines of a part that is written out."""
ANSWERED_BY_PEOPLE = ("room", "join")
"""Pages that compute nothing before people have answered."""

DRAWN_PAGES = [entry for entry in PAGES if entry.stem not in ANSWERED_BY_PEOPLE]


def file_of_drawn(stem: str) -> Path:
    """The approved words of a page's drawn settings."""
    return file_of(stem).with_suffix(".drawn.md")


def drawn_in_words(entry: PageEntry) -> str:
    """What the page says of its drawn settings; what was said before is not repeated."""
    lines = [f"# {entry.title}: settings drawn at random", ""]
    said: set[str] = set()
    for place, query in enumerate(ordinary(entry.stem, DRAWN, seed=4)):
        voice, link = VOICES[place % len(VOICES)], urlencode(query)
        lines += [f"## Setting {place + 1} ({voice})", f"?{link}", ""]
        long = []
        for name, block in blocks(entry.stem, link, Style(voice=voice)):
            if len(block) > SHORT:
                long.append(f"[{name}] {len(block)} lines, {_fingerprint(block)}")
            else:
                lines += [f"[{name}]", *new_lines(block, said)]
        lines += [*long, ""]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _fingerprint(block: list[str]) -> str:
    return sha256("\n".join(block).encode()).hexdigest()[:8]
