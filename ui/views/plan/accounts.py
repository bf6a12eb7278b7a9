"""What a reader chooses on *Several releases*; the plan with its promise, by every rule: totals, beliefs, the break."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from dpcore._properties import cached_property
from dpcore.composition import LARGEST_PLAN, BeliefPromise, PlanMethod, PlannedRelease, PlanRule, ReleasePlan
from dpcore.first_passage import FirstPassing, ville_bound
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import Curve, mechanism_kind
from dpcore.promise import Promise, Secret
from dpcore.scope import Bound, Scope, Side, View
from riskline.answers import highest_accepted
from riskline.answers.composed import reached_by_shift, row_of_any, row_of_secret
from riskline.answers.evidence import Evidence
from riskline.case import declaration
from riskline.case.choices import of_case
from riskline.case.declaration import option
from riskline.case.fields import Field
from riskline.case.promise import PromiseChoice, contradiction
from riskline.case.releases import Ledger, LedgerRow, plan_of, unfinished
from riskline.case.sheet import without
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.views.explain.meaning import SMALLEST, rarely
from ui.views.shared.own_mechanism import ALSO, OWN, MechanismChoice, curve_in_words
from ui.views.shared.promise import PageInMaking, promise_words
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.strip import beginning_with
from ui.words.catalogue import label, say
from ui.words.phrasing import TYPED_DIGITS, frequency, limits_nothing, people_for, plain_number, typed_frequency
from ui.words.quantities import Exact, Failure, Lower, Quantity, Upper, claimed, in_people, in_points, number

SHARE: dict[str, Any] = {"low": SMALLEST, "high": 1, "open_high": True, "step": 0.01, "format": "percent"}


@dataclass(frozen=True)
class PlanInputs(MechanismChoice):
    """What a reader chose on this page."""

    rows: Ledger = of_case("rows")
    every: str = of_case("every")
    rounds: int = of_case("rounds")
    prior: float = of_case("prior")
    promise: str = option("cap", "difference")
    cap: float = declaration.number(0.99, span=(0.5, 0.99), **SHARE)
    difference: float = declaration.number(0.2, span=(0.01, 0.98), **SHARE)
    failure: float = of_case("failure")
    delta: float = of_case("delta")
    released: str = option("count", "cells")
    also: str = option(*ALSO)
    secret: str = of_case("secret")
    unit: str = of_case("unit")
    group: int = of_case("group")
    relation: str = of_case("relation")
    hidden: str = of_case("hidden")
    one: str = of_case("one")

    @property
    def choice(self) -> PromiseChoice:
        """Whose secret, under which change: what is promised about it is the field `promise`."""
        return PromiseChoice(self.secret, self.unit, self.group, self.relation)

    @property
    def finished(self) -> PlanInputs:
        """The same without the rows that are still being filled in."""
        return replace(self, rows=without(self.rows, unfinished(self.rows)))


FIELDS = fields_of("plan", PlanInputs, "explain")


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose cap begins with the highest belief that the line of the case accepts."""
    try:
        return beginning_with(FIELDS, {"cap": highest_accepted(case)})
    except ValueError:  # the line's numbers do not fit together: its own page says so
        return FIELDS


MONTHLY = LedgerRow("Monthly count", "geometric", "0.135")
QUERY = LedgerRow("Query", "pure", "0.05")
CENSUS = (LedgerRow("Persons", "discrete_gaussian", "2.56"), LedgerRow("Housing units", "discrete_gaussian", "0.07"))
MIXED_YEAR = (
    LedgerRow("Monthly tables", "discrete_gaussian", "0.01", "", "12"),
    LedgerRow("Annual survey", "geometric", "0.3"),
    LedgerRow("Special requests", "laplace", "0.1", "", "5"),
)
PRESETS: dict[str, dict[str, Any]] = {
    "daily": {},
    "any_belief": {"promise": "difference", "difference": 0.98, "rounds": 202},
    "monthly": {"rows": (MONTHLY,), "every": "month", "rounds": 12, "promise": "difference"},
    "small": {"rows": (QUERY,), "every": "release", "rounds": 96, "cap": 0.8, "failure": 0.05, "delta": 1e-3},
    "census": {"rows": CENSUS, "every": "release", "rounds": 1, "prior": 0.1, "delta": 1e-10},
    "mixed": {"rows": MIXED_YEAR, "every": "year", "rounds": 3, "cap": 0.9},
}


def are_answers(inputs: PlanInputs, also: Curve | None) -> list[bool]:
    """Whether each row, and what is released besides, publishes what one person answered."""
    kinds = [mechanism_kind(row.kind) for row in inputs.rows]
    return [kind is not None and kind.is_local for kind in kinds] + [curve.is_local for curve in (also,) if curve]


def no_promise(inputs: PlanInputs, own: Curve | None = None) -> str | None:
    """Why these choices make no promise, as a sentence; None where they make one."""
    also = inputs.curve_of(inputs.also, own)
    if any(are_answers(inputs, also)) and inputs.secret == Secret.PRESENCE.value:
        return label("plan", "given_visibly")
    if inputs.also == OWN and own is None:
        return label("explain", "refused.no_file")
    if also is not None and also.is_estimate:
        return label("plan", "also_estimate")
    if also is not None and not also.is_local and also.relation not in (None, inputs.choice.promise.relation):
        return label("explain", "refused.relation")
    return contradiction(inputs.choice)


OF_NOISE = ("exact", "every_view")
"""Rules that take the noise of the rows as it is named; the others hold for any with its budgets."""
MOST_ROUNDS = 3650
GRID_POINTS = 1 << 12
LONG_LEDGER = 40  # different releases; with more, every exact number would take a tenth of a second


@dataclass(frozen=True)
class Accounts(PageInMaking):
    """A plan with a promise, on the way to words and pictures.

    What one round releases (`plan`), what anything with its budgets may tell (`of_any`) and what is promised
    (`promise`) are said here and nowhere else on the page. Only exact accounting speaks of the noise that the rows
    name; every other rule is a promise for any mechanism, which takes all steps of the secret.
    """

    page = "plan"
    inputs: PlanInputs
    exact_up_to: int = LONG_LEDGER
    """Different releases whose exact law is asked for; more of them are answered by bounds."""
    own: Curve | None = None
    """The mechanism of a reader's file, where this session holds one."""

    @property
    def every(self) -> str:
        """What a round is, by its code: not a release where it holds several."""
        return "round" if self.inputs.every == "release" and self.ledger.releases > 1 else self.inputs.every

    @property
    def round(self) -> str:
        """What a round is called."""
        return label("plan", f"round.{self.every}", n="1")

    def rounds(self, count: int, every: str = "") -> str:
        """So many rounds, or so many of another kind."""
        n = f"{count:,}"
        return label("plan", "so_many", n=n, rounds=label("plan", f"round.{every or self.every}", n=n))

    @property
    def answers(self) -> bool:
        """Whether everything is a survey in which each person's own coins hide the answer."""
        return all(are_answers(self.inputs, self.also))

    @cached_property
    def also(self) -> Curve | None:
        """What is released besides, once in all rounds: a mechanism known by its curve of one step."""
        return self.inputs.curve_of(self.inputs.also, self.own)

    @property
    def also_in_words(self) -> str:
        """The same with its parameters, as a sentence names it."""
        return "" if self.also is None else curve_in_words(self.inputs.also, self.also, self.style.voice)

    @property
    def whose_also(self) -> Promise:
        """Whose secret it tells of; an answer is a step of its own, whatever one change is in the rows."""
        chosen, local = self.inputs.choice.promise, self.also is not None and self.also.is_local
        return replace(chosen, secret=Secret.ANSWER, relation=Relation.REPLACE) if local else chosen

    @cached_property
    def once(self) -> ReleasePlan | None:
        """The same as it bears on the secret."""
        if self.also is None:
            return None
        return ReleasePlan((PlannedRelease(_between_worlds(self.also, self.whose_also), name=self.also_in_words),))

    @cached_property
    def whose(self) -> Promise:
        """Whose secret: that of the reader, and in surveys with coins the answer, which another one replaces."""
        chosen = self.inputs.choice.promise
        return replace(chosen, secret=Secret.ANSWER, relation=Relation.REPLACE) if self.answers else chosen

    @cached_property
    def plan(self) -> ReleasePlan:
        """One round, as the noise that is named bears on the secret."""
        return self.of_rows(row_of_secret)

    @cached_property
    def of_any(self) -> ReleasePlan:
        """One round, as anything with the rows' budgets may bear on the secret."""
        return self.of_rows(row_of_any)

    def of_rows(self, read: Callable[[PlannedRelease, Promise, str], PlannedRelease]) -> ReleasePlan:
        """One round with its rows read so."""
        return ReleasePlan(tuple(read(row, self.whose, self.inputs.released) for row in self.ledger.rows))

    def rule(self, method: PlanMethod) -> PlanRule:
        """A rule on one round: exact accounting of the noise that is named, the others of any with such budgets."""
        return rule_of(self.plan if method in OF_NOISE else self.of_any, method, self.inputs.delta, self.once)

    @cached_property
    def ledger(self) -> ReleasePlan:
        """One round as the rows state it: for one record, or for one step."""
        return plan_of(self.inputs.rows)

    @cached_property
    def whole(self) -> ReleasePlan:
        """All rounds, with what is released once besides."""
        rows = self.plan.times(self.inputs.rounds).rows
        return ReleasePlan(rows if self.once is None else (*rows, *self.once.rows))

    @cached_property
    def promise(self) -> BeliefPromise:
        """What is promised: rises of one belief, or any change of any belief."""
        chosen = self.inputs
        if chosen.promise == "difference":
            return BeliefPromise.largest_difference(cap=chosen.difference, delta_prime=chosen.failure)
        limit = {"prior": chosen.prior, "cap": chosen.cap, "delta_prime": chosen.failure}
        return BeliefPromise.posterior_cap(**limit, direction="rise")

    @property
    def exact(self) -> bool:
        """Whether every row names a mechanism: a guarantee alone has bounds, but no law of what is believed."""
        return self.plan.has_exact_law and self.few and self.also is None

    @property
    def few(self) -> bool:
        """Whether so few different releases are named that their law is asked for."""
        return self.different <= min(self.exact_up_to, LONG_LEDGER)

    @property
    def long(self) -> bool:
        """Whether so many different releases are named that their exact law would keep a reader waiting."""
        return self.different > LONG_LEDGER

    @cached_property
    def different(self) -> int:
        """How many of the releases are different ones."""
        return len({row.source for row in self.plan.rows})

    @cached_property
    def methods(self) -> tuple[PlanMethod, ...]:
        """The rules that apply to this plan; sums of ρ and of divergences have no place for a curve."""
        found: list[PlanMethod] = ["basic", "advanced"]
        if self.also is not None:
            by_law = self.plan.has_worst_mechanism and self.few
            return ("basic", *(() if self.long else ("advanced",)), *(("every_view",) if by_law else ()))
        if len({row.source for row in self.of_any.rows}) == 1:
            found.append("optimal")
        own = [row.guarantee for row in self.of_any.rows]
        concentrated = not any(isinstance(each, ApproximateDP | ProbabilisticDP) for each in own)
        if self.long and any(isinstance(each, ZeroConcentratedDP) for each in own):
            found = [] if concentrated else ["basic"]  # an ε of every noise at every share of δ takes its time
        if len({type(each) for each in own}) > 1:
            found.append("divergences")
        if concentrated:
            found += ["published", "direct"]
        return (*found, "exact") if self.exact else tuple(found)

    @property
    def at_most(self) -> int:
        """Rounds looked at in search of the first one that breaks the promise."""
        most = LARGEST_PLAN - (0 if self.once is None else 1)
        return max(min(MOST_ROUNDS, most // self.plan.releases), 1)

    @cached_property
    def passings(self) -> dict[str, FirstPassing]:
        """First rounds that break the promise, by every rule: looked at once, and on some round up to then."""
        return {method: _passing(self.rule(method), self.promise, self.at_most) for method in self.methods}

    @cached_property
    def shifts(self) -> dict[PlanMethod, float]:
        """Shift of log odds after all rounds, by every rule."""
        return {method: self.shift(method, self.inputs.rounds) for method in self.methods}

    def shift(self, method: PlanMethod, rounds: int) -> float:
        """Shift of log odds after some rounds, by a rule, for this page's promise."""
        return self.rule(method).shift(rounds, delta_prime=self.inputs.failure, direction=self.promise.direction)

    def largest_shift(self, method: PlanMethod) -> float:
        """The shift after all rounds by a rule, with all that a grid may have rounded away: a bound on it."""
        found = self.shifts[method]
        return found + self.whole.privacy_loss.resolution if method == "exact" and self.closely else found

    def at(self, shift: float, scope: Scope, view: View = View.RAW) -> Bound:
        """The belief that a shift of log odds reaches, or the largest change: of the named rows, or of any releases."""
        chosen = self.inputs
        promise = replace(self.whose, failure_probability=chosen.failure)
        reached = float(reached_by_shift(shift, None if chosen.promise == "difference" else chosen.prior))
        return Bound(value=reached, side=Side.AT_MOST, scope=scope, promise=promise, view=view)

    def after(self, method: PlanMethod) -> Bound:
        """The same after all rounds, by a rule; only exact accounting is about the raw numbers of the named rows."""
        shift = self.largest_shift(method)
        if method == "exact":
            return self.at(shift, Scope.PLAN)
        if method == "every_view":
            return self.at(shift, self.of_views, View.ANY_FUNCTION)
        return self.at(shift, Scope.ANY_MECHANISM, View.ANY_FUNCTION)

    @cached_property
    def every_view(self) -> Bound | None:
        """The belief beyond which no view of the releases leads, at whatever moment; None where it is not known."""
        if not self.plan.has_worst_mechanism or self.long or self.inputs.promise != "cap" or self.also is not None:
            return None
        shift = float(self.whole.privacy_loss.every_view_epsilon(self.inputs.failure))
        return self.at(shift, self.of_views, View.ANY_FUNCTION)

    @property
    def of_views(self) -> Scope:
        """Of which releases every view is bounded by the worst law: of these, where a row names its noise."""
        named = any(row.source is not row.guarantee for row in self.ledger.rows)
        return Scope.PLAN if named else Scope.ANY_MECHANISM

    def said(self, bound: Bound, scope: Scope | None = None, beside: Sequence[Bound] = ()) -> Quantity:
        """That belief or change, as a sentence says it about releases of this scope, without one of its own.

        It is told out of as many people as those of the answer's readers, or as the others of its row.
        """
        people = in_people(self.people(bound, *(beside or self.of_readers)))
        spoken = partial(frequency, of=self.style.of) if self.style.technical else people
        return claimed(bound, scope or bound.scope, in_points if self.inputs.promise == "difference" else spoken)

    def people(self, *beside: Bound) -> int:
        """Of how many people beliefs are told that stand beside one another."""
        return people_for(*(bound.value for bound in beside), of=self.style.of)

    def cell(self, bound: Bound, scope: Scope | None = None, beside: Sequence[Bound] = ()) -> str:
        """The same in a table; that there is no useful limit where it is nearly certainty."""
        none = limits_nothing(bound.value)
        return label("numbers", "no_useful_limit") if none else self.said(bound, scope, beside).digits

    @cached_property
    def of_readers(self) -> tuple[Bound, ...]:
        """What the three readers of the answer can believe."""
        found = [self.after(method) for method in dict.fromkeys((self.headline, self.best_bound))]
        return tuple(found) if self.every_view is None else (*found, self.every_view)

    @property
    def scope(self) -> Scope:
        """Of the page's answer: this noise, where every row names one."""
        return self.after(self.headline).scope

    @cached_property
    def closely(self) -> bool:
        """Whether the law of one round or of all is only an estimate, because it stands on a grid or at a limit."""
        return self.exact and any(each.privacy_loss.certainty != "exact" for each in (self.plan, self.whole))

    def name_of(self, method: str) -> str:
        """What a rule is called on this page: exact only where its numbers are."""
        if method == "every_view":
            return label("plan", f"every_view.{'these' if self.of_views is Scope.PLAN else 'any'}")
        return label("plan", "rule.close" if method == "exact" and self.closely else f"rule.{method}")

    @cached_property
    def best_bound(self) -> PlanMethod:
        """The sharpest rule that holds for any mechanism."""
        return self.best_bound_after(self.inputs.rounds)

    def best_bound_after(self, rounds: int) -> PlanMethod:
        """The sharpest rule for any mechanism after so many rounds."""
        bounds = (method for method in self.methods if method not in OF_NOISE)
        return min(bounds, key=lambda method: self.shift(method, rounds))

    @property
    def headline(self) -> PlanMethod:
        """The rule of the answer: exact where there is one, or by the worst law."""
        of_noise = [method for method in self.methods if method in OF_NOISE]
        return of_noise[0] if of_noise else self.best_bound

    def when(self, method: str, *, some: bool = False) -> str:
        """The first round that breaks the promise, in words; `some` for somebody who reads every round."""
        crossing = self.passings[method].some if some else self.passings[method].given
        if crossing is None:
            return label("plan", "never_over", every=self.round, most=f"{self.at_most:,}")
        return label("plan", "when", every=self.round, crossing=f"{crossing:,}")

    def promised(self, method: str) -> str:
        """Up to which round a bound promises, in words: past it the bound says nothing and nothing need be broken."""
        crossing = self.passings[method].given
        if crossing == 1:
            return label("plan", "promised.never", every=self.round)
        return label("plan", "promised.until", every=self.round, last=f"{crossing - 1 if crossing else self.at_most:,}")

    @property
    def released(self) -> int:
        """Releases of all rounds, as the ledger counts them."""
        return self.ledger.releases * self.inputs.rounds + (0 if self.also is None else 1)

    @property
    def released_to_any(self) -> int:
        """Releases of all rounds, each answer of a record counted by itself."""
        return self.of_any.releases * self.inputs.rounds if self.answers else self.released

    @property
    def moves(self) -> int:
        """By how many records the noise of one release is passed by the secret; an answer is a release of its own."""
        return 1 if self.answers else self.whose.group

    @property
    def steps(self) -> int:
        """Over how many steps the budget of one release of any mechanism counts; an answer is a release of its own."""
        return 1 if self.answers else self.whose.steps

    @property
    def cells(self) -> int:
        """How many cells one step changes where the budgets are those of the noise on each cell."""
        replaced = self.inputs.released == "cells" and self.whose.relation is Relation.REPLACE
        return 2 if replaced and self.plan.has_exact_law and not self.answers else 1

    @property
    def answer(self) -> str:
        """The page's first sentence; in the plain voice, that there is no limit where it is certainty."""
        cap = self.inputs.promise == "cap" and not self.style.technical
        if cap and limits_nothing(self.after(self.headline).value):
            words = {"certain": frequency(1.0), "before": self.context["prior"], "that": self.context["that"]}
            return say("explain", self.style.voice, "no_limit", **words)
        who = label("plan", "who.once" if self.exact else "who.any")
        if self.also is not None:
            who = label("plan", "who.also", also=label("explain", f"guarantee.{self.inputs.also}"))
        return self.say(f"answer_{self.inputs.promise}", **self.context, who=who)

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage may use."""
        chosen, sure = self.inputs, "close" if self.closely else "exact"
        of_noise = Scope.TABLE if chosen.released == "cells" else Scope.COUNT
        scope = of_noise if self.exact and not self.answers else Scope.ANY_MECHANISM  # noise is on what is named
        what = label("plan", "of_this" if self.scope is Scope.PLAN else "of_any")
        cap, points = typed_frequency(chosen.cap), plain_number(100 * chosen.difference, TYPED_DIGITS - 1)
        of = self.people(*self.of_readers) if chosen.promise == "cap" and not self.style.technical else 100
        return {
            "span": self.rounds(chosen.rounds),
            "releases": self.rounds(self.released, "release"),
            "every": self.round,
            "also": self.also_in_words,
            "of_what": what if self.also is None else label("plan", "of_both", what=what, also=self.also_in_words),
            "prior": Exact(chosen.prior, in_people(of)) if of > 100 else typed_frequency(chosen.prior),
            "belief": self.said(self.after(self.headline), self.scope),
            "level": Lower(1 - chosen.failure, frequency),
            "failing": Failure(chosen.failure, frequency),
            "cap": cap,
            "limit": label("plan", "points", n=points) if chosen.promise == "difference" else cap,
            "wanted": label("plan", f"wanted.{chosen.promise}"),
            "headline": self.name_of(self.headline),
            "delta": Failure(chosen.delta, number(3)),
            "failure": Failure(chosen.failure, number(3)),
            "ville": Upper(float(ville_bound(self.promise.epsilon_prime)), rarely),
            **promise_words(self.whose, self.style.voice, scope=scope, hidden=chosen.hidden, one=chosen.one),
            "threshold": plain_number(chosen.failure, 6),
            "shift": Upper(self.largest_shift(self.headline), number(5)),
            "certainty": label("plan", f"certainty.{sure}"),
            "how_sure": label("plan", f"how_sure.{sure}"),
        }


@kept_for_session
def _between_worlds(curve: Curve, whose: Promise) -> Curve:
    """A curve of one step as it stands between the two worlds of a secret; kept, because many steps take a while."""
    return Evidence(promise=whose, source=curve).curve_of_secret


@kept_for_session
def rule_of(plan: ReleasePlan, method: PlanMethod, delta: float, once: ReleasePlan | None = None) -> PlanRule:
    """One of the rules on this plan; kept, because most controls do not change it."""
    points = GRID_POINTS if method == "exact" and plan.privacy_loss.certainty != "exact" else None
    return PlanRule(plan, method, total_delta=delta, points=points, once=once)


_passing = kept_for_session(PlanRule.first_passed)
"""First rounds that break the promise; kept, because most controls do not change them."""
