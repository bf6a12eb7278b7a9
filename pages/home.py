"""Start here."""

import streamlit as st

from ui import show
from ui.frame import look, require_frame
from ui.views.home import HomeView, home_view


def show_home(view: HomeView) -> None:
    show.answer(view.answer, view.small_print)
    for door in view.doors:
        st.page_link(f"pages/{door.stem}.py", label=f"{door.title}: {door.purpose}")


require_frame()
show_home(home_view(look().voice))
