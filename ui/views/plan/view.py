"""Everything that *Several releases* shows of a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.composition import PlanMethod, PlannedRelease, PlanRule, ReleasePlan, posterior_fan
from dpcore.first_passage import FirstPassing
from dpcore.scope import Scope
from dpcore.semantics import largest_difference, posterior_upper
from riskline.answers.composed import reached_by_shift
from riskline.case.fields import MAX_VALUE_LENGTH
from riskline.case.releases import BY_RHO, encode_ledger
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, Rows, side_by_side, single, told, written
from ui.pictures.marks import PERCENT, Axis, Band, Level, Line, Mark, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.plan import tables
from ui.views.plan.accounts import GRID_POINTS, LONG_LEDGER, Accounts, PlanInputs, is_answer, no_promise, whole_step
from ui.views.shared.belief_before import as_printed
from ui.views.shared.promise import PageAnswer, StatedBelief
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, how_often, limits_nothing
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Lower, Upper, share
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence


def belief_fan(accounts: Accounts) -> Picture:
    """The exact belief as a fan over the rounds, bounds as dashed lines, the cap and its crossings."""
    chosen, plan = accounts.inputs, accounts.plan
    by_cap = chosen.promise == "cap"
    known = [at for method, at in accounts.crossings.items() if at is not None and method in ("exact", "direct")]
    horizon = min(max(int(1.25 * chosen.rounds) + 1, int(1.12 * max(known, default=8)) + 1), accounts.at_most)
    horizon = max(horizon, min(chosen.rounds, accounts.at_most))
    coarse = accounts.exact and plan.privacy_loss.certainty != "exact"
    step: NDArray[np.float64] = np.unique(np.round(np.linspace(1, horizon, 12 if coarse else 44)))
    rounds = [int(k) for k in step]
    many = label("plan", f"round.{accounts.every}", n="")
    after = label("plan", "fan.after", if_true=accounts.context["if_true"])
    said = told(Upper, decimal_belief if accounts.style.technical else share(0))
    columns = [Column("round", many, step, quantity=many, said=written(",.0f"), hover=".0f")]
    in_rounds, in_beliefs = partial(single, quantity=many), partial(single, quantity=after)
    never = FirstPassing(given=None, some=None)  # nothing passes a limit that is none of one belief
    rows: list[Rows] = []
    bands: list[Mark] = []
    lines: list[Mark] = []
    spots: list[Mark] = []

    def line(key: str, name: str, values: Any, passing: FirstPassing, role: str, dash: str, aspect: str = "") -> None:
        columns.append(Column(key, name, values, quantity=after, aspect=aspect, said=said, hover=".1%"))
        visible = np.flatnonzero(np.isfinite(values) & (values < 0.985))
        named = key in ("upper", "half") and visible.size  # bounds run too close for names of their own
        at = int(visible[int((visible.size - 1) * NAMED_AT)]) if named else None
        lines.append(Line(x="round", y=key, role=role, dash=dash, width=0.85, label=at, beside=("left", "top")))
        for which, place, symbol in (("some", passing.some, "diamond-open"), ("given", passing.given, "diamond")):
            if place is not None and not (which == "some" and passing.some == passing.given):
                words = label("plan", f"fan.{which}", name=name, place=f"{place:,}")
                passes = label("plan", "fan.passes", words=words)
                x, y = f"{key}_{which}_round", f"{key}_{which}"
                rows.append(side_by_side(in_rounds(x, passes, place), in_beliefs(y, words, chosen.cap)))
                spots.append(Spot(x=x, y=y, role=role, symbol=symbol, labelled=False))

    def bound(method: PlanMethod, role: str, dash: str) -> None:
        last = 7 if accounts.long else 15  # points of a bound, dense at the start: each adds up the whole ledger
        some = sorted({rounds[round((len(rounds) - 1) * (at / last) ** 2)] for at in range(last + 1)})
        rule = accounts.rule(method)
        shifts = np.minimum(rule.shifts(some, delta_prime=chosen.failure, direction=accounts.promise.direction), 700.0)
        reached = np.asarray(reached_by_shift(shifts, chosen.prior))
        drawn = np.interp(step, some, reached)
        passing = accounts.passings[method] if by_cap else never
        rule_name = label("plan", f"rule.{method}")
        name, aspect = (rule_name, "") if role == "third" else (label("plan", "fan.any"), rule_name)
        line(method, name, drawn, passing, role, dash, aspect)

    if accounts.exact:
        levels = (0.05, 0.25, 0.5, 0.75, 0.95, 1 - chosen.failure)
        points = GRID_POINTS if coarse else 1 << 13
        quantiles = posterior_fan(plan, rounds=rounds, levels=levels, prior=chosen.prior, points=points)
        exact = accounts.passings["exact"] if by_cap else never
        shown = Lower(1 - chosen.failure, how_often).digits
        for place in (0, 1, 3, 4):
            called = label("plan", "fan.below", often=how_often(levels[place]))
            belief = np.asarray(quantiles[:, place])
            columns.append(Column(f"below_{place}", called, belief, quantity=after, said=said))
        bands = [
            Band(x="round", low=f"below_{low}", high=f"below_{high}", in_legend=False) for low, high in ((0, 4), (1, 3))
        ]
        line("upper", label("plan", "fan.below", often=shown), quantiles[:, 5], exact, "fourth", "solid")
        line("half", label("plan", "fan.half"), quantiles[:, 2], never, "accent", "solid")
        by_key = {column.key: column for column in columns}
        columns[1:] = [by_key[key] for key in ("below_0", "below_1", "half", "below_3", "below_4", "upper")]
    by_rho = "direct" in accounts.methods and any(row.kind in BY_RHO for row in chosen.rows)
    sharp: tuple[PlanMethod, ...] = ("direct",) if by_rho else ("divergences", "optimal", "advanced", "basic")
    best = next(method for method in sharp if method in accounts.methods)
    compared: PlanMethod = "published" if by_rho else "basic"
    bound(best, "reach", "dash")
    if accounts.style.technical and compared != best:
        bound(compared, "third", "dot")
    rows.append(side_by_side(in_rounds("here", label("plan", "fan.here"), min(chosen.rounds, horizon))))
    levels_drawn: list[Mark] = [Upright(x="here", labelled=False)]
    if by_cap:
        rows.append(side_by_side(in_beliefs("cap", label("plan", "fan.cap"), chosen.cap)))
        levels_drawn.append(Level(y="cap", role="accent", heavy=True, left=True))
    diamonds = f"{accounts.say('diamonds', **accounts.context)} " if by_cap else ""
    name = "reading_fan" if accounts.exact else "reading_bounds"
    third = [at for at in range(len(rounds)) if at % 3 == 0 or at == len(rounds) - 1]
    return Picture.of(
        "plan-fan",
        (side_by_side(*columns, listed=third), *rows),
        (*bands, *lines, *spots, *levels_drawn),
        reading=accounts.say(name, **accounts.context, diamonds=diamonds),
        caption=label("plan", "fan.caption", many=many),
        x=Axis(every=1.0 if horizon <= MOST_NUMBERED else None),
        y=Axis(range=(0.0, 1.04), ticks=PERCENT),
        style=accounts.style,
        height=400,
    )


MOST_NUMBERED = 12  # rounds up to which each has its number; with more, numbers are whole by themselves
NAMED_AT = 0.6  # how far along its visible part a line carries its name


@dataclass(frozen=True, kw_only=True)
class PlanView(PageAnswer):
    """Everything the page shows; `refusal` says why the choices give no answer."""

    readers: Table | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    rows: Table | None = None
    totals: Table | None = None
    inverse: Table | None = None
    lens: Table | None = None
    next: PageLink | None = None
    notice: str = ""


def plan_view(inputs: PlanInputs, style: Style) -> PlanView:
    """The page for these choices."""
    if contradictory := no_promise(inputs):
        return PlanView(refusal=contradictory)
    try:
        accounts = Accounts(*as_printed(inputs, style))
        context = accounts.context
        totals = tables.totals_table(accounts)
    except (ValueError, *UNCOMPUTABLE) as error:
        return PlanView(refusal=refusal_sentence(error, "plan"))
    return PlanView(
        answer=accounts.answer,
        small_print=_small_print(accounts),
        readers=tables.readers_table(accounts),
        numbers=tables.plan_numbers(accounts),
        pictures=(belief_fan(accounts),),
        rows=tables.rows_table(accounts),
        totals=totals,
        inverse=tables.budgets_table(accounts),
        lens=tables.lens_table(accounts),
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
    source = whole_step(accounts.in_steps.times(chosen.rounds))
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


SHORT_LEDGER = 3  # different releases; with more, an exact number can take seconds that another page does not have
MOST_ROWS_TOLD = 20  # with more rows even the bounds can take seconds


@dataclass(frozen=True, kw_only=True)
class PlanSummary(PageAnswer):
    """The page's answer, and the rows.

    `long` is whether there are more rows than another page has time and room for; nothing is computed then.
    """

    readers: Table | None = None
    rows: Table | None = None
    long: bool = False


def plan_summary(inputs: PlanInputs, style: Style) -> PlanSummary:
    """What another page tells of these choices."""
    if len(inputs.rows) > MOST_ROWS_TOLD:
        return PlanSummary(long=True)
    if contradictory := no_promise(inputs):
        return PlanSummary(refusal=contradictory)
    try:
        accounts = Accounts(inputs, style, SHORT_LEDGER)
        context, rows = accounts.context, tables.ledger_table(accounts)
    except (ValueError, *UNCOMPUTABLE) as error:
        return PlanSummary(refusal=refusal_sentence(error, "plan"))
    small_print = _small_print(accounts, relation=context["change"])
    return PlanSummary(
        answer=accounts.answer, small_print=small_print, readers=tables.readers_table(accounts), rows=rows
    )
