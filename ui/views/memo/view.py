"""The memo as a document, with its link, its version and its scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import dpcore
from riskline.case.choices import NO_LINE
from riskline.case.fields import MAX_VALUE_LENGTH, link, under, write_query
from riskline.case.value import Case
from ui.documents.code_lines import NoiseChoice, release_lines, reproducing_lines
from ui.documents.document import Document, Facts, Links, Listing, Paragraph, Section, plain_words
from ui.documents.slides import Deck, Slide
from ui.link import scenario
from ui.link.page_table import page_entry
from ui.pictures.look import Look
from ui.views import choose
from ui.views.memo.brief import brief_sections, notice
from ui.views.memo.choices import FIELDS, OPTIONAL, MemoInputs, carried_values, fields_of
from ui.views.memo.comparison import comparison_section
from ui.views.memo.costs import alternatives_section, cost_section, lines_considered, noise_picture
from ui.views.memo.draft import Memo, chosen_view, spent_view
from ui.views.memo.minutes import minutes_section
from ui.views.memo.planned import planned_section
from ui.views.memo.published import Published
from ui.views.memo.question import question_section
from ui.views.memo.record import check_section, register_section, sources_section
from ui.views.memo.risk import meaning_section, risk_picture, risk_section
from ui.views.memo.room import room_section
from ui.views.memo.slides import memo_slides
from ui.views.shared.promise import StatedBelief
from ui.views.shared.session_results import kept_for_session
from ui.words.passages import say
from ui.words.python_lines import CodeLines


@dataclass(frozen=True)
class MemoView:
    """The memo, what the page says about it, and its scenario file."""

    answer: str
    small_print: str
    document: Document
    addresses: tuple[tuple[str, str], ...]
    """Of the memo and the pages it reports, as they stand under the root of this Riskline."""
    scenario: str
    deck: Deck
    """The memo as slides."""
    reproducing: str = ""
    releasing: str = ""
    noise: NoiseChoice | None = None
    stated: tuple[StatedBelief, ...] = ()
    python: CodeLines | None = None
    notice: str = ""
    """What its link cannot hold."""
    refusal: str | None = None

    @property
    def words(self) -> str:
        """All words of the memo."""
        return plain_words(self.document)

    def printed_at(self, root: str) -> Document:
        """The memo with links that start at the address where this reader found Riskline."""
        last = _where(self.addresses, self.notice, root)
        return replace(self.document, sections=(*self.document.sections[:-1], last))


@kept_for_session
def memo_view(inputs: MemoInputs, look: Look) -> MemoView:
    """The memo of these choices."""
    choices, costs = inputs.choices, inputs.costs
    carried = {"choose": vars(choices), "accuracy": vars(costs)}
    carried |= {stem: carried_values(stem, inputs.told(stem)) for stem in _used(inputs)}
    file = scenario.write(carried | {"memo": vars(inputs.in_link)}, _case(carried), voice=look.voice)
    seen = chosen_view(choices, look.voice)
    if seen.refusal is not None or choices.line == NO_LINE:
        return _refused(inputs, seen.refusal or seen.answer, look, file)
    return _view_of(Memo(inputs, choose.answered(choices, Look(voice=look.voice)), look), file)


def _case(carried: Mapping[str, Mapping[str, Any]]) -> Case:
    """The case as the pages that the memo reports say it."""
    made: dict[str, Any] = {}
    for stem, values in carried.items():
        made |= {
            field.name: values[field.name]
            for field in fields_of(stem)
            if field.of_case and field.name not in made and values[field.name] != field.default
        }
    drawn = carried["choose"]["line"]
    return Case(**{"line": drawn, **made} if made else {})


def _refused(inputs: MemoInputs, reason: str, look: Look, file: str) -> MemoView:
    words = say("memo", look.voice, "refused", reason=reason)
    asked = Facts(tuple(write_query(choose.FIELDS, vars(inputs.choices)).items()) or (("choices", "as preset"),))
    addresses, too_long = _addresses(inputs), _too_long(inputs, look.voice)
    sections = (
        Section("No budget", (Paragraph(words, "lead"),)),
        Section("What was asked for", (asked,)),
        _where(addresses, too_long),
    )
    return MemoView(
        answer=say("memo", look.voice, "answer_refused"),
        small_print=say("memo", look.voice, "small_print"),
        document=Document(inputs.title, _byline(inputs), sections, _foot()),
        addresses=addresses,
        scenario=file,
        deck=Deck(inputs.title, inputs.author.strip(), (Slide("No budget", (words,)),)),
        notice=too_long,
        refusal=reason,
    )


def _byline(inputs: MemoInputs) -> str:
    return " · ".join(part for part in (inputs.organisation, inputs.author, inputs.date) if part.strip())


def _foot() -> str:
    return f"Made with Riskline {dpcore.__version__}. Bounds are rounded outwards, budgets down."


def _addresses(inputs: MemoInputs) -> tuple[tuple[str, str], ...]:
    """Of the memo and of each page that it reports, where a link can hold its choices."""
    held = [("choose", vars(inputs.choices)), ("accuracy", vars(inputs.costs))]
    held += [(stem, carried_values(stem, inputs.told(stem))) for stem in _used(inputs)]
    return (
        ("This memo", link("memo", FIELDS, vars(inputs.in_link))),
        *(
            (page_entry(stem).title, link(stem, fields_of(stem), values))
            for stem, values in held
            if all(len(text) <= MAX_VALUE_LENGTH for text in write_query(fields_of(stem), values).values())
        ),
    )


def _used(inputs: MemoInputs) -> tuple[str, ...]:
    """Pages that a memo need not report, where somebody used them and nobody leaves them out."""
    return tuple(stem for stem in OPTIONAL if inputs.told(stem))


def _too_long(inputs: MemoInputs, voice: str) -> str:
    """What the memo's link cannot hold; nothing where it holds everything."""
    found = inputs.too_long
    return say("memo", voice, "too_long", what=" and ".join(found)) if found else ""


def _where(addresses: tuple[tuple[str, str], ...], too_long: str, root: str = "") -> Section:
    rooted = [(name, under(root, address)) for name, address in addresses]
    made = ("Software", f"Riskline {dpcore.__version__}, dpcore on numpy and scipy")
    said = (Paragraph(too_long),) if too_long else ()
    return Section("Link and version", (*said, Links(tuple(rooted)), Facts((made,))))


def _points(passage: str) -> tuple[str, ...]:
    return tuple(line.removeprefix("- ").strip() for line in passage.splitlines() if line.startswith("- "))


def _view_of(memo: Memo, file: str) -> MemoView:
    """The memo with its code lines and its scenario file."""
    spending = memo.spending()
    spent = None if spending is None else spent_view(spending, memo.look.voice)
    noise = None
    if spending is not None and memo.budget is not None:
        noise = NoiseChoice(spending.noise, memo.budget_of_a_count, spending.level, memo.counts_changed)
    place = memo.answer.implied.binding
    rule = choose.one_ratio(memo.answer)
    code = reproducing_lines(
        memo.answer.implied,
        memo.answer.budget,
        shift=memo.answer.shift,
        belief=() if place is None else choose.along(memo.inputs.choices, place),
        noise=noise,
        error=None if spent is None else spent.error,
        one_ratio=None if rule is None else rule.budget,
    )
    releases = 1 if memo.budget is None else memo.budget.releases
    holds_for = "" if memo.budget is None else memo.answer.noise
    release = "" if noise is None else release_lines(noise, releases=releases, holds_for=holds_for)
    addresses, too_long = _addresses(memo.inputs), _too_long(memo.inputs, memo.look.voice)
    considered, published = lines_considered(memo, spent), Published.of(memo)
    told = (room_section(memo), minutes_section(memo), planned_section(memo), published and published.section)
    used = [section for section in told if section is not None]
    line, noise_law, first = risk_picture(memo), noise_picture(spent), notice(memo)
    sections = (
        *brief_sections(memo, spent, considered, published),
        risk_section(memo, line),
        meaning_section(memo),
        cost_section(memo, spent, noise_law, published),
        alternatives_section(memo, considered),
        *used,
        comparison_section(memo),
        Section("Assumptions", (Listing(_points(memo.say("assumptions", whose=memo.answer.facts["unit"]))),)),
        question_section(memo),
        *((published.tables,) if published is not None and published.tables is not None else ()),
        register_section(memo, noise),
        check_section(memo, code, release),
        sources_section(memo),
        _where(addresses, too_long),
    )
    facts = memo.answer.facts
    spend = f"the line {'sets no limit' if memo.answer.budget is None else 'allows no increase'}"
    state = memo.say("not_ready", missing=first) if first else memo.say("ready")
    answer = (
        memo.say("answer_none", state=state, spend=spend)
        if memo.budget is None
        else memo.say("answer", state=state, title=memo.inputs.title, budget=facts["budget"], prior=facts["prior"])
    )
    document = Document(
        memo.inputs.title,
        _byline(memo.inputs),
        sections,
        _foot(),
        notice=first,
        author=memo.inputs.author.strip(),
    )
    stated = memo.seen(memo.look.voice).decided
    deck = memo_slides(memo, sections, notice=first, line=line, noise=noise_law, published=published)
    python = choose.in_python(memo.answer)
    return MemoView(
        answer,
        memo.say("small_print"),
        document,
        addresses,
        file,
        deck,
        reproducing=code,
        releasing=release,
        noise=noise,
        stated=stated,
        python=python,
        notice=too_long,
    )
