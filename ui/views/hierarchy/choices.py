"""What a reader chooses on *Attack through the hierarchy*, and the budgets and beliefs that follow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from dpcore.attacks.siblings import EXACT_NOISE_FROM, FLAT, SiblingPrior, sparse_prior
from dpcore.attacks.two_levels import TwoLevels
from dpcore.census import LEVELS, TOTAL_RHO, level_rho
from riskline.answers import CaseBudget, standing
from riskline.case import declaration
from riskline.case.declaration import count, custom, of_session, option, text
from riskline.case.fields import Field, listed_numbers, number_text
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.views.shared.strip import beginning_with, tried
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole

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
TOTAL_RHO_2020 = round(float(TOTAL_RHO), 6)


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
    empty: float = declaration.number(0.99, low=0, high=1)
    budget: str = option("census", "table", "own")
    total_rho: float = declaration.number(TOTAL_RHO_2020, low=0.5, high=100)
    rho_block: float = declaration.number(0.0992, low=LEAST_RHO, high=MOST_RHO)
    rho_group: float = declaration.number(0.2465, low=LEAST_RHO, high=MOST_RHO)
    siblings: int = count(27, low=1, high=MOST_BLOCKS)
    rho_above: Levels = custom(
        RHOS_ABOVE, read=partial(decode_levels, low=LEAST_RHO, high=MOST_RHO), write=encode_levels
    )
    siblings_above: Levels = custom(
        SIBLINGS_ABOVE, read=partial(decode_levels, low=1, high=MOST_SIBLINGS, in_whole=True), write=encode_levels
    )
    prior: float = declaration.number(0.5, low=LEAST_PRIOR, high=MOST_PRIOR)
    known: int = count(0, low=0, high=1_000)
    person: str = of_session(text("0*1*0*0"))
    instead: str = of_session(text())

    def trial(self, case: Case) -> CaseBudget | None:
        """The ρ that the levels of 2020 share; None where it is the case's, or each level has its own."""
        return None if self.budget == "own" else tried(self.total_rho, "rho", case)

    @property
    def rhos(self) -> tuple[float, ...]:
        """ρ of a count on each level, from the block up."""
        if self.budget == "own":
            return (self.rho_block, self.rho_group, *self.rho_above)
        return tuple(self.in_2020(level) for level in reversed(LEVELS))

    def in_2020(self, level: str, query: str | None = None) -> float:
        """ρ of one count of a level as noise was added in 2020: of all its tables as one reading, or of one table."""
        queries = [query] if query else ["detailed"] if self.budget == "table" else None
        return self.total_rho * float(level_rho(level, queries=queries) / TOTAL_RHO / 2)

    @property
    def of_readings(self) -> bool:
        """Whether each of the three numbers is a reading of several tables."""
        return self.budget == "census"

    @property
    def siblings_per_level(self) -> tuple[int, ...]:
        """Other areas on each level below the top, from the other blocks of the group up."""
        return (self.siblings, *map(int, self.siblings_above if self.budget == "own" else SIBLINGS_ABOVE))

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
            noise="exact" if rho_block > EXACT_NOISE_FROM and not self.of_readings else "approximate",
        )


FIELDS = fields_of("hierarchy", HierarchyInputs, "case")
word = partial(label, "hierarchy")


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose ρ of the whole file begins with that of the case where the page can take it."""
    budget = None if case.is_example else standing(case).budget
    if budget is None or budget.currency != "rho":
        return FIELDS
    return beginning_with(FIELDS, {"total_rho": budget.value})
