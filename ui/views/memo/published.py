"""The publication that was planned: what was decided for it, the ranges of its tables, and its risk against its use."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpcore.guarantees import PureDP, ZeroConcentratedDP
from ui.documents.charts import drawing_of
from ui.documents.document import Block, Figure, Paragraph, Section
from ui.pictures.description import Description
from ui.pictures.look import Look
from ui.pictures.table import Table
from ui.views.memo.choices import carried_values
from ui.views.memo.draft import Memo
from ui.views.positions import unstarred
from ui.views.publication import PublicationInputs, PublicationSummary, publication_summary

PUBLISHED = "The publication: risk against use"
EVERY_TABLE = "Every table of the publication"


@dataclass(frozen=True)
class Published:
    """The publication as the memo tells it."""

    memo: Memo
    told: PublicationSummary

    @classmethod
    def of(cls, memo: Memo) -> Published | None:
        """The publication that the memo carries; nothing where nobody planned one."""
        if not memo.inputs.told("publication"):
            return None
        chosen = PublicationInputs(**carried_values("publication", memo.inputs.told("publication")))
        return cls(memo, publication_summary(chosen, Look(voice=memo.look.voice)))

    @property
    def is_about_the_decision(self) -> bool:
        """Whether it is about the secret, the people and the change of the decision."""
        told = self.told
        return told.promise is not None and self.memo.is_about(told.asked, told.promise)

    @property
    def shares_the_decided_budget(self) -> bool:
        """Whether what its tables share is the budget of the decision, and not one of its own beside it."""
        budget = self.memo.budget
        if budget is None or not self.is_about_the_decision:
            return False
        if not isinstance(budget.each, ZeroConcentratedDP if self.told.by_rho else PureDP):
            return False
        decided = budget.recommended_total * (budget.group**2 if self.told.by_rho else budget.group)
        return math.isclose(decided, self.told.total, rel_tol=1e-9)

    @property
    def has_tables(self) -> bool:
        """Whether there is a budget that its tables share."""
        return self.told.every is not None

    @property
    def decided(self) -> tuple[Paragraph, ...]:
        """What was decided for it, and about whom where that is not the decision's."""
        memo, told = self.memo, self.told
        if told.refusal:
            return (Paragraph(memo.say("published_refused", reason=told.refusal)),)
        if not self.has_tables:
            return (Paragraph(memo.say(f"published_{told.kind}")),)
        tables = told.facts["tables"]
        together = memo.say("published_table" if tables == "1" else "published_tables", tables=tables)
        words = [memo.say(f"published_{told.kind}", **told.facts, together=together)]
        said = told.kind == "wide" or told.facts["posterior"].digits in told.facts["keeping"]
        if not said:
            words.append(memo.say("published_person", **told.facts))
        ours = self._own(" ".join(words))
        if not self.is_about_the_decision:
            return (Paragraph(ours), Paragraph(memo.say("published_apart", **told.facts), "quiet"))
        other = () if self.shares_the_decided_budget else (Paragraph(memo.say("published_beside"), "quiet"),)
        return (Paragraph(ours), *other)

    @property
    def ranges(self) -> tuple[Block, ...]:
        """What readers of the tables will see: the tables with the least room."""
        few, every = self.told.few, self.told.every
        if few is None or every is None:
            return ()
        words = self.memo.say("published_ranges", **self.told.facts)
        some = len(few.rows) < len(every.rows)
        caption = self.memo.say("published_few", few=f"{len(few.rows)}", **self.told.facts) if some else ""
        return Paragraph(words), _named_as_typed(replace(few, caption=caption))

    @property
    def picture(self) -> Description | None:
        """The risk against the use, with its reading about the memo's own secret."""
        drawn = self.told.frontier
        return None if drawn is None else replace(drawn, reading=self._own(drawn.reading))

    @property
    def section(self) -> Section | None:
        """How it is shared, and the risk against the use for the whole."""
        if not self.has_tables:
            return None
        blocks: list[Block] = [Paragraph(self.memo.say("published_shared", **self.told.facts))]
        if self.picture is not None:
            blocks.append(Figure(drawing_of(self.picture), self.picture.reading))
        return Section(PUBLISHED, tuple(blocks))

    @property
    def tables(self) -> Section | None:
        """Every table with its budget and its ranges."""
        if self.told.every is None:
            return None
        caption = self.memo.say("published_every", **self.told.facts)
        return Section(EVERY_TABLE, (_named_as_typed(replace(self.told.every, caption=caption)),))

    def _own(self, text: str) -> str:
        return self.memo.own(text) if self.is_about_the_decision else text


def _named_as_typed(table: Table) -> Table:
    """The table with the names of its rows as text, never markup."""
    return replace(table, rows=tuple((unstarred(str(name)), *cells) for name, *cells in table.rows))
