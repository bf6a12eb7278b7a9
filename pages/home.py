"""Start here."""

import streamlit as st

from ui.frame.run import look, require_frame, show
from ui.views.home import HomeView, home_view


def show_home(view: HomeView) -> None:
    show.answer(view.answer, view.small_print)
    for column, door in zip(st.columns(len(view.doors), gap="large"), view.doors, strict=True):
        with column, st.container(border=True):
            show.way(door)
    st.header("One minute, one example")
    for number, step in enumerate(view.steps, start=1):
        words, way = st.columns([3.2, 1], gap="medium", vertical_alignment="center")
        with words:
            show.sentence(f"{number}. {step.words}")
        if step.way is not None:
            with way:
                show.way(step.way)
    with st.expander("All pages"):
        for page in view.pages:
            show.way(page)


require_frame()
show_home(home_view(look()))
