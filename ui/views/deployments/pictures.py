"""Pictures of published budgets: what a guess achieves, ε on one ruler, found against wrongly accused."""

from __future__ import annotations

import math
from typing import Any

from dpcore.deployments import (
    Deployment,
    converted,
    deployment,
    guarantee_of,
    matching,
    secret_trade_off,
)
from dpcore.guarantees import Relation, ZeroConcentratedDP
from dpcore.scope import Bound
from riskline.answers.published import Meaning, gaussian_curve, meaning_of
from ui.pictures.columns import Numbers, columns_of, digits, side_by_side, single
from ui.pictures.marks import Axis, Dots, Joins, Mark, Panel, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.deployments.choices import NAMES, SHORT, DeploymentsInputs
from ui.views.shared.published_budgets import RELATION_NAMES, guess_words, stated, trust
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency
from ui.words.quantities import Upper

SURE = 1e-5  # a guess that fails more rarely is drawn at the edge


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
    shown = [guess for guess in (0.5, 0.9, 0.99, 0.999, 0.9999, 1 - SURE) if guess >= least - 1e-9]
    reading = say("deployments", style.voice, "reading_guesses", **context)
    silent = sum(meanings[entry.name].right_guess is None for entry in entries)
    if silent:
        reading += " " + say("deployments", style.voice, "without_dot", silent=str(silent))
    belief = decimal_belief if style.technical else frequency
    column = columns_of("deployments", "guesses")
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
        column("conditional", conditional, listed=False),
        column("words", words, listed=False),
        column("chosen", [entry == chosen for entry in entries], listed=False),
    )
    of_case = []
    if case_guess is not None:
        quantity = label("deployments", "guesses.promised.quantity")
        of_case.append(side_by_side(single("case", context["case"], odds(case_guess.value), quantity=quantity)))
    return _on_ruler(
        "deployments-guesses",
        Numbers(label("deployments", "guesses.caption", **context), (rows, *of_case)),
        more=() if case_guess is None else (Upright(x="case", role="accent", at=1.0),),
        first="promised",
        second="conditional",
        ticks=tuple((odds(guess), f"{100 * guess:.10g}") for guess in shown),
        reading=reading,
        style=style,
    )


def _on_ruler(
    key: str,
    numbers: Numbers,
    *,
    first: str,
    second: str,
    ticks: tuple[tuple[float, str], ...],
    reading: str,
    style: Style,
    more: tuple[Mark, ...] = (),
) -> Picture:
    """Budgets on one logarithmic axis, a row each under what they protect: circles and, joined to them, diamonds."""
    rows = numbers.rows[0].size + len(set(numbers.column("kind").values))
    return Picture(
        key=key,
        numbers=numbers,
        marks=(
            Joins(start=first, end=second, y="short"),
            Dots(x=first, y="short", chosen="chosen", words="words"),
            Dots(x=second, y="short", role="reach", symbol="diamond-open", chosen="chosen", words="words"),
            *more,
        ),
        panels=(Panel(x=Axis(log=True, ticks=ticks, above=True), y=Axis(rows=True, groups="kind", chosen="chosen")),),
        reading=reading,
        style=style,
        legend="above right",
        height=(15 if rows > 24 else 22) * rows + 74,
    )


DRAWN = 5  # curves that keep apart


def detection_picture(inputs: DeploymentsInputs, style: Style) -> Picture | None:
    """Found against wrongly accused: the chosen budget, one Gaussian number at it, and the newest of its unit."""
    chosen = deployment(NAMES[inputs.chosen])
    meanings = {entry.name: meaning_of(entry, secret=inputs.secret) for entry in matching(unit_kind=chosen.unit_kind)}
    meaning = meanings[chosen.name]
    if meaning.case == "not_promised":
        return None
    curves = [_named(chosen, inputs, meaning)]
    if meaning.gaussian is not None:
        held = meaning.protection.guarantee or guarantee_of(chosen, Relation.ADD_OR_REMOVE.value)
        assert isinstance(held, ZeroConcentratedDP)
        curves.append(
            NamedTradeOff(label("deployments", "detection.one_number", name=curves[0].name), gaussian_curve(held.rho))
        )
    others = [one for one in matching(unit_kind=chosen.unit_kind) if one.name != chosen.name]
    others = [one for one in others if meanings[one.name].case != "not_promised"]
    others.sort(key=lambda one: (one.model != chosen.model, -one.year))
    curves += [_named(one, inputs, meanings[one.name]) for one in others[: DRAWN - len(curves)]]
    return trade_off_picture(
        curves,
        false_alarm=inputs.accused,
        style=style,
        secret=meaning.protection.secret,
        log_accused=True,  # large budgets leave the left edge only on this axis
        key="deployments-detection",
    )


def _named(entry: Deployment, inputs: DeploymentsInputs, meaning: Meaning) -> NamedTradeOff:
    """The curve over all releases with the budget."""
    assuming = Relation.ADD_OR_REMOVE.value if meaning.conditional else None
    curve = secret_trade_off(entry, secret=inputs.secret, assuming=assuming)
    name = SHORT.get(entry.name, entry.name)
    return NamedTradeOff(label("deployments", "detection.only_if", name=name) if meaning.conditional else name, curve)


def ruler_picture(
    inputs: DeploymentsInputs,
    chosen: Deployment,
    entries: tuple[Deployment, ...],
    context: dict[str, Any],
    style: Style,
) -> Picture:
    """Every budget on one ruler of ε: as published, and converted at one δ."""
    conversions = [converted(entry, delta=inputs.delta, formula=inputs.formula) for entry in entries]
    column = columns_of("deployments", "ruler", **context)
    rows = side_by_side(
        column("what", [entry.name for entry in entries]),
        column("short", [SHORT.get(entry.name, entry.name) for entry in entries], listed=False),
        column("kind", [entry.unit_kind for entry in entries]),
        column("printed", [entry.epsilon_printed for entry in entries]),
        column("delta", [entry.delta for entry in entries], said=digits(3)),
        column("rho", [entry.rho_printed for entry in entries]),
        column("published", [entry.epsilon for entry in entries], listed=False),
        column("converted", [conversion.epsilon for conversion in conversions], said=digits(6, Upper)),
        column("formula", [conversion.formula or conversion.reason for conversion in conversions]),
        column(
            "words",
            [
                f"{entry.name}, {entry.year}\n{entry.protected_unit}; {stated(entry)}, {trust(entry)}"
                for entry in entries
            ],
            listed=False,
        ),
        column("chosen", [entry == chosen for entry in entries], listed=False),
    )
    return _on_ruler(
        "deployments-ruler",
        Numbers(label("deployments", "ruler.caption", **context), (rows,)),
        first="published",
        second="converted",
        ticks=tuple((at, f"{at:g}") for at in (0.1, 0.3, 1, 3, 10, 30, 100)),
        reading=say("deployments", style.voice, "reading_ruler", **context),
        style=style,
    )
