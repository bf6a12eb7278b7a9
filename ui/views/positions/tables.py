"""Positions in rows: the budgets, and what each concession from one to the next buys and costs."""

from __future__ import annotations

import math
from itertools import pairwise

from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.positions.choices import PositionsInputs
from ui.views.positions.standing import Standing, belief_words, binding_at, half_width_words, place_words, spend_words
from ui.words.phrasing import frequency, plain_number, times
from ui.words.quantities import Upper

RARE = 1e-9  # a prior that stands for "nearly 0"


def numbers_on_top(standing: Standing, style: Style) -> tuple[tuple[str, str, str], ...]:
    """The edited position's budget, and what it brings to a count."""
    decided = (
        f"decided at a belief of {place_words(standing, style)}" if standing.implied.binding else "no belief decides"
    )
    found = [("This position", spend_words(standing), decided)]
    if standing.error is not None:
        found += [
            ("Typical error of a count", plain_number(standing.error.root_mean_square, 3), "standard deviation; exact"),
            ("At least 95 times in 100 within", half_width_words(standing), "of the true count"),
        ]
    if standing.wrong_side is not None:
        found.append(("Wrong side of the target", frequency(standing.wrong_side), "published counts; exact"))
    return tuple(found)


def budgets_table(
    standings: tuple[Standing, ...], inputs: PositionsInputs, context: dict[str, str], style: Style
) -> Table:
    """Every position with its budget and what it brings to a count."""
    rows = []
    for each in standings:
        error = each.error
        rows.append(
            (
                each.name,
                spend_words(each),
                place_words(each, style),
                "–" if error is None else plain_number(error.root_mean_square, 3),
                half_width_words(each),
                "–" if each.wrong_side is None else belief_words(style)(each.wrong_side),
            )
        )
    truth = "on it" if context["off"] == "0" else f"{context['off']} above it"
    caption = (
        f"Budgets rounded down; geometric noise on one count; target: at most {context['target']} per 1,000 of "
        f"{context['total']}, the truth {truth}"
    )
    return Table(
        caption,
        (
            "position",
            "budget",
            "decided at",
            "standard deviation",
            "at least 95 times in 100 within",
            "wrong side of the target",
        ),
        tuple(rows),
    )


def concessions_table(standings: tuple[Standing, ...], style: Style) -> Table:
    """From each budget to the next larger one: what it buys, and what it costs the one who moves."""
    ordered = sorted(standings, key=lambda each: each.implied.epsilon)
    belief, rows = belief_words(style), []
    steps = list(pairwise(ordered))
    if len(ordered) > 2:
        steps.append((ordered[0], ordered[-1]))
    for giving, taking in steps:
        if taking.epsilon == giving.epsilon:
            continue
        gained = taking.epsilon - giving.epsilon
        bought = ["–", "–"]
        if giving.error is not None and taking.error is not None:
            less = giving.error.root_mean_square - taking.error.root_mean_square
            bought[0] = f"{plain_number(less, 3)} less ({half_width_words(giving)} → {half_width_words(taking)})"
        if giving.wrong_side is not None and taking.wrong_side is not None:
            bought[1] = f"{belief(giving.wrong_side)} → {belief(taking.wrong_side)}"
        rows.append(
            (
                f"{giving.name} → {taking.name}",
                "no limit" if math.isinf(gained) else f"+ {plain_number(gained, 3)}",
                *bought,
                price_of_conceding(giving, taking, style),
            )
        )
    columns = (
        "concession",
        "ε",
        "error bought: standard deviation, range",
        "wrong side of the target",
        "what it costs",
    )
    return Table("What each concession buys, from the smallest budget to the largest", columns, tuple(rows))


def price_of_conceding(giving: Standing, taking: Standing, style: Style) -> str:
    """How far the attacker who decided the smaller budget comes under the larger one."""
    binding, belief = giving.implied.binding, belief_words(style)
    if binding is None or binding.prior == 1:
        return "–"
    along = binding_at(giving) if binding.prior > 0 else RARE
    before = float(giving.implied.reachable(along, epsilon=giving.shift))
    after = float(giving.implied.reachable(along, epsilon=taking.shift))
    if binding.prior == 0:
        prior = along * float(giving.profile.fixed or 1.0)
        return f"rarest guesses: {times(before / prior)} → {times(after / prior)} as likely"
    return (
        f"from a belief of {place_words(giving, style)}: {Upper(before, belief).digits} → {Upper(after, belief).digits}"
    )
