"""Compare positions: the lines of several parties, the budget each implies, the gap, and what a concession buys."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.accuracy import CountError, RateTarget, count_error, noise_with_budget, wrong_side_probability
from dpcore.guarantees import PureDP, Relation
from dpcore.profiles import (
    Budget,
    ImpliedEpsilon,
    LogOddsMean,
    PointwiseMinimum,
    RiskProfile,
    Status,
    StrictestRange,
    budget,
    strictest_ranges,
)
from dpcore.promise import Promise
from ui.link.fields import Field, write_query
from ui.link.way import Way
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.look import Look
from ui.pictures.marks import Axis, Line, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.choose import priors_for_curves
from ui.views.drawing import LINE_FIELDS, Editor, LineChoice, chosen_profile, template_points
from ui.views.promise import (
    CONTRADICTION,
    GROUP,
    RELATION,
    SECRET,
    UNIT,
    StatedBelief,
    asked_about,
    promise_of,
    promise_query,
    promise_words,
    records_together,
)
from ui.words.passages import say
from ui.words.phrasing import decimal_belief, frequency, plain_number, rounded_budget, times
from ui.words.quantities import Allowed, Upper, number
from ui.words.refusals import refusal_sentence

MOST = 4
LONGEST_NAME = 40
RARE = 1e-9  # a prior that stands for "nearly 0"
ROLES = ("accent", "reach", "third", "fourth", "mark")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
STARTS: tuple[tuple[str, LineChoice], ...] = (
    ("Agency", LineChoice(line="cap_or_ratio", cap=0.25, ratio=3.0)),
    ("Advocates", LineChoice(line="constant", ratio=2.0)),
    ("Data users", LineChoice(line="increase", increase=0.4)),
    ("Regulator", LineChoice(line="cap_or_ratio", cap=0.1, ratio=2.0)),
)
SHARED = ("question", "held")
OWN = tuple(field for field in LINE_FIELDS if field.name not in SHARED)


def read_name(text: str) -> str:
    """A party's name: one line of 1 to 40 characters.

    Raises
    ------
    ValueError
        ``must be 1 to 40 characters; got 55``.

    Examples
    --------
    >>> read_name("  Data   users ")
    'Data users'
    """
    name = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"must be 1 to {LONGEST_NAME} characters; got {len(name)}")
    return name


def _own_fields() -> tuple[Field, ...]:
    made = []
    for place, (name, line) in enumerate(STARTS, start=1):
        label, which = f"Name, at most {LONGEST_NAME} characters", f"{place}"
        made.append(Field(f"name{place}", label, "custom", name, which=which, read=read_name, write=str))
        for field in OWN:
            own = replace(field, name=f"{field.name}{place}", which=which, default=getattr(line, field.name))
            made.append(own)
    return tuple(made)


FIELDS: tuple[Field, ...] = (
    Field("parties", "Number of positions", "count", 3, low=2, high=MOST),
    Field("edited", "Whose line?", "count", 1, low=1, high=MOST),
    Field("question", SECRET.label, "choice", "membership", options=("membership", "value")),
    *(field for field in LINE_FIELDS if field.name == "held"),
    UNIT,
    GROUP,
    RELATION,
    *_own_fields(),
    Field("middle", "Middle line", "choice", "mean", options=("mean", "strictest", "none")),
    Field("view", "How the line is looked at", "choice", "posterior", options=("posterior", "ratio", "difference")),
    Field("log", "Logarithmic prior", "flag", False),
    Field("total", "Base of the rate, for example births", "count", 4012, low=1, high=1_000_000_000),
    Field("target", "Target per thousand", "number", 6.0, low=0, high=1000),
    Field("deviation", "Truth above the target by, per thousand", "number", 0.25, low=0, high=1000),
)


@dataclass(frozen=True)
class PositionsInputs:
    """What a reader chose on this page: the parties with their lines, and what they are compared by."""

    names: tuple[str, ...] = tuple(name for name, _ in STARTS[:3])
    lines: tuple[LineChoice, ...] = tuple(line for _, line in STARTS[:3])
    edited: int = 1
    unit: str = "person"
    group: int = 1
    relation: str = "add_or_remove"
    middle: str = "mean"
    view: str = "posterior"
    log: bool = False
    total: int = 4012
    target: float = 6.0
    deviation: float = 0.25

    @property
    def together(self) -> int:
        """Records that belong together."""
        return records_together(self.unit, self.group)

    @property
    def promise(self) -> Promise:
        """What every position is about."""
        secret = "presence" if self.asked == "presence" else "value"
        return promise_of(secret, self.unit, self.group, self.relation)

    @property
    def asked(self) -> str:
        """What every line is about: presence, value, or both."""
        return asked_about(self.lines[0].question, self.lines[0].held)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice, joint=self.asked == "both")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> PositionsInputs:
        """The inputs from the page's choices by name."""
        numbers = range(1, values["parties"] + 1)
        shared = {name: values[name] for name in SHARED}
        own = [field.name for field in OWN]
        rest = {field.name: values[field.name] for field in fields(cls) if field.name not in ("names", "lines")}
        return cls(
            names=tuple(values[f"name{number}"] for number in numbers),
            lines=tuple(
                LineChoice(**shared, **{name: values[f"{name}{number}"] for name in own}) for number in numbers
            ),
            **rest | {"edited": min(values["edited"], values["parties"])},
        )


@dataclass(frozen=True)
class Standing:
    """One position, or the middle of them: its line, its budget, and what the budget brings to a count."""

    name: str
    profile: RiskProfile
    implied: ImpliedEpsilon
    error: CountError | None
    wrong_side: float | None
    budget: Budget | None
    middle: bool = False

    @property
    def epsilon(self) -> float:
        """The budget of one record to recommend: rounded down; infinite when the line sets no limit."""
        return math.inf if self.budget is None else self.budget.recommended_total

    @property
    def together(self) -> int:
        """Records that belong together."""
        return 1 if self.budget is None else self.budget.group

    @property
    def shift(self) -> float:
        """What that budget lets records that belong together add up to."""
        return self.epsilon * self.together


@dataclass(frozen=True)
class PositionsView:
    """Everything the page shows."""

    answer: str
    small_print: str
    stated: tuple[StatedBelief, ...] = ()
    standings: tuple[Standing, ...] = ()
    titles: tuple[str, ...] = ()
    panels: tuple[Picture, ...] = ()
    panels_words: str = ""
    lines: Table | None = None
    editor: Editor | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    budgets: Table | None = None
    concessions: Table | None = None
    concessions_words: str = ""
    ranges: tuple[StrictestRange, ...] = ()
    who: Picture | None = None
    middle_words: str = ""
    computed: str = ""
    next: Way | None = None
    refusal: str | None = None


def positions_view(inputs: PositionsInputs, look: Look) -> PositionsView:
    """The page for these choices."""
    if inputs.relation == "replace" and (inputs.lines[0].question != "value" or inputs.lines[0].held < 1):
        return PositionsView("", "", refusal=f"{CONTRADICTION} The belief of being in the data is then held at 1.")
    try:
        parties = tuple(_standing(name, line, inputs) for name, line in zip(inputs.names, inputs.lines, strict=True))
        standings = (*parties, *_middle(parties, inputs, look))
    except ValueError as error:
        return PositionsView("", "", refusal=refusal_sentence(error))
    facts = _facts(inputs, parties, standings, look)
    ranges = strictest_ranges([party.profile for party in parties])
    name = "answer" if parties_differ(parties) else "answer_same"
    return PositionsView(
        answer=say("positions", look.voice, name, **facts),
        small_print=say("positions", look.voice, "small_print", **facts),
        stated=_stated(standings, inputs, look),
        standings=standings,
        titles=tuple(f"**{_safe(each.name)}** {_spend(each)}" for each in standings),
        panels=tuple(_panel(place, each, inputs, look) for place, each in enumerate(standings)),
        panels_words=say("positions", look.voice, "reading_panels", **facts),
        lines=_lines_table(standings, inputs),
        editor=_editor(inputs, parties),
        numbers=_numbers(parties[inputs.edited - 1], look),
        budgets=_budgets(standings, inputs, facts, look),
        concessions=_concessions(standings, look),
        concessions_words=say("positions", look.voice, "concessions", **facts),
        ranges=ranges,
        who=_who(parties, ranges, inputs, facts, look),
        middle_words=say("positions", look.voice, f"middle_{inputs.middle}", **facts),
        computed=say("positions", look.voice, "computed", **facts),
        next=_next(inputs, look),
    )


def _safe(name: str) -> str:
    """A name whose own stars do not set anything bold."""
    return name.replace("*", "∗")


def parties_differ(standings: tuple[Standing, ...]) -> bool:
    """Whether the budgets of the parties, as recommended, are not all the same."""
    return len({standing.epsilon for standing in standings}) > 1


def _standing(name: str, line: LineChoice, inputs: PositionsInputs) -> Standing:
    try:
        profile = chosen_profile(line)
        return _with_error(name, profile, inputs)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _with_error(name: str, profile: RiskProfile, inputs: PositionsInputs, middle: bool = False) -> Standing:
    implied = profile.implied_epsilon(value_exponent=1.0 if inputs.relation == "replace" else 2.0)
    spent, error, wrong = None, None, None
    if implied.status is not Status.BINDS_NOTHING:
        spent = budget(profile, group=inputs.together, relation=inputs.relation)
    if spent is not None and spent.recommended_total > 0:
        noise = noise_with_budget("geometric", spent.recommended_total)
        error = count_error(noise, level=0.95)
        off = RateTarget(total=inputs.total, target_per_thousand=inputs.target).deviation_counts([inputs.deviation])[0]
        wrong = float(wrong_side_probability(noise, excess=off)) if off else None
    return Standing(name, profile, implied, error, wrong, spent, middle)


def _middle(parties: tuple[Standing, ...], inputs: PositionsInputs, look: Look) -> tuple[Standing, ...]:
    members = [party.profile for party in parties]
    if inputs.middle == "strictest":
        return (_with_error(MIDDLES[look.technical]["strictest"], PointwiseMinimum(members), inputs, True),)
    if inputs.middle == "mean":
        return (_with_error(MIDDLES[look.technical]["mean"], LogOddsMean(members), inputs, True),)
    return ()


MIDDLES = {
    False: {"strictest": "Everybody's promise kept", "mean": "Middle line"},
    True: {"strictest": "Pointwise minimum", "mean": "Mean of log odds"},
}


def _spend(standing: Standing) -> str:
    if standing.implied.status is Status.BINDS_NOTHING:
        return "no limit"
    return f"ε = {rounded_budget(standing.implied.lower / standing.together)}"


def _half_width(standing: Standing) -> str:
    if standing.implied.status is Status.BINDS_NOTHING:
        return "± 0"
    return "nothing usable" if standing.error is None else f"± {Upper(standing.error.half_width, number(3)).digits}"


def _belief(look: Look) -> Any:
    return decimal_belief if look.technical else frequency


def _place(standing: Standing, look: Look) -> str:
    binding = standing.implied.binding
    if binding is None:
        return "nowhere"
    return _belief(look)(binding.prior) if binding.prior > 0 else "nearly 0"


def _along(standing: Standing) -> float:
    """The binding place as a coordinate along the line."""
    binding = standing.implied.binding
    assert binding is not None
    return binding.membership_prior if standing.profile.axis.value == "membership" else binding.value_prior


def _facts(
    inputs: PositionsInputs, parties: tuple[Standing, ...], standings: tuple[Standing, ...], look: Look
) -> dict[str, str]:
    strictest = min(parties, key=lambda party: party.implied.epsilon)
    loosest = max(parties, key=lambda party: party.implied.epsilon)
    middle = standings[-1]
    gap = loosest.epsilon - strictest.epsilon
    target = RateTarget(total=inputs.total, target_per_thousand=inputs.target)
    return {
        "strictest": _safe(strictest.name),
        "loosest": _safe(loosest.name),
        "low": _spend(strictest),
        "high": _spend(loosest),
        "gap": "no limit" if math.isinf(gap) else plain_number(gap, 3),
        "wide": _half_width(strictest),
        "narrow": _half_width(loosest),
        "prior": _place(strictest, look),
        "parties": f"{len(parties)}",
        "middle": _safe(middle.name),
        "middle_spend": _spend(middle),
        "middle_prior": _place(middle, look),
        "middle_wide": _half_width(middle),
        "target": plain_number(inputs.target, 4),
        "target_count": f"{target.target_count:,}",
        "total": f"{inputs.total:,}",
        "off": f"{target.deviation_counts([inputs.deviation])[0]:,}",
        "source": "Theorem 5 and (3.15)"
        + (", with one step between values, ours" if inputs.relation == "replace" else ""),
        "what": inputs.words(look.voice)["that"],
        "promise": inputs.words(look.voice)["promise"],
    }


def _stated(standings: tuple[Standing, ...], inputs: PositionsInputs, look: Look) -> tuple[StatedBelief, ...]:
    """Where each position's budget is decided: the belief before and the highest one after."""
    found = []
    for each in standings:
        binding = each.implied.binding
        if binding is None or not 0 < binding.prior < 1 or each.epsilon <= 0:
            continue
        reached = float(each.implied.reachable(_along(each), epsilon=each.implied.lower))
        source = PureDP(epsilon=each.epsilon, relation=Relation(inputs.relation))
        absent = 1.0 - binding.membership_prior if inputs.asked == "both" else 0.0
        said = Upper(reached, _belief(look))
        found.append(StatedBelief(binding.prior, said, inputs.promise, source, absent=absent))
    return tuple(found)


def _curves_of(standing: Standing, inputs: PositionsInputs) -> tuple[NDArray[np.float64], ...]:
    """Priors of the disclosure, the accepted line, and what is reachable at the standing's own budget."""
    held = inputs.lines[0].held
    prior = priors_for_curves(held, inputs.log)
    along = np.minimum(prior / held, 1.0)
    line = np.asarray(standing.profile.highest_posterior(along))
    epsilon = standing.implied.lower
    reach = (
        np.ones_like(prior) if math.isinf(epsilon) else np.asarray(standing.implied.reachable(along, epsilon=epsilon))
    )
    return prior, line, reach


def _panel(place: int, standing: Standing, inputs: PositionsInputs, look: Look) -> Picture:
    prior, line, reach = _curves_of(standing, inputs)
    binding = standing.implied.binding
    before, after = "believed before", "after"
    rows = [
        side_by_side(
            Column("prior", "prior", prior, quantity=before),
            Column("nothing", "learns nothing", prior, quantity=after, listed=False),
            Column("accepted", "accepted", line, quantity=after),
            Column("reach", "reachable", reach, quantity=after),
            listed=range(7, prior.size, 8),
        )
    ]
    marks: list[Mark] = [
        Line(x="prior", y="nothing", role="quiet", hairline=True),
        Line(x="prior", y="accepted"),
        Line(x="prior", y="reach", role="reach", dash="dash"),
    ]
    if binding is not None and 0 < binding.prior < 1:
        reached = float(standing.implied.reachable(_along(standing), epsilon=standing.implied.lower))
        rows.append(
            side_by_side(
                single("decides_prior", "prior that decides", binding.prior, quantity=before),
                single("decides", "decides", reached, quantity=after),
            )
        )
        marks.append(Spot(x="decides_prior", y="decides", labelled=False))
    words: dict[str, Any] = {"spend": _spend(standing), "prior": _place(standing, look), "posterior": ""}
    name = "reading_panel_free" if binding is None else "reading_panel_rare"
    if binding is not None and binding.prior > 0:
        name = "reading_panel"
        reached = float(standing.implied.reachable(_along(standing), epsilon=standing.implied.lower))
        words["posterior"] = Upper(reached, _belief(look))
    reading = say("positions", look.voice, name, **words)
    return Picture(
        key=f"position-{place + 1}",
        numbers=Numbers(reading, tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=inputs.log), y=Axis(range=(0.0, 1.02), titled=place == 0)),),
        reading=reading,
        told=f"{standing.name}:",
        look=look,
        height=215,
    )


def _rows(*columns: NDArray[np.float64]) -> tuple[tuple[str, ...], ...]:
    picked = [column[7::8] for column in columns]
    return tuple(tuple(plain_number(float(value), 4) for value in row) for row in zip(*picked, strict=True))


def _lines_table(standings: tuple[Standing, ...], inputs: PositionsInputs) -> Table:
    drawn = [_curves_of(standing, inputs) for standing in standings]
    columns = [drawn[0][0], *(column for _, line, reach in drawn for column in (line, reach))]
    heads = [f"{standing.name}: {what}" for standing in standings for what in ("accepted", "reachable")]
    return Table(
        "What each position accepts, and what an attacker can reach at its budget", ("prior", *heads), _rows(*columns)
    )


def _editor(inputs: PositionsInputs, parties: tuple[Standing, ...]) -> Editor:
    choice, standing = inputs.lines[inputs.edited - 1], parties[inputs.edited - 1]
    prior, _, reach = _curves_of(standing, inputs)
    reachable = np.empty((0, 2))
    if standing.implied.status is not Status.BINDS_NOTHING:
        reachable = np.column_stack([prior, reach])
    binding = standing.implied.binding
    mark = None
    if binding is not None and 0 < binding.prior < 1:
        mark = (binding.prior, float(standing.implied.reachable(_along(standing), epsilon=standing.implied.lower)))
    points = choice.points if choice.line == "drawn" else template_points(choice)
    return Editor(points, choice.interpolation if choice.line == "drawn" else "linear", reachable, mark)


def _numbers(standing: Standing, look: Look) -> tuple[tuple[str, str, str], ...]:
    found = [("This position", _spend(standing), f"decided at a prior of {_place(standing, look)}")]
    if standing.error is not None:
        found += [
            ("Typical error of a count", plain_number(standing.error.root_mean_square, 3), "standard deviation; exact"),
            ("95 times in 100 within", _half_width(standing), "of the true count"),
        ]
    if standing.wrong_side is not None:
        found.append(("Wrong side of the target", frequency(standing.wrong_side), "published counts; exact"))
    return tuple(found)


def _budgets(standings: tuple[Standing, ...], inputs: PositionsInputs, facts: dict[str, str], look: Look) -> Table:
    rows = []
    for each in standings:
        error = each.error
        rows.append(
            (
                each.name,
                _spend(each),
                _place(each, look),
                "–" if error is None else plain_number(error.root_mean_square, 3),
                _half_width(each),
                "–" if each.wrong_side is None else _belief(look)(each.wrong_side),
            )
        )
    caption = (
        f"Budgets rounded down; geometric noise on one count; target: at most {facts['target']} per 1,000 of "
        f"{facts['total']}, the truth {facts['off']} above it"
    )
    return Table(
        caption,
        (
            "position",
            "budget",
            "decided at",
            "standard deviation",
            "95 times in 100 within",
            "wrong side of the target",
        ),
        tuple(rows),
    )


def _concessions(standings: tuple[Standing, ...], look: Look) -> Table:
    """From each budget to the next larger one: what it buys, and what it costs the one who moves."""
    ordered = sorted(standings, key=lambda each: each.implied.epsilon)
    belief, rows = _belief(look), []
    steps = list(pairwise(ordered))
    if len(ordered) > 2:
        steps.append((ordered[0], ordered[-1]))
    for giving, taking in steps:
        if taking.epsilon == giving.epsilon:
            continue
        gained = taking.epsilon - giving.epsilon
        bought = ["–", "–"]
        if giving.error is not None and taking.error is not None:
            less = giving.error.root_mean_square - taking.error.root_mean_square
            bought[0] = f"{plain_number(less, 3)} less ({_half_width(giving)} → {_half_width(taking)})"
        if giving.wrong_side is not None and taking.wrong_side is not None:
            bought[1] = f"{belief(giving.wrong_side)} → {belief(taking.wrong_side)}"
        rows.append(
            (
                f"{giving.name} → {taking.name}",
                "no limit" if math.isinf(gained) else f"+ {plain_number(gained, 3)}",
                *bought,
                _cost(giving, taking, belief),
            )
        )
    columns = (
        "concession",
        "ε",
        "error bought: standard deviation, range",
        "wrong side of the target",
        "what it costs",
    )
    return Table("What each concession buys, from the smallest budget to the largest", columns, tuple(rows))


def _cost(giving: Standing, taking: Standing, belief: Any) -> str:
    """How far the attacker who decided the smaller budget comes under the larger one."""
    binding = giving.implied.binding
    if binding is None or binding.prior == 1:
        return "–"
    along = _along(giving) if binding.prior > 0 else RARE
    before = float(giving.implied.reachable(along, epsilon=giving.shift))
    after = float(giving.implied.reachable(along, epsilon=taking.shift))
    if binding.prior == 0:
        prior = along * float(giving.profile.fixed or 1.0)
        return f"rarest guesses: {times(before / prior)} → {times(after / prior)} as likely"
    return f"from a prior of {belief(binding.prior)}: {Upper(before, belief).digits} → {Upper(after, belief).digits}"


def _who(
    parties: tuple[Standing, ...],
    ranges: tuple[StrictestRange, ...],
    inputs: PositionsInputs,
    facts: dict[str, str],
    look: Look,
) -> Picture:
    held = inputs.lines[0].held
    prior = priors_for_curves(held, True)
    along = np.minimum(prior / held, 1.0)
    largest = [np.asarray(party.implied.largest_epsilon(along)) for party in parties]
    finite = [party.implied.epsilon for party in parties if math.isfinite(party.implied.epsilon)]
    ceiling = max(3.0 * max(finite, default=1.0), 1e-3)
    across = "prior: how likely the attacker thinks it before"
    rows = side_by_side(
        Column("prior", "prior", prior, quantity=across),
        *(
            Column(f"largest_{place}", party.name, values, quantity="largest ε", said=digits(5, Allowed))
            for place, (party, values) in enumerate(zip(parties, largest, strict=True))
        ),
        listed=range(0, prior.size, 8),
    )
    marks = tuple(
        Line(x="prior", y=f"largest_{place}", role=ROLES[place], dash=DASHES[place], label=30 + 25 * place)
        for place in range(len(parties))
    )
    belief = _belief(look)

    def end(u: float) -> str:
        return "nearly 0" if u <= 1e-6 else belief(u * held)

    asked = [each for each in ranges if each.profile is not None]
    told = "; ".join(
        f"**{_safe(parties[each.profile or 0].name)}** from {end(each.start)} to {end(each.stop)}" for each in asked[:8]
    )
    reading = say("positions", look.voice, "reading_who", **facts, ranges=told or "nobody")
    return Picture(
        key="positions-who",
        numbers=Numbers("Largest ε each prior allows, by position", (rows,)),
        marks=marks,
        panels=(Panel(x=Axis(log=True), y=Axis(range=(0.0, ceiling))),),
        reading=reading,
        look=look,
        height=320,
    )


def _next(inputs: PositionsInputs, look: Look) -> Way:
    """The edited line on the page that takes it further."""
    line = inputs.lines[inputs.edited - 1]
    query = write_query(LINE_FIELDS, {field.name: getattr(line, field.name) for field in LINE_FIELDS})
    promise = promise_query(inputs.promise.secret.value, inputs.unit, inputs.group, inputs.relation)
    query |= {name: text for name, text in promise if name != "secret"}
    return Way("choose", say("positions", look.voice, "next"), tuple(query.items()))
