"""`riskline audit`: what draws of two worlds, or guesses, show of a claimed budget, as *Test a claim* answers."""

from __future__ import annotations

from functools import partial
from typing import Any

from riskline.commands import Command, File, refuse
from riskline.output import Answer, Said
from ui.pictures.style import Style
from ui.views.audit import FIELDS, AuditInputs, audit_view
from ui.views.audit.held import LARGEST_UPLOAD, MOST_FILES, Held, read_upload
from ui.views.shared.strip import beginning_with_case
from ui.words.quantities import Exact, Failure, Least, Lower, Upper, number, whole


def answer(inputs: AuditInputs, style: Style, own: Held | None = None) -> Answer:
    """The lower bound on the budget, whether the claim is refuted, and what it takes."""
    view = audit_view(inputs, style, own)
    refuse(view.refusal)
    shown, planned = view.shown, view.planned
    assert shown is not None
    assert planned is not None
    quantities: dict[str, Said] = {
        f"{shown.currency}_lower": Lower(shown.bound, number(3)),
        "delta": Exact(shown.delta, number(3)),
        "largest_possible": Upper(shown.most, number(3)),
        "p_value": Failure(shown.p_value, number(2)),
        "refuted": Exact(float(shown.is_refuted), whole),
    }
    if shown.refuted_at is not None:
        quantities["refuted_at"] = Exact(shown.refuted_at, whole)
    if planned.needed is not None and planned.chance is not None:
        quantities |= {"needed": Least(planned.needed, whole), "chance_of_refuting": Lower(planned.chance, number(3))}
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=quantities,
        notes=(*view.notices, *view.how, view.before),
        lines=view.python,
    )


def _own(files: list[tuple[str, bytes]]) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"evidence": "file"}, {"own": read_upload(files)}


COMMAND = Command(
    stem="audit",
    fields=FIELDS,
    inputs=AuditInputs,
    answer=answer,
    examples=(
        "audit --epsilon 1 --order one_by_one",
        "audit --right 73 --guesses 100 --epsilon 0.5 --json",
    ),
    file=File(
        "Draws: columns world (0 or 1) and output, or two files of outputs, the first by name without the person; "
        "or guesses in order: right (0 or 1) and, where coins were not fair, chance of the guessed side.",
        _own,
        most=LARGEST_UPLOAD,
        several=MOST_FILES,
    ),
    implied=dict.fromkeys(("right", "guesses", "coins", "chances"), ("evidence", "guesses")),
    of_case=partial(beginning_with_case, FIELDS),
    budgets=("epsilon", "rho"),
)
