"""What a reader chooses on *Attack one block*, and the attack on one count with its draws that these choices make."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from dpcore._properties import cached_property
from dpcore.attacks.any_release import belief_upper
from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.one_count import CountAttack
from dpcore.census import LEVELS, level_rho
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import CountLaw, DiscreteGaussian, Geometric
from dpcore.methods import DisclosureControl, TwoWorlds
from dpcore.populations import CountTable
from dpcore.promise import Promise, Secret
from riskline.case.declaration import count, flag, number, of_session, option
from riskline.case.methods import SETTINGS, MethodSettings, control_of
from ui.link.page_table import fields_of
from ui.pictures.style import Style
from ui.views.shared import belief_before
from ui.views.shared.promise import PageInMaking
from ui.views.shared.table_choice import TableChoice, Target, chosen_table, chosen_target, data_in_words, method_named
from ui.words.catalogue import label, say
from ui.words.phrasing import MOST_TOLD, NEAREST, decimal_belief, people_for, plain_number, rate
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Spoken, Upper, in_people

FIRST_SEED = 17  # its first release of the default attack is the 2 that the source reads aloud
FORMER_QUESTIONS = dict.fromkeys(("characteristics", "answered"), "presence")
FORMER_QUESTIONS |= dict.fromkeys(("truthful", "unknown_variable"), "value")
RELATIONS = {"presence": Relation.ADD_OR_REMOVE, "answers": Relation.REPLACE}


@dataclass(frozen=True, kw_only=True)
class BlockInputs(TableChoice, MethodSettings):
    """What a reader chose on this page."""

    prior: float = number(0.5, low=1e-15, high=1, open_high=True, span=(0.01, 0.99), step=0.01, format="percent")
    alike: int | None = of_session(count(None, low=1, high=1_000_000_000))
    noise: str = option("gaussian", "geometric", "round_random", "round_nearest", "cell_key")
    level: str = option(*LEVELS[::-1], "own")
    tables: str = option("all", "detailed", formerly="detailed")
    rho: float = number(0.1, low=1e-5, high=100)
    epsilon: float = number(0.5, low=1e-3, high=50)
    hides: str = option(*RELATIONS)
    counted: bool = flag(True)
    asked: str = option(
        *("presence", "value"),
        default="value",
        former_name="question",
        former_options=FORMER_QUESTIONS,
        formerly="presence",
    )
    seed: int = count(FIRST_SEED, low=0, high=999_999)
    draws: str = option("one", "hundred")
    repeats: int = count(5, low=1, high=12)


FIELDS = fields_of("block", BlockInputs, "table_choice", "by_method", "case")
word = partial(label, "block")


NOISES: dict[str, type[DiscreteGaussian | Geometric]] = {"gaussian": DiscreteGaussian, "geometric": Geometric}
ENDS = {"rho": (0.001, 10.0), "epsilon": (0.01, 10.0)}
"""From which to which budget curves run at least."""
DRAWN = 100  # releases drawn from one seed: the first is the one shown, repeats are the first few
JUMP_SEEN = 0.04
"""A jump of the 1-in-20 curves below this ρ is smaller than the line is wide."""


@dataclass(frozen=True)
class Attack(PageInMaking):
    """An attack on one count with its draws, on the way to words and pictures."""

    page = "block"
    inputs: BlockInputs
    table: CountTable
    target: Target

    def say(self, name: str, /, **words: object) -> str:
        """A passage of the page in the reader's voice."""
        return super().say(name, **self.context | words)

    @property
    def kind(self) -> type[DiscreteGaussian | Geometric]:
        """The kind of noise."""
        return NOISES[self.inputs.noise]

    @property
    def on_average(self) -> bool:
        """Whether the bound on any release is one on the average belief; else releases lead to two beliefs only."""
        return self.kind.budget_kind == "rho"

    @property
    def of_census(self) -> bool:
        """Whether the budget is that of a level of the census."""
        return self.on_average and self.inputs.level != "own"

    @property
    def budget(self) -> float:
        """ρ or ε of the query the count belongs to."""
        return self.in_2020 if self.of_census else self.inputs.rho if self.on_average else self.inputs.epsilon

    @property
    def in_2020(self) -> float:
        """ρ of the level's tables in 2020, or of its detailed one, for one record replaced within its state."""
        return float(level_rho(self.inputs.level, queries=None if self.inputs.tables == "all" else ["detailed"]))

    @property
    def of_readings(self) -> bool:
        """Whether the count stands for all tables of a level, of which it says as much."""
        return self.of_census and self.inputs.tables == "all"

    @property
    def secret(self) -> Secret:
        """What the attacker asks: whether somebody is in the data, or which value somebody in it has."""
        return Secret(self.inputs.asked)

    @property
    def of_value(self) -> bool:
        """Whether the question is about a value, which moves somebody from one cell of the table to another."""
        return self.secret is Secret.VALUE

    def in_case(self, name: str) -> str:
        """A word for one of the two cases; where the secret is a value the person is in the data in both."""
        return word(f"{name}_value" if self.of_value else name)

    @property
    def relation(self) -> Relation:
        """The change of the data that the noise hides: in 2020 a replaced record."""
        return Relation.REPLACE if self.of_census else RELATIONS[self.inputs.hides]

    @cached_property
    def promise(self) -> Promise | None:
        """The promise of a release with this budget; None where replaced records hide nothing of the secret."""
        if not self.of_value and self.relation is Relation.REPLACE:
            return None
        return Promise(secret=self.secret, relation=self.relation)

    def released(self, releases: int = 1) -> PureDP | ZeroConcentratedDP:
        """The guarantee of this many releases, for one change of the data."""
        return replace(self.kind.with_budget(releases * self.budget).guarantee, relation=self.relation)

    def rate_of(self, budget: NDArray[np.float64]) -> NDArray[np.float64]:
        """ρ or ε that protects this one count: half where a replaced record changes two, whose ρ or ε add."""
        return budget / 2 if self.relation is Relation.REPLACE else budget

    @cached_property
    def rate(self) -> float:
        """The rate of the chosen budget."""
        return float(self.rate_of(np.asarray(self.budget)))

    @cached_property
    def noise(self) -> DiscreteGaussian | Geometric:
        """The noise of this count."""
        return self.kind.with_budget(self.rate)

    @property
    def law(self) -> CountLaw:
        """What is published for each true count."""
        return self.noise

    @cached_property
    def count(self) -> CountAttack:
        """The attack of somebody who sees this count alone."""
        return CountAttack(self.law, prior=self.inputs.prior, known=self.target.known)

    @cached_property
    def whole_table(self) -> MovedValueAttack:
        """The attack of somebody who sees both cells of a value."""
        return MovedValueAttack(self.noise, prior=self.inputs.prior)

    @cached_property
    def drawn(self) -> NDArray[np.int64]:
        """A hundred releases from the seed."""
        counted, known = int(self.inputs.counted), self.target.known
        return np.asarray(self.law.simulate_counts(counted, known=known, size=DRAWN, seed=self.inputs.seed), np.int64)

    @cached_property
    def laws(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Counts that could be published, the one that was among them, and their probabilities in both worlds."""
        known, published = self.target.known, float(self.drawn[0])
        reach = max(3.0, 3.6 * self.noise.std)
        first = int(min(known - reach, published - 1))
        last = int(max(known + 1 + reach, published + 1))
        counts = np.union1d(np.arange(first, last + 1, max(1, (last - first) // 400), dtype=float), [published])
        pmf = self.noise.pmf
        return counts, np.asarray(pmf(counts - known - 1)), np.asarray(pmf(counts - known))

    @property
    def span(self) -> tuple[float, float]:
        """From where to where published counts are drawn."""
        return float(self.laws[0][0]), float(self.laws[0][-1])

    def posterior(self, noisy: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Belief after each of these noisy counts."""
        return np.asarray(self.count.posterior(noisy))

    @cached_property
    def after(self) -> NDArray[np.float64]:
        """Beliefs after the hundred releases."""
        return self.posterior(self.drawn)

    def average(self, rate: NDArray[np.float64]) -> NDArray[np.float64]:
        """Belief in the truth over all releases, on average."""
        return np.asarray(self.count.over(rate).marginal_posterior())

    def bound(self, budget: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """What any release with this budget permits: on average under ρ, always under ε; None without a promise."""
        if self.promise is None:
            return None
        return np.asarray(belief_upper(self.released(), prior=self.inputs.prior, promise=self.promise, budgets=budget))

    def average_of_table(self, rate: NDArray[np.float64]) -> NDArray[np.float64]:
        """Belief over all releases about who is in the cell, on average, of somebody who sees both cells of a value."""
        return np.asarray(self.whole_table.over(rate).marginal_posterior())

    def outer(self, rate: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Beliefs that releases lead to at the far ends: the only two there are, or where 1 in 20 begins."""
        at, known = self.count.over(rate), self.target.known
        if not self.on_average:
            return np.asarray(at.posterior(known)), np.asarray(at.posterior(known + 1))
        return np.asarray(at.posterior_quantile(0.05)), np.asarray(at.posterior_quantile(0.95))

    @cached_property
    def evidence(self) -> float:
        """The log of how many times as likely the published count is with the person as without."""
        return float(self.count.log_odds(int(self.drawn[0]))) - float(logit(self.inputs.prior))

    def gaps(self, lowest: float, highest: float) -> NDArray[np.float64]:
        """Budgets at which the 1-in-20 curves jump so far that it is seen, rising."""
        if not self.on_average:
            return np.empty(0)  # what is drawn is both beliefs, and they do not jump
        scale = self.budget / self.rate
        found = self.count.quantile_jumps(0.05, lowest=lowest / scale, highest=highest / scale)
        return np.asarray(scale * found[found >= JUMP_SEEN][::-1])

    @property
    def of_release(self) -> dict[str, Any]:
        """Words and numbers about the release shown and the hundred, whatever protects the count."""
        inputs, target, told = self.inputs, self.target, self.told_alike
        return {
            "before": told(inputs.prior),
            "after": told(float(self.after[0])),
            "published": f"{int(self.drawn[0]):,}",
            "times": times_as_likely(math.exp(min(self.evidence, 700.0))),
            "lowest": told(float(self.after.min())),
            "highest": told(float(self.after.max())),
            "mean": told(float(self.after.mean())),
            "hits": str(int(((self.after > 0.5) == inputs.counted).sum())),
            "place": target.place_name.replace("*", "·"),
            "who": target.characteristics.replace("*", "·"),
            "known": f"{target.known:,}",
            "known_and_one": f"{target.people:,}",
            "seed": str(inputs.seed),
            "kind": label("table_choice", "kind.own") if inputs.alike else data_in_words(inputs, self.table),
        } | {name: self.in_case(name) for name in ("case", "seen", "with", "without")}

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage may use."""
        inputs, belief, words, promise = self.inputs, self.style.belief, self.of_release, self.promise
        rate, told = np.asarray(self.rate), partial(say, "block", self.style.voice)
        average, bound = float(self.average(rate)), self.bound(np.asarray(self.budget))
        if inputs.table in ("28-21", "39-14") and not inputs.alike:
            words["place"] = word("district", place=words["place"])
        words |= {
            "times_risk": plain_number(float(self.after[0]) / inputs.prior, 4),
            "right": belief(float(self.count.average_probability_right())),
            "right_table": belief(float(self.whole_table.average_probability_right())),
            "average_table": belief(float(self.average_of_table(rate))),
            "promise": told("no_promise")
            if promise is None
            else say("promise", self.style.voice, f"relation_{self.relation.value}"),
            "guessing": belief(max(inputs.prior, 1 - inputs.prior)),
            "average": belief(average),
            "risk": times_as_likely(average / inputs.prior),
            "bound": word("no_bound") if bound is None else Upper(float(bound), belief),
            "steps": "" if promise is None else f"{promise.steps}",
            "times_budget": "" if promise is None else f"{2 * promise.steps**2}",
            "noise": label("case", f"noise.{self.noise.name}"),
            "symbol": self.kind.symbol(),
            "rate": plain_number(self.rate, 4),
            "read": " " + told("read_all") if self.of_readings else "",
        }
        found = self.gaps(*self.ends)
        words["gaps"] = told("gaps", gap=plain_number(float(found[-1]), 3), **words) if found.size else ""
        said = {"story": inputs.asked, "speaks": "speaks_times", "believes": "believes"}
        return words | {name: told(passage, **words) for name, passage in said.items()}

    def told_alike(self, belief: float) -> str:
        """The belief before, or one after the releases shown."""
        if belief == self.inputs.prior and (self.style.technical or self.inputs.noise in SETTINGS):
            return belief_before.told(belief, self.style, typed=True).words
        return self.spoken_alike(belief, NEAREST)

    @cached_property
    def spoken_alike(self) -> Spoken:
        """How the belief before and those after the releases shown are said: all out of one number of people."""
        if self.style.technical or self.inputs.noise in SETTINGS:
            return self.style.belief
        before = belief_before.told(self.inputs.prior, self.style, typed=True)
        shown = (before.prior, *(self.after if self.inputs.draws == "hundred" else self.after[:1]).tolist())
        of = people_for(*shown, of=before.of)
        if of > 100 and len({in_people(of)(one, NEAREST) for one in shown}) == 1:
            of = MOST_TOLD  # rare enough that what has moved is to be seen
        return in_people(of)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest budget of the curves: a usual span, and a factor of three beyond the choice's own."""
        low, high = ENDS[self.kind.budget_kind]
        return min(low, self.budget / 3), max(high, self.budget * 3)

    def law_in_python(self, code: CodeWriter) -> Source:
        """The lines for what is published."""
        queries = {} if self.inputs.tables == "all" else {"queries": ["detailed"]}
        of_level = Source(f"float({code(level_rho, self.inputs.level, **queries)})") if self.of_census else self.budget
        budget = code.let("budget", of_level)
        rate = Source(f"{budget} / 2") if self.relation is Relation.REPLACE else budget
        return code.let("noise", code(self.kind, **{self.kind.budget_kind: rate}))

    @property
    def numbers(self) -> tuple[tuple[str, str, str], ...]:
        """How often a guess is right, of whom, and what any release permits."""
        context = self.context
        ending = "_none" if self.promise is None else "" if self.on_average else "_geometric"
        rows = [(word("number_right"), context["right"], word("note_right", **context))]
        if self.of_value:
            rows.append((word("number_table"), context["right_table"], ""))
        bound = word("number_bound" if self.on_average else "number_bound_each")
        return (*rows, (bound, f"{context['bound']!s}", self.say(f"note_bound{ending}")))

    @property
    def python(self) -> CodeLines:
        """The lines for the belief after the release shown, or for the mean of the beliefs after a hundred."""
        code, inputs = CodeWriter(), self.inputs
        law, known = self.law_in_python(code), code.let("known", self.target.known)
        asked = code.let("attack", code(CountAttack, law, prior=inputs.prior, known=known))
        drawn = f"{known} + {int(inputs.counted)} + {law}.simulate_noise({DRAWN}, seed={inputs.seed})"
        if inputs.noise in SETTINGS:
            drawn = f"{law}.simulate_counts({int(inputs.counted)}, known={known}, size={DRAWN}, seed={inputs.seed})"
        published = code.let("published", Source(drawn))
        hundred = inputs.draws == "hundred"
        after = Source(f"{asked}.posterior({published}){'.mean()' if hundred else '[0]'}")
        belief = float(self.after.mean() if hundred else self.after[0])
        return code.ending(after, Exact(belief, self.spoken_alike))


def times_as_likely(ratio: float) -> str:
    """A ratio of likelihoods as 'N times'.

    >>> times_as_likely(1.346), times_as_likely(0.5), times_as_likely(1e9)
    ('1.35 times', '0.50 times', 'over a million times')
    """
    if ratio > 1e6:
        return word("over_million")
    if ratio < 1e-6:
        return word("under_millionth")
    return label("numbers", "times", ratio=f"{ratio:.2f}" if 0.1 <= ratio < 10 else plain_number(ratio, 3))


@dataclass(frozen=True)
class MethodAttack(Attack):
    """An attack on one count that a method published."""

    promise: ClassVar[None] = None  # type: ignore[assignment]
    of_readings: ClassVar[bool] = False  # type: ignore[assignment]
    budget: ClassVar[float] = math.nan  # type: ignore[assignment]

    @cached_property
    def law(self) -> DisclosureControl:
        """The method."""
        found = control_of(self.inputs.noise, self.inputs)
        assert found is not None
        return found

    @cached_property
    def worlds(self) -> TwoWorlds:
        """What is published with and without the person."""
        return self.law.presence(self.target.known)

    @cached_property
    def laws(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Counts that could be published, and their probabilities in both worlds."""
        return np.array(self.worlds.values, dtype=float), self.worlds.present, self.worlds.absent

    @property
    def span(self) -> tuple[float, float]:
        """From where to where published counts are drawn: a little beyond the first and the last."""
        counts = self.laws[0]
        beyond = max(1.0, float(np.ptp(counts)) / 2)
        return float(counts[0]) - beyond, float(counts[-1]) + beyond

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage may use."""
        evidence, words = self.evidence, self.of_release
        words["times_risk"] = times_as_likely(float(self.after[0]) / self.inputs.prior)
        words["noise"] = method_named(self.inputs.noise, self.inputs, self.style)
        speaks = "times" if math.isfinite(evidence) else "only_with" if evidence > 0 else "only_without"
        believes = {math.inf: "believes_certain", -math.inf: "believes_excluded"}.get(evidence, "believes")
        said = {"story": self.inputs.asked, "speaks": f"speaks_{speaks}", "believes": believes}
        return words | {name: say("block", self.style.voice, passage, **words) for name, passage in said.items()}

    @property
    def numbers(self) -> tuple[tuple[str, str, str], ...]:
        """How often a guess is right, and how often somebody becomes certain, in each world."""
        often = decimal_belief if self.style.technical else rate
        right = self.style.belief(float(self.count.average_probability_right()))
        guessing = self.style.belief(max(self.inputs.prior, 1 - self.inputs.prior))
        certain = (
            (word(f"certain_{side}"), often(self.worlds.probability_certain(side=side)), "")
            for side in ("present", "absent")
        )
        return ((word("number_right"), right, word("note_right", guessing=guessing)), *certain)

    def law_in_python(self, code: CodeWriter) -> Source:
        """The line for the method."""
        return code.let("method", self.law)


def attack_of(inputs: BlockInputs, style: Style, own: CountTable | None = None) -> Attack:
    """The attack that these choices make, on a count of the reader's own where one is typed."""
    table = chosen_table(inputs, own)
    target = chosen_target(table, inputs)
    if inputs.alike is not None:
        target = replace(target, people=inputs.alike, place_name=word("area"), characteristics=word("like_yours"))
    return (MethodAttack if inputs.noise in SETTINGS else Attack)(inputs, style, table, target)
