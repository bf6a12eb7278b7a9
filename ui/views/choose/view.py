"""Everything that *Choose a budget* shows of a line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dpcore.accuracy import Noise
from dpcore.composition import BeliefPromise
from dpcore.errors import Refused
from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.profiles import Budget, InfeasibleProfile, Status, lee_clifton
from dpcore.semantics import wood_posterior_upper
from riskline.answers import counts_changed, line_budget
from riskline.answers.composed import LONGEST_SEARCH, epsilon_each
from riskline.answers.errors import noise_error
from riskline.case.choices import NO_LINE
from riskline.case.fields import listed_numbers
from riskline.case.interview import Interview
from riskline.case.line import LINES
from riskline.case.promise import CONTRADICTION, records_together
from ui.link.page_table import PageLink
from ui.pictures.description import Description
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose.answer import Answered, ChooseInputs, answered, noise_of, one_ratio
from ui.views.choose.pictures import accepted_line, line_pictures, line_with_reach
from ui.views.choose.questions import Questions, permitted, questions
from ui.views.shared.drawing import Editor
from ui.views.shared.promise import PageView, StatedBelief
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency, plain_number, times
from ui.words.quantities import Allowed, Exact, Failure, Typed, Upper, as_recommended, number, share, to_spend
from ui.words.refusals import refusal_sentence, refusal_words

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
    ours, binds = answer.context["epsilon"], expert("rule.line.note", prior=answer.context["prior"])
    rows: list[tuple[object, ...]] = [(expert("rule.line"), ours, binds)]
    rule = one_ratio(answer)
    if rule is not None:
        gain = {"gain": rule.gain, "gained": rule.gained}
        note = expert("rule.one_ratio.note", ratio=Exact(implied.strictest_ratio, times), **gain)
        rows.append((expert("rule.one_ratio"), Allowed(implied.baseline, to_spend).digits, note))
    if place is not None and 0 < place.prior < 1:
        decided = answer.decided
        wood = Upper(wood_posterior_upper(prior=decided.prior, epsilon=answer.shift), decided.spoken)
        note = expert("rule.wood.note", theirs=wood.digits, here=decided.after.digits)
        rows.append((expert("rule.wood"), ours, note))
    if inputs.population.strip():
        people = _public_values(inputs.population)
        theirs = lee_clifton(population=people, statistic=inputs.statistic, posterior_cap=inputs.cap)
        named = expert("rule.left_out", statistic=word(f"statistic.{inputs.statistic}"), values=len(people))
        general = Allowed(theirs.general, to_spend)
        note = expert("rule.left_out.note", cap=Typed(inputs.cap, frequency), general=general)
        rows.append((named, Allowed(theirs.epsilon, to_spend).digits, note))
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
    added = pure.each.epsilon
    rows = [_row("addition", added, Allowed(added, to_spend), Allowed(releases * added, to_spend))]
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
            rows.append(_row(rule, each, Allowed(each, to_spend), Allowed(releases * each, to_spend)))
    for route, found in by_rho.items():
        assert isinstance(found.each, ZeroConcentratedDP)
        amounts = (Allowed(one, as_recommended) for one in (found.recommended_each, found.recommended_total))
        rows.append(_row(route, found.each.rho, *amounts))
    told = {"failing": Failure(failure, number(3)), "delta": plain_number(delta, 3)}
    heads = tuple(expert(f"several.{head}") for head in ("rule", "each", "together", "unrounded", "whom"))
    return Table(expert("several", releases=f"{releases:,}", **told), heads, tuple(rows))


def _row(rule: str, unrounded: float, each: Allowed, together: Allowed) -> tuple[object, ...]:
    amounts = (each, together, Allowed(unrounded, number(7)))
    return expert(f"several.{rule}"), *(amount.digits for amount in amounts), expert(f"several_whom_{rule}")


@dataclass(frozen=True, kw_only=True)
class ChooseView(PageView):
    """Everything the page shows.

    `decided` is the belief of the answer's sentence; `stated` holds it and every other one that the page prints.
    """

    budget: Budget | None = None
    editor: Editor | None = None
    line: Description | None = None
    """What the editor draws, for files; none where the line binds nothing or is about both beliefs."""
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    comparisons: Table | None = None
    several: Table | None = None
    permitted: str = ""
    questions: Questions | None = None
    next: tuple[PageLink, ...] = ()
    """What this budget costs, and the same line over many tables."""
    decided: tuple[StatedBelief, ...] = ()


def choose_view(inputs: ChooseInputs, style: Style) -> ChooseView:
    """The page for these choices; without a line, an invitation to draw one."""
    refusal, drawn = "", inputs.line != NO_LINE
    try:
        if not drawn and inputs.secret == "presence" and inputs.relation == "replace":
            refusal = CONTRADICTION
        answer = answered(inputs if drawn else replace(inputs, line=LINES[0]), style)
        comparisons, several = (other_rules(answer), several_releases(answer)) if drawn else (None, None)
    except InfeasibleProfile as error:
        where = frequency(error.membership_prior * error.value_prior)
        refusal = say("choose", style.voice, "infeasible", prior=where, detail=refusal_words(error))
    except ValueError as error:
        refusal = refusal or refusal_sentence(error, "choose")
    if refusal:
        return ChooseView(refusal=refusal)
    asked = questions(answer)
    if not drawn:
        so_far = Interview(inputs.interview).points
        points = so_far if len(so_far) > 1 else answer.points
        return ChooseView(
            answer=say("choose", style.voice, "answer_no_line"),
            small_print=say("choose", style.voice, "small_print_no_line", **answer.context),
            editor=None
            if inputs.secret == "both"
            else Editor(points, "linear", np.empty((0, 2)), None, example=points is not so_far),
            questions=None if inputs.secret == "both" else asked,
        )
    certain, sentence, stated = permitted(answer), answer.sentence, answer.stated
    nothing = "_nothing" if answer.implied.status is Status.BINDS_NOTHING else ""
    others = [] if certain is None else [certain.stated]
    if asked.held is not None:
        others += [reached for _, reached in answer.interviewed]
    budget, pages = answer.budget, []
    if budget is not None and budget.recommended_each > 0:
        pages.append(PageLink("accuracy", label("frame", "accuracy")))
    if budget is not None and inputs.guarantee != "approximate" and inputs.asked != "both":
        pages.append(PageLink("publication", label("frame", "publication")))
    one_belief = inputs.secret != "both" and answer.implied.status is Status.BINDS
    return ChooseView(
        answer=sentence,
        small_print=say("choose", style.voice, f"small_print{nothing}", **answer.context),
        budget=budget,
        editor=line_with_reach(answer),
        line=accepted_line(answer, sentence) if one_belief else None,
        numbers=numbers_on_top(answer),
        pictures=line_pictures(answer),
        comparisons=comparisons,
        several=several,
        permitted="" if certain is None else certain.sentence,
        questions=asked,
        next=tuple(pages),
        computed=say("choose", "technical", f"computed{nothing}", **answer.context),
        python=answer.python,
        decided=stated,
        stated=(*stated, *others),
    )
