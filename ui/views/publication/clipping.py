"""Where to clip the amounts of a total or a mean: the noise that a bound needs against what it cuts off.

Amounts of a reader's own are an argument of the view and nothing else: neither a choice of the page nor kept here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtri

from dpcore._cache import MEGABYTE, cached_by_size
from dpcore.publication import ClippedMean, ClippedTotal, ClippingError, best_bounds, clipping_errors
from riskline.case.fields import number_text
from riskline.case.levels import BETWEEN
from riskline.case.tables import Sheet
from ui.pictures.columns import Column, digits, side_by_side, single
from ui.pictures.marks import Axis, Line, Mark, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.publication.choices import PublicationInputs
from ui.views.publication.results import WIDTH, named
from ui.views.publication.shared import Shared
from ui.words.catalogue import label, say
from ui.words.quantities import Allowed, Exact, Typed, Upper, in_people, number
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence

Amounts = NDArray[np.float64]

MOST_AMOUNTS = 100_000
MADE_UP = 5_000
ROUND = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1,))
"""Upper bounds that are tried lie so far above the lower one, times a power of ten; the finest that are few enough."""

MOST_TRIED = 36
NARROWEST = 1 / 80  # of the reach of the amounts
NOTICED = 0.995  # of an error: what is no smaller reads the same
BOUND = number(12)


@dataclass(frozen=True)
class ClippingAdvice:
    """What the fold shows; `refusal` says why these amounts give no advice.

    `taken` are the rows with the best bound in that of `place`, counted from 0; none where today's is the best.
    """

    caution: str
    sentence: str = ""
    small_print: str = ""
    picture: Picture | None = None
    place: int = 0
    take: str = ""
    taken: Sheet = ()
    refusal: str | None = None


def clipped_rows(tables: Sheet) -> tuple[int, ...]:
    """The totals and means among the rows, counted from 1.

    >>> clipped_rows(PublicationInputs().tables)
    (6,)
    """
    return tuple(place for place, row in enumerate(tables, 1) if row.kind in ("total", "mean"))


@cached_by_size(MEGABYTE)
def made_up(kind: str) -> Amounts:
    """Whole amounts that are made up: evenly spaced quantiles of a law with a long tail, or of a bell cut off.

    >>> [(kind, float(np.median(made_up(kind)))) for kind in ("days", "earnings", "scores", "hours")]
    [('days', 4.5), ('earnings', 2600.0), ('scores', 61.0), ('hours', 5.0)]
    """
    evenly = (np.arange(MADE_UP) + 0.5) / MADE_UP
    laws: dict[str, Callable[[], Amounts]] = {
        "days": lambda: np.ceil(4.0 * np.exp(ndtri(evenly))),
        "earnings": lambda: np.round(2600.0 * np.exp(0.6 * ndtri(evenly))),
        "scores": lambda: np.clip(np.round(61.0 + 17.0 * ndtri(evenly)), 0, 100),
        "hours": lambda: np.round(3.0 * gammaincinv(2.0, evenly)),
    }
    amounts = laws[kind]()
    amounts.setflags(write=False)
    return amounts


def clipping_advice(
    inputs: PublicationInputs, style: Style, own: Sequence[float] | None = None
) -> ClippingAdvice | None:
    """The advice for the chosen total or mean; None where there is none, or no budget to share."""
    places = clipped_rows(inputs.tables)
    caution = say("publication", style.voice, "clipping_caution")
    try:
        shared = Shared(inputs, style)
        if not places or not shared.has_budget:
            return None
        if inputs.amounts == "own" and own is None:
            return ClippingAdvice(caution, sentence=say("publication", style.voice, "clipping_waiting"))
        place = inputs.clipped if inputs.clipped in places else places[0]
        amounts = made_up(inputs.amounts) if own is None or inputs.amounts != "own" else np.asarray(own, dtype=float)
        return _advice(shared, place, amounts, caution)
    except (ValueError, *UNCOMPUTABLE) as error:
        return ClippingAdvice(caution, refusal=refusal_sentence(error, "publication"))


def _advice(shared: Shared, typed: int, amounts: Amounts, caution: str) -> ClippingAdvice:
    place = next(at for at, one in enumerate(shared.published) if one.place == typed)  # its first level stands for all
    row = shared.publication.rows[place]
    assert isinstance(row, ClippedTotal | ClippedMean)
    whole = row.is_whole
    broken = np.flatnonzero(amounts != np.floor(amounts)) if whole else np.empty(0)
    if broken.size:
        at = int(broken[0])
        raise ValueError(label("publication", "clipping.not_whole", place=at + 1, amount=f"{amounts[at]:g}"))
    if not amounts.max() > row.low:
        raise ValueError(label("publication", "clipping.all_below", low=f"{row.low:g}", top=f"{amounts.max():g}"))
    people, standing = _people(row, amounts)
    bounds = upper_bounds(amounts, low=row.low, high=row.high, whole=whole)
    errors = clipping_errors(
        amounts,
        [(row.low, high) for high in bounds],
        statistic="total" if isinstance(row, ClippedTotal) else "mean",
        noise=row.noise,
        budget=float(shared.allocation.budgets[place]),
        relation=shared.inputs.relation,
        group=shared.publication.group,
        movable=shared.publication.schema.movable(place) or row.numbers > row.areas,
        level=shared.inputs.level,
        people=people,
    )
    today = errors[bounds.index(row.high)]
    best = best_bounds([today, *errors], measure="half_width")
    if best.half_width > today.half_width * NOTICED:
        best = today
    context = _context(shared, place, amounts, today, best, people)
    whose = "clipping_own" if shared.inputs.amounts == "own" else "clipping_made_up"
    context |= {"standing": shared.say(standing, **context), "whose": shared.say(whose, **context)}
    now = "clipping_cut" if today.clipped_low + today.clipped_high else "clipping_uncut"
    then = "clipping_as_it_is" if best is today else "clipping_smallest"
    taken, keeps_share = ((), False) if best is today else _taken(shared, typed - 1, best)
    return ClippingAdvice(
        caution=caution,
        sentence=" ".join(shared.say(name, **context) for name in (now, then)),
        small_print=shared.say("clipping_small_print", **context),
        picture=_picture(shared, errors, today, best, context),
        place=typed - 1,
        take=label("publication", f"clipping.take{'_share' if keeps_share else ''}", **context) if taken else "",
        taken=taken,
    )


def upper_bounds(amounts: Amounts, *, low: float, high: float, whole: bool) -> list[float]:
    """Upper bounds to try, rising: today's, and round steps above the lower one, until nothing is cut and twice as far.

    >>> upper_bounds(np.array([1.0, 2.0, 7.0]), low=0, high=3.5, whole=False)[-6:]
    [6.0, 7.0, 8.0, 9.0, 10.0, 12.0]
    """
    above = amounts[amounts > low] - low
    reach = float(above.max())
    narrow = min(reach * NARROWEST, float(np.median(above)) / 2)  # far less than the rest where one amount is huge
    first, last = math.floor(math.log10(narrow)), math.ceil(math.log10(2 * reach))
    for series in ROUND:
        steps = [float(f"{step}e{power}") for power in range(first, last + 1) for step in series]
        enough = next(step for step in steps if step >= reach * (1 - 1e-12))
        steps = [step for step in steps if narrow <= step <= 2 * enough]
        if len(steps) <= MOST_TRIED:
            break
    tried = {float(f"{low + step:.12g}") for step in steps}
    return sorted({high} | {bound for bound in tried if bound > low and (not whole or bound == math.floor(bound))})


def _people(row: ClippedTotal | ClippedMean, amounts: Amounts) -> tuple[int, str]:
    """For how many people the amounts stand, and how that is said."""
    if isinstance(row, ClippedMean):
        return row.people, "clipping_stands_mean"
    whole, typical = math.fsum(amounts.tolist()), row.typical_count
    if typical is None or whole <= 0:
        return amounts.size, "clipping_stands_all"
    return max(round(amounts.size * typical / whole), 1), "clipping_stands_typical"


def _context(
    shared: Shared, place: int, amounts: Amounts, today: ClippingError, best: ClippingError, people: int
) -> dict[str, object]:
    row = shared.publication.rows[place]
    total = isinstance(row, ClippedTotal)
    truth = math.fsum(amounts.tolist()) / amounts.size * (people if total else 1)
    missed = abs(today.bias)
    return {
        "table": named(shared, place),
        "statistic": label("publication", "clipping.total" if total else "clipping.mean"),
        "count": f"{amounts.size:,}",
        "people": Exact(people, number(3)),
        "typical": "" if row.typical_count is None else Typed(row.typical_count, BOUND),
        "median": Exact(float(np.quantile(amounts, 0.5, method="inverted_cdf")), BOUND),
        "top": Exact(float(amounts.max()), BOUND),
        "low": Typed(today.low, BOUND),
        "bound": Typed(today.high, BOUND),
        "best": Typed(best.high, BOUND),
        "cut": Exact((today.clipped_low + today.clipped_high) / amounts.size, in_people(100)),
        "moved": label(
            "publication",
            "clipping.too_low" if today.bias < 0 else "clipping.too_high",
            bias=f"{Exact(100 * missed / abs(truth), number(2)).digits} %" if truth else Exact(missed, WIDTH).digits,
        ),
        "noise": Upper(today.noise_half_width, WIDTH),
        "now": Upper(today.half_width, WIDTH),
        "least": Upper(best.half_width, WIDTH),
        "level": shared.said_level,
        "budget": f"{shared.in_symbols} = {Allowed(float(shared.allocation.budgets[place]), number(4)).digits}",
    }


def _taken(shared: Shared, place: int, best: ClippingError) -> tuple[Sheet, bool]:
    """The rows with this upper bound, and whether the row's share of the budget is now kept by hand.

    A rule that shares by the width of the bounds would give the row another budget, for which other bounds are best.
    """
    rows = shared.inputs.tables
    row = replace(rows[place], high=number_text(best.high))
    keeps = shared.inputs.rule != "same_budget" and len(rows) > 1 and not row.share.strip()
    if keeps:
        shares = zip(shared.allocation.shares.tolist(), shared.published, strict=True)
        own = [Allowed(100 * share, number(6)).digits for share, one in shares if one.place == place + 1]
        row = replace(row, share=f"{BETWEEN} ".join(f"{share} %" for share in own))
    return (*rows[:place], row, *rows[place + 1 :]), keeps


def _picture(
    shared: Shared,
    errors: Sequence[ClippingError],
    today: ClippingError,
    best: ClippingError,
    context: dict[str, object],
) -> Picture:
    """Error against the upper bound: what is cut off, the noise, and both together."""
    across, range_, aspect = (label("publication", f"clipping.{name}") for name in ("bound", "range", "at_most"))
    upper = partial(Column, quantity=range_, aspect=aspect, said=digits(3, Upper))
    bias = [abs(error.bias) or None for error in errors]
    rows = [
        side_by_side(
            Column("bound", across, [error.high for error in errors], said=digits(12)),
            Column("bias", label("publication", "clipping.bias"), bias, quantity=range_, said=digits(3), absent="0"),
            upper("noise", label("publication", "clipping.noise"), [error.noise_half_width for error in errors]),
            upper("together", label("publication", "clipping.together"), [error.half_width for error in errors]),
        )
    ]
    marks: list[Mark] = [
        Line(x="bound", y="bias", role="reach", dash="dash"),
        Line(x="bound", y="noise", role="third", dash="dot"),
        Line(x="bound", y="together", few_symbols=True),
    ]
    drawn = [abs(error.bias) for error in errors if error.bias] + [error.noise_half_width for error in errors]
    for key, found in (("today", today), ("best", best)):
        if key == "best" and best is today:
            continue
        words = label("publication", f"clipping.{key}")
        at = single(f"{key}_bound", words, found.high, quantity=across, aspect=across)
        rows.append(side_by_side(at, single(f"{key}_error", words, found.half_width, quantity=range_, aspect=aspect)))
        left = today.high < best.high if key == "today" else best.high < today.high
        role, beside = "mark" if key == "today" else "accent", ("right" if left else "left", "bottom")
        marks.append(Spot(x=f"{key}_bound", y=f"{key}_error", role=role, beside=beside))
    return Picture.of(
        "publication-clipping",
        rows,
        marks,
        reading=shared.say("clipping_reading", **context),
        caption=shared.say("clipping_picture_caption", **context),
        x=Axis(log=True, ticks=_ticks(errors[0].high, errors[-1].high, (1, 2, 5))) if today.low >= 0 else Axis(),
        y=Axis(log=True, ticks=_ticks(min(drawn), max(error.half_width for error in errors), (1,))),
        style=shared.style,
        legend="above right",
        height=330,
    )


def _ticks(low: float, high: float, steps: tuple[int, ...]) -> tuple[tuple[float, str], ...]:
    """Round places of a logarithmic axis, written out."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    places = [float(f"{step}e{power}") for power in powers for step in steps]
    return tuple((place, BOUND(place, "nearest")) for place in places if low <= place <= high)
