"""Publications as somebody made them: the levels of the 2020 census, with the budgets that the thesis prints."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.guarantees import Relation
from dpcore.populations import CENSUS_LEVELS, CensusLevel, census_rho
from dpcore.publication.errors import publication_errors
from dpcore.publication.rows import CountTable, Publication
from dpcore.publication.trees import LevelErrors, level_errors

GVHR_CELLS = 2_016
"""Cells of the detailed query: 8 of quarters, 2 of voting age, 2 of Hispanic origin, 63 of race (thesis, 2.2.3)."""

ROUND_FANOUTS = (50, 60, 30, 3, 30)
"""States of the nation, counties of a state, tracts, block groups and blocks: round numbers of ours, on one uniform
tree, near the 51 states with the capital, some 3,100 counties, 84,000 tracts and 8 million blocks."""


@dataclass(frozen=True)
class PublishedLevels:
    """One table on the levels of a tree, with the budget of each level, from the root down.

    The promise meant is about one person's presence, a record added or removed, by all levels together.

    Attributes
    ----------
    publication : Publication; a row for each level
    budgets : tuple of float; ρ of one release of each row
    fanouts : tuple of int; parts of one place on each level but the last
    fanouts_are_round : bool; whether they are round numbers of ours instead of published ones

    Examples
    --------
    >>> levels = census_levels_2020()
    >>> levels.names[0], levels.fanouts_are_round
    ('United States', True)
    """

    publication: Publication
    budgets: tuple[float, ...]
    fanouts: tuple[int, ...]
    fanouts_are_round: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the levels."""
        return tuple(row.name for row in self.publication.rows)

    @property
    def errors(self) -> LevelErrors:
        """Errors of one count on each level before and after exact least squares over all levels.

        The agency's own adding-up keeps counts whole and not negative, which adds bias: this is a floor for it.
        """
        return level_errors(self.fanouts, publication_errors(self.publication, self.budgets).std)


def census_levels_2020() -> PublishedLevels:
    """The detailed query of the 2020 census on its six levels, with the budgets it was published under.

    The promise meant is about one person's presence, a record added or removed, by all levels together. The value is ρ
    from the nation to the block, exact fractions as printed and then floats: 0.0509, 0.0505, 0.0514, 0.0504, 0.2465,
    0.0992, together 0.549 of the file's 2.56; the rest went to other queries. A person is in one of the 2,016 cells of
    each level. Noise is discrete Gaussian with variance parameter 1/(2ρ), as the thesis takes it: a record is added or
    removed. The numbers of places are round numbers of ours.
    Source: thesis, Table 2.2 and section 2.2.3; ours, round fan-outs

    Examples
    --------
    >>> levels = census_levels_2020()
    >>> [round(rho, 4) for rho in levels.budgets]
    [0.0509, 0.0505, 0.0514, 0.0504, 0.2465, 0.0992]
    >>> [round(std, 2) for std in levels.errors.after.tolist()]
    [3.1, 3.09, 2.97, 1.9, 1.32, 2.21]
    """
    places = [1]
    for parts in ROUND_FANOUTS:
        places.append(places[-1] * parts)
    rows = tuple(_row(level, areas) for level, areas in zip(CENSUS_LEVELS, places, strict=True))
    return PublishedLevels(
        publication=Publication(rows, Relation.ADD_OR_REMOVE),
        budgets=tuple(census_rho(level.key) for level in CENSUS_LEVELS),
        fanouts=ROUND_FANOUTS,
        fanouts_are_round=True,
    )


def _row(level: CensusLevel, areas: int) -> CountTable:
    return CountTable(name=level.name, noise="discrete_gaussian", cells=GVHR_CELLS, areas=areas)
