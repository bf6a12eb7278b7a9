"""The production settings of the 2020 redistricting file: 65 noisy tables on six levels and the share of each."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from typing import Literal, get_args

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian

Level = Literal["nation", "state", "county", "tract", "block_group", "block"]
"""Where people are counted; a place of one level lies in one place of the level before."""
LEVELS: tuple[Level, ...] = get_args(Level)
"""What a `Level` may be, from the nation down."""
CHARACTERISTICS = ("race", "hispanic", "voting_age", "group_quarters")
"""What a record says besides its block: one of 63 groups of races, Hispanic origin or not, voting age or not, and a
household or one of seven kinds of group quarters."""
GLOBAL_SCALE = Fraction(339, 542)
"""The configuration's scale: noise with all of the budget would have this σ in each cell."""
TOTAL_RHO = 1 / GLOBAL_SCALE**2
"""ρ of all 65 noisy tables for one record replaced, 2.556...; it was published as 2.56."""

_SHOWN = {
    "cenrace": "race",
    "hispanic": "hispanic",
    "votingage": "voting_age",
    "hhgq": "group_quarters",
    "hhinstlevels": "group_quarters",
}
"""The characteristic behind each factor of a query's name."""


@call_hint
@dataclass(frozen=True)
class CensusTable:
    """One noisy table of the redistricting file, made for every place of a level, with its exact share of the budget.

    The promise is about one record of the census replaced by another, to an observer of the noisy tables who knows all
    other records; a `CensusSecret` says what of the record is secret.

    Attributes
    ----------
    level : str; one of `LEVELS`
    query : str; its name in the configuration: the characteristics that it crosses, ``total`` or ``detailed``
    level_share, query_share : Fraction; the level's share of everything, and the table's share of its level

    Examples
    --------
    >>> (nation,) = census_tables(levels=["nation"], queries=["detailed"])
    >>> nation.share == Fraction(104, 4099) * Fraction(189, 241), nation.shown == CHARACTERISTICS
    (True, True)
    """

    level: Level
    query: str
    level_share: Fraction
    query_share: Fraction

    @property
    def share(self) -> Fraction:
        """The table's share of the whole budget; those of all tables add up to 1."""
        return self.level_share * self.query_share

    @property
    def rho(self) -> Fraction:
        """ρ of the table for one record replaced by another that it shows: two of its cells move by one."""
        return self.share * TOTAL_RHO

    @property
    def noise(self) -> DiscreteGaussian:
        """The noise of one cell: σ² = 1/ρ of the table, so one cell has half of it."""
        return DiscreteGaussian(rho=float(self.rho / 2))

    @property
    def shown(self) -> tuple[str, ...]:
        """The characteristics that the table shows, in the order of `CHARACTERISTICS`."""
        if self.query == "detailed":
            return CHARACTERISTICS
        named = {_SHOWN[factor] for factor in self.query.split("*") if factor != "total"}
        return tuple(name for name in CHARACTERISTICS if name in named)


@lru_cache(maxsize=1)
def every_table() -> tuple[CensusTable, ...]:
    """The 65 tables, read once."""
    text = resources.files("dpcore").joinpath("data/census_2020_redistricting_persons.csv").read_text(encoding="utf-8")
    return tuple(
        CensusTable(row["level"], row["query"], Fraction(row["level_share"]), Fraction(row["query_share"]))  # type: ignore[arg-type]
        for row in csv.DictReader(text.splitlines())
    )


def chosen_names(name: str, given: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """The names that were given, or all of them; each may come once."""
    if given is None:
        return known
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise Refused(name, "be a list of at least one name", given, Code.EMPTY if not given else Code.WRONG_TYPE)
    names = tuple(_checks.choice(name, one, known) for one in given)
    if len(set(names)) < len(names):
        raise Refused(name, "name each once", names, Code.REPEATED)
    return names


@call_hint
def census_tables(
    *, levels: Sequence[str] | None = None, queries: Sequence[str] | None = None
) -> tuple[CensusTable, ...]:
    """The noisy tables of some levels of the 2020 redistricting file, or all 65.

    The promise is about one record of the census replaced by another, to an observer of the noisy tables who knows all
    other records; a `CensusSecret` says what of the record is secret. From the nation down, each level in the order of
    the configuration.
    Source: census_2020, strategy ProductionCandidate20210527US_mult8_add02_dsepJune3

    Parameters
    ----------
    levels : sequence of str, optional; of `LEVELS`; all without it
    queries : sequence of str, optional; names of tables, as ``"detailed"`` or ``"hispanic*cenrace"``; all without it.
        The nation has no ``"total"``.

    Examples
    --------
    >>> len(census_tables()), len(census_tables(levels=["nation"])), len(census_tables(levels=["block"]))
    (65, 10, 11)
    >>> sum(table.share for table in census_tables())
    Fraction(1, 1)
    """
    tables = every_table()
    on = chosen_names("levels", levels, LEVELS)
    of = chosen_names("queries", queries, tuple(dict.fromkeys(table.query for table in tables)))
    return tuple(table for table in tables if table.level in on and table.query in of)


PUBLISHED_EXACTLY = ("state", "total")
"""Level and query of the one noisy table whose numbers were published exactly as well: the totals of the states."""


@call_hint
def level_rho(level: str, *, queries: Sequence[str] | None = None) -> Fraction:
    """ρ of the noisy tables of a level together, for one record replaced within its state, exactly.

    The promise is about one record of the census replaced by another, to an observer of the noisy tables who knows all
    other records; a `CensusSecret` says what of the record is secret. Two cells of each table move by one. So one cell
    of each table, where it reads one count up to what is known of others, tells half of it: the ρ of one count with
    discrete Gaussian noise that says as much as all of them (`dpcore.attacks.weighted`). The states' noisy totals are
    left out, since they were published exactly and no record leaves its state.
    Source: census_2020, strategy ProductionCandidate20210527US_mult8_add02_dsepJune3
    Source: ours, sum of exact fractions

    Parameters
    ----------
    level : str; one of `LEVELS`
    queries : sequence of str, optional; names of tables, as in `census_tables`; all of the level without it

    Examples
    --------
    >>> [round(float(level_rho(level)), 6) for level in ("block", "block_group", "state")]
    [0.102898, 0.783269, 0.071017]
    >>> round(float(level_rho("block", queries=["detailed"])), 6)
    0.09908
    """
    tables = census_tables(levels=[level], queries=queries)
    return sum((table.rho for table in tables if (table.level, table.query) != PUBLISHED_EXACTLY), Fraction(0))
