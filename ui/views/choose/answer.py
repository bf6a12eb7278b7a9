"""A line of acceptable risk with its answer: at the budget it leaves or another, and beside one ratio for everybody."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcore._properties import cached_property
from dpcore.accuracy import Noise
from dpcore.composition import BeliefPromise
from dpcore.errors import Refused
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import Budget, Certainty, ImpliedEpsilon, RiskProfile, Route, Status
from riskline.answers import Spent, budget_for_unsure, line_budget
from riskline.answers.composed import certified_each, reached_by_shift
from ui.pictures.style import Style
from ui.views.choose.choices import ChooseInputs
from ui.views.shared import belief_before
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label, option_words, say
from ui.words.phrasing import (
    decimal_belief,
    exact_budget,
    frequency,
    plain_number,
    rounded_budget,
    times,
)
from ui.words.quantities import (
    Allowed,
    Failure,
    Lower,
    Quantity,
    Spoken,
    Upper,
    as_recommended,
    in_order,
    number,
    to_spend,
)


def answered(inputs: ChooseInputs, style: Style) -> Answered:
    """The line of these choices with its answer; `ValueError` or `InfeasibleProfile` where there is none."""
    found = line_budget(inputs.line_choice, inputs.terms)
    return Answered(inputs, found.profile, found.implied, found.budget, style)


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
        return of_each(text, self.inputs.releases)

    @cached_property
    def spend(self) -> str:
        """The recommended budget in words."""
        return label("choose", "no_limit") if self.budget is None else self.spending(self.budget.recommended_each)

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
        asked = BeliefPromise(epsilon_prime=self.implied.lower, delta_prime=budget.failure_probability)
        other = budget.certificate or certified_each(asked, budget.releases, budget.group)
        told = say(
            "choose",
            self.style.voice,
            f"attacker_{self.noise}",
            budget=exact_budget(budget.recommended_each),
            every=Allowed(other.every_rho_up_to, to_spend),
            integer=Failure(other.exceedance(budget.recommended_each), belief),
        )
        unsure = budget_for_unsure(self.inputs.line_choice, self.inputs.terms)
        if unsure is None:
            return told
        return f"{told} {say('choose', self.style.voice, 'attacker_unsure', budget=self.spending(unsure))}"

    @property
    def together(self) -> str:
        """Whose shift of belief the line's own ε is, where that is not the ε of each release; else nothing."""
        budget, voice = self.budget, self.style.voice
        if budget is None:
            return ""
        several = ("releases" if budget.releases > 1 else "") + ("records" if budget.group > 1 else "")
        if not several and budget.route is Route.PURE:
            return ""
        counted = {"releases": f"{budget.releases:,}", "records": f"{budget.group:,}"}
        all_of_them = label("choose", f"all_together.{several or 'release'}", **counted)
        return " " + say("choose", voice, "together", together=all_of_them)

    @property
    def formula(self) -> str:
        """The result that gave the line's ε; ours where two values lie one step apart and not the two of Theorem 4."""
        formulas = option_words("choose", "formula")
        words = formulas.get(self.implied.formula, formulas["minimum"])
        one_step = self.implied.value_exponent == 1.0 and self.inputs.asked != "presence"
        return label("choose", "one_step", formula=words) if one_step else words

    @property
    def conversion(self) -> str:
        """The source of the step from a shift of belief to the budget, after the line's own."""
        if self.budget is None or self.budget.route is Route.PURE:
            return ""
        return label("choose", f"conversion.{self.budget.route.name.lower()}")

    @property
    def certainty(self) -> str:
        """Exact, or exact for the line with a budget that is safe and may be too low."""
        found, budget = self.implied.certainty.name.lower(), self.budget
        if budget is not None and self.implied.certainty is Certainty.EXACT:
            alone = budget.releases == 1 and budget.group == 1
            if budget.route is Route.DISCRETE_GAUSSIAN:
                found = "certified_budget"
            elif budget.route is not Route.PURE and not (alone and budget.route in (Route.GAUSSIAN, Route.APPROXIMATE)):
                found = "lower_budget"
        return label("choose", f"certainty.{found}")

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
            "outside": " " + label("choose", "outside") if inputs.line == "drawn" else "",
            "unit": unit,
            "promise": say(
                "choose",
                self.style.voice,
                f"promise_{inputs.guarantee if failing else 'pure'}",
                failing=Failure(failing, belief),
                route=label("choose", f"route_in_words.{inputs.route}"),
            ),
            "exception": exception(failing, self.style),
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


NOISES: dict[Route, Noise] = {Route.GAUSSIAN: "gaussian", Route.DISCRETE_GAUSSIAN: "discrete_gaussian"}


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


def of_each(budget: str, releases: int) -> str:
    """A budget in words, with how many releases spend it each."""
    return budget if releases == 1 else label("choose", "for_each", budget=budget, releases=f"{releases:,}")


def exception(failing: float, style: Style) -> str:
    """With which probability a limit may be passed; nothing where it never is."""
    belief = decimal_belief if style.technical else frequency
    return label("promise", "exception", failing=Failure(failing, belief)) if failing else ""


@dataclass(frozen=True)
class AtBudget(Answered):
    """The line with its answer at the budget of the case, whoever decided on it."""

    spent: Spent | None = None

    @property
    def shift(self) -> float:
        """The shift of belief that the budget allows to the protected unit, as an epsilon."""
        return super().shift if self.spent is None else self.spent.shift

    def reach(self, *belief: Any) -> Any:
        """The belief that an attacker reaches with the budget."""
        if self.spent is None or self.spent.entry is None:
            return super().reach(*belief)
        held = 1.0 if self.inputs.secret == "both" else self.inputs.held
        prior = np.prod(np.broadcast_arrays(*belief), axis=0) * held
        return reached_by_shift(self.spent.shift_of_secret(), prior)

    def decided_after(self, spoken: Spoken) -> Upper:
        """The highest belief after where the line is decided; within the line, as far as the budget keeps it."""
        if self.spent is None or self.spent.keeps_the_line:
            return super().decided_after(spoken)
        assert self.implied.binding is not None
        return Upper(float(self.reach(*along(self.inputs, self.implied.binding))), spoken)

    @cached_property
    def spend(self) -> str:
        """The budget in words."""
        return super().spend if self.spent is None else spend_words(self.spent)

    @property
    def noise(self) -> str:
        """The noise that the budget holds for; "" where any will do."""
        return "" if self.spent is None else self.spent.noise or ""

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers of the line, its exception the budget's."""
        return super().context | {"exception": exception_words(self.spent, self.style)}


def spend_words(found: Spent) -> str:
    """A budget in words: what each release spends, with its δ."""
    text = budget_words(found.value, found.budget.currency)
    if found.entry is not None and found.budget.delta:
        text += f", δ = {plain_number(found.budget.delta, 6)}"
    elif found.budget.delta:
        text += f", δ = {Allowed(found.budget.delta, number(2))}"
    return of_each(text, found.releases)


def exception_words(found: Spent | None, style: Style) -> str:
    """With which probability a limit may be passed; nothing where it never is."""
    return "" if found is None else exception(found.failure, style)


def at_budget(answer: Answered, found: Spent | None) -> AtBudget:
    """The line at a budget; at the one that it implies where there is no other."""
    return AtBudget(answer.inputs, answer.profile, answer.implied, answer.budget, answer.style, found)


@dataclass(frozen=True)
class OneRatio:
    """The budget of a line's strictest ratio held at every belief; None where no budget keeps so strict a ratio.

    The gain is how much more the line leaves each release, from the unrounded budgets.
    """

    budget: Budget | None
    each: Allowed
    spend: str
    gain: Lower
    gained: str


def one_ratio(answer: Answered) -> OneRatio | None:
    """What one ratio for everybody would leave to spend; None for a line that decides nothing."""
    ours = answer.budget
    if ours is None or answer.implied.status is not Status.BINDS or math.isinf(answer.implied.strictest_ratio):
        return None
    ratio = max(answer.implied.strictest_ratio, 1.0)
    constant = replace(answer.inputs.line_choice, line="constant", ratio=ratio)
    try:
        found = line_budget(constant, answer.inputs.terms).budget
    except Refused:  # the line has room for this δ, and so strict a ratio has none
        found = None
    each = 0.0 if found is None else found.recommended_each
    more = max(_each(ours) - (0.0 if found is None else _each(found)), 0.0)
    return OneRatio(
        budget=found,
        each=Allowed(each, as_recommended),
        spend=answer.spending(each),
        gain=Lower(more, number(3)),
        gained=answer.symbol if ours.releases == 1 else label("choose", "in_each_release", symbol=answer.symbol),
    )


def _each(budget: Budget) -> float:
    """The ε or ρ of each release, unrounded."""
    return budget.each.rho if isinstance(budget.each, ZeroConcentratedDP) else budget.each.epsilon
