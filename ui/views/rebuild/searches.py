"""What a reader chooses on *Rebuild a block*, the block these choices mean, and the searches that rebuild it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.attacks.reconstruction import (
    NOISES,
    Reconstruction,
    TableNoise,
    Tables,
    draw_tables,
    guess_from_shares,
    marginal_tables,
    rebuild,
    redistricting_tables,
)
from dpcore.mechanisms import CountLaw, noise_kind
from dpcore.methods import DisclosureControl
from dpcore.populations import ATTRIBUTES, CountTable, public_shares_of_synthetic_blocks, synthetic_block
from riskline.case import declaration
from riskline.case.declaration import count, flag, option
from riskline.case.methods import LARGEST_BASE, MethodSettings, control_of
from ui.link.page_table import fields_of
from ui.views.shared.table_choice import TableChoice, chosen_table, kind_in_words, no_such_place
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole
from ui.words.refusals import refusal_sentence

word = partial(label, "rebuild")
MOST_PEOPLE, MOST_CELLS = 100, 300
SWEPT = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
DRAWS = 10
MOST_KEPT = 2_000
MANY = 1_000_000
"""Of more blocks that fit than this, no more is said."""
AT_ONCE = 1.5
"""Seconds of each search that a page waits for; a longer one goes on beside it."""

Done = MutableMapping[Any, "Kept"]
"""What this session has rebuilt already, by the choices it depends on."""


@dataclass(frozen=True, kw_only=True)
class RebuildInputs(TableChoice, MethodSettings):
    """What a reader chose on this page."""

    source: str = option("block", "table")
    people: int = count(45, low=2, high=MOST_PEOPLE, span=(5, 60))
    block: int = count(1, low=0, high=999_999)
    noise: str = option(*NOISES, "round_random", "round_nearest", "cell_key", "suppress")
    threshold: int = count(5, low=1, high=LARGEST_BASE)
    rho: float = declaration.number(0.1, low=0.001, high=100)
    epsilon: float = declaration.number(0.5, low=0.01, high=50)
    size_known: bool = flag()
    seed: int = count(1, low=0, high=999_999)
    limit: float = declaration.number(5.0, low=0.1, high=30)
    sweep: bool = flag()

    @property
    def method(self) -> DisclosureControl | None:
        """The method that protects the tables in the place of noise, if one does."""
        return control_of(self.noise, self)

    @property
    def protection(self) -> Any:
        """The kind of noise by its name, or the method."""
        return self.method or self.noise

    @property
    def has_budget(self) -> bool:
        """Whether noise is added."""
        return self.noise != "none" and self.method is None

    @property
    def in_epsilon(self) -> bool:
        """Whether the budget is an ε."""
        return self.has_budget and noise_kind(self.noise).budget_kind == "epsilon"

    @property
    def budget(self) -> float:
        """ρ or ε of each count."""
        return self.epsilon if self.in_epsilon else self.rho


FIELDS = fields_of("rebuild", RebuildInputs, "table_choice", "by_method", "case")


@dataclass(frozen=True, eq=False)
class Block:
    """A block to rebuild: its people by kind, its tables, and what the public would guess."""

    name: str
    kinds: tuple[str, ...]
    counts: NDArray[np.int64]
    tables: Tables
    shares: NDArray[np.float64]
    shares_from: str
    made: CountTable
    key: Any

    @property
    def people(self) -> int:
        """People in the block."""
        return int(self.counts.sum())

    @property
    def guess(self) -> NDArray[np.int64]:
        """What somebody guesses who knows the public shares and the number of people."""
        return guess_from_shares(self.shares, people=self.people)


def chosen_block(inputs: RebuildInputs, own: CountTable | None = None) -> Block:
    """The block of the choices; `ValueError` where there is none, or one too large to rebuild."""
    if inputs.source == "block":
        made = synthetic_block(inputs.people, seed=inputs.block)
        shares, origin = public_shares_of_synthetic_blocks(), "shares"
        columns = np.arange(len(made.cells))
        counts = made.counts[0]
    else:
        made = chosen_table(inputs, own)
        if not 1 <= inputs.place <= len(made.places):
            raise no_such_place(made, inputs.place)
        columns = np.flatnonzero(made.counts.sum(axis=0))
        counts = made.counts[inputs.place - 1, columns]
        elsewhere = made.counts[:, columns].sum(axis=0) - counts
        shares, origin = (elsewhere.astype(float), "elsewhere") if elsewhere.any() else (np.ones(columns.size), "equal")
    size = int(counts.sum())
    if not 1 <= size <= MOST_PEOPLE:
        raise ValueError(word("size_refused", most=MOST_PEOPLE, people=f"{size:,}"))
    if columns.size > MOST_CELLS:
        raise ValueError(word("kinds_refused", most=Typed(MOST_CELLS, whole), kinds=f"{columns.size:,}"))
    cells = [made.cells[column] for column in columns]
    census = made.attributes == ATTRIBUTES
    tables = redistricting_tables(cells) if census else marginal_tables(cells, attributes=made.attributes)
    place = made.places[inputs.place - 1 if inputs.source == "table" else 0]
    name = f"{made.name}, {place}" if len(made.places) > 1 else made.name
    key = (made.name, place, size, counts.tobytes(), inputs.source, inputs.people, inputs.block)
    return Block(name, tuple(map(kind_in_words, cells)), counts, tables, shares, origin, made, key)


@dataclass(frozen=True)
class Kept:
    """What a search found, and the seconds it was allowed."""

    found: Reconstruction
    limit: float
    unique: bool

    def settles(self, limit: float) -> bool:
        """Whether a search of so many seconds would not find more."""
        if self.found.status == "likely":  # of a law that the search cannot settle
            return True
        decided = self.found.status in ("most likely", "impossible")
        open_question = self.unique and self.found.counts is not None and self.found.unique is None
        return (decided and not open_question) or self.limit >= limit


@dataclass(frozen=True)
class Draw:
    """One draw of the tables, and whether it is asked if another block is as likely."""

    noise: TableNoise | CountLaw
    budget: float
    seed: int
    unique: bool = False


def key_of(inputs: RebuildInputs, block: Block, draw: Draw) -> Any:
    """What a search is kept under."""
    return (block.key, repr(draw), inputs.size_known)


def _searched(inputs: RebuildInputs, block: Block, draw: Draw, limit: float) -> Kept:
    """The most likely block for one draw."""
    asked: dict[str, Any] = {"tables": block.tables, "noise": draw.noise, "budget": draw.budget}
    released = draw_tables(block.counts, **asked, seed=draw.seed)
    people = block.people if inputs.size_known else None
    found = rebuild(released, **asked, people=people, time_limit=limit, check_unique=draw.unique)
    return Kept(found, limit, draw.unique)


def _page_draws(inputs: RebuildInputs) -> tuple[Draw, Draw]:
    """The two draws every page shows: the one of the choices, and tables without noise."""
    return Draw(inputs.protection, inputs.budget, inputs.seed, unique=True), Draw("none", 1.0, 0)


def found_within(seconds: float, inputs: RebuildInputs, block: Block, done: Done) -> list[Reconstruction]:
    """Both, as far as they are known or found in so many seconds; kept for this session."""
    results = []
    for draw in _page_draws(inputs):
        key, limit = key_of(inputs, block, draw), min(inputs.limit, seconds)
        if key not in done or not done[key].settles(limit):
            keep(done, [(key, _searched(inputs, block, draw, limit))])
        results.append(done[key].found)
    return results


@lru_cache(maxsize=1)
def opened() -> tuple[tuple[Any, Kept], ...]:
    """What the page opens with, rebuilt once for everybody: a made block and our own draw, nothing a reader chose."""
    inputs, done = RebuildInputs(), dict[Any, Kept]()
    found_within(inputs.limit, inputs, chosen_block(inputs), done)
    return tuple(done.items())


def keep(done: Done, found: Iterable[tuple[Any, Kept]]) -> None:
    """Hold what was found, the searches that were allowed more before those that were allowed less."""
    for key, kept in found:
        if key not in done or kept.limit >= done[key].limit:
            if len(done) >= MOST_KEPT:
                done.clear()
            done[key] = kept


def unsettled(inputs: RebuildInputs, own: CountTable | None, done: Done) -> bool:
    """Whether a longer search than the page's could find a likelier block, or settle whether there is another."""
    if refusal_of(inputs, own) is not None:
        return False
    block = chosen_block(inputs, own)
    return any(not done[key_of(inputs, block, draw)].settles(inputs.limit) for draw in _page_draws(inputs))


Searches = Iterator[tuple[Any, Kept]]
Progress = Callable[[int, int], None]


def search(inputs: RebuildInputs, own: CountTable | None, *, progress: Progress) -> Searches:
    """The same two searches with all the time that they are allowed."""
    return _each(inputs, own, _page_draws(inputs), 0, progress)


def swept_draws(inputs: RebuildInputs) -> list[Draw]:
    """The draws of the sweep: each seed at every budget before the next seed, so that a stop leaves a curve."""
    return [Draw(inputs.protection, budget, inputs.seed + draw) for draw in range(DRAWS) for budget in SWEPT]


def sweep(inputs: RebuildInputs, own: CountTable | None, known: int = 0, *, progress: Progress) -> Searches:
    """Rebuild at each budget and draw after the first `known`, one a step."""
    return _each(inputs, own, swept_draws(inputs), known, progress)


def _each(
    inputs: RebuildInputs, own: CountTable | None, draws: Sequence[Draw], known: int, progress: Progress
) -> Searches:
    block = chosen_block(inputs, own)
    for step, draw in enumerate(draws[known:], known):
        progress(step, len(draws))
        yield key_of(inputs, block, draw), _searched(inputs, block, draw, inputs.limit)


def refusal_of(inputs: RebuildInputs, own: CountTable | None) -> str | None:
    """Why there is no block to rebuild, if there is none."""
    try:
        block, method = chosen_block(inputs, own), inputs.method
        if method is not None:  # a table of keys is solved row by row
            for people in range(block.people + 1):
                method.law(people)
    except ValueError as error:
        return refusal_sentence(error)
    return None
