"""Everything that *Several releases* shows of a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpcore.composition import PlannedRelease, PlanRule, ReleasePlan
from dpcore.scope import Scope
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
from ui.views.plan.picture import belief_fan
from ui.views.plan.promise import is_answer, no_promise, steps_of, whole_step
from ui.views.plan.tables import ledger_table, lens_table, plan_numbers, readers_table, rows_table, totals_table
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import label, say
from ui.words.phrasing import limits_nothing
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence


@dataclass(frozen=True)
class PlanView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str = ""
    small_print: str = ""
    readers: Table | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    rows: Table | None = None
    totals: Table | None = None
    inverse: Table | None = None
    lens: Table | None = None
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
    except (ValueError, *UNCOMPUTABLE) as error:
        return PlanView(refusal=refusal_sentence(error, "plan"))
    return PlanView(
        answer=accounts.answer,
        small_print=_small_print(accounts),
        readers=readers_table(accounts),
        numbers=plan_numbers(accounts),
        pictures=(belief_fan(accounts),),
        rows=rows_table(accounts),
        totals=totals,
        inverse=budgets_table(accounts),
        lens=lens_table(accounts),
        next=PageLink("memo", label("frame", "memo")),
        computed=say("plan", "technical", "computed", **context),
        notice=_notice(accounts),
        stated=_stated(accounts),
        python=_in_python(accounts),
    )


def _small_print(accounts: Accounts, **more: object) -> str:
    """How sure the answer is, and what else changes where only some rows are answers."""
    told = accounts.say("small_print_exact" if accounts.exact else "small_print_bound", **accounts.context | more)
    some = any(is_answer(row.kind) for row in accounts.inputs.rows) and not accounts.answers
    return f"{told} {accounts.say('answers_too')}" if some else told


def _notice(accounts: Accounts) -> str:
    """What a reader should know of a ledger that is very long."""
    said = [label("sheet", "too_long")] if len(encode_ledger(accounts.inputs.rows)) > MAX_VALUE_LENGTH else []
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
    reached = accounts.after(accounts.best_bound)
    if limits_nothing(reached.value):  # the page says that no limit is useful
        return ()
    return (StatedBelief(chosen.prior, accounts.said(reached, Scope.ANY_MECHANISM), promise, source),)


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
    said = accounts.said(accounts.after(method), accounts.scope)
    if chosen.promise == "difference":
        return code.ending(code(largest_difference, epsilon=shift), said)
    return code.ending(code(posterior_upper, prior=chosen.prior, epsilon=shift), said)


SHORT_LEDGER = 3  # different releases: every exact number of more can take seconds, which another page has not got
MOST_ROWS_TOLD = 20  # of more rows even the bounds can take seconds


@dataclass(frozen=True)
class PlanSummary:
    """The page's answer and small print, and the rows.

    Parameters
    ----------
    refusal : why the choices give no answer
    long : whether there are more rows than another page has time and room for; nothing is computed then
    """

    answer: str = ""
    readers: Table | None = None
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
    except (ValueError, *UNCOMPUTABLE) as error:
        return PlanSummary(refusal=refusal_sentence(error, "plan"))
    return PlanSummary(
        accounts.answer, readers_table(accounts), rows, _small_print(accounts, relation=context["change"])
    )
