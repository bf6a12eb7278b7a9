"""Who pays for a range that is asked for otherwise: the ranges of all tables before and after, from one budget."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from riskline.case.tables import Sheet
from ui.views.publication.shared import Shared
from ui.views.publication.tables import WIDTH, named
from ui.words.catalogue import say
from ui.words.failures import UNCOMPUTABLE
from ui.words.markdown import without_marks
from ui.words.quantities import Exact, Upper, number

MOST_CHANGED = 3
MOST_NAMED = 3
STILL = 1e-9
"""Relative change below which a range has not moved: both were found to some fifteen digits."""


def who_pays(shared: Shared, before: Sheet | None) -> str:
    """What another wish, or a few of them, did to the ranges; nothing where rows were changed otherwise."""
    changed = _other_wishes(before, shared.inputs.tables)
    if before is None or not changed:
        return ""
    try:
        earlier = shared.of_other(before)
        got, gets = earlier.errors.half_width, shared.errors.half_width
    except (ValueError, *UNCOMPUTABLE):  # the rows before had no answer
        return ""
    voice = shared.style.voice
    said = [_wish(shared, earlier, place) for place in changed]
    moved = np.abs(gets - got) > STILL * got
    if not moved.any():
        by_hand = all(shared.inputs.tables[place].share.strip() for place in changed)
        small = shared.inputs.rule == "meet_wishes" and not by_hand
        reason = "why_hand" if by_hand else "why_small" if small else "why_rule"
        why = say("publication", voice, reason, **shared.context)
        return " ".join((*said, say("publication", voice, "paid_by_nobody", why=why)))
    moved[list(changed)] = False
    for name, places in (("paid_by", moved & (gets > got)), ("paid_to", moved & (gets < got))):
        if places.any():
            most = sorted(np.flatnonzero(places).tolist(), key=lambda place: -abs(np.log(gets[place] / got[place])))
            others = [_moved(shared, float(got[place]), float(gets[place]), place) for place in most[:MOST_NAMED]]
            if len(most) > MOST_NAMED:
                others.append(say("publication", voice, "paid_more", number=f"{len(most) - MOST_NAMED:,}"))
            said.append(say("publication", voice, name, rows=", ".join(others)))
    if not moved.any():
        said.append(say("publication", voice, "paid_alone"))
    return " ".join((*said, say("publication", voice, "paid_budget", budget=shared.budget_words)))


def _other_wishes(before: Sheet | None, after: Sheet) -> tuple[int, ...]:
    """The rows whose wish is another one, where that is all that is otherwise, and in few rows."""
    if before is None or len(before) != len(after):
        return ()
    changed = [place for place, (was, row) in enumerate(zip(before, after, strict=True)) if was != row]
    only = all(
        before[place].wish.strip()
        and after[place].wish.strip()
        and replace(before[place], wish="") == replace(after[place], wish="")
        for place in changed
    )
    return tuple(changed) if only and len(changed) <= MOST_CHANGED else ()


def _name(shared: Shared, place: int) -> str:
    return without_marks(named(shared, place))


def _wish(shared: Shared, earlier: Shared, place: int) -> str:
    asked, wished = earlier.publication.rows[place].wish, shared.publication.rows[place].wish
    assert asked is not None
    assert wished is not None
    return say(
        "publication",
        shared.style.voice,
        "paid_wish",
        table=_name(shared, place),
        asked=Exact(asked.half_width, number(6)).digits,
        asks=Exact(wished.half_width, number(6)).digits,
        got=Upper(float(earlier.errors.half_width[place]), WIDTH),
        gets=Upper(float(shared.errors.half_width[place]), WIDTH),
    )


def _moved(shared: Shared, got: float, gets: float, place: int) -> str:
    context = {"table": _name(shared, place), "got": Upper(got, WIDTH), "gets": Upper(gets, WIDTH)}
    return say("publication", shared.style.voice, "paid_row", **context)
