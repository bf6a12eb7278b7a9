"""What the memo tells of the method that the office uses today, beside what the budget of the case allows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from dpcore._properties import cached_property
from dpcore.scope import Scope
from riskline.answers import Spent
from ui.documents.document import Block, Paragraph, Section, Slide
from ui.link.case_links import of_case
from ui.pictures.table import Table
from ui.views import methods
from ui.views.memo.brief import person_scope
from ui.views.memo.choices import Memo
from ui.views.methods import MethodsInputs, MethodsView, methods_view
from ui.views.shared import belief_before
from ui.words.catalogue import label
from ui.words.phrasing import decimal_belief, rate
from ui.words.quantities import Failure, Quantity, Upper, claimed

word = partial(label, "memo")
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


def today_of(memo: Memo) -> Today | None:
    """What the memo tells of today's method; nothing where the case has none."""
    return None if memo.case["method_today"] is None else Today(memo)


def today_section(today: Today | None) -> Section | None:
    """The page's answer, the comparison, and for what it holds; why there is none where the method is refused."""
    if today is None:
        return None
    view = today.view
    if view.refusal:
        return Section(word("heading.today"), (Paragraph(today.memo.say("refused_elsewhere", reason=view.refusal)),))
    small_print = Paragraph(f"{view.small_print} {today.what_differs}".strip(), "quiet")
    blocks: tuple[Block | None, ...] = (Paragraph(view.answer), today.table, small_print)
    return Section(word("heading.today"), tuple(block for block in blocks if block is not None))


def today_slide(today: Today | None, scope: str) -> tuple[Slide, ...]:
    """The same on a slide, its small print among the notes."""
    if today is None or today.view.refusal:
        return ()
    notes = " ".join(filter(None, (today.view.small_print, today.what_differs, scope)))
    return (Slide(word("heading.today"), today.view.answer, table=today.table, notes=notes),)
