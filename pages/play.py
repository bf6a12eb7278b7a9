"""Be the attacker."""

import streamlit as st

from ui.ask.play import ask_game, bet, class_board, names_are_held
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.play import FIELDS, PROTECTED, PlayInputs, play_view
from ui.views.shared.strip import tried
from ui.words.catalogue import label

require_frame()
form = Form("play", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-play"):
    left, centre = st.columns([1, 3.2], gap="medium")
with left:
    own = ask_game(form)
chosen = PlayInputs(**form.close())
show.tries(None if chosen.noise in PROTECTED else tried(chosen.rho, "rho", held_case()))
view, refusal = show.view_or_last_good("play", play_view, chosen, style(), own)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    if view.release is not None:
        show.sentence(view.question)
        bet(view, chosen.seed)
        show.picture(view.release)
show.caption(view.long_run)
show.show_table(view.rounds)
with st.expander(label("play", "class"), expanded=names_are_held(), key="play.board"):
    class_board(view, style().voice)
for note in view.notes:
    show.sentence(note)
show.way(PageLink("block", label("play", "next_page")))
show.computed(view.computed, key="play")
