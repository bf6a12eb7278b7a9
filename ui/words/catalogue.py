"""The catalogue of words: every passage and label of the interface, by page, language and voice, without its numbers.

A folder `ui/text/<page>/<language>` holds `plain.md` and `technical.md`, passages each under a heading ``## name``:
what `technical.md` leaves out, that voice says as `plain.md` does. `labels.md` has short words that both voices
share, a line each: ``- name: words``; `refusals.md`, where there are many, is written alike and holds what is said of
something that cannot be read or drawn. A choice's label has the name of its field, its help ``<field>.help`` and its
options ``<field>.<option>``. Words that agree with a number stand behind it as one of two: ``{rows} {rows:row|rows}``
is *1 row* or *12 rows*. The labels of a case stand beside the case itself; the words that a mechanism has on all
pages stand in a file of its own, `ui/text/noises/<language>/<name>.md`. What a language does to numbers, lists and
sides is a `Language`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpcore.mechanisms import MECHANISMS
from riskline.case.labels import LANGUAGE, case_labels, labels_in

SIDES = ("no_more", "no_less", "roughly", "exactly")
"""What phrases say of a number: that the truth does not exceed it, does not fall below it, is near it, is it."""


@dataclass(frozen=True)
class Language:
    """The rules of a language that its catalogue cannot hold.

    is_singular : which numbers, as they are written, are followed by the first of two words
    """

    is_singular: Callable[[str], bool]

    def listed(self, items: Sequence[str], joint: str = "and") -> str:
        """Words with commas between them and *and*, or *or*, before the last.

        >>> ENGLISH.listed(["a", "b", "c"]), ENGLISH.listed(["a", "b"], "or"), ENGLISH.listed(["a"])
        ('a, b and c', 'a or b', 'a')
        """
        *many, last = items
        return label("numbers", joint, many=", ".join(many), last=last) if many else last

    def phrases(self, side: str) -> tuple[str, ...]:
        """The phrases that say a side.

        >>> ENGLISH.phrases("roughly")
        ('about', 'around', 'roughly', 'nearly', 'some')
        """
        return _phrases(labels("numbers")[side])


@cache
def _phrases(listed: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in listed.split(" / "))


ENGLISH = Language(lambda digits: digits == "1")
LANGUAGES = {"en": ENGLISH}
SPOKEN = LANGUAGES[LANGUAGE]


FOLDER = Path(__file__).resolve().parents[1] / "text"
VOICES = ("plain", "technical")
SHARED = ("labels", "refusals")
"""The files that both voices share."""
OF_MECHANISMS = {
    "case": {"noise.": "choice", "whole_noise.": "exact", "named_noise.": "sentence", "noise_": "strip"},
    "explain": {"guarantee.": "sentence"},
    "publication": {"noise.": "budget"},
}
"""Under which heading of its own file a mechanism has the words that a page calls so, with its name behind."""
AGREEING = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")


def read(page: str, file: str) -> str:
    """The text of a file of the catalogue, in the language spoken; empty where the page has none of that name."""
    path = FOLDER / page / LANGUAGE / f"{file}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def labels(page: str) -> Mapping[str, str]:
    """The words of a page that both voices share, by name.

    >>> labels("explain")["guarantee.approximate"]
    'ε and δ'
    """
    text = "\n".join(read(page, file) for file in SHARED)
    found = dict(case_labels() if page == "case" else labels_in(text, page))
    for kind in MECHANISMS:  # without a file of words, its class's label stands for all of them
        written = _by_heading(read("noises", kind.name))
        found |= {
            field + kind.name: written.get(heading, kind.label)
            for field, heading in OF_MECHANISMS.get(page, {}).items()
        }
    return found


@cache
def passages(page: str, voice: str) -> Mapping[str, str]:
    """The passages of a page in a voice, by name, with the labels that both voices share.

    A passage that the technical voice does not say in words of its own is the plain one.

    >>> "cannot" in passages("frame", "plain"), "home" in passages("frame", "plain")
    (True, True)
    """
    return {**labels(page), **_by_heading(read(page, VOICES[0])), **_by_heading(read(page, voice))}


def _by_heading(text: str) -> dict[str, str]:
    """What stands under each heading of a file."""
    _, *parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    return {name.strip(): words.strip() for name, words in zip(parts[::2], parts[1::2], strict=True)}


def say(page: str, voice: str, name: str, /, **words: object) -> str:
    """A passage with its placeholders filled and its words in agreement; a missing word raises `KeyError`."""
    return _filled(passages(page, voice)[name], words)


def label(page: str, name: str, /, **words: object) -> str:
    """A label that both voices share, with its placeholders filled; a missing one raises `KeyError`.

    >>> label("explain", "released.count")
    'one plain count'
    """
    return _filled(labels(page)[name], words)


def option_words(page: str, field: str) -> dict[str, str]:
    """The options of a choice in words, by their codes in the catalogue's order; empty where the page has none.

    >>> option_words("explain", "released")["difference"]
    'the difference of two counts'
    """
    start = f"{field}."
    return {
        name.removeprefix(start): words
        for name, words in labels(page).items()
        if name.startswith(start) and name != f"{field}.help"
    }


def heads(page: str, table: str, /, **words: object) -> tuple[str, ...]:
    """The heads of a table's columns: what stands under its name in the catalogue, but its caption.

    >>> heads("publication", "every")
    ('what', 'areas × cells', 'releases')
    """
    return tuple(_filled(head, words) for name, head in option_words(page, table).items() if name != "caption")


def _filled(passage: str, words: Mapping[str, object]) -> str:
    if "|" in passage:
        passage = AGREEING.sub(lambda found: found[2 if SPOKEN.is_singular(str(words[found[1]])) else 3], passage)
    return passage.format_map(words)
