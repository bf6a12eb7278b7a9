"""What *How we know* says that other libraries answer is what they answer, and what it calls the truth is computed."""

from __future__ import annotations

import json
import math

import pytest
from mpmath import mpf

from tests.conftest import ROOT
from ui.pictures.style import Style
from ui.views.how_we_know import ROUNDING, HowWeKnowInputs, agreement, asked_of_peers, how_we_know_view, largest_excess
from ui.words.catalogue import VOICES

questions = pytest.importorskip("benchmarks.peers.questions")
truths = pytest.importorskip("benchmarks.peers.truths")
measured = pytest.importorskip("benchmarks.peers.measured")
SLOW = {"twelve_laplaces", "missed_by_any_attacker"}


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(one, id=one.key, marks=[pytest.mark.study] if one.key in SLOW else [])
        for one in questions.QUESTIONS
    ],
)
def test_the_truth_is_computed_as_it_is_shown(question: questions.Question) -> None:
    shown = next(asked for asked in asked_of_peers() if asked["key"] == question.key)
    assert float(question.truth()) == pytest.approx(float(shown["truth"]), rel=1e-13)


def test_one_laplace_release_has_the_delta_that_the_slow_sum_gives() -> None:
    """Of one loss, at most epsilon: delta(t) = 1 - e^((t - epsilon)/2), so t = epsilon + 2 ln(1 - delta)."""
    found = truths.laplace_epsilon(1, mpf(1) / 2, mpf(1) / 10)
    assert float(found) == pytest.approx(0.5 + 2 * math.log1p(-0.1), rel=1e-13)


@pytest.mark.parametrize("question", questions.QUESTIONS, ids=lambda one: one.key)
def test_every_library_answers_as_it_is_shown(question: questions.Question) -> None:
    shown = next(asked for asked in asked_of_peers() if asked["key"] == question.key)
    assert shown["words"] == question.words
    assert [(one["tool"], one["call"]) for one in shown["answers"]] == [
        (tool, call) for tool, (call, _) in question.ways.items()
    ]
    for one in shown["answers"]:
        answer = float(question.ways[one["tool"]][1]())
        assert answer == pytest.approx(one["answer"], rel=1e-12 if one["tool"] == "dpcore" else 1e-6)
        excess = (answer - float(shown["truth"])) * (1 if question.safe_above else -1)
        assert excess == pytest.approx(one["safe_excess"], abs=1e-6 * answer)


def test_no_answer_of_ours_claims_too_much() -> None:
    ours = [(one, float(asked["truth"])) for asked in asked_of_peers() for one in asked["answers"]]
    assert all(one["safe_excess"] >= -ROUNDING * truth for one, truth in ours if one["tool"] == "dpcore")


@pytest.mark.parametrize("voice", VOICES)
def test_the_page_counts_the_answers_that_hold(voice: str) -> None:
    view = how_we_know_view(HowWeKnowInputs(), Style(voice=voice))
    others, holding, equal = agreement()
    told = [row[3] for row in view.peers.rows if row[1] != "dpcore"]
    assert len(told) == others
    assert sum(not words.startswith("claims too much") for words in told) == holding < others
    assert [row[3] for row in view.peers.rows if row[1] == "dpcore"].count("equal to 12 digits") == equal
    assert f"**{others}** answers" in view.peers_head
    assert f"**{holding}** hold" in view.peers_head
    assert 0 < largest_excess()[0] < 1e-6
    assert f"at most **{'1 in 12,000,000' if voice == 'plain' else '3.6e-7'}**" in view.peers_head


def test_the_proof_in_the_repository_is_the_page_of_the_same_run() -> None:
    found = json.loads((ROOT / "ui" / "data" / "peers.json").read_text(encoding="utf-8"))
    assert measured.as_document(found) == (ROOT / "docs" / "proof" / "peers.md").read_text(encoding="utf-8")
    assert len(how_we_know_view(HowWeKnowInputs(), Style()).peers.rows) == sum(len(asked["answers"]) for asked in found)
