"""The budget in numbers, beside other rules for setting ε, and shared by several releases by every way of adding up."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from dpcore.accuracy import Noise
from dpcore.composition import BeliefPromise
from dpcore.errors import Refused
from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.profiles import Status, lee_clifton
from dpcore.semantics import wood_posterior_upper
from riskline.answers import counts_changed, line_budget
from riskline.answers.composed import LONGEST_SEARCH, epsilon_each
from riskline.answers.errors import noise_error
from riskline.case.fields import listed_numbers
from riskline.case.promise import records_together
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose.answer import Answered, along, noise_of, one_ratio
from ui.words.catalogue import label, say
from ui.words.phrasing import exact_budget, frequency, plain_number, rounded_budget, times
from ui.words.quantities import Allowed, Exact, Failure, Typed, Upper, number, share

word = partial(label, "choose")

PLACES = {"table": "noise_in_table", "tables": "noise_alone", "plan": "noise_alone"}
"""Where the noise is that the budget brings; several tables or releases share it, which their own pages tell."""


def numbers_on_top(answer: Answered) -> tuple[tuple[str, str, str], ...]:
    """The budget, one ratio for everybody, what the line gains over it, and the noise."""
    voice, implied, budget = answer.style.voice, answer.implied, answer.budget
    if budget is None:
        return ((say("choose", voice, "number_budget"), word("no_limit"), ""),)
    total = budget.total
    unrounded = Allowed(total.rho if isinstance(total, ZeroConcentratedDP) else total.epsilon, number(7))
    note = word("unrounded_together" if budget.releases > 1 else "unrounded", budget=unrounded)
    found = [(say("choose", voice, "number_budget"), answer.spend, note)]
    rule = one_ratio(answer)
    if rule is not None:
        found += [
            (
                say("choose", voice, "number_baseline"),
                rule.spend,
                word("number_baseline.note", ratio=Upper(implied.strictest_ratio, times)),
            ),
            (say("choose", voice, "number_gain"), rule.gain.digits, word("number_gain.note", gained=rule.gained)),
        ]
    if implied.status is Status.BINDS:
        found.append(_noise(answer))
    return tuple(found)


def _noise(answer: Answered) -> tuple[str, str, str]:
    """The error that each release's budget puts on one count, or on each count of a table."""
    budget, inputs = answer.budget, answer.inputs
    assert budget is not None
    kind: Noise = noise_of(budget)
    changed = counts_changed(inputs.areas, inputs.moves, inputs.relation)
    error = noise_error(budget.recommended_each / changed, kind).error  # of the budget that is said and handed on
    place = PLACES.get(inputs.release, "noise_in_count")
    where = word(place if budget.releases == 1 else "noise_each", noise=label("case", f"whole_noise.{kind}"))
    return (
        say("choose", answer.style.voice, "number_noise"),
        f"± {Upper(error.half_width, number(3)).digits}",
        word("number_noise.note", where=where, level=Typed(0.95, share()), exact=frequency(error.probability_exact)),
    )


def other_rules(answer: Answered) -> Table | None:
    """Other rules for setting ε, beside this line's."""
    implied, inputs = answer.implied, answer.inputs
    if implied.status is not Status.BINDS:
        return None
    rows: list[tuple[object, ...]] = [
        (word("rule.line"), rounded_budget(implied.lower), word("rule.line.note", prior=answer.context["prior"])),
        (
            word("rule.one_ratio"),
            rounded_budget(implied.baseline),
            word("rule.one_ratio.note", ratio=Exact(implied.strictest_ratio, times)),
        ),
    ]
    place = implied.binding
    if place is not None and 0 < place.prior < 1:
        wood = float(wood_posterior_upper(prior=place.prior, epsilon=answer.shift))
        here = Upper(float(answer.reach(*along(inputs, place))), frequency).digits
        note = word("rule.wood.note", theirs=Upper(wood, frequency).digits, here=here)
        rows.append((word("rule.wood"), rounded_budget(implied.lower), note))
    if inputs.population.strip():
        people = _public_values(inputs.population)
        theirs = lee_clifton(population=people, statistic=inputs.statistic, posterior_cap=inputs.cap)
        statistic = word(f"statistic.{inputs.statistic}")
        note = word("rule.left_out.note", cap=Typed(inputs.cap, frequency), general=rounded_budget(theirs.general))
        rule = word("rule.left_out", statistic=statistic, values=len(people))
        rows.append((rule, rounded_budget(theirs.epsilon), note))
    heads = word("rules.rule"), word("rules.together") if answer.together else "ε", word("rules.says")
    return Table(word("rules"), heads, tuple(rows))


def _public_values(text: str) -> list[float]:
    try:
        return listed_numbers(text)
    except ValueError as error:
        raise ValueError(f"Each public value {error}") from None


BY_RHO = ("published", "direct", "gaussian", "discrete_gaussian")


def several_releases(answer: Answered) -> Table | None:
    """The table for more than one release; None for one, and where only plain addition is justified."""
    inputs, implied = answer.inputs, answer.implied
    if inputs.releases == 1 or implied.status is not Status.BINDS:
        return None
    releases, failure, delta = inputs.releases, inputs.failure, inputs.delta
    group = records_together(inputs.unit, inputs.group)
    pure = line_budget(inputs.line_choice, replace(inputs.terms, guarantee="pure")).budget
    assert pure is not None
    assert isinstance(pure.each, PureDP)
    rows: list[tuple[object, ...]] = [_row("addition", pure.each.epsilon, answer)]
    by_rho = {}
    for route in BY_RHO:
        try:
            terms = replace(inputs.terms, guarantee="zero_concentrated", route=route)
            found = line_budget(inputs.line_choice, terms).budget
        except Refused as refusal:  # not a question about two worlds, or not about counts where records are replaced
            if refusal.name != "route":
                raise
        else:
            assert found is not None
            by_rho[route] = found
    if not by_rho:  # only plain addition is justified
        return None
    if releases * group <= LONGEST_SEARCH:
        promise = BeliefPromise(epsilon_prime=pure.answer.lower, delta_prime=failure)
        for rule in ("optimal", "exact") if delta < failure else ("exact",):
            each = epsilon_each(promise, releases, rule, delta, group) / group
            rows.append(_row(rule, each, answer))
    for route, found in by_rho.items():
        assert isinstance(found.each, ZeroConcentratedDP)
        amounts = exact_budget(found.recommended_each), exact_budget(found.recommended_total)
        rows.append(_cells(route, *amounts, found.each.rho, answer.style))
    told = {"failing": Failure(failure, number(3)), "delta": plain_number(delta, 3)}
    heads = tuple(word(f"several.{head}") for head in ("rule", "each", "together", "unrounded", "whom"))
    return Table(word("several", releases=f"{releases:,}", **told), heads, tuple(rows))


def _row(rule: str, each: float, answer: Answered) -> tuple[object, ...]:
    together = rounded_budget(each * answer.inputs.releases)
    return _cells(rule, rounded_budget(each), together, each, answer.style)


def _cells(rule: str, each: str, together: str, unrounded: float, style: Style) -> tuple[object, ...]:
    whom = say("choose", style.voice, f"several_whom_{rule}")
    return word(f"several.{rule}"), each, together, Allowed(unrounded, number(7)).digits, whom
