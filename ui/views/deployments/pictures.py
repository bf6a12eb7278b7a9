"""The picture of published budgets: the chance of a right guess after each."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from dpcore.deployments import Deployment
from dpcore.scope import Bound
from riskline.answers.published import Meaning
from ui.pictures.columns import Numbers, columns_of, side_by_side, single
from ui.pictures.marks import Axis, Dots, Joins, Panel, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.deployments.choices import SHORT, DeploymentsInputs
from ui.views.shared.published_budgets import RELATION_NAMES, guess_words
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency

SURE = 1e-5  # a guess that fails more rarely is drawn at the edge
MIDDLE = 300  # odds; to the left of them a name has room on the right


def guesses_picture(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    meanings: dict[str, Meaning],
    context: dict[str, Any],
    style: Style,
    case_guess: Bound | None,
) -> Picture:
    """Every budget at the chance of a right guess: circles where promised, diamonds where under one relation only."""

    def odds(guess: float) -> float:
        return guess / max(1 - guess, SURE)

    promised, conditional, words, guesses = [], [], [], []
    for entry in entries:
        meaning = meanings[entry.name]
        place = math.nan if meaning.right_guess is None else odds(meaning.right_guess.value)
        promised.append(math.nan if meaning.conditional else place)
        conditional.append(place if meaning.conditional else math.nan)
        guesses.append(guess_words(meaning, style, central=entry.model == "central"))
        words.append(
            f"{entry.name}, {entry.year}\n{entry.protected_unit}; {RELATION_NAMES[entry.relation]} "
            f"({entry.relation_confidence})\n{guesses[-1]}"
        )
    least = max(inputs.prior, 1 - inputs.prior)
    shown = [guess for guess in (0.5, 0.9, 0.999, 1 - SURE) if guess >= least - 1e-9]
    reading = say("deployments", style.voice, "reading_guesses", **context)
    silent = sum(meanings[entry.name].right_guess is None for entry in entries)
    if silent:
        reading += " " + say("deployments", style.voice, "without_dot", silent=str(silent))
    belief = decimal_belief if style.technical else frequency
    column = columns_of("deployments", "guesses")
    of_odds = {part: label("deployments", f"guesses.promised.{part}") for part in ("quantity", "aspect")}
    rows = side_by_side(
        column("what", [entry.name for entry in entries]),
        column("short", [SHORT.get(entry.name, entry.name) for entry in entries], listed=False),
        column("kind", [entry.unit_kind for entry in entries], listed=False),
        column("unit", [entry.protected_unit for entry in entries]),
        column("relation", [RELATION_NAMES[entry.relation] for entry in entries]),
        column("confidence", [entry.relation_confidence for entry in entries]),
        column(
            "secret", [label("deployments", f"of.{meanings[entry.name].protection.secret.value}") for entry in entries]
        ),
        column("guess", guesses),
        column("gaussian", ["" if (at := meanings[entry.name].gaussian) is None else belief(at) for entry in entries]),
        column("promised", promised, listed=False),
        column("conditional", conditional, listed=False, **of_odds),
        column("words", words, listed=False),
        column("chosen", [entry == chosen for entry in entries], listed=False),
    )
    of_case, of_line = [], []
    if case_guess is not None:
        at = odds(case_guess.value)
        of_case.append(side_by_side(single("case", context["case"], at, quantity=of_odds["quantity"])))
        of_line.append(Upright(x="case", role="accent", at=1.0, beside="left" if at < MIDDLE else "right"))
    drawn = len(entries) + len({entry.unit_kind for entry in entries})
    ticks = tuple((odds(guess), f"{100 * guess:.10g}") for guess in shown)
    dots = partial(Dots, y="short", chosen="chosen", words="words")
    return Picture(
        key="deployments-guesses",
        numbers=Numbers(label("deployments", "guesses.caption", **context), (rows, *of_case)),
        marks=(
            Joins(start="promised", end="conditional", y="short"),
            dots(x="promised"),
            dots(x="conditional", role="reach", symbol="diamond-open"),
            *of_line,
        ),
        panels=(
            Panel(
                x=Axis(log=True, ticks=ticks, above=True, range=(0.6 * odds(least), 2 / SURE)),
                y=Axis(rows=True, groups="kind", chosen="chosen"),
            ),
        ),
        reading=reading,
        style=style,
        legend="below" if any(meanings[entry.name].conditional for entry in entries) else "",
        height=(15 if drawn > 24 else 22) * drawn + 74,
    )
