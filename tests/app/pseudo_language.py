"""Every page in a language that nobody speaks: the catalogue's words letter by letter in another alphabet.

What a page still shows in Latin letters did not come from the catalogue. Run with the stems of pages, this tells which
words those are::

    python -m tests.app.pseudo_language explain plan
"""

from __future__ import annotations

import json
import re
import string
import sys
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any, NamedTuple

TO_ARMENIAN = str.maketrans(
    string.ascii_uppercase + string.ascii_lowercase,
    "".join(map(chr, range(0x531, 0x531 + 26))) + "".join(map(chr, range(0x561, 0x561 + 26))),
)
"""An alphabet that has capitals, as the code of some pages wants, and no letter of a formula."""

FROM_ARMENIAN = {armenian: latin for latin, armenian in TO_ARMENIAN.items()}

UNTOUCHED = re.compile(
    r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]+\$|\]\([^)]*\)|https?://\S+|<[^>]*>|&\w+;|:\w+(?=\[)", re.DOTALL
)
"""Code, formulas, addresses, tags and marks of colour."""

NUMBERS = re.compile(r"%\{[^}]*\}|\d[\w.]*(?:e-\d+)?")
"""Numbers and where a picture puts them: 2e-7, 0.4.0.dev0, %{x:.3g}."""

FORM = re.compile(r"\{\w+(?::(?P<form>[^{}]*))?\}")
DIGITS = re.compile(r"[+,]?[\d.,]*[defg%]?")
"""A form that says how a number is printed, in no words."""


def transliterated(text: str) -> str:
    """The text in the other alphabet; its placeholders, formulas, code and addresses as they are."""
    kept = re.compile(rf"{FORM.pattern}|{UNTOUCHED.pattern}", re.DOTALL)
    pieces, end = [], 0
    for found in kept.finditer(text):
        pieces += [text[end : found.start()].translate(TO_ARMENIAN), _placeholder(found)]
        end = found.end()
    return "".join([*pieces, text[end:].translate(TO_ARMENIAN)])


def _placeholder(found: re.Match[str]) -> str:
    form = found["form"]
    if form is None or DIGITS.fullmatch(form):
        return found[0]
    return found[0].replace(f":{form}}}", f":{form.translate(TO_ARMENIAN)}}}")


def pseudo_file(file: str, text: str) -> str:
    """A file of the catalogue in the other alphabet; the names of its passages and labels stay."""
    if file in ("labels", "refusals"):
        return "\n".join(_pseudo_label(line) for line in text.splitlines())
    parts = re.split(r"(?m)^(## .*)$", text)
    return "".join(part if part.startswith("## ") else transliterated(part) for part in parts)


def _pseudo_label(line: str) -> str:
    start, colon, words = line.partition(": ")
    return f"{start}{colon}{transliterated(words)}"


class Share(NamedTuple):
    """Letters of a page that came from the catalogue, those that did not, and the words the latter stand in."""

    moved: int
    left: int
    words: tuple[str, ...]

    @property
    def of_all(self) -> float:
        """The share that came from the catalogue."""
        return self.moved / (self.moved + self.left)


LATIN = re.compile(r"[A-Za-z]+(?:[ ,.'’–-]+[A-Za-z]+)*")
ARMENIAN = re.compile("[\u0531-\u0556\u0561-\u0586]")


def share_of(texts: Iterator[str], kept: Callable[[str], str]) -> Share:
    """How many letters of these texts came from the catalogue, without what is `kept` out of the count."""
    moved, words = 0, []
    for text in dict.fromkeys(texts):
        counted = kept(NUMBERS.sub(" ", kept(UNTOUCHED.sub(" ", text))))
        moved += len(ARMENIAN.findall(counted))
        words += LATIN.findall(counted)
    return Share(moved, sum(len(re.sub("[^A-Za-z]", "", found)) for found in words), tuple(words))


class _Shown(HTMLParser):
    """The words of HTML that a reader sees or hears; code is none."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._drawn = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._drawn = tag in ("style", "script", "pre", "code")
        self.words += [text for name, text in attrs if name in ("alt", "title", "aria-label") and text]

    def handle_data(self, data: str) -> None:
        if not self._drawn:
            self.words.append(data)


def shown_in_html(body: str) -> list[str]:
    """The words of HTML that a reader sees or hears."""
    parser = _Shown()
    parser.feed(body)
    return parser.words


IN_PICTURES = {"text", "name", "hovertemplate", "ticktext", "hovertext", "alt"}
IN_COMPONENTS = {"label", "caption", "axis", "asks", "gets", "share", "comparisons", "binding", "words"}


def shown_in_json(spec: Any, names: set[str], inside: bool = False) -> Iterator[str]:
    """The words that stand under these names."""
    if isinstance(spec, str) and inside:
        yield " ".join(shown_in_html(unescape(spec))) if "<" in spec else spec
    elif isinstance(spec, list):
        for part in spec:
            yield from shown_in_json(part, names, inside)
    elif isinstance(spec, dict):
        for name, part in spec.items():
            yield from shown_in_json(part, names, inside or name in names)


def shown_on(block: Any) -> Iterator[str]:
    """Everything a reader sees or hears of a page: labels, options, help, text, tables, pictures."""
    from streamlit.testing.v1.element_tree import Block

    for child in block.children.values():
        if isinstance(child, Block):
            yield getattr(child, "label", "") or ""
            yield child.proto.popover.label if getattr(child.proto, "popover", None) else ""
            yield from shown_on(child)
        else:
            yield from _shown(child)


def _shown(element: Any) -> Iterator[str]:
    proto, kind = element.proto, element.type
    if kind in ("code", "arrow_data_frame"):
        return
    if kind == "dataframe":
        said = json.loads(proto.columns or "{}")  # a head that the editor of a table shows stands in for a code
        for column in element.value.columns:
            yield (said.get(column) or {}).get("label") or str(column)
    elif kind == "plotly_chart":
        yield from shown_in_json(json.loads(proto.spec or "{}"), IN_PICTURES)
        yield proto.alt
    elif kind == "bidi_component":
        yield from shown_in_json(json.loads(proto.json or "{}"), IN_COMPONENTS)
    else:
        for name in ("label", "help", "placeholder"):
            yield getattr(proto, name, "") or ""
        for option in getattr(proto, "options", ()):
            yield option if isinstance(option, str) else option.content
        for name in ("body", "markdown"):
            text = getattr(proto, name, "")
            yield from shown_in_html(text) if "<" in text else [text]


def speak_it() -> None:
    """Have this process say everything in the other alphabet; nothing of the pages may be imported yet."""
    from streamlit.elements.lib.mutable_expander_container import ExpanderContainer
    from streamlit.elements.lib.mutable_popover_container import PopoverContainer

    from riskline.case import labels
    from ui.words import catalogue

    of_case = labels.case_text()
    labels.case_text = lambda: pseudo_file("labels", of_case)
    read = catalogue.read
    catalogue.read = lambda page, file: pseudo_file(file, read(page, file))
    phrases = catalogue.Language.phrases
    catalogue.Language.phrases = lambda spoken, side: (  # forms still written in Python are recognised by their letters
        *phrases(spoken, side),
        *(phrase.translate(FROM_ARMENIAN) for phrase in phrases(spoken, side)),
    )
    for fold in (ExpanderContainer, PopoverContainer):
        fold.open = property(lambda self: True, lambda self, value: None)  # folded content counts too


def measured(stems: list[str]) -> dict[str, Share]:
    """How much of each page comes from the catalogue; without any stem of all pages, and of their table."""
    speak_it()
    from tests.app.opened_page import open_page, sound
    from ui.link.page_table import PAGES

    found = {}
    if not stems:
        table = (words for entry in PAGES for words in (entry.title, entry.group_title))
        found["page_table"] = share_of(table, str)
    for stem in stems or [entry.stem for entry in PAGES]:
        test = open_page(stem)
        sound(test)
        found[stem] = share_of(shown_on(test.main), kept_out(stem))
    return found


NAMED = 10
"""Letters from which on the words of a record are looked for inside a sentence; shorter ones only stand alone."""

TYPED = ("was absent more than 20 days", "a given person", "pupils", "pupil")
"""What the example of the case has typed."""
PROGRAMS = ("Riskline", "OpenDP", "Python", "dpcore", "CSV", "SVG", "PNG")
"""What programs and kinds of file are called."""


def proper_names() -> Iterator[str]:
    """Names that stand inside sentences."""
    from dpcore.deployments import published
    from dpcore.sources import WORKS
    from riskline.case.tables import HEALTH_YEAR
    from ui.views.publication.choices import LABOUR, SCHOOL

    yield from (*TYPED, *PROGRAMS)
    yield from (row.name for row in (*HEALTH_YEAR, *LABOUR, *SCHOOL))
    for work in WORKS.values():
        yield from (work.authors, work.short, work.title, work.venue)
    yield from (entry.name for entry in published())


def words_of_records(stem: str) -> Iterator[str]:
    """What a page shows as a record that is shipped with the app says it."""
    from ui.views.how_we_know import FILE, asked_of_peers

    if stem in OF_PUBLISHED:
        yield from words_of_published()
    if stem == "how_we_know":
        rows = (row for part in json.loads(FILE.read_text(encoding="utf-8")).values() for row in part)
        yield from (text for row in rows for text in row.values() if isinstance(text, str))
        for question in asked_of_peers():
            yield from (question["words"], *(answer["tool"] for answer in question["answers"]))


OF_PUBLISHED = ("deployments", "memo")
"""Pages whose sentences name the unit, organisation and reading of published budgets: whole words, also short ones."""
CODES = ("definition", "model", "relation")
"""Fields of a published budget whose values the catalogue has words for."""


def words_of_published() -> Iterator[str]:
    """What the published budgets have from their sources, and the reasons that come with them."""
    from dpcore.deployments import FORMULAS, converted, production_budgets, published
    from ui.views.shared.published_budgets import in_symbols

    for formula in FORMULAS.values():
        yield formula.citation.partition(", ")[2]
    for entry in published():
        conversion = converted(entry, delta=1e-10)
        yield from (text for name, text in vars(entry).items() if isinstance(text, str) and name not in CODES)
        yield from (in_symbols(entry.as_reported), conversion.reason, conversion.formula)
    for ran in production_budgets():
        yield from (ran.factor_confidence, ran.factor_evidence)


def places_in_print() -> Iterator[str]:
    """Where a work prints what is recomputed: Table 2.4, column Mass."""
    from ui.views.how_we_know import errata, published_rows

    yield from (row.locator for row in (*published_rows(), *errata()))


def kept_out(stem: str) -> Callable[[str], str]:
    """What leaves the names of data out of a text."""
    proper = {*proper_names(), *(places_in_print() if stem == "how_we_know" else ())}
    records = {text for text in words_of_records(stem) if text.strip()}
    inside = sorted(proper | {text for text in records if len(text) >= NAMED}, key=len, reverse=True)
    forms = [re.escape(form) for name in inside for form in (name, NUMBERS.sub(" ", name))]
    if stem in OF_PUBLISHED:
        forms += (rf"\b{re.escape(text)}\b" for text in sorted(records, key=len, reverse=True))
    pattern = re.compile("|".join(forms))
    return lambda text: "" if text.strip() in records else pattern.sub(" ", text)


def main() -> None:
    """Tell the share of each page, and of those that were named what is left; or all shares as JSON."""
    stems = [stem for stem in sys.argv[1:] if stem != "--json"]
    shares = measured(stems)
    if "--json" in sys.argv:
        print(json.dumps({stem: share.of_all for stem, share in shares.items()}))
        return
    for stem, share in shares.items():
        print(f"{stem}: {share.of_all:.3f} of {share.moved + share.left}")
        for words in share.words if stems else ():
            print("   ", words)


if __name__ == "__main__":
    main()
