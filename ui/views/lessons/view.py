"""Four lessons that walk through the other pages: links, questions with computed answers, sheets, a label to print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from typing import Any
from urllib.parse import urlencode

import numpy as np

import dpcore
from dpcore.attacks.one_count import CountAttack
from dpcore.census import level_rho
from dpcore.composition import BasicRule, BeliefPromise, first_broken
from dpcore.deployments import deployment, gaussian_right_guess, right_guess
from dpcore.guarantees import Relation
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.methods import RandomRounding, certain_somewhere
from dpcore.promise import Promise, Secret
from dpcore.randomized_response import RandomizedAnswer
from dpcore.scope import Scope
from dpcore.semantics import posterior_upper
from riskline.answers import Spent, spent
from riskline.case.choices import FIELDS as CASE
from riskline.case.declaration import option
from riskline.case.fields import link, under
from riskline.case.value import EXAMPLE, Case
from ui.documents.document import Document, Facts, Listing, Paragraph, Section
from ui.link.page_table import fields_of, page_entry
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.choose import ChooseInputs, choose_view
from ui.views.choose.answer import AnsweredLine, answered, at_budget, released
from ui.views.lessons.class_guesses import Truth, of_budget, of_hundred, word
from ui.views.shared.promise import PageAnswer, StatedBelief, promise_words
from ui.views.shared.published_budgets import spent_words
from ui.words.catalogue import label, say
from ui.words.phrasing import capitalised, frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Failure, Upper, claimed, number

ANSWER = Promise(secret=Secret.ANSWER, relation=Relation.REPLACE)
"""In the survey with a coin everybody sees who takes part; what they answered is the secret."""
SAME_ERROR = 1.32
"""The ε of noise with the error of random rounding to base 3, over the counts with which *Today's methods* begins."""
Plan = tuple[tuple[Mapping[str, int], str, Mapping[str, Any]], ...]
ROUNDED = {"method": "round_random", "base": 3, "prior": 0.08, "line": "cap_or_ratio", "cap": 0.25, "ratio": 3.0}
NOISE = "discrete_gaussian"
STEPS: dict[str, Plan] = {
    "20": (
        ({"coin_survey": 5, "20_2": 3}, "", {}),
        ({"20_1": 4}, "explain", {"epsilon": 1.0, "prior": 0.05}),
        ({"20_4": 3}, "explain", {"epsilon": 2.0, "prior": 0.05}),
        ({"20_3": 5}, "accuracy", {"epsilon": 1.0}),
    ),
    "methods": (
        ({"methods_1": 4}, "methods", ROUNDED),
        ({"rounded": 7}, "play", {"noise": "round_random", "base": 3, "seed": 3}),
        ({"methods_2": 3}, "methods", ROUNDED),
        ({"methods_3": 3, "keep": 3}, "explain", {"epsilon": SAME_ERROR, "prior": 0.05}),
    ),
    "45": (
        ({"line": 5, "45_1": 3}, "choose", {"line": "cap_or_ratio", "cap": 0.25, "ratio": 3.0}),
        ({"45_2": 5}, "choose", {"line": "constant", "ratio": 3.0}),
        ({"45_3": 7}, "accuracy", {"epsilon": 1.29}),
        ({"45_4": 8}, "block", {"noise": "geometric", "epsilon": 1.29, "seed": 3}),
        ({"attack": 10}, "play", {"rho": 0.5, "seed": 3}),
        ({"vote": 3, "step_45_6": 4}, "memo", {"title": word("title.45"), "line": "cap_or_ratio"}),
    ),
    "90": (
        ({"90_1": 12}, "block", {}),
        ({"attack": 13}, "play", {"rho": 0.1, "seed": 3}),
        ({"larger": 8}, "hierarchy", {}),
        ({"step_90_4": 12}, "rebuild", {"source": "block", "people": 20, "noise": NOISE, "rho": 0.1, "seed": 3}),
        ({"90_3": 12}, "plan", {"cap": 0.8}),
        ({"90_2": 10}, "deployments", {"prior": 0.5, "secret": "value"}),
        ({"line": 8}, "choose", {"line": "increase", "increase": 0.2}),
        ({"step_90_8": 15}, "memo", {"title": word("title.90"), "line": "increase"}),
    ),
}
"""Of each step what a room does in it with its minutes (activities, predictions by question, and what phones have no
part in), the page that it opens, and that page's choices."""
LESSONS = tuple(STEPS)
MINUTES = {lesson: sum(sum(parts.values()) for parts, _, _ in steps) for lesson, steps in STEPS.items()}
RISES = {"20_1": 1, "20_4": 2, "methods_3": SAME_ERROR}
"""The questions of how far a belief moves, each with its ε."""
QUESTIONS = {"20": 4, "methods": 3, "45": 4, "90": 3}
"""How many numbers are predicted in a lesson."""
PROMISED = {"secret": "presence", "relation": "add_or_remove", "unit": "person"}
"""What the questions of a lesson are about, for every page that asks."""


@dataclass(frozen=True)
class LessonsInputs:
    """Which lesson, and the case that the label is of."""

    lesson: str = option(*LESSONS)
    case: Case = EXAMPLE


FIELDS = fields_of("lessons", LessonsInputs)


@dataclass(frozen=True)
class Step:
    """One step: the minutes of its parts, what to do, and the page that opens in its state (none when not there)."""

    minutes: tuple[int, ...]
    words: str
    stem: str = ""
    title: str = ""
    query: tuple[tuple[str, str], ...] = ()
    address: str = ""

    @property
    def said_minutes(self) -> str:
        """Its minutes as a room's script has them, a number for each part."""
        return " + ".join(map(str, self.minutes))


@dataclass(frozen=True)
class Question:
    """What to predict, the computed answer, and what a class types its guesses into and is compared with."""

    ask: str
    reveal: str
    guesses: str
    truth: Truth


@dataclass(frozen=True, kw_only=True)
class LessonsView(PageAnswer):
    """Everything the page shows, and the sheets to print."""

    steps: tuple[Step, ...]
    questions: tuple[Question, ...]
    survey: str
    survey_answer: str
    handout: Document
    instructor: Document
    label: Document


def steps_of(lesson: str) -> tuple[Step, ...]:
    """The steps of a lesson, in their order."""
    steps = []
    for place, (parts, stem, values) in enumerate(STEPS[lesson], start=1):
        words, minutes = word(f"step_{lesson}_{place}"), tuple(parts.values())
        if not stem:
            steps.append(Step(minutes, words))
            continue
        entry = page_entry(stem)
        names = {field.name for field in entry.fields}
        values = {name: value for name, value in PROMISED.items() if name in names} | dict(values)
        # every value is spelled out: a link that is silent would leave a page as the session has it
        query = tuple((field.name, field.encode(values[field.name])) for field in entry.fields if field.name in values)
        beside = {name: CASE[name].encode(value) for name, value in values.items() if name not in names}
        query = (("case", "own"), *query, *beside.items()) if beside else query
        address = f"{stem}?{urlencode(query)}" if beside else link(stem, entry.fields, values)
        steps.append(Step(minutes, words, stem, entry.title, query, address))
    return tuple(steps)


@lru_cache(maxsize=2)
def _facts(voice: str) -> tuple[dict[str, Any], dict[str, tuple[Truth, ...]]]:
    """Every number of the questions, from dpcore or from the views the links open, and those that can be guessed."""
    style = Style(voice=voice)
    first, same, belief = answered(ChooseInputs(), style), answered(ChooseInputs(line="constant"), style), style.belief
    assert first.budget is not None
    assert same.budget is not None
    assert first.implied.binding is not None
    spent = accuracy_view(AccuracyInputs(epsilon=first.budget.recommended_each), style)
    assert spent.error is not None
    coin = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)
    one, two, same_error = (float(posterior_upper(prior=0.05, epsilon=epsilon)) for epsilon in RISES.values())
    rounded = RandomRounding(base=3).presence(0)
    proved, somewhere = rounded.probability_certain(), certain_somewhere([(rounded, 10)])
    right = Geometric(epsilon=1.0).probability_exact
    persons = deployment("2020 Census redistricting data, persons")
    census = right_guess(persons, secret="value")
    counted = float(CountAttack(Geometric(epsilon=first.budget.recommended_each), prior=0.5).posterior(2))
    broken = first_broken(BasicRule(epsilon=0.05), promise)
    assert broken is not None
    words = {
        "20_1": Upper(one, belief),
        "20_4": Upper(two, belief),
        "methods_3": Upper(same_error, belief),
        "proved": Exact(proved, belief),
        "somewhere": belief(somewhere),
        "coin": belief(coin.belief_after_yes(0.5)),
        "coin_rare": Upper(coin.belief_after_yes(0.05), belief).digits,
        "coin_epsilon": Upper(coin.epsilon, number(3)).digits,
        "truthful": belief(1 - coin.forced_no),
        "other": belief(coin.forced_yes),
        "right_one": belief(right),
        "decides": first.context["prior"],
        "line": first.context["epsilon"],
        "constant": same.context["epsilon"],
        "half_width": Upper(spent.error.half_width, number(3)),
        "exact": belief(spent.error.probability_exact),
        "counted": belief(counted),
        "survey_promise": promise_words(ANSWER, voice)["promise"],
        "block": belief(_block_belief()),
        "census": Upper(census, belief),
        "census_gaussian": belief(gaussian_right_guess(persons, secret="value") or 0.0),
        "broken": f"{broken}",
    }
    guessed: dict[str, tuple[Truth, ...]] = {
        "20": (
            *(of_hundred(one, bound=True), of_hundred(coin.belief_after_yes(0.5)), of_hundred(right)),
            of_hundred(two, bound=True),
        ),
        "methods": (of_hundred(proved), of_hundred(somewhere), of_hundred(same_error, bound=True)),
        "45": (
            replace(of_hundred(first.implied.binding.prior, within=1), options=(1.0, 8.0, 50.0)),
            of_budget(same.budget.recommended_each),
            Truth(spent.error.half_width, "people", within=1),
            of_hundred(counted),
        ),
        "90": (of_hundred(_block_belief()), of_hundred(census, bound=True), Truth(broken, "release", within=5)),
    }
    return words, guessed


def questions_of(lesson: str, voice: str) -> tuple[Question, ...]:
    """What is predicted in a lesson, with the computed answers."""
    context, guessed = _facts(voice)
    found = []
    for place, truth in enumerate(guessed[lesson], start=1):
        asked = f"{lesson}_{place}"
        revealed = "reveal_rise" if asked in RISES else f"reveal_{asked}"
        reveal = say("lessons", voice, revealed, **context, rise=context.get(asked))
        found.append(Question(asked_of(asked, voice), reveal, word(f"guesses_{truth.unit}"), truth))
    return tuple(found)


def asked_of(asked: str, voice: str) -> str:
    """A question of a lesson, by its code."""
    return say("lessons", voice, "ask_rise" if asked in RISES else f"ask_{asked}", epsilon=RISES.get(asked))


def _block_belief() -> float:
    """Belief after a noisy count of 2 where nobody or one person of the kind lives, at half of what a block spent."""
    return float(CountAttack(DiscreteGaussian(rho=float(level_rho("block")) / 2), prior=0.5).posterior(2))


def _in_python(inputs: LessonsInputs, style: Style) -> CodeLines:
    """The lines of the lesson's first answer: a belief after, the line's budget, or the belief after a noisy count."""
    if inputs.lesson == "45":
        return answered(ChooseInputs(), style).python
    code = CodeWriter()
    if inputs.lesson == "methods":
        worlds = Source(f"{code(RandomRounding, base=3)}.presence(0)")
        return code.ending(Source(f"{worlds}.probability_certain()"), _facts(style.voice)[0]["proved"])
    if inputs.lesson == "90":
        noise = code(DiscreteGaussian, rho=Source(f"float({code(level_rho, 'block')}) / 2"))
        attack = code(CountAttack, noise, prior=0.5)
        return code.ending(Source(f"{attack}.posterior(2)"), Exact(_block_belief(), style.belief))
    return code.ending(code(posterior_upper, prior=0.05, epsilon=1.0), _facts(style.voice)[0]["20_1"])


def lessons_view(inputs: LessonsInputs, style: Style, root: str = "/") -> LessonsView:
    """The lesson of these choices; the links of its sheets start at the address where this reader found Riskline."""
    voice, code = style.voice, inputs.lesson
    told = partial(say, "lessons", voice)
    title = word(f"title_{code}")
    steps = steps_of(code)
    questions = questions_of(code, voice)
    survey, survey_answer = told("survey"), told("survey_answer", **_facts(voice)[0])
    label = label_of(inputs.case, style)
    lines = "." * 40
    predicted = tuple(Paragraph(word("prediction", ask=item.ask, line=lines)) for item in questions)
    revealed = tuple(Paragraph(word("answered", ask=item.ask, reveal=item.reveal)) for item in questions)

    walk = (
        word("sheet_step", minutes=step.said_minutes, words=step.words)
        + (f" {under(root or '/', step.address)}" if step.stem else "")
        for step in steps
    )
    listed = Section(word("sheet.steps"), (Listing(tuple(walk)),))

    def sheet(subtitle: str, asked: Section, *survey: str) -> Document:
        heading = word("heading", title=capitalised(title), lesson=word(f"lesson.{code}"))
        sections = (listed, asked, Section(word("survey_head"), tuple(map(Paragraph, survey))))
        return Document(heading, word(subtitle), sections, say("memo", style.voice, "foot", version=dpcore.__version__))

    return LessonsView(
        answer=told("answer", minutes=MINUTES[code], title=title, steps=f"{len(steps)}"),
        small_print=told("small_print"),
        steps=steps,
        questions=questions,
        survey=survey,
        survey_answer=survey_answer,
        handout=sheet("handout_subtitle", Section(word("sheet.predict"), predicted), survey),
        instructor=sheet("notes_subtitle", Section(word("sheet.answers"), revealed), survey, survey_answer),
        label=label.document,
        stated=label.stated,
        python=_in_python(inputs, style),
    )


@dataclass(frozen=True)
class Label:
    """The label for participants and the upper bounds on beliefs that it prints."""

    document: Document
    stated: tuple[StatedBelief, ...] = ()


def label_of(case: Case, style: Style) -> Label:
    """The label for participants, at the budget of the case; without one it says why."""
    passage = partial(say, "lessons", style.voice)
    title, intro, foot = word("label_title"), word("label_intro"), passage("label_foot")
    plain, choices = Style(voice="plain"), case.of(ChooseInputs)
    seen = choose_view(choices, plain)
    found = None if seen.refusal else spent(case)
    if found is None or not found.promises_something:
        why = Section(word("no_budget"), (Paragraph(seen.refusal or seen.answer),))
        return Label(Document(title, "", (why,), f"{foot} {word('label_others')}"))
    words = choices.words("plain")
    if found.noise is not None:
        foot = passage("label_foot_noise", noise=label("case", f"whole_noise.{found.noise}"))
    fails = word("fails", failing=Failure(found.failure, frequency)) if found.failure else word("no_exceptions")
    line = None if case.line is None else at_budget(answered(choices, plain), found)
    stated = [_stated(found, line, prior) for prior in (0.01, 0.05, 0.5) if line is None or prior < choices.held]
    come = {told.before: word("can_come", said=told.said) for told in stated}
    if found.failure:
        come = {before: word("but_for", belief=belief, fails=fails) for before, belief in come.items()}
    rows = (
        (word("fact.published"), "." * 40),
        (word("fact.whose"), words["whose"]),
        (word("fact.secret"), words["secret"]),
        *_budgets(found, found.group if choices.release == "count" else case.promise.steps, words["whose"]),
        (word("fact.fails"), fails),
        *((word("if_before", before=before), belief) for before, belief in come.items()),
        *(
            (name, word("with_note", value=value, note=note))
            for name, value, note in seen.numbers
            if "±" in value and found.is_implied
        ),
        (word("fact.hidden"), word("not_hidden")),
        (word("fact.questions"), "." * 40),
    )
    at_a_glance = Section(word("at_a_glance"), (Facts(rows), Paragraph(words["promise"])))
    return Label(Document(title, intro, (at_a_glance,), f"{foot} {word('label_others')}"), tuple(stated))


def _stated(found: Spent, line: AnsweredLine | None, prior: float) -> StatedBelief:
    """How far a belief before can come, with what is needed to check it."""
    promise, before = replace(found.case.promise, failure_probability=found.failure), frequency(prior)
    source: Any = found.guarantee(releases=found.releases)
    if line is None:
        said = claimed(found.highest(prior), Scope.ANY_MECHANISM, frequency)
        return StatedBelief(prior, said, promise, source, before=before)
    choices = line.inputs
    place = (1.0, prior) if choices.secret == "both" else (prior / choices.held,)
    after = Upper(float(np.asarray(line.reach(*place))), frequency)
    present = {"both": 1.0, "presence": prior / choices.held, "value": choices.held}[choices.secret]
    absent = 1.0 - present if choices.asked == "both" else 0.0
    if found.is_implied and line.budget is not None:
        source = released(line.budget)
    return StatedBelief(prior, after, promise, source, choices.terms.scope, absent, before=before)


def _budgets(found: Spent, changes: int, whose: str) -> list[tuple[str, str]]:
    """The budget for one changed record and for everything the secret changes, a release and all of them together."""
    spans = [(word("budget"), 1)]
    if found.releases > 1:
        spans = [(word("budget_each"), 1), (word("budget_all", releases=f"{found.releases:,}"), found.releases)]
    units = [(1, word("record_changed"))]
    if changes > 1:
        units.append((changes, word("records_changed", whose=whose, records=f"{changes:,}")))
    rows = []
    for (records, name), (span, releases) in product(units, spans):
        amount = spent_words(found.guarantee(records=records, releases=releases), digits=3)
        rows.append((span, word("amount_for", amount=amount, name=name)))
    return [(rows[0][0], word("less_privacy", amount=rows[0][1])), *rows[1:]]
