"""Attack through the hierarchy: what the counts above a block add, and why the belief about its siblings decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore._kept import kept_in_bytes
from dpcore.attacks import many_levels, post_processed, published_chain, repeated, two_levels
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.siblings import (
    EXACT_NOISE_FROM,
    FLAT,
    SiblingPrior,
    sparse_prior,
    sum_noise_error,
)
from dpcore.attacks.two_levels import Effects, TwoLevels
from dpcore.guarantees import Relation
from dpcore.mechanisms import DiscreteGaussian
from dpcore.populations import CENSUS_LEVELS, census_rho
from dpcore.promise import Promise, Secret
from ui.link.fields import Field
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.decision_tiles import tile_release
from ui.pictures.look import Look
from ui.pictures.marks import Axis, Dots, Line, Mark, Panel, Spot, Tiles, Upright
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.promise import promise_words
from ui.words.passages import say
from ui.words.phrasing import NEAREST, decimal_belief, frequency, how_often, people, percent, plain_number, rounded
from ui.words.quantities import Typed, Upper, number, whole
from ui.words.refusals import refusal_sentence

FloatArray = NDArray[np.float64]

BELIEFS = ("flat", "bounded", "point", "sparse")

MAPS = {"exact": two_levels.decision_map, "published": published_chain.decision_map}

FIELDS: tuple[Field, ...] = (
    Field("belief", "What does the attacker believe about the other blocks?", "choice", "flat", options=BELIEFS),
    Field("x1", "Block", "count", 2, low=-10_000, high=10_000, help="Noisy count of the block"),
    Field("x2", "Group", "count", 1, low=-10_000, high=10_000, help="Noisy count of the block group"),
    Field("y", "Others", "count", -1, low=-100_000, high=100_000, help="Sum of the other blocks' noisy counts"),
    Field("largest", "Largest count of the whole group", "count", 10, low=1, high=300),
    Field("total", "Count of the whole group", "count", 1, low=1, high=1_000),
    Field("empty", "Belief that nobody else is there", "number", 0.99, low=0, high=1),
    Field("chain", "Beliefs in the picture", "choice", "exact", options=("exact", "published")),
    Field("budget", "Budget", "choice", "census", options=("census", "own")),
    Field("total_rho", "ρ of the whole file (2020: 2.56)", "number", 2.56, low=0.5, high=100),
    Field("rho_block", "ρ of a block's count", "number", 0.0992, low=0.03, high=10),
    Field("rho_group", "ρ of the group's count", "number", 0.2465, low=0.03, high=10),
    Field("siblings", "Other blocks of the group", "count", 27, low=1, high=100),
    Field("prior", "Belief before the release", "number", 0.5, low=1e-9, high=0.999),
    Field("known", "People of the kind the attacker knows in the block", "count", 0, low=0, high=1_000),
    Field(
        "noise", "Noise of a sum in the attacker's model", "choice", "auto", options=("auto", "approximate", "exact")
    ),
    Field("seed", "Seed of the drawn releases (level by level)", "count", 1, low=0, high=999_999),
)

SIBLINGS_ABOVE = (3, 20, 100, 50)
"""Other groups of the tract, tracts of the county, counties of the state, states: round numbers of ours."""
DRAWS = 100
SMALLEST = 1e-15
"""A belief below it is told as that: its digits say nothing to anybody."""
PRESENCE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)
"""The secret of this page; the noise of a count is for one record added or removed."""


@dataclass(frozen=True)
class HierarchyInputs:
    """What a reader chose on this page."""

    belief: str = "flat"
    x1: int = 2
    x2: int = 1
    y: int = -1
    largest: int = 10
    total: int = 1
    empty: float = 0.99
    chain: str = "exact"
    budget: str = "census"
    total_rho: float = 2.56
    rho_block: float = 0.0992
    rho_group: float = 0.2465
    siblings: int = 27
    prior: float = 0.5
    known: int = 0
    noise: str = "auto"
    seed: int = 1

    @property
    def rhos(self) -> tuple[float, ...]:
        """ρ of the six census levels from the block up; with a budget of one's own, of the lower two."""
        census = self.total_rho if self.budget == "census" else 2.56
        levels = tuple(census_rho(level.key, total_rho=census) for level in reversed(CENSUS_LEVELS))
        return levels if self.budget == "census" else (self.rho_block, self.rho_group, *levels[2:])

    @property
    def release(self) -> tuple[int, int, int]:
        """The three noisy counts the attacker sees."""
        return self.x1, self.x2, self.y

    def sibling_prior(self, belief: str) -> SiblingPrior:
        """A belief about the other blocks, by its name."""
        if belief == "bounded":
            return SiblingPrior("bounded", total=self.largest)
        if belief == "point":
            return SiblingPrior("point", total=self.total)
        return sparse_prior(empty=self.empty) if belief == "sparse" else FLAT

    def design(self, belief: str) -> TwoLevels:
        """The two-level attack under a belief about the other blocks."""
        rho_block, rho_group = self.rhos[:2]
        exact = self.noise == "exact" or (self.noise == "auto" and rho_block > EXACT_NOISE_FROM)
        return TwoLevels(
            rho_block,
            rho_group,
            self.siblings,
            self.prior,
            self.known,
            self.sibling_prior(belief),
            "exact" if exact else "approximate",
        )


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
    refusal: str | None = None


@kept_in_bytes()
def _effects(design: TwoLevels, group: int) -> Effects:
    """How the attack fares when the target is counted and the group holds so many."""
    return two_levels.effects(block=design.known + 1, group=group, design=design)


@lru_cache(maxsize=64)
def _sum_error(terms: int, rho: float) -> float:
    return sum_noise_error(terms=terms, rho=rho)


def tiny(error: float, direction: str) -> str:
    """An error in a probability; one that is smaller than a billionth is rounded up to it."""
    return "one in a billion" if error < 1e-9 else plain_number(error, 2, direction)


@dataclass(frozen=True)
class Attacked:
    """The choices with their numbers, on the way to words and pictures."""

    inputs: HierarchyInputs
    look: Look

    def number(self, probability: float) -> str:
        """A probability as this voice says it."""
        if not self.look.technical:
            return frequency(probability)
        return decimal_belief(probability) if probability >= SMALLEST else f"below {SMALLEST:g}"

    def often(self, probability: float) -> str:
        """How often something happens, as this voice says it."""
        return decimal_belief(probability) if self.look.technical else how_often(probability)

    def fine(self, probability: float, direction: str = NEAREST) -> str:
        """A probability where small differences are the point: of 10,000 in the plain voice."""
        if self.look.technical:
            return decimal_belief(probability, direction)
        return f"{rounded(10_000 * probability, 0, direction):,.0f} in 10,000"

    def belief(self, name: str) -> float:
        """The exact posterior of this release under a belief about the other blocks."""
        return float(two_levels.posterior(*self.inputs.release, design=self.inputs.design(name)))

    @property
    def alone(self) -> float:
        """The posterior from the block's count alone."""
        inputs = self.inputs
        return float(inputs.design("flat").block_attack.posterior(inputs.x1))

    @property
    def chain(self) -> float | None:
        """What the chain behind the printed tables makes of this release; None where it is not defined."""
        if self.inputs.belief == "sparse":
            return None
        return float(published_chain.posterior(*self.inputs.release, design=self.inputs.design(self.inputs.belief)))

    def group(self, name: str) -> int:
        """The true count of the group for averages: nobody else, or what a point belief says."""
        return self.inputs.total if name == "point" else self.inputs.known + 1

    def effects(self, name: str) -> Effects:
        """Averages over all releases under a belief about the other blocks."""
        return _effects(self.inputs.design(name), self.group(name))

    def believed(self, name: str) -> str:
        """A belief about the other blocks in words."""
        inputs = self.inputs
        return say(
            "hierarchy",
            self.look.voice,
            f"believed_{name}",
            largest=Typed(inputs.largest, whole),
            total=inputs.total,
            empty=self.number(inputs.empty),
        )

    @property
    def truth(self) -> str:
        """Who is sought, in words."""
        size = self.group(self.inputs.belief)
        if size == self.inputs.known + 1 == 1:
            return "somebody who is the only one of their kind in the whole block group"
        return f"one of the {people(size)} of their kind in the block group"

    @property
    def noise(self) -> str:
        """How the noise of a sum is treated and what the approximation costs."""
        inputs = self.inputs
        error = _sum_error(inputs.siblings, inputs.rhos[0])
        exact = inputs.design(inputs.belief).noise == "exact"
        return say(
            "hierarchy",
            self.look.voice,
            "noise_exact" if exact else "noise_approximate",
            error=Upper(error, tiny),
            siblings=inputs.siblings,
        )

    @property
    def facts(self) -> dict[str, object]:
        """Words and numbers every passage may use."""
        inputs = self.inputs
        other = "flat" if inputs.belief == "sparse" else "sparse"
        chosen, contrast = self.effects(inputs.belief), self.effects(other)
        chain = self.chain
        return {
            "x1": inputs.x1,
            "x2": inputs.x2,
            "y": inputs.y,
            "prior": self.number(inputs.prior),
            "alone": self.number(self.alone),
            "belief": self.number(self.belief(inputs.belief)),
            "believed": self.believed(inputs.belief),
            "contrast": self.number(self.belief(other)),
            "contrast_believed": self.believed(other),
            "truth": self.truth,
            "right": self.often(chosen.right),
            "right_alone": self.often(chosen.block_only),
            "right_contrast": self.often(contrast.right),
            "average": self.number(chosen.marginal_posterior),
            "chain": "not defined" if chain is None else self.number(chain),
            "rho_block": plain_number(inputs.rhos[0], 4),
            "rho_group": plain_number(inputs.rhos[1], 4),
            "siblings": inputs.siblings,
            "known": inputs.known,
            "noise": self.noise,
            "promise": say(
                "hierarchy",
                self.look.voice,
                "promise",
                about=promise_words(PRESENCE, self.look.voice)["promise"],
            ),
        }


def hierarchy_view(inputs: HierarchyInputs, look: Look) -> HierarchyView:
    """The page for these choices."""
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
        map=_map(attacked, facts),
        numbers=_numbers(attacked, facts),
        beliefs=_beliefs(attacked, facts),
        computed=say("hierarchy", look.voice, "computed", **facts),
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


def _map(attacked: Attacked, facts: dict[str, object]) -> Picture:
    inputs, look = attacked.inputs, attacked.look
    panels, across, up = map_axes(inputs)
    shown = MAPS[inputs.chain](
        design=inputs.design(inputs.belief), block_counts=panels, group_counts=across, sibling_sums=up
    )
    ends = {"low": across[0], "high": across[-1]}
    words = {
        name: say("hierarchy", look.voice, f"map_{name}", **ends)
        for name in ("across", "up", "counted", "not", "hover")
    }
    x1, x2, y = (axis.ravel() for axis in np.meshgrid(panels, across, up, indexing="ij"))
    alone = ["yes" if one else "no" for one in np.repeat(np.asarray(shown.block_only), len(across) * len(up))]
    belief, decided = np.asarray(shown.posteriors).ravel(), np.asarray(shown.decisions).ravel()
    rows = [
        side_by_side(
            Column("block", "block x₁*", x1.tolist(), said=int),
            Column("group", "group x₂*", x2.tolist(), quantity=words["across"].replace("<br>", "\n"), said=int),
            Column("siblings", "siblings y*", y.tolist(), quantity=words["up"], said=int),
            Column("belief", "belief", belief, said=digits(4)),
            Column("decides", "decides counted", decided, said=int),
            Column("alone", "the block alone decides so", alone, listed=False),
            listed=np.flatnonzero((y % 5 == 0) | (y == inputs.y)).tolist(),
        )
    ]
    chosen = None
    if inputs.x1 in panels and inputs.x2 in across and inputs.y in up:
        chosen = ("this_block", "this_group", "this_siblings")
        rows.append(
            side_by_side(
                single("this_block", "this release, block x₁*", inputs.x1),
                single("this_group", "this release, group x₂*", inputs.x2),
                single("this_siblings", "this release, siblings y*", inputs.y),
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
    reading = say(
        "hierarchy",
        look.voice,
        f"reading_map_{inputs.chain}",
        switched=attacked.number(switched),
        **facts,
    )
    return Picture(
        key="hierarchy-map",
        numbers=Numbers("Belief and decision by release (every fifth sum)", tuple(rows)),
        marks=(tiles,),
        reading=reading,
        look=look,
        height=430,
    )


def _beliefs(attacked: Attacked, facts: dict[str, object]) -> Picture:
    """What each belief about the other blocks makes of this release and of all releases."""
    inputs, look = attacked.inputs, attacked.look
    names = [say("hierarchy", look.voice, f"belief_{name}", **_parameters(inputs)) for name in BELIEFS]
    now = [attacked.belief(name) for name in BELIEFS]
    effects = [attacked.effects(name) for name in BELIEFS]
    title = say("hierarchy", look.voice, "dots_title")
    beliefs = side_by_side(
        Column("belief", "belief", names),
        Column("now", say("hierarchy", look.voice, "dots_now"), now, quantity=title, said=digits(5)),
        Column("average", "average belief", [effect.marginal_posterior for effect in effects], said=digits(5)),
        Column(
            "right",
            say("hierarchy", look.voice, "dots_right"),
            [effect.right for effect in effects],
            quantity=title,
            said=digits(5),
        ),
        Column("tie", "exact tie", [effect.tie for effect in effects], said=digits(3)),
        Column("holds", "group truly holds", [attacked.group(code) for code in BELIEFS]),
        Column("chosen", "chosen", [code == inputs.belief for code in BELIEFS], listed=False),
    )
    level = side_by_side(
        single("alone", say("hierarchy", look.voice, "dots_level"), effects[0].block_only, quantity=title)
    )
    words = {
        "alone_right": attacked.often(effects[0].block_only),
        "flat_right": attacked.often(effects[BELIEFS.index("flat")].right),
        "sparse_right": attacked.often(effects[BELIEFS.index("sparse")].right),
    }
    reading = say("hierarchy", look.voice, "reading_beliefs", **facts, **words)
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
        look=look,
        legend="below",
        height=290,
    )


def _parameters(inputs: HierarchyInputs) -> dict[str, object]:
    empty = percent(inputs.empty, 1).replace(".0", "")
    return {"largest": Typed(inputs.largest, whole), "total": inputs.total, "empty": empty}


@lru_cache(maxsize=8)
def _drawn_calls(rhos: tuple[float, ...], siblings: tuple[int, ...], prior: float, seed: int) -> tuple[float, ...]:
    """Share of drawn releases in which a target who is alone everywhere is called, with 1, 2, ... levels."""
    noise = [
        DiscreteGaussian(rho=rho).simulate_noise(DRAWS, 1000 * seed + 10 * level) for level, rho in enumerate(rhos)
    ]
    sums = [
        DiscreteGaussian(rho=rho)
        .simulate_noise(DRAWS * number, 1000 * seed + 10 * level + 5)
        .reshape(DRAWS, number)
        .sum(1)
        for level, (rho, number) in enumerate(zip(rhos, siblings, strict=False))
    ]
    called = []
    for levels in range(1, len(rhos) + 1):
        odds = [
            many_levels.log_odds(
                [1 + int(noise[level][draw]) for level in range(levels)],
                [int(sums[level][draw]) for level in range(levels - 1)],
                rhos=rhos[:levels],
                siblings_per_level=siblings[: levels - 1],
                prior=prior,
            )
            for draw in range(DRAWS)
        ]
        called.append(float(np.mean(np.array(odds) > 0)))
    return tuple(called)


def _of_draws(share: float) -> str:
    """A share of the drawn releases as so many of them."""
    return f"{round(DRAWS * share)} of {DRAWS}"


LEVEL_NAMES = ("block", "+ block group", "+ tract", "+ county", "+ state", "+ nation")


def build_up(inputs: HierarchyInputs, look: Look) -> Picture:
    """What each further level adds: for an attacker who must guess the siblings, and for one who knows everybody."""
    attacked, rhos = Attacked(inputs, look), inputs.rhos
    siblings = (inputs.siblings, *SIBLINGS_ABOVE)
    count = range(1, len(rhos) + 1)
    effective = [many_levels.effective_rho(rhos[:levels], siblings[: levels - 1]) for levels in count]
    edge = np.asarray(
        CountAttack(DiscreteGaussian(rho=effective[0]), prior=inputs.prior).over(effective).marginal_posterior()
    )
    unique = np.array([repeated.marginal_posterior(rhos=rhos[:levels], prior=inputs.prior) for levels in count])
    called = _drawn_calls(rhos, siblings, inputs.prior, inputs.seed)
    belief = say("hierarchy", look.voice, "level_axis")
    every = range(len(rhos))
    rows = side_by_side(
        Column("level", "up to", LEVEL_NAMES[: len(rhos)]),
        Column("rho", "ρ", rhos, said=digits(4)),
        Column("siblings", "siblings", [siblings[at] if at + 1 < len(rhos) else None for at in every], said=int),
        Column("effective", "effective ρ", effective, said=digits(10)),
        Column("edge", say("hierarchy", look.voice, "levels_edge"), edge, quantity=belief, said=digits(5)),
        Column("unique", say("hierarchy", look.voice, "levels_unique"), unique, quantity=belief, said=digits(5)),
        Column("called", "called", called, said=_of_draws),
    )
    reading = say(
        "hierarchy",
        look.voice,
        "reading_levels",
        first=attacked.fine(edge[0]),
        second=attacked.fine(edge[1]),
        last=attacked.fine(edge[-1]),
        unique=attacked.fine(unique[-1]),
        rho_first=plain_number(effective[0], 5),
        rho_second=plain_number(effective[1], 5),
        rho_last=plain_number(effective[-1], 5),
        rho_limit=Upper(rhos[0] * (1 + 1 / siblings[0]), number(5)),
        called_first=round(DRAWS * called[0]),
        called_last=round(DRAWS * called[-1]),
        draws=DRAWS,
    )
    caption = (
        "Level by level. Siblings above the block group are round numbers of ours; right calls are counted in seeded "
        "draws of a target alone at every level, under a flat belief at each"
    )
    return Picture(
        key="hierarchy-levels",
        numbers=Numbers(caption, (rows,)),
        marks=(
            Line(x="level", y="unique", role="reach", dash="dash", label=2, beside=("left", "top")),
            Line(x="level", y="edge", label=3),
        ),
        panels=(Panel(x=Axis(rows=True, titled=False)),),
        reading=reading,
        look=look,
    )


def after_fitting(inputs: HierarchyInputs, look: Look) -> Picture:
    """What post-processing takes away: the block's count fitted to the group's, against the bound that holds."""
    attacked, rho = Attacked(inputs, look), inputs.rhos[0]
    groups = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200])
    d, prior = inputs.siblings, inputs.prior
    average = np.array(
        [post_processed.marginal_posterior(group=int(group), rho=rho, siblings=d, prior=prior) for group in groups]
    )
    bound = post_processed.marginal_posterior_upper(rho=rho, siblings=d, prior=prior)
    one = float(CountAttack(DiscreteGaussian(rho=rho), prior=inputs.prior).marginal_posterior())
    passing = int((average > one + 1e-9).sum())
    passed = say(
        "hierarchy",
        look.voice,
        "post_passed" if passing else "post_not_passed",
        many=passing,
        groups=groups.size,
    )
    words = {"one": attacked.fine(one), "bound": Upper(bound, attacked.fine), "passed": passed}
    belief = say("hierarchy", look.voice, "level_axis")
    fitted = side_by_side(
        Column("group", "group", groups, quantity=say("hierarchy", look.voice, "post_axis"), said=int),
        Column("fitted", say("hierarchy", look.voice, "post_curve"), average, quantity=belief, said=digits(6)),
        Column(
            "alone",
            say("hierarchy", look.voice, "post_one", **words),
            np.full(groups.size, one),
            quantity=belief,
            listed=False,
        ),
        Column(
            "bound",
            say("hierarchy", look.voice, "post_bound"),
            np.full(groups.size, bound),
            quantity=belief,
            listed=False,
        ),
    )
    reading = say(
        "hierarchy",
        look.voice,
        "reading_post",
        low=attacked.fine(float(average[0])),
        high=attacked.fine(float(average[-1])),
        small=int(groups[0]),
        large=int(groups[-1]),
        **words,
    )
    caption = (
        f"After fitting; the block alone gives {plain_number(one, 6)}, the bound is {Upper(bound, number(6)).digits}"
    )
    ticks = tuple((float(group), str(group)) for group in (1, 2, 5, 10, 20, 50, 100, 200))
    return Picture(
        key="hierarchy-fitted",
        numbers=Numbers(caption, (fitted,)),
        marks=(
            Line(x="group", y="fitted", label=4, beside=("left", "top")),
            Line(x="group", y="alone", role="quiet", dash="dot", label=0, beside=("left", "top")),
            Line(x="group", y="bound", role="reach", dash="dash", label=1),
        ),
        panels=(Panel(x=Axis(log=True, ticks=ticks)),),
        reading=reading,
        look=look,
    )


def noise_of_sums(inputs: HierarchyInputs, look: Look) -> Picture:
    """How wrong the approximate law of the siblings' summed noise is, by budget."""
    rho = inputs.rhos[0]
    rates = np.array([0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0])
    error = np.array([_sum_error(inputs.siblings, float(rate)) for rate in rates])
    here = _sum_error(inputs.siblings, rho)
    name = say("hierarchy", look.voice, "sums_error")
    rate_axis = say("hierarchy", look.voice, "sums_axis")
    seen = np.where(error > 1e-13, error, np.nan)  # less is the arithmetic's own
    rows = [
        side_by_side(
            Column("rate", "ρ of each count", rates, quantity=rate_axis, said=digits(3)),
            Column("error", name, error, said=told(Upper, tiny)),
            Column("seen", f"{name}, drawn", seen, quantity=name, listed=False),
        )
    ]
    marks: list[Mark] = [Line(x="rate", y="seen")]
    if rates[0] <= rho <= rates[-1] and here > 1e-13:
        rows.append(
            side_by_side(
                single("this_rate", "ρ of the block", rho, quantity=rate_axis),
                single("here", say("hierarchy", look.voice, "sums_spot"), here, quantity=name),
            )
        )
        marks.append(Spot(x="this_rate", y="here"))
    reading = say(
        "hierarchy",
        look.voice,
        "reading_sums",
        siblings=inputs.siblings,
        rho_block=plain_number(rho, 4),
        error=Upper(here, tiny),
        from_rho=EXACT_NOISE_FROM,
    )
    ticks = tuple((at, f"{at:g}") for at in (0.3, 0.5, 1, 2, 3, 5, 10))
    return Picture(
        key="hierarchy-sums",
        numbers=Numbers(f"Largest error of approximation (2.9) for a sum of {inputs.siblings} noises", tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True, ticks=ticks), y=Axis(log=True)),),
        reading=reading,
        look=look,
        height=300,
    )


@lru_cache(maxsize=1)
def printed_beside_exact() -> Table:
    """The printed numbers, the exact ones, and those of the chain that reproduces the printed ones."""
    design = TwoLevels(0.0992, 0.2465, 27, 0.5)
    release = (2, 1, -1)
    exact, chain = (
        two_levels.effects(block=1, group=1, design=design),
        published_chain.effects(block=1, group=1, design=design),
    )
    bounded = replace(design, sibling_prior=SiblingPrior("bounded", total=10))
    certain = replace(design, sibling_prior=SiblingPrior("point", total=1))

    def share(probability: float, digits: int = 1) -> str:
        return percent(float(probability), digits)

    rows: list[tuple[object, ...]] = [
        (
            "belief after block 2, group 1, others −1 (Table 2.7)",
            "57.0 %",
            share(float(two_levels.posterior(*release, design=design))),
            share(float(published_chain.posterior(*release, design=design))),
        )
    ]
    for group, printed in ((0, "11 %"), (1, "40 %"), (2, "30 %"), (3, "14 %")):
        rows.append(
            (
                f"belief that the group holds {group}, same release (Table 2.8)",
                printed,
                *(
                    share(float(law.group_posterior(group, *release, design=design)))
                    for law in (two_levels, published_chain)
                ),
            )
        )
    rows += [
        (
            "releases in which the group turns the call to counted (Figure 2.4)",
            "2.48 %",
            share(exact.switched_to_counted, 2),
            share(chain.switched_to_counted, 2),
        ),
        (
            "releases in which it turns the call to not counted",
            "1.83 %",
            share(exact.switched_to_not, 2),
            share(chain.switched_to_not, 2),
        ),
        ("right, at most 10 in the group (chapter 2.9)", "59 %", *_right_both(bounded, share)),
        ("right, exactly 1 in the group", "59 %", *_right_both(certain, share)),
    ]
    return Table(
        "Printed, exact, and the chain we infer behind the printed numbers",
        ("what", "printed", "exact", "inferred chain"),
        tuple(rows),
    )


def _right_both(design: TwoLevels, share: Callable[[float], str]) -> tuple[str, str]:
    exact = two_levels.effects(block=1, group=1, design=design)
    return share(exact.right), share(published_chain.effects(block=1, group=1, design=design).right)


def printed_words(look: Look) -> str:
    """What the table of printed numbers says."""
    return say("hierarchy", look.voice, "printed")
