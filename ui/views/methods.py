"""Today's methods of disclosure control under the line of the case, beside noise with the same error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.accuracy import AdditiveMechanism
from dpcore.methods import HIDDEN, DisclosureControl, PerturbationTable, SmallCountSuppression, TwoWorlds
from dpcore.privacy_loss import Side
from dpcore.scope import Bound, Scope
from riskline.answers import methods as answers
from riskline.answers.methods import Told
from riskline.case.choices import NO_LINE, of_case
from riskline.case.declaration import count, custom, of_session, option
from riskline.case.fields import Field, number_text
from riskline.case.line import LineChoice
from riskline.case.methods import RECORDED, MethodChoice
from riskline.case.promise import PromiseChoice, contradiction
from riskline.case.value import Case
from ui.link.page_table import PageLink, fields_of
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import HALVES, Axis, Dots, Mark, Panel, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.accuracy import INVENTED, budget_words, listed_or_invented
from ui.views.shared import belief_before
from ui.views.shared.drawing import DOT, ROWS, STEP, dots_of
from ui.views.shared.promise import PageAnswer, PageInMaking, StatedBelief, promise_words, refusing
from ui.views.shared.table_choice import method_named
from ui.views.shared.typed_table import Districts, decode_districts, encode_districts
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, people_for, plain_number, rate, times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Quantity, Spoken, Upper, claimed, in_people

word = partial(label, "methods")
MOST_NAMED = 10
"""So many rows of a table are named, and so many tens of them written into lines of Python."""
SEEN = 5e-4
"""A bar for fewer releases is not listed beside the picture."""


@dataclass(frozen=True)
class MethodsInputs(LineChoice, PromiseChoice, MethodChoice):
    """What a reader chose on this page, and the line and promise of the case."""

    others: int | None = of_session(count(None, low=0, high=1_000_000_000))
    against: Literal["geometric", "discrete_gaussian"] = option("geometric", "discrete_gaussian")
    side: Side = option("present", "absent")
    places: Districts = of_session(custom(INVENTED, read=decode_districts, write=encode_districts))
    prior: float = of_case("prior", default=0.08, format="percent")
    hidden: str = of_case("hidden")
    one: str = of_case("one")


FIELDS = fields_of("methods", MethodsInputs, "by_method", "accuracy")


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, which begin with the method of the case where it has one."""
    today: MethodChoice | None = case["method_today"]
    names = () if today is None else ("method", *RECORDED[today.method])
    return tuple(
        replace(field, default=getattr(today, field.name)) if field.name in names else field for field in FIELDS
    )


@dataclass(frozen=True, kw_only=True)
class MethodsView(PageAnswer):
    """Everything the page shows; what the command line tells of it too."""

    told: Told | None = None
    prior: float = 0.0
    limit: float | None = None
    noise: AdditiveMechanism | None = None
    beliefs: Picture | None = None
    compared: Table | None = None
    districts: Table | None = None
    note: str = ""
    next: PageLink | None = None


@dataclass(frozen=True)
class _Answer(PageInMaking):
    """The page in the making."""

    page = "methods"
    inputs: MethodsInputs

    @cached_property
    def control(self) -> DisclosureControl | None:
        return self.inputs.control

    @property
    def people(self) -> int:
        return self.inputs.promise.group

    @cached_property
    def others(self) -> int:
        """How many others are counted: as typed, or where most is told."""
        assert self.control is not None
        typed = self.inputs.others
        return answers.most_telling_count(self.control, self.people) if typed is None else typed

    @cached_property
    def told(self) -> Told:
        if self.control is not None:
            return self.told_at(self.others)
        return Told(self.inputs.swapping.exchange(self.inputs.stratum), self.inputs.promise)

    def told_at(self, others: int) -> Told:
        assert self.control is not None
        return Told(self.control.presence(others, people=self.people), self.inputs.promise)

    @cached_property
    def noise(self) -> AdditiveMechanism | None:
        """Noise with the same error over the districts."""
        counts = [people for _, people in self.inputs.places]
        return None if self.control is None else answers.noise_of_same_error(self.control, counts, self.inputs.against)

    @cached_property
    def by_noise(self) -> Told | None:
        return None if self.noise is None else answers.told_by_noise(self.noise, self.inputs.promise)

    @cached_property
    def limit(self) -> float | None:
        return answers.limit_of_line(self.inputs, self.inputs.prior)

    @cached_property
    def name(self) -> str:
        return method_named(self.inputs.method, self.inputs, self.style)

    def often(self, bound: Bound, scope: Scope = Scope.COUNT) -> Quantity:
        return claimed(bound, scope, decimal_belief if self.style.technical else rate)

    def passed(self, told: Told, side: Side) -> Quantity | None:
        return None if self.limit is None else self.often(told.passed(self.limit, self.inputs.prior, side))

    @cached_property
    def highest(self) -> Quantity:
        return claimed(self.told.highest(self.inputs.prior), Scope.COUNT, self._spoken)

    @cached_property
    def _spoken(self) -> Spoken:
        """How the highest belief and the line are said beside each other: of as many people."""
        highest = self.told.highest(self.inputs.prior).value
        limits = () if self.limit in (None, 1.0) else (self.limit,)
        return self.style.belief if self.style.technical else in_people(people_for(highest, *limits, of=self.style.of))

    @cached_property
    def context(self) -> dict[str, Any]:
        inputs, style = self.inputs, self.style
        about = promise_words(inputs.promise, style.voice, scope=Scope.COUNT, hidden=inputs.hidden, one=inputs.one)
        limit = 1.0 if self.limit is None else self.limit
        line = "line_open" if limit == 1.0 else "line"
        if self.limit is None:
            line = "line_both" if inputs.line != NO_LINE else "line_none"
        return {
            "method": self.name,
            "that": about["that"] if inputs.hidden else word("counted", **about),
            "often": self.often(self.told.certain("present")),
            "most": self.highest,
            "line": say("methods", style.voice, line, limit=Allowed(limit, self._spoken)),
            "others": "" if self.control is None else f"{self.others:,}",
            "worst": word("worst") if inputs.others is None else "",
            "stratum": f"{inputs.stratum:,}",
            "prior": self._before,
            "world": word(f"world.{inputs.side}"),
            "people": self.people,
            "epsilon": plain_number(self.told.worlds.epsilon(), 4),
        }

    def say(self, name: str, /, **more: object) -> str:
        return super().say(name, **self.context, **more)

    @property
    def answer(self) -> str:
        if self.control is None:
            return self.say("answer_swap")
        return self.say("answer_certain" if self.told.certain("present").value else "answer_never")

    # ---- the picture ------------------------------------------------------------------------------------------

    def beliefs(self) -> Picture:
        """How many of 100 releases end in each belief, beside noise of the same error, under the line."""
        told = {"method": self.told} | ({} if self.by_noise is None else {"noise": self.by_noise})
        heads = {"method": self.name, "noise": self._noise_name}
        masses = {name: 100 * _by_belief(one.worlds, self.inputs.prior, self.inputs.side) for name, one in told.items()}
        centres = np.arange(round(1 / STEP) + 1) * STEP
        said = tuple(word("belief.said", belief=self.style.belief(round(float(centre), 2))) for centre in centres)
        columns, marks = [Column("belief", word("belief"), centres, said=said, hover=".0%")], list[Mark]()
        limit = 2.0 if self.limit is None or self.limit == 1.0 else self.limit
        dots = {name: dots_of(one.worlds, self.inputs.prior, self.inputs.side, limit) for name, one in told.items()}
        drawn, top = [], max(ROWS, *(up.max(initial=0.0) for kinds in dots.values() for _, up in kinds.values()))
        for panel, (name, (mass, sure)) in enumerate(masses.items()):
            shared: dict[str, Any] = {"quantity": word("releases"), "said": digits(3), "hover": ".3~g"}
            columns.append(Column(name, heads[name], mass, **shared))
            columns.append(
                Column(f"{name}_certain", heads[name], sure, aspect=word("certain"), listed=bool(sure.any()), **shared)
            )
            for kind, role in (("dots", "accent"), ("sure", "reach")):
                (across, up), key, one = dots[name][kind], f"{name}_{kind}", word(f"dot.{kind}")
                at = Column(f"{key}_at", heads[name], across, quantity=word("belief"), aspect=one)
                stacked = word("stacked", release=one)
                drawn.append(side_by_side(at, Column(key, heads[name], up, quantity=word("releases"), aspect=stacked)))
                marks.append(Dots(panel=panel, x=at.key, y=key, role=role, size=max(3, round(DOT * ROWS / top))))
            if self.limit is not None and self.limit < 1:
                side = "left" if self.limit < 0.5 else "right"
                marks.append(Upright(panel=panel, x="limit", role="mark", dash="dash", at=1.0, beside=side))
        seen = np.flatnonzero(np.max([mass for mass, _ in masses.values()], axis=0) >= 100 * SEEN).tolist()
        line = side_by_side(single("limit", word("limit"), self.limit or 1.0, quantity=word("belief")))
        beliefs = Axis(range=(-4 * STEP, 1 + 4 * STEP), ticks=HALVES, grid=False)
        stacks = Axis(range=(0.0, 1.12 * top + 1), shown=False)  # the line is called by its name above the stacks
        noise = (self.say("reading_noise", reach=self._noise_reaches),) if self._noise_has_limit else ()
        return Picture(
            key="methods-beliefs",
            numbers=Numbers(word("beliefs"), (side_by_side(*columns, listed=seen), line, *drawn)),
            marks=tuple(marks),
            panels=tuple(
                Panel(x=beliefs, y=stacks, title=heads[name], same_rows=panel > 0) for panel, name in enumerate(masses)
            ),
            reading=" ".join((self._reading(), *noise, self.say("reading_dots"))),
            style=self.style,
            height=300,
            gap=0.2,
        )

    @property
    def _noise_name(self) -> str:
        return "" if self.noise is None else word("noise", budget=budget_words(self.noise))

    def _reading(self) -> str:
        passed = self.passed(self.told, self.inputs.side)
        other = None if self.by_noise is None else self.passed(self.by_noise, self.inputs.side)
        beside = "" if other is None else self.say("reading_beside", passed=other)
        return self.say("reading_no_line") if passed is None else self.say("reading", passed=passed, beside=beside)

    # ---- the tables -------------------------------------------------------------------------------------------

    def compared(self) -> Table:
        """What is compared at the same error, and what is not: each fact of the method, and of noise."""
        rows = [(word(f"fact.{name}"), *cells) for name, cells in self._facts() if cells[0]]
        if self.noise is None:
            return Table(word("compared_alone"), ("", self.name), tuple(row[:2] for row in rows))
        return Table(word("compared"), ("", self.name, self._noise_name), tuple(rows))

    def _facts(self) -> Iterator[tuple[str, tuple[str, str]]]:
        told, beside = self.told, self.by_noise

        def both(ask: Callable[[Told], str]) -> tuple[str, str]:
            return ask(told), "" if beside is None else ask(beside)

        sides: tuple[Side, Side] = ("present", "absent")
        for side in sides:
            yield f"certain_{side}", both(partial(self._certain, side=side))
        for side in sides:
            yield f"passed_{side}", both(partial(self._passed, side=side))
        yield "guess", both(lambda one: self.often(one.right_guess()).digits)
        yield "odds", (_rise(told), _rise(beside) if beside is not None and self._noise_has_limit else word("no_limit"))
        yield from self._errors()
        yield from self._ways()

    def _certain(self, told: Told, side: Side = "present") -> str:
        return _unless_never(self.often(told.certain(side)))

    def _passed(self, told: Told, side: Side = "present") -> str:
        return _unless_never(self.passed(told, side))

    def _errors(self) -> Iterator[tuple[str, tuple[str, str]]]:
        laws = [] if self.control is None else [self.control.law(people) for _, people in self.inputs.places]
        if not laws or any(HIDDEN in law.values for law in laws):
            return
        spread = math.sqrt(math.fsum(law.mean_square_error for law in laws) / len(laws))
        of_noise = "" if self.noise is None else plain_number(self.noise.std, 3)
        bias = math.fsum(law.bias for law in laws) / len(laws)
        yield "error", (plain_number(spread, 3), of_noise)
        yield "bias", ("0" if abs(bias) < 1e-9 else plain_number(bias, 2), "0")
        yield "most", (plain_number(max(float(np.abs(law.error).max()) for law in laws), 4), word("no_limit"))

    def _ways(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """What the comparison leaves out: zeros, totals, repeats, differences, many tables."""
        inputs, keys = self.inputs, self.inputs.method in ("cell_key", "table")
        if self.control is not None:
            shown = inputs.zero == "shown" if inputs.method == "suppress" else None
            zero = "stay" if shown is None else "exact" if shown else "hide"
            yield "zero", (word(f"zero.{zero}"), word("zero.noise"))
        totals = {"suppress": "exact", "swap": "invariant"}.get(inputs.method, "apart")
        yield "totals", (word(f"totals.{totals}"), word("totals.noise"))
        random = inputs.method == "round_random" or (inputs.method == "graduated" and inputs.rounding == "random")
        yield "again", (word("again.drawn" if random else "again.same"), word("again.noise"))
        if self.control is not None and inputs.method != "suppress" and self.people == 1:
            apart = self.control.difference(self.others, same_key=keys)
            certain = self.often(Told(apart, inputs.promise).certain("present"))
            said = word("differ.certain", chance=certain.digits) if certain.value else word("cell.never")
            yield "differ", (said, word("cell.never"))
        yield "many", (word("many.method"), word("many.noise"))

    def districts(self) -> Table | None:
        """Each district with its own count: how it can be published, and what that tells of one who is counted."""
        if self.control is None:
            return None
        hidden = {}
        counts = [people for _, people in self.inputs.places]
        if isinstance(self.control, SmallCountSuppression):
            hidden = {cell.place[0]: cell for cell in self.control.publish(counts).intervals()}
        rows, cells = [], []
        for at, (name, people) in enumerate(self.inputs.places):
            values = self.control.law(people).values
            low, high = (hidden[at].least, hidden[at].largest) if at in hidden else (values[0], values[-1])
            there, others = None, people - self.people
            if others >= 0 and at in hidden and low == high:  # the total gives it away
                known = TwoWorlds.from_laws(present={people: 1.0}, absent={others: 1.0})
                there = Told(known, self.inputs.promise)
            elif others >= 0:
                there = self.told_at(others)
            cells += [] if there is None else [there]
            ends = {"low": f"{low:,}", "high": f"{high:,}"}
            between = word("between", **ends)
            if at in hidden:
                between = word("hidden_told" if low == high else "hidden_between", **ends)
            told = ("", "") if there is None else (self._certain(there), self._passed(there))
            published = ends["low"] if low == high and at not in hidden else between
            rows.append((name or word("place.number", number=at + 1), f"{people:,}", published, *told))
        if not cells:
            return None
        chance = self.often(answers.told_somewhere(cells), Scope.TABLE)
        heads = ("place", "count", "published", "certain_there", "passed_there")
        caption = word("districts", chance=chance.digits, whose=listed_or_invented(self.inputs.places))
        return Table(caption, tuple(map(word, heads)), tuple(rows))

    def note(self) -> str:
        """What is to be noticed about a table of cell keys, typed or by its settings."""
        control, notes = self.control, []
        if isinstance(control, PerturbationTable):
            if biased := control.biased_rows:
                rows, more = ", ".join(map(str, biased[:MOST_NAMED])), len(biased) - MOST_NAMED
                shown = label("numbers", "and_more", many=rows, more=f"{more:,}") if more > 0 else rows
                notes.append(self.say("note_biased", rows=shown))
            if control.is_cut_short:
                notes.append(self.say("note_cut"))
        return " ".join(notes)

    # ---- what follows -----------------------------------------------------------------------------------------

    def next(self) -> PageLink | None:
        """To what the budget of the noise means."""
        if self.noise is None:
            return None
        budget = ((self.noise.budget_kind, number_text(self.noise.budget)),)
        kind = () if self.noise.budget_kind == "epsilon" else (("guarantee", self.noise.name),)
        return PageLink("explain", word("next", budget=budget_words(self.noise)), (*kind, *budget))

    @property
    def _noise_has_limit(self) -> bool:
        return self.noise is not None and self.noise.budget_kind == "epsilon"

    @property
    def _before(self) -> str:
        return belief_before.told(self.inputs.prior, self.style, typed=True).words

    @property
    def _noise_reaches(self) -> Quantity:
        assert self.by_noise is not None
        return Upper(self.by_noise.highest(self.inputs.prior).value, self.style.belief)

    def stated(self) -> tuple[StatedBelief, ...]:
        """The highest belief that the noise allows, where it has a limit."""
        if not self._noise_has_limit:
            return ()
        promise, told = self.inputs.promise, self._noise_reaches
        return (StatedBelief(self.inputs.prior, told, promise, self.noise, Scope.COUNT, before=self._before),)

    def python(self) -> CodeLines | None:
        """The lines for how often somebody becomes certain, or else for the highest belief; none with a long table."""
        if isinstance(self.control, PerturbationTable) and len(self.control.rows) > 10 * MOST_NAMED:
            return None
        code = CodeWriter()
        if self.control is None:
            swapping = code.let("swapping", self.inputs.swapping)
            worlds = Source(f"{swapping}.exchange({self.inputs.stratum})")
        else:
            together = "" if self.people == 1 else f", people={self.people}"
            worlds = Source(f"{code.let('method', self.control)}.presence({self.others}{together})")
        if self.told.certain("present").value:
            return code.ending(Source(f"{worlds}.probability_certain()"), self.context["often"])
        return code.ending(Source(f"{worlds}.posteriors(prior={self.inputs.prior!r}).max()"), self.highest)


def _by_belief(worlds: TwoWorlds, prior: float, side: Side) -> FloatArray:
    """Probability of a belief near each centre; and of certainty there."""
    place = np.rint(worlds.posteriors(prior=prior) / STEP).astype(int)
    law = worlds.present if side == "present" else worlds.absent
    parts = (law, np.where(np.isinf(worlds.evidence), law, 0.0))
    return np.array([np.bincount(place, weights=part, minlength=round(1 / STEP) + 1) for part in parts])


def _unless_never(often: Quantity | None) -> str:
    return "" if often is None else word("cell.never") if often.value == 0 else often.digits


def _rise(told: Told) -> str:
    return word("no_limit") if math.isinf(told.odds) else f"{word('odds_at_most', odds=Upper(told.odds, times))}"


@refusing(MethodsView)
def methods_view(inputs: MethodsInputs, style: Style) -> MethodsView:
    """The page for these choices."""
    if contradictory := contradiction(inputs):
        return MethodsView(refusal=contradictory)
    inputs, style = belief_before.as_printed(inputs, style)
    found = _Answer(inputs, style)
    return MethodsView(
        answer=found.answer,
        small_print=found.say("small_print_swap" if found.control is None else "small_print"),
        told=found.told,
        prior=inputs.prior,
        limit=found.limit,
        noise=found.noise,
        beliefs=found.beliefs(),
        compared=found.compared(),
        districts=found.districts(),
        note=found.note(),
        next=found.next(),
        stated=found.stated(),
        computed=say("methods", "technical", "computed", **found.context),
        python=found.python(),
    )
