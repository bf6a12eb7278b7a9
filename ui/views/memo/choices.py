"""What the memo reports: the case, its own fields, what other pages hold; and the memo in the making from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from dpcore._properties import cached_property
from dpcore.deployments import deployment
from dpcore.guarantees import ApproximateDP, Relation, ZeroConcentratedDP
from dpcore.scope import Scope
from riskline.answers import Spent, Terms, spent, standing
from riskline.answers.errors import RowError, row_error
from riskline.case.choices import FILING, case_field
from riskline.case.decision import Decision
from riskline.case.declaration import count, custom, flag, text
from riskline.case.fields import Field
from riskline.case.promise import PromiseChoice
from riskline.case.value import EXAMPLE, Case, State
from ui.link.case_links import address, of_case
from ui.link.page_table import fields_of, page_entry
from ui.pictures.style import Style
from ui.views import plan, publication
from ui.views.choose import ChooseInputs, ChooseView, choose_view
from ui.views.choose.answer import AnsweredLine, answered, at_budget, exception, spend_words
from ui.views.plan import PlanInputs
from ui.views.positions import PositionsInputs
from ui.views.publication import PublicationInputs
from ui.views.shared.belief_before import Rise, rise
from ui.views.shared.promise import PageInMaking, StatedBelief, promise_words
from ui.views.shared.published_budgets import spent_words
from ui.views.shared.room_minutes import ABOUT, NOTHING, RoomMinutes, read_minutes, write_minutes
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.strip import budget_each, planned_beside
from ui.words.catalogue import label, say
from ui.words.phrasing import capitalised, how_often
from ui.words.quantities import Exact, Lower, Quantity, Upper, as_often_as, claimed, whole

BESIDE = ("positions", "plan", "publication")
"""Pages that hold choices of their own beside the case, which the memo reports."""
Held = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class MemoInputs:
    """The case, the memo's own fields, and what other pages hold beside the case; None where nobody used them.

    `claimed` is whether the decision came with a link or a file and was not made in this session.
    """

    case: Case = EXAMPLE
    until: str = text()
    reasons: str = text()
    household: int = count(4, low=1, high=100)
    yearly: int = count(1, low=1, high=1000)
    room: RoomMinutes = custom(NOTHING, read=read_minutes, write=write_minutes)
    tell_positions: bool = flag(True)
    tell_plan: bool = flag(True)
    tell_publication: bool = flag(True)
    tell_room: bool = flag(True)
    positions: PositionsInputs | None = None
    plan: PlanInputs | None = None
    publication: PublicationInputs | None = None
    not_in_link: tuple[str, ...] = ()
    claimed: bool = False

    @classmethod
    def of(
        cls, values: Mapping[str, Any], case: Case = EXAMPLE, held: Held | None = None, *, claimed: bool = False
    ) -> MemoInputs:
        """The inputs from the memo's own choices by name, the case, and what the session holds of other pages."""
        own = {field.name: values[field.name] for field in fields(cls) if field.name in values}
        beside = {stem: (held or {}).get(stem, {}) for stem in BESIDE}
        made: dict[str, Callable[[dict[str, Any]], Any]] = {
            "positions": PositionsInputs.of,
            "plan": lambda shown: PlanInputs(**shown),
            "publication": lambda shown: PublicationInputs(**shown, case=case),
        }
        told = {
            stem: made[stem](_page_values(stem, case, beside[stem]))
            for stem, tells in cls.told_by(case, beside).items()
            if tells and values[f"tell_{stem}"]
        }
        beyond = tuple(page_entry(stem).title for stem in told if _is_used(stem, case, beside[stem]))
        return cls(case, **own, **told, not_in_link=beyond, claimed=claimed)

    @staticmethod
    def told_by(case: Case, held: Held) -> dict[str, bool]:
        """What there is to tell beside the line and the budget, by page.

        Rows and tables that nobody typed are a page's example, and no part of anybody's decision.
        """
        return {
            "positions": _is_used("positions", case, held.get("positions", {})),
            "plan": "rows" in case,
            "publication": "tables" in case,
        }

    @property
    def tells_room(self) -> bool:
        """Whether there are minutes of a room, and they are told."""
        return self.tell_room and (self.room.lines is not None or bool(self.room.votes))

    @property
    def title(self) -> str:
        """What the memo is called: the case's title, what is released, or words that fit any."""
        return self.case["title"].strip() or self.case["released"].strip() or word("unnamed")

    @property
    def author(self) -> str:
        """Who wrote it."""
        return str(self.case["author"]).strip()

    @property
    def address(self) -> str:
        """The link of the memo: the case, and the memo's own fields."""
        query = address(self.case, "memo", FIELDS, vars(self))
        return f"memo?{urlencode(query)}" if query else "memo"


FIELDS = (
    *map(case_field, ("title", "office", "author", "date", "released", "hidden")),
    *(case_field(field.name) for field in FILING),
    case_field("areas", former_name="districts"),
    *fields_of("memo", MemoInputs),
)


def _begun(stem: str, case: Case) -> tuple[Field, ...]:
    """A page's choices as it begins with them for a case."""
    begin = {"plan": plan.beginning, "publication": publication.beginning}.get(stem)
    return page_entry(stem).fields if begin is None else begin(case)


def _page_values(stem: str, case: Case, own: Mapping[str, Any]) -> dict[str, Any]:
    """What a page shows of a case, with its own choices."""
    declared = _begun(stem, case)
    begins = {field.name: own.get(field.name, field.default) for field in declared if not field.of_case}
    return begins | of_case(case, declared)


def _is_used(stem: str, case: Case, values: Mapping[str, Any]) -> bool:
    """Whether somebody chose something of a page's own."""
    declared = _begun(stem, case)
    return any(not field.of_case and values.get(field.name, field.default) != field.default for field in declared)


LEVEL = 0.95
"""How often the ranges of a memo hold."""


@kept_for_session
def chosen_view(choices: ChooseInputs, voice: str) -> ChooseView:
    """The page *Choose a budget* of these choices in a voice."""
    return choose_view(choices, Style(voice=voice))


word = partial(label, "memo")
expert = partial(say, "memo", "technical")
"""A passage for experts, which both voices share."""


@dataclass(frozen=True)
class Memo(PageInMaking):
    """A memo in the making: the reader's fields, the line with its answer and the budget, where there are such."""

    page = "memo"
    inputs: MemoInputs

    @cached_property
    def case(self) -> Case:
        """The case that it is of.

        What a room or a meeting compared is nobody's example, and has no line yet. A published budget says what counts
        as one change where the case does not.
        """
        inputs, case = self.inputs, self.inputs.case
        if case["published"] and "relation" not in case:
            relation = deployment(case["published"]).relation
            return case.with_choices(relation=relation) if relation in set(Relation) else case
        if not case.is_example or (inputs.positions is None and not inputs.tells_room):
            return case
        drawn, about = inputs.room.lines if inputs.tells_room else None, PromiseChoice()
        if drawn is not None:
            secret, relation = ABOUT[drawn.about]
            about = PromiseChoice(secret.value, drawn.unit, drawn.group, relation)
        return Case(**vars(about))

    @property
    def decision(self) -> Decision | None:
        """The decision for the case as it stands; None where that was one for another case, or others published it."""
        return self.case.decision if self.case.state is State.DECIDED else None

    @cached_property
    def spent(self) -> Spent | None:
        """The budget of the case; None while it has none."""
        return spent(self.case)

    @cached_property
    def choices(self) -> ChooseInputs | None:
        """The line as *Choose a budget* has it; None while none is drawn."""
        return None if self.case.line is None else self.case.of(ChooseInputs)

    @cached_property
    def line(self) -> AnsweredLine | None:
        """The line with its answer at the case's budget; None while none is drawn."""
        if self.choices is None:
            return None
        return at_budget(answered(self.choices, Style(voice=self.style.voice)), self.spent)

    @property
    def spend(self) -> str:
        """The budget in words, or why there is none."""
        if self.spent is not None:
            return spend_words(self.spent)
        if self.line is None:
            return say("case", self.style.voice, "no_line")
        return say("case", self.style.voice, "no_limit" if self.line.budget is None else "no_budget")

    @property
    def planned_beside(self) -> str:
        """That the releases which the case plans spend more than its budget, or are not comparable; else nothing."""
        said = "" if self.spent is None else planned_beside(self.spent, self.style.voice, "**")
        return f"{capitalised(said)}." if said else ""

    @property
    def of_group(self) -> str:
        """That a budget is told for one record, where the promise is about several that belong together, and theirs."""
        if self.spent is None or self.spent.group == 1:
            return ""
        guarantee = self.spent.guarantee(records=self.spent.group, releases=self.spent.releases)
        told = {"group": f"{self.spent.group:,}", "together": spent_words(guarantee, digits=6)}
        return label("filing", "record.of_group", **told)

    @property
    def exception(self) -> str:
        """When a limit on a belief may be passed: with which probability, and beside exact totals; else nothing."""
        if self.spent is None:
            return ""
        return exception(self.spent.failure, self.style, self.case.asked if self.case.exact_totals else "")

    @property
    def guarantee_kind(self) -> str:
        """The guarantee of the budget, or that which is asked for."""
        if self.spent is None:
            return str(self.case["guarantee"])
        kinds = {ZeroConcentratedDP: "zero_concentrated", ApproximateDP: "approximate"}
        return kinds.get(type(self.spent.guarantee()), "pure")

    @cached_property
    def row(self) -> RowError | None:
        """The noise on each count that is published, with its error; None without a budget."""
        return None if self.spent is None else row_error(self.spent, level=LEVEL)

    @cached_property
    def before(self) -> float:
        """The belief before of the attacker whom sentences are about, as printed; the case's while it has no limit."""
        unlimited = self.spent is None and (self.line is None or self.line.implied.binding is None)
        return float(self.case["prior"]) if unlimited else self.rise.prior

    @cached_property
    def rise(self) -> Rise:
        """That belief, of who decides the line or as the case has it, and how far it can come with the budget."""
        if self.line is not None and self.line.implied.binding is not None:
            return self.line.decided
        assert self.spent is not None
        highest, prior = self.spent.highest, float(self.case["prior"])
        spoken = self.style.belief
        return rise(prior, lambda at: claimed(highest(at), Scope.ANY_MECHANISM, spoken), self.style, typed=True)

    def words(self, voice: str = "", *, alone: bool = False, own: bool = True) -> dict[str, str]:
        """The words of the promise in the reader's own, the secret's only if `own`; `alone` of a single person."""
        case, joint = self.case, self.case.asked == "both"
        promise = (case.with_choices(unit="person") if alone else case).promise
        said = {"one": case["one"], "hidden": case["hidden"] if own else ""}
        return promise_words(promise, voice or self.style.voice, scope=case.of(Terms).scope, joint=joint, **said)

    def seen(self, voice: str) -> ChooseView | None:
        """The page *Choose a budget* of the same line in a voice; None while none is drawn."""
        return None if self.choices is None else chosen_view(self.choices, voice)

    @property
    def stated(self) -> tuple[StatedBelief, ...]:
        """The belief of `rise` with what is needed to check it; nothing of a published budget or of a law."""
        found, line = self.spent, self.line
        if line is not None and found is not None and found.is_implied:
            return line.stated
        if found is None or found.entry is not None or found.noise is not None or not 0 < self.before < 1:
            return ()
        promise = replace(self.case.promise, failure_probability=found.failure)
        place, absent = None if line is None else line.implied.binding, 0.0
        if line is not None and place is not None and self.case.asked == "both":
            absent = 1.0 - (self.case["held"] if self.case["secret"] == "value" else line.split_of(self.before)[0])
        source = found.guarantee(releases=found.releases)
        scope = Scope.ANY_MECHANISM if line is None else self.case.of(Terms).scope
        return (StatedBelief(self.before, self.rise.after, promise, source, scope, absent, before=self.rise.words),)

    @property
    def implied(self) -> str:
        """What the line implies, where that is not the budget of the case; nothing else."""
        found = standing(self.case).implied
        releases = 1 if self.spent is None or self.spent.entry is None else self.case["releases"]
        return "" if found is None else budget_each(found, self.case.currency, releases)

    @property
    def counts_are_told(self) -> bool:
        """Whether what is released is counts with noise of their own, or not described: no answers, no other rows.

        What somebody else published shared its budget in ways that no case holds.
        """
        published = self.spent is not None and self.spent.entry is not None
        return self.case["release"] in ("anything", "count", "table") and not published

    @property
    def noise_of_a_count(self) -> dict[str, Quantity]:
        """How far a published count is off, how often, and how often it is exactly right; nothing without counts."""
        row = self.row
        if row is None or not self.counts_are_told:
            return {}
        wide, chance = row.whole_range
        right = Exact(row.error.probability_exact, as_often_as(chance))
        return {"wide": Upper(wide, whole), "chance": Lower(chance, how_often), "right": right}

    @property
    def noise_said(self) -> tuple[str, str] | None:
        """The same beside a count: its range, and how often it holds."""
        found = self.noise_of_a_count
        return (f"± {found['wide'].digits}", f"{found['chance']:at least …}") if found else None
