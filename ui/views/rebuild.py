"""Rebuild a block: the most likely people given noisy tables, beside guessing from public shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, MutableMapping
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
    people_right,
    rebuild,
    redistricting_tables,
)
from dpcore.mechanisms import noise_kind
from dpcore.populations import (
    ATTRIBUTES,
    CountTable,
    district_28_21,
    public_shares_of_synthetic_blocks,
    synthetic_block,
    synthetic_county,
)
from riskline.case import declaration
from riskline.case.declaration import count, flag, option
from ui.link.page_table import fields_of
from ui.pictures.columns import Column, Numbers, digits, side_by_side
from ui.pictures.marks import PERCENT, Axis, Level, Line, Mark, Spot
from ui.pictures.panels import Panels
from ui.pictures.people import guess_of
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.shared.promise import PageAnswer
from ui.views.shared.table_choice import TableChoice, chosen_table, kind_in_words, no_such_place
from ui.words.catalogue import label, say
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Typed, Upper, number, whole
from ui.words.refusals import refusal_sentence

word = partial(label, "rebuild")
MOST_PEOPLE, MOST_CELLS = 100, 300
SWEPT = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
DRAWS = 10
MOST_KEPT = 2_000
AT_ONCE = 1.5
"""Seconds of each search that a page waits for; a longer one goes on beside it."""

Done = MutableMapping[Any, "Kept"]
"""What this session has rebuilt already, by the choices it depends on."""


@dataclass(frozen=True, kw_only=True)
class RebuildInputs(TableChoice):
    """What a reader chose on this page."""

    source: str = option("block", "table")
    people: int = count(45, low=2, high=MOST_PEOPLE, span=(5, 60))
    block: int = count(1, low=0, high=999_999)
    noise: TableNoise = option(*NOISES)
    rho: float = declaration.number(0.1, low=0.001, high=100)
    epsilon: float = declaration.number(0.5, low=0.01, high=50)
    size_known: bool = flag()
    seed: int = count(1, low=0, high=999_999)
    limit: float = declaration.number(5.0, low=0.1, high=30)
    sweep: bool = flag()

    @property
    def in_epsilon(self) -> bool:
        """Whether the budget is an ε."""
        return self.noise != "none" and noise_kind(self.noise).budget_kind == "epsilon"

    @property
    def budget(self) -> float:
        """ρ or ε of each count."""
        return self.epsilon if self.in_epsilon else self.rho


FIELDS = fields_of("rebuild", RebuildInputs, "table_choice", "case")


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
        decided = self.found.status in ("most likely", "impossible")
        open_question = self.unique and self.found.counts is not None and self.found.unique is None
        return (decided and not open_question) or self.limit >= limit


def key_of(inputs: RebuildInputs, block: Block, *, noise: TableNoise, budget: float, seed: int, unique: bool) -> Any:
    """What a search is kept under."""
    return (block.key, noise, budget, seed, unique, inputs.size_known)


def _searched(
    inputs: RebuildInputs, block: Block, *, noise: TableNoise, budget: float, seed: int, unique: bool, limit: float
) -> Kept:
    """The most likely block for one draw."""
    released = draw_tables(block.counts, tables=block.tables, noise=noise, budget=budget, seed=seed)
    people = block.people if inputs.size_known else None
    asked: dict[str, Any] = {"tables": block.tables, "noise": noise, "budget": budget, "people": people}
    found = rebuild(released, **asked, time_limit=limit, check_unique=unique)
    return Kept(found, limit, unique)


def _page_draws(inputs: RebuildInputs) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two draws every page shows: the one of the choices, and tables without noise."""
    chosen = {"noise": inputs.noise, "budget": inputs.budget, "seed": inputs.seed, "unique": True}
    return chosen, {"noise": "none", "budget": 1.0, "seed": 0, "unique": False}


def found_within(seconds: float, inputs: RebuildInputs, block: Block, done: Done) -> list[Reconstruction]:
    """Both, as far as they are known or found in so many seconds; kept for this session."""
    results = []
    for draw in _page_draws(inputs):
        key, limit = key_of(inputs, block, **draw), min(inputs.limit, seconds)
        if key not in done or not done[key].settles(limit):
            keep(done, [(key, _searched(inputs, block, **draw, limit=limit))])
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
    return any(not done[key_of(inputs, block, **draw)].settles(inputs.limit) for draw in _page_draws(inputs))


def search(
    inputs: RebuildInputs, own: CountTable | None, *, progress: Callable[[int, int], None]
) -> Iterator[tuple[Any, Kept]]:
    """The same two searches with all the time that they are allowed."""
    block, draws = chosen_block(inputs, own), _page_draws(inputs)
    for step, draw in enumerate(draws):
        progress(step, len(draws))
        yield key_of(inputs, block, **draw), _searched(inputs, block, **draw, limit=inputs.limit)


def swept_draws(inputs: RebuildInputs) -> list[dict[str, Any]]:
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
    block, draws = chosen_block(inputs, own), swept_draws(inputs)
    for step, draw in enumerate(draws[known:], known):
        progress(step, len(draws))
        yield key_of(inputs, block, **draw), _searched(inputs, block, **draw, limit=inputs.limit)


def refusal_of(inputs: RebuildInputs, own: CountTable | None) -> str | None:
    """Why there is no block to rebuild, if there is none."""
    try:
        chosen_block(inputs, own)
    except ValueError as error:
        return refusal_sentence(error)
    return None


@dataclass(frozen=True, kw_only=True)
class RebuildView(PageAnswer):
    """Everything the page shows."""

    grids: Panels | None = None
    grids_reading: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    rate: Picture | None = None


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
        return RebuildView(refusal=refusal)
    block = chosen_block(inputs, own)
    found, exact = found_within(wait, inputs, block, done)
    if found.counts is None:
        going = unsettled(inputs, own, done)
        refusal = word("not_yet" if going else "not_found", seconds=f"{wait if going else inputs.limit:g}")
        return RebuildView(refusal=refusal)
    told = partial(say, "rebuild", style.voice)
    context = _context(inputs, told, block, found, exact)
    people = _people(block, found, told)
    guesses = tuple(guess_of(people, key) for key in ("rebuilt", "guessed"))
    return RebuildView(
        answer=told("answer", **context),
        small_print=told("small_print", **context),
        grids=Panels("rebuild-people", guesses, people.table(), style),
        grids_reading=told("grids_reading", **context),
        numbers=_numbers(inputs, told, context, found),
        rate=_rate(inputs, style, told, block, found, exact, done, context),
        computed=say("rebuild", "technical", "computed", **context),
        python=_in_python(inputs, block.made, people_right(found.counts, block.counts)),
    )


def _right(guess: NDArray[np.int64] | None, block: Block) -> str:
    if guess is None:
        return word("none_found")
    return word("right_of", right=people_right(guess, block.counts), people=block.people)


def _context(
    inputs: RebuildInputs, told: Callable[..., str], block: Block, found: Reconstruction, exact: Reconstruction
) -> dict[str, object]:
    assert found.counts is not None
    noisy = inputs.noise != "none"
    right, guessed = (people_right(counts, block.counts) for counts in (found.counts, block.guess))

    def spent(budget: str) -> str:
        return word("spent_budget", symbol="ε" if inputs.in_epsilon else "ρ", budget=budget)

    counts_of_one = int(block.tables.matrix.sum(axis=0).max())
    unique = {True: "unique", False: "not_unique", None: "unsettled"}[found.unique]
    seconds = plain_number(max(found.seconds, 0.001), 2)
    solved = told("solved" if found.status == "most likely" else "stopped", seconds=seconds)
    shared = block.tables.matrix.T @ block.tables.matrix
    # counts of one kind or the other alone
    moved = int((np.diag(shared)[:, None] + np.diag(shared) - 2 * shared).max())
    unnamed = block.made.synthetic and "ynthetic" not in block.name
    context: dict[str, object] = {
        "block": word("invented", block=block.name) if unnamed else block.name,
        "right": _right(found.counts, block),
        "guessed": _right(block.guess, block),
        "worked": f" {told('worked')}" if noisy and right <= guessed else "",
        "unique": told(unique),
        "budget": spent(plain_number(inputs.budget, 4)) if noisy else word("no_noise"),
        "queries": len(block.tables.labels),
        "kinds": len(block.kinds),
        "counts_of_one": Typed(counts_of_one, whole),
        "total": spent(Upper(counts_of_one * inputs.budget, number(4)).digits),
        "moved": Typed(moved, whole),
        "total_value": spent(Upper(moved * inputs.budget, number(4)).digits),
        "promise": told("promise_none" if not noisy else "promise_size" if inputs.size_known else "promise"),
        "exact": _right(exact.counts, block),
        "other": _right(found.runner_up, block) if found.unique is False else "",
        "size": int(found.counts.sum()),
        "people": block.people,
        "status": found.status,
        "cost": plain_number(found.cost, 5),
        "shares": told(f"guess_{block.shares_from}"),
        "solved": told("one_draw", seed=inputs.seed, solved=solved) if noisy else solved[0].upper() + solved[1:],
        "tables": told("tables" if noisy else "tables_none"),
    }
    return context | {"spent": say("rebuild", "technical", "spent" if noisy else "spent_none", **context)}


def _numbers(
    inputs: RebuildInputs, told: Callable[..., str], context: dict[str, object], found: Reconstruction
) -> tuple[tuple[str, str, str], ...]:
    noisy = inputs.noise != "none"  # without noise nothing is spent, and both rebuilt blocks are one
    names = [*(["other"] if found.unique is False else []), *(["exact"] if noisy else [])]
    rows = [(told(f"number_{name}"), str(context[name]), "") for name in names]
    spent = (*(("total",) if not inputs.size_known else ()), "total_value") if noisy else ()
    title = told("number_total")
    return (*rows, *((title, str(context[name]), told(f"note_{name}")) for name in spent))


def _people(block: Block, found: Reconstruction, told: Callable[..., str]) -> Numbers:
    """How many people of each kind are there and in either guess: what the grids draw and their table lists."""
    assert found.counts is not None
    shown = np.flatnonzero(block.counts + found.counts + block.guess)
    shares = told(f"guess_{block.shares_from}")
    often = shown[np.argsort(-block.counts[shown], kind="stable")].tolist()
    rows = side_by_side(
        Column("kind", word("kind"), list(block.kinds)),
        Column("there", word("there"), block.counts.tolist(), said=int),
        Column("rebuilt", told("grid_rebuilt"), found.counts.tolist(), said=int),
        Column("guessed", told("grid_guess", shares=shares), block.guess.tolist(), said=int),
        listed=often,
    )
    return Numbers(word("people_by_kind", block=block.name), (rows,))


def _rate(
    inputs: RebuildInputs,
    style: Style,
    told: Callable[..., str],
    block: Block,
    found: Reconstruction,
    exact: Reconstruction,
    done: Done,
    context: dict[str, object],
) -> Picture:
    """The share of people who are right against the budget, for the draws that are done."""
    assert found.counts is not None
    rates: dict[float, list[float]] = {swept: [] for swept in SWEPT}
    for draw in swept_draws(inputs):
        kept = done.get(key_of(inputs, block, **draw))
        if kept is not None and kept.found.counts is not None:
            rates[draw["budget"]].append(people_right(kept.found.counts, block.counts) / block.people)
    budgets = np.array([swept for swept in SWEPT if rates[swept]])
    rate = partial(Column, quantity=told("rate_y"))
    budget = partial(Column, quantity=word("epsilon" if inputs.in_epsilon else "rho"))
    guessed = people_right(block.guess, block.counts) / block.people
    drawn = [rates[float(swept)] for swept in budgets]
    along = side_by_side(
        budget("budget", word("budget"), budgets, said=digits(3)),
        Column("draws", word("draws"), [len(values) for values in drawn], said=int),
        *(
            rate(name, word(name), np.array([of(values) for values in drawn]), said=digits(3))
            for name, of in (("lowest", min), ("average", np.mean), ("highest", max))
        ),
        Column("guessed", word("guessed"), np.full(len(drawn), guessed), said=digits(3)),
    )
    rows = [along, side_by_side(rate("level", told(f"guess_{block.shares_from}"), [guessed]))]
    marks: list[Mark] = [
        Line(x="budget", y="highest", role="quiet", dash="dot"),
        Line(x="budget", y="average", label=4),
        Line(x="budget", y="lowest", role="quiet", dash="dot"),
        Level(y="level"),
    ]
    if exact.counts is not None:
        top = np.full(2, people_right(exact.counts, block.counts) / block.people)
        ends = budget("ends", word("ends"), np.array([SWEPT[0], SWEPT[-1]]))
        rows.append(side_by_side(ends, rate("exact", told("rate_exact"), top)))
        marks.append(Line(x="ends", y="exact", role="third", dash="dash", label=0))
    hit = people_right(found.counts, block.counts) / block.people
    if inputs.noise != "none":
        here = budget("this_budget", word("this_budget"), [inputs.budget])
        rows.append(side_by_side(here, rate("here", told("rate_spot"), [hit])))
        marks.append(Spot(x="this_budget", y="here"))
    finished = sum(len(values) for values in rates.values())
    name = "reading_rate" if finished else "reading_rate_one"
    if inputs.noise == "none":
        name = "reading_rate_no_noise"
    reading = told(name, finished=finished, wanted=len(SWEPT) * DRAWS, **context)
    reach = (min(SWEPT[0], inputs.budget) / 1.3, 1.3 * max(SWEPT[-1], inputs.budget))
    ticks = tuple((float(swept), f"{swept:g}") for swept in SWEPT)
    return Picture.of(
        "rebuild-rate",
        rows,
        marks,
        reading=reading,
        caption=word("rate"),
        x=Axis(log=True, ticks=ticks, range=reach),
        y=Axis(range=(0.0, 1.05), ticks=PERCENT),
        style=style,
        height=340,
    )


def _in_python(inputs: RebuildInputs, made: CountTable, right: int) -> CodeLines:
    """The lines for the people of the most likely block who are right; `made` holds the block."""
    code = CodeWriter()
    counts, cells = _block(code, inputs, made)
    redistricting = made.attributes == ATTRIBUTES
    told = code(redistricting_tables, cells) if redistricting else code(marginal_tables, cells, made.attributes)
    tables = code.let("tables", told)
    asked = {"tables": tables, "noise": inputs.noise, "budget": inputs.budget}
    released = code.let("released", code(draw_tables, counts, **asked, seed=inputs.seed))
    people = {"people": Source(f"{counts}.sum()")} if inputs.size_known else {}
    found = code(rebuild, released, **asked, **people, time_limit=inputs.limit, check_unique=True)
    return code.ending(code(people_right, Source(f"{found}.counts"), counts), Exact(right, whole))


def _block(code: CodeWriter, inputs: RebuildInputs, made: CountTable) -> tuple[Source, Source]:
    """The people of the block by kind, and the kinds."""
    if inputs.source == "block":
        block = code.let("block", code(synthetic_block, inputs.people, seed=inputs.block))
        return code.let("counts", Source(f"{block}.counts[0]")), code.let("cells", Source(f"{block}.cells"))
    place = inputs.place - 1
    if inputs.table == "own":
        there = np.flatnonzero(made.counts.sum(axis=0)).tolist()
        counts = code(np.array, made.counts[place, there].tolist())
        return code.let("counts", counts), code.let("cells", [made.cells[cell] for cell in there])
    known = code(synthetic_county, seed=inputs.county) if inputs.table == "synthetic" else code(district_28_21)
    table = code.let("table", known)
    kinds = code.let("there", Source(f"{table}.counts.sum(axis=0).nonzero()[0]"))
    counts = code.let("counts", Source(f"{table}.counts[{place}, {kinds}]"))
    return counts, code.let("cells", Source(f"[{table}.cells[cell] for cell in {kinds}]"))
