"""Everything that *Choose a budget* shows of a line."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpcore.profiles import Budget, InfeasibleProfile, Status
from dpcore.profiles import budget as budget_of_line
from riskline.case.choices import NO_LINE
from riskline.case.interview import Interview
from riskline.case.line import LINES, template_points
from riskline.case.promise import CONTRADICTION
from ui.link.page_table import PageLink
from ui.pictures.description import Description
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose.answer import Answered, along, along_prior, answered, released
from ui.views.choose.choices import ChooseInputs
from ui.views.choose.pictures import accepted_line, line_pictures, line_with_reach
from ui.views.choose.questions import Questions, believed, permitted, questions, reached
from ui.views.choose.tables import numbers_on_top, other_rules, several_releases
from ui.views.shared.drawing import Editor
from ui.views.shared.page_view import PageView
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Upper, as_recommended, to_spend
from ui.words.refusals import refusal_sentence, refusal_words


@dataclass(frozen=True, kw_only=True)
class ChooseView(PageView):
    """Everything the page shows.

    `decided` is the belief of the answer's sentence; `stated` holds it and every other one that the page prints.
    """

    budget: Budget | None = None
    editor: Editor | None = None
    line: Description | None = None
    """What the editor draws, for files; none where the line binds nothing or is about both beliefs."""
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    comparisons: Table | None = None
    several: Table | None = None
    permitted: str = ""
    questions: Questions | None = None
    next: tuple[PageLink, ...] = ()
    """What this budget costs, and the same line over many tables."""
    decided: tuple[StatedBelief, ...] = ()


def choose_view(inputs: ChooseInputs, style: Style) -> ChooseView:
    """The page for these choices; without a line, an invitation to draw one."""
    refusal, drawn = "", inputs.line != NO_LINE
    try:
        if not drawn and inputs.secret == "presence" and inputs.relation == "replace":
            refusal = CONTRADICTION
        answer = answered(inputs if drawn else replace(inputs, line=LINES[0]), style)
        comparisons, several = (other_rules(answer), several_releases(answer)) if drawn else (None, None)
    except InfeasibleProfile as error:
        where = frequency(error.membership_prior * error.value_prior)
        refusal = say("choose", style.voice, "infeasible", prior=where, detail=refusal_words(error))
    except ValueError as error:
        refusal = refusal or refusal_sentence(error, "choose")
    if refusal:
        return ChooseView(refusal=refusal)
    asked = questions(answer)
    if not drawn:
        points = template_points(answer.inputs.line_choice)
        words = inputs.words(style.voice)
        return ChooseView(
            answer=say("choose", style.voice, "answer_no_line", **words),
            small_print=say("choose", style.voice, "small_print_no_line", about=words["promise"]),
            editor=None if inputs.secret == "both" else Editor(points, "linear", np.empty((0, 2)), None, example=True),
            questions=None if inputs.secret == "both" else asked,
        )
    certain, sentence, stated = permitted(answer), answer_words(answer), decided(answer)
    nothing = "_nothing" if answer.implied.status is Status.BINDS_NOTHING else ""
    others = [] if certain is None else [certain.prior]
    if asked.held is not None:
        others += [held.prior for held in Interview(inputs.interview).held if held.prior <= inputs.held]
    budget, pages = answer.budget, []
    if budget is not None and budget.recommended_each > 0:
        pages.append(PageLink("accuracy", label("frame", "accuracy")))
    if budget is not None and inputs.guarantee != "approximate" and inputs.asked != "both":
        pages.append(PageLink("publication", label("frame", "publication")))
    one_belief = inputs.secret != "both" and answer.implied.status is Status.BINDS
    return ChooseView(
        answer=sentence,
        small_print=say("choose", style.voice, f"small_print{nothing}", **answer.context),
        budget=budget,
        editor=line_with_reach(answer),
        line=accepted_line(answer, sentence) if one_belief else None,
        numbers=numbers_on_top(answer),
        pictures=line_pictures(answer),
        comparisons=comparisons,
        several=several,
        permitted="" if certain is None else certain.sentence,
        questions=asked,
        next=tuple(pages),
        computed=say("choose", "technical", f"computed{nothing}", **answer.context),
        python=in_python(answer),
        decided=stated,
        stated=(*stated, *(_stated_prior(answer, prior) for prior in others)),
    )


def _stated_at(answer: Answered, prior: float, belief: tuple[float, ...], said: Upper, before: str) -> StatedBelief:
    """The highest belief after, from a prior of the disclosure that these beliefs make."""
    budget, inputs = answer.budget, answer.inputs
    assert budget is not None
    present = inputs.held if inputs.secret == "value" else belief[0]
    return StatedBelief(
        prior=prior,
        said=said,
        promise=replace(inputs.promise, failure_probability=budget.failure_probability),
        source=released(budget),
        scope=inputs.terms.scope,
        absent=1.0 - present if inputs.asked == "both" else 0.0,
        before=before,
    )


def decided(answer: Answered) -> tuple[StatedBelief, ...]:
    """Where the budget is decided: the belief before and the highest one after, as the answer says them."""
    place = answer.implied.binding
    if answer.budget is None or place is None or answer.implied.status is not Status.BINDS or not 0 < place.prior < 1:
        return ()
    decided = along(answer.inputs, place)
    said = answer.decided_after(answer.style.belief)
    return (_stated_at(answer, place.prior, decided, said, answer.context["prior"]),)


def _stated_prior(answer: Answered, prior: float) -> StatedBelief:
    """The highest belief after, from one that the line lets become certain or that was asked about."""
    before = believed(prior, answer.style.voice)
    return _stated_at(answer, prior, along_prior(answer.inputs, prior), reached(answer, prior), before)


def answer_words(answer: Answered) -> str:
    """How much the line lets somebody learn, in one sentence."""
    implied = answer.implied
    name = "answer"
    if implied.status is Status.BINDS_NOTHING:
        name = "answer_nothing"
    elif implied.status is Status.ZERO_BUDGET:
        name = "answer_zero"
    elif implied.binding is not None and implied.binding.prior == 0:
        name = "answer_approached"
    split = say("choose", answer.style.voice, "split_below") if answer.split else ""
    return say("choose", answer.style.voice, name, split_below=split, **answer.context)


def in_python(answer: Answered) -> CodeLines:
    """The lines for the budget of each release, or for the ε of a line that sets no limit."""
    code = CodeWriter()
    line = code.let("line", answer.profile)
    if answer.budget is None:
        implied = Source(f"{line}.implied_epsilon(value_exponent={answer.implied.value_exponent!r})")
        return code.ending(Source(f"{implied}.epsilon"), Allowed(math.inf, to_spend))
    chosen = code.let("chosen", code(budget_of_line, line, **answer.inputs.terms.asked))
    return code.ending(Source(f"{chosen}.recommended_each"), Allowed(answer.budget.recommended_each, as_recommended))
