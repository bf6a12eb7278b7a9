"""Everything that is filed of a case, from the memo and from what the public is told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from riskline.case.fields import under
from riskline.registry import write_record
from ui.documents.document import Document, is_whole
from ui.documents.label import Label
from ui.pictures.style import Style
from ui.views.memo import beside
from ui.views.memo.annexes import QUESTIONS, annex_of
from ui.views.memo.choices import Memo, MemoInputs
from ui.views.memo.label import label_of
from ui.views.memo.register import record_of
from ui.views.memo.view import noise_of
from ui.views.public import PublicInputs, public_view
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import label
from ui.words.refusals import refusal_sentence


@dataclass(frozen=True, kw_only=True)
class FilingView:
    """What can be filed, or why there is nothing.

    open : keys of the register's record that nobody has said
    """

    card: Label | None = None
    record: dict[str, object] = field(default_factory=dict)
    open: tuple[str, ...] = ()
    annexes: dict[str, Document] = field(default_factory=dict)
    address: str = ""
    refusal: str | None = None

    def label_at(self, root: str) -> Label:
        """The label with the memo's address, where this reader found Riskline."""
        assert self.card is not None
        return replace(self.card, address=under(root, self.address))

    def record_at(self, root: str) -> str:
        """The record as a file of YAML that says first what is open, with the memo's address where it has one."""
        found, address = self.record, under(root, self.address)
        if is_whole(address):
            deployment = dict(found["deployment"])  # type: ignore[call-overload]
            deployment["administrative"] = {"sources": address} | deployment["administrative"]
            found = found | {"deployment": deployment}
        missing = ", ".join(self.open)
        heading = [label("filing", "record.heading")]
        return write_record(found, [*heading, *([label("filing", "record.open", missing=missing)] if missing else [])])


@kept_for_session
def filing_view(inputs: MemoInputs, style: Style) -> FilingView:
    """What is filed of the memo's case; why nothing is where the case has no budget of its own."""
    memo = Memo(inputs, style)
    told = public_view(PublicInputs(inputs.until, case=inputs.case, claimed=inputs.claimed), style)
    try:
        if told.refusal or memo.spent is None:
            return FilingView(refusal=told.refusal or label("filing", "no_budget"))
        if memo.spent.entry is not None:
            return FilingView(refusal=label("filing", "published"))
        noise, tables = noise_of(memo), beside.tables_of(beside.shared_by(memo))
        record, missing = record_of(memo, noise, tables=tables, accuracy=told.sentences[0], address="")
        return FilingView(
            card=label_of(memo, told, ""),
            record=record,
            open=tuple(key for key in missing if key != "administrative.sources"),
            annexes={kind: annex_of(kind, memo, told, noise, tables=tables) for kind in QUESTIONS},
            address=inputs.address,
        )
    except ValueError as refused:
        return FilingView(refusal=refusal_sentence(refused, "choose"))
