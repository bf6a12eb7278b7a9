"""The simulation study of coverage, length and error: its committed table as curves, one setting at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dpcore.inference.coverage import StudyRow, coverage_table
from riskline.case.fields import Field
from ui.pictures.columns import Column, Numbers, side_by_side, single, written
from ui.pictures.marks import Axis, Level, Line, Mark, Panel
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.words.catalogue import say
from ui.words.phrasing import frequency, plain_number

POPULATIONS = {"low": 0.1, "middle": 0.5}
MEASURES = ("coverage", "length", "rmse")
COMMAND = "python -m dpcore.inference.coverage --data-sets 20000 --points 5 > dpcore/data/coverage_study.csv"
COVERAGE_FIELDS: tuple[Field, ...] = (
    Field("population", "Where the truth lies", "choice", "low", options=tuple(POPULATIONS)),
    Field("study_epsilon", "ε of each number", "choice", "0.1", options=("0.1", "1")),
    Field("measure", "Show", "choice", "coverage", options=MEASURES),
)


@dataclass(frozen=True, kw_only=True)
class CoverageChoice:
    """The part of the study a reader chose."""

    population: str = "low"
    study_epsilon: str = "0.1"
    measure: str = "coverage"


@cache
def _rows(population: str, epsilon: str) -> tuple[StudyRow, ...]:
    return tuple(
        row
        for row in coverage_table()
        if row.mean == POPULATIONS[population] and abs(row.epsilon - float(epsilon)) < 1e-12
    )


def study_rows(inputs: CoverageChoice) -> tuple[StudyRow, ...]:
    """The study at the setting of these choices, the fewest values first."""
    return _rows(inputs.population, inputs.study_epsilon)


def coverage_parts(inputs: CoverageChoice, style: Style) -> dict[str, Any]:
    """The page's answer, picture and table for one setting of the study."""
    rows = study_rows(inputs)
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
        "comparison": " " + say("infer", style.voice, "longer_than_range") if first.unconstrained.length > 1 else "",
    }
    sizes = np.array([row.n for row in rows], dtype=float)
    measured = say("infer", style.voice, f"axis_{inputs.measure}")
    columns = [Column("n", "values", sizes, quantity="number of values", said=int, hover="d")]
    marks: list[Mark] = []
    for measure, head in zip(MEASURES, ("coverage", "length", "root mean square error"), strict=True):
        for kind, used in (("constrained", "used"), ("unconstrained", "ignored")):
            values = np.array([getattr(getattr(row, kind), measure) for row in rows])
            name = say("infer", style.voice, "name_known" if kind == "constrained" else "name_ignored")
            axis = measured if measure == inputs.measure else head
            columns.append(Column(f"{measure}_{used}", name, values, quantity=axis, aspect=head, said=written(".3f")))
    for used, role, dash in (("used", "accent", "solid"), ("ignored", "reach", "dash")):
        place = 1 if inputs.measure != "coverage" or used == "ignored" else 5
        beside = ("left", "bottom" if used == "ignored" else "top")
        marks.append(Line(x="n", y=f"{inputs.measure}_{used}", role=role, dash=dash, label=place, beside=beside))
    coverage = inputs.measure == "coverage"
    parts = [side_by_side(*columns)]
    lowest = None
    if coverage:
        parts.append(side_by_side(single("promised", "promised: 0.95", 0.95, quantity=measured)))
        marks.append(Level(y="promised"))
        lowest = (min(0.55, float(parts[0].columns[1].numbers.min()) - 0.03), 1.03)
    reading = say("infer", style.voice, f"reading_{inputs.measure}", **context)
    picture = Picture(
        key="study",
        numbers=Numbers(reading, tuple(parts)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True), y=Axis(log=not coverage, range=lowest)),),
        reading=reading,
        style=style,
        height=400,
    )
    return {
        "answer": say("infer", style.voice, "coverage", **context),
        "small_print": say("infer", style.voice, "coverage_small_print", **context),
        "main": picture,
        "command": COMMAND,
        "computed": say("infer", style.voice, "coverage_computed", **context),
    }
