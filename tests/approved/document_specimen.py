"""A document with every kind of part, as a page to print and as a Word file; slides; the lines of code of a memo."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.dom.minidom import parseString

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.oxml.ns import qn

from dpcore.accuracy import count_error, noise_with_budget
from dpcore.profiles import Constant, budget
from tests.approved.specimens import PICTURES
from ui.documents.code_lines import NoiseChoice, release_lines, reproducing_lines
from ui.documents.document import (
    Code,
    Deck,
    Document,
    Facts,
    Figure,
    Link,
    Listing,
    Paragraph,
    Row,
    Section,
    Slide,
    Square,
    plain_words,
)
from ui.documents.page import html_page
from ui.documents.slides import slides_file
from ui.documents.word import word_file
from ui.pictures import marks as m
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


def deck() -> Deck:
    """One slide of every kind, and of what has no room in its largest type."""
    lines, bars = (PICTURES[name](Style()) for name in ("lines, named in a legend, on decades", "bars up"))
    looks = m.Line(x="x", y="low", dash="dash", role="reach"), m.Line(x="x", y="high", hairline=True)
    chart = replace(lines, marks=(*looks, m.Line(x="x", y="middle"), m.Spot(x="at", y="height", role="fourth")))
    dots = replace(lines, marks=(m.Dots(x="x", y="low"), m.Dots(x="x", y="high", size=12, symbol="diamond")))
    row = ("a row whose **name** is long", "12", "and what is said of it, in a few words")
    return Deck(
        "A title",
        "An <author>",
        (
            Slide(
                "A **cover** & more", "One **sentence**", square=Square("https://riskline.example/?a=1"), foot="A foot"
            ),
            Slide(
                "A chart with points", "It **reads** 3 < 4.", picture=chart, points=("one", "**two**"), notes="**All**"
            ),
            Slide("Dots alone", picture=dots, foot="A foot " * 40),
            Slide("What no chart shows", "A word of it", picture=bars),
            Slide("A table", "A word of it", table=Table("", ("name", "number", "said"), (row, row))),
            Slide("A table that is nearly too high", "A word", table=Table("", ("name", "said"), (("a", "b"),) * 11)),
            Slide("A table that is too high", table=Table("", ("name", "number", "said"), (row,) * 13)),
            Slide("Facts", table=Facts((("Secret", "who **takes part**"), ("Budget", "1.29")))),
            Slide("A title of many words, " * 6, points=("A point that has room", "Another of many words, " * 40)),
            Slide("A sentence alone", "It says so much that it stands in a smaller type. " * 30),
        ),
    )


def _slides(file: bytes) -> Iterator[str]:
    """Where each part of a slide stands, in inches, and how what it holds looks."""
    for number, slide in enumerate(Presentation(io.BytesIO(file)).slides, 1):
        yield f"[slide {number}]"
        for shape in slide.shapes:
            drawn = shape.shape_type is MSO_SHAPE_TYPE.PICTURE  # how large it is hangs on the fonts there are
            place = (shape.left, shape.top) if drawn else (shape.left, shape.top, shape.width, shape.height)
            kind = "title" if shape.is_placeholder else str(shape.shape_type).split()[0].lower()
            yield f"{kind}: {', '.join(f'{one.inches:.2f}' for one in place)}"
            if shape.has_text_frame:
                yield from (f"  {_typed(paragraph)}" for paragraph in shape.text_frame.paragraphs if paragraph.runs)
            elif shape.has_table:
                yield f"  wide {', '.join(f'{column.width.inches:.2f}' for column in shape.table.columns)}"
                for row in shape.table.rows:
                    cells = (_typed(one.text_frame.paragraphs[0]) for one in row.cells)
                    yield f"  high {row.height.inches:.2f}: {' | '.join(cells)}"
            elif shape.has_chart:
                yield f"  {shape.chart.font.size.pt:g} pt, legend {shape.chart.legend.position}"
                yield from (_bare(f"  {series.name}: {_look(series)}") for series in shape.chart.plots[0].series)


def _typed(paragraph: Any) -> str:
    """The size, colour and words of a paragraph, what is bold between stars."""
    first = paragraph.runs[0].font
    words = "".join(f"**{run.text}**" if run.font.bold else run.text for run in paragraph.runs)
    return (
        f"{first.size.pt:g} pt {first.color.rgb}: {words if len(words) < 60 else f'{words[:20]}… {len(words)} letters'}"
    )


def _look(series: Any) -> str:
    """The line and the markers of a series."""
    parts = (series._element.find(qn(name)) for name in ("c:spPr", "c:marker", "c:smooth"))
    return re.sub(r"(</?)[ac]:", r"\1", " ".join(part.xml for part in parts if part is not None))


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
    lines += ["# The slides", *_slides(slides_file(deck())), ""]
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
