"""A reader's own records, private and public: read, held against what the page can draw in reasonable time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from dpcore._properties import cached_property
from dpcore.public_information import (
    METHODS,
    CategoricalRecords,
    Workload,
    distinct_records,
    read_records,
)
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole

word = partial(label, "public_information")
MOST_QUERIES = 5_000
MOST_PUBLIC = 20_000
MOST_COUNTED = 10_000_000
"""Most pairs of a private record and a table: they are in memory at once."""
MOST_PAIRS = 500_000
"""Most pairs of a possible record and a table for the line 'no public data'."""
MOST_FLOOR_PAIRS = 50_000
"""Most pairs of a different public record and a table for the line of the best reweighting."""
MOST_FLOOR_SHARES = 1_500_000
"""Most pairs of a different public record and a share for that line: its programme takes seconds, not minutes."""
NEEDS_PUBLIC = frozenset({"public_alone", "public_assisted", "public_assisted_marginals", "best_mixture"})


@dataclass(frozen=True, eq=False)
class OwnRecords:
    """The private records of a reader and, if there are any, public records coded like them."""

    private: CategoricalRecords
    public: CategoricalRecords | None = None

    @cached_property
    def workload(self) -> Workload:
        """Every table of two columns."""
        return Workload.all_marginals(self.private.sizes, order=2)

    @cached_property
    def floor(self) -> bool:
        """Whether the best reweighting of the public records is found in reasonable time."""
        if self.public is None:
            return False
        different = len(distinct_records(self.public.rows)[0])
        return (
            different * len(self.workload.sets) <= MOST_FLOOR_PAIRS
            and different * self.workload.queries <= MOST_FLOOR_SHARES
        )

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The lines that can be drawn from these files."""
        left_out = set() if self.public is not None else set(NEEDS_PUBLIC)
        if self.workload.domain * len(self.workload.sets) > MOST_PAIRS:
            left_out.add("no_public_data")
        if not self.floor:
            left_out.add("best_mixture")
        return tuple(method for method in METHODS if method not in left_out)


def read_private(data: bytes) -> OwnRecords:
    """The private records of a CSV file; `ValueError` says what is wrong with it and where."""
    private = read_records(data)
    if len(private.attributes) < 2:
        raise ValueError(word("one_column", least=Typed(2, whole)))
    sizes = private.sizes
    queries = (sum(sizes) ** 2 - sum(size * size for size in sizes)) // 2
    if queries > MOST_QUERIES:
        raise ValueError(word("too_many_shares", most=Typed(MOST_QUERIES, whole), shares=f"{queries:,}"))
    own = OwnRecords(private)
    counted = len(private.rows) * len(own.workload.sets)
    if counted > MOST_COUNTED:
        raise ValueError(word("too_many_counted", most=Typed(MOST_COUNTED, whole), counted=f"{counted:,}"))
    return own


def with_public(own: OwnRecords, data: bytes) -> OwnRecords:
    """The same private records beside the public ones of a CSV file, which must be coded like them."""
    public = read_records(data, coded_like=own.private)
    if len(public.rows) > MOST_PUBLIC:
        raise ValueError(word("too_many_public", most=Typed(MOST_PUBLIC, whole), records=f"{len(public.rows):,}"))
    return OwnRecords(own.private, public)
