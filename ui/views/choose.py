"""Choose a budget: from the line of acceptable risk to epsilon, the prior that decides, and what can be reached."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.accuracy import Noise, count_error, noise_under, noise_with_budget
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import (
    Budget,
    Certainty,
    ImpliedEpsilon,
    InfeasibleProfile,
    RiskProfile,
    Route,
    Status,
    lee_clifton,
)
from dpcore.profiles import budget as budget_of
from dpcore.promise import Promise
from dpcore.semantics import wood_posterior_upper
from ui.link.fields import Field, listed_numbers, number_text
from ui.link.way import Way
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.look import Look
from ui.pictures.marks import Axis, Heat, Level, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.drawing import LINE_FIELDS, Editor, LineChoice, chosen_profile, template_points
from ui.views.promise import (
    CONTRADICTION,
    GROUP,
    RELATION,
    UNIT,
    StatedBelief,
    asked_about,
    promise_of,
    promise_query,
    promise_words,
    records_together,
)
from ui.views.several import several_releases
from ui.words.passages import say
from ui.words.phrasing import decimal_belief, exact_budget, frequency, plain_number, rounded_budget, times
from ui.words.quantities import Allowed, Exact, Failure, Lower, Upper, number, to_spend
from ui.words.refusals import refusal_sentence, refusal_words

FIELDS: tuple[Field, ...] = (
    *LINE_FIELDS,
    Field("view", "How the line is looked at", "choice", "posterior", options=("posterior", "ratio", "difference")),
    Field("log", "Logarithmic prior", "flag", False),
    Field("guarantee", "For what guarantee?", "choice", "pure", options=("pure", "approximate", "zero_concentrated")),
    Field(
        "route",
        "From ρ to a belief by",
        "choice",
        "direct",
        options=("direct", "gaussian", "discrete_gaussian", "published"),
    ),
    Field("delta", "δ, of all releases together", "number", 1e-6, low=0, high=1, open_low=True, open_high=True),
    Field(
        "failure",
        "Probability with which the promise may fail (δ′)",
        "number",
        0.01,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
    ),
    Field("releases", "How many releases share the budget?", "count", 1, low=1, high=100_000),
    Field("release", "Each release is", "choice", "anything", options=("anything", "count")),
    UNIT,
    GROUP,
    RELATION,
    Field("population", "Public values, for example 1, 2, 3, 4", "text", ""),
    Field("statistic", "Statistic", "choice", "mean", options=("mean", "median")),
    Field("p_cut", "Cut: belief of being in the data", "number", 1.0, low=0.01, high=1, step=0.01),
    Field("q_cut", "Cut: belief about the value", "number", 0.1, low=0.01, high=1, step=0.01),
)


@dataclass(frozen=True)
class ChooseInputs(LineChoice):
    """What a reader chose on this page."""

    view: str = "posterior"
    log: bool = False
    guarantee: str = "pure"
    route: str = "direct"
    delta: float = 1e-6
    failure: float = 0.01
    releases: int = 1
    release: str = "anything"
    unit: str = "person"
    group: int = 1
    relation: str = "add_or_remove"
    population: str = ""
    statistic: str = "mean"
    p_cut: float = 1.0
    q_cut: float = 0.1

    @property
    def line_choice(self) -> LineChoice:
        """The line alone."""
        return LineChoice(**{field.name: getattr(self, field.name) for field in fields(LineChoice)})

    @property
    def asked(self) -> str:
        """What the line is about: presence, value, or being in and having the value."""
        return asked_about(self.question, self.held)

    @property
    def promise(self) -> Promise:
        """The promise; `ValueError` where the choices contradict each other."""
        secret = "presence" if self.asked == "presence" else "value"
        return promise_of(secret, self.unit, self.group, self.relation)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        release = "count" if self.release == "count" else "any"
        return promise_words(self.promise, voice, release=release, joint=self.asked == "both")


@dataclass(frozen=True)
class ChooseView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    budget: Budget | None = None
    editor: Editor | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    comparisons: Table | None = None
    several: Table | None = None
    next: Way | None = None
    computed: str = ""
    stated: tuple[StatedBelief, ...] = ()
    refusal: str | None = None


ROUTES = {
    "direct": Route.ZCDP,
    "gaussian": Route.GAUSSIAN,
    "discrete_gaussian": Route.DISCRETE_GAUSSIAN,
    "published": Route.PUBLISHED_ZCDP,
}


def _budget(inputs: ChooseInputs, profile: RiskProfile) -> Budget:
    """The budget of a profile that binds, under the guarantee asked for."""
    promise: dict[str, Any] = {}
    route = Route.PURE
    if inputs.guarantee == "approximate":
        route, promise = Route.APPROXIMATE, {"delta": inputs.delta, "delta_prime": inputs.failure}
    elif inputs.guarantee == "zero_concentrated":
        route, promise = ROUTES[inputs.route], {"delta_prime": inputs.failure}
    return budget_of(
        profile,
        route=route,
        releases=inputs.releases,
        group=records_together(inputs.unit, inputs.group),
        value_exponent=1.0 if inputs.release == "count" else 2.0,
        relation=inputs.relation,
        **promise,
    )


def answered(inputs: ChooseInputs, look: Look) -> Answered:
    """The line of these choices with its answer; `ValueError` or `InfeasibleProfile` where there is none."""
    if inputs.relation == "replace" and inputs.asked != "value":
        raise ValueError(f"{CONTRADICTION} The belief of being in the data is then held at 1")
    profile = chosen_profile(inputs.line_choice)
    implied = profile.implied_epsilon(value_exponent=1.0 if inputs.release == "count" else 2.0)
    if implied.status is Status.BINDS_NOTHING:
        return Answered(inputs, implied, None, look)
    budget = _budget(inputs, profile)
    return Answered(inputs, budget.answer, budget, look)


def choose_view(inputs: ChooseInputs, look: Look) -> ChooseView:
    """The page for these choices."""
    try:
        answer = answered(inputs, look)
        comparisons = _comparisons(answer)
        several = several_releases(
            chosen_profile(inputs.line_choice),
            releases=inputs.releases,
            group=records_together(inputs.unit, inputs.group),
            failure=inputs.failure,
            delta=inputs.delta,
            value_exponent=1.0 if inputs.release == "count" else 2.0,
            relation=inputs.relation,
        )
    except InfeasibleProfile as error:
        where = frequency(error.membership_prior * error.value_prior)
        return _refused(say("choose", look.voice, "infeasible", prior=where, detail=refusal_words(error)))
    except ValueError as error:
        return _refused(refusal_sentence(error, "choose"))
    return ChooseView(
        answer=_answer(answer),
        small_print=say("choose", look.voice, "small_print", **answer.facts),
        budget=answer.budget,
        editor=_editor(answer),
        numbers=_numbers(answer),
        pictures=_pictures(answer),
        comparisons=comparisons,
        several=several,
        next=_next(answer),
        computed=say("choose", look.voice, "computed", **answer.facts),
        stated=_stated(answer),
    )


def _refused(sentence: str) -> ChooseView:
    return ChooseView(answer="", small_print="", refusal=sentence)


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
    implied: ImpliedEpsilon
    budget: Budget | None
    look: Look

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

    @cached_property
    def spend(self) -> str:
        """The recommended budget in words: of each release, of all together, with its δ."""
        if self.budget is None:
            return "no limit"
        symbol = "ρ" if self.inputs.guarantee == "zero_concentrated" else "ε"
        text = f"{symbol} = {exact_budget(self.budget.recommended_each)}"
        if self.inputs.guarantee == "approximate":
            text += f", δ = {Allowed(self.inputs.delta / self.budget.releases, number(2))}"
        return text + (f" for each of {self.budget.releases:,} releases" if self.budget.releases > 1 else "")

    @property
    def noise(self) -> str:
        """The noise the budget was computed for: "gaussian" or "discrete_gaussian"; "" where any will do."""
        return "" if self.budget is None else NOISES.get(self.budget.route, "")

    @cached_property
    def attacker(self) -> str:
        """Whom the promise is about, and for which noise it holds."""
        if not self.noise or self.budget is None or self.budget.recommended_each <= 0:
            return say("choose", self.look.voice, "attacker")
        budget, belief = self.budget, decimal_belief if self.look.technical else frequency
        other = budget.certificate or DiscreteCertificate(
            epsilon_prime=self.implied.lower,
            delta_prime=budget.failure_probability,
            releases=budget.releases,
            group=budget.group,
        )
        return say(
            "choose",
            self.look.voice,
            f"attacker_{self.noise}",
            budget=exact_budget(budget.recommended_each),
            every=Allowed(other.every_rho_up_to, to_spend),
            integer=Failure(other.exceedance(budget.recommended_each), belief),
        )

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
    def facts(self) -> dict[str, Any]:
        """Words and numbers every passage may use; beliefs as people in the plain voice, as decimals else."""
        inputs, implied, place = self.inputs, self.implied, self.implied.binding
        belief = decimal_belief if self.look.technical else frequency
        prior = math.nan if place is None else place.prior
        unit = inputs.words(self.look.voice)["whose"]
        failing = self.budget.failure_probability if self.budget else 0.0
        return {
            "budget": self.spend,
            "epsilon": rounded_budget(implied.lower),
            "exact": Allowed(implied.epsilon, number(7)),
            "what": inputs.words(self.look.voice)["that"],
            "about": inputs.words(self.look.voice)["promise"],
            "prior": "" if place is None else (belief(prior) if prior > 0 else "nearly 0"),
            "p": "" if place is None else plain_number(place.membership_prior, 4),
            "q": "" if place is None else plain_number(place.value_prior, 4),
            "posterior": "" if place is None else Upper(float(self.reach(*along(inputs, place))), belief),
            "ratio": (Lower if self.look.technical else Upper)(implied.strictest_ratio, times),
            "formula": self.formula,
            "steps": f"{implied.value_exponent:g}",
            "certainty": self.certainty,
            "conversion": self.conversion,
            "attacker": self.attacker,
            "outside": " Nothing is required below the first and above the last point."
            if inputs.line == "drawn"
            else "",
            "unit": unit,
            "promise": say(
                "choose",
                self.look.voice,
                f"promise_{inputs.guarantee if failing else 'pure'}",
                failing=Failure(failing, belief),
                route=ROUTE_WORDS[inputs.route],
            ),
            "exception": f"{Failure(failing, belief):, except with a probability of …}" if failing else "",
        }


def _stated(answer: Answered) -> tuple[StatedBelief, ...]:
    """Where the budget is decided: the belief before and the highest one after, as the answer says them."""
    implied, budget, inputs = answer.implied, answer.budget, answer.inputs
    place = implied.binding
    if budget is None or place is None or not 0 < place.prior < 1 or implied.status is not Status.BINDS:
        return ()
    promise = replace(inputs.promise, failure_probability=budget.failure_probability)
    reached = float(answer.reach(*along(inputs, place)))
    return (
        StatedBelief(
            prior=place.prior,
            said=Upper(reached, decimal_belief if answer.look.technical else frequency),
            promise=promise,
            source=released(budget),
            release="count" if inputs.release == "count" else "any",
            absent=1.0 - place.membership_prior if inputs.asked == "both" else 0.0,
        ),
    )


NOISE_WORDS = {
    "geometric": "whole-number (geometric) noise",
    "discrete_gaussian": "whole-number (discrete Gaussian) noise",
    "gaussian": "continuous Gaussian noise",
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
    if inputs.question == "both":
        return place.membership_prior, place.value_prior
    return (place.membership_prior,) if inputs.question == "membership" else (place.value_prior,)


def _answer(answer: Answered) -> str:
    implied = answer.implied
    name = "answer"
    if implied.status is Status.BINDS_NOTHING:
        name = "answer_nothing"
    elif implied.status is Status.ZERO_BUDGET:
        name = "answer_zero"
    elif implied.binding is not None and implied.binding.prior == 0:
        name = "answer_approached"
    return say("choose", answer.look.voice, name, **answer.facts)


def priors_for_curves(highest: float, log: bool) -> NDArray[np.float64]:
    """Priors at which a curve is drawn: dense near 0, up to the highest that can occur."""
    top = min(highest, 0.9995)
    if log:
        return np.geomspace(min(1e-4, top / 10), top, 160)
    steps: NDArray[np.float64] = np.linspace(0.0, 1.0, 161)[1:]
    return top * steps**1.5


def _editor(answer: Answered) -> Editor | None:
    inputs, implied = answer.inputs, answer.implied
    if inputs.question == "both":
        return None
    points = inputs.points if inputs.line == "drawn" else template_points(inputs.line_choice)
    prior = priors_for_curves(inputs.held, inputs.log)
    reachable = np.empty((0, 2))
    if implied.status is not Status.BINDS_NOTHING:
        reachable = np.column_stack([prior, answer.reach(np.minimum(prior / inputs.held, 1.0))])
    place = implied.binding
    mark = None
    if place is not None and 0 < place.prior < 1:
        mark = (place.prior, float(answer.reach(*along(inputs, place))))
    interpolation = inputs.interpolation if inputs.line == "drawn" else "linear"
    return Editor(points, interpolation, reachable, mark)


def _numbers(answer: Answered) -> tuple[tuple[str, str, str], ...]:
    voice, implied, budget = answer.look.voice, answer.implied, answer.budget
    if budget is None:
        return ((say("choose", voice, "number_budget"), "no limit", ""),)
    total = budget.total
    unrounded = Allowed(total.rho if isinstance(total, ZeroConcentratedDP) else total.epsilon, number(7))
    together = " together" if budget.releases > 1 else ""
    found = [(say("choose", voice, "number_budget"), answer.spend, f"unrounded{together} {unrounded}")]
    if implied.status is Status.BINDS:
        found += [
            (
                say("choose", voice, "number_baseline"),
                f"ε = {rounded_budget(implied.baseline)}",
                f"{Upper(implied.strictest_ratio, times):at most …} for every belief, "
                "same question and kind of release",
            ),
            (say("choose", voice, "number_gain"), Lower(implied.gain, number(3)).digits, "more ε than that"),
            _noise(answer),
        ]
    return tuple(found)


def noise_of(budget: Budget) -> Noise:
    """The noise a budget is shown with: the one it was computed for, else whole numbers."""
    whole: Noise = "discrete_gaussian" if isinstance(budget.each, ZeroConcentratedDP) else "geometric"
    return NOISES.get(budget.route, whole)


def _noise(answer: Answered) -> tuple[str, str, str]:
    """The error that each release's budget puts on one count."""
    budget = answer.budget
    assert budget is not None
    kind: Noise = noise_of(budget)
    certified = budget.certificate is not None  # for the printed budget, not for every smaller or larger one
    noise = noise_with_budget(kind, budget.recommended_each) if certified else noise_under(budget.each, kind)
    error = count_error(noise, level=0.95)
    where = f"{'in each release' if budget.releases > 1 else 'in a count'} with {NOISE_WORDS[kind]}"
    return (
        say("choose", answer.look.voice, "number_noise"),
        f"± {Upper(error.half_width, number(3)).digits}",
        f"{where}, 95 % of the time; exactly right {frequency(error.probability_exact)}",
    )


def _pictures(answer: Answered) -> tuple[Picture, ...]:
    if answer.implied.status is Status.BINDS_NOTHING:
        return ()
    return _maps(answer) if answer.inputs.question == "both" else (_epsilon_by_prior(answer),)


def _epsilon_by_prior(answer: Answered) -> Picture:
    inputs, implied, look, facts = answer.inputs, answer.implied, answer.look, answer.facts
    prior = priors_for_curves(inputs.held, inputs.log)
    belief = np.minimum(prior / inputs.held, 1.0)
    largest = np.asarray(implied.largest_epsilon(belief))
    place = implied.binding
    measured = "prior: how likely the attacker thinks it before"
    beside = [side_by_side(single("level", f"ε = {facts['epsilon']}", implied.lower, quantity="largest ε"))]
    marks: list[Mark] = [Line(x="prior", y="largest"), Level(y="level")]
    if place is not None and place.prior > 0:
        spot = say("choose", look.voice, "spot", **facts)
        beside.append(
            side_by_side(
                single("decides_prior", "prior that decides", place.prior, quantity=measured),
                single("decides", spot, implied.epsilon, quantity="largest ε"),
            )
        )
        marks.append(Spot(x="decides_prior", y="decides"))
    curve = side_by_side(
        Column("prior", "prior", prior, quantity=measured),
        Column("line", "your line", np.asarray(implied.profile.highest_posterior(belief))),
        Column("reach", "reachable posterior", np.asarray(answer.reach(belief)), said=digits(4, Upper)),
        Column("largest", "largest ε", largest, said=digits(5, Allowed)),
        listed=range(0, prior.size, 8),
    )
    caption = "Your line, what an attacker can reach at the recommended budget, and the largest ε each prior allows"
    return Picture(
        key="epsilon-by-prior",
        numbers=Numbers(caption, (curve, *beside)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=inputs.log), y=Axis(range=(0.0, max(4 * implied.epsilon, 1e-3)))),),
        reading=say("choose", look.voice, "reading_epsilon", **facts),
        look=look,
        height=300,
    )


def _maps(answer: Answered) -> tuple[Picture, ...]:
    inputs, implied, look = answer.inputs, answer.implied, answer.look
    grid: NDArray[np.float64] = np.linspace(0.01, 1.0, 100)
    membership, value = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    largest = np.asarray(implied.largest_epsilon(membership, value))
    ratio = np.asarray(implied.profile.highest_posterior(membership, value)) / (membership * value)
    place = implied.binding
    pictures = []
    ceiling = float(np.clip(8 * implied.epsilon, 1e-2, 100))
    ends = Axis(range=(0.0, 1.005), grid=False)
    across, up = "belief that the person is in the data", "belief about the value"
    for key, quantity, name, top in (
        ("allowed-ratio", ratio, "highest ratio", max(4 * implied.strictest_ratio, 2.0)),
        ("allowed-epsilon", largest, "largest ε", ceiling),
    ):
        reading = say("choose", look.voice, f"reading_{key.replace('-', '_')}", **answer.facts)
        tens = [100 * i + j for i in range(9, 100, 10) for j in range(9, 100, 10)]
        rows = [
            side_by_side(
                Column("membership", "in the data", membership, quantity=across, said=digits(2)),
                Column("value", "value", value, quantity=up, said=digits(2)),
                Column("allowed", name, quantity, said=digits(4, Allowed)),
                listed=tens,
            ),
            side_by_side(
                single("p_cut", "cut along the value", inputs.p_cut, quantity=across),
                single("q_cut", "cut along being in the data", inputs.q_cut, quantity=up),
            ),
        ]
        marks: list[Mark] = [
            Heat(x="membership", y="value", z="allowed", ceiling=min(top, 100.0)),
            Upright(x="p_cut", role="on_map", dash="dash", labelled=False),
            Level(y="q_cut", role="on_map", labelled=False),
        ]
        if place is not None:
            rows.append(
                side_by_side(
                    single(
                        "decides_membership",
                        "in the data, decides",
                        max(place.membership_prior, 0.005),
                        quantity=across,
                    ),
                    single("decides", "decides the budget", max(place.value_prior, 0.005), quantity=up),
                )
            )
            marks.append(Spot(x="decides_membership", y="decides", boxed=True))
        pictures.append(
            Picture(
                key=key,
                numbers=Numbers(reading, tuple(rows)),
                marks=tuple(marks),
                panels=(Panel(x=ends, y=ends),),
                reading=reading,
                look=look,
                height=380,
            )
        )
    return (*pictures, _cut_picture(answer, grid))


def _cut_picture(answer: Answered, grid: NDArray[np.float64]) -> Picture:
    inputs, implied, look = answer.inputs, answer.implied, answer.look
    along_value = np.asarray(implied.largest_epsilon(np.full(grid.shape, inputs.p_cut), grid))
    along_membership = np.asarray(implied.largest_epsilon(grid, np.full(grid.shape, inputs.q_cut)))
    belief = decimal_belief if look.technical else frequency
    facts = answer.facts | {"p_cut": belief(inputs.p_cut), "q_cut": belief(inputs.q_cut)}
    reading = say("choose", look.voice, "reading_cuts", **facts)
    cuts = side_by_side(
        Column("belief", "belief", grid, quantity="the belief that varies", said=digits(2)),
        Column(
            "by_value", "value varies", along_value, quantity="largest ε", aspect="largest ε", said=digits(5, Allowed)
        ),
        Column(
            "by_membership",
            "being in the data varies",
            along_membership,
            quantity="largest ε",
            aspect="largest ε",
            said=digits(5, Allowed),
        ),
        listed=range(9, grid.size, 10),
    )
    level = side_by_side(single("level", f"ε = {facts['epsilon']}", implied.lower, quantity="largest ε"))
    return Picture(
        key="cuts",
        numbers=Numbers(reading, (cuts, level)),
        marks=(
            Line(x="belief", y="by_value", dash="dash", label=30),
            Line(x="belief", y="by_membership", role="reach", dash="dot", label=55),
            Level(y="level"),
        ),
        panels=(Panel(y=Axis(range=(0.0, max(6 * implied.epsilon, 1e-3)))),),
        reading=reading,
        look=look,
        height=300,
    )


def _comparisons(answer: Answered) -> Table | None:
    """Other rules for setting ε, beside this line's."""
    implied, inputs = answer.implied, answer.inputs
    if implied.status is not Status.BINDS:
        return None
    rows: list[tuple[object, ...]] = [
        ("Your line", rounded_budget(implied.lower), f"binds at a prior of {answer.facts['prior']}"),
        (
            "One ratio for everybody",
            rounded_budget(implied.baseline),
            f"the strictest ratio of your line, {Exact(implied.strictest_ratio, times)}, "
            "held at every belief, for the same question and kind of release",
        ),
    ]
    place = implied.binding
    if place is not None and 0 < place.prior < 1:
        wood = float(wood_posterior_upper(prior=place.prior, epsilon=answer.shift))
        rows.append(
            (
                "Wood et al. (3.44)",
                rounded_budget(implied.lower),
                f"their bound for the prior that decides: {Upper(wood, frequency).digits}; "
                f"here {Upper(float(answer.reach(*along(inputs, place))), frequency).digits}",
            )
        )
    if inputs.population.strip():
        people = _public_values(inputs.population)
        theirs = lee_clifton(population=people, statistic=inputs.statistic, posterior_cap=inputs.cap)
        rows.append(
            (
                f"Lee and Clifton, {inputs.statistic} of {len(people)} public values",
                rounded_budget(theirs.epsilon),
                f"who was left out: at most {frequency(inputs.cap)}; "
                f"any statistic: ε = {rounded_budget(theirs.general)}",
            )
        )
    return Table("Your line beside other rules", ("rule", "ε", "what it says"), tuple(rows))


def _public_values(text: str) -> list[float]:
    try:
        return listed_numbers(text)
    except ValueError as error:
        raise ValueError(f"Each public value {error}") from None


def _next(answer: Answered) -> Way | None:
    """What this budget costs: the accuracy page with the budget of each release."""
    budget = answer.budget
    if budget is None or budget.recommended_each <= 0:
        return None
    name = "rho" if isinstance(budget.each, ZeroConcentratedDP) else "epsilon"
    query = {name: number_text(budget.recommended_each)}
    if name == "rho":
        query["noise"] = noise_of(budget)
    promise = answer.inputs.promise
    query |= dict(promise_query(promise.secret.value, answer.inputs.unit, answer.inputs.group, answer.inputs.relation))
    return Way("accuracy", say("choose", answer.look.voice, "next", **answer.facts), tuple(query.items()))
