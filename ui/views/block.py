"""Attack one block: one release read as a belief, then every release there could have been."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcore.populations import CountTable
from ui.link.fields import number_text
from ui.link.way import Way
from ui.pictures.atoms import Atoms, atoms
from ui.pictures.look import Look
from ui.pictures.noisy_release import Releases, noisy_release
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.block_attack import Attack, without_marks
from ui.views.block_choices import FIELDS, BlockInputs
from ui.views.block_curves import right_picture, risk_picture
from ui.views.block_folds import missing_picture, repeats_picture, rule_picture
from ui.views.handing_on import way_with_promise
from ui.views.promise import StatedBelief, promise_query
from ui.views.table_choice import chosen_table, chosen_target
from ui.words.passages import say
from ui.words.phrasing import count_of_hundred, decimal_belief, plain_number
from ui.words.quantities import Upper, number
from ui.words.refusals import refusal_sentence

__all__ = ["FIELDS", "BlockInputs", "BlockView", "accusations", "block_view"]

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
    explained: Way | None = None
    stated: tuple[StatedBelief, ...] = ()
    computed: str = ""
    refusal: str | None = None


def accusations(inputs: BlockInputs, look: Look, own: CountTable | None = None) -> Picture:
    """The fold on wrong accusations and missed people, of choices that are not refused."""
    table = chosen_table(inputs.table_choice, own)
    return rule_picture(Attack(inputs, table, chosen_target(table, inputs.table_choice), look))


def block_view(inputs: BlockInputs, look: Look, own: CountTable | None = None) -> BlockView:
    """The page for these choices; `own` is the table this session has read, if any."""
    try:
        table = chosen_table(inputs.table_choice, own)
        attack = Attack(inputs, table, chosen_target(table, inputs.table_choice), look)
        facts = attack.facts
    except ValueError as error:
        return BlockView("", "", refusal=refusal_sentence(error))
    hundred = inputs.draws == "hundred"
    return BlockView(
        answer=attack.say(f"answer{'_hundred' if hundred else ''}{'_value' if attack.of_value else ''}"),
        small_print=attack.say("small_print"),
        release=_release_picture(attack),
        numbers=_numbers(attack),
        pictures=(risk_picture(attack), right_picture(attack), _law_picture(attack)),
        repeats=repeats_picture(attack),
        missing=None if attack.kind.two_beliefs else missing_picture(attack),
        people=_people(attack),
        notes=table.notes,
        sensitivity=attack.say("sensitivity" if inputs.hides == "presence" else "sensitivity_answers"),
        explained=_explained(attack),
        computed=say("block", look.voice, "computed", **facts),
        stated=_stated(attack),
    )


def _numbers(attack: Attack) -> tuple[tuple[str, str, str], ...]:
    ending = attack.kind.ending
    facts = attack.facts
    note = "note_bound_none" if attack.promise is None else f"note_bound{ending}"
    rows = [
        (attack.say("number_count"), facts["published"], f"true count {attack.target.known + attack.truth:,}"),
        (attack.say("number_times"), facts["times"], ""),
    ]
    if attack.of_value:
        rows.append((attack.say("number_table"), facts["average_table"], attack.say("note_table")))
    return (*rows, (attack.say(f"number_bound{ending}"), f"{facts['bound']!s}", attack.say(note)))


def _explained(attack: Attack) -> Way | None:
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
    return way_with_promise("explain", words, query, promise_query(promise.secret, "person", 1, promise.relation))


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
            attack.table.cell_label(cell).replace("*", "·"),
            int(counts[cell]),
            "the attacker's target is here" if cell == attack.target.cell else "",
        )
        for cell in occupied[:MOST_SHOWN]
    )
    left_out = "" if len(occupied) <= MOST_SHOWN else f"; the first {MOST_SHOWN} of {len(occupied):,} rows"
    place = attack.facts["place"]
    caption = f"{attack.table.name}: {int(counts.sum()):,} people in {place}{left_out}"
    return Table(caption, ("who", "people", ""), rows)


def _release_picture(attack: Attack) -> Picture:
    inputs, look, target = attack.inputs, attack.look, attack.target
    reach = max(3.0, 3.6 * attack.noise.std)
    first = int(min(target.known - reach, attack.drawn[0] - 1))
    last = int(max(target.known + 1 + reach, attack.drawn[0] + 1))
    counts = np.arange(first, last + 1, max(1, (last - first) // 400), dtype=float)
    counts = np.union1d(counts, [float(attack.drawn[0])])
    present = np.asarray(attack.noise.pmf(counts - target.known - 1))
    absent = np.asarray(attack.noise.pmf(counts - target.known))
    hundred = inputs.draws == "hundred"
    after = float(attack.after.mean()) if hundred else float(attack.after[0])
    short = decimal_belief if look.technical else count_of_hundred
    drawing = noisy_release(
        Releases(counts, present, absent, int(attack.drawn[0]), attack.drawn if hundred else attack.drawn[:0]),
        before=(inputs.prior, short(inputs.prior)),
        after=(after, short(after)),
        spread=(float(attack.after.min()), float(attack.after.max())) if hundred else None,
        words={
            "present": f"if {attack.worlds[0]}" if not look.technical else "H₁",
            "absent": ("if another" if attack.of_value else "if not") if not look.technical else "H₀",
            "published": f"published: {attack.facts['published']}",
            "times": f"{attack.facts['times']} as likely<br>with {'that value' if attack.of_value else 'the person'}"
            if not look.technical
            else f"likelihood ratio {plain_number(attack.likelihood, 4)}",
            "x_title": "noisy count that could be published",
            "before": "before",
            "after": "after" if not hundred else "after, on average",
        },
        look=look,
    )
    shown = present + absent > 1e-3 * (present + absent).max()
    rows = tuple(
        (int(count), plain_number(float(a), 4), plain_number(float(b), 4), plain_number(float(c), 5))
        for count, a, b, c in zip(
            counts[shown], present[shown], absent[shown], attack.posterior(counts[shown]), strict=True
        )
    )
    reading = attack.say("reading_release_value" if attack.of_value else "reading_release")
    table = Table(
        "Every noisy count that could be published, how likely it is, and the belief it leads to",
        ("noisy count", *(f"if {world}" for world in attack.worlds), "belief after"),
        rows[:400],
    )
    alt = (
        f"Belief before: {attack.facts['before']}. Two overlapping distributions of the noisy count, one if the person "
        f"is counted and one if not; {attack.facts['published']} was published. Belief after: {attack.belief(after)}."
    )
    return Picture("release", drawing, reading, alt, table)


def _law_picture(attack: Attack) -> Picture:
    target = attack.target
    reach = max(2.0, 4.5 * attack.noise.std)
    step = max(1, int(2 * reach) // 150)
    gaps = np.arange(-math.ceil(reach), math.ceil(reach) + 2, step, dtype=float)
    beliefs = attack.posterior(gaps + target.known)
    laws = []
    yes, no = attack.worlds
    for name, truth, role, symbol in ((no, 0, "reach", "square-open"), (yes, 1, "accent", "circle")):
        near = gaps[:, None] + np.arange(step) - truth  # with wide noise neighbouring counts share a stem
        mass = np.asarray(attack.noise.pmf(near)).sum(axis=1)
        if attack.kind.two_beliefs:
            values, inverse = np.unique(beliefs, return_inverse=True)
            sides = np.bincount(inverse, weights=mass)
            laws.append(Atoms(name, values, sides / sides.sum(), role, symbol))
        else:
            laws.append(Atoms(name, beliefs, mass, role, symbol))
    average = float(attack.average(np.asarray(attack.rate)))
    drawing = atoms(
        laws,
        upright=(
            (attack.inputs.prior, "before", "quiet"),
            (average, f"average, if {yes}", "accent"),
            (float(attack.after[0]), "this release", "mark"),
        ),
        x_title="belief after the release",
        y_title="how often",
        look=attack.look,
    )
    rows = tuple(
        (plain_number(float(x), 5), plain_number(float(a), 4), plain_number(float(b), 4))
        for x, a, b in zip(laws[1].values, laws[1].probabilities, laws[0].probabilities, strict=True)
        if a + b > 1e-7
    )
    reading = attack.say("reading_law_value" if attack.of_value else "reading_law")
    table = Table(without_marks(reading), ("belief after", f"if {yes}", f"if {no}"), rows)
    return Picture(
        "law", drawing, reading, f"{without_marks(reading)} Shown as stems over the belief from 0 to 1.", table
    )
