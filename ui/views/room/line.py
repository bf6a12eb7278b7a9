"""The activity in which everybody of a room draws their line of acceptable risk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpcore.guarantees import PureDP, Relation
from dpcore.profiles import LogOddsMedian, Status, budget
from riskline.answers import LineBudget
from riskline.case.choices import of_case
from riskline.case.declaration import custom
from riskline.case.interview import line_of
from riskline.case.line import DEFAULT_POINTS
from riskline.case.points import Line, decode_points, encode_points
from ui.link.page_table import PageLink, declared
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.rooms.meeting import FEWEST
from ui.views.choose.answer import answered
from ui.views.choose.pictures import line_with_reach
from ui.views.choose.view import Questions, questions
from ui.views.room import lines
from ui.views.room.activity import Activity, Answers, Asked, ParticipantAnswer, Values, Wall
from ui.views.room.lines import PAGE, LineQuestion, LinesDrawn, passage
from ui.views.shared.belief_before import Rise, rise
from ui.views.shared.drawing import Editor
from ui.views.shared.promise import StatedBelief
from ui.views.shared.room_minutes import GroupLines, LinesMinutes, RoomMinutes, write_minutes
from ui.words.catalogue import label, option_words, say
from ui.words.phrasing import exact_budget, frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Upper, as_recommended, to_spend

BEGINNING = "ot"
"""An interview in which it is told already what is released: anything, as whoever leads the room asks about it."""
USUAL_PRIOR = 0.1
"""The belief before that a vote is about where none decides the middle line."""
MOST_IN_PYTHON = 12
"""Lines that are written out in Python; of more nobody reads them."""


def chosen_by(answers: str) -> dict[str, Any]:
    """The choices of a participant that answers of the interview set: once nothing is left to ask, the points too.

    >>> chosen_by("ot1")
    {'line_interview': 'ot1'}
    """
    found = line_of(answers)
    return {f"line_{name}": found[name] for name in ("interview", "points") if name in found}


def line_asked(settings: Values, points: Line, interview: str, style: Style) -> tuple[Editor, Questions]:
    """The line to draw of a participant who has drawn these points and given these answers; the next question."""
    answer = answered(LineQuestion.of(settings).choices(points, interview), style)
    editor, asked = line_with_reach(answer), questions(answer)
    assert editor is not None  # a line of a room runs over one belief
    back = asked.back if interview != BEGINNING else None
    return editor, replace(asked, back=back, again=BEGINNING if asked.again == "" else None)


class DrawALine(Activity):
    """Everybody draws a line; the wall shows all of them, the middle one, and which of them a budget keeps."""

    kind = "line"
    by_group = True
    settings = lines.SETTINGS
    answers = declared(
        PAGE,
        line_points=custom(DEFAULT_POINTS, read=decode_points, write=encode_points),
        line_interview=of_case("interview", of_case=False),
    )
    after = ("line_epsilon",)

    def options(self, setting: str) -> Mapping[str, str]:
        """Units are those of the case."""
        return super().options(setting) or option_words("case", setting.removeprefix("line_"))

    def asked(self, settings: Values, style: Style) -> Asked:
        """What to draw."""
        words = LineQuestion.of(settings).words(style.voice)
        return Asked(passage(style, "asked", **words), passage(style, "asked_help", **words))

    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """The line, once its budget is known to be computable."""
        question = LineQuestion.of(settings)
        lines.allowed(lines.profile_of(values["line_points"], question), question)
        return values

    def own_words(self, settings: Values, values: Values, style: Style) -> str:
        """What one's own line allows, and what is promised."""
        answer = answered(LineQuestion.of(settings).choices(values["line_points"]), style)
        said = (say("choose", style.voice, "allows", budget=answer.spend), answer.sentence, answer.context["about"])
        return " ".join(said if answer.budget is not None else said[1:])

    def with_own(self, picture: Picture, settings: Values, own: ParticipantAnswer, style: Style) -> Picture:
        """One's own line among the others."""
        return lines.with_own_line(picture, own.values["line_points"])

    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """All lines with the middle one, the budgets they allow, and how many are kept at the budget in question."""
        drawn = LinesDrawn.of(LineQuestion.of(settings), answers)
        asked = in_question(drawn, settings["line_epsilon"])
        steps = say(PAGE, "technical", "one_step") if drawn.question.relation == "replace" else ""
        table = lines.groups_table(drawn, asked, style)
        shown = lines.budgets(drawn, asked, style)
        untold = drawn.count >= FEWEST and bool({answer.who.group for answer in answers} - {"", *drawn.told})
        return Wall(
            answer=answer_of(drawn, style),
            small_print=passage(style, "small_print", steps=steps, **drawn.question.words(style.voice)),
            picture=lines.all_lines(drawn, style),
            more=() if shown is None else (shown,),
            tables=() if table is None else (table,),
            sentences=(*kept_words(drawn, asked, style), *((say("room", style.voice, "untold"),) if untold else ())),
            ways=(
                lines.way_to_case(drawn, style),
                *lines.ways_to_positions(drawn, style),
                way_to_memo(drawn, asked),
            ),
            vote=put_to_vote(drawn),
            python=in_python(drawn),
            stated=stated(drawn, style),
        )


def way_to_memo(drawn: LinesDrawn, asked: float | None) -> PageLink:
    """The memo with the minutes: how many drew about what, what the middle line allows, how many lines are kept."""
    question = drawn.question
    minutes = LinesMinutes(
        about=question.about,
        unit=question.unit,
        group=question.promise.group,
        lines=drawn.count,
        middle=_told(drawn.middle.epsilon),
        asked=asked,
        kept=0 if asked is None else drawn.kept.count(asked),
        every=_told(drawn.strictest.epsilon),
        groups=tuple(
            GroupLines(group, len(drawn.of_group(group)), _told(middle.epsilon))
            for group, middle in zip(drawn.told, drawn.middles, strict=True)
        ),
    )
    return PageLink("memo", label("room", "way_memo"), (("room", write_minutes(RoomMinutes(minutes))),))


def _told(epsilon: float) -> float | None:
    return None if math.isinf(epsilon) else epsilon


def put_to_vote(drawn: LinesDrawn) -> tuple[str, tuple[str, ...]] | None:
    """A question about the belief that decides the middle line, and budgets of lines by what each lets it become.

    None where they are not two. An ε is rounded down as on the wall, and what it lets a belief become upwards.
    """
    prior = math.floor(100 * min(max(drawn.middle.prior or USUAL_PRIOR, 0.01), 0.5) + 1e-9) / 100  # as on the wall
    limited = sorted((line for line in drawn.lines if line.budget is not None), key=lambda line: line.epsilon)
    last, quarter = len(limited) - 1, len(limited) // 4
    places = sorted({0, quarter, len(limited) // 2, last - quarter, last}) if limited else []
    told: dict[str, tuple[Upper, float]] = {}  # of two that read alike the smaller budget
    for line in (limited[place] for place in places):
        after = Upper(line.reached(prior), frequency)
        told.setdefault(after.digits, (after, line.epsilon))
    options = tuple(
        say("room_vote", "plain", "option_of_line", after=after, budget=exact_budget(epsilon))
        for after, epsilon in told.values()
    )
    that = drawn.question.words("plain")["that"]
    question = say("room_vote", "plain", "question_of_lines", prior=frequency(prior), that=that)
    return (question, options) if len(options) > 1 else None


def in_question(drawn: LinesDrawn, typed: float) -> float | None:
    """The budget that is asked about: the typed one, else what the middle line allows; None where that has no limit."""
    if typed:
        return typed
    return None if drawn.middle.budget is None else drawn.middle.epsilon


def answer_of(drawn: LinesDrawn, style: Style) -> str:
    """What the middle line allows."""
    middle, told = drawn.middle, None
    if middle.budget is None:
        name = "answer_nothing"
    elif middle.implied.status is Status.ZERO_BUDGET:
        name = "answer_zero"
    elif not middle.prior:
        name = "answer_rare"
    else:
        name, told = "answer", decided(middle, style)
    return passage(
        style,
        name,
        middle=passage(style, "middle_of_one" if drawn.count == 1 else "middle_of_many", lines=f"{drawn.count:,}"),
        budget=lines.budget_words(middle),
        prior="" if told is None else told.words,
        posterior="" if told is None else told.after,
        **drawn.question.words(style.voice),
    )


def decided(middle: LineBudget, style: Style) -> Rise:
    """The belief before that decides the middle line, and the highest one after it."""
    return rise(middle.prior or 0.0, lambda prior: Upper(middle.reached(prior), style.belief), style)


def kept_words(drawn: LinesDrawn, asked: float | None, style: Style) -> tuple[str, ...]:
    """How many lines are kept at the budget in question, and up to which budget all of them are."""
    said, room = [], drawn.kept
    if asked is not None:
        kept = room.count(asked)
        said.append(passage(style, "kept", asked=exact_budget(asked), kept=f"{kept:,}", lines=f"{drawn.count:,}"))
        if asked == drawn.middle.epsilon and 2 * kept < drawn.count:
            said.append(passage(style, "kept_few"))
    every = room.epsilon_that_keeps(drawn.count)
    if not math.isinf(every):
        said.append(passage(style, "kept_all" if every > 0 else "kept_all_none", all=Allowed(every, to_spend)))
    free = sum(line.budget is None for line in drawn.lines)
    if free:
        said.append(passage(style, "free", free=f"{free:,}"))
    return tuple(said)


def stated(drawn: LinesDrawn, style: Style) -> tuple[StatedBelief, ...]:
    """Where the middle line is decided: the belief before and the highest one after, as the answer says them."""
    middle = drawn.middle
    if middle.implied.status is not Status.BINDS or not middle.prior or middle.prior >= 1:
        return ()
    told = decided(middle, style)
    release = PureDP(epsilon=middle.epsilon, relation=Relation(drawn.question.relation))
    return (StatedBelief(told.prior, told.after, drawn.question.promise, release, before=told.words),)


def in_python(drawn: LinesDrawn) -> CodeLines | None:
    """The lines for the budget of the middle line; none where it has none, or where there are too many to read."""
    middle: LineBudget = drawn.middle
    if middle.budget is None or drawn.count > MOST_IN_PYTHON:
        return None
    code = CodeWriter()
    told = code.let("lines", [line.profile for line in drawn.lines])
    question = drawn.question
    chosen = code(budget, code(LogOddsMedian, told), group=question.promise.group, relation=question.relation)
    return code.ending(Source(f"{chosen}.recommended_total"), Allowed(middle.epsilon, as_recommended))
