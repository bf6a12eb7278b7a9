"""The 2020 census as it was run: what the noisy tables of its redistricting file tell of one person.

The production settings are public: one budget of zero-concentrated privacy, ρ = (542/339)² for one record replaced by
another, shared by exact fractions among 65 tables on six levels. Each cell of a table has discrete Gaussian noise of
its own. A replaced record moves two cells of a table by one, or none where the table does not show what differs. So a
secret is touched by those tables alone that show it, and the one number of the whole file is about a record of which
everything may differ, its state included.

Two censuses are compared by somebody who knows everything but the secret and reads the noisy tables themselves. What
the agency made of them, tables that add up, tells no more. What it published exactly, the totals of the states, tells
more: a record can then be replaced within its state only, and a person can be in another state only where somebody
else comes from there. `SECRETS` holds these cases by name.

Each secret has an exact ρ and an exact law of the privacy loss, `CensusSecret.privacy_loss`, which answers the rest: ε
at δ, δ at ε and right guesses, each in a bracket, and through `dpcore.tradeoff.trade_off` the best test.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Literal, get_args

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss

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
def _tables() -> tuple[CensusTable, ...]:
    text = resources.files("dpcore").joinpath("data/census_2020_redistricting_persons.csv").read_text(encoding="utf-8")
    return tuple(
        CensusTable(row["level"], row["query"], Fraction(row["level_share"]), Fraction(row["query_share"]))  # type: ignore[arg-type]
        for row in csv.DictReader(text.splitlines())
    )


def _chosen(name: str, given: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
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
    tables = _tables()
    on = _chosen("levels", levels, LEVELS)
    of = _chosen("queries", queries, tuple(dict.fromkeys(table.query for table in tables)))
    return tuple(table for table in tables if table.level in on and table.query in of)


@call_hint
@dataclass(frozen=True, kw_only=True)
class CensusSecret:
    """What two possible censuses differ in: characteristics of one record, its place, or the places of two people.

    The promise is about one record of the census replaced by another, to an observer of the noisy tables who knows all
    other records; a `CensusSecret` says what of the record is secret. Of all such pairs of censuses the one is meant
    that moves the most cells, each by one. A pair that moves fewer of them tells less, because tables and cells that it
    leaves alone can be left out of the reading. So ρ, ε, δ, right guesses and the trade-off are the largest of all
    these pairs; the chance that a belief passes a level need not be.
    Source: census_2020, strategy ProductionCandidate20210527US_mult8_add02_dsepJune3
    Source: ours, cells that differ; checked by making all tables of all pairs of small censuses

    Parameters
    ----------
    characteristics : sequence of str, optional; of `CHARACTERISTICS`: those of her record that may differ
    place : str or None, optional; the highest of `LEVELS` on which her places may differ: with ``"county"`` she lives
        in one county or another of a state that the reader knows. None where her block is known.
    exchanged : bool, optional; whether somebody else moves the other way, so that the totals of that level's places
        stay what they are; what both records say besides is known

    Examples
    --------
    >>> secret = CensusSecret(characteristics=["race"], place="block")
    >>> [table.level for table in census_tables(queries=["total"]) if secret.cells(table)]
    ['block']
    """

    characteristics: tuple[str, ...] = ()
    place: Level | None = None
    exchanged: bool = False

    def __post_init__(self) -> None:
        named = _chosen("characteristics", self.characteristics, CHARACTERISTICS) if self.characteristics else ()
        object.__setattr__(self, "characteristics", tuple(name for name in CHARACTERISTICS if name in named))
        if self.place is not None and _checks.choice("place", self.place, LEVELS) == "nation":
            raise Refused("place", "not be the nation, there is one", self.place, Code.OUT_OF_RANGE)
        if not self.characteristics and self.place is None:
            raise Refused("characteristics or place", "differ between the two possibilities", (), Code.EMPTY)
        if self.exchanged and (self.place is None or self.characteristics):
            raise Refused("exchanged", "come with a place alone", self.exchanged, Code.INCONSISTENT)

    def cells(self, table: CensusTable) -> int:
        """How many cells of a table, in all its places, differ by one between the two censuses: 0, 2 or 4."""
        characters = 2 if set(self.characteristics) & set(table.shown) else 0
        if self.place is None or LEVELS.index(table.level) < LEVELS.index(self.place):
            return characters
        if not self.exchanged:
            return 2
        return 0 if table.level == self.place and table.query == "total" else 4

    def rho(self, tables: Sequence[CensusTable] | None = None) -> Fraction:
        """ρ of noisy tables for this secret, exactly; of all 65 where none are chosen.

        Examples
        --------
        >>> round(float(SECRETS["race"].rho(census_tables(levels=["block"]))), 6)
        0.102144
        """
        return sum(
            (table.rho * self.cells(table) / 2 for table in (_tables() if tables is None else tables)), Fraction(0)
        )

    def privacy_loss(self, tables: Sequence[CensusTable] | None = None) -> PrivacyLoss:
        """The law of the privacy loss of noisy tables for this secret; of all 65 where none are chosen.

        The exact values lie in its `epsilon_bracket`, `delta_bracket` and `right_guess_bracket`; `epsilon_at` and
        `delta_at` are the upper ends. Where no table shows the secret the loss is zero.

        Examples
        --------
        >>> loss = SECRETS["race"].privacy_loss(census_tables(levels=["block"]))
        >>> guess = loss.right_guess_bracket()
        >>> round(guess.low, 2), round(guess.high, 2)
        (0.59, 0.59)
        """
        shown = [(table, self.cells(table)) for table in (_tables() if tables is None else tables)]
        releases = tuple((table.noise, cells) for table, cells in shown if cells)
        return PrivacyLoss(releases) if releases else PrivacyLoss.of(RandomizedResponse(epsilon=0.0))


SECRETS: Mapping[str, CensusSecret] = MappingProxyType(
    {
        "race": CensusSecret(characteristics=("race",)),
        "hispanic": CensusSecret(characteristics=("hispanic",)),
        "voting_age": CensusSecret(characteristics=("voting_age",)),
        "group_quarters": CensusSecret(characteristics=("group_quarters",)),
        "place_within_state": CensusSecret(place="county"),
        "record_within_state": CensusSecret(characteristics=CHARACTERISTICS, place="county"),
        "record": CensusSecret(characteristics=CHARACTERISTICS, place="state"),
        "exchange_between_states": CensusSecret(place="state", exchanged=True),
    }
)
"""Secrets by name. For a characteristic her block and all else are known; for her place within the state all of her
record. Then a record within its state, which the exact totals of the states leave possible; any record, which they rule
out where its state differs, and which the published ρ is about; and two people who change places between states, which
they leave possible too."""

DEMONSTRATION_RHO = Fraction(365, 100)
"""ρ of the demonstration plan that `demonstration_loss` composes."""
DEMONSTRATION_SHARES = tuple(
    (Fraction(share, 10_000), releases)
    for share, releases in ((20, 10), (274, 10), (85, 10), (131, 20), (238, 10), (118, 10), (3, 10))
)
"""Its seven levels: each release's share of the budget, and how many releases."""


@call_hint
def demonstration_loss() -> PrivacyLoss:
    """The law of the privacy loss of a published plan for the demographic and housing file, ρ = 3.65, exactly.

    The promise is about one record of the census replaced by another, to an observer of the noisy tables who knows all
    other records; a `CensusSecret` says what of the record is secret. Eighty releases of seven noises, each with its
    share of ρ, as the paper composes them. On their common lattice it is exact: the smallest ε at δ = 10⁻¹⁰ is 20.3247.
    The paper has 20.84, from 96 jobs of some eight hours: its sum is the probability that the loss exceeds ε, and
    leaves out the second term of δ, e^ε times that probability in the other world. The published value is 21.97.
    Source: su_su_wang, Census_2022_08_eps_delta_division_eps (numbers of the plan); ours, exact lattice

    Examples
    --------
    >>> loss = demonstration_loss()
    >>> loss.certainty, round(loss.epsilon_at(1e-10), 4)
    ('exact', 20.3247)
    >>> f"{loss.loss_tail(20.838545):.3e}", f"{loss.delta_at(20.838545):.3e}"  # the paper's sum, and delta
    ('9.980e-11', '2.892e-11')
    """
    return PrivacyLoss(
        tuple((DiscreteGaussian(rho=float(DEMONSTRATION_RHO * share)), count) for share, count in DEMONSTRATION_SHARES)
    )
