"""Everything that *Several releases* shows of a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace

from riskline.case.fields import MAX_VALUE_LENGTH
from riskline.case.releases import encode_ledger
from ui.link.page_link import PageLink
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.plan.accounts import LONG_LEDGER, Accounts
from ui.views.plan.budgets import budgets_table
from ui.views.plan.choices import PlanInputs
from ui.views.plan.examples import adding_facts, adding_table, eight_facts, eight_table, figure_table, seven_table
from ui.views.plan.in_python import in_python
from ui.views.plan.picture import belief_fan
from ui.views.plan.promise import no_promise, steps_of, whole_step
from ui.views.plan.rows import rows_table
from ui.views.plan.tables import lens_table, observers_table, plan_numbers, totals_table
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import say
from ui.words.failures import BEYOND_NUMBERS, UNCOMPUTABLE
from ui.words.phrasing import frequency
from ui.words.python_lines import CodeLines
from ui.words.quantities import Upper
from ui.words.refusals import refusal_sentence


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
    voice = style.voice
    name = ("difference" if inputs.promise == "difference" else "cap") + ("" if accounts.exact else "_bound")
    return PlanView(
        answer=say("plan", voice, f"answer_{name}", **context),
        small_print=say("plan", voice, "small_print_exact" if accounts.exact else "small_print_bound", **context),
        numbers=plan_numbers(accounts),
        pictures=(belief_fan(accounts),),
        rows=rows_table(accounts),
        totals=totals,
        observers=observers,
        observers_reading=say("plan", voice, "observers" if accounts.exact else "observers_bound", **context),
        inverse=budgets_table(accounts),
        lens=lens_table(accounts),
        lens_reading=say("plan", voice, "lens", **context),
        lessons=(
            (say("plan", voice, "title_adding"), say("plan", voice, "adding", **adding_facts()), adding_table()),
            (say("plan", voice, "title_seven"), say("plan", voice, "seven"), seven_table()),
            (say("plan", voice, "title_eight"), say("plan", voice, "eight", **eight_facts()), eight_table()),
            (say("plan", voice, "title_figure"), say("plan", voice, "figure"), figure_table()),
        ),
        next=PageLink("memo", say("plan", voice, "next")),
        computed=say("plan", voice, "computed", **context),
        notice=_notice(accounts),
        stated=_stated(accounts),
        python=in_python(accounts),
    )


def _notice(accounts: Accounts) -> str:
    """What a reader should know of a ledger that is very long."""
    voice = accounts.style.voice
    said = [say("plan", voice, "too_long")] if len(encode_ledger(accounts.inputs.rows)) > MAX_VALUE_LENGTH else []
    if accounts.long and accounts.plan.has_exact_law:
        said.append(say("plan", voice, "too_many", most=f"{LONG_LEDGER}"))
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
