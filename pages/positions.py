"""Compare positions."""

import streamlit as st

from ui.ask.case import take_line
from ui.ask.line import draw_line
from ui.ask.positions import ask_all, ask_whose
from ui.ask.room import offer_room
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.positions import FIELDS, PositionsInputs, PositionsView, positions_view
from ui.views.positions.view import line_taken, panel_rows
from ui.words.catalogue import label


def show_panels(view: PositionsView) -> None:
    rows = panel_rows(len(view.panels))
    for row in rows:
        columns = st.columns(len(rows[0]))
        for column, place in zip(columns, row, strict=False):
            with column:
                show.sentence(view.titles[place])
                show.picture(view.panels[place])


require_frame()
form = Form("positions", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-positions"):
    left, centre, right = st.columns([1.05, 2.4, 0.85], gap="medium")
with left:
    ask_whose(form)
with right:
    beside = st.container()
with st.expander(label("positions", "fold.all"), key="positions.all"):
    ask_all(form, technical=style().technical)
below = st.container()
chosen = PositionsInputs.of(form.close())
view, refusal = show.view_or_last_good("positions", positions_view, chosen, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    show_panels(view)
    show.caption(view.panels_words)
    show.notice(view.names_words)
with centre:
    if view.editor is not None:
        place = {"view": chosen.view, "log_prior": chosen.log, "suffix": str(chosen.edited)}
        draw_line("positions", view.editor, style(), height=330, **place)
with beside:
    take_line(form.stem, line_taken(chosen), style().voice)
    for way in view.next[:1]:
        show.way(way)
with below:
    show.show_table(view.budgets)
    show.sentence(view.middle_words)
    show.show_table(view.concessions)
    with st.expander(label("positions", "fold.who"), key="positions.who"):
        show.picture(view.who)
    for way in view.next[1:]:
        show.way(way)
    if chosen.in_a_room is not None:
        words = label("positions", "room"), label("positions", "room.new")
        offer_room(*words, key="positions.room", first=("line", chosen.in_a_room))
    show.computed(view.computed, key="positions")
