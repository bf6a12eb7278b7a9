"""The tour and the README show the pages of today: a picture whose page says another sentence now is drawn anew."""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image

from riskline.case.value import Case
from tests.approved.prose import file_of
from tests.each import each
from ui.link.page_table import PAGES
from ui.views.shared.promise import page_question

ROOT = Path(__file__).resolve().parents[2]
TOUR = "docs/tour.md"
MOVING = "docs/tour/line.gif"
README = "assets/readme-choose.png"
TOUR_PAGES = [entry.stem for entry in PAGES]


def picture_of(stem: str) -> str:
    """Where the picture of a page is."""
    return f"docs/tour/{stem}.png"


def answer_of(stem: str) -> str:
    """What a page answers as it opens, from its approved sentences."""
    found = re.search(r"^\[answer\]\n(.+)$", file_of(stem).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, stem
    return found[1]


@each("stem", TOUR_PAGES)
def test_a_picture_of_the_tour_shows_what_its_page_says(stem: str) -> None:
    with Image.open(ROOT / picture_of(stem)) as drawn:
        assert drawn.info["Description"] == answer_of(stem), f"scripts/pictures {stem}"
    tour = (ROOT / TOUR).read_text(encoding="utf-8")
    assert answer_of(stem) in tour
    assert page_question(stem, Case()) in tour
    assert f"({Path(picture_of(stem)).relative_to('docs')})" in tour


def test_the_picture_of_the_readme_is_that_of_the_tour_and_the_line_moves() -> None:
    with Image.open(ROOT / README) as drawn:
        assert drawn.info["Description"] == answer_of("choose"), "scripts/pictures choose"
    assert README in (ROOT / "README.md").read_text(encoding="utf-8")
    with Image.open(ROOT / MOVING) as moving:
        assert getattr(moving, "n_frames", 1) > 4
