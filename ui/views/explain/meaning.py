"""What *What an ε means* says of a guarantee or mechanism, a secret and a belief before, and how they are chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from dpcore._properties import cached_property
from dpcore.deployments import Basis, Deployment, Protection, deployment, guarantee_of, protection, published
from dpcore.guarantees import ApproximateDP, Guarantee, ProbabilisticDP, PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import MECHANISMS as KINDS
from dpcore.mechanisms import Curve, Mechanism, NoiseMechanism, mechanism_kind
from dpcore.promise import Promise, Secret
from dpcore.scope import Scope
from dpcore.semantics import BeliefBounds
from riskline.answers import CaseBudget
from riskline.answers.evidence import BOUND, Evidence
from riskline.case import declaration
from riskline.case.choices import CountsReleases, of_case
from riskline.case.declaration import count, flag, option
from riskline.case.promise import UNITS, PromiseChoice, contradiction, kind_of_secret, records_together
from riskline.case.releases import BY_RHO
from riskline.case.tables import Sheet, exact_totals
from riskline.case.value import Case
from ui.link.mechanism_file import OWN
from ui.link.page_table import fields_of
from ui.pictures.people import MOST_DRAWN
from ui.pictures.style import Style
from ui.views.choose.answer import exception
from ui.views.shared.belief_before import told
from ui.views.shared.own_mechanism import CURVE_KINDS, MechanismChoice, curve_in_words
from ui.views.shared.promise import PageInMaking, promise_words, secret_words
from ui.views.shared.published_budgets import in_symbols
from ui.views.shared.strip import tried
from ui.words.catalogue import label, passages, say
from ui.words.phrasing import (
    NEAREST,
    TYPED_DIGITS,
    capitalised,
    decimal_belief,
    frequency,
    plain_number,
    rounded,
    typed_belief,
)
from ui.words.quantities import (
    Estimate,
    Exact,
    Failure,
    Lower,
    Quantity,
    Spoken,
    Typed,
    Upper,
    below_certain,
    claimed,
    in_people,
    number,
    whole,
)

SMALLEST = 1e-15  # smaller budgets than this, other than none at all, are typing errors
DEPLOYMENTS = tuple(entry.name for entry in published() if entry.model == "central")
GUARANTEES = ("pure", "approximate", "probabilistic", "zero_concentrated", "deployment")
MECHANISMS = tuple(kind.name for kind in sorted(KINDS, key=lambda kind: kind.budget_kind))
READINGS = ("bound", "every_view", "exact", "average")
RELEASED = ("count", "cells", "difference")


@dataclass(frozen=True, kw_only=True)
class ExplainInputs(MechanismChoice, PromiseChoice, CountsReleases):
    """What a reader chose on this page."""

    guarantee: str = option(*GUARANTEES, *MECHANISMS, *CURVE_KINDS)
    rho: float = declaration.number(0.1, low=SMALLEST, high=100, span=(0.005, 3.0), step=0.005, format="%.3f")
    delta: float = declaration.number(1e-6, low=0, high=1, open_high=True)
    release: str = of_case("release")
    tables: Sheet = of_case("tables")
    failure: float = of_case("failure")
    prior: float = of_case("prior", span=(0.01, 0.99), step=0.01, format="percent")
    reading: str = option(*READINGS)
    sensitivity: int = count(1, low=1, high=1000)
    categories: int = count(2, low=2, high=1000)
    deployment: str = option(*DEPLOYMENTS)
    false_alarm: float = declaration.number(
        0.05, low=SMALLEST, high=1, open_high=True, span=(0.005, 0.5), step=0.005, format="percent"
    )
    log_accused: bool = flag()
    released: str = option(*RELEASED)
    hidden: str = ""
    one: str = ""

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's, somebody's published one, or no number."""
        if self.guarantee in ("deployment", *CURVE_KINDS):
            return None
        by_rho = self.guarantee in BY_RHO
        return tried(self.rho, "rho", case) if by_rho else tried(self.epsilon, "epsilon", case, delta=self.delta)


FIELDS = fields_of("explain", ExplainInputs)


DEFAULTS = {field.name: field.default for field in FIELDS if not field.of_case}
EXAMPLES: dict[str, dict[str, Any]] = {
    "manager": {"guarantee": "approximate", "epsilon": 0.1, "delta": 1e-7},
    "company": {"guarantee": "approximate", "epsilon": 1.8, "delta": 1e-5, "failure": 0.05, "prior": 0.1},
    "one_count": {"guarantee": "geometric", "reading": "exact"},
    "daily_counts": {"guarantee": "gaussian", "rho": 0.3, "reading": "exact"},
    "census": {"guarantee": "deployment", "failure": 1e-3, "prior": 0.1, "secret": "value"},
    "rare": {"epsilon": 1.0, "prior": 0.001},
}
PRESETS = {name: DEFAULTS | values for name, values in EXAMPLES.items()}
"""Published examples by the name of their button: the choices that each sets."""


NO_BELIEF = 1e-100  # a lower bound below this is printed as 0


def rarely(probability: float, direction: str) -> str:
    """A probability that is rounded up as people out of 100 or 10,000, or as one in so many where rarer.

    >>> rarely(0.0149, "up"), rarely(1e-5, "up"), rarely(1e-12, "up")
    ('2 in 100', '1 in 100,000', '1 in 1,000,000,000,000')
    """
    if probability >= 1e-4 or direction != Upper.direction:
        return frequency(probability, direction)
    return label("explain", "one_in", people=f"{math.floor(1 / Fraction(repr(float(probability)))):,}")


def budget_words(guarantee: Guarantee, direction: str = NEAREST) -> str:
    """The parameters of a guarantee: ρ = 0.1, or ε = 1, or ε = 1, δ = 1e-6."""
    if isinstance(guarantee, ZeroConcentratedDP):
        return f"ρ = {plain_number(guarantee.rho, 4, direction)}"
    text = f"ε = {plain_number(guarantee.epsilon, 4, direction)}"
    if isinstance(guarantee, ApproximateDP | ProbabilisticDP):
        text += f", δ = {plain_number(guarantee.delta, 3, direction)}"
    return text


def settled(lower: float) -> float:
    """A lower bound, or none at all where its digits would only be a float's."""
    return lower if lower > NO_BELIEF else 0.0


def belief_digits(belief: float, direction: str = NEAREST) -> str:
    """A belief as a decimal; one of which only a float's last digits are left goes to its safe side.

    >>> belief_digits(0.25), belief_digits(1e-300, "down"), belief_digits(1e-300, "up")
    ('0.25', '0', '1e-99')
    """
    hidden = 0 < belief < NO_BELIEF
    return decimal_belief(belief if not hidden else NO_BELIEF if direction == "up" else 0.0, direction)


word = partial(label, "explain")
THEOREMS = {PureDP: "pure", ApproximateDP: "approximate", ProbabilisticDP: "probabilistic"}
LARGEST_MOVE = 100_000  # so far may the records of one secret move a count, for the law to be listed


@dataclass(frozen=True)
class Meaning(PageInMaking):
    """A guarantee or mechanism with a secret and a prior, on the way to words and pictures."""

    page = "explain"
    inputs: ExplainInputs
    own: Curve | None = None
    """The mechanism of a reader's file, where this session holds one."""

    @property
    def kind(self) -> type[Mechanism] | None:
        """The named mechanism; None for a guarantee alone or a published budget."""
        return mechanism_kind(self.inputs.guarantee)

    @property
    def is_local(self) -> bool:
        """Whether the mechanism is about one person's answer."""
        kind = self.kind or self.curve
        return kind is not None and kind.is_local

    @cached_property
    def curve(self) -> Curve | None:
        """The mechanism that is known by its curve: with the page's parameters, or that of a file."""
        return self.inputs.curve_of(self.inputs.guarantee, self.own)

    @property
    def is_estimate(self) -> bool:
        """Whether the numbers come from draws, and limit nothing."""
        return self.curve is not None and self.curve.is_estimate

    # ---- the promise ----------------------------------------------------------------------------------------------

    @property
    def refusal(self) -> str | None:
        """Why these choices have no answer, as a sentence; None where they have one."""
        chosen, kind = self.inputs, self.inputs.guarantee
        if kind == OWN and self.own is None:
            return word("refused.no_file")
        if not self.is_local and kind != "deployment" and (found := contradiction(chosen)):
            return found
        if 0 < chosen.epsilon < SMALLEST or 0 < chosen.delta < SMALLEST:
            return word("refused.smallest", smallest=Typed(SMALLEST, number(3)))
        if self.curve is not None:
            if self.curve.relation not in (None, self.promise.relation):
                return word("refused.relation")
            if chosen.failure <= (certain := self.evidence.law_of_curve.infinite_mass):
                allowed = plain_number(chosen.failure, 3)
                return word("refused.certain", delta=Failure(certain, number(3)), failure=allowed)
            return None
        if self.kind is not None and self.kind.budget_kind == "epsilon" and chosen.epsilon == 0:
            return word("refused.no_epsilon")
        noise = self.evidence.mechanism
        if isinstance(noise, NoiseMechanism) and noise.is_whole:
            moved = int(self.evidence.moves * noise.sensitivity)
            if moved > LARGEST_MOVE:
                return word("refused.move", moved=f"{moved:,}", most=Typed(LARGEST_MOVE, whole))
        own = self.evidence.guarantee
        if isinstance(own, ApproximateDP) and chosen.failure <= own.delta:
            lost, allowed = Failure(own.delta, number(3)), plain_number(chosen.failure, 3)
            return word("refused.failure", delta=lost, failure=allowed)
        return None

    @cached_property
    def entry(self) -> Deployment | None:
        """The published budget, where one is chosen."""
        return deployment(self.inputs.deployment) if self.inputs.guarantee == "deployment" else None

    @cached_property
    def protection(self) -> Protection | None:
        """What the published budget promises; the value where the presence it was asked for is no secret.

        Where presence depends on a relation that nobody read, the promise is that of units added or removed.
        """
        found, group = self._asked_protection, records_together(self.inputs.unit, self.inputs.group)
        if self.entry is None or found is None:
            return None
        if found.basis is Basis.ONLY_IF_ADDED_OR_REMOVED:
            return protection(self.entry, secret=found.secret, group=group, assuming=Relation.ADD_OR_REMOVE.value)
        if found.promise is None:
            return protection(self.entry, secret=Secret.VALUE.value, group=group)
        return found

    @cached_property
    def _asked_protection(self) -> Protection | None:
        if self.entry is None:
            return None
        group = records_together(self.inputs.unit, self.inputs.group)
        return protection(self.entry, secret=kind_of_secret(self.inputs.secret).value, group=group)

    @cached_property
    def promise(self) -> Promise:
        """What the numbers are about: the reader's, the published one, or the answer of a local survey."""
        chosen = self.inputs
        if self.protection is not None:
            assert self.protection.promise is not None
            return self.protection.promise
        if self.is_local:
            group = records_together(chosen.unit, chosen.group)
            return Promise(secret=Secret.ANSWER, relation=Relation.REPLACE, unit=UNITS[chosen.unit], group=group)
        return chosen.promise

    @property
    def scope(self) -> Scope:
        """For which releases the promise counts its steps: any, one count, or noise on the cells of a table."""
        if self.kind is None or self.is_local:
            return Scope.ANY_MECHANISM
        return {"count": Scope.COUNT, "cells": Scope.TABLE}.get(self.inputs.released, Scope.ANY_MECHANISM)

    # ---- guarantee and mechanism ----------------------------------------------------------------------------------

    @cached_property
    def source(self) -> Any:
        """The guarantee as it is typed or published, or the named mechanism for one record."""
        chosen, relation = self.inputs, self.promise.relation
        if self.curve is not None:
            return self.curve
        if self.kind is not None:
            budget = getattr(chosen, self.kind.budget_kind)
            return self.kind.with_budget(budget, **{choice: getattr(chosen, choice) for choice in self.kind.choices()})
        if self.entry is not None:
            return guarantee_of(self.entry, relation)
        if chosen.guarantee == "zero_concentrated":
            return ZeroConcentratedDP(rho=chosen.rho, relation=relation)
        if chosen.guarantee == "pure" or chosen.delta == 0:  # without δ every kind of ε promises always
            return PureDP(epsilon=chosen.epsilon, relation=relation)
        kind = ApproximateDP if chosen.guarantee == "approximate" else ProbabilisticDP
        return kind(epsilon=chosen.epsilon, delta=chosen.delta, relation=relation)

    @cached_property
    def evidence(self) -> Evidence:
        """What a release with it tells about the secret."""
        chosen, theirs = self.inputs, None if self.protection is None else self.protection.guarantee
        return Evidence(
            promise=self.promise, source=self.source, released=chosen.released, failure=chosen.failure, published=theirs
        )

    @cached_property
    def bounds(self) -> BeliefBounds:
        """What the guarantee promises at this prior."""
        return self.evidence.bounds(self.prior)

    # ---- beliefs --------------------------------------------------------------------------------------------------

    @property
    def reading(self) -> str:
        """The reading shown: the one asked for where there is a mechanism, else the bound."""
        return self.inputs.reading if self.evidence.loss is not None else "bound"

    def told(self, reading: str, spoken: Spoken, *, so: bool = True) -> Quantity:
        """The belief after in a reading, as a sentence of its scope may print it: the bound's is about any release."""
        found = self.evidence.belief_after(self.prior, reading=reading, so=so)
        said = claimed(found, Scope.ANY_MECHANISM if reading == BOUND else self.evidence.scope, spoken)
        said = said if so else replace(said, value=settled(said.value))
        return Estimate(said.value, spoken) if self.is_estimate else said

    def claimed(self, quantity: type[Quantity], value: float, spoken: Spoken) -> Quantity:
        """A number with its side, or without one where it comes from draws."""
        return (Estimate if self.is_estimate else quantity)(value, spoken)

    @property
    def guesses(self) -> tuple[Quantity, Quantity]:
        """How often the best guess is right on an even bet: by the whole curve, and by its usual point."""
        curve, usual = self.evidence.most_telling, self.evidence.usual
        by_curve, by_point = (float(one.right_guess()) for one in (curve, usual))
        said = in_people(1_000)
        return self.claimed(Upper, by_curve, said), self.claimed(Upper, by_point, said)

    def below_certain(self, said: Quantity) -> Quantity:
        """A belief that only certainty before, or a release without limit, makes certain."""
        certain = self.prior == 1 or math.isinf(self.bounds.epsilon_prime)
        return said if certain else below_certain(said)

    @cached_property
    def here(self) -> tuple[float, float]:
        """Both beliefs after, at this prior and in the reading shown."""
        return self.told(self.reading, number(3)).value, self.told(self.reading, number(3), so=False).value

    @cached_property
    def of(self) -> int:
        """The one denominator of the sentence: where it can be, one that rounds none to all or nothing."""
        upper, lower = self.here
        spread = (self.prior, upper, lower)
        of = told(self.prior, Style(), typed=True).of
        return of if min(spread) * of >= 1 and (1 - max(spread)) * of >= 1 else max(of, MOST_DRAWN)

    @property
    def drawn_of(self) -> int:
        """The denominator of the icons: of rarer beliefs fewer than one of them is drawn."""
        return min(self.of, MOST_DRAWN)

    @cached_property
    def prior(self) -> float:
        """The belief before as it is printed."""
        return told(self.inputs.prior, self.style, typed=True).prior

    @property
    def before(self) -> str:
        """The belief before as it was typed, out of the denominator of the sentence: both limits hold for it."""
        return f"{plain_number(self.prior * self.of, TYPED_DIGITS)} in {self.of:,}"

    def counts(self, of: int) -> tuple[int, int, int]:
        """People out of so many: before, after in the true world, after in the other one; bounds outwards."""
        spoken = in_people(of)
        said = (Exact(self.prior, spoken), self.told(self.reading, spoken), self.told(self.reading, spoken, so=False))
        before, after, otherwise = (round(rounded(one.value, len(str(of)) - 1, one.direction) * of) for one in said)
        return before, after, otherwise

    @property
    def limits_nothing(self) -> bool:
        """Whether the limit shown is certainty, in the digits of the sentence, for a belief that is not."""
        return self.reading != "average" and self.prior < 1 and self.counts(self.of)[1] == self.of

    # ---- words ----------------------------------------------------------------------------------------------------

    @cached_property
    def failure(self) -> float:
        """Probability, over the noise, with which the sentence may fail."""
        return self.evidence.failure_of(self.reading)

    @property
    def subject(self) -> str:
        """What the sentence speaks of: of a noise, in the bound, any release with its guarantee."""
        if self.evidence.mechanism is not None and self.reading == "bound":
            return self.say("as_private", noise=self.named)
        return self.named

    @cached_property
    def named(self) -> str:
        """The guarantee or mechanism, as it is stated, in words."""
        stated, kind = self.evidence.stated, self.inputs.guarantee
        text = budget_words(stated)
        if self.curve is not None:
            return curve_in_words(kind, self.curve, self.style.voice)
        if kind == "deployment":
            return word("named.deployment", budget=text)
        if self.evidence.mechanism is None:
            probabilistic = isinstance(stated, ProbabilisticDP)
            return word("named.probabilistic", budget=text) if probabilistic else self.say("any_release", budget=text)
        noise = word("named.noise", noise=label("case", f"named_noise.{kind}"), budget=text)
        if self.is_local:
            group = self.promise.group
            return noise if group == 1 else self.say("on_answers", noise=noise, answers=f"{group:,}")
        return self.say(f"on_{self.inputs.released}", noise=noise)

    @cached_property
    def words(self) -> dict[str, str]:
        """Secret, whose, the two worlds and the promise, as every page says them; of a unit where it is published."""
        promise, voice = self.promise, self.style.voice
        if self.protection is None or self.entry is None:
            return promise_words(promise, voice, hidden=self.inputs.hidden, one=self.inputs.one)
        unit, group = self.entry.protected_unit, f"{promise.group:,}"
        whose = self.say("unit_one" if promise.group == 1 else "unit_several", unit=unit, group=group)
        words, steps = secret_words(promise.secret.value, voice, whose=whose), promise.steps
        change = self.say(f"unit_change_{promise.relation.value}")
        between = "" if steps == 1 else say("promise", voice, "steps_any_mechanism", steps=f"{steps:,}")
        if self.protection.basis is Basis.READ:
            between += " " + self.say("basis_read", confidence=self.entry.relation_confidence)
        elif self.protection.reason:
            between += self.say("basis_both", reason=capitalised(self.protection.reason))
        sentence = say("promise", voice, "promise", secret=words["secret"], change=change, steps=between)
        return {"whose": whose} | words | {"promise": sentence, "change": change + between}

    @property
    def opening(self) -> str:
        """What is said before the sentence: of which release, and where a published budget promises something else."""
        asked = self._asked_protection
        if self.entry is None and (several := self.inputs.number_of_releases) > 1:
            return self.say("after_one", releases=f"{several:,}") + " "
        if asked is None or asked.promise is not None:
            return ""
        name = "only_if" if asked.basis is Basis.ONLY_IF_ADDED_OR_REMOVED else "instead"
        return capitalised(self.say(name, reason=asked.reason)) + " "

    def worlds(self) -> tuple[str, str]:
        """The two worlds as a heading or a line of a legend calls them."""
        kind = self.promise.secret.value
        return self.say(f"case_true_{kind}"), self.say(f"case_false_{kind}")

    def exception_words(self, failure: float) -> str:
        """What follows a promise that may fail, or that exact totals of the case stand beside."""
        failing = "" if failure == 0 else word("exception", failing=Failure(failure, rarely))
        own = self.entry is None and not self.is_local and self.inputs.release == "tables"
        if not own or not exact_totals(self.inputs.tables):
            return failing
        return failing + exception(0.0, self.style, self.promise.secret.value)

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage may use."""
        people, bounds, prior, reading = in_people(self.of), self.bounds, self.prior, self.reading
        case_true, case_false = self.worlds()
        grid = self.evidence.loss is not None and self.evidence.loss.certainty != "exact"
        own = self.evidence.guarantee
        of_noise = self.words if self.entry else promise_words(self.promise, self.style.voice, scope=self.scope)
        belief = belief_digits if self.style.technical else people
        bound_up = self.told(BOUND, belief)
        context = {
            "subject": self.subject,
            "before": self.before,
            "up": self.below_certain(self.told(reading, people)),
            "down": self.told(reading, people, so=False),
            "prior": typed_belief(prior),
            "upper": self.told(reading, belief_digits),
            "lower": self.told(reading, belief_digits, so=False),
            "exception": "" if reading == "average" else self.exception_words(self.failure),
            "bound_exception": self.exception_words(bounds.failure_probability),
            "bound_before": typed_belief(prior) if self.style.technical else self.before,
            "bound_up": bound_up if self.style.technical else self.below_certain(bound_up),
            "bound_down": self.told(BOUND, belief, so=False),
            "level": Lower(1 - self.inputs.failure, frequency).digits,
            "certain": f"{self.of:,} in {self.of:,}",
            "reader": self.say("reader_often" if self.failure else "reader_largest"),
            "shift": Upper(bounds.epsilon_prime, number(5)).digits,
            "view_shift": Upper(self.evidence.every_view_shift, number(5)).digits
            if self.evidence.loss is not None
            else say("explain", "technical", "no_law"),
            "view": self.say("every_view") if reading == "every_view" else "",
            "law": say("explain", "technical", f"theorem_{THEOREMS.get(type(own), 'zero_concentrated')}"),
            "what": self.say("any_budget" if self.curve is None else "this_mechanism"),
            "usual": budget_words(self.evidence.stated, Upper.direction),
            "symbol": "ρ" if isinstance(self.evidence.stated, ZeroConcentratedDP) else "ε",
            "between": self._between(own),
            "between_of_noise": self._between(self.evidence.of_noise),
            "change_of_noise": capitalised(of_noise["change"]) + ".",
            "any_release": self.any_release,
            "raw_only": " " + self.say("raw_only") if isinstance(own, ProbabilisticDP) else "",
            "tight": word("tight_grid" if grid else "tight"),
            "exactly": word("exactly_grid" if grid else "exactly"),
            "case_true": case_true,
            "case_false": case_false,
        }
        context["reading_shift"] = context["view_shift" if reading == "every_view" else "shift"]
        if self.curve is not None:
            known = f"who_sees_{self.curve.name}"
            context["who_sees"] = f" {self.say(known)}" if known in passages("explain", "plain") else ""
        if self.entry is not None:
            context |= {"defined": self.entry.unit_as_defined, "entry": self.entry.name}
            context |= {"reported": in_symbols(self.entry.as_reported)}
        return context | self.words | {"change": capitalised(self.words["change"]) + "."}

    def _between(self, found: Guarantee) -> str:
        """What a guarantee amounts to between the two worlds, where that is not the one that is stated."""
        if found == replace(self.evidence.stated, relation=found.relation):
            return ""
        return " " + self.say("between", budget=budget_words(found, Upper.direction))

    @property
    def any_release(self) -> str:
        """Any release with the guarantee of one step, and how many steps the secret takes."""
        if self.curve is not None:
            return self.named
        steps, budget = self.promise.steps, budget_words(self.evidence.step, Upper.direction)
        return self.say("any_release" if steps == 1 else "any_release_steps", budget=budget, steps=f"{steps:,}")
