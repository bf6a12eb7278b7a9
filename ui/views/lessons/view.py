"""Three lessons that walk through the other pages: links, questions with computed answers, sheets to print."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import numpy as np

import dpcore
from dpcore.attacks.one_count import CountAttack
from dpcore.composition import BasicRule, BeliefPromise, first_broken
from dpcore.deployments import deployment, gaussian_right_guess, right_guess
from dpcore.guarantees import ApproximateDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric, RandomizedResponse
from dpcore.populations import census_rho
from dpcore.promise import Promise, Secret
from dpcore.semantics import posterior_upper
from riskline.answers import Spent, spent
from riskline.case.choices import FIELDS as CASE
from riskline.case.fields import Field, link, under
from riskline.case.value import EXAMPLE, Case
from ui.documents.document import Document, Facts, Listing, Paragraph, Section
from ui.link.page_table import PAGES, PageEntry
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.choose import ChooseInputs, choose_view
from ui.views.choose.answer import AtBudget, answered, at_budget, released
from ui.views.choose.view import in_python
from ui.views.lessons.class_guesses import Truth, of_budget, of_hundred
from ui.views.shared.promise import StatedBelief, promise_words
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, decimal_belief, frequency, how_often, plain_number, rounded
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Failure, Upper, number

LESSONS = {"20": "20 minutes", "45": "45 minutes", "90": "90 minutes"}
FIELDS: tuple[Field, ...] = (
    Field("lesson", "How long?", "choice", "20", options=tuple(LESSONS)),
    Field("people", "People in the survey", "count", 30, low=2, high=100_000),
    Field("share", "Share who would honestly say yes", "number", 0.3, low=0, high=1),
    Field("seed", "Seed of the survey", "count", 1, low=0, high=999_999),
)
ANSWER = Promise(secret=Secret.ANSWER, relation=Relation.REPLACE)
"""In the survey with a coin everybody sees who takes part; what they answered is the secret."""
Plan = tuple[tuple[int, str, Mapping[str, Any]], ...]
STEPS: dict[str, Plan] = {
    "20": (
        (6, "", {}),
        (4, "explain", {"epsilon": 1.0, "prior": 0.05}),
        (4, "explain", {"epsilon": 2.0, "prior": 0.05}),
        (6, "accuracy", {"epsilon": 1.0}),
    ),
    "45": (
        (8, "choose", {"line": "cap_or_ratio", "cap": 0.25, "ratio": 3.0}),
        (5, "choose", {"line": "constant", "ratio": 3.0}),
        (7, "accuracy", {"epsilon": 1.29}),
        (8, "block", {"noise": "geometric", "epsilon": 1.29, "seed": 3}),
        (10, "play", {"rho": 0.5, "seed": 3}),
        (7, "memo", {"title": "Our line", "line": "cap_or_ratio"}),
    ),
    "90": (
        (12, "block", {"seed": 3}),
        (13, "play", {"rho": 0.1, "seed": 3}),
        (8, "hierarchy", {"seed": 3}),
        (12, "rebuild", {"source": "block", "people": 20, "noise": "discrete_gaussian", "rho": 0.1, "seed": 3}),
        (12, "plan", {"cap": 0.8}),
        (10, "deployments", {"prior": 0.5, "secret": "value"}),
        (8, "choose", {"line": "increase", "increase": 0.2}),
        (15, "memo", {"title": "What we would defend", "line": "increase"}),
    ),
}
PROMISED = {"secret": "presence", "relation": "add_or_remove", "unit": "person"}
"""What the questions of a lesson are about, for every page that asks."""


@dataclass(frozen=True)
class LessonsInputs:
    """Which lesson, the survey's class, and the case that the label is of."""

    lesson: str = "20"
    people: int = 30
    share: float = 0.3
    seed: int = 1
    case: Case = EXAMPLE


@dataclass(frozen=True)
class Step:
    """One step: its minutes, what to do, and the page that opens in its state (none when it is not there)."""

    minutes: int
    words: str
    stem: str = ""
    title: str = ""
    query: tuple[tuple[str, str], ...] = ()
    address: str = ""


@dataclass(frozen=True)
class Question:
    """What to predict, the computed answer, and what a class types its guesses into and is compared with."""

    ask: str
    reveal: str
    guesses: str
    truth: Truth


@dataclass(frozen=True)
class LessonsView:
    """Everything the page shows, and the sheets to print."""

    answer: str
    small_print: str
    aims: tuple[str, ...]
    steps: tuple[Step, ...]
    questions: tuple[Question, ...]
    guesses_told: str
    notes: tuple[str, ...]
    survey: str
    survey_draw: str
    handout: Document
    instructor: Document
    label: Document
    stated: tuple[StatedBelief, ...] = ()
    python: CodeLines | None = None
    refusal: str | None = None

    def printed_at(self, root: str) -> tuple[Document, Document]:
        """Handout and instructor notes with links that start at the address where this reader found Riskline."""
        handout, instructor = (
            replace(sheet, sections=(sheet.sections[0], _walk(self.steps, root or "/"), *sheet.sections[2:]))
            for sheet in (self.handout, self.instructor)
        )
        return handout, instructor


def pages_there() -> dict[str, PageEntry]:
    """The pages of this Riskline, by stem."""
    return {entry.stem: entry for entry in PAGES}


def _steps(lesson: str, voice: str) -> tuple[Step, ...]:
    there = pages_there()
    steps = []
    for place, (minutes, stem, values) in enumerate(STEPS[lesson], start=1):
        words = say("lessons", voice, f"step_{lesson}_{place}")
        if stem in there:
            fields = there[stem].fields
            names = {field.name for field in fields}
            values = {name: value for name, value in PROMISED.items() if name in names} | dict(values)
            # every value is spelled out: a link that is silent would leave a page as the session has it
            query = tuple((field.name, field.encode(values[field.name])) for field in fields if field.name in values)
            beside = {name: CASE[name].encode(value) for name, value in values.items() if name not in names}
            query = (("case", "own"), *query, *beside.items()) if beside else query
            address = f"{stem}?{urlencode(query)}" if beside else link(stem, fields, values)
            steps.append(Step(minutes, words, stem, there[stem].title, query, address))
        else:
            steps.append(Step(minutes, words))
    return tuple(steps)


@lru_cache(maxsize=2)
def _facts(voice: str) -> tuple[dict[str, Any], dict[str, tuple[Truth, ...]]]:
    """Every number of the questions, from dpcore or from the views the links open, and those that can be guessed."""
    belief = decimal_belief if voice == "technical" else frequency
    often = decimal_belief if voice == "technical" else how_often
    first = answered(ChooseInputs(), Style(voice=voice))
    same = answered(ChooseInputs(line="constant"), Style(voice=voice))
    assert first.budget is not None
    assert same.budget is not None
    assert first.implied.binding is not None
    spent = accuracy_view(AccuracyInputs(epsilon=first.budget.recommended_each), Style(voice=voice))
    assert spent.error is not None
    coin = RandomizedResponse(epsilon=math.log(3))
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)
    one = float(posterior_upper(prior=0.05, epsilon=1.0))
    right = Geometric(epsilon=1.0).probability_exact
    persons = deployment("2020 Census redistricting data, persons")
    census = right_guess(persons, secret="value")
    broken = first_broken(BasicRule(epsilon=0.05), promise)
    assert broken is not None
    words = {
        "rise_one": Upper(one, belief),
        "rise_two": Upper(float(posterior_upper(prior=0.05, epsilon=2.0)), belief),
        "coin": belief(_after_yes(coin, 0.5)),
        "coin_rare": Upper(_after_yes(coin, 0.05), belief).digits,
        "coin_epsilon": Upper(coin.epsilon, number(3)).digits,
        "truthful": belief(coin.probability_truthful),
        "other": belief(coin.probability_other),
        "right_one": often(right),
        "decides": first.context["prior"],
        "line": first.context["epsilon"],
        "constant": same.context["epsilon"],
        "half_width": Upper(spent.error.half_width, number(3)),
        "exact": often(spent.error.probability_exact),
        "survey_promise": promise_words(ANSWER, voice)["promise"],
        "block": belief(_block_belief()),
        "census": Upper(census, often),
        "census_gaussian": often(gaussian_right_guess(persons, secret="value") or 0.0),
        "broken": f"{broken}",
    }
    guessed: dict[str, tuple[Truth, ...]] = {
        "20": (of_hundred(one, bound=True), of_hundred(_after_yes(coin, 0.5)), of_hundred(right)),
        "45": (
            of_hundred(first.implied.binding.prior, within=1),
            of_budget(same.budget.recommended_each),
            Truth(spent.error.half_width, "people", within=1),
        ),
        "90": (of_hundred(_block_belief()), of_hundred(census, bound=True), Truth(broken, "release", within=5)),
    }
    return words, guessed


def questions_of(lesson: str, voice: str) -> tuple[Question, ...]:
    """What is predicted in a lesson, with the computed answers."""
    context, guessed = _facts(voice)
    return tuple(
        Question(
            say("lessons", voice, f"ask_{lesson}_{number}"),
            say("lessons", voice, f"reveal_{lesson}_{number}", **context),
            say("lessons", voice, f"guesses_{truth.unit}"),
            truth,
        )
        for number, truth in enumerate(guessed[lesson], start=1)
    )


def _block_belief() -> float:
    """Belief after a noisy count of 2 where nobody or one person of the kind lives, at the budget of a block."""
    return float(CountAttack(DiscreteGaussian(rho=census_rho("block")), prior=0.5).posterior(2))


def _after_yes(coin: RandomizedResponse, prior: float) -> float:
    """Belief that the truth is yes after a yes, exactly: Bayes' rule."""
    yes = prior * coin.probability_truthful
    return yes / (yes + (1 - prior) * coin.probability_other)


def _surveyed(inputs: LessonsInputs) -> tuple[int, float]:
    """How many say yes in the seeded survey, and the share of true yeses estimated from it."""
    coin = RandomizedResponse(epsilon=math.log(3))
    truth = np.arange(inputs.people) < round(inputs.share * inputs.people)
    said = int(np.sum(coin.simulate_answers(truth.astype(int), seed=inputs.seed)))
    gain = coin.probability_truthful - coin.probability_other
    return said, (said / inputs.people - coin.probability_other) / gain


def _draw(inputs: LessonsInputs, voice: str) -> str:
    """One seeded survey of the class."""
    coin = RandomizedResponse(epsilon=math.log(3))
    truly = round(inputs.share * inputs.people)
    said, estimate = _surveyed(inputs)
    gain = coin.probability_truthful - coin.probability_other
    # the class itself is asked, so only the coins are random: each answer has the variance of its coin
    error = math.sqrt(coin.probability_truthful * coin.probability_other / inputs.people) / gain
    return say(
        "lessons",
        voice,
        "survey_draw",
        seed=f"{inputs.seed}",
        people=f"{inputs.people:,}",
        truly=f"{truly:,}",
        said=f"{said:,}",
        estimate=_in_hundred(estimate, NEAREST),
        truth=f"{100 * truly / inputs.people:.0f}",
        error=plain_number(100 * error, 2),
    )


def _in_python(inputs: LessonsInputs, style: Style) -> CodeLines:
    """The lines of the lesson's first step: the survey, the line's budget, or the belief after a noisy count."""
    if inputs.lesson == "45":
        return in_python(answered(ChooseInputs(), style))
    code = CodeWriter()
    if inputs.lesson == "90":
        attack = code(CountAttack, code(DiscreteGaussian, rho=code(census_rho, "block")), prior=0.5)
        return code.ending(
            Source(f"{attack}.posterior(2)"), Exact(_block_belief(), decimal_belief if style.technical else frequency)
        )
    coin = code.let("coin", code(RandomizedResponse, epsilon=code(math.log, 3)))
    truth = code.let("truth", Source(f"{code(np.arange, inputs.people)} < {round(inputs.share * inputs.people)}"))
    said = code.let("said", Source(f"{coin}.simulate_answers({truth}.astype(int), seed={inputs.seed})"))
    gain = Source(f"({coin}.probability_truthful - {coin}.probability_other)")
    share = Source(f"({said}.sum() / {inputs.people} - {coin}.probability_other) / {gain}")
    return code.ending(share, Exact(_surveyed(inputs)[1], _in_hundred))


def _in_hundred(share: float, direction: str) -> str:
    return f"{rounded(100 * share, 0, direction):.0f}"


def _walk(steps: tuple[Step, ...], root: str = "/") -> Section:
    lines = (
        f"{step.minutes} min. {step.words}" + (f" {under(root, step.address)}" if step.stem else "") for step in steps
    )
    return Section("Steps", (Listing(tuple(lines)),))


def lessons_view(inputs: LessonsInputs, style: Style) -> LessonsView:
    """The lesson of these choices."""
    voice, code = style.voice, inputs.lesson
    context = _facts(voice)[0]
    title = say("lessons", voice, f"title_{code}")
    steps = _steps(code, voice)
    questions = questions_of(code, voice)
    aims, notes = (_points(say("lessons", voice, f"{name}_{code}")) for name in ("aims", "notes"))
    survey = say("lessons", voice, "survey", **context)
    heading = f"{title[0].upper()}{title[1:]} ({LESSONS[code]})"
    foot = f"Riskline {dpcore.__version__}. Bounds are rounded up, budgets down."
    lines = "\n".join("." * 60 for _ in range(2))
    handout = Document(
        heading,
        "Handout. Write your prediction first.",
        (
            Section("What we want to be able to do", (Listing(aims),)),
            _walk(steps),
            Section("Predict", tuple(Paragraph(f"{item.ask} My prediction: {lines[:40]}") for item in questions)),
            Section("A survey with a coin", (Paragraph(survey),)),
        ),
        foot,
    )
    instructor = Document(
        heading,
        "Instructor notes, with answers",
        (
            Section("Notes", (Listing(notes),)),
            _walk(steps),
            Section("Answers", tuple(Paragraph(f"{item.ask} {item.reveal}") for item in questions)),
        ),
        foot,
    )
    label = label_of(inputs.case, style)
    return LessonsView(
        answer=say(
            "lessons", voice, "answer", minutes=code, title=title, steps=f"{len(steps)}", questions=f"{len(questions)}"
        ),
        small_print=say("lessons", voice, "small_print"),
        aims=aims,
        steps=steps,
        questions=questions,
        guesses_told=say("lessons", voice, "guesses_told"),
        notes=notes,
        survey=survey,
        survey_draw=_draw(inputs, voice),
        handout=handout,
        instructor=instructor,
        label=label.document,
        stated=label.stated,
        python=_in_python(inputs, style),
    )


def _points(passage: str) -> tuple[str, ...]:
    return tuple(line.removeprefix("- ").strip() for line in passage.splitlines() if line.startswith("- "))


@dataclass(frozen=True)
class Label:
    """The label for participants and the upper bounds on beliefs that it prints."""

    document: Document
    stated: tuple[StatedBelief, ...] = ()


def label_of(case: Case, style: Style) -> Label:
    """The label for participants, at the budget of the case; without one it says why."""
    foot = say("lessons", style.voice, "label_foot")
    title, intro = (say("lessons", style.voice, name) for name in ("label_title", "label_intro"))
    plain, choices = Style(voice="plain"), case.of(ChooseInputs)
    seen = choose_view(choices, plain)
    found = None if seen.refusal else spent(case)
    if found is None or not found.promises_something:
        return Label(Document(title, "", (Section("No budget", (Paragraph(seen.refusal or seen.answer),)),), foot))
    words = choices.words("plain")
    if found.noise is not None:
        foot = say("lessons", style.voice, "label_foot_noise", noise=label("case", f"whole_noise.{found.noise}"))
    counted = "count" if choices.release == "count" else "any"
    failing = Failure(found.failure, frequency)
    rows = [
        ("What is published", "." * 40),
        ("Who is protected", words["whose"]),
        ("What stays uncertain", words["secret"]),
        *_budgets(found, found.group if counted == "count" else case.promise.steps, words["whose"]),
        ("How often this may fail", f"with a probability of {failing:at most …}" if found.failure else "no exceptions"),
    ]
    line = None if case.line is None else at_budget(answered(choices, plain), found)
    stated = [_stated(found, line, prior) for prior in (0.01, 0.05, 0.5) if line is None or prior < choices.held]
    exception = f", except with a probability of {failing:at most …}" if found.failure else ""
    for told in stated:
        name = f"If someone thinks it {told.before} likely"
        rows.append((name, f"they can come to think it {told.said:at most **…**}{exception}"))
    rows += [(name, f"{value} ({note})") for name, value, note in seen.numbers if "±" in value and found.is_implied]
    rows += [("Not hidden", "what is true of groups; what is published elsewhere"), ("Questions to", "." * 40)]
    about = Paragraph(words["promise"])
    at_a_glance = Section("At a glance", (Facts(tuple(rows)), about))
    return Label(Document(title, intro, (at_a_glance,), foot), tuple(stated))


def _stated(found: Spent, line: AtBudget | None, prior: float) -> StatedBelief:
    """How far a belief before can come, with what is needed to check it."""
    promise, before = replace(found.case.promise, failure_probability=found.failure), frequency(prior)
    source: Any = found.guarantee(releases=found.releases)
    if line is None:
        return StatedBelief(prior, Upper(float(found.highest(prior)), frequency), promise, source, before=before)
    choices = line.inputs
    place = (1.0, prior) if choices.secret == "both" else (prior / choices.held,)
    after = Upper(float(np.asarray(line.reach(*place))), frequency)
    present = {"both": 1.0, "presence": prior / choices.held, "value": choices.held}[choices.secret]
    absent = 1.0 - present if choices.asked == "both" else 0.0
    if found.is_implied and line.budget is not None:
        source = released(line.budget)
    counted = "count" if choices.release == "count" else "any"
    return StatedBelief(prior, after, promise, source, counted, absent, before=before)


def _budgets(found: Spent, changes: int, whose: str) -> list[tuple[str, str]]:
    """The budget for one changed record and for everything the secret changes, a release and all of them together."""
    spans = [("Privacy budget", 1)]
    if found.releases > 1:
        together = (f"Privacy budget of all {found.releases:,} releases", found.releases)
        spans = [("Privacy budget of each release", 1), together]
    units = [(1, "one record changed")]
    if changes > 1:
        units.append((changes, f"{whose} ({changes:,} records changed)"))
    rows = [
        (span, f"{_amount(found.guarantee(records=records, releases=releases))}, for {name}")
        for records, name in units
        for span, releases in spans
    ]
    return [(rows[0][0], f"{rows[0][1]} (larger means less privacy)"), *rows[1:]]


def _amount(guarantee: Any) -> str:
    """A guarantee in letters, rounded up: it is what participants are exposed to."""
    if isinstance(guarantee, ZeroConcentratedDP):
        return f"ρ = {Upper(guarantee.rho, number(3)).digits}"
    text = f"ε = {Upper(guarantee.epsilon, number(3)).digits}"
    return f"{text}, δ = {Upper(guarantee.delta, number(2)).digits}" if isinstance(guarantee, ApproximateDP) else text
