"""The page of a rebuilt block: the most likely people given its tables, beside guessing from public shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.attacks.fitting import blocks_that_fit
from dpcore.attacks.reconstruction import (
    Reconstruction,
    draw_tables,
    marginal_tables,
    people_right,
    rebuild,
    redistricting_tables,
)
from dpcore.populations import ATTRIBUTES, CountTable, district_28_21, synthetic_block, synthetic_county
from ui.pictures.columns import Column, Numbers, digits, side_by_side
from ui.pictures.marks import PERCENT, Axis, Level, Line, Mark, Spot
from ui.pictures.panels import Panels
from ui.pictures.people import guess_of
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.rebuild import searches
from ui.views.rebuild.searches import Block, Done, RebuildInputs, word
from ui.views.shared.promise import PageAnswer, PageInMaking
from ui.views.shared.table_choice import method_named
from ui.words.catalogue import label, say
from ui.words.phrasing import capitalised, plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Typed, Upper, number, whole


@dataclass(frozen=True, kw_only=True)
class RebuildView(PageAnswer):
    """Everything the page shows."""

    grids: Panels | None = None
    grids_reading: str = ""
    numbers: tuple[tuple[str, str, str], ...] = ()
    rate: Picture | None = None


@dataclass(frozen=True)
class Rebuilt(PageInMaking):
    """A block in the making: what was asked of it, and what was found from its tables and from those without noise."""

    page = "rebuild"
    inputs: RebuildInputs
    block: Block
    found: Reconstruction
    exact: Reconstruction

    @property
    def counts(self) -> NDArray[np.int64]:
        """The people of the most likely block by kind."""
        assert self.found.counts is not None
        return self.found.counts

    @property
    def guess_named(self) -> str:
        """From what somebody guesses without the tables."""
        return self.say(f"guess_{self.block.shares_from}")


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
    refusal = searches.refusal_of(inputs, own)
    if refusal is not None:
        return RebuildView(refusal=refusal)
    block = searches.chosen_block(inputs, own)
    found, exact = searches.found_within(wait, inputs, block, done)
    if found.counts is None:
        going = searches.unsettled(inputs, own, done)
        refusal = word("not_yet" if going else "not_found", seconds=f"{wait if going else inputs.limit:g}")
        return RebuildView(refusal=refusal)
    rebuilt = Rebuilt(inputs, style, block, found, exact)
    told, context, people = rebuilt.say, _context(rebuilt), _people(rebuilt)
    guesses = tuple(guess_of(people, key) for key in ("rebuilt", "guessed"))
    return RebuildView(
        answer=told("answer", **context),
        small_print=told("small_print", **context),
        grids=Panels("rebuild-people", guesses, people.table(), style),
        grids_reading=told("grids_reading", **context),
        numbers=_numbers(rebuilt, context),
        rate=_rate(rebuilt, done, context),
        computed=say("rebuild", "technical", "computed", **context),
        python=_in_python(inputs, block.made, people_right(rebuilt.counts, block.counts)),
    )


def _fitting(rebuilt: Rebuilt) -> str:
    """How many blocks fit what was published: exactly where few sums are open at once, else at least so many."""
    inputs, block, told = rebuilt.inputs, rebuilt.block, rebuilt.say
    if inputs.has_budget:
        return ""
    asked: dict[str, Any] = {"tables": block.tables, "noise": inputs.protection}
    released = draw_tables(block.counts, **asked, seed=inputs.seed)
    people = block.people if inputs.size_known else None
    fitting = blocks_that_fit(released, **asked, people=people, near=rebuilt.counts)
    if fitting.exact:
        return f"{told('fit', blocks=fitting.number, said=Exact(fitting.number, whole))} "
    return f"{told('fit_least', said=Lower(min(fitting.number, searches.MANY), number(2)))} "


def _right(guess: NDArray[np.int64] | None, block: Block) -> str:
    if guess is None:
        return word("none_found")
    return word("right_of", right=people_right(guess, block.counts), people=block.people)


def _context(rebuilt: Rebuilt) -> dict[str, object]:
    inputs, block, found, told = rebuilt.inputs, rebuilt.block, rebuilt.found, rebuilt.say
    noisy, law = inputs.has_budget, inputs.method
    protected = noisy or law is not None
    right, guessed = (people_right(counts, block.counts) for counts in (rebuilt.counts, block.guess))

    def spent(budget: str) -> str:
        return word("spent_budget", symbol="ε" if inputs.in_epsilon else "ρ", budget=budget)

    budget = spent(plain_number(inputs.budget, 4)) if noisy else word("no_noise")
    promise = "promise_size" if inputs.size_known else "promise"
    if not noisy:
        promise = "promise_method" if law else "promise_none"
    if law:
        budget = method_named(inputs.noise, inputs, rebuilt.style)
    counts_of_one = int(block.tables.matrix.sum(axis=0).max())
    statuses = {"most likely": "solved", "likely": "likely"}
    solved = told(statuses.get(found.status, "stopped"), seconds=plain_number(max(found.seconds, 0.001), 2))
    drawn = noisy or (law is not None and any(len(law.law(count).values) > 1 for count in range(block.people + 1)))
    shared = block.tables.matrix.T @ block.tables.matrix
    # counts of one kind or the other alone
    moved = int((np.diag(shared)[:, None] + np.diag(shared) - 2 * shared).max())
    unnamed = block.made.synthetic and "ynthetic" not in block.name
    context: dict[str, object] = {
        "block": word("invented", block=block.name) if unnamed else block.name,
        "right": _right(found.counts, block),
        "guessed": _right(block.guess, block),
        "worked": f" {told('worked')}" if protected and right <= guessed else "",
        "unique": told({True: "unique", False: "not_unique", None: "unsettled"}[found.unique]),
        "budget": budget,
        "queries": len(block.tables.labels),
        "kinds": len(block.kinds),
        "counts_of_one": Typed(counts_of_one, whole),
        "total": spent(Upper(counts_of_one * inputs.budget, number(4)).digits),
        "moved": Typed(moved, whole),
        "total_value": spent(Upper(moved * inputs.budget, number(4)).digits),
        "promise": told(promise),
        "exact": _right(rebuilt.exact.counts, block),
        "other": _right(found.runner_up, block) if found.unique is False else "",
        "size": int(rebuilt.counts.sum()),
        "people": block.people,
        "status": found.status,
        "cost": plain_number(found.cost, 5),
        "shares": rebuilt.guess_named,
        "fitting": _fitting(rebuilt),
        "solved": told("one_draw", seed=inputs.seed, solved=solved) if drawn else capitalised(solved),
        "tables": label("by_method", f"tables.{inputs.noise}") if law else told("tables" if noisy else "tables_none"),
    }
    return context | {
        "spent": say("rebuild", "technical", "spent" if noisy else "spent_method" if law else "spent_none", **context)
    }


def _numbers(rebuilt: Rebuilt, context: dict[str, object]) -> tuple[tuple[str, str, str], ...]:
    inputs, told = rebuilt.inputs, rebuilt.say
    names = [*(["other"] if rebuilt.found.unique is False else []), *(["exact"] if inputs.noise != "none" else [])]
    rows = [(told(f"number_{name}"), str(context[name]), "") for name in names]
    if inputs.has_budget:
        spent = ("total_value",) if inputs.size_known else ("total", "total_value")
        rows += [(told("number_total"), str(context[name]), told(f"note_{name}")) for name in spent]
    return tuple(rows)


def _people(rebuilt: Rebuilt) -> Numbers:
    """How many people of each kind are there and in either guess: what the grids draw and their table lists."""
    block, told = rebuilt.block, rebuilt.say
    shown = np.flatnonzero(block.counts + rebuilt.counts + block.guess)
    rows = side_by_side(
        Column("kind", word("kind"), list(block.kinds)),
        Column("there", word("there"), block.counts.tolist(), said=int),
        Column("rebuilt", told("grid_rebuilt"), rebuilt.counts.tolist(), said=int),
        Column("guessed", told("grid_guess", shares=rebuilt.guess_named), block.guess.tolist(), said=int),
        listed=shown[np.argsort(-block.counts[shown], kind="stable")].tolist(),
    )
    return Numbers(word("people_by_kind", block=block.name), (rows,))


def _rate(rebuilt: Rebuilt, done: Done, context: dict[str, object]) -> Picture:
    """The share of people who are right against the budget, for the draws that are done."""
    inputs, block, exact, told = rebuilt.inputs, rebuilt.block, rebuilt.exact, rebuilt.say
    rates: dict[float, list[float]] = {swept: [] for swept in searches.SWEPT}
    for draw in searches.swept_draws(inputs):
        kept = done.get(searches.key_of(inputs, block, draw))
        if kept is not None and kept.found.counts is not None:
            rates[draw.budget].append(people_right(kept.found.counts, block.counts) / block.people)
    budgets = np.array([swept for swept in searches.SWEPT if rates[swept]])
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
    rows = [along, side_by_side(rate("level", rebuilt.guess_named, [guessed]))]
    marks: list[Mark] = [
        Line(x="budget", y="highest", role="quiet", dash="dot"),
        Line(x="budget", y="average", label=4),
        Line(x="budget", y="lowest", role="quiet", dash="dot"),
        Level(y="level"),
    ]
    if exact.counts is not None:
        top = np.full(2, people_right(exact.counts, block.counts) / block.people)
        ends = budget("ends", word("ends"), np.array([searches.SWEPT[0], searches.SWEPT[-1]]))
        rows.append(side_by_side(ends, rate("exact", told("rate_exact"), top)))
        marks.append(Line(x="ends", y="exact", role="third", dash="dash", label=0))
    hit = people_right(rebuilt.counts, block.counts) / block.people
    if inputs.has_budget:
        here = budget("this_budget", word("this_budget"), [inputs.budget])
        rows.append(side_by_side(here, rate("here", told("rate_spot"), [hit])))
        marks.append(Spot(x="this_budget", y="here"))
    finished = sum(len(values) for values in rates.values())
    name = "reading_rate" if finished else "reading_rate_one"
    if not inputs.has_budget:
        name = "reading_rate_method" if inputs.method else "reading_rate_no_noise"
    reach = (min(searches.SWEPT[0], inputs.budget) / 1.3, 1.3 * max(searches.SWEPT[-1], inputs.budget))
    reading = told(name, finished=finished, wanted=len(searches.SWEPT) * searches.DRAWS, **context)
    x = Axis(log=True, ticks=tuple((swept, f"{swept:g}") for swept in searches.SWEPT), range=reach)
    y, style = Axis(range=(0.0, 1.05), ticks=PERCENT), rebuilt.style
    return Picture.of(
        "rebuild-rate", rows, marks, reading=reading, caption=word("rate"), x=x, y=y, style=style, height=340
    )


def _in_python(inputs: RebuildInputs, made: CountTable, right: int) -> CodeLines:
    """The lines for the people of the most likely block who are right; `made` holds the block."""
    code = CodeWriter()
    counts, cells = _block(code, inputs, made)
    redistricting = made.attributes == ATTRIBUTES
    told = code(redistricting_tables, cells) if redistricting else code(marginal_tables, cells, made.attributes)
    tables = code.let("tables", told)
    method = inputs.method
    asked: dict[str, Any] = {"tables": tables, "noise": code.let("method", method) if method else inputs.noise}
    if method is None:
        asked["budget"] = inputs.budget
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
