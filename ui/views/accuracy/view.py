"""What it costs: the error a budget brings to counts and to decisions about rates, and the budget an accuracy needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._cache import cached_by_size
from dpcore.accuracy import (
    AdditiveMechanism,
    CountError,
    Noise,
    RateTarget,
    count_error,
    noise_for_range,
    noise_with_budget,
    wrong_side_probability,
)
from dpcore.guarantees import Guarantee, PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian, Laplace
from dpcore.profiles import CapOrRatio
from dpcore.rounding import round_up
from dpcore.semantics import posterior_upper, shift_bound
from riskline.answers import CaseBudget, schema_of_districts
from riskline.case.choices import PROMISE_FIELDS, case_field
from riskline.case.fields import Field, of_session
from riskline.case.promise import PromiseChoice, contradiction
from riskline.case.value import Case
from ui.link.page_link import PageLink
from ui.pictures.columns import Column, Numbers, digits, side_by_side, written
from ui.pictures.marks import Axis, Line, Panel
from ui.pictures.palette import DASHES, ROLES
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.accuracy.districts import DISTRICT_FIELDS, INVENTED, in_districts
from ui.views.accuracy.in_python import in_python
from ui.views.accuracy.law import bars_of_error, budget_of, law_of_error_numbers, whole_range
from ui.views.accuracy.next_steps import next_steps
from ui.views.shared import belief_before
from ui.views.shared.promise import StatedBelief, promise_words
from ui.views.shared.trial import tried
from ui.views.shared.typed_districts import Districts
from ui.words.catalogue import say
from ui.words.phrasing import NEAREST, decimal_belief, decimals_for, frequency, how_often, plain_number
from ui.words.python_lines import CodeLines
from ui.words.quantities import Allowed, Exact, Failure, Typed, Upper, number, whole
from ui.words.refusals import refusal_sentence

NOISES: dict[str, Noise] = {
    "geometric": "geometric",
    "laplace": "laplace",
    "gaussian": "gaussian",
    "discrete_gaussian": "discrete_gaussian",
}
FIELDS: tuple[Field, ...] = (
    Field("start", "Where do you start?", "choice", "budget", options=("budget", "accuracy")),
    case_field("noise", default="geometric", options=tuple(NOISES)),
    Field("epsilon", "Budget ε", "number", 1.29, low=1e-4, high=50),
    Field("rho", "Budget ρ", "number", 0.1, low=1e-6, high=100),
    of_session(Field("count", "A count in your table", "count", 200, low=0, high=1_000_000_000)),
    Field("half_width", "Counts within plus or minus", "number", 10.0, low=0.5, high=100_000),
    Field("level", "How often (0.95: 95 times in 100)", "number", 0.95, low=0.5, high=1, open_high=True),
    case_field("prior", label="What an attacker believes before", default=0.05),
    case_field("failure"),
    of_session(Field("total", "Base of the rate, for example births", "count", 4012, low=1, high=1_000_000_000)),
    of_session(Field("target", "Target per thousand", "number", 6.0, low=0, high=1000)),
    Field("deviation", "Truth off the target by, per thousand", "number", 0.25, low=0, high=1000),
    *DISTRICT_FIELDS,
    *PROMISE_FIELDS,
    case_field("moves"),
)
CAPS = (0.1, 0.25, 0.5)
RATIOS: NDArray[np.float64] = np.geomspace(1.2, 10.0, 17)
DEVIATIONS = (0.25, 0.5, 1.0, 2.0)


@dataclass(frozen=True, kw_only=True)
class AccuracyInputs(PromiseChoice):
    """What a reader chose on this page."""

    start: str = "budget"
    noise: str = "geometric"
    epsilon: float = 1.29
    rho: float = 0.1
    count: int = 200
    half_width: float = 10.0
    level: float = 0.95
    prior: float = 0.05
    failure: float = 0.01
    total: int = 4012
    target: float = 6.0
    deviation: float = 0.25
    places: Districts = INVENTED
    more_than: int = 2
    seed: int = 1
    moves: str = ""

    @property
    def asks_where(self) -> bool:
        """Whether it matters for the districts if the two possibilities place somebody in different ones."""
        return schema_of_districts(len(self.places), self.moves).asks_where(self.relation)

    @property
    def concentrated(self) -> bool:
        """Whether the budget of this noise is a ρ."""
        return self.noise in ("gaussian", "discrete_gaussian")

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's, or an accuracy is asked for."""
        if self.start == "accuracy":
            return None
        return tried(self.rho, "rho", case) if self.concentrated else tried(self.epsilon, "epsilon", case)


@dataclass(frozen=True)
class AccuracyView:
    """Everything the page shows."""

    answer: str
    small_print: str
    mechanism: AdditiveMechanism | None = None
    error: CountError | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    law: Picture | None = None
    wrong_side: Picture | None = None
    alternatives: Picture | None = None
    kinds: Table | None = None
    districts: str = ""
    districts_print: str = ""
    below_zero: str = ""
    districts_off: Picture | None = None
    example: Table | None = None
    next: tuple[PageLink, ...] = ()
    computed: str = ""
    stated: tuple[StatedBelief, ...] = ()
    python: CodeLines | None = None
    refusal: str | None = None


def accuracy_view(inputs: AccuracyInputs, style: Style) -> AccuracyView:
    """The page for these choices."""
    if contradictory := contradiction(inputs):
        return AccuracyView("", "", refusal=contradictory)
    try:
        mechanism = _mechanism(inputs)
        error = count_error(mechanism, level=inputs.level)
        context = _facts(inputs, mechanism, error, style)
        continuous = isinstance(mechanism, (Laplace, Gaussian))
        rounding = say("accuracy", style.voice, f"rounding_{inputs.start}", **context) + " " if continuous else ""
        context["rounding"] = rounding
        return AccuracyView(
            answer=say("accuracy", style.voice, f"answer_{inputs.start}", **context),
            small_print=say("accuracy", style.voice, f"small_print_{inputs.start}", **context),
            mechanism=mechanism,
            error=error,
            numbers=_numbers(inputs, mechanism, error, style),
            law=_law(mechanism, error, context, style),
            wrong_side=_wrong_side(mechanism, context, style),
            alternatives=_alternatives(inputs, context, style),
            kinds=_kinds(inputs, style),
            **in_districts(inputs, mechanism, style),
            next=next_steps(inputs, budget_of(mechanism), style),
            computed=say("accuracy", style.voice, "computed", **context),
            stated=(_stated(inputs, mechanism, context["posterior"], context["prior"]),),
            python=in_python(inputs, mechanism, context["wide"]),
        )
    except ValueError as refused:
        return AccuracyView("", "", refusal=refusal_sentence(refused))


def _mechanism(inputs: AccuracyInputs) -> AdditiveMechanism:
    """The noise: of the budget given, or of the smallest budget that reaches the accuracy, rounded up for print."""
    noise = NOISES[inputs.noise]
    if inputs.start == "budget":
        return noise_with_budget(inputs.rho if inputs.concentrated else inputs.epsilon, noise)
    exact = budget_of(noise_for_range(inputs.half_width, noise, level=inputs.level))
    return noise_with_budget(round_up(exact, decimals_for(exact)), noise)


def _spent(inputs: AccuracyInputs, mechanism: AdditiveMechanism) -> Guarantee:
    """The budget of this noise on one count, for the change the reader counts as one."""
    own, change = mechanism.guarantee, Relation(inputs.relation)
    if isinstance(own, ZeroConcentratedDP):
        return ZeroConcentratedDP(rho=own.rho, relation=change)
    return PureDP(epsilon=own.epsilon, relation=change)


def _highest(inputs: AccuracyInputs, mechanism: AdditiveMechanism) -> float:
    """Largest belief about the secret that any release with this budget allows; for a ρ, except with δ′."""
    spent = _spent(inputs, mechanism)
    failing = inputs.failure if inputs.concentrated else 0.0
    shift = shift_bound(spent, delta_prime=failing, promise=inputs.promise)
    return float(posterior_upper(prior=inputs.prior, epsilon=shift))


def _stated(inputs: AccuracyInputs, mechanism: AdditiveMechanism, said: Upper, before: str) -> StatedBelief:
    promise = replace(inputs.promise, failure_probability=inputs.failure if inputs.concentrated else 0.0)
    shown = inputs.start == "accuracy"
    return StatedBelief(inputs.prior, said, promise, _spent(inputs, mechanism), printed=shown, before=before)


def _facts(inputs: AccuracyInputs, mechanism: AdditiveMechanism, error: CountError, style: Style) -> dict[str, Any]:
    belief = decimal_belief if style.technical else frequency
    often = decimal_belief if style.technical else how_often

    symbol = "ρ" if inputs.concentrated else "ε"
    target = RateTarget(total=inputs.total, target_per_thousand=inputs.target)
    off = target.deviation_counts([inputs.deviation])[0]
    above = float(wrong_side_probability(mechanism, excess=off)) if off else math.nan
    below = float(wrong_side_probability(mechanism, excess=-off))
    wide, chance = whole_range(mechanism, error)
    after = Upper(_highest(inputs, mechanism), belief)
    return {
        "moves": say("accuracy", style.voice, f"moves_{inputs.relation}"),
        "budget": f"{symbol} = {plain_number(budget_of(mechanism), 4)}",
        "half_width": Upper(error.half_width, number(4)),
        "wide": Upper(wide, whole),
        "chance": Exact(chance, often),
        "wanted": Typed(inputs.half_width, number(4)),
        "level": Typed(inputs.level, often),
        "count": f"{inputs.count:,}",
        "low": f"{inputs.count - wide:,}".replace("-", "−"),
        "high": f"{inputs.count + wide:,}",
        "exact": often(error.probability_exact),
        "std": plain_number(error.root_mean_square, 4),
        "prior": belief_before.typed_down(inputs.prior, style, after),
        "posterior": after,
        "exception": f"{Failure(inputs.failure, belief):, except with a probability of …}"
        if inputs.concentrated
        else "",
        "law": "Theorem 28 with the tail bound of zCDP, ours" if inputs.concentrated else "Corollary 32",
        **{
            name: words
            for name, words in promise_words(inputs.promise, style.voice).items()
            if name in ("that", "promise")
        },
        "noise": NAMES[inputs.noise],
        "target_count": Typed(target.target_count, whole),
        "total": f"{inputs.total:,}",
        "target": Typed(inputs.target, number(4)),
        "off": f"{off:,}",
        "above": "" if math.isnan(above) else often(above),
        "below": often(below),
    }


NAMES = {
    "geometric": "geometric noise",
    "laplace": "Laplace noise",
    "gaussian": "Gaussian noise",
    "discrete_gaussian": "discrete Gaussian noise",
}
AT_THE_START = {code: f"{name[0].upper()}{name[1:]}" for code, name in NAMES.items()}
"""The names of the noises where they begin a line; the other capitals stay."""


def _numbers(
    inputs: AccuracyInputs, mechanism: AdditiveMechanism, error: CountError, style: Style
) -> tuple[tuple[str, str, str], ...]:
    relative = error.root_mean_square / inputs.count if inputs.count else math.inf
    return (
        (
            "Budget",
            f"{'ρ' if inputs.concentrated else 'ε'} = {plain_number(budget_of(mechanism), 4)}",
            NAMES[inputs.noise],
        ),
        ("Typical error (standard deviation)", plain_number(error.root_mean_square, 3), "people; exact"),
        (
            f"Of a count of {inputs.count:,}",
            "–" if math.isinf(relative) else f"{plain_number(100 * relative, 2)} %",
            "typical error relative to it",
        ),
        ("Exactly right", frequency(error.probability_exact), "published counts; exact"),
    )


def _law(mechanism: AdditiveMechanism, error: CountError, context: dict[str, Any], style: Style) -> Picture:
    return Picture(
        key="noise-law",
        numbers=law_of_error_numbers(mechanism, error),
        marks=bars_of_error(mechanism, error),
        panels=(Panel(x=Axis(grid=False), y=Axis(zero=True)),),
        reading=say("accuracy", style.voice, "reading_law", **context),
        style=style,
        legend="above right",
        height=300,
    )


def _wrong_side(mechanism: AdditiveMechanism, context: dict[str, Any], style: Style) -> Picture:
    off: NDArray[np.float64] = np.arange(
        0, max(12, min(4 * math.ceil(mechanism.half_width(0.95)), 400)) + 1, dtype=float
    )
    above = np.r_[np.nan, np.asarray(wrong_side_probability(mechanism, excess=off[1:]))]
    below = np.asarray(wrong_side_probability(mechanism, excess=-off))
    reading = say("accuracy", style.voice, "reading_wrong_side" if context["above"] else "reading_on_target", **context)
    wrong = "published on the wrong side"
    numbers = side_by_side(
        Column("off", "away by", off, quantity="true count away from the target count by", said=written(".0f")),
        Column("above", "truth above the target", above, quantity=wrong),
        Column("below", "truth at or below it", below, quantity=wrong),
    )
    return Picture(
        key="wrong-side",
        numbers=Numbers(reading, (numbers,)),
        marks=(Line(x="off", y="above", label=1), Line(x="off", y="below", role="reach", dash="dash", label=0)),
        panels=(Panel(y=Axis(range=(0.0, 0.55))),),
        reading=reading,
        style=style,
        height=300,
    )


@lru_cache(maxsize=1)
def _implied() -> NDArray[np.float64]:
    """ε of a cap and a ratio on membership, for the caps and ratios of the small multiples."""
    return np.array(
        [[CapOrRatio(cap, float(r), value_prior=1.0).implied_epsilon().epsilon for r in RATIOS] for cap in CAPS]
    )


@cached_by_size()
def _chances(excess: tuple[int, ...]) -> NDArray[np.float64]:
    """Chance of the wrong side for each cap, excess and ratio, with geometric noise."""
    laws = [[noise_with_budget(float(epsilon), "geometric") for epsilon in row] for row in _implied()]
    return np.array([[wrong_side_probability(law, excess=list(excess)) for law in row] for row in laws]).swapaxes(1, 2)


def _alternatives(inputs: AccuracyInputs, context: dict[str, Any], style: Style) -> Picture:
    target = RateTarget(total=inputs.total, target_per_thousand=inputs.target)
    off = target.deviation_counts(list(DEVIATIONS))
    chances = _chances(off)
    reading = say("accuracy", style.voice, "reading_alternatives", **context)
    shape = (len(CAPS), RATIOS.size)
    across = "highest ratio r̃" if style.technical else "at most so many times as likely"
    columns = [
        Column("cap", "cap", np.repeat(CAPS, RATIOS.size), said=digits(2)),
        Column("ratio", "ratio", np.tile(RATIOS, len(CAPS)), quantity=across, said=digits(3)),
        Column("epsilon", "ε", _implied().ravel(), said=digits(4, Allowed)),
    ]
    for place, (deviation, k) in enumerate(zip(DEVIATIONS, off, strict=True)):
        chance = chances[:, place, :].reshape(shape).ravel()
        name = f"off by {plain_number(deviation)} per 1,000 ({k:,})"
        columns.append(Column(f"off_{place}", name, chance, quantity="published on the wrong side", said=digits(3)))
    fourth = [place for place in range(len(CAPS) * RATIOS.size) if place % RATIOS.size % 4 == 0]
    ticks = tuple((ratio, f"{ratio:g}") for ratio in (1.2, 2, 5, 10))
    return Picture(
        key="alternatives",
        numbers=Numbers(reading, (side_by_side(*columns, listed=fourth),)),
        marks=tuple(
            Line(
                x="ratio",
                y=f"off_{place}",
                role=ROLES[place],
                dash=DASHES[place],
                width=0.86,
                panel=panel,
                where=("cap", cap),
            )
            for panel, cap in enumerate(CAPS)
            for place in range(len(off))
        ),
        panels=tuple(
            Panel(
                x=Axis(log=True, ticks=ticks),
                y=Axis(zero=True),
                title=f"acceptable {Typed(cap, frequency):up to …}",
                same_rows=panel > 0,
            )
            for panel, cap in enumerate(CAPS)
        ),
        reading=reading,
        style=style,
        legend="below",
        height=400,
        gap=0.08,
    )


def _kinds(inputs: AccuracyInputs, style: Style) -> Table:
    """The same half-width and level by every kind of noise: the smallest budget each needs."""
    rows = []
    for code, noise in NOISES.items():
        needed = noise_for_range(max(inputs.half_width, 0.5), noise, level=inputs.level)
        exact = round_up(budget_of(needed), decimals_for(budget_of(needed)))
        needed = noise_with_budget(exact, noise)  # the budget as printed, and the belief it allows
        symbol = "ρ" if code in ("gaussian", "discrete_gaussian") else "ε"
        after = Upper(_highest(replace(inputs, noise=code), needed), frequency)
        before = belief_before.typed_down(inputs.prior, Style(), after)
        rows.append(
            (
                AT_THE_START[code],
                f"{symbol} = {exact:.{decimals_for(exact)}f}",
                plain_number(needed.std, 3, NEAREST),
                f"{before} → {after.digits}" + ("*" if symbol == "ρ" else ""),
            )
        )
    about = promise_words(inputs.promise, style.voice)["promise"]
    caption = (
        f"Smallest budget for ± {plain_number(inputs.half_width, 4)} of one count in at least "
        f"{plain_number(100 * inputs.level, 5)} % of releases (rounded up), and how far a belief can then go. {about} "
        f"* {Failure(inputs.failure, frequency):except with a probability of …}"
    )
    return Table(
        caption, ("noise", "budget needed", "standard deviation", "an attacker's belief can go, at most"), tuple(rows)
    )
