"""What an epsilon means: beliefs before and after, in both worlds, as a bound, over every view, exactly, on average."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from dpcore.deployments import deployment, published
from dpcore.guarantees import (
    ApproximateDP,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
    gaussian_every_view_exceedance,
    probabilistic_epsilon_from_rho_published,
)
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss, Side
from dpcore.semantics import (
    BeliefBounds,
    belief_bounds,
    largest_difference,
    posterior_bounds,
    posterior_lower,
    posterior_upper,
    shift_bound,
)
from ui.figures.curves import ON_LINE, Curve, Spot, curves
from ui.figures.icons import IconArray, icon_arrays
from ui.figures.look import Look
from ui.figures.palette import palette
from ui.links import Field, number_text
from ui.phrasing import DOWN, NEAREST, UP, decimal_belief, frequency, percent, plain_number, rounded, times
from ui.picture import Picture
from ui.table import Table
from ui.text import say
from ui.way import Way

GUARANTEES = ("pure", "approximate", "probabilistic", "zero_concentrated", "deployment")
MECHANISMS = ("geometric", "laplace", "randomised_response", "gaussian", "discrete_gaussian")
READINGS = ("bound", "every_view", "exact", "average")
DEPLOYMENTS = tuple(entry.name for entry in published() if entry.model == "central")

FIELDS: tuple[Field, ...] = (
    Field("guarantee", "Guarantee or mechanism", "choice", "pure", options=GUARANTEES + MECHANISMS),
    Field("epsilon", "Budget ε", "number", 1.0, low=0, high=100),
    Field("rho", "Budget ρ", "number", 0.1, low=0, high=100, open_low=True),
    Field("delta", "δ", "number", 1e-6, low=0, high=1, open_high=True),
    Field("failure", "Failure probability δ′", "number", 0.01, low=0, high=1, open_low=True, open_high=True),
    Field("prior", "Belief before", "number", 0.5, low=0, high=1, open_low=True, open_high=True),
    Field("reading", "Reading", "choice", "bound", options=READINGS),
    Field("sensitivity", "Largest change of the count by one person", "count", 1, low=1, high=1000),
    Field("categories", "Possible answers", "count", 2, low=2, high=1000),
    Field("deployment", "Published budget", "choice", DEPLOYMENTS[0], options=DEPLOYMENTS),
)


@dataclass(frozen=True)
class ExplainInputs:
    """What a reader chose on this page."""

    guarantee: str = "pure"
    epsilon: float = 1.0
    rho: float = 0.1
    delta: float = 1e-6
    failure: float = 0.01
    prior: float = 0.5
    reading: str = "bound"
    sensitivity: int = 1
    categories: int = 2
    deployment: str = DEPLOYMENTS[0]


@dataclass(frozen=True)
class Preset:
    """A published example: what its button says, and the choices it sets."""

    label: str
    values: dict[str, Any]


DEFAULTS = {field.name: field.default for field in FIELDS}
PRESETS = tuple(
    Preset(label, DEFAULTS | values)
    for label, values in (
        ("The manager (Example 6)", {"guarantee": "approximate", "epsilon": 0.1, "delta": 1e-7}),
        (
            "The company (Example 9)",
            {"guarantee": "approximate", "epsilon": 1.8, "delta": 1e-5, "failure": 0.05, "prior": 0.1},
        ),
        ("One noisy count, exactly", {"guarantee": "geometric", "reading": "exact"}),
        ("A month of daily counts", {"guarantee": "gaussian", "rho": 0.3, "reading": "exact"}),
        ("2020 Census, persons", {"guarantee": "deployment", "failure": 1e-3, "prior": 0.1}),
        ("A rare condition", {"epsilon": 1.0, "prior": 0.001}),
    )
)


@dataclass(frozen=True)
class ExplainView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str = ""
    small_print: str = ""
    panels: tuple[IconArray, ...] = ()
    icons: str = ""
    icons_reading: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    readings: Table | None = None
    failing: str = ""
    weakening: str = ""
    weakening_table: Table | None = None
    pictures: tuple[Picture, ...] = ()
    examples: Table | None = None
    computed: str = ""
    offered: tuple[str, ...] = ("bound",)
    exact_totals: Way | None = None
    refusal: str | None = None


def explain_view(inputs: ExplainInputs, look: Look) -> ExplainView:
    """The page for these choices."""
    try:
        meaning = Meaning(inputs, look)
        facts = meaning.facts
    except ValueError as error:
        return ExplainView(refusal=refusal_in_words(str(error)))
    voice = look.voice
    of_a_unit = "_unit" if inputs.guarantee == "deployment" else ""
    panels = _panels(meaning)
    return ExplainView(
        answer=_sentence(say("explain", voice, f"answer_{meaning.reading}{of_a_unit}", **facts)),
        small_print=say("explain", voice, f"small_print_{meaning.reading}{of_a_unit}", **facts)
        + (" " + say("explain", voice, "unit", **facts) if inputs.guarantee == "deployment" else ""),
        panels=panels,
        icons=icon_arrays(panels, look),
        icons_reading=say("explain", voice, f"icons_{meaning.reading}", **facts),
        numbers=_numbers(meaning),
        readings=_readings(meaning),
        failing=_failing(meaning),
        weakening=say("explain", voice, "weakening", **_weakening_facts()),
        weakening_table=_weakening_table(),
        pictures=(_curve(meaning), *((_law(meaning),) if meaning.loss is not None else ())),
        examples=_examples(),
        computed=say("explain", voice, "computed", **facts),
        offered=READINGS if meaning.loss is not None else ("bound",),
        exact_totals=Way(
            "exact_totals", say("explain", voice, "exact_totals"), (("prior", number_text(inputs.prior)),)
        ),
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def refusal_in_words(text: str) -> str:
    """A refusal of dpcore as a reader of this page needs it."""
    if text.startswith("delta_prime must exceed"):
        return (
            "δ′, the probability with which the promise may fail, must be larger than δ: what happens with a "
            f"probability of δ cannot be promised away ({text})."
        )
    return text[0].upper() + text[1:] + "."


NOISES = {
    "geometric": "geometric noise",
    "laplace": "Laplace noise",
    "gaussian": "Gaussian noise",
    "discrete_gaussian": "discrete Gaussian noise",
    "randomised_response": "randomised response",
}


@dataclass(frozen=True)
class Meaning:
    """A guarantee or mechanism with a prior, on the way to words and pictures."""

    inputs: ExplainInputs
    look: Look

    @cached_property
    def mechanism(self) -> Any:
        """The named mechanism, or None for a guarantee alone."""
        chosen = self.inputs
        if chosen.guarantee in ("geometric", "laplace", "randomised_response") and chosen.epsilon == 0:
            raise ValueError("epsilon must be greater than 0 for a mechanism; got 0")
        if chosen.guarantee == "geometric":
            return Geometric(epsilon=chosen.epsilon, sensitivity=chosen.sensitivity)
        if chosen.guarantee == "laplace":
            return Laplace(epsilon=chosen.epsilon)
        if chosen.guarantee == "randomised_response":
            return RandomizedResponse(epsilon=chosen.epsilon, categories=chosen.categories)
        if chosen.guarantee == "gaussian":
            return Gaussian(rho=chosen.rho)
        if chosen.guarantee == "discrete_gaussian":
            return DiscreteGaussian(rho=chosen.rho, sensitivity=chosen.sensitivity)
        return None

    @cached_property
    def guarantee(self) -> Any:
        """The guarantee, the mechanism's own where one is named."""
        chosen = self.inputs
        if self.mechanism is not None:
            return self.mechanism.guarantee
        if chosen.guarantee == "pure":
            return PureDP(epsilon=chosen.epsilon)
        if chosen.guarantee == "approximate":
            return ApproximateDP(epsilon=chosen.epsilon, delta=chosen.delta)
        if chosen.guarantee == "probabilistic":
            return ProbabilisticDP(epsilon=chosen.epsilon, delta=chosen.delta)
        if chosen.guarantee == "zero_concentrated":
            return ZeroConcentratedDP(rho=chosen.rho)
        entry = deployment(chosen.deployment)
        if entry.rho is not None:
            return ZeroConcentratedDP(rho=entry.rho)
        epsilon, delta = entry.epsilon or 0.0, entry.delta or 0.0
        if entry.definition == "pure":
            return PureDP(epsilon=epsilon)
        kind = ProbabilisticDP if entry.definition == "probabilistic" else ApproximateDP
        return kind(epsilon=epsilon, delta=delta)

    @cached_property
    def bounds(self) -> BeliefBounds:
        """What the guarantee promises at this prior."""
        return belief_bounds(self.guarantee, prior=self.inputs.prior, delta_prime=self.inputs.failure)

    @cached_property
    def loss(self) -> PrivacyLoss | None:
        """The exact law of the mechanism's privacy loss, if a mechanism is named."""
        return None if self.mechanism is None else PrivacyLoss.of(self.mechanism)

    @property
    def reading(self) -> str:
        """The reading shown: the one asked for where there is a mechanism, else the bound."""
        return self.inputs.reading if self.loss is not None else "bound"

    @cached_property
    def view_shift(self) -> float:
        """The shift of log odds that no view of this mechanism's output exceeds but with probability delta'."""
        return 0.0 if self.loss is None else float(self.loss.every_view_epsilon(self.inputs.failure))

    def beliefs(self, reading: str, prior: Any) -> tuple[Any, Any]:
        """Belief after if she takes part (upper) and if she does not (lower), in a reading, at any priors."""
        if reading == "bound":
            lower, upper = posterior_bounds(prior=prior, epsilon=self.bounds.epsilon_prime)
            return upper, lower
        assert self.loss is not None
        if reading == "every_view":
            shift = self.view_shift
            return posterior_upper(prior=prior, epsilon=shift), posterior_lower(prior=prior, epsilon=shift)
        if reading == "exact":
            return (
                self.loss.posterior_quantile(1 - self.inputs.failure, prior=prior, side="present"),
                self.loss.posterior_quantile(self.inputs.failure, prior=prior, side="absent"),
            )
        sides: tuple[Side, Side] = ("present", "absent")
        means = [
            np.array([self.loss.posterior_mean(prior=float(p), side=side) for p in np.atleast_1d(prior)])
            for side in sides
        ]
        return (means[0], means[1]) if np.ndim(prior) else (float(means[0][0]), float(means[1][0]))

    @cached_property
    def here(self) -> tuple[float, float]:
        """Both beliefs after, at this prior and in the reading shown."""
        upper, lower = self.beliefs(self.reading, self.inputs.prior)
        return float(upper), float(lower)

    @cached_property
    def of(self) -> int:
        """The one denominator of the sentence and the icons: 100, or 10,000 where a belief is below 1 % or above 99."""
        upper, lower = self.here
        spread = (self.inputs.prior, upper, lower)
        return 100 if min(spread) >= 0.01 and max(spread) <= 0.99 else 10_000

    def people(self, belief: float, direction: str = NEAREST) -> int:
        """A belief as a number of people out of the denominator, rounded in a direction."""
        return round(rounded(belief, 2 if self.of == 100 else 4, direction) * self.of)

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """People before, after if she takes part, after if she does not; bounds outwards."""
        upper, lower = self.here
        average = self.reading == "average"
        return (
            self.people(self.inputs.prior),
            self.people(upper, NEAREST if average else UP),
            self.people(lower, NEAREST if average else DOWN),
        )

    @cached_property
    def failure(self) -> float:
        """Probability, over the noise, with which the sentence may fail."""
        return self.bounds.failure_probability if self.reading == "bound" else self.inputs.failure

    @cached_property
    def subject(self) -> str:
        """The guarantee or mechanism in words."""
        own, symbol = self.guarantee, plain_number
        if isinstance(own, ZeroConcentratedDP):
            text = f"ρ = {symbol(own.rho, 4)}"
        else:
            text = f"ε = {symbol(own.epsilon, 4)}"
            if isinstance(own, ApproximateDP | ProbabilisticDP):
                text += f", δ = {symbol(own.delta, 3)}"
        if self.inputs.guarantee == "deployment":
            return f"the published budget {text}"
        if self.mechanism is not None:
            return f"{NOISES[self.inputs.guarantee]} at {text}"
        kind = {"probabilistic": "probabilistic ", "zero_concentrated": "zero-concentrated "}
        return f"a {kind.get(self.inputs.guarantee, '')}budget of {text}"

    @cached_property
    def facts(self) -> dict[str, str]:
        """Words and numbers every passage may use."""
        before, up, down = self.counts
        upper, lower = self.here
        entry = deployment(self.inputs.deployment)
        bounds = self.bounds
        reading_up = NEAREST if self.reading == "average" else UP
        reading_down = NEAREST if self.reading == "average" else DOWN
        return {
            "subject": self.subject,
            "before": f"{before:,}",
            "up": f"{up:,}",
            "down": f"{down:,}",
            "of": f"{self.of:,}",
            "prior": decimal_belief(self.inputs.prior),
            "upper": decimal_belief(upper, reading_up),
            "lower": decimal_belief(lower, reading_down),
            "exception": "" if self.failure == 0 else f", except in at most {rare(self.failure)} releases",
            "level": frequency(1 - self.failure, DOWN),
            "failure": plain_number(self.failure, 3, UP),
            "shift": plain_number(bounds.epsilon_prime, 5, UP),
            "view_shift": plain_number(self.view_shift, 5, UP)
            if self.loss is not None
            else "not defined: a guarantee alone has no law",
            "law": self._law_words(),
            "unit": entry.protected_unit,
            "entry": entry.name,
            "reported": entry.as_reported,
        }

    def _law_words(self) -> str:
        own = self.guarantee
        if isinstance(own, PureDP):
            return "Theorem 28"
        if isinstance(own, ApproximateDP):
            return "Theorem 35"
        if isinstance(own, ProbabilisticDP):
            return "Theorem 28, probabilistic"
        return "Theorem 28; ours, the tail bound of zCDP after Bun and Steinke"


def _panels(meaning: Meaning) -> tuple[IconArray, ...]:
    before, up, down = meaning.counts
    captions = {"bound": ("at most", "at least"), "every_view": ("at most", "at least")}
    captions |= {"exact": ("at most", "at least"), "average": ("on average", "on average")}
    words = captions[meaning.reading]
    published = meaning.inputs.guarantee == "deployment"  # its unit may be a day or a device: a secret, not a person
    here, not_here = ("If it is true", "If it is not") if published else ("If she takes part", "If she does not")
    return (
        IconArray(here, words[0], before, up, meaning.of, meaning.reading),
        IconArray(not_here, words[1], before, down, meaning.of, meaning.reading),
    )


def rare(probability: float) -> str:
    """A probability that is an upper bound as people out of 100 or 10,000, or as one in so many where rarer.

    Examples
    --------
    >>> rare(0.01), rare(1e-6)
    ('1 in 100', '1 in 1,000,000')
    """
    if probability >= 1e-4:
        return frequency(probability, UP)
    return f"1 in {math.floor(1 / probability * (1 + 1e-12)):,}"


def _points(change: float) -> str:
    return f"{plain_number(100 * change, 3, UP)} points"


def _numbers(meaning: Meaning) -> tuple[tuple[str, str, str], ...]:
    """Odds, ratio, difference and worst-case priors of the bound."""
    voice, bounds = meaning.look.voice, meaning.bounds
    odds = math.exp(min(bounds.epsilon_prime, 700.0))
    rise, fall = bounds.worst_prior_rise, bounds.worst_prior_fall
    lowest = 1 / odds

    def people(belief: float, direction: str = NEAREST) -> str:
        return decimal_belief(belief, direction) if meaning.look.technical else frequency(belief, direction)

    return (
        (
            say("explain", voice, "number_odds"),
            f"× {plain_number(odds, 3, UP)}",
            "at most, for every belief before; bound for any mechanism" + meaning.facts["exception"],
        ),
        (
            say("explain", voice, "number_ratio"),
            times(float(bounds.ratio_upper), UP),
            f"at least {times(float(bounds.ratio_lower), DOWN)}; over all beliefs {plain_number(lowest, 3, DOWN)} "
            f"to {plain_number(odds, 3, UP)}",
        ),
        (
            say("explain", voice, "number_difference"),
            f"+ {_points(float(bounds.difference_upper))}",
            f"or − {_points(-float(bounds.difference_lower))}; over all beliefs at most "
            f"{_points(bounds.largest_difference)}",
        ),
        (
            say("explain", voice, "number_worst"),
            people(rise),
            f"can rise to {people(1 - rise, UP)}; {people(fall)} can fall to {people(1 - fall, DOWN)}",
        ),
    )


READING_NAMES = {
    "bound": "bound for any mechanism with this guarantee",
    "every_view": "this mechanism, over every view of its output (tight)",
    "exact": "this mechanism exactly, its raw output",
    "average": "this mechanism exactly, on average",
}


def _readings(meaning: Meaning) -> Table:
    """The readings beside each other at this prior, never mixed."""
    inputs = meaning.inputs
    prior, fails = inputs.prior, inputs.failure

    def row(name: str, up: float, down: float, holds: str, nearest: bool = False) -> tuple[object, ...]:
        high, low = (NEAREST, NEAREST) if nearest else (UP, DOWN)
        return name, percent(up, 1, high), percent(down, 1, low), holds

    may_fail = f"except with probability {plain_number(fails, 3, UP)}"
    own = meaning.bounds.failure_probability
    always = "always" if own == 0 else f"except with probability {plain_number(own, 3, UP)}"
    upper, lower = meaning.beliefs("bound", prior)
    rows = [row(f"Bound: {READING_NAMES['bound']}", upper, lower, always)]
    guarantee = meaning.guarantee
    if isinstance(guarantee, ApproximateDP | ZeroConcentratedDP):
        one = shift_bound(guarantee, delta_prime=fails, one_sided=True)
        rows.append(
            row(
                "Bound on rises alone (or falls alone)",
                float(posterior_upper(prior=prior, epsilon=one)),
                float(posterior_lower(prior=prior, epsilon=one)),
                may_fail,
            )
        )
    if isinstance(guarantee, ZeroConcentratedDP):
        shift = float(probabilistic_epsilon_from_rho_published(rho=guarantee.rho, delta_prime=fails))
        low, high = posterior_bounds(prior=prior, epsilon=shift)
        rows.append(row("Bound by the published route, by way of (ε, δ)", float(high), float(low), may_fail))
    if meaning.loss is not None:
        for reading in ("every_view", "exact"):
            upper, lower = meaning.beliefs(reading, prior)
            rows.append(row(READING_NAMES[reading][0].upper() + READING_NAMES[reading][1:], upper, lower, may_fail))
        middle = [float(meaning.loss.posterior_quantile(0.5, prior=prior, side=side)) for side in ("present", "absent")]
        rows.append(row("This mechanism exactly, its median", middle[0], middle[1], "half of the time", True))
        upper, lower = meaning.beliefs("average", prior)
        rows.append(row("This mechanism exactly, on average", upper, lower, "mean over the noise", True))
    return Table(
        "The readings kept apart: belief after the release",
        ("reading", "if she takes part, at most", "if she does not, at least", "holds"),
        tuple(rows),
    )


def among(probability: float, people: int = 1000) -> str:
    """An expected number of people among some for whom something of this probability happens.

    Examples
    --------
    >>> among(0.01), among(1e-6), among(0)
    ('at most 10', 'fewer than one: one in 1,000,000', 'none')
    """
    if probability == 0:
        return "none"
    if probability * people >= 1:
        return f"at most {math.ceil(people * probability * (1 - 1e-12)):,}"
    one_in = math.floor(1 / probability * (1 + 1e-12))
    return f"fewer than one: one in {one_in:,}" if one_in < 1e12 else "far fewer than one in a million million"


def _failing(meaning: Meaning) -> str:
    """Delta and delta' in human terms."""
    own, voice = meaning.guarantee, meaning.look.voice
    passages = []
    if isinstance(own, ApproximateDP | ProbabilisticDP):
        name = "delta" if isinstance(own, ApproximateDP) else "delta_probabilistic"
        passages.append(say("explain", voice, name, among=among(own.delta), delta=plain_number(own.delta, 3, UP)))
    failing = meaning.bounds.failure_probability
    if failing == 0:
        passages.append(say("explain", voice, "never_fails"))
    elif not isinstance(own, ProbabilisticDP):
        passages.append(
            say("explain", voice, "delta_prime", among=among(failing), failure=plain_number(failing, 3, UP))
        )
    if meaning.loss is not None:
        exceeded = float(meaning.loss.exceedance(meaning.bounds.epsilon_prime, direction="either"))
        level = float(meaning.inputs.failure)
        passages.append(
            say(
                "explain",
                voice,
                "exceeded",
                among=among(level),
                really=plain_number(exceeded, 2, UP) if exceeded > 1e-15 else "0",
                failure=plain_number(level, 3, UP),
            )
        )
    return "\n\n".join(passages)


WEAK_RHO, WEAK_SHIFT, WEAK_CUT = 0.3, 2.3, 2.1


@cache
def _weakening() -> tuple[float, float, float, float]:
    """Gaussian noise at rho .3: how often log odds rise by more than 2.3, by raw output, by one cell of two, at most.

    The last number is the rise that the cell {Z > 2.1} gives, which is above 2.3.
    """
    spread = math.sqrt(2 * WEAK_RHO)
    raw = float(ndtr((WEAK_RHO - WEAK_SHIFT) / spread))
    cell = float(ndtr((WEAK_RHO - WEAK_CUT) / spread))
    rise = math.log(cell / float(ndtr((-WEAK_RHO - WEAK_CUT) / spread)))
    most = float(gaussian_every_view_exceedance(rho=WEAK_RHO, epsilon_prime=WEAK_SHIFT))
    return raw, cell, most, rise


def _weakening_facts() -> dict[str, str]:
    raw, cell, most, rise = _weakening()
    return {
        "raw": frequency(raw),
        "cell": f"{1e4 * cell:.0f} in 10,000",
        "most": f"{math.ceil(1e4 * most)} in 10,000",
        "raw_decimal": plain_number(raw, 2),
        "cell_decimal": plain_number(cell, 3),
        "most_decimal": plain_number(most, 3, UP),
        "rise": plain_number(rise, 3, DOWN),
        "odds": plain_number(math.exp(WEAK_SHIFT), 2),
        "rho": f"{WEAK_RHO:g}",
        "threshold": f"{WEAK_SHIFT:g}",
        "cut": f"{WEAK_CUT:g}",
    }


def _weakening_table() -> Table:
    raw, cell, most, _ = _weakening()
    return Table(
        f"Gaussian noise with ρ = {WEAK_RHO:g}: how often the log odds of the truth rise by more than {WEAK_SHIFT:g}",
        ("what the attacker sees", "probability", "of 10,000 releases"),
        (
            ("the release itself", plain_number(raw, 2), f"{1e4 * raw:.0f}"),
            (f"only whether its loss exceeds {WEAK_CUT:g}", plain_number(cell, 3), f"{1e4 * cell:.0f}"),
            ("the view that does so most often", plain_number(most, 3, UP), f"{math.ceil(1e4 * most)}"),
        ),
    )


STYLES = {"bound": ("reach", "dash"), "every_view": ("third", "dot"), "exact": ("fourth", "solid")}
CURVE_NAMES = {"bound": "bound, any mechanism", "every_view": "any view of this one", "exact": "this one exactly"}


def _priors() -> NDArray[np.float64]:
    steps: NDArray[np.float64] = np.linspace(0.0, 1.0, 161)
    return 3 * steps**2 - 2 * steps**3  # dense at both ends


def _curve(meaning: Meaning) -> Picture:
    """The interval of beliefs after the release, for every belief before it."""
    look, facts = meaning.look, meaning.facts
    prior = _priors()
    lines = [Curve("learns nothing", prior[[0, -1]], prior[[0, -1]], "quiet", "solid")]
    found: list[tuple[str, Any, Any]] = []
    kinds = READINGS[:3] if meaning.loss is not None else READINGS[:1]
    below = meaning.inputs.prior < 0.6  # the names stand on the side that the marked spot leaves free
    for place, reading in reversed(list(enumerate(kinds))):  # dashes over the solid line, where they coincide
        upper, lower = (np.asarray(side) for side in meaning.beliefs(reading, prior))
        role, dash = STYLES[reading]
        at = 70 - 17 * place
        lines += [
            Curve(CURVE_NAMES[reading], prior, side, role, dash, label_at=where, label_beside=ON_LINE)
            for side, where in ((upper, None if below else at), (lower, 160 - at if below else None))
        ]
        found += [(f"{CURVE_NAMES[reading]}: at most", upper, UP), (f"{CURVE_NAMES[reading]}: at least", lower, DOWN)]
    spot = Spot(meaning.inputs.prior, meaning.here[0], f"{facts['before']} to {facts['up']} in {facts['of']}")
    drawing = curves(
        lines,
        x_title="belief before",
        y_title="belief after",
        look=look,
        spot=spot,
        y_range=(0.0, 1.02),
        height=380,
    )
    drawing.data[0].line.width = 1
    rows = tuple(
        (plain_number(float(p), 3), *(decimal_belief(float(values[at]), way) for _, values, way in found))
        for at, p in list(enumerate(prior))[8:-8:8]
    )
    reading = say("explain", look.voice, "reading_curve", **facts)
    table = Table("Belief after the release by belief before it", ("belief before", *(n for n, _, _ in found)), rows)
    return Picture("belief-by-prior", drawing, reading, reading.replace("**", ""), table)


LEVELS = (0.5, 0.9, 0.95, 0.99, 0.999)


def _law(meaning: Meaning) -> Picture:
    """The exact law of the belief after the release, in both worlds, with the bound beside it."""
    look, loss, prior = meaning.look, meaning.loss, meaning.inputs.prior
    assert loss is not None
    sides: tuple[Side, Side] = ("present", "absent")
    ends = [float(loss.posterior_quantile(level, prior=prior, side=side)) for level in (5e-4, 0.9995) for side in sides]
    bound_up, bound_down = (float(end) for end in meaning.beliefs("bound", prior))
    low, high = max(min(*ends, bound_down) - 0.03, 0.0), min(max(*ends, bound_up) + 0.03, 1.0)
    belief: NDArray[np.float64] = np.linspace(low, high, 241)
    atoms = not isinstance(meaning.mechanism, Gaussian)
    lines = [
        Curve(
            name,
            belief,
            np.asarray(loss.posterior_cdf(belief, prior=prior, side=side)),
            role,
            dash,
            "hv" if atoms else "linear",
            label_at=at,
            label_beside=ON_LINE,
        )
        for name, side, role, dash, at in zip(
            ("if she takes part", "if she does not"),
            sides,
            ("fourth", "accent"),
            ("solid", "dashdot"),
            (150, 60),
            strict=True,
        )
    ]
    drawing = curves(
        lines,
        x_title="belief after",
        y_title="share of releases at or below",
        look=look,
        y_range=(0.0, 1.05),
        height=330,
    )
    colours = palette(look.dark)
    for place, words in ((bound_down, "bound"), (bound_up, "bound")):
        drawing.add_vline(
            x=place,
            line={"color": colours.reach, "width": 1.5, "dash": "dash"},
            annotation={"text": words, "font": {"color": colours.reach}},
        )
    rows = [
        (
            f"{percent(level, 1).replace('.0', '')} are at or below",
            *(decimal_belief(float(loss.posterior_quantile(level, prior=prior, side=side)), UP) for side in sides),
        )
        for level in LEVELS
    ]
    rows.append(("mean", *(decimal_belief(loss.posterior_mean(prior=prior, side=side)) for side in sides)))
    reading = say("explain", look.voice, "reading_law", **_law_facts(meaning))
    table = Table(
        "The exact law of the belief after the release", ("share", "if she takes part", "if she does not"), tuple(rows)
    )
    return Picture("belief-law", drawing, reading, reading.replace("**", ""), table)


def _law_facts(meaning: Meaning) -> dict[str, str]:
    loss, prior = meaning.loss, meaning.inputs.prior
    assert loss is not None
    word = decimal_belief if meaning.look.technical else frequency
    sides: tuple[Side, Side] = ("present", "absent")
    medians = [float(loss.posterior_quantile(0.5, prior=prior, side=side)) for side in sides]
    means = [loss.posterior_mean(prior=prior, side=side) for side in sides]
    return meaning.facts | {
        "median_present": word(medians[0]),
        "median_absent": word(medians[1]),
        "mean_present": word(means[0]),
        "mean_absent": word(means[1]),
    }


@cache
def _examples() -> Table:
    """The printed examples beside what this page computes, bounds rounded outwards."""
    manager = belief_bounds(ApproximateDP(epsilon=0.1, delta=1e-7), prior=0.5, delta_prime=0.01)
    company = ApproximateDP(epsilon=1.8, delta=1e-5)
    half = belief_bounds(company, prior=0.5, delta_prime=0.05)
    tenth = belief_bounds(company, prior=0.1, delta_prime=0.05)
    worst = float(expit(-1.0))
    return Table(
        "Printed in chapter 5 of the thesis, and computed here with bounds rounded outwards",
        ("example", "printed", "computed", "note"),
        (
            (
                "Example 6, the manager: belief from 50 %",
                "48 to 52 %",
                f"{percent(manager.posterior_lower, 0, DOWN)} to {percent(manager.posterior_upper, 0, UP)}",
                f"47.50 and 52.50 unrounded; printed rounded inwards, so 48 to 52 is not a bound "
                f"({plain_number(manager.posterior_lower, 6)}, {plain_number(manager.posterior_upper, 6)})",
            ),
            (
                "Example 6: largest change of any belief",
                "2 points",
                _points(manager.largest_difference),
                "rounded up",
            ),
            ("Example 9, the company: belief from 50 %", "86 %", percent(half.posterior_upper, 0, UP), "δ′ = 0.05"),
            (
                "Example 9: belief from 10 %",
                "40 %",
                percent(tenth.posterior_upper, 0, UP),
                f"{percent(tenth.posterior_upper, 2, UP)} unrounded; 40 is rounded down",
            ),
            (
                "Section 5.4.4, ε = 2: the belief that can rise most",
                "0.27, to 0.73",
                f"{worst:.4f}, to {rounded(1 - worst, 4, UP):.4f}",
                f"a change of {plain_number(float(largest_difference(epsilon=2.0)), 4, UP)}, printed 0.46",
            ),
        ),
    )
