"""The questions of *Plan a publication*: its tables as a spreadsheet, the noise, the budget, the rule that shares."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import streamlit as st

from riskline.case.sheet import LONGEST_CELL
from ui.ask.line import ask_line
from ui.ask.promise import ask_change, ask_whom
from ui.ask.sheet import Sheet, edit_sheet, rows_before
from ui.frame import show
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import style
from ui.views.publication import COLUMNS, HEADS, HELP, MOST_ROWS, PublicationInputs, TableRow, row_of, unfinished
from ui.words.catalogue import option_words, say

NOISES = {
    "discrete_gaussian": "whole-number (discrete Gaussian), ρ",
    "gaussian": "Gaussian, ρ",
    "geometric": "whole-number (geometric), ε",
    "laplace": "Laplace, ε",
}
STARTS = {"line": "The case", "budget": "A budget to try"}
RULES = {
    "meet_wishes": "all ranges stretched alike",
    "least_weighted_error": "smallest sum of squared errors",
    "same_error": "the same error everywhere",
    "same_budget": "the same budget for each release",
}


TABLES = Sheet(
    stem="publication",
    field="tables",
    heads=HEADS,
    columns={
        name: st.column_config.TextColumn(HEADS[name], help=HELP[name], max_chars=LONGEST_CELL) for name in COLUMNS
    },
    row_of=row_of,
    cells_of=astuple,
    called=lambda row: row.name,
    new=lambda rows: TableRow(),
    most=MOST_ROWS,
)


def edit_tables(form: Form, *, sentence: str) -> Any:
    """The tables and their buttons. The place for what is said of the rows."""
    return edit_sheet(form, TABLES, sentence=sentence)


def tables_before(rows: tuple[TableRow, ...]) -> tuple[TableRow, ...] | None:
    """The tables before the change that was made last."""
    return rows_before(TABLES, rows)


def tell(refusal: str | None, rows: tuple[TableRow, ...]) -> None:
    """Why the tables have no answer; a row that is still being filled in is waited for, not refused."""
    waiting = unfinished(rows)
    if refusal and waiting and waiting[-1] == len(rows) and rows[-1] == TableRow():
        show.caption(say("publication", style().voice, "unfinished", row=f"{waiting[-1]}"))
    else:
        show.refused(refusal)


def ask_budget(form: Form) -> None:
    """Where the budget comes from, which noise, and how it is shared."""
    noise = form.choice("noise", NOISES, style="select")
    by_rho = noise in ("discrete_gaussian", "gaussian")
    form.choice("start", STARTS, style="segmented")
    if PublicationInputs(**form.values, case=held_case()).typed:
        form.number("rho" if by_rho else "epsilon")
        form.number("prior")
    form.choice("rule", RULES, style="select")
    form.slider("reserve")


def ask_line_and_promise(form: Form) -> None:
    """The line, whose secret it is about, how often ranges hold and how rarely the promise may fail."""
    line, whom, other = st.columns(3, gap="medium")
    with line:
        if form.values["start"] == "line":
            ask_line(form, technical=style().technical)
        else:
            form.choice("secret", option_words("case", "line_secret"))
    with whom:
        ask_whom(form)
        ask_change(form)
        if PublicationInputs(**form.values).asks_where:
            form.choice("moves", style="select")
    with other:
        form.number("level")
        form.number("failure")
        form.flag("levels")
