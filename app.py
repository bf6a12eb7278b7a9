"""Riskline: Streamlit imports this file once as the server and runs it for every reader as the frame."""

from pathlib import Path

import streamlit as st

if __name__ == "__main__":
    from ui.ask.case import ask_case
    from ui.frame.run import run

    run(ask_case)
else:
    from ui.frame import reference, server

    server.prepare()
    app = st.App(
        Path(__file__).resolve(),
        routes=reference.routes(),
        middleware=server.MIDDLEWARE,
        on_script_error=server.sentence_for,
    )
