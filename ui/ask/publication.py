"""The questions of *Plan a publication*: tables as a spreadsheet and as ranges, the budget, where to clip.

Amounts of a reader's own are held in this session's memory and nowhere else: not written, not logged, not linked.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from dpcore.mechanisms import noise_kind
from riskline.case.levels import Levels
from riskline.case.sheet import LONGEST_CELL, printable
from riskline.case.tables import (
    ALL,
    HEADS,
    LARGEST,
    MOST_ROWS,
    ONE,
    SMALLEST,
    TableRow,
    asked_otherwise,
    at_levels,
    in_calendar,
    row_of,
    unfinished,
)
from riskline.case.tables import Sheet as Tables
from ui.ask.areas import ask_areas, held_areas
from ui.ask.line import ask_line, ask_whom
from ui.ask.sheet import Sheet, set_rows
from ui.components.range_editor import RangeRow, Span, range_editor
from ui.frame import show
from ui.frame.case import held_case
from ui.frame.form import Form, choice_button, touch
from ui.frame.run import style
from ui.frame.upload import ask_file, offer_to_forget, set_fault, show_fault
from ui.frame.view_workers import computed_by_worker
from ui.pictures.description import Description
from ui.views.publication import PublicationInputs
from ui.views.publication.clipping import MOST_AMOUNTS, clipped_rows, clipping_advice
from ui.views.publication.view import begun_plan
from ui.views.shared.typed_table import LARGEST_FILE, read_values
from ui.words.catalogue import label, option_words, say
from ui.words.markdown import escape_markdown
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence, refusal_words

OWN = "_own_amounts"
PASTED = "_own_amounts_pasted"
FILE = "own_amounts_file"
words = partial(label, "publication")
TABLES = Sheet(
    stem="publication",
    field="tables",
    heads=HEADS,
    help=option_words("publication", "cell"),
    row_of=row_of,
    cells_of=astuple,
    called=lambda row: row.name,
    new=lambda rows: TableRow(),
    most=MOST_ROWS,
)


WIDTHS: dict[str, int | Literal["stretch"]] = {"name": 220, "areas": 100, "wish": 84}
IN_WORDS = 3
"""Tables that are asked for in words; the grid holds all of them and all that may be said of one."""


def ask_in_words(rows: Tables, levels: Levels) -> None:
    """The first tables, each as a name, its areas and the range it needs; what is typed is a change of the sheet.

    Below them what their calendar is, and which areas there are.
    """
    st.header(words("rows"))
    with st.container(horizontal=True, gap="small"):
        for part, width in WIDTHS.items():
            st.caption(words(f"rows.{part}", place=""), width=width)
    for place, row in enumerate(rows[:IN_WORDS]):
        name = words("rows.name", place=f"{place + 1:,}")
        with st.container(horizontal=True, gap="small"):
            for part, width in WIDTHS.items():
                key = f"publication.rows.{place}.{part}"
                st.session_state[key] = getattr(row, part)
                st.text_input(
                    name
                    if part == "name"
                    else words("rows.of", column=words(f"rows.{part}"), name=escape_markdown(row.name) or name),
                    key=key,
                    max_chars=LONGEST_CELL,
                    label_visibility="collapsed",
                    on_change=_typed,
                    args=(rows, place, part, key),
                    width=width,
                )
    if len(rows) > IN_WORDS:
        show.caption(words("rows.more", number=f"{len(rows) - IN_WORDS:,}"))
    with st.container(horizontal=True):
        offered = [("add", (*rows, TableRow()), len(rows))] if len(rows) < IN_WORDS else []
        for press, after, place in (*offered, ("empty", (TableRow(),), 0)):
            changed = (TABLES, rows, after, place)
            st.button(words(f"rows.{press}"), key=f"publication.{press}", on_click=set_rows, args=changed)
    _ask_calendar(rows)
    ask_areas(levels, rows)


def _ask_calendar(rows: Tables) -> None:
    """Of each row with several times, whether a record falls into one of them or the same people are in all."""
    options = (ONE, ALL)
    for place, said in in_calendar(rows).items():
        key, row = f"publication.rows.{place}.calendar", rows[place]
        st.session_state[key] = said
        name = escape_markdown(row.name) or words("rows.name", place=f"{place + 1:,}")
        st.selectbox(
            words("calendar", name=name, times=escape_markdown(row.times.strip())),
            options,
            format_func=lambda code: words(f"calendar.{code}"),
            key=key,
            on_change=_typed,
            args=(rows, place, "calendar", key),
        )


def _typed(rows: Tables, place: int, part: str, key: str) -> None:
    row = replace(rows[place], **{part: printable(st.session_state[key])})
    set_rows(TABLES, rows, (*rows[:place], row, *rows[place + 1 :]), place)


def tell(refusal: str | None, rows: Tables) -> None:
    """Why the tables have no answer; a row that is still being filled in is waited for, not refused."""
    waiting = unfinished(rows)
    if refusal and waiting and waiting[-1] == len(rows) and rows[-1].is_blank:
        show.caption(say("publication", style().voice, "unfinished", row=f"{waiting[-1]}"))
    else:
        show.refused(refusal)


def offer(name: str, choices: dict[str, Any], words: str) -> None:
    """A press that makes these choices, where there are words for it."""
    if words:
        choice_button(words, "publication", name, choices)


def ask_budget(form: Form) -> None:
    """Where the budget comes from, which noise, and how it is shared."""
    form.choice("noise", style="select")
    if PublicationInputs(**form.values, case=held_case()).case_offers:
        form.choice("start", style="segmented")
    chosen = PublicationInputs(**form.values, case=held_case())
    if chosen.typed:
        form.ask("rho" if chosen.by_rho else "epsilon", "prior")
    form.ask("rule")
    form.slider("reserve")


def ask_line_and_promise(form: Form) -> None:
    """The line, whose secret it is about, how often ranges hold and how rarely the promise may fail."""

    def ask_promise() -> None:
        ask_whom(form)
        form.ask("relation")
        if PublicationInputs(**form.values).asks_where:
            form.ask("moves")

    drawn = partial(ask_line, form, technical=style().technical)
    asked = drawn if form.values["start"] == "line" else partial(form.choice, "secret")
    form.beside(asked, ask_promise, ("level", "failure"), gap="medium")


def drag_ranges(picture: Description, tables: Tables, levels: Levels, *, noise: str, stale: bool) -> None:
    """Mount the picture of ranges; a ring that is let go, or keys that rest, are one change of the sheet."""

    def taken(moves: Mapping[int, float]) -> str:
        after = tables
        with suppress(ValueError):  # the picture is that of rows before
            after = asked_otherwise(tables, moves, levels)
            set_rows(TABLES, tables, after, at_levels(tables, levels)[min(moves)].place - 1)
        return _fingerprint(after)

    numbers = picture.numbers
    names, asked, gets, share = (numbers.column(key) for key in ("table", "asked", "gets", "share"))

    def row_of(place: int) -> RangeRow:
        wish, got, part = (float(column.numbers[place]) for column in (asked, gets, share))
        wished, wish_said = (None, "–") if wish != wish else (wish, f"± {asked.cell(place)}")
        said = wish_said, f"± {gets.cell(place)}", str(share.cell(place))
        return RangeRow(str(names.values[place]), wished, got, part, *said)

    rows = [row_of(place) for place in range(len(names.values))]
    told = {"caption": numbers.caption, "axis": asked.axis_title}
    told |= {"asks": asked.name, "gets": f"{gets.name} {gets.aspect}", "share": share.name}
    range_editor(
        rows,
        key="publication.ranges",
        sheet=_fingerprint(tables),
        on_move=taken,
        span=Span(1.0 if noise_kind(noise).is_whole else SMALLEST, LARGEST, noise_kind(noise).is_whole),
        words=told,
        stale=stale,
        large=style().large,
    )


def _fingerprint(tables: Tables) -> str:
    """Letters that tell these rows from others."""
    return f"{zlib.crc32(repr(tables).encode('utf-8', 'replace')):x}"


def offer_plan(chosen: PublicationInputs) -> None:
    """The fold with the plan that these tables begin, to be filled in and drawn from, and the command that does it."""
    fold = st.expander(words("fold.plan"), key="publication.plan", on_change="rerun")
    if not fold.open:
        return
    with fold:
        try:
            text, left_out = computed_by_worker(begun_plan, chosen, held_areas(chosen.geography))
        except (ValueError, *UNCOMPUTABLE) as error:
            show.refused(refusal_sentence(error, "publication"))
            return
        show.caption(words("plan.told"))
        show.caption(words("plan.left_out", rows=", ".join(left_out)) if left_out else "")
        name, key = "plan.json", "publication.plan.save"
        st.download_button(words("plan.save"), text, name, "application/json", on_click="ignore", key=key)
        st.code("riskline release plan.json data.csv --out folder", language=None, wrap_lines=True)


def ask_clipping(form: Form) -> Any:
    """The fold about bounds, with its questions when it is open; None where no row is a total or a mean."""
    rows, places = form.values["tables"], clipped_rows(form.values["tables"])
    if not places:
        return None
    fold = st.expander(words("fold.clipping"), key=f"{form.stem}.clipping", on_change="rerun")
    if fold.open:
        with fold:
            named = {place: f"{place}. {rows[place - 1].name}" for place in places}
            form.beside(partial(form.pick, "clipped", named), "amounts", vertical_alignment="bottom")
            if form.values["amounts"] == "own":
                _ask_own()
    return fold


def _ask_own() -> None:
    """Amounts that are pasted or come from a file."""
    pasted, uploaded = st.columns(2)
    layout = words("own_amounts.layout")
    with pasted:
        typed = words("own_amounts.typed")
        st.text_area(typed, key=PASTED, on_change=_paste, max_chars=LARGEST_FILE, help=layout)
    with uploaded:
        ask_file(words("own_amounts.file"), FILE, _take, most=LARGEST_FILE, kind="csv", help=layout)
    show_fault(FILE, words("own_amounts.not_taken"))
    held, promise = st.session_state.get(OWN), words("own_amounts.promise")
    show.caption(promise if held is None else f"{promise} {words('own_amounts.held', n=f'{len(held):,}')}")
    if held is not None:
        offer_to_forget(words("own_amounts.forget"), "publication.forget", held=[OWN, PASTED], boxes=[FILE])


def _take(content: bytes) -> None:
    st.session_state[OWN] = tuple(read_values(content, most=MOST_AMOUNTS, largest=LARGEST))


def _paste() -> None:
    """What was pasted leaves its box once it is read; what cannot be read stays there."""
    touch()
    set_fault(FILE, None)
    try:
        if st.session_state[PASTED].strip():
            _take(st.session_state[PASTED].encode("utf-8", "replace"))
            st.session_state[PASTED] = ""
    except ValueError as error:
        set_fault(FILE, refusal_words(error))


def show_advice(fold: Any, chosen: PublicationInputs) -> None:
    """The advice on bounds, computed when the fold is open."""
    if fold is None or not fold.open:
        return
    own = st.session_state.get(OWN) if chosen.amounts == "own" else None
    with fold:
        advice = clipping_advice(chosen, style(), own)
        if advice is None:
            return
        show.refused(advice.refusal)
        show.sentence(advice.sentence)
        show.notice(advice.caution)
        if advice.taken:
            changed = (TABLES, chosen.tables, advice.taken, advice.place)
            st.button(advice.take, key="publication.take", on_click=set_rows, args=changed)
        show.picture(advice.picture)
        show.caption(advice.small_print)
