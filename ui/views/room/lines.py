"""The lines of a room: what each allows, the middle line; as pictures and tables, as points that a link can hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpcore._properties import cached_property
from dpcore.profiles import LinesKept, LogOddsMedian, RiskProfile, middle_half
from riskline.answers import LineBudget, Terms, profile_budget, standing
from riskline.case.choices import FIELDS as CASE_FIELDS
from riskline.case.choices import GROUPS, of_case
from riskline.case.declaration import number, option
from riskline.case.fields import Field, write_query
from riskline.case.line import chosen_profile
from riskline.case.points import MOST_POINTS, decode_points, encode_points
from riskline.case.points import Line as Points
from riskline.case.promise import PromiseChoice
from riskline.case.value import Case
from ui.link.page_table import PageLink, declared
from ui.pictures.columns import Column, Rows, side_by_side, single
from ui.pictures.marks import Axis, Band, Dots, Line, Mark, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose import ChooseInputs
from ui.views.choose.pictures import after, before
from ui.views.positions import FIELDS
from ui.views.positions.standing import MOST
from ui.views.room.activity import Answers, Values, groups_shown, passage_of, stacked
from ui.views.shared.drawing import where_limited
from ui.views.shared.promise import promise_words
from ui.views.shared.room_minutes import ABOUT
from ui.views.shared.strip import beginning_with
from ui.words.catalogue import label
from ui.words.phrasing import exact_budget, rounded_budget
from ui.words.quantities import Lower, whole

PAGE = "room_line"


def _group_called(values: Values) -> tuple[str, str]:
    return GROUPS.get(values["line_unit"], CASE_FIELDS["group"].label), ""


SETTINGS = declared(
    PAGE,
    line_about=option(*ABOUT),
    line_unit=of_case("unit", of_case=False),
    line_group=of_case("group", called=_group_called, of_case=False),
    line_epsilon=number(0.0, low=0, high=1000),
)
"""What a moderator sets of lines to be drawn."""


def beginning_with_case(fields: Iterable[Field], case: Case) -> tuple[Field, ...]:
    """The settings of a room, which begin as the case it is opened with: the question about lines, what is understood.

    >>> begins = beginning_with_case(SETTINGS, Case(secret="value", relation="replace", unit="household", group=4))
    >>> [field.default for field in begins]
    ['value_replaced', 'household', 4, 0.0]
    """
    if case.is_example:
        return tuple(fields)
    about = "presence" if case["secret"] == "presence" else "value"
    about += "_replaced" if about == "value" and case["relation"] == "replace" else ""
    budget = standing(case).budget
    begins = {"line_about": about, "line_unit": case["unit"], "line_group": case["group"]}
    if budget is not None and budget.currency == "epsilon":
        begins |= {"line_epsilon": budget.value, "understanding_epsilon": budget.value}
    if "prior" in case:
        prior = round(100 * case["prior"], 9)
        begins |= {"understanding_prior": int(prior)} if prior.is_integer() else {}
    return beginning_with(fields, begins)


@dataclass(frozen=True)
class LineQuestion(PromiseChoice):
    """What every line of a room is about: the secret, whose it is, and what counts as one change."""

    @classmethod
    def of(cls, settings: Values) -> LineQuestion:
        """The question of an activity's settings."""
        secret, relation = ABOUT[settings["line_about"]]
        return cls(secret.value, settings["line_unit"], settings["line_group"], relation)

    @property
    def about(self) -> str:
        """The secret with what counts as one change, as one setting has both."""
        return next(about for about, asked in ABOUT.items() if asked == (self.secret, self.relation))

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice)

    def choices(self, points: Points, interview: str = "") -> ChooseInputs:
        """A line of the room as *Choose a budget* has it."""
        return ChooseInputs(line="drawn", points=points, interview=interview, **vars(self))


def allowed(profile: RiskProfile, question: LineQuestion) -> LineBudget:
    """The budget that a line allows."""
    return profile_budget(profile, Terms(unit=question.unit, group=question.group, relation=question.relation))


def profile_of(points: Points, question: LineQuestion) -> RiskProfile:
    """A drawn line as a profile of risk."""
    return chosen_profile(question.choices(points).line_choice)


@dataclass(frozen=True)
class LinesDrawn:
    """Every line of a room with its group, in an order that tells nothing about who drew it."""

    question: LineQuestion
    points: tuple[Points, ...]
    groups: tuple[str, ...]

    @classmethod
    def of(cls, question: LineQuestion, answers: Answers) -> LinesDrawn:
        """The lines of these answers; a group that may not be told apart is nobody's."""
        told = groups_shown([answer.who.group for answer in answers])
        drawn = sorted((answer.values["line_points"], answer.group_in(told)) for answer in answers)
        return cls(question, tuple(points for points, _ in drawn), tuple(group for _, group in drawn))

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.points)

    @property
    def told(self) -> tuple[str, ...]:
        """The groups that are told apart, by name."""
        return tuple(sorted({group for group in self.groups if group}, key=str.casefold))

    @cached_property
    def lines(self) -> tuple[LineBudget, ...]:
        """Each line with its budget."""
        return tuple(allowed(profile_of(points, self.question), self.question) for points in self.points)

    @cached_property
    def middle(self) -> LineBudget:
        """The middle line of all."""
        return self._middle_of(self.lines)

    @cached_property
    def middles(self) -> tuple[LineBudget, ...]:
        """The middle line of each group that is told."""
        return tuple(self._middle_of(self.of_group(group)) for group in self.told)

    def of_group(self, group: str) -> tuple[LineBudget, ...]:
        """The lines of a group; of "" those of no group that is told."""
        return tuple(line for line, own in zip(self.lines, self.groups, strict=True) if own == group)

    def _middle_of(self, lines: Sequence[LineBudget]) -> LineBudget:
        return allowed(LogOddsMedian([line.profile for line in lines]), self.question)

    @cached_property
    def kept(self) -> LinesKept:
        """How many lines a budget of one record keeps."""
        return LinesKept([line.limit for line in self.lines])

    @property
    def strictest(self) -> LineBudget:
        """The line that allows least."""
        return min(self.lines, key=lambda line: line.limit)


passage = partial(passage_of, PAGE)
BEFORE = label("choose", "before_hundred")
MARKS = (
    ("accent", "circle"),
    ("reach", "square"),
    ("third", "diamond"),
    ("fourth", "triangle-up"),
    ("fifth", "x"),
    ("mark", "square-open"),
)
"""How the groups of a room look; a room has no more."""
OTHERS = ("quiet", "circle-open")
PRIORS = np.union1d(np.geomspace(0.001, 1.0, 97), np.arange(1, 101) / 100)
LISTED = 8
"""Of so many priors the table of the page lists one."""
LONGEST = 6_000
"""Characters of all drawn points in one link: web servers and mail programs take addresses of up to 8,000."""
POINT = 17
"""Characters of a point with six digits for either number."""
DIGITS = 6
LOWEST, STEPS = 1e-6, 400
CLOSE = 1e-9  # relative distance of the handed line's ε from the line's own at which no point is added
SHAPE = 0.6  # so much of the points goes into the look of the line, the rest to where its ε is decided


def all_lines(drawn: LinesDrawn, style: Style) -> Picture:
    """Every line, the middle one, and the band in which half of them lie."""
    low, high = middle_half([line.profile for line in drawn.lines], PRIORS)
    high = where_limited(high)
    low = np.where(np.isnan(high), high, low)
    free = label("choose", "no_limit")
    middle = drawn.middle
    reached = where_limited(middle.profile.highest_posterior(PRIORS))
    gaps = [point for points in drawn.points for point in (*points, (points[-1][0], math.nan))]  # one after each line
    rows = [
        side_by_side(
            before("prior", BEFORE, 100 * PRIORS),
            after("nothing", passage(style, "nothing"), 100 * PRIORS, listed=False),
            after("low", passage(style, "band"), 100 * low, aspect=label(PAGE, "from")),
            after("high", passage(style, "band"), 100 * high, aspect=label(PAGE, "to"), absent=free),
            after("middle", passage(style, "middle_line"), 100 * reached, absent=free),
            listed=range(LISTED - 1, PRIORS.size, LISTED),
        ),
        _beliefs("lines", passage(style, "each_line"), gaps),
    ]
    marks: list[Mark] = [
        Band(x="prior", low="low", high="high"),
        Line(x="prior", y="nothing", role="quiet", hairline=True, dash="dot"),
        Line(x="lines_prior", y="lines", role="quiet", hairline=True, hover=False),
        Line(x="prior", y="middle", width=1.7),
    ]
    alone = [points[0] for points in drawn.points if len(points) == 1]
    if alone:
        rows.append(_beliefs("point", passage(style, "one_point"), alone))
        marks.append(Dots(x="point_prior", y="point", role="quiet", symbol="circle-open", size=11))
    decides = ""
    if middle.budget is not None and middle.prior and middle.prior < 1:
        decides = " " + passage(style, "decides")
        rows.append(_beliefs("decides", passage(style, "spot"), [(middle.prior, middle.reached(middle.prior))]))
        marks.append(Spot(x="decides_prior", y="decides", labelled=False))
    inside = Lower(drawn.count - 2 * (drawn.count // 4), whole)
    points = f" {passage(style, 'reading_points')}" if alone else ""
    reading = passage(style, "reading_lines", lines=f"{drawn.count:,}", inside=inside, points=points, decides=decides)
    x, y = Axis(range=(0.0, 100.0)), Axis(range=(0.0, 102.0))
    return Picture.of("room-lines", rows, marks, reading=reading, x=x, y=y, legend="above", style=style, height=420)


def with_own_line(picture: Picture, points: Points) -> Picture:
    """The lines of a room with one of them told from the others."""
    drawn: Mark = Line(x="own_prior", y="own", role="reach", dash="dash", width=1.4)
    if len(points) == 1:
        drawn = Dots(x="own_prior", y="own", role="reach", symbol="circle", size=11)
    return picture.with_more(_beliefs("own", label("choose", "your_line"), points), drawn)


def _beliefs(key: str, name: str, points: Iterable[tuple[float, float]]) -> Rows:
    """Beliefs before and after, out of a hundred, of what is called so."""
    across, up = (100 * np.array(ends) for ends in zip(*points, strict=True))
    return side_by_side(before(f"{key}_prior", f"{name}: {BEFORE}", across), after(key, name, up))


def budgets(drawn: LinesDrawn, asked: float | None, style: Style) -> Picture | None:
    """The budget that each line allows, marked by group; None where no line sets a limit."""
    finite = [line.limit for line in drawn.lines if not math.isinf(line.limit)]
    if not finite:
        return None
    end = max(finite) or 1.0
    rows: list[Rows] = []
    marks: list[Mark] = []
    taken: dict[int, int] = {}
    quantity, height = passage(style, "budget_of_line"), passage(style, "stacked")
    named = [*zip(drawn.told, MARKS, strict=False)]
    if "" in drawn.groups:
        named.append(("", OTHERS if drawn.told else MARKS[0]))
    for place, (group, (role, symbol)) in enumerate(named):
        own = sorted(line.limit for line in drawn.of_group(group) if not math.isinf(line.limit))
        name = group or (label("room", "others") if drawn.told else passage(style, "each_line"))
        x = Column(f"epsilon{place}", f"{name}: ε", np.array(own), quantity=quantity)
        y = Column(f"stack{place}", name, np.array(stacked(own, 0.0, end, taken), dtype=float), quantity=height)
        rows.append(side_by_side(x, y))
        marks.append(Dots(x=x.key, y=y.key, role=role, symbol=symbol, size=13, outlined=True))
    if asked is not None and asked <= end:
        rows.append(side_by_side(single("asked", passage(style, "in_question"), asked, quantity=quantity)))
        marks.append(Upright(x="asked", at=0.96, beside="left" if 2 * asked < end else "right"))
    across = Axis(range=(-0.03 * end, 1.04 * end))
    up = Axis(range=(0.0, 1.25 * max(taken.values()) + 1), shown=False)
    told: dict[str, Any] = {"reading": passage(style, "reading_budgets"), "summary": kept_table(drawn, style)}
    legend = "above" if len(named) > 1 else ""
    return Picture.of("room-budgets", rows, marks, **told, x=across, y=up, legend=legend, style=style, height=230)


def kept_table(drawn: LinesDrawn, style: Style) -> Table:
    """Each budget that a line allows, and how many lines are kept there."""
    allowed = sorted({line.epsilon for line in drawn.lines if not math.isinf(line.epsilon)})
    rows = tuple((exact_budget(epsilon), f"{drawn.kept.count(epsilon):,}") for epsilon in allowed)
    columns = (passage(style, "column_budget"), passage(style, "column_kept_there"))
    return Table(passage(style, "table_budgets"), columns, rows)


def groups_table(drawn: LinesDrawn, asked: float | None, style: Style) -> Table | None:
    """Every group that is told, with its middle line and how many of its lines are kept; None without groups."""
    if not drawn.told:
        return None
    of_all = (label("room", "everybody"), drawn.lines, drawn.middle)
    groups = ((group, drawn.of_group(group), middle) for group, middle in zip(drawn.told, drawn.middles, strict=True))
    rest = (label("room", "others"), drawn.of_group(""), None)
    rows = tuple(_row(*each, asked) for each in (of_all, *groups, rest) if each[1])
    heads = [passage(style, f"column_{name}") for name in ("group", "lines", "middle")]
    if asked is not None:
        heads.append(passage(style, "column_kept", asked=exact_budget(asked)))
    return Table(passage(style, "table_groups"), tuple(heads), rows)


def _row(name: str, lines: Sequence[LineBudget], middle: LineBudget | None, asked: float | None) -> tuple[str, ...]:
    kept = () if asked is None else (f"{sum(asked <= line.limit for line in lines):,}",)
    return (name, f"{len(lines):,}", "–" if middle is None else budget_words(middle), *kept)


def budget_words(line: LineBudget) -> str:
    """The budget of one record that a line allows, rounded down."""
    if line.budget is None:
        return label("choose", "no_limit")
    return f"ε = {rounded_budget(line.limit)}"


def points_of(line: LineBudget, question: LineQuestion, most: int) -> Points:
    """Points that draw a line such as the middle of several; the line through them allows no more than the line itself.

    The highest belief after is the line's own at every point but the one that decides: there it is what an attacker
    reaches at the certified end of the line's budget. Between points the drawn line is straight and may lie lower than
    the line, so points are added where that lowers its budget.
    """
    if line.budget is None:
        return ((0.5, 1.0),)
    prior = _priors(line)
    after = np.asarray(line.profile.highest_posterior(prior))
    decides = _digits(max(line.prior or 0.0, LOWEST))
    points = {x: _upwards(y) for x, y in zip(prior.tolist(), after.tolist(), strict=True)}
    points[decides] = _reached(line, decides)
    kept = _shape(sorted(points.items()), decides, int(SHAPE * most))
    while len(kept) < most:
        drawn = allowed(profile_of(tuple(sorted(kept.items())), question), question)
        place = _digits(drawn.prior or 0.0)
        if drawn.limit >= line.limit * (1 - CLOSE) or place in kept or not prior[0] <= place <= prior[-1]:
            break
        kept[place] = _upwards(float(np.asarray(line.profile.highest_posterior(place))))
    return decode_points(encode_points(tuple(sorted(kept.items()))))


def _digits(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _upwards(belief: float) -> float:
    """A belief after with few digits, no lower than it was: only the point that decides holds the line down."""
    return min(math.ceil(belief * 10**DIGITS) / 10**DIGITS, 1.0)


def _reached(line: LineBudget, prior: float) -> float:
    """What is reached from this belief at the certified end of the line's budget, downwards to the digits of a link."""
    reached = float(np.asarray(line.implied.reachable(prior, epsilon=line.implied.lower)))
    step = 10.0 ** (math.floor(math.log10(reached)) - 10)
    return max(math.floor(reached / step) * step, prior)


def _priors(line: LineBudget) -> np.ndarray:
    """Priors from the first to the last at which the line asks for something, few digits each."""
    scan = np.unique(np.concatenate([np.geomspace(LOWEST, 1.0, STEPS), np.linspace(0, 1, STEPS + 1)[1:]]))
    scan = np.unique([_digits(prior) for prior in scan.tolist()])
    asks = np.flatnonzero(np.asarray(line.profile.highest_posterior(scan)) < 1.0)
    if not asks.size:
        return np.array([_digits(max(line.prior or 0.0, LOWEST))])
    return scan[asks[0] : asks[-1] + 1]


def _shape(points: list[tuple[float, float]], decides: float, most: int) -> dict[float, float]:
    """The ends, the point that decides, and where the line through those so far is furthest from the points."""
    x, y = (np.array(column) for column in zip(*points, strict=True))
    kept = {0, len(points) - 1, int(np.flatnonzero(x == decides)[0])}
    while len(kept) < min(most, len(points)):
        at = sorted(kept)
        off = np.abs(np.interp(x, x[at], y[at]) - y)
        furthest = int(np.argmax(off))
        if off[furthest] < 1e-4:
            break
        kept.add(furthest)
    return {points[at][0]: points[at][1] for at in sorted(kept)}


def ways_to_positions(drawn: LinesDrawn, style: Style) -> tuple[PageLink, ...]:
    """The lines that can be compared: the groups' middle lines, each line where there are few, or the ends."""
    question = drawn.question
    ways = []
    if len(drawn.told) > 1:
        taken = [points_of(middle, question, _points_for(len(drawn.told))) for middle in drawn.middles]
        ways.append(_way("way_groups", drawn.told, taken, question, style))
    if 1 < drawn.count <= MOST:
        ordered = sorted(zip(drawn.lines, drawn.points, strict=True), key=lambda pair: pair[0].limit)
        names = [passage(style, "handed_line", number=f"{number}") for number in range(1, drawn.count + 1)]
        taken = [points for _, points in ordered]
        if sum(len(encode_points(points)) for points in taken) > LONGEST:
            taken = [points_of(line, question, _points_for(drawn.count)) for line, _ in ordered]
        ways.append(_way("way_lines", names, taken, question, style))
    if not ways and drawn.count > 1:
        ends = (drawn.strictest, drawn.middle, max(drawn.lines, key=lambda line: line.limit))
        names = [passage(style, f"handed_{name}") for name in ("strictest", "middle", "loosest")]
        taken = [points_of(line, question, _points_for(len(ends))) for line in ends]
        ways.append(_way("way_lines", names, taken, question, style))
    return tuple(ways)


def way_to_case(drawn: LinesDrawn, style: Style) -> PageLink:
    """The room's middle line taken over as that of the case, with the question that was asked."""
    question = drawn.question
    asked = {name: getattr(question, name) for name in ("secret", "unit", "relation")}
    points = encode_points(points_of(drawn.middle, question, MOST_POINTS))
    query = {"line": "drawn", "points": points, "interpolation": "linear", "group": f"{question.group}", **asked}
    return PageLink("choose", passage(style, "way_case"), tuple(query.items()))


def _points_for(lines: int) -> int:
    """How many points each of so many lines may have in one link."""
    return min(LONGEST // (POINT * lines), MOST_POINTS)


def _way(words: str, names: Sequence[str], lines: Sequence[Points], question: LineQuestion, style: Style) -> PageLink:
    values: dict[str, object] = {"parties": len(names)}
    for place, (name, points) in enumerate(zip(names, lines, strict=True), start=1):
        values |= {f"name{place}": name, f"line{place}": "drawn", f"points{place}": points}
    asked = vars(question) | {"group": f"{question.group}"}
    query = {"parties": f"{len(names)}", **asked, **write_query(FIELDS, values)}
    return PageLink("positions", passage(style, words), tuple(query.items()))
