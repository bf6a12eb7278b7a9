"""What it costs: the error a budget brings to counts and to decisions about rates, and the budget an accuracy needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcore import accuracy
from dpcore.accuracy import NOISES, AdditiveMechanism, CountError, Noise, RateTarget
from dpcore.publication import EventCount, clamping_biases, errors_beyond, negative_counts
from dpcore.publication.lists import MOST_COUNTS
from dpcore.rounding import round_up
from dpcore.schema import Movement
from dpcore.scope import Scope
from riskline.answers import CaseBudget, counts_changed, schema_of_districts
from riskline.answers.errors import RowError, error_of_range, noise_error
from riskline.answers.evidence import Evidence
from riskline.case import declaration
from riskline.case.choices import BY_RHO, CountsReleases, of_case
from riskline.case.declaration import custom, of_session, option
from riskline.case.fields import number_text
from riskline.case.promise import PromiseChoice, contradiction
from riskline.case.value import Case
from ui.link.page_table import PageLink, fields_of, page_entry
from ui.pictures.columns import Column, side_by_side, written
from ui.pictures.marks import Axis, Bars, Line
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table, table_of
from ui.views.shared.belief_before import Rise, rise
from ui.views.shared.promise import PageAnswer, StatedBelief, called, promise_words, refusing, several
from ui.views.shared.strip import budget_words as decided_words
from ui.views.shared.strip import one_release, tried
from ui.views.shared.typed_table import Districts, decode_districts, encode_districts
from ui.words.catalogue import heads, label, option_words, say
from ui.words.phrasing import (
    NEAREST,
    decimal_belief,
    decimals_for,
    frequency,
    how_often,
    on_average,
    people_for,
    plain_number,
)
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import (
    Exact,
    Failure,
    Lower,
    Typed,
    Upper,
    as_often_as,
    as_told,
    claimed,
    in_people,
    number,
    of_times,
    whole,
)

INVENTED = decode_districts(
    "Ash 412 / Beech 187 / Birch 96 / Elm 240 / Hazel 33 / Larch 8 / Lime 2 / Maple 0 / Oak 1 / Pine 57 / Rowan 130 / "
    "Willow 3"
)


@dataclass(frozen=True, kw_only=True)
class AccuracyInputs(PromiseChoice, CountsReleases):
    """What a reader chose on this page."""

    start: str = option("budget", "accuracy")
    noise: Noise = of_case("noise", default="geometric", options=NOISES)
    epsilon: float = declaration.number(1.29, low=1e-4, high=50, span=(0.01, 8.0), step=0.01)
    rho: float = declaration.number(0.1, low=1e-6, high=100, span=(0.005, 3.0), step=0.005, format="%.3f")
    count: int = of_session(declaration.count(200, low=0, high=1_000_000_000))
    half_width: float = declaration.number(10.0, low=0.5, high=100_000, span=(0.5, 100.0), step=0.5)
    level: float = declaration.number(0.95, low=0.5, high=1, open_high=True, format="percent")
    prior: float = of_case("prior", default=0.05, format="percent")
    failure: float = of_case("failure")
    total: int = of_session(declaration.count(4012, low=1, high=1_000_000_000))
    target: float = of_session(declaration.number(6.0, low=0, high=1000))
    deviation: float = declaration.number(0.25, low=0, high=1000)
    places: Districts = of_session(custom(INVENTED, read=decode_districts, write=encode_districts))
    more_than: int = declaration.count(2, low=0, high=100_000)
    seed: int = declaration.count(1, low=0, high=1_000_000)
    moves: Movement | Literal[""] = of_case("moves")
    release: str = of_case("release")
    areas: int = of_case("areas")
    hidden: str = of_case("hidden")
    one: str = of_case("one")
    many: str = of_case("many")

    @property
    def districts(self) -> int:
        """How many districts the page speaks of: the reader's own, else as many as the case has, or the example's."""
        return self.areas if self.places == INVENTED and 1 < self.areas <= MOST_COUNTS else len(self.places)

    @property
    def asks_where(self) -> bool:
        """Whether it matters for the districts if the two possibilities place somebody in different ones."""
        return schema_of_districts(self.districts, self.moves).asks_where(self.relation)

    @property
    def concentrated(self) -> bool:
        """Whether the budget of this noise is a ρ."""
        return self.noise in BY_RHO

    @property
    def counts_changed(self) -> int:
        """How many of the released counts one change of the data touches: each has that share of the budget."""
        return counts_changed(self.areas, self.moves, self.relation)

    @property
    def mechanism(self) -> AdditiveMechanism:
        """The noise of a count: with its share of the budget, or the smallest budget for the accuracy, rounded up."""
        if self.start == "budget":
            budget = self.rho if self.concentrated else self.epsilon
            return noise_error(budget / self.counts_changed, self.noise).noise
        exact = error_of_range(self.half_width, self.noise, level=self.level).noise.budget
        return noise_error(round_up(exact, decimals_for(exact)), self.noise).noise

    def whole(self, mechanism: AdditiveMechanism) -> AdditiveMechanism:
        """The noise that a single count would have with all of the budget of which each count has its share."""
        changed = self.counts_changed
        return mechanism if changed == 1 else noise_error(changed * mechanism.budget, self.noise).noise

    @property
    def refusal(self) -> str:
        """Why the case has no counts with noise, whatever is asked below."""
        return contradiction(self) or (label("accuracy", "refused.coins") if self.release == "coins" else "")

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's, or an accuracy is asked for."""
        if self.start == "accuracy":
            return None
        return tried(self.rho, "rho", case) if self.concentrated else tried(self.epsilon, "epsilon", case)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice, hidden=self.hidden, one=self.one)


FIELDS = fields_of("accuracy", AccuracyInputs)


def budget_words(mechanism: AdditiveMechanism) -> str:
    """The budget of the noise with its letter."""
    return f"{mechanism.symbol()} = {plain_number(mechanism.budget, 4)}"


SMALL = 0.01
"""A district is called small where its count is published below zero at least so often."""
LEAST_CHANCE = 1e-300  # smaller ones are 0 in a float, and never impossible


def rounded_words(mechanism: AdditiveMechanism) -> str:
    """That a count with this noise is rounded before it is published; nothing of noise in whole numbers."""
    return "" if mechanism.is_whole else f" {label('numbers', 'rounded')}"


OF_A_LAW: dict[str, Any] = {"x": Axis(grid=False), "y": Axis(zero=True), "legend": "above right"}
"""How the law of a whole number is drawn."""


def law_of_error(row: RowError, reading: str, style: Style) -> Picture:
    """The law of the error: the central range filled, the tails hatched."""
    mechanism, (wide, _) = row.noise, row.whole_range
    reach = int(min(max(mechanism.half_width(0.999), 3), 400))
    step = max(1, math.ceil(reach / 60))
    edge: NDArray[np.float64] = np.arange(-reach, reach + 1, step, dtype=float)
    # a bar is the probability of publishing a value in its step, continuous noise rounded to whole numbers
    probability = np.asarray(mechanism.cdf(edge + step - 0.5)) - np.asarray(mechanism.cdf(edge - 0.5))
    inside, measured = f"{Upper(wide, whole):within ± …}", label("accuracy", "error.quantity")
    rows = side_by_side(
        Column("error", label("accuracy", "error"), edge, quantity=measured, said=written("+.0f"), hover="d"),
        Column("probability", label("accuracy", "probability"), np.maximum(probability, 0.0)),
        Column("inside", inside, (np.abs(edge) <= wide) & (np.abs(edge + step - 1) <= wide), listed=False),
    )
    marks = _inside_and_outside("error", inside, label("accuracy", "further_off"))
    caption = label("accuracy", "law_in_steps" if step > 1 else "law", step=step)
    return Picture.of(
        "noise-law", (rows,), marks, reading=reading, caption=caption, style=style, height=300, **OF_A_LAW
    )


def _inside_and_outside(x: str, inside: str, outside: str) -> tuple[Bars, ...]:
    return (
        Bars(x=x, y="probability", where=("inside", True), name=inside),
        Bars(x=x, y="probability", where=("inside", False), name=outside, role="reach", pattern="/"),
    )


def in_districts(inputs: AccuracyInputs, of_one: AdditiveMechanism, style: Style) -> dict[str, Any]:
    """What is said and drawn of a list of districts with noise for each, by its name in the view.

    `of_one` is the noise that the budget gives one count alone. Each district has half its budget where a record that
    is replaced can change two of them.
    """
    places, more_than, level = inputs.places, inputs.more_than, inputs.level
    schema = schema_of_districts(inputs.districts, inputs.moves)
    changed = len(schema.largest_change(0, inputs.relation).amounts)
    mechanism = of_one if changed == 1 else noise_error(of_one.budget / changed, inputs.noise).noise
    shared = "" if not schema.asks_where(inputs.relation) else "_known" if changed == 1 else "_halved"
    counts = np.array([count for _, count in places])
    off = errors_beyond(inputs.districts, mechanism=mechanism, more_than=more_than)
    below = negative_counts(counts, mechanism=mechanism)
    published = np.rint(mechanism.simulate_noise(len(places), seed=inputs.seed)).astype(int) + counts
    often, average = (decimal_belief, number(4)) if style.technical else (how_often, on_average)
    small = int((below.chances >= SMALL).sum())
    context: dict[str, Any] = {
        "number": f"{inputs.districts:,}",
        "listed": f"{len(places):,}",
        "whose": listed_or_invented(places),
        "more_than": Typed(more_than, number(6)),
        "people": (more_than == 1 and (called(inputs.one) or label("accuracy", "person"))) or several(inputs.many),
        "many": several(inputs.many),
        "off": Exact(off.expected, average),
        "spread": _ranged(*off.central_range(level)),
        "level": Typed(level, often),
        "small": f"{small:,}",
        "seldom": Typed(SMALL, often),
        "below": Exact(below.expected, average),
        "below_spread": _ranged(*below.central_range(level)),
        "raised": Exact(float(clamping_biases(counts, mechanism=mechanism).sum()), average),
        "raised_nobody": Exact(float(clamping_biases([0], mechanism=mechanism)[0]), average),
        "halved": budget_words(mechanism),
        "chance": often(float(off.chances[0])),
        "seed": f"{inputs.seed}",
        "missed": f"{int((np.abs(published - counts) > more_than).sum()):,}",
    }

    said = partial(say, "accuracy", style.voice, **context)
    wide, _ = RowError(mechanism, level).whole_range
    example = tuple(
        (
            name or label("accuracy", "district", number=place + 1),
            f"{count:,}",
            f"**{_minus(drawn)}**" if abs(drawn - count) > more_than else _minus(drawn),
            _ranged(count - wide, count + wide),
            in_people(100)(max(float(below.chances[place]), LEAST_CHANCE), NEAREST),
        )
        for place, ((name, count), drawn) in enumerate(zip(places, published.tolist(), strict=True))
    )
    return {
        "districts_print": said(f"small_print_districts{shared}"),
        "below_zero": said("below_zero"),
        "districts_off": _law_of_number(off, level, said("reading_districts"), style),
        "example": Table(said("example_districts"), heads("accuracy", "example"), example),
    }


def listed_or_invented(places: Districts) -> str:
    """What districts are called: a reader's own list, or the one that stands there before."""
    return label("accuracy", "invented" if places == INVENTED else "listed")


def _ranged(low: int, high: int) -> str:
    return _minus(low) if low == high else label("accuracy", "range", low=_minus(low), high=_minus(high))


def _law_of_number(off: EventCount, level: float, reading: str, style: Style) -> Picture:
    low, high = off.central_range(level)
    shown = np.arange(max(low - 3, 0), min(high + 3, off.law.size - 1) + 1)
    inside = label("accuracy", "of_them", spread=_ranged(low, high))
    rows = side_by_side(
        Column("number", label("accuracy", "too_far"), shown.astype(float), said=written(",.0f"), hover=",d"),
        Column("probability", label("accuracy", "probability"), off.law[shown]),
        Column("inside", inside, (shown >= low) & (shown <= high), listed=False),
    )
    marks = _inside_and_outside("number", inside, label("accuracy", "more_or_fewer"))
    return Picture.of("districts-off", (rows,), marks, reading=reading, style=style, height=260, **OF_A_LAW)


def _minus(value: int) -> str:
    return f"{value:,}".replace("-", "−")


@dataclass(frozen=True, kw_only=True)
class AccuracyView(PageAnswer):
    """Everything the page shows."""

    mechanism: AdditiveMechanism | None = None
    error: CountError | None = None
    law: Picture | None = None
    wrong_side: Picture | None = None
    kinds: Table | None = None
    districts_print: str = ""
    below_zero: str = ""
    districts_off: Picture | None = None
    example: Table | None = None
    next: tuple[PageLink, ...] = ()


@refusing(AccuracyView)
def accuracy_view(inputs: AccuracyInputs, style: Style) -> AccuracyView:
    """The page for these choices."""
    if inputs.refusal:
        return AccuracyView(refusal=inputs.refusal)
    mechanism = inputs.mechanism
    whole, row = inputs.whole(mechanism), RowError(mechanism, inputs.level)
    context = _context(inputs, row, style)

    def said(passage: str) -> str:
        return say("accuracy", style.voice, passage, **context)

    context["rounding"] = "" if mechanism.is_whole else said(f"rounding_{inputs.start}") + " "
    if inputs.counts_changed > 1:
        context["moves"] = said("share")
    shared = inputs.release in ("tables", "plan")
    return AccuracyView(
        answer=said(
            "answer_alone" if shared and inputs.start == "budget" and not style.technical else f"answer_{inputs.start}"
        ).rstrip(),
        small_print=said(f"small_print_{inputs.start}").rstrip()
        + (" " + said("alone") if shared else "")
        + one_release(inputs.number_of_releases, style.voice),
        mechanism=mechanism,
        error=row.error,
        law=law_of_error(row, said("reading_law") + " " + said("counted"), style),
        wrong_side=_wrong_side(
            mechanism,
            f"{said('reading_target')} {said('reading_wrong_side' if context['above'] else 'reading_on_target')}",
            style,
        ),
        kinds=_kinds(inputs, style),
        **in_districts(inputs, whole, style),
        next=_next_steps(inputs, whole, style),
        computed=say("accuracy", "technical", "computed", **context),
        stated=(_stated(inputs, whole, style),),
        python=_in_python(inputs, mechanism, context["wide"]),
    )


def _evidence(inputs: AccuracyInputs, mechanism: AdditiveMechanism) -> Evidence:
    """What any release with the budget of this noise tells about the secret; for a ρ, except with δ′."""
    return Evidence(promise=inputs.promise, source=mechanism.guarantee, failure=inputs.failure)


def _rise(inputs: AccuracyInputs, mechanism: AdditiveMechanism, style: Style) -> Rise:
    """The belief before, and the highest one after any release with this budget."""
    after = _evidence(inputs, mechanism).belief_after
    return rise(inputs.prior, lambda prior: claimed(after(prior), Scope.ANY_MECHANISM, style.belief), style, typed=True)


def _stated(inputs: AccuracyInputs, mechanism: AdditiveMechanism, style: Style) -> StatedBelief:
    told = _rise(inputs, mechanism, style)
    promise = replace(inputs.promise, failure_probability=inputs.failure if inputs.concentrated else 0.0)
    source = _evidence(inputs, mechanism).step
    return StatedBelief(told.prior, told.after, promise, source, printed=inputs.start == "accuracy", before=told.words)


def _context(inputs: AccuracyInputs, row: RowError, style: Style) -> dict[str, Any]:
    mechanism, error, (wide, chance) = row.noise, row.error, row.whole_range
    belief, often = (decimal_belief, decimal_belief) if style.technical else (frequency, how_often)
    target = RateTarget(total=inputs.total, target_per_thousand=inputs.target)
    off = target.deviation_counts([inputs.deviation])[0]
    above, below = (float(accuracy.wrong_side_probability(mechanism, excess=excess)) for excess in (off, -off))
    wrongly = often if style.technical else of_times(people_for(above, below) if off else people_for(below))
    told = _rise(inputs, inputs.whole(mechanism), style)
    about = inputs.words(style.voice)
    failing = label("promise", "exception", failing=Failure(inputs.failure, belief))
    return {
        "moves": say("accuracy", style.voice, f"moves_{inputs.relation}"),
        "budget": budget_words(inputs.whole(mechanism)),
        "each": budget_words(mechanism),
        "areas": f"{inputs.areas:,}",
        "half_width": Upper(error.half_width, number(4)),
        "wide": Upper(wide, whole),
        "chance": Exact(chance, often),
        "holds": Lower(chance, often),
        "wanted": Typed(inputs.half_width, number(4)),
        "level": Typed(inputs.level, often),
        "count": f"{inputs.count:,}",
        "low": _minus(inputs.count - wide),
        "high": _minus(inputs.count + wide),
        "range": _ranged(inputs.count - wide, inputs.count + wide),
        "exact": (often if style.technical else as_often_as(chance))(error.probability_exact, NEAREST),
        "std": plain_number(error.root_mean_square, 4),
        "prior": told.words,
        "posterior": told.after,
        "exception": failing if inputs.concentrated else "",
        "law": say("accuracy", "technical", f"law_of_belief_{'rho' if inputs.concentrated else 'epsilon'}"),
        "that": about["that"],
        "promise": about["promise"],
        "noise": label("case", f"named_noise.{inputs.noise}"),
        "target_count": Typed(target.target_count, whole),
        "total": f"{inputs.total:,}",
        "target": Typed(inputs.target, number(4)),
        "off": f"{off:,}",
        "above": wrongly(above, NEAREST) if off else "",
        "below": wrongly(below, NEAREST),
    }


def _wrong_side(mechanism: AdditiveMechanism, reading: str, style: Style) -> Picture:
    furthest = max(12, min(4 * math.ceil(mechanism.half_width(0.95)), 400))
    off: NDArray[np.float64] = np.arange(0, furthest + 1, dtype=float)
    above = np.r_[np.nan, np.asarray(accuracy.wrong_side_probability(mechanism, excess=off[1:]))]
    below = np.asarray(accuracy.wrong_side_probability(mechanism, excess=-off))
    wrong = label("accuracy", "wrong_side")
    rows = side_by_side(
        Column("off", label("accuracy", "off"), off, quantity=label("accuracy", "off.quantity"), said=written(".0f")),
        Column("above", label("accuracy", "above"), above, quantity=wrong),
        Column("below", label("accuracy", "below"), below, quantity=wrong),
    )
    marks = Line(x="off", y="above", label=1), Line(x="off", y="below", role="reach", dash="dash", label=0)
    return Picture.of("wrong-side", (rows,), marks, reading=reading, y=Axis(range=(0.0, 0.55)), style=style, height=300)


def _kinds(inputs: AccuracyInputs, style: Style) -> Table:
    """The same half-width and level by every kind of noise: the smallest budget each needs."""
    rows, names, reached = [], option_words("case", "noise"), []
    for noise in NOISES:
        of_noise = replace(inputs, start="accuracy", half_width=max(inputs.half_width, 0.5), noise=noise)
        printed = of_noise.mechanism
        needed = of_noise.whole(printed)  # of the budget as printed, and the belief it allows
        reached.append(_rise(of_noise, needed, Style()))
        budget = decided_words(needed.budget, "rho" if of_noise.concentrated else "epsilon")
        rows.append((names[noise], budget, plain_number(printed.std, 3, NEAREST), "*" if of_noise.concentrated else ""))
    if min(one.of for one in reached) > 1:
        alike = in_people(people_for(*(one.after.value for one in reached), of=max(one.of for one in reached)))
        reached = [
            replace(one, words=alike(one.prior, NEAREST), after=replace(one.after, spoken=alike)) for one in reached
        ]
    return table_of(
        "accuracy",
        "kinds",
        [(*row, f"{one.words} → {one.after.digits}{mark}") for (*row, mark), one in zip(rows, reached, strict=True)],
        wanted=plain_number(inputs.half_width, 4),
        level=Typed(inputs.level, as_told(f"{plain_number(100 * inputs.level, 5)} %")),
        about=inputs.words(style.voice)["promise"],
        failing=Failure(inputs.failure, frequency),
    )


def _next_steps(inputs: AccuracyInputs, mechanism: AdditiveMechanism, style: Style) -> tuple[PageLink, ...]:
    """To a ledger of several releases that begins with this count, and to the memo."""
    rows = next(field for field in page_entry("plan").fields if field.name == "rows")
    row = f"x{inputs.noise}~{number_text(mechanism.budget)}~1~~{label('accuracy', 'count')}"
    several = PageLink("plan", say("accuracy", style.voice, "next_plan"), (("rows", rows.encode(rows.decode(row))),))
    return several, PageLink("memo", say("accuracy", style.voice, "next"))


def _in_python(inputs: AccuracyInputs, mechanism: AdditiveMechanism, wide: Upper) -> CodeLines:
    """The lines for the range of a published count, or for the budget that a range needs."""
    code, spent = CodeWriter(), mechanism.budget
    if inputs.start == "accuracy":
        found = code.let("noise", code(accuracy.noise_for_range, inputs.half_width, inputs.noise, level=inputs.level))
        exact = error_of_range(inputs.half_width, inputs.noise, level=inputs.level).noise.budget
        rounded = code(round_up, Source(f"{found}.{'rho' if inputs.concentrated else 'epsilon'}"), decimals_for(exact))
        if (changed := inputs.counts_changed) > 1:  # as many counts as one change touches share the budget
            return code.ending(Source(f"{changed} * {rounded}"), Exact(changed * spent, number(4)))
        return code.ending(rounded, Exact(spent, number(4)))
    chosen = code.let("noise", code(accuracy.noise_with_budget, spent, inputs.noise))
    width = code.let("width", Source(f"{code(accuracy.count_error, chosen, level=inputs.level)}.half_width"))
    if not mechanism.is_whole:  # whole numbers are published
        return code.ending(Source(f"max(0, {code(math.ceil, Source(f'{width} - 0.5'))})"), wide)
    return code.ending(code(math.ceil, width), wide)
