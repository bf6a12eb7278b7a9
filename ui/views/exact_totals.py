"""What if totals must be exact: what they give away, what they cost the promise, what they do to the other cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.mechanisms import Geometric
from dpcore.totals import (
    CellLaw,
    TotalsPrice,
    cell_bounds,
    condition_on_totals,
    draw_by_lattice_gibbs,
    draw_projected,
    posterior_band,
    price_of_totals,
    totals_of_parts,
)
from riskline.case.fields import Field, of_session
from ui.pictures.columns import Column, Numbers, digits, side_by_side
from ui.pictures.marks import Axis, Bars, Panel
from ui.pictures.picture import Picture
from ui.pictures.ranges import MOST_DRAWN, Ranges, ranges_picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared import belief_before
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.typed_table import Counts, decode_counts, encode_counts
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, frequency, plain_number, so_many
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Upper, number, whole
from ui.words.refusals import refusal_sentence

DEFAULT_TABLE: Counts = ((8, 6, 4), (3, 5, 8))
EXACT = {
    "none": "none",
    "total": "grand total",
    "rows": "row totals",
    "both": "row and column totals",
}
FIELDS: tuple[Field, ...] = (
    of_session(
        Field(
            "table",
            "Your table of counts",
            "custom",
            DEFAULT_TABLE,
            read=decode_counts,
            write=encode_counts,
            help="A line for each row. After = a row's total may stand, and in a last line the column totals: they are "
            "checked. They stay in this session: the link does not hold them.",
        )
    ),
    Field("exact", "What is published exactly?", "choice", "total", options=tuple(EXACT)),
    Field("method", "How do the cells keep the totals?", "choice", "condition", options=("condition", "project")),
    Field("epsilon", "Budget ε for a person", "number", 1.0, low=0.05, high=20),
    Field(
        "prior",
        "A suspicion before the release (0.01: 1 in 100)",
        "number",
        0.01,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
    ),
    Field("seed", "Seed of the simulated draws (projection)", "count", 1, low=0, high=1_000_000),
)
LEVEL = 0.9
DRAWS = 2000
FEW_CELLS = 24  # beyond, crossing totals are simulated with fewer draws, which would keep a reader waiting


@dataclass(frozen=True)
class ExactTotalsInputs:
    """What a reader chose on this page."""

    table: Counts = DEFAULT_TABLE
    exact: str = "total"
    method: str = "condition"
    epsilon: float = 1.0
    prior: float = 0.01
    seed: int = 1

    @property
    def cells(self) -> tuple[int, ...]:
        """All cells, row by row."""
        return tuple(count for row in self.table for count in row)


@dataclass(frozen=True)
class ExactTotalsView:
    """Everything the page shows."""

    answer: str
    small_print: str
    price: TotalsPrice | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    cells: Picture | None = None
    losses: Picture | None = None
    given_away: Table | None = None
    computed: str = ""
    python: CodeLines | None = None
    refusal: str | None = None


@dataclass(frozen=True)
class Spread:
    """Error of every cell under one way of publishing: range, mean, mean distance from the truth, how it is known."""

    low: NDArray[np.float64]
    mean: NDArray[np.float64]
    high: NDArray[np.float64]
    error: float
    known: str = "exact"


def exact_totals_view(inputs: ExactTotalsInputs, style: Style) -> ExactTotalsView:
    """The page for these choices."""
    try:
        plain = _plain(len(inputs.cells), inputs.epsilon / 2)
        chosen = [("noisy", plain)]
        if inputs.exact != "none":
            draw = (inputs.table, inputs.exact, inputs.epsilon / 2, inputs.seed)
            chosen += [("projected", _projected(*draw)), ("conditioned", _conditioned(*draw))]
        price = price_of_totals(inputs.table, EXACT[inputs.exact], epsilon=inputs.epsilon / 2)
        spreads = dict(chosen)
        context = _facts(inputs, price, spreads, style)
        context |= _known(inputs, price, context, style)
        return ExactTotalsView(
            answer=say("exact_totals", style.voice, _answer_name(inputs, price), **context),
            small_print=say(
                "exact_totals", style.voice, "small_print_none" if inputs.exact == "none" else "small_print", **context
            ),
            price=price,
            numbers=_numbers(inputs, price, context, style),
            cells=_cells(inputs, spreads, context, style),
            losses=_losses(price, context, style) if inputs.exact != "none" and price.changes_left else None,
            given_away=_given_away(inputs),
            computed=say("exact_totals", style.voice, "computed", **context),
            python=_in_python(inputs, price, context["after"]),
        )
    except ValueError as error:
        return ExactTotalsView("", "", refusal=refusal_sentence(error))


def _in_python(inputs: ExactTotalsInputs, price: TotalsPrice, after: Upper) -> CodeLines:
    """The lines for the highest belief about a cell; where totals give everything away, for how many cells they fix."""
    code = CodeWriter()
    table = code.let("table", inputs.table)
    if inputs.exact != "none" and not price.changes_left:
        fixed = cell_bounds(inputs.table, EXACT[inputs.exact]).determined_count
        return code.ending(
            Source(f"{code(cell_bounds, table, EXACT[inputs.exact])}.determined_count"), Exact(fixed, whole)
        )
    paid = code.let("price", code(price_of_totals, table, EXACT[inputs.exact], epsilon=inputs.epsilon / 2))
    loss = Source(f"{paid}.{'conditioned.proved' if inputs.method == 'condition' else 'projected'}")
    return code.ending(Source(f"{code(posterior_band, prior=inputs.prior, epsilon=loss)}[1]"), after)


def _answer_name(inputs: ExactTotalsInputs, price: TotalsPrice) -> str:
    if inputs.exact == "none":
        return "answer_none"
    return "answer" if price.changes_left else "answer_all"


def _plain(cells: int, epsilon: float) -> Spread:
    noise = Geometric(epsilon=epsilon)
    half = np.full(cells, float(noise.half_width(LEVEL)))
    return Spread(-half, np.zeros(cells), half, noise.mean_absolute)


def _partitions(table: Counts) -> tuple[list[int], list[int]]:
    """Row and column of every cell."""
    columns = len(table[0])
    places = range(len(table) * columns)
    return [place // columns for place in places], [place % columns for place in places]


@kept_for_session
def _projected(table: Counts, exact: str, epsilon: float, seed: int) -> Spread:
    """Noise put back onto the totals by the smallest correction, from simulated tables."""
    cells = np.array([count for row in table for count in row])
    if exact == "both":
        size = DRAWS if cells.size <= FEW_CELLS else max(100, 7200 // cells.size)
        totals = totals_of_parts(*_partitions(table), true=cells)
        drawn = draw_projected(cells, epsilon=epsilon, size=size, seed=seed, totals=totals)
    else:
        size = DRAWS
        parts = [cells] if exact == "total" else np.array(table)
        streams = np.random.SeedSequence(seed).generate_state(len(parts))
        drawn = np.hstack(
            [
                draw_projected(part, epsilon=epsilon, size=size, seed=int(s))
                for part, s in zip(parts, streams, strict=True)
            ]
        )
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2], axis=0)
    error = float(np.abs(drawn - cells).mean())
    return Spread(low - cells, drawn.mean(axis=0) - cells, high - cells, error, f"{size:,} simulated tables")


@kept_for_session
def _conditioned(table: Counts, exact: str, epsilon: float, seed: int) -> Spread:
    """Noise drawn only among the tables that meet the totals: exact, or by Gibbs when neither side has two parts."""
    cells = np.array([count for row in table for count in row])
    rows, columns = _partitions(table)
    if exact == "both" and min(len(table), len(table[0])) > 2:
        sweeps = max(12, min(100, 900 // cells.size))
        drawn = draw_by_lattice_gibbs(
            cells,
            epsilon=epsilon,
            totals=totals_of_parts(rows, columns, true=cells),
            sweeps=sweeps,
            seed=seed,
            chains=50 if cells.size <= FEW_CELLS else 20,
            warm_up=max(8, sweeps // 5),
        )
        tables = drawn.draws.reshape(-1, cells.size)
        low, high = np.quantile(tables, [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2], axis=0, method="inverted_cdf")
        known = f"simulated tables, worth at least {so_many(int(drawn.least_effective()), 'independent one')}"
        error = float(np.abs(tables - cells).mean())
        return Spread(low - cells, tables.mean(axis=0) - cells, high - cells, error, known)
    laws: list[CellLaw] = condition_on_totals(
        cells,
        epsilon=epsilon,
        parts=None if exact == "total" else rows,
        crossing=columns if exact == "both" else None,
    ).laws()
    ends = np.array([law.interval(LEVEL) for law in laws], dtype=float)
    error = float(np.mean([law.mean_absolute_error(int(count)) for law, count in zip(laws, cells, strict=True)]))
    return Spread(ends[:, 0] - cells, np.array([law.mean for law in laws]) - cells, ends[:, 1] - cells, error)


METHODS = {"condition": "conditioned", "project": "projected"}
EXACT_WORDS = {
    "none": "nothing",
    "total": "the grand total",
    "rows": "the row totals",
    "both": "the row and column totals",
}


def _facts(inputs: ExactTotalsInputs, price: TotalsPrice, spreads: dict[str, Spread], style: Style) -> dict[str, Any]:
    belief = decimal_belief if style.technical else frequency
    conditioned = price.conditioned
    loss = conditioned.proved if inputs.method == "condition" else price.projected
    chosen = spreads.get(METHODS[inputs.method], spreads["noisy"])
    determined = 0 if inputs.exact == "none" else cell_bounds(inputs.table, EXACT[inputs.exact]).determined_count
    one = price.exact_numbers == 1
    unnoticed = 2 if inputs.exact == "both" else 1  # people who move in a change that keeps the totals

    def after(epsilon: float) -> Upper:
        return Upper(float(posterior_band(prior=inputs.prior, epsilon=epsilon)[1]), belief)

    return {
        "totals": so_many(price.exact_numbers, "number"),
        "given": ("is published as it is" if one else "are published as they are")
        + (f" and {'fixes' if one else 'fix'} **{so_many(determined, 'cell')}**" if determined else ""),
        "determined": so_many(determined, "cell"),
        "exact": EXACT_WORDS[inputs.exact],
        "raw_error": plain_number(spreads["noisy"].error, 3),
        "error": plain_number(chosen.error, 3),
        "prior": belief_before.as_typed(inputs.prior, style),
        "change": "a person who changes places with one other"
        if inputs.exact == "both"
        else "one person who moves from one cell to another",
        "before": after(unnoticed * inputs.epsilon).digits,
        "after": after(loss),
        "after_project": after(price.projected),
        "after_condition": after(conditioned.proved),
        "after_found": after(conditioned.loss).digits,
        "noise_only": unnoticed * inputs.epsilon,
        "plain_loss": plain_number(unnoticed * inputs.epsilon, 4),
        "epsilon": plain_number(inputs.epsilon, 4),
        "cell_epsilon": plain_number(inputs.epsilon / 2, 4),
        "loss": Upper(loss, number(3)),
        "gamma": Upper(conditioned.gamma, number(3)).digits,
        "conditioned_loss": Upper(conditioned.loss, number(3)),
        "found_loss": plain_number(conditioned.loss, 3),
        "projected_loss": Upper(price.projected, number(3)),
        "most_loss": Upper(conditioned.proved, number(3)),
        "swap": plain_number(2 * inputs.epsilon, 4),
        "method": say("exact_totals", style.voice, f"method_{inputs.method}"),
        "spread_known": chosen.known,
        "projected_known": spreads["projected"].known if "projected" in spreads else "not needed",
        "conditioned_known": spreads["conditioned"].known if "conditioned" in spreads else "not needed",
        "drawn": f" The first {MOST_DRAWN} of {len(inputs.cells)} cells are drawn; the table holds all."
        if len(inputs.cells) > MOST_DRAWN
        else "",
    }


PRICES = {"exact": "exact", "exact pair": "pair", "bound": "bound"}
"""How the loss after conditioning is known, by the name of its passages."""


def _known(inputs: ExactTotalsInputs, price: TotalsPrice, context: dict[str, Any], style: Style) -> dict[str, str]:
    """How the belief is known, and what conditioning costs, in words."""
    kind = PRICES[price.conditioned.kind] if price.changes_left else "all"
    known = "project" if inputs.method == "project" and price.changes_left else kind
    costs = say("exact_totals", style.voice, "price_none" if inputs.exact == "none" else f"price_{kind}", **context)
    return {
        "known": say("exact_totals", style.voice, f"known_{known}", **context),
        "price": f"{costs} " if costs else "",
    }


def _numbers(
    inputs: ExactTotalsInputs, price: TotalsPrice, context: dict[str, Any], style: Style
) -> tuple[tuple[str, str, str], ...]:
    voice = style.voice
    found = [
        (say("exact_totals", voice, "number_given"), context["totals"], f"and {context['determined']} they determine")
    ]
    if inputs.exact != "none":
        for method in ("condition", "project"):
            reached = (context[f"after_{method}"].digits, f"from {context['prior']}")
            given_away = ("no limit", "the totals show it")
            found.append(
                (say("exact_totals", voice, f"number_{method}"), *(reached if price.changes_left else given_away))
            )
    return (
        *found,
        (say("exact_totals", voice, "number_error"), context["error"], f"{context['raw_error']} without totals"),
    )


NAMES = {"noisy": "noise only", "projected": "projected", "conditioned": "conditioned"}


def _cells(inputs: ExactTotalsInputs, spreads: dict[str, Spread], context: dict[str, Any], style: Style) -> Picture:
    columns = len(inputs.table[0])
    places = range(len(inputs.cells))
    return ranges_picture(
        "exact-cells",
        (
            Column("cell", "cell", [f"row {at // columns + 1}, cell {at % columns + 1}" for at in places]),
            Column(
                "true", "true", [f"{count:,}" for count in inputs.cells], quantity="true count of each cell, row by row"
            ),
        ),
        [Ranges(NAMES[code], s.low, s.mean, s.high) for code, s in spreads.items()],
        measured="published minus true",
        said=_signed,
        caption="Published minus true",
        reading=say(
            "exact_totals", style.voice, "reading_cells" if inputs.exact != "none" else "reading_none", **context
        ),
        style=style,
        breaks=range(columns, len(inputs.cells), columns),
    )


def _signed(value: float) -> str:
    return "0" if abs(value) < 0.005 else f"{value:+.2f}".rstrip("0").rstrip(".")


def _losses(price: TotalsPrice, context: dict[str, Any], style: Style) -> Picture:
    conditioned, projected = price.conditioned.proved, price.projected
    most = "" if price.conditioned.kind == "exact" else "at most "

    def words(loss: float, after: str, before: str = "") -> str:
        return f"{before}ε = {Upper(loss, number(3)).digits}: belief up to {after}"

    named = (
        ("noise only", context["noise_only"], words(context["noise_only"], context["before"])),
        ("projected", projected, words(projected, context["after_project"].digits, "at most ")),
        ("conditioned", conditioned, words(conditioned, context["after_condition"].digits, most)),
        ("a total changes", math.nan, "nothing limits it: the total shows it"),
    )
    losses = np.array([loss for _, loss, _ in named])
    loss_axis = "privacy loss ε of a worst-case change" if style.technical else "how far a belief can move (ε)"
    rows = side_by_side(
        Column("published", "published", [name for name, *_ in named]),
        Column(
            "loss",
            "loss ε",
            losses,
            quantity=loss_axis,
            said=digits(4, Upper),
            absent="no limit",
        ),
        Column("words", "in words", [told for *_, told in named]),
    )
    return Picture(
        key="exact-losses",
        numbers=Numbers(f"Worst-case loss for {context['change']}", (rows,)),
        marks=tuple(
            Bars(
                x="loss", y="published", role=role, pattern=pattern, flat=True, words="words", where=("published", name)
            )
            for (name, *_), role, pattern in zip(
                named, ("quiet", "reach", "accent", "fourth"), ("", "/", ".", "x"), strict=True
            )
        ),
        panels=(Panel(x=Axis(range=(0.0, 1.1 * max(float(np.nanmax(losses)), 1e-9)), zero=True), y=Axis(rows=True)),),
        reading=say("exact_totals", style.voice, "reading_losses", **context),
        style=style,
        height=280,
    )


def _given_away(inputs: ExactTotalsInputs) -> Table | None:
    """What the totals alone say about every cell."""
    if inputs.exact == "none":
        return None
    bounds = cell_bounds(inputs.table, EXACT[inputs.exact])
    rows = tuple(
        (
            f"row {number}",
            *(f"**{low:,}**" if low == high else f"{low:,} to {high:,}" for low, high in zip(lows, highs, strict=True)),
        )
        for number, (lows, highs) in enumerate(zip(bounds.lower.tolist(), bounds.upper.tolist(), strict=True), start=1)
    )
    heads = ("", *(f"cell {number}" for number in range(1, len(inputs.table[0]) + 1)))
    return Table("What the exact totals alone say about each cell; bold: the cell is given away", heads, rows)
