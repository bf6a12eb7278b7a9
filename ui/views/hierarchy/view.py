"""The attack through the hierarchy at once: its sentences, the decision by release, what each belief makes of it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from dpcore.attacks import two_levels
from dpcore.attacks.siblings import sparse_prior
from dpcore.attacks.two_levels import TwoLevels, posterior
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.decision_tiles import tile_release
from ui.pictures.marks import HALVES, Axis, Dots, Panel, Tiles, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.hierarchy.attacked import BELIEFS, Attacked, HierarchyInputs, word
from ui.views.shared.page_view import PageView
from ui.words.catalogue import say
from ui.words.phrasing import percent
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Exact, Typed, whole
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
    reading = attacked.say(
        "reading_map",
        switched=attacked.number(switched),
        **attacked.context,
    )
    return Picture(
        key="hierarchy-map",
        numbers=Numbers(word("map"), tuple(rows)),
        marks=(tiles,),
        reading=reading,
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
        Column(
            "right",
            attacked.say("dots_right"),
            [effect.right for effect in effects],
            quantity=title,
            said=digits(5),
        ),
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
