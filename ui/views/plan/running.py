"""Budgets as you go: what of a total each release was granted, what is left, and what a worst reader could do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpcore.filters import BudgetFilter
from riskline.answers.running import BY_ANSWER, WORST_BUDGET, WORST_EPSILONS, Running, passed_by_answer, worst_readers
from riskline.case.releases import HEADS
from riskline.case.spending import SUMS, WITH_DELTA, Spending
from ui.pictures.columns import Column, digits, side_by_side, told
from ui.pictures.marks import Axis, Line, Mark
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.promise import PageAnswer
from ui.words.catalogue import SPOKEN, label, say
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Exact, Upper, number

word, expert = partial(label, "plan"), partial(say, "plan", "technical")
SYMBOLS = {"epsilon": "ε", "rho": "ρ", "approximate": "ε", "squares": "ε", "mu": "μ"}
PLACES = 10
"""Digits of what was typed."""
CURVE = "curve"
"""What somebody may want to sum that is no total."""


@dataclass(frozen=True, kw_only=True)
class RunningView(PageAnswer):
    """What the fold shows."""

    steps: Table | None = None
    picture: Picture | None = None


def sums_words() -> dict[str, str]:
    """What can be summed, by its code; and what cannot, which is then refused with the reason."""
    known = {"epsilon": "pure", "rho": "zero_concentrated", "approximate": "approximate"}
    words = {sums: label("explain", f"guarantee.{name}") for sums, name in known.items()}
    return words | {sums: expert(f"sums.{sums}") for sums in (*SUMS, CURVE) if sums not in words}


def running_view(spending: Spending | None, style: Style, curve: bool = False) -> RunningView:
    """What is granted and left of the total; without one, what a worst reader gets; of curves, why they are none."""
    found = passed_by_answer()
    fixed = Upper(max(found.always_gaussian, found.always_response), number(4))
    told = {"at": plain_number(BY_ANSWER["epsilon"], 2), "by_answer": Exact(found.by_answer, number(4)), "fixed": fixed}
    no_total, picture = expert("spent_curve", **told), reader_picture(style)
    if spending is None:
        return RunningView(refusal=no_total if curve else None, small_print="" if curve else no_total, picture=picture)
    running = Running(spending)
    return RunningView(
        answer=say("plan", style.voice, "spent_answer", left=left_words(spending, running.left)),
        small_print=no_total,
        steps=steps_table(running),
        picture=picture,
        python=_in_python(running),
    )


def budget_words(spending: Spending, budget: float, delta: float) -> str:
    """A budget that was typed, with its δ."""
    said = f"{SYMBOLS[spending.sums]} = {plain_number(budget, PLACES)}"
    return f"{said}, δ = {plain_number(delta, PLACES)}" if delta else said


def left_words(spending: Spending, left: tuple[float, float]) -> str:
    """What the next release may spend, rounded down."""
    budget, delta = (Allowed(each, number(PLACES)).digits for each in left)
    said = f"{SYMBOLS[spending.sums]} = {budget}"
    return f"{said}, δ = {delta}" if spending.sums in WITH_DELTA else said


def steps_table(running: Running) -> Table:
    """Every release that was asked for: to whom it was promised, whether it was granted, and what was then left."""
    spending, rows = running.spending, list[tuple[object, ...]]()
    for place, step in enumerate(running.steps, 1):
        asked, left = budget_words(spending, step.budget, step.delta), left_words(spending, step.left)
        answer = word("spent_granted") if step.granted else word("spent_refused", asked=asked, left=left)
        name = step.asked.name or f"{place}"
        rows.append((name, step.asked.whom, asked, answer, left_words(spending, step.left_after)))
    heads = (HEADS["name"], word("spent_whom"), HEADS["budget"], word("spent_answer"), word("spent_left"))
    return Table(budget_words(spending, *spending.whole), heads, tuple(rows))


def reader_picture(style: Style) -> Picture:
    """The worst reader of a small tree: choosing by answers, by the best fixed plan, and what the total promises."""
    readers, chance = worst_readers(), expert("reader.chance")
    columns = [Column("at", expert("reader.at"), np.array([at for at, _ in readers]), said=digits(3))]
    marks: list[Mark] = []
    for name, (role, dash) in DRAWN.items():
        values = np.array([getattr(one, name) for _, one in readers])
        said = told(Upper, number(3))
        columns.append(Column(name, expert(f"reader.{name}"), values, quantity=chance, said=said, hover=".3f"))
        marks.append(Line(x="at", y=name, role=role, dash=dash))
    epsilons = SPOKEN.listed([plain_number(one, 2) for one in WORST_EPSILONS], "or")
    return Picture.of(
        "plan-reader",
        (side_by_side(*columns, listed=range(0, len(readers), 2)),),
        tuple(marks),
        reading=expert("reader.reading", epsilons=f"ε = {epsilons}", budget=plain_number(WORST_BUDGET, 2)),
        caption=word("fold.spent"),
        x=Axis(range=(0.0, 1.2)),
        y=Axis(range=(0.0, 0.7)),
        style=style,
        height=320,
    )


DRAWN = {"promised": ("reach", "dash"), "adaptive": ("accent", "solid"), "fixed": ("third", "dot")}
"""How each curve is drawn."""


def _in_python(running: Running) -> CodeLines:
    """The lines for what is left; of squares, of the ρ of which each ε takes ε tanh(ε/2)."""
    code, now = CodeWriter(), running.now
    more: dict[str, Any] = {} if now.delta_prime is None else {"delta_prime": now.delta_prime}
    whole = code.let("whole", code(BudgetFilter, now.guarantee, asked=list(now.asked), **more))
    name, left = next(iter(now.left.items()))
    found = Source(f"{whole}.left[{name!r}]")
    if name == "mu_squared":
        found, left = code(np.sqrt, found), running.left[0]
    return code.ending(found, Allowed(left, number(PLACES)))
