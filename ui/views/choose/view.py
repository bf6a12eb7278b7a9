"""Everything that *Choose a budget* shows of a line, and the interview that draws it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np

from dpcore.composition import BeliefPromise
from dpcore.errors import Refused
from dpcore.profiles import Budget, InfeasibleProfile, Status, lee_clifton
from dpcore.semantics import wood_posterior_upper
from riskline.answers import counts_changed, line_budget
from riskline.answers.composed import LONGEST_SEARCH, epsilon_each
from riskline.answers.errors import noise_error
from riskline.answers.relatives import RelativesChoice, resembling_on_line
from riskline.answers.spent import fitting
from riskline.case.choices import NO_LINE
from riskline.case.fields import listed_numbers
from riskline.case.interview import LEVELS, PRIORS, Interview, odds
from riskline.case.line import LINES
from riskline.case.points import same_line
from riskline.case.promise import CONTRADICTION, records_together
from ui.link.page_table import PageLink
from ui.pictures.description import Description
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.accuracy import rounded_words
from ui.views.choose.answer import NOISES, AnsweredLine, ChooseInputs, answered, believed, one_ratio, size_of, spending
from ui.views.choose.pictures import accepted_line, line_pictures, line_with_reach
from ui.views.shared.drawing import Editor
from ui.views.shared.promise import PageAnswer, StatedBelief, called, refusing
from ui.views.shared.relatives import RelativesView, relatives_view
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency, how_often, plain_number, rounded_budget, times
from ui.words.quantities import (
    Allowed,
    Exact,
    Failure,
    Lower,
    Typed,
    Upper,
    as_often_as,
    as_recommended,
    number,
    to_spend,
    whole,
)
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence, refusal_words


@dataclass(frozen=True)
class Questions:
    """What the interview shows: `options` are words of an answer and the answers with it.

    `tables` is the number of tables a box begins with, where that is asked; `counted` the answers once it is told.
    """

    question: str
    note: str = ""
    options: tuple[tuple[str, str], ...] = ()
    tables: int | None = None
    counted: str = ""
    back: str | None = None
    again: str | None = None
    held: Table | None = None


def questions(answer: AnsweredLine) -> Questions:
    """The next question of the interview, or why there is none."""
    inputs, voice = answer.inputs, answer.style.voice
    interview = Interview(inputs.interview)
    answers, given = interview.answers, interview.given
    back = interview.back if answers else None

    def passage(name: str, **words: object) -> str:
        told = [word for word in words.values() if isinstance(word, float)]
        beliefs = {key: believed(word, voice, *told) for key, word in words.items() if isinstance(word, float)}
        return say("choose", voice, f"interview_{name}", **answer.context | words | beliefs)

    if inputs.secret == "both":
        return Questions(passage("none"))
    if not answers:
        kinds = (passage("kind_count"), "c"), (passage("kind_anything"), "o")
        return Questions(passage("kind"), passage("kind_note"), kinds)
    if len(answers) == 1:
        one = called(inputs.one) or label("choose", "interview.person")
        note, counted = passage("tables_note"), f"{answers}t"
        return Questions(passage("tables", one=one), note, tables=inputs.releases, counted=counted, back=back)
    if (found := interview.contradiction) is not None:
        raised, lowered = Interview(found.raised), Interview(found.lowered)
        rarer = next(held for held in lowered.given if held.prior == found.rarer.prior)
        words = {"rarer": found.rarer.prior, "accepted": found.rarer.accepted, "likelier": found.likelier.prior}
        words |= {"less": found.likelier.accepted, "refused": found.likelier.refused}
        words |= {"raised": raised.given[-1].accepted, "lowered": rarer.accepted}
        options = (passage("raise", **words), found.raised), (passage("lower", **words), found.lowered)
        return Questions(passage("contradiction", **words), passage("contradiction_note"), options, back=back)
    if (prior := interview.asked) is not None:
        levels = tuple((believed(level, voice, prior), f"{answers}{at}") for at, level in enumerate(LEVELS[prior]))
        note = passage("level_note")
        if given:
            most = max(given, key=lambda held: held.accepted)
            note = passage("level_follows", rarer=decimal_belief(most.prior), accepted=most.accepted, prior=prior)
        place = {"number": str(len(interview.chosen) + 1), "all": str(len(PRIORS))}
        return Questions(passage("level", prior=prior, **place), note, levels, back=back)
    if interview.halving is not None:
        prior, between = interview.halving
        at = next(held for held in interview.held if held.prior == prior)
        halves = (passage("yes"), f"{answers}y"), (passage("no"), f"{answers}n")
        told = {"prior": prior, "accepted": at.accepted, "refused": at.refused, "between": between}
        return Questions(passage("halving", **told), options=halves, back=back)
    if inputs.line != "drawn" or not same_line(inputs.points, interview.points):
        return Questions(passage("moved"), options=((passage("redraw"), answers),), back=back, again="")
    strictest = min(interview.held, key=lambda held: odds(held.accepted) - odds(held.prior))
    binding = answer.implied.binding
    if binding is not None and not np.isclose(binding.prior, PRIORS, rtol=1e-9, atol=0).any():
        said = passage("done_between")
    else:
        name = "done_nothing" if strictest.accepted == 1.0 else "done"
        said = passage(name, prior=strictest.prior, accepted=strictest.accepted)
    return Questions(said, back=back, again="", held=_held(answer))


def _held(answer: AnsweredLine) -> Table | None:
    """What the answers hold at each belief, beside what the budget of the whole line lets an attacker reach."""
    if answer.budget is None:
        return None
    voice, rows = answer.style.voice, []
    for held, reached in answer.interviewed:
        refused = believed(held.refused, voice, held.prior) if held.refused <= 1.0 else "–"
        rows.append((reached.before, believed(held.accepted, voice, held.prior), refused, reached.words))
    columns = tuple(say("choose", voice, f"interview_{name}") for name in ("before", "accept", "refuse", "reach"))
    return Table(say("choose", voice, "interview_table", **answer.context), columns, tuple(rows))


def _asks_nothing(answer: AnsweredLine, prior: Any) -> Any:
    """Whether the line accepts certainty at each of several priors."""
    return np.asarray(answer.implied.profile.highest_posterior(np.asarray(prior) / answer.inputs.held)) >= 1.0 - 1e-12


def certain_from(answer: AnsweredLine) -> float | None:
    """The lowest of the priors a page says from which on a line over one belief accepts certainty; None without one.

    Looked for above the last of many priors, every point of a drawn line among them, at which it asks for something.
    """
    inputs = answer.inputs
    points = [prior for prior, _ in inputs.points if prior <= inputs.held] if inputs.line == "drawn" else []
    many = np.union1d(inputs.held * np.linspace(0.0, 1.0, 2001)[1:-1], points)
    asking = many[~_asks_nothing(answer, many)]
    if not asking.size:
        return None
    said = np.arange(1, 10_000) / 10_000
    if not answer.style.technical:
        said = np.concatenate([said[:99], np.arange(1, 100) / 100])
    said = said[(said > asking[-1]) & (said < inputs.held)]
    found = said[_asks_nothing(answer, said)]
    return float(found[0]) if found.size else None


def permitted(answer: AnsweredLine) -> tuple[StatedBelief, str] | None:
    """From which belief on the line lets somebody become certain, and a sentence that says so; None from none.

    The lowest that is easily said, with what the budget allows there.
    """
    if answer.inputs.secret == "both" or answer.implied.status is not Status.BINDS:
        return None
    prior = certain_from(answer)
    if prior is None:
        return None
    stated = answer.stated_from(prior, believed(prior, answer.style.voice))
    words = answer.context | {"prior": answer.style.belief(prior), "reached": stated.said}
    return stated, say("choose", answer.style.voice, "permitted", **words)


word, expert = partial(label, "choose"), partial(say, "choose", "technical")

PLACES = {"table": "noise_in_table", "tables": "noise_alone", "plan": "noise_alone"}
"""Where the noise is that the budget brings; several tables or releases share it, which their own pages tell."""


def numbers_on_top(answer: AnsweredLine) -> tuple[tuple[str, str, str], ...]:
    """The budget, the one that also holds for readers who know less, and the noise that it brings."""
    voice, budget, inputs = answer.style.voice, answer.budget, answer.inputs
    said = partial(say, "choose", voice)
    if budget is None:
        return ((said("number_budget"), word("no_limit"), ""),)
    note = ""
    if budget.certificate is not None:
        note = word("certified", every=Allowed(budget.certificate.every_rho_up_to, to_spend))
    if answer.style.technical:
        unrounded = Allowed(size_of(budget.total), number(7))
        exactly = word("unrounded_together" if budget.releases > 1 else "unrounded", budget=unrounded)
        note = "; ".join(filter(None, (exactly, note)))
    found = [(said("number_budget"), answer.spend, note)]
    if answer.unsure:
        found.append((said("number_unsure"), answer.unsure, word("number_unsure.note")))
    if answer.implied.status is Status.BINDS and inputs.release != "coins":
        kind = NOISES.get(budget.route) or fitting(inputs.noise, by_rho=inputs.guarantee == "zero_concentrated")
        changed = counts_changed(inputs.areas, inputs.moves, inputs.relation)
        row = noise_error(budget.recommended_each / changed, kind)  # of the budget that is said and handed on
        where = word(PLACES.get(inputs.release, "noise_in_count"), noise=label("case", f"whole_noise.{kind}"))
        where = where if budget.releases == 1 else word("noise_each", noise=where)
        wide, chance = row.whole_range
        told = {"chance": Lower(chance, how_often), "exact": Exact(row.error.probability_exact, as_often_as(chance))}
        note = word("number_noise.note", where=where, rounded=rounded_words(row.noise), **told)
        found.append((said("number_noise"), f"± {Upper(wide, whole).digits}", note))
    return tuple(found)


def other_rules(answer: AnsweredLine) -> Table | None:
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
        note = expert("rule.left_out.note", cap=Typed(inputs.cap, frequency), general=Allowed(theirs.general, to_spend))
        rows.append((named, Allowed(theirs.epsilon, to_spend).digits, note))
    heads = expert("rules.rule"), expert("rules.together") if answer.is_shared else "ε", expert("rules.says")
    return Table(expert("rules"), heads, tuple(rows))


def _public_values(text: str) -> list[float]:
    try:
        return listed_numbers(text)
    except ValueError as error:
        raise ValueError(f"Each public value {error}") from None


BY_RHO = ("published", "direct", "gaussian", "discrete_gaussian")


def several_releases(answer: AnsweredLine) -> Table | None:
    """The table for more than one release; None for one, and where only plain addition is justified."""
    inputs, implied = answer.inputs, answer.implied
    if inputs.releases == 1 or implied.status is not Status.BINDS:
        return None
    releases, failure, delta = inputs.releases, inputs.failure, inputs.delta
    group = records_together(inputs.unit, inputs.group)
    pure = line_budget(inputs.line_choice, replace(inputs.terms, guarantee="pure")).budget
    assert pure is not None
    added = size_of(pure.each)
    rows = [_row("addition", added, as_spent(added), releases)]
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
            rows.append(_row(rule, each, as_spent(each), releases))
    for route, found in by_rho.items():
        rows.append(_row(route, size_of(found.each), found.recommended_each, releases))
    told = {"failing": Failure(failure, number(3)), "delta": plain_number(delta, 3)}
    heads = tuple(expert(f"several.{head}") for head in ("rule", "each", "together", "unrounded", "whom"))
    return Table(expert("several", releases=f"{releases:,}", **told), heads, tuple(rows))


def as_spent(budget: float) -> float:
    """A budget as it is recommended, rounded down."""
    return float(rounded_budget(budget)) if math.isfinite(budget) else budget


def _row(rule: str, unrounded: float, each: float, releases: int) -> tuple[object, ...]:
    """A rule's budgets: of each release, rounded down, of all of them together as so many times that, and unrounded."""
    together = float(releases * Decimal(repr(each)))
    amounts = (Allowed(each, as_recommended), Allowed(together, as_recommended), Allowed(unrounded, number(7)))
    return expert(f"several.{rule}"), *(amount.digits for amount in amounts), expert(f"several_whom_{rule}")


@dataclass(frozen=True, kw_only=True)
class ChooseView(PageAnswer):
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
    halved: str = ""
    """Why another value asks for half the ε, where it is two changes of the data."""
    questions: Questions | None = None
    next: tuple[PageLink, ...] = ()
    """What this budget costs, and the same line over many tables."""
    decided: tuple[StatedBelief, ...] = ()


def choose_view(inputs: ChooseInputs, style: Style) -> ChooseView:
    """The page for these choices; without a line, an invitation to draw one."""
    drawn = inputs.line != NO_LINE
    if not drawn and inputs.secret == "presence" and inputs.relation == "replace":
        return ChooseView(refusal=CONTRADICTION)
    try:
        answer = answered(inputs if drawn else replace(inputs, line=LINES[0]), style)
        comparisons, several = (other_rules(answer), several_releases(answer)) if drawn else (None, None)
    except InfeasibleProfile as error:
        where = frequency(error.membership_prior * error.value_prior)
        infeasible = say("choose", style.voice, "infeasible", prior=where, detail=refusal_words(error))
        return ChooseView(refusal=infeasible)
    except ValueError as error:
        return ChooseView(refusal=refusal_sentence(error, "choose"))
    asked = questions(answer)
    # two values lie two changes apart, a record out and one in, so a change has half the ε
    is_halved = (inputs.asked, inputs.guarantee, inputs.terms.steps) == ("value", "pure", 2.0)
    halved = say("choose", style.voice, "halved") if is_halved else ""
    if not drawn:
        interview, one_belief = Interview(inputs.interview), inputs.secret != "both"
        begun = len(interview.points) > 1
        points = interview.points if begun else answer.points
        name = "so_far" if begun and one_belief and not interview.finished else "no_line"
        return ChooseView(
            answer=say("choose", style.voice, f"answer_{name}", left=f"{interview.left}"),
            small_print=say("choose", style.voice, "small_print_no_line", **answer.context),
            editor=Editor(points, "linear", np.empty((0, 2)), None, example=not begun) if one_belief else None,
            halved=halved,
            questions=asked if one_belief else None,
        )
    certain, sentence, stated = permitted(answer), answer.sentence, answer.stated
    nothing = "_nothing" if answer.implied.status is Status.BINDS_NOTHING else ""
    others = [] if certain is None else [certain[0]]
    if asked.held is not None:
        others += [reached for _, reached in answer.interviewed]
    budget, pages = answer.budget, []
    if budget is not None and budget.recommended_each > 0:
        pages.append(PageLink("accuracy", label("frame", "accuracy")))
    if budget is not None and inputs.guarantee != "approximate" and inputs.asked != "both":
        pages.append(PageLink("publication", label("frame", "publication")))
    pages.append(PageLink("methods", label("frame", "methods")))
    one_belief = inputs.secret != "both" and answer.implied.status is Status.BINDS
    return ChooseView(
        answer=sentence,
        small_print=say("choose", style.voice, f"small_print{nothing}", **answer.context),
        budget=budget,
        numbers=numbers_on_top(answer),
        editor=line_with_reach(answer),
        line=accepted_line(answer, sentence) if one_belief else None,
        pictures=line_pictures(answer),
        comparisons=comparisons,
        several=several,
        permitted="" if certain is None else certain[1],
        halved=halved,
        questions=asked,
        next=tuple(pages),
        computed=say("choose", "technical", f"computed{nothing}", **answer.context),
        python=answer.python,
        decided=stated,
        stated=(*stated, *others),
    )


@refusing(RelativesView, "choose", *UNCOMPUTABLE)
def choose_relatives(inputs: ChooseInputs, relatives: RelativesChoice, style: Style) -> RelativesView:
    """What the line's budget tells where relatives resemble, from the belief that decides, and what keeps the line."""
    found = resembling_on_line(inputs.line_choice, inputs.terms, relatives)
    if found is None:
        return relatives_view(None, 0.5, style)
    alike, each = found
    line = answered(inputs, style)
    place = line.implied.binding
    prior = place.prior if place is not None and 0.0 < place.prior < 1.0 else 0.5  # else it is only approached
    keeps = ("keeps_line", spending(inputs.terms, as_spent(each)))
    return relatives_view(alike, prior, style, keeps=keeps, exception=line.passed(alike.failure))
