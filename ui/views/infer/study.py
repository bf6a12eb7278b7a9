"""The simulation study of coverage, length and error: its committed table as curves, one setting at a time."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from dpcore.inference.coverage import StudyRow, coverage_table
from ui.pictures.columns import Column, Numbers, side_by_side, single, written
from ui.pictures.marks import Axis, Level, Line, Mark, Panel
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.infer.choices import MEASURES, InferInputs
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency, plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact

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
    return {
        "answer": say("infer", style.voice, "coverage", **context),
        "small_print": say("infer", style.voice, "coverage_small_print", **context),
        "main": _picture(
            rows, inputs.measure, say("infer", style.voice, f"reading_{inputs.measure}", **context), style
        ),
        "command": COMMAND,
        "computed": say("infer", "technical", "coverage_computed", **context),
        "python": _in_python(first),
    }


def _picture(rows: tuple[StudyRow, ...], chosen: str, reading: str, style: Style) -> Picture:
    """What was measured with the bounds and without them, by the number of values."""
    measured = say("infer", style.voice, f"axis_{chosen}")
    sizes = np.array([row.n for row in rows], dtype=float)
    columns = [
        Column("n", label("infer", "study.axis"), sizes, quantity=label("infer", "study.axis"), said=int, hover="d")
    ]
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
    return Picture(
        key="study",
        numbers=Numbers(reading, tuple(parts)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True), y=Axis(log=not coverage, range=lowest)),),
        reading=reading,
        style=style,
        height=400,
    )


def _in_python(first: StudyRow) -> CodeLines:
    """The lines that read the study's first row of these choices; its command makes the table anew."""
    code = CodeWriter()
    code.note(f"the table is made by: {COMMAND}")
    setting = f"(row.mean, row.epsilon) == {(first.mean, first.epsilon)!r}"
    rows = code.let("rows", Source(f"[row for row in {code(coverage_table)} if {setting}]"))
    return code.ending(Source(f"{rows}[0].constrained.length"), Exact(first.constrained.length, _hundredths))


def _hundredths(length: float, direction: str) -> str:
    return f"{length:.2f}"
