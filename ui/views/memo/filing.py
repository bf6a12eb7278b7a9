"""Everything that is filed of a case, from the memo and from what the public is told: its label, annexes and record.

An annex holds the questions of an assessment, each answered from the case or left open, with where the memo says it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from dpcore.scope import Scope
from riskline.case.choices import UNDECIDED
from riskline.case.fields import under
from riskline.registry import write_record
from ui.documents.code_lines import NoiseChoice
from ui.documents.document import Document, Paragraph, Section, is_whole
from ui.documents.label import Label
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo import beside
from ui.views.memo.brief import byline, first_line, heading, who_decided
from ui.views.memo.choices import Memo, MemoInputs, expert
from ui.views.memo.line import household_words, line_in_words, today_of
from ui.views.memo.register import record_of, register_rows, sentences
from ui.views.memo.view import FOOT, noise_of
from ui.views.public import PublicInputs, PublicView, public_view
from ui.views.shared.promise import PageAnswer, refusing
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import label, say
from ui.words.quantities import claimed

word = partial(label, "filing")
QUESTIONS = {
    "nist": (
        *("unit", "relation", "definition", "budget", "meaning", "composition", "mechanism", "accuracy", "exact"),
        *("trust", "side_channels", "preprocessing", "security"),
    ),
    "impact": ("purpose", "necessity", "unit", "meaning", "severity", "measures", "remains", "accepted", "review"),
    "w3c": (
        *("purpose", "parties", "unit", "budget", "composition", "source", "exact", "accuracy", "mechanism"),
        *("post_processing", "verification", "remains"),
    ),
}
"""The questions of each annex: of an evaluation by NIST SP 800-226, of a data-protection impact assessment's part on
residual risk, and of a review by the W3C's note, in their order."""
HEADINGS = {
    "decided": ("budget",),
    "person": ("unit", "meaning", "accuracy", "exact", "remains"),
    "not_taken": ("necessity",),
    "who": ("accepted", "review", "parties"),
    "line": ("severity",),
    "register": ("relation", "definition", "composition", "trust", "measures"),
    "check": ("mechanism", "verification"),
}
"""Which answers stand under a heading of the memo."""


def falls(memo: Memo) -> str:
    """How far the belief of the answer can fall instead, in the same people; nothing where it begins at none."""
    if memo.spent is None or not 0 < memo.before < 1:
        return ""
    lowest = claimed(memo.spent.lowest(memo.before), Scope.ANY_MECHANISM, memo.rise.spoken)
    return say("filing", memo.style.voice, "falls", lowest=lowest, exception=memo.exception)


def label_of(memo: Memo, view: PublicView) -> Label:
    """What *For the public* says of a case that has a budget, on a card."""
    accuracy, unprotected = view.sentences
    rows = {
        "secret": word("of_secret", secret=memo.words()["secret"], whose=memo.words()["whose"]),
        "budget": view.budget,
        "cost": accuracy,
        "open": unprotected,
        "time": view.answer_to("next"),
        "decided": " ".join((view.decided, word("reasons"))),
    }
    return Label(
        over=word("over", office=str(memo.case["office"]).strip() or label("public", "office")),
        title=memo.inputs.title,
        lead=f"{view.answer} {falls(memo)}".strip(),
        rows=tuple((word(f"row.{name}"), text) for name, text in rows.items()),
        people=() if view.picture is None else view.picture.panels,  # type: ignore[arg-type]
        small_print=view.small_print,
    )


def _answers(memo: Memo, view: PublicView, noise: NoiseChoice | None, tables: int) -> dict[str, str]:
    """What the case says to each question; nothing where it does not."""
    case, rows, words = memo.case, register_rows(memo, noise, tables=tables), memo.words()
    assert memo.spent is not None
    accuracy, unprotected = view.sentences
    told = {name: str(case[name]).strip() for name in ("intended_use", "security", "preprocessing", "post_processing")}
    until, office = memo.inputs.until.strip(), case["office"]
    spend = rows.get("publication", rows.get("parameters", ""))
    accepted = sentences(*(f"{name}: {said}" for name, said in who_decided(memo)))
    measures = f"{rows['mechanism']}: {spend}. " + ("" if today_of(memo) is None else word("today"))
    return {
        "unit": word("of_secret", secret=words["secret"], whose=words["whose"]),
        "relation": words["change"],
        "definition": rows["definition"],
        "budget": f"{word('of_budget', spend=spend, **rows)} {memo.of_group}".strip(),
        "meaning": " ".join(filter(None, (view.answer, falls(memo), view.small_print))),
        "composition": f"{rows['scope']}. {rows['accounting']}. {view.answer_to('next')}",
        "mechanism": rows["mechanism"] if noise is not None or tables else "",
        "accuracy": accuracy,
        "exact": unprotected,
        "trust": word(f"record.{'local' if case['release'] == 'coins' else 'central'}"),
        "side_channels": "",
        "preprocessing": told["preprocessing"],
        "post_processing": told["post_processing"],
        "security": told["security"],
        "purpose": told["intended_use"],
        "necessity": memo.inputs.reasons.strip(),
        "severity": "" if memo.line is None else line_in_words(memo.line.inputs),
        "measures": measures.strip(),
        "remains": " ".join(filter(None, (unprotected, household_words(memo)))),
        "accepted": accepted if memo.decision is not None else "",
        "review": label("public", "until_then", name=until) if until else "",
        "parties": word("of_parties", office=office.strip() or label("public", "office")) if office else "",
        "source": "" if case["data_source"] == UNDECIDED else word(f"source.{case['data_source']}"),
        "verification": word("of_verification"),
    }


def annex_of(kind: str, memo: Memo, view: PublicView, noise: NoiseChoice | None, *, tables: int = 0) -> Document:
    """One of the annexes, as a document: it claims no conformity, and says how many of its questions are open."""
    answers = _answers(memo, view, noise, tables)
    asked = {name: answers[name] for name in QUESTIONS[kind]}
    places = {name: _place(memo, place) for place, names in HEADINGS.items() for name in names if answers[name]}
    rows = tuple((word(f"ask.{name}"), said or word("open"), places.get(name, "")) for name, said in asked.items())
    table = Table("", tuple(word(f"annex.{head}") for head in ("question", "answer", "place")), rows)
    said = word("annex.prepared", open=[*asked.values()].count(""), questions=len(rows))
    blocks = (Paragraph(first_line(memo), "lead"), Paragraph(said, "quiet"), table)
    sections = (Section(word(f"annex.{kind}"), blocks),)
    return Document(memo.inputs.title, byline(memo, "office", "author"), sections, FOOT)


def _place(memo: Memo, name: str) -> str:
    if name in ("register", "check"):
        return expert(f"heading.{name}")
    return label("memo", "heading.person") if name == "person" else heading(memo, name)


@dataclass(frozen=True, kw_only=True)
class FilingView(PageAnswer):
    """What can be filed, or why there is nothing.

    open : keys of the register's record that nobody has said
    """

    card: Label | None = None
    record: dict[str, object] = field(default_factory=dict)
    open: tuple[str, ...] = ()
    annexes: dict[str, Document] = field(default_factory=dict)
    address: str = ""

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
        missing = [word("record.open", missing=", ".join(self.open))] if self.open else []
        return write_record(found, [word("record.heading"), *missing])


@kept_for_session
@refusing(FilingView, "choose")
def filing_view(inputs: MemoInputs, style: Style) -> FilingView:
    """What is filed of the memo's case; why nothing is where the case has no budget of its own."""
    memo = Memo(inputs, style)
    told = public_view(PublicInputs(inputs.until, case=inputs.case, claimed=inputs.claimed), style)
    if told.refusal or memo.spent is None:
        return FilingView(refusal=told.refusal or word("no_budget"))
    if memo.spent.entry is not None:
        return FilingView(refusal=word("published"))
    noise, tables = noise_of(memo), beside.tables_of(beside.shared_by(memo))
    record, missing = record_of(memo, noise, tables=tables, accuracy=told.sentences[0])
    return FilingView(
        card=label_of(memo, told),
        record=record,
        open=missing,
        annexes={kind: annex_of(kind, memo, told, noise, tables=tables) for kind in QUESTIONS},
        address=inputs.address,
    )
