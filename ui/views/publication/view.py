"""Everything that *Plan a publication* shows of its tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.publication import ClippedMean, CountTable
from dpcore.publication import Row as PublishedRow
from dpcore.scope import Scope
from riskline.case.fields import MAX_VALUE_LENGTH, number_text
from riskline.case.promise import records_together
from riskline.case.releases import Ledger, LedgerRow
from riskline.case.tables import Sheet, encode_tables
from ui.link.page_table import PageLink
from ui.pictures.description import Description
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.publication.choices import PublicationInputs
from ui.views.publication.in_python import in_opendp, in_python
from ui.views.publication.results import frontier_picture, named, of_levels, ranges_picture, results_table, who_pays
from ui.views.publication.shared import Shared
from ui.views.shared.promise import PageAnswer, StatedBelief
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import heads, label, say
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence

TO_LINE = PageLink("choose", label("frame", "choose"))


@dataclass(frozen=True, kw_only=True)
class PublicationView(PageAnswer):
    """Everything the page shows; `refusal` says why the choices give no answer."""

    ranges: Description | None = None
    paid: str = ""
    results: Table | None = None
    frontier: Picture | None = None
    levels: Picture | None = None
    levels_refusal: str = ""
    """Why the rows are no levels that add up; everything else holds whether they are or not."""
    enough: tuple[tuple[str, Any], ...] = ()
    """Choices that try the least budget keeping every range, and what a button for them says."""
    to_enough: str = ""
    keeping: str = ""
    levels_attack: str = ""
    to_hierarchy: PageLink | None = None
    to_line: PageLink | None = None
    next: PageLink | None = None
    ledger: Ledger = ()
    released: str = "count"
    to_ledger: str = ""
    computed: str = ""
    notice: str = ""
    python: CodeLines | None = None
    python_opendp: CodeLines | None = None


def publication_view(inputs: PublicationInputs, style: Style, before: Sheet | None = None) -> PublicationView:
    """The page for these choices; of the tables as they were `before` a change it tells who pays for that."""
    shared = Shared(inputs, style)
    if all(row.is_blank for row in inputs.tables):
        return PublicationView(answer=shared.say("answer_empty"))
    try:
        return _of_budget(shared, before) if shared.has_budget else _without_budget(shared)
    except (ValueError, *UNCOMPUTABLE) as error:
        return PublicationView(refusal=refusal_sentence(error, "publication"))


def _without_budget(shared: Shared) -> PublicationView:
    """The page of a line that leaves nothing to spend, or sets no limit."""
    return PublicationView(
        answer=shared.answer,
        small_print=shared.inputs.choose.words(shared.style.voice)["promise"],
        to_line=TO_LINE,
        python=None if shared.line is None else shared.line.python,
    )


def _of_budget(shared: Shared, before: Sheet | None) -> PublicationView:
    """The page of a budget that is shared."""
    context = shared.context
    return PublicationView(
        answer=shared.answer,
        small_print=shared.say("small_print", **context),
        keeping=context["keeping"].lstrip(),
        ranges=ranges_picture(shared),
        paid=who_pays(shared, before),
        results=results_table(shared),
        frontier=frontier_picture(shared),
        **of_levels(shared),
        enough=tuple(shared.enough.items()),
        to_enough=shared.to_enough,
        to_line=TO_LINE,
        next=PageLink("memo", label("frame", "memo")),
        ledger=_ledger(shared),
        released="cells" if shared.promise.steps > shared.promise.group else "count",
        to_ledger=shared.say("way_plan"),
        computed=say("publication", "technical", "computed", **context),
        notice=label("sheet", "too_long") if len(encode_tables(shared.inputs.tables)) > MAX_VALUE_LENGTH else "",
        stated=_stated(shared),
        python=in_python(shared, shared.answer_name),
        python_opendp=in_opendp(shared),
    )


def _stated(shared: Shared) -> tuple[StatedBelief, ...]:
    """What everything together tells the attacker the sentences are about, where one step of the rows is known."""
    chosen, promise = shared.inputs, shared.promise
    failing = chosen.failure if chosen.by_rho else 0.0
    promise = replace(promise, failure_probability=failing)
    group = records_together(chosen.unit, chosen.group)
    spent = shared.allocation.spent
    source = (
        ZeroConcentratedDP(rho=spent / group**2, relation=promise.relation)
        if chosen.by_rho
        else PureDP(epsilon=spent / group, relation=promise.relation)
    )
    if promise.steps == promise.group:
        return (StatedBelief(shared.prior, shared.context["posterior"], promise, source, before=shared.rise.words),)
    if all(row.kind == "counts" for row in chosen.tables):
        before = shared.rise.words
        spends = shared.allocation.budgets * shared.publication.times
        rows = tuple(
            (spend, row.numbers // row.areas, row.cells_per_person, 1 if shared.where == "nowhere" else row.areas)
            for spend, row in zip(spends.tolist(), shared.publication.rows, strict=True)
            if isinstance(row, CountTable)
        )
        said = shared.context["posterior"]
        return (StatedBelief(shared.prior, said, promise, source, Scope.PLAN, before=before, rows=rows),)
    return ()


def _ledger(shared: Shared) -> Ledger:
    """The same releases one after the other: each number that one person moves is a release of its own, at its share.

    Each keeps by how much a record moves it, and so its noise.
    """
    chosen, publication = shared.inputs, shared.publication
    per_record = publication.group**2 if chosen.by_rho else publication.group
    rows = []
    budgets, changes = shared.allocation.budgets.tolist(), publication.largest_changes
    for row, budget, change in zip(publication.rows, budgets, changes, strict=True):
        numbers, by = len(change.amounts), change.amounts[0] / publication.group
        each = number_text(budget / numbers / per_record)
        moved = "" if by == 1 else number_text(by)
        rows.append(LedgerRow(row.name, chosen.noise, each, "", number_text(row.times * numbers), moved))
    return tuple(rows)


FEW = 5  # tables on the first page of a document


@dataclass(frozen=True)
class PublicationSummary:
    """The page's answer and small print, the tables, and the picture of risk against use; or why there is no answer."""

    answer: str = ""
    small_print: str = ""
    every: Table | None = None
    """All tables: what they publish, their share of the budget, the range asked for and the range they get."""
    few: Table | None = None
    """At most five, with their ranges: those not kept first, the widest beside a typical number first."""
    level: Any = None
    """How often each range holds, as a passage says it."""
    frontier: Description | None = None
    opendp: str = ""
    refusal: str = ""


@kept_for_session
def publication_summary(inputs: PublicationInputs, style: Style) -> PublicationSummary:
    """What another page tells of these choices."""
    shared = Shared(inputs, style)
    try:
        if not shared.has_budget:
            return PublicationSummary(answer=shared.answer)
        return PublicationSummary(
            answer=shared.answer,
            small_print=shared.say("small_print", **shared.context),
            level=shared.context["level"],
            every=_every_table(shared),
            few=_few_tables(shared),
            frontier=frontier_picture(shared),
            opendp=in_opendp(shared).text,
        )
    except (ValueError, *UNCOMPUTABLE) as error:
        return PublicationSummary(refusal=refusal_sentence(error, "publication"))


def what_is_published(row: PublishedRow) -> str:
    """What a row publishes, in words.

    >>> what_is_published(CountTable(cells=12, cells_per_person=4)), what_is_published(CountTable())
    ('counts, a person in up to 4 cells', 'counts')
    """
    if isinstance(row, CountTable):
        alone = row.cells_per_person == 1
        return label("publication", f"what.{'counts' if alone else 'cells'}", cells=f"{row.cells_per_person:,}")
    bounds = {"low": plain_number(row.low, 6), "high": plain_number(row.high, 6)}
    if isinstance(row, ClippedMean):
        return label("publication", "what.mean", **bounds, people=f"{row.people:,}")
    return label("publication", "what.total", **bounds)


def _areas_and_cells(row: PublishedRow) -> str:
    cells = row.cells if isinstance(row, CountTable) else 1
    return f"{row.areas:,}" if cells == 1 else f"{row.areas:,} × {cells:,}"


RANGES = itemgetter(1, 2, 4)
"""Of a row of `results_table`: the range asked for, the one it gets, and that beside a typical number."""


def _every_table(shared: Shared) -> Table:
    """All tables, their ranges and shares as they stand on the page."""
    page = results_table(shared)
    rows = tuple(
        (named(shared, place), what_is_published(row), _areas_and_cells(row), f"{row.times:,}", told[5], *RANGES(told))
        for place, (row, told) in enumerate(zip(shared.publication.rows, page.rows, strict=True))
    )
    table, share = page.columns[0], page.columns[5]
    return Table("", (table, *heads("publication", "every"), share, *RANGES(page.columns)), rows)


def _few_tables(shared: Shared) -> Table:
    """The tables with the least room, and their ranges."""
    page = results_table(shared)
    relative, shares = shared.errors.relative_half_width.tolist(), shared.allocation.shares.tolist()

    def room(place: int) -> tuple[bool, float, float]:
        beside = relative[place]
        return shared.kept[place] is not False, math.inf if math.isnan(beside) else -beside, -shares[place]

    places = sorted(range(len(page.rows)), key=room)[:FEW]
    rows = tuple((named(shared, place), *RANGES(page.rows[place])) for place in places)
    return Table("", (page.columns[0], *RANGES(page.columns)), rows)
