"""A document before it is HTML or Word, and slides before they are PowerPoint: nothing here draws or needs to.

Text may mark numbers with ``**…**``; everything else is text, never markup. What a reader typed goes in as text too.
"""

from __future__ import annotations

import io
import re
import textwrap
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from unicodedata import east_asian_width
from urllib.parse import urlsplit

from dpcore._properties import cached_property
from ui.pictures.description import Description
from ui.pictures.panels import Panels
from ui.pictures.table import Table


@dataclass(frozen=True)
class Paragraph:
    """One paragraph; `lead` is set large, `quiet` small."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Listing:
    """Points of a list."""

    items: tuple[str, ...]

    @classmethod
    def of(cls, passage: str) -> Listing:
        r"""The points of a passage of the catalogue.

        >>> Listing.of("First:\n- one\n- two").items
        ('one', 'two')
        """
        return cls(tuple(line.removeprefix("- ").strip() for line in passage.splitlines() if line.startswith("- ")))


@dataclass(frozen=True)
class Code:
    """Lines of code, kept as they are."""

    text: str


@dataclass(frozen=True)
class Figure:
    """A picture with the sentence that reads it, which is its alternative text too, in points of the page."""

    picture: Description
    reading: str
    width: int = 470
    height: int = 185

    @cached_property
    def drawing(self) -> Any:
        """The picture as a `ui.documents.charts.Drawing`; `ImportError` where what draws it is not installed."""
        from ui.documents.charts import drawing_of

        return drawing_of(self.picture, width=self.width, height=self.height)

    @property
    def svg(self) -> str:
        """The picture as vectors."""
        return str(self.drawing.svg)

    @property
    def caption(self) -> str:
        """What stands under it."""
        return self.reading


@dataclass(frozen=True)
class PeopleFigure(Figure):
    """Panels of people, under them what they stand for: their reading says again what the document does."""

    picture: Panels  # type: ignore[assignment]
    width: int = 440

    @property
    def svg(self) -> str:
        """All panels, without words that the document says itself."""
        return self.picture.svg(reading="", source="")

    @property
    def caption(self) -> str:
        """What its people stand for."""
        return self.picture.legend or self.reading


@dataclass(frozen=True)
class Facts:
    """A table without heads: what, and its value; a long one is set in two columns."""

    rows: tuple[tuple[str, str], ...]

    @property
    def is_long(self) -> bool:
        """Whether it has more rows than a side has room for beside other things."""
        return len(self.rows) > LONG


LONG = 8


@dataclass(frozen=True)
class Link:
    """Words that lead to an address; where only its path is known, that stands beside them."""

    words: str
    address: str

    @property
    def shown(self) -> str:
        """What is read: nobody types a long address that a QR code holds."""
        return self.words if is_whole(self.address) else f"{self.words}: {self.address}"


def is_whole(address: str) -> bool:
    """Whether an address says its host, so that a link to it leads somewhere.

    >>> is_whole("https://riskline.example/memo"), is_whole("memo?title=Ours"), is_whole("javascript:alert(1)")
    (True, False, False)
    """
    return address.startswith(("https://", "http://"))


def of_this_computer_alone(root: str) -> bool:
    """Whether an address leads every device to itself, so that what one computer serves no other one finds by it.

    >>> of_this_computer_alone("http://localhost:8501/"), of_this_computer_alone("http://127.3.2.1/")
    (True, True)
    >>> of_this_computer_alone("http://[::1]:8501/"), of_this_computer_alone("http://192.168.1.20:8501/")
    (True, False)
    """
    host = (urlsplit(root).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        found = ip_address(host)
    except ValueError:
        return False  # a name, or no address at all
    return found.is_loopback or found.is_unspecified


@dataclass(frozen=True)
class Square:
    """The QR code of a whole address."""

    address: str

    @property
    def svg(self) -> str:
        """The code as a drawing that follows its frame's width; dark on white on any ground."""
        return self._drawn(kind="svg", xmldecl=False, svgns=True, omitsize=True).decode()

    @property
    def png(self) -> bytes:
        """The code in pixels."""
        return self._drawn(kind="png", scale=8)

    def _drawn(self, **form: Any) -> bytes:
        import segno  # it comes with the dashboard, and nobody else needs it

        drawn = io.BytesIO()
        segno.make(self.address, error="m", micro=False).save(drawn, **form, **COLOURS)
        return drawn.getvalue()

    @classmethod
    def scanned(cls, address: str) -> Square | None:
        """The code of an address; nothing where no phone finds it, or where it is too long to be scanned."""
        found = is_whole(address) and not of_this_computer_alone(address)
        return cls(address) if found and len(address) <= LONGEST_CODE else None


LANGUAGE = "en-GB"
"""The language of every document, which readers aloud and spelling checkers ask for."""

LONGEST_CODE = 900
"""Letters of an address whose QR code a phone still reads from paper."""

COLOURS: dict[str, Any] = {"dark": "#000000", "light": "#ffffff", "border": 3}


@dataclass(frozen=True)
class Row:
    """Blocks side by side, in cells of the same width."""

    cells: tuple[tuple[Block, ...], ...]


Block = Paragraph | Listing | Code | Figure | Facts | Table | Link | Square | Row


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; `part` names the part of the document that it begins, on a new page."""

    heading: str
    blocks: tuple[Block, ...]
    part: str = ""


@dataclass(frozen=True)
class Document:
    """A titled document with the line under its title and the line at its foot.

    `author` is told by the file, not by the page.
    """

    title: str
    byline: str
    sections: tuple[Section, ...]
    foot: str
    author: str = ""


@dataclass(frozen=True)
class Slide:
    """A title over one sentence, and what stands below: a picture, a table or facts, points in words, a QR code.

    `notes` are what its speaker reads: the full statements.
    """

    title: str
    sentence: str = ""
    picture: Description | None = None
    table: Table | Facts | None = None
    points: tuple[str, ...] = ()
    square: Square | None = None
    notes: str = ""
    foot: str = ""


@dataclass(frozen=True)
class Deck:
    """Slides with the title and the author that the file tells of itself."""

    title: str
    author: str
    slides: tuple[Slide, ...]


def printable(text: str) -> str:
    r"""Text without the control characters that no document may hold.

    >>> printable("a\x00b\tc")
    'ab\tc'
    """
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)


JOINER = "\u2060"
"""A character that shows nothing and parts nothing."""


def lines_of(words: str, letters: int) -> list[str]:
    """The lines of a text with room for so many letters each: a capital takes a third more, a full-width sign twice.

    >>> lines_of("Absence of pupils", 10), lines_of("地区別の生徒", 8)
    (['Absence of', 'pupils'], ['地区別の', '生徒'])
    """
    thirds = (6 if east_asian_width(mark) in "WF" else 3 + mark.isupper() - mark.isspace() for mark in words)
    told = "".join(JOINER * (taken - 1) + mark for mark, taken in zip(words, thirds, strict=True))
    return [line.replace(JOINER, "") for line in textwrap.wrap(told, 3 * letters + 2)]


def saved(file: Any, told: Document | Deck) -> bytes:
    """The bytes of a file of Word or PowerPoint that tells its title, author and language."""
    file.core_properties.title = printable(told.title).replace("**", "")[:250]
    file.core_properties.author = printable(told.author).replace("**", "")[:250] or "Riskline"
    file.core_properties.language = LANGUAGE
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


def plain_words(document: Document) -> str:
    """All words of a document in reading order, for those who search it."""
    pieces = [*filter(None, (document.title, document.byline))]
    for section in document.sections:
        pieces += [*filter(None, [section.part]), section.heading, *_words_of(section.blocks)]
    return "\n".join([*pieces, document.foot]).replace("**", "")


def _words_of(blocks: tuple[Block, ...]) -> list[str]:
    pieces: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(text) | Code(text):
                pieces.append(text)
            case Listing(items):
                pieces += items
            case Figure():
                pieces.append(block.reading)
            case Link():
                pieces.append(block.shown)
            case Row(cells):
                pieces += [words for cell in cells for words in _words_of(cell)]
            case Facts(rows):
                pieces += map(" ".join, rows)
            case Table():
                pieces += [" ".join(map(str, row)) for row in ((block.caption,), block.columns, *block.rows)]
    return pieces
