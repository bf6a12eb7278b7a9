"""What a reader chooses on the attack through the hierarchy, and the attack of these choices with its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, partial

from dpcore._cache import cached_by_size
from dpcore._properties import cached_property
from dpcore.attacks import two_levels
from dpcore.attacks.siblings import EXACT_NOISE_FROM, FLAT, SiblingPrior, sparse_prior, sum_noise_error
from dpcore.attacks.two_levels import Effects, TwoLevels
from dpcore.guarantees import Relation
from dpcore.populations import CENSUS_LEVELS, census_rho
from dpcore.promise import Promise, Secret
from riskline.answers import CaseBudget, standing
from riskline.case.declaration import count, custom, number, option
from riskline.case.fields import Field, listed_numbers, number_text
from riskline.case.value import Case
from ui.link.page_fields import fields_of
from ui.pictures.style import Style
from ui.views.shared.strip import beginning_with, tried
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, decimal_belief, frequency, plain_number, rounded
from ui.words.quantities import Typed, Upper, whole

Levels = tuple[float, ...]
BELIEFS = ("flat", "bounded", "point", "sparse")

LEAST_RHO, MOST_RHO = 0.005, 10.0
LEAST_PRIOR, MOST_PRIOR = 1e-9, 0.999
MOST_BLOCKS, MOST_SIBLINGS = 500, 10_000
MOST_LEVELS = 10
RHOS_ABOVE = (0.0504, 0.0514, 0.0505, 0.0509)
"""Of a tract's, a county's, a state's and the nation's count in 2020: thesis, Table 2.2."""
SIBLINGS_ABOVE = (3, 20, 100, 50)
"""Other groups of the tract, tracts of the county, counties of the state, states: round numbers of ours."""


NO_LEVEL = "none"
TOTAL_RHO_2020 = 2.56  # of the file of persons: thesis, Table 2.2


def encode_levels(values: Levels) -> str:
    """Numbers of the levels as a reader types them.

    >>> encode_levels((0.0504, 3)), encode_levels(())
    ('0.0504 3', 'none')
    """
    return " ".join(number_text(value) for value in values) or NO_LEVEL


def decode_levels(text: str, low: float, high: float, *, in_whole: bool = False) -> Levels:
    """The numbers of the levels above the group; `ValueError` says which rule they break.

    >>> decode_levels("0,05 0.1", 0, 1), decode_levels("none", 0, 1)
    ((0.05, 0.1), ())
    """
    found = [] if text.strip().lower() == NO_LEVEL else listed_numbers(text)
    if len(found) > MOST_LEVELS - 2:
        raise ValueError(label("hierarchy", "levels.many", most=Typed(MOST_LEVELS - 2, whole), n=len(found)))
    for value in found:
        if not low <= value <= high or (in_whole and value != math.floor(value)):
            rule = "levels.whole" if in_whole else "levels.range"
            raise ValueError(label("hierarchy", rule, low=low, high=high, value=number_text(value)))
    return tuple(int(value) if in_whole else value for value in found)


@dataclass(frozen=True)
class HierarchyInputs:
    """What a reader chose on this page."""

    belief: str = option(*BELIEFS)
    x1: int = count(2, low=-10_000, high=10_000)
    x2: int = count(1, low=-10_000, high=10_000)
    y: int = count(-1, low=-100_000, high=100_000)
    largest: int = count(10, low=1, high=300)
    total: int = count(1, low=1, high=1_000)
    empty: float = number(0.99, low=0, high=1)
    budget: str = option("census", "own")
    total_rho: float = number(TOTAL_RHO_2020, low=0.5, high=100)
    rho_block: float = number(0.0992, low=LEAST_RHO, high=MOST_RHO)
    rho_group: float = number(0.2465, low=LEAST_RHO, high=MOST_RHO)
    siblings: int = count(27, low=1, high=MOST_BLOCKS)
    rho_above: Levels = custom(
        RHOS_ABOVE, read=partial(decode_levels, low=LEAST_RHO, high=MOST_RHO), write=encode_levels
    )
    siblings_above: Levels = custom(
        SIBLINGS_ABOVE, read=partial(decode_levels, low=1, high=MOST_SIBLINGS, in_whole=True), write=encode_levels
    )
    prior: float = number(0.5, low=LEAST_PRIOR, high=MOST_PRIOR)
    known: int = count(0, low=0, high=1_000)

    def trial(self, case: Case) -> CaseBudget | None:
        """The ρ that the page tries on the levels of 2020; None where it is the census' own, or the case's."""
        if self.budget == "own" or self.total_rho == TOTAL_RHO_2020:
            return None
        return tried(self.total_rho, "rho", case)

    @property
    def rhos(self) -> tuple[float, ...]:
        """ρ of a count on each level, from the block up."""
        if self.budget == "own":
            return (self.rho_block, self.rho_group, *self.rho_above)
        return tuple(census_rho(level.key, total_rho=self.total_rho) for level in reversed(CENSUS_LEVELS))

    @property
    def siblings_per_level(self) -> tuple[int, ...]:
        """Other areas on each level below the top, from the other blocks of the group up."""
        above = self.siblings_above if self.budget == "own" else SIBLINGS_ABOVE
        return (self.siblings, *map(int, above))

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
        return TwoLevels(
            rho_block=rho_block,
            rho_group=rho_group,
            siblings=self.siblings,
            prior=self.prior,
            known=self.known,
            sibling_prior=self.sibling_prior(belief),
            noise="exact" if rho_block > EXACT_NOISE_FROM else "approximate",
        )


FIELDS = fields_of("hierarchy", HierarchyInputs, "case")
word = partial(label, "hierarchy")


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose ρ of the whole file begins with that of the case where the page can take it."""
    budget = None if case.is_example else standing(case).budget
    if budget is None or budget.currency != "rho":
        return FIELDS
    return beginning_with(FIELDS, {"total_rho": budget.value})


SMALLEST = 1e-15
"""A belief below it is told as that: its digits say nothing to anybody."""
PRESENCE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)
"""The secret of this page; the noise of a count is for one record added or removed."""


@cached_by_size()
def _effects(design: TwoLevels, group: int) -> Effects:
    """How the attack fares when the target is counted and the group holds so many."""
    return two_levels.effects(block=design.known + 1, group=group, design=design)


sum_error = lru_cache(maxsize=64)(sum_noise_error)


def tiny(error: float, direction: str) -> str:
    """An error in a probability; one that is smaller than a billionth is rounded up to it."""
    return word("billionth") if error < 1e-9 else plain_number(error, 2, direction)


@dataclass(frozen=True)
class Attacked:
    """The choices with their numbers, on the way to words and pictures."""

    inputs: HierarchyInputs
    style: Style

    def say(self, name: str, **words: object) -> str:
        """A passage of the page in the reader's voice."""
        return say("hierarchy", self.style.voice, name, **words)

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
        inputs = self.inputs
        return float(inputs.design("flat").block_attack.posterior(inputs.x1))

    def group(self, name: str) -> int:
        """The true count of the group for averages: nobody else, or what a point belief says."""
        return self.inputs.total if name == "point" else self.inputs.known + 1

    def effects(self, name: str) -> Effects:
        """Averages over all releases under a belief about the other blocks."""
        return _effects(self.inputs.design(name), self.group(name))

    def believing(self, name: str) -> str:
        """A belief about the other blocks in words."""
        inputs = self.inputs
        return self.say(
            f"believing_{name}",
            largest=Typed(inputs.largest, whole),
            total=inputs.total,
            empty=self.number(inputs.empty),
        )

    @property
    def truth(self) -> str:
        """What somebody who is counted is beside that, in words."""
        size = self.group(self.inputs.belief)
        if size == self.inputs.known + 1 == 1:
            return word("truth_alone")
        return word("truth_among", size=f"{size:,}")

    @cached_property
    def context(self) -> dict[str, object]:
        """Words and numbers every passage may use."""
        inputs = self.inputs
        other = "flat" if inputs.belief == "sparse" else "sparse"
        chosen = self.effects(inputs.belief)
        design, error = inputs.design(inputs.belief), Upper(sum_error(terms=inputs.siblings, rho=inputs.rhos[0]), tiny)
        return {
            "x1": inputs.x1,
            "x2": inputs.x2,
            "y": inputs.y,
            "prior": self.number(inputs.prior),
            "alone": self.number(self.alone),
            "belief": self.number(self.belief(inputs.belief)),
            "believing": self.believing(inputs.belief),
            "contrast": self.number(self.belief(other)),
            "contrast_believing": self.believing(other),
            "truth": self.truth,
            "right": self.number(chosen.right),
            "right_alone": self.number(chosen.block_only),
            "average": self.number(chosen.marginal_posterior),
            "rho_block": plain_number(inputs.rhos[0], 4),
            "rho_group": plain_number(inputs.rhos[1], 4),
            "siblings": inputs.siblings,
            "known": inputs.known,
            "error": error,
            "exact_from": EXACT_NOISE_FROM,
            "noise": self.say("noise_approximate", error=error) if design.noise == "approximate" else "",
            "promise": say("promise", self.style.voice, f"relation_{PRESENCE.relation.value}"),
        }
