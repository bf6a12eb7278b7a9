"""`riskline census`: what larger areas tell about one person, from a file of noisy tables where one is given; or draws
one.

Without a file it answers as *Attack through the hierarchy* opens.
"""

from __future__ import annotations

from typing import Any

from dpcore.census import Measurements, draw_measurements
from riskline.case.fields import shown
from riskline.choices import NotTaken
from riskline.commands import Command, File, refuse
from riskline.output import Answer, Said
from ui.link.measured_file import HEADS, read_measurements
from ui.link.sheet_file import sheet_csv
from ui.pictures.style import Style
from ui.views.hierarchy import FIELDS, HierarchyInputs, beginning, hierarchy_view
from ui.views.hierarchy.view import measured_view
from ui.views.shared.belief_before import told
from ui.words.quantities import Exact, Typed, Upper, as_told, whole

DRAWN = """\
Invented people. Attack the file with: riskline census {file} --person '{person}'
Somebody of that cell lives in the block; every other person is known."""


def answer(inputs: HierarchyInputs, style: Style, own: Measurements | None = None) -> Answer:
    """The belief after all measurements of a file, or after the three counts of the page."""
    if own is None:
        view = hierarchy_view(inputs, style)
        refuse(view.refusal)
        assert view.python is not None
        return Answer(
            sentence=view.answer,
            small_print=view.small_print,
            quantities={"posterior": view.python.answer[0]},
            cards=view.numbers,
            lines=view.python,
        )
    found = measured_view(own, inputs.person, inputs.instead, inputs.prior, style)
    refuse(found.refusal)
    attack = found.attack
    assert attack is not None
    guess = attack.privacy_loss.right_guess_bracket(prior=attack.prior)
    quantities: dict[str, Said] = {
        "prior": Typed(attack.prior, as_told(told(attack.prior, style, typed=True).words)),
        "posterior": Exact(attack.posterior, style.belief),
        "counts": Exact(sum(level.cells for level in attack.by_level), whole),
        "counts_with_others_known": Exact(sum(level.known for level in attack.by_level), whole),
        "right_guess": Upper(guess.high, style.belief),
    }
    tables = () if found.levels is None else (found.levels,)
    return Answer(sentence=found.answer, small_print=found.small_print, quantities=quantities, tables=tables)


def drawn_file(seed: str, block: str, name: str | None) -> tuple[str, str]:
    """A drawn file as CSV, and how to attack it; `NotTaken` where a number is none."""
    if not all(text.isascii() and text.isdecimal() for text in (seed, block)):
        raise NotTaken(f"Seed and block must be whole numbers; got {shown(seed)!r} and {shown(block)!r}.")
    try:
        drawn = draw_measurements(seed=int(seed), block=int(block))
    except ValueError as error:
        raise NotTaken(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    rows = (
        (one.level, one.area, one.query, one.cell, str(one.value), repr(one.variance), str(one.known))
        for one in drawn.measurements.rows
    )
    return sheet_csv(HEADS, rows), DRAWN.format(file=name or "FILE", person=drawn.person)


def _own(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    return {}, {"own": read_measurements(content)}


COMMAND = Command(
    stem="hierarchy",
    fields=FIELDS,
    inputs=HierarchyInputs,
    answer=answer,
    examples=(
        "census --belief sparse --x1 4",
        "census --budget table --prior 0.1 --json",
    ),
    file=File(
        "Noisy tables of one area and those that contain it, CSV or Parquet: level, area, table, cell, value, "
        "variance, and known where the others in a cell are known. riskline census draw draws one.",
        _own,
        holds_budget=True,
    ),
    of_case=beginning,
    budgets=("total_rho",),
)
