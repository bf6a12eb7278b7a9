"""A sentence about any release, or about all tables of a plan, refuses a bound that holds for one count alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dpcore.deployments import converted, deployment
from dpcore.errors import Refused
from dpcore.mechanisms import Gaussian
from dpcore.scope import Bound, Scope, Side
from riskline.answers import Spent
from riskline.answers.evidence import Evidence
from riskline.answers.published import Meaning as Published
from riskline.case.value import Case
from ui.pictures.style import Style
from ui.views import accuracy
from ui.views.accuracy import AccuracyInputs
from ui.views.deployments import view as deployments
from ui.views.deployments.choices import DeploymentsInputs
from ui.views.explain.meaning import ExplainInputs, Meaning
from ui.views.explain.view import right_guess_words
from ui.views.lessons.view import label_of
from ui.views.memo.choices import Memo, MemoInputs
from ui.views.publication import shared as publication
from ui.views.publication.choices import PublicationInputs
from ui.views.shared.published_budgets import guess_words
from ui.words.quantities import in_people

ENTRY = deployment("Google symptom search trends")
CASE = Case(secret="value").decided(value=1.0, currency="epsilon")
NOISE = Meaning(ExplainInputs(guarantee="gaussian", secret="value"), Style())
"""Noise on one count: what it tells, and what any release with its budget does, have a scope each."""


def of_a_count(told: Any) -> Any:
    """What was answered, as if it held for one count alone."""
    if isinstance(told, Bound):
        return replace(told, scope=Scope.COUNT, side=Side.AT_MOST)
    return replace(told, right_guess=of_a_count(told.right_guess), posterior=of_a_count(told.posterior))


def meaning() -> Published:
    return deployments.meaning_of(ENTRY, secret="value")


def facts_of(name: str) -> object:
    """What the page of published budgets tells of one number alone."""
    told = replace(meaning(), **dict.fromkeys({"right_guess", "posterior"} - {name}))
    return deployments.Listed(DeploymentsInputs(), Style(), ENTRY, converted(ENTRY, delta=1e-6), told).context


def accuracy_after() -> object:
    return accuracy._rise(AccuracyInputs(), Gaussian(rho=0.1), Style())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("owner", "answer", "sentence"),
    [
        (Evidence, "right_guess", lambda: right_guess_words(NOISE)),
        (Evidence, "belief_after", lambda: NOISE.told("bound", str)),
        (Evidence, "belief_after", accuracy_after),
        (Spent, "highest", lambda: Memo(MemoInputs(case=CASE), Style()).rise),
        (Spent, "highest", lambda: label_of(CASE, Style())),
        (publication, "belief_after_tables", lambda: publication.Shared(PublicationInputs(), Style()).rise),
        (deployments, "meaning_of", lambda: facts_of("right_guess")),
        (deployments, "meaning_of", lambda: facts_of("posterior")),
        (deployments, "meaning_of", lambda: guess_words(meaning(), in_people(100))),
    ],
    ids=["guesses", "explain", "accuracy", "memo", "label", "tables", "guess", "belief", "few words"],
)
def test_a_sentence_about_any_release_refuses_what_holds_for_one_count(
    owner: Any, answer: str, sentence: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sentence()
    found = getattr(owner, answer)
    monkeypatch.setattr(owner, answer, lambda *told, **more: of_a_count(found(*told, **more)))
    with pytest.raises(Refused, match="scope must be one that a bound for 'count' holds for"):
        sentence()
