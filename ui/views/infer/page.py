"""Learn from a noisy release: what a noisy mean and variance of bounded data say, with and without the bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.inference import (
    ConjugatePrior,
    FlatPrior,
    ImproperPosteriorError,
    NoisyMoments,
    Posterior,
    PowerPrior,
    Prior,
    RegressionPosterior,
    feasible_prior_mean,
    gibbs,
    likelihood_constrained_posterior,
    noise_scales,
    posterior,
    propriety,
)
from ui.link.fields import Field
from ui.pictures.columns import Column, Numbers, Rows, side_by_side, single
from ui.pictures.look import Look
from ui.pictures.marks import Axis, Band, Line, Mark, Panel, Region, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.infer.coverage_study import COVERAGE_FIELDS, CoverageChoice, coverage_parts
from ui.views.infer.noisy_regression import REGRESSION_FIELDS, SMALLEST, RegressionChoice, regression_parts
from ui.views.session_results import kept_for_session
from ui.words.failures import BEYOND_NUMBERS, UNCOMPUTABLE
from ui.words.passages import say
from ui.words.phrasing import decimal_belief, frequency, plain_number, rounded
from ui.words.quantities import Lower, Upper, number
from ui.words.refusals import refusal_sentence, refusal_words

PARTS = ("moments", "regression", "coverage")
PRIORS = ("conjugate", "flat", "power", "usual")
LARGEST = 1e9
FIELDS: tuple[Field, ...] = (
    Field("part", "Question", "choice", "moments", options=PARTS),
    Field("n", "Number of values", "count", 43, low=2, high=20_000),
    Field("lower", "Lowest possible value", "number", 0.0, low=-LARGEST, high=LARGEST),
    Field("upper", "Highest possible value", "number", 100.0, low=-LARGEST, high=LARGEST),
    Field("mean", "Published mean", "number", 34.3027, low=-1e12, high=1e12),
    Field("variance", "Published variance", "number", 2224.8, low=-1e18, high=1e18),
    Field("epsilon_mean", "ε of the mean", "number", 0.25, low=SMALLEST, high=1000),
    Field("epsilon_variance", "ε of the variance", "number", 0.25, low=SMALLEST, high=1000),
    Field("level", "Probability of the interval", "number", 0.95, low=0.5, high=0.999),
    Field("prior", "What did you believe before?", "choice", "conjugate", options=PRIORS),
    Field("guess", "Guess of the mean", "number", 12.5, low=-LARGEST, high=LARGEST),
    Field(
        "guess_weight", "Its weight, in values", "number", 1.0, low=SMALLEST, high=10_000, span=(0.1, 40.0), step=0.1
    ),
    Field("guess_spread", "Prior guess of the spread (standard deviation)", "number", 3.8, low=0, high=LARGEST),
    Field("spread_weight", "Weight of that guess, in values", "number", 1.0, low=0, high=10_000),
    Field("power", "Power a: variance to the minus a", "number", 0.5, low=-3, high=3, span=(-1.0, 2.0), step=0.05),
    Field("other", "Another ε for each number", "number", 1.0, low=SMALLEST, high=1000),
    Field("seed", "Seed of the chain", "count", 1, low=0, high=999_999),
    *REGRESSION_FIELDS,
    *COVERAGE_FIELDS,
)
OTHER_BUDGETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
LINES = (52, 36)
CHAIN_DRAWS = 3_000
UNLIKELY = math.log(1e-9)  # log chance of the noise below which a release is asked about before it is analysed
TRUSTED = 0.02  # largest relative difference of two evaluations of the evidence whose intervals are shown


@dataclass(frozen=True, kw_only=True)
class InferInputs(RegressionChoice, CoverageChoice):
    """What a reader chose on this page."""

    part: str = "moments"
    n: int = 43
    lower: float = 0.0
    upper: float = 100.0
    mean: float = 34.3027
    variance: float = 2224.8
    epsilon_mean: float = 0.25
    epsilon_variance: float = 0.25
    level: float = 0.95
    prior: str = "conjugate"
    guess: float = 12.5
    guess_weight: float = 1.0
    guess_spread: float = 3.8
    spread_weight: float = 1.0
    power: float = 0.5
    other: float = 1.0
    seed: int = 1

    @property
    def release(self) -> NoisyMoments:
        """The published mean and variance with what is known about them."""
        return NoisyMoments(
            self.n, self.mean, self.variance, self.epsilon_mean, self.epsilon_variance, self.lower, self.upper
        )

    @property
    def chosen_prior(self) -> Prior:
        """The prior of the analyst."""
        if self.prior == "conjugate":
            return ConjugatePrior(self.guess, self.guess_weight, self.guess_spread**2, self.spread_weight)
        if self.prior == "flat":
            return FlatPrior()
        return PowerPrior(1.0 if self.prior == "usual" else self.power)


@dataclass(frozen=True)
class InferView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    main: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()
    command: str = ""
    computed: str = ""
    refusal: str | None = None


def infer_view(inputs: InferInputs, look: Look, draws: RegressionPosterior | str | None = None) -> InferView:
    """The page for these choices; `draws` are those of the regression once made, or why there are none."""
    try:
        if inputs.part == "regression":
            return InferView(**regression_parts(inputs, look, draws))
        if inputs.part == "coverage":
            return InferView(**coverage_parts(inputs, look))
        learned = Learned(inputs, look)
        facts = learned.facts
        known, ignored = learned.known, learned.ignored
        notes = dict.fromkeys((*known.warnings, *(ignored.warnings if ignored else (learned.no_answer,))))
        return InferView(
            answer=_typing_question(learned) + learned.say("answer" if ignored else "answer_alone"),
            small_print=learned.say("small_print"),
            main=_joint_picture(learned),
            numbers=_numbers(learned),
            pictures=(_mean_picture(learned), _spread_picture(learned)),
            notes=tuple(notes),
            computed=say("infer", look.voice, "computed", **facts),
        )
    except ValueError as error:
        return InferView("", "", refusal=refusal_sentence(error))
    except UNCOMPUTABLE:
        return InferView("", "", refusal=BEYOND_NUMBERS)


def _typing_question(learned: Learned) -> str:
    """Whether the less likely of both numbers is a typing error, when noise hardly ever puts it so far out."""
    release = learned.release
    chance, what, value = min(
        (release.log_chance_of_mean, "mean", learned.facts["published"]),
        (release.log_chance_of_variance, "variance", learned.facts["published_variance"]),
    )
    if chance > UNLIKELY:
        return ""
    zeros = math.floor(-chance / math.log(10))  # the chance is rounded up to the next power of ten
    return learned.say("typing_question", what=learned.say(f"typing_{what}"), value=value, zeros=f"{zeros:,}") + " "


@kept_for_session
def _posterior(release: NoisyMoments, prior: Prior, constrained: bool) -> Posterior:
    """The posterior, refused where its two evaluations of the evidence disagree."""
    found = posterior(release, prior, constrained=constrained)
    if not found.quadrature_error < TRUSTED:
        raise ValueError(
            "the published mean and variance contradict each other or the bounds so far that the integrals cannot be "
            f"trusted: two ways to compute them differ by {100 * min(found.quadrature_error, 1.0):.0f} %"
        )
    return found


@kept_for_session
def _mean_interval(release: NoisyMoments, prior: Prior, constrained: bool, level: float) -> tuple[float, float]:
    return _posterior(release, prior, constrained).mean.shortest_interval(level)


@kept_for_session
def _spread_interval(release: NoisyMoments, prior: Prior, constrained: bool, level: float) -> tuple[float, float]:
    low, high = _posterior(release, prior, constrained).variance.shortest_interval(level)
    return math.sqrt(max(low, 0.0)), math.sqrt(max(high, 0.0))


def outwards(low: float, high: float) -> tuple[str, str]:
    """Ends of an interval with two digits of its length, rounded outwards.

    Examples
    --------
    >>> outwards(5.47, 44.69), outwards(-0.0123, 0.0456)
    (('5', '45'), ('-0.013', '0.046'))
    """
    length = high - low
    places = 1 - math.floor(math.log10(length)) if length > 0 and math.isfinite(length) else 2
    places = min(max(places, -15), 15)
    ends = ((low, Lower.direction), (high, Upper.direction))
    return tuple(  # type: ignore[return-value]
        f"{rounded(end, places, way) + 0.0:,.{max(places, 0)}f}" for end, way in ends
    )


@dataclass(frozen=True)
class Learned:
    """What a release says, on the way to words and pictures."""

    inputs: InferInputs
    look: Look

    def say(self, name: str, **words: str) -> str:
        """A passage of the page in the reader's voice."""
        return say("infer", self.look.voice, name, **(self.facts | words))

    @cached_property
    def release(self) -> NoisyMoments:
        """The release."""
        return self.inputs.release

    @cached_property
    def prior(self) -> Prior:
        """The prior; refused with the theorem when it gives no posterior at all."""
        prior = self.inputs.chosen_prior
        decided = propriety(self.release.n, prior, constrained=True)
        if not decided.proper:
            raise ImproperPosteriorError(decided.reason, prior)
        return prior

    @cached_property
    def known(self) -> Posterior:
        """Posterior that uses the bounds."""
        return _posterior(self.release, self.prior, True)

    @cached_property
    def no_answer(self) -> str:
        """Why there is no posterior without the bounds; empty when there is one."""
        decided = propriety(self.release.n, self.prior, constrained=False)
        return "" if decided.proper else f"When the bounds are ignored: {decided.reason}"

    @cached_property
    def ignored(self) -> Posterior | None:
        """Posterior that ignores the bounds, if there is one."""
        return None if self.no_answer else _posterior(self.release, self.prior, False)

    def mean_interval(self, constrained: bool) -> tuple[float, float]:
        """Shortest interval for the mean."""
        return _mean_interval(self.release, self.prior, constrained, self.inputs.level)

    def spread_interval(self, constrained: bool) -> tuple[float, float]:
        """Shortest interval for the variance, as standard deviations."""
        return _spread_interval(self.release, self.prior, constrained, self.inputs.level)

    @cached_property
    def prior_interval(self) -> tuple[float, float]:
        """What the prior alone says about the mean."""
        prior, level = self.prior, self.inputs.level
        if isinstance(prior, ConjugatePrior):
            return prior.mean_interval(level)
        law, release = feasible_prior_mean(prior), self.release
        low, high = (law.quantile(p) for p in (0.5 - 0.5 * level, 0.5 + 0.5 * level))
        return release.lower + release.width * low, release.lower + release.width * high

    def prior_density(self, mean: NDArray[np.float64]) -> NDArray[np.float64]:
        """Density of the mean before the release."""
        prior, release = self.prior, self.release
        if isinstance(prior, ConjugatePrior):
            return np.asarray(prior.mean_density(mean))
        unit = (mean - release.lower) / release.width
        inside = (unit > 0) & (unit < 1)
        density = np.zeros_like(mean)
        density[inside] = np.asarray(feasible_prior_mean(prior).density(unit[inside])) / release.width
        return density

    @cached_property
    def impossible(self) -> float:
        """Share of the unconstrained posterior on what bounded data cannot have."""
        if self.ignored is None:
            return math.nan
        share = self.ignored.infeasible
        return share.variance_too_large + share.mean_outside

    @cached_property
    def facts(self) -> dict[str, str]:
        """Words and numbers every passage may use."""
        inputs, release = self.inputs, self.release
        belief = decimal_belief if self.look.technical else frequency
        low, high = outwards(*self.mean_interval(True))
        spread_low, spread_high = outwards(*self.spread_interval(True))
        before_low, before_high = outwards(*self.prior_interval)
        noise_mean, noise_variance = noise_scales(
            lower=release.lower,
            upper=release.upper,
            n=release.n,
            epsilon_mean=release.epsilon_mean,
            epsilon_variance=release.epsilon_variance,
        )
        words = {
            "low": low,
            "high": high,
            "spread_low": spread_low,
            "spread_high": spread_high,
            "before_low": before_low,
            "before_high": before_high,
            "low_ignored": "–",
            "high_ignored": "–",
            "spread_low_ignored": "–",
            "spread_high_ignored": "–",
            "impossible": "–",
            "level": f"{plain_number(100 * inputs.level, 3)} %",
            "n": f"{release.n:,}",
            "lower": plain_number(release.lower, 6),
            "upper": plain_number(release.upper, 6),
            "published": plain_number(release.mean, 4),
            "published_variance": plain_number(release.variance, 5),
            "published_spread": plain_number(math.sqrt(release.variance), 4) if release.variance >= 0 else "–",
            "largest_spread": plain_number(0.5 * release.width, 4),
            "noise": plain_number(noise_mean * math.sqrt(2), 3),
            "noise_variance": plain_number(noise_variance * math.sqrt(2), 3),
            "epsilon_mean": plain_number(release.epsilon_mean, 4),
            "epsilon_variance": plain_number(release.epsilon_variance, 4),
            "prior": self._prior_words,
            "example": say("infer", self.look.voice, "example") + " " if self._is_example else "",
        }
        if self.ignored is not None:
            words["low_ignored"], words["high_ignored"] = outwards(*self.mean_interval(False))
            words["spread_low_ignored"], words["spread_high_ignored"] = outwards(*self.spread_interval(False))
            words["impossible"] = belief(self.impossible)
        return words

    @property
    def _is_example(self) -> bool:
        names = ("n", "lower", "upper", "mean", "variance", "epsilon_mean", "epsilon_variance")
        return all(getattr(self.inputs, name) == getattr(InferInputs(), name) for name in names)

    @property
    def _prior_words(self) -> str:
        inputs = self.inputs
        return say(
            "infer",
            self.look.voice,
            f"prior_{inputs.prior}",
            guess=plain_number(inputs.guess, 4),
            guess_weight=plain_number(inputs.guess_weight, 3),
            guess_spread=plain_number(inputs.guess_spread, 4),
            spread_weight=plain_number(inputs.spread_weight, 3),
            power=plain_number(inputs.power, 3),
        )


def _numbers(learned: Learned) -> tuple[tuple[str, str, str], ...]:
    facts, say_it = learned.facts, learned.say
    rows = [
        (say_it("number_spread"), f"{facts['spread_low']} to {facts['spread_high']}", say_it("note_spread")),
        (say_it("number_before"), f"{facts['before_low']} to {facts['before_high']}", say_it("note_before")),
    ]
    if learned.ignored is not None:
        rows.append((say_it("number_impossible"), facts["impossible"], say_it("note_impossible")))
    return tuple(rows)


def _frame(learned: Learned) -> tuple[tuple[float, float], tuple[float, float]]:
    """Window of the joint picture: the whole possible region, or round a posterior much narrower than it."""
    release = learned.release
    tails = [0.004, 0.996]
    low, high = np.asarray(learned.known.mean.quantile(tails)).tolist()
    top = math.sqrt(float(learned.known.variance.quantile(0.996)))
    if learned.ignored is not None:
        first, last = np.asarray(learned.ignored.mean.quantile(tails)).tolist()
        low, high = min(low, first), max(high, last)
        top = max(top, math.sqrt(float(learned.ignored.variance.quantile(0.99))))
    width = release.width
    if high - low < 0.25 * width and top < 0.25 * width:
        pad = 0.15 * (high - low)
        return (low - pad, high + pad), (0.0, 1.15 * top)
    across = max(min(low, release.lower), release.lower - 0.35 * width)
    end = min(max(high, release.upper), release.upper + 0.35 * width)
    return (across - 0.02 * width, end + 0.02 * width), (0.0, min(max(1.05 * top, 0.55 * width), 0.9 * width))


def _cloud(
    learned: Learned, found: Posterior, frame: tuple[tuple[float, float], tuple[float, float]]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], list[float]]:
    """A posterior on a grid of means and standard deviations, with the heights that hold half and the level."""
    inputs = learned.inputs
    tails = [0.001, 0.999]
    low, high = np.asarray(found.mean.quantile(tails)).tolist()
    bottom, top = np.sqrt(np.maximum(np.asarray(found.variance.quantile(tails)), 0.0)).tolist()
    (left, right), (_, ceiling) = frame
    low, high = max(low, left), min(high, right)
    top = min(top, ceiling)
    bottom = 0.0 if bottom < 0.3 * top else bottom
    mean = np.linspace(low, high, LINES[0])
    spread = np.linspace(bottom, top, LINES[1] + 1)[1:]
    at_mean, at_spread = np.meshgrid(mean, spread)
    density = np.zeros(at_mean.shape)
    inside = np.ones(at_mean.shape, dtype=bool)
    if found.constrained:
        room = (at_mean - learned.release.lower) * (learned.release.upper - at_mean)
        inside = at_spread**2 < room
    logs = np.asarray(found.log_joint_density(at_mean[inside], at_spread[inside] ** 2))
    density[inside] = np.exp(logs) * 2.0 * at_spread[inside]
    cell = (mean[1] - mean[0]) * (spread[1] - spread[0])
    ordered = np.sort(density, axis=None)[::-1]
    held = np.cumsum(ordered) * cell
    heights = [float(ordered[min(int(np.searchsorted(held, share)), held.size - 1)]) for share in (inputs.level, 0.5)]
    heights = [min(max(height, 1e-4 * ordered[0]), 0.999 * ordered[0]) for height in heights]
    return mean, spread, density, heights


def _joint_picture(learned: Learned) -> Picture:
    """Regions of highest density of mean and spread, over the half-disc of what bounded data can have."""
    frame = _frame(learned)
    release, look, facts = learned.release, learned.look, learned.facts
    across, up = learned.say("axis_mean"), learned.say("axis_spread")
    rows: list[Rows] = []
    marks: list[Mark] = []
    centre, radius = 0.5 * (release.lower + release.upper), 0.5 * (release.upper - release.lower)
    turn = np.linspace(0.0, np.pi, 91)
    rows.append(
        side_by_side(
            Column("possible_mean", "mean, possible", centre - radius * np.cos(turn), quantity=across),
            Column("possible_least", "standard deviation, least", np.zeros(turn.size), quantity=up),
            Column("possible", learned.say("possible"), radius * np.sin(turn), quantity=up),
        )
    )
    (left, right), (_, top) = frame
    named = left <= centre + 0.4 * radius <= right and top >= 0.9 * radius
    marks.append(
        Band(
            x="possible_mean",
            low="possible_least",
            high="possible",
            role="grid",
            edge="quiet",
            labelled=named,
            in_legend=False,
        )
    )
    for found, key, name, role, dash in (
        (learned.known, "known", "name_known", "accent", "solid"),
        (learned.ignored, "ignored", "name_ignored", "reach", "dash"),
    ):
        if found is None:
            continue
        mean, spread, density, heights = _cloud(learned, found, frame)
        at_mean, at_spread = np.meshgrid(mean, spread)
        rows.append(
            side_by_side(
                Column(f"{key}_mean", f"mean, {learned.say(name)}", at_mean.ravel(), quantity=across),
                Column(f"{key}_spread", f"standard deviation, {learned.say(name)}", at_spread.ravel(), quantity=up),
                Column(f"{key}_density", learned.say(name), density.ravel(), quantity="density", aspect="density"),
            )
        )
        marks.append(
            Region(
                x=f"{key}_mean",
                y=f"{key}_spread",
                z=f"{key}_density",
                heights=tuple(heights),
                role=role,
                dash=dash,
                filled=key == "known",
            )
        )
    deviation = math.sqrt(release.variance) if release.variance >= 0 else math.nan
    if left <= release.mean <= right and deviation <= top:
        rows.append(
            side_by_side(
                single("released_mean", "mean, published", release.mean, quantity=across),
                single("released", learned.say("released"), deviation, quantity=up),
            )
        )
        marks.append(Spot(x="released_mean", y="released", labelled=False, in_legend=True))
    reading = learned.say("reading_joint" if learned.ignored else "reading_joint_alone")
    intervals = [
        (
            name,
            f"{facts[f'low{end}']} to {facts[f'high{end}']}",
            f"{facts[f'spread_low{end}']} to {facts[f'spread_high{end}']}",
            _moment(found.mean.mean),
            _moment(found.mean.sd),
            plain_number(found.mean.mode, 5),
        )
        for name, end, found in (
            ("bounds used", "", learned.known),
            ("bounds ignored", "_ignored", learned.ignored),
        )
        if found is not None
    ]
    columns = (
        "analysis",
        "mean",
        "standard deviation",
        "posterior mean of the mean",
        "its standard deviation",
        "most likely mean",
    )
    caption = f"Shortest intervals with {facts['level']} probability"
    return Picture(
        key="joint",
        numbers=Numbers(caption, tuple(rows), Table(caption, columns, tuple(intervals))),
        marks=tuple(marks),
        panels=(Panel(x=Axis(range=(left, right)), y=Axis(range=frame[1])),),
        reading=reading,
        look=look,
        legend="above",
        height=400,
    )


def _moment(value: float | None) -> str:
    return "does not exist" if value is None else plain_number(value, 4)


def _mean_picture(learned: Learned) -> Picture:
    (left, right), _ = _frame(learned)
    at = np.linspace(left, right, 161)
    lines = [("known", np.asarray(learned.known.mean.density(at)), "accent", "solid")]
    if learned.ignored is not None:
        lines.append(("ignored", np.asarray(learned.ignored.mean.density(at)), "reach", "dash"))
    lines.append(("before", learned.prior_density(at), "quiet", "dot"))
    reading = learned.say("reading_mean" if learned.ignored else "reading_mean_alone")
    return _densities(learned, "mean", at, lines, learned.say("axis_mean"), reading)


def _spread_picture(learned: Learned) -> Picture:
    _, (_, top) = _frame(learned)
    at = np.linspace(top / 400, top, 161)
    lines = []
    for found, name, role, dash in (
        (learned.known, "known", "accent", "solid"),
        (learned.ignored, "ignored", "reach", "dash"),
    ):
        if found is not None:
            lines.append((name, np.asarray(found.variance.density(at**2)) * 2.0 * at, role, dash))
    reading = learned.say("reading_spread" if learned.ignored else "reading_spread_alone")
    return _densities(learned, "spread", at, lines, learned.say("axis_spread"), reading)


def _densities(
    learned: Learned,
    key: str,
    at: NDArray[np.float64],
    lines: Sequence[tuple[str, NDArray[np.float64], str, str]],
    measured: str,
    reading: str,
) -> Picture:
    """Densities over one axis, each named where it stands furthest above the others."""
    ceiling = 1.15 * max(float(heights.max()) for _, heights, role, _ in lines if role != "quiet")
    rows = side_by_side(
        Column("at", measured, at),
        *(Column(name, learned.say(f"name_{name}"), heights, quantity="density") for name, heights, *_ in lines),
        listed=range(0, at.size, 8),
    )
    labels = _labels([heights for _, heights, *_ in lines], ceiling)
    return Picture(
        key=key,
        numbers=Numbers(reading, (rows,)),
        marks=tuple(
            Line(x="at", y=name, role=role, dash=dash, label=label)
            for (name, _, role, dash), label in zip(lines, labels, strict=True)
        ),
        panels=(Panel(y=Axis(range=(0.0, ceiling))),),
        reading=reading,
        look=learned.look,
        height=290,
    )


def _labels(lines: Sequence[NDArray[np.float64]], ceiling: float) -> list[int]:
    """Where each line carries its name: where it stands furthest above the others."""
    found = []
    for place, line in enumerate(lines):
        others = [other for at, other in enumerate(lines) if at != place] or [np.zeros_like(line)]
        gain = np.where(line <= 0.9 * ceiling, line - np.maximum.reduce(others), -np.inf)[4:-30]
        found.append(int(np.argmax(gain)) + 4)
    return found


def _interval_words(release: NoisyMoments, prior: Prior, constrained: bool, level: float) -> str:
    """An interval for the mean, or that there is none."""
    if not propriety(release.n, prior, constrained=constrained).proper:
        return "no answer"
    try:
        return " to ".join(outwards(*_mean_interval(release, prior, constrained, level)))
    except Refused as refusal:
        if refusal.code is not Code.INFEASIBLE:
            raise
        return "contradicts the release"


def other_priors(inputs: InferInputs, look: Look) -> tuple[str, Table]:
    """The same release under other priors: which answers are the prior's doing, which priors give none."""
    learned = Learned(inputs, look)
    release, width = learned.release, learned.release.width
    middle = 0.5 * (release.lower + release.upper)
    guess = ConjugatePrior(inputs.guess, inputs.guess_weight, max(inputs.guess_spread, 1e-3 * width) ** 2, 1.0)
    heavy = ConjugatePrior(guess.mean, 10 * guess.mean_weight, guess.variance, 10.0)
    moved = ConjugatePrior(2 * middle - guess.mean, guess.mean_weight, guess.variance, 1.0)
    spread = plain_number(math.sqrt(guess.variance), 3)
    named: list[tuple[str, Prior]] = [
        ("yours", learned.prior),
        (f"guess {plain_number(guess.mean, 3)}, spread {spread}, worth 1 value", guess),
        ("the same guess worth 10 values", heavy),
        (f"guess {plain_number(moved.mean, 3)} instead", moved),
        ("every mean and variance equally likely", FlatPrior()),
        ("one over the root of the variance (a = 0.5)", PowerPrior(0.5)),
        ("one over the variance (a = 1), usual without noise", PowerPrior(1.0)),
    ]
    rows = []
    for name, prior in named:
        decided = propriety(release.n, prior, constrained=True)
        rows.append(
            (
                name,
                _interval_words(release, prior, True, inputs.level),
                _interval_words(release, prior, False, inputs.level),
                "" if decided.proper else "no posterior exists (Theorem 17)",
            )
        )
    caption = f"{learned.facts['level']} intervals for the mean from the same release"
    return learned.say("other_priors"), Table(caption, ("prior", "bounds used", "bounds ignored", ""), tuple(rows))


def prediction(inputs: InferInputs, look: Look) -> tuple[str, Table]:
    """The next value: with the bounds, without them, and after two repairs."""
    learned = Learned(inputs, look)
    belief = decimal_belief if look.technical else frequency
    used = learned.known.predictive
    rows: list[tuple[str, str, str, str, str]] = [
        ("bounds used", _moment(used.mean), _moment(used.sd), belief(used.below), belief(used.above))
    ]
    words = {"sd": _moment(used.sd), "below": "–", "above": "–", "sd_ignored": "–"}
    if learned.ignored is not None:
        free = learned.ignored.predictive
        below, above = belief(free.below), belief(free.above)
        zero = belief(0.0)
        rows += [
            ("bounds ignored", _moment(free.mean), _moment(free.sd), below, above),
            ("bounds ignored, then impossible values moved to a bound", "", _moment(free.sd_recoded), zero, zero),
            ("bounds ignored, then a normal cut to the bounds", "", _moment(free.sd_cut_normal), zero, zero),
        ]
        words |= {"below": below, "above": above, "sd_ignored": _moment(free.sd)}
    facts = learned.facts
    columns = (
        "analysis",
        "mean",
        "standard deviation",
        f"chance below {facts['lower']}",
        f"chance above {facts['upper']}",
    )
    sentence = learned.say("prediction" if learned.ignored else "prediction_alone", **words)
    return sentence, Table("A new value from the same people", columns, tuple(rows))


def other_budgets(inputs: InferInputs, look: Look) -> Picture:
    """What the same published numbers would have said under other budgets."""
    learned = Learned(inputs, look)
    budgets = sorted({*OTHER_BUDGETS, inputs.other})
    ends: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    kinds = (True, False) if learned.ignored is not None else (True,)
    usable = []
    for epsilon in budgets:
        release = NoisyMoments(
            inputs.n, inputs.mean, inputs.variance, epsilon, epsilon, learned.release.lower, learned.release.upper
        )
        try:
            pairs = [_mean_interval(release, learned.prior, constrained, inputs.level) for constrained in kinds]
        except Refused as refusal:
            if epsilon == inputs.other or refusal.code is not Code.INFEASIBLE:
                raise
            continue  # so precise a release could not have come out like this
        usable.append(epsilon)
        for constrained, pair in zip(kinds, pairs, strict=True):
            ends[constrained].append(pair)
    budgets = usable
    across, up = learned.say("axis_budget"), learned.say("axis_mean")
    columns = [Column("epsilon", "ε of each number", np.array(budgets), quantity=across)]
    marks: list[Mark] = []
    for constrained, key, role, dash in (
        (True, "known", "accent", "solid"),
        (False, "ignored", "reach", "dash"),
    )[: len(kinds)]:
        name, interval = learned.say(f"name_{key}"), np.array(ends[constrained])
        told = [" to ".join(outwards(*pair)) for pair in ends[constrained]]
        columns += [
            Column(f"{key}_told", name, told),
            Column(f"{key}_low", name, interval[:, 0], quantity=up, aspect="from", listed=False),
            Column(f"{key}_high", name, interval[:, 1], quantity=up, aspect="to", listed=False),
        ]
        marks += [
            Line(x="epsilon", y=f"{key}_low", role=role, dash=dash),
            Line(x="epsilon", y=f"{key}_high", role=role, dash=dash, label=0 if constrained else 2),
        ]
    if len(kinds) == 1:
        columns.append(Column("ignored_told", learned.say("name_ignored"), ["no answer"] * len(budgets)))
    here = side_by_side(single("other", f"ε = {plain_number(inputs.other, 4)}", inputs.other, quantity=across))
    marks.append(Upright(x="other"))
    every = np.concatenate([np.array(ends[constrained]).ravel() for constrained in kinds])
    width = learned.release.width
    low, high = learned.release.lower - 0.3 * width, learned.release.upper + 0.3 * width
    shown = (
        max(low, float(every.min())) - 0.03 * width,
        min(high, float(every.max())) + 0.08 * width,
    )
    place = budgets.index(inputs.other)
    there = outwards(*ends[True][place])
    free = outwards(*ends[False][place]) if len(kinds) > 1 else ("–", "–")
    reading = learned.say(
        "other_budget" if len(kinds) > 1 else "other_budget_alone",
        other=plain_number(inputs.other, 4),
        there_low=there[0],
        there_high=there[1],
        free_low=free[0],
        free_high=free[1],
    )
    caption = f"{learned.facts['level']} intervals for the mean, had each number been published with this ε"
    return Picture(
        key="budgets",
        numbers=Numbers(caption, (side_by_side(*columns), here)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True), y=Axis(range=shown)),),
        reading=reading,
        look=look,
        height=320,
    )


def other_ways(inputs: InferInputs, look: Look) -> tuple[str, Table]:
    """The same question by the sampler of the source, and with every value confined to the bounds."""
    learned = Learned(inputs, look)
    prior, release = learned.prior, learned.release
    rows = [
        ("exact, by quadrature", _moment(learned.known.mean.mean), _moment(learned.known.mean.sd), "no sampling error")
    ]
    name = f"a Gibbs chain of {CHAIN_DRAWS:,} draws, seed {inputs.seed}"
    try:
        chain = gibbs(release, prior, constrained=True, draws=CHAIN_DRAWS, chains=1, warm_up=200, seed=inputs.seed)
    except ValueError as error:
        rows.append((name, "–", "–", "it cannot be run"))
        sentence = learned.say("other_ways_alone", reason=refusal_words(error))
    else:
        worth = Lower(chain.effective_draws_mean, number(2)).digits
        mean, spread = float(chain.mean.mean()), float(chain.mean.std())
        rows.append((name, plain_number(mean, 5), plain_number(spread, 5), f"worth about {worth} independent draws"))
        sentence = learned.say("other_ways", draws=f"{CHAIN_DRAWS:,}", worth=worth)
    if release.n >= 5 and not isinstance(prior, ConjugatePrior):
        confined = likelihood_constrained_posterior(release, prior)
        accuracy = f"approximation, about {plain_number(100 * confined.relative_error, 1)} % of the standard deviation"
        rows.append(
            (
                "every single value confined to the bounds (section 4.14)",
                plain_number(confined.mean, 5),
                plain_number(confined.mean_sd, 5),
                accuracy,
            )
        )
    return sentence, Table("The mean, by other ways", ("way", "mean", "standard deviation", ""), tuple(rows))
