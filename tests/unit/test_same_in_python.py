"""The lines of Python at the end of a page come to the number of its answer, from its own choices and nothing else."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from tests.approved.drawn import ANSWERED_BY_PEOPLE
from tests.approved.prose import in_words, shown_view
from tests.approved.states import REFUSED, STATES
from tests.each import each
from tests.hostile.settings import ordinary
from tests.python_lines import run
from ui.link.page_table import PAGES
from ui.pictures.style import Style
from ui.views.how_we_know import published_rows
from ui.views.infer import InferInputs, infer_view
from ui.views.infer import view as regression
from ui.views.infer.view import regression_draws
from ui.views.public_information import PublicInformationInputs, arriving, public_information_view
from ui.words.python_lines import CodeLines

SAID_IN = {
    "home": ("budget",),
    "choose": ("numbers",),
    "memo": ("answer", "document"),
    "lessons": ("questions",),
    "play": ("answer", "long_run"),
    "public_information": ("answer", "picture"),
    "publication": ("answer", "computed"),
    "deployments": ("answer", "about_mechanism"),
    "public": ("answer", "budget"),
}
"""Where a page says the number, when not in its answer."""

TOGETHER, FEWER = 8, {"audit": 5, "infer": 4, "plan": 5}
"""Drawn settings of each page, and of those that take longest."""

COMPUTING = [entry.stem for entry in PAGES if entry.stem not in ANSWERED_BY_PEOPLE]
SETTINGS = [(stem, state) for stem in COMPUTING for state in STATES[stem]]
NOTHING_FOLLOWS = {
    ("deployments", "promised to devices for a day, zero-concentrated"),
    ("positions", "all ask for nothing"),
    ("public", "no line"),
    ("public", "a line that leaves nothing to spend"),
    *(("memo", state) for state in ("no line", "four positions, a room, a mixed year, no line")),
}
NO_NUMBER = {
    ("infer", "regression, waiting"),
    ("infer", "regression under ρ, waiting"),
    ("infer", "regression of one's own sums, waiting"),
} | {
    ("public_information", state)
    for state in ("a public file, before the lines are there", "own records that nobody has uploaded")
}
"""A run has not come to its number yet; its lines are that run."""


def assert_comes_to_its_answer(lines: CodeLines) -> None:
    found = np.ravel(np.asarray(run(lines), dtype=float))
    wanted = np.array([number.value for number in lines.answer], dtype=float)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=0)


@pytest.mark.parametrize(("stem", "state"), SETTINGS, ids=lambda part: part.replace(" ", "_"))
def test_the_lines_come_to_the_number_that_the_page_says(stem: str, state: str) -> None:
    view = shown_view(stem, STATES[stem][state], Style())
    lines = view.python
    if (stem, state) in NOTHING_FOLLOWS:
        assert lines is None
        return
    if (stem, state) in NO_NUMBER:
        assert not lines.answer
        ast.parse(lines.text)
        return
    assert lines.answer
    assert_comes_to_its_answer(lines)
    assert_says_its_answer(stem, view)


def test_the_lines_for_a_household_spend_what_a_rho_of_all_its_records_is() -> None:
    rows = "tables=A~counts~8~~4!B~counts~20"
    for noise in ("geometric", "discrete_gaussian"):
        view = shown_view("publication", f"{rows}&line=constant&ratio=3&unit=household&group=3&noise={noise}", Style())
        assert ("**2" in view.python.text) is (noise == "discrete_gaussian")
        assert_comes_to_its_answer(view.python)


def test_a_belief_that_is_said_out_of_a_thousand_is_so_beside_its_lines() -> None:
    assert_says_its_answer("block", shown_view("block", "prior=0.365", Style()))


@each("stem", COMPUTING)
def test_the_lines_come_to_the_number_whatever_is_chosen_together(stem: str) -> None:
    """Households under a ρ, several releases of a local survey: what no approved setting holds beside each other."""
    for query in ordinary(stem, FEWER.get(stem, TOGETHER)):
        view = shown_view(stem, urlencode(query), Style())
        if view.python is not None and view.python.answer:
            assert_comes_to_its_answer(view.python)
            assert_says_its_answer(stem, view)


def assert_says_its_answer(stem: str, view: Any) -> None:
    parts = SAID_IN.get(stem, ("answer",))
    said = " ".join(line for name in parts for line in in_words(getattr(view, name))).replace("**", "")
    if stem == "how_we_know":
        said = str(published_rows()[0].computed)  # of a table that a reader may have narrowed down
    for number in view.python.answer:
        if 0 < number.value < math.inf:
            forms = [*forms_of(number.digits), *(["certain"] if number.value == 1.0 else [])]
            assert any(form in said for form in forms), view.python.text


def forms_of(digits: str) -> Iterator[str]:
    """How a page may say a number: as such, as a rate, and where it limits nothing any more."""
    yield digits
    yield digits.replace(" in ", " of ")
    if digits.startswith("nearly "):
        yield "almost always"


@each("stem", COMPUTING)
def test_the_number_of_the_lines_is_the_one_of_the_technical_answer(stem: str) -> None:
    assert_says_its_answer(stem, shown_view(stem, STATES[stem]["as it opens"], Style(voice="technical")))


@pytest.mark.parametrize(("stem", "query"), [(stem, queries[0]) for stem, queries in REFUSED.items()])
def test_refused_choices_have_no_lines(stem: str, query: str) -> None:
    assert shown_view(stem, query, Style()).python is None


def test_the_lines_of_a_regression_are_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("CHAINS", 60), ("DRAWS", 100), ("WARM_UP", 60)):
        monkeypatch.setattr(regression, name, size)
    inputs = InferInputs(part="regression", draw_seed=1)
    view = infer_view(inputs, Style(), regression_draws(inputs))
    assert len(view.python.answer) == 2
    assert_comes_to_its_answer(view.python)
    assert_says_its_answer("infer", view)


def test_the_lines_of_the_errors_with_public_data_are_their_run() -> None:
    inputs = PublicInformationInputs(side="helps", records=300, public=100, rounds=2, repeats=1)
    view = public_information_view(inputs, Style(), list(arriving(inputs)))
    assert view.python.answer
    assert_comes_to_its_answer(view.python)
    assert_says_its_answer("public_information", view)
