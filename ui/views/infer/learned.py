"""What a reader chooses about noisy moments, a line and the study; posteriors with and without the bounds, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore import inference
from dpcore._properties import cached_property
from dpcore.inference import ConjugatePrior, NoisyMoments, NoisySums, Posterior, Prior, RegressionPrior
from riskline.case.decision import Currency
from riskline.case.declaration import count, flag, number, option
from riskline.case.value import EXAMPLE, Case
from ui.link.page_table import fields_of
from ui.views.publish.held import PLACES, PublishInputs
from ui.views.shared.promise import PageInMaking
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import SPOKEN, label, say
from ui.words.phrasing import frequency, plain_number, rounded
from ui.words.quantities import Lower, Upper

LARGEST = 1e9
SMALLEST = 1e-15  # of a budget, a weight, a shape, a rate: below it sums of numbers no longer hold it
MOST_VALUES = 20_000
SUMS = ("sum_x", "sum_xx", "sum_y", "sum_xy", "sum_yy")
MEASURES = ("coverage", "length")
DATA = ("n", "lower", "upper", "mean", "variance")
"""What is known of the values, and what was published of them."""
BUDGETS = {"epsilon": ("epsilon_mean", "epsilon_variance"), "rho": ("rho_mean", "rho_variance")}
"""The budgets of mean and variance by their currency."""
DIGITS_OF_NOISE = 3
"""Digits of the noise's scale that a drawn number keeps."""


@dataclass(frozen=True, kw_only=True)
class InferInputs:
    """What a reader chose on this page."""

    part: str = option("moments", "regression", "coverage", "folder")
    n: int = count(43, low=2, high=MOST_VALUES)
    lower: float = number(0.0, low=-LARGEST, high=LARGEST)
    upper: float = number(100.0, low=-LARGEST, high=LARGEST)
    mean: float = number(34.3027, low=-1e12, high=1e12)
    variance: float = number(2224.8, low=-1e18, high=1e18)
    epsilon_mean: float = number(0.25, low=SMALLEST, high=1000)
    epsilon_variance: float = number(0.25, low=SMALLEST, high=1000)
    rho_mean: float = number(0.02, low=SMALLEST, high=1000)
    rho_variance: float = number(0.02, low=SMALLEST, high=1000)
    level: float = number(0.95, low=0.5, high=0.999, format="percent")
    prior: str = option("conjugate", "flat", "power", "usual")
    guess: float = number(12.5, low=-LARGEST, high=LARGEST)
    guess_weight: float = number(1.0, low=SMALLEST, high=10_000, span=(0.1, 40.0), step=0.1)
    guess_spread: float = number(3.8, low=0, high=LARGEST)
    spread_weight: float = number(1.0, low=0, high=10_000)
    power: float = number(0.5, low=-3, high=3, span=(-1.0, 2.0), step=0.05)
    sums: str = option("cirrhosis", "own")
    points: int = count(46, low=3, high=100_000)
    sum_x: float = number(9.6, low=-LARGEST, high=LARGEST)
    sum_xx: float = number(3.9, low=-LARGEST, high=LARGEST)
    sum_y: float = number(18.7, low=-LARGEST, high=LARGEST)
    sum_xy: float = number(-3.9, low=-LARGEST, high=LARGEST)
    sum_yy: float = number(3.6, low=-LARGEST, high=LARGEST)
    currency: str = option("epsilon", "rho")
    epsilon_each: float = number(0.1, low=SMALLEST, high=1000)
    rho_sums: float = number(0.05, low=SMALLEST, high=1000)
    intercept_guess: float = number(1.0, low=-1000, high=1000)
    slope_guess: float = number(0.0, low=-1000, high=1000)
    line_weight: float = number(0.25, low=SMALLEST, high=10_000)
    shape: float = number(20.0, low=SMALLEST, high=10_000)
    rate: float = number(0.5, low=SMALLEST, high=10_000)
    draw_seed: int = count(1, low=0, high=999_999)
    compute: bool = flag()
    population: str = option("low", "middle")
    study_epsilon: str = option("0.1", "1")
    measure: str = option(*MEASURES)
    data: str = option("example", "own")
    table: int = count(1, **PLACES)
    time: int = count(1, **PLACES)
    of_level: int = count(1, **PLACES)
    cell: int = count(1, **PLACES)
    area: int = count(1, **PLACES)
    case: Case = EXAMPLE

    @property
    def of_folder(self) -> PublishInputs:
        """What of a folder is chosen, as the page that publishes one calls it."""
        same = {name: getattr(self, name) for name in ("data", "table", "time", "cell", "area", "case")}
        return PublishInputs(level=self.of_level, **same)

    @property
    def by_rho(self) -> bool:
        """Whether all that is published is paid for by one ρ."""
        return self.part in ("moments", "regression") and self.currency == "rho"

    @property
    def budget(self) -> tuple[float, Currency]:
        """What all that is published costs."""
        if not self.by_rho:
            return self.epsilon, "epsilon"
        return (self.rho_sums if self.part == "regression" else self.rho_mean + self.rho_variance), "rho"

    @property
    def of_sums(self) -> dict[str, float]:
        """The budget of the five sums, as the library calls it."""
        return {"rho": self.rho_sums} if self.by_rho else {"epsilon_each": self.epsilon_each}

    @property
    def epsilon(self) -> float:
        """ε of all that is published: both moments, as in the study, or five sums."""
        if self.part == "regression":
            return len(SUMS) * self.epsilon_each
        return 2 * float(self.study_epsilon) if self.part == "coverage" else self.epsilon_mean + self.epsilon_variance

    @property
    def release(self) -> NoisyMoments:
        """The published mean and variance with what is known about them."""
        return NoisyMoments(**{name: getattr(self, name) for name in (*DATA, *BUDGETS[self.currency])})

    @property
    def chosen_prior(self) -> Prior:
        """The prior of the analyst."""
        if self.prior == "conjugate":
            return ConjugatePrior(self.guess, self.guess_weight, self.guess_spread**2, self.spread_weight)
        if self.prior == "flat":
            return inference.FlatPrior()
        return inference.PowerPrior(1.0 if self.prior == "usual" else self.power)

    @property
    def noisy_sums(self) -> NoisySums:
        """The five released sums: drawn round those of the cirrhosis data, or typed."""
        if self.sums == "cirrhosis":
            return inference.draw_noisy_sums(inference.cirrhosis_data(), **self.of_sums, seed=self.draw_seed)
        return NoisySums(self.points, *(getattr(self, name) for name in SUMS), **self.of_sums)

    @property
    def line_prior(self) -> RegressionPrior:
        """The prior of the line."""
        guess, weight = (self.intercept_guess, self.slope_guess), (self.line_weight, self.line_weight)
        return RegressionPrior(guess, weight, self.shape, self.rate)


FIELDS = fields_of("infer", InferInputs, "case", "publish")


def drawn_release(values: list[float], *, generator: np.random.Generator, **known: float) -> NoisyMoments:
    """The noisy mean and variance of a reader's values, as one would publish them: with the digits the noise leaves.

    `known` are the bounds and both budgets. The values are forgotten once these have their noise.
    """
    drawn = inference.draw_noisy_moments(values, **known, seed=generator)
    mean, variance = (
        round(value, DIGITS_OF_NOISE - 1 - math.floor(math.log10(scale)))
        for value, scale in zip((drawn.mean, drawn.variance), inference.noise_scales(n=drawn.n, **known), strict=True)
    )
    return replace(drawn, mean=mean, variance=variance)


Interval = tuple[float, float]
TRUSTED = 0.02  # largest relative difference of two evaluations of the evidence whose intervals are shown


@kept_for_session
def _posterior(release: NoisyMoments, prior: Prior, constrained: bool) -> Posterior:
    """The posterior, refused where its two evaluations of the evidence disagree."""
    found = inference.posterior(release, prior, constrained=constrained)
    if not found.quadrature_error < TRUSTED:
        raise ValueError(label("infer", "contradicting", share=f"{100 * min(found.quadrature_error, 1.0):.0f} %"))
    return found


@kept_for_session
def _intervals(release: NoisyMoments, prior: Prior, constrained: bool, level: float) -> tuple[Interval, Interval]:
    found = _posterior(release, prior, constrained)
    low, high = found.variance.shortest_interval(level)
    return found.mean.shortest_interval(level), (math.sqrt(max(low, 0.0)), math.sqrt(max(high, 0.0)))


def outwards(low: float, high: float) -> tuple[str, str]:
    """Ends of an interval with two digits of its length, rounded outwards.

    >>> outwards(5.47, 44.69), outwards(-0.0123, 0.0456)
    (('5', '45'), ('−0.013', '0.046'))
    """
    lower, upper = ends(low, high)
    return lower.digits, upper.digits


def ends(low: float, high: float) -> tuple[Lower, Upper]:
    """Both ends of an interval, said with two digits of its length."""
    length = high - low
    places = 1 - math.floor(math.log10(length)) if length > 0 and math.isfinite(length) else 2
    said = partial(_to_places, min(max(places, -15), 15))
    return Lower(low, said), Upper(high, said)


def _to_places(places: int, value: float, direction: str) -> str:
    return f"{rounded(value, places, direction) + 0.0:,.{max(places, 0)}f}".replace("-", "−")


@dataclass(frozen=True)
class Learned(PageInMaking):
    """What a release says, on the way to words and pictures."""

    page = "infer"
    inputs: InferInputs

    def say(self, name: str, /, **words: object) -> str:
        """A passage of the page in the reader's voice."""
        return super().say(name, **self.context | words)

    @cached_property
    def release(self) -> NoisyMoments:
        """The release."""
        return self.inputs.release

    @cached_property
    def prior(self) -> Prior:
        """The prior; refused with the theorem when it gives no posterior at all."""
        prior = self.inputs.chosen_prior
        decided = inference.propriety(self.release.n, prior, constrained=True)
        if not decided.proper:
            raise inference.ImproperPosteriorError(decided.reason, prior)
        return prior

    @cached_property
    def known(self) -> Posterior:
        """Posterior that uses the bounds."""
        return _posterior(self.release, self.prior, True)

    @cached_property
    def no_answer(self) -> str:
        """Why there is no posterior without the bounds; empty when there is one."""
        decided = inference.propriety(self.release.n, self.prior, constrained=False)
        return "" if decided.proper else label("infer", "when_ignored", reason=decided.reason)

    @cached_property
    def ignored(self) -> Posterior | None:
        """Posterior that ignores the bounds, if there is one."""
        return None if self.no_answer else _posterior(self.release, self.prior, False)

    @property
    def posteriors(self) -> dict[str, Posterior]:
        """Those that there are, by the names that they have in pictures."""
        return {"known": self.known} | ({} if self.ignored is None else {"ignored": self.ignored})

    def intervals(self, constrained: bool) -> tuple[Interval, Interval]:
        """Shortest intervals for the mean and for the variance, the latter as standard deviations."""
        return _intervals(self.release, self.prior, constrained, self.inputs.level)

    @cached_property
    def prior_interval(self) -> Interval:
        """What the prior alone says about the mean."""
        prior, level = self.prior, self.inputs.level
        if isinstance(prior, ConjugatePrior):
            return prior.mean_interval(level)
        law, release = inference.feasible_prior_mean(prior), self.release
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
        density[inside] = np.asarray(inference.feasible_prior_mean(prior).density(unit[inside])) / release.width
        return density

    @cached_property
    def impossible(self) -> float:
        """Share of the unconstrained posterior on what bounded data cannot have."""
        if self.ignored is None:
            return math.nan
        share = self.ignored.infeasible
        return share.variance_too_large + share.mean_outside

    @cached_property
    def context(self) -> dict[str, str]:
        """Words and numbers every passage may use."""
        inputs, release = self.inputs, self.release
        noise_mean, noise_variance = release.std
        of_mean, of_variance = (getattr(inputs, name) for name in BUDGETS[inputs.currency])
        is_example = not inputs.by_rho and self._as_in_the_example(*BUDGETS["epsilon"], *DATA)
        words = dict.fromkeys(("mean_ignored", "spread_ignored"), label("infer", "no_answer")) | {
            "unbounded": say("infer", self.style.voice, "unbounded") if inputs.prior == "conjugate" else "",
            "outside": "",
            "level": f"{plain_number(100 * inputs.level, 3)} %",
            "beyond": frequency(1 - inputs.level),
            "n": f"{release.n:,}",
            "published": plain_number(release.mean, 4),
            "published_variance": plain_number(release.variance, 5),
            "largest_spread": plain_number(0.5 * release.width, 4),
            "noise": plain_number(noise_mean, 3),
            "noise_variance": plain_number(noise_variance, 3),
            "letter": "ρ" if inputs.by_rho else "ε",
            "of_both": plain_number(inputs.budget[0], 4),
            "of_mean": plain_number(of_mean, 4),
            "of_variance": plain_number(of_variance, 4),
            "example": say("infer", self.style.voice, "example") + " " if is_example else "",
        }
        mean, spread = self.intervals(True)
        for name, interval in (("", mean), ("spread_", spread), ("before_", self.prior_interval)):
            words[f"{name}low"], words[f"{name}high"] = outwards(*interval)
        digits = {"lower": 6, "upper": 6, "guess": 4, "guess_weight": 3, "guess_spread": 4, "spread_weight": 3}
        typed = {name: plain_number(getattr(inputs, name), count) for name, count in digits.items()}
        words |= typed | {"power": plain_number(inputs.power, 3)}
        words["prior"] = say("infer", "technical", f"prior_{inputs.prior}", **words)
        for part in ("noise_law", "noise_added", "integrated"):
            words[part] = say("infer", "technical", f"{part}_{inputs.currency}", **words)
        if self.ignored is not None:
            for name, interval in zip(("mean", "spread"), self.intervals(False), strict=True):
                low, high = outwards(*interval)
                words[f"{name}_ignored"] = label("infer", "interval", low=f"**{low}**", high=f"**{high}**")
            impossible = self.style.belief(self.impossible)
            words["outside"] = " " + say("infer", self.style.voice, "outside", impossible=impossible)
        return words

    def _as_in_the_example(self, *names: str) -> bool:
        return all(getattr(self.inputs, name) == getattr(InferInputs(), name) for name in names)

    @property
    def still_of_example(self) -> str:
        """What of the example is still believed beside other data, in a sentence; empty where nothing is."""
        if self.inputs.prior != "conjugate" or self._as_in_the_example(*DATA):
            return ""
        choices = {"mean": "guess", "spread": "guess_spread"}
        still = [self.say(f"still_{name}") for name, choice in choices.items() if self._as_in_the_example(choice)]
        return self.say("prior_of_example", still=SPOKEN.listed(still)) if still else ""
