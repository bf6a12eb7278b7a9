"""Everything that *Choose a budget* shows of a line."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpcore.profiles import Budget, InfeasibleProfile, Status
from riskline.case.choices import NO_LINE
from riskline.case.interview import Interview
from riskline.case.line import LINES, template_points
from riskline.case.promise import CONTRADICTION
from ui.link.page_table import PageLink
from ui.pictures.description import Description
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose.answer import answered
from ui.views.choose.choices import ChooseInputs
from ui.views.choose.pictures import accepted_line, line_pictures, line_with_reach
from ui.views.choose.questions import Questions, believed, permitted, questions
from ui.views.choose.tables import numbers_on_top, other_rules, several_releases
from ui.views.shared.drawing import Editor
from ui.views.shared.page_view import PageView
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency
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
        so_far, words = Interview(inputs.interview).points, inputs.words(style.voice)
        points = so_far if len(so_far) > 1 else template_points(answer.inputs.line_choice)
        return ChooseView(
            answer=say("choose", style.voice, "answer_no_line", **words),
            small_print=say("choose", style.voice, "small_print_no_line", about=words["promise"]),
            editor=None
            if inputs.secret == "both"
            else Editor(points, "linear", np.empty((0, 2)), None, example=points is not so_far),
            questions=None if inputs.secret == "both" else asked,
        )
    certain, sentence, stated = permitted(answer), answer.sentence, answer.stated
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
        python=answer.python,
        decided=stated,
        stated=(*stated, *(answer.stated_from(prior, believed(prior, style.voice)) for prior in others)),
    )
