"""The page of the attack through the hierarchy at once: its sentences, its map and its beliefs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.hierarchy.attacked import Attacked
from ui.views.hierarchy.beliefs import beliefs_picture
from ui.views.hierarchy.choices import HierarchyInputs
from ui.views.hierarchy.decision_map import map_picture
from ui.views.hierarchy.in_python import in_python
from ui.words.catalogue import say
from ui.words.phrasing import people
from ui.words.python_lines import CodeLines
from ui.words.refusals import refusal_sentence


@dataclass(frozen=True)
class HierarchyView:
    """Everything the page shows at once; what is folded comes from the functions below when it is opened."""

    answer: str
    conclusion: str
    small_print: str
    map: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    beliefs: Picture | None = None
    computed: str = ""
    python: CodeLines | None = None
    refusal: str | None = None


def hierarchy_view(inputs: HierarchyInputs, style: Style) -> HierarchyView:
    """The page for these choices."""
    if inputs.budget == "own" and len(inputs.rho_above) != len(inputs.siblings_above):
        return _refused(
            f"Each level above the group needs a ρ and a number of other areas; got {len(inputs.rho_above)} ρ and "
            f"{len(inputs.siblings_above)} numbers."
        )
    needed = {"bounded": inputs.largest, "point": inputs.total}
    for belief, count in needed.items():
        if count <= inputs.known:
            if belief == inputs.belief:
                return _refused(
                    f"The block group must be able to hold the {people(inputs.known)} the attacker knows and one more; "
                    f"its count was set to {count}."
                )
            enough = inputs.known + 1
            inputs = replace(inputs, largest=enough) if belief == "bounded" else replace(inputs, total=enough)
    if inputs.chain == "published" and inputs.belief == "sparse":
        return _refused(
            "The chain behind the printed tables has no version for a sparse belief: look at the exact beliefs, or "
            "choose another belief about the other blocks."
        )
    attacked = Attacked(inputs, style)
    try:
        context = attacked.context
    except ValueError as error:
        return _refused(refusal_sentence(error))
    return HierarchyView(
        answer=say("hierarchy", style.voice, "answer", **context),
        conclusion=say("hierarchy", style.voice, "conclusion", **context),
        small_print=say("hierarchy", style.voice, "small_print", **context),
        map=map_picture(attacked, context),
        numbers=_numbers(attacked, context),
        beliefs=beliefs_picture(attacked, context),
        computed=say("hierarchy", style.voice, "computed", **context),
        python=in_python(attacked),
    )


def _refused(sentence: str) -> HierarchyView:
    return HierarchyView(answer="", conclusion="", small_print="", refusal=sentence)


def _numbers(attacked: Attacked, context: dict[str, object]) -> tuple[tuple[str, str, str], ...]:
    voice = attacked.style.voice
    rows = [
        ("before", str(context["prior"]), ""),
        ("alone", str(context["alone"]), ""),
        ("belief", str(context["belief"]), "exact"),
    ]
    if attacked.chain is not None:
        rows.append(("chain", str(context["chain"]), "inferred"))
    return tuple((say("hierarchy", voice, f"number_{name}"), value, note) for name, value, note in rows)
