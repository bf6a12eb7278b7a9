"""A publication in rows: what each table asked for and gets, what it takes, and the levels that add up."""

from __future__ import annotations

import math

from ui.pictures.table import Table
from ui.views.publication.shared import Shared
from ui.words.catalogue import say
from ui.words.quantities import Allowed, Exact, Upper, number, share

WIDTH = number(3)


def named(shared: Shared, place: int) -> str:
    """What a row is called, by its number where it has no name."""
    return shared.publication.rows[place].name or f"Row {place + 1}"


def results_table(shared: Shared) -> Table:
    """Every row: the range asked for and the range it gets, of a typical number, and its share of the budget."""
    errors, rows = shared.errors, []
    for place, row in enumerate(shared.publication.rows):
        width = float(errors.half_width[place])
        relative, shows = float(errors.relative_half_width[place]), float(errors.empty_shown[place])
        kept = {True: "kept", False: "wider", None: "–"}[shared.kept[place]]
        rows.append(
            (
                named(shared, place),
                "–" if row.wish is None else f"± {Exact(row.wish.half_width, number(6)).digits}",
                f"± {Upper(width, WIDTH).digits}",
                kept,
                "–" if math.isnan(relative) else Upper(relative, share(1)).digits,
                Exact(float(shared.allocation.shares[place]), share(1)).digits,
                Allowed(float(shared.allocation.budgets[place]), number(4)).digits,
                "–" if math.isnan(shows) or not _counts(row) else Exact(shows, share(1)).digits,
            )
        )
    context = shared.context
    return Table(
        say("publication", shared.style.voice, "results_caption", **context),
        (
            "table",
            "asked for",
            "gets, at most",
            "asked range",
            "of a typical number, at most",
            "share of the budget",
            f"{shared.symbol} of one release",
            "empty cells that show somebody",
        ),
        tuple(rows),
    )


def _counts(row: object) -> bool:
    return hasattr(row, "cells_per_person")


def levels_table(shared: Shared) -> Table | None:
    """Typical error of one number on each level, alone and with all levels used together."""
    found = shared.level_errors
    if found is None:
        return None
    rows = tuple(
        (
            named(shared, place),
            f"{row.areas:,}",
            Allowed(float(shared.allocation.budgets[place]), number(4)).digits,
            Exact(float(found.before[place]), WIDTH).digits,
            Exact(float(found.after[place]), WIDTH).digits,
        )
        for place, row in enumerate(shared.publication.rows)
    )
    heads = ("level", "areas", f"{shared.symbol} of its release", "typical error", "with all levels together")
    return Table(say("publication", shared.style.voice, "levels_caption"), heads, rows)


def numbers_on_top(shared: Shared) -> tuple[tuple[str, str, str], ...]:
    """The budget, how wide the ranges are, and what somebody can come to believe."""
    voice, context = shared.style.voice, shared.context
    found = [(say("publication", voice, "number_budget"), context["budget"], "")]
    if context["stretch"]:
        found.append((say("publication", voice, "number_stretch"), context["stretch"].digits, "at most"))
    elif int(context["asked"].replace(",", "")):
        found.append((say("publication", voice, "number_kept"), f"{context['kept']} of {context['asked']}", ""))
    if context["needed"]:
        found.append((say("publication", voice, "number_needed"), context["needed"], ""))
    found.append(
        (
            say("publication", voice, "number_belief"),
            context["posterior"].digits,
            say("publication", voice, "note_belief", **context),
        )
    )
    return tuple(found)
