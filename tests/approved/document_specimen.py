"""A document with every kind of part, as a page to print and as a Word file, and the lines of code of a memo."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.dom.minidom import parseString

from dpcore.accuracy import count_error, noise_with_budget
from dpcore.profiles import Constant, budget
from tests.approved.specimens import PICTURES
from ui.documents.code_lines import NoiseChoice, release_lines, reproducing_lines
from ui.documents.document import (
    Code,
    Document,
    Facts,
    Figure,
    Link,
    Listing,
    Paragraph,
    Row,
    Section,
    Square,
    plain_words,
)
from ui.documents.page import html_page
from ui.documents.word import word_file
from ui.pictures.style import Style
from ui.pictures.table import Table

FILE = Path(__file__).with_name("document_specimen.txt")
STYLES = ("Normal", "Heading1", "Heading2")
KINDS = ("geometric", "laplace", "gaussian", "discrete_gaussian")
RATIO = Constant(1.5, value_prior=1)
CHOSEN = {
    "a ratio": (RATIO, {}, "geometric"),
    "a week of a household": (RATIO, {"releases": 7, "group": 3}, "laplace"),
    "a value, replaced": (Constant(2, membership_prior=1), {"relation": "replace", "value_exponent": 1}, "geometric"),
    "a promise that may fail": (RATIO, {"route": "approximate", "delta": 1e-9, "delta_prime": 1e-6}, "geometric"),
    "a normal law": (RATIO, {"route": "gaussian", "delta_prime": 1e-6}, "gaussian"),
}


def specimen() -> Document:
    """One of every kind of part, with text that is not ours in each."""
    figure = Figure(PICTURES["dots"](Style()), "It **reads** 3 < 4.")
    return Document(
        "A **title** & more",
        "By somebody <b>",
        (
            Section(
                "First **part**",
                (
                    Paragraph("Led by **numbers** & words", "lead"),
                    Paragraph("An odd ** mark\x00 stays"),
                    Paragraph("Small print", "quiet"),
                    Listing(("one", "**two** <i>")),
                ),
            ),
            Section(
                "Second",
                (
                    Code("print(1 < 2)\nprint('two')"),
                    figure,
                    Facts((("Secret", "who **takes part**"), ("Budget", "1.29"))),
                    Link("Here", 'https://riskline.example/a?b="1"&c=<d>'),
                    Link("Path", "memo?b=1&c=2"),
                    Table(
                        "A <caption>",
                        ("head", "", "third"),
                        (("row **one**", 2, 0.5), ("row two, which is long", 3, 4.0)),
                    ),
                    Table("", ("bare",), (("x",),)),
                    Row(((figure, Paragraph("Beside < it")), (Square("https://riskline.example/?a=1&b=2"),))),
                ),
                part="A part & <its> page",
            ),
        ),
        "The foot & its link",
        author="An <author>",
    )


def documents_in_words() -> str:
    """The specimen in both forms and the lines of code for each kind of noise."""
    document = specimen()
    page = re.sub(r"base64,[A-Za-z0-9+/=]+", "base64,(a drawing)", html_page(document))
    lines = ["# The page to print", *re.sub(r"(?<!^)(<(?=[a-z!]))", r"\n\1", page).splitlines(), ""]
    lines += [
        "# Without a byline",
        html_page(replace(document, byline="", sections=())).split("<article")[1],
        "",
    ]
    lines += ["# The words that are searched", plain_words(document), "", "# The Word file", *_word(document), ""]
    lines += ["# Lines of code", *_code()]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _word(document: Document) -> Iterator[str]:
    """The paragraphs and tables of the file, each on a line, and the styles that are set."""
    with zipfile.ZipFile(io.BytesIO(word_file(document))) as file:
        body = parseString(file.read("word/document.xml")).getElementsByTagName("w:body")[0]
        for part in body.childNodes:
            rows = part.getElementsByTagName("w:tr")
            if rows:
                yield _bare(part.toxml().split("<w:tr>")[0])
            yield from (f"  {_bare(row.toxml())}" for row in rows) if rows else iter([_bare(part.toxml())])
        for style in parseString(file.read("word/styles.xml")).getElementsByTagName("w:style"):
            if style.getAttribute("w:styleId") in STYLES:
                yield _bare(style.toxml())
        core = file.read("docProps/core.xml").decode()
        yield from re.findall(r"<dc:(?:title|creator)>[^<]*", core)


def _bare(source: str) -> str:
    """XML of Word without prefixes and names of schemas, and without a height that hangs on the fonts there are."""
    source = re.sub(r' cy="\d+"', "", source)
    return (
        re.sub(r"\s+", " ", re.sub(r' xmlns:\w+="[^"]*"', "", source))
        .replace("<w:", "<")
        .replace("</w:", "</")
        .replace(" w:", " ")
    )


def _code() -> Iterator[str]:
    for kind in KINDS:
        yield f"## {kind}"
        yield release_lines(NoiseChoice(kind, 0.07, 0.95), releases=1)
    for kind in KINDS[2:]:
        yield f"## a thousand of {kind} and no other noise"
        yield release_lines(NoiseChoice(kind, 0.07, 0.95), releases=1000, holds_for=kind)
    for name, (profile, choices, kind) in CHOSEN.items():
        chosen, answer = budget(profile, **choices), profile.implied_epsilon()
        noise = NoiseChoice(kind, chosen.recommended_each, 0.95)
        error = count_error(noise_with_budget(noise.budget, kind), level=noise.level)
        yield f"## {name}"
        yield reproducing_lines(answer, chosen, shift=0.4, belief=(0.25,), noise=noise, error=error, one_ratio=chosen)
    yield "## without noise"
    yield reproducing_lines(answer, chosen, shift=0.1, belief=(0.25,), noise=None, error=None)
    yield "## nothing limits it"
    yield reproducing_lines(answer, None, shift=0.1, belief=(0.25,), noise=None, error=None)
