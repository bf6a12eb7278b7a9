"""What the memo reports: the case, its own fields, and what other pages hold beside the case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlencode

from dpcore.deployments import deployment
from dpcore.guarantees import Relation
from riskline.case.choices import case_field
from riskline.case.declaration import count, custom, flag, text
from riskline.case.fields import Field
from riskline.case.promise import PromiseChoice
from riskline.case.value import EXAMPLE, Case
from ui.link.case_links import address, of_case
from ui.link.page_fields import fields_of
from ui.link.page_table import page_entry
from ui.views import plan, publication
from ui.views.plan import PlanInputs
from ui.views.positions import PositionsInputs
from ui.views.publication import PublicationInputs
from ui.views.shared.room_minutes import ABOUT, NOTHING, RoomMinutes, read_minutes, write_minutes
from ui.words.catalogue import label

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
    def told_case(self) -> Case:
        """The case that the memo is of.

        What a room or a meeting compared is nobody's example, and has no line yet. A published budget says what counts
        as one change where the case does not.
        """
        if self.case["published"] and "relation" not in self.case:
            relation = deployment(self.case["published"]).relation
            return self.case.with_choices(relation=relation) if relation in set(Relation) else self.case
        if not self.case.is_example or (self.positions is None and not self.tells_room):
            return self.case
        drawn, about = self.room.lines if self.tells_room else None, PromiseChoice()
        if drawn is not None:
            secret, relation = ABOUT[drawn.about]
            about = PromiseChoice(secret.value, drawn.unit, drawn.group, relation)
        return Case(**vars(about))

    @property
    def tells_room(self) -> bool:
        """Whether there are minutes of a room, and they are told."""
        return self.tell_room and (self.room.lines is not None or bool(self.room.votes))

    @property
    def title(self) -> str:
        """What the memo is called: the case's title, what is released, or words that fit any."""
        return self.case["title"].strip() or self.case["released"].strip() or label("memo", "unnamed")

    @property
    def author(self) -> str:
        """Who wrote it."""
        name: str = self.case["author"].strip()
        return name

    @property
    def address(self) -> str:
        """The link of the memo: the case, and the memo's own fields."""
        query = address(self.case, "memo", FIELDS, vars(self))
        return f"memo?{urlencode(query)}" if query else "memo"


FIELDS = (
    *map(case_field, ("title", "office", "author", "date", "released", "hidden")),
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
