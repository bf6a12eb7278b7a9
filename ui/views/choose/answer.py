"""What a reader chooses on *Choose a budget*, and the line with its answer: at its budget or at another."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.accuracy import Noise
from dpcore.composition import BeliefPromise
from dpcore.errors import Refused
from dpcore.guarantees import Guarantee, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import Budget, Certainty, ImpliedEpsilon, Route, Status
from dpcore.profiles import budget as budget_of_line
from dpcore.promise import Promise
from dpcore.schema import Movement
from riskline.answers import Spent, Terms, budget_for_unsure, line_budget
from riskline.answers.composed import certified_each, reached_by_shift
from riskline.case.choices import of_case
from riskline.case.declaration import flag, of_session, option, text
from riskline.case.interview import Held, Interview
from riskline.case.line import LineChoice, template_points
from riskline.case.points import Line
from riskline.case.promise import asked_about, promise_of
from riskline.case.tables import Sheet, exact_totals
from ui.link.page_table import fields_of
from ui.pictures.style import Style
from ui.views.shared.belief_before import Rise, Told, rise, told
from ui.views.shared.drawing import priors_for_curves
from ui.views.shared.promise import StatedBelief, promise_words
from ui.views.shared.strip import budget_each
from ui.words.catalogue import label, passages, say
from ui.words.phrasing import decimal_belief, plain_number, rounded_budget, times, typed_frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import (
    Allowed,
    Failure,
    Lower,
    Quantity,
    Upper,
    as_recommended,
    in_order,
    in_people,
    number,
    to_spend,
)


@dataclass(frozen=True)
class ChooseInputs(LineChoice):
    """What a reader chose on this page."""

    view: str = option("posterior", "ratio", "difference")
    log: bool = flag()
    guarantee: str = of_case("guarantee")
    route: str = of_case("route")
    delta: float = of_case("delta")
    failure: float = of_case("failure")
    releases: int = of_case("releases")
    release: str = of_case("release")
    areas: int = of_case("areas")
    noise: Noise = of_case("noise")
    tables: Sheet = of_case("tables")
    moves: Movement | Literal[""] = of_case("moves")
    unit: str = of_case("unit")
    group: int = of_case("group")
    relation: str = of_case("relation")
    population: str = of_session(text())
    statistic: Literal["mean", "median"] = option("mean", "median")
    interview: str = of_case("interview")
    hidden: str = of_case("hidden")
    one: str = of_case("one")

    @property
    def line_choice(self) -> LineChoice:
        """The line alone."""
        return LineChoice(**{field.name: getattr(self, field.name) for field in fields(LineChoice)})

    @property
    def terms(self) -> Terms:
        """What the line's budget is asked for."""
        return Terms(**{field.name: getattr(self, field.name) for field in fields(Terms)})

    @property
    def asked(self) -> str:
        """What the line is about: presence, value, or being in and having the value."""
        return asked_about(self.secret, self.held)

    @property
    def promise(self) -> Promise:
        """The promise; `ValueError` where the choices contradict each other."""
        return promise_of(self.asked, self.unit, self.group, self.relation)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        scope, joint = self.terms.scope, self.asked == "both"
        return promise_words(self.promise, voice, scope=scope, joint=joint, hidden=self.hidden, one=self.one)


FIELDS = fields_of("choose", ChooseInputs)


NOISES: dict[Route, Noise] = {Route.GAUSSIAN: "gaussian", Route.DISCRETE_GAUSSIAN: "discrete_gaussian"}


def answered(inputs: ChooseInputs, style: Style) -> AnsweredLine:
    """The line of these choices with its answer; `ValueError` or `InfeasibleProfile` where there is none."""
    found = line_budget(inputs.line_choice, inputs.terms)
    budget, shift, noise, failure = found.budget, math.inf, "", 0.0
    if budget is not None:
        noise, failure, shift = NOISES.get(budget.route, ""), budget.failure_probability, found.implied.lower
        if budget.route is Route.PURE:
            shift = budget.recommended_each * budget.releases * budget.group
    spend = label("choose", "no_limit") if budget is None else spending(inputs.terms, budget.recommended_each)
    return AnsweredLine(inputs, found.implied, budget, style, shift, noise, failure, spend)


def spending(terms: Terms, each: float) -> str:
    """A budget in the words of the recommended one: what each release spends, with its δ."""
    delta = Allowed(terms.delta / terms.releases, number(2)) if terms.guarantee == "approximate" else ""
    return budget_each(each, "rho" if terms.guarantee == "zero_concentrated" else "epsilon", terms.releases, delta)


def believed(belief: float, voice: str, *beside: float) -> str:
    """A belief of the interview, as it is asked: a decimal, or people; certainty by its name.

    Beside a belief that is told out of 1,000 every other one is, too.
    """
    if voice == "technical":
        return decimal_belief(belief)
    if belief == 1.0:
        return say("choose", voice, "interview_certain")
    return in_people(1000)(belief, "nearest") if min(belief, *beside, 1.0) < 0.01 else typed_frequency(belief)


def exception(failing: float, style: Style, asked: str = "") -> str:
    """When a limit may be passed: with which probability and, of what is asked beside exact totals, by them."""
    rarely = label("promise", "exception", failing=Failure(failing, style.belief)) if failing else ""
    about = "value" if asked == "value" else "presence"
    return rarely + (say("publication", style.voice, f"exact_{about}") if asked else "")


@dataclass(frozen=True)
class Curve:
    """A line over one belief as it is drawn: priors of the disclosure, the same as the line takes them, beliefs after.

    `reached` is what an attacker reaches at the budget; nothing where no budget has a limit.
    """

    prior: NDArray[np.float64]
    belief: NDArray[np.float64]
    accepted: NDArray[np.float64]
    reached: NDArray[np.float64]


@dataclass(frozen=True)
class AnsweredLine:
    """A line with its answer at a budget: the one that it leaves, or the case's, whoever decided on it.

    `shift` is how far that budget lets a belief about the protected unit move, as an epsilon; `noise` the one it holds
    for, "" where any will do; `failure` the probability with which its limit may be passed.
    """

    inputs: ChooseInputs
    implied: ImpliedEpsilon
    budget: Budget | None
    style: Style
    shift: float
    noise: str
    failure: float
    spend: str
    spent: Spent | None = None

    def reach(self, *belief: Any) -> Any:
        """The belief that an attacker reaches with the budget."""
        if self.spent is None or self.spent.entry is None:
            return self.implied.reachable(*belief, epsilon=self.shift)
        held = 1.0 if self.inputs.secret == "both" else self.inputs.held
        return reached_by_shift(self.spent.shift_of_secret(), np.prod(np.broadcast_arrays(*belief), axis=0) * held)

    @property
    def points(self) -> Line:
        """The points to drag: those that were drawn, or those of the template."""
        return self.inputs.points if self.inputs.line == "drawn" else template_points(self.inputs.line_choice)

    @cached_property
    def curve(self) -> Curve:
        """The line and what an attacker reaches, along the page's own axis."""
        return self.curve_along(log=self.inputs.log)

    def curve_along(self, *, log: bool) -> Curve:
        """The same along an axis with logarithms, or without."""
        prior = priors_for_curves(self.inputs.held, log)
        belief = np.minimum(prior / self.inputs.held, 1.0)
        accepted = np.asarray(self.implied.profile.highest_posterior(belief))
        return Curve(prior, belief, accepted, np.asarray(self.reach(belief)))

    @property
    def deciding(self) -> tuple[float, ...]:
        """The beliefs before where the budget is decided, as the line takes them; none where nothing decides it."""
        place = self.implied.binding
        if place is None:
            return ()
        if self.inputs.secret == "both":
            return place.membership_prior, place.value_prior
        return (place.membership_prior,) if self.inputs.secret == "presence" else (place.value_prior,)

    @property
    def reached_where_decided(self) -> float:
        """The belief that an attacker reaches where the budget is decided."""
        return float(self.reach(*self.deciding))

    @cached_property
    def decided(self) -> Rise:
        """The belief that decides the line, as printed, with the highest one after it; within what the line accepts."""

        def after(prior: float) -> Upper:
            return Upper(float(self.reach(*self.split_of(prior))), self.style.belief)

        def accepted(_: float) -> float:  # at the belief that decides, before it is rounded
            return min(float(np.asarray(self.implied.profile.highest_posterior(*self.deciding))), 1.0)

        place = self.implied.binding
        assert place is not None
        if self.in_two:
            presence, value = self.in_two
            return rise(presence.prior * value.prior, after, self.style, typed=True, accepted=accepted)
        drawn = self.inputs.line == "drawn" and not np.isclose(place.prior, [x for x, _ in self.inputs.points]).any()
        return rise(place.prior, after, self.style, accepted=None if drawn or not place.prior else accepted)

    @cached_property
    def in_two(self) -> tuple[Told, ...]:
        """Of which two beliefs the deciding one is made, as printed; none in the technical voice, which says both."""
        place, secret = self.implied.binding, self.inputs.secret
        if self.inputs.asked != "both" or place is None or place.prior == 0 or self.style.technical:
            return ()
        presence = told(place.membership_prior, self.style, typed=secret == "value")
        return presence, told(place.value_prior, self.style, typed=secret == "presence")

    def split_of(self, prior: float) -> tuple[float, ...]:
        """A belief before as the coordinates of the line: where it is over two, with that of being in the data."""
        place = self.implied.binding
        if self.inputs.secret != "both":
            return along_prior(self.inputs, prior)
        assert place is not None
        if not prior:
            return self.deciding
        presence = self.in_two[0].prior if self.in_two else place.membership_prior
        return presence, prior / presence

    @property
    def largest_ratio(self) -> float:
        """How many times as strong any belief can become at the budget; infinite where it has no limit."""
        return math.inf if math.isinf(self.shift) else self.implied.largest_ratio(epsilon=self.shift)

    @property
    def ratio_said(self) -> Quantity:
        """The largest ratio in words: printed, it does not pass the line's own strictest one where it keeps that."""
        return in_order(Upper(self.largest_ratio, times), Allowed(self.implied.strictest_ratio, times))[0]

    def passed(self, failing: float) -> str:
        """When a limit that holds except with this probability may be passed."""
        exact = self.inputs.release == "tables" and exact_totals(self.inputs.tables)
        return exception(failing, self.style, self.inputs.asked if exact else "")

    @cached_property
    def unsure(self) -> str:
        """The budget that also holds for readers unsure of other people's data, where that is another; else nothing."""
        if not self.noise or self.budget is None or self.budget.recommended_each <= 0:
            return ""
        found = budget_for_unsure(self.inputs.line_choice, self.inputs.terms)
        return "" if found is None else spending(self.inputs.terms, found)

    @property
    def is_shared(self) -> bool:
        """Whether the line's own ε is not that of each release: for several of them, of records, or by way of ρ."""
        budget = self.budget
        return budget is not None and (budget.releases, budget.group, budget.route) != (1, 1, Route.PURE)

    @cached_property
    def split(self) -> str:
        """Of which two beliefs the one is made that the limit holds for; the technical voice names both anyway."""
        if not self.in_two:
            return ""
        presence, value = self.in_two
        return say("choose", self.style.voice, "split", presence=presence.words, value=value.words)

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage may use; beliefs as people in the plain voice, as decimals else."""
        inputs, implied, budget, place = self.inputs, self.implied, self.budget, self.implied.binding
        style, promised = self.style, self.inputs.words(self.style.voice)
        expert, certainty, conversion = passages("choose", "technical"), implied.certainty.name.lower(), ""
        formula = expert.get(f"formula.{implied.formula}", expert["formula.minimum"])
        if implied.value_exponent == 1.0 and inputs.asked != "presence":  # one step, not the two of Theorem 4
            formula = expert["one_step"].format(formula=formula)
        if budget is not None and budget.route is not Route.PURE:
            conversion = expert[f"conversion.{budget.route.name.lower()}"]
            alone = budget.releases == budget.group == 1 and budget.route in (Route.GAUSSIAN, Route.APPROXIMATE)
            if implied.certainty is Certainty.EXACT and not alone:
                certainty = "certified_budget" if budget.route is Route.DISCRETE_GAUSSIAN else "lower_budget"
        spends = budget is not None and budget.recommended_each > 0
        known = f"_{self.noise}" if self.noise and spends else ""
        together = ""
        if budget is not None and self.is_shared:
            counted = {"releases": f"{budget.releases:,}", "records": f"{budget.group:,}"}
            together = " " + say("choose", style.voice, "together", **counted)
        failing = budget.failure_probability if budget else 0.0
        promise = expert[f"promise_{inputs.guarantee if failing else 'pure'}"]
        words: dict[str, Any] = {
            "budget": self.spend,
            "epsilon": rounded_budget(implied.lower),
            "exact": Allowed(implied.epsilon, number(7)),
            "what": promised["that"],
            "about": promised["promise"],
            "change": promised["change"],
            "unit": promised["whose"],
            "prior": "" if place is None else self.decided.words,
            "p": "" if place is None else plain_number(place.membership_prior, 4),
            "q": "" if place is None else plain_number(place.value_prior, 4),
            "posterior": "" if place is None else self.decided.after,
            "ratio": self.ratio_said,
            "formula": formula,
            "steps": f"{implied.value_exponent:g}",
            "certainty": label("choose", f"certainty.{certainty}"),
            "conversion": conversion,
            "together": together,
            "promise": promise.format(failing=Failure(failing, style.belief), route=expert[f"route.{inputs.route}"]),
            "outside": say("choose", style.voice, "outside") if inputs.line == "drawn" else "",
            "exception": self.passed(self.failure),
        }
        words["outside"] = "".join(f" {each}" for each in (self.split, words["outside"]) if each)
        if known and budget is not None:
            asked = BeliefPromise(epsilon_prime=implied.lower, delta_prime=budget.failure_probability)
            other = budget.certificate or certified_each(asked, budget.releases, budget.group)
            words["every"] = Allowed(other.every_rho_up_to, to_spend)
            words["integer"] = Failure(other.exceedance(budget.recommended_each), decimal_belief)
        words["attacker"] = say("choose", style.voice, "attacker", **words)
        if known:
            certified = budget is not None and budget.certificate is not None
            on_count = f" {say('choose', style.voice, 'on_count')}" if certified else ""
            noise = label("case", f"whole_noise.{self.noise}")
            words["attacker"] = say("choose", style.voice, "attacker_noise", noise=noise, on_count=on_count)
        words["attackers"] = say("choose", "technical", f"attackers{known}", **words)
        return words

    @property
    def sentence(self) -> str:
        """How much the line lets somebody learn, in one sentence."""
        implied, voice, name = self.implied, self.style.voice, "answer"
        if implied.status is Status.BINDS_NOTHING:
            name = "answer_nothing"
        elif implied.status is Status.ZERO_BUDGET:
            name = "answer_zero"
        elif implied.binding is not None and implied.binding.prior == 0:
            name = "answer_approached"
        split = say("choose", voice, "split_below") if self.split else ""
        return say("choose", voice, name, split_below=split, **self.context)

    @property
    def stated(self) -> tuple[StatedBelief, ...]:
        """Where the budget is decided: the belief before and the highest one after, as the sentence says them."""
        place = self.implied.binding
        if self.budget is None or place is None or self.implied.status is not Status.BINDS or not 0 < place.prior < 1:
            return ()
        found = self.decided
        return (self._stated_at(found.prior, self.split_of(found.prior), found.after, found.words),)

    def stated_from(self, prior: float, before: str) -> StatedBelief:
        """The highest belief after, from one before in the disclosure that is said so, the other belief held."""
        belief = along_prior(self.inputs, prior)
        return self._stated_at(prior, belief, Upper(float(self.reach(*belief)), self.style.belief), before)

    @cached_property
    def interviewed(self) -> tuple[tuple[Held, StatedBelief], ...]:
        """What the interview's answers hold at each belief that can occur, with the highest belief after from there."""
        found = []
        for held in Interview(self.inputs.interview).held:
            if held.prior <= self.inputs.held:
                stated = self.stated_from(held.prior, believed(held.prior, self.style.voice))
                if held.prior < 0.01 and not self.style.technical:
                    stated = replace(stated, said=replace(stated.said, spoken=in_people(1000)))
                found.append((held, stated))
        return tuple(found)

    def _stated_at(self, prior: float, belief: tuple[float, ...], said: Quantity, before: str) -> StatedBelief:
        """The highest belief after, from a prior of the disclosure that these beliefs make."""
        budget, inputs = self.budget, self.inputs
        assert budget is not None
        return StatedBelief(
            prior=prior,
            said=said,
            promise=replace(inputs.promise, failure_probability=budget.failure_probability),
            source=released(budget),
            scope=inputs.terms.scope,
            absent=1.0 - (inputs.held if inputs.secret == "value" else belief[0]) if inputs.asked == "both" else 0.0,
            before=before,
        )

    @property
    def python(self) -> CodeLines:
        """The lines for the budget of each release, or for the ε of a line that sets no limit."""
        code, budget = CodeWriter(), self.budget
        line = code.let("line", self.implied.profile)
        if budget is None:
            implied = Source(f"{line}.implied_epsilon(value_exponent={self.implied.value_exponent!r})")
            return code.ending(Source(f"{implied}.epsilon"), Allowed(math.inf, to_spend))
        chosen = code.let("chosen", code(budget_of_line, line, **self.inputs.terms.asked))
        return code.ending(Source(f"{chosen}.recommended_each"), Allowed(budget.recommended_each, as_recommended))


def released(budget: Budget) -> Any:
    """All releases together at the budget recommended for each: a guarantee, or the law of a certified noise."""
    if budget.certificate is not None:
        noise = DiscreteGaussian(rho=budget.recommended_each * budget.group**2, sensitivity=budget.group)
        return PrivacyLoss.of(noise, budget.releases)
    each, total = budget.recommended_each * budget.releases, budget.total
    if isinstance(total, ZeroConcentratedDP):
        return replace(total, rho=each)
    return replace(total, epsilon=each)


def along_prior(inputs: ChooseInputs, prior: float) -> tuple[float]:
    """A prior of the disclosure as the coordinate of a profile over one belief, the other held."""
    return (min(prior / inputs.held, 1.0),)


def spend_words(found: Spent) -> str:
    """A budget in words: what each release spends, with its δ."""
    delta = found.budget.delta
    said = Allowed(delta, number(2)) if found.entry is None else plain_number(delta, 6)
    return budget_each(found.value, found.budget.currency, found.releases, said if delta else "")


def at_budget(answer: AnsweredLine, found: Spent | None) -> AnsweredLine:
    """The line at the budget of the case; without one no limit has an exception."""
    if found is None:
        return replace(answer, noise="", failure=0.0)
    said = spend_words(found)
    return replace(answer, shift=found.shift, noise=found.noise or "", failure=found.failure, spend=said, spent=found)


@dataclass(frozen=True)
class OneRatio:
    """The budget of a line's strictest ratio held at every belief; None where no budget keeps so strict a ratio.

    The gain is how much more the line leaves each release, from the unrounded budgets.
    """

    budget: Budget | None
    spend: str
    gain: Lower
    gained: str


def one_ratio(answer: AnsweredLine) -> OneRatio | None:
    """What one ratio for everybody would leave to spend; None for a line that decides nothing."""
    ours = answer.budget
    if ours is None or answer.implied.status is not Status.BINDS or math.isinf(answer.implied.strictest_ratio):
        return None
    constant = replace(answer.inputs.line_choice, line="constant", ratio=max(answer.implied.strictest_ratio, 1.0))
    try:
        found = line_budget(constant, answer.inputs.terms).budget
    except Refused:  # the line has room for this δ, and so strict a ratio has none
        found = None
    symbol = "ρ" if answer.inputs.guarantee == "zero_concentrated" else "ε"
    return OneRatio(
        budget=found,
        spend=spending(answer.inputs.terms, 0.0 if found is None else found.recommended_each),
        gain=Lower(max(size_of(ours.each) - (0.0 if found is None else size_of(found.each)), 0.0), number(3)),
        gained=symbol if ours.releases == 1 else label("choose", "in_each_release", symbol=symbol),
    )


def size_of(spent: Guarantee) -> float:
    """The ε or the ρ of a guarantee."""
    return spent.rho if isinstance(spent, ZeroConcentratedDP) else spent.epsilon
