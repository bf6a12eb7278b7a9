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
from ui.pictures.table import Table
from ui.views.choose.answer import Answered, noise_of, one_ratio
from ui.words.catalogue import label, say
from ui.words.phrasing import exact_budget, frequency, plain_number, rounded_budget, times
from ui.words.quantities import Allowed, Exact, Failure, Typed, Upper, number, share, to_spend

word, expert = partial(label, "choose"), partial(say, "choose", "technical")

PLACES = {"table": "noise_in_table", "tables": "noise_alone", "plan": "noise_alone"}
"""Where the noise is that the budget brings; several tables or releases share it, which their own pages tell."""


def numbers_on_top(answer: Answered) -> tuple[tuple[str, str, str], ...]:
    """The budget, the one that also holds for readers who know less, and the noise that it brings."""
    voice, budget, inputs = answer.style.voice, answer.budget, answer.inputs
    said = partial(say, "choose", voice)
    if budget is None:
        return ((said("number_budget"), word("no_limit"), ""),)
    note = ""
    if budget.certificate is not None:
        note = word("certified", every=Allowed(budget.certificate.every_rho_up_to, to_spend))
    if answer.style.technical:
        total = budget.total
        unrounded = Allowed(total.rho if isinstance(total, ZeroConcentratedDP) else total.epsilon, number(7))
        exactly = word("unrounded_together" if budget.releases > 1 else "unrounded", budget=unrounded)
        note = "; ".join(filter(None, (exactly, note)))
    found = [(said("number_budget"), answer.spend, note)]
    if answer.unsure:
        found.append((said("number_unsure"), answer.unsure, word("number_unsure.note")))
    if answer.implied.status is Status.BINDS:
        kind: Noise = noise_of(budget)
        changed = counts_changed(inputs.areas, inputs.moves, inputs.relation)
        error = noise_error(budget.recommended_each / changed, kind).error  # of the budget that is said and handed on
        place = PLACES.get(inputs.release, "noise_in_count") if budget.releases == 1 else "noise_each"
        where = word(place, noise=label("case", f"whole_noise.{kind}"))
        exact = frequency(error.probability_exact)
        note = word("number_noise.note", where=where, level=Typed(0.95, share()), exact=exact)
        found.append((said("number_noise"), f"± {Upper(error.half_width, number(3)).digits}", note))
    return tuple(found)


def other_rules(answer: Answered) -> Table | None:
    """Other rules for setting ε, beside this line's."""
    implied, inputs, place = answer.implied, answer.inputs, answer.implied.binding
    if implied.status is not Status.BINDS:
        return None
    binds = expert("rule.line.note", prior=answer.context["prior"])
    rows: list[tuple[object, ...]] = [(expert("rule.line"), rounded_budget(implied.lower), binds)]
    rule = one_ratio(answer)
    if rule is not None:
        gain = {"gain": rule.gain, "gained": rule.gained}
        note = expert("rule.one_ratio.note", ratio=Exact(implied.strictest_ratio, times), **gain)
        rows.append((expert("rule.one_ratio"), rounded_budget(implied.baseline), note))
    if place is not None and 0 < place.prior < 1:
        wood = float(wood_posterior_upper(prior=place.prior, epsilon=answer.shift))
        here = Upper(answer.reached_where_decided, frequency).digits
        note = expert("rule.wood.note", theirs=Upper(wood, frequency).digits, here=here)
        rows.append((expert("rule.wood"), rounded_budget(implied.lower), note))
    if inputs.population.strip():
        people = _public_values(inputs.population)
        theirs = lee_clifton(population=people, statistic=inputs.statistic, posterior_cap=inputs.cap)
        named = expert("rule.left_out", statistic=word(f"statistic.{inputs.statistic}"), values=len(people))
        note = expert("rule.left_out.note", cap=Typed(inputs.cap, frequency), general=rounded_budget(theirs.general))
        rows.append((named, rounded_budget(theirs.epsilon), note))
    heads = expert("rules.rule"), expert("rules.together") if answer.is_shared else "ε", expert("rules.says")
    return Table(expert("rules"), heads, tuple(rows))


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
        rows.append(_cells(route, *amounts, found.each.rho))
    told = {"failing": Failure(failure, number(3)), "delta": plain_number(delta, 3)}
    heads = tuple(expert(f"several.{head}") for head in ("rule", "each", "together", "unrounded", "whom"))
    return Table(expert("several", releases=f"{releases:,}", **told), heads, tuple(rows))


def _row(rule: str, each: float, answer: Answered) -> tuple[object, ...]:
    together = rounded_budget(each * answer.inputs.releases)
    return _cells(rule, rounded_budget(each), together, each)


def _cells(rule: str, each: str, together: str, unrounded: float) -> tuple[object, ...]:
    whom = expert(f"several_whom_{rule}")
    return expert(f"several.{rule}"), each, together, Allowed(unrounded, number(7)).digits, whom
