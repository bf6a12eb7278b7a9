"""What of one record may be secret, and what the noisy tables that show it tell of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.census.settings import CHARACTERISTICS, LEVELS, CensusTable, Level, census_tables, chosen_names
from dpcore.errors import Code, Refused
from dpcore.mechanisms import RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss


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
        named = chosen_names("characteristics", self.characteristics, CHARACTERISTICS) if self.characteristics else ()
        object.__setattr__(self, "characteristics", tuple(name for name in CHARACTERISTICS if name in named))
        if self.place is not None and _checks.choice("place", self.place, LEVELS) == "nation":
            raise Refused("place", "not be the nation, there is one", self.place, Code.OUT_OF_RANGE)
        if not self.characteristics and self.place is None:
            raise Refused("characteristics or place", "differ between the two possibilities", (), Code.EMPTY)
        if self.exchanged and (self.place is None or self.characteristics):
            raise Refused("exchanged", "come with a place alone", self.exchanged, Code.INCONSISTENT)

    def cells(self, table: CensusTable) -> int:
        """How many cells of a table, in all its places, differ by one between the two censuses: 0, 2 or 4."""
        _checks.kind_of("tables", table, CensusTable, "tables of census_tables()")
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
            (self.cells(table) * table.rho / 2 for table in (census_tables() if tables is None else tables)),
            Fraction(0),
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
        shown = [(table, self.cells(table)) for table in (census_tables() if tables is None else tables)]
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
