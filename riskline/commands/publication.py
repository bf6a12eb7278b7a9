"""`riskline publication FILE`: one budget over many tables, as *Plan a publication* answers."""

from __future__ import annotations

from typing import Any

from dpcore.errors import Refused
from riskline.case.fields import as_sentence
from riskline.case.tables import HEADS, MOST_ROWS, row_of
from riskline.choices import NotTaken
from riskline.commands import Command, File, refuse, rows_of_csv
from riskline.output import Answer, Said
from riskline.release.plan import MARK
from ui.pictures.style import Style
from ui.views.publication import FIELDS, PublicationInputs, beginning, publication_view
from ui.views.publication.shared import Shared
from ui.views.publication.view import begun_plan
from ui.words.phrasing import times
from ui.words.quantities import Allowed, Exact, Failure, Least, Lower, Upper, as_told, number, share, whole

TO_FILL_IN = f"The plan is begun: replace every text that begins with {MARK}, then draw it with riskline release."
LEFT_OUT = " A release draws counts, so the plan leaves out {rows}."


def answer(inputs: PublicationInputs, style: Style) -> Answer:
    """How the budget is shared, the range that each table gets, and what everything together gives away."""
    view = publication_view(inputs, style)
    refuse(view.refusal or view.levels_refusal or None)
    notes = (view.exact, view.keeping, view.levels_attack, view.notice)
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=_quantities(Shared(inputs, style)),
        tables=tuple(
            table for table in (view.results, view.levels.table if view.levels else None) if table is not None
        ),
        notes=tuple(note for note in notes if note),
        lines=view.python,
    )


def _quantities(shared: Shared) -> dict[str, Said]:
    chosen = shared.inputs
    symbol = "rho" if chosen.by_rho else "epsilon"
    found: dict[str, Said] = {f"{symbol}_of_everything": Allowed(shared.total, number(6))}
    if not shared.has_budget:
        return found
    allocation, errors = shared.allocation, shared.errors
    found |= {
        "share_of_the_budget": tuple(map(Exact, allocation.shares.tolist(), map(as_told, shared.shares_said[0]))),
        f"{symbol}_of_one_release": tuple(Allowed(one, number(4)) for one in allocation.budgets.tolist()),
        "range_within": tuple(Upper(one, number(3)) for one in errors.half_width.tolist()),
        "ranges_kept": Exact(sum(kept is True for kept in shared.kept), whole),
        "prior": Lower(shared.prior, as_told(shared.rise.words)),
        "posterior_reached": shared.rise.after,
    }
    if allocation.stretch is not None:
        found["stretch"] = Upper(allocation.stretch, times)
    if shared.keeping_all is not None:
        found |= {
            f"{symbol}_that_keeps_every_range": Least(shared.keeping_all[0], number(3)),
            "spare": Lower(shared.spare, share(0)),
        }
    if chosen.by_rho:
        found["failure_probability"] = Failure(chosen.failure, number(3))
    return found


def _tables(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"tables": rows_of_csv(content, HEADS, MOST_ROWS, row_of)}, {}


def plan_of(inputs: PublicationInputs) -> tuple[str, str]:
    """The plan of a release that these tables and budgets begin, and what is to be filled in."""
    if not Shared(inputs, Style()).has_budget:
        raise NotTaken("Without a budget there is no plan.")
    try:
        begun, missing = begun_plan(inputs)
    except Refused as refusal:
        raise NotTaken(as_sentence(str(refusal)), "plan") from None
    return begun, TO_FILL_IN + (LEFT_OUT.format(rows=", ".join(missing)) if missing else "")


COMMAND = Command(
    stem="publication",
    fields=FIELDS,
    inputs=PublicationInputs,
    answer=answer,
    examples=(
        "publication --start budget --rho 0.5",
        "publication --link 'publication?tables=Births~counts~5~12!Deaths~counts~8' --noise geometric --cap 0.3",
        "publication --rule same_budget --json",
    ),
    left_out=("clipped", "amounts"),
    of_case=beginning,
    plan=plan_of,
    file=File(
        f"A CSV file in the page's own format: a header line, then the tables; columns: {', '.join(HEADS.values())}.",
        _tables,
    ),
    needs="tables",
)
