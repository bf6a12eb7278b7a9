"""The page at once: a noisy mean and variance, the regression or the study of coverage, whichever was asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.inference import RegressionPosterior, posterior
from dpcore.inference.coverage import StudyRow, coverage_table
from ui.pictures.columns import Column, side_by_side, single, written
from ui.pictures.marks import Axis, Level, Line, Mark
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.infer.learned import MEASURES, InferInputs, Learned, ends
from ui.views.infer.regression import regression_parts
from ui.views.shared.promise import PageAnswer
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency, plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact
from ui.words.refusals import BEYOND_NUMBERS, UNCOMPUTABLE, refusal_sentence

POPULATIONS = {"low": 0.1, "middle": 0.5}
COMMAND = "python -m dpcore.inference.coverage --data-sets 20000 --points 5 > dpcore/data/coverage_study.csv"


@cache
def _rows(population: str, epsilon: str) -> tuple[StudyRow, ...]:
    """The study at a setting, the fewest values first."""
    return tuple(
        row
        for row in coverage_table()
        if row.mean == POPULATIONS[population] and abs(row.epsilon - float(epsilon)) < 1e-12
    )


def study_parts(inputs: InferInputs, style: Style) -> dict[str, Any]:
    """The page's answer, picture and lines of Python for one setting of the study."""
    rows = _rows(inputs.population, inputs.study_epsilon)
    first = rows[0]
    hundred = next(row for row in rows if row.n == 100)
    often = frequency if not style.technical else (lambda share: f"{share:.3f}")
    context = {
        "n": str(first.n),
        "epsilon": inputs.study_epsilon,
        "truth": plain_number(first.mean, 2),
        "sd": plain_number(first.sd, 2),
        "length": f"{first.constrained.length:.2f}",
        "length_ignored": f"{first.unconstrained.length:.2f}",
        "held": often(first.constrained.coverage),
        "held_ignored": often(first.unconstrained.coverage),
        "held_hundred": often(hundred.constrained.coverage),
        "length_hundred": f"{hundred.constrained.length:.2f}",
        "length_hundred_ignored": f"{hundred.unconstrained.length:.2f}",
        "data_sets": f"{first.data_sets:,}",
        # only an interval longer than the range of the values can hold every possible mean
        "comparison": say("infer", style.voice, "longer_than_range") if first.unconstrained.length > 1 else "",
    }
    words = partial(say, "infer", style.voice, **context)
    return {
        "answer": words("coverage"),
        "small_print": words("coverage_small_print"),
        "main": _picture(rows, inputs.measure, words(f"reading_{inputs.measure}"), style),
        "command": COMMAND,
        "computed": say("infer", "technical", "coverage_computed", **context),
        "python": _study_in_python(first),
    }


def _picture(rows: tuple[StudyRow, ...], chosen: str, reading: str, style: Style) -> Picture:
    """What was measured with the bounds and without them, by the number of values."""
    measured = say("infer", style.voice, f"axis_{chosen}")
    sizes = np.array([row.n for row in rows], dtype=float)
    columns = [Column("n", label("infer", "study.axis"), sizes, said=int, hover="d")]
    marks: list[Mark] = []
    for measure in MEASURES:
        head = label("infer", f"study.{measure}")
        for kind, name in (("constrained", "known"), ("unconstrained", "ignored")):
            values = np.array([getattr(getattr(row, kind), measure) for row in rows])
            called = say("infer", style.voice, f"name_{name}")
            axis = measured if measure == chosen else head
            columns.append(Column(f"{measure}_{name}", called, values, quantity=axis, aspect=head, said=written(".3f")))
    coverage = chosen == "coverage"
    for name, role, dash in (("known", "accent", "solid"), ("ignored", "reach", "dash")):
        place = 5 if coverage and name == "known" else 1
        beside = ("left", "bottom" if name == "ignored" else "top")
        marks.append(Line(x="n", y=f"{chosen}_{name}", role=role, dash=dash, label=place, beside=beside))
    parts = [side_by_side(*columns)]
    lowest = None
    if coverage:
        parts.append(side_by_side(single("promised", label("infer", "study.promised"), 0.95, quantity=measured)))
        marks.append(Level(y="promised"))
        lowest = (min(0.55, float(columns[1].numbers.min()) - 0.03), 1.03)
    up = Axis(log=not coverage, range=lowest)
    return Picture.of("study", parts, marks, reading=reading, x=Axis(log=True), y=up, style=style, height=400)


def _study_in_python(first: StudyRow) -> CodeLines:
    """The lines that read the study's first row of these choices; its command makes the table anew."""
    code = CodeWriter()
    code.note(f"the table is made by: {COMMAND}")
    setting = f"(row.mean, row.epsilon) == {(first.mean, first.epsilon)!r}"
    rows = code.let("rows", Source(f"[row for row in {code(coverage_table)} if {setting}]"))
    return code.ending(Source(f"{rows}[0].constrained.length"), Exact(first.constrained.length, _hundredths))


def _hundredths(length: float, direction: str) -> str:
    return f"{length:.2f}"


def _frame(learned: Learned) -> tuple[tuple[float, float], tuple[float, float]]:
    """Windows of mean and spread: all that is possible, or round a posterior much narrower than it."""
    release = learned.release
    tails = [0.004, 0.996]
    low, high = np.asarray(learned.known.mean.quantile(tails)).tolist()
    top = math.sqrt(float(learned.known.variance.quantile(0.996)))
    if learned.ignored is not None:
        first, last = np.asarray(learned.ignored.mean.quantile(tails)).tolist()
        low, high = min(low, first), max(high, last)
        top = max(top, math.sqrt(float(learned.ignored.variance.quantile(0.99))))
    width = release.width
    if high - low < 0.25 * width and top < 0.25 * width:
        pad = 0.15 * (high - low)
        return (low - pad, high + pad), (0.0, 1.15 * top)
    across = max(min(low, release.lower), release.lower - 0.35 * width)
    end = min(max(high, release.upper), release.upper + 0.35 * width)
    return (across - 0.02 * width, end + 0.02 * width), (0.0, min(max(1.05 * top, 0.55 * width), 0.9 * width))


def mean_picture(learned: Learned) -> Picture:
    """Density of the mean: with the bounds, without them, and before the release."""
    (left, right), _ = _frame(learned)
    at = np.linspace(left, right, 161)
    lines = [("known", np.asarray(learned.known.mean.density(at)), "accent", "solid")]
    if learned.ignored is not None:
        lines.append(("ignored", np.asarray(learned.ignored.mean.density(at)), "reach", "dash"))
    lines.append(("before", learned.prior_density(at), "quiet", "dot"))
    return _densities(learned, "mean", at, lines)


def spread_picture(learned: Learned) -> Picture:
    """Density of the standard deviation: with the bounds and without them."""
    _, (_, top) = _frame(learned)
    at = np.linspace(top / 400, top, 161)
    lines = [("known", np.asarray(learned.known.variance.density(at**2)) * 2.0 * at, "accent", "solid")]
    if learned.ignored is not None:
        lines.append(("ignored", np.asarray(learned.ignored.variance.density(at**2)) * 2.0 * at, "reach", "dash"))
    return _densities(learned, "spread", at, lines)


def _densities(
    learned: Learned, key: str, at: NDArray[np.float64], lines: Sequence[tuple[str, NDArray[np.float64], str, str]]
) -> Picture:
    ceiling = 1.15 * max(float(heights.max()) for _, heights, role, _ in lines if role != "quiet")
    density, measured, reading = (learned.say(name) for name in ("density", f"axis_{key}", f"reading_{key}"))
    rows = side_by_side(
        Column("at", measured, at),
        *(Column(name, learned.say(f"name_{name}"), heights, quantity=density) for name, heights, *_ in lines),
        listed=range(0, at.size, 8),
    )
    marks = [Line(x="at", y=name, role=role, dash=dash) for name, _, role, dash in lines]
    up = Axis(range=(0.0, ceiling))
    return Picture.of(key, (rows,), marks, reading=reading, y=up, style=learned.style, legend="above", height=290)


UNLIKELY = math.log(1e-9)  # log chance of the noise below which a release is asked about before it is analysed


@dataclass(frozen=True, kw_only=True)
class InferView(PageAnswer):
    """Everything the page shows; `refusal` says why the choices give no answer."""

    main: Picture | None = None
    spread: Picture | None = None
    table: Table | None = None
    notes: tuple[str, ...] = ()
    command: str = ""


def infer_view(inputs: InferInputs, style: Style, draws: RegressionPosterior | str | None = None) -> InferView:
    """The page for these choices; `draws` are those of the regression once made, or why there are none."""
    try:
        if inputs.part == "regression":
            return InferView(**regression_parts(inputs, style, draws))
        if inputs.part == "coverage":
            return InferView(**study_parts(inputs, style))
        learned = Learned(inputs, style)
        known, ignored = learned.known, learned.ignored
        notes = dict.fromkeys((*known.warnings, *(ignored.warnings if ignored else (learned.no_answer,))))
        return InferView(
            answer=_typing_question(learned) + learned.say("answer"),
            small_print=learned.say("small_print"),
            main=mean_picture(learned),
            spread=spread_picture(learned),
            notes=tuple(filter(None, (learned.still_of_example, *notes))),
            computed=say("infer", "technical", "computed", **learned.context),
            python=_in_python(learned),
        )
    except ValueError as error:
        return InferView(refusal=refusal_sentence(error))
    except UNCOMPUTABLE:
        return InferView(refusal=BEYOND_NUMBERS)


def _typing_question(learned: Learned) -> str:
    """Whether the less likely of both numbers is a typing error, when noise hardly ever puts it so far out."""
    release = learned.release
    chance, what, value = min(
        (release.log_chance_of_mean, "mean", learned.context["published"]),
        (release.log_chance_of_variance, "variance", learned.context["published_variance"]),
    )
    if chance > UNLIKELY:
        return ""
    zeros = math.floor(-chance / math.log(10))  # the chance is rounded up to the next power of ten
    return learned.say("typing_question", what=learned.say(f"typing_{what}"), value=value, zeros=f"{zeros:,}") + " "


def _in_python(learned: Learned) -> CodeLines:
    """The lines for the shortest interval of the mean."""
    code = CodeWriter()
    release, prior = code.let("release", learned.release), code.let("prior", learned.prior)
    found = code(posterior, release, prior, constrained=True)
    said = ends(*learned.intervals(True)[0])
    return code.ending(Source(f"{found}.mean.shortest_interval({learned.inputs.level!r})"), *said)
