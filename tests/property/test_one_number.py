"""One question about a case has one number: on every page, in the memo's three kinds of file, and on the command line.

`QUESTIONS` is the list. Each is answered by every document that answers it, as the document prints it; all must agree.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dpcore._properties import cached_property
from riskline.answers import case_budget, standing
from riskline.case.file import write_toml
from riskline.case.value import Case
from tests.cases import memo_inputs, some_case
from tests.command_line import told
from tests.memo_words import page_text, slide_texts, word_text
from tests.pages_of_cases import view_of
from ui.pictures.style import Style
from ui.views.memo import memo_view
from ui.views.public import PublicInputs, PublicView, public_view
from ui.views.shared.strip import strip_of

pytestmark = pytest.mark.usefixtures("white_pictures")
CASES = 3
BUDGET = re.compile(r"([ερ]) = ([0-9]*\.?[0-9]+(?:e-?[0-9]+)?)")
REACHED = re.compile(
    r"thinks it ([0-9.,]+ in [0-9,]+) likely .*? can (?:believe it|become) "
    r"(?:at most )?([0-9.,]+ in [0-9,]+) (?:likely|sure)"
)
AT_MOST = re.compile(
    r"At most ([0-9.,]+ in [0-9,]+)(?:, except[^.:]*)?[.:] (?:Somebody who|[Ww]hoever) thinks it ([0-9.,]+ in [0-9,]+) "
)
NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:e-?[0-9]+)?")
WITHIN = re.compile(r"±\s([0-9.,]+)")
STRONGER = re.compile(r"(?:can become more than|At most) ([0-9.,]+ times) as strong")


@dataclass(frozen=True)
class Documents:
    """Everything that is made of a case, as plain text by its kind."""

    case: Case
    folder: Path

    @cached_property
    def memo(self) -> dict[str, str]:
        view = memo_view(memo_inputs(case=self.case), Style())
        assert not view.refusal, view.refusal
        slides = "\n".join(text for _, text in slide_texts(view))
        return {"page to print": page_text(view), "Word": word_text(view), "slides": slides}

    @cached_property
    def pages(self) -> dict[str, str]:
        views = {stem: view_of(stem, self.case, Style()) for stem in ("choose", "explain", "accuracy")}
        return {stem: plain(f"{view.answer} {view.small_print}") for stem, view in views.items() if not view.refusal}

    @cached_property
    def public(self) -> PublicView:
        view = public_view(PublicInputs(case=self.case), Style())
        assert not view.refusal, view.refusal
        return view

    def command(self, name: str) -> Any:
        file = self.folder / "case.toml"
        file.write_text(write_toml(self.case), encoding="utf-8")
        return told(name, "--case", str(file), "--json").document


def plain(text: str) -> str:
    return html.unescape(text.replace("**", ""))


def first(pattern: re.Pattern[str], text: str) -> Any:
    found = pattern.search(text)
    return None if found is None else tuple(float(part) if NUMBER.fullmatch(part) else part for part in found.groups())


def budget_in_force(documents: Documents) -> Iterator[tuple[str, Any]]:
    """The budget that is decided, or that the line implies while nobody has decided."""
    yield "strip", first(BUDGET, strip_of(documents.case, "plain").text)
    for stem in ("explain", "accuracy"):
        if stem in documents.pages:
            yield stem, first(BUDGET, documents.pages[stem])
    for kind, text in documents.memo.items():
        yield kind, first(BUDGET, text)
    yield "public", first(BUDGET, documents.public.budget.replace("**", ""))
    answer = documents.command("explain")
    yield "riskline explain", first(BUDGET, answer["answer"] + answer["small_print"])
    budget = standing(documents.case).budget
    assert budget is not None
    yield "riskline.answers", ("ρ" if budget.currency == "rho" else "ε", budget.value)


def limit_of_the_line(documents: Documents) -> Iterator[tuple[str, Any]]:
    """How far the belief comes that decides the line's budget."""
    answers = {"choose": documents.pages["choose"], "riskline budget": plain(documents.command("budget")["answer"])}
    answers["public"] = plain(documents.public.answer)
    for kind, text in (answers | documents.memo).items():
        after = first(AT_MOST, text)
        yield kind, (after and after[::-1]) or first(REACHED, text) or first(STRONGER, text)


def error_of_a_count(documents: Documents) -> Iterator[tuple[str, Any]]:
    """Within which range of the truth a count of what the case releases is published."""
    found = {"accuracy": documents.pages["accuracy"]} | documents.memo
    for kind, text in found.items():
        yield kind, first(WITHIN, text)
    yield "public", first(WITHIN, documents.public.sentences[0].replace("**", ""))
    cards = view_of("choose", documents.case, Style()).numbers
    yield "choose", first(WITHIN, cards[-1][1])


QUESTIONS: dict[str, Callable[[Documents], Iterator[tuple[str, Any]]]] = {
    "Which budget?": budget_in_force,
    "How far does it come where the line decides?": limit_of_the_line,
    "How far off is a count?": error_of_a_count,
}


def cases(question: str) -> Iterator[Case]:
    """Cases in which the question has an answer."""
    dice = random.Random(question)
    while True:
        case = some_case(dice)
        if question.endswith("a count?"):
            moves = dice.choice(("nowhere", "anywhere"))
            case = case.with_choices(release="table", areas=dice.randint(2, 40), moves=moves)
        if question.startswith("How far") and (case.decision is not None or case["guarantee"] == "approximate"):
            continue  # the budget in force is not the line's, or is of no named noise
        if case_budget(case) is not None:
            yield case


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_document_has_the_same_number_for_a_question(question: str, tmp_path: Path) -> None:
    asked = cases(question)
    for _ in range(CASES):
        documents = Documents(next(asked), tmp_path)
        found = dict(QUESTIONS[question](documents))
        assert len(found) >= 5
        assert None not in found.values(), (documents.case, found)
        assert len(set(found.values())) == 1, (documents.case, found)
