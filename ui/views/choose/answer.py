"""A line of acceptable risk with its answer: the budget it leaves, in words, and for which noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcore._properties import cached_property
from dpcore.accuracy import Noise
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import Budget, Certainty, ImpliedEpsilon, RiskProfile, Route
from riskline.answers import line_budget
from ui.pictures.style import Style
from ui.views.choose.choices import ChooseInputs
from ui.views.shared import belief_before
from ui.words.catalogue import say
from ui.words.phrasing import (
    decimal_belief,
    exact_budget,
    frequency,
    plain_number,
    rounded_budget,
    times,
)
from ui.words.quantities import Allowed, Failure, Quantity, Spoken, Upper, in_order, number, to_spend


def answered(inputs: ChooseInputs, style: Style) -> Answered:
    """The line of these choices with its answer; `ValueError` or `InfeasibleProfile` where there is none."""
    found = line_budget(inputs.line_choice, inputs.terms)
    return Answered(inputs, found.profile, found.implied, found.budget, style)


FORMULAS = {
    "theorem_5": "Theorem 5",
    "theorem_10": "Theorem 10",
    "theorem_11": "Theorem 11",
    "theorem_12": "Theorem 12",
    "equation_3_28": "(3.28) with the infinite case it lacks",
}
CERTAINTIES = {
    Certainty.EXACT: "Exact",
    Certainty.BRACKET: "Certified lower end",
    Certainty.ESTIMATE: "Estimate, possibly too large",
}


@dataclass(frozen=True)
class Answered:
    """A line with its answer, on the way to words and pictures."""

    inputs: ChooseInputs
    profile: RiskProfile
    implied: ImpliedEpsilon
    budget: Budget | None
    style: Style

    @property
    def shift(self) -> float:
        """The shift of belief the recommended budget allows to the protected unit, as an epsilon."""
        if self.budget is None:
            return math.inf
        if self.budget.route is Route.PURE:
            return self.budget.recommended_each * self.budget.releases * self.budget.group
        return self.implied.lower

    def reach(self, *belief: Any) -> Any:
        """The posterior an attacker reaches at the recommended budget."""
        return self.implied.reachable(*belief, epsilon=self.shift)

    @property
    def accepted_where_decided(self) -> float:
        """The highest belief after that the line accepts where the budget is decided."""
        assert self.implied.binding is not None
        line = np.asarray(self.profile.highest_posterior(*along(self.inputs, self.implied.binding)))
        return min(float(line), 1.0)

    def decided_after(self, spoken: Spoken) -> Upper:
        """The highest belief after where the budget is decided: printed, it does not pass what the line accepts."""
        place = self.implied.binding
        assert place is not None
        reached = Upper(float(self.reach(*along(self.inputs, place))), spoken)
        if place.prior == 0:  # only approached
            return reached
        return replace(reached, spoken=in_order(reached, Allowed(self.accepted_where_decided, spoken))[0].spoken)

    @property
    def largest_ratio(self) -> float:
        """How many times as strong any belief can become at the recommended budget; infinite where it has no limit."""
        return math.inf if math.isinf(self.shift) else self.implied.largest_ratio(epsilon=self.shift)

    @property
    def ratio_said(self) -> Quantity:
        """The largest ratio in words: printed, it does not pass the line's own strictest one where it keeps that."""
        return in_order(Upper(self.largest_ratio, times), Allowed(self.implied.strictest_ratio, times))[0]

    @property
    def symbol(self) -> str:
        """The letter of the budget."""
        return "ρ" if self.inputs.guarantee == "zero_concentrated" else "ε"

    def spending(self, each: float) -> str:
        """A budget in the words of the recommended one: what each release spends, with its δ."""
        text = f"{self.symbol} = {exact_budget(each)}"
        if self.inputs.guarantee == "approximate":
            text += f", δ = {Allowed(self.inputs.delta / self.inputs.releases, number(2))}"
        return text + (f" for each of {self.inputs.releases:,} releases" if self.inputs.releases > 1 else "")

    @cached_property
    def spend(self) -> str:
        """The recommended budget in words."""
        return "no limit" if self.budget is None else self.spending(self.budget.recommended_each)

    @property
    def noise(self) -> str:
        """The noise the budget was computed for: "gaussian" or "discrete_gaussian"; "" where any will do."""
        return "" if self.budget is None else NOISES.get(self.budget.route, "")

    @cached_property
    def attacker(self) -> str:
        """Whom the promise is about, and for which noise it holds."""
        if not self.noise or self.budget is None or self.budget.recommended_each <= 0:
            return say("choose", self.style.voice, "attacker", whose=self.inputs.words(self.style.voice)["whose"])
        budget, belief = self.budget, decimal_belief if self.style.technical else frequency
        other = budget.certificate or DiscreteCertificate(
            epsilon_prime=self.implied.lower,
            delta_prime=budget.failure_probability,
            releases=budget.releases,
            group=budget.group,
        )
        return say(
            "choose",
            self.style.voice,
            f"attacker_{self.noise}",
            budget=exact_budget(budget.recommended_each),
            every=Allowed(other.every_rho_up_to, to_spend),
            integer=Failure(other.exceedance(budget.recommended_each), belief),
        )

    @property
    def together(self) -> str:
        """Whose shift of belief the line's own ε is, where that is not the ε of each release; else nothing."""
        budget, voice = self.budget, self.style.voice
        if budget is None:
            return ""
        parts = [f"all {budget.releases:,} releases"] if budget.releases > 1 else []
        if budget.group > 1:
            parts.append(f"all {budget.group:,} records of the group")
        if not parts and budget.route is not Route.PURE:
            parts.append("the release")
        return " " + say("choose", voice, "together", together=" and ".join(parts)) if parts else ""

    @property
    def formula(self) -> str:
        """The result that gave the line's ε; ours where two values lie one step apart and not the two of Theorem 4."""
        words = FORMULAS.get(self.implied.formula, "(3.15), the exact minimum over the line")
        one_step = self.implied.value_exponent == 1.0 and self.inputs.asked != "presence"
        return f"{words} with one step between values, ours" if one_step else words

    @property
    def conversion(self) -> str:
        """The source of the step from a shift of belief to the budget, after the line's own."""
        return "" if self.budget is None else CONVERSIONS[self.budget.route]

    @property
    def certainty(self) -> str:
        """Exact, or exact for the line with a budget that is safe and may be too low."""
        words = CERTAINTIES[self.implied.certainty]
        if self.budget is None or self.implied.certainty is not Certainty.EXACT:
            return words
        if self.budget.route is Route.DISCRETE_GAUSSIAN:
            return "Exact line, certified budget"
        alone = self.budget.releases == 1 and self.budget.group == 1
        exact = self.budget.route is Route.PURE or (alone and self.budget.route in (Route.GAUSSIAN, Route.APPROXIMATE))
        return words if exact else "Exact line, safe lower budget"

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage may use; beliefs as people in the plain voice, as decimals else."""
        inputs, implied, place = self.inputs, self.implied, self.implied.binding
        belief = decimal_belief if self.style.technical else frequency
        prior = math.nan if place is None else place.prior
        unit = inputs.words(self.style.voice)["whose"]
        failing = self.budget.failure_probability if self.budget else 0.0
        after = None if place is None else self.decided_after(belief)
        return {
            "budget": self.spend,
            "epsilon": rounded_budget(implied.lower),
            "exact": Allowed(implied.epsilon, number(7)),
            "what": inputs.words(self.style.voice)["that"],
            "about": inputs.words(self.style.voice)["promise"],
            "prior": "" if place is None else belief_before.decided(prior, self.style, after),
            "p": "" if place is None else plain_number(place.membership_prior, 4),
            "q": "" if place is None else plain_number(place.value_prior, 4),
            "posterior": after or "",
            "ratio": self.ratio_said,
            "formula": self.formula,
            "steps": f"{implied.value_exponent:g}",
            "certainty": self.certainty,
            "conversion": self.conversion,
            "attacker": self.attacker,
            "attackers": say("choose", self.style.voice, "attackers_all" if self.noise else "attackers_any", unit=unit),
            "together": self.together,
            "outside": " Nothing is required below the first and above the last point."
            if inputs.line == "drawn"
            else "",
            "unit": unit,
            "promise": say(
                "choose",
                self.style.voice,
                f"promise_{inputs.guarantee if failing else 'pure'}",
                failing=Failure(failing, belief),
                route=ROUTE_WORDS[inputs.route],
            ),
            "exception": f"{Failure(failing, belief):, except with a probability of …}" if failing else "",
        }


def released(budget: Budget) -> Any:
    """All releases together at the budget recommended for each: a guarantee, or the law of a certified noise."""
    if budget.certificate is not None:
        return _integer_noise(budget)
    each, total = budget.recommended_each * budget.releases, budget.total
    if isinstance(total, ZeroConcentratedDP):
        return replace(total, rho=each)
    return replace(total, epsilon=each)


def _integer_noise(budget: Budget) -> PrivacyLoss:
    """The law of what all releases tell about the group, at the certified budget of each."""
    noise = DiscreteGaussian(rho=budget.recommended_each * budget.group**2, sensitivity=budget.group)
    return PrivacyLoss.of(noise, budget.releases)


CONVERSIONS = {
    Route.PURE: "",
    Route.APPROXIMATE: "; Theorem 35",
    Route.ZCDP: "; tail bound, ours",
    Route.GAUSSIAN: "; law of continuous Gaussian noise, ours",
    Route.DISCRETE_GAUSSIAN: "; law of discrete Gaussian noise, ours",
    Route.PUBLISHED_ZCDP: "; Theorems 24 and 35",
}
NOISES: dict[Route, Noise] = {Route.GAUSSIAN: "gaussian", Route.DISCRETE_GAUSSIAN: "discrete_gaussian"}
ROUTE_WORDS = {
    "direct": "the direct bound on the tail of the privacy loss, for any mechanism",
    "gaussian": "the exact law of continuous Gaussian noise",
    "discrete_gaussian": "the exact law of discrete Gaussian noise on one count",
    "published": "the published route by way of (ε, δ)",
}


def along(inputs: ChooseInputs, place: Any) -> tuple[float, ...]:
    """A place as the coordinates of a profile over one or both beliefs."""
    if inputs.secret == "both":
        return place.membership_prior, place.value_prior
    return (place.membership_prior,) if inputs.secret == "presence" else (place.value_prior,)


def along_prior(inputs: ChooseInputs, prior: float) -> tuple[float]:
    """A prior of the disclosure as the coordinate of a profile over one belief, the other held."""
    return (min(prior / inputs.held, 1.0),)


def noise_of(budget: Budget) -> Noise:
    """The noise a budget is shown with: the one it was computed for, else whole numbers."""
    whole: Noise = "discrete_gaussian" if isinstance(budget.each, ZeroConcentratedDP) else "geometric"
    return NOISES.get(budget.route, whole)
