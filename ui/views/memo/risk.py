"""The accepted line, the budget it implies, and what that means for people."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpcore.profiles import Status
from ui.documents.document import Block, Figure, Paragraph, Section
from ui.pictures.columns import Column, Numbers, side_by_side, single
from ui.pictures.description import Description
from ui.pictures.marks import Axis, Heat, Mark, Panel, Spot
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import AtBudget, along, one_ratio
from ui.views.choose.pictures import accepted_line
from ui.views.memo.brief import person_words
from ui.views.memo.draft import Memo
from ui.views.memo.question import at_every_unit
from ui.views.shared import belief_before
from ui.words.phrasing import decimal_belief, frequency, plain_number, times, typed_frequency
from ui.words.quantities import Allowed, Quantity, Typed, Upper, in_order, typed

PRIORS = (0.01, 0.05, 0.1, 0.25, 0.5)


def line_in_words(choices: ChooseInputs) -> str:
    """The accepted line in one sentence."""
    where = (
        ""
        if choices.held == 1.0 or choices.secret == "both"
        else (f" The other belief is held at {typed_frequency(choices.held)}.")
    )
    ratio, cap = Typed(choices.ratio, times), Typed(choices.cap, typed)
    said = {
        "cap_or_ratio": f"A belief of {cap:up to …} is acceptable whatever was thought before; "
        f"above that, {ratio:at most …} what was thought before.",
        "constant": f"Nobody's belief may become {ratio:more than …} what it was.",
        "increase": f"Nobody's belief may rise by more than {typed_frequency(choices.increase)}.",
        "box": f"Beliefs from {typed_frequency(choices.low)} to {typed_frequency(choices.high)} may become "
        f"{ratio:at most …} what they were; nothing is required of others.",
        "drawn": "The line was drawn through the points "
        + "; ".join(f"{plain_number(x, 3)} → {plain_number(y, 3)}" for x, y in choices.points)
        + ". Nothing is required below the first and above the last.",
    }
    return said[choices.line] + where


def risk_picture(memo: Memo) -> Description | None:
    """The accepted line, or the map of both beliefs, with what decides the budget; nothing where nothing decides."""
    line = memo.line
    if line is None or line.implied.status is not Status.BINDS:
        return None
    if line.inputs.secret == "both":
        return _map(memo, line)
    if memo.as_implied or memo.spent is None:
        return accepted_line(line, memo.say("reading_line", prior=line.context["prior"], exception=memo.exception))
    drawn = accepted_line(line, memo.say("reading_line_otherwise", exception=memo.exception))
    return replace(drawn, marks=tuple(mark for mark in drawn.marks if not isinstance(mark, Spot)))  # it decides nothing


def risk_section(memo: Memo, picture: Description | None) -> Section:
    """The accepted line and the budget it implies."""
    line = memo.line
    if line is None:
        return Section(RISK, (Paragraph(memo.say("no_profile")),), part="Reasons")
    blocks: list[Block] = [Paragraph(memo.say("profile")), Paragraph(line_in_words(line.inputs))]
    if picture is not None:
        size = MAP_SIZE if picture.key == "map" else {}
        blocks.append(Figure(picture, picture.reading, **size))
        if memo.as_implied or memo.spent is None:
            decides, rule = [memo.say("decides", prior=line.context["prior"])], one_ratio(line)
            if rule is not None:
                decides.append(memo.say("decides_one_ratio", spend=rule.spend))
            blocks.append(Paragraph(" ".join(decides)))
    return Section(RISK, tuple(blocks), part="Reasons")


RISK = "Acceptable risk, and the budget it implies"
MEANING = "What it means for people"
MAP_SIZE = {"width": 330, "height": 205}


def _map(memo: Memo, line: AtBudget) -> Description:
    implied = line.implied
    grid: NDArray[np.float64] = np.linspace(0.02, 1.0, 50)
    membership, value = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    ceiling = float(np.clip(8 * implied.epsilon, 1e-2, 100))
    across, up = "belief of being in the data, in 100", "belief about the value if in, in 100"
    rows = [
        side_by_side(
            Column("membership", "in the data", 100 * membership, quantity=across),
            Column("value", "value", 100 * value, quantity=up),
            Column("largest", "largest ε", np.asarray(implied.largest_epsilon(membership, value))),
        )
    ]
    marks: list[Mark] = [Heat(x="membership", y="value", z="largest", ceiling=ceiling)]
    place = implied.binding
    if place is not None:
        rows.append(
            side_by_side(
                single("decides_membership", "in the data, decides", 100 * place.membership_prior, quantity=across),
                single("decides", "decides the budget", 100 * place.value_prior, quantity=up),
            )
        )
        marks.append(Spot(x="decides_membership", y="decides", beside=("right", "bottom")))
    ends = Axis(range=(0.0, 100.0), grid=False)
    return Description(
        key="map",
        numbers=Numbers("Largest ε over both beliefs", tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=ends, y=ends),),
        reading=memo.say("reading_map", prior=line.context["prior"]),
        style=Style(),
    )


def meaning_section(memo: Memo) -> Section:
    """Beliefs before and after, and the budget at every unit."""
    tables = [] if memo.spent is None and (memo.line is None or memo.line.budget is None) else [_beliefs(memo)]
    units = at_every_unit(memo)
    if units is not None:
        tables.append(units)
    return Section(MEANING, tuple(tables) or (Paragraph(person_words(memo)),))


def _beliefs(memo: Memo) -> Table:
    """Beliefs before, what the line accepts where there is one, and how far each can come."""
    line = memo.line
    heads: tuple[str, ...] = ("belief before", "the line accepts", "an attacker can reach", "as a decimal")
    caption = memo.say("beliefs", exception=memo.exception)
    if line is None:
        rows = [_row(prior, math.inf, memo.highest(prior)) for prior in sorted({*PRIORS, memo.before})]
        heads = tuple(head for head in heads if head != "the line accepts")
        return Table(caption, heads, tuple(dict.fromkeys((before, *after) for before, _, *after in rows)))
    both, held, place = line.inputs.secret == "both", line.inputs.held, line.implied.binding
    pairs: list[tuple[float, ...]] = [(1.0, prior) for prior in PRIORS]
    if not both:
        pairs = [(prior / held,) for prior in PRIORS if prior < held] or [(0.5,)]
    if place is not None and place.prior > 0:
        pairs.append(along(line.inputs, place))
    rows = []
    for pair in sorted(pairs):
        accepted = float(np.asarray(line.implied.profile.highest_posterior(*pair)))
        before = math.prod(pair) * (1.0 if both else held)
        rows.append(_row(before, accepted, float(np.asarray(line.reach(*pair)))))
    return Table(caption, heads, tuple(dict.fromkeys(rows)))


def _row(before: float, accepted: float, reached: float) -> tuple[str, str, str, str]:
    in_people: Quantity = Upper(reached, frequency)
    allowed = "no requirement"
    if np.isfinite(accepted):
        limit: Quantity = Allowed(min(accepted, 1.0), frequency)
        if reached <= accepted:
            in_people, limit = in_order(in_people, limit)
        allowed = limit.digits
    after = [Upper(reached, spoken) for spoken in (in_people.spoken, decimal_belief)]
    said = belief_before.decided(before, Style(), after[-1])  # the one with most digits
    return said, allowed, after[0].digits, after[1].digits
