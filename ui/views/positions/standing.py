"""What a reader chooses on *Compare positions*; each position with its budget; one line for all; each concession."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import pairwise
from typing import Any

from dpcore.accuracy import CountError, Noise
from dpcore.profiles import LogOddsMean, PointwiseMinimum, RiskProfile, Status
from dpcore.promise import Promise
from riskline.answers import LineBudget, Terms, profile_budget
from riskline.answers.errors import noise_error
from riskline.answers.spent import fitting
from riskline.case.choices import LINE_FIELDS, of_case
from riskline.case.declaration import count, flag, option
from riskline.case.fields import Field
from riskline.case.line import LineChoice, chosen_profile
from riskline.case.promise import asked_about, promise_of, records_together
from ui.link.page_table import fields_of
from ui.pictures.style import Style
from ui.pictures.table import Table, table_of
from ui.views.choose.answer import spending
from ui.views.shared.belief_before import Rise, rise
from ui.views.shared.promise import promise_words
from ui.words.catalogue import VOICES, label, say
from ui.words.phrasing import decimals_for, plain_number, rounded_budget, times
from ui.words.quantities import Typed, Upper, number, whole

MOST = 6
LONGEST_NAME = 40
FIRST_LINES = (
    LineChoice(line="cap_or_ratio", cap=0.25, ratio=3.0),
    LineChoice(line="constant", ratio=2.0),
    LineChoice(line="increase", increase=0.4),
    LineChoice(line="cap_or_ratio", cap=0.1, ratio=2.0),
    LineChoice(line="cap_or_ratio", cap=0.5, ratio=4.0),
    LineChoice(line="cap_or_ratio", cap=0.15, ratio=2.5),
)
STARTS = tuple((label("positions", f"party.{place}"), line) for place, line in enumerate(FIRST_LINES, start=1))
MIDDLES = ("strictest", "mean", "none")
SHARED = ("secret", "held")
OWN = tuple(field for field in LINE_FIELDS if field.name not in SHARED)


def read_name(text: str) -> str:
    """A party's name: one line of 1 to 40 characters.

    Raises ValueError: ``must be 1 to 40 characters; got 55``.

    >>> read_name("  Data   users ")
    'Data users'
    """
    name = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"must be 1 to {LONGEST_NAME} characters; got {len(name)}")
    return name


def told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of which no two are the same to a reader: the number of its position is added to one that another has.

    >>> told_apart(("Agency", "agency", "Advocates"))
    ('Agency (1)', 'agency (2)', 'Advocates')
    """
    ours = (say("positions", voice, f"one_for_all_{middle}") for voice in VOICES for middle in MIDDLES[:2])
    heard = Counter(name.casefold() for name in (*names, *ours))
    if all(heard[name.casefold()] == 1 for name in names):
        return names
    numbered = tuple(
        f"{name} ({place})" if heard[name.casefold()] > 1 else name for place, name in enumerate(names, start=1)
    )
    return told_apart(numbered)  # a name may be another's with its number


@dataclass(frozen=True)
class AllPositions:
    """How many positions there are, and the beliefs that all of them are about."""

    parties: int = count(3, low=2, high=MOST)
    secret: str = of_case("secret")
    held: float = of_case("held")


@dataclass(frozen=True)
class PositionsInputs:
    """What a reader chose on this page: the parties with their lines, and what they are compared by."""

    names: tuple[str, ...] = tuple(name for name, _ in STARTS[:3])
    lines: tuple[LineChoice, ...] = tuple(line for _, line in STARTS[:3])
    edited: int = count(1, low=1, high=MOST)
    unit: str = of_case("unit")
    group: int = of_case("group")
    relation: str = of_case("relation")
    guarantee: str = of_case("guarantee")
    route: str = of_case("route")
    delta: float = of_case("delta")
    failure: float = of_case("failure")
    releases: int = of_case("releases")
    release: str = of_case("release")
    hidden: str = of_case("hidden")
    one: str = of_case("one")
    # links that do not name it were made when the average was what the page began with
    middle: str = option(*MIDDLES, default="mean")
    view: str = option("posterior", "ratio", "difference")
    log: bool = flag()

    @property
    def called(self) -> tuple[str, ...]:
        """What the positions are called: their names, told apart where two have the same."""
        return told_apart(self.names)

    @property
    def together(self) -> int:
        """Records that belong together."""
        return records_together(self.unit, self.group)

    @property
    def promise(self) -> Promise:
        """What every position is about."""
        return promise_of(self.asked, self.unit, self.group, self.relation)

    @property
    def terms(self) -> Terms:
        """What the case asks a line's budget for."""
        return Terms(**{field.name: getattr(self, field.name) for field in fields(Terms)})

    @property
    def asks_otherwise(self) -> bool:
        """Whether the case asks for more than what positions are compared by: one ε of all releases, of any kind."""
        return self.guarantee != "pure" or self.releases > 1 or self.release == "count"

    @property
    def noise(self) -> Noise:
        """The noise of whole numbers that errors are told of."""
        return fitting("geometric", by_rho=self.guarantee == "zero_concentrated")

    @property
    def noise_words(self) -> str:
        """What it is called."""
        return label("case", f"named_noise.{self.noise}")

    @property
    def in_a_room(self) -> dict[str, Any] | None:
        """What the lines of a room are set to be about where they are about the same; None where rooms have no such."""
        about = {"presence": "presence", "value": "value_replaced" if self.relation == "replace" else "value"}
        if self.asked not in about or (self.asked == "presence" and self.relation == "replace"):
            return None
        return {"line_about": about[self.asked], "line_unit": self.unit, "line_group": self.group}

    @property
    def asked(self) -> str:
        """What every line is about: presence, value, or both."""
        return asked_about(self.lines[0].secret, self.lines[0].held)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice, joint=self.asked == "both", hidden=self.hidden, one=self.one)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> PositionsInputs:
        """The inputs from the page's choices by name."""
        numbers = range(1, values["parties"] + 1)
        shared = {name: values[name] for name in SHARED}
        own = [field.name for field in OWN]
        rest = {field.name: values[field.name] for field in fields(cls) if field.name not in ("names", "lines")}
        lines = tuple(LineChoice(**shared, **{name: values[f"{name}{number}"] for name in own}) for number in numbers)
        return cls(
            names=tuple(values[f"name{number}"] for number in numbers),
            lines=lines,
            **rest | {"edited": min(values["edited"], values["parties"])},
        )


def _of_party(place: int, name: str, line: LineChoice) -> Iterator[Field]:
    """The name and the line of one position, as choices of this page."""
    called = label("positions", "name", longest=Typed(LONGEST_NAME, whole))
    yield Field(f"name{place}", called, "custom", name, which=f"{place}", read=read_name, write=str)
    for field in OWN:
        own = {"name": f"{field.name}{place}", "default": getattr(line, field.name)}
        own |= {"options": field.offered, "undecided": None}  # a position has a line
        yield replace(field, **own, which=f"{place}", of_case=False)


FIELDS = (
    *fields_of("positions", AllPositions),
    *fields_of("positions", PositionsInputs),
    *(field for place, start in enumerate(STARTS, start=1) for field in _of_party(place, *start)),
)


word = partial(label, "positions")
ABSENT = "–"
"""What a position that asks for no limit leaves empty."""
RARE = 1e-9  # a prior that stands for "nearly 0"


@dataclass(frozen=True, kw_only=True)
class Position(LineBudget):
    """One position, or one line for all of them: its line, its budget, and what the budget brings to a count."""

    name: str
    of_case: str = ""
    error: CountError | None = None
    middle: bool = False

    @property
    def spend_words(self) -> str:
        """The budget it may spend on one record, rounded down."""
        if self.implied.status is Status.BINDS_NOTHING:
            return word("no_limit")
        return f"ε = {rounded_budget(self.implied.lower / self.together)}"

    @property
    def half_width_words(self) -> str:
        """How far a count is off at least 95 times in 100 at that budget, rounded up."""
        if self.implied.status is Status.BINDS_NOTHING:
            return ABSENT
        return word("nothing_usable") if self.error is None else f"± {Upper(self.error.half_width, number(3)).digits}"

    def place_words(self, style: Style) -> str:
        """The prior that decides its budget."""
        return ABSENT if self.implied.binding is None else self.decided(style).words

    def decided(self, style: Style) -> Rise:
        """The prior that decides its budget, and the belief after that an attacker reaches from it."""
        binding = self.implied.binding
        assert binding is not None
        return rise(binding.prior, lambda prior: Upper(self.reached_at(prior, self.shift), style.belief), style)

    def reached_at(self, prior: float, epsilon: float) -> float:
        """The belief after that an attacker reaches from a prior of the disclosure, on its line."""
        return float(self.implied.reachable(prior / (self.profile.fixed or 1.0), epsilon=epsilon))


def standing_of(name: str, line: LineChoice, inputs: PositionsInputs) -> Position:
    """One party with its line; a refusal of the line carries the party's name."""
    try:
        return _with_error(name, chosen_profile(line), inputs)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _with_error(name: str, profile: RiskProfile, inputs: PositionsInputs, middle: bool = False) -> Position:
    found = profile_budget(profile, Terms(unit=inputs.unit, group=inputs.group, relation=inputs.relation))
    spends, said = 0.0 if found.budget is None else found.epsilon, ""
    if inputs.asks_otherwise:
        spends, said = _of_case(profile, inputs)
    error = noise_error(spends, inputs.noise).error if spends > 0 else None
    return Position(**vars(found), name=name, of_case=said, error=error, middle=middle)


def _of_case(profile: RiskProfile, inputs: PositionsInputs) -> tuple[float, str]:
    """The budget that a line leaves each release on the terms of the case, and its words.

    0 where it leaves none on these terms, sets no limit, or has none by their route.
    """
    try:
        budget = profile_budget(profile, inputs.terms).budget
    except ValueError:
        return 0.0, ABSENT
    if budget is None:
        return 0.0, word("no_limit")
    return budget.recommended_each, spending(inputs.terms, budget.recommended_each)


def middle_of(parties: tuple[Position, ...], inputs: PositionsInputs, style: Style) -> tuple[Position, ...]:
    """One line for all parties as one more position, if one is asked for."""
    members = [party.profile for party in parties]
    if inputs.middle == "none":
        return ()
    profile = PointwiseMinimum(members) if inputs.middle == "strictest" else LogOddsMean(members)
    return (_with_error(say("positions", style.voice, f"one_for_all_{inputs.middle}"), profile, inputs, middle=True),)


def budgets_table(standings: tuple[Position, ...], inputs: PositionsInputs, style: Style) -> Table:
    """Every position with its budget and what it brings to a count."""
    rows = []
    for each in standings:
        off = ABSENT if each.error is None else plain_number(each.error.root_mean_square, 3)
        rows.append((each.name, each.spend_words, each.place_words(style), off, each.half_width_words))
    table = table_of("positions", "budgets", rows, noise=inputs.noise_words)
    if not any(each.of_case for each in standings):
        return table
    told = tuple((*row, each.of_case) for row, each in zip(table.rows, standings, strict=True))
    return replace(table, columns=(*table.columns, word("of_case")), rows=told)


def concessions_table(standings: tuple[Position, ...], style: Style) -> Table:
    """From each budget to the next larger one: what it buys, and what it costs the one who moves."""
    ordered = sorted(standings, key=lambda each: each.implied.epsilon)
    rows: list[tuple[object, ...]] = []
    steps = list(pairwise(ordered))
    places = max(decimals_for(each.epsilon) for each in standings)  # as many as budgets have
    if len(ordered) > 2:
        steps.append((ordered[0], ordered[-1]))
    for giving, taking in steps:
        if taking.epsilon == giving.epsilon:
            continue
        gained, bought = taking.epsilon - giving.epsilon, ABSENT
        if giving.error is not None and taking.error is not None:
            less = giving.error.root_mean_square - taking.error.root_mean_square
            ranges = {"from": giving.half_width_words, "to": taking.half_width_words}
            bought = word("less", less=plain_number(less, 3), **ranges)
        more = word("no_limit") if math.isinf(gained) else word("more", gained=f"{gained:.{places}f}")
        rows.append((f"{giving.name} → {taking.name}", more, bought, price_of_conceding(giving, taking, style)))
    return table_of("positions", "concessions", rows)


def price_of_conceding(giving: Position, taking: Position, style: Style) -> str:
    """How far the attacker who decided the smaller budget comes under the larger one."""
    binding = giving.implied.binding
    if binding is None or binding.prior == 1:
        return ABSENT
    told = giving.decided(style)
    prior = told.prior or RARE * float(giving.profile.fixed or 1.0)
    before, after = (giving.reached_at(prior, each.shift) for each in (giving, taking))
    if binding.prior == 0:
        return word("price_rare", before=times(before / prior), after=times(after / prior))
    beliefs = {"before": Upper(before, told.spoken).digits, "after": Upper(after, told.spoken).digits}
    return word("price", prior=told.words, **beliefs)
