"""`riskline plan FILE`: how releases add up and when a promise breaks, as *Several releases* answers."""

from __future__ import annotations

import math
from typing import Any

from dpcore.mechanisms import Curve
from dpcore.scope import Scope
from riskline.case.releases import HEADS, MOST_ROWS, row_of
from riskline.commands import Command, File, refuse, rows_of_csv
from riskline.commands.own_mechanism import FILE
from riskline.output import Answer, Said
from ui.link.mechanism_file import holds_mechanism
from ui.pictures.style import Style
from ui.views.plan import FIELDS, PlanInputs, beginning, plan_view
from ui.views.plan.accounts import Accounts
from ui.words.quantities import Exact, Failure, Upper, number, whole


def answer(inputs: PlanInputs, style: Style, own: Curve | None = None) -> Answer:
    """The belief after all rounds, the first one that breaks the promise, and every rule beside the others."""
    view = plan_view(inputs, style, own)
    refuse(view.refusal)
    tables = (view.totals, view.rows, view.inverse, view.readers, view.lens)
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=_quantities(Accounts(inputs, style, own=own)),
        cards=view.numbers,
        tables=tuple(table for table in tables if table is not None),
        notes=(view.notice,) if view.notice else (),
        lines=view.python,
    )


def _quantities(accounts: Accounts) -> dict[str, Said]:
    chosen, rule = accounts.inputs, accounts.headline
    passing, shift = accounts.passings[rule], accounts.largest_shift(rule)
    told = "largest_change" if chosen.promise == "difference" else "posterior"
    total = accounts.rule(rule).total(chosen.rounds)
    return {
        f"{told}_after_all_rounds": accounts.context["belief"],
        f"{told}_by_any_mechanism": accounts.said(accounts.after(accounts.best_bound), Scope.ANY_MECHANISM),
        "shift_of_log_odds": Upper(shift, number(5)),
        "total_epsilon": Upper(total, number(4)),
        "first_round_over": _round(passing.given),
        "first_round_over_reading_every_round": _round(passing.some),
        "rounds_looked_at": Exact(accounts.at_most, whole),
        "releases": Exact(accounts.released, whole),
        "failure_probability": Failure(chosen.failure, number(3)),
    }


def _round(crossing: int | None) -> Exact:
    return Exact(math.inf if crossing is None else crossing, whole)


def _take(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows of a file, or the mechanism that it holds, which is released besides."""
    if holds_mechanism(content, HEADS.values()):
        choices, beside = FILE.take(content)
        return {"also": choices.pop("guarantee")} | choices, beside
    return {"rows": rows_of_csv(content, HEADS, MOST_ROWS, row_of)}, {}


COMMAND = Command(
    stem="plan",
    fields=FIELDS,
    inputs=PlanInputs,
    answer=answer,
    examples=(
        "plan --rounds 58 --cap 0.99",
        "plan --link 'plan?rows=d~0.01~12~~Monthly!n~0.3~1~~Survey&every=year&rounds=3' --cap 90%",
        "plan --promise difference --difference 0.2 --json",
    ),
    file=File(
        f"A CSV file: the page's rows under a header line, with the columns {', '.join(HEADS.values())}; "
        "or a mechanism known by its curve, which is released once beside the rows of the link or of the page.",
        _take,
        holds_budget=True,
    ),
    of_case=beginning,
    needs="rows",
)
