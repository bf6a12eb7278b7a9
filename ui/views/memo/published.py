"""The publication: what its tables get of the budget, their ranges, and their risk against their use."""

from __future__ import annotations

from dataclasses import dataclass, replace

from riskline.answers import Source
from ui.documents.document import Block, Figure, Paragraph, Section
from ui.pictures.description import Description
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo.draft import Memo
from ui.views.positions.standing import unstarred
from ui.views.publication import PublicationInputs, PublicationSummary, publication_summary

PUBLISHED = "The publication: risk against use"
EVERY_TABLE = "Every table of the publication"


@dataclass(frozen=True)
class Published:
    """The publication as the memo tells it: the tables of the case share its budget."""

    memo: Memo
    told: PublicationSummary

    @classmethod
    def of(cls, memo: Memo) -> Published | None:
        """The publication of the case at the case's budget; nothing where there is none of either."""
        if memo.inputs.publication is None or memo.spent is None:
            return None
        return cls(
            memo, publication_summary(at_the_budget(memo, memo.inputs.publication), Style(voice=memo.style.voice))
        )

    @property
    def has_tables(self) -> bool:
        """Whether there is a budget that its tables share."""
        return self.told.every is not None

    @property
    def decided(self) -> tuple[Paragraph, ...]:
        """What its tables get."""
        memo, told = self.memo, self.told
        if told.refusal:
            return (Paragraph(memo.say("published_refused", reason=told.refusal)),)
        if not self.has_tables:
            return (Paragraph(memo.say(f"published_{told.kind}")),)
        tables = told.context["tables"]
        together = memo.say("published_table" if tables == "1" else "published_tables", tables=tables)
        words = [memo.say(f"published_{told.kind}", **told.context, together=together)]
        said = told.kind == "wide" or told.context["posterior"].digits in told.context["keeping"]
        if not said:
            words.append(memo.say("published_person", **told.context))
        return (Paragraph(memo.own(" ".join(words))),)

    @property
    def ranges(self) -> tuple[Block, ...]:
        """What readers of the tables will see: the tables with the least room."""
        few, every = self.told.few, self.told.every
        if few is None or every is None:
            return ()
        words = self.memo.say("published_ranges", **self.told.context)
        some = len(few.rows) < len(every.rows)
        caption = self.memo.say("published_few", few=f"{len(few.rows)}", **self.told.context) if some else ""
        return Paragraph(words), _named_as_typed(replace(few, caption=caption))

    @property
    def picture(self) -> Description | None:
        """The risk against the use, with its reading about the memo's own secret."""
        drawn = self.told.frontier
        return None if drawn is None else replace(drawn, reading=self.memo.own(drawn.reading))

    @property
    def section(self) -> Section | None:
        """How it is shared, and the risk against the use for the whole."""
        if not self.has_tables:
            return None
        blocks: list[Block] = [Paragraph(self.memo.say("published_shared", **self.told.context))]
        if self.picture is not None:
            blocks.append(Figure(self.picture, self.picture.reading))
        return Section(PUBLISHED, tuple(blocks))

    @property
    def tables(self) -> Section | None:
        """Every table with its budget and its ranges."""
        if self.told.every is None:
            return None
        caption = self.memo.say("published_every", **self.told.context)
        return Section(EVERY_TABLE, (_named_as_typed(replace(self.told.every, caption=caption)),))


def at_the_budget(memo: Memo, chosen: PublicationInputs) -> PublicationInputs:
    """The publication with the budget of the case, and noise that fits it: what its page tries is no part of a memo."""
    assert memo.spent is not None
    decided = memo.spent.budget.source is not Source.IMPLIED and 0 < memo.before < 1
    prior = memo.before if decided else chosen.prior
    return replace(chosen, noise=memo.spent.fitting_noise, start="line", prior=prior)


def _named_as_typed(table: Table) -> Table:
    """The table with the names of its rows as text, never markup."""
    return replace(table, rows=tuple((unstarred(str(name)), *cells) for name, *cells in table.rows))
