"""Everything that *Compare positions* shows: the lines with what is reachable, who decides at which prior, tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.guarantees import PureDP, Relation
from dpcore.profiles import Axis as LineAxis
from dpcore.profiles import Status, StrictestRange, budget, strictest_ranges
from riskline.case.line import PARTS, template_points
from riskline.case.promise import BOTH, CONTRADICTION
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, digits, side_by_side
from ui.pictures.marks import Axis, Line, Mark, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.positions.standing import (
    ABSENT,
    Position,
    PositionsInputs,
    budgets_table,
    concessions_table,
    middle_of,
    standing_of,
)
from ui.views.shared.drawing import Editor, clear_places, priors_for_curves, where_limited
from ui.views.shared.promise import PageAnswer, StatedBelief, refusing
from ui.words.catalogue import SPOKEN, label, say
from ui.words.markdown import shortened, unstarred
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, as_recommended

word = partial(label, "positions")
ROLES = ("accent", "reach", "third", "fourth", "mark", "fifth")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
NAME_ON_A_LINE = 18
"""Letters of a name beside a line; tables have it whole."""
PANELS_IN_A_ROW = 4
HALVES = ((0.0, "0"), (0.5, "50"), (1.0, "100"))
DECADES = ((0.001, "0.1"), (0.01, "1"), (0.1, "10"), (1.0, "100"))
"""Beliefs on the axes, out of 100 as on the editor's."""


def _curves_of(standing: Position, inputs: PositionsInputs) -> tuple[NDArray[np.float64], ...]:
    """Priors of the disclosure, the accepted line, and what is reachable at the standing's own budget."""
    held = inputs.lines[0].held
    prior = priors_for_curves(held, inputs.log)
    along = np.minimum(prior / held, 1.0)
    line = where_limited(standing.profile.highest_posterior(along))
    if math.isinf(standing.shift):
        return prior, line, np.ones_like(prior)
    return prior, line, np.asarray(standing.implied.reachable(along, epsilon=standing.shift))


def panel_rows(count: int) -> tuple[range, ...]:
    """The places of panels in rows of about equal length, none of which holds more than four.

    >>> [list(row) for row in panel_rows(7)]
    [[0, 1, 2, 3], [4, 5, 6]]
    """
    rows = max(-(-count // PANELS_IN_A_ROW), 1)
    length = -(-count // rows)
    return tuple(range(start, min(start + length, count)) for start in range(0, count, length or 1))


def standing_panel(place: int, standing: Position, inputs: PositionsInputs, style: Style) -> Picture:
    """A position's line, and what an attacker reaches at its own budget."""
    prior, line, reach = _curves_of(standing, inputs)
    starts_row = any(place == row[0] for row in panel_rows(len(inputs.names) + (inputs.middle != "none")))
    binding = standing.implied.binding
    before, after = (partial(Column, quantity=word(name)) for name in ("believed_before", "after"))
    curves = side_by_side(
        before("prior", word("before"), prior),
        after("nothing", word("nothing"), prior, listed=False),
        after("accepted", word("accepted"), line, absent=word("no_limit")),
        after("reach", word("reachable"), reach),
        listed=range(7, prior.size, 8),
    )
    rows = [curves]
    marks: list[Mark] = [
        Line(x="prior", y="nothing", role="quiet", hairline=True),
        Line(x="prior", y="accepted"),
        Line(x="prior", y="reach", role="reach", dash="dash"),
    ]
    if binding is not None and 0 < binding.prior < 1:
        decides = after("decides", word("decides"), [standing.reached_at(binding.prior, standing.shift)])
        rows.append(side_by_side(before("decides_prior", word("decides_at"), [binding.prior]), decides))
        marks.append(Spot(x="decides_prior", y="decides", labelled=False))
    name = "reading_panel_free" if binding is None else "reading_panel_rare"
    after_words: object = ""
    if binding is not None and binding.prior > 0:
        name, after_words = "reading_panel", standing.decided(style).after
    words = {"spend": standing.spend_words, "prior": standing.place_words(style), "posterior": after_words}
    reading, told = say("positions", style.voice, name, **words), f"{standing.name}:"
    x = Axis(log=True, ticks=DECADES) if inputs.log else Axis(range=(0.0, 1.0), ticks=HALVES)
    y = Axis(range=(0.0, 1.02), ticks=HALVES, titled=starts_row)
    return Picture.of(
        f"position-{place + 1}", rows, marks, reading=reading, told=told, x=x, y=y, style=style, height=215
    )


def edited_line(inputs: PositionsInputs, parties: tuple[Position, ...]) -> Editor:
    """The line of the party whose line is edited, to be drawn, and the others' to hold it against."""
    choice, standing = inputs.lines[inputs.edited - 1], parties[inputs.edited - 1]
    prior, _, reach = _curves_of(standing, inputs)
    reachable = np.empty((0, 2))
    if standing.implied.status is not Status.BINDS_NOTHING:
        reachable = np.column_stack([prior, reach])
    binding = standing.implied.binding
    mark = None
    if binding is not None and 0 < binding.prior < 1:
        mark = (binding.prior, standing.reached_at(binding.prior, standing.shift))
    points = choice.points if choice.line == "drawn" else template_points(choice)
    others = []
    for place, party in enumerate(parties, start=1):
        if place != inputs.edited:
            curve = np.column_stack(_curves_of(party, inputs)[:2])[::2]
            others.append((shortened(party.name, NAME_ON_A_LINE), curve[~np.isnan(curve[:, 1])]))  # where it limits
    between, spend = choice.interpolation if choice.line == "drawn" else "linear", standing.spend_words
    return Editor(points, between, reachable, mark, tuple(others), budget=spend)


def strictest_by_prior(
    parties: tuple[Position, ...],
    ranges: tuple[StrictestRange, ...],
    inputs: PositionsInputs,
    context: dict[str, str],
    style: Style,
) -> Picture:
    """The largest ε that each position allows at each prior: who decides where."""
    held = inputs.lines[0].held
    prior = priors_for_curves(held, True)
    along = np.minimum(prior / held, 1.0)
    largest = [np.asarray(party.implied.largest_epsilon(along)) for party in parties]
    finite = [party.implied.epsilon for party in parties if math.isfinite(party.implied.epsilon)]
    ceiling = max(3.0 * max(finite, default=1.0), 1e-3)
    rows = side_by_side(
        Column("prior", word("before"), prior, quantity=word("believed_before")),
        *(
            Column(f"largest_{place}", party.name, values, quantity=word("largest"), said=digits(5, Allowed))
            for place, (party, values) in enumerate(zip(parties, largest, strict=True))
        ),
        listed=range(0, prior.size, 8),
    )
    letters = [min(len(party.name), NAME_ON_A_LINE) for party in parties]
    shares = np.log(prior / prior[0]) / np.log(prior[-1] / prior[0])  # of the logarithmic axis
    places = clear_places(shares, np.array(largest) / ceiling, letters)
    line = partial(Line, x="prior", shortened=NAME_ON_A_LINE)
    marks = [
        line(y=f"largest_{place}", role=ROLES[place], dash=DASHES[place], label=at, beside=beside)
        for place, (at, beside) in enumerate(places)
    ]

    def end(u: float) -> str:
        return word("nearly_none") if u <= 1e-6 else style.belief(u * held)

    names = [f"**{unstarred(party.name)}**" for party in parties]
    asked = [(SPOKEN.listed([names[at] for at in each.profiles]), each) for each in ranges if each.profiles]
    told = "; ".join(word("from_to", names=of, start=end(each.start), stop=end(each.stop)) for of, each in asked[:8])
    reading = say("positions", style.voice, "reading_who", **context, ranges=told or word("nobody"))
    x, y = Axis(log=True, range=(prior[0], 1.0), ticks=DECADES), Axis(range=(0.0, ceiling))
    return Picture.of(
        "positions-who", (rows,), marks, reading=reading, caption=word("by_prior"), x=x, y=y, style=style, height=320
    )


NAME_ON_A_PANEL = 20
"""Letters of a name over a panel; tables have it whole."""


@dataclass(frozen=True, kw_only=True)
class PositionsView(PageAnswer):
    """Everything the page shows."""

    standings: tuple[Position, ...] = ()
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


@refusing(PositionsView)
def positions_view(inputs: PositionsInputs, style: Style) -> PositionsView:
    """The page for these choices."""
    if inputs.relation == "replace" and (inputs.lines[0].secret != "value" or inputs.lines[0].held < 1):
        return PositionsView(refusal=f"{CONTRADICTION} {label('positions', 'refused.held')}")
    if inputs.lines[0].secret == BOTH:
        return PositionsView(refusal=ONE_BELIEF)
    parties = tuple(standing_of(name, line, inputs) for name, line in zip(inputs.called, inputs.lines, strict=True))
    standings = (*parties, *middle_of(parties, inputs, style))
    context = _context(inputs, parties, standings, style)

    def said(passage: str, voice: str = style.voice) -> str:
        return say("positions", voice, passage, **context)

    context["decided"] = said("decided", "technical") if context["prior"] != ABSENT else ""
    ranges = strictest_ranges([party.profile for party in parties])
    free = [math.isinf(party.epsilon) for party in parties]
    name = "answer" if len({party.epsilon for party in parties}) > 1 else "answer_same"
    if any(free):
        name = "answer_all_free" if all(free) else "answer_free"
    middle = "free" if inputs.middle != "none" and math.isinf(standings[-1].epsilon) else inputs.middle
    return PositionsView(
        answer=said(name),
        small_print=said("small_print") + (f" {said('one_epsilon')}" if inputs.asks_otherwise else ""),
        stated=_stated(standings, inputs, style),
        standings=standings,
        titles=tuple(map(_title, standings)),
        names_words=said("same_name") if inputs.called != inputs.names else "",
        panels=tuple(standing_panel(place, each, inputs, style) for place, each in enumerate(standings)),
        panels_words=said("reading_panels"),
        editor=edited_line(inputs, parties),
        budgets=budgets_table(standings, inputs, style),
        concessions=concessions_table(standings, style),
        ranges=ranges,
        who=strictest_by_prior(parties, ranges, inputs, context, style),
        middle_words="" if middle == "none" else said(f"middle_{middle}"),
        computed=said("computed", "technical"),
        next=(PageLink("choose", said("next")), PageLink("memo", said("next_memo"))),
        python=in_python(*_ends(parties), inputs),
    )


def _title(standing: Position) -> str:
    name = standing.name if standing.middle else shortened(standing.name, NAME_ON_A_PANEL)
    return f"**{unstarred(name)}** {standing.spend_words}"


def _ends(parties: tuple[Position, ...]) -> tuple[Position, Position]:
    """The position that asks for the most protection, and the one that asks for the least."""
    strictest = min(parties, key=lambda party: party.implied.epsilon)
    return strictest, max(parties, key=lambda party: party.implied.epsilon)


def _context(
    inputs: PositionsInputs, parties: tuple[Position, ...], standings: tuple[Position, ...], style: Style
) -> dict[str, str]:
    strictest, loosest = _ends(parties)
    middle, about = standings[-1], inputs.words(style.voice)
    renamed = [new for new, old in zip(inputs.called, inputs.names, strict=True) if new != old]
    return {
        "renamed": ", ".join(f"**{unstarred(name)}**" for name in renamed),
        "strictest": unstarred(strictest.name),
        "loosest": unstarred(loosest.name),
        "low": strictest.spend_words.replace(" ", NO_BREAK),
        "high": loosest.spend_words.replace(" ", NO_BREAK),
        "gap": ABSENT if math.isinf(loosest.epsilon) else plain_number(loosest.epsilon - strictest.epsilon, 3),
        "prior": strictest.place_words(style),
        "middle_spend": middle.spend_words,
        "middle_prior": middle.place_words(style),
        "source": say("positions", "technical", "source_replaced" if inputs.relation == "replace" else "source"),
        "what": about["that"],
        "noise": inputs.noise_words,
    } | {name: about[name] for name in ("relation", "change", "whose")}


def _stated(standings: tuple[Position, ...], inputs: PositionsInputs, style: Style) -> tuple[StatedBelief, ...]:
    """Where each position's budget is decided: the belief before and the highest one after."""
    found = []
    for each in standings:
        binding = each.implied.binding
        if binding is None or not 0 < binding.prior < 1 or each.epsilon <= 0:
            continue
        source = PureDP(epsilon=each.epsilon, relation=Relation(inputs.relation))
        told = each.decided(style)
        present = binding.membership_prior
        if each.profile.axis is LineAxis.MEMBERSHIP:
            present = told.prior / (each.profile.fixed or 1.0)
        absent = 1.0 - present if inputs.asked == "both" else 0.0
        found.append(StatedBelief(told.prior, told.after, inputs.promise, source, absent=absent, before=told.words))
    return tuple(found)


def line_taken(inputs: PositionsInputs) -> dict[str, Any]:
    """The edited line as choices of the case: taking it over draws the case's line."""
    line = inputs.lines[inputs.edited - 1]
    return {name: getattr(line, name) for name in ("line", *PARTS[line.line])}


def in_python(strictest: Position, loosest: Position, inputs: PositionsInputs) -> CodeLines | None:
    """The lines for the budget of one record under either line; none where no line sets a limit."""
    code, found, said = CodeWriter(), [], []
    for name, each in (("strictest", strictest), ("loosest", loosest)):
        if each.implied.status is not Status.BINDS_NOTHING:
            asked = {"group": inputs.together, "relation": inputs.relation}
            line = code.let(name, each.profile)
            found.append(Source(f"{code(budget, line, **asked)}.recommended_total"))
            said.append(Allowed(each.epsilon, as_recommended))
    return code.ending(found, *said) if found else None
