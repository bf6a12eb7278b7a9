"""Everything that *Several releases* shows of a plan: tables in which each row brings and takes, the fan of beliefs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.composition import LARGEST_PLAN, PlanMethod, PlannedRelease, PlanRule, ReleasePlan, RhoRoute, posterior_fan
from dpcore.first_passage import FirstPassing
from dpcore.mechanisms import Curve
from dpcore.scope import Bound, Scope
from dpcore.semantics import largest_difference, posterior_upper
from riskline.answers import composed
from riskline.answers.errors import RowError
from riskline.case.fields import MAX_VALUE_LENGTH, number_text, parse_number
from riskline.case.releases import BY_RHO, HEADS, KINDS, LedgerRow, encode_ledger
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, Rows, side_by_side, single, told, written
from ui.pictures.marks import PERCENT, Axis, Band, Level, Line, Mark, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table, table_of
from ui.views.plan.accounts import GRID_POINTS, LONG_LEDGER, OF_NOISE, Accounts, PlanInputs, are_answers, no_promise
from ui.views.shared.belief_before import as_printed
from ui.views.shared.own_mechanism import between_in_python, is_long
from ui.views.shared.promise import PageAnswer, StatedBelief, refusing
from ui.words.catalogue import label, say
from ui.words.phrasing import capitalised, decimal_belief, exact_budget, how_often, limits_nothing, rounded_budget
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Exact, Lower, Upper, number, share
from ui.words.refusals import UNCOMPUTABLE


def any_rho_each(accounts: Accounts, route: RhoRoute = "direct") -> float:
    """What each of so many equal releases could spend, whatever they are: the ρ of one step."""
    return composed.rho_each(accounts.promise, accounts.released_to_any, route) / accounts.steps**2 / accounts.cells


def any_epsilon_each(accounts: Accounts, rule: str) -> float:
    """The same as an ε, by a rule; by ρ, as which a small ε counts little."""
    if rule == "direct":
        return math.sqrt(2 * any_rho_each(accounts))
    releases, promise = accounts.released_to_any, accounts.promise
    if rule == "basic":
        each = promise.epsilon_prime / releases
    else:
        each = composed.epsilon_each(promise, releases, rule, accounts.inputs.delta)
    return each / accounts.steps / accounts.cells


def own_rho_each(accounts: Accounts) -> tuple[str, str]:
    """What each of so many equal releases could spend with the ledger's own noise, and which noise that is."""
    kinds = {row.kind for row in accounts.inputs.rows if row.kind in BY_RHO}
    releases, moves = accounts.whole.releases, accounts.moves**2
    if kinds == {"discrete_gaussian"} and moves == 1:
        each = composed.certified_each(accounts.promise, releases).recommended_each
        return exact_budget(each), "discrete"
    if kinds == {"gaussian"}:
        each = composed.rho_each(accounts.promise, releases, "gaussian")
        return rounded_budget(each / moves), "gaussian"
    return rounded_budget(any_rho_each(accounts)), "any"


def budgets_table(accounts: Accounts) -> Table:
    """How much each of so many equal releases may spend under the promise."""
    chosen, total, released = accounts.inputs, accounts.whole.releases, accounts.released
    rows: list[tuple[object, ...]] = []

    def add(name: str, each: float) -> None:
        amounts = (rounded_budget(each), rounded_budget(each * released), Allowed(each, number(7)).digits)
        rows.append((say("plan", "technical", name), *amounts))

    by_epsilon = ["basic"]
    if any(row.kind not in BY_RHO for row in chosen.rows):
        by_epsilon.append("direct")
        if total <= composed.LONGEST_SEARCH and chosen.delta < chosen.failure:
            by_epsilon += ["advanced", "optimal", "free"]
    for rule in by_epsilon:
        add(f"by_epsilon.{rule}", any_epsilon_each(accounts, rule))
    if "free" in by_epsilon and accounts.exact and accounts.moves == 1:
        add("by_epsilon.exact", composed.epsilon_each(accounts.promise, total, "exact", chosen.delta))
    for route in ("published", "direct"):
        add(f"by_rho.{route}", any_rho_each(accounts, route))
    if accounts.exact:
        add("by_rho.gaussian", composed.rho_each(accounts.promise, total, "gaussian") / accounts.moves**2)
    if accounts.exact and accounts.moves == 1:
        integer = composed.certified_each(accounts.promise, total)
        recommended = exact_budget(integer.recommended_each)
        together = Upper(integer.recommended_each * released, number(6)).digits  # spent, not recommended
        largest = Allowed(integer.largest_rho, number(7)).digits
        rows.append((say("plan", "technical", "by_rho.discrete"), recommended, together, largest))
    equal = label("plan", "of_equal.one" if released == 1 else "of_equal.many", n=f"{released:,}")
    return table_of("plan", "each", rows, each=equal, whose=label("plan", "of_equal.whose") if accounts.exact else "")


def _held(accounts: Accounts, method: str) -> str:
    """What a rule's number is, and in the technical voice the theorem behind it."""
    if method == "exact":
        return label("plan", "held.close" if accounts.closely else "held.exact")
    kind = label("plan", "held.bound")
    return f"{kind} · {say('plan', 'technical', f'theorem.{method}')}" if accounts.style.technical else kind


def readers_table(accounts: Accounts) -> Table:
    """What three readers can believe after all rounds, and how long the limit is kept from each."""
    best, rows = accounts.best_bound, []
    if accounts.exact:
        always = accounts.every_view or accounts.after(best)
        for name, bound in (("once", accounts.after("exact")), ("always", always)):
            when = accounts.when("exact", some=name == "always")
            said = accounts.cell(bound, Scope.PLAN)
            rows.append((label("plan", f"readers.{name}"), said, label("plan", "readers.broken", when=when)))
    if accounts.headline == "every_view":
        after = accounts.after("every_view")
        kept = label("plan", "readers.kept", promised=accounts.promised("every_view"))
        rows.append((accounts.name_of("every_view"), accounts.cell(after), kept))
    bounds = [method for method in accounts.methods if method not in (*OF_NOISE, accounts.headline)]
    kept = accounts.promised(max([best, *bounds], key=lambda method: accounts.passings[method].given or math.inf))
    said = accounts.cell(accounts.after(best), Scope.ANY_MECHANISM)
    rows.append((label("plan", "readers.any"), said, label("plan", "readers.kept", promised=kept)))
    words = accounts.context
    heads = label("plan", "readers.who"), words["wanted"], label("plan", "readers.limit", limit=words["limit"])
    return Table(label("plan", "readers.caption", **words), heads, tuple(rows))


def totals_table(accounts: Accounts) -> Table:
    """Every rule beside the others: total epsilon, belief, first round over the limit."""
    rows, view, every = [], accounts.every_view, list(map(accounts.after, accounts.methods))
    every += [] if view is None else [view]
    for method in accounts.methods:
        name, total = accounts.name_of(method), accounts.rule(method).total(accounts.inputs.rounds)
        spent = Upper(total, number(4)).digits
        reached = accounts.cell(accounts.after(method), beside=every)
        broken = (accounts.when(method), accounts.when(method, some=True))
        rows.append((capitalised(name), spent, reached, *broken, _held(accounts, method)))
    if view is not None:
        name = label("plan", f"every_view.{'any' if view.scope is Scope.ANY_MECHANISM else 'these'}")
        held = label("plan", "held.tight" if accounts.exact or accounts.steps == 1 else "held.bound")
        rows.append((name, "", accounts.cell(view, beside=every), "", "", held))
    return table_of("plan", "totals", rows, **accounts.context)


def plan_numbers(accounts: Accounts) -> tuple[tuple[str, str, str], ...]:
    """The numbers beside the picture: what all rounds spend, and what each release could."""
    found = []
    if "direct" in accounts.methods and accounts.style.technical:
        rho = accounts.cells * accounts.ledger.rho * accounts.inputs.rounds
        found.append((accounts.say("number_rho"), f"ρ = {Upper(rho, number(4)).digits}", label("plan", "top.rho")))
    if accounts.also is not None:
        total = Upper(accounts.rule(accounts.headline).total(accounts.inputs.rounds), number(4))
        return ((label("plan", "totals.total"), total.digits, f"δ = {accounts.context['delta'].digits}"),)
    if any(row.kind in BY_RHO for row in accounts.inputs.rows):
        amount, noise = own_rho_each(accounts)
        each, letter = any_rho_each(accounts), "ρ"
    else:
        searched = ("free",) if accounts.released_to_any <= composed.LONGEST_SEARCH else ()
        each = max(any_epsilon_each(accounts, rule) for rule in ("basic", "direct", *searched))
        amount, noise, letter = rounded_budget(each), "any", "ε"
        if accounts.moves == 1 and all(composed.tells_two_ways(row.source) for row in accounts.ledger.rows):
            own = composed.epsilon_each(accounts.promise, accounts.whole.releases, "exact", accounts.inputs.delta)
            amount, noise = rounded_budget(own), "finite"
    told = label("plan", f"own_noise.{noise}")
    note = told if noise == "any" else label("plan", "top.each", noise=told, amount=rounded_budget(each))
    return (*found, (accounts.say("number_each"), f"{letter} = {amount}", note))


LENSES = {
    "day": (1, 7, 30, 91, 365),
    "week": (1, 4, 13, 52),
    "month": (1, 3, 12, 60),
    "quarter": (1, 4, 20),
    "year": (1, 5, 10),
    "round": (1, 10, 100),
    "release": (1, 10, 100),
}
"""Rounds that make the next longer units of time."""


def lens_table(accounts: Accounts) -> Table:
    """The same plan with the unit of protection made longer: person-day to person-year."""
    rows: list[tuple[list[object], list[Bound]]] = []
    for rounds in LENSES[accounts.every]:
        if rounds * accounts.plan.releases > LARGEST_PLAN:
            break
        row: list[object] = [accounts.rounds(rounds)]
        if "direct" in accounts.methods:
            row.append(Upper(accounts.cells * accounts.ledger.rho * rounds, number(4)).digits)
        found = [accounts.at(accounts.shift(accounts.best_bound_after(rounds), rounds), Scope.ANY_MECHANISM)]
        if accounts.headline in OF_NOISE:
            found.append(accounts.at(accounts.shift(accounts.headline, rounds), accounts.scope))
        rows.append((row, found))
    beside = [bound for _, found in rows for bound in found]
    told = tuple((*row, *(accounts.cell(bound, beside=beside) for bound in found)) for row, found in rows)
    columns = [label("plan", name) for name in ("longer.time", "longer.rho", "fan.any")]
    if "direct" not in accounts.methods:
        del columns[1]
    if accounts.exact:
        columns.append(label("plan", "longer.noise", **accounts.context))
    elif accounts.headline == "every_view":
        columns.append(accounts.name_of("every_view"))
    return Table(label("plan", "longer.caption", **accounts.context), tuple(columns), told)


LEVEL = 0.95


def rows_table(accounts: Accounts) -> Table:
    """Each row: the range that holds 95 of 100 errors of one number, how often, its share of a round's budget."""
    unit, costs = shares(accounts.ledger)
    rows = [
        (
            row.name or KINDS[typed.kind],
            noise_range(row.source),
            f"{row.count:,}",
            "–" if cost is None else Exact(cost, share(1)).digits,
        )
        for row, typed, cost in zip(accounts.ledger.rows, accounts.inputs.rows, costs, strict=True)
    ]
    if accounts.also is not None:
        rows = [(*row[:3], "–") for row in rows]
        rows.append((accounts.also_in_words, "–", label("plan", "also_once"), "–"))
        unit = label("plan", "shares.none")
    return table_of("plan", "rows", rows, unit=unit)


def ledger_table(accounts: Accounts) -> Table:
    """Each row with its noise and its budget too, for a page that does not show the ledger itself."""
    brought = rows_table(accounts)
    kinds = [(KINDS[typed.kind], budget_words(typed)) for typed in accounts.inputs.rows]
    if accounts.also is not None:
        kinds.append((label("explain", f"guarantee.{accounts.inputs.also}"), "–"))
    rows = tuple(
        (name, *kind, often, within, cost)
        for kind, (name, within, often, cost) in zip(kinds, brought.rows, strict=True)
    )
    what, within, often, cost = brought.columns
    return Table(brought.caption, (what, HEADS["kind"], HEADS["budget"], often, within, cost), rows)


def budget_words(row: LedgerRow) -> str:
    """The budget of one release of a row, as it was typed.

    >>> budget_words(LedgerRow("A", "approximate", "1/2", "1e-6")), budget_words(LedgerRow("B", "gaussian", "0.01"))
    ('ε = 0.5, δ = 1e-06', 'ρ = 0.01')
    """
    size = f"{'ρ' if row.kind in BY_RHO else 'ε'} = {number_text(parse_number(row.budget))}"
    return f"{size}, δ = {number_text(parse_number(row.delta or '0'))}" if row.kind == "approximate" else size


def noise_range(source: Any) -> str:
    """The range that holds at least 95 of 100 errors of one number; a guarantee alone does not say it."""
    if composed.is_local(source):
        return label("plan", "range.answers")
    if not hasattr(source, "guarantee"):
        return label("plan", "range.unknown")
    return f"± {Upper(RowError(source, LEVEL).error.half_width, number(3)).digits}"


def shares(ledger: ReleasePlan) -> tuple[str, list[float | None]]:
    """In which unit the rows of a round can be compared, in words, and each row's share in it."""
    kinds = {type(row.guarantee).__name__ for row in ledger.rows}
    if kinds == {"PureDP"}:
        costs, unit = [row.count * row.guarantee.epsilon for row in ledger.rows], "epsilon"
    elif kinds <= {"PureDP", "ZeroConcentratedDP"}:
        costs, unit = [ReleasePlan((row,)).rho for row in ledger.rows], "both" if len(kinds) > 1 else "rho"
    else:
        return label("plan", "shares.none"), [None] * len(ledger.rows)
    whole = math.fsum(costs)
    return label("plan", f"shares.{unit}"), [cost / whole for cost in costs]


def belief_fan(accounts: Accounts) -> Picture:
    """The exact belief as a fan over the rounds, bounds as dashed lines, the cap and its crossings."""
    chosen, plan = accounts.inputs, accounts.plan
    by_cap = chosen.promise == "cap"
    broken = [accounts.passings[method].given for method in accounts.methods if method in (*OF_NOISE, "direct")]
    latest = max((at for at in broken if at is not None), default=8)
    horizon = min(max(int(1.25 * chosen.rounds) + 1, int(1.12 * latest) + 1), accounts.at_most)
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
        drawn = np.interp(step, some, np.asarray(composed.reached_by_shift(shifts, chosen.prior)))
        passing = accounts.passings[method] if by_cap else never
        rule_name = accounts.name_of(method)
        alone = role == "third" or method == "every_view"
        name, aspect = (rule_name, "") if alone else (label("plan", "fan.any"), rule_name)
        line(method, name, drawn, passing, role, dash, aspect)

    if accounts.exact:
        levels = (0.05, 0.25, 0.5, 0.75, 0.95, 1 - chosen.failure)
        points = GRID_POINTS if coarse else 1 << 13
        quantiles = posterior_fan(plan, rounds=rounds, levels=levels, prior=chosen.prior, points=points)
        exact = accounts.passings["exact"] if by_cap else never
        shown = Lower(1 - chosen.failure, how_often).digits
        for place in (0, 1, 3, 4):
            called = label("plan", "fan.below", often=how_often(levels[place]))
            columns.append(Column(f"below_{place}", called, np.asarray(quantiles[:, place]), quantity=after, said=said))
        bands = [
            Band(x="round", low=f"below_{low}", high=f"below_{high}", in_legend=False) for low, high in ((0, 4), (1, 3))
        ]
        line("upper", label("plan", "fan.below", often=shown), quantiles[:, 5], exact, "fourth", "solid")
        line("half", label("plan", "fan.half"), quantiles[:, 2], never, "accent", "solid")
        by_key = {column.key: column for column in columns}
        columns[1:] = [by_key[key] for key in ("below_0", "below_1", "half", "below_3", "below_4", "upper")]
    by_rho = "direct" in accounts.methods and any(row.kind in BY_RHO for row in chosen.rows)
    by_rho = by_rho and accounts.also is None
    sharp: tuple[PlanMethod, ...] = ("direct",) if by_rho else BY_EPSILON
    best = next(method for method in sharp if method in accounts.methods)
    compared: PlanMethod = "published" if by_rho else "basic"
    bound(best, "reach", "dash")
    if accounts.style.technical and compared != best:
        bound(compared, "third", "dot")
    rows.append(side_by_side(in_rounds("here", label("plan", "fan.here"), min(chosen.rounds, horizon))))
    levels_drawn: list[Mark] = [Upright(x="here", labelled=False)]
    if by_cap:
        rows.append(side_by_side(in_beliefs("cap", label("plan", "fan.cap"), chosen.cap)))
        early = step <= EARLY * horizon
        late = not any((column.numbers[early] >= chosen.cap).any() for column in columns[1:])
        levels_drawn.append(Level(y="cap", role="accent", heavy=True, left=late))
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
BY_EPSILON: tuple[PlanMethod, ...] = ("every_view", "divergences", "optimal", "advanced", "basic")
"""Bounds that are drawn where no ρ is added up, the sharpest first."""
EARLY = 0.35  # how far the name of the limit reaches: a line that passes the limit up to there sends it to the right
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


@refusing(PlanView, "plan", *UNCOMPUTABLE)
def plan_view(inputs: PlanInputs, style: Style, own: Curve | None = None) -> PlanView:
    """The page for these choices, and for the mechanism of a file where that is released besides."""
    if contradictory := no_promise(inputs, own):
        return PlanView(refusal=contradictory)
    accounts = Accounts(*as_printed(inputs, style), own=own)
    return PlanView(
        answer=accounts.answer,
        small_print=_small_print(accounts),
        readers=readers_table(accounts),
        numbers=plan_numbers(accounts),
        pictures=(belief_fan(accounts),),
        rows=rows_table(accounts),
        totals=totals_table(accounts),
        inverse=budgets_table(accounts) if accounts.also is None else None,
        lens=lens_table(accounts),
        next=PageLink("memo", label("frame", "memo")),
        computed=say("plan", "technical", "computed", **accounts.context),
        notice=_notice(accounts),
        stated=_stated(accounts),
        python=_in_python(accounts),
    )


def _small_print(accounts: Accounts, **more: object) -> str:
    """How sure the answer is, and what else changes where only some rows are answers."""
    told = accounts.say("small_print_exact" if accounts.exact else "small_print_bound", **accounts.context | more)
    some = any(are_answers(accounts.inputs, accounts.also)) and not accounts.answers
    return f"{told} {accounts.say('answers_too')}" if some else told


def _notice(accounts: Accounts) -> str:
    """What a reader should know of a ledger that is very long."""
    said = [label("sheet", "too_long")] if len(encode_ledger(accounts.inputs.rows)) > MAX_VALUE_LENGTH else []
    if accounts.long and accounts.plan.has_exact_law:
        said.append(accounts.say("too_many", most=f"{LONG_LEDGER}"))
    if accounts.also is not None:
        said.append(accounts.say("without", **accounts.context))
        if not accounts.plan.has_worst_mechanism:
            said.append(accounts.say("no_law"))
    return " ".join(said)


def _stated(accounts: Accounts) -> tuple[StatedBelief, ...]:
    """The belief after all rounds by the best rule for any mechanism, where one guarantee says what was released."""
    chosen = accounts.inputs
    in_steps = accounts.of_rows(composed.row_of_step).times(chosen.rounds)
    source = composed.whole_step(in_steps) if accounts.also is None else None
    if source is None or chosen.promise != "cap" or accounts.best_bound not in ("published", "direct"):
        return ()
    promise = replace(accounts.whose, failure_probability=chosen.failure)
    reached = accounts.after(accounts.best_bound)
    if limits_nothing(reached.value):  # the page says that no limit is useful
        return ()
    return (StatedBelief(chosen.prior, accounts.said(reached, Scope.ANY_MECHANISM), promise, source),)


def _in_python(accounts: Accounts) -> CodeLines | None:
    """The lines for the belief, or the largest change, after all rounds."""
    code, chosen, method = CodeWriter(), accounts.inputs, accounts.headline
    rule = accounts.rule(method)
    more: dict[str, Any] = {} if rule.points is None else {"points": rule.points}
    if accounts.also is not None:
        if is_long(accounts.also):
            return None
        known = between_in_python(code, accounts.also, accounts.whose_also.steps)
        more["once"] = code.let("once", code(ReleasePlan, Source(f"[{code(PlannedRelease, known)}]")))
    rows = [code(PlannedRelease, row.source, row.count, row.name) for row in rule.plan.rows]
    plan = code.let("plan", code(ReleasePlan, Source(f"[{', '.join(rows)}]")))
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


@refusing(PlanView, "plan", *UNCOMPUTABLE)
def plan_summary(inputs: PlanInputs, style: Style) -> PlanView:
    """What another page tells of these choices: the answer and tables; nothing of more rows than it has room for."""
    if len(inputs.rows) > MOST_ROWS_TOLD:
        return PlanView()
    if contradictory := no_promise(inputs):
        return PlanView(refusal=contradictory)
    accounts = Accounts(inputs, style, SHORT_LEDGER)
    small_print = _small_print(accounts, relation=accounts.context["change"])
    readers, rows = readers_table(accounts), ledger_table(accounts)
    return PlanView(answer=accounts.answer, small_print=small_print, readers=readers, rows=rows)
