"""What if totals must be exact: what they give away, what they cost the promise, what they do to the other cells."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import totals
from dpcore.mechanisms import DiscreteGaussian, Geometric, WholeNoise
from riskline.answers import CaseBudget
from riskline.case import declaration
from riskline.case.choices import CountsReleases, of_case
from riskline.case.declaration import count, custom, of_session, option
from riskline.case.releases import BY_RHO
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.pictures.columns import Column, digits, side_by_side
from ui.pictures.marks import Axis, Bars
from ui.pictures.picture import Picture
from ui.pictures.ranges import MOST_DRAWN, Ranges, ranges_picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose.answer import exception
from ui.views.shared import belief_before
from ui.views.shared.promise import PageAnswer, refusing
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.strip import one_release, tried
from ui.views.shared.typed_table import Counts, decode_counts, encode_counts
from ui.words.catalogue import label, say
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Upper, number, whole

word = partial(label, "exact_totals")
DEFAULT_TABLE: Counts = ((8, 6, 4), (3, 5, 8))
EXACT: dict[str, totals.ExactTotals] = {
    "none": "none",
    "total": "grand total",
    "rows": "row totals",
    "both": "row and column totals",
}
"""What is published as it is, as dpcore calls it."""
METHODS = ("condition", "project")
OF_GUARANTEE = ("noise", "bounded", "source", "worst")
"""Passages that differ by the kind of budget."""
LEVEL = 0.9
DRAWS = 2000
FEW_CELLS = 24  # beyond, crossing totals are simulated with fewer draws, which would keep a reader waiting


@dataclass(frozen=True)
class ExactTotalsInputs(CountsReleases):
    """What a reader chose on this page."""

    table: Counts = of_session(custom(DEFAULT_TABLE, read=decode_counts, write=encode_counts))
    exact: str = option(*EXACT, default="total")
    method: str = option(*METHODS)
    guarantee: str = option("pure", "zero_concentrated")
    epsilon: float = declaration.number(1.0, low=0.05, high=20)
    rho: float = declaration.number(0.1, low=0.001, high=20)
    failure: float = of_case("failure")
    prior: float = declaration.number(0.01, low=0, high=1, open_low=True, open_high=True, format="percent")
    seed: int = count(1, low=0, high=1_000_000)

    @property
    def cells(self) -> tuple[int, ...]:
        """All cells, row by row."""
        return tuple(count for row in self.table for count in row)

    @property
    def by_rho(self) -> bool:
        """Whether the budget is a ρ."""
        return self.guarantee in BY_RHO

    @property
    def budget(self) -> float:
        """The budget for a person, who moves between two cells."""
        return self.rho if self.by_rho else self.epsilon

    @property
    def noise(self) -> WholeNoise:
        """The noise of each cell."""
        half = self.budget / 2
        return DiscreteGaussian(rho=half) if self.by_rho else Geometric(epsilon=half)

    @property
    def priced(self) -> dict[str, Any]:
        """What the price is asked for: under a ρ, cells that are drawn until they fit may be negative."""
        return {"noise": self.noise, "non_negative": False} if self.by_rho else {"epsilon": self.budget / 2}

    def losing(self, loss: Any) -> dict[str, Any]:
        """A loss as the band of beliefs is asked for it."""
        return {"rho": loss, "delta_prime": self.failure} if self.by_rho else {"epsilon": loss}

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's."""
        return tried(self.budget, "rho" if self.by_rho else "epsilon", case)


FIELDS = fields_of("exact_totals", ExactTotalsInputs)


@dataclass(frozen=True, kw_only=True)
class ExactTotalsView(PageAnswer):
    """Everything the page shows."""

    price: totals.TotalsPrice | None = None
    cells: Picture | None = None
    losses: Picture | None = None
    given_away: Table | None = None


@dataclass(frozen=True)
class Spread(Ranges):
    """Error of every cell under one way of publishing: range, mean, mean distance from the truth, how it is known."""

    error: float
    known: str


@refusing(ExactTotalsView)
def exact_totals_view(inputs: ExactTotalsInputs, style: Style) -> ExactTotalsView:
    """The page for these choices."""
    inputs, style = belief_before.as_printed(inputs, style)
    told = partial(say, "exact_totals", style.voice)
    half = np.full(len(inputs.cells), float(inputs.noise.half_width(LEVEL)))
    error, known = inputs.noise.mean_absolute, word("spread_exact")
    spreads = {"noisy": Spread(word("noisy"), -half, np.zeros_like(half), half, error, known)}
    if inputs.exact != "none":
        draw = (inputs.table, inputs.exact, inputs.noise, inputs.seed)
        spreads |= {"project": _projected(*draw), "condition": _conditioned(*draw)}
    price = totals.price_of_totals(inputs.table, EXACT[inputs.exact], **inputs.priced)
    context = _context(inputs, price, spreads, style)
    none = "_none" if inputs.exact == "none" else ""
    same = "_same" if style.technical and price.changes_left and context["loss"].value <= price.projected else ""
    return ExactTotalsView(
        answer=told(f"answer{none or same or ('' if price.changes_left else '_all')}", **context),
        small_print=told("small_print", **context) + one_release(inputs.number_of_releases, style.voice),
        price=price,
        cells=_cells(inputs, spreads, told("reading_cells", **context), style),
        losses=_losses(price, context, told, style) if not none and price.changes_left else None,
        given_away=None if none else _given_away(inputs),
        computed=say("exact_totals", "technical", f"computed{'_rho' if inputs.by_rho else ''}", **context),
        python=_in_python(inputs, price, context["after"]),
    )


def _in_python(inputs: ExactTotalsInputs, price: totals.TotalsPrice, after: Upper) -> CodeLines:
    """The lines for the highest belief about a cell; where totals give everything away, for how many cells they fix."""
    code = CodeWriter()
    table = code.let("table", inputs.table)
    if inputs.exact != "none" and not price.changes_left:
        fixed = totals.cell_bounds(inputs.table, EXACT[inputs.exact]).determined_count
        found = code(totals.cell_bounds, table, EXACT[inputs.exact])
        return code.ending(Source(f"{found}.determined_count"), Exact(fixed, whole))
    paid = code.let("price", code(totals.price_of_totals, table, EXACT[inputs.exact], **inputs.priced))
    loss = Source(f"{paid}.{'conditioned.proved' if inputs.method == 'condition' else 'projected'}")
    return code.ending(Source(f"{code(totals.posterior_band, prior=inputs.prior, **inputs.losing(loss))}[1]"), after)


def _partitions(table: Counts) -> list[list[int]]:
    """Row and column of every cell."""
    return np.indices((len(table), len(table[0]))).reshape(2, -1).tolist()


@kept_for_session
def _projected(table: Counts, exact: str, noise: WholeNoise, seed: int) -> Spread:
    """Noise put back onto the totals by the smallest correction, from simulated tables."""
    cells = np.array(table).ravel()
    if exact == "both":
        size = DRAWS if cells.size <= FEW_CELLS else max(100, 7200 // cells.size)
        sums = totals.totals_of_parts(*_partitions(table), true=cells)
        drawn = totals.draw_projected(cells, noise=noise, size=size, seed=seed, totals=sums)
    else:
        size = DRAWS
        parts = [cells] if exact == "total" else np.array(table)
        streams = np.random.SeedSequence(seed).generate_state(len(parts))
        draw = partial(totals.draw_projected, noise=noise, size=size)
        drawn = np.hstack([draw(part, seed=int(stream)) for part, stream in zip(parts, streams, strict=True)])
    return _spread("project", drawn, cells, word("spread_drawn", draws=f"{size:,}"))


def _spread(way: str, drawn: NDArray[Any], cells: NDArray[np.int64], known: str, method: Any = "linear") -> Spread:
    """The errors of drawn tables; their ends by this method of quantiles."""
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2], axis=0, method=method)
    error = float(np.abs(drawn - cells).mean())
    return Spread(word(f"method.{way}"), low - cells, drawn.mean(axis=0) - cells, high - cells, error, known)


@kept_for_session
def _conditioned(table: Counts, exact: str, noise: WholeNoise, seed: int) -> Spread:
    """Noise drawn only among the tables that meet the totals: exact, or by Gibbs when neither side has two parts."""
    cells = np.array(table).ravel()
    rows, columns = _partitions(table)
    fitted: dict[str, Any] = {"noise": noise, "non_negative": noise.budget_kind == "epsilon"}
    if exact == "both" and min(len(table), len(table[0])) > 2:
        sweeps = max(12, min(100, 900 // cells.size))
        drawn = totals.draw_by_lattice_gibbs(
            cells,
            **fitted,
            totals=totals.totals_of_parts(rows, columns, true=cells),
            sweeps=sweeps,
            seed=seed,
            chains=50 if cells.size <= FEW_CELLS else 20,
            warm_up=max(8, sweeps // 5),
        )
        known = word("spread_walked", worth=Lower(int(drawn.least_effective()), whole))
        return _spread("condition", drawn.draws.reshape(-1, cells.size), cells, known, "inverted_cdf")
    laws: list[totals.CellLaw] = totals.condition_on_totals(
        cells, **fitted, parts=None if exact == "total" else rows, crossing=columns if exact == "both" else None
    ).laws()
    means = np.array([law.mean for law in laws])
    error = float(np.mean([law.mean_absolute_error(int(count)) for law, count in zip(laws, cells, strict=True)]))
    low, high = (end - cells for end in np.array([law.interval(LEVEL) for law in laws], dtype=float).T)
    return Spread(word("method.condition"), low, means - cells, high, error, word("spread_exact"))


PRICES = {"exact": "exact", "exact pair": "pair", "bound": "bound"}
"""How the loss after conditioning is known, by the name of its passages."""


def _context(
    inputs: ExactTotalsInputs, price: totals.TotalsPrice, spreads: dict[str, Spread], style: Style
) -> dict[str, Any]:
    told = partial(say, "exact_totals", style.voice)
    cells, conditioned, projecting = len(inputs.cells), price.conditioned, inputs.method == "project"
    loss = price.projected if projecting else conditioned.proved
    chosen = spreads.get(inputs.method, spreads["noisy"])
    unnoticed = 2 if inputs.exact == "both" else 1  # people who move in a change that keeps the totals
    fixed = 0 if inputs.exact == "none" else totals.cell_bounds(inputs.table, EXACT[inputs.exact]).determined_count
    kind = PRICES[conditioned.kind] if price.changes_left else "all"
    known = "none" if inputs.exact == "none" else "project" if projecting and price.changes_left else kind
    if inputs.by_rho:
        kind, known = "rho", "rho" if price.changes_left else "all"

    def after(loss: float) -> Upper:
        return Upper(float(totals.posterior_band(prior=inputs.prior, **inputs.losing(loss))[1]), style.belief)

    context = {
        "determined": f"{fixed:,}",
        "fixed": told("fixed", determined=f"{fixed:,}") + " " if fixed else "",
        "exact": word(f"exact.{inputs.exact}"),
        "raw_error": plain_number(spreads["noisy"].error, 3),
        "error": plain_number(chosen.error, 3),
        "prior": belief_before.told(inputs.prior, style, typed=True).words,
        "change": word("change_both" if inputs.exact == "both" else "change"),
        "symbol": "ρ" if inputs.by_rho else "ε",
        "exception": exception(inputs.failure if inputs.by_rho else 0.0, style),
        "negative": f" {told('negative')}" if inputs.by_rho else "",
        **{name: say("exact_totals", "technical", f"{name}_{inputs.guarantee}") for name in OF_GUARANTEE},
        "times": "" if inputs.by_rho else " = (1 + γ)ε",
        "noise_loss": Upper(unnoticed * inputs.budget, number(3)),
        "noise_only": after(unnoticed * inputs.budget),
        "before": after(unnoticed * inputs.budget).digits,
        "after": after(loss),
        "after_project": after(price.projected),
        "after_condition": after(conditioned.proved),
        "after_found": after(conditioned.loss).digits,
        "plain_loss": plain_number(unnoticed * inputs.budget, 4),
        "epsilon": plain_number(inputs.budget, 4),
        "cell_epsilon": plain_number(inputs.budget / 2, 4),
        "loss": Upper(loss, number(3)),
        "gamma": Upper(conditioned.gamma, number(3)).digits,
        "conditioned_loss": Upper(conditioned.loss, number(3)),
        "found_loss": plain_number(conditioned.loss, 3),
        "projected_loss": Upper(price.projected, number(3)),
        "most_loss": Upper(conditioned.proved, number(3)),
        "swap": plain_number(2 * inputs.budget, 4),
        "method": word(f"method.{inputs.method}"),
        "spread_known": chosen.known,
        "projected_known": spreads["project"].known if "project" in spreads else word("spread_none"),
        "conditioned_known": spreads["condition"].known if "condition" in spreads else word("spread_none"),
        "drawn": f" {label('pictures', 'first_drawn', most=MOST_DRAWN, all=cells)}" if cells > MOST_DRAWN else "",
    }
    priced = inputs.exact != "none" and price.changes_left
    costs = say("exact_totals", "technical", f"price_{kind}", **context) + " " if priced else ""
    context["reach"] = told("reach", **context)
    context["errors"] = context["raw_error"] if inputs.exact == "none" else told("errors", **context)
    context["ways"] = told("ways" if conditioned.proved > price.projected else "ways_same", **context)
    return context | {"known": told(f"known_{known}", **context), "price": costs}


def _cells(inputs: ExactTotalsInputs, spreads: dict[str, Spread], reading: str, style: Style) -> Picture:
    rows, columns = range(1, len(inputs.table) + 1), len(inputs.table[0])
    named = [word("cell_place", row=row, column=column) for row in rows for column in range(1, columns + 1)]
    counts = [f"{count:,}" for count in inputs.cells]
    return ranges_picture(
        "exact-cells",
        (Column("cell", word("cell"), named), Column("true", word("true"), counts, quantity=word("true_measured"))),
        list(spreads.values()),
        measured=word("cells_measured"),
        said=_signed,
        caption=word("cells"),
        reading=reading,
        style=style,
        breaks=range(columns, len(inputs.cells), columns),
    )


def _signed(value: float) -> str:
    return "0" if abs(value) < 0.005 else f"{value:+.2f}".rstrip("0").rstrip(".")


def _losses(price: totals.TotalsPrice, context: dict[str, Any], told: Callable[..., str], style: Style) -> Picture:
    bound = "loss_bound_rho" if context["symbol"] == "ρ" else "loss_bound"
    conditioned = "loss_exact" if price.conditioned.kind == "exact" else bound
    bars = (
        ("noisy", context["noise_loss"], "loss_exact", context["noise_only"], "quiet", ""),
        ("method.project", context["projected_loss"], bound, context["after_project"], "reach", "/"),
        ("method.condition", context["most_loss"], conditioned, context["after_condition"], "accent", "."),
    )
    said = [(kind, loss.digits if kind == "loss_exact" else loss, after) for _, loss, kind, after, *_ in bars]
    words = [word(kind, loss=loss, after=after, symbol=context["symbol"]) for kind, loss, after in said]
    measured, losses = told("loss_measured", **context), np.array([*(loss.value for _, loss, *_ in bars), math.nan])
    rows = side_by_side(
        Column("published", word("published"), [*(word(name) for name, *_ in bars), word("changed")]),
        Column(
            "loss", word("loss", **context), losses, quantity=measured, said=digits(4, Upper), absent=word("no_limit")
        ),
        Column("words", word("in_words"), [*words, word("loss_changed")]),
    )
    bar = partial(Bars, x="loss", y="published", flat=True, words="words")
    marks = [bar(role=role, pattern=pattern, where=("published", word(name))) for name, *_, role, pattern in bars]
    marks.append(bar(role="fourth", pattern="x", where=("published", word("changed"))))
    x, y = Axis(range=(0.0, 1.1 * max(float(np.nanmax(losses)), 1e-9)), zero=True), Axis(rows=True)
    reading, caption = told("reading_losses", **context), word("losses", **context)
    return Picture.of(
        "exact-losses", (rows,), marks, reading=reading, caption=caption, x=x, y=y, style=style, height=280
    )


def _known_of_cell(low: int, high: int) -> str:
    return f"**{low:,}**" if low == high else word("between", low=f"{low:,}", high=f"{high:,}")


def _given_away(inputs: ExactTotalsInputs) -> Table:
    """What the totals alone say about every cell."""
    bounds = totals.cell_bounds(inputs.table, EXACT[inputs.exact])
    ends = zip(bounds.lower.tolist(), bounds.upper.tolist(), strict=True)
    rows = tuple(
        (word("row", number=number), *map(_known_of_cell, lows, highs)) for number, (lows, highs) in enumerate(ends, 1)
    )
    heads = ("", *(word("column", number=number) for number in range(1, len(inputs.table[0]) + 1)))
    return Table(word("given_away"), heads, rows)
