"""The choices of the attack through the hierarchy with their numbers, on the way to words and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpcore._cache import cached_by_size
from dpcore._properties import cached_property
from dpcore.attacks import published_chain, two_levels
from dpcore.attacks.siblings import sum_noise_error
from dpcore.attacks.two_levels import Effects, TwoLevels
from dpcore.guarantees import Relation
from dpcore.promise import Promise, Secret
from ui.pictures.style import Style
from ui.views.hierarchy.choices import HierarchyInputs, word
from ui.views.shared.promise import promise_words
from ui.words.catalogue import say
from ui.words.phrasing import NEAREST, decimal_belief, frequency, how_often, plain_number, rounded
from ui.words.quantities import Typed, Upper, whole

SMALLEST = 1e-15
"""A belief below it is told as that: its digits say nothing to anybody."""
PRESENCE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)
"""The secret of this page; the noise of a count is for one record added or removed."""


@cached_by_size()
def _effects(design: TwoLevels, group: int) -> Effects:
    """How the attack fares when the target is counted and the group holds so many."""
    return two_levels.effects(block=design.known + 1, group=group, design=design)


@lru_cache(maxsize=64)
def sum_error(terms: int, rho: float) -> float:
    """Largest error of the approximate law of a sum of so many noises."""
    return sum_noise_error(terms=terms, rho=rho)


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

    def often(self, probability: float) -> str:
        """How often something happens, as this voice says it."""
        return decimal_belief(probability) if self.style.technical else how_often(probability)

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
        return self.say(
            f"believed_{name}",
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

    @property
    def noise(self) -> str:
        """How the noise of a sum is treated and what the approximation costs."""
        inputs = self.inputs
        error = sum_error(inputs.siblings, inputs.rhos[0])
        exact = inputs.design(inputs.belief).noise == "exact"
        return self.say(
            "noise_exact" if exact else "noise_approximate",
            error=Upper(error, tiny),
            siblings=inputs.siblings,
        )

    @cached_property
    def context(self) -> dict[str, object]:
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
            "chain": word("chain_undefined") if chain is None else self.number(chain),
            "rho_block": plain_number(inputs.rhos[0], 4),
            "rho_group": plain_number(inputs.rhos[1], 4),
            "siblings": inputs.siblings,
            "known": inputs.known,
            "noise": self.noise,
            "promise": self.say("promise", about=promise_words(PRESENCE, self.style.voice)["promise"]),
        }
