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
from ui.pictures.table import Table
from ui.views.block.attack import DRAWN, Attack, BlockInputs, word
from ui.views.block.curves import missing_picture, repeats_picture, right_picture, risk_picture, rule_picture
from ui.views.block.releases import law_picture, release_picture
from ui.views.shared.promise import StatedBelief
from ui.views.shared.table_choice import chosen_table, chosen_target, kind_in_words
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Upper, number
from ui.words.refusals import refusal_sentence

MOST_SHOWN = 100


@dataclass(frozen=True)
class BlockView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    release: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    repeats: Picture | None = None
    missing: Picture | None = None
    people: Table | None = None
    notes: tuple[str, ...] = ()
    sensitivity: str = ""
    explained: PageLink | None = None
    stated: tuple[StatedBelief, ...] = ()
    computed: str = ""
    python: CodeLines | None = None
    refusal: str | None = None


def accusations(inputs: BlockInputs, style: Style, own: CountTable | None = None) -> Picture:
    """The fold on wrong accusations and missed people, of choices that are not refused."""
    table = chosen_table(inputs, own)
    return rule_picture(Attack(inputs, table, chosen_target(table, inputs), style))


def block_view(inputs: BlockInputs, style: Style, own: CountTable | None = None) -> BlockView:
    """The page for these choices; `own` is the table this session has read, if any."""
    try:
        table = chosen_table(inputs, own)
        attack = Attack(inputs, table, chosen_target(table, inputs), style)
        context = attack.context
    except ValueError as error:
        return BlockView("", "", refusal=refusal_sentence(error))
    hundred = inputs.draws == "hundred"
    return BlockView(
        answer=attack.say(f"answer{'_hundred' if hundred else ''}{'_value' if attack.of_value else ''}"),
        small_print=attack.say("small_print"),
        release=release_picture(attack),
        numbers=_numbers(attack),
        pictures=(risk_picture(attack), right_picture(attack), law_picture(attack)),
        repeats=repeats_picture(attack),
        missing=None if attack.kind.two_beliefs else missing_picture(attack),
        people=_people(attack),
        notes=table.notes,
        sensitivity=attack.say("sensitivity" if inputs.hides == "presence" else "sensitivity_answers"),
        explained=_explained(attack),
        computed=say("block", style.voice, "computed", **context),
        python=_in_python(attack),
        stated=_stated(attack),
    )


def _numbers(attack: Attack) -> tuple[tuple[str, str, str], ...]:
    ending = attack.kind.ending
    context = attack.context
    note = "note_bound_none" if attack.promise is None else f"note_bound{ending}"
    rows = [
        (
            attack.say("number_count"),
            context["published"],
            word("true_count", count=f"{attack.target.known + attack.counted:,}"),
        ),
        (attack.say("number_times"), context["times"], ""),
    ]
    if attack.of_value:
        rows.append((attack.say("number_table"), context["average_table"], attack.say("note_table")))
    return (*rows, (attack.say(f"number_bound{ending}"), f"{context['bound']!s}", attack.say(note)))


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
    words = attack.say("explained")
    query |= {"secret": promise.secret.value, "unit": "person", "relation": promise.relation.value}
    return PageLink("explain", words, tuple(query.items()))


def _stated(attack: Attack) -> tuple[StatedBelief, ...]:
    """The upper bounds the page prints: of any release with this budget, once and repeated."""
    promise, count = attack.promise, attack.inputs.repeats
    if promise is None:
        return ()
    found = []
    for releases, exact in ((1, True), (count, False)):
        bound = attack.bound(np.asarray(releases * attack.budget))
        assert bound is not None
        said = Upper(float(bound), attack.belief if exact else number(5))
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


def _people(attack: Attack) -> Table:
    """The occupied rows of the place, the target's row marked."""
    counts = attack.table.counts[attack.target.place]
    occupied = [int(cell) for cell in np.flatnonzero(counts)]
    rows = tuple(
        (
            kind_in_words(attack.table.cells[cell]).replace("*", "·"),
            int(counts[cell]),
            word("target") if cell == attack.target.cell else "",
        )
        for cell in occupied[:MOST_SHOWN]
    )
    words = {
        "table": attack.table.name,
        "people": f"{int(counts.sum()):,}",
        "place": attack.context["place"],
        "most": MOST_SHOWN,
        "rows": f"{len(occupied):,}",
    }
    caption = word("people" if len(occupied) <= MOST_SHOWN else "people_first", **words)
    return Table(caption, (word("who"), word("number"), ""), rows)


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
    published = code.let("published", Source(f"{known} + {attack.counted} + {drawn}"))
    hundred = inputs.draws == "hundred"
    said = float(attack.after.mean() if hundred else attack.after[0])
    after = Source(f"{asked}.posterior({published}){'.mean()' if hundred else '[0]'}")
    return code.ending(after, Exact(said, decimal_belief if attack.style.technical else frequency))
