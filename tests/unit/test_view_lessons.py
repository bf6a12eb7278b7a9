"""Lessons fill their minutes, their links are taken without refusal, and their answers come from dpcore."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from dpcore.accuracy import count_error, noise_with_budget
from dpcore.mechanisms import RandomizedResponse
from dpcore.privacy_loss import ExactPosterior
from dpcore.profiles import CapOrRatio, Constant
from dpcore.semantics import posterior_upper
from riskline.case.fields import read_query
from riskline.case.value import EXAMPLE
from tests.cases import case_of
from tests.read_aloud import unheard
from ui.documents.document import Facts, plain_words
from ui.documents.page import html_page
from ui.documents.word import word_file
from ui.link.case_links import of_case, parts_of
from ui.link.page_table import page_entry
from ui.pictures.style import Style
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import answered
from ui.views.deployments import DeploymentsInputs, deployments_view
from ui.views.lessons import LessonsInputs, lessons_view
from ui.views.lessons.view import LESSONS, QUESTIONS, SAME_ERROR, STEPS, Step, label_of, steps_of
from ui.views.methods import MethodsInputs, methods_view
from ui.views.rebuild import RebuildInputs, rebuild_view
from ui.views.room.choices import (
    ACTIVITIES,
    SCRIPTS,
    lesson_script,
    next_on_phones,
    pages_of_steps,
    read_script,
    write_script,
)
from ui.words.catalogue import VOICES, label
from ui.words.phrasing import UP, frequency, rounded_budget


def minutes_told(lesson: str) -> int:
    """The minutes in a lesson's name, or those that it is called by."""
    return int(lesson if lesson.isdecimal() else label("lessons", f"lesson.{lesson}").partition(" ")[0])


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_fills_its_minutes_and_predicts_before_it_reveals(lesson: str, voice: str) -> None:
    view = lessons_view(LessonsInputs(lesson=lesson), Style(voice=voice))
    assert sum(sum(step.minutes) for step in view.steps) == minutes_told(lesson)
    told = [minutes for step in view.steps for minutes in step.said_minutes.split(" + ")]
    assert told == [f"{part.minutes}" for part in lesson_script(lesson)]
    assert len(view.questions) >= 3
    assert f"**{minutes_told(lesson)} minutes**" in view.answer
    for question in view.questions:
        assert "**" in question.reveal
        assert question.reveal not in plain_words(view.handout)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_link_of_a_lesson_opens_its_page_in_the_promised_state(lesson: str) -> None:
    steps = lessons_view(LessonsInputs(lesson=lesson), Style()).steps
    for step, (_, stem, promised) in zip(steps, STEPS[lesson], strict=True):
        assert step.stem == stem
        if not stem:
            continue
        parts = parts_of(stem, page_entry(stem).fields, step.query)
        reading = read_query([field for field in page_entry(stem).fields if not field.of_case], dict(parts.own))
        assert (*reading.refusals, *parts.case.refusals) == ()
        opened = reading.values | dict(parts.case.case or {})
        assert {name: opened[name] for name in promised} == dict(promised)
        assert step.address.partition("?")[0] == stem


@pytest.mark.parametrize("voice", VOICES)
def test_the_published_budgets_open_at_the_bet_that_the_answer_tells(voice: str) -> None:
    view = lessons_view(LessonsInputs(lesson="90"), Style(voice=voice))
    step = next(step for step in view.steps if step.stem == "deployments")
    chosen = DeploymentsInputs(**read_query(page_entry("deployments").fields, dict(step.query)).values)
    told = deployments_view(chosen, Style(voice=voice)).answer
    said = re.findall(r"(\d+) in 100|(0\.\d+)", view.questions[1].reveal)
    assert any((decimal or f"{share} of 100 times") in told for share, decimal in said), told


def test_the_answers_are_those_of_dpcore() -> None:
    said = {
        code: [question.reveal for question in lessons_view(LessonsInputs(lesson=code), Style()).questions]
        for code in LESSONS
    }
    assert frequency(float(posterior_upper(prior=0.05, epsilon=1.0)), UP) in said["20"][0]
    assert frequency(float(posterior_upper(prior=0.05, epsilon=2.0)), UP) in said["20"][3]
    line = CapOrRatio(0.25, 3, value_prior=1.0).implied_epsilon()
    assert line.binding is not None
    assert frequency(line.binding.prior) in said["45"][0]
    assert rounded_budget(line.epsilon) in said["45"][0]
    assert rounded_budget(Constant(3, value_prior=1.0).implied_epsilon().epsilon) in said["45"][1]
    error = count_error(noise_with_budget(1.29, "geometric"), level=0.95)
    assert f"± {error.half_width:.0f}" in said["45"][2]
    assert frequency(1 / (1 + math.exp(-1.29))) in said["45"][3]


def test_the_lesson_on_methods_says_what_its_page_and_noise_of_the_same_error_say() -> None:
    said = [question.reveal for question in lessons_view(LessonsInputs(lesson="methods"), Style()).questions]
    steps = lessons_view(LessonsInputs(lesson="methods"), Style()).steps
    page = methods_view(MethodsInputs(**_opened(steps[0])), Style())
    assert page.told is not None
    assert page.noise is not None
    assert page.told.certain("present").value == pytest.approx(1 / 3)
    assert "in **33 of 100** releases somebody becomes certain" in page.answer
    assert said[:2] == ["**33 in 100**.", "**98 in 100**."]
    assert round(100 * (1 - (2 / 3) ** 10)) == 98
    assert page.noise.budget == SAME_ERROR == _opened(steps[3])["epsilon"]
    assert frequency(float(posterior_upper(prior=0.05, epsilon=SAME_ERROR)), UP) in said[2]
    assert f"ε = {SAME_ERROR}" in steps[3].words
    (game,) = (part for part in lesson_script("methods") if part.kind == "attack")
    assert dict(game.settings) == {"attack_noise": "round_random", "attack_base": 3}
    played = _opened(steps[1])
    assert (played["noise"], played["base"]) == ("round_random", 3)
    (voted,) = (part for part in lesson_script("methods") if part.kind == "vote")
    assert dict(voted.settings)["vote_question"] == steps[3].words


def _opened(step: Step) -> dict[str, Any]:
    """What the page of a step is opened with."""
    fields = page_entry(step.stem).fields
    parts = parts_of(step.stem, fields, step.query)
    own = read_query([field for field in fields if not field.of_case], dict(parts.own)).values
    return own | of_case(parts.case.case or EXAMPLE, fields)


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_answer_that_guesses_are_held_against_is_the_one_that_is_revealed(lesson: str) -> None:
    for question in lessons_view(LessonsInputs(lesson=lesson), Style()).questions:
        printed = re.findall(r"\*\*[^*]*?(\d+(?:\.\d+)?)(?: in 100)?(?: at most)?\*\*", question.reveal)
        assert printed[0] == f"{question.truth.value:g}", question.reveal
        assert question.truth.bound == ("at most" in question.reveal.lower())


def test_the_odds_of_the_coin_are_the_exact_posterior_of_randomised_response() -> None:
    coin = RandomizedResponse(epsilon=math.log(3))
    exact = ExactPosterior.of(coin, prior=0.05)
    survey = lessons_view(LessonsInputs(), Style()).survey_answer
    assert frequency(exact.quantile(0.99), UP) in survey
    assert "75 in 100" in survey


def test_the_handout_asks_and_the_instructor_has_the_answers() -> None:
    view = lessons_view(LessonsInputs(), Style())
    handout, instructor = plain_words(view.handout), plain_words(view.instructor)
    assert view.survey in handout
    assert view.survey in instructor
    assert view.survey_answer.replace("**", "") in instructor
    assert "75 in 100" not in handout
    assert "75 in 100" not in view.survey


@pytest.mark.parametrize("lesson", SCRIPTS)
def test_the_script_of_a_lesson_fills_its_minutes_and_asks_each_question_once(lesson: str) -> None:
    script = lesson_script(lesson)
    assert sum(part.minutes for part in script) == minutes_told(lesson)
    assert read_script(write_script(script)) == script
    settings = [dict(part.settings) for part in script if part.kind == "prediction"]
    asked = [one["prediction_lesson"] for one in settings]
    assert sorted(asked) == [f"{lesson}_{number}" for number in range(1, QUESTIONS.get(lesson, 0) + 1)]
    if asked:
        assert dict(lesson_script(lesson, asked[-1])[0].settings) == settings[-1]
    without_phones = [part.words for part in script if not part.kind]
    if lesson in LESSONS:
        assert set(without_phones) <= {step.words for step in steps_of(lesson)} & set(pages_of_steps())
    before, following, rest = next_on_phones(script)
    assert following is not None
    assert (*before, following, *rest) == script
    assert next_on_phones(tuple(part for part in script if not part.kind))[1:] == (None, ())


def test_a_line_of_a_script_is_an_activity_by_its_title_a_question_or_to_be_read_out() -> None:
    typed = "5; vote; Keep it?; yes; no\n\n 7 ;Predict a number; Which ε lets no belief become more than 3 times as "
    typed += "strong?\n3; Predict a number; How many; roughly?\n2; Survey with coins; I copied.\n10; Break; outside"
    script = read_script(typed)
    assert [(part.minutes, part.kind, dict(part.settings)) for part in script] == [
        (5, "vote", {"vote_question": "Keep it?", "vote_options": ("yes", "no")}),
        (7, "prediction", {"prediction_lesson": "45_2"}),
        (3, "prediction", {"prediction_question": "How many; roughly?"}),
        (2, "coin_survey", {"coin_survey_statement": "I copied."}),
        (10, "", {}),
    ]
    assert script[-1].said == "Next: Break: outside (10 min)"
    assert read_script(write_script(script)) == script


IN_A_LINE = {
    "line": ("", "about = value_replaced; unit = household; group = 3; epsilon = 0.9"),
    "prediction": ("How many, roughly?", "lesson = 45_3; unit = people; truth = 30"),
    "coin_survey": ("I copied.", "forced_yes = 1/3; forced_no = 1/6"),
    "attack": ("", "table = synthetic; place = 2; noise = round_nearest; rho = 0.1; base = 5; prior = flat; seed = 7"),
    "proof": ("", "epsilon = 0.5; rounds = 3"),
    "vote": ("Keep it?; ε = 0.5; ε = 1", "before = 2"),
    "understanding": (
        "",
        "a = odds; b = label; question1 = failures; question2 = not_in; question3 = none; question4 = bound;"
        " prior = 10; epsilon = 2; other = 1; releases = 4; level = 90; delta = 1e-6; people = 20; order = 9",
    ),
}


@pytest.mark.parametrize("kind", ACTIVITIES)
def test_every_setting_of_an_activity_stands_in_a_line_of_a_script_and_none_is_read_out(kind: str) -> None:
    activity, (asked, named) = ACTIVITIES[kind], IN_A_LINE[kind]
    (part,) = script = read_script("; ".join(filter(None, ("5", activity.title, asked, named))))
    fields = {field.name: field for field in activity.settings}
    typed = dict(one.split(" = ") for one in named.split("; "))
    told = {f"{kind}_{name}": fields[f"{kind}_{name}"].decode(text) for name, text in typed.items()}
    assert dict(part.settings).items() >= told.items()
    assert set(dict(part.settings)) == set(fields)
    assert [name for name, value in told.items() if value == fields[name].default] == []
    assert part.said == f"Next: {activity.title}{asked and f': {asked}'} (5 min)"
    assert read_script(write_script(script)) == script


def test_a_setting_that_an_activity_does_not_have_or_cannot_be_is_refused() -> None:
    names = "table, place, noise, rho, base, prior, seed"
    with pytest.raises(ValueError, match=f"settings of Be the attacker as {names}; got eps = 1"):
        read_script("5; Be the attacker; eps = 1")
    with pytest.raises(ValueError, match=r"Budget ρ of each count must be from 0.0001 to 50; got '100'"):
        read_script("5; Be the attacker; rho = 100")


@pytest.mark.parametrize(
    "line", ["Vote", "0; Vote", "301; Vote", "5; Vote; a; only one", "5;", "5; Vote; " + 201 * "x"]
)
def test_a_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="must"):
        read_script(f"5; Vote\n{line}")
    with pytest.raises(ValueError, match="at most 30 lines"):
        read_script(31 * "5; Vote\n")
    with pytest.raises(ValueError, match="some 1,333 letters"):
        read_script("5; Break; " + 700 * "ε")


def test_a_question_that_names_its_answers_has_the_right_one_among_them() -> None:
    named = [
        question.truth
        for lesson in LESSONS
        for question in lessons_view(LessonsInputs(lesson=lesson), Style()).questions
        if question.truth.options
    ]
    assert [truth.options for truth in named] == [(1.0, 8.0, 50.0)]
    assert all(truth.value in truth.options for truth in named)


@pytest.mark.parametrize("choose", ["", "question=both", "guarantee=zero_concentrated", "line=box&low=0.9&high=0.1"])
def test_the_sheets_print_for_every_choice(choose: str) -> None:
    chosen = LessonsInputs(case=case_of(choose))
    view, without = lessons_view(chosen, Style(), "http://riskline.example/"), lessons_view(chosen, Style())
    for sheet in (view.handout, view.instructor, view.label):
        assert "<h1>" in html_page(sheet)
        assert unheard(word_file(sheet)) == []
    for printed, bare in ((view.handout, without.handout), (view.instructor, without.instructor)):
        for step in view.steps:
            assert step.stem == "" or f"{step.words} http://riskline.example/{step.address}" in plain_words(printed)
        assert plain_words(printed).replace("http://riskline.example/", "/") == plain_words(bare)


def rows_of(choose: str) -> list[tuple[str, str]]:
    document = label_of(case_of(choose), Style()).document
    return [row for block in document.sections[0].blocks if isinstance(block, Facts) for row in block.rows]


LINE = "line=constant&ratio=2"  # a line of exactly ln 2 for a presence


@pytest.mark.parametrize(
    ("choose", "whose", "secret", "changed", "budgets"),
    [
        ("", "a given person", "whether a given person is in the data", "adds or removes one record", ["ε = 0.69"]),
        (
            "&unit=household&group=4",
            "a given household of 4",
            "whether a given household of 4 is in the data",
            "adds or removes one record",
            ["ε = 0.17, for one record", "ε = 0.68, for a given household of 4 (4 records changed)"],
        ),
        (
            "&unit=household&group=4&releases=2",
            "a given household of 4",
            "whether a given household of 4 is in the data",
            "adds or removes one record",
            ["ε = 0.086, for one", "ε = 0.172, for one", "ε = 0.344, for a given household", "ε = 0.688, for a given"],
        ),
        (
            "&question=value&unit=records&group=3",
            "a given person with 3 records",
            "which value a given person with 3 records has",
            "6 such changes",
            ["ε = 0.11, for one record", "ε = 0.66, for a given person with 3 records (6 records changed)"],
        ),
        (
            "&question=value&relation=replace",
            "a given person",
            "which value a given person has",
            "one change replaces one record",
            ["ε = 0.69"],
        ),
        (
            "&unit=days&group=30&guarantee=zero_concentrated&failure=0.0149",
            "a given person over 30 days",
            "whether a given person over 30 days is in the data",
            "adds or removes one record",
            ["ρ = ", "(30 records changed)"],
        ),
    ],
)
def test_the_label_says_secret_unit_change_and_budget_of_a_release_and_in_total(
    choose: str, whose: str, secret: str, changed: str, budgets: list[str]
) -> None:
    label = label_of(case_of(LINE + choose), Style())
    rows = rows_of(LINE + choose)
    context = dict(rows)
    assert context["Who is protected"] == whose
    assert context["What stays uncertain"] == secret
    assert changed in plain_words(label.document)
    spent = [value for name, value in rows if name.startswith("Privacy budget")]
    for said, value in zip(budgets[: len(spent)], spent, strict=True):
        assert said in value
    assert budgets[-1] in spent[-1]
    assert spent[0].endswith("(larger means less privacy)")
    failing = "with a probability of at most 2 in 100" if "failure" in choose else "none"
    assert context["Exceptions"] == failing
    for stated in label.stated:
        assert f"their belief can become at most **{stated.words}**" in repr(label.document)


def test_the_beliefs_on_the_label_are_those_of_the_unit_and_not_of_one_record() -> None:
    stated = label_of(case_of("unit=household&group=4"), Style()).stated
    shift = 4 * 0.32
    assert stated[1].prior == 0.05
    assert stated[1].at_most == pytest.approx(0.05 * math.exp(shift) / (0.95 + 0.05 * math.exp(shift)))


def test_the_foot_of_the_label_names_what_is_left_out() -> None:
    for route, said in (
        ("direct", "whatever is computed from these releases"),
        ("gaussian", "for continuous Gaussian noise"),
        ("discrete_gaussian", "for whole-number (discrete Gaussian) noise"),
    ):
        chosen = f"guarantee=zero_concentrated&question=membership&route={route}"
        foot = label_of(case_of(chosen), Style()).document.foot
        assert said in foot
        assert "Other releases about the same people are not counted." in foot
        assert "whatever else they do" not in foot


def test_the_budget_of_the_lesson_links_is_that_of_its_line() -> None:
    first = answered(ChooseInputs(), Style())
    assert first.budget is not None
    given = [values["epsilon"] for _, _, values in STEPS["45"] if "epsilon" in values]
    assert given == [first.budget.recommended_each] * 2


def test_a_step_says_the_promise_where_its_page_asks() -> None:
    for lesson in LESSONS:
        for step in lessons_view(LessonsInputs(lesson=lesson), Style()).steps:
            # the question after the published budgets is about a value, the secret those budgets speak of
            asked = "value" if step.stem == "deployments" else "presence"
            names = {field.name for field in page_entry(step.stem).fields} if step.stem else set()
            for name, text in (("secret", asked), ("relation", "add_or_remove"), ("unit", "person")):
                if name in names:
                    assert dict(step.query)[name] == text


def test_the_secret_of_the_coin_is_the_answer() -> None:
    survey = lessons_view(LessonsInputs(), Style()).survey_answer
    assert "what a given person answered" in survey
    assert "taking part is visible" in survey


def test_the_label_says_the_budget_of_the_chosen_line() -> None:
    words = plain_words(lessons_view(LessonsInputs(case=case_of("line=constant&ratio=2")), Style()).label)
    assert "ε = 0.69" in words
    assert "at most 2 in 100" in words


@pytest.mark.parametrize("voice", VOICES)
def test_a_lesson_asks_for_a_range_that_holds_at_least_so_often(voice: str) -> None:
    """Whole numbers of noise hold more than the share that is asked for."""
    view = lessons_view(LessonsInputs(lesson="45"), Style(voice=voice))
    assert ", at least 95 of 100 times" in view.questions[2].ask


def test_the_lessons_attack_what_they_protect() -> None:
    """45 minutes: a block at the budget of the line, and the game; 90 minutes: a whole block is rebuilt."""
    short, long = (lessons_view(LessonsInputs(lesson=lesson), Style()).steps for lesson in ("45", "90"))
    assert {"block", "play"} <= {step.stem for step in short}
    [rebuilt] = [step.query for step in long if step.stem == "rebuild"]
    chosen = read_query(page_entry("rebuild").fields, dict(rebuilt))
    assert not chosen.refusals
    view = rebuild_view(RebuildInputs(**chosen.values), Style())
    assert "of 20" in view.answer
