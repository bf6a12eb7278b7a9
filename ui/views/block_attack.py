"""An attack on one count with its draws: whose secret, what is believed, how often a call is right, what binds all."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from dpcore._properties import cached_property
from dpcore.attacks import block, moved_value
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.populations import CENSUS_LEVELS, CountTable, census_rho
from dpcore.privacy_loss import ExactPosterior
from dpcore.promise import Promise, Secret
from ui.link.fields import Field
from ui.pictures.look import Look
from ui.views.promise import promise_words
from ui.views.table_choice import TABLE_FIELDS, TableChoice, Target
from ui.words.passages import say
from ui.words.phrasing import NEAREST, UP, count_of_hundred, decimal_belief, frequency, how_often, plain_number

DRAWN = 100  # releases drawn from one seed: the first is the one shown, repeats are the first few
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
JUMP_SEEN = 0.04
"""A jump of the 1-in-20 curves below this ρ is smaller than the line is wide."""

FIELDS: tuple[Field, ...] = (
    *TABLE_FIELDS,
    Field("prior", "Belief before", "number", 0.5, low=1e-15, high=1, open_high=True),
    Field("noise", "Noise", "choice", "gaussian", options=("gaussian", "geometric")),
    Field("level", "Budget of the count", "choice", "block", options=LEVELS),
    Field("rho", "ρ of the count", "number", 0.1, low=1e-5, high=100),
    Field("epsilon", "ε of the count", "number", 0.5, low=1e-3, high=50),
    Field("hides", "The noise hides", "choice", "presence", options=("presence", "answers")),
    Field("counted", "The truth: the person is counted", "flag", True),
    Field("question", "What the attacker asks", "choice", "characteristics", options=QUESTIONS),
    Field("seed", "Seed of the draw", "count", FIRST_SEED, low=0, high=999_999),
    Field("draws", "Releases shown", "choice", "one", options=("one", "hundred")),
    Field("scale", "Shown as", "choice", "belief", options=("belief", "risk")),
    Field("repeats", "Releases of the same count", "count", 5, low=1, high=12),
    Field("missing", "Further people the attacker is unsure of", "count", 5, low=0, high=30),
    Field("missing_belief", "Belief that each of them has the characteristics", "number", 0.1, low=0, high=1),
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
class Attack:
    """An attack on one count with its draws, on the way to words and pictures."""

    inputs: BlockInputs
    table: CountTable
    target: Target
    look: Look

    def say(self, name: str, **words: str) -> str:
        """A passage of the page in the reader's voice."""
        return say("block", self.look.voice, name, **(self.facts | words))

    @property
    def geometric(self) -> bool:
        """Whether the noise is geometric, for pure differential privacy."""
        return self.inputs.noise == "geometric"

    @property
    def budget(self) -> float:
        """ρ or ε of the query the count belongs to."""
        if self.geometric:
            return self.inputs.epsilon
        return self.inputs.rho if self.inputs.level == "own" else census_rho(self.inputs.level)

    @property
    def secret(self) -> Secret:
        """What the attacker asks: whether somebody is in the data, or which value somebody in it has."""
        return SECRETS[self.inputs.question]

    @property
    def of_value(self) -> bool:
        """Whether the question is about a value, which moves somebody from one cell of the table to another."""
        return self.secret is Secret.VALUE

    @property
    def worlds(self) -> tuple[str, str]:
        """The two cases in a word: where the secret is a value the person is in the data in both."""
        return ("has the value", "has another") if self.of_value else ("counted", "not counted")

    @property
    def relation(self) -> Relation:
        """The change of the data that the noise hides."""
        return RELATIONS[self.inputs.hides]

    @cached_property
    def promise(self) -> Promise | None:
        """The promise of a release with this budget; None where replaced records hide nothing of the secret."""
        if not self.of_value and self.relation is Relation.REPLACE:
            return None
        return Promise(secret=self.secret, relation=self.relation)

    def released(self, releases: int = 1) -> PureDP | ZeroConcentratedDP:
        """The guarantee of this many releases, for one change of the data."""
        if self.geometric:
            return PureDP(epsilon=releases * self.budget, relation=self.relation)
        return ZeroConcentratedDP(rho=releases * self.budget, relation=self.relation)

    def rate_of(self, budget: NDArray[np.float64]) -> NDArray[np.float64]:
        """ρ or ε that protects this one count, when one person may change two counts or one."""
        if self.inputs.hides == "presence":
            return budget
        return budget / 2 if self.geometric else np.asarray(block.rho_per_count(budget, sensitivity=math.sqrt(2)))

    @cached_property
    def rate(self) -> float:
        """The rate of the chosen budget."""
        return float(self.rate_of(np.asarray(self.budget)))

    @cached_property
    def noise(self) -> DiscreteGaussian | Geometric:
        """The noise of this count."""
        return Geometric(epsilon=self.rate) if self.geometric else DiscreteGaussian(rho=self.rate)

    @property
    def truth(self) -> int:
        """Whether the person is counted."""
        return int(self.inputs.counted)

    @cached_property
    def drawn(self) -> NDArray[np.int64]:
        """A hundred releases from the seed."""
        found: NDArray[np.int64] = (
            self.target.known + self.truth + self.noise.simulate_noise(DRAWN, self.inputs.seed)
        ).astype(np.int64)
        return found

    def posterior(self, noisy: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Belief after each of these noisy counts."""
        p, known = self.inputs.prior, self.target.known
        if self.geometric:
            return np.asarray(block.geometric_posterior(noisy, epsilon=self.rate, prior=p, known=known))
        return np.asarray(block.posterior(noisy, rho=self.rate, prior=p, known=known))

    @cached_property
    def after(self) -> NDArray[np.float64]:
        """Beliefs after the hundred releases."""
        return self.posterior(self.drawn)

    def average(self, rate: NDArray[np.float64], truth: int = 1) -> NDArray[np.float64]:
        """Belief over all releases, on average."""
        if self.geometric:
            return np.asarray(block.geometric_marginal_posterior(epsilon=rate, prior=self.inputs.prior, truth=truth))
        return np.asarray(block.marginal_posterior(rho=rate, prior=self.inputs.prior, truth=truth))

    def right(self, rate: NDArray[np.float64], truth: int | None = None) -> NDArray[np.float64]:
        """Probability of a right call; over both truths when none is given."""
        p = self.inputs.prior
        if truth is None:
            if self.geometric:
                return np.asarray(block.geometric_average_probability_right(epsilon=rate, prior=p))
            return np.asarray(block.average_probability_right(rho=rate, prior=p))
        if self.geometric:
            return np.asarray(block.geometric_probability_right(epsilon=rate, prior=p, truth=truth))
        return np.asarray(block.probability_right(rho=rate, prior=p, truth=truth))

    def bound(self, budget: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """What any release with this budget permits: on average under ρ, always under ε; None without a promise."""
        if self.promise is None:
            return None
        if self.geometric:
            return np.asarray(block.posterior_upper(epsilon=budget, prior=self.inputs.prior, promise=self.promise))
        return np.asarray(block.marginal_posterior_upper(rho=budget, prior=self.inputs.prior, promise=self.promise))

    def average_of_table(self, rate: NDArray[np.float64], truth: int = 1) -> NDArray[np.float64]:
        """Belief over all releases, on average, of somebody who sees both cells of a value."""
        if self.geometric:
            return np.asarray(
                moved_value.geometric_marginal_posterior(epsilon=rate, prior=self.inputs.prior, truth=truth)
            )
        return np.asarray(moved_value.marginal_posterior(rho=rate, prior=self.inputs.prior, truth=truth))

    def right_of_table(self, rate: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probability of a right call, over both truths, of somebody who sees both cells of a value."""
        if self.geometric:
            return np.asarray(moved_value.geometric_average_probability_right(epsilon=rate, prior=self.inputs.prior))
        return np.asarray(moved_value.average_probability_right(rho=rate, prior=self.inputs.prior))

    def exact(self, releases: int = 1) -> ExactPosterior:
        """The law of the belief after some releases."""
        return ExactPosterior.of(self.noise, prior=self.inputs.prior, releases=releases)

    def quantile(self, level: float) -> float:
        """The belief that a share of all releases about a counted person does not exceed."""
        if self.geometric:
            return float(self.exact().quantile(level))
        return float(block.posterior_quantile(level, rho=self.rate, prior=self.inputs.prior))

    @cached_property
    def likelihood(self) -> float:
        """How many times as likely the published count is with the person as without."""
        gap = int(self.drawn[0]) - self.target.known
        odds = (
            block.geometric_log_odds(gap, epsilon=self.rate, prior=0.5)
            if self.geometric
            else block.log_odds(gap, rho=self.rate, prior=0.5)
        )
        return math.exp(min(float(odds), 700.0))

    def jumps(self, lowest: float, highest: float) -> NDArray[np.float64]:
        """Budgets at which the attacker's rule changes."""
        scale = self.budget / self.rate
        if self.geometric:
            place = scale * abs(float(logit(self.inputs.prior)))
            return np.array([place] if lowest < place < highest else [])
        found = block.decision_jumps(prior=self.inputs.prior, lowest=lowest / scale, highest=highest / scale)
        return np.asarray(scale * found)

    def gaps(self, lowest: float, highest: float) -> NDArray[np.float64]:
        """Budgets at which the 1-in-20 curves jump so far that it is seen, rising."""
        if self.geometric:
            return np.empty(0)
        scale = self.budget / self.rate
        found = block.quantile_jumps(0.05, lowest=lowest / scale, highest=highest / scale)
        return np.asarray(scale * found[found >= JUMP_SEEN][::-1])

    @property
    def symbol(self) -> str:
        """The letter of the budget."""
        return "ε" if self.geometric else "ρ"

    @property
    def marked(self) -> tuple[float, str, float]:
        """The chosen budget as an upright line with its words, away from the prior."""
        census = not self.geometric and self.inputs.level != "own"
        words = f"2020: {plain_number(self.budget, 3)}" if census else "this budget"
        return self.budget, words, 0.55 if self.inputs.prior < 0.35 else 0.1

    def belief(self, value: float, direction: str = NEAREST) -> str:
        """A belief in the reader's voice."""
        return decimal_belief(value, direction) if self.look.technical else frequency(value, direction)

    def often(self, probability: float) -> str:
        """How often a call is right, in the reader's voice."""
        return decimal_belief(probability) if self.look.technical else how_often(probability)

    def share(self, probability: float) -> str:
        """A share of the people of one kind, in the reader's voice."""
        return decimal_belief(probability) if self.look.technical else frequency(probability).replace(" in ", " of ")

    @cached_property
    def promise_sentence(self) -> str:
        """What the numbers are about and what one change of the data is, for the small print."""
        if self.promise is None:
            return say("block", self.look.voice, "no_promise")
        return promise_words(self.promise, self.look.voice)["promise"]

    @cached_property
    def facts(self) -> dict[str, str]:
        """Words and numbers every passage may use."""
        inputs, target = self.inputs, self.target
        rate = np.asarray(self.rate)
        one = float(self.after[0])
        average = float(self.average(rate))
        hits = (self.after > 0.5) == bool(self.truth)
        belief, often = self.belief, self.often
        bound = self.bound(np.asarray(self.budget))
        place = f"district {target.place_name}" if inputs.table in ("28-21", "39-14") else target.place_name
        words = {
            "before": belief(inputs.prior),
            "after": belief(one),
            "published": f"{int(self.drawn[0]):,}",
            "times": times_as_likely(self.likelihood),
            "times_risk": plain_number(one / inputs.prior, 4),
            "right": often(float(self.right(rate))),
            "right_counted": often(float(self.right(rate, 1))),
            "right_absent": often(float(self.right(rate, 0))),
            "right_table": often(float(self.right_of_table(rate))),
            "average_table": belief(float(self.average_of_table(rate))),
            "promise": self.promise_sentence,
            "guessing": count_of_hundred(max(inputs.prior, 1 - inputs.prior))
            if not self.look.technical
            else belief(max(inputs.prior, 1 - inputs.prior)),
            "lowest": belief(float(self.after.min())),
            "highest": belief(float(self.after.max())),
            "mean": belief(float(self.after.mean())),
            "hits": str(int(hits.sum())),
            "average": belief(average),
            "average_absent": belief(float(self.average(rate, 0))),
            "risk": times_as_likely(average / inputs.prior),
            "bound": "no bound" if bound is None else belief(float(bound), UP),
            "steps": "" if self.promise is None else f"{self.promise.steps}",
            "times_budget": "" if self.promise is None else f"{2 * self.promise.steps**2}",
            "low": belief(self.quantile(0.05)),
            "high": belief(self.quantile(0.95)),
            "place": place,
            "who": target.characteristics.replace("*", "·"),
            "known": f"{target.known:,}",
            "known_and_one": f"{target.people:,}",
            "seed": str(inputs.seed),
            "kind": "invented" if self.table.synthetic else KINDS[inputs.table if self.table.people else "own"],
            "noise": "Geometric noise" if self.geometric else "Discrete Gaussian noise",
            "symbol": self.symbol,
            "rate": plain_number(self.rate, 4),
        }
        words["place"] = words["place"].replace("*", "·")
        found = self.gaps(*self.ends)
        words["gaps"] = (
            say("block", self.look.voice, "gaps", gap=plain_number(float(found[-1]), 3), **words) if found.size else ""
        )
        words["story"] = say("block", self.look.voice, inputs.question, **words)
        places = [plain_number(float(value), 3) for value in self.jumps(*self.ends)[:4]]
        name = "jumps" if places else "jumps_none"
        words["jumps"] = say(
            "block", self.look.voice, name, places=f"{self.symbol} = {', '.join(reversed(places))}", **words
        )
        return words

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest budget of the curves: three decades around the choice's own."""
        low, high = (0.01, 10.0) if self.geometric else (0.001, 10.0)
        return min(low, self.budget / 3), max(high, self.budget * 3)


KINDS = {
    "28-21": "those of the 1940 census",
    "39-14": "those of the 1940 census",
    "synthetic": "invented",
    "own": "those of the table you brought",
}


def times_as_likely(ratio: float) -> str:
    """A ratio of likelihoods as 'N times'.

    Examples
    --------
    >>> times_as_likely(1.346), times_as_likely(0.5), times_as_likely(1e9)
    ('1.35 times', '0.50 times', 'more than a million times')
    """
    if ratio > 1e6:
        return "more than a million times"
    if ratio < 1e-6:
        return "less than a millionth"
    return f"{ratio:.2f} times" if 0.1 <= ratio < 10 else f"{plain_number(ratio, 3)} times"


def without_marks(text: str) -> str:
    """A passage without its marks for bold, for alternative texts and captions."""
    return text.replace("**", "")
