"""Side two of the brief: the line, what it is for a household and a year, what is assumed, and today's method."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpcore import errors
from dpcore._properties import cached_property
from dpcore.profiles import Status
from dpcore.promise import Secret
from dpcore.scope import Scope
from riskline.answers import Spent
from riskline.case.choices import RELATIVE_NAMES
from ui.documents.document import Block, Figure, Listing, Paragraph, Section, Slide
from ui.link.case_links import of_case
from ui.pictures.description import Description
from ui.pictures.marks import Heat, Spot
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views import methods
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import along_prior
from ui.views.choose.pictures import accepted_line, line_pictures
from ui.views.memo.brief import districts_scope, heading, person_scope
from ui.views.memo.choices import Memo, word
from ui.views.methods import MethodsInputs, MethodsView, methods_view
from ui.views.shared import belief_before
from ui.views.shared.belief_before import rises_alike
from ui.views.shared.published_budgets import spent_words
from ui.views.shared.relatives import relatives_words
from ui.words.catalogue import label
from ui.words.phrasing import decimal_belief, is_nearly_certain, people_for, plain_number, rate, times, typed_frequency
from ui.words.quantities import Allowed, Failure, Quantity, Typed, Upper, claimed, in_people

PRIORS = (0.01, 0.1, 0.25)
"""Beliefs before at which a line is told that has no points of its own."""
MOST_RARE = PRIORS[0]
"""The smallest belief that is told out of 100."""


def line_in_words(choices: ChooseInputs) -> str:
    """The accepted line in one sentence."""
    told = {name: Typed(getattr(choices, name), typed_frequency) for name in ("cap", "increase", "low", "high")}
    name = "box_both" if choices.line == "box" and choices.secret == "both" else choices.line
    line = word(f"line.{name}", ratio=Typed(choices.ratio, times), **told)
    if choices.held == 1.0 or choices.secret == "both":
        return line
    return f"{line} {word('line.held', held=Typed(choices.held, typed_frequency))}"


def line_points(memo: Memo, *, with_reach: bool = True) -> tuple[str, ...]:
    """Three points of the line in words: a belief before, the highest accepted after, and the one that is reached."""
    line = memo.line
    if line is None or line.budget is None:
        return ()
    choices, priors = line.inputs, PRIORS
    if choices.line == "drawn":
        drawn = sorted(x for x, _ in choices.points)
        common = [x for x in drawn if x >= MOST_RARE]
        if memo.before >= MOST_RARE and len(common) >= len(PRIORS):  # told out of 100, as what decides is
            drawn = common
        priors = (drawn[0], drawn[len(drawn) // 2], drawn[-1])
    elif choices.line == "box":
        low = choices.low or choices.high / 10
        priors = (low, math.sqrt(low * choices.high), choices.high)
    joint = choices.secret == "both"

    def place(prior: float) -> tuple[float, ...]:
        return (1.0, prior) if joint else along_prior(choices, prior)

    def accepted(prior: float) -> float:
        return min(float(np.asarray(line.implied.profile.highest_posterior(*place(prior)))), 1.0)

    def reached(prior: float) -> Upper:
        return Upper(float(np.asarray(line.reach(*place(prior)))), memo.style.belief)

    certain, points = f" {word('line.certain')}" if joint else "", []
    before = sorted({prior for prior in priors if prior <= choices.held or joint})
    for found in rises_alike(before, reached, memo.style, typed=not memo.style.technical, accepted=accepted):
        limit = Allowed(accepted(found.prior), found.spoken)
        said = word("line.limit", limit=limit) if limit.value < 1 else word("line.free")
        told = memo.say("point", before=found.words, certain=certain, accepted=said)
        beyond = memo.say("point_reached", reached=found.after, exception=memo.exception) if with_reach else ""
        points.append(f"{told}{beyond}.")
    return tuple(points)


def risk_picture(memo: Memo) -> Description | None:
    """The accepted line, or the map of both beliefs, with what decides the budget; nothing where nothing decides."""
    line = memo.line
    if line is None or line.implied.status is not Status.BINDS:
        return None
    if line.inputs.secret == "both":  # the map of *Choose a budget*, without the cuts that its reader takes through it
        (drawn,) = (picture for picture in line_pictures(line) if picture.key == "allowed-epsilon")
        marks = tuple(mark for mark in drawn.marks if isinstance(mark, Heat | Spot))
        numbers, panels, reading = drawn.numbers, drawn.panels, drawn.reading
        return Description(key="map", numbers=numbers, marks=marks, panels=panels, reading=reading, style=Style())
    touch = "" if memo.implied else " " + word("line.touch", prior=line.context["prior"])
    accepted = accepted_line(line, memo.say("reading_line", exception=memo.exception, touch=touch))
    if memo.implied:  # it decides nothing
        return replace(accepted, marks=tuple(mark for mark in accepted.marks if not isinstance(mark, Spot)))
    return accepted


def line_section(memo: Memo, picture: Description | None) -> Section | None:
    """The accepted line, drawn and in words; nothing where none was."""
    line = memo.line
    if line is None:
        return None
    blocks: list[Block] = [Paragraph(line_in_words(line.inputs)), Listing(line_points(memo))]
    if picture is not None:
        blocks.append(Figure(picture, picture.reading, height=208))
    return Section(heading(memo, "line"), tuple(blocks))


def assumptions_section(memo: Memo) -> Section:
    """What is assumed, and for what and with which exception it all holds."""
    whose = memo.words()["whose"]
    knows = memo.say("knows_any" if memo.spent is None or memo.spent.noise is None else "knows_all", whose=whose)
    told = Listing.of(memo.say("assumptions", whose=whose, knows=knows)).items
    scope = (*districts_scope(memo), memo.words()["promise"])
    judged = () if memo.line is None else (memo.say("judgement"),)
    return Section(word("heading.assumptions"), (Listing((*scope, *told, *_relatives(memo), *judged)),))


def _relatives(memo: Memo) -> tuple[str, ...]:
    """What relatives add who resemble the person, where the case says how many and how alike."""
    alike = None if memo.spent is None or not RELATIVE_NAMES & set(memo.case) else memo.spent.resembling
    if alike is None or not alike.relatives.relatives:
        return ()
    return (relatives_words(alike, memo.before or 0.5, memo.style, memo.exception),)


def at_every_unit(memo: Memo) -> Table | None:
    """What the budget amounts to for a record, a person, a household and a person-year; not of a published one."""
    spent, inputs = _own_budget(memo), memo.inputs
    if spent is None:
        return None
    own, people, each_person = spent.group, f"{inputs.household:,}", _each_person(memo, spent)
    year, several = spent.releases * inputs.yearly, each_person * inputs.household
    units = [(word("unit.record_all"), 1, spent.releases)]
    if inputs.publication is None:  # the budget is that of one release, not of all tables
        units.insert(0, (word("unit.record"), 1, 1))
    if own > 1 and own != several:
        units.append((memo.words()["whose"], own, spent.releases))
    units.append((word("unit.person"), each_person, year))
    units.append((word("unit.household", people=people), several, spent.releases))
    units.append((word("unit.household_year", people=people), several, year))
    named: dict[tuple[int, int], str] = {}
    for name, records, releases in units:
        named.setdefault((records, releases), name)  # as many changes are as much, whatever they are of
    rows = []
    for (records, releases), name in named.items():
        amount = spent_words(spent.guarantee(records=records, releases=releases), digits=3)
        reached = _belief(memo, spent, records, releases)
        said = reached if isinstance(reached, str) else reached.digits
        rows.append((name, f"{records:,} × {releases:,}", amount, said))
    one_count = memo.case["release"] == "count" and memo.case.promise.secret is Secret.VALUE
    caption = memo.say(
        "units",
        prior=memo.rise.words,
        what=memo.words(alone=True)["that"],
        yearly=word("yearly.once" if inputs.yearly == 1 else "yearly.times", yearly=f"{inputs.yearly:,}"),
        released=memo.say("one_count" if one_count else "any_release"),
        exception=memo.exception,
    )
    if spent.noise is not None:
        caption += memo.say("units_noise", noise=label("case", f"whole_noise.{spent.noise}"))
    heads = tuple(word(f"unit.{head}") for head in ("for", "changes", "amount", "reach"))
    return Table(caption, heads, tuple(rows))


def household_words(memo: Memo) -> str:
    """How far a belief about a whole household can come; nothing where the guarantee is about one, or sets no limit."""
    spent, people = _own_budget(memo), memo.inputs.household
    if spent is None or people == 1 or memo.case["unit"] == "household":
        return ""
    reached = _belief(memo, spent, _each_person(memo, spent) * people, spent.releases)
    if not isinstance(reached, str):
        reached = label("public", "limit", reached=reached, began="", exception=memo.exception)
    return label("public", "together", household=f"{people:,}", limit=reached)


def _own_budget(memo: Memo) -> Spent | None:
    """The budget of the case where it limits a belief from one that is neither none nor certain."""
    spent = memo.spent
    return spent if spent is not None and spent.entry is None and 0 < memo.before < 1 else None


def _each_person(memo: Memo, spent: Spent) -> int:
    """How many records of the guarantee's are one person's."""
    return spent.group if memo.case["unit"] in ("records", "days") else 1


def _belief(memo: Memo, spent: Spent, records: int, releases: int) -> Quantity | str:
    """The belief from the one that decides after so many records in so many releases, or that it has no limit."""
    line = memo.line
    try:
        if line is None or line.implied.binding is None:
            reached = spent.highest(memo.before, records=records, releases=releases).value
        else:
            shift = spent.shift_for(records=records, releases=releases)
            if records == spent.group and releases == spent.releases:  # the memo's own promise, for its own noise
                shift = min(shift, spent.shift)
            reached = float(line.implied.reachable(*line.split_of(memo.before), epsilon=shift))
    except errors.Refused as refusal:  # the group's δ uses up the failure probability
        if refusal.code is not errors.Code.INFEASIBLE:
            raise
        return word("unit.no_bound", failure=plain_number(spent.failure, 2))
    told = in_people(people_for(reached, of=max(memo.rise.of, 100)))
    return word("unit.certain") if is_nearly_certain(reached) else Upper(reached, told)


FACTS = ("certain_present", "certain_absent", "passed_present", "passed_absent")
"""Rows of *Today's methods* that a budget answers too."""


@dataclass(frozen=True)
class Today:
    """The method of the case as *Today's methods* answers, from the memo's own belief before, and its budget beside."""

    memo: Memo

    @cached_property
    def spent(self) -> Spent | None:
        """The budget of the case; none that others published, whose exact totals it does not cover."""
        found = self.memo.spent
        return None if found is None or found.entry is not None else found

    @property
    def of_memo(self) -> bool:
        """Whether the memo is about one belief before: the method is then answered from it."""
        return self.memo.spent is not None and 0 < self.memo.before < 1

    @cached_property
    def inputs(self) -> MethodsInputs:
        """The choices of that page."""
        case, declared = self.memo.case, methods.beginning(self.memo.case)
        own = {field.name: field.default for field in declared if not field.of_case}
        inputs = MethodsInputs(**own | of_case(case, declared))
        return replace(inputs, prior=self.memo.before) if self.of_memo else inputs

    @cached_property
    def view(self) -> MethodsView:
        """That page."""
        return methods_view(self.inputs, self.memo.style)

    @property
    def table(self) -> Table | None:
        """The facts of the method and of the budget; nothing of swapping, which is about another secret."""
        view, memo = self.view, self.memo
        if self.inputs.control is None or view.told is None or view.compared is None:
            return None
        of_page = {str(row[0]): str(row[1]) for row in view.compared.rows}
        named = {label("methods", f"fact.{name}"): name for name in FACTS}
        rows = [(said, of_page[said], self._of_budget(name)) for said, name in named.items() if said in of_page]
        highest, before = view.told.highest(view.prior).value, belief_before.told(view.prior, memo.style, typed=True)
        spoken = memo.rise.spoken if self.of_memo else before.spoken
        reached = word("today.certain") if highest == 1.0 else Upper(highest, spoken).digits
        then = "" if self.spent is None else f"{self.reached.digits}{memo.exception}"
        rows.append((word("not_taken.belief", prior=before.words, exception=""), reached, then))
        if self.spent is None:
            return Table("", ("", word("today")), tuple(row[:2] for row in rows))
        return Table("", ("", word("today"), word("today.then", budget=memo.spend)), tuple(rows))

    def _of_budget(self, fact: str) -> str:
        """Whether a fact can be so with the budget, within the limits that the memo tells: never, rarely, perhaps."""
        found, limit = self.spent, self.view.limit
        if found is None:
            return ""
        if fact.startswith("certain"):
            return self._at_most(getattr(found.of_secret(), "delta", 0.0))
        kept = found.keeps_the_line or (limit is not None and self.reached.value <= limit)
        return self._at_most(found.failure) if kept else word("today.can")

    def _at_most(self, failing: float) -> str:
        if not failing:
            return label("methods", "cell.never")
        return word("today.at_most", failing=Failure(failing, decimal_belief if self.memo.style.technical else rate))

    @cached_property
    def reached(self) -> Quantity:
        """The highest belief that the budget allows, from the same belief before."""
        memo, prior = self.memo, self.view.prior
        if self.of_memo:
            return memo.rise.after
        assert self.spent is not None
        if memo.line is not None:
            return Upper(float(memo.line.reach(*memo.line.split_of(prior))), memo.style.belief)
        return claimed(self.spent.highest(prior), Scope.ANY_MECHANISM, memo.style.belief)

    @property
    def what_differs(self) -> str:
        """For what both hold, and what is not compared."""
        if self.spent is None:
            return ""
        if self.table is None:
            return self.memo.say("today_swap")
        return " ".join((self.memo.say("today_fair"), *person_scope(self.memo)))

    @property
    def section(self) -> Section:
        """The page's answer, the comparison, and for what it holds; why there is none where the method is refused."""
        view, table = self.view, self.table
        blocks: list[Block] = [Paragraph(self.memo.say("refused_elsewhere", reason=view.refusal))]
        if not view.refusal:
            small_print = Paragraph(f"{view.small_print} {self.what_differs}".strip(), "quiet")
            blocks = [Paragraph(view.answer), *([] if table is None else [table]), small_print]
        return Section(word("heading.today"), tuple(blocks))

    def slides(self, scope: str) -> tuple[Slide, ...]:
        """The same on a slide, its small print among the notes."""
        notes = " ".join(filter(None, (self.view.small_print, self.what_differs, scope)))
        slide = Slide(word("heading.today"), self.view.answer, table=self.table, notes=notes)
        return () if self.view.refusal else (slide,)


def today_of(memo: Memo) -> Today | None:
    """What the memo tells of today's method; nothing where the case has none."""
    return None if memo.case["method_today"] is None else Today(memo)
