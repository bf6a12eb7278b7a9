"""The page of an attack on one block at once: the belief after the release, its numbers, pictures and people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore.attacks.one_count import CountAttack
from dpcore.populations import CountTable, census_rho
from riskline.case.fields import number_text
from ui.link.page_table import PageLink
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.block.attack import DRAWN, Attack, BlockInputs, attack_of, word
from ui.views.block.curves import repeats_picture, risk_picture
from ui.views.block.releases import release_picture
from ui.views.shared.page_view import PageView
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import say
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Upper, number
from ui.words.refusals import refusal_sentence


@dataclass(frozen=True, kw_only=True)
class BlockView(PageView):
    """Everything the page shows."""

    release: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    risk: Picture | None = None
    repeats: Picture | None = None
    notes: tuple[str, ...] = ()
    alone: str = ""
    sensitivity: str = ""
    explained: PageLink | None = None


def block_view(inputs: BlockInputs, style: Style, own: CountTable | None = None) -> BlockView:
    """The page for these choices; `own` is the table this session has read, if any."""
    try:
        attack = attack_of(inputs, style, own)
        small_print = attack.say("small_print")
    except ValueError as error:
        return BlockView(refusal=refusal_sentence(error))
    return BlockView(
        answer=attack.say("answer" if inputs.draws == "one" else "answer_hundred"),
        small_print=small_print,
        release=release_picture(attack),
        numbers=_numbers(attack),
        risk=risk_picture(attack),
        repeats=repeats_picture(attack),
        notes=attack.table.notes,
        alone=attack.say("alone"),
        sensitivity=attack.say("sensitivity"),
        explained=_explained(attack),
        computed=say("block", "technical", "computed"),
        python=_in_python(attack),
        stated=_stated(attack),
    )


def _numbers(attack: Attack) -> tuple[tuple[str, str, str], ...]:
    context = attack.context
    ending = "_none" if attack.promise is None else "" if attack.kind.on_average else "_geometric"
    rows = [(word("number_right"), context["right"], word("note_right", **context))]
    if attack.of_value:
        rows.append((word("number_table"), context["right_table"], ""))
    return (*rows, (word("number_bound"), f"{context['bound']!s}", attack.say(f"note_bound{ending}")))


def _explained(attack: Attack) -> PageLink | None:
    """The same budget, belief and promise on *What an ε means*."""
    promise = attack.promise
    if promise is None:
        return None
    guarantee, name = attack.kind.asked
    query = {
        "guarantee": guarantee,
        name: number_text(attack.budget),
        "prior": number_text(attack.inputs.prior),
    }
    query |= {"secret": promise.secret.value, "unit": "person", "relation": promise.relation.value}
    return PageLink("explain", word("explained"), tuple(query.items()))


def _stated(attack: Attack) -> tuple[StatedBelief, ...]:
    """The upper bounds the page prints: of any release with this budget, once and repeated."""
    promise, count = attack.promise, attack.inputs.repeats
    if promise is None:
        return ()
    found = []
    for releases, exact in ((1, True), (count, False)):
        bound = attack.bound(np.asarray(releases * attack.budget))
        assert bound is not None
        said = Upper(float(bound), attack.style.belief if exact else number(5))
        found.append(
            StatedBelief(
                attack.inputs.prior,
                said,
                promise,
                attack.released(releases),
                on_average=attack.kind.on_average,
            )
        )
    return tuple(found)


def _in_python(attack: Attack) -> CodeLines:
    """The lines for the belief after the release shown, or for the mean of the beliefs after a hundred."""
    code, inputs = CodeWriter(), attack.inputs
    census = attack.kind.census(inputs)
    budget = code.let("budget", code(census_rho, inputs.level) if census else attack.budget)
    rate = budget if inputs.hides == "presence" else Source(f"{budget} / 2")
    noise = code.let("noise", code(type(attack.noise), **{attack.kind.asked[1]: rate}))
    known = code.let("known", attack.target.known)
    asked = code.let("attack", code(CountAttack, noise, prior=inputs.prior, known=known))
    drawn = Source(f"{noise}.simulate_noise({DRAWN}, seed={inputs.seed})")
    published = code.let("published", Source(f"{known} + {int(inputs.counted)} + {drawn}"))
    hundred = inputs.draws == "hundred"
    said = float(attack.after.mean() if hundred else attack.after[0])
    after = Source(f"{asked}.posterior({published}){'.mean()' if hundred else '[0]'}")
    return code.ending(after, Exact(said, attack.style.belief))
