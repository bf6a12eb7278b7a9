"""Simple regression from five noisy sums: choices, the release they stand for, the draws, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.inference import (
    ConjugateRegression,
    NoisySums,
    RegressionPosterior,
    RegressionPrior,
    cirrhosis_data,
    conjugate_regression,
    draw_noisy_sums,
    feasible_sums,
    regression_posterior,
)
from riskline.case.fields import Field
from ui.pictures.columns import Column, Numbers, side_by_side, written
from ui.pictures.marks import Axis, Band, Dots, Line, Mark, Panel
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, frequency, plain_number, rounded
from ui.words.quantities import Lower, Upper, number
from ui.words.refusals import refusal_words

LARGEST = 1e9
SMALLEST = 1e-15  # of a budget, a weight, a shape, a rate: below it sums of numbers no longer hold it
CHAINS, DRAWS, WARM_UP = 200, 100, 60
SUMS = (
    ("sum_x", "Sum of x", 9.6),
    ("sum_xx", "Sum of x²", 3.9),
    ("sum_y", "Sum of y", 18.7),
    ("sum_xy", "Sum of x·y", -3.9),
    ("sum_yy", "Sum of y²", 3.6),
)
REGRESSION_FIELDS: tuple[Field, ...] = (
    Field("sums", "Five noisy sums", "choice", "cirrhosis", options=("cirrhosis", "own")),
    Field("points", "Number of pairs", "count", 46, low=3, high=100_000),
    *(Field(name, label, "number", value, low=-LARGEST, high=LARGEST) for name, label, value in SUMS),
    Field("epsilon_each", "ε of each sum", "number", 0.1, low=SMALLEST, high=1000),
    Field("intercept_guess", "Guess of the height at 0", "number", 1.0, low=-1000, high=1000),
    Field("slope_guess", "Guess of the slope", "number", 0.0, low=-1000, high=1000),
    Field("line_weight", "Weight of both guesses, in pairs", "number", 0.25, low=SMALLEST, high=10_000),
    Field("shape", "Shape of the belief about the variance", "number", 20.0, low=SMALLEST, high=10_000),
    Field("rate", "Rate of the belief about the variance", "number", 0.5, low=SMALLEST, high=10_000),
    Field("draw_seed", "Seed of noise and draws", "count", 1, low=0, high=999_999),
    Field("compute", "Compute (a few seconds)", "flag", False),
)


@dataclass(frozen=True, kw_only=True)
class RegressionChoice:
    """The regression a reader chose."""

    sums: str = "cirrhosis"
    points: int = 46
    sum_x: float = 9.6
    sum_xx: float = 3.9
    sum_y: float = 18.7
    sum_xy: float = -3.9
    sum_yy: float = 3.6
    epsilon_each: float = 0.1
    intercept_guess: float = 1.0
    slope_guess: float = 0.0
    line_weight: float = 0.25
    shape: float = 20.0
    rate: float = 0.5
    draw_seed: int = 1
    compute: bool = False

    @property
    def noisy_sums(self) -> NoisySums:
        """The five released sums: drawn round those of the cirrhosis data, or typed."""
        if self.sums == "cirrhosis":
            return draw_noisy_sums(cirrhosis_data(), self.epsilon_each, seed=self.draw_seed)
        values = (self.sum_x, self.sum_xx, self.sum_y, self.sum_xy, self.sum_yy)
        return NoisySums(self.points, *values, epsilon_each=self.epsilon_each)

    @property
    def line_prior(self) -> RegressionPrior:
        """The prior of the line."""
        guess, weight = (self.intercept_guess, self.slope_guess), (self.line_weight, self.line_weight)
        return RegressionPrior(guess, weight, self.shape, self.rate)


def regression_draws(
    inputs: RegressionChoice, progress: Callable[[int, int], None] | None = None
) -> RegressionPosterior | str:
    """Draws of the regression given the noisy sums, or the sentence that says why there are none."""
    try:
        return regression_posterior(
            inputs.noisy_sums,
            inputs.line_prior,
            chains=CHAINS,
            draws=DRAWS,
            warm_up=WARM_UP,
            seed=inputs.draw_seed,
            progress=progress,
        )
    except (ValueError, ArithmeticError) as error:
        return refusal_words(error)


def regression_parts(inputs: RegressionChoice, style: Style, draws: RegressionPosterior | str | None) -> dict[str, Any]:
    """The page's answer, picture, numbers and table for the regression, before or after its draws.

    Raises
    ------
    ValueError
        With the sentence that came instead of draws.
    """
    if isinstance(draws, str):
        raise ValueError(draws)
    release, prior = inputs.noisy_sums, inputs.line_prior
    truth = conjugate_regression(46, cirrhosis_data().sums, prior) if inputs.sums == "cirrhosis" else None
    context = _facts(inputs, release, truth, draws, style)

    def words(name: str) -> str:
        return say("infer", style.voice, name, **context)

    kind = "cirrhosis" if truth is not None else "own"
    state = "waiting" if draws is None else "known"
    return {
        "answer": words(f"regression_{state}_{kind}"),
        "small_print": words("regression_small_print_waiting" if draws is None else "regression_small_print"),
        "main": _line_picture(truth, draws, words, style),
        "numbers": _numbers(release, draws, context, words),
        "table": _sums_table(release, truth is not None, draws),
        "notes": () if feasible_sums(release.n, release.values) else (words("regression_impossible"),),
        "computed": words("regression_computed"),
    }


def end(value: float, way: str) -> str:
    """An end of an interval of the slope, rounded outwards."""
    return f"{rounded(value, 2, way) + 0.0:.2f}"


def _facts(
    inputs: RegressionChoice,
    release: NoisySums,
    truth: ConjugateRegression | None,
    draws: RegressionPosterior | None,
    style: Style,
) -> dict[str, str]:
    context = {
        "n": f"{release.n:,}",
        "epsilon": plain_number(inputs.epsilon_each, 4),
        "epsilon_total": plain_number(5 * inputs.epsilon_each, 4),
        "noise": plain_number(np.sqrt(2) / inputs.epsilon_each, 3),
        "seed": str(inputs.draw_seed),
        "exact_low": "–",
        "exact_high": "–",
        "low": "–",
        "high": "–",
        "middle": "–",
        "rises": "–",
        "worth": "–",
        "kept": "–",
        "drawn": f"{CHAINS * DRAWS:,}",
    }
    if truth is not None:
        slope, sd = truth.mean[1], truth.sd[1]
        context["exact_low"] = end(slope - 1.96 * sd, Lower.direction)
        context["exact_high"] = end(slope + 1.96 * sd, Upper.direction)
    if draws is not None:
        belief = decimal_belief if style.technical else frequency
        low, high = np.quantile(draws.slope, [0.025, 0.975]).tolist()
        context |= {
            "low": end(low, Lower.direction),
            "high": end(high, Upper.direction),
            "middle": f"{float(draws.slope.mean()):.2f}",
            "rises": belief(round(float((draws.slope > 0).mean()), 2)),
            "worth": Lower(draws.effective_draws, number(2)).digits,
            "kept": f"{100 * draws.kept_share:.1f} %",
        }
    kept = "regression_to_keep" if draws is None else "regression_kept"
    return context | {"which_kept": say("infer", style.voice, kept, **context)}


def _line_picture(
    truth: ConjugateRegression | None, draws: RegressionPosterior | None, words: Callable[[str], str], style: Style
) -> Picture:
    x = np.linspace(0.0, 1.0, 41)
    across, up = (words(f"axis_{axis}" if truth is not None else f"axis_{axis}_own") for axis in ("x", "y"))
    columns = [Column("x", "x", x, quantity=across, said=written(".2f"), hover=".2f")]
    marks: list[Mark] = []

    def add(key: str, name: str, values: NDArray[np.float64] | None, aspect: str = "") -> None:
        line = np.full(x.size, np.nan) if values is None else values
        columns.append(
            Column(
                key,
                name,
                line,
                quantity=up,
                aspect=aspect,
                said=written(".3f"),
                absent="–",
                hover=".3f",
            )
        )

    low = middle = high = None
    if draws is not None:
        lines = draws.intercept[:, None] + draws.slope[:, None] * x
        low, middle, high = np.quantile(lines, [0.025, 0.5, 0.975], axis=0)
        marks += [Band(x="x", low="low", high="high", edge="accent"), Line(x="x", y="middle")]
    elif truth is None:
        marks.append(Line(x="x", y="middle", in_legend=False))  # nothing yet, on axes that say what will be there
    add("low", words("band"), low, "lower")
    add("middle", words("band_middle"), middle)
    add("high", words("band"), high, "upper")
    add("exact", words("band_exact"), None if truth is None else truth.mean[0] + truth.mean[1] * x)
    rows = [side_by_side(*columns, listed=range(0, x.size, 5))]
    if truth is not None:
        marks += [Line(x="x", y="exact", role="reach", dash="dash")]
        rows.append(
            side_by_side(
                Column("data_x", f"{across}, data", cirrhosis_data().x, quantity=across, hover=".2f"),
                Column("data_y", words("band_points"), cirrhosis_data().y, quantity=up, hover=".2f"),
            )
        )
        marks.append(Dots(x="data_x", y="data_y", role="quiet", symbol="circle-open", size=7))
    reading = words("reading_line" if draws is not None else "reading_line_waiting")
    return Picture(
        key="line",
        numbers=Numbers(reading, tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(range=(-0.02, 1.02)), y=Axis(range=(-0.35, 1.35))),),
        reading=reading,
        style=style,
        legend="above",
        height=400,
    )


def _numbers(
    release: NoisySums, draws: RegressionPosterior | None, context: dict[str, str], words: Callable[[str], str]
) -> tuple[tuple[str, str, str], ...]:
    rows = [(words("number_noise"), context["noise"], words("note_noise"))]
    if draws is not None:
        rows += [
            (words("number_rises"), context["rises"], words("note_rises")),
            (words("number_worth"), context["worth"], words("note_worth")),
        ]
    return tuple(rows)


def _sums_table(release: NoisySums, known: bool, draws: RegressionPosterior | None) -> Table:
    """Each sum as published, as it was when that is public, and as it is believed to be."""
    truth = cirrhosis_data().sums if known else None
    means, spreads = (draws.mean(), draws.sd()) if draws is not None else ({}, {})
    rows = tuple(
        (
            label.lower(),
            plain_number(float(value), 4),
            "–" if truth is None else plain_number(float(truth[k]), 4),
            f"{plain_number(means[name], 4)} ± {plain_number(spreads[name], 3)}" if means else "–",
        )
        for k, ((name, label, _), value) in enumerate(zip(SUMS, release.values, strict=True))
    )
    return Table(
        f"The five sums of {release.n:,} pairs, both values between 0 and 1",
        ("sum", "published", "without noise", "believed (± standard deviation)"),
        rows,
    )
