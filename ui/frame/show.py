"""Putting a view on the page: the answer, a picture with its words and its table, a number, a notice."""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import streamlit as st

import dpcore
from riskline.case.fields import Refusal, write_query
from ui.documents.document import of_this_computer_alone
from ui.frame.case import STORE, held_case, is_claim
from ui.frame.view_workers import computed_by_worker
from ui.link.case_links import page_query_of
from ui.link.page_table import FRAME_FIELDS, TOGETHER, PageLink, page_entry
from ui.pictures.description import Description
from ui.pictures.panels import Panels
from ui.pictures.picture import Picture
from ui.pictures.table import Badges, Table
from ui.rooms.store import rooms_off
from ui.views.shared.strip import strip_of
from ui.words.catalogue import label, say
from ui.words.markdown import bold_html, escape_markdown, with_bold, without_addresses
from ui.words.python_lines import CodeLines
from ui.words.refusals import BEYOND_NUMBERS, UNCOMPUTABLE

MOST_REFUSALS = 8
TITLE = "_title"  # where the frame says what the page is called
TABLES = "_tables"  # names of the tables on the page so far, for the files they leave as
TRIAL = "_trial"  # the budget that this page tries, which the strip says
PYTHON = "_python"  # where the lines of the view wait for the end of the page
CONFIG = {"displayModeBar": False, "plotlyServerURL": "", "responsive": True}
MIMES = {"csv": "text/csv", "svg": "image/svg+xml", "png": "image/png"}
Made = Callable[[], str | bytes]
"""What makes a file when it is asked for."""
Inputs = TypeVar("Inputs")
View = TypeVar("View")


def view_of(view_function: Callable[..., View], *arguments: Any) -> View:
    """The view of choices that are shown also when they are refused; a worker computes it."""
    shown = computed_by_worker(view_function, *arguments)
    _hold_python(shown)
    return shown


def view_or_last_good(
    stem: str,
    view_function: Callable[..., View],
    chosen: Inputs,
    *others: Any,
    finished: Inputs | None = None,
    here: bool = False,
) -> tuple[View, str | None]:
    """The view of the choices; when they are refused or beyond numbers, the last view that was not, and why.

    What is `finished` of refused choices is answered where it can be, so that a choice beside a row that is still being
    filled in counts. A worker computes the view, unless it has to be `here`: a view that writes into what it is given.
    """
    good = st.session_state.setdefault("_good", {})

    def view_of(choices: Inputs) -> View:
        return view_function(choices, *others) if here else computed_by_worker(view_function, choices, *others)

    _hold_python(None)
    try:
        shown: Any = view_of(chosen)
    except UNCOMPUTABLE:
        if stem not in good:
            raise
        return view_of(good[stem]), BEYOND_NUMBERS
    if shown.refusal is None:
        good[stem] = chosen
        _hold_python(shown)
        return shown, None
    if finished not in (None, chosen):
        with suppress(*UNCOMPUTABLE):
            answered: Any = view_of(finished)
            if answered.refusal is None:
                good[stem] = finished
                return answered, shown.refusal
    if stem in good:
        return view_of(good[stem]), shown.refusal
    return shown, shown.refusal


def _hold_python(shown: Any) -> None:
    """The lines of the view, until the frame shows them at the end of the page; none of choices that are refused."""
    st.session_state[PYTHON] = None if getattr(shown, "refusal", None) else getattr(shown, "python", None)


def same_in_python(stem: str) -> None:
    """The fold with the lines of Python that come to the page's answer, to be copied."""
    python_lines(label("frame", "same_in_python"), st.session_state.pop(PYTHON, None), key=f"{stem}.python")


def python_lines(title: str, lines: CodeLines | None, *, key: str) -> None:
    """A fold with lines of Python, to be copied; nothing when there are none."""
    if lines is not None:
        with _fold(title, key) as opened:
            if opened:
                st.code(lines.text, language="python", wrap_lines=True)


def refused(sentence: str | None) -> None:
    """Why something was not taken, letter by letter: choices without an answer (the last one stays), a file, a box."""
    if sentence:
        st.error(escape_markdown(sentence))


def refused_below(sentence: str, kept: str | None = None, *, box: str) -> None:
    """Under the box with this key: why what is typed in it cannot be used, and what the picture still shows, if any."""
    still = "" if kept is None else f" {label('frame', 'still_shown', kept=escape_markdown(kept))}"
    with st.container(key=f"fault.{box}"):
        st.markdown(f":red[{escape_markdown(sentence)}.]{still}")


def answer(sentence: str, small_print: str, *, stale: bool = False) -> None:
    """The page's answer in one sentence, large, and a fold that says how sure it is, open for those who know."""
    grey = " riskline-stale" if stale else ""
    st.html(f'<p class="riskline-answer{grey}">{bold_html(sentence)}</p>')
    if small_print:
        technical = bool(st.session_state.get("frame.technical"))
        with st.expander(label("frame", "sure"), expanded=technical, type="compact"):
            st.html(f'<p class="riskline-small">{bold_html(small_print)}</p>')


def page_question(stem: str, text: str) -> None:
    """What the page answers, as a person would ask it: its first heading."""
    st.html(f'<h1 class="riskline-page" data-page="{stem}">{html.escape(text)}</h1>')


def sentence(*texts: str) -> None:
    """Sentences of ordinary size, a paragraph each, their numbers bold; nothing where there is none."""
    if paragraphs := "".join(f'<p class="riskline-sentence">{bold_html(text)}</p>' for text in texts if text):
        st.html(paragraphs)


def question(text: str, help: str) -> None:
    """What a room is asked, large enough for its last row, and a line of help."""
    below = f'<p class="riskline-small">{bold_html(help)}</p>' if help else ""
    st.html(f'<h2 class="riskline-question">{html.escape(text)}</h2>{below}')


def code(text: str, address: str) -> None:
    """The code of a room and the address where it is typed, as they are read from afar."""
    st.html(f'<p class="riskline-code"><span>{html.escape(address)}</span><strong>{html.escape(text)}</strong></p>')


def square(drawn: str, words: str) -> None:
    """A QR code of ours as a drawing, with what it opens in words."""
    coded = b64encode(drawn.encode()).decode()
    st.html(f'<img class="riskline-square" alt="{html.escape(words)}" src="data:image/svg+xml;base64,{coded}">')


def begin_at_top(moment: str) -> None:
    """Have the browser go to the top of the page whenever what it shows is called otherwise than before."""
    st.html(f'<span data-riskline-moment="{html.escape(moment)}" hidden></span>')


def told(text: str) -> None:
    """What has just become so, in a sentence that a screen reader hears too."""
    st.html(f'<p class="riskline-sentence riskline-told">{bold_html(text)}</p>')


def way(leading: PageLink | None) -> None:
    """A link to another page in a state; the case, voice and type come along, so that it opens rightly anywhere."""
    if leading is None or (rooms_off() and page_entry(leading.stem).group == TOGETHER):
        return
    words = f"**{escape_markdown(leading.words)}**"
    query = page_query_of(held_case(), leading) | switches_query()
    st.page_link(f"pages/{leading.stem}.py", label=words, query_params=query or None)


def tries(trial: Any) -> None:
    """A budget that this page tries and the case does not have; the strip says so."""
    st.session_state[TRIAL] = trial


def go_to(stem: str) -> None:
    """Another page from here on; its address says the case, voice and type, which Streamlit forgets on the way."""
    st.switch_page(f"pages/{stem}.py", query_params=page_query_of(held_case(), PageLink(stem, "")) | switches_query())


def switches_query() -> dict[str, str]:
    """The switches of the frame as an address says them."""
    voice, size = st.session_state.get("frame.technical"), st.session_state.get("frame.large")
    said = {"voice": "technical" if voice else "plain", "type": "large" if size else "normal"}
    return write_query(FRAME_FIELDS, said)


def refusals(items: Sequence[Refusal]) -> None:
    """What the link asked for and did not get, all in one notice."""
    if items:
        more = len(items) - MOST_REFUSALS
        told = [escape_markdown(item.sentence) for item in items[:MOST_REFUSALS]]
        st.warning("\n\n".join(told + ([label("frame", "more_refusals", n=f"{more:,}")] if more > 0 else [])))


def notice(sentence: str) -> None:
    """Something the reader should know about the answer, if anything; not an error."""
    if sentence:
        st.info(with_bold(sentence))


def caption(sentence: str) -> None:
    """A line of small print in which something a reader typed or uploaded may stand, if any."""
    if sentence:
        st.caption(with_bold(sentence))


def numbers(items: Sequence[tuple[str, str, str]]) -> None:
    """A column of numbers: what it is, the number, and the small print after it."""
    cells = "".join(
        f"<div><dt>{bold_html(name)}</dt><dd>{bold_html(value)} <small>{bold_html(note)}</small></dd></div>"
        for name, value, note in items
    )
    st.html(f'<dl class="riskline-number">{cells}</dl>')


def picture(shown: Picture | None, *, on_point: Callable[[], None] | None = None, alone: bool = False) -> None:
    """A view's picture with its reading, alternative text, numbers and files; nothing when the view has none.

    `on_point` is called before the next run when a reader clicks a point; the point stands in the session under the
    picture's key. What stands `alone` has neither numbers nor files to take away.
    """
    if shown is None:
        return
    more: dict[str, Any] = {} if on_point is None else {"on_select": on_point, "selection_mode": "points"}
    st.plotly_chart(shown.figure, key=shown.key, theme=None, config=CONFIG, alt=shown.alt, **more)
    reading(shown, alone=alone)


def reading(shown: Description, *, alone: bool = False) -> None:
    """The sentence that reads what is drawn above, in a chart or by hand, with its numbers and files."""
    st.html(f'<p class="riskline-small">{bold_html(shown.reading)}</p>')
    if not alone:
        files(shown)


def files(shown: Description | None) -> None:
    """The numbers and files of a picture: of one above, or of the line that an editor draws."""
    if shown is None:
        return
    drawn: dict[str, Made] = {kind: partial(_file, shown, _source(), kind) for kind in ("svg", "png")}
    _offer_files(shown, {"csv": shown.numbers.as_csv} | drawn)


def _download(key: str, kind: str, data: Made, *, quiet: bool = False) -> None:
    called = label("frame", "download", kind=kind.upper())
    style: Literal["tertiary", "secondary"] = "tertiary" if quiet else "secondary"
    name = f"riskline-{key}.{kind}"
    st.download_button(called, data, name, MIMES[kind], on_click="ignore", key=f"{key}.{kind}", type=style)


def _file(shown: Description, source: str, kind: str) -> bytes:
    from ui.documents.charts import picture_file  # only a download waits for the second chart library

    return picture_file(shown, source=source, kind=kind)


def _source() -> str:
    """The line under a picture that leaves the page: where it was made."""
    title = st.session_state.get(TITLE)
    made_with = label("frame", "version", version=dpcore.__version__)
    return made_with + (label("frame", "on_page", title=title) if title else "")


@contextmanager
def _fold(title: str, key: str) -> Iterator[bool]:
    """A fold whose contents are made only when it is open; what cannot be computed is said in it."""
    fold = st.expander(title, key=key, on_change="rerun")
    with fold:
        try:
            yield bool(fold.open)
        except UNCOMPUTABLE:
            refused(BEYOND_NUMBERS)


def icons(shown: Panels | None, *, reading: str, told: bool = False, alone: bool = False) -> None:
    """Panels of people (`ui/pictures/panels.py`), what reads them unless the page has `told` it; files unless alone."""
    if shown is None:
        return
    # st.html strips SVG; all text in it is escaped where it is made
    st.markdown(shown.html, unsafe_allow_html=True)
    if not told:
        st.html(f'<p class="riskline-small">{bold_html(reading)}</p>')
    if alone:
        return
    made = partial(shown.svg, reading=reading, source=_source())
    _offer_files(shown, {"csv": shown.table.as_csv, "svg": made, "png": partial(pixels, made)})


def picture_file(shown: Panels | None, words: str, *, reading: str) -> None:
    """Panels as a picture that stands alone, one press away; nothing when the view has none."""
    if shown is not None:
        made = partial(pixels, partial(shown.svg, reading=reading, source=_source()))
        name, key = f"riskline-{shown.key}.png", f"{shown.key}.picture"
        st.download_button(words, made, name, MIMES["png"], on_click="ignore", key=key)


def pixels(svg: Callable[[], str]) -> bytes:
    """A drawing of our own as a PNG file."""
    from ui.documents.charts import pixels_of  # as above

    return pixels_of(svg())


def _offer_files(shown: Description | Panels, made: Mapping[str, Made]) -> None:
    """The fold under a picture: its table, and files that are made when they are asked for."""
    with _fold(label("frame", "files"), f"{shown.key}.table") as opened:
        if opened:
            _put_table(shown.table)
            with st.container(horizontal=True):
                for kind, data in made.items():
                    _download(shown.key, kind, data)


def show_table(table: Table | None, *, words: bool = False, alone: bool = False) -> None:
    """A readable table with its CSV, unless it stands alone; nothing when the view has none."""
    if table is None:
        return
    _put_table(table, words=words)
    if alone:
        return
    named = "-".join(re.findall("[a-z]+", table.caption.lower())[:5]) or "table"
    names = st.session_state.setdefault(TABLES, [])
    names.append(named)
    key = named if names.count(named) == 1 else f"{named}-{names.count(named)}"
    _download(f"table-{key}", "csv", table.as_csv, quiet=True)


def _put_table(table: Table, *, words: bool = False) -> None:
    """One caption, heads, tabular figures, or `words` to the left."""
    style = "riskline-table riskline-words" if words else "riskline-table"
    head = "".join(f'<th scope="col">{bold_html(str(cell))}</th>' for cell in table.columns)
    rows = ((f'<th scope="row">{bold_html(str(row[0]))}</th>', *row[1:]) for row in table.rows)
    body = "".join(f"<tr>{first}{''.join(f'<td>{_cell(cell)}</td>' for cell in cells)}</tr>" for first, *cells in rows)
    st.html(
        f'<div class="riskline-scroll" tabindex="0" role="region" aria-label="{html.escape(table.caption)}">'
        f'<table class="{style}"><caption>{bold_html(table.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def long_table(table: Table | None, *, key: str) -> None:
    """A long table of words in a frame of its own height, with a CSV download; nothing when the view has none."""
    if table is None:
        return
    with st.container(key=f"riskline-long-{key}"):
        _put_table(table, words=True)
    _download(key, "csv", table.as_csv)


def _cell(cell: object) -> str:
    if isinstance(cell, Badges):
        return " ".join(f'<span class="riskline-badge">{bold_html(word)}</span>' for word in cell)
    return bold_html(str(cell))


def computed(passage: str, *, key: str, table: Table | None = None) -> None:
    """The fold for experts: formula, assumptions, source, and a table where the view has one."""
    with st.expander(label("frame", "computed"), key=f"{key}.computed"):
        prose(passage)
        show_table(table)


def prose(passage: str) -> None:
    """Sentences with formulas, in which the reader's own words may stand."""
    st.markdown(without_addresses(passage))


def paper(article: str, name: str) -> None:
    """A document of our own making as a sheet that scrolls in its frame, by keyboard too."""
    st.html(f'<div class="riskline-paper" tabindex="0" role="region" aria-label="{html.escape(name)}">{article}</div>')


def root_address() -> str:
    """The address at which this reader's browser found the app, without the page; empty when it is not known."""
    url = urlsplit(st.context.url or "")
    return f"{url.scheme}://{url.netloc}{url.path.rpartition('/')[0]}/" if url.netloc else ""


def tell_no_code() -> None:
    """Why documents made here hold no QR code, where their address leads every phone to itself."""
    if of_this_computer_alone(root_address()):
        caption(label("frame", "no_code"))


def show_strip(voice: str, page: str, ask_case: Callable[[], None]) -> None:
    """The line about the session's case, and beside it the one group of questions that changes the case."""
    case = held_case()
    held, fields = st.session_state.get(STORE, {}).get(page, {}), page_entry(page).fields
    chosen = {one.name: held.get(one.name, one.default) for one in fields}
    begun = all(chosen[one.name] == one.default for one in fields if one.which)
    trial = st.session_state.get(TRIAL)
    strip = strip_of(case, voice, trial=trial, claimed=is_claim(case), page=page, as_begun=begun, chosen=chosen)
    long, subject, budget = (html.escape(part) for part in (strip.text, *strip.short))
    st.html(
        f'<p class="riskline-strip" data-state="{strip.state.value}">'
        f'<span class="riskline-strip-long">{long}</span>'
        f'<span class="riskline-strip-short"><span>{subject}</span><span> · {budget}</span></span></p>',
        width="stretch",
    )
    opening = st.popover(say("case", voice, "change"), type="tertiary", key="case.change", on_change="rerun")
    if opening.open:
        with opening:
            ask_case()
