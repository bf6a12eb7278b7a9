"""The simulation study of coverage, length and error: its committed table as curves, one setting at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dpcore.inference.coverage import StudyRow, coverage_table
from ui.link.fields import Field
from ui.pictures.curves import Curve, curves
from ui.pictures.look import Look
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.words.passages import say
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


def coverage_parts(inputs: CoverageChoice, look: Look) -> dict[str, Any]:
    """The page's answer, picture and table for one setting of the study."""
    rows = _rows(inputs.population, inputs.study_epsilon)
    first = rows[0]
    hundred = next(row for row in rows if row.n == 100)
    often = frequency if not look.technical else (lambda share: f"{share:.3f}")
    facts = {
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
    }
    sizes = np.array([row.n for row in rows], dtype=float)
    lines = []
    for kind, role, dash, name in (
        ("constrained", "accent", "solid", "name_known"),
        ("unconstrained", "reach", "dash", "name_ignored"),
    ):
        heights = np.array([getattr(getattr(row, kind), inputs.measure) for row in rows])
        beside = ("left", "bottom") if kind == "unconstrained" else ("left", "top")
        place = 1 if inputs.measure != "coverage" or kind == "unconstrained" else 5
        words = say("infer", look.voice, name)
        lines.append(Curve(words, sizes, heights, role, dash, label_at=place, label_beside=beside))
    coverage = inputs.measure == "coverage"
    drawing = curves(
        lines,
        x_title="number of values",
        y_title=say("infer", look.voice, f"axis_{inputs.measure}"),
        look=look,
        log_x=True,
        log_y=not coverage,
        level=(0.95, "promised: 0.95") if coverage else None,
        y_range=(min(0.55, float(lines[0].y.min()) - 0.03), 1.03) if coverage else None,
        height=400,
    )
    reading = say("infer", look.voice, f"reading_{inputs.measure}", **facts)
    cells = tuple(
        (
            row.n,
            *(
                f"{getattr(getattr(row, kind), measure):.3f}"
                for measure in MEASURES
                for kind in ("constrained", "unconstrained")
            ),
        )
        for row in rows
    )
    columns = (
        "values",
        *(
            f"{measure}, bounds {used}"
            for measure in ("coverage", "length", "root mean square error")
            for used in ("used", "ignored")
        ),
    )
    table = Table(reading.replace("**", ""), columns, cells)
    return {
        "answer": say("infer", look.voice, "coverage", **facts),
        "small_print": say("infer", look.voice, "coverage_small_print", **facts),
        "main": Picture("study", drawing, reading, reading.replace("**", ""), table),
        "command": COMMAND,
        "computed": say("infer", look.voice, "coverage_computed", **facts),
    }
