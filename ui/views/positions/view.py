"""Everything that *Compare positions* shows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpcore.guarantees import PureDP, Relation
from dpcore.profiles import Axis, Status, StrictestRange, budget, strictest_ranges
from riskline.case.line import PARTS
from riskline.case.promise import BOTH, CONTRADICTION
from ui.link.page_table import PageLink
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.positions.choices import PositionsInputs
from ui.views.positions.pictures import edited_line, standing_panel, strictest_by_prior
from ui.views.positions.standing import (
    ABSENT,
    Standing,
    budgets_table,
    concessions_table,
    decided,
    middle_of,
    parties_differ,
    place_words,
    spend_words,
    standing_of,
    unstarred,
)
from ui.views.shared.drawing import Editor
from ui.views.shared.promise import PageView, StatedBelief
from ui.words.catalogue import label, say
from ui.words.markdown import shortened
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, as_recommended
from ui.words.refusals import refusal_sentence

NAME_ON_A_PANEL = 20
"""Letters of a name over a panel; tables have it whole."""


@dataclass(frozen=True, kw_only=True)
class PositionsView(PageView):
    """Everything the page shows."""

    standings: tuple[Standing, ...] = ()
    titles: tuple[str, ...] = ()
    names_words: str = ""
    panels: tuple[Picture, ...] = ()
    panels_words: str = ""
    editor: Editor | None = None
    budgets: Table | None = None
    concessions: Table | None = None
    ranges: tuple[StrictestRange, ...] = ()
    who: Picture | None = None
    middle_words: str = ""
    next: tuple[PageLink, ...] = ()


NO_BREAK = "\u00a0"
ONE_BELIEF = label("positions", "refused.one_belief")


def positions_view(inputs: PositionsInputs, style: Style) -> PositionsView:
    """The page for these choices."""
    if inputs.relation == "replace" and (inputs.lines[0].secret != "value" or inputs.lines[0].held < 1):
        return PositionsView(refusal=f"{CONTRADICTION} {label('positions', 'refused.held')}")
    if inputs.lines[0].secret == BOTH:
        return PositionsView(refusal=ONE_BELIEF)
    try:
        parties = tuple(standing_of(name, line, inputs) for name, line in zip(inputs.called, inputs.lines, strict=True))
        standings = (*parties, *middle_of(parties, inputs, style))
    except ValueError as error:
        return PositionsView(refusal=refusal_sentence(error))
    context = _context(inputs, parties, standings, style)

    def said(passage: str, voice: str = style.voice) -> str:
        return say("positions", voice, passage, **context)

    context["decided"] = said("decided", "technical") if context["prior"] != ABSENT else ""
    ranges = strictest_ranges([party.profile for party in parties])
    free = [math.isinf(party.epsilon) for party in parties]
    name = "answer" if parties_differ(parties) else "answer_same"
    if any(free):
        name = "answer_all_free" if all(free) else "answer_free"
    middle = "free" if inputs.middle != "none" and math.isinf(standings[-1].epsilon) else inputs.middle
    return PositionsView(
        answer=said(name),
        small_print=said("small_print"),
        stated=_stated(standings, inputs, style),
        standings=standings,
        titles=tuple(map(_title, standings)),
        names_words=said("same_name") if inputs.called != inputs.names else "",
        panels=tuple(standing_panel(place, each, inputs, style) for place, each in enumerate(standings)),
        panels_words=said("reading_panels"),
        editor=edited_line(inputs, parties),
        budgets=budgets_table(standings, style),
        concessions=concessions_table(standings, style),
        ranges=ranges,
        who=strictest_by_prior(parties, ranges, inputs, context, style),
        middle_words="" if middle == "none" else said(f"middle_{middle}"),
        computed=said("computed", "technical"),
        next=(
            PageLink("choose", say("positions", style.voice, "next")),
            PageLink("memo", say("positions", style.voice, "next_memo")),
        ),
        python=in_python(*_ends(parties), inputs),
    )


def _title(standing: Standing) -> str:
    name = standing.name if standing.middle else shortened(standing.name, NAME_ON_A_PANEL)
    return f"**{unstarred(name)}** {spend_words(standing)}"


def _ends(parties: tuple[Standing, ...]) -> tuple[Standing, Standing]:
    """The position that asks for the most protection, and the one that asks for the least."""
    strictest = min(parties, key=lambda party: party.implied.epsilon)
    return strictest, max(parties, key=lambda party: party.implied.epsilon)


def _context(
    inputs: PositionsInputs, parties: tuple[Standing, ...], standings: tuple[Standing, ...], style: Style
) -> dict[str, str]:
    strictest, loosest = _ends(parties)
    middle, about = standings[-1], inputs.words(style.voice)
    source = "source_replaced" if inputs.relation == "replace" else "source"
    renamed = [new for new, old in zip(inputs.called, inputs.names, strict=True) if new != old]
    return {
        "renamed": ", ".join(f"**{unstarred(name)}**" for name in renamed),
        "strictest": unstarred(strictest.name),
        "loosest": unstarred(loosest.name),
        "low": spend_words(strictest).replace(" ", NO_BREAK),
        "high": spend_words(loosest).replace(" ", NO_BREAK),
        "gap": ABSENT if math.isinf(loosest.epsilon) else plain_number(loosest.epsilon - strictest.epsilon, 3),
        "prior": place_words(strictest, style),
        "middle_spend": spend_words(middle),
        "middle_prior": place_words(middle, style),
        "source": say("positions", "technical", source),
        "what": about["that"],
        "relation": about["relation"],
        "change": about["change"],
        "whose": about["whose"],
    }


def _stated(standings: tuple[Standing, ...], inputs: PositionsInputs, style: Style) -> tuple[StatedBelief, ...]:
    """Where each position's budget is decided: the belief before and the highest one after."""
    found = []
    for each in standings:
        binding = each.implied.binding
        if binding is None or not 0 < binding.prior < 1 or each.epsilon <= 0:
            continue
        source = PureDP(epsilon=each.epsilon, relation=Relation(inputs.relation))
        told = decided(each, style)
        present = binding.membership_prior
        if each.profile.axis is Axis.MEMBERSHIP:
            present = told.prior / (each.profile.fixed or 1.0)
        absent = 1.0 - present if inputs.asked == "both" else 0.0
        found.append(StatedBelief(told.prior, told.after, inputs.promise, source, absent=absent, before=told.words))
    return tuple(found)


def line_taken(inputs: PositionsInputs) -> dict[str, Any]:
    """The edited line as choices of the case: taking it over draws the case's line."""
    line = inputs.lines[inputs.edited - 1]
    return {name: getattr(line, name) for name in ("line", *PARTS[line.line])}


def in_python(strictest: Standing, loosest: Standing, inputs: PositionsInputs) -> CodeLines | None:
    """The lines for the budget of one record under either line; none where no line sets a limit."""
    code, found, said = CodeWriter(), [], []
    for name, each in (("strictest", strictest), ("loosest", loosest)):
        if each.implied.status is not Status.BINDS_NOTHING:
            asked = {"group": inputs.together, "relation": inputs.relation}
            line = code.let(name, each.profile)
            found.append(Source(f"{code(budget, line, **asked)}.recommended_total"))
            said.append(Allowed(each.epsilon, as_recommended))
    return code.ending(found, *said) if found else None
