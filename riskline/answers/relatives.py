"""What a release tells of somebody whom relatives in the data resemble: limits, and the budget that keeps a line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.guarantees import Guarantee, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import NoiseMechanism
from dpcore.promise import Promise, Unit
from dpcore.relatives import Relative, Relatives, RelativesCount
from dpcore.scope import Bound, Reader, Scope, Side
from dpcore.semantics import posterior_upper, shift_bound
from riskline.answers.budgets import Terms, line_budget
from riskline.case.choices import of_case
from riskline.case.line import LineChoice
from riskline.case.promise import BOTH, asked_about, promise_of

EXPECTS_RELATIVES = Reader("expects_relatives")
"""Does not know the relatives' records, and expects them to resemble the secret's."""


@dataclass(frozen=True)
class RelativesChoice:
    """How many people in the data resemble her, and the chance of yes of each, where she is a yes and where not.

    What a reader believes of a relative follows from these and from the belief about her; it is no further choice.
    """

    relatives: int = of_case("relatives")
    share_if_yes: float = of_case("share_if_yes")
    share_if_no: float = of_case("share_if_no")

    @cached_property
    def people(self) -> Relatives:
        """The relatives, each independent of the others given her value."""
        one = Relative.of_shares(share_if_yes=self.share_if_yes, share_if_no=self.share_if_no)
        return Relatives((one,) * self.relatives)

    @cached_property
    def copies(self) -> Relatives:
        """As many who are copies of her: as much as resemblance of any kind can tell."""
        return Relatives((Relative.of_shares(share_if_yes=1.0, share_if_no=0.0),) * self.relatives)

    def believed(self, prior: float) -> float:
        """What a reader with this belief about her believes of one of them."""
        return prior * self.share_if_yes + (1.0 - prior) * self.share_if_no


@dataclass(frozen=True)
class Known:
    """What a reader knows of relatives who are a yes: how many, the belief before any release, the limit after it."""

    number: int
    before: float
    after: Bound


@dataclass(frozen=True, kw_only=True)
class Resembling:
    """One person with one record, her relatives, and any release with an ε or ρ between the two worlds of her secret.

    promise : whose secret it is, under which change; of one person
    guarantee : between its two worlds, and between the two values of each relative
    failure : probability with which a limit may be passed where it is a ρ
    relatives : how many, and how alike
    scope : for which releases the guarantee counts the steps between the two worlds

    Raises ValueError: ``guarantee must be a PureDP or ZeroConcentratedDP; got …``, ``unit must be person; got …``

    >>> presence = Promise(secret="value", relation="replace")
    >>> three = RelativesChoice(3, 0.8, 0.3)
    >>> found = Resembling(promise=presence, guarantee=PureDP(epsilon=1.0), relatives=three)
    >>> [round(bound.value, 3) for bound in found.limits(0.05)]
    [0.125, 0.355, 0.742]
    >>> round(Resembling(promise=presence, guarantee=PureDP(epsilon=1.04), relatives=three).budget(), 3)
    0.424
    """

    promise: Promise
    guarantee: Any
    relatives: RelativesChoice
    failure: float = 0.0
    scope: Scope = Scope.ANY_MECHANISM

    def __post_init__(self) -> None:
        if not isinstance(self.guarantee, PureDP | ZeroConcentratedDP):
            rule = "be a PureDP or ZeroConcentratedDP"
            raise Refused("guarantee", rule, self.guarantee, Code.UNSUPPORTED)
        if self.promise.unit is Unit.HOUSEHOLD:
            raise Refused("unit", "be person", self.promise.unit.value, Code.UNSUPPORTED)

    @property
    def together(self) -> int:
        """Her record and those of her relatives."""
        return 1 + self.relatives.relatives

    def _shift(self, people: Relatives) -> float:
        """How far the log odds of her secret rise at most, for a reader who does not know these people."""
        own: Guarantee = self.guarantee
        if isinstance(own, PureDP):
            return people.shift_limits(epsilon=own.epsilon).up
        household = shift_bound(own.for_group(1 + len(people.members)), delta_prime=self.failure)
        if own.rho == 0.0 or not people.members:  # type: ignore[union-attr]
            return household
        limits = people.concentrated_shift_limits(rho=own.rho, delta_prime=self.failure / 2)  # type: ignore[union-attr]
        return min(limits.up, household)

    @cached_property
    def shifts(self) -> tuple[float, float, float]:
        """Shifts of the log odds: where nobody resembles her, with these relatives, however alike they are; in order.

        The last is the group's ε or ρ, for as many records that change together.
        """
        alone, copies = self._shift(Relatives(())), self._shift(self.relatives.copies)
        return alone, min(max(self._shift(self.relatives.people), alone), copies), copies

    def _limit(self, prior: float, shift: float) -> Bound:
        return Bound(
            value=posterior_upper(prior=prior, epsilon=shift),
            side=Side.AT_MOST,
            scope=self.scope,
            promise=replace(self.promise, failure_probability=self.failure),
            reader=EXPECTS_RELATIVES,
        )

    def limits(self, prior: float) -> tuple[Bound, Bound, Bound]:
        """Largest beliefs that any release with the guarantee allows, in the order of `shifts`."""
        alone, alike, copies = (self._limit(prior, shift) for shift in self.shifts)
        return alone, alike, copies

    def budget(self, shift: float | None = None) -> float:
        """The ε or ρ between the two worlds with which these relatives let the odds shift no further than that.

        Without a shift: no further than the guarantee does where nobody resembles her. Rounded down; of a ρ what the
        bound allows.
        """
        allowed, people = self.shifts[0] if shift is None else shift, self.relatives.people
        if isinstance(self.guarantee, PureDP):
            return people.epsilon_from_shift(allowed)
        return people.rho_from_shift(allowed, delta_prime=self.failure / 2)

    def budget_each(self, shift: float | None = None, *, steps: float, releases: int = 1) -> float:
        """The same as the budget of each release for one step of the relation."""
        by_rho = isinstance(self.guarantee, ZeroConcentratedDP)
        return self.budget(shift) / releases / (steps**2 if by_rho else steps)

    def known(self, prior: float) -> tuple[Known, ...]:
        """Readers who know of none, of one and of all relatives that they are a yes, where that settles nothing."""
        people, found = self.relatives.people, []
        for number in sorted({0, min(1, self.relatives.relatives), self.relatives.relatives}):
            seen = [1] * number + [None] * (self.relatives.relatives - number)
            try:
                before = people.belief_knowing(seen, prior=prior)
            except Refused:  # a relative's yes says which it is
                continue
            found.append(Known(number, before, self._limit(before, self._shift(people.unknown(seen)))))
        return tuple(found)

    def right_guesses(self, noise: NoiseMechanism, *, prior: float = 0.5) -> tuple[Bound, ...] | None:
        """How often the best guess is right after one count of her and her relatives with this noise; exact.

        In the order of `limits`; None where the law is too long to sum. Unlike those they need not stand in an order:
        relatives whom nobody knows are also noise.
        """
        try:
            counts = [
                RelativesCount(who, noise) for who in (Relatives(()), self.relatives.people, self.relatives.copies)
            ]
            values = [float(count.right_guess(prior=prior)) for count in counts]
        except Refused:
            return None
        promise = replace(self.promise, failure_probability=0.0)
        told: dict[str, Any] = {
            "side": Side.EXACT,
            "scope": Scope.COUNT,
            "promise": promise,
            "reader": EXPECTS_RELATIVES,
        }
        return tuple(Bound(value=value, **told) for value in values)


def resembling(**told: Any) -> Resembling | None:
    """What such a release tells where relatives resemble; None where that is not known: but for one person's ε or ρ."""
    try:
        return Resembling(**told)
    except Refused:
        return None


def resembling_on_line(line: LineChoice, terms: Terms, relatives: RelativesChoice) -> tuple[Resembling, float] | None:
    """What the budget of a line tells where relatives resemble, and the budget of each release that keeps it anyway.

    The belief that decides is that of the line, for the relatives' shares are the same whatever a reader believes of
    her. None for a line over two beliefs, without a budget, and but for one person's ε or ρ.

    >>> line, three = LineChoice(line="constant", ratio=3.0), RelativesChoice(3, 0.8, 0.3)
    >>> found, each = resembling_on_line(line, Terms(), three)
    >>> round(found.guarantee.epsilon, 2), round(each, 3)
    (1.09, 0.449)
    """
    found, asked = line_budget(line, terms), asked_about(line.secret, line.held)
    if found.value is None or found.budget is None or asked == BOTH:
        return None
    own, promise = found.budget.each, promise_of(asked, terms.unit, terms.group, terms.relation)
    between = found.budget.group * (terms.steps if asked == "value" else 1.0)
    told: Any
    if isinstance(own, PureDP):
        told = PureDP(epsilon=found.value * terms.releases * between, relation=promise.relation)
    elif isinstance(own, ZeroConcentratedDP):
        told = ZeroConcentratedDP(rho=found.value * terms.releases * between**2, relation=promise.relation)
    else:
        return None
    scope = terms.scope if between < promise.steps else Scope.ANY_MECHANISM
    failure = found.budget.failure_probability
    alike = resembling(promise=promise, guarantee=told, relatives=relatives, failure=failure, scope=scope)
    if alike is None:
        return None
    allowed = found.implied.lower * between / found.budget.group
    return alike, alike.budget_each(allowed, steps=between, releases=terms.releases)
