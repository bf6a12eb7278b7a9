"""The memo as a document and as slides, with its link and its version."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial, reduce

import dpcore
from riskline.case.fields import under
from riskline.case.link import MISSING, write_case
from ui.documents.code_lines import NoiseChoice, checked_lines, release_lines, reproducing_lines
from ui.documents.document import (
    Deck,
    Document,
    Facts,
    Links,
    Listing,
    Paragraph,
    Section,
    Slide,
    plain_words,
)
from ui.pictures.style import Style
from ui.views.choose.answer import along, one_ratio
from ui.views.memo.beside import Published, different_promises, minutes_section, planned_section, room_section
from ui.views.memo.brief import brief_sections, first_line
from ui.views.memo.choices import MemoInputs
from ui.views.memo.costs import alternatives_section, cost_section, lines_considered, noise_picture
from ui.views.memo.draft import LEVEL, Memo
from ui.views.memo.record import check_section, comparison_section, in_python, register_section, sources_section
from ui.views.memo.risk import meaning_section, question_section, risk_picture, risk_section
from ui.views.memo.slides import memo_slides
from ui.views.shared.promise import StatedBelief
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import label, say
from ui.words.python_lines import CodeLines
from ui.words.refusals import refusal_sentence

word = partial(label, "memo")


@dataclass(frozen=True)
class MemoView:
    """The memo, and what the page says about it."""

    answer: str
    small_print: str
    document: Document
    address: str
    """Of the memo, as it stands under the root of this Riskline."""
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
        last = _where(self.address, self.notice, root)
        return replace(self.document, sections=(*self.document.sections[:-1], last))


@kept_for_session
def memo_view(inputs: MemoInputs, style: Style) -> MemoView:
    """The memo of a case; why there is none where its line has no budget or its parts carry different promises."""
    memo = Memo(inputs, style)
    try:
        seen = memo.seen(style.voice)
        refusal = seen.refusal if seen is not None and seen.refusal else different_promises(memo)
        return _refused(memo, refusal) if refusal else _view_of(memo)
    except ValueError as refused:
        return _refused(memo, refusal_sentence(refused, "choose"))


def _refused(memo: Memo, reason: str) -> MemoView:
    inputs, voice = memo.inputs, memo.style.voice
    words = say("memo", voice, "refused", reason=reason)
    notice = _not_in_link(inputs, voice)
    sections = (Section(word("no_memo"), (Paragraph(words, "lead"),)), _where(inputs.address, notice))
    return MemoView(
        answer=say("memo", voice, "answer_refused"),
        small_print=say("memo", voice, "small_print"),
        document=Document(inputs.title, _byline(memo), sections, _foot()),
        address=inputs.address,
        deck=Deck(inputs.title, inputs.author, (Slide(word("no_memo"), (words,)),)),
        notice=notice,
        refusal=reason,
    )


def _byline(memo: Memo) -> str:
    return " · ".join(part for part in (memo.case[name].strip() for name in ("office", "author", "date")) if part)


def _foot() -> str:
    return word("foot", version=dpcore.__version__)


def _not_in_link(inputs: MemoInputs, voice: str) -> str:
    """What the memo tells and its link cannot hold; nothing where it holds everything."""
    missing = write_case(inputs.case).get(MISSING, "").split()
    found = (*missing, *inputs.not_in_link)
    what = reduce(lambda first, last: word("joined", first=first, last=last), found) if found else ""
    return say("memo", voice, "not_in_link", what=what) if found else ""


def _where(address: str, notice: str, root: str = "") -> Section:
    made = word("version.software"), word("version.made", version=dpcore.__version__)
    said = (Paragraph(notice),) if notice else ()
    return Section(word("version"), (*said, Links(((word("version.link"), under(root, address)),)), Facts((made,))))


def _view_of(memo: Memo) -> MemoView:
    """The memo with its code lines."""
    inputs, voice, spent = memo.inputs, memo.style.voice, memo.spent
    considered, published = lines_considered(memo), Published.of(memo)
    line, law, first = risk_picture(memo), noise_picture(memo), first_line(memo)
    shared = None if published is None else published.section
    told = (room_section(memo), minutes_section(memo), planned_section(memo), shared)
    used = tuple(section for section in told if section is not None)
    notice = _not_in_link(inputs, voice)
    noise = _noise(memo)
    code, release = _code(memo, noise), _release(memo, noise, published)
    reasons: tuple[Section, ...] = ()
    checks: tuple[Section, ...] = ()
    if memo.line is not None or spent is not None:
        costs = (cost_section(memo, law),) if memo.counts_are_told else ()
        others = () if memo.line is None or memo.implied else (alternatives_section(memo, considered),)
        assumptions = Listing.of(memo.say("assumptions", whose=memo.words()["whose"]))
        assumed = Section(word("heading.assumptions"), (assumptions,))
        reasons = (risk_section(memo, line), meaning_section(memo), *costs, *others)
        used += (comparison_section(memo), assumed)
        every = (published.tables,) if published is not None and published.tables is not None else ()
        register = register_section(memo, noise, tables=published is not None)
        checks = (*every, register, check_section(memo, code, release), sources_section(memo))
    sections = (
        *brief_sections(memo, considered, published),
        *reasons,
        *used,
        question_section(memo),
        *checks,
        _where(inputs.address, notice),
    )
    document = Document(inputs.title, _byline(memo), sections, _foot(), notice=first, author=inputs.author)
    return MemoView(
        first,
        memo.say("small_print"),
        document,
        inputs.address,
        memo_slides(memo, sections, first=first, line=line, noise=law, published=published),
        reproducing=code,
        releasing=release,
        noise=noise,
        stated=memo.stated,
        python=in_python(memo),
        notice=notice,
    )


def _noise(memo: Memo) -> NoiseChoice | None:
    """The noise of each count; nothing where there is no budget, or no counts."""
    spent = memo.spent
    if spent is None or not memo.counts_are_told:
        return None
    return NoiseChoice(spent.fitting_noise, spent.of_a_count, LEVEL, spent.counts_changed)


def _code(memo: Memo, noise: NoiseChoice | None) -> str:
    """The lines that reproduce the memo's numbers; none without a line or a budget."""
    line, spent = memo.line, memo.spent
    error = None if noise is None else memo.error
    if line is None or (spent is not None and (line.budget is None or spent.entry is not None)):
        python = in_python(memo)
        return "" if python is None else checked_lines(python.text, python.answer[0].value, noise, error)
    place, rule = line.implied.binding, one_ratio(line)
    return reproducing_lines(
        line.implied,
        line.budget,
        shift=line.shift,
        belief=() if place is None else along(line.inputs, place),
        noise=noise,
        error=error,
        one_ratio=None if rule is None or memo.implied else rule.budget,
        each=None if spent is None else spent.value,
    )


def _release(memo: Memo, noise: NoiseChoice | None, published: Published | None) -> str:
    """The lines that release what the case releases: its tables, or one count; none for anything else."""
    if published is not None:
        return published.told.opendp
    if memo.spent is None or noise is None:
        return ""
    return release_lines(noise, releases=memo.spent.releases, holds_for=memo.spent.noise or "")
