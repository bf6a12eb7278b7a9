"""What the noisy tables of a reader's own file tell of one person: the belief after them, and what each level did."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

from dpcore.census import MeasuredAttack, Measurements
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.belief_before import told
from ui.words.catalogue import heads, label, say
from ui.words.phrasing import plain_number
from ui.words.refusals import refusal_sentence


@dataclass(frozen=True, kw_only=True)
class MeasuredView:
    """The sentence, the small print, and a row for each level; or why there are none."""

    answer: str = ""
    small_print: str = ""
    levels: Table | None = None
    attack: MeasuredAttack | None = None
    refusal: str | None = None


def measured_view(own: Measurements, person: str, instead: str, prior: float, style: Style) -> MeasuredView:
    """The attack with all measurements of a file on the person of a cell, beside another cell or another place."""
    say_here, before = partial(say, "hierarchy", style.voice), told(prior, style, typed=True)
    try:
        attack = MeasuredAttack(own, person, instead=instead.strip() or None, prior=before.prior)
    except ValueError as error:
        return MeasuredView(refusal=refusal_sentence(error))
    cells, known = (sum(getattr(level, name) for level in attack.by_level) for name in ("cells", "known"))
    words = {
        "cells": f"{cells:,}",
        "known": f"{known:,}",
        "asked": say_here(f"measured_{'value' if attack.instead else 'place'}"),
        "elsewhere": "" if attack.instead else f" {say_here('measured_elsewhere')}",
        "before": before.words,
        "after": replace(style, of=max(before.of, style.of)).belief(attack.posterior),
    }
    rows = [
        (
            label("block", f"level.{level.level}"),
            level.area,
            f"{level.known:,} / {level.cells:,}",
            "–" if level.reading is None else plain_number(level.reading, 3),
            "–" if level.reading is None else plain_number(level.rho, 3),
            plain_number(math.exp(min(max(level.moved, -700.0), 700.0)), 3),
        )
        for level in attack.by_level
    ]
    return MeasuredView(
        answer=say_here("measured", **words),
        small_print=say_here("measured_print", **words),
        levels=Table(label("hierarchy", "levels"), heads("hierarchy", "measured_levels"), tuple(rows)),
        attack=attack,
    )
