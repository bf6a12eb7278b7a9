"""Lessons fill their minutes, their links are taken without refusal, and their answers come from dpcore."""

from __future__ import annotations

import math

import pytest

from dpcore.accuracy import count_error, noise_with_budget
from dpcore.mechanisms import RandomizedResponse
from dpcore.profiles import CapOrRatio, Constant
from dpcore.semantics import ExactPosterior, posterior_upper
from ui.documents.document import plain_words
from ui.documents.page import html_page
from ui.documents.word import word_file
from ui.figures.look import Look
from ui.links import read_query
from ui.page_table import page_entry
from ui.phrasing import UP, frequency, rounded_budget
from ui.text import VOICES
from ui.views.lessons import LESSONS, STEPS, LessonsInputs, lessons_view, pages_there


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_fills_its_minutes_and_predicts_before_it_reveals(lesson: str, voice: str) -> None:
    view = lessons_view(LessonsInputs(lesson=lesson), Look(voice=voice))
    assert sum(step.minutes for step in view.steps) == int(lesson)
    assert len(view.questions) >= 3
    assert view.aims
    assert view.notes
    for question in view.questions:
        assert "**" in question.reveal
        assert question.reveal not in plain_words(view.handout)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_link_of_a_lesson_opens_its_page_in_the_promised_state(lesson: str) -> None:
    steps = lessons_view(LessonsInputs(lesson=lesson), Look()).steps
    for step, (_, stem, promised) in zip(steps, STEPS[lesson], strict=True):
        if stem not in pages_there():
            assert step.stem == ""
            continue
        if not stem:
            continue
        reading = read_query(page_entry(stem).fields, dict(step.query))
        assert reading.refusals == ()
        assert {name: reading.values[name] for name in promised} == dict(promised)
        assert step.address.partition("?")[0] == stem


def test_a_page_that_is_not_there_gets_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.views.lessons.PAGES", (page_entry("choose"),))
    steps = lessons_view(LessonsInputs(lesson="90"), Look()).steps
    assert {step.stem for step in steps} == {"", "choose"}


def test_the_answers_are_those_of_dpcore() -> None:
    said = {
        code: [question.reveal for question in lessons_view(LessonsInputs(lesson=code), Look()).questions]
        for code in LESSONS
    }
    assert frequency(float(posterior_upper(prior=0.05, epsilon=1.0)), UP) in said["20"][0]
    assert frequency(float(posterior_upper(prior=0.05, epsilon=2.0)), UP) in said["20"][0]
    line = CapOrRatio(0.25, 3, value_prior=1.0).implied_epsilon()
    assert line.binding is not None
    assert frequency(line.binding.prior) in said["45"][0]
    assert rounded_budget(line.epsilon) in said["45"][0]
    assert rounded_budget(Constant(3, value_prior=1.0).implied_epsilon().epsilon) in said["45"][1]
    error = count_error(noise_with_budget("geometric", 1.29), level=0.95)
    assert f"± {error.half_width:.0f}" in said["45"][2]


def test_the_odds_of_the_coin_are_the_exact_posterior_of_randomised_response() -> None:
    coin = RandomizedResponse(epsilon=math.log(3))
    exact = ExactPosterior(mechanism=coin, prior=0.05)
    survey = lessons_view(LessonsInputs(), Look()).survey
    assert frequency(exact.quantile(0.99), UP) in survey
    assert "75 in 100" in survey


def test_a_class_sees_the_same_draw_and_another_seed_another() -> None:
    first, again, other = (lessons_view(LessonsInputs(seed=seed), Look()).survey_draw for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_large_class_estimates_its_share() -> None:
    said = lessons_view(LessonsInputs(people=100_000, share=0.3), Look()).survey_draw
    estimate = int(said.split("estimate of **")[1].split("**")[0])
    assert abs(estimate - 30) <= 2


@pytest.mark.parametrize("choose", ["", "question=both", "guarantee=zero_concentrated", "line=box&low=0.9&high=0.1"])
def test_the_sheets_print_for_every_choice(choose: str) -> None:
    view = lessons_view(LessonsInputs(choose=choose), Look(), "http://riskline.example/")
    for sheet in (view.handout, view.instructor, view.label):
        assert "<h1>" in html_page(sheet)
        assert word_file(sheet)[:2] == b"PK"
    assert "http://riskline.example/explain" in plain_words(view.handout)


def test_the_label_says_the_budget_of_the_chosen_line() -> None:
    words = plain_words(lessons_view(LessonsInputs(choose="line=constant&ratio=2"), Look()).label)
    assert "ε = 0.69" in words
    assert "at most 2 in 100" in words
