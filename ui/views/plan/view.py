"""Everything that *Several releases* shows of a plan."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dpcore.composition import PlannedRelease, PlanRule, ReleasePlan
from dpcore.semantics import largest_difference, posterior_upper
from riskline.case.fields import MAX_VALUE_LENGTH
from riskline.case.releases import encode_ledger
from ui.link.page_table import PageLink
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.plan.accounts import LONG_LEDGER, Accounts
from ui.views.plan.budgets import budgets_table
from ui.views.plan.choices import PlanInputs
from ui.views.plan.examples import adding_facts, adding_table, eight_facts, eight_table, figure_table, seven_table
from ui.views.plan.picture import belief_fan
from ui.views.plan.promise import no_promise, steps_of, whole_step
from ui.views.plan.tables import ledger_table, lens_table, observers_table, plan_numbers, rows_table, totals_table
from ui.views.shared.promise import StatedBelief
from ui.words.phrasing import frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Upper
from ui.words.refusals import BEYOND_NUMBERS, UNCOMPUTABLE, refusal_sentence


@dataclass(frozen=True)
class PlanView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str = ""
    small_print: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    rows: Table | None = None
    totals: Table | None = None
    observers: Table | None = None
    observers_reading: str = ""
    inverse: Table | None = None
    lens: Table | None = None
    lens_reading: str = ""
    lessons: tuple[tuple[str, str, Table], ...] = ()
    next: PageLink | None = None
    computed: str = ""
    notice: str = ""
    stated: tuple[StatedBelief, ...] = ()
    python: CodeLines | None = None
    refusal: str | None = None


def plan_view(inputs: PlanInputs, style: Style) -> PlanView:
    """The page for these choices."""
    if contradictory := no_promise(inputs):
        return PlanView(refusal=contradictory)
    try:
        accounts = Accounts(inputs, style)
        context = accounts.context
        totals = totals_table(accounts)
        observers = observers_table(accounts)
    except ValueError as error:
        return PlanView(refusal=refusal_sentence(error, "plan"))
    except UNCOMPUTABLE:
        return PlanView(refusal=BEYOND_NUMBERS)
    name = ("difference" if inputs.promise == "difference" else "cap") + ("" if accounts.exact else "_bound")
    return PlanView(
        answer=accounts.say(f"answer_{name}", **context),
        small_print=accounts.say("small_print_exact" if accounts.exact else "small_print_bound", **context),
        numbers=plan_numbers(accounts),
        pictures=(belief_fan(accounts),),
        rows=rows_table(accounts),
        totals=totals,
        observers=observers,
        observers_reading=accounts.say("observers" if accounts.exact else "observers_bound", **context),
        inverse=budgets_table(accounts),
        lens=lens_table(accounts),
        lens_reading=accounts.say("lens", **context),
        lessons=tuple(
            (accounts.say(f"title_{name}"), accounts.say(name, **facts), table)
            for name, facts, table in (
                ("adding", adding_facts(), adding_table()),
                ("seven", {}, seven_table()),
                ("eight", eight_facts(), eight_table()),
                ("figure", {}, figure_table()),
            )
        ),
        next=PageLink("memo", accounts.say("next")),
        computed=accounts.say("computed", **context),
        notice=_notice(accounts),
        stated=_stated(accounts),
        python=_in_python(accounts),
    )


def _notice(accounts: Accounts) -> str:
    """What a reader should know of a ledger that is very long."""
    said = [accounts.say("too_long")] if len(encode_ledger(accounts.inputs.rows)) > MAX_VALUE_LENGTH else []
    if accounts.long and accounts.plan.has_exact_law:
        said.append(accounts.say("too_many", most=f"{LONG_LEDGER}"))
    return " ".join(said)


def _stated(accounts: Accounts) -> tuple[StatedBelief, ...]:
    """The belief after all rounds by the best rule for any mechanism, where one guarantee says what was released."""
    chosen = accounts.inputs
    source = whole_step(steps_of(accounts.ledger, accounts.whose, chosen.released).times(chosen.rounds))
    if source is None or chosen.promise != "cap" or accounts.best_bound not in ("published", "direct"):
        return ()
    promise = replace(accounts.whose, failure_probability=chosen.failure)
    said = Upper(accounts.belief(accounts.shifts[accounts.best_bound]), frequency)
    return (StatedBelief(chosen.prior, said, promise, source),)


def _in_python(accounts: Accounts) -> CodeLines:
    """The lines for the belief, or the largest change, after all rounds."""
    code, chosen, method = CodeWriter(), accounts.inputs, accounts.headline
    rule = accounts.rule(method)
    rows = [code(PlannedRelease, row.source, row.count, row.name) for row in rule.plan.rows]
    plan = code.let("plan", code(ReleasePlan, Source(f"[{', '.join(rows)}]")))
    more = {} if rule.points is None else {"points": rule.points}
    told_rule = code.let("rule", code(PlanRule, plan, method, total_delta=chosen.delta, **more))
    told = f"{chosen.rounds}, delta_prime={chosen.failure!r}, direction={accounts.promise.direction!r}"
    grid = f" + {plan}.times({chosen.rounds}).privacy_loss.resolution" if method == "exact" and accounts.closely else ""
    shift = code.let("shift", Source(f"{told_rule}.shift({told}){grid}"))
    said = accounts.said(accounts.belief(accounts.largest_shift(method)))
    if chosen.promise == "difference":
        return code.ending(code(largest_difference, epsilon=shift), said)
    return code.ending(code(posterior_upper, prior=chosen.prior, epsilon=shift), said)


SHORT_LEDGER = 3  # different releases: every exact number of more can take seconds, which another page has not got
MOST_ROWS_TOLD = 20  # of more rows even the bounds can take seconds


@dataclass(frozen=True)
class PlanSummary:
    """The rows, the words and numbers of the answer, and which answer it is.

    Parameters
    ----------
    kind : 'cap' or 'difference', with '_bound' behind it where no exact law says when the promise breaks
    refusal : why the choices give no answer
    long : whether there are more rows than another page has time and room for; nothing is computed then
    """

    kind: str = ""
    context: dict[str, Any] = field(default_factory=dict)
    rows: Table | None = None
    small_print: str = ""
    refusal: str = ""
    long: bool = False


def plan_summary(inputs: PlanInputs, style: Style) -> PlanSummary:
    """What another page tells of these choices."""
    if len(inputs.rows) > MOST_ROWS_TOLD:
        return PlanSummary(long=True)
    if contradictory := no_promise(inputs):
        return PlanSummary(refusal=contradictory)
    try:
        accounts = Accounts(inputs, style, SHORT_LEDGER)
        context, rows = accounts.context, ledger_table(accounts)
    except ValueError as error:
        return PlanSummary(refusal=refusal_sentence(error, "plan"))
    except UNCOMPUTABLE:
        return PlanSummary(refusal=BEYOND_NUMBERS)
    law = "exact" if accounts.exact else "bound"
    return PlanSummary(
        kind=inputs.promise + ("" if accounts.exact else "_bound"),
        context=context,
        rows=rows,
        small_print=accounts.say(f"small_print_{law}", **context),
    )
