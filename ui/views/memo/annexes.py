"""Annexes: the questions of an assessment, each answered from the case or left open, with where the memo says it."""

from __future__ import annotations

from functools import partial

from riskline.case.choices import UNDECIDED
from ui.documents.code_lines import NoiseChoice
from ui.documents.document import Document, Paragraph, Section
from ui.pictures.table import Table
from ui.views.memo.brief import byline, first_line, heading, who_decided
from ui.views.memo.choices import Memo, expert
from ui.views.memo.label import falls
from ui.views.memo.line import household_words, line_in_words
from ui.views.memo.line import today_of as today
from ui.views.memo.register import register_rows, sentences
from ui.views.memo.view import FOOT
from ui.views.public import PublicView
from ui.words.catalogue import label

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
PLACES = {
    "unit": "person",
    "relation": "register",
    "definition": "register",
    "budget": "decided",
    "meaning": "person",
    "composition": "register",
    "mechanism": "check",
    "accuracy": "person",
    "exact": "person",
    "trust": "register",
    "purpose": "",
    "necessity": "not_taken",
    "severity": "line",
    "measures": "register",
    "remains": "person",
    "accepted": "who",
    "review": "who",
    "parties": "who",
    "verification": "check",
}
"""Under which heading of the memo the answer stands."""


def _answers(memo: Memo, view: PublicView, noise: NoiseChoice | None, tables: int) -> dict[str, str]:
    """What the case says to each question; nothing where it does not."""
    case, rows, words = memo.case, register_rows(memo, noise, tables=tables), memo.words()
    assert memo.spent is not None
    accuracy, unprotected = view.sentences
    told = {name: str(case[name]).strip() for name in ("intended_use", "security", "preprocessing", "post_processing")}
    until = memo.inputs.until.strip()
    spend = rows.get("publication", rows.get("parameters", ""))
    over_time = view.answer_to("next")
    kept = "" if until == "" else label("public", "until_then", name=until)
    local = case["release"] == "coins"
    trust = word(f"record.{'local' if local else 'central'}")
    accepted = sentences(*(f"{name}: {said}" for name, said in who_decided(memo)))
    present = today(memo)
    measures = f"{rows['mechanism']}: {spend}. " + ("" if present is None else word("today"))
    return {
        "unit": word("of_secret", secret=words["secret"], whose=words["whose"]),
        "relation": words["change"],
        "definition": rows["definition"],
        "budget": " ".join(
            (word("of_budget", spend=spend, together=rows["together"], failure=rows["failure"]), memo.of_group)
        ).strip(),
        "meaning": " ".join((view.answer, falls(memo), view.small_print)),
        "composition": f"{rows['scope']}. {rows['accounting']}. {over_time}",
        "mechanism": rows["mechanism"] if noise is not None or tables else "",
        "accuracy": accuracy,
        "exact": unprotected,
        "trust": trust,
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
        "review": kept,
        "parties": word("of_parties", office=case["office"].strip() or label("public", "office"))
        if case["office"]
        else "",
        "source": "" if case["data_source"] == UNDECIDED else word(f"source.{case['data_source']}"),
        "verification": word("of_verification"),
    }


def annex_of(kind: str, memo: Memo, view: PublicView, noise: NoiseChoice | None, *, tables: int = 0) -> Document:
    """One of the annexes, as a document: it claims no conformity, and says how many of its questions are open."""
    answers = _answers(memo, view, noise, tables)
    rows = []
    for name in QUESTIONS[kind]:
        answer = answers[name]
        place = _place(memo, PLACES.get(name, "")) if answer else ""
        rows.append((word(f"ask.{name}"), answer or word("open"), place))
    missing = sum(not answers[name] for name in QUESTIONS[kind])
    table = Table("", tuple(word(f"annex.{head}") for head in ("question", "answer", "place")), tuple(rows))
    said = word("annex.prepared", open=missing, questions=len(rows))
    title = word(f"annex.{kind}")
    blocks = (Paragraph(first_line(memo), "lead"), Paragraph(said, "quiet"), table)
    return Document(memo.inputs.title, byline(memo, "office", "author"), (Section(title, blocks),), FOOT)


def _place(memo: Memo, name: str) -> str:
    if not name:
        return ""
    if name in ("register", "check"):
        return expert(f"heading.{name}")
    return label("memo", "heading.person") if name == "person" else heading(memo, name)
