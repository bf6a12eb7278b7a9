"""The attack through the hierarchy at once: its sentences, the decision by release, what each belief makes of it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.attacks import many_levels, two_levels
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.attacks.siblings import sparse_prior
from dpcore.attacks.two_levels import TwoLevels, posterior
from dpcore.mechanisms import DiscreteGaussian
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.decision_tiles import tile_release
from ui.pictures.marks import HALVES, Axis, Dots, Line, Panel, Tiles, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.hierarchy.attacked import BELIEFS, SIBLINGS_ABOVE, Attacked, HierarchyInputs, word
from ui.views.shared.promise import PageView
from ui.words.catalogue import say
from ui.words.phrasing import percent, plain_number
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Exact, Typed, Upper, number, whole
from ui.words.refusals import refusal_sentence


@dataclass(frozen=True, kw_only=True)
class HierarchyView(PageView):
    """Everything the page shows at once; what is folded comes from the functions below when it is opened."""

    map: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    beliefs: Picture | None = None


def hierarchy_view(inputs: HierarchyInputs, style: Style) -> HierarchyView:
    """The page for these choices."""
    if inputs.budget == "own" and len(inputs.rho_above) != len(inputs.siblings_above):
        counts = {"rhos": len(inputs.rho_above), "siblings": len(inputs.siblings_above)}
        return HierarchyView(refusal=word("levels_refused", **counts))
    needed = {"bounded": inputs.largest, "point": inputs.total}
    for belief, count in needed.items():
        if count <= inputs.known:
            if belief == inputs.belief:
                return HierarchyView(refusal=word("group_refused", known=f"{inputs.known:,}", count=count))
            enough = inputs.known + 1
            inputs = replace(inputs, largest=enough) if belief == "bounded" else replace(inputs, total=enough)
    attacked = Attacked(inputs, style)
    try:
        context = attacked.context
    except ValueError as error:
        return HierarchyView(refusal=refusal_sentence(error))
    return HierarchyView(
        answer=attacked.say("answer", **context),
        small_print=attacked.say("small_print", **context),
        map=_map_picture(attacked),
        numbers=_numbers(attacked),
        beliefs=_beliefs_picture(attacked),
        computed=say("hierarchy", "technical", "computed", **context),
        python=_in_python(attacked),
    )


def _numbers(attacked: Attacked) -> tuple[tuple[str, str, str], ...]:
    context = attacked.context
    notes = {"right": word("note_right", **context)}
    return tuple(
        (word(f"number_{name}"), str(context[name]), notes.get(name, ""))
        for name in ("prior", "alone", "belief", "right")
    )


def map_axes(inputs: HierarchyInputs) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The counts the decision map shows: block, group, siblings; moved where a belief or the release lies."""
    known = inputs.known
    others = inputs.total - known - 1 if inputs.belief == "point" else 0

    def around(first: int, size: int, value: int) -> tuple[int, ...]:
        first = min(max(first, value - size + 1), value) if first - 20 <= value < first + size + 20 else first
        return tuple(range(first, first + size))

    half = min(max(round(2.6 * float(np.sqrt(inputs.siblings / (2 * inputs.rhos[0])))), 6), 30)
    return (
        around(known - 2, 7, inputs.x1),
        around(known - 3 + others, 9, inputs.x2),
        around(others - half, 2 * half + 1, inputs.y),
    )


def clicked_release(inputs: HierarchyInputs, x: float, y: float) -> dict[str, int]:
    """The release of the tile that was clicked, as choices; nothing between the panels."""
    panels, across, up = map_axes(inputs)
    found = tile_release(x, y, panels=panels, across=across, up=up)
    return {} if found is None else dict(zip(("x1", "x2", "y"), found, strict=True))


def _map_picture(attacked: Attacked) -> Picture:
    """Belief and decision for every release round the one that was chosen."""
    inputs, style = attacked.inputs, attacked.style
    panels, across, up = map_axes(inputs)
    shown = two_levels.decision_map(
        design=inputs.design(inputs.belief), block_counts=panels, group_counts=across, sibling_sums=up
    )
    ends = {"low": across[0], "high": across[-1]}
    words = {name: attacked.say(f"map_{name}", **ends) for name in ("across", "up", "counted", "not", "hover")}
    x1, x2, y = (axis.ravel() for axis in np.meshgrid(panels, across, up, indexing="ij"))
    alone = [word("yes" if one else "no") for one in np.repeat(np.asarray(shown.block_only), len(across) * len(up))]
    belief, decided = np.asarray(shown.posteriors).ravel(), np.asarray(shown.decisions).ravel()
    rows = [
        side_by_side(
            Column("block", word("map_block"), x1.tolist(), said=int),
            Column("group", word("map_group"), x2.tolist(), quantity=words["across"].replace("<br>", "\n"), said=int),
            Column("siblings", word("map_siblings"), y.tolist(), quantity=words["up"], said=int),
            Column("belief", word("map_belief"), belief, said=digits(4)),
            Column("decides", word("map_decides"), decided, said=int),
            Column("alone", word("map_alone"), alone, listed=False),
            listed=np.flatnonzero((y % 5 == 0) | (y == inputs.y)).tolist(),
        )
    ]
    chosen = None
    if inputs.x1 in panels and inputs.x2 in across and inputs.y in up:
        chosen = ("this_block", "this_group", "this_siblings")
        rows.append(
            side_by_side(
                single("this_block", word("this_release", count=word("map_block")), inputs.x1),
                single("this_group", word("this_release", count=word("map_group")), inputs.x2),
                single("this_siblings", word("this_release", count=word("map_siblings")), inputs.y),
            )
        )
    tiles = Tiles(
        group="block",
        x="group",
        y="siblings",
        z="belief",
        words="alone",
        names=(words["not"], words["counted"]),
        hover=words["hover"],
        chosen=chosen,
    )
    switched = float((shown.decisions != shown.block_only[:, None, None]).mean())
    return Picture(
        key="hierarchy-map",
        numbers=Numbers(word("map"), tuple(rows)),
        marks=(tiles,),
        reading=attacked.say("reading_map", switched=attacked.number(switched), **attacked.context),
        style=style,
        height=430,
    )


def _beliefs_picture(attacked: Attacked) -> Picture:
    """What each belief about the other blocks makes of this release and of all releases."""
    inputs, style = attacked.inputs, attacked.style
    held = {
        "largest": Typed(inputs.largest, whole),
        "total": inputs.total,
        "empty": percent(inputs.empty, 1).replace(".0", ""),
    }
    names = [attacked.say(f"believed_in_{name}", **held) for name in BELIEFS]
    now = [attacked.belief(name) for name in BELIEFS]
    effects = [attacked.effects(name) for name in BELIEFS]
    title = word("probability")
    beliefs = side_by_side(
        Column("belief", word("belief_head"), names),
        Column("now", attacked.say("dots_now"), now, quantity=title, said=digits(5)),
        Column("average", word("average_belief"), [effect.marginal_posterior for effect in effects], said=digits(5)),
        Column("right", attacked.say("dots_right"), [each.right for each in effects], quantity=title, said=digits(5)),
        Column("holds", word("holds"), [attacked.group(code) for code in BELIEFS]),
        Column("chosen", word("chosen"), [code == inputs.belief for code in BELIEFS], listed=False),
    )
    level = side_by_side(single("alone", attacked.say("dots_level"), effects[0].block_only, quantity=title))
    return Picture(
        key="hierarchy-beliefs",
        numbers=Numbers(word("beliefs"), (beliefs, level)),
        marks=(
            Dots(x="now", y="belief", size=13, outlined=True),
            Dots(x="right", y="belief", role="reach", symbol="diamond", size=13, outlined=True),
            Upright(x="alone", dash="dash", at=1.01, beside="center"),
        ),
        panels=(Panel(x=Axis(range=(0.0, 1.0), ticks=HALVES), y=Axis(rows=True, chosen="chosen")),),
        reading=attacked.say("reading_beliefs", **attacked.context),
        style=style,
        legend="below",
        height=290,
    )


def _in_python(attacked: Attacked) -> CodeLines:
    """The lines for the belief after this release, under the belief about the other blocks."""
    code, inputs = CodeWriter(), attacked.inputs
    design = inputs.design(inputs.belief)
    chosen = {field.name: getattr(design, field.name) for field in fields(design)}
    if inputs.belief == "sparse":
        chosen["sibling_prior"] = code(sparse_prior, empty=inputs.empty)
    asked = code.let("design", code(TwoLevels, **chosen))
    said = Exact(attacked.belief(inputs.belief), attacked.style.belief)
    return code.ending(code(posterior, *inputs.release, design=asked), said)


FloatArray = NDArray[np.float64]


def _names(inputs: HierarchyInputs) -> tuple[str, ...]:
    """What each level is called: as in 2020, or by its number where there are others."""
    places = range(1, len(inputs.rhos) + 1)
    told = 6 if _as_in_2020(inputs) else 2
    return tuple(word(f"level.{place}") if place <= told else word("level_own", place=place) for place in places)


def _as_in_2020(inputs: HierarchyInputs) -> bool:
    return inputs.siblings_per_level[1:] == SIBLINGS_ABOVE


def gains(inputs: HierarchyInputs) -> tuple[FloatArray, FloatArray]:
    """What the counts of each further level add for an attacker who must guess the siblings.

    The ρ of one count that teaches as much, and the average belief about somebody who is counted.
    """
    rhos, siblings = inputs.rhos, inputs.siblings_per_level
    found = [
        many_levels.effective_rho(rhos[:levels], siblings=siblings[: levels - 1]) for levels in range(1, len(rhos) + 1)
    ]
    one = CountAttack(DiscreteGaussian(rho=found[0]), prior=inputs.prior)
    return np.array(found), np.asarray(one.over(found).marginal_posterior())


@lru_cache(maxsize=64)
def knowing(rhos: tuple[float, ...], prior: float) -> float:
    """The same for an attacker who knows everybody else, with one count of each of these ρ."""
    return float(RepeatedAttack([DiscreteGaussian(rho=rho) for rho in rhos], prior=prior).marginal_posterior())


def gains_in_words(inputs: HierarchyInputs, style: Style) -> dict[str, str]:
    """Beliefs before, from the block, with the group, with all levels; and knowing everybody else at each of them."""
    attacked, found = Attacked(inputs, style), gains(inputs)[1]
    said = {"before": inputs.prior, "first": found[0], "second": found[1], "last": found[-1]}
    said["unique"] = knowing(inputs.rhos, inputs.prior)
    return {name: attacked.fine(float(belief)) for name, belief in said.items()}


def build_up(inputs: HierarchyInputs, style: Style) -> Picture:
    """What each further level adds: for an attacker who must guess the siblings, and for one who knows everybody."""
    rhos, siblings = inputs.rhos, inputs.siblings_per_level
    effective, edge = gains(inputs)
    unique = np.array([knowing(rhos[:levels], inputs.prior) for levels in range(1, len(rhos) + 1)])
    attacked = Attacked(inputs, style)
    belief = attacked.say("level_axis")
    below = [*siblings[: len(rhos) - 1], None]
    rows = side_by_side(
        Column("level", word("up_to"), _names(inputs)),
        Column("rho", word("level_rho"), rhos, said=digits(4)),
        Column("siblings", word("level_siblings"), below, said=int),
        Column("effective", word("effective_rho"), effective, said=digits(10)),
        Column("edge", attacked.say("levels_edge"), edge, quantity=belief, said=digits(5)),
        Column("unique", attacked.say("levels_unique"), unique, quantity=belief, said=digits(5)),
    )
    reading = attacked.say(
        "reading_levels",
        **gains_in_words(inputs, style),
        levels=len(rhos),
        rho_first=plain_number(effective[0], 5),
        rho_second=plain_number(effective[1], 5),
        rho_last=plain_number(effective[-1], 5),
        rho_limit=Upper(rhos[0] * (1 + 1 / siblings[0]), number(5)),
    )
    return Picture(
        key="hierarchy-levels",
        numbers=Numbers(word("levels_2020" if _as_in_2020(inputs) else "levels"), (rows,)),
        marks=(
            Line(x="level", y="unique", role="reach", dash="dash", label=2, beside=("left", "top")),
            Line(x="level", y="edge", label=3),
        ),
        panels=(Panel(x=Axis(rows=True, titled=False)),),
        reading=reading,
        style=style,
    )
