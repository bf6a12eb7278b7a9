"""What a reader chooses on *Attack one block*: whose secret, which noise, which budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.populations import CENSUS_LEVELS, census_rho
from dpcore.promise import Secret
from riskline.case.fields import Field
from ui.views.shared.table_choice import TABLE_FIELDS, TableChoice

FIRST_SEED = 7  # its first release of the default attack is the 2 that the source reads aloud
LEVELS = ("block", *(level.key for level in reversed(CENSUS_LEVELS) if level.key != "block"), "own")
QUESTIONS = ("characteristics", "answered", "truthful", "unknown_variable")
SECRETS = {
    "characteristics": Secret.PRESENCE,
    "answered": Secret.PRESENCE,
    "truthful": Secret.VALUE,
    "unknown_variable": Secret.VALUE,
}
RELATIONS = {"presence": Relation.ADD_OR_REMOVE, "answers": Relation.REPLACE}

FIELDS: tuple[Field, ...] = (
    *TABLE_FIELDS,
    Field(
        "prior",
        "The attacker's belief before",
        "number",
        0.5,
        low=1e-15,
        high=1,
        open_high=True,
        span=(0.01, 0.99),
        step=0.01,
    ),
    Field("noise", "Noise", "choice", "gaussian", options=("gaussian", "geometric")),
    Field("level", "Budget ρ of the count", "choice", "block", options=LEVELS),
    Field("rho", "ρ, for example 0.1", "number", 0.1, low=1e-5, high=100),
    Field("epsilon", "Budget ε of the count", "number", 0.5, low=1e-3, high=50),
    Field("hides", "The noise hides", "choice", "presence", options=("presence", "answers")),
    Field("counted", "The person is in fact counted", "flag", True),
    Field("question", "The attacker asks", "choice", "characteristics", options=QUESTIONS),
    Field(
        "seed",
        "Seed",
        "count",
        FIRST_SEED,
        low=0,
        high=999_999,
        help="The same seed gives everybody the same draw; it is in the link",
    ),
    Field("draws", "Releases shown", "choice", "one", options=("one", "hundred")),
    Field("scale", "Curves show", "choice", "belief", options=("belief", "risk")),
    Field("repeats", "Releases of the same count", "count", 5, low=1, high=12),
    Field("missing", "Further people the attacker is unsure of", "count", 5, low=0, high=30),
    Field("missing_belief", "Belief about each of them", "number", 0.1, low=0, high=1, step=0.01),
)


@dataclass(frozen=True, kw_only=True)
class BlockInputs(TableChoice):
    """What a reader chose on this page."""

    prior: float = 0.5
    noise: str = "gaussian"
    level: str = "block"
    rho: float = 0.1
    epsilon: float = 0.5
    hides: str = "presence"
    counted: bool = True
    question: str = "characteristics"
    seed: int = FIRST_SEED
    draws: str = "one"
    scale: str = "belief"
    repeats: int = 5
    missing: int = 5
    missing_belief: float = 0.1

    @property
    def table_choice(self) -> TableChoice:
        """The table and the person alone."""
        return TableChoice(**{field.name: getattr(self, field.name) for field in fields(TableChoice)})


@dataclass(frozen=True)
class Noise:
    """A kind of noise the page offers: what it is, and how the page speaks of it.

    `ending` is that of the passages written for it, `outer` names the curves of the far beliefs and of the bound.
    `two_beliefs` says that releases lead to two beliefs only; `on_average` that the bound on any release is one on the
    average.
    """

    name: str
    symbol: str
    mechanism: Callable[[float], DiscreteGaussian | Geometric]
    guarantee: Callable[[float, Relation], PureDP | ZeroConcentratedDP]
    census: Callable[[BlockInputs], bool]
    budget_of: Callable[[BlockInputs], float]
    asked: tuple[str, str]
    ends: tuple[float, float]
    ending: str
    outer: tuple[str, str, str]
    two_beliefs: bool
    on_average: bool


NOISES = {
    "gaussian": Noise(
        name="Discrete Gaussian noise",
        symbol="ρ",
        mechanism=lambda rate: DiscreteGaussian(rho=rate),
        guarantee=lambda budget, relation: ZeroConcentratedDP(rho=budget, relation=relation),
        census=lambda inputs: inputs.level != "own",
        budget_of=lambda inputs: inputs.rho if inputs.level == "own" else census_rho(inputs.level),
        asked=("zero_concentrated", "rho"),
        ends=(0.001, 10.0),
        ending="",
        outer=("1 in 20 lower", "1 in 20 higher", "bound on the average"),
        two_beliefs=False,
        on_average=True,
    ),
    "geometric": Noise(
        name="Geometric noise",
        symbol="ε",
        mechanism=lambda rate: Geometric(epsilon=rate),
        guarantee=lambda budget, relation: PureDP(epsilon=budget, relation=relation),
        census=lambda inputs: False,
        budget_of=lambda inputs: inputs.epsilon,
        asked=("pure", "epsilon"),
        ends=(0.01, 10.0),
        ending="_geometric",
        outer=("low count: exact", "high count: exact", "bound: any release"),
        two_beliefs=True,
        on_average=False,
    ),
}
