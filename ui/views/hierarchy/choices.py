"""What a reader chooses on the attack through the hierarchy, and the attack and belief these choices stand for."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.attacks.siblings import EXACT_NOISE_FROM, FLAT, SiblingPrior, sparse_prior
from dpcore.attacks.two_levels import TwoLevels
from dpcore.populations import CENSUS_LEVELS, census_rho
from ui.link.fields import Field

BELIEFS = ("flat", "bounded", "point", "sparse")

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
    Field("prior", "The attacker's belief before", "number", 0.5, low=1e-9, high=0.999),
    Field("known", "People of the kind the attacker knows in the block", "count", 0, low=0, high=1_000),
    Field(
        "noise", "Noise of a sum in the attacker's model", "choice", "auto", options=("auto", "approximate", "exact")
    ),
    Field("seed", "Seed of the drawn releases (level by level)", "count", 1, low=0, high=999_999),
)


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
