"""What a reader can still learn, on the page 'add_up': worked out once, with progress, and stopped by any change."""

from __future__ import annotations

import streamlit as st

from ui.frame.form import put
from ui.frame.run import look, show
from ui.views.add_up import AddUpInputs, learned, learned_picture
from ui.words.refusals import refusal_sentence

HELD = "_add_up_learned"


def show_learned(chosen: AddUpInputs) -> None:
    """What a reader can still learn: computed once for these choices, with progress; any change stops it."""
    key = (chosen.counts, chosen.epsilon_total, chosen.epsilon_parts, chosen.seed)
    if st.session_state.get(HELD, (None,))[0] != key:
        running = st.empty()
        with running.container():
            bar = st.progress(0.0, "Working out what the published counts still tell")
            st.button("Stop sampling", on_click=lambda: put("add_up", learn=False), key="add_up.stop")

        def tell(done: int, every: int) -> None:
            if done % 4 == 0:  # a change of any choice, or a reader who has left, ends the run here
                bar.progress(done / every)

        try:
            found = learned(chosen, tell)
        except ValueError as error:
            running.empty()
            show.notice(refusal_sentence(error))
            return
        running.empty()
        st.session_state[HELD] = (key, found)
    show.picture(learned_picture(chosen, st.session_state[HELD][1], look()))
