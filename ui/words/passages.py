"""Prose of each page in two voices, as Markdown with placeholders; numbers arrive from the view.

A file `ui/text/<page>/<voice>.md` holds passages, each under a heading ``## name``.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "text"
VOICES = ("plain", "technical")


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
    """A passage with its placeholders filled; a missing word raises `KeyError`."""
    return passages(page, voice)[name].format_map(words)
