"""The page of the attack through the hierarchy at once: its sentences, its map and its beliefs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.pictures.look import Look
from ui.pictures.picture import Picture
from ui.views.hierarchy.attacked import Attacked
from ui.views.hierarchy.beliefs import beliefs_picture
from ui.views.hierarchy.choices import HierarchyInputs
from ui.views.hierarchy.decision_map import map_picture
from ui.views.hierarchy.in_python import in_python
from ui.words.passages import say
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


def hierarchy_view(inputs: HierarchyInputs, look: Look) -> HierarchyView:
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
    attacked = Attacked(inputs, look)
    try:
        facts = attacked.facts
    except ValueError as error:
        return _refused(refusal_sentence(error))
    return HierarchyView(
        answer=say("hierarchy", look.voice, "answer", **facts),
        conclusion=say("hierarchy", look.voice, "conclusion", **facts),
        small_print=say("hierarchy", look.voice, "small_print", **facts),
        map=map_picture(attacked, facts),
        numbers=_numbers(attacked, facts),
        beliefs=beliefs_picture(attacked, facts),
        computed=say("hierarchy", look.voice, "computed", **facts),
        python=in_python(attacked),
    )


def _refused(sentence: str) -> HierarchyView:
    return HierarchyView(answer="", conclusion="", small_print="", refusal=sentence)


def _numbers(attacked: Attacked, facts: dict[str, object]) -> tuple[tuple[str, str, str], ...]:
    voice = attacked.look.voice
    rows = [
        ("before", str(facts["prior"]), ""),
        ("alone", str(facts["alone"]), ""),
        ("belief", str(facts["belief"]), "exact"),
    ]
    if attacked.chain is not None:
        rows.append(("chain", str(facts["chain"]), "inferred"))
    return tuple((say("hierarchy", voice, f"number_{name}"), value, note) for name, value, note in rows)
