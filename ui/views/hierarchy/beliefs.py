"""What each belief about the other blocks makes of one release and of all releases."""

from __future__ import annotations

from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import Axis, Dots, Panel, Upright
from ui.pictures.picture import Picture
from ui.views.hierarchy.attacked import Attacked
from ui.views.hierarchy.choices import BELIEFS, HierarchyInputs
from ui.words.catalogue import say
from ui.words.phrasing import percent
from ui.words.quantities import Typed, whole


def beliefs_picture(attacked: Attacked, context: dict[str, object]) -> Picture:
    """What each belief about the other blocks makes of this release and of all releases."""
    inputs, style = attacked.inputs, attacked.style
    names = [say("hierarchy", style.voice, f"belief_{name}", **_parameters(inputs)) for name in BELIEFS]
    now = [attacked.belief(name) for name in BELIEFS]
    effects = [attacked.effects(name) for name in BELIEFS]
    title = say("hierarchy", style.voice, "dots_title")
    beliefs = side_by_side(
        Column("belief", "belief", names),
        Column("now", say("hierarchy", style.voice, "dots_now"), now, quantity=title, said=digits(5)),
        Column("average", "average belief", [effect.marginal_posterior for effect in effects], said=digits(5)),
        Column(
            "right",
            say("hierarchy", style.voice, "dots_right"),
            [effect.right for effect in effects],
            quantity=title,
            said=digits(5),
        ),
        Column("tie", "exact tie", [effect.tie for effect in effects], said=digits(3)),
        Column("holds", "group truly holds", [attacked.group(code) for code in BELIEFS]),
        Column("chosen", "chosen", [code == inputs.belief for code in BELIEFS], listed=False),
    )
    level = side_by_side(
        single("alone", say("hierarchy", style.voice, "dots_level"), effects[0].block_only, quantity=title)
    )
    words = {
        "alone_right": attacked.often(effects[0].block_only),
        "flat_right": attacked.often(effects[BELIEFS.index("flat")].right),
        "sparse_right": attacked.often(effects[BELIEFS.index("sparse")].right),
    }
    reading = say("hierarchy", style.voice, "reading_beliefs", **context, **words)
    caption = "Each belief about the other blocks: this release, and all releases of a target who is counted"
    return Picture(
        key="hierarchy-beliefs",
        numbers=Numbers(caption, (beliefs, level)),
        marks=(
            Dots(x="now", y="belief", size=13, outlined=True),
            Dots(x="right", y="belief", role="reach", symbol="diamond", size=13, outlined=True),
            Upright(x="alone", dash="dash", at=1.01, beside="center"),
        ),
        panels=(Panel(x=Axis(range=(0.0, 1.0)), y=Axis(rows=True, chosen="chosen")),),
        reading=reading,
        style=style,
        legend="below",
        height=290,
    )


def _parameters(inputs: HierarchyInputs) -> dict[str, object]:
    empty = percent(inputs.empty, 1).replace(".0", "")
    return {"largest": Typed(inputs.largest, whole), "total": inputs.total, "empty": empty}
