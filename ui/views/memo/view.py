"""The memo as a document and as slides, with its link and version, and its annex: the entry of a public register."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import dpcore
from dpcore.semantics import posterior_upper, shift_bound
from dpcore.sources import WORKS
from riskline.case.fields import under
from riskline.case.link import MISSING, write_case
from ui.documents.code_lines import NoiseChoice, checked_lines, release_lines, reproducing_lines
from ui.documents.document import (
    Block,
    Code,
    Deck,
    Document,
    Facts,
    Figure,
    Link,
    Paragraph,
    Row,
    Section,
    Slide,
    Square,
    plain_words,
)
from ui.pictures.description import Description
from ui.pictures.marks import Line
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose.answer import one_ratio
from ui.views.memo import beside, brief
from ui.views.memo import line as side_two
from ui.views.memo.choices import LEVEL, Memo, MemoInputs, expert, word
from ui.views.memo.register import register_section
from ui.views.shared.promise import PageAnswer
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import label, say
from ui.words.phrasing import times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Upper
from ui.words.refusals import refusal_sentence


def sources_section(memo: Memo) -> Section:
    """The works that the memo stands on, each with what it is for."""
    used = ["kazan_reiter", "thesis"]
    by_rho = memo.guarantee_kind == "zero_concentrated"
    used += ["bun_steinke", "canonne_kamath_steinke"] if by_rho else ["dwork_roth"]
    if memo.guarantee_kind == "approximate":
        used.append("kairouz")
    works = (f"{WORKS[key].short}. {WORKS[key].title.partition(':')[0]}" for key in used)
    told = (f"{work}. {expert(f'source_{key}')}" for key, work in zip(used, works, strict=True))
    return Section(expert("heading.sources"), tuple(Paragraph(one, "quiet") for one in told))


def in_python(memo: Memo) -> CodeLines | None:
    """The lines that come to the memo's number; none without a line or a budget."""
    line, spent = memo.line, memo.spent
    if spent is None or (spent.is_implied and line is not None):
        return None if line is None else line.python
    place = None if line is None else line.implied.binding
    code = CodeWriter()
    if line is None or place is None or spent.entry is not None:
        between = code.let("shift", code(shift_bound, spent.of_secret(), delta_prime=spent.failure))
        return code.ending(code(posterior_upper, prior=memo.before, epsilon=between), memo.rise.after)
    drawn = code.let("line", line.implied.profile)
    implied = code.let("implied", Source(f"{drawn}.implied_epsilon(value_exponent={line.implied.value_exponent!r})"))
    shift = f"epsilon={line.shift!r}"
    if place.prior == 0:
        return code.ending(Source(f"{implied}.largest_ratio({shift})"), Upper(line.largest_ratio, times))
    belief = ", ".join(repr(float(one)) for one in line.split_of(memo.before))
    return code.ending(Source(f"{implied}.reachable({belief}, {shift})"), memo.rise.after)


def memo_slides(
    memo: Memo,
    *,
    people: tuple[Block, ...],
    readers: tuple[Block, ...],
    line: Description | None,
    today: side_two.Today | None,
    taken: Table | None,
) -> Deck:
    """Title, person, tables, line, what was not taken, who decided; those of which there is something to tell.

    `today` is the method that the office uses now.
    """
    title, first = memo.inputs.title, brief.first_line(memo)
    scope = " ".join((*brief.person_scope(memo), *brief.districts_scope(memo), memo.words()["promise"]))
    decided, notes = brief.decided_words(memo, short=True), f"{brief.decided_words(memo)} {scope}"
    slides = [Slide(title, decided, foot=brief.byline(memo, "office"), notes=notes)]
    if people:
        slides.append(_slide_of(word("heading.person"), people, f"{scope} {brief.unprotected(memo.case)}"))
    if readers:
        slides.append(_slide_of(word("heading.readers"), readers, scope))
    if memo.line is not None:
        words = side_two.line_in_words(memo.line.inputs)
        points = side_two.line_points(memo, with_reach=brief.passes_line(memo))
        alone, reading = line, ""
        if line is not None:
            accepted = tuple(mark for mark in line.marks if isinstance(mark, Line) and mark.y != "reach")
            alone, reading = replace(line, marks=accepted) if accepted else line, line.reading  # a map as it is
        notes = " ".join((words, *side_two.line_points(memo), reading, scope))
        slides.append(Slide(brief.heading(memo, "line"), words, alone, points=points, notes=notes))
    slides += () if today is None else today.slides(scope)
    if taken is not None:
        slides.append(Slide(brief.heading(memo, "not_taken"), memo.inputs.reasons.strip(), table=taken, notes=scope))
    who, missing = Facts(brief.who_decided(memo)), brief.missing_words(memo)
    slides.append(Slide(brief.heading(memo, "who"), missing, table=who, notes=f"{first} {scope}"))
    return Deck(title, memo.inputs.author, tuple(slides))


def _slide_of(title: str, blocks: tuple[Block, ...], scope: str) -> Slide:
    """A slide of the first sentence of blocks, with the picture or table among them; the rest is said."""
    figure = next((block for block in blocks if isinstance(block, Figure)), None)
    table = next((block for block in blocks if isinstance(block, Table)), None)
    words = [block.text for block in blocks if isinstance(block, Paragraph)]
    sentence, picture = (figure.reading, figure.picture) if figure is not None else (words[0], None)
    notes = " ".join(filter(None, (sentence, *words, "" if table is None else table.caption, scope)))
    return Slide(title, sentence, picture, None if table is None else replace(table, caption=""), notes=notes)


FOOT = word("foot", version=dpcore.__version__)
HALF = {"width": 270, "height": 200}
"""Points of a picture that has another beside it."""


@dataclass(frozen=True, kw_only=True)
class MemoView(PageAnswer):
    """The memo, and what the page says about it."""

    document: Document
    address: str
    """Of the memo, as it stands under the root of this Riskline."""
    deck: Deck
    """The memo as slides."""
    reproducing: str = ""
    releasing: str = ""
    noise: NoiseChoice | None = None
    noise_said: tuple[str, str] | None = None
    notice: str = ""
    """What its link cannot hold."""

    @property
    def words(self) -> str:
        """All words of the memo."""
        return plain_words(self.document)

    def printed_at(self, root: str) -> Document:
        """The memo with links that start at the address where this reader found Riskline, and their QR code."""
        sections = list(self.document.sections)
        at = next(at for at, section in enumerate(sections) if isinstance(section.blocks[-1], Link))
        blocks, link, code = sections[at].blocks[:-1], _where(self.address, root), self._code(root)
        sections[at] = replace(sections[at], blocks=(Row((blocks, (code, link))),) if code else (*blocks, link))
        return replace(self.document, sections=tuple(sections))

    def shown_at(self, root: str) -> Deck:
        """The slides with the QR code of the memo there."""
        *slides, last = self.deck.slides
        return replace(self.deck, slides=(*slides, replace(last, square=self._code(root))))

    def _code(self, root: str) -> Square | None:
        """The QR code of the memo's address; nothing of a memo that says only why there is none."""
        return Square.scanned(under(root, self.address)) if self.refusal is None else None


@kept_for_session
def memo_view(inputs: MemoInputs, style: Style) -> MemoView:
    """The memo of a case; why there is none where its line has no budget or its parts carry different promises."""
    memo = Memo(inputs, style)
    try:
        seen = memo.seen(style.voice)
        refusal = seen.refusal if seen is not None and seen.refusal else beside.different_promises(memo)
        return _refused(memo, refusal) if refusal else _view_of(memo)
    except ValueError as refused:
        return _refused(memo, refusal_sentence(refused, "choose"))


def _refused(memo: Memo, reason: str) -> MemoView:
    inputs, voice = memo.inputs, memo.style.voice
    notice = _not_in_link(inputs, voice)
    said: tuple[Block, ...] = (Paragraph(reason, "lead"), *_paragraphs(notice), _where(inputs.address))
    return MemoView(
        answer=say("memo", voice, "answer_refused"),
        small_print=say("memo", voice, "small_print"),
        document=Document(
            inputs.title, brief.byline(memo, "office", "author"), (Section(brief.heading(memo, "decided"), said),), FOOT
        ),
        address=inputs.address,
        deck=Deck(inputs.title, inputs.author, (Slide(brief.heading(memo, "decided"), reason),)),
        notice=notice,
        refusal=reason,
    )


def _not_in_link(inputs: MemoInputs, voice: str) -> str:
    """What the memo tells and its link cannot hold; nothing where it holds everything."""
    found = (*write_case(inputs.case).get(MISSING, "").split(), *inputs.not_in_link)
    what = reduce(lambda first, last: label("numbers", "and", many=first, last=last), found) if found else ""
    return say("memo", voice, "not_in_link", what=what) if found else ""


def _where(address: str, root: str = "") -> Link:
    return Link(word("version"), under(root, address))


def _paragraphs(words: str, style: str = "") -> tuple[Paragraph, ...]:
    """A paragraph; none of no words."""
    return (Paragraph(words, style),) if words else ()


def _view_of(memo: Memo) -> MemoView:
    inputs, first, published = memo.inputs, brief.first_line(memo), beside.shared_by(memo)
    line, notice, noise = side_two.risk_picture(memo), _not_in_link(inputs, memo.style.voice), noise_of(memo)
    code, release = _code(memo, noise), "" if published is None else published.opendp
    if not release and memo.spent is not None and noise is not None:  # one count
        release = release_lines(noise, releases=memo.spent.releases, holds_for=memo.spent.noise or "")
    releasing = (Paragraph(expert("release_code")), Code(release)) if release else ()
    check = (Paragraph(expert("code")), Code(code), *releasing)
    reasoned = memo.line is not None or memo.spent is not None
    people, districts = _person(memo) if reasoned else (), _districts(memo)
    readers = beside.readers_blocks(memo, published) if published is not None else districts
    tables = beside.tables_of(published)
    today = side_two.today_of(memo)
    taken, units, limits = brief.not_taken(memo), side_two.at_every_unit(memo), brief.person_scope(memo)
    if memo.spent is not None:
        limits += (f"{brief.unprotected(memo.case)} {side_two.household_words(memo)}".strip(),)
    person = (Row((people, districts)),) if districts and published is None else people
    sides: tuple[tuple[Section | None, ...], ...] = (
        (
            Section(
                brief.heading(memo, "decided"),
                (Paragraph(brief.decided_words(memo), "lead"), *_paragraphs(brief.stands_for(memo), "quiet")),
            ),
            Section(word("heading.person"), (*person, *(Paragraph(words, "quiet") for words in limits))),
            Section(word("heading.readers"), readers) if published is not None else None,
            Section(brief.heading(memo, "not_taken"), (*filter(None, (taken,)), *_paragraphs(inputs.reasons.strip()))),
            Section(
                brief.heading(memo, "who"),
                (Facts(brief.who_decided(memo)), *_paragraphs(notice), _where(inputs.address)),
            ),
        ),
        (
            side_two.line_section(memo, line),
            None if today is None else today.section,
            None if units is None else Section(word("heading.units"), (units,)),
            beside.room_section(memo),
            beside.minutes_section(memo),
            beside.planned_section(memo),
            None if published is None else beside.published_section(published),
            side_two.assumptions_section(memo) if reasoned else None,
        ),
        (
            register_section(memo, noise, tables=tables),
            None if published is None else beside.every_table(memo, published),
            *((Section(expert("heading.check"), check), sources_section(memo)) if reasoned else ()),
        ),
    )
    sections = tuple(
        replace(section, part=part if at == 0 else "")
        for part, side in zip(("", word("part.reasons"), word("part.annex")), sides, strict=True)
        for at, section in enumerate(one for one in side if one is not None and one.blocks)
    )
    return MemoView(
        answer=first,
        small_print=memo.say("small_print"),
        document=Document(inputs.title, brief.byline(memo, "office", "author"), sections, FOOT, author=inputs.author),
        address=inputs.address,
        deck=memo_slides(memo, people=people, readers=readers, line=line, today=today, taken=taken),
        reproducing=code,
        releasing=release,
        noise=noise,
        noise_said=memo.noise_said,
        stated=memo.stated,
        python=in_python(memo),
        notice=notice,
    )


def _person(memo: Memo) -> tuple[Block, ...]:
    """What somebody can come to believe about one person, in dots where a belief before decides."""
    words = brief.person_words(memo)
    if memo.spent is None or not 0 < memo.before < 1:
        return _paragraphs(words)
    return (Figure(brief.people_dots(memo.before, memo.rise.after.value, words), words, **HALF),)


def _districts(memo: Memo) -> tuple[Block, ...]:
    """What readers of a table's districts will see, in dots; nothing where the noise of counts is not described."""
    found = brief.in_districts(memo)
    if found is None:
        return ()
    words = brief.districts_words(memo, found)
    return (Figure(brief.district_dots(found, words), words, **HALF),)


def noise_of(memo: Memo) -> NoiseChoice | None:
    """The noise of each count; nothing where there is no budget, or no counts."""
    spent = memo.spent
    if spent is None or not memo.counts_are_told:
        return None
    return NoiseChoice(spent.fitting_noise, spent.of_a_count, LEVEL, spent.counts_changed)


def _code(memo: Memo, noise: NoiseChoice | None) -> str:
    """The lines that reproduce the memo's numbers; none without a line or a budget."""
    line, spent = memo.line, memo.spent
    error = None if noise is None or memo.row is None else memo.row.error
    if line is None or (spent is not None and (line.budget is None or spent.entry is not None)):
        python = in_python(memo)
        return "" if python is None else checked_lines(python.text, python.answer[0].value, noise, error)
    rule = one_ratio(line)
    return reproducing_lines(
        line.implied,
        line.budget,
        shift=line.shift,
        belief=line.deciding,
        noise=noise,
        error=error,
        one_ratio=None if rule is None or memo.implied else rule.budget,
        each=None if spent is None else spent.value,
    )
