"""Choices set from a callback win over what a browser sends again."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from ui import inputs
    from ui.links import Field

    fields = (Field("line", "Line", "choice", "template", options=("template", "drawn")),)

    def draw() -> None:
        st.session_state["demo.line"] = "template"  # what a browser that lags behind sends once more
        inputs.put("demo", line="drawn")

    form = inputs.Form("demo", fields)
    form.choice("line", {"template": "Template", "drawn": "Drawn"}, style="select")
    st.button("draw", on_click=draw)
    st.write(f"line is {form.close()['line']}")


def test_a_choice_set_again_from_a_callback_is_not_undone_by_the_widgets_older_value() -> None:
    test = AppTest.from_function(page, default_timeout=30).run()
    assert test.markdown[-1].value == "line is template"
    for _ in range(2):
        test.button[0].click().run()
        assert test.markdown[-1].value == "line is drawn"
