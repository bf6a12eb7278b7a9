"""Attack through the hierarchy: what the counts above a block add, and why the belief about its siblings decides."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial

import numpy as np

from dpcore._cache import cached_by_size
from dpcore._properties import cached_property
from dpcore.attacks import many_levels, two_levels
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.attacks.siblings import EXACT_NOISE_FROM, sparse_prior, sum_noise_error
from dpcore.attacks.two_levels import Effects, TwoLevels, posterior
from dpcore.census import LEVELS, MeasuredAttack, Measurements, census_tables
from dpcore.guarantees import Relation
from dpcore.mechanisms import DiscreteGaussian
from ui.pictures.columns import Column, digits, side_by_side, single
from ui.pictures.decision_tiles import tile_release
from ui.pictures.description import FloatArray
from ui.pictures.marks import HALVES, Axis, Dots, Line, Tiles, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.hierarchy.choices import BELIEFS, SIBLINGS_ABOVE, HierarchyInputs, word
from ui.views.shared.belief_before import told
from ui.views.shared.promise import PageAnswer, PageInMaking, refusing
from ui.words.catalogue import heads, label, say
from ui.words.phrasing import NEAREST, decimal_belief, frequency, percent, plain_number, rounded
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Exact, Typed, Upper, number, whole

UNSEEN = 1e-6
"""An error in a probability below it changes no digit that the plain voice says."""
SMALLEST = 1e-15
"""A belief below it is told as that: its digits say nothing to anybody."""


@cached_by_size()
def _effects(design: TwoLevels, group: int, of_readings: bool) -> Effects:
    """How the attack fares when the target is counted and the group holds so many."""
    over_all = two_levels.effects_of_readings if of_readings else two_levels.effects
    return over_all(block=design.known + 1, group=group, design=design)


sum_error = lru_cache(maxsize=64)(sum_noise_error)
BLOCK = census_tables(levels=["block"])


def tiny(error: float, direction: str) -> str:
    """An error in a probability; one that is smaller than a billionth is rounded up to it."""
    return word("billionth") if error < 1e-9 else plain_number(error, 2, direction)


@dataclass(frozen=True)
class Attacked(PageInMaking):
    """The choices with their numbers, on the way to words and pictures."""

    page = "hierarchy"
    inputs: HierarchyInputs

    def number(self, probability: float) -> str:
        """A probability as this voice says it."""
        if not self.style.technical:
            return frequency(probability)
        return decimal_belief(probability) if probability >= SMALLEST else word("below", smallest=f"{SMALLEST:g}")

    def fine(self, probability: float, direction: str = NEAREST) -> str:
        """A probability where small differences are the point: of 10,000 in the plain voice."""
        if self.style.technical:
            return decimal_belief(probability, direction)
        return word("of_ten_thousand", count=f"{rounded(10_000 * probability, 0, direction):,.0f}")

    def belief(self, name: str) -> float:
        """The exact posterior of this release under a belief about the other blocks."""
        return float(two_levels.posterior(*self.inputs.release, design=self.inputs.design(name)))

    @property
    def alone(self) -> float:
        """The posterior from the block's count alone."""
        return float(self.inputs.design("flat").block_attack.posterior(self.inputs.x1))

    def group(self, name: str) -> int:
        """The true count of the group for averages: nobody else, or what a point belief says."""
        return self.inputs.total if name == "point" else self.inputs.known + 1

    def effects(self, name: str) -> Effects:
        """Averages over all releases under a belief about the other blocks."""
        return _effects(self.inputs.design(name), self.group(name), self.inputs.of_readings)

    @property
    def error(self) -> float:
        """How far the approximate noise of the other blocks is from theirs at most: the sum over tables."""
        inputs, rho = self.inputs, self.inputs.rhos[0]
        rhos = [inputs.in_2020("block", table.query) for table in BLOCK] if inputs.of_readings else [rho]
        return sum(sum_error(terms=inputs.siblings, rho=one) for one in rhos)

    def believing(self, name: str) -> str:
        """A belief about the other blocks in words."""
        inputs = self.inputs
        return self.say(
            f"believing_{name}",
            largest=Typed(inputs.largest, whole),
            total=inputs.total,
            empty=self.number(inputs.empty),
        )

    @cached_property
    def context(self) -> dict[str, object]:
        """Words and numbers every passage may use."""
        inputs = self.inputs
        other = "flat" if inputs.belief == "sparse" else "sparse"
        chosen, size = self.effects(inputs.belief), self.group(inputs.belief)
        design, error = inputs.design(inputs.belief), Upper(self.error, tiny)
        relation = Relation.ADD_OR_REMOVE if inputs.budget == "own" else Relation.REPLACE
        seen = self.style.technical or self.error > UNSEEN
        return {
            **{name: getattr(inputs, name) for name in ("x1", "x2", "y", "siblings", "known")},
            "prior": self.number(inputs.prior),
            "alone": self.number(self.alone),
            "belief": self.number(self.belief(inputs.belief)),
            "believing": self.believing(inputs.belief),
            "contrast": self.number(self.belief(other)),
            "contrast_believing": self.believing(other),
            "truth": word("truth_alone" if size == inputs.known + 1 == 1 else "truth_among", size=f"{size:,}"),
            "right": self.number(chosen.right),
            "right_alone": self.number(chosen.block_only),
            "average": self.number(chosen.marginal_posterior),
            "rho_block": plain_number(inputs.rhos[0], 4),
            "rho_group": plain_number(inputs.rhos[1], 4),
            "error": error,
            "exact_from": EXACT_NOISE_FROM,
            "noise": self.say("noise_approximate", error=error) if design.noise == "approximate" and seen else "",
            "promise": say("promise", self.style.voice, f"relation_{relation.value}"),
            "knows": self.say("knows_census") if inputs.of_readings else "",
            "estimated": self.say("estimated") if inputs.of_readings else "",
        }


@dataclass(frozen=True, kw_only=True)
class HierarchyView(PageAnswer):
    """Everything the page shows at once; what is folded comes from the functions below when it is opened."""

    map: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    beliefs: Picture | None = None


@refusing(HierarchyView)
def hierarchy_view(inputs: HierarchyInputs, style: Style) -> HierarchyView:
    """The page for these choices."""
    if inputs.budget == "own" and len(inputs.rho_above) != len(inputs.siblings_above):
        counts = {"rhos": len(inputs.rho_above), "siblings": len(inputs.siblings_above)}
        return HierarchyView(refusal=word("levels_refused", **counts))
    for belief, people in {"bounded": inputs.largest, "point": inputs.total}.items():
        if people <= inputs.known:
            if belief == inputs.belief:
                return HierarchyView(refusal=word("group_refused", known=f"{inputs.known:,}", count=people))
            enough = inputs.known + 1
            inputs = replace(inputs, largest=enough) if belief == "bounded" else replace(inputs, total=enough)
    attacked = Attacked(inputs, style)
    context = attacked.context
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
    notes = {"prior": "", "alone": "", "belief": "", "right": word("note_right", **context)}
    return tuple((word(f"number_{name}"), str(context[name]), note) for name, note in notes.items())


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
    ends = {name: f"{end}".replace("-", "−") for name, end in (("low", across[0]), ("high", across[-1]))}
    words = {name: attacked.say(f"map_{name}", **ends) for name in ("across", "up", "counted", "not", "hover")}
    x1, x2, y = (axis.ravel() for axis in np.meshgrid(panels, across, up, indexing="ij"))
    alone = [word("yes" if one else "no") for one in np.repeat(np.asarray(shown.block_only), len(across) * len(up))]
    rows = [
        side_by_side(
            Column("block", word("map_block"), x1.tolist(), said=int),
            Column("group", word("map_group"), x2.tolist(), quantity=words["across"].replace("<br>", "\n"), said=int),
            Column("siblings", word("map_siblings"), y.tolist(), quantity=words["up"], said=int),
            Column("belief", word("map_belief"), np.asarray(shown.posteriors).ravel(), said=digits(4)),
            Column("decides", word("map_decides"), np.asarray(shown.decisions).ravel(), said=int),
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
    reading = attacked.say("reading_map", switched=attacked.number(switched), **attacked.context)
    return Picture.of("hierarchy-map", rows, (tiles,), reading=reading, caption=word("map"), style=style, height=430)


def _beliefs_picture(attacked: Attacked) -> Picture:
    """What each belief about the other blocks makes of this release and of all releases."""
    inputs, style = attacked.inputs, attacked.style
    held = {
        "largest": Typed(inputs.largest, whole),
        "total": inputs.total,
        "empty": percent(inputs.empty, 1).replace(".0", ""),
    }
    now = [attacked.belief(name) for name in BELIEFS]
    effects = [attacked.effects(name) for name in BELIEFS]
    title = word("probability")
    beliefs = side_by_side(
        Column("belief", word("belief_head"), [attacked.say(f"believed_in_{name}", **held) for name in BELIEFS]),
        Column("now", attacked.say("dots_now"), now, quantity=title, said=digits(5)),
        Column("average", word("average_belief"), [effect.marginal_posterior for effect in effects], said=digits(5)),
        Column("right", attacked.say("dots_right"), [each.right for each in effects], quantity=title, said=digits(5)),
        Column("holds", word("holds"), [attacked.group(code) for code in BELIEFS]),
        Column("chosen", word("chosen"), [code == inputs.belief for code in BELIEFS], listed=False),
    )
    dots = partial(Dots, y="belief", size=13, outlined=True)
    right = dots(x="right", role="reach", symbol="diamond")
    return Picture.of(
        "hierarchy-beliefs",
        (beliefs, side_by_side(single("alone", attacked.say("dots_level"), effects[0].block_only, quantity=title))),
        (dots(x="now"), right, Upright(x="alone", dash="dash", at=1.01, beside="center")),
        reading=attacked.say("reading_beliefs", **attacked.context),
        caption=word("beliefs"),
        x=Axis(range=(0.0, 1.0), ticks=HALVES),
        y=Axis(rows=True, chosen="chosen"),
        style=style,
        legend="below",
        height=290,
    )


def _names(inputs: HierarchyInputs) -> tuple[str, ...]:
    """What each level is called: as in 2020, or by its number where there are others."""
    named = 6 if _as_in_2020(inputs) else 2
    names = [f"{'+ ' if place else ''}{label('block', f'level.{level}')}" for place, level in enumerate(LEVELS[::-1])]
    return (
        *names[: min(named, len(inputs.rhos))],
        *(word("level_own", place=place) for place in range(named + 1, len(inputs.rhos) + 1)),
    )


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
    rows = side_by_side(
        Column("level", word("up_to"), _names(inputs)),
        Column("rho", word("level_rho"), rhos, said=digits(4)),
        Column("siblings", word("level_siblings"), [*siblings[: len(rhos) - 1], None], said=int),
        Column("effective", word("effective_rho"), effective, said=digits(10)),
        Column("edge", attacked.say("levels_edge"), edge, quantity=belief, said=digits(5)),
        Column("unique", attacked.say("levels_unique"), unique, quantity=belief, said=digits(5)),
    )
    unsure = Line(x="level", y="edge", label=3)
    return Picture.of(
        "hierarchy-levels",
        (rows,),
        (Line(x="level", y="unique", role="reach", dash="dash", label=2, beside=("left", "top")), unsure),
        reading=attacked.say(
            "reading_levels",
            **gains_in_words(inputs, style),
            levels=len(rhos),
            rho_first=plain_number(effective[0], 5),
            rho_second=plain_number(effective[1], 5),
            rho_last=plain_number(effective[-1], 5),
            rho_limit=Upper(rhos[0] * (1 + 1 / siblings[0]), number(5)),
        ),
        caption=word("levels_2020" if _as_in_2020(inputs) else "levels"),
        x=Axis(rows=True, titled=False),
        style=style,
    )


@dataclass(frozen=True, kw_only=True)
class MeasuredView(PageAnswer):
    """The sentence, the small print, and a row for each level; or why there are none."""

    levels: Table | None = None
    attack: MeasuredAttack | None = None


@refusing(MeasuredView)
def measured_view(own: Measurements, person: str, instead: str, prior: float, style: Style) -> MeasuredView:
    """The attack with all measurements of a file on the person of a cell, beside another cell or another place."""
    say_here, before = partial(say, "hierarchy", style.voice), told(prior, style, typed=True)
    attack = MeasuredAttack(own, person, instead=instead.strip() or None, prior=before.prior)
    cells, known = (sum(getattr(level, name) for level in attack.by_level) for name in ("cells", "known"))
    words = {
        "cells": f"{cells:,}",
        "known": f"{known:,}",
        "asked": say_here(f"measured_{'value' if attack.instead else 'place'}"),
        "elsewhere": "" if attack.instead else f" {say_here('measured_elsewhere')}",
        "before": before.words,
        "after": replace(style, of=max(before.of, style.of)).belief(attack.posterior),
    }
    rows = [
        (
            label("block", f"level.{level.level}"),
            level.area,
            f"{level.known:,} / {level.cells:,}",
            "–" if level.reading is None else plain_number(level.reading, 3),
            "–" if level.reading is None else plain_number(level.rho, 3),
            plain_number(math.exp(min(max(level.moved, -700.0), 700.0)), 3),
        )
        for level in attack.by_level
    ]
    return MeasuredView(
        answer=say_here("measured", **words),
        small_print=say_here("measured_print", **words),
        levels=Table(label("hierarchy", "levels"), heads("hierarchy", "measured_levels"), tuple(rows)),
        attack=attack,
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
