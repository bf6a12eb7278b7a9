"""The case in one line, as every page says it under its title: subject, secret, whose, what is released, budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from dpcore.rounding import round_up
from riskline.answers import CaseBudget, Source, Spent, Standing, releases_of, standing
from riskline.case.choices import ANYTHING, UNDECIDED
from riskline.case.decision import Currency
from riskline.case.fields import Field
from riskline.case.value import Case, State
from ui.pictures.style import Style
from ui.views.shared.promise import called, promise_words
from ui.views.shared.table_choice import kind_of_data, method_named
from ui.words.catalogue import label, passages, say
from ui.words.phrasing import exact_budget
from ui.words.quantities import Upper, number

OF_ANOTHER = {"publication": "tables", "plan": "rows", "positions": ""}
"""The part of the case that a page shows, and an example's while the case has none; positions are the page's own."""

SHOWN_ALIKE = {"play": "block", "rebuild": "block", "add_up": "exact_totals"}
"""Pages whose example is of the same kind as that of another page."""


DELTA_DIGITS = 3
"""Significant digits of the δ that a page begins with: a share of the case's, rounded up as it is printed."""


@dataclass(frozen=True)
class Strip:
    """One line about a case: its parts from subject to budget, what is to be noticed, and both ends alone."""

    parts: tuple[str, ...]
    marks: tuple[str, ...]
    short: tuple[str, ...]
    state: State

    @property
    def text(self) -> str:
        """The whole line."""
        return " · ".join((*self.parts, *self.marks))


def budget_words(value: float, currency: str) -> str:
    """A budget with its letter: it is typed, decided or recommended, so none of its digits is dropped.

    >>> budget_words(1.29, "epsilon"), budget_words(0.14, "rho")
    ('ε = 1.29', 'ρ = 0.14')
    """
    return f"{'ρ' if currency == 'rho' else 'ε'} = {exact_budget(value)}"


def budget_each(value: float, currency: str, releases: int, delta: object = "") -> str:
    """The same with its δ, and of how many releases it is for each.

    >>> budget_each(1.29, "epsilon", 1), budget_each(0.14, "rho", 12)
    ('ε = 1.29', 'ρ = 0.14 for each of 12 releases')
    """
    words = budget_words(value, currency) + (f", δ = {delta}" if delta else "")
    return words if releases == 1 else label("choose", "for_each", budget=words, releases=f"{releases:,}")


def strip_of(
    case: Case,
    voice: str,
    *,
    trial: CaseBudget | None = None,
    claimed: bool = False,
    page: str = "",
    as_begun: bool = True,
    chosen: Mapping[str, Any] = MappingProxyType({}),
) -> Strip:
    """The line about a case, on a page.

    `claimed` is whether its decision came with a link and was not made here; `as_begun`, whether the page's own choices
    of several parties are still those that it begins with; `chosen`, all its choices. An example's budget is left out
    where the page shows an example of its own: nothing there follows from it.
    """
    passage = partial(say, "case", voice)
    found = standing(case)
    unnamed = "title_example" if case.is_example else "title_unnamed"
    title = case["title"] or case["released"]
    subject = passage("title", title=title) if title else passage(unnamed)
    budget = _budget(case, found, voice)
    part = OF_ANOTHER.get(page)
    as_example = part is not None and (part not in case if part else as_begun)
    shown = "untouched" if as_example and page == "plan" else f"shown_{SHOWN_ALIKE.get(page, page)}"
    if chosen.get("data") == "own" and shown not in passages("case", voice):
        shown = "shown_own"
    has_its_own = shown in passages("case", voice)
    here = passage(shown, kind=kind_of_data(chosen)) if has_its_own else ""
    of_example = case.is_example and has_its_own
    marks, short = list(_marks(case, voice, claimed)), passage("short_undecided")
    if found.budget is not None and (planned := planned_beside(Spent(case, found.budget), voice)):
        marks.append(planned)
    if of_example:
        short = here
    elif found.budget is not None and found.state in (State.DECIDED, State.PUBLISHED, State.EXAMPLE):
        short = budget_each(found.budget.value, found.budget.currency, releases_of(case))
    if trial is not None:
        short = passage("trying", trial=budget_words(trial.value, trial.currency))
        marks.append(short)
    if has_its_own:
        marks.append(here)
    secret = chosen.get("secret", case["secret"])  # that of an undecided case may begin otherwise
    of_page = case if secret == case["secret"] else case.with_choices(secret=secret)
    asked = chosen.get("asked", of_page.asked)  # a page may ask about a secret of its own
    secret_and_whose = _secret(of_page if asked == of_page.asked else Case(secret=asked), voice)
    if as_example and not case.is_example and not has_its_own:
        marks.append(passage("untouched"))
    return Strip(
        parts=(subject, *secret_and_whose, release_words(case, voice), *(() if of_example else (budget,))),
        marks=tuple(marks),
        short=(subject, short),
        state=found.state,
    )


def planned_beside(found: Spent, voice: str, stress: str = "") -> str:
    """That the releases which a case plans spend more than its budget or cannot be compared with it; else nothing.

    stress : what stands on both sides of the number
    """
    if found.plans_more and found.planned is not None:
        planned = f"{'ρ' if found.by_rho else 'ε'} = {Upper(found.planned, number(4)).digits}"
        return say("case", voice, "planned_more", planned=f"{stress}{planned}{stress}")
    return say("case", voice, "planned_otherwise") if found.plans_otherwise else ""


def decided_when(case: Case, voice: str) -> str:
    """For which case a decision was that is none for this one: one before it changed, or nobody said.

    >>> case = Case(ratio=2.0).decided(value=0.5, currency="epsilon").with_choices(ratio=3.0)
    >>> decided_when(case, "plain")
    'before the case changed'
    """
    unsaid = case.decision is None or not case.decision.digest
    return say("case", voice, "when_unsaid" if unsaid else "when_changed")


def one_release(releases: int, voice: str) -> str:
    """That what a page tells of a budget is about one of several releases; nothing where there is one.

    >>> one_release(4, "plain"), one_release(1, "plain")
    (' One of 4 releases; all together can tell more.', '')
    """
    return "" if releases == 1 else " " + say("case", voice, "one_release", releases=f"{releases:,}")


def _secret(case: Case, voice: str) -> tuple[str, str]:
    """What must stay secret, and whose secret it is."""
    try:
        words = promise_words(case.promise, voice, joint=case.asked == "both")
    except ValueError:  # the choices contradict each other, and the page says so
        words = promise_words(Case().promise, voice)
    hidden, one = case["hidden"], called(case["one"])
    passage, alone = partial(say, "case", voice), bool(one) and case["unit"] == "person"
    secret = passage("secret_own", hidden=hidden) if hidden else passage("secret_neutral", secret=words["secret"])
    return secret, passage("whose_own", one=one) if alone else passage("whose_neutral", **words)


def release_words(case: Case, voice: str) -> str:
    """What kind of release a case describes, with its noise."""
    kind = case["release"]
    numbers = {
        "areas": case["areas"],
        "tables": sum(not row.is_blank for row in case["tables"]),
        "rows": len(case["rows"]),
        "rounds": case["rounds"],
    }
    counted = {name: f"{number:,}" for name, number in numbers.items()}
    uncounted = "_uncounted" if kind == "table" and case["areas"] == 1 else ""
    words = say("case", voice, f"release_{kind}{uncounted}", **counted)
    if case.exact_totals:
        words = say("case", voice, "release_exact", words=words)
    if kind == ANYTHING or kind == "coins" or "noise" not in case:
        return words
    noise = say("case", voice, f"noise_{case['noise']}")
    return f"{words}, {noise}"


def _budget(case: Case, found: Standing, voice: str) -> str:
    if found.budget is None:
        none = "no_limit" if found.unlimited else "contradictory" if found.contradictory else "no_budget"
        return say("case", voice, "no_line" if case.line is None else none)
    told = {name: getattr(case.decision, name, "") for name in ("by", "date")}
    words = {name: f" {say('case', voice, name, **told)}" if text else "" for name, text in told.items()}
    words["budget"] = budget_each(found.budget.value, found.budget.currency, releases_of(case))
    words["publisher"], name = case["published"], found.state.value
    words["when"] = decided_when(case, voice)
    if found.state is State.DECIDED and found.implied is not None:
        name, words["implied"] = "decided_otherwise", exact_budget(found.implied)
    return say("case", voice, name, **words)


def _marks(case: Case, voice: str, claimed: bool) -> Iterator[str]:
    today = case["method_today"]
    if today is not None:
        yield say("case", voice, "method_today", method=method_named(today.method, today, Style(voice=voice)))
    if claimed and case.decision is not None and not case["published"]:
        yield say("case", voice, "claimed")
    may_move = case.asked != "presence" or case["relation"] == "replace"  # else a record is only added or removed
    if case["areas"] > 1 and case["moves"] == UNDECIDED and may_move:
        yield say("case", voice, "moves_undecided")


def beginning_with_case(fields: Sequence[Field], case: Case) -> tuple[Field, ...]:
    """A page's choices, whose budget is that of the case while nobody types another.

    >>> begins = beginning_with_case([Field("epsilon", "Budget ε", "number", 1.0, low=0)], Case(ratio=2.0))
    >>> begins[0].default == standing(Case(ratio=2.0)).budget.value
    True
    """
    budget = None if case.is_example else standing(case).budget
    if budget is None:
        return tuple(fields)
    rho, delta = budget.currency == "rho", budget.delta
    begins: dict[str, Any] = {budget.currency: budget.value}
    begins["guarantee"] = "zero_concentrated" if rho else "approximate" if delta else "pure"
    begins["noise"] = ("gaussian" if case["route"] == "gaussian" else "discrete_gaussian") if rho else "geometric"
    if delta:
        begins["delta"] = round_up(delta, DELTA_DIGITS, significant=True)
    chosen = {field.name for field in fields if field.of_case} - ({"noise"} if "noise" not in case else set())
    return beginning_with(fields, {name: value for name, value in begins.items() if name not in chosen})


def beginning_with(fields: Iterable[Field], begins: Mapping[str, Any]) -> tuple[Field, ...]:
    """A page's choices, of which those begin with these values that can take them."""

    def takes(field: Field) -> bool:
        value = begins.get(field.name)
        if field.kind == "choice":
            return value in field.options
        return value is not None and field.low <= value <= field.high

    return tuple(replace(field, default=begins[field.name]) if takes(field) else field for field in fields)


def tried(value: float, currency: Currency, case: Case, *, delta: float = 0.0) -> CaseBudget | None:
    """The budget that a page tries, where it is not the case's own; None where it is."""
    held, budget = standing(case).budget, CaseBudget(value, currency, Source.TRIED, delta)
    return None if held is not None and (held.value, held.currency) == (budget.value, budget.currency) else budget


def only_epsilon(case: Case, voice: str) -> str:
    """That a page's results are about noise of an ε, for a case whose budget is a ρ; nothing for another.

    >>> bool(only_epsilon(Case(), "plain")), bool(only_epsilon(Case().decided(value=0.1, currency="rho"), "plain"))
    (False, True)
    """
    budget = None if case.is_example else standing(case).budget
    return say("case", voice, "only_epsilon") if budget is not None and budget.currency == "rho" else ""
