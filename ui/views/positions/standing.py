"""One position: its line, its budget, what that brings to a count; one line for all; and each concession in a row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from dpcore.accuracy import CountError
from dpcore.profiles import LogOddsMean, PointwiseMinimum, RiskProfile, Status
from riskline.answers import LineBudget, Terms, profile_budget
from riskline.answers.errors import noise_error
from riskline.case.line import LineChoice, chosen_profile
from ui.pictures.style import Style
from ui.pictures.table import Table, table_of
from ui.views.positions.choices import PositionsInputs
from ui.views.shared.belief_before import Rise, rise
from ui.words.catalogue import label, say
from ui.words.phrasing import plain_number, rounded_budget, times
from ui.words.quantities import Upper, number

word = partial(label, "positions")
ABSENT = "–"
"""What a position that asks for no limit leaves empty."""
RARE = 1e-9  # a prior that stands for "nearly 0"


@dataclass(frozen=True, kw_only=True)
class Standing(LineBudget):
    """One position, or one line for all of them: its line, its budget, and what the budget brings to a count."""

    name: str
    error: CountError | None = None
    middle: bool = False


def unstarred(name: str) -> str:
    """A name whose own stars do not set anything bold."""
    return name.replace("*", "∗")


def parties_differ(standings: tuple[Standing, ...]) -> bool:
    """Whether the budgets of the parties, as recommended, are not all the same."""
    return len({standing.epsilon for standing in standings}) > 1


def standing_of(name: str, line: LineChoice, inputs: PositionsInputs) -> Standing:
    """One party with its line; a refusal of the line carries the party's name."""
    try:
        profile = chosen_profile(line)
        return _with_error(name, profile, inputs)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _with_error(name: str, profile: RiskProfile, inputs: PositionsInputs, middle: bool = False) -> Standing:
    found = profile_budget(profile, Terms(unit=inputs.unit, group=inputs.group, relation=inputs.relation))
    usable = found.budget is not None and found.epsilon > 0
    error = noise_error(found.epsilon, "geometric").error if usable else None
    return Standing(**vars(found), name=name, error=error, middle=middle)


def middle_of(parties: tuple[Standing, ...], inputs: PositionsInputs, style: Style) -> tuple[Standing, ...]:
    """One line for all parties as one more position, if one is asked for."""
    members = [party.profile for party in parties]
    if inputs.middle == "none":
        return ()
    profile = PointwiseMinimum(members) if inputs.middle == "strictest" else LogOddsMean(members)
    name = say("positions", style.voice, f"one_for_all_{inputs.middle}")
    return (_with_error(name, profile, inputs, middle=True),)


def spend_words(standing: Standing) -> str:
    """The budget a position may spend on one record, rounded down."""
    if standing.implied.status is Status.BINDS_NOTHING:
        return word("no_limit")
    return f"ε = {rounded_budget(standing.implied.lower / standing.together)}"


def half_width_words(standing: Standing) -> str:
    """How far a count is off at least 95 times in 100 at that budget, rounded up."""
    if standing.implied.status is Status.BINDS_NOTHING:
        return ABSENT
    if standing.error is None:
        return word("nothing_usable")
    return f"± {Upper(standing.error.half_width, number(3)).digits}"


def place_words(standing: Standing, style: Style) -> str:
    """The prior that decides a position's budget."""
    return ABSENT if standing.implied.binding is None else decided(standing, style).words


def decided(standing: Standing, style: Style) -> Rise:
    """The prior that decides a position's budget, and the belief after that an attacker reaches from it."""
    binding = standing.implied.binding
    assert binding is not None

    def after(prior: float) -> Upper:
        return Upper(reached(standing, prior, standing.implied.lower), style.belief)

    return rise(binding.prior, after, style)


def reached(standing: Standing, prior: float, epsilon: float) -> float:
    """The belief after that an attacker reaches from a prior of the disclosure, on a position's line."""
    return float(standing.implied.reachable(prior / (standing.profile.fixed or 1.0), epsilon=epsilon))


def budgets_table(standings: tuple[Standing, ...], style: Style) -> Table:
    """Every position with its budget and what it brings to a count."""
    rows = []
    for each in standings:
        error = each.error
        rows.append(
            (
                each.name,
                spend_words(each),
                place_words(each, style),
                ABSENT if error is None else plain_number(error.root_mean_square, 3),
                half_width_words(each),
            )
        )
    return table_of("positions", "budgets", rows)


def concessions_table(standings: tuple[Standing, ...], style: Style) -> Table:
    """From each budget to the next larger one: what it buys, and what it costs the one who moves."""
    ordered = sorted(standings, key=lambda each: each.implied.epsilon)
    rows: list[tuple[object, ...]] = []
    steps = list(pairwise(ordered))
    if len(ordered) > 2:
        steps.append((ordered[0], ordered[-1]))
    for giving, taking in steps:
        if taking.epsilon == giving.epsilon:
            continue
        gained = taking.epsilon - giving.epsilon
        bought = ABSENT
        if giving.error is not None and taking.error is not None:
            less = giving.error.root_mean_square - taking.error.root_mean_square
            ranges = {"from": half_width_words(giving), "to": half_width_words(taking)}
            bought = word("less", less=plain_number(less, 3), **ranges)
        rows.append(
            (
                f"{giving.name} → {taking.name}",
                word("no_limit") if math.isinf(gained) else word("more", gained=plain_number(gained, 3)),
                bought,
                price_of_conceding(giving, taking, style),
            )
        )
    return table_of("positions", "concessions", rows)


def price_of_conceding(giving: Standing, taking: Standing, style: Style) -> str:
    """How far the attacker who decided the smaller budget comes under the larger one."""
    binding = giving.implied.binding
    if binding is None or binding.prior == 1:
        return ABSENT
    told = decided(giving, style)
    prior = told.prior or RARE * float(giving.profile.fixed or 1.0)
    before, after = (reached(giving, prior, each.shift) for each in (giving, taking))
    if binding.prior == 0:
        return word("price_rare", before=times(before / prior), after=times(after / prior))
    beliefs = {"before": Upper(before, told.spoken).digits, "after": Upper(after, told.spoken).digits}
    return word("price", prior=told.words, **beliefs)
