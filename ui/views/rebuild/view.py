"""Rebuild a block: the most likely people given noisy tables, beside guessing from public shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.attacks.reconstruction import (
    Reconstruction,
    Tables,
    draw_tables,
    guess_from_shares,
    marginal_tables,
    people_right,
    rebuild,
    redistricting_tables,
)
from dpcore.populations import ATTRIBUTES, CountTable, public_shares_of_synthetic_blocks, synthetic_block
from riskline.case.fields import Field
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import Axis, Level, Line, Mark, Panel, Spot
from ui.pictures.panels import Panels
from ui.pictures.people_grid import guess_of
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.rebuild.in_python import in_python
from ui.views.shared.table_choice import TABLE_FIELDS, TableChoice, chosen_table
from ui.words.catalogue import say
from ui.words.phrasing import people, plain_number
from ui.words.python_lines import CodeLines
from ui.words.quantities import Typed, Upper, number, whole
from ui.words.refusals import refusal_sentence

NOISES = ("discrete_gaussian", "geometric", "none")
MOST_PEOPLE, MOST_CELLS = 100, 300
SWEPT = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
DRAWS = 10
MOST_KEPT = 2_000
AT_ONCE = 1.5
"""Seconds of each search that a page waits for; a longer one goes on beside it."""

FIELDS: tuple[Field, ...] = (
    Field("source", "Which block", "choice", "block", options=("block", "table")),
    *TABLE_FIELDS,
    Field("people", "People in the synthetic block", "count", 45, low=2, high=MOST_PEOPLE, span=(5, 60)),
    Field("block", "Number of the synthetic block", "count", 1, low=0, high=999_999),
    Field("noise", "Noise of each count", "choice", "discrete_gaussian", options=NOISES),
    Field("rho", "ρ of each published count", "number", 0.1, low=0.001, high=100),
    Field("epsilon", "ε of each published count", "number", 0.5, low=0.01, high=50),
    Field("size_known", "The number of people is published exactly", "flag", False),
    Field("seed", "Seed of the noise", "count", 1, low=0, high=999_999),
    Field("limit", "Time limit in seconds", "number", 5.0, low=0.1, high=30),
    Field("sweep", "Rebuild at seven budgets, ten draws each", "flag", False),
)

Done = MutableMapping[Any, "Kept"]
"""What this session has rebuilt already, by the choices it depends on."""


@dataclass(frozen=True, kw_only=True)
class RebuildInputs(TableChoice):
    """What a reader chose on this page."""

    source: str = "block"
    people: int = 45
    block: int = 1
    noise: str = "discrete_gaussian"
    rho: float = 0.1
    epsilon: float = 0.5
    size_known: bool = False
    seed: int = 1
    limit: float = 5.0
    sweep: bool = False

    @property
    def budget(self) -> float:
        """ρ or ε of each published count."""
        return self.epsilon if self.noise == "geometric" else self.rho

    @property
    def table_choice(self) -> TableChoice:
        """The table alone."""
        return TableChoice(**{field.name: getattr(self, field.name) for field in fields(TableChoice)})


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


@dataclass(frozen=True)
class RebuildView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    grids: Panels | None = None
    grids_reading: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    rate: Picture | None = None
    computed: str = ""
    python: CodeLines | None = None
    refusal: str | None = None


def chosen_block(inputs: RebuildInputs, own: CountTable | None = None) -> Block:
    """The block of the choices.

    Raises
    ------
    ValueError
        ``place must be a whole number from 1 to ...; got ...``, ``block must hold from 1 to 100 people; got ...``,
        ``block must have at most 300 kinds of people; got ...``.
    """
    if inputs.source == "block":
        made = synthetic_block(inputs.people, seed=inputs.block)
        shares, origin = public_shares_of_synthetic_blocks(), "shares"
        columns = np.arange(len(made.cells))
        counts, attributes = made.counts[0], made.attributes
    else:
        made = chosen_table(inputs.table_choice, own)
        if not 1 <= inputs.place <= len(made.places):
            raise ValueError(f"place must be a whole number from 1 to {len(made.places):,}; got {inputs.place}")
        columns = np.flatnonzero(made.counts.sum(axis=0))
        here = made.counts[inputs.place - 1, columns]
        elsewhere = made.counts[:, columns].sum(axis=0) - here
        counts, attributes = here, made.attributes
        shares, origin = (elsewhere.astype(float), "elsewhere") if elsewhere.any() else (np.ones(columns.size), "equal")
    number = int(counts.sum())
    if not 1 <= number <= MOST_PEOPLE:
        raise ValueError(f"block must hold from 1 to {MOST_PEOPLE} people; got {number:,}")
    if columns.size > MOST_CELLS:
        raise ValueError(f"block must have at most {MOST_CELLS} kinds of people; got {columns.size:,}")
    cells = [made.cells[column] for column in columns]
    tables = redistricting_tables(cells) if attributes == ATTRIBUTES else marginal_tables(cells, attributes=attributes)
    place = inputs.place - 1 if inputs.source == "table" else 0
    return Block(
        f"{made.name}, {made.places[place]}" if len(made.places) > 1 else made.name,
        tuple(", ".join(cell) for cell in cells),
        counts,
        tables,
        shares,
        origin,
        made,
        (made.name, made.places[place], number, counts.tobytes(), inputs.source, inputs.people, inputs.block),
    )


@dataclass(frozen=True)
class Kept:
    """What a search found, and the seconds it was allowed."""

    found: Reconstruction
    limit: float
    unique: bool

    def settles(self, limit: float) -> bool:
        """Whether a search of so many seconds would not find more."""
        decided = self.found.status in ("most likely", "impossible")
        open_question = self.unique and self.found.counts is not None and self.found.unique is None
        return (decided and not open_question) or self.limit >= limit


def _key(inputs: RebuildInputs, block: Block, *, noise: str, budget: float, seed: int, unique: bool) -> Any:
    return (block.key, noise, budget, seed, unique, inputs.size_known)


def _searched(
    inputs: RebuildInputs, block: Block, *, noise: str, budget: float, seed: int, unique: bool, limit: float
) -> Kept:
    """The most likely block for one draw."""
    released = draw_tables(block.counts, tables=block.tables, noise=noise, budget=budget, seed=seed)
    found = rebuild(
        released,
        tables=block.tables,
        noise=noise,
        budget=budget,
        people=block.people if inputs.size_known else None,
        time_limit=limit,
        check_unique=unique,
    )
    return Kept(found, limit, unique)


def _page_draws(inputs: RebuildInputs) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two draws every page shows: the one of the choices, and tables without noise."""
    chosen = {"noise": inputs.noise, "budget": inputs.budget, "seed": inputs.seed, "unique": True}
    return chosen, {"noise": "none", "budget": 1.0, "seed": 0, "unique": False}


def _found_within(seconds: float, inputs: RebuildInputs, block: Block, done: Done) -> list[Reconstruction]:
    """Both, as far as they are known or found in so many seconds; kept for this session."""
    results = []
    for draw in _page_draws(inputs):
        key, limit = _key(inputs, block, **draw), min(inputs.limit, seconds)
        if key not in done or not done[key].settles(limit):
            keep(done, [(key, _searched(inputs, block, **draw, limit=limit))])
        results.append(done[key].found)
    return results


@lru_cache(maxsize=1)
def opened() -> tuple[tuple[Any, Kept], ...]:
    """What the page opens with, rebuilt once for everybody: a made block and our own draw, nothing a reader chose."""
    inputs, done = RebuildInputs(), dict[Any, Kept]()
    _found_within(inputs.limit, inputs, chosen_block(inputs), done)
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
    return any(not done[_key(inputs, block, **draw)].settles(inputs.limit) for draw in _page_draws(inputs))


def search(
    inputs: RebuildInputs, own: CountTable | None, *, progress: Callable[[int, int], None]
) -> Iterator[tuple[Any, Kept]]:
    """The same two searches with all the time that they are allowed."""
    block, draws = chosen_block(inputs, own), _page_draws(inputs)
    for step, draw in enumerate(draws):
        progress(step, len(draws))
        yield _key(inputs, block, **draw), _searched(inputs, block, **draw, limit=inputs.limit)


def _draws(inputs: RebuildInputs) -> list[dict[str, Any]]:
    """The draws of the sweep: each seed at every budget before the next seed, so that a stop leaves a curve."""
    return [
        {"noise": inputs.noise, "budget": budget, "seed": inputs.seed + draw, "unique": False}
        for draw in range(DRAWS)
        for budget in SWEPT
    ]


def sweep(
    inputs: RebuildInputs, own: CountTable | None, known: int = 0, *, progress: Callable[[int, int], None]
) -> Iterator[tuple[Any, Kept]]:
    """Rebuild at each budget and draw after the first `known`, one a step."""
    block, draws = chosen_block(inputs, own), _draws(inputs)
    for step, draw in enumerate(draws[known:], known):
        progress(step, len(draws))
        yield _key(inputs, block, **draw), _searched(inputs, block, **draw, limit=inputs.limit)


def refusal_of(inputs: RebuildInputs, own: CountTable | None) -> str | None:
    """Why there is no block to rebuild, if there is none."""
    try:
        chosen_block(inputs, own)
    except ValueError as error:
        return refusal_sentence(error)
    return None


def rebuild_view(
    inputs: RebuildInputs,
    style: Style,
    own: CountTable | None = None,
    done: Done | None = None,
    *,
    wait: float = math.inf,
) -> RebuildView:
    """The page for these choices, the reader's own table, and the searches this session has already done.

    A search takes at most `wait` seconds, and at most those of the choices; `unsettled` says whether it needs more.
    """
    done = {} if done is None else done
    refusal = refusal_of(inputs, own)
    if refusal is not None:
        return RebuildView("", "", refusal=refusal)
    block = chosen_block(inputs, own)
    found, exact = _found_within(wait, inputs, block, done)
    if found.counts is None:
        if unsettled(inputs, own, done):
            return RebuildView("", "", refusal=f"No block was found within {wait:g} seconds; the search goes on.")
        return RebuildView(
            "", "", refusal=f"No block was found within {inputs.limit:g} seconds: allow more time or fewer people."
        )
    context = _facts(inputs, style, block, found, exact)
    people = _people(block, found, style)
    return RebuildView(
        answer=say("rebuild", style.voice, "answer", **context),
        small_print=say("rebuild", style.voice, "small_print", **context),
        grids=Panels(
            "rebuild-people", tuple(guess_of(people, key) for key in ("rebuilt", "guessed")), people.table(), style
        ),
        grids_reading=say("rebuild", style.voice, "grids_reading", **context),
        numbers=_numbers(inputs, style, context, found),
        rate=_rate(inputs, style, block, found, exact, done, context),
        computed=say("rebuild", style.voice, "computed", **context),
        python=in_python(inputs, block.made, people_right(found.counts, block.counts)),
    )


def _right(guess: NDArray[np.int64] | None, block: Block) -> str:
    return "none found" if guess is None else f"{people_right(guess, block.counts)} of {block.people}"


def _facts(
    inputs: RebuildInputs, style: Style, block: Block, found: Reconstruction, exact: Reconstruction
) -> dict[str, object]:
    assert found.counts is not None
    voice = style.voice
    symbol = "ε" if inputs.noise == "geometric" else "ρ"
    budget = "no noise at all" if inputs.noise == "none" else f"{symbol} = {plain_number(inputs.budget, 4)}"
    counts_of_one = int(block.tables.matrix.sum(axis=0).max())
    right, guessed = people_right(found.counts, block.counts), people_right(block.guess, block.counts)
    compared = "same" if right == guessed else ("more" if right > guessed else "fewer")
    unique = {True: "unique", False: "not_unique", None: "unsettled"}[found.unique]
    seconds = plain_number(max(found.seconds, 0.001), 2)
    solved = say("rebuild", voice, "solved" if found.status == "most likely" else "stopped", seconds=seconds)
    total = Upper(counts_of_one * inputs.budget, number(4)).digits
    shared = block.tables.matrix.T @ block.tables.matrix
    moved = int(
        (np.diag(shared)[:, None] + np.diag(shared) - 2 * shared).max()
    )  # counts of one kind or the other alone
    total_value = Upper(moved * inputs.budget, number(4)).digits
    context: dict[str, object] = {
        "block": block.name + (" (invented people)" if block.made.synthetic and "ynthetic" not in block.name else ""),
        "right": _right(found.counts, block),
        "guessed": _right(block.guess, block),
        "compared": say("rebuild", voice, f"compared_{compared}", difference=people(abs(right - guessed))),
        "unique": say("rebuild", voice, unique),
        "budget": budget,
        "queries": len(block.tables.labels),
        "kinds": len(block.kinds),
        "counts_of_one": Typed(counts_of_one, whole),
        "total": f"{symbol} = {total}",
        "moved": Typed(moved, whole),
        "total_value": f"{symbol} = {total_value}",
        "promise": say("rebuild", voice, "promise_none" if inputs.noise == "none" else "promise"),
        "size_note": " " + say("rebuild", voice, "size_note") if inputs.size_known and inputs.noise != "none" else "",
        "exact": _right(exact.counts, block),
        "other": _right(found.runner_up, block) if found.unique is False else "",
        "size": int(found.counts.sum()),
        "people": block.people,
        "status": found.status,
        "cost": plain_number(found.cost, 5),
        "shares": say("rebuild", voice, f"guess_{block.shares_from}"),
        "solved": solved[0].upper() + solved[1:]
        if inputs.noise == "none"
        else say("rebuild", voice, "one_draw", seed=inputs.seed, solved=solved),
        "tables": say("rebuild", voice, "tables_none" if inputs.noise == "none" else "tables"),
    }
    spent = "spent_none" if inputs.noise == "none" else "spent"
    return context | {"spent": say("rebuild", voice, spent, **context)}


def _numbers(
    inputs: RebuildInputs, style: Style, context: dict[str, object], found: Reconstruction
) -> tuple[tuple[str, str, str], ...]:
    noisy = inputs.noise != "none"  # without noise nothing is spent, and both rebuilt blocks are one
    names = ["right", *(["other"] if found.unique is False else []), "guessed", *(["exact"] if noisy else [])]
    rows = [(say("rebuild", style.voice, f"number_{name}"), str(context[name]), "") for name in names]
    spent = (*(("total",) if not inputs.size_known else ()), "total_value") if noisy else ()
    title = say("rebuild", style.voice, "number_total")
    return (*rows, *((title, str(context[name]), say("rebuild", style.voice, f"note_{name}")) for name in spent))


def _people(block: Block, found: Reconstruction, style: Style) -> Numbers:
    """How many people of each kind are there and in either guess: what the grids draw and their table lists."""
    assert found.counts is not None
    shown = np.flatnonzero(block.counts + found.counts + block.guess)
    often = shown[np.argsort(-block.counts[shown], kind="stable")].tolist()
    return Numbers(
        f"{block.name}: people by kind",
        (
            side_by_side(
                Column("kind", "kind", list(block.kinds)),
                Column("there", "there", block.counts.tolist(), said=int),
                Column("rebuilt", say("rebuild", style.voice, "grid_rebuilt"), found.counts.tolist(), said=int),
                Column("guessed", say("rebuild", style.voice, "grid_guess"), block.guess.tolist(), said=int),
                listed=often,
            ),
        ),
    )


def _rate(
    inputs: RebuildInputs,
    style: Style,
    block: Block,
    found: Reconstruction,
    exact: Reconstruction,
    done: Done,
    context: dict[str, object],
) -> Picture:
    """The share of people who are right against the budget, for the draws that are done."""
    assert found.counts is not None
    rates: dict[float, list[float]] = {budget: [] for budget in SWEPT}
    for draw in _draws(inputs):
        kept = done.get(_key(inputs, block, **draw))
        if kept is not None and kept.found.counts is not None:
            rates[draw["budget"]].append(people_right(kept.found.counts, block.counts) / block.people)
    budgets = np.array([budget for budget in SWEPT if rates[budget]])
    rate = say("rebuild", style.voice, "rate_y")
    across = say("rebuild", style.voice, "rate_x_epsilon" if inputs.noise == "geometric" else "rate_x_rho")
    guessed = people_right(block.guess, block.counts) / block.people
    drawn = [rates[float(budget)] for budget in budgets]
    swept = side_by_side(
        Column("budget", "budget of each count", budgets, quantity=across, said=digits(3)),
        Column("draws", "draws", [len(values) for values in drawn], said=int),
        Column("lowest", "lowest draw", np.array([min(values) for values in drawn]), quantity=rate, said=digits(3)),
        Column("average", "average", np.array([np.mean(values) for values in drawn]), quantity=rate, said=digits(3)),
        Column("highest", "highest draw", np.array([max(values) for values in drawn]), quantity=rate, said=digits(3)),
        Column("guessed", "guess from shares", np.full(len(drawn), guessed), said=digits(3)),
    )
    rows = [swept, side_by_side(single("level", say("rebuild", style.voice, "rate_guess"), guessed, quantity=rate))]
    marks: list[Mark] = [
        Line(x="budget", y="highest", role="quiet", dash="dot"),
        Line(x="budget", y="average", label=4),
        Line(x="budget", y="lowest", role="quiet", dash="dot"),
        Level(y="level"),
    ]
    if exact.counts is not None:
        top = np.full(2, people_right(exact.counts, block.counts) / block.people)
        rows.append(
            side_by_side(
                Column("ends", "budgets swept", np.array([SWEPT[0], SWEPT[-1]]), quantity=across),
                Column("exact", say("rebuild", style.voice, "rate_exact"), top, quantity=rate),
            )
        )
        marks.append(Line(x="ends", y="exact", role="third", dash="dash", label=0))
    hit = people_right(found.counts, block.counts) / block.people
    if inputs.noise != "none":
        rows.append(
            side_by_side(
                single("this_budget", "budget of this draw", inputs.budget, quantity=across),
                single("here", say("rebuild", style.voice, "rate_spot"), hit, quantity=rate),
            )
        )
        marks.append(Spot(x="this_budget", y="here"))
    finished = sum(len(values) for values in rates.values())
    name = "reading_rate" if finished else "reading_rate_one"
    if inputs.noise == "none":
        name = "reading_rate_no_noise"
    reading = say("rebuild", style.voice, name, finished=finished, wanted=len(SWEPT) * DRAWS, **context)
    ends = (min(SWEPT[0], inputs.budget) / 1.3, 1.3 * max(SWEPT[-1], inputs.budget))
    ticks = tuple((float(budget), f"{budget:g}") for budget in SWEPT)
    return Picture(
        key="rebuild-rate",
        numbers=Numbers("Share of people who are right", tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True, ticks=ticks, range=ends), y=Axis(range=(0.0, 1.05))),),
        reading=reading,
        style=style,
        height=340,
    )
