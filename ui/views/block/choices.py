"""What a reader chooses on *Attack one block*: whose secret, which noise, which budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.populations import CENSUS_LEVELS, census_rho
from dpcore.promise import Secret
from riskline.case.declaration import count, flag, number, option
from ui.link.page_fields import fields_of
from ui.views.shared.table_choice import TableChoice
from ui.words.catalogue import label

FIRST_SEED = 7  # its first release of the default attack is the 2 that the source reads aloud
LEVELS = ("block", *(level.key for level in reversed(CENSUS_LEVELS) if level.key != "block"), "own")
SECRETS = {
    "characteristics": Secret.PRESENCE,
    "answered": Secret.PRESENCE,
    "truthful": Secret.VALUE,
    "unknown_variable": Secret.VALUE,
}
RELATIONS = {"presence": Relation.ADD_OR_REMOVE, "answers": Relation.REPLACE}


@dataclass(frozen=True, kw_only=True)
class BlockInputs(TableChoice):
    """What a reader chose on this page."""

    prior: float = number(0.5, low=1e-15, high=1, open_high=True, span=(0.01, 0.99), step=0.01)
    noise: str = option("gaussian", "geometric")
    level: str = option(*LEVELS)
    rho: float = number(0.1, low=1e-5, high=100)
    epsilon: float = number(0.5, low=1e-3, high=50)
    hides: str = option(*RELATIONS)
    counted: bool = flag(True)
    question: str = option(*SECRETS)
    seed: int = count(FIRST_SEED, low=0, high=999_999)
    draws: str = option("one", "hundred")
    scale: str = option("belief", "risk")
    repeats: int = count(5, low=1, high=12)
    missing: int = count(5, low=0, high=30)
    missing_belief: float = number(0.1, low=0, high=1, step=0.01)


FIELDS = fields_of("block", BlockInputs, "table_choice")
word = partial(label, "block")


@dataclass(frozen=True)
class Noise:
    """A kind of noise the page offers: what it is, and how the page speaks of it.

    `ending` is that of the passages written for it. `two_beliefs` says that releases lead to two beliefs only;
    `on_average` that the bound on any release is one on the average.
    """

    symbol: str
    mechanism: Callable[[float], DiscreteGaussian | Geometric]
    guarantee: Callable[[float, Relation], PureDP | ZeroConcentratedDP]
    census: Callable[[BlockInputs], bool]
    budget_of: Callable[[BlockInputs], float]
    asked: tuple[str, str]
    ends: tuple[float, float]
    ending: str
    two_beliefs: bool
    on_average: bool


NOISES = {
    "gaussian": Noise(
        symbol="ρ",
        mechanism=lambda rate: DiscreteGaussian(rho=rate),
        guarantee=lambda budget, relation: ZeroConcentratedDP(rho=budget, relation=relation),
        census=lambda inputs: inputs.level != "own",
        budget_of=lambda inputs: inputs.rho if inputs.level == "own" else census_rho(inputs.level),
        asked=("zero_concentrated", "rho"),
        ends=(0.001, 10.0),
        ending="",
        two_beliefs=False,
        on_average=True,
    ),
    "geometric": Noise(
        symbol="ε",
        mechanism=lambda rate: Geometric(epsilon=rate),
        guarantee=lambda budget, relation: PureDP(epsilon=budget, relation=relation),
        census=lambda inputs: False,
        budget_of=lambda inputs: inputs.epsilon,
        asked=("pure", "epsilon"),
        ends=(0.01, 10.0),
        ending="_geometric",
        two_beliefs=True,
        on_average=False,
    ),
}
