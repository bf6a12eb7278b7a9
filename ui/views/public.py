"""For the public: what is published, what it means for one of those it is about, and questions that they ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

import dpcore
from dpcore._properties import cached_property
from dpcore.errors import Refused
from dpcore.scope import Bound, Scope
from riskline.answers import Spent, right_guess
from riskline.answers.published import comparable, place_of
from riskline.answers.relatives import RelativesChoice
from riskline.case.choices import ANYTHING
from riskline.case.declaration import count, text
from riskline.case.fields import under
from riskline.case.value import EXAMPLE, Case, State
from ui.documents.document import Document, Link, Paragraph, PeopleFigure, Row, Section, Square
from ui.link.case_links import address
from ui.link.page_table import PageLink, fields_of
from ui.pictures.panels import Panels, icon_panels
from ui.pictures.people import MOST_DRAWN, IconArray
from ui.pictures.style import Style
from ui.views.accuracy import rounded_words
from ui.views.choose.answer import spend_words
from ui.views.memo import MemoInputs
from ui.views.memo.beside import different_promises
from ui.views.memo.brief import byline, unprotected
from ui.views.memo.choices import Memo
from ui.views.memo.view import in_python
from ui.views.shared.belief_before import rise
from ui.views.shared.promise import PageAnswer, PageInMaking, page_question, several
from ui.views.shared.published_budgets import compared
from ui.views.shared.relatives import relatives_words
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.strip import decided_when
from ui.words.catalogue import label, say
from ui.words.markdown import unstarred, without_marks
from ui.words.phrasing import NEAREST, capitalised, frequency, how_often, limits_nothing, people_for
from ui.words.quantities import Lower, Quantity, Upper, claimed, in_people, number_named
from ui.words.refusals import refusal_sentence

word = partial(label, "public")


@dataclass(frozen=True)
class PublicInputs:
    """The case, and what only this page asks; `claimed` is whether the decision came with a link or a file."""

    until: str = text()
    household: int = count(4, low=1, high=20, span=(1, 10), step=1)
    case: Case = EXAMPLE
    claimed: bool = False


FIELDS = fields_of("public", PublicInputs, "memo")


class Asked(NamedTuple):
    """A question with its answer, the page that says more, and the choice that the answer follows."""

    question: str
    answer: str
    way: PageLink | None = None
    follows: str = ""


@dataclass(frozen=True, kw_only=True)
class PublicView(PageAnswer):
    """Everything the page shows; `refusal` says why the case has no answer."""

    sentences: tuple[str, ...] = ()
    decided: str = ""
    budget: str = ""
    noise_said: tuple[str, str] | None = None
    picture: Panels | None = None
    asked: tuple[Asked, ...] = ()
    next: tuple[PageLink, ...] = ()
    sheet: Document | None = None
    address: str = ""

    def sheet_at(self, root: str) -> Document:
        """The sheet with its link, which starts at the address where this reader found Riskline."""
        assert self.sheet is not None
        first, *others = self.sheet.sections
        link = Link(word("page"), under(root, self.address))
        code = Square.scanned(link.address)
        said = tuple(block for block in first.blocks if isinstance(block, Paragraph))
        drawn = first.blocks[len(said) :]
        shown = (*drawn, link) if code is None else (Row((drawn, (code, link))),)
        return replace(self.sheet, sections=(replace(first, blocks=(*said, *shown)), *others))

    def answer_to(self, name: str) -> str:
        """The answer to one of the questions."""
        return next(one.answer for one in self.asked if one.question == word(f"ask.{name}"))


@dataclass(frozen=True)
class _Page(PageInMaking):
    """The page in the making, from the same numbers as the memo of the case."""

    page = "public"
    inputs: PublicInputs

    @cached_property
    def memo(self) -> Memo:
        return Memo(MemoInputs(case=self.inputs.case), self.style)

    @property
    def spent(self) -> Spent:
        assert self.memo.spent is not None
        return self.memo.spent

    @property
    def case(self) -> Case:
        """The case that the memo is of: a published budget says what counts as one change."""
        return self.memo.case

    def typed(self, name: str) -> str:
        """What the reader typed for a part of the case, as part of a sentence."""
        return " ".join(str(self.case[name]).replace("*", "").split()).rstrip(".")

    @property
    def released(self) -> str:
        typed = self.typed("released") or self.typed("title")
        return word("quoted", words=typed) if typed else self._unnamed

    @property
    def _unnamed(self) -> str:
        return word("unnamed" if self.spent.releases == 1 else "unnamed_several")

    @cached_property
    def answer(self) -> str:
        memo = self.memo
        words = {"that": memo.words()["that"], "exception": memo.exception, "released": self.released}
        if memo.before == 0.0 and memo.line is not None:
            return self.say("answer_ratio", ratio=memo.line.ratio_said, **words)
        found = memo.rise
        if limits_nothing(found.after.value) and not self.style.technical:
            certain = frequency(1.0)
            return say("explain", self.style.voice, "no_limit", certain=certain, before=found.words, that=words["that"])
        return self.say("answer", prior=found.words, posterior=found.after, **words)

    @property
    def small_print(self) -> str:
        memo = self.memo
        noise = self.spent.noise and label("case", f"whole_noise.{self.spent.noise}")
        scope = self.say(f"scope_{self._scope}", noise=noise, reader=self.say("reader"))
        line = memo.line is not None and memo.line.implied.binding
        asked = self.say(f"asked_{'line' if line else 'case' if 'prior' in self.case else 'nobody'}")
        split = "" if memo.line is None else memo.line.split
        change = capitalised(memo.words()["change"])
        return self.say("small_print", scope=scope, asked=f"{asked} {split}".strip(), change=change)

    @property
    def _scope(self) -> str:
        """What the limit of the answer is for; further limits are for any release with the budget."""
        if self.spent.noise is not None:
            return "noise"
        return "count" if self.memo.line is not None and self.case["release"] == "count" else "any"

    @property
    def accuracy(self) -> str:
        if self.memo.noise_of_a_count:
            each = word("each_alone" if self.case["release"] == ANYTHING else "each")
            assert self.memo.row is not None
            return word("accuracy", each=each, rounded=rounded_words(self.memo.row.noise), **self.memo.noise_of_a_count)
        return word("accuracy_tables" if self.case["release"] == "tables" else "accuracy_none")

    @property
    def decided(self) -> str:
        decision, state = self.case.decision, self.inputs.case.state
        words = {"publisher": self.case["published"], "when": decided_when(self.case, self.style.voice)}
        if state is State.DECIDED and decision is not None:
            by = word("by", name=decision.by) if decision.by.strip() else word("by_nobody")
            then = self.inputs.until.strip()
            until = word("until_then", name=then) if then else word("until_open")
            words["how"] = unstarred(", ".join((decision.date.strip() or word("no_date"), by, until)))
        words["claimed"] = word("decided_claimed") if self.inputs.claimed and decision is not None else ""
        return f"{word(f'decided_{state.value}', **words)} {self.memo.planned_beside}".strip()

    @property
    def sentences(self) -> tuple[str, str]:
        """What stands beside the answer: the accuracy, and what is not protected."""
        return self.accuracy, unprotected(self.case)

    @property
    def budget(self) -> str:
        return f"{self.say('budget', budget=spend_words(self.spent))} {self.memo.of_group}".strip()

    @property
    def title(self) -> str:
        return capitalised(self.typed("title") or self.typed("released") or self._unnamed)

    @cached_property
    def picture(self) -> Panels | None:
        """People who stand for the belief before, and for the highest after; nothing where that is only approached."""
        if self.memo.before == 0.0:
            return None
        found = rise(self.memo.before, lambda prior: self.memo.rise.after, Style(), typed=True)
        of = min(found.of, MOST_DRAWN)
        told = Lower(found.prior, in_people(of)), Upper(found.after.value, in_people(of))
        first, last = (round(number_named(one.digits) * of) for one in told)
        panels = (
            IconArray(word("before"), word("believed"), first, first, of, "bound"),
            IconArray(word("after"), word("believed" if last == of else "reached"), first, last, of, "bound"),
        )
        of_whom = {"of": f"{of:,}", "many": several(self.case["many"])}
        legend = word("legend", **of_whom, released=self._unnamed, exception=self.memo.exception)
        drawn = icon_panels("public", panels, self.style, page_question("public", self.case), legend)
        return replace(drawn, under=self._under)

    @property
    def _under(self) -> str:
        """Whose picture it is and how the decision stands, which the sentence over it leaves out."""
        title = self.typed("title") if self.typed("released") else ""  # where the sentence does not name it
        day = "" if self.inputs.case.state is State.DECIDED else self.typed("date")
        subject = " · ".join(filter(None, (title, self.typed("office"), day, self.decided)))
        return without_marks(word("under", subject=subject, open=unprotected(self.case)))

    def _limit(self, found: Callable[[], Bound]) -> Quantity | None:
        """A limit as a sentence about any release says it; None where the budget sets none."""
        try:
            return claimed(found(), Scope.ANY_MECHANISM, self.memo.rise.spoken)
        except Refused:
            return None

    def _said(self, name: str, reached: Quantity | None) -> str:
        """A limit and the belief that it begins with, out of one number of people."""
        if reached is None or limits_nothing(reached.value):
            return label("numbers", "no_useful_limit")
        spoken = self.memo.rise.spoken
        if not self.style.technical:
            spoken = in_people(people_for(reached.value, of=max(self.memo.rise.of, 100)))
        reached = replace(reached, spoken=spoken)
        began = "" if self.memo.before else word("began", before=spoken(self._before, NEAREST))
        return word(name, reached=reached, copies=reached, began=began, exception=self._exception)

    @property
    def _exception(self) -> str:
        """When a further limit may be passed, and that it is for any release where that of the answer is not."""
        return self.memo.exception + ("" if self._scope == "any" else word("whatever"))

    @property
    def _before(self) -> float:
        """The belief before of every further limit: an even one where that of the answer is only approached, from 0."""
        return self.memo.before or 0.5

    @cached_property
    def _together(self) -> Quantity | None:
        """The limit for a household of the reader's size, or for one of it whom all the others resemble anyhow."""
        return self._limit(partial(self.spent.highest_of_household, self._before, members=self.inputs.household))

    def _rare(self) -> str:
        if self.case["unit"] == "household":
            return word("rare_household")
        together = word("together", household=self.inputs.household, limit=self._said("limit", self._together))
        return word("rare", together=together)

    def _next(self) -> str:
        found = self.spent
        if found.entry is not None:
            return word("next_published")
        reached = self._limit(partial(found.highest, self._before, releases=2 * found.releases))
        counted = word("counted_plan" if self.case["release"] == "plan" else "counted", releases=f"{found.releases:,}")
        return word("next", counted=counted, limit=self._said("limit", reached))

    def _relatives(self) -> str:
        others = self.case.of(RelativesChoice).relatives
        if self.case["unit"] == "household" or not others:
            return word("relatives_household" if others else "relatives_zero")
        if (found := self.spent.resembling) is not None:
            return relatives_words(found, self._before, self.style, self._exception)
        together = self._limit(partial(self.spent.highest_of_household, self._before, members=others + 1))
        return word("relatives_any", others=f"{others:,}", limit=self._said("however", together))

    def _compare(self) -> str:
        case, own = self.case, right_guess(self.case, scope=Scope.ANY_MECHANISM)
        if own is None or self.spent.entry is not None:
            return word("compare_none")
        others = comparable(secret=case.promise.secret.value, unit=case["unit"], group=self.spent.group)
        return compared(claimed(own, Scope.ANY_MECHANISM, how_often), place_of(own, others))

    @property
    def asked(self) -> tuple[Asked, ...]:
        noise, exception = self.memo.noise_of_a_count, self.memo.exception
        record = word("record_value") if self.case["relation"] == "replace" else word("record", exception=exception)
        answers = {
            "rare": self._rare(),
            "open": word("open_concerns", open=unprotected(self.case)),
            "left_out": word("left_out", office=self.typed("office") or word("office"), record=record),
            "next": self._next(),
            "relatives": self._relatives(),
            "right": word("right", shown=f" {word('shown', two=2, **noise)}" if noise else ""),
            "compare": self._compare(),
        }
        ways = {"next": PageLink("plan", label("frame", "plan"))}
        follows = {} if self.case["unit"] == "household" else {"rare": "household", "relatives": "relatives"}
        return tuple(
            Asked(word(f"ask.{name}"), answer, ways.get(name), follows.get(name, ""))
            for name, answer in answers.items()
        )

    @property
    def sheet(self) -> Document:
        shown = () if self.picture is None else (PeopleFigure(self.picture, self.answer),)
        said = (Paragraph(self.answer, "lead"), *map(Paragraph, (*self.sentences, self.decided)))
        asked = tuple(Paragraph(f"**{one}** {answer}") for one, answer, *_ in self.asked)
        first = Section(word("sentences"), (*said, *shown))
        second = Section(word("asked"), (*asked, Paragraph(self.budget)))
        foot = f"{self.small_print} {word('foot', version=dpcore.__version__)}"
        return Document(self.title, byline(self.memo, "office"), (first, second), foot)


@kept_for_session
def public_view(inputs: PublicInputs, style: Style) -> PublicView:
    """The page of a case; why there is none where its parts carry different promises or its line has no budget."""
    told = _Page(inputs, style)
    memo = PageLink("memo", label("frame", "memo"), (("until", inputs.until),) if inputs.until else ())
    try:
        reason = different_promises(told.memo)
        if reason or told.memo.spent is None:
            none = "answer_none" if told.memo.line is None else "answer_no_budget"
            way = memo if reason else PageLink("choose", label("frame", "choose"))
            answer = word("answer_refused") if reason else told.say(none)
            return PublicView(answer=answer, next=(way,), refusal=reason or None)
        tables = (PageLink("publication", label("frame", "publication")),) if told.case["release"] == "tables" else ()
        return PublicView(
            answer=told.answer,
            small_print=told.small_print,
            sentences=told.sentences,
            decided=told.decided,
            budget=told.budget,
            noise_said=told.memo.noise_said,
            picture=told.picture,
            asked=told.asked,
            next=(memo, *tables),
            sheet=told.sheet,
            address=f"public?{urlencode(address(inputs.case, 'public', FIELDS, vars(inputs)))}".rstrip("?"),
            stated=told.memo.stated,
            python=in_python(told.memo),
        )
    except ValueError as refused:
        return PublicView(answer=told.say("answer_refused"), next=(memo,), refusal=refusal_sentence(refused, "choose"))
