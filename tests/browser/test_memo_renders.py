"""A memo's files as their readers see them: printed by the browser or LibreOffice, and no text or half page missing."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.approved.prose import shown_view
from tests.approved.states import STATES
from tests.browser.keyboard import ZOOMED
from tests.browser.trees import approved_tree, tree_of
from tests.cases import memo_inputs
from tests.filed_cases import CASES as FILED
from ui.documents.document import LANGUAGE
from ui.documents.page import html_page
from ui.documents.slides import slides_file
from ui.documents.word import word_file
from ui.pictures.style import Style
from ui.views.memo import MemoInputs, memo_view
from ui.views.memo.filing import filing_view

ROOT = "https://riskline.example/"
DRAWN = (
    "case=own&title=School%20absence&released=A%20table&hidden=was%20absent%20more%20than%2020%20days&one=pupil"
    "&office=Ministry%20of%20Education&secret=value&release=table&areas=38&moves=nowhere&line=drawn"
    "&points=0.001~0.01_0.01~0.05_0.05~0.15_0.2~0.4_0.5~0.8&interpolation=linear&until=31%20December%202028"
)
REASON = (
    "&chosen=0.48~epsilon~Minister%20A.~23%20November%202026~home~Districts%20stay%20usable%20and%20no%20one%20exposed"
)
CASES = {
    "decided": STATES["memo"]["decided as the line implies, for a table of districts"],
    "draft": STATES["memo"]["as it opens"],
    "drawn": DRAWN,
    "reasoned": DRAWN + REASON,
}
"""The address of each memo: the last two fill their sides."""
PARTS = ("What somebody could learn", "Reasons", "Annex for experts")
SLIDES = 6
LEAST_INK = 0.01
"""Share of the lower half of a side or slide that is drawn on."""
REACHES = 0.70
"""Share of a side or slide above its last ink, but for its number."""
APART = 12.0
"""Points that are free around the number of a page."""
UNIVERSAL_ACCESS = """<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Filter/PDF/Export">
<prop oor:name="PDFUACompliance" oor:op="fuse"><value>true</value></prop></item></oor:items>"""
"""LibreOffice's setting for tagged PDF."""
PACKAGES = "libreoffice-impress libreoffice-writer poppler-utils"


@dataclass(frozen=True)
class Box:
    """A word where a sheet shows it, in points from the upper left."""

    left: float
    top: float
    right: float
    bottom: float
    word: str

    def shared_with(self, other: Box) -> tuple[float, float]:
        """Points that two words have in common across and down; below 0, what is free between them."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across, min(self.bottom, other.bottom) - max(self.top, other.top)

    def is_on(self, other: Box) -> bool:
        """Whether letters touch: boxes of lines do by a third already. A word with a rim is the same word twice."""
        across, down = self.shared_with(other)
        touch = down > 0.35 * min(self.bottom - self.top, other.bottom - other.top)
        rim = self.word == other.word and abs(across - (self.right - self.left)) < 0.01
        return across > 1 and touch and not rim

    def is_near(self, other: Box) -> bool:
        return min(self.shared_with(other)) > -APART


@dataclass(frozen=True)
class Sheet:
    """A page of a PDF: its words with their places, its size in points, and where it is not blank."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    ink: np.ndarray[tuple[int, int], np.dtype[np.bool_]]

    @property
    def words(self) -> str:
        return " ".join(box.word for box in self.boxes)

    def number_of(self, sheets: int) -> list[Box]:
        """The words of "2 / 6" at the lower right."""
        low = [box for box in self.boxes if box.top > 0.9 * self.height and box.left > 0.75 * self.width]
        return [box for box in low if re.fullmatch(rf"\d|/|{sheets}", box.word)]


def tool(name: str) -> str:
    """Path of a program; without it the test fails and says what to install."""
    found = shutil.which(name)
    assert found is not None, f"no {name}: install Debian's {PACKAGES}"
    return found


def sheets_of(pdf: Path) -> list[Sheet]:
    """The pages of a PDF as poppler reads and draws them."""
    told = subprocess.run([tool("pdftotext"), "-bbox", pdf, "-"], check=True, capture_output=True, text=True).stdout
    subprocess.run([tool("pdftoppm"), "-gray", "-r", "36", pdf, pdf.with_suffix("")], check=True)
    drawn = sorted(pdf.parent.glob(f"{pdf.stem}-*.pgm"))
    found = re.findall(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', told, re.DOTALL)
    word = re.compile(r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)</word>')
    return [
        Sheet(
            float(width),
            float(height),
            tuple(Box(*map(float, places), unescape(text)) for *places, text in word.findall(body)),
            ink_in(picture.read_bytes()),
        )
        for (width, height, body), picture in zip(found, drawn, strict=True)
    ]


def ink_in(gray: bytes) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Where a picture of poppler, its size and depth in its first three lines, is darker than paper."""
    kind, size, depth, pixels = gray.split(b"\n", 3)
    assert (kind, depth) == (b"P5", b"255")
    wide, high = map(int, size.split())
    return np.frombuffer(pixels, np.uint8).reshape(high, wide) < 240


def faults_of(sheet: Sheet, sheets: int) -> list[str]:
    """What a reader of a sheet sees on top of something else, or near its number."""
    number = sheet.number_of(sheets)
    rest = [box for box in sheet.boxes if box not in number]
    found = [f"“{one.word}” is on “{other.word}”" for one, other in combinations(sheet.boxes, 2) if one.is_on(other)]
    found += [f"“{box.word}” is at the number" for box in rest if any(box.is_near(part) for part in number)]
    outside = [box for box in rest if box.left < 0 or box.right > sheet.width or box.bottom > sheet.height]
    return found + [f"“{box.word}” is cut" for box in outside] + ([] if len(number) == 3 else ["no number"])


def empty_below(sheet: Sheet) -> list[str]:
    """What of the lower half of a sheet is blank, but for its number and the band around it."""
    body = sheet.ink[: int(0.91 * len(sheet.ink))]
    lower = body[len(sheet.ink) // 2 :]
    last = np.flatnonzero(body.any(axis=1)).max(initial=0) / len(sheet.ink)
    found = [f"ink on {lower.mean():.3f} of the lower half"] if lower.mean() < LEAST_INK else []
    return found + ([f"ink ends at {last:.2f}"] if last < REACHES else [])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> dict[str, Path]:
    """Each case's brief, Word file and slides as PDF; LibreOffice makes those that readers aloud ask for."""
    folder = tmp_path_factory.mktemp("memo")
    for name, query in CASES.items():
        view = shown_view("memo", query, Style())
        brief = view.printed_at(ROOT)
        (folder / f"{name}-word.docx").write_bytes(word_file(brief))
        (folder / f"{name}-slides.pptx").write_bytes(slides_file(view.shown_at(ROOT)))
        page = browser.new_page()
        page.set_content(html_page(brief))
        page.pdf(path=folder / f"{name}-brief.pdf", prefer_css_page_size=True, print_background=True)
        page.close()
    files = sorted([*folder.glob("*.docx"), *folder.glob("*.pptx")])
    profile = folder / "profile"  # one of its own for each process of tests
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(UNIVERSAL_ACCESS, encoding="utf-8")
    own = f"-env:UserInstallation={profile.as_uri()}"
    command = [tool("soffice"), "--headless", own, "--convert-to", "pdf", "--outdir", folder, *files]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return {pdf.stem: pdf for pdf in folder.glob("*.pdf")}


@pytest.fixture(scope="module")
def printed(files: dict[str, Path]) -> dict[str, list[Sheet]]:
    """The sheets of each file."""
    return {name: sheets_of(pdf) for name, pdf in files.items()}


@pytest.mark.parametrize("file", [f"{name}-{kind}" for name in CASES for kind in ("brief", "word", "slides")])
def test_no_words_of_a_file_are_on_others_at_the_number_or_cut(printed: dict[str, list[Sheet]], file: str) -> None:
    sheets = printed[file]
    assert [fault for sheet in sheets for fault in faults_of(sheet, len(sheets))] == []


@pytest.mark.parametrize("file", [f"{name}-{kind}" for name in CASES for kind in ("brief", "word")])
def test_a_brief_has_two_full_sides_and_an_annex(printed: dict[str, list[Sheet]], file: str) -> None:
    sheets = printed[file]
    starts = [at for part in PARTS for at, sheet in enumerate(sheets) if part in sheet.words]
    assert starts == [0, 1, 2]
    assert len(sheets) == len(PARTS)
    assert [empty_below(sheet) for sheet in sheets[:2]] == [[], []]


@pytest.mark.parametrize("name", CASES)
def test_six_slides_are_full(printed: dict[str, list[Sheet]], name: str) -> None:
    assert [empty_below(sheet) for sheet in printed[f"{name}-slides"]] == [[]] * SLIDES


@pytest.mark.parametrize("name", CASES)
def test_the_word_file_becomes_a_pdf_with_title_language_headings_heads_and_words_for_each_picture(
    files: dict[str, Path], name: str
) -> None:
    def told(*options: str) -> str:
        command = [tool("pdfinfo"), *options, files[f"{name}-word"]]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert re.search(r"^Tagged: +yes$", told(), re.MULTILINE)
    title = shown_view("memo", CASES[name], Style()).printed_at(ROOT).title
    assert re.search(rf"^Title: +{re.escape(title)}$", told(), re.MULTILINE)
    tags = re.findall(r"^ *(H1|H2|TH|Figure)\b", told("-struct"), re.MULTILINE)
    assert tags.count("H1") == 1
    assert {*tags} == {"H1", "H2", "TH", "Figure"}
    source = files[f"{name}-word"].read_bytes()
    assert source.count(b"/Lang(" + LANGUAGE.encode()) == 1
    assert source.count(b"/Alt<FEFF") == tags.count("Figure")


def pages_to_read() -> Iterator[tuple[str, str]]:
    """Every kind of HTML file that a reader downloads, by name."""
    for name in ("draft", "reasoned"):
        yield f"{name} brief", html_page(shown_view("memo", CASES[name], Style()).printed_at(ROOT))
    filed = filing_view(memo_inputs(CASES["reasoned"]), Style())
    yield "label", filed.label_at(ROOT).page
    yield "annex", html_page(filed.annexes["impact"])
    yield "public sheet", html_page(shown_view("public", CASES["reasoned"], Style()).sheet_at(ROOT))
    yield "handout", html_page(shown_view("lessons", "lesson=45", Style()).handout)


@pytest.mark.tree
def test_axe_finds_nothing_in_a_file_and_no_file_scrolls_sideways_at_400_percent(browser: Browser) -> None:
    page = browser.new_page()
    found, heard = [], {}
    for name, source in pages_to_read():
        page.set_viewport_size({"width": 1280, "height": 1024})
        page.set_content(source)
        checked = Axe().run(page).response["violations"]
        found += [(name, fault["id"], [node["target"] for node in fault["nodes"][:2]]) for fault in checked]
        heard[f"file_{name.replace(' ', '_')}"] = tree_of(page.locator("body"))
        for width, height in ZOOMED:
            page.set_viewport_size({"width": width, "height": height})
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append((name, f"scrolls sideways at {width} × {height}", []))
    page.close()
    assert found == []
    for name, lines in heard.items():
        approved_tree(name, lines, "memo")


def test_a_word_without_an_end_stays_on_its_page(browser: Browser) -> None:
    case = FILED[0].with_choices(**dict.fromkeys(("title", "office", "released", "hidden"), "X" * 300))
    page = browser.new_page(viewport={"width": 1280, "height": 1024})
    page.set_content(html_page(memo_view(memo_inputs(case=case), Style()).document))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_every_line_of_a_label_keeps_to_its_own_column(browser: Browser) -> None:
    """Drawn lines break by the letters of a usual one: the widest words that a label has must still fit."""
    page = browser.new_page()
    crossed = []
    for case in (
        *FILED,
        FILED[0].with_choices(
            title="HOUSEHOLD WELFARE BY MUNICIPALITY AND MONTH " * 2, office="MINISTRY OF HOMES AND COMMUNITIES " * 2
        ),
    ):
        drawing = filing_view(MemoInputs(case=case), Style()).label_at(ROOT).svg
        page.set_content(f"<body style='margin:0'>{drawing}</body>")
        crossed += page.evaluate(
            """() => {
                const boxes = [...document.querySelectorAll('svg > text')].map(line => [line, line.getBBox()]);
                const width = document.querySelector('svg').viewBox.baseVal.width;
                const crossing = ([one, a]) => a.x + a.width > width || boxes.some(([other, b]) => b.x > a.x
                    && b.x < a.x + a.width && a.y < b.y + b.height / 2 && b.y < a.y + a.height / 2);
                return boxes.filter(crossing).map(([line]) => line.textContent);
            }"""
        )
    page.close()
    assert crossed == []


def test_a_blank_half_and_words_on_others_are_found() -> None:
    blank = np.zeros((100, 100), np.bool_)
    blank[:45] = True
    number = tuple(Box(at, 95, at + 2, 98, word) for at, word in ((90, "1"), (93, "/"), (96, "1")))
    words = (Box(10, 10, 40, 20, "one"), Box(35, 12, 60, 22, "two"), Box(60, 94, 88, 99, "note"))
    sheet = Sheet(100, 100, (*words, *number), blank)
    assert len(empty_below(sheet)) == 2
    assert faults_of(sheet, 1)[0] == "“one” is on “two”"
    assert "“note” is at the number" in faults_of(sheet, 1)
    assert "no number" in faults_of(Sheet(100, 100, words, blank), 1)
