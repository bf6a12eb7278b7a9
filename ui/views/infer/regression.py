"""Simple regression from five noisy sums: the draws, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dpcore.inference import (
    ConjugateRegression,
    NoisySums,
    RegressionPosterior,
    cirrhosis_data,
    conjugate_regression,
    draw_noisy_sums,
    feasible_sums,
    regression_posterior,
)
from ui.pictures.columns import Column, side_by_side, written
from ui.pictures.marks import Axis, Band, Dots, Line, Mark
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table, table_of
from ui.views.infer.learned import SUMS, InferInputs
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency, plain_number, rounded
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Lower, Upper, number
from ui.words.refusals import refusal_words

CHAINS, DRAWS, WARM_UP = 200, 100, 60


def regression_draws(
    inputs: InferInputs, progress: Callable[[int, int], None] | None = None
) -> RegressionPosterior | str:
    """Draws of the regression given the noisy sums, or the sentence that says why there are none."""
    try:
        return regression_posterior(inputs.noisy_sums, inputs.line_prior, **_run_of(inputs), progress=progress)
    except (ValueError, ArithmeticError) as error:
        return refusal_words(error)


def _run_of(inputs: InferInputs) -> dict[str, Any]:
    return {"chains": CHAINS, "draws": DRAWS, "warm_up": WARM_UP, "seed": inputs.draw_seed}


def regression_parts(inputs: InferInputs, style: Style, draws: RegressionPosterior | str | None) -> dict[str, Any]:
    """The page's answer, picture, numbers and table for the regression, before or after its draws.

    Raises ValueError with the sentence that came instead of draws.
    """
    if isinstance(draws, str):
        raise ValueError(draws)
    release, prior = inputs.noisy_sums, inputs.line_prior
    truth = conjugate_regression(46, cirrhosis_data().sums, prior) if inputs.sums == "cirrhosis" else None
    context = _context(inputs, truth, draws, style)

    words = partial(say, "infer", style.voice, **context)
    return {
        "answer": words("regression_waiting" if draws is None else "regression_known"),
        "small_print": words("regression_small_print"),
        "main": _line_picture(truth, draws, words, style),
        "table": _sums_table(release, truth is not None, draws),
        "notes": () if feasible_sums(release.n, release.values) else (words("regression_impossible"),),
        "computed": say("infer", "technical", "regression_computed", **context),
        "python": _in_python(inputs, draws),
    }


def _in_python(inputs: InferInputs, draws: RegressionPosterior | None) -> CodeLines:
    """The lines of the run, for the range that holds 95 of 100 slopes it draws."""
    code = CodeWriter()
    sums: object = inputs.noisy_sums
    if inputs.sums == "cirrhosis":
        sums = code(draw_noisy_sums, code(cirrhosis_data), inputs.epsilon_each, seed=inputs.draw_seed)
    release, prior = code.let("release", sums), code.let("prior", inputs.line_prior)
    found = code.let("found", code(regression_posterior, release, prior, **_run_of(inputs)))
    said: tuple[Lower | Upper, ...] = ()
    if draws is not None:
        low, high = np.quantile(draws.slope, [0.025, 0.975]).tolist()
        said = Lower(low, _end), Upper(high, _end)
    return code.ending(code(np.quantile, Source(f"{found}.slope"), [0.025, 0.975]), *said)


def _end(value: float, way: str) -> str:
    """An end of an interval of the slope, rounded outwards."""
    return f"{rounded(value, 2, way) + 0.0:.2f}"


def _context(
    inputs: InferInputs, truth: ConjugateRegression | None, draws: RegressionPosterior | None, style: Style
) -> dict[str, str]:
    later = ("exact_low", "exact_high", "low", "high", "middle", "rises", "worth", "kept")
    context = dict.fromkeys(later, "–") | {
        "n": f"{inputs.noisy_sums.n:,}",
        "epsilon": plain_number(inputs.epsilon_each, 4),
        "epsilon_total": plain_number(5 * inputs.epsilon_each, 4),
        "noise": plain_number(np.sqrt(2) / inputs.epsilon_each, 3),
        "seed": str(inputs.draw_seed),
        "drawn": f"{CHAINS * DRAWS:,}",
    }
    if truth is not None:
        slope, sd = truth.mean[1], truth.sd[1]
        context["exact_low"] = _end(slope - 1.96 * sd, Lower.direction)
        context["exact_high"] = _end(slope + 1.96 * sd, Upper.direction)
    if draws is not None:
        belief = decimal_belief if style.technical else frequency
        low, high = np.quantile(draws.slope, [0.025, 0.975]).tolist()
        context |= {
            "low": _end(low, Lower.direction),
            "high": _end(high, Upper.direction),
            "middle": f"{float(draws.slope.mean()):.2f}",
            "rises": belief(round(float((draws.slope > 0).mean()), 2)),
            "worth": Lower(draws.effective_draws, number(2)).digits,
            "kept": f"{100 * draws.kept_share:.1f} %",
        }
    kept = "regression_to_keep" if draws is None else "regression_kept"
    return context | {
        "which_kept": say("infer", "technical", kept, **context),
        "estimate": "" if draws is None else say("infer", style.voice, "estimate", **context) + " ",
        "truth": "" if truth is None else " " + say("infer", style.voice, "truth", **context),
    }


def _line_picture(
    truth: ConjugateRegression | None, draws: RegressionPosterior | None, words: Callable[[str], str], style: Style
) -> Picture:
    x = np.linspace(0.0, 1.0, 41)
    across, up = (words(f"axis_{axis}" if truth is not None else f"axis_{axis}_own") for axis in ("x", "y"))
    columns = [Column("x", words("line.x"), x, quantity=across, said=written(".2f"), hover=".2f")]
    of_line = partial(Column, quantity=up, said=written(".3f"), absent="–", hover=".3f")
    marks: list[Mark] = []

    nowhere = np.full(x.size, np.nan)
    low = middle = high = nowhere
    if draws is not None:
        lines = draws.intercept[:, None] + draws.slope[:, None] * x
        low, middle, high = np.quantile(lines, [0.025, 0.5, 0.975], axis=0)
        marks += [Band(x="x", low="low", high="high", edge="accent"), Line(x="x", y="middle")]
    elif truth is None:
        marks.append(Line(x="x", y="middle", in_legend=False))  # nothing yet, on axes that say what will be there
    columns += [
        of_line("low", words("band"), low, aspect=words("line.lower")),
        of_line("middle", words("band_middle"), middle),
        of_line("high", words("band"), high, aspect=words("line.upper")),
        of_line("exact", words("band_exact"), nowhere if truth is None else truth.mean[0] + truth.mean[1] * x),
    ]
    rows = [side_by_side(*columns, listed=range(0, x.size, 5))]
    if truth is not None:
        marks += [Line(x="x", y="exact", role="reach", dash="dash")]
        data, name = partial(Column, hover=".2f"), f"{across}, {words('line.data')}"
        data_x = data("data_x", name, cirrhosis_data().x, quantity=across)
        rows.append(side_by_side(data_x, data("data_y", words("band_points"), cirrhosis_data().y, quantity=up)))
        marks.append(Dots(x="data_x", y="data_y", role="quiet", symbol="circle-open", size=7))
    reading = words("reading_line" if draws is not None else "reading_line_waiting")
    across_axis, up_axis = Axis(range=(-0.02, 1.02)), Axis(range=(-0.35, 1.35))
    return Picture.of(
        "line", rows, marks, reading=reading, x=across_axis, y=up_axis, style=style, legend="above", height=400
    )


def _sums_table(release: NoisySums, known: bool, draws: RegressionPosterior | None) -> Table:
    """Each sum as published, as it was when that is public, and as it is believed to be."""
    truth = cirrhosis_data().sums if known else None
    means, spreads = (draws.mean(), draws.sd()) if draws is not None else ({}, {})
    rows = (
        (
            label("infer", name).lower(),
            plain_number(float(value), 4),
            "–" if truth is None else plain_number(float(truth[place]), 4),
            f"{plain_number(means[name], 4)} ± {plain_number(spreads[name], 3)}" if means else "–",
        )
        for place, (name, value) in enumerate(zip(SUMS, release.values, strict=True))
    )
    return table_of("infer", "five_sums", rows, n=f"{release.n:,}")
