"""Attack one block: one release read as a belief, then every release there could have been."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore.attacks import block, repeated
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.populations import CENSUS_LEVELS, CountTable, census_rho
from dpcore.semantics import ExactPosterior, posterior_upper
from ui.figures.atoms import Atoms, atoms
from ui.figures.curves import Curve, Spot, curves
from ui.figures.look import Look
from ui.figures.noisy_release import Releases, noisy_release
from ui.links import Field
from ui.phrasing import NEAREST, UP, count_of_hundred, decimal_belief, frequency, plain_number
from ui.picture import Picture
from ui.table import Table
from ui.text import say
from ui.views.table_choice import TABLE_FIELDS, TableChoice, Target, chosen_table, chosen_target

DRAWN = 100  # releases drawn from one seed: the first is the one shown, repeats are the first few
FIRST_SEED = 7  # its first release of the default attack is the 2 that the source reads aloud
MOST_SHOWN = 100
LEVELS = ("block", *(level.key for level in reversed(CENSUS_LEVELS) if level.key != "block"), "own")
QUESTIONS = ("characteristics", "answered", "truthful", "unknown_variable")

FIELDS: tuple[Field, ...] = (
    *TABLE_FIELDS,
    Field("prior", "Belief before", "number", 0.5, low=0, high=1, open_low=True, open_high=True),
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
class BlockView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    release: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    repeats: Picture | None = None
    missing: Picture | None = None
    people: Table | None = None
    notes: tuple[str, ...] = ()
    sensitivity: str = ""
    computed: str = ""
    refusal: str | None = None


def block_view(inputs: BlockInputs, look: Look, own: CountTable | None = None) -> BlockView:
    """The page for these choices; `own` is the table this session has read, if any."""
    try:
        table = chosen_table(inputs.table_choice, own)
        attack = Attack(inputs, table, chosen_target(table, inputs.table_choice), look)
        facts = attack.facts
    except ValueError as error:
        text = str(error)
        return BlockView("", "", refusal=f"{text[0].upper()}{text[1:]}.")
    hundred = inputs.draws == "hundred"
    return BlockView(
        answer=attack.say("answer_hundred" if hundred else "answer"),
        small_print=attack.say("small_print"),
        release=_release_picture(attack),
        numbers=_numbers(attack),
        pictures=(_risk_picture(attack), _right_picture(attack), _law_picture(attack)),
        repeats=_repeats_picture(attack),
        missing=None if attack.geometric else _missing_picture(attack),
        people=_people(attack),
        notes=table.notes,
        sensitivity=attack.say("sensitivity" if inputs.hides == "presence" else "sensitivity_answers"),
        computed=say("block", look.voice, "computed", **facts),
    )


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

    def bound(self, budget: NDArray[np.float64]) -> NDArray[np.float64]:
        """What any release with this budget permits: on average under ρ, always under ε."""
        if self.geometric:
            return np.asarray(posterior_upper(prior=self.inputs.prior, epsilon=budget))
        return np.asarray(block.marginal_posterior_upper(rho=budget, prior=self.inputs.prior))

    def exact(self, releases: int = 1) -> ExactPosterior:
        """The law of the belief after some releases."""
        return ExactPosterior(mechanism=self.noise, prior=self.inputs.prior, releases=releases)

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

    @cached_property
    def facts(self) -> dict[str, str]:
        """Words and numbers every passage may use."""
        inputs, target = self.inputs, self.target
        rate = np.asarray(self.rate)
        one = float(self.after[0])
        average = float(self.average(rate))
        hits = (self.after > 0.5) == bool(self.truth)
        belief = self.belief
        place = f"district {target.place_name}" if inputs.table in ("28-21", "39-14") else target.place_name
        words = {
            "before": belief(inputs.prior),
            "after": belief(one),
            "published": f"{int(self.drawn[0]):,}",
            "times": times_as_likely(self.likelihood),
            "times_risk": plain_number(one / inputs.prior, 4),
            "right": belief(float(self.right(rate))),
            "right_counted": belief(float(self.right(rate, 1))),
            "right_absent": belief(float(self.right(rate, 0))),
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
            "bound": belief(float(self.bound(np.asarray(self.budget))), UP),
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


def _plain(text: str) -> str:
    return text.replace("**", "")


def _numbers(attack: Attack) -> tuple[tuple[str, str, str], ...]:
    ending = "_geometric" if attack.geometric else ""
    facts = attack.facts
    return (
        (attack.say("number_count"), facts["published"], f"true count {attack.target.known + attack.truth:,}"),
        (attack.say("number_times"), facts["times"], ""),
        (attack.say(f"number_bound{ending}"), facts["bound"], attack.say(f"note_bound{ending}")),
    )


def _people(attack: Attack) -> Table:
    """The occupied rows of the place, the target's row marked."""
    counts = attack.table.counts[attack.target.place]
    occupied = [int(cell) for cell in np.flatnonzero(counts)]
    rows = tuple(
        (
            attack.table.cell_label(cell).replace("*", "·"),
            int(counts[cell]),
            "the attacker's target is here" if cell == attack.target.cell else "",
        )
        for cell in occupied[:MOST_SHOWN]
    )
    left_out = "" if len(occupied) <= MOST_SHOWN else f"; the first {MOST_SHOWN} of {len(occupied):,} rows"
    place = attack.facts["place"]
    caption = f"{attack.table.name}: {int(counts.sum()):,} people in {place}{left_out}"
    return Table(caption, ("who", "people", ""), rows)


def _release_picture(attack: Attack) -> Picture:
    inputs, look, target = attack.inputs, attack.look, attack.target
    reach = max(3.0, 3.6 * attack.noise.std)
    first = int(min(target.known - reach, attack.drawn[0] - 1))
    last = int(max(target.known + 1 + reach, attack.drawn[0] + 1))
    counts = np.arange(first, last + 1, max(1, (last - first) // 400), dtype=float)
    counts = np.union1d(counts, [float(attack.drawn[0])])
    present = np.asarray(attack.noise.pmf(counts - target.known - 1))
    absent = np.asarray(attack.noise.pmf(counts - target.known))
    hundred = inputs.draws == "hundred"
    after = float(attack.after.mean()) if hundred else float(attack.after[0])
    short = decimal_belief if look.technical else count_of_hundred
    drawing = noisy_release(
        Releases(counts, present, absent, int(attack.drawn[0]), attack.drawn if hundred else attack.drawn[:0]),
        before=(inputs.prior, short(inputs.prior)),
        after=(after, short(after)),
        spread=(float(attack.after.min()), float(attack.after.max())) if hundred else None,
        words={
            "present": "if counted" if not look.technical else "H₁",
            "absent": "if not" if not look.technical else "H₀",
            "published": f"published: {attack.facts['published']}",
            "times": f"{attack.facts['times']} as likely<br>with the person"
            if not look.technical
            else f"likelihood ratio {plain_number(attack.likelihood, 4)}",
            "x_title": "noisy count that could be published",
            "before": "before",
            "after": "after" if not hundred else "after, on average",
        },
        look=look,
    )
    shown = present + absent > 1e-3 * (present + absent).max()
    rows = tuple(
        (int(count), plain_number(float(a), 4), plain_number(float(b), 4), plain_number(float(c), 5))
        for count, a, b, c in zip(
            counts[shown], present[shown], absent[shown], attack.posterior(counts[shown]), strict=True
        )
    )
    reading = attack.say("reading_release")
    table = Table(
        "Every noisy count that could be published, how likely it is, and the belief it leads to",
        ("noisy count", "if counted", "if not counted", "belief after"),
        rows[:400],
    )
    alt = (
        f"Belief before: {attack.facts['before']}. Two overlapping distributions of the noisy count, one if the person "
        f"is counted and one if not; {attack.facts['published']} was published. Belief after: {attack.belief(after)}."
    )
    return Picture("release", drawing, reading, alt, table)


def _law_picture(attack: Attack) -> Picture:
    target = attack.target
    reach = max(2.0, 4.5 * attack.noise.std)
    step = max(1, int(2 * reach) // 150)
    gaps = np.arange(-math.ceil(reach), math.ceil(reach) + 2, step, dtype=float)
    beliefs = attack.posterior(gaps + target.known)
    laws = []
    for name, truth, role, symbol in (("not counted", 0, "reach", "square-open"), ("counted", 1, "accent", "circle")):
        near = gaps[:, None] + np.arange(step) - truth  # with wide noise neighbouring counts share a stem
        mass = np.asarray(attack.noise.pmf(near)).sum(axis=1)
        if attack.geometric:
            values, inverse = np.unique(beliefs, return_inverse=True)
            sides = np.bincount(inverse, weights=mass)
            laws.append(Atoms(name, values, sides / sides.sum(), role, symbol))
        else:
            laws.append(Atoms(name, beliefs, mass, role, symbol))
    average = float(attack.average(np.asarray(attack.rate)))
    drawing = atoms(
        laws,
        upright=(
            (attack.inputs.prior, "before", "quiet"),
            (average, "average, if counted", "accent"),
            (float(attack.after[0]), "this release", "mark"),
        ),
        x_title="belief after the release",
        y_title="how often",
        look=attack.look,
    )
    rows = tuple(
        (plain_number(float(x), 5), plain_number(float(a), 4), plain_number(float(b), 4))
        for x, a, b in zip(laws[1].values, laws[1].probabilities, laws[0].probabilities, strict=True)
        if a + b > 1e-7
    )
    reading = attack.say("reading_law")
    table = Table(_plain(reading), ("belief after", "if counted", "if not counted"), rows)
    return Picture("law", drawing, reading, f"{_plain(reading)} Shown as stems over the belief from 0 to 1.", table)


def _budgets(attack: Attack, points: int) -> NDArray[np.float64]:
    return np.unique(np.append(np.geomspace(*attack.ends, points), attack.budget))


def _risk_picture(attack: Attack) -> Picture:
    inputs, look = attack.inputs, attack.look
    budgets = _budgets(attack, 72)
    rate = attack.rate_of(budgets)
    average, bound = attack.average(rate), attack.bound(budgets)
    scale = 1 / inputs.prior if inputs.scale == "risk" else 1.0
    if attack.geometric:
        low = np.asarray(block.geometric_posterior(np.zeros(rate.size), epsilon=rate, prior=inputs.prior))
        high = np.asarray(block.geometric_posterior(np.ones(rate.size), epsilon=rate, prior=inputs.prior))
        names = ("low count: exact", "high count: exact", "bound: any release")
    else:
        low, high = (np.asarray(block.posterior_quantile(q, rho=rate, prior=inputs.prior)) for q in (0.05, 0.95))
        names = ("1 in 20 lower", "1 in 20 higher", "bound on the average")
    start = int(0.04 * budgets.size)
    lines = [
        Curve(names[1], budgets, scale * high, "third", "dot", label_at=start),
        Curve(names[0], budgets, scale * low, "third", "dashdot", label_at=start, label_beside=("left", "top")),
        Curve(
            names[2], budgets, scale * bound, "reach", "dash", label_at=int(0.7 * budgets.size),
            label_beside=("right", "bottom"),
        ),
        Curve(
            "average: exact", budgets, scale * average, "accent", "solid", label_at=int(0.8 * budgets.size),
            label_beside=("left", "top"),
        ),
    ]  # fmt: skip
    marked = float(np.interp(attack.budget, budgets, average)) * scale
    drawing = curves(
        lines,
        x_title=f"budget of the count, {attack.symbol}",
        y_title="belief in the truth" if inputs.scale == "belief" else "times the belief before",
        look=look,
        spot=Spot(attack.budget, marked, ""),
        level=(scale * inputs.prior, "learns nothing"),
        upright=attack.marked,
        log_x=True,
        x_range=attack.ends,
        log_y=inputs.scale == "risk",
        y_range=(0.0, 1.04) if inputs.scale == "belief" else None,
    )
    every = slice(None, None, 3)
    rows = tuple(
        (
            plain_number(float(x), 4),
            plain_number(float(a), 5),
            plain_number(float(a) / inputs.prior, 4),
            plain_number(float(b), 5, UP),
        )
        for x, a, b in zip(budgets[every], average[every], bound[every], strict=True)
    )
    reading = attack.say("reading_risk_geometric" if attack.geometric else "reading_risk")
    table = Table(
        _plain(reading), (attack.symbol, "average belief, exact", "times the belief before", "bound, rounded up"), rows
    )
    return Picture("risk", drawing, reading, f"{_plain(reading)} Curves over the budget.", table)


def _right_picture(attack: Attack) -> Picture:
    inputs = attack.inputs
    jumps = attack.jumps(*attack.ends)[:60]
    budgets = np.unique(
        np.concatenate([np.geomspace(*attack.ends, 160), [attack.budget], jumps * (1 - 1e-6), jumps * (1 + 1e-6)])
    )
    rate = attack.rate_of(budgets)
    counted, absent, both = attack.right(rate, 1), attack.right(rate, 0), attack.right(rate)
    guess = max(inputs.prior, 1 - inputs.prior)
    lines = [
        Curve(
            "all people",
            budgets,
            both,
            "ink",
            "solid",
            label_at=int(0.66 * budgets.size),
            label_beside=("right", "bottom"),
        ),
    ]
    if inputs.prior != 0.5:
        lines += [
            Curve("people who are counted", budgets, counted, "accent", "dash", label_at=int(0.05 * budgets.size)),
            Curve(
                "people who are not",
                budgets,
                absent,
                "reach",
                "dot",
                label_at=int(0.05 * budgets.size),
                label_beside=("left", "top"),
            ),
        ]
    drawing = curves(
        lines,
        x_title=f"budget of the count, {attack.symbol}",
        y_title="how often the call is right",
        look=attack.look,
        spot=Spot(attack.budget, float(attack.right(np.asarray(attack.rate))), ""),
        level=(guess, "guessing"),
        upright=attack.marked,
        log_x=True,
        x_range=attack.ends,
        y_range=(0.0, 1.08),
    )
    rows = tuple(
        (plain_number(float(x), 6), plain_number(float(a), 4), plain_number(float(b), 4), plain_number(float(c), 4))
        for x, a, b, c in zip(budgets[::4], counted[::4], absent[::4], both[::4], strict=True)
    )
    reading = attack.say("reading_right")
    table = Table(_plain(reading), (attack.symbol, "if counted", "if not counted", "together"), rows)
    return Picture("right", drawing, reading, f"{_plain(reading)} Curves over the budget, with jumps.", table)


def _in_turn(attack: Attack, seen: NDArray[np.int64]) -> NDArray[np.float64]:
    """Belief after each of several releases of the same count."""
    p, known = attack.inputs.prior, attack.target.known
    if attack.geometric:
        steps = np.asarray(block.geometric_log_odds(seen - known, epsilon=attack.rate, prior=0.5))
        return np.asarray(expit(logit(p) + np.cumsum(steps)))
    grown = repeated.risks(seen, rhos=np.full(seen.size, attack.rate), prior=p, knowns=np.full(seen.size, known))
    return np.asarray(p * np.cumprod(grown))


def _repeats_picture(attack: Attack) -> Picture:
    inputs = attack.inputs
    k: NDArray[np.float64] = np.arange(1.0, inputs.repeats + 1)
    seen = attack.drawn[: inputs.repeats]
    p = inputs.prior
    beliefs = _in_turn(attack, seen)
    grown = beliefs / np.append(p, beliefs[:-1])
    laws = [attack.exact(int(number)) for number in k]
    average = np.array([law.mean() for law in laws])
    bound = attack.bound(k * attack.budget)
    right = p * float(laws[-1].tail(0.5)) + (1 - p) * (1 - float(laws[-1].tail(0.5, present=False)))
    start = np.append(0, k).astype(float)
    drawing = curves(
        [
            Curve("bound: any releases", start, np.append(p, bound), "reach", "dash", label_at=k.size),
            Curve("average: exact", start, np.append(p, average), "accent", "solid", label_at=k.size),
            Curve("these releases", start, np.append(p, beliefs), "mark", "dot", label_at=max(k.size // 2, 1)),
        ],
        x_title="releases of the same count",
        y_title="belief in the truth",
        look=attack.look,
        level=(p, "learns nothing"),
        y_range=(0.0, 1.04),
        height=300,
    )
    drawing.update_xaxes(dtick=1, range=[0, k.size * 1.25 + 0.4])
    reading = attack.say(
        "reading_repeats",
        repeats=str(inputs.repeats),
        factors=" × ".join(f"{value:.2f}" for value in grown),
        product=times_as_likely(float(beliefs[-1] / p)),
        last=attack.belief(float(beliefs[-1])),
        right_repeats=attack.belief(right),
    )
    rows = tuple(
        (
            str(int(number)),
            int(count),
            plain_number(float(factor), 4),
            plain_number(float(one), 5),
            plain_number(float(mean), 5),
            plain_number(float(top), 5, UP),
        )
        for number, count, factor, one, mean, top in zip(k, seen, grown, beliefs, average, bound, strict=True)
    )
    heads = ("release", "noisy count", "multiplies by", "belief after", "average, exact", "bound, rounded up")
    return Picture("repeats", drawing, reading, _plain(reading), Table(_plain(reading), heads, rows))


def _missing_picture(attack: Attack) -> Picture:
    inputs = attack.inputs
    numbers = np.arange(0, max(inputs.missing, 1) + 1)
    noisy = int(attack.drawn[0])
    beliefs = np.array(
        [
            block.missing_people_posterior(
                noisy,
                rho=attack.rate,
                prior=inputs.prior,
                others=np.full(number, inputs.missing_belief),
                known=attack.target.known,
            )
            for number in numbers
        ]
    )
    drawing = curves(
        [Curve("belief after this release", numbers.astype(float), beliefs, "accent", label_at=0)],
        x_title="further people the attacker is unsure of",
        y_title="belief in the truth",
        look=attack.look,
        level=(inputs.prior, "before"),
        y_range=(0.0, 1.04),
        height=260,
    )
    reading = attack.say(
        "reading_missing",
        missing=str(inputs.missing),
        missing_belief=attack.belief(inputs.missing_belief),
        after_missing=attack.belief(float(beliefs[inputs.missing])),
    )
    rows = tuple((str(number), plain_number(float(value), 5)) for number, value in zip(numbers, beliefs, strict=True))
    table = Table(_plain(reading), ("further people unsure of", "belief after this release"), rows)
    return Picture("missing", drawing, reading, _plain(reading), table)
