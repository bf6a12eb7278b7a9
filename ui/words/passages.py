"""Prose of each page in two voices, as Markdown with placeholders; numbers arrive from the view.

A file `ui/text/<page>/<voice>.md` holds passages, each under a heading ``## name``. Words that agree with a number
stand behind it as one of two: ``{rows} {rows:row|rows}`` is *1 row* or *12 rows*.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "text"
VOICES = ("plain", "technical")
AGREEING = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")


@cache
def passages(page: str, voice: str) -> Mapping[str, str]:
    """The passages of a page in a voice, by name.

    Examples
    --------
    >>> sorted(passages("frame", "plain"))[:1]
    ['cannot']
    """
    found: dict[str, list[str]] = {}
    name = ""
    for line in (FOLDER / page / f"{voice}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:].strip()
            found[name] = []
        elif name:
            found[name].append(line)
    return {key: "\n".join(lines).strip() for key, lines in found.items()}


def placeholders(passage: str) -> set[str]:
    """Names of the numbers and words a passage waits for.

    Examples
    --------
    >>> sorted(placeholders("before {before}, after {after}"))
    ['after', 'before']
    """
    return {field for _, field, _, _ in string.Formatter().parse(passage) if field}


def say(page: str, voice: str, name: str, **words: object) -> str:
    """A passage with its placeholders filled and its words in agreement; a missing word raises `KeyError`."""
    passage = passages(page, voice)[name]
    if "|" in passage:
        passage = AGREEING.sub(lambda found: found[2] if str(words[found[1]]) == "1" else found[3], passage)
    return passage.format_map(words)
