"""What a reader chooses on the attack through the hierarchy, and the attack and belief these choices stand for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

from dpcore.attacks.siblings import EXACT_NOISE_FROM, FLAT, SiblingPrior, sparse_prior
from dpcore.attacks.two_levels import TwoLevels
from dpcore.populations import CENSUS_LEVELS, census_rho
from riskline.answers import CaseBudget, standing
from riskline.case.declaration import count, custom, number, option
from riskline.case.fields import Field, listed_numbers, number_text
from riskline.case.value import Case
from ui.link.page_fields import fields_of
from ui.views.shared.trial import tried
from ui.words.catalogue import label

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

    Examples
    --------
    >>> encode_levels((0.0504, 3)), encode_levels(())
    ('0.0504 3', 'none')
    """
    return " ".join(number_text(value) for value in values) or NO_LEVEL


def decode_levels(text: str, low: float, high: float, *, whole: bool = False) -> Levels:
    """The numbers of the levels above the group; `ValueError` says which rule they break.

    Examples
    --------
    >>> decode_levels("0,05 0.1", 0, 1), decode_levels("none", 0, 1)
    ((0.05, 0.1), ())
    """
    found = [] if text.strip().lower() == NO_LEVEL else listed_numbers(text)
    if len(found) > MOST_LEVELS - 2:
        raise ValueError(f"must be at most {MOST_LEVELS - 2} numbers; got {len(found)}")
    for value in found:
        if not low <= value <= high or (whole and value != math.floor(value)):
            kind = f"be whole numbers from {low:g} to {high:,.0f}" if whole else f"lie in [{low:g}, {high:g}]"
            raise ValueError(f"must {kind}; got {number_text(value)}")
    return tuple(int(value) if whole else value for value in found)


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
    chain: str = option("exact", "published")
    budget: str = option("census", "own")
    total_rho: float = number(TOTAL_RHO_2020, low=0.5, high=100)
    rho_block: float = number(0.0992, low=LEAST_RHO, high=MOST_RHO)
    rho_group: float = number(0.2465, low=LEAST_RHO, high=MOST_RHO)
    siblings: int = count(27, low=1, high=MOST_BLOCKS)
    rho_above: Levels = custom(
        RHOS_ABOVE, read=partial(decode_levels, low=LEAST_RHO, high=MOST_RHO), write=encode_levels
    )
    siblings_above: Levels = custom(
        SIBLINGS_ABOVE, read=partial(decode_levels, low=1, high=MOST_SIBLINGS, whole=True), write=encode_levels
    )
    prior: float = number(0.5, low=LEAST_PRIOR, high=MOST_PRIOR)
    known: int = count(0, low=0, high=1_000)
    noise: str = option("auto", "approximate", "exact")
    seed: int = count(1, low=0, high=999_999)

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
        exact = self.noise == "exact" or (self.noise == "auto" and rho_block > EXACT_NOISE_FROM)
        return TwoLevels(
            rho_block=rho_block,
            rho_group=rho_group,
            siblings=self.siblings,
            prior=self.prior,
            known=self.known,
            sibling_prior=self.sibling_prior(belief),
            noise="exact" if exact else "approximate",
        )


FIELDS = fields_of("hierarchy", HierarchyInputs)
word = partial(label, "hierarchy")


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose ρ of the whole file begins with that of the case where the page can take it."""
    budget = None if case.is_example else standing(case).budget
    if budget is None or budget.currency != "rho":
        return FIELDS
    return tuple(
        replace(field, default=budget.value)
        if field.name == "total_rho" and field.low <= budget.value <= field.high
        else field
        for field in FIELDS
    )
