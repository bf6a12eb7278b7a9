"""What a reader chooses about the error of a budget, and the noise that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpcore.accuracy import NOISES, AdditiveMechanism, Noise
from dpcore.rounding import round_up
from dpcore.schema import Movement
from riskline.answers import CaseBudget, counts_changed, schema_of_districts
from riskline.answers.errors import error_of_range, noise_error
from riskline.case import declaration
from riskline.case.choices import BY_RHO
from riskline.case.declaration import custom, number, of_case, of_session, option
from riskline.case.promise import PromiseChoice
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.views.shared.promise import promise_words
from ui.views.shared.strip import tried
from ui.views.shared.typed_table import Districts, decode_districts, encode_districts
from ui.words.phrasing import decimals_for, plain_number

INVENTED: Districts = (
    ("Ash", 412),
    ("Beech", 187),
    ("Birch", 96),
    ("Elm", 240),
    ("Hazel", 33),
    ("Larch", 8),
    ("Lime", 2),
    ("Maple", 0),
    ("Oak", 1),
    ("Pine", 57),
    ("Rowan", 130),
    ("Willow", 3),
)


@dataclass(frozen=True, kw_only=True)
class AccuracyInputs(PromiseChoice):
    """What a reader chose on this page."""

    start: str = option("budget", "accuracy")
    noise: Noise = of_case("noise", default="geometric", options=NOISES)
    epsilon: float = number(1.29, low=1e-4, high=50, span=(0.01, 8.0), step=0.01)
    rho: float = number(0.1, low=1e-6, high=100, span=(0.005, 3.0), step=0.005, format="%.3f")
    count: int = of_session(declaration.count(200, low=0, high=1_000_000_000))
    half_width: float = number(10.0, low=0.5, high=100_000, span=(0.5, 100.0), step=0.5)
    level: float = number(0.95, low=0.5, high=1, open_high=True, format="percent")
    prior: float = of_case("prior", default=0.05, format="percent")
    failure: float = of_case("failure")
    total: int = of_session(declaration.count(4012, low=1, high=1_000_000_000))
    target: float = of_session(number(6.0, low=0, high=1000))
    deviation: float = number(0.25, low=0, high=1000)
    places: Districts = of_session(custom(INVENTED, read=decode_districts, write=encode_districts))
    more_than: int = declaration.count(2, low=0, high=100_000)
    seed: int = declaration.count(1, low=0, high=1_000_000)
    moves: Movement | Literal[""] = of_case("moves")
    release: str = of_case("release")
    areas: int = of_case("areas")
    hidden: str = of_case("hidden")
    one: str = of_case("one")

    @property
    def asks_where(self) -> bool:
        """Whether it matters for the districts if the two possibilities place somebody in different ones."""
        return schema_of_districts(len(self.places), self.moves).asks_where(self.relation)

    @property
    def concentrated(self) -> bool:
        """Whether the budget of this noise is a ρ."""
        return self.noise in BY_RHO

    @property
    def counts_changed(self) -> int:
        """How many of the released counts one change of the data touches: each has that share of the budget."""
        return counts_changed(self.areas, self.moves, self.relation)

    @property
    def mechanism(self) -> AdditiveMechanism:
        """The noise of a count: with its share of the budget, or the smallest budget for the accuracy, rounded up."""
        if self.start == "budget":
            budget = self.rho if self.concentrated else self.epsilon
            return noise_error(budget / self.counts_changed, self.noise).noise
        exact = error_of_range(self.half_width, self.noise, level=self.level).noise.budget
        return noise_error(round_up(exact, decimals_for(exact)), self.noise).noise

    def whole(self, mechanism: AdditiveMechanism) -> AdditiveMechanism:
        """The noise that a single count would have with all of the budget of which each count has its share."""
        changed = self.counts_changed
        return mechanism if changed == 1 else noise_error(changed * mechanism.budget, self.noise).noise

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's, or an accuracy is asked for."""
        if self.start == "accuracy":
            return None
        return tried(self.rho, "rho", case) if self.concentrated else tried(self.epsilon, "epsilon", case)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice, hidden=self.hidden, one=self.one)


FIELDS = fields_of("accuracy", AccuracyInputs)


def budget_words(mechanism: AdditiveMechanism) -> str:
    """The budget of the noise with its letter."""
    return f"{mechanism.symbol()} = {plain_number(mechanism.budget, 4)}"
