"""The page *Publish*: ranges of the plan, noisy counts, what adjusting changes, and what the tables say of an area."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpcore._properties import cached_property
from dpcore.adjustment import AreaTree, LeastSquares, NoisyTable
from dpcore.errors import Code, Refused
from dpcore.rounding import round_outward
from riskline.answers import releases_of
from riskline.case.fields import shown as printable
from riskline.release.adjusting import adjusted_release
from riskline.release.estimates import Estimate, Estimates, normal_level
from riskline.release.folder import HELD
from riskline.release.shapes import Joined, Shapes
from ui.pictures.columns import Column, Rows, side_by_side, single, told
from ui.pictures.marks import Areas, Axis, Dots, Joins, Level, Mark, Spot, powers_of_ten
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.publish.held import Held, Offered, PublishInputs, called, county_shapes, example, word
from ui.views.shared.promise import PageAnswer, PageInMaking, promise_words, refusing
from ui.views.shared.strip import budget_words, one_release
from ui.words.catalogue import say
from ui.words.phrasing import rounded
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Spoken, Typed, Upper, number, number_named, share, whole

MOST_DRAWN, MOST_MAPPED, MOST_NAMED = 48, 600, 5
MOST_ADJUSTED = 50_000
"""Areas of a picture, of a map, in a sentence; counts of one time of a table that are adjusted while a reader waits."""
FloatArray = NDArray[np.float64]
MAPPED = {"adjusted": "after", "estimates": "value"}
"""Pictures that are maps where there are shapes, and the column they show."""
OFTEN = f"{100 * HELD:.0f}"
"""How often ranges hold, in 100."""
RELEASE = "riskline release plan.json data.csv --out folder"
ADJUST = "riskline adjust folder --out adjusted"


def counted(value: float, direction: str) -> str:
    """A whole number, which may be below zero; what lies between is rounded in its direction.

    >>> counted(-3.2, "down"), counted(0.6, "up"), counted(1234.4, "nearest")
    ('−4', '1', '1,234')
    """
    return f"{rounded(value, 0, direction) + 0:,.0f}".replace("-", "−")


SPOKEN: dict[str, Spoken] = {"count": counted, "difference": counted, "share": share(1), "rate": number(3)}


@dataclass(frozen=True, kw_only=True)
class PublishView(PageAnswer):
    """Everything the page shows, step by step: sentences, a picture and a command each."""

    notice: str = ""
    plan: str = ""
    ranges: Picture | None = None
    make: str = ""
    noisy: Picture | None = None
    adjust: str = ""
    adjusted: Picture | None = None
    analyse: str = ""
    estimates: Picture | None = None
    commands: tuple[str, ...] = ()


@refusing(PublishView)
def publish_view(
    inputs: PublishInputs, style: Style, own: Held | None = None, shapes: Shapes | None = None
) -> PublishView:
    """The page for these choices; the example as long as no folder was brought, a map where there are shapes."""
    held = own if inputs.data == "own" and own is not None else None
    drawn = county_shapes() if held is None else shapes
    return _Page(inputs, style, held or example(inputs.case, inputs.seed), held is not None, drawn).view


@dataclass(frozen=True)
class _Page(PageInMaking):
    """The page in the making."""

    page = "publish"
    inputs: PublishInputs
    held: Held
    is_own: bool
    shapes: Shapes | None

    @cached_property
    def part(self) -> Offered:
        return Offered(self.held.folder, vars(self.inputs))

    @cached_property
    def noisy(self) -> NDArray[np.int64]:
        """Noisy counts of the chosen table and time, shape (areas, cells)."""
        return np.asarray(self.part.one_time.values[0])

    @cached_property
    def estimates(self) -> Estimates:
        """What the folder says of true counts."""
        return Estimates(self.held.folder, HELD)

    @cached_property
    def found(self) -> Estimate:
        """What it says of the chosen areas."""
        return self.part.estimate(self.estimates, *self.part.together)

    @cached_property
    def adjusted(self) -> NDArray[np.int64] | None:
        """The adjusted counts; None where there are too many to wait for, or no solver is installed."""
        if self.noisy.size > MOST_ADJUSTED:
            return None
        try:
            (found,) = adjusted_release([self.part.one_time])
        except Refused as refusal:
            if refusal.code is not Code.NOT_INSTALLED:
                raise
            return None
        return np.asarray(found.found[self.part.time].counts).astype(np.int64)

    @cached_property
    def joined(self) -> Joined | None:
        """Shapes of the areas of the level; None where it has none or too many, or dots are asked for."""
        if self.shapes is None or self.inputs.shown != "map" or self.part.areas.size > MOST_MAPPED:
            return None
        return self.shapes.joined([self.part.table.areas.codes[area] for area in self.part.areas])

    def _places(self, *, on_map: bool = False) -> NDArray[np.int64]:
        """Places in their order of the areas that are drawn, the chosen ones among them; a map has all."""
        size, places = min(self.ordered.size, MOST_DRAWN), np.arange(self.ordered.size)
        if on_map and self.joined is not None:
            return places
        own = np.concatenate([places[self.ordered == area] for area in self.part.together[:size]])
        others = np.setdiff1d(places, own)
        spread = np.linspace(0, others.size - 1, size - own.size).round().astype(np.int64)
        return np.sort(np.concatenate([own, others[spread]]))

    @cached_property
    def ordered(self) -> NDArray[np.int64]:
        """The areas of the level, by the chosen counts by least squares."""
        fit = LeastSquares(self.part.one_time.noisy(self.part.time)).counts[:, self.part.cells].sum(axis=1)
        return np.asarray(self.part.areas[np.argsort(fit[self.part.areas], kind="stable")])

    @property
    def view(self) -> PublishView:
        part, paid = self.part, self.held.paid
        words = promise_words(paid.promise, self.style.voice)
        context = {
            "budget": budget_words(paid.budget, paid.currency),
            "spent": self.say("spent", spent=_cost(paid.spent, paid.currency)) if paid.spent != paid.budget else "",
            "decided": word(paid.state),
            **{name: words[name] for name in ("whose", "secret", "relation")},
            "seed": self.inputs.seed,
            "level": called(part.level),
            "held": OFTEN,
        }
        tables = self.held.folder.tables.values()
        totals = ", ".join(called(one.exact) + part.among(one) for one in tables if one.exact)
        exact = f" {self.say('exact', level=totals)}" if totals else ""
        several = "" if self.is_own else one_release(releases_of(self.inputs.case), self.style.voice)
        below = self._below(self.noisy)
        adjusted = self.say("answer" if below.value else "answer_none", below=below, **context)
        told = self._estimate(**context)
        return PublishView(
            answer=told if self.adjusted is None else f"{adjusted} {told}",
            small_print=self.say("small_print", **context),
            notice=self.say("no_folder_yet") if self.inputs.data == "own" and not self.is_own else "",
            plan=self.say("plan", **context) + exact + several,
            ranges=self._ranges(),
            make=self.say("make_own" if self.is_own else "make", **context),
            noisy=self._noisy(**context),
            adjust=" ".join(filter(None, (self.say("adjust"), *self._told_of_adjusting()))),
            adjusted=self._adjusted(**context),
            analyse=self.say("analyse"),
            estimates=self._estimates(**context),
            commands=(RELEASE, ADJUST, part.command),
            computed=say("publish", "technical", "computed", **context),
            python=None if self.is_own else self._python(),
        )

    # ---- sentences ---------------------------------------------------------------------------------------------------

    def _below(self, counts: NDArray[np.int64]) -> Exact:
        """How many counts of the chosen level are negative."""
        return Exact(int((counts[self.part.areas] < 0).sum()), whole)

    def _apart(self, counts: NDArray[np.int64]) -> Exact:
        """How far the count of an area is from the sum of its smallest parts, at most."""
        areas, scales = self.part.table.areas, self.part.table.scales
        there = np.isin(areas.level_of, [areas.levels.index(level) for level in scales])
        return Exact(int(np.abs(counts - areas.tree.added_up(counts))[there].max()), whole)

    def _told_of_adjusting(self) -> Iterator[str]:
        """What is not there, and how the shapes of a reader's own were joined."""
        if self.adjusted is None:
            yield self.say("adjust_left")
        if not self.is_own or self.shapes is None or self.inputs.shown != "map":
            return
        if self.joined is None:
            found = "no_map" if self.part.areas.size > MOST_MAPPED else "no_shapes"
            yield self.say(found, level=called(self.part.level), most=Typed(MOST_MAPPED, whole))
            return
        yield self.say("joined", by=called(printable(self.joined.by)))
        for name in ("without_shape", "without_area"):
            codes = dict.fromkeys(getattr(self.joined, name))
            if codes:
                named = ", ".join(called(printable(code)) or word("none_said") for code in [*codes][:MOST_NAMED])
                number = Exact(len(getattr(self.joined, name)), whole)
                yield self.say(name, number=number, names=named + (", …" if len(codes) > MOST_NAMED else ""))

    def _ends(self, found: Estimate) -> tuple[Lower, Upper]:
        return Lower(found.low, SPOKEN[found.kind]), Upper(found.high, SPOKEN[found.kind])

    def _estimate(self, **context: Any) -> str:
        """The chosen estimate with its range, in a sentence."""
        part, found = self.part, self.found
        who, against = (part.what(cell, *part.together) for cell in (part.cell, part.other_cell))
        if found.kind == "difference":
            against = part.what(part.cell, part.other_area)
        among = part.among(part.table, timed=True)
        if part.wanted == "ratio" and part.other_table is not part.table:
            who, against, among = who + among, against + part.among(part.other_table, timed=True), ""
        what = word(f"what.{found.kind}", who=who, against=against) + among
        if math.isnan(found.value):
            return self.say("unknown", what=what)
        low, high = self._ends(found)
        if part.is_exact(self.estimates, *part.together) and (low.digits == high.digits or found.value == 1):
            return self.say("exactly", what=what, value=Exact(found.value, SPOKEN[found.kind]).digits)
        return self.say("estimate", what=what, low=low.digits, high=high.digits, **context)

    # ---- pictures ----------------------------------------------------------------------------------------------------

    def _ranges(self) -> Picture:
        """Range against typical count by level."""
        table, costs = self.part.table, self.held.paid.costs
        levels = [level for level in table.areas.levels if level in table.scales]
        typical = [float(np.median(np.maximum(self.noisy[table.areas.at(level)], 0))) for level in levels]
        wide = [table.half_width(level) for level in levels]
        paid = [costs[table.name, level] for level in levels]
        people = partial(Column, quantity=word("people_or_more"))
        columns = (
            Column("level", word("level"), list(map(called, levels))),
            people("half", word("half"), [one or None for one in wide], said=told(Upper, whole)),
            people("typical", word("typical"), [at or None for at in typical]),
            Column("areas", word("areas"), [len(table.areas.at(level)) for level in levels], said=told(Exact, whole)),
            Column("paid", word("paid"), paid, said=told(Upper, number(4))),
        )
        marks: tuple[Mark, ...] = (
            Joins(start="half", end="typical", y="level"),
            Dots(x="typical", y="level", role="quiet", symbol="circle-open", size=11),
            Dots(x="half", y="level", symbol="diamond", size=11),
        )
        drawn = [at for at in (*wide, *typical) if at]
        own = levels.index(self.part.level)
        half, middle = Upper(wide[own], whole), Exact(typical[own], number(3))
        words = {"level": called(self.part.level), "held": OFTEN, "paid": _cost(paid[own], self.held.paid.currency)}
        reading = self.say("reading_ranges", half=half, typical=middle, **words)
        return Picture.of(
            "publish-ranges",
            (side_by_side(*columns),),
            marks,
            reading=reading,
            caption=word("picture.ranges"),
            x=Axis(log=True, ticks=powers_of_ten(min(drawn), max(drawn)) if drawn else ()),
            y=Axis(rows=True),
            style=self.style,
            legend="above",
            height=230,
        )

    def _noisy(self, **context: Any) -> Picture:
        """Noisy counts of the chosen areas with ranges, and the true ones of the example."""
        part, law = self.part, self.part.table.laws[self.part.level]
        if len(part.cells) == 1:
            half = float(part.table.half_width(part.level))
        else:  # of a sum of counts
            wide = float(ndtri((1 + normal_level(part.table.noise, HELD)) / 2))
            half = math.ceil(wide * math.sqrt(len(part.cells) * float(law.variance)))
        noisy = self._sums(self.noisy, self._places())
        columns = [_counted("noisy", noisy), *_range("noisy", noisy - half, noisy + half)]
        marks: list[Mark] = [Dots(x="place", y="noisy", low="low", high="high", chosen="chosen")]
        inside = ""
        if self.held.true is not None:
            true = self._sums(self.held.true, self._places())
            columns.append(_counted("true", true))
            marks.append(Dots(x="place", y="true", role="reach", symbol="diamond-open", size=11))
            missed = Exact(int((np.abs(noisy - true) > half).sum()), whole)
            inside = self.say("inside", missed=missed, drawn=Typed(len(true), whole))
        reading = self.say("reading_noisy", half=Upper(half, whole), below=self._below(self.noisy), **context)
        return self._over_areas("noisy", columns, marks, f"{reading} {inside}".strip())

    def _adjusted(self, **context: Any) -> Picture | None:
        """Counts before and after adjusting."""
        after = self.adjusted
        if after is None:
            return None
        places = self._places(on_map=True)
        columns = [_counted("before", self._sums(self.noisy, places)), _counted("after", self._sums(after, places))]
        marks: list[Mark] = [
            Dots(x="place", y="before", role="quiet", symbol="circle-open"),
            Dots(x="place", y="after", symbol="diamond", chosen="chosen"),
        ]
        numbers = {"apart": self._apart(self.noisy), "apart_after": self._apart(after)}
        numbers |= {"below": self._below(self.noisy), "below_after": self._below(after)}
        return self._over_areas("adjusted", columns, marks, self.say("reading_adjusted", **numbers, **context))

    def _estimates(self, **context: Any) -> Picture:
        """What the release says of every area of the level, with ranges."""
        drawn = self.ordered[self._places(on_map=True)].tolist()
        found = [self.part.estimate(self.estimates, area) for area in drawn]
        kind = found[0].kind
        numbers = np.array([one[1:] for one in found], dtype=float)
        numbers[~np.isfinite(numbers).all(axis=1)] = np.nan  # where nothing is known
        value, low, high = numbers.T
        value = np.clip(value, low, high)  # no count is negative
        spoken, measured = SPOKEN[kind], word(f"measured.{kind}")
        columns = [
            Column("value", word("value"), value, quantity=measured, said=told(Exact, spoken)),
            *_range("value", low, high, measured, spoken),
        ]
        marks: list[Mark] = [Dots(x="place", y="value", low="low", high="high", chosen="chosen")]
        reading = self.say("reading_estimates" if self.joined is None else "reading_map", **context)
        return self._over_areas("estimates", columns, marks, reading)

    def _sums(self, counts: NDArray[np.int64], places: NDArray[np.int64]) -> FloatArray:
        """The chosen cells together of the areas at these places."""
        return counts[self.ordered[places]][:, self.part.cells].sum(axis=1).astype(float)

    def _over_areas(self, key: str, columns: Sequence[Column], marks: Sequence[Mark], reading: str) -> Picture:
        """A picture of the drawn areas: a map of the last step's counts, else side by side, above and below nothing."""
        on_map = key in MAPPED and self.joined is not None
        places = self._places(on_map=on_map)
        drawn = self.ordered[places].tolist()
        names = [called(self.part.name(area)) for area in drawn]
        first = (
            Column("area", word("area"), names),
            Column("place", word("place"), places + 1, said=told(Exact, whole)),
            Column("chosen", "chosen", [area in self.part.together for area in drawn], listed=False),
        )
        rows = side_by_side(*first, *columns)
        if self.ordered.size > len(names):
            reading += f" {self.say('few', drawn=Typed(len(names), whole), all=Typed(self.ordered.size, whole))}"
        if on_map:
            return self._map(key, rows, reading)
        own, shown = drawn.index(self.part.area), columns[-1 if key == "adjusted" else 0]
        named = side_by_side(
            single("own_place", word("place"), int(places[own]) + 1, aspect=names[own]),
            single("own", names[own], float(shown.numbers[own]), quantity=shown.measured),
        )
        nothing = side_by_side(single("none", word("none"), 0.0, quantity=shown.measured))
        return Picture.of(
            f"publish-{key}",
            (rows, named, nothing),
            (
                Level(y="none", dash="solid", labelled=False),
                *marks,
                Spot(x="own_place", y="own", symbol="circle-open", labelled=False, in_legend=True),
            ),
            reading=reading,
            caption=word(f"picture.{key}"),
            style=self.style,
            legend="above",
            height=280,
        )

    @cached_property
    def outlines(self) -> Rows:
        """The points of all shapes of the level, with a gap after each ring."""
        of, points = [], []
        for row, area in enumerate(self.ordered.tolist()):
            for ring in self.joined.outlines.get(self.part.table.areas.codes[area], ()) if self.joined else ():
                of.append(np.full(len(ring) + 1, row))
                points += [ring, np.full((1, 2), np.nan)]
        x, y = np.concatenate(points).T
        found = Column("of", word("row"), np.concatenate(of))
        return side_by_side(found, Column("east", word("east"), x), Column("north", word("north"), y))

    def _map(self, key: str, rows: Rows, reading: str) -> Picture:
        """The same areas as outlines in shades; the alternative text says the numbers of the first and the last."""
        shown = MAPPED[key]
        by_key = {column.key: column for column in rows.columns}
        low, high = (end if end in by_key else "" for end in ("low", "high"))
        said = [f"{by_key['area'].values[row]}: {by_key[shown].cell(row)}" for row in range(rows.size)]
        half = MOST_DRAWN // 2
        return Picture.of(
            f"publish-{key}",
            (rows, self.outlines),
            (Areas(x="east", y="north", of="of", z=shown, names="area", chosen="chosen", low=low, high=high),),
            reading=reading,
            caption=word(f"map.{key}"),
            told="; ".join(said if len(said) <= MOST_DRAWN else [*said[:half], "…", *said[-half:]]) + ".",
            x=Axis(shown=False, grid=False),
            y=Axis(shown=False, grid=False),
            style=self.style,
            height=380,
        )

    # ---- the same in Python ------------------------------------------------------------------------------------------

    def _python(self) -> CodeLines:
        """The lines for the ends of the range."""
        part, code = self.part, CodeWriter()
        table, one = part.one_time.noisy(part.time), self.estimates.selection(part.counts(*part.together))
        parents, counts = np.asarray(part.table.areas.tree.parents), np.asarray(table.counts)
        tree = code.let("tree", code(AreaTree, parents.tolist()))
        variances = np.asarray(table.variances)[:, :1]
        noisy = code(NoisyTable, tree, counts.astype(int).tolist(), variances=variances)
        fit = code.let("fit", code(LeastSquares, code.let("table", noisy)))
        level = normal_level(part.table.noise, HELD)
        weights = code.let("weights", one.weights[part.time].astype(int).tolist())
        ends = self._ends(self.found)
        if part.wanted == "count":
            interval = code(round_outward, Source(f"*{fit}.interval({weights}, level={level!r})[0].clip(0)"), digits=0)
        else:
            other = self.estimates.selection(part.others(*part.together)).weights[part.time].astype(int)
            others = code.let("others", other.tolist())
            if part.wanted == "difference":
                between = f"*{fit}.interval({code(np.subtract, weights, others)}, level={level!r})[0]"
                interval = code(round_outward, Source(between), digits=0)
            else:
                most = ", 1" if self.found.kind == "share" else ""
                ratio = f"{fit}.ratio_interval({weights}, {others}, level={level!r}, whole=True)[0].clip(0{most})"
                interval = Source(ratio)
        return code.ending(interval, *ends)


def _cost(value: float, currency: str) -> str:
    """What was paid, rounded up."""
    return budget_words(number_named(Upper(value, number(4)).digits), currency)


def _counted(key: str, values: FloatArray) -> Column:
    return Column(key, word(key), values, quantity=word("measured.count"), said=told(Exact, counted))


def _range(named: str, low: FloatArray, high: FloatArray, measured: str = "", spoken: Spoken = counted) -> list[Column]:
    """The ends of a range as columns, each rounded outwards."""
    quantity = measured or word("measured.count")
    return [
        Column(key, word(named), values, quantity=quantity, aspect=word(f"aspect.{key}"), said=told(side, spoken))
        for key, values, side in (("low", low, Lower), ("high", high, Upper))
    ]
