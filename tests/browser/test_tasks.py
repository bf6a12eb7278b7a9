"""What people come for, walked in a browser from the front door; `docs/proof/tasks.md` says how far each has to go."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import FilePayload, Locator, expect

from riskline.case.tables import HEADS
from tests.browser.conftest import ROOT, OpenPage, at_rest, settled, shown, strip
from tests.browser.keyboard import OUT_OF_SIGHT, focused

TABLE = ROOT / "docs" / "proof" / "tasks.md"
ROW = re.compile(r"^\| (\S[^|]*) \|[^|]*\| (\d+) of (\d+) \| (\d+) of (\d+) \| (\d+) \|$", re.MULTILINE)
FEWEST_OF_WORDS = 0.8  # of the words that the table says are read at most: it may not say far too many
MOST_STOPS = 120
STOPPED = "() => document.activeElement !== document.body && document.activeElement.id !== 'stMain'"
"""Whether anything but the page itself has the focus."""
FROM_THE_OFFICE = (
    "?case=own&title=School%20absence&hidden=was%20absent%20more%20than%2020%20days&one=pupil&office=Office"
    "&secret=value&relation=replace&areas=38&line=cap_or_ratio"
)


class Walk:
    """A reader on the way, with what was pressed, typed and read, in a window of 1280 × 1024 at 400 %."""

    width, height = 320, 256

    def __init__(self, open_page: OpenPage, app: str) -> None:
        self.open_page, self.app = open_page, app
        self.presses = self.fields = self.words = 0
        self.hidden: list[str] = []
        """What had the focus and was not seen."""

    def begin(self, query: str = "") -> None:
        """Open the front door and read what it is for."""
        self.page = self.open_page(f"{self.app}/{query}", width=self.width, height=self.height)
        self.read(self.answer)

    def beside(self, address: str) -> Walk:
        """A phone of somebody else, held in the same way; what it presses is not counted."""
        other = type(self)(self.open_page, self.app)
        other.page = self.open_page(f"{self.app}/{address}", width=self.width, height=self.height)
        other.hidden = self.hidden
        return other

    @property
    def answer(self) -> Locator:
        return self.page.locator(".riskline-answer")

    def count_words(self, text: str) -> None:
        self.words += len(text.split())

    def read(self, part: Locator, *said: str) -> None:
        """Read a part of the page, which says all of this."""
        expect(part).to_be_visible(timeout=60_000)
        for words in said:
            expect(part).to_contain_text(words)
        self.count_words(part.inner_text())
        assert self.page.evaluate("document.getElementById('stMain').scrollWidth") <= self.width, "scrolls sideways"

    def press(self, name: str, role: Literal["button", "link", "fold"] = "button") -> None:
        page = self.page
        fold = page.locator("summary").filter(has_text=name)
        self.reach_and_press(fold if role == "fold" else page.get_by_role(role, name=name, exact=True))
        self.presses += 1
        self.count_words(name)
        settled(page)

    def reach_and_press(self, part: Locator) -> None:
        part.click()

    def type(self, name: str, text: str) -> None:
        self.reach_and_fill(self.page.get_by_role("textbox", name=re.compile(f"^{re.escape(name)}")), text)
        settled(self.page)
        self.fields += 1
        self.count_words(name)

    def reach_and_fill(self, box: Locator, text: str) -> None:
        box.fill(text)
        box.press("Enter")

    def choose_file(self, file: FilePayload) -> None:
        with self.page.expect_file_chooser() as waiting:
            self.press("Upload")
        waiting.value.set_files(file)

    def is_asked(self, words: str) -> None:
        self.read(self.page.get_by_role("heading", name=words))

    def arrives(self, stem: str) -> None:
        self.read(self.page.locator(f"h1[data-page={stem}]"))


class ByKeys(Walk):
    """A reader who has a keyboard alone, in a window of 1280 × 720 at 200 %."""

    width, height = 640, 360

    def reach(self, part: Locator) -> None:
        """Press Tab until the focus is on it; each stop has to be seen."""
        expect(part).to_be_attached()
        at_rest(self.page)  # the focus would be lost with what is drawn anew
        for _ in range(MOST_STOPS):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(STOPPED) and self.page.evaluate(OUT_OF_SIGHT):
                self.hidden.append(focused(self.page))
            if part.evaluate("part => part.contains(document.activeElement)"):
                return
        raise AssertionError(f"not reached with {MOST_STOPS} stops: {part}")

    def reach_and_press(self, part: Locator) -> None:
        self.reach(part)
        self.page.keyboard.press("Enter")

    def reach_and_fill(self, box: Locator, text: str) -> None:
        self.reach(box)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")


def mayor(walk: Walk) -> None:
    walk.begin()
    walk.press("The release in short", "link")
    walk.arrives("public")
    walk.read(walk.answer, "at most 25 in 100 sure", "8 in 100 likely")
    sentences = walk.page.locator(".riskline-sentence")
    walk.read(sentences.nth(0), "within ± 2 of the truth", "exactly right 57 of 100 times")
    walk.read(sentences.nth(1), "Not protected: what the release teaches about groups")
    expect(walk.page.locator(".riskline-icons path")).to_have_count(200)
    walk.read(walk.page.locator(".riskline-icons").nth(0), "8 in 100")
    walk.read(walk.page.locator(".riskline-icons").nth(1), "25 in 100 likely, at most")


def press_officer(walk: Walk) -> None:
    walk.begin(FROM_THE_OFFICE)
    walk.press("The release in short", "link")
    walk.arrives("public")
    walk.read(walk.answer, "at most 25 in 100 sure", "a given pupil was absent more than 20 days")
    sentences = walk.page.locator(".riskline-sentence")
    walk.read(sentences.nth(0), "Each published count is within ± 5")
    walk.read(sentences.nth(1), "Not protected: who is in the data")
    walk.read(sentences.nth(2), "Draft: nobody has decided")
    with walk.page.expect_download() as waiting:
        walk.press("Picture (PNG)")
    assert waiting.value.suggested_filename.endswith(".png")


def ethics_board(walk: Walk) -> None:
    walk.begin()
    walk.press("The release in short", "link")
    walk.arrives("public")
    asked = shown(walk.page, "What if my household is one of only two like it?").locator("xpath=ancestor::p")
    walk.read(asked, "The limit holds however rare you are", "For a household of 4 together: at most 94 in 100")
    walk.type("People in a household", "2")
    walk.read(asked, "For a household of 2 together: at most 54 in 100")


def lecturer(walk: Walk) -> None:
    walk.begin()
    walk.press("20-minute lesson", "link")
    walk.arrives("lessons")
    walk.read(walk.answer, "20 minutes")
    walk.press("On phones, nothing to install")
    walk.arrives("room")
    walk.press("Next on phones")  # the survey with coins
    walk.press("Show the result")
    walk.press("Next on phones")
    code = walk.page.locator(".riskline-code strong")
    walk.read(code)
    for guess in ("12", "30", "14"):  # a result of fewer than three answers is not shown
        phone = walk.beside("join")
        phone.type("Room code", code.inner_text())
        phone.press("Join")
        phone.read(phone.answer, "Ada says yes")
        phone.type("Your guess", guess)
        phone.press("Send")
        expect(shown(phone.page, "Sent.", exact=True).first).to_be_visible()
    walk.press("Show the result")
    walk.read(walk.answer, "14")


def methodologist(walk: Walk) -> None:
    """Fourteen tables, each for the country, four regions and 38 districts, which may be off by ten."""
    heads = [HEADS[column] for column in ("name", "wish", "areas")]
    rows = [
        f"Table {table} by {level},{wish},{areas}"
        for table in range(1, 15)
        for level, wish, areas in (("country", "100", 1), ("region", "30", 4), ("district", "10", 38))
    ]
    file = "\n".join([",".join(heads), *rows]).encode()
    walk.begin()
    walk.press("One budget for many tables", "link")
    walk.arrives("publication")
    walk.press("All columns", "fold")
    walk.choose_file({"name": "tables.csv", "mimeType": "text/csv", "buffer": file})
    rings = walk.page.get_by_role("slider", name=re.compile("asked for$"))
    expect(rings).to_have_count(len(rows), timeout=60_000)
    at_rest(walk.page)
    walk.read(walk.answer, "at least 1.25 times as accurate as asked", "a smaller budget keeps them")
    district = walk.page.get_by_role("row", name=re.compile("^Table 14 by district"))
    walk.read(district, "± 10", "± 8", "kept")


def student(walk: Walk) -> None:
    walk.begin()
    walk.press("What ε = 1 can do", "link")
    walk.arrives("explain")
    walk.read(walk.answer, "At most 74 in 100", "50 in 100")
    walk.read(shown(walk.page, "A smaller ε protects better.").locator("xpath=ancestor::p"), "beliefs move less")
    walk.type("Privacy budget ε", "0.5")
    walk.read(walk.answer, "At most 63 in 100")


def minister(walk: Walk) -> None:
    """A decision from the front door to the brief, by the parts of the case."""
    walk.begin()
    page = walk.page
    walk.press("Decide, step by step")
    walk.is_asked("1 of 3. What do you publish?")
    walk.type("What is released?", "School absence by district")
    shown(page, "one plain count", exact=True).click()
    walk.fields += 1
    settled(page)
    walk.press("Go on")
    walk.is_asked("2 of 3. What must nobody find out, about whom?")
    walk.type("What must nobody find out about a person?", "was absent more than 20 days")
    walk.type("One of them is called", "pupil")
    walk.read(shown(page, "Nobody should find out whether a given pupil was absent more than 20 days."))
    page.reload()
    expect(page.get_by_role("heading", name="2 of 3.")).to_be_visible()  # whoever comes back has lost nothing
    expect(strip(page)).to_contain_text("was absent more than 20 days · one pupil")
    walk.press("Go on")
    walk.is_asked("3 of 3. How sure may somebody become?")
    expect(page.get_by_role("button", name="Decide on")).to_have_count(0)
    for chosen in ("50 in 1,000", "10 in 100", "25 in 100", "40 in 100", "70 in 100", "Yes, acceptable", "No"):
        walk.press(chosen)
    expect(shown(page, "Line drawn").first).to_be_visible()
    expect(page.locator(".riskline-number").first).to_contain_text("ε = 0.91")
    walk.type("Who decides?", "the board")
    walk.press("Decide on ε = 0.91")
    walk.arrives("memo")
    expect(strip(page)).to_contain_text("ε = 0.91, decided by the board")
    walk.read(walk.answer, "ε = 0.91")
    with page.expect_download() as waiting:
        walk.press("Slides (PowerPoint)")
    assert waiting.value.suggested_filename == "riskline-memo.pptx"


TASKS: dict[str, Callable[[Walk], None]] = {
    "Mayor": mayor,
    "Press officer": press_officer,
    "Ethics board": ethics_board,
    "Lecturer": lecturer,
    "Methodologist": methodologist,
    "Student": student,
    "Minister": minister,
}


def told() -> dict[str, list[int]]:
    """For each task presses and fields with the most that there may be, and words at most, as the table says."""
    return {name: list(map(int, numbers)) for name, *numbers in ROW.findall(TABLE.read_text(encoding="utf-8"))}


def test_the_table_tells_every_task() -> None:
    assert list(told()) == list(TASKS)


WALKS = [
    *((Walk if name == "Minister" else ByKeys, name) for name in TASKS),
    *(pytest.param(Walk, name, marks=pytest.mark.study) for name in TASKS if name != "Minister"),
]
"""By keys every task but the longest, which has the mouse; by mouse the others on demand: both ways press the same."""


@pytest.mark.parametrize(("kind", "name"), WALKS)
def test_a_task_is_done_in_as_many_presses_fields_and_words_as_told(
    kind: type[Walk], name: str, open_page: OpenPage, app: str
) -> None:
    walk = kind(open_page, app)
    TASKS[name](walk)
    presses, most_presses, fields, most_fields, words = told()[name]
    assert (walk.presses, walk.fields) == (presses, fields)
    assert presses <= most_presses
    assert fields <= most_fields
    assert FEWEST_OF_WORDS * words <= walk.words <= words, walk.words
    assert walk.hidden == []
