"""A publication as other pages tell it: its answer, what every table asked for and gets, and the risk against use."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from dpcore.publication import ClippedMean, CountTable
from dpcore.publication import Row as PublishedRow
from ui.pictures.description import Description
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.publication.choices import PublicationInputs
from ui.views.publication.in_python import in_opendp
from ui.views.publication.results import frontier_picture, named, results_table
from ui.views.publication.shared import Shared
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import label, option_words
from ui.words.phrasing import plain_number
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence

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


def _heads(*names: str) -> tuple[str, ...]:
    """The heads of columns, which the page's own table has but for three."""
    known = option_words("publication", "every") | option_words("publication", "results")
    return tuple(known[name] for name in names)


RANGES = itemgetter(1, 2, 4)
"""Of a row of `results_table`: the range asked for, the one it gets, and that beside a typical number."""


def _every_table(shared: Shared) -> Table:
    """All tables, their ranges and shares as they stand on the page."""
    rows = tuple(
        (named(shared, place), what_is_published(row), _areas_and_cells(row), f"{row.times:,}", told[5], *RANGES(told))
        for place, (row, told) in enumerate(zip(shared.publication.rows, results_table(shared).rows, strict=True))
    )
    return Table("", _heads("table", "what", "areas", "releases", "share", "asked", "gets", "relative"), rows)


def _few_tables(shared: Shared) -> Table:
    """The tables with the least room, and their ranges."""
    page = results_table(shared).rows
    relative, shares = shared.errors.relative_half_width.tolist(), shared.allocation.shares.tolist()

    def room(place: int) -> tuple[bool, float, float]:
        beside = relative[place]
        return shared.kept[place] is not False, math.inf if math.isnan(beside) else -beside, -shares[place]

    rows = tuple((named(shared, place), *RANGES(page[place])) for place in sorted(range(len(page)), key=room)[:FEW])
    return Table("", _heads("table", "asked", "gets", "relative"), rows)
